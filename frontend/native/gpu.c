/* The process that runs the kernels of a HIP program where there is no GPU (isa/gpu.h): the program's run time starts
 * it, and both have the device's memory mapped.
 *
 *   program ── run time ──▶ this process, which compiles ──▶ its child, which runs
 *
 * A kernel may do what it likes: it runs in the child, which has all code that was made before it was forked off, and
 * is forked anew for a kernel that it does not have, or when it has crashed. The program is the user's own, so nothing
 * is confined (SECURITY.md). Mathematics is AMD's, as on the machine. */
#include "frontend/native/native.h"

#include "base/child.h"
#include "frontend/module/kernel_args.h"
#include "frontend/module/placed.h"
#include "isa/gpu.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SHARED_MOST = 256 << 10, GROUP_MOST = 1024 };

typedef struct GpuCode {
	const char *symbol;
	Compile *c; /* LLVM's strings and modules stay with the code */
	NativeCode code;
	u32 shared_arg;
} GpuCode;

typedef struct GpuModule {
	SrcProgram src;
	ARRAY(GpuCode) codes;
} GpuModule;

typedef struct GpuRange {
	u64 from, end;
} GpuRange;

typedef struct Gpu {
	const char *cpu;
	u32 wave;
	Arena *arena; /* of modules */
	ARRAY(GpuModule *) modules;
	ARRAY(GpuRange) shared; /* what GPU_SHARE has put here */
	pid_t runner; /* 0: none, or one without the code that is wanted */
	int to_runner;
	GpuTalk *now; /* what is answered */
	Arena *a;     /* … its memory */
} Gpu;

static bool fail(Gpu *g, const Diag *d, const char *what)
{
	const DiagMsg *m = d && d->msgs.n ? &d->msgs.v[0] : NULL;
	g->now->why = arena_printf(g->a, "%s%s%s", what, m ? ": " : "", m ? m->text : "");
	if (m && m->loc.file && m->loc.line)
		g->now->why = arena_printf(g->a, "%s:%u: %s", m->loc.file, m->loc.line, g->now->why);
	return false;
}

static FeOptions options(const Gpu *g, const SrcProgram *src)
{
	return (FeOptions){.path = "program.bc", .src = src, .cpu = g->cpu, .wave = g->wave, .max_local = GROUP_MOST};
}

/* ---- modules ---- */

static void describe_kernel(Gpu *g, const FeModule *m, const FeKernelName *n, const char *name, GpuKernel *out)
{
	LLVMValueRef f = LLVMGetNamedFunction(m->mod, n->symbol);
	LLVMTargetDataRef td = LLVMGetModuleDataLayout(m->mod);
	u32 count = LLVMCountParams(f), byref = llvm_attribute("byref");
	*out =
	    (GpuKernel){.symbol = arena_strdup(g->a, n->mangled), .name = arena_strdup(g->a, name), .nparams = count,
	                    .max_group = kernel_max_group(f)};
	out->params = ARENA_ARRAY(g->a, GpuParam, count);
	for (u32 i = 0; i < count; i++) {
		LLVMTypeRef t = LLVMTypeOf(LLVMGetParam(f, i));
		LLVMAttributeRef by = LLVMGetEnumAttributeAtIndex(f, i + 1, byref);
		if (by)
			t = LLVMGetTypeAttributeValue(by);
		out->params[i] = (GpuParam){.size = LLVMABISizeOfType(td, t),
		                            .align = LLVMABIAlignmentOfType(td, t),
		                            .pointer = LLVMGetTypeKind(t) == LLVMPointerTypeKind};
	}
}

static void describe(Gpu *g, const FeModule *m)
{
	GpuTalk *t = g->now;
	LLVMTargetDataRef td = LLVMGetModuleDataLayout(m->mod);
	ARRAY(GpuVariable) variables = {0};
	t->kernels = ARENA_ARRAY(g->a, GpuKernel, m->names.n);
	t->nkernels = m->names.n;
	for (u32 i = 0; i < m->names.n; i++)
		describe_kernel(g, m, &m->names.v[i], m->kernels.v[i], &t->kernels[i]);
	for (LLVMValueRef v = LLVMGetFirstGlobal(m->mod); v; v = LLVMGetNextGlobal(v)) {
		if (!placed_is(v))
			continue;
		LLVMTypeRef type = LLVMGlobalGetValueType(v);
		GpuVariable x = {.symbol = arena_strdup(g->a, LLVMGetValueName(v)),
		                 .size = LLVMABISizeOfType(td, type),
		                 .align = LLVMABIAlignmentOfType(td, type)};
		LLVMValueRef first = LLVMGetInitializer(v);
		x.set = first && !LLVMIsNull(first) && !LLVMIsUndef(first);
		array_push(&variables, x);
	}
	t->nvariables = variables.n;
	t->variables = array_keep(&variables, g->a);
}

