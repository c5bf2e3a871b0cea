/* What a program registers or loads: fat binaries with the bitcode of their kernels (wavesim hipcc makes them), and
 * modules from files or memory. They are given to the process that runs kernels when something of them is wanted; then
 * their variables get memory. */
#include "traces/capture/hip/hip.h"

#include "base/hash.h"
#include "isa/bitcode.h"

#include <unistd.h>

typedef struct Symbol {
	HipModule *module;
	const char *name;
	void **managed;    /* of a managed variable: the program's pointer to it … */
	const void *first; /* … and what it holds first */
	u64 size;
} Symbol;

static Map *functions, *symbols; /* by the host's address: HipFunction (also by its own), Symbol */
static ARRAY(HipModule *) modules;
static ARRAY(Symbol *) managed;

static Map *table(Map **m)
{
	if (!*m)
		*m = map_new(hip.arena);
	return *m;
}

static HipModule *new_module(const u8 *bitcode, u64 n)
{
	HipModule *m = ARENA_NEW(hip.arena, HipModule);
	m->bitcode = bitcode;
	m->nbitcode = n;
	array_push(&modules, m);
	return m;
}

/* What --hip-source was compiled to stands for all that has machine code only. */
static const u8 *given(u64 *n)
{
	static u8 *bytes;
	static size_t size;
	const char *file = recorder_setting("WAVESIM_HIP_BITCODE");
	if (file && !bytes)
		bytes = (u8 *)read_file(file, &size);
	*n = size;
	return bytes;
}

/* The bitcode of what is registered or loaded as `what`; NULL: it has none, which is said. */
static const u8 *bitcode_in(const char *what, const u8 *p, u64 size, u64 *n)
{
	Bundle f = {0};
	const u8 *own = given(n);
	bool bundle = !is_bitcode(p, size ? size : 8) && bundle_read(p, size, hip.device.arch, &f);
	if (is_bitcode(p, size ? size : 8) && size) {
		*n = size;
		return p;
	}
	if (f.bitcode) {
		*n = f.n;
		array_free(&f.machine);
		return f.bitcode;
	}
	if (own) {
		array_free(&f.machine);
		return own;
	}
	if (bundle && f.machine.n)
		hip_say(what,
		        "this program has its kernels as machine code only (%s), which wavesim does not run\n"
		        "  hint: build it with `wavesim hipcc` in place of hipcc, or give the source of the kernels: "
		        "wavesim run --hip-source FILE -- PROGRAM",
		        f.machine.v);
	else
		hip_say(what, "there is no LLVM bitcode for AMD's devices in it\n"
		              "  hint: `wavesim hipcc` builds programs that have it");
	array_free(&f.machine);
	return NULL;
}

/* ---- loading ---- */

static bool place_variables(HipModule *m)
{
	GpuTalk t = {
	    .kind = GPU_PLACE, .module = m->number, .variables = m->is.variables, .nvariables = m->is.nvariables};
	m->src.binary = m->bitcode;
	m->src.nbinary = m->nbitcode;
	m->src.nplaced = t.nvariables;
	m->src.placed = ARENA_ARRAY(hip.arena, SrcPlaced, t.nvariables);
	for (u32 i = 0; i < t.nvariables; i++) {
		HipBlock *b = hip_block_new(t.variables[i].size ? t.variables[i].size : 1, HIP_VARIABLE, 0);
		if (!b) {
			m->why = "there is no memory for its variables";
			return false;
		}
		b->module = m->number;
		t.variables[i].address = b->address;
		m->src.placed[i] = (SrcPlaced){t.variables[i].symbol, b->address};
	}
	if (!hip_talk(&t, hip.arena)) {
		m->why = t.why;
		return false;
	}
	return true;
}

static HipBlock *variable(const HipModule *m, const char *name)
{
	for (u32 i = 0; i < m->src.nplaced; i++)
		if (!strcmp(m->src.placed[i].symbol, name))
			return hip_block(m->src.placed[i].address);
	return NULL;
}

/* A managed variable is a pointer on both sides, to memory that the run time makes. */
static void place_managed(const HipModule *m)
{
	for (u32 i = 0; i < managed.n; i++) {
		const Symbol *s = managed.v[i];
		const HipBlock *device = s->module == m ? variable(m, s->name) : NULL;
		if (!device || device->size < sizeof(void *))
			continue;
		memcpy(hip_bytes(device), s->managed, sizeof(void *));
	}
}

bool hip_module_load(HipModule *m)
{
	if (m->tried)
		return !m->why;
	m->tried = true;
	m->is = (GpuTalk){.kind = GPU_LOAD, .bitcode = m->bitcode, .nbitcode = m->nbitcode, .rtc = m->src.ntexts != 0};
	if (!hip_talk(&m->is, hip.arena)) {
		m->why = m->is.why;
		return false;
	}
	m->number = m->is.module;
	if (!place_variables(m))
		return false;
	place_managed(m);
	return true;
}

