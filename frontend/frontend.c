/* The front end from end to end: build, open, select, retarget, optimise, lower. */
#include "frontend/frontend.h"

#include "frontend/codegen/backend.h"
#include "base/child.h"
#include "frontend/codegen/codegen.h"
#include "frontend/lower/lower.h"
#include "frontend/module.h"
#include "frontend/source/pocl.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

struct Fe {
	FeOptions o; /* its strings belong to the caller until fe_open returns; see strings */
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

static const char *keep(Fe *fe, const char *s) { return s ? arena_strdup(fe->strings, s) : NULL; }

/* What a launch file says of the program. */
static bool load_parts(Fe *fe, const SrcProgram *src, Diag *d)
{
	const FeOptions *o = &fe->o;
	if (src->nunits) {
		fe->source = xstrdup(src->units[0].source);
		return pocl_build(o->path, fe->source, o->build_options, src, &fe->build, d);
	}
	u64 n;
	const u8 *bitcode = src->nbinary ? pocl_binary_bitcode(src->binary, src->nbinary, &n) : NULL;
	if (!bitcode)
		return diag_error(d, (Loc){.file = o->path}, "there is no source of this program: %s",
		                  src->missing ? src->missing : "its binary is not one of PoCL's");
	fe->foreign = true;
	fe->build = (PoclBuild){.bitcode = xmalloc(n), .size = n};
	memcpy(fe->build.bitcode, bitcode, n);
	return true;
}

static bool load(Fe *fe, Diag *d)
{
	const FeOptions *o = &fe->o;
	if (o->src)
		return load_parts(fe, o->src, d);
	fe->foreign = !o->source && ends_with(o->path, ".bc");
	size_t n = 0;
	char *text = o->source ? xstrdup(o->source) : read_file(o->path, &n);
	if (!text)
		return diag_error(d, (Loc){.file = o->path}, "cannot read this file: %s", strerror(errno));
	if (fe->foreign) {
		fe->build = (PoclBuild){.bitcode = text, .size = n};
		return true;
	}
	fe->source = text;
	if (!o->source && strlen(text) != n)
		return diag_error(d, (Loc){.file = o->path}, "this is not a text file");
	if (o->like) {
		const PoclBuild *b = &o->like->build;
		fe->build = (PoclBuild){.bitcode = xmalloc(b->size + 1), .size = b->size};
		memcpy(fe->build.bitcode, b->bitcode, b->size);
		fe->build.pocl_library = b->pocl_library ? xstrdup(b->pocl_library) : NULL;
		return true;
	}
	return pocl_build(o->path, text, o->build_options, NULL, &fe->build, d);
}

/* ---- bitcode of unknown origin ---- */

typedef struct Probe {
	Fe *fe;
	bool all; /* up to the Program */
	int said; /* what goes to stderr there */
} Probe;

static bool open_module(Fe *fe, Diag *d)
{
	const PoclBuild *b = &fe->build;
	fe->m = fe_module_open(b->bitcode, b->size, b->pocl_library, fe->o.path, fe->source, d);
	return fe->m && (!fe->foreign || fe_module_check(fe->m, d));
}

static Program *to_program(Fe *fe, Diag *d);

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
		Program *program = to_program(p->fe, &d);
		good = program != NULL;
		program_free(program);
	} else if ((good = open_module(p->fe, &d))) {
		for (u32 i = 0; i < p->fe->m->kernels.n; i++)
			fe_module_select(p->fe->m, p->fe->m->kernels.v[i], &d);
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

static bool probe_failed(const Fe *fe, ChildEnd end, char *said, Diag *d)
{
	const char *words = first_words(said);
	if (end.timed_out)
		diag_error(d, (Loc){.file = fe->o.path}, "LLVM does not come to an end with this bitcode");
	else
		diag_error(d, (Loc){.file = fe->o.path}, "this bitcode is damaged: LLVM stops on it%s%s",
		           *words ? ": " : "", words);
	diag_hint(d, "give the OpenCL C source, or the program.bc that PoCL keeps in its cache");
	return false;
}

/* Try it in a child. What ends there with an error will end here with the same one. */
static bool probe(Fe *fe, bool all, Diag *d)
{
	if (!fe->foreign)
		return true;
	Probe p = {.fe = fe, .all = all, .said = child_file("probe")};
	Child c;
	if (p.said < 0 || !child_start(&c, probe_work, NULL, &p)) {
		if (p.said >= 0)
			close(p.said);
		return diag_error(d, NO_LOC, "no process to check the bitcode could be started");
	}
	ChildEnd end = child_wait(&c, PROBE_SECONDS);
	size_t n;
	char *said = child_file_read(p.said, &n);
	bool ended = !end.timed_out && !end.signal && (end.code == PROBE_GOOD || end.code == PROBE_BAD);
	bool ok = ended || probe_failed(fe, end, said, d);
	free(said);
	return ok;
}

/* ---- the public functions ---- */

Fe *fe_open(const FeOptions *o, Diag *d)
{
	Fe *fe = xcalloc(1, sizeof *fe);
	fe->strings = arena_new();
	fe->o = *o;
	bool ok = load(fe, d);
	fe->o.path = keep(fe, o->path);
	fe->o.kernel = keep(fe, o->kernel);
	fe->o.cpu = keep(fe, o->cpu ? o->cpu : "gfx906");
	fe->o.amd_library = keep(fe, o->amd_library);
	fe->o.build_options = keep(fe, o->build_options);
	fe->o.r600_cpu = keep(fe, o->r600_cpu);
	fe->o.source = NULL;
	fe->o.src = NULL;
	if (ok && probe(fe, false, d) && open_module(fe, d))
		return fe;
	fe_close(fe);
	return NULL;
}

void fe_close(Fe *fe)
{
	if (!fe)
		return;
	fe_module_close(fe->m);
	pocl_build_free(&fe->build);
	free(fe->source);
	free(fe->ir);
	arena_free(fe->strings);
	free(fe);
}

u32 fe_widest_vload(const Fe *fe) { return fe->m->widest_vload; }
const char *fe_ir(const Fe *fe) { return fe->ir; }
const MachineCode *fe_machine(const Fe *fe) { return fe->machine; }
const R600Code *fe_r600(const Fe *fe) { return fe->machine ? codegen_r600(fe->m) : NULL; }
Builtins fe_builtins(const Fe *fe) { return fe->m->builtins; }
FeLimits fe_limits(const Fe *fe) { return fe->m->limits; }
const char *fe_builtins_missing(const Fe *fe) { return fe->m->builtins_missing; }

const char *const *fe_kernels(const Fe *fe, u32 *n)
{
	*n = fe->m->kernels.n;
	return fe->m->kernels.v;
}

bool fe_select(Fe *fe, const char *kernel, Diag *d)
{
	return fe_module_select(fe->m, kernel ? kernel : fe->o.kernel, d);
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

static Program *to_program(Fe *fe, Diag *d)
{
	fe->m->max_local = fe->o.max_local;
	fe->m->unroll = fe->o.unroll;
	fe->m->wave = fe->o.wave;
	fe->m->machine = fe->o.machine;
	fe->m->chip = fe->o.r600_cpu ? fe->o.r600_cpu : fe->o.cpu;
	fe->m->backend = &backends[fe->o.r600_cpu ? BACKEND_r600 : BACKEND_amdgcn];
	fe->m->builtins = fe->o.builtins;
	fe->m->amd_library = fe->o.amd_library;
	fe->m->build_options = fe->o.build_options;
	if (!fe_retarget(fe->m, fe->o.cpu, d) || !fe_pipeline(fe->m, d))
		return NULL;
	if (fe->o.keep_ir) {
		char *text = LLVMPrintModuleToString(fe->m->mod);
		fe->ir = xstrdup(text);
		LLVMDisposeMessage(text);
		steady_names(fe->ir);
	}
	Program *p = lower_program(fe->m, d);
	if (p && fe->o.machine)
		fe->machine = codegen_finish(fe->m);
	return p;
}

Program *fe_lower(Fe *fe, Diag *d)
{
	if (!probe(fe, true, d))
		return NULL;
	return to_program(fe, d);
}

Program *fe_compile(const FeOptions *o, Diag *d)
{
	Fe *fe = fe_open(o, d);
	Program *p = fe && fe_select(fe, NULL, d) ? fe_lower(fe, d) : NULL;
	fe_close(fe);
	return p;
}