/* A text attribute of a function, "" if it has none. */
static const char *text_of(Gpu *g, LLVMValueRef f, const char *key)
{
	unsigned n = 0;
	LLVMAttributeRef a = LLVMGetStringAttributeAtIndex(f, ON_FUNCTION, key, (unsigned)strlen(key));
	const char *text = a ? LLVMGetStringAttributeValue(a, &n) : "";
	return arena_strndup(g->a, text, n);
}

/* Lanes of the wavefronts that the code was compiled for: warpSize, masks and shuffles are made for them. */
static bool fits_wave(Gpu *g, const FeModule *m)
{
	LLVMValueRef f = m->names.n ? LLVMGetNamedFunction(m->mod, m->names.v[0].symbol) : NULL;
	const char *chip = f ? text_of(g, f, "target-cpu") : "", *features = f ? text_of(g, f, "target-features") : "";
	bool wide =
	    strstr(features, "+wavefrontsize64") || (strlen(chip) == 6 && !strstr(features, "+wavefrontsize32"));
	u32 wave = wide ? 64 : 32;
	if (!f || !*chip || !g->wave || wave == g->wave)
		return true;
	g->now->why =
	    arena_printf(g->a,
	                 "the program's kernels were compiled for %s, whose wavefronts have %u lanes; the device "
	                 "has %u: %s=%s`",
	                 chip, wave, g->wave,
	                 g->now->rtc ? "compile them with hiprtc's option `--gpu-architecture"
	                             : "build the program with `wavesim hipcc --offload-arch",
	                 g->wave == 32 ? "gfx1030" : "gfx906");
	return false;
}

static bool load(Gpu *g, Diag *d)
{
	GpuTalk *t = g->now;
	GpuModule *new = ARENA_NEW(g->arena, GpuModule);
	new->src =
	    (SrcProgram){.binary = arena_copy(g->arena, t->bitcode, t->nbitcode), .nbinary = t->nbitcode, .own = true};
	t->nbitcode = 0;
	if (!source_is_hip(&new->src))
		return fail(g, NULL, "this is no LLVM bitcode");
	FeOptions o = options(g, &new->src);
	Compile *c = compile_open(&o, NULL, d);
	if (!c)
		return fail(g, d, "the device's code cannot be read");
	bool fits = fits_wave(g, compile_module(c));
	if (fits)
		describe(g, compile_module(c));
	compile_close(c);
	if (!fits)
		return false;
	array_push(&g->modules, new);
	t->module = g->modules.n;
	return true;
}

static GpuModule *module_of(const Gpu *g)
{
	return g->now->module && g->now->module <= g->modules.n ? g->modules.v[g->now->module - 1] : NULL;
}

static bool place(Gpu *g, Diag *d)
{
	GpuTalk *t = g->now;
	GpuModule *m = module_of(g);
	bool any = false;
	if (!m)
		return fail(g, NULL, "there is no such module");
	m->src.placed = ARENA_ARRAY(g->arena, SrcPlaced, t->nvariables);
	m->src.nplaced = t->nvariables;
	for (u32 i = 0; i < t->nvariables; i++) {
		m->src.placed[i] = (SrcPlaced){arena_strdup(g->arena, t->variables[i].symbol), t->variables[i].address};
		any |= t->variables[i].set;
	}
	if (!any)
		return true;
	FeOptions o = options(g, &m->src);
	NativeEntry *first;
	Compile *c = compile_open(&o, NULL, d);
	if (!c)
		return fail(g, d, "the device's code cannot be read");
	FeModule *fe = compile_module(c);
	fe->src = &m->src;
	placed_replace(fe);
	if (!native_variables(fe, &first, d))
		return fail(g, d, "the device's variables cannot be initialised");
	first(NULL);
	return true;
}

/* ---- kernels ---- */

