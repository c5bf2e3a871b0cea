/* Live registers of machine code: which hold a value that is still needed, at each instruction.
 *
 * The usual walk backward, with one thing more. A wavefront runs both sides of a branch one after the other, with some
 * lanes off: what it writes to a vector register there, lanes that are off do not see, and their value lives on. So
 * there is one set of live vector registers for the lanes that are active, and for those that are off one for each
 * scalar register that says which lanes come back:
 *
 *   s_and_saveexec_b64 s[0:1], vcc     active lanes go on, or wait in s[0:1]
 *   …
 *   s_or_b64 exec, exec, s[0:1]        those of s[0:1] are active again
 *
 * What a register of lanes is made of has the same lanes (copies, `or` …), also through a spill to a vector register.
 * Where it is not known which lanes wait, all that wait are taken: the number may then be too large, not too small.
 * Calls are not followed, and registers that are chosen by a number (v_movrel) not known. */
#include "frontend/codegen/codegen.h"

enum { SET_WORDS = REGISTER_COUNT / 64, VECTOR_WORDS = REGISTER_S0 / 64, MOST_MASKS = 32, NO_MASK = 255 };

/* Where scalar registers are kept: in a register, or spilled to a lane of a vector register. */
enum { SPILL_LANES = 64, SPILL_SLOT = REGISTER_COUNT, PLACE_COUNT = SPILL_SLOT + REGISTER_A0 * SPILL_LANES };

typedef struct RegisterSet {
	u64 w[SET_WORDS];
} RegisterSet;
typedef struct VectorSet {
	u64 w[VECTOR_WORDS];
} VectorSet;

/* What an instruction does to the lanes that are active. */
typedef enum {
	LANES_KEPT, LANES_NARROW, LANES_WIDEN, LANES_SWAP, LANES_XOR, LANES_MOVE, LANES_COPY, LANES_ANY
} LanesHow;

typedef struct LiveIns {
	u32 first_use;
	u8 nuses;
	u8 how;      /* LanesHow */
	u8 to;       /* lanes that stop wait there (a mask); NO_MASK: nowhere that is known … */
	bool writes; /* … and it is a result */
	bool clears; /* it writes masks with something else */
	u8 from[2];  /* masks that are read */
} LiveIns;

typedef struct LiveWalk {
	MachineCode *c;
	const UndefinedRegisters *undefined;
	u32 nundefined;
	LiveIns *ins;
	ARRAY(RegisterUse) uses;
	u8 mask_of[PLACE_COUNT];    /* by first register, or slot: its mask + 1, or 0 */
	bool saves[MOST_MASKS];     /* it has been all active lanes */
	u32 nmasks;
	/* at the beginning of each block */
	RegisterSet *on_in;
	VectorSet *off_in; /* nmasks of each */
	bool *due;         /* per block */
	/* where the walk is */
	RegisterSet on;
	VectorSet off[MOST_MASKS];
	VectorSet waiting; /* all of off */
} LiveWalk;

static bool ends(const char *s, const char *with)
{
	size_t n = strlen(s), k = strlen(with);
	return n >= k && !strcmp(s + n - k, with);
}

/* ---- which registers hold lanes ---- */

static u8 mask_of(const LiveWalk *w, u32 reg) { return (u8)(w->mask_of[reg] - 1); }

static bool is_scalar(OperandRange r) { return r.n && r.first >= REGISTER_S0 && r.first != REGISTER_EXEC; }

static bool add_mask(LiveWalk *w, u32 reg)
{
	if (w->mask_of[reg] || w->nmasks == MOST_MASKS)
		return false;
	w->mask_of[reg] = (u8)++w->nmasks;
	return true;
}

/* The result and the sources of a scalar instruction: registers, n 0 where it is something else. */
typedef struct ScalarOperands {
	OperandRange to, from[2];
} ScalarOperands;

static OperandRange next_operand(const char **p)
{
	*p += strspn(*p, " \t,");
	OperandRange r = codegen_register(p);
	*p += strcspn(*p, ",;");
	return r;
}

/* n = 0: the lane is not a number. */
static OperandRange spill_slot(OperandRange v, const char *lane)
{
	char *end;
	lane += strspn(lane, " \t,");
	unsigned long n = strtoul(lane, &end, 0);
	bool known = end > lane && n < SPILL_LANES && v.n == 1 && v.first < REGISTER_A0;
	return (OperandRange){known ? SPILL_SLOT + v.first * SPILL_LANES + (u32)n : 0, known};
}

