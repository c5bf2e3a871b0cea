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
	bool kept;
};

/* h NULL: the answer was kept. */
static Fe *read_program(Helper *h, HelperAnswer *a, Diag *d)
{
	WireProgram w = {0};
	wire_program(&a->codec, &w);
	if (h ? !helper_good(h, a, d) : !helper_whole(a)) {
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
	if (h)
		helper_wants(h, &w.wants);
	Fe *fe = xcalloc(1, sizeof *fe);
	fe->facts = w.facts;
	fe->program = w.program;
	fe->answer = *a;
	*a = (HelperAnswer){0};
	return fe;
}

static Fe *find_program(Cache *c, const CacheQuestion *q, Diag *d)
{
	u8 *bytes;
	u64 n;
	Diag said;
	if (!c || !cache_find(c, q, &bytes, &n))
		return NULL;
	HelperAnswer a = {0};
	helper_kept(bytes, n, &a);
	diag_init(&said);
	Fe *fe = read_program(NULL, &a, &said);
	if (fe)
		diag_join(d, &said);
	diag_free(&said);
	helper_answer_free(&a);
	return fe;
}

static Fe *ask_program(Helper *h, const Buf *request, Cache *c, const CacheQuestion *q, Diag *d)
{
	enum { STEPS = 4 }; /* that have limits of their own: building, checking, lowering, generating code */
	double patience = (double)COMPILE_LIMITS.seconds * CHILD_PATIENCE * STEPS;
	HelperAnswer a = {0};
	bool asked = helper_ask(h, WIRE_COMPILE, request, helper_excerpts(h), patience, &a, d);
	const u8 *end = a.codec.end;
	Fe *fe = asked ? read_program(h, &a, d) : NULL;
	if (fe && c)
		cache_keep(c, q, fe->facts.made_of, fe->answer.bytes, (u64)(end - fe->answer.bytes));
	helper_answer_free(&a);
	return fe;
}

Fe *fe_compile(const FeOptions *o, Diag *d)
{
	Helper *own = o->helper ? NULL : helper_new(NULL, SANDBOX_AUTO), *h = own ? own : o->helper;
	char *folder = helper_folder();
	WireCompile w = {.folder = folder, .o = *o};
	if (o->like)
		w.built = o->like->facts.built;
	Buf request = {0};
	Codec writer = {.writing = true, .out = &request};
	wire_compile(&writer, &w);
	CacheQuestion q;
	CacheText text = {.path = o->path, .text = o->source, .options = o->build_options, .src = o->src};
	Cache *c = helper_question(h, WIRE_COMPILE, &request, &text, &q);
	Fe *fe = find_program(c, &q, d);
	bool kept = fe;
	if (!fe)
		fe = ask_program(h, &request, c, &q, d);
	if (fe) {
		fe->kept = kept;
		fe->arena = arena_new();
		fe->o = (FeOptions){.kernel = arena_strdup(fe->arena, o->kernel),
		                    .cpu = arena_strdup(fe->arena, o->cpu),
		                    .amd_library = arena_strdup(fe->arena, o->amd_library),
		                    .wave = o->wave,
		                    .max_local = fe->facts.max_local,
		                    .builtins = o->builtins};
	}
	cache_question_free(&q);
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
FeLaunched fe_launched(const Fe *fe) { return fe->facts.launched; }
u32 fe_max_local(const Fe *fe) { return fe->facts.max_local; }
const char *fe_ir(const Fe *fe) { return fe->facts.ir; }
const MachineCode *fe_machine(const Fe *fe) { return fe->facts.machine; }
const R600Code *fe_r600(const Fe *fe) { return fe->facts.r600; }
Builtins fe_builtins(const Fe *fe) { return fe->facts.builtins; }
FeLimits fe_limits(const Fe *fe) { return fe->facts.limits; }
const char *fe_builtins_missing(const Fe *fe) { return fe->facts.builtins_missing; }
const char *fe_not_pocl(const Fe *fe) { return fe->facts.not_pocl; }
bool fe_kept(const Fe *fe) { return fe->kept; }

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
	int memory;     /* of the buffers, one behind the other (wire_buffer_room); or -1 */
	PoclBuffer *buffers;
	u32 nbuffers;
	Cache *cache; /* or NULL */
	CacheQuestion question;
	HelperAnswer kept; /* with bytes: it need not run; what is left of them are results */
	PoclOutcome outcome; /* … and the rest */
};

static void run_free(PoclRun *r)
{
	if (r->memory >= 0)
		close(r->memory);
	cache_question_free(&r->question);
	helper_answer_free(&r->kept);
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

static void write_start(const PoclLaunch *l, Buf *request)
{
	char *folder = helper_folder();
	WireStart w = {.folder = folder, .l = *l, .own = l->own};
	if (l->own) {
		w.o = l->compiled->o;
		w.built = l->compiled->facts.built;
	}
	Codec c = {.writing = true, .out = request};
	wire_start(&c, &w);
	free(folder);
}

static u64 result_bytes(const PoclRun *r)
{
	u64 n = 0;
	for (u32 i = 0; i < r->nbuffers; i++)
		n += r->buffers[i].result ? r->buffers[i].size : 0;
	return n;
}

static bool read_kept(PoclRun *r)
{
	const Codec *c = &r->kept.codec;
	wire_outcome(&r->kept.codec, &r->outcome);
	return !c->bad && r->outcome.status == POCL_OK && (u64)(c->end - c->p) == result_bytes(r);
}

static bool find_run(PoclRun *r, const PoclLaunch *l, const Buf *request)
{
	CacheText text = {.path = l->path, .text = l->source, .options = l->options, .src = l->src};
	u8 *bytes;
	u64 n;
	r->cache = helper_question(r->helper, WIRE_START, request, &text, &r->question);
	if (!r->cache)
		return false;
	for (u32 i = 0; i < l->nbuffers; i++)
		if (l->buffers[i].init)
			cache_question_data(&r->question, l->buffers[i].init, l->buffers[i].size);
	if (l->fresh || !cache_find(r->cache, &r->question, &bytes, &n))
		return false;
	helper_kept(bytes, n, &r->kept);
	if (read_kept(r))
		return true;
	helper_answer_free(&r->kept);
	return false;
}

/* What is needed of the library decides nothing, and is no part of the question. */
static bool ask_start(PoclRun *r, const PoclLaunch *l, Buf *request, Diag *d)
{
	FeNeeded needed = l->compiled && !l->own ? l->compiled->facts.needed : (FeNeeded){0};
	wire_needed(&(Codec){.writing = true, .out = request}, &needed);
	WireStarted started = {0};
	HelperAnswer a = {0};
	if (!copy_buffers(r))
		return diag_error(d, NO_LOC, "no memory for the buffers of the reference run: %s", strerror(errno));
	bool ok = helper_ask(r->helper, WIRE_START, request, r->memory, 0, &a, d);
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
	return ok;
}

PoclRun *pocl_run_start(Helper *h, const PoclLaunch *l, Diag *d)
{
	PoclRun *r = xcalloc(1, sizeof *r);
	r->helper = h;
	r->memory = -1;
	r->nbuffers = l->nbuffers;
	r->buffers = xcalloc(l->nbuffers, sizeof *r->buffers);
	if (l->nbuffers)
		memcpy(r->buffers, l->buffers, l->nbuffers * sizeof *r->buffers);
	Buf request = {0};
	write_start(l, &request);
	bool ok = find_run(r, l, &request) || ask_start(r, l, &request, d);
	array_free(&request);
	if (ok)
		return r;
	run_free(r);
	return NULL;
}

/* The texts become the caller's. */
static void take_outcome(const PoclOutcome *o, PoclOutcome *out)
{
	*out = *o;
	out->why = xstrdup(o->why);
	out->unconfined = xstrdup(o->unconfined);
	out->made_of = xstrdup(o->made_of);
	out->output = xcalloc(o->output_size + 1, 1);
	memcpy(out->output, o->output, o->output_size);
}

static bool read_outcome(PoclRun *r, HelperAnswer *a, PoclOutcome *out, Diag *d)
{
	PoclOutcome o = {0};
	wire_outcome(&a->codec, &o);
	if (!helper_good(r->helper, a, d))
		return false;
	take_outcome(&o, out);
	u64 at = 0;
	for (u32 i = 0; i < r->nbuffers && o.status == POCL_OK; i++) {
		const PoclBuffer *b = &r->buffers[i];
		if (b->result && !move(r->memory, false, b->result, b->size, at)) {
			diag_error(d, NO_LOC, "cannot read the results of PoCL's own run from shared memory: %s",
			           strerror(errno));
			diag_hint(d, "run it again, or with --no-reference");
			return false;
		}
		at += wire_buffer_room(b);
	}
	return true;
}

/* ---- runs that are kept: what came of them, and the results ---- */

typedef struct PoclKept {
	Cache *cache;
	CacheQuestion question;
	Buf answer;
} PoclKept;

/* Of a run that was good; in out, for pocl_outcome_keep. */
static void offer_outcome(PoclRun *r, PoclOutcome *out)
{
	if (!r->cache || out->status != POCL_OK || result_bytes(r) > cache_share(r->cache))
		return;
	PoclKept *k = xcalloc(1, sizeof *k);
	Codec c = {.writing = true, .out = &k->answer};
	wire_outcome(&c, out);
	for (u32 i = 0; i < r->nbuffers; i++)
		if (r->buffers[i].result)
			buf_write(&k->answer, r->buffers[i].result, r->buffers[i].size);
	k->cache = r->cache;
	k->question = r->question;
	r->question = (CacheQuestion){0};
	out->keep = k;
}

void pocl_outcome_keep(PoclOutcome *o)
{
	if (o->keep)
		cache_keep(o->keep->cache, &o->keep->question, o->made_of, o->keep->answer.v, o->keep->answer.n);
}

static void take_kept(const PoclRun *r, PoclOutcome *out)
{
	const u8 *results = r->kept.codec.p;
	for (u32 i = 0; i < r->nbuffers; i++) {
		const PoclBuffer *b = &r->buffers[i];
		if (!b->result)
			continue;
		memcpy(b->result, results, b->size);
		results += b->size;
	}
	take_outcome(&r->outcome, out);
	out->kept = true;
}

bool pocl_run_wait(PoclRun *r, double timeout_s, PoclOutcome *out)
{
	enum { GRACE = 60 }; /* for the helper, which watches over the time itself */
	*out = (PoclOutcome){0};
	if (r->kept.bytes) {
		take_kept(r, out);
		run_free(r);
		return true;
	}
	WireWait w = {.run = r->number, .seconds = timeout_s};
	Buf request = {0};
	Codec c = {.writing = true, .out = &request};
	HelperAnswer a = {0};
	Diag d;
	diag_init(&d);
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
	offer_outcome(r, out);
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
	free(o->made_of);
	if (o->keep) {
		cache_question_free(&o->keep->question);
		array_free(&o->keep->answer);
		free(o->keep);
	}
	*o = (PoclOutcome){0};
}
