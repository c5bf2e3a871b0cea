/* Read r600 assembly as LLVM prints it.
 *
 *           .long   166100                       a hardware register and its value, before the kernel:
 *           .long   522                          stack entries and registers
 *   saxpy:
 *           ALU_PUSH_BEFORE 6, @64, KC0[], KC1[] control flow: a clause of 6 + 1 words
 *           JUMP @5 POP:1                        over what follows, when no lane is left
 *           TEX 0 @48                            a clause of 0 + 1 fetches
 *           CF_END
 *           Fetch clause starting at 48:
 *             VTX_READ_32 T1.X, T1.X, 0, #1
 *           ALU clause starting at 64:
 *             ADD_INT   T0.W, PS, T0.X,          a slot
 *             LSHL * T1.W, PV.W, literal.x,      the last slot of its bundle
 *           2(2.802597e-45), 0(0.000000e+00)     constants for it, two a word
 *
 * Which slot runs in the fifth unit is not printed: it is the last of its bundle and is an
 * operation that only this unit knows, or writes a component that another slot of the bundle
 * writes already, or its result is read as PS in the next bundle. The length of each clause
 * is printed twice in effect, so a text that was not understood is noticed. */
#include "frontend/codegen/r600.h"

#include "base/scan.h"
#include "frontend/codegen/codegen.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>

enum { SQ_PGM_RESOURCES = 166100 };

typedef struct Clause {
	u32 at, words; /* as the control flow says */
	u32 have;
	bool alu;
} Clause;

typedef struct R600Reader {
	R600Code *c;
	const char *kernel;
	R600Step *steps;
	Clause *clauses;       /* by step; words 0: it starts none */
	u32 reg;               /* of the .long before */
	u32 resources;         /* of the function to come */
	bool in_kernel, found, wrong;
	u32 step;              /* whose clause is read, or NO_STEP */
	u32 next[2];           /* where to look for that of the next fetch and ALU clause */
	/* the bundle that is read, and whether the one before ended in the fifth slot */
	u32 channels;
	bool five, prev_trans, has_prev;
	/* what it does, for R600Code.ins */
	ARRAY(MachineIns) ins;
	u32 ir;                /* IR instruction that the text is at, or NO_IR */
	MachineIns bundle, lds; /* the bundle that is read; lds.mnemonic NULL: none in it */
	u32 prev;              /* the bundle before it in its clause + 1, or 0 */
	u32 lds_begun;         /* operations of the clause */
	ARRAY(u32) results;    /* of these, those with a result in the queue: lds_begun then */
	u32 taken;             /* of the results */
	Arena *arena;
	Buf text;              /* of the bundle, a line for each slot; only for a listing */
} R600Reader;

/* Operations that only the fifth unit of five runs, or all of four together. */
static bool is_trans_op(const char *op, bool five)
{
	static const char *const both[] = {"RECIP*", "SQRT*", "EXP_*", "LOG_*", "SIN*", "COS*",
	                                   "MULLO*", "MULHI", "MULHI_INT", "MULHI_UINT"};
	static const char *const only_five[] = {"INT_TO_FLT*", "UINT_TO_FLT*", "FLT_TO_UINT*"};
	for (u32 i = 0; i < COUNT(both); i++)
		if (!fnmatch(both[i], op, 0))
			return true;
	for (u32 i = 0; five && i < COUNT(only_five); i++)
		if (!fnmatch(only_five[i], op, 0))
			return true;
	return false;
}

/* A bit for the component that "T5.W, …" writes, or 0. */
static u32 channel(const char *p)
{
	static const char names[] = "XYZW";
	p += strcspn(p, ".,");
	const char *at = *p == '.' && p[1] ? strchr(names, p[1]) : NULL;
	return at ? 1u << (at - names) : 0;
}

static bool reads_ps(const char *p)
{
	for (const char *at = strstr(p, "PS"); at; at = strstr(at + 2, "PS"))
		if (!scan_is_word(at[-1]) && at[-1] != '.' && !scan_is_word(at[2]))
			return true;
	return false;
}

/* ---- what a bundle does ---- */

static MachineIns plain(MachineClass cls, u32 ir, const char *name)
{
	return (MachineIns){.cls = (u8)cls, .vm = NO_WAIT, .lgkm = NO_WAIT, .vs = NO_WAIT, .ir = ir,
	                    .mnemonic = name};
}

/* A line without the blanks around it and the comma at its end; NULL: no listing is wanted. */
static const char *own_text(R600Reader *r, const char *p)
{
	if (!r->c->listing)
		return NULL;
	p += strspn(p, " \t");
	size_t n = strlen(p);
	while (n && (p[n - 1] == ' ' || p[n - 1] == '\t' || p[n - 1] == ',' || p[n - 1] == '\r'))
		n--;
	return arena_strndup(r->arena, p, n);
}

static MachineClass lds_class(const char *op)
{
	if (strstr(op, "READ"))
		return MC_lds_read;
	return strstr(op, "WRITE") ? MC_lds_write : MC_lds_atomic;
}