static ScalarOperands scalar_operands(const MachineIns *x)
{
	const char *p = x->text + strlen(x->mnemonic);
	ScalarOperands o = {.to = next_operand(&p)};
	o.from[0] = next_operand(&p);
	if (starts(x->mnemonic, "v_writelane"))
		o.to = spill_slot(o.to, p);
	else if (starts(x->mnemonic, "v_readlane"))
		o.from[0] = spill_slot(o.from[0], p);
	else
		o.from[1] = next_operand(&p);
	return o;
}

static bool moves_lanes(const MachineIns *x)
{
	return starts(x->mnemonic, "v_writelane") || starts(x->mnemonic, "v_readlane");
}

static bool saves_lanes(const char *m) { return strstr(m, "_saveexec_") != NULL; }

static bool is_logic(const char *m)
{
	bool known = starts(m, "s_mov_b") || starts(m, "s_or") || starts(m, "s_and") || starts(m, "s_xor") ||
	             starts(m, "s_cselect");
	return known && (ends(m, "_b64") || ends(m, "_b32")) && !saves_lanes(m);
}

static bool is_exec(OperandRange r) { return r.n && r.first == REGISTER_EXEC; }

/* Are lanes that wait in the result those that wait in a source? Not where only active lanes stay in it. */
static bool hands_on(const MachineIns *x, ScalarOperands o)
{
	bool active = starts(x->mnemonic, "s_and_b") && (is_exec(o.from[0]) || is_exec(o.from[1]));
	return (is_logic(x->mnemonic) && !active) || moves_lanes(x);
}

static bool is_mask(const LiveWalk *w, OperandRange r) { return r.n && w->mask_of[r.first]; }

/* Does it put a mask somewhere else? Then its sources are masks too. */
static bool find_sources(LiveWalk *w, const MachineIns *x)
{
	bool found = false;
	if (x->cls != MC_salu && !moves_lanes(x))
		return false;
	ScalarOperands o = scalar_operands(x);
	if (!is_mask(w, o.to) || !hands_on(x, o))
		return false;
	for (u32 i = 0; i < 2; i++)
		if (is_scalar(o.from[i]) || (moves_lanes(x) && o.from[i].n))
			found |= add_mask(w, o.from[i].first);
	return found;
}

static void find_masks(LiveWalk *w)
{
	enum { CHAIN = 4 }; /* of copies, against the order of the code */
	for (u32 i = 0; i < w->c->ins.n; i++) {
		const MachineIns *x = &w->c->ins.v[i];
		if (x->cls != MC_salu)
			continue;
		ScalarOperands o = scalar_operands(x);
		bool saves = saves_lanes(x->mnemonic);
		if (saves && is_scalar(o.to))
			add_mask(w, o.to.first);
		for (u32 k = 0; k < 2 && (saves || (o.to.n && o.to.first == REGISTER_EXEC)); k++)
			if (is_scalar(o.from[k]) && (!saves || !starts(x->mnemonic, "s_and_saveexec")))
				add_mask(w, o.from[k].first);
	}
	bool more = true;
	for (u32 n = 0; n < CHAIN && more; n++) {
		more = false;
		for (u32 i = w->c->ins.n; i-- > 0;)
			more |= find_sources(w, &w->c->ins.v[i]);
	}
}

static void find_lanes_save(LiveWalk *w, LiveIns *l, const char *m, ScalarOperands o)
{
	l->to = is_scalar(o.to) ? mask_of(w, o.to.first) : NO_MASK;
	l->writes = l->to != NO_MASK;
	if (l->writes)
		w->saves[l->to] = true;
	l->how = starts(m, "s_and_saveexec")                                        ? LANES_NARROW
	         : starts(m, "s_or_saveexec")                                       ? LANES_WIDEN
	         : starts(m, "s_andn2_saveexec") || starts(m, "s_and_not1_saveexec") ? LANES_SWAP
	                                                                            : LANES_ANY;
	l->from[0] = l->how != LANES_NARROW && is_scalar(o.from[0]) ? mask_of(w, o.from[0].first) : NO_MASK;
}

