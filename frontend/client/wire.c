/* Records of requests and answers: see wire.h. */
#include "frontend/client/wire.h"

#include "base/hash.h"
#include "isa/pack.h"

Codec wire_reader(const u8 *bytes, u64 n, Arena *a, u64 *room)
{
	*room = CODEC_ROOM(n);
	return (Codec){.p = bytes, .end = bytes + n, .arena = a, .room = room};
}

/* Programs pass as numbers of rows of these tables. */
char *wire_version(void)
{
	Buf text = {0};
	u64 h = 0;
	for (u32 i = 0; i < OP_COUNT; i++)
		h = hash_mix(h + hash_text(op_info[i].name));
	for (u32 i = 0; i < MC_COUNT; i++)
		h = hash_mix(h + hash_text(machine_class_name[i]));
	buf_printf(&text, "%s-%016" PRIx64, WAVESIM_VERSION, h);
	return text.v;
}

void wire_hello(Codec *c, const char **version)
{
	code_text(c, version);
	codec_check(c, *version);
}

/* A text of which there always is one. */
static void code_needed(Codec *c, const char **text)
{
	code_text(c, text);
	codec_check(c, *text);
}

void wire_about(Codec *c, FeAbout *about)
{
	code_needed(c, &about->llvm);
	code_needed(c, &about->pocl);
	code_text(c, &about->amd_library);
}

static void code_message(Codec *c, DiagMsg *m)
{
	m->level = (DiagLevel)code_enum(c, m->level, DIAG_ERROR + 1);
	CODE(c, m->loc.file, m->loc.line, m->loc.col);
	code_needed(c, (const char **)&m->text);
	code_text(c, (const char **)&m->hint);
	code_text(c, (const char **)&m->source);
	code_u32(c, &m->from);
	code_u32(c, &m->line);
}

static void code_diag(Codec *c, Diag *d)
{
	CODE(c, d->errors, d->lost);
	CODE_LIST(c, DiagMsg, d->msgs.v, d->msgs.n, code_message);
}

/* ---- what programs call of libraries ---- */

static void code_names(Codec *c, const char ***names, u32 *n)
{
	CODE_LIST(c, const char *, *names, *n, code_needed);
}

static void code_want(Codec *c, ExcerptWant *w)
{
	code_needed(c, &w->path);
	code_bool(c, &w->on_demand);
	code_text(c, &w->file);
	code_names(c, &w->names, &w->n);
	codec_check(c, w->n <= EXCERPT_AT_ONCE);
}

void wire_wants(Codec *c, ExcerptWants *w)
{
	CODE_LIST(c, ExcerptWant, w->v, w->n, code_want);
	codec_check(c, w->n <= EXCERPT_LIBRARIES);
}

static void code_excerpt(Codec *c, Excerpt *e)
{
	code_needed(c, &e->path);
	code_needed(c, &e->state);
	code_bool(c, &e->on_demand);
	code_names(c, &e->names, &e->n);
	code_bytes(c, &e->all, &e->nall);
	codec_check(c, e->nall % sizeof(u64) == 0);
	code_bytes(c, &e->bytes, &e->nbytes);
}

void wire_excerpts(Codec *c, WireExcerpts *w)
{
	code_text(c, &w->made_of);
	CODE_LIST(c, Excerpt, w->excerpts.v, w->excerpts.n, code_excerpt);
	codec_check(c, w->excerpts.n <= EXCERPT_LIBRARIES);
}

/* ---- compiling ---- */

static void code_source(Codec *c, const SrcProgram **src)
{
	bool there = *src != NULL;
	code_bool(c, &there);
	if (!there)
		return;
	SrcProgram *p = c->writing ? (SrcProgram *)(uintptr_t)*src : ARENA_NEW(c->arena, SrcProgram);
	source_code(c, p);
	source_code_placed(c, p);
	source_code_texts(c, p);
	*src = p;
}

static void code_built(Codec *c, FeBitcode *b)
{
	bool there = b->bytes != NULL;
	code_bool(c, &there);
	if (!there)
		return;
	code_bytes(c, &b->bytes, &b->n);
	code_text(c, &b->library);
	code_text(c, &b->target);
	code_text(c, &b->refused);
	code_text(c, &b->launches);
}

void wire_needed(Codec *c, FeNeeded *n)
{
	bool there = n->bytes != NULL;
	code_bool(c, &there);
	if (!there)
		return;
	code_needed(c, &n->whole);
	code_bytes(c, &n->bytes, &n->n);
}

void wire_compile(Codec *c, WireCompile *w)
{
	FeOptions *o = &w->o;
	code_text(c, &w->folder);
	code_needed(c, &o->path);
	CODE(c, o->source, o->kernel, o->build_options, o->dropped, o->cpu, o->amd_library, o->r600_cpu);
	code_source(c, &o->src);
	CODE(c, o->max_local, o->launches, o->partial_groups, o->unroll, o->nvidia, o->check, o->keep_ir);
	CODE(c, o->machine, o->listing, o->images, o->wave, o->try_native);
	o->builtins = (Builtins)code_enum(c, o->builtins, BUILTINS_UNDEFINED + 1);
	o->debug = (FeDebug)code_enum(c, o->debug, FE_DEBUG_COUNT);
	code_built(c, &w->built);
}

