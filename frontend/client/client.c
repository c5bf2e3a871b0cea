/* Compiling and running natively, by asking the helper: frontend.h and native.h. */
#include "frontend/client/helper.h"

#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- compiling ---- */

struct Fe {
	HelperAnswer answer; /* owns what the facts name */
	FeFacts facts;
	Program *program; /* until it is taken */
	Arena *arena;
	FeOptions o; /* what decides what the bitcode becomes */
};

static Fe *read_program(Helper *h, HelperAnswer *a, Diag *d)
{
	WireProgram w = {0};
	wire_program(&a->codec, &w);
	if (!helper_good(h, a, d)) {
		program_free(w.program);
		return NULL;
	}
	diag_join(d, &w.said);
	Diag wrong;
	diag_init(&wrong);
	if (w.program && !program_verify(w.program, &wrong)) {
		diag_error(d, NO_LOC, "the compilers' helper process gave an invalid program: %s",
		           wrong.msgs.v[0].text);
		program_free(w.program);
		w.program = NULL;
	}
	diag_free(&wrong);
	if (!w.program)
		return NULL;
	Fe *fe = xcalloc(1, sizeof *fe);
	fe->facts = w.facts;
	fe->program = w.program;
	fe->answer = *a;
	*a = (HelperAnswer){0};
	return fe;
}

Fe *fe_compile(const FeOptions *o, Diag *d)
{
	enum { STEPS = 4 }; /* that have limits of their own: building, checking, lowering, generating code */
	Helper *own = o->helper ? NULL : helper_new(NULL, SANDBOX_AUTO), *h = own ? own : o->helper;
	char *folder = helper_folder();
	WireCompile w = {.folder = folder, .o = *o};
	if (o->like)
		w.built = o->like->facts.built;
	Buf request = {0};
	Codec c = {.writing = true, .out = &request};
	wire_compile(&c, &w);
	HelperAnswer a = {0};
	double patience = (double)COMPILE_LIMITS.seconds * CHILD_PATIENCE * STEPS;
	Fe *fe = helper_ask(h, WIRE_COMPILE, &request, -1, patience, &a, d) ? read_program(h, &a, d) : NULL;
	if (fe) {
		fe->arena = arena_new();
		fe->o = (FeOptions){.kernel = arena_strdup(fe->arena, o->kernel), .cpu = arena_strdup(fe->arena, o->cpu),
		                    .amd_library = arena_strdup(fe->arena, o->amd_library), .wave = o->wave,
		                    .max_local = o->max_local, .builtins = o->builtins};
	}
	helper_answer_free(&a);
	array_free(&request);
	free(folder);
	helper_free(own);
	return fe;
}

void fe_close(Fe *fe)
{
	if (!fe)
		return;
	program_free(fe->program);
	helper_answer_free(&fe->answer);
	arena_free(fe->arena);
	free(fe);
}

Program *fe_program(Fe *fe)
{
	Program *p = fe->program;
	fe->program = NULL;
	return p;
}

u32 fe_widest_vload(const Fe *fe) { return fe->facts.widest_vload; }
const char *fe_ir(const Fe *fe) { return fe->facts.ir; }
const MachineCode *fe_machine(const Fe *fe) { return fe->facts.machine; }
const R600Code *fe_r600(const Fe *fe) { return fe->facts.r600; }
Builtins fe_builtins(const Fe *fe) { return fe->facts.builtins; }
FeLimits fe_limits(const Fe *fe) { return fe->facts.limits; }
const char *fe_builtins_missing(const Fe *fe) { return fe->facts.builtins_missing; }
const char *fe_not_pocl(const Fe *fe) { return fe->facts.not_pocl; }

bool fe_about(Helper *h, FeAbout *out, Arena *arena, Diag *d)
{
	Buf none = {0};
	HelperAnswer a = {0};
	FeAbout about = {0};
	bool ok = helper_ask(h, WIRE_ABOUT, &none, -1, 0, &a, d);
	if (ok) {
		wire_about(&a.codec, &about);
		ok = helper_good(h, &a, d);
	}
	if (ok)
		*out = (FeAbout){.llvm = arena_strdup(arena, about.llvm), .pocl = arena_strdup(arena, about.pocl),
		                 .amd_library = arena_strdup(arena, about.amd_library)};
	helper_answer_free(&a);
	return ok;
}

/* ---- running ---- */

struct PoclRun {
	Helper *helper;
	u32 number, of; /* of the run in that helper */
	int memory;     /* of the buffers, one behind the other (wire_buffer_room) */
	PoclBuffer *buffers;
	u32 nbuffers;
};

static void run_free(PoclRun *r)
{
	if (r->memory >= 0)
		close(r->memory);
	free(r->buffers);
	free(r);
}

static bool move(int fd, bool out, void *bytes, u64 n, u64 at)
{
	for (u8 *p = bytes; n;) {
		ssize_t k = out ? pwrite(fd, p, n, (off_t)at) : pread(fd, p, n, (off_t)at);
		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return false;
		p += k;
		n -= (u64)k;
		at += (u64)k;
	}
	return true;
}