/* `exec` is the result. */
static void find_lanes_exec(LiveWalk *w, LiveIns *l, const char *m, ScalarOperands o)
{
	OperandRange by = is_exec(o.from[0]) ? o.from[1] : o.from[0];
	bool own = is_exec(o.from[0]) || is_exec(o.from[1]);
	u8 mask = is_scalar(by) ? mask_of(w, by.first) : NO_MASK;
	l->from[0] = mask;
	if (starts(m, "s_mov"))
		l->how = mask == NO_MASK ? LANES_ANY : w->saves[mask] ? LANES_WIDEN : LANES_MOVE;
	else if (own && starts(m, "s_or_b"))
		l->how = LANES_WIDEN;
	else if (own && (starts(m, "s_andn2") || starts(m, "s_and_not1")))
		l->how = LANES_NARROW, l->to = mask, l->from[0] = NO_MASK;
	else if (own && starts(m, "s_and_b"))
		l->how = LANES_NARROW, l->from[0] = NO_MASK;
	else
		l->how = own && starts(m, "s_xor") ? LANES_XOR : LANES_ANY;
}

/* NULL: it has none, and perhaps no instruction has. */
static const RegisterUse *uses_of(const LiveWalk *w, const LiveIns *l)
{
	return l->nuses ? w->uses.v + l->first_use : NULL;
}

/* The masks in the results of a comparison, a load … */
static void find_cleared(LiveWalk *w, LiveIns *l)
{
	const RegisterUse *uses = uses_of(w, l);
	for (u32 k = 0; k < l->nuses; k++)
		for (u32 reg = uses[k].first; uses[k].writes && reg < uses[k].first + (u32)uses[k].n; reg++)
			l->clears |= reg >= REGISTER_S0 && w->mask_of[reg];
}

static void find_lanes(LiveWalk *w, u32 i)
{
	const MachineIns *x = &w->c->ins.v[i];
	LiveIns *l = &w->ins[i];
	l->to = l->from[0] = l->from[1] = NO_MASK;
	l->how = LANES_KEPT;
	if (starts(x->mnemonic, "v_cmpx"))
		l->how = LANES_NARROW;
	if (x->cls != MC_salu && !moves_lanes(x)) {
		find_cleared(w, l);
		return;
	}
	ScalarOperands o = scalar_operands(x);
	if (saves_lanes(x->mnemonic)) {
		find_lanes_save(w, l, x->mnemonic, o);
	} else if (is_exec(o.to)) {
		find_lanes_exec(w, l, x->mnemonic, o);
	} else if (is_mask(w, o.to)) {
		l->how = LANES_COPY;
		l->to = mask_of(w, o.to.first);
		for (u32 k = 0; k < 2 && hands_on(x, o); k++)
			l->from[k] = is_mask(w, o.from[k]) ? mask_of(w, o.from[k].first) : NO_MASK;
		w->saves[l->to] |= starts(x->mnemonic, "s_mov_b") && is_exec(o.from[0]);
	}
}

static void find_uses(LiveWalk *w, u32 i)
{
	const MachineIns *x = &w->c->ins.v[i];
	RegisterUse uses[MOST_USES];
	u32 n = codegen_uses(x, x->text + strlen(x->mnemonic), uses);
	w->ins[i].first_use = w->uses.n;
	w->ins[i].nuses = (u8)n;
	for (u32 k = 0; k < n; k++)
		array_push(&w->uses, uses[k]);
}

/* ---- sets ---- */

static void set_range(u64 *set, u32 first, u32 n, bool on)
{
	for (u32 i = first; i < first + n && i < REGISTER_COUNT; i++)
		set[i / 64] = on ? set[i / 64] | 1ull << i % 64 : set[i / 64] & ~(1ull << i % 64);
}

static bool add_set(u64 *to, const u64 *from, u32 words)
{
	bool more = false;
	for (u32 i = 0; i < words; i++) {
		more |= (from[i] & ~to[i]) != 0;
		to[i] |= from[i];
	}
	return more;
}

static bool is_empty(const VectorSet *s)
{
	u64 any = 0;
	for (u32 i = 0; i < VECTOR_WORDS; i++)
		any |= s->w[i];
	return !any;
}

static u16 count_range(const u64 *set, u32 first, u32 n)
{
	u32 sum = 0;
	for (u32 i = first / 64; i < (first + n) / 64; i++)
		sum += (u32)__builtin_popcountll(set[i]);
	return (u16)sum;
}

/* ---- one instruction, backward ---- */

static void sum_waiting(LiveWalk *w)
{
	w->waiting = (VectorSet){0};
	for (u32 i = 0; i < w->nmasks; i++)
		add_set(w->waiting.w, w->off[i].w, VECTOR_WORDS);
}

/* Active lanes may have to wait in a mask. */
static void lanes_stop(LiveWalk *w, u8 mask)
{
	bool known = mask != NO_MASK && !is_empty(&w->off[mask]);
	add_set(w->on.w, known ? w->off[mask].w : w->waiting.w, VECTOR_WORDS);
}

