/* Programs in SPIR-V: kept as they are; and taken for a driver that reads none, but LLVM's bitcode for SPIR
 * (cl_khr_spir), as PoCL does. llvm-spirv translates them then, of the LLVM that the driver has.
 *
 * While it records, the layer says of such a device what a program asks before it gives SPIR-V: CL_DEVICE_IL_VERSION
 * and cl_khr_il_program. The debug information is left out of what the driver gets: it is not of the form that it
 * wants, and would be complained of. */
#include "traces/capture/layer/layer.h"

#include "isa/spirv.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { TRANSLATOR_PATH = 64, TRANSLATOR_SECONDS = 60 };

/* ---- what drivers take ---- */

/* The driver's answer as text, to be freed; NULL: it has none. */
static char *device_text(cl_device_id device, cl_device_info what)
{
	size_t n = 0;
	if (layer.target->clGetDeviceInfo(device, what, 0, NULL, &n) != CL_SUCCESS || !n)
		return NULL;
	char *text = xcalloc(1, n + 1);
	if (layer.target->clGetDeviceInfo(device, what, n, text, NULL) == CL_SUCCESS)
		return text;
	free(text);
	return NULL;
}

static bool has_word(const char *list, const char *word)
{
	size_t n = strlen(word);
	for (const char *at = list; at && (at = strstr(at, word)); at += n)
		if ((at == list || at[-1] == ' ') && (!at[n] || at[n] == ' '))
			return true;
	return false;
}

/* The LLVM of a driver that names it: "OpenCL 3.0 PoCL 3.1  Linux, …, SPIR, LLVM 15.0.6, …"; 0: it does not. */
static unsigned driver_llvm(cl_device_id device)
{
	static const char name[] = "LLVM ";
	char text[512] = "";
	cl_platform_id platform = NULL;
	const cl_icd_dispatch *t = layer.target;
	if (t->clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL) != CL_SUCCESS ||
	    t->clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof text - 1, text, NULL) != CL_SUCCESS)
		return 0;
	const char *at = strstr(text, name);
	return at ? (unsigned)strtoul(at + sizeof name - 1, NULL, 10) : 0;
}

/* What translates for the device, in path; false: it reads SPIR-V itself, or no bitcode either, or nothing is there. */
static bool find_translator(cl_device_id device, char path[TRANSLATOR_PATH])
{
	char *versions = device_text(device, CL_DEVICE_IL_VERSION);
	bool own = versions && *versions;
	free(versions);
	if (own || !layer.recording)
		return false;
	char *extensions = device_text(device, CL_DEVICE_EXTENSIONS);
	bool spir = has_word(extensions, "cl_khr_spir");
	free(extensions);
	unsigned llvm = spir ? driver_llvm(device) : 0;
	snprintf(path, TRANSLATOR_PATH, "/usr/bin/llvm-spirv-%u", llvm);
	return llvm && !access(path, X_OK);
}

/* ---- what the program is told ---- */

static const char il_versions[] = "SPIR-V_1.0 SPIR-V_1.1 SPIR-V_1.2";
static const char il_extension[] = "cl_khr_il_program";

/* The driver's list of so many bytes, and one more. */
static cl_int answer_extension(cl_device_id device, size_t size, void *value, size_t *needed)
{
	size_t n = 0;
	cl_name_version own = {.version = CL_MAKE_VERSION(1, 0, 0)};
	memcpy(own.name, il_extension, sizeof il_extension);
	cl_int e = layer.target->clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, 0, NULL, &n);
	if (e != CL_SUCCESS)
		return e;
	u8 *all = xcalloc(1, n + sizeof own);
	e = layer.target->clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, n, all, NULL);
	memcpy(all + n, &own, sizeof own);
	e = e == CL_SUCCESS ? layer_answer(all, n + sizeof own, size, value, needed) : e;
	free(all);
	return e;
}

