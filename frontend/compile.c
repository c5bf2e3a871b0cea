/* The front end from end to end: build, open, select, retarget, optimise, lower. */
#include "frontend/compile.h"

#include "frontend/codegen/backend.h"
#include "frontend/child.h"
#include "frontend/codegen/codegen.h"
#include "frontend/lower/lower.h"
#include "frontend/module.h"
#include "frontend/source/pocl.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

struct Compile {
	FeOptions o; /* its strings belong to the caller until compile_open returns; see strings */
	Arena *strings;
	char *source;
	PoclBuild build;
	FeModule *m;
	char *ir;
	const MachineCode *machine;
	bool foreign; /* the bitcode is the user's */
};

/* Bitcode of unknown origin may crash or hang LLVM's reader and passes, or have them ask for
 * endless memory. */
enum { PROBE_SECONDS = 30 };
#define PROBE_BYTES ((u64)8 << 30)
enum { PROBE_GOOD = 40, PROBE_BAD = 41 }; /* LLVM itself may exit with 1 */

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), k = strlen(end);
	return n >= k && !strcmp(s + n - k, end);
}

static const char *keep(Compile *c, const char *s) { return s ? arena_strdup(c->strings, s) : NULL; }

/* What a launch file says of the program. */
static bool load_parts(Compile *c, const SrcProgram *src, Diag *d)
{
	const FeOptions *o = &c->o;
	if (src->nunits) {
		c->source = xstrdup(src->units[0].source);
		return pocl_build(o->path, c->source, o->build_options, src, &c->build, d);
	}
	u64 n;
	const u8 *bitcode = src->nbinary ? pocl_binary_bitcode(src->binary, src->nbinary, &n) : NULL;
	if (!bitcode)
		return diag_error(d, (Loc){.file = o->path}, "there is no source of this program: %s",
		                  src->missing ? src->missing : "its binary is not one of PoCL's");
	c->foreign = true;
	c->build = (PoclBuild){.bitcode = xmalloc(n), .size = n};
	memcpy(c->build.bitcode, bitcode, n);
	return true;
}

static bool load(Compile *c, const FeBitcode *built, Diag *d)
{
	const FeOptions *o = &c->o;
	if (o->src)
		return load_parts(c, o->src, d);
	c->foreign = !o->source && ends_with(o->path, ".bc");
	size_t n = 0;
	char *text = o->source ? xstrdup(o->source) : read_file(o->path, &n);
	if (!text)
		return diag_error(d, (Loc){.file = o->path}, "cannot read this file: %s", strerror(errno));
	if (c->foreign) {
		c->build = (PoclBuild){.bitcode = text, .size = n};
		return true;
	}
	c->source = text;
	if (!o->source && strlen(text) != n)
		return diag_error(d, (Loc){.file = o->path}, "this is not a text file");
	if (built && built->bytes) {
		c->build = (PoclBuild){.bitcode = xmalloc(built->n + 1), .size = built->n};
		memcpy(c->build.bitcode, built->bytes, built->n);
		c->build.pocl_library = built->library ? xstrdup(built->library) : NULL;
		return true;
	}
	return pocl_build(o->path, text, o->build_options, NULL, &c->build, d);
}

/* ---- bitcode of unknown origin ---- */

typedef struct Probe {
	Compile *c;
	bool all; /* up to the Program */
	int said; /* what goes to stderr there */
} Probe;

static bool open_module(Compile *c, Diag *d)
{
	const PoclBuild *b = &c->build;
	c->m = fe_module_open(b->bitcode, b->size, b->pocl_library, c->o.path, c->source, d);
	return c->m && (!c->foreign || fe_module_check(c->m, d));
}

static Program *to_program(Compile *c, Diag *d);

static int probe_work(void *arg)
{
	Probe *p = arg;
	Diag d;
	diag_init(&d);
	if (!freopen("/dev/null", "w", stdout) || dup2(p->said, STDERR_FILENO) < 0)
		return PROBE_BAD;
	child_limit_memory(PROBE_BYTES);
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
	if (end.timed_out)
		diag_error(d, (Loc){.file = c->o.path}, "LLVM does not come to an end with this bitcode");
	else
		diag_error(d, (Loc){.file = c->o.path}, "this bitcode is damaged: LLVM stops on it%s%s",
		           *words ? ": " : "", words);
	diag_hint(d, "give the OpenCL C source, or the program.bc that PoCL keeps in its cache");
	return false;
}

/* Try it in a child. What ends there with an error will end here with the same one. */
static bool probe(Compile *c, bool all, Diag *d)
{
	if (!c->foreign)
		return true;
	Probe p = {.c = c, .all = all, .said = child_file("probe")};
	Child child;
	if (p.said < 0 || !child_start(&child, probe_work, NULL, &p)) {
		if (p.said >= 0)
			close(p.said);
		return diag_error(d, NO_LOC, "no process to check the bitcode could be started");
	}
	ChildEnd end = child_wait(&child, PROBE_SECONDS);
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
	bool ok = load(c, built, d);
	c->o.path = keep(c, o->path);
	c->o.kernel = keep(c, o->kernel);
	c->o.cpu = keep(c, o->cpu ? o->cpu : "gfx906");
	c->o.amd_library = keep(c, o->amd_library);
	c->o.build_options = keep(c, o->build_options);
	c->o.r600_cpu = keep(c, o->r600_cpu);
	c->o.source = NULL;
	c->o.src = NULL;
	if (ok && probe(c, false, d) && open_module(c, d))
		return c;
	compile_close(c);
	return NULL;
}

void compile_close(Compile *c)
{
	if (!c)
		return;
	fe_module_close(c->m);
	pocl_build_free(&c->build);
	free(c->source);
	free(c->ir);
	arena_free(c->strings);
	free(c);
}

const char *const *compile_kernels(const Compile *c, u32 *n)
{
	*n = c->m->kernels.n;
	return c->m->kernels.v;
}

bool compile_select(Compile *c, const char *kernel, Diag *d)
{
	return fe_module_select(c->m, kernel ? kernel : c->o.kernel, d);
}

FeFacts compile_facts(const Compile *c)
{
	return (FeFacts){
		.built = {(const u8 *)c->build.bitcode, c->build.size, c->build.pocl_library},
		.widest_vload = c->m->widest_vload,
		.builtins = c->m->builtins,
		.builtins_missing = c->m->builtins_missing,
		.limits = c->m->limits,
		.ir = c->ir,
		.machine = c->machine,
		.r600 = c->machine ? codegen_r600(c->m) : NULL,
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

static Program *to_program(Compile *c, Diag *d)
{
	c->m->max_local = c->o.max_local;
	c->m->unroll = c->o.unroll;
	c->m->wave = c->o.wave;
	c->m->machine = c->o.machine;
	c->m->chip = c->o.r600_cpu ? c->o.r600_cpu : c->o.cpu;
	c->m->backend = &backends[c->o.r600_cpu ? BACKEND_r600 : BACKEND_amdgcn];
	c->m->builtins = c->o.builtins;
	c->m->amd_library = c->o.amd_library;
	c->m->build_options = c->o.build_options;
	if (!fe_retarget(c->m, c->o.cpu, d) || !fe_pipeline(c->m, d))
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