static void code_facts(Codec *c, FeFacts *f)
{
	code_built(c, &f->built);
	code_u32(c, &f->widest_vload);
	CODE(c, f->launched.block[0], f->launched.block[1], f->launched.block[2], f->launched.shared,
	     f->max_local);
	f->builtins = (Builtins)code_enum(c, f->builtins, BUILTINS_UNDEFINED + 1);
	bool machine = f->machine != NULL, r600 = f->r600 != NULL;
	CODE(c, f->limits.f32, f->limits.f64, f->limits.flush_f32, f->limits.open, f->limits.addresses,
	     f->limits.unset);
	CODE(c, f->builtins_missing, f->not_pocl, f->ir, machine, r600);
	code_text(c, &f->made_of);
	wire_needed(c, &f->needed);
	if (machine) {
		MachineCode *m = c->writing ? (MachineCode *)(uintptr_t)f->machine : ARENA_NEW(c->arena, MachineCode);
		pack_machine(c, m);
		f->machine = m;
	}
	if (r600) {
		R600Code *r = c->writing ? (R600Code *)(uintptr_t)f->r600 : ARENA_NEW(c->arena, R600Code);
		pack_r600(c, r);
		f->r600 = r;
	}
}

void wire_program(Codec *c, WireProgram *w)
{
	bool there = w->program != NULL;
	code_diag(c, &w->said);
	code_bool(c, &there);
	codec_check(c, there == !w->said.errors);
	if (!there || c->bad)
		return;
	if (!c->writing)
		w->program = program_new();
	pack_program(c, w->program);
	code_facts(c, &w->facts);
	codec_check(c, !w->facts.machine || pack_fits(w->program, w->facts.machine));
	wire_wants(c, &w->wants);
}

/* ---- running ---- */

static void code_image(Codec *c, PoclImage *i)
{
	CODE(c, i->dims, i->array, i->buffer, i->channel_order, i->channel_type, i->width, i->height, i->depth,
	     i->row_pitch, i->slice_pitch);
}

u64 wire_buffer_room(const PoclBuffer *b)
{
	enum { PAGE = 4096 };
	return b->init || b->result ? ((u64)b->size + PAGE - 1) & ~(u64)(PAGE - 1) : 0;
}

static void code_buffer(Codec *c, PoclBuffer *b)
{
	static const u8 there; /* any address */
	bool init = b->init != NULL, result = b->result != NULL, image = b->image != NULL;
	CODE(c, b->size, init, result, image, b->address);
	if (!c->writing) {
		b->init = init ? &there : NULL;
		b->result = result ? (void *)(uintptr_t)&there : NULL;
	}
	if (image) {
		PoclImage *i = c->writing ? (PoclImage *)(uintptr_t)b->image : ARENA_NEW(c->arena, PoclImage);
		code_image(c, i);
		b->image = i;
	}
}

static void code_arg(Codec *c, PoclArg *a)
{
	const u8 *bytes = a->value;
	u64 n = a->size;
	a->kind = (PoclArgKind)code_enum(c, a->kind, POCL_SAMPLER + 1);
	if (a->kind == POCL_VALUE) {
		code_bytes(c, &bytes, &n);
		a->value = bytes;
		a->size = n;
		return;
	}
	CODE(c, a->size, a->at, a->buffer, a->normalized, a->addressing, a->filter);
}

void wire_start(Codec *c, WireStart *w)
{
	PoclLaunch *l = &w->l;
	code_text(c, &w->folder);
	code_needed(c, &l->path);
	CODE(c, l->source, l->options);
	code_needed(c, &l->first);
	code_source(c, &l->src);
	code_needed(c, &l->kernel);
	code_u32(c, &l->dims);
	for (u32 i = 0; i < 3; i++)
		CODE(c, l->offset[i], l->global[i], l->local[i]);
	CODE_LIST(c, PoclArg, l->args, l->nargs, code_arg);
	CODE_LIST(c, PoclBuffer, l->buffers, l->nbuffers, code_buffer);
	CODE(c, l->seconds, l->repeats, l->threads, l->method, w->own);
	if (!w->own)
		return;
	CODE(c, l->same_library, w->o.kernel, w->o.cpu, w->o.amd_library, w->o.wave, w->o.max_local);
	w->o.builtins = (Builtins)code_enum(c, w->o.builtins, BUILTINS_UNDEFINED + 1);
	code_built(c, &w->built);
}

void wire_started(Codec *c, WireStarted *w)
{
	code_diag(c, &w->said);
	code_u32(c, &w->run);
}

void wire_wait(Codec *c, WireWait *w)
{
	CODE(c, w->run, w->seconds);
}

void wire_outcome(Codec *c, PoclOutcome *o)
{
	const u8 *output = (const u8 *)o->output;
	u64 n = o->output_size, signal = (u64)o->signal;
	i64 code = o->error_code;
	o->status = (PoclStatus)code_enum(c, o->status, POCL_TIMEOUT + 1);
	code_text(c, (const char **)&o->why);
	CODE(c, code, signal);
	code_bytes(c, &output, &n);
	code_text(c, (const char **)&o->unconfined);
	code_text(c, (const char **)&o->made_of);
	CODE(c, o->seconds, o->first_seconds, o->part);
	codec_check(c, !o->why == (o->status == POCL_OK) && signal < 128);
	o->output = (char *)(uintptr_t)output;
	o->output_size = n;
	o->error_code = (i32)code;
	o->signal = (int)(signal & 127);
}
