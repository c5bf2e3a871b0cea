/* The front end from end to end: build, open, select, retarget, optimise, lower. */
#include "frontend/compile/compile.h"

#include "base/child.h"
#include "frontend/codegen/backend.h"
#include "frontend/codegen/codegen.h"
#include "frontend/compile/pipeline.h"
#include "frontend/lower/lower.h"
#include "frontend/module/launches.h"
#include "frontend/module/placed.h"
#include "frontend/retarget/amdlib.h"
#include "frontend/retarget/retarget.h"
#include "frontend/source/pocl/pocl.h"
#include "frontend/source/pocl/pocl_library.h"

#include <ctype.h>
#include <stdio.h>
#include <unistd.h>

struct Compile {
	FeOptions o; /* its strings belong to the caller until compile_open returns; see strings */
	Arena *strings;
	Source source;
	FeModule *m;
	char *ir;
	const MachineCode *machine;
	MadeOf made_of; /* all of it */
};

/* Bitcode of unknown origin may crash or hang LLVM's reader and passes, or have them ask for
 * endless memory. */
enum { PROBE_SECONDS = 30 };
enum { PROBE_GOOD = 40, PROBE_BAD = 41 }; /* LLVM itself may exit with 1 */

static const char *keep(Compile *c, const char *s) { return arena_strdup(c->strings, s); }

/* ---- bitcode of unknown origin ---- */

typedef struct CompileProbe {
	Compile *c;
	bool all; /* up to the Program */
	int said; /* what goes to stderr there */
} CompileProbe;

static bool open_module(Compile *c, Diag *d)
{
	const Source *s = &c->source;
	c->m = fe_module_open(s->bitcode, s->size, c->o.path, s->text, d);
	if (c->m) {
		c->m->build_options = c->o.build_options;
		c->m->dropped = c->o.dropped;
	}
	if (c->m && s->refused)
		c->m->not_pocl = arena_printf(c->m->arena, "its compiler refuses the source: %s", s->refused);
	return c->m && (!s->library || pocl_library_link(c->m, s->library, d)) && fe_module_list(c->m, d) &&
	       (!s->foreign || fe_module_check(c->m, d));
}

static Program *to_program(Compile *c, Diag *d);

static int probe_work(void *arg)
{
	CompileProbe *p = arg;
	Diag d;
	diag_init(&d);
	if (!freopen("/dev/null", "w", stdout) || dup2(p->said, STDERR_FILENO) < 0)
		return PROBE_BAD;
	child_limit((ChildLimits){.seconds = PROBE_SECONDS, .memory = COMPILE_LIMITS.memory}, false);
	bool good = true;
	if (p->all) {
		Program *program = to_program(p->c, &d);
		good = program != NULL;
		program_free(program);
	} else if ((good = open_module(p->c, &d))) {
		for (u32 i = 0; i < p->c->m->kernels.n; i++)
			fe_module_select(p->c->m, p->c->m->kernels.v[i], &d);
	}
	diag_free(&d);
	return good ? PROBE_GOOD : PROBE_BAD;
}

/* The first line that says something. */
static const char *first_words(char *text)
{
	while (*text && !isalnum((unsigned char)*text))
		text++;
	text[strcspn(text, "\r\n")] = 0;
	return text;
}

static bool probe_failed(const Compile *c, ChildEnd end, char *said, Diag *d)
{
	const char *words = first_words(said);
	char *fault = end.timed_out ? NULL : child_fault(false);
	if (fault) {
		diag_error(d, NO_LOC, "LLVM cannot work on this machine: %s", fault);
		free(fault);
		return false;
	}
	if (end.timed_out)
		diag_error(d, (Loc){.file = c->o.path}, "LLVM does not finish reading this bitcode");
	else
		diag_error(d, (Loc){.file = c->o.path}, "this bitcode is damaged: LLVM stops on it%s%s",
		           *words ? ": " : "", words);
	diag_hint(d, "give the OpenCL C source, or the program.bc that PoCL keeps in its cache");
	return false;
}

/* Try it in a child. What ends there with an error will end here with the same one. */
static bool probe(Compile *c, bool all, Diag *d)
{
	if (!c->source.foreign)
		return true;
	CompileProbe p = {.c = c, .all = all, .said = child_file("probe")};
	Child child;
	if (p.said < 0 || !child_start(&child, probe_work, NULL, &p)) {
		child_error("checking the bitcode", d);
		if (p.said >= 0)
			close(p.said);
		return false;
	}
	ChildEnd end = child_wait(&child, PROBE_SECONDS * CHILD_PATIENCE);
	size_t n;
	char *said = child_file_read(p.said, &n);
	bool ended = !end.timed_out && !end.signal && (end.code == PROBE_GOOD || end.code == PROBE_BAD);
	bool ok = ended || probe_failed(c, end, said, d);
	free(said);
	return ok;
}

/* ---- the functions of compile.h ---- */