bool hip_function_load(HipFunction *f, const char *call)
{
	if (f->kernel)
		return true;
	if (!hip_module_load(f->module)) {
		hip_say(call, "%s", f->module->why);
		return false;
	}
	for (u32 i = 0; i < f->module->is.nkernels; i++)
		if (!strcmp(f->module->is.kernels[i].symbol, f->symbol))
			f->kernel = &f->module->is.kernels[i];
	if (!f->kernel)
		hip_say(call, "there is no kernel '%s' in the bitcode", f->symbol);
	return f->kernel != NULL;
}

static HipFunction *new_function(HipModule *m, const char *symbol)
{
	HipFunction *f = ARENA_NEW(hip.arena, HipFunction);
	*f = (HipFunction){.module = m, .symbol = arena_strdup(hip.arena, symbol)};
	array_push(&m->functions, f);
	*ptrmap_slot(table(&functions), f) = f;
	return f;
}

HipFunction *hip_function_of(const void *host) { return host && functions ? ptrmap_get(functions, host) : NULL; }

HipBlock *hip_symbol(const void *host)
{
	const Symbol *s = host && symbols ? ptrmap_get(symbols, host) : NULL;
	bool first = s && !s->module->tried;
	if (!s || !hip_module_load(s->module)) {
		if (first)
			hip_say(s->name, "this variable cannot be used: %s", s->module->why);
		return NULL;
	}
	return s->managed ? hip_block_at(*s->managed) : variable(s->module, s->name);
}

/* ---- registering, before main() ---- */

typedef struct Wrapper {
	u32 magic, version;
	const u8 *binary;
	const void *unused;
} Wrapper;
enum { WRAPPER_MAGIC = 0x48495046 };

typedef struct Dim {
	u32 x, y, z;
} Dim;
extern HipModule **__hipRegisterFatBinary(const Wrapper *w);
extern void __hipUnregisterFatBinary(HipModule **m);
extern void __hipRegisterFunction(HipModule **m, const void *host, char *device, const char *name, unsigned limit,
                                  Dim *tid, Dim *bid, Dim *block, Dim *grid, int *warp);
extern void __hipRegisterVar(HipModule **m, void *host, char *host_name, char *name, int external, size_t size,
                             int constant, int global);
extern void __hipRegisterManagedVar(HipModule **m, void **pointer, void *first, const char *name, size_t size,
                                    unsigned align);
extern void __hipRegisterTexture(HipModule **m, void *host, char *host_name, char *name, int type, int normalized,
                                 int external);
extern void __hipRegisterSurface(HipModule **m, void *host, char *host_name, char *name, int type, int external);

/* The files of a program that was linked with -fgpu-rdc have one fat binary, and each registers it. */
static HipModule *registered(const u8 *bitcode)
{
	u64 n;
	for (u32 i = 0; i < modules.n; i++)
		if (modules.v[i]->bitcode == bitcode && !modules.v[i]->left && bitcode != given(&n))
			return modules.v[i];
	return NULL;
}

/* A program that cannot run any kernel is not begun. */
static _Noreturn void refuse(void)
{
	fflush(NULL);
	_exit(2);
}

EXPORTED HipModule **__hipRegisterFatBinary(const Wrapper *w)
{
	u64 n;
	hip_lock();
	if (!hip.helper) {
		hip_say("libamdhip64.so.5",
		        "this is wavesim's HIP run time: start the program by `wavesim run -- PROGRAM`");
		refuse();
	}
	const u8 *bitcode =
	    w && w->magic == WRAPPER_MAGIC ? bitcode_in("__hipRegisterFatBinary", w->binary, 0, &n) : NULL;
	if (!bitcode)
		refuse();
	HipModule **m = ARENA_NEW(hip.arena, HipModule *);
	*m = registered(bitcode);
	if (!*m)
		*m = new_module(bitcode, n);
	hip_unlock();
	return m;
}

/* Without the lock: at the end of a program another thread may hold it for long. */
EXPORTED void __hipUnregisterFatBinary(HipModule **m) { (*m)->left = true; }

EXPORTED void __hipRegisterFunction(HipModule **m, const void *host, char *device, const char *name, unsigned limit,
                                    Dim *tid, Dim *bid, Dim *block, Dim *grid, int *warp)
{
	(void)device, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
	hip_lock();
	*ptrmap_slot(table(&functions), host) = new_function(*m, name);
	hip_unlock();
}

static Symbol *new_symbol(HipModule *m, const void *host, const char *name, u64 size)
{
	Symbol *s = ARENA_NEW(hip.arena, Symbol);
	*s = (Symbol){.module = m, .name = arena_strdup(hip.arena, name), .size = size};
	*ptrmap_slot(table(&symbols), host) = s;
	return s;
}

EXPORTED void __hipRegisterVar(HipModule **m, void *host, char *host_name, char *name, int external, size_t size,
                               int constant, int global)
{
	(void)host_name, (void)external, (void)constant, (void)global;
	hip_lock();
	new_symbol(*m, host, name, size);
	hip_unlock();
}