static bool generate_code(Gpu *g, GpuModule *m, const char *symbol, GpuCode *out, Diag *d)
{
	FeOptions o = options(g, &m->src);
	o.kernel = symbol;
	*out = (GpuCode){.symbol = arena_strdup(g->arena, symbol), .c = compile_open(&o, NULL, d)};
	FeModule *fe = out->c && compile_select(out->c, NULL, d) ? compile_retarget(out->c, d) : NULL;
	if (!fe)
		return false;
	PoclArg *args = ARENA_ARRAY(g->a, PoclArg, fe->args.n);
	if (fe->shared_arg)
		args[fe->shared_arg - 1].size = SHARED_MOST;
	PoclLaunch l = {.kernel = symbol,
	                .dims = 3,
	                .global = {GROUP_MOST, 1, 1},
	                .local = {GROUP_MOST, 1, 1},
	                .args = args,
	                .nargs = fe->args.n,
	                .same_library = true};
	out->shared_arg = fe->shared_arg;
	return native_code(fe, &l, g->wave ? g->wave : fe->chip_wave, true, &out->code, d);
}

static GpuCode *find_code(GpuModule *m, const char *symbol)
{
	for (u32 i = 0; i < m->codes.n; i++)
		if (!strcmp(m->codes.v[i].symbol, symbol))
			return &m->codes.v[i];
	return NULL;
}

static void drop_runner(Gpu *g)
{
	if (!g->runner)
		return;
	close(g->to_runner);
	kill(g->runner, SIGKILL);
	waitpid(g->runner, NULL, 0);
	g->runner = 0;
}

static bool have_code(Gpu *g, Diag *d)
{
	GpuTalk *t = g->now;
	GpuModule *m = module_of(g);
	GpuCode new;
	if (!m || !t->symbol)
		return fail(g, NULL, "there is no such kernel");
	if (t->shared > SHARED_MOST || (u64)t->block[0] * t->block[1] > GROUP_MOST ||
	    (u64)t->block[0] * t->block[1] * t->block[2] > GROUP_MOST)
		return fail(g, NULL, "a block may have 1,024 threads and 256 KiB of dynamic shared memory when it runs "
		                     "natively");
	if (find_code(m, t->symbol))
		return true;
	if (!generate_code(g, m, t->symbol, &new, d))
		return fail(g, d, "the kernel cannot run on this processor");
	array_push(&m->codes, new);
	drop_runner(g);
	return true;
}

/* ---- in the child ---- */

static void run_here(const Gpu *g, GpuTalk *t, Arena *a)
{
	const GpuModule *m = g->modules.v[t->module - 1];
	const GpuCode *k = find_code((GpuModule *)(uintptr_t)m, t->symbol);
	PoclLaunch l = {.dims = 3};
	void **args = ARENA_ARRAY(a, void *, t->nvalues + 1);
	for (u32 i = 0; i < 3; i++) {
		l.local[i] = t->block[i];
		l.global[i] = (size_t)t->grid[i] * t->block[i];
	}
	for (u32 i = 0; i < t->nvalues; i++)
		args[i] = (void *)(uintptr_t)t->values[i].bytes;
	native_run_resize(k->code.run, &l, k->shared_arg ? SHARED_MOST - t->shared : 0);
	double start = seconds_now();
	native_run(k->code.run, k->code.entry, args);
	fflush(stdout);
	*t = (GpuTalk){.kind = GPU_LAUNCH, .launched = true, .ns = (u64)((seconds_now() - start) * 1e9)};
}

static void serve_runs(const Gpu *g, int socket)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	child_default_signals();
	signal(SIGFPE, SIG_DFL);
	for (;;) {
		GpuTalk t;
		Arena *a = arena_new();
		if (!gpu_receive(socket, &t, a))
			_exit(0);
		run_here(g, &t, a);
		if (!gpu_send(socket, &t))
			_exit(0);
		arena_free(a);
	}
}

static bool start_runner(Gpu *g)
{
	int ends[2];
	if (g->runner)
		return true;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return false;
	fflush(NULL);
	g->runner = fork();
	if (!g->runner) {
		close(ends[0]);
		close(GPU_SOCKET_FD);
		serve_runs(g, ends[1]);
	}
	close(ends[1]);
	g->to_runner = ends[0];
	if (g->runner > 0)
		return true;
	close(ends[0]);
	g->runner = 0;
	return false;
}

/* ---- launches ---- */