static void lanes_start(LiveWalk *w, u8 mask, const VectorSet *on)
{
	for (u32 i = 0; i < w->nmasks; i++)
		if (mask == NO_MASK || i == mask)
			add_set(w->off[i].w, on->w, VECTOR_WORDS);
}

static VectorSet active(const LiveWalk *w)
{
	VectorSet s;
	memcpy(s.w, w->on.w, sizeof s.w);
	return s;
}

/* What waits in the result of l waits in what it was made of. */
static void lanes_copy(LiveWalk *w, const LiveIns *l)
{
	VectorSet moved = w->off[l->to];
	w->off[l->to] = (VectorSet){0};
	for (u32 k = 0; k < 2; k++)
		if (l->from[k] != NO_MASK)
			add_set(w->off[l->from[k]].w, moved.w, VECTOR_WORDS);
}

static void lanes(LiveWalk *w, const LiveIns *l)
{
	static const struct {
		bool stop, start;
	} what[] = {[LANES_NARROW] = {true, false}, [LANES_WIDEN] = {false, true}, [LANES_SWAP] = {true, true},
	            [LANES_XOR] = {true, true},     [LANES_MOVE] = {true, true},   [LANES_ANY] = {true, true}};
	if (l->how == LANES_KEPT)
		return;
	VectorSet on = active(w);
	if (l->how == LANES_COPY) {
		lanes_copy(w, l);
	} else {
		if (what[l->how].stop)
			lanes_stop(w, l->how == LANES_XOR ? l->from[0] : l->how == LANES_MOVE ? NO_MASK : l->to);
		if (l->writes)
			w->off[l->to] = (VectorSet){0};
		if (what[l->how].start)
			lanes_start(w, l->from[0], &on);
	}
	sum_waiting(w);
}

static void clear_masks(LiveWalk *w, const RegisterUse *uses, u32 n)
{
	for (u32 k = 0; k < n; k++)
		for (u32 reg = uses[k].first; uses[k].writes && reg < uses[k].first + (u32)uses[k].n; reg++)
			if (reg >= REGISTER_S0 && w->mask_of[reg])
				w->off[mask_of(w, reg)] = (VectorSet){0};
	sum_waiting(w);
}

static void undefine(LiveWalk *w, OperandRange r) { set_range(w->on.w, r.first, r.n, false); }

static void step(LiveWalk *w, u32 i, bool last)
{
	const LiveIns *l = &w->ins[i];
	const RegisterUse *uses = uses_of(w, l);
	RegisterSet results = {0};
	for (u32 k = 0; k < l->nuses; k++) {
		if (uses[k].writes)
			set_range(results.w, uses[k].first, uses[k].n, true);
		if (uses[k].writes && uses[k].whole)
			set_range(w->on.w, uses[k].first, uses[k].n, false);
	}
	lanes(w, l);
	if (l->clears)
		clear_masks(w, uses, l->nuses);
	for (u32 k = 0; k < l->nuses; k++)
		if (uses[k].reads)
			set_range(w->on.w, uses[k].first, uses[k].n, true);
	if (!last)
		return;
	RegisterSet all = w->on;
	MachineIns *x = &w->c->ins.v[i];
	add_set(all.w, w->waiting.w, VECTOR_WORDS);
	add_set(all.w, results.w, SET_WORDS);
	/* of what is behind the scalar registers only VCC is a place for values */
	set_range(all.w, REGISTER_EXEC, REGISTER_COUNT - REGISTER_EXEC, false);
	x->live_vgprs = count_range(all.w, REGISTER_V0, REGISTER_A0);
	x->live_agprs = count_range(all.w, REGISTER_A0, REGISTER_S0 - REGISTER_A0);
	x->live_sgprs = count_range(all.w, REGISTER_S0, REGISTER_COUNT - REGISTER_S0);
}

/* ---- blocks ---- */

/* The way out of block b that a wavefront takes when no lane is active, or none: nothing is needed there
 * but what waits. */
static u32 way_without_lanes(const LiveWalk *w, u32 b)
{
	const MachineBlock *k = &w->c->blocks.v[b];
	const char *last = k->n ? w->c->ins.v[k->first + k->n - 1].mnemonic : "";
	bool zero = starts(last, "s_cbranch_execz");
	if (k->nedges != 2 || !(zero || starts(last, "s_cbranch_execnz")))
		return UINT32_MAX;
	u32 first = w->c->edges.v[k->first_edge], second = w->c->edges.v[k->first_edge + 1];
	u32 jump = first == b + 1 ? second : first;
	return zero ? jump : b + 1;
}