EXPORTED void __hipRegisterManagedVar(HipModule **m, void **pointer, void *first, const char *name, size_t size,
                                      unsigned align)
{
	(void)align;
	hip_lock();
	HipBlock *b = hip_block_new(size, HIP_MANAGED, 0);
	Symbol *s = new_symbol(*m, pointer, name, size);
	s->managed = pointer;
	if (b && first)
		memcpy(hip_bytes(b), first, size);
	*pointer = b ? hip_bytes(b) : NULL;
	array_push(&managed, s);
	hip_unlock();
}

/* Textures by name: their functions are absent, and kernels that read them do not compile. */
EXPORTED void __hipRegisterTexture(HipModule **m, void *host, char *host_name, char *name, int type, int normalized,
                                   int external)
{
	(void)m, (void)host, (void)host_name, (void)name, (void)type, (void)normalized, (void)external;
}

EXPORTED void __hipRegisterSurface(HipModule **m, void *host, char *host_name, char *name, int type, int external)
{
	(void)m, (void)host, (void)host_name, (void)name, (void)type, (void)external;
}

/* ---- modules by hand ---- */

/* Handles of HIP's types are these. */
static HipModule *module_of(hipModule_t m) { return (HipModule *)(void *)m; }

/* The sources of what hiprtc compiled, for the launch file. */
static void take_texts(HipModule *m, const u8 *p, u64 size)
{
	Bundle f = {0};
	if (!is_bitcode(p, size ? size : 8) && bundle_read(p, size, hip.device.arch, &f) && f.texts) {
		u64 room = CODEC_ROOM(f.ntexts);
		Codec c = {.p = f.texts, .end = f.texts + f.ntexts, .arena = hip.arena, .room = &room};
		source_code_texts(&c, &m->src);
		m->src.ntexts = c.bad ? 0 : m->src.ntexts; /* the kernels run without them */
	}
	array_free(&f.machine);
}

static hipError_t load(hipModule_t *out, const char *what, const u8 *p, u64 size)
{
	u64 n;
	hip_lock();
	const u8 *bitcode = bitcode_in(what, p, size, &n);
	HipModule *m = bitcode ? new_module(arena_copy(hip.arena, bitcode, n), n) : NULL;
	if (m)
		take_texts(m, p, size);
	bool ok = m && hip_module_load(m);
	if (m && !ok)
		hip_say(what, "%s", m->why);
	hip_unlock();
	*out = ok ? (hipModule_t)(void *)m : NULL;
	return hip_done(ok ? hipSuccess : bitcode ? hipErrorInvalidImage : hipErrorNoBinaryForGpu);
}

EXPORTED hipError_t hipModuleLoadData(hipModule_t *m, const void *image)
{
	return m && image ? load(m, "hipModuleLoadData", image, 0) : hip_done(hipErrorInvalidValue);
}

EXPORTED hipError_t hipModuleLoadDataEx(hipModule_t *m, const void *image, unsigned n, hipJitOption *options,
                                        void **values)
{
	(void)n, (void)options, (void)values;
	return hipModuleLoadData(m, image);
}

EXPORTED hipError_t hipModuleLoad(hipModule_t *m, const char *file)
{
	size_t n;
	if (!m || !file)
		return hip_done(hipErrorInvalidValue);
	u8 *bytes = (u8 *)read_file(file, &n);
	hipError_t e = bytes ? load(m, file, bytes, n) : hip_done(hipErrorFileNotFound);
	free(bytes);
	return e;
}

EXPORTED hipError_t hipModuleUnload(hipModule_t m) { return hip_done(m ? hipSuccess : hipErrorInvalidHandle); }

EXPORTED hipError_t hipModuleGetFunction(hipFunction_t *out, hipModule_t module, const char *name)
{
	HipModule *m = module_of(module);
	if (!out || !m || !name)
		return hip_done(hipErrorInvalidValue);
	HipFunction *f = NULL;
	hip_lock();
	for (u32 i = 0; i < m->functions.n && !f; i++)
		f = strcmp(m->functions.v[i]->symbol, name) ? NULL : m->functions.v[i];
	for (u32 i = 0; i < m->is.nkernels && !f; i++)
		if (!strcmp(m->is.kernels[i].symbol, name))
			f = new_function(m, name);
	hip_unlock();
	*out = (hipFunction_t)(void *)f;
	return hip_done(f ? hipSuccess : hipErrorNotFound);
}

EXPORTED hipError_t hipModuleGetGlobal(hipDeviceptr_t *p, size_t *size, hipModule_t module, const char *name)
{
	if (!module || !name)
		return hip_done(hipErrorInvalidValue);
	hip_lock();
	const HipBlock *b = variable(module_of(module), name);
	if (b && p)
		*p = hip_bytes(b);
	if (b && size)
		*size = b->size;
	hip_unlock();
	return hip_done(b ? hipSuccess : hipErrorNotFound);
}