static void say_end(Gpu *g, int status)
{
	if (WIFSIGNALED(status))
		g->now->why = arena_printf(g->a, "the kernel crashed in its native run: signal %d (%s)",
		                           WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		g->now->why = "the process that runs kernels natively ended before the kernel did";
}

/* Until it answers or ends, or its time is over (*late); with the program all of it ends. */
static bool wait_for_runner(const Gpu *g, bool *late)
{
	struct pollfd p[] = {{.fd = g->to_runner, .events = POLLIN}, {.fd = GPU_SOCKET_FD, .events = POLLRDHUP}};
	double end = seconds_now() + g->now->seconds;
	int n;
	do { /* a signal ends a wait early */
		double left = end - seconds_now();
		n = poll(p, COUNT(p), g->now->seconds ? left > 0 ? (int)(left * 1000) : 0 : -1);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return false;
	*late = n == 0;
	return !p[1].revents;
}

static bool end_late(Gpu *g)
{
	u32 seconds = g->now->seconds;
	drop_runner(g);
	*g->now = (GpuTalk){.kind = GPU_LAUNCH, .launched = true, .cut = true, .ns = (u64)seconds * 1000000000};
	g->now->why = arena_printf(g->a, "its native run had not ended after %u second%s (--launch-seconds)", seconds,
	                           seconds == 1 ? "" : "s");
	return false;
}

static bool launch(Gpu *g, Diag *d)
{
	GpuTalk *t = g->now;
	if (!have_code(g, d))
		return false;
	if (!start_runner(g))
		return fail(g, NULL, "cannot start a process for the kernel's native run: end other programs, or raise "
		                     "`ulimit -u`");
	t->launched = true;
	bool sent = gpu_send(g->to_runner, t), late = false;
	if (sent && !wait_for_runner(g, &late)) {
		drop_runner(g);
		_exit(0);
	}
	if (late)
		return end_late(g);
	if (sent && gpu_receive(g->to_runner, t, g->a))
		return true;
	*t = (GpuTalk){.kind = GPU_LAUNCH, .launched = true};
	int status = 0;
	close(g->to_runner);
	waitpid(g->runner, &status, 0);
	g->runner = 0;
	say_end(g, status);
	return false;
}

/* ---- serving ---- */

static bool map(u64 address, u64 size, u64 at)
{
	void *want = (void *)(uintptr_t)address;
	return mmap(want, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, GPU_MEMORY_FD,
	            (off_t)at) == want;
}

/* What was shared before may be again: the program registers memory anew, or what lies on the same pages. */
static bool share(Gpu *g)
{
	const GpuTalk *t = g->now;
	u64 end = t->address + t->size;
	drop_runner(g); /* which would not have it */
	for (u32 i = g->shared.n; i--;) { /* what is left of each stays, before and behind */
		GpuRange r = g->shared.v[i];
		u64 from = r.from > t->address ? r.from : t->address, to = r.end < end ? r.end : end;
		if (from >= to)
			continue;
		munmap((void *)(uintptr_t)from, to - from);
		g->shared.v[i] = g->shared.v[--g->shared.n];
		if (r.from < from)
			array_push(&g->shared, ((GpuRange){r.from, from}));
		if (to < r.end)
			array_push(&g->shared, ((GpuRange){to, r.end}));
	}
	if (!map(t->address, t->size, t->at))
		return fail(g, NULL, "wavesim's process for kernels already uses these addresses: allocate with "
		                     "hipHostMalloc");
	array_push(&g->shared, ((GpuRange){t->address, end}));
	return true;
}

static void answer(Gpu *g)
{
	Diag d;
	diag_init(&d);
	switch (g->now->kind) {
	case GPU_LOAD: load(g, &d); break;
	case GPU_PLACE: place(g, &d); break;
	case GPU_SHARE: share(g); break;
	case GPU_LAUNCH: launch(g, &d); break;
	}
	diag_free(&d);
}

int native_gpu(const char *cpu, u32 wave)
{
	Gpu g = {.cpu = *cpu ? cpu : NULL, .wave = wave, .arena = arena_new()};
	signal(SIGPIPE, SIG_IGN);
	if (!map(GPU_MEMORY, GPU_MEMORY_BYTES, 0))
		return 1;
	for (bool more = true; more;) {
		GpuTalk t;
		g.a = arena_new();
		g.now = &t;
		more = gpu_receive(GPU_SOCKET_FD, &t, g.a);
		if (more) {
			answer(&g);
			more = gpu_send(GPU_SOCKET_FD, &t);
		}
		arena_free(g.a);
	}
	drop_runner(&g);
	return 0;
}