bool il_device_info(cl_device_id device, cl_device_info what, size_t size, void *value, size_t *needed, cl_int *e)
{
	static const cl_name_version versions[] = {{CL_MAKE_VERSION(1, 0, 0), "SPIR-V"},
	                                           {CL_MAKE_VERSION(1, 1, 0), "SPIR-V"},
	                                           {CL_MAKE_VERSION(1, 2, 0), "SPIR-V"}};
	char path[TRANSLATOR_PATH];
	bool asked = what == CL_DEVICE_IL_VERSION || what == CL_DEVICE_ILS_WITH_VERSION ||
	             what == CL_DEVICE_EXTENSIONS || what == CL_DEVICE_EXTENSIONS_WITH_VERSION;
	if (!asked || !find_translator(device, path))
		return false;
	if (what == CL_DEVICE_IL_VERSION) {
		*e = layer_answer(il_versions, sizeof il_versions, size, value, needed);
	} else if (what == CL_DEVICE_ILS_WITH_VERSION) {
		*e = layer_answer(versions, sizeof versions, size, value, needed);
	} else if (what == CL_DEVICE_EXTENSIONS_WITH_VERSION) {
		*e = answer_extension(device, size, value, needed);
	} else {
		char *own = device_text(device, CL_DEVICE_EXTENSIONS);
		Buf all = {0};
		buf_printf(&all, "%s %s", own ? own : "", il_extension);
		*e = layer_answer(all.v, strlen(all.v) + 1, size, value, needed);
		array_free(&all);
		free(own);
	}
	return true;
}

/* ---- translation ---- */

/* A file in memory with these bytes, or -1. */
static int memory_file(const void *bytes, size_t n)
{
	int f = memfd_create("wavesim-spirv", MFD_CLOEXEC);
	if (f < 0 || (write_bytes(f, bytes, n) && !lseek(f, 0, SEEK_SET)))
		return f;
	close(f);
	return -1;
}

static u8 *file_bytes(int f, size_t *n)
{
	off_t size = lseek(f, 0, SEEK_END);
	u8 *out = size > 0 ? xmalloc((size_t)size) : NULL;
	size_t at = 0;
	ssize_t got = 1;
	while (out && at < (size_t)size && (got = pread(f, out + at, (size_t)size - at, (off_t)at)) > 0)
		at += (size_t)got;
	*n = at;
	return out;
}

/* Did it end well? The program may take the end of its children for itself: then what was written decides. */
static bool ended_well(pid_t pid)
{
	enum { STEP_US = 2000 };
	int status = 0;
	pid_t got;
	for (u32 step = 0; !(got = waitpid(pid, &status, WNOHANG)); step++) {
		if (step == TRANSLATOR_SECONDS * (1000000 / STEP_US))
			kill(pid, SIGKILL);
		usleep(STEP_US);
	}
	return got < 0 || (WIFEXITED(status) && !WEXITSTATUS(status));
}

/* Bitcode for SPIR, to be freed; NULL: it is no SPIR-V that can be read. */
static u8 *translate(const char *path, const void *il, size_t size, size_t *n)
{
	char *const words[] = {(char *)"llvm-spirv", (char *)"-r", (char *)"/dev/stdin",
	                       (char *)"-o",         (char *)"-",  NULL};
	size_t bare_size;
	u8 *bare = spirv_without_debug(il, size, &bare_size);
	int in = bare ? memory_file(bare, bare_size) : -1, out = memory_file(NULL, 0);
	u8 *bitcode = NULL;
	pid_t pid;
	posix_spawn_file_actions_t files;
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (in >= 0 && out >= 0 && !posix_spawn(&pid, path, &files, NULL, words, environ) && ended_well(pid))
		bitcode = file_bytes(out, n);
	posix_spawn_file_actions_destroy(&files);
	if (in >= 0)
		close(in);
	if (out >= 0)
		close(out);
	free(bare);
	return bitcode;
}

/* The devices of a context, n of them, to be freed. */
static cl_device_id *devices_of(cl_context c, cl_uint *n)
{
	size_t size = 0;
	*n = 0;
	if (layer.target->clGetContextInfo(c, CL_CONTEXT_DEVICES, 0, NULL, &size) != CL_SUCCESS || !size)
		return NULL;
	cl_device_id *all = xcalloc(1, size);
	if (layer.target->clGetContextInfo(c, CL_CONTEXT_DEVICES, size, all, NULL) == CL_SUCCESS)
		*n = (cl_uint)(size / sizeof *all);
	return all;
}