/* Results of LDS come through a queue, OQAP, in the order of the reads. */
static void lds_slot(R600Reader *r, const char *op)
{
	r->lds = plain(lds_class(op), r->ir, "LDS");
	if (r->c->listing)
		r->lds.text = arena_printf(r->arena, "%s in LDS", op);
	r->lds.bytes = strstr(op, "BYTE") ? 1 : strstr(op, "SHORT") ? 2 : 4;
	r->lds_begun++;
	if (strstr(op, "_RET"))
		array_push(&r->results, r->lds_begun);
}

static void takes_result(R600Reader *r)
{
	if (r->taken >= r->results.n)
		return;
	u32 later = r->lds_begun - r->results.v[r->taken++];
	if (later < r->bundle.lgkm)
		r->bundle.lgkm = (u8)later;
}

/* With one wavefront the unit starts a bundle every other time, whatever it reads. */
static void end_bundle(R600Reader *r)
{
	r->bundle.text = r->text.n ? arena_strndup(r->arena, r->text.v, r->text.n) : NULL;
	r->text.n = 0;
	r->bundle.dep = r->prev ? (u8)(r->ins.n + 1 - r->prev) : 0;
	array_push(&r->ins, r->bundle);
	r->prev = r->ins.n;
	if (r->lds.mnemonic)
		array_push(&r->ins, r->lds);
}

static void begin_bundle(R600Reader *r)
{
	r->channels = 0;
	r->bundle = plain(MC_valu, NO_IR, "ALU");
	r->lds.mnemonic = NULL;
}

/* "  ADD_INT * T0.W, PS, T0.X," */
static void slot(R600Reader *r, const char *p)
{
	R600Code *c = r->c;
	char op[32] = "", mark[4] = "";
	int at = 0;
	if (sscanf(p, " %31[A-Z0-9_a-z] %n", op, &at) != 1) /* LDS_CMPST has no blank before its mark */
		return;
	sscanf(p + at, "%3s", mark);
	if (r->c->listing)
		buf_printf(&r->text, "%s%s", r->text.n ? "\n" : "", own_text(r, p));
	bool last = !strcmp(mark, "*") || !strcmp(op, "GROUP_BARRIER");
	bool lds = starts(op, "LDS_");
	u32 write = lds ? 0 : channel(p + at); /* the first operand of a store is its address */
	bool trans_op = is_trans_op(op, r->five);
	bool trans = r->five ? last && (trans_op || (r->channels & write)) : trans_op;
	/* Only now it shows where the result before was made. */
	if (r->five && r->has_prev && !r->prev_trans && reads_ps(p + at)) {
		c->trans++;
		r->prev_trans = true;
	}
	bool barrier = !strcmp(op, "GROUP_BARRIER");
	c->slots++;
	c->trans += trans;
	c->lds += lds;
	c->barriers += barrier;
	r->channels |= write;
	if (r->bundle.ir == NO_IR)
		r->bundle.ir = r->ir;
	if (barrier)
		r->bundle.cls = MC_barrier;
	if (lds)
		lds_slot(r, op);
	else if (strstr(p + at, "OQAP"))
		takes_result(r);
	if (!last)
		return;
	r->steps[r->step].bundles++;
	c->bundles++;
	end_bundle(r);
	begin_bundle(r);
	r->prev_trans = trans;
	r->has_prev = true;
}

static void in_clause(R600Reader *r, const char *p)
{
	Clause *k = &r->clauses[r->step];
	const char *word = p + strspn(p, " \t");
	k->have++;
	if (!k->alu) {
		r->steps[r->step].fetches++;
		r->c->fetches++;
		array_push(&r->ins, plain(MC_vmem_load, r->ir, "VTX"));
		r->ins.v[r->ins.n - 1].text = own_text(r, p);
	} else if (isdigit((unsigned char)*word) || *word == '-' || *word == '@') {
		r->c->literals++;
	} else {
		slot(r, p);
	}
}

static void end_clause(R600Reader *r)
{
	if (r->step != NO_STEP)
		r->steps[r->step].n = r->ins.n - r->steps[r->step].first;
}

/* Clauses of a kind are in the order of the instructions that start them. */
static void clause(R600Reader *r, bool alu, u32 at)
{
	u32 i = r->next[alu];
	while (i < r->c->nsteps && !(r->clauses[i].words && r->clauses[i].alu == alu))
		i++;
	r->next[alu] = i + 1;
	r->wrong |= i >= r->c->nsteps || r->clauses[i].at != at;
	end_clause(r);
	r->step = r->wrong ? NO_STEP : i;
	if (!r->wrong)
		r->steps[i].first = r->ins.n;
	r->has_prev = r->prev_trans = false;
	r->prev = r->lds_begun = r->results.n = r->taken = 0;
	begin_bundle(r);
}