Compile *compile_open(const FeOptions *o, const FeBitcode *built, Diag *d)
{
	Compile *c = xcalloc(1, sizeof *c);
	c->strings = arena_new();
	c->o = *o;
	bool ok = source_read(o, built, &c->source, d);
	c->o.path = keep(c, o->path);
	c->o.kernel = keep(c, o->kernel);
	c->o.cpu = keep(c, o->cpu ? o->cpu : "gfx906");
	c->o.amd_library = keep(c, o->amd_library);
	c->o.build_options = keep(c, o->build_options);
	c->o.dropped = keep(c, o->dropped);
	c->o.r600_cpu = keep(c, o->r600_cpu);
	c->o.source = NULL;
	if (ok && probe(c, false, d) && open_module(c, d))
		return c;
	compile_close(c);
	return NULL;
}

void compile_close(Compile *c)
{
	if (!c)
		return;
	if (c->m)
		codegen_free(c->m);
	fe_module_close(c->m);
	source_free(&c->source);
	made_of_free(&c->made_of);
	free(c->ir);
	arena_free(c->strings);
	free(c);
}

FeModule *compile_module(Compile *c) { return c->m; }

const char *const *compile_kernels(const Compile *c, u32 *n)
{
	*n = c->m->kernels.n;
	return c->m->kernels.v;
}

bool compile_select(Compile *c, const char *kernel, Diag *d)
{
	return fe_module_select(c->m, kernel ? kernel : c->o.kernel, d);
}

static FeLaunched launched(const Compile *c)
{
	return c->o.launches ? launches_find(c->source.launches, c->m->kernel_mangled) : (FeLaunched){0};
}

FeFacts compile_facts(Compile *c)
{
	MadeOf *all = &c->made_of;
	made_of_free(all);
	made_of_process(all);
	made_of_text(all, made_of_names(&c->source.made_of));
	made_of_text(all, made_of_names(&c->m->made_of));
	return (FeFacts){
		.built = source_bitcode(&c->source),
		.widest_vload = c->m->widest_vload,
		.launched = launched(c),
		.max_local = c->m->max_local,
		.builtins = c->m->builtins,
		.builtins_missing = c->m->builtins_missing,
		.not_pocl = c->m->not_pocl,
		.limits = c->m->limits,
		.ir = c->ir,
		.machine = c->machine,
		.r600 = c->machine ? codegen_r600(c->m) : NULL,
		.made_of = made_of_names(all),
		.needed = c->m->needed,
	};
}

/* PoCL's temporary names differ from run to run. */
static void steady_names(char *ir)
{
	static const char *const words[] = {"wavesim-", "tempfile_"};
	for (u32 i = 0; i < COUNT(words); i++) {
		size_t n = strlen(words[i]);
		for (char *p = strstr(ir, words[i]); p; p = strstr(p + n, words[i])) {
			u32 k = 0;
			while (k < 6 && isalnum((unsigned char)p[n + k]))
				k++;
			if (k == 6)
				memset(p + n, 'X', 6);
		}
	}
}

/* A group of the source's own launch may be larger than what is expected else. */
static u32 largest_group(const Compile *c)
{
	enum { USUAL = 256, MOST = 1024 };
	FeLaunched l = launched(c);
	u64 items = 1;
	for (u32 i = 0; i < COUNT(l.block); i++)
		items = l.block[i] <= MOST ? items * l.block[i] : 0;
	return items > (c->o.max_local ? c->o.max_local : USUAL) && items <= MOST ? (u32)items : c->o.max_local;
}

static FeModule *retarget(Compile *c, bool native, Diag *d)
{
	c->m->max_local = largest_group(c);
	c->m->partial_groups = c->o.partial_groups;
	c->m->unroll = c->o.unroll;
	c->m->nvidia = c->o.nvidia;
	c->m->check = c->o.check || c->o.debug == FE_DEBUG_SOURCE;
	c->m->debug = c->o.debug;
	c->m->wave = c->o.wave;
	c->m->machine = c->o.machine;
	c->m->listing = c->o.listing;
	c->m->images = c->o.images;
	c->m->chip = c->o.r600_cpu;
	c->m->vliw = c->o.r600_cpu != NULL;
	c->m->src = c->o.src;
	placed_replace(c->m);
	c->m->backend = &backends[c->o.r600_cpu ? BACKEND_r600 : BACKEND_amdgcn];
	c->m->builtins = c->o.builtins;
	c->m->amd_library = c->o.amd_library;
	return fe_retarget(c->m, c->o.cpu, native, d) ? c->m : NULL;
}

FeModule *compile_retarget(Compile *c, Diag *d) { return retarget(c, true, d); }

static Program *to_program(Compile *c, Diag *d)
{
	if (!retarget(c, false, d) || !fe_pipeline(c->m, d))
		return NULL;
	if (c->o.keep_ir) {
		char *text = LLVMPrintModuleToString(c->m->mod);
		c->ir = xstrdup(text);
		LLVMDisposeMessage(text);
		steady_names(c->ir);
	}
	Program *p = lower_program(c->m, d);
	if (p && c->o.machine)
		c->machine = codegen_finish(c->m);
	return p;
}

Program *compile_lower(Compile *c, Diag *d)
{
	if (!probe(c, true, d))
		return NULL;
	return to_program(c, d);
}

FeAbout compile_about(Arena *a)
{
	return (FeAbout){.llvm = llvm_version_text(), .pocl = pocl_about(a), .amd_library = amdlib_folder(a, NULL)};
}