static cl_program from_bitcode(cl_context c, const cl_device_id *devices, cl_uint n, const u8 *bitcode, size_t size,
                               cl_int *e)
{
	const u8 **bytes = xcalloc(n, sizeof *bytes);
	size_t *sizes = xcalloc(n, sizeof *sizes);
	for (cl_uint i = 0; i < n; i++) {
		bytes[i] = bitcode;
		sizes[i] = size;
	}
	cl_program p = layer.target->clCreateProgramWithBinary(c, n, devices, sizes, bytes, NULL, e);
	free(bytes);
	free(sizes);
	return p;
}

/* For a driver that takes none. NULL with *e as it was: nothing can be done. */
static cl_program create_translated(cl_context c, const void *il, size_t size, cl_int *e)
{
	char path[TRANSLATOR_PATH];
	cl_uint n;
	cl_device_id *devices = devices_of(c, &n);
	cl_program p = NULL;
	bool can = il && n;
	for (cl_uint i = 0; can && i < n; i++)
		can = find_translator(devices[i], path);
	if (can) {
		size_t nbitcode = 0;
		u8 *bitcode = translate(path, il, size, &nbitcode);
		*e = CL_INVALID_VALUE; /* "if il … does not point to a well-formed intermediate language program" */
		if (bitcode && nbitcode)
			p = from_bitcode(c, devices, n, bitcode, nbitcode, e);
		free(bitcode);
	}
	free(devices);
	return p;
}

cl_program layer_clCreateProgramWithIL(cl_context c, const void *il, size_t n, cl_int *e)
{
	cl_int why = CL_SUCCESS;
	e = e ? e : &why;
	*e = CL_INVALID_OPERATION;
	cl_program handle =
	    layer.target->clCreateProgramWithIL ? layer.target->clCreateProgramWithIL(c, il, n, e) : NULL;
	bool translated = !handle && (handle = create_translated(c, il, n, e));
	LayerProgram *p = program_made("clCreateProgramWithIL", handle, *e);
	if (!p)
		return handle;
	u8 *copy = arena_alloc(p->arena, n);
	memcpy(copy, il, n);
	p->program.binary = copy;
	p->program.nbinary = n;
	p->translated = translated;
	layer_unlock();
	return handle;
}

/* ---- compiled and linked apart ---- */

bool il_is_translated(cl_program handle)
{
	layer_lock();
	const LayerProgram *p = (LayerProgram *)thing_find(THING_PROGRAM, handle);
	bool is = p && p->translated;
	layer_unlock();
	return is;
}

cl_program il_copy(cl_context c, cl_program part, cl_int *e)
{
	layer_lock();
	const LayerProgram *of = (LayerProgram *)thing_find(THING_PROGRAM, part);
	size_t size = of ? of->program.nbinary : 0;
	u8 *il = xcalloc(1, size + 1);
	if (size)
		memcpy(il, of->program.binary, size);
	layer_unlock();
	cl_program handle = layer_clCreateProgramWithIL(c, il, size, e);
	free(il);
	return handle;
}

cl_int layer_clGetProgramInfo(cl_program handle, cl_program_info what, size_t size, void *value, size_t *needed)
{
	cl_int e = CL_SUCCESS;
	bool own = false;
	if (what == CL_PROGRAM_IL && layer.recording) {
		layer_lock();
		const LayerProgram *p = (LayerProgram *)thing_find(THING_PROGRAM, handle);
		own = p && p->translated;
		if (own)
			e = layer_answer(p->program.binary, p->program.nbinary, size, value, needed);
		layer_unlock();
	}
	return own ? e : layer.target->clGetProgramInfo(handle, what, size, value, needed);
}

/* ---- the extension's name of it, which no table of functions has ---- */

static void *own_function(const char *name)
{
	bool own =
	    name && layer.recording && layer.own.clCreateProgramWithIL && !strcmp(name, "clCreateProgramWithILKHR");
	return own ? (void *)(uintptr_t)layer.own.clCreateProgramWithIL : NULL;
}

void *layer_clGetExtensionFunctionAddress(const char *name)
{
	void *own = own_function(name);
	return own ? own : layer.target->clGetExtensionFunctionAddress(name);
}

void *layer_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name)
{
	void *own = own_function(name);
	return own ? own : layer.target->clGetExtensionFunctionAddressForPlatform(platform, name);
}