/* A control-flow instruction; its address is its number. */
static void control(R600Reader *r, const char *p)
{
	R600Code *c = r->c;
	u32 i = c->nsteps, words, at;
	char op[32] = "";
	if (sscanf(p, " %31s", op) != 1 || !strcmp(op, "PAD"))
		return;
	R600Step *s = &r->steps[i];
	Clause *k = &r->clauses[i];
	*s = (R600Step){.to = NO_STEP, .back = NO_STEP, .ir = r->ir, .is_else = !strcmp(op, "ELSE"),
	                .is_break = starts(op, "LOOP_BREAK"), .is_continue = strstr(op, "CONTINUE"),
	                .is_end = !strcmp(op, "CF_END")};
	*k = (Clause){0};
	c->nsteps++;
	s->text = own_text(r, p);
	k->alu = starts(op, "ALU");
	if (k->alu || !strcmp(op, "TEX") || !strcmp(op, "VTX")) {
		r->wrong |= sscanf(p, " %*s %u%*[, ]@%u", &words, &at) != 2;
		if (r->wrong)
			return;
		*k = (Clause){.at = at, .words = words + 1, .alu = k->alu};
		c->alu_clauses += k->alu;
		c->fetch_clauses += !k->alu;
	} else if (starts(op, "MEM_RAT")) {
		bool atomic = strstr(p, " ATOMIC_") != NULL;
		c->atomics += atomic;
		c->stores += !atomic;
		s->stores = 1;
		s->first = r->ins.n;
		s->n = 1;
		array_push(&r->ins, plain(atomic ? MC_vmem_atomic : MC_vmem_store, r->ir, "MEM_RAT"));
		r->ins.v[s->first].control = true;
		r->ins.v[s->first].text = s->text;
	} else if (starts(op, "LOOP_START")) {
		c->loops++; /* begins with a lane, or the jump before it skips it */
	} else if (strcmp(op, "POP") != 0 && sscanf(p, " %*s @%u", &at) == 1) { /* POP leads to the next */
		*(at > i ? &s->to : &s->back) = at;
	}
	s->is_break &= s->to != NO_STEP;
	s->is_continue &= s->to != NO_STEP;
}

static void kernel_line(R600Reader *r, const char *p)
{
	u32 at;
	if (starts(p, ".Lfunc_end")) {
		end_clause(r);
		r->in_kernel = false;
		r->found = true;
	} else if (sscanf(p, " .loc %*u %u", &at) == 1) {
		r->ir = at ? at - 1 : NO_IR;
	} else if (*p != '\t' || p[1] == '.' || p[1] == ';') {
		return;
	} else if (sscanf(p, " ALU clause starting at %u:", &at) == 1) {
		clause(r, true, at);
	} else if (sscanf(p, " Fetch clause starting at %u:", &at) == 1) {
		clause(r, false, at);
	} else if (r->step != NO_STEP) {
		in_clause(r, p);
	} else {
		control(r, p);
	}
}

static void line(R600Reader *r, const char *p)
{
	u32 v;
	size_t n = strlen(r->kernel);
	if (r->in_kernel) {
		kernel_line(r, p);
	} else if (!strncmp(p, r->kernel, n) && !strcmp(p + n, ":")) {
		r->in_kernel = !r->found;
		r->c->gprs = r->resources & 0xff;
		r->c->stack = r->resources >> 8 & 0xff;
	} else if (sscanf(p, " .long %u", &v) == 1) {
		if (r->reg == SQ_PGM_RESOURCES)
			r->resources = v;
		r->reg = r->reg ? 0 : v; /* register and value come in turn */
	} else {
		r->reg = 0;
	}
}

static bool understood(const R600Reader *r)
{
	bool ends = false;
	if (!r->found || r->wrong || !r->c->gprs)
		return false;
	for (u32 i = 0; i < r->c->nsteps; i++) {
		const Clause *k = &r->clauses[i];
		if (k->have != k->words)
			return false;
		if (r->steps[i].to != NO_STEP && r->steps[i].to >= r->c->nsteps)
			return false;
		ends |= r->steps[i].is_end;
	}
	return ends;
}

bool r600_parse(R600Code *c, const char *kernel, const char *text, Arena *a)
{
	u32 lines = 1;
	for (const char *p = text; *p; p++)
		lines += *p == '\n';
	R600Code out = {.cpu = c->cpu, .listing = c->listing};
	R600Reader r = {.c = &out, .arena = a, .kernel = kernel, .step = NO_STEP, .ir = NO_IR};
	r.steps = ARENA_ARRAY(a, R600Step, lines);
	r.clauses = ARENA_ARRAY(a, Clause, lines);
	r.five = strcmp(c->cpu, "cayman") != 0;
	char *copy = arena_strdup(a, text);
	for (char *p = copy, *next; p; p = next) {
		next = strchr(p, '\n');
		if (next)
			*next++ = 0;
		line(&r, p);
	}
	out.steps = r.steps;
	MachineIns *ins = ARENA_ARRAY(a, MachineIns, r.ins.n + 1);
	if (r.ins.n)
		memcpy(ins, r.ins.v, r.ins.n * sizeof *ins);
	out.ins = ins;
	array_free(&r.ins);
	array_free(&r.results);
	array_free(&r.text);
	if (!understood(&r))
		return false;
	*c = out;
	return true;
}