static void join(LiveWalk *w, u32 at)
{
	const MachineBlock *b = &w->c->blocks.v[at];
	u32 without = way_without_lanes(w, at);
	w->on = (RegisterSet){0};
	memset(w->off, 0, w->nmasks * sizeof *w->off);
	for (u32 e = b->first_edge; e < b->first_edge + b->nedges; e++) {
		u32 to = w->c->edges.v[e];
		RegisterSet on = w->on_in[to];
		memset(on.w, 0, to == without ? VECTOR_WORDS * sizeof *on.w : 0);
		add_set(w->on.w, on.w, SET_WORDS);
		for (u32 k = 0; k < w->nmasks; k++)
			add_set(w->off[k].w, w->off_in[to * w->nmasks + k].w, VECTOR_WORDS);
	}
	sum_waiting(w);
}

/* u: of the undefined registers those of this and earlier blocks; returns how many are of earlier ones. */
static u32 block(LiveWalk *w, u32 b, u32 u, bool last)
{
	const MachineBlock *k = &w->c->blocks.v[b];
	join(w, b);
	for (u32 i = k->first + k->n + 1; i-- > k->first;) {
		if (i < k->first + k->n)
			step(w, i, last);
		for (; u && w->undefined[u - 1].block == b && w->undefined[u - 1].before >= i; u--)
			undefine(w, w->undefined[u - 1].r);
	}
	return u;
}

static bool keep(LiveWalk *w, u32 b)
{
	bool more = add_set(w->on_in[b].w, w->on.w, SET_WORDS);
	for (u32 k = 0; k < w->nmasks; k++)
		more |= add_set(w->off_in[b * w->nmasks + k].w, w->off[k].w, VECTOR_WORDS);
	return more;
}

/* Sets only grow, so this ends: each pass repeats the blocks before which a later one changed. */
static void flow(LiveWalk *w)
{
	u32 n = w->c->blocks.n, *first = xcalloc(n + 1, sizeof *first);
	u32 *into = xcalloc(w->c->edges.n + 1, sizeof *into);
	for (u32 e = 0; e < w->c->edges.n; e++)
		first[w->c->edges.v[e] + 1]++;
	for (u32 b = 0; b < n; b++)
		first[b + 1] += first[b];
	u32 *next = xcalloc(n + 1, sizeof *next);
	memcpy(next, first, n * sizeof *next);
	for (u32 b = 0; b < n; b++) {
		const MachineBlock *k = &w->c->blocks.v[b];
		for (u32 e = k->first_edge; e < k->first_edge + k->nedges; e++)
			into[next[w->c->edges.v[e]]++] = b;
		w->due[b] = true;
	}
	for (bool more = true; more;) {
		u32 u = w->nundefined;
		more = false;
		for (u32 b = n; b-- > 0;) {
			while (u && w->undefined[u - 1].block > b)
				u--;
			if (!w->due[b])
				continue;
			w->due[b] = false;
			u = block(w, b, u, false);
			if (!keep(w, b))
				continue;
			for (u32 i = first[b]; i < first[b + 1]; i++)
				w->due[into[i]] = more = true;
		}
	}
	free(first);
	free(into);
	free(next);
}

void codegen_live(MachineCode *c, const UndefinedRegisters *undefined, u32 n)
{
	LiveWalk *w = xcalloc(1, sizeof *w);
	w->c = c;
	w->undefined = undefined;
	w->nundefined = n;
	w->ins = xcalloc(c->ins.n + 1, sizeof *w->ins);
	find_masks(w);
	for (u32 i = 0; i < c->ins.n; i++)
		find_uses(w, i);
	for (u32 pass = 0; pass < 2; pass++) /* `saves` first */
		for (u32 i = 0; i < c->ins.n; i++)
			find_lanes(w, i);
	w->on_in = xcalloc(c->blocks.n + 1, sizeof *w->on_in);
	w->off_in = xcalloc((size_t)c->blocks.n * w->nmasks + 1, sizeof *w->off_in);
	w->due = xcalloc(c->blocks.n + 1, sizeof *w->due);
	flow(w);
	for (u32 b = c->blocks.n, u = n; b-- > 0;) {
		while (u && undefined[u - 1].block > b)
			u--;
		u = block(w, b, u, true);
	}
	c->live = true;
	array_free(&w->uses);
	free(w->ins);
	free(w->on_in);
	free(w->off_in);
	free(w->due);
	free(w);
}