/* The buffers as they are now, in memory whose size nobody can change any more. */
static bool copy_buffers(PoclRun *r)
{
	u64 all = 0, at = 0;
	for (u32 i = 0; i < r->nbuffers; i++)
		all += wire_buffer_room(&r->buffers[i]);
	r->memory = memfd_create("buffers", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	bool ok = r->memory >= 0 && !ftruncate(r->memory, (off_t)all) &&
	          !fcntl(r->memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
	for (u32 i = 0; ok && i < r->nbuffers; i++) {
		const PoclBuffer *b = &r->buffers[i];
		if (b->init)
			ok = move(r->memory, true, (void *)(uintptr_t)b->init, b->size, at);
		at += wire_buffer_room(b);
	}
	return ok;
}

static bool ask_start(PoclRun *r, const PoclLaunch *l, Diag *d)
{
	char *folder = helper_folder();
	WireStart w = {.folder = folder, .l = *l, .own = l->compiled != NULL};
	if (l->compiled) {
		w.o = l->compiled->o;
		w.built = l->compiled->facts.built;
	}
	WireStarted started = {0};
	Buf request = {0};
	Codec c = {.writing = true, .out = &request};
	wire_start(&c, &w);
	HelperAnswer a = {0};
	bool ok = helper_ask(r->helper, WIRE_START, &request, r->memory, 0, &a, d);
	if (ok) {
		wire_started(&a.codec, &started);
		ok = helper_good(r->helper, &a, d);
	}
	if (ok) {
		diag_join(d, &started.said);
		ok = started.run != 0;
	}
	r->number = started.run;
	r->of = helper_number(r->helper);
	helper_answer_free(&a);
	array_free(&request);
	free(folder);
	return ok;
}

PoclRun *pocl_run_start(Helper *h, const PoclLaunch *l, Diag *d)
{
	PoclRun *r = xcalloc(1, sizeof *r);
	r->helper = h;
	r->nbuffers = l->nbuffers;
	r->buffers = xcalloc(l->nbuffers, sizeof *r->buffers);
	if (l->nbuffers)
		memcpy(r->buffers, l->buffers, l->nbuffers * sizeof *r->buffers);
	bool ok = copy_buffers(r);
	if (!ok)
		diag_error(d, NO_LOC, "no memory for the buffers of the reference run: %s", strerror(errno));
	if (ok && ask_start(r, l, d))
		return r;
	run_free(r);
	return NULL;
}

static bool read_outcome(PoclRun *r, HelperAnswer *a, PoclOutcome *out, Diag *d)
{
	PoclOutcome o = {0};
	wire_outcome(&a->codec, &o);
	if (!helper_good(r->helper, a, d))
		return false;
	*out = o;
	out->why = xstrdup(o.why);
	out->unconfined = xstrdup(o.unconfined);
	out->output = xcalloc(o.output_size + 1, 1);
	memcpy(out->output, o.output, o.output_size);
	u64 at = 0;
	for (u32 i = 0; i < r->nbuffers && o.status == POCL_OK; i++) {
		const PoclBuffer *b = &r->buffers[i];
		if (b->result && !move(r->memory, false, b->result, b->size, at)) {
			diag_error(d, NO_LOC, "cannot read the results of PoCL's own run from shared memory: %s", strerror(errno));
			diag_hint(d, "run it again, or with --no-reference");
			return false;
		}
		at += wire_buffer_room(b);
	}
	return true;
}

bool pocl_run_wait(PoclRun *r, double timeout_s, PoclOutcome *out)
{
	enum { GRACE = 60 }; /* for the helper, which watches over the time itself */
	WireWait w = {.run = r->number, .seconds = timeout_s};
	Buf request = {0};
	Codec c = {.writing = true, .out = &request};
	HelperAnswer a = {0};
	Diag d;
	diag_init(&d);
	*out = (PoclOutcome){0};
	wire_wait(&c, &w);
	bool ok = r->of == helper_number(r->helper)
	              ? helper_ask(r->helper, WIRE_WAIT, &request, -1, timeout_s > 0 ? timeout_s + GRACE : 0, &a, &d)
	              : diag_error(&d, NO_LOC, "the helper that ran it has ended");
	if (!ok || !read_outcome(r, &a, out, &d)) {
		pocl_outcome_free(out);
		out->status = POCL_NO_PLATFORM;
		out->why = xstrdup(d.msgs.v[0].text);
		out->output = xcalloc(1, 1);
	}
	helper_answer_free(&a);
	diag_free(&d);
	array_free(&request);
	run_free(r);
	return out->status == POCL_OK;
}

void pocl_outcome_free(PoclOutcome *o)
{
	free(o->why);
	free(o->unconfined);
	free(o->output);
	*o = (PoclOutcome){0};
}
