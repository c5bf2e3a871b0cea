/* Profiles: their memory, their totals, their sums per source line.
 *
 * The machine counts per block and per access; everything else is summed here.
 * An instruction of a block ran as often as the block and with the same lanes,
 * so a line's wave instructions are the sum over its instructions of the
 * counts of their blocks. */
#include "isa/profile.h"

const char *const finding_name[FINDING_COUNT] = {FINDINGS(X_NAME)};
const char *const race_name[RACE_COUNT] = {RACE_CLASSES(X_NAME)};
const char *const finding_severity[FINDING_COUNT] = {FINDINGS(X_SECOND)};
const char *const finding_doc[FINDING_COUNT] = {FINDINGS(X_THIRD)};
#define X_ACCESS(id, severity, doc, access) access,
const bool finding_is_access[FINDING_COUNT] = {FINDINGS(X_ACCESS)};

Profile *profile_new(const Program *p)
{
	Profile *prof = xcalloc(1, sizeof *prof);
	prof->blocks = xcalloc(p->blocks.n, sizeof *prof->blocks);
	prof->accesses = xcalloc(p->ins.n, sizeof *prof->accesses);
	prof->divisions = xcalloc(p->ins.n, sizeof *prof->divisions);
	return prof;
}

Profile *profile_view(const Profile *p, u32 view, const u64 *groups, u32 n)
{
	Profile *out = xmalloc(sizeof *out);
	*out = *p;
	out->of = p;
	if (view != NO_VIEW) {
		out->banks = p->views[view].banks;
		out->line_bytes = p->views[view].line_bytes;
		out->accesses = p->views[view].accesses;
	}
	if (!p->events)
		return out;
	out->events = events_new();
	out->events->fetch_bytes = view == NO_VIEW ? p->events->fetch_bytes : p->views[view].fetch_bytes;
	out->events->swap_slots = p->events->swap_slots; /* not its own */
	out->events->lines = view == NO_VIEW ? p->events->lines : p->views[view].lines;
	for (u32 i = 0, k = 0; i < p->events->waves.n; i++) {
		const WaveEvents *e = &p->events->waves.v[i];
		while (k < n && groups[k] < e->group)
			k++;
		if (k < n && groups[k] == e->group)
			array_push(&out->events->waves, *e);
	}
	return out;
}

static void view_free(Profile *p)
{
	if (p->events)
		array_free(&p->events->waves);
	free(p->events);
	free(p);
}

void profile_free(Profile *p)
{
	if (!p)
		return;
	if (p->of) {
		view_free(p);
		return;
	}
	for (u32 i = 0; i < p->findings.n; i++)
		free(p->findings.v[i].detail);
	array_free(&p->findings);
	array_free(&p->wave_profs);
	free(p->work);
	array_free(&p->printed);
	events_free(p->events);
	free(p->blocks);
	free(p->accesses);
	free(p->divisions);
	for (u32 i = 0; i < p->nviews; i++)
		free(p->views[i].accesses);
	free(p->views);
	free(p);
}

#define COUNT_SUM(to, from) ((to) += (from))
#define COUNT_MAX(to, from) ((to) = (to) > (from) ? (to) : (from))
#define ADD(name, how, ...) COUNT_##how(to->name, from->name);

void block_merge(BlockProf *to, const BlockProf *from)
{
#define BLOCK ADD
#include "isa/counters.def"
}

void access_merge(AccessProf *to, const AccessProf *from)
{
#define ACCESS ADD
#include "isa/counters.def"
}

/* By a constant there is one path: a product, or, of 64 bits on AMD's chips, the long one. */
bool wide_division_is_counted(const Program *p, const Ins *x)
{
	u32 unit = op_info[x->op].unit;
	return (unit == UNIT_UDIV || unit == UNIT_SDIV) && p->regs.v[ins_dst(p, x)[0]].type == T_i64 &&
	       p->regs.v[ins_src(p, x)[1]].kind != REG_CONST;
}

bool division_is_counted(const Program *p, const Ins *x)
{
	return x->op == OP_fdiv_f64 || x->op == OP_sqrt_f64 || x->op == OP_rsq_f64 || wide_division_is_counted(p, x);
}

void division_merge(DivisionProf *to, const DivisionProf *from)
{
#define DIVISION ADD
#include "isa/counters.def"
}

static void add_access(ProfileTotals *to, const AccessProf *from)
{
#define ACCESS ADD
#include "isa/counters.def"
	to->lds = (LdsTotals){to->lds_accesses, to->lds_ideal, to->lds_actual, to->lds_max_way};
	to->lds_machine =
	    (LdsTotals){to->lds_ins, to->lds_ins_ideal, to->lds_ins_actual, to->lds_ins_max_way};
}

void totals_add(ProfileTotals *to, const ProfileTotals *from)
{
	to->wave_instructions += from->wave_instructions;
	to->active_lanes += from->active_lanes;
	to->branches += from->branches;
	to->divergent_branches += from->divergent_branches;
	COUNT_SUM(to->lds.accesses, from->lds.accesses); /* of either kind: a report chooses */
	COUNT_SUM(to->lds.ideal, from->lds.ideal);
	COUNT_SUM(to->lds.actual, from->lds.actual);
	COUNT_MAX(to->lds.max_way, from->lds.max_way);
	block_merge(&to->ends, &from->ends);
#define ACCESS ADD
#include "isa/counters.def"
}

#define SHOWN_ROW(name, at, unit, doc) {#name, unit, doc, offsetof(ProfileTotals, at)},
#define KEPT_ROW(name, at, unit, doc)
const Counter shown_counters[] = {
#define BLOCK(name, how, show, unit, doc) show##_ROW(name, ends.name, unit, doc)
#define ACCESS(name, how, show, unit, doc) show##_ROW(name, name, unit, doc)
#include "isa/counters.def"
	{0}};

/* Add what instruction i of a block with counts b contributed. */
static void add_ins(ProfileTotals *t, const Ins *i, const BlockProf *b, const AccessProf *a)
{
	if (op_info[i->op].unit != UNIT_NONE) {
		t->wave_instructions += b->execs;
		t->active_lanes += b->lanes;
	}
	if (i->op == OP_br || i->op == OP_switch) {
		t->branches += b->execs;
		t->divergent_branches += b->divergent;
	}
	if (op_info[i->op].flags & F_END)
		block_merge(&t->ends, b);
	add_access(t, a);
}

void profile_totals(const Program *prog, const Profile *p, ProfileTotals *out)
{
	memset(out, 0, sizeof *out);
	for (u32 b = 0; b < prog->blocks.n; b++) {
		const Block *bl = &prog->blocks.v[b];
		for (u32 i = bl->first; i < bl->first + bl->n; i++)
			add_ins(out, &prog->ins.v[i], &p->blocks[b], &p->accesses[i]);
	}
}

/* Instructions in the order of their source place; ties keep the order of the Program. */
typedef struct ProfilePlace {
	u32 file, line, ins, block;
} ProfilePlace;

static int by_place(const void *pa, const void *pb)
{
	const ProfilePlace *a = pa, *b = pb;
	return !a->line != !b->line ? ORDER(!a->line, !b->line) : FIELDS_3(file, line, ins);
}

static ProfilePlace *sorted_places(const Program *prog, u32 *n)
{
	ProfilePlace *places = xcalloc(prog->ins.n, sizeof *places);
	*n = 0;
	for (u32 b = 0; b < prog->blocks.n; b++) {
		const Block *bl = &prog->blocks.v[b];
		for (u32 i = bl->first; i < bl->first + bl->n; i++) {
			if (op_info[prog->ins.v[i].op].unit == UNIT_NONE)
				continue; /* a line of nothing but copies and jumps did no work */
			const SrcLoc *at = &prog->locs.v[prog->ins.v[i].loc];
			places[(*n)++] = (ProfilePlace){at->file, at->line, i, b};
		}
	}
	sort(places, *n, sizeof *places, by_place);
	return places;
}

LineProf *profile_lines(const Program *prog, const Profile *p, u32 *n)
{
	u32 nplaces;
	ProfilePlace *places = sorted_places(prog, &nplaces);
	LineProf *rows = xcalloc(nplaces, sizeof *rows);
	*n = 0;
	for (u32 k = 0; k < nplaces; k++) {
		const ProfilePlace *at = &places[k];
		LineProf *row = *n ? &rows[*n - 1] : NULL;
		if (!row || row->line != at->line || row->file != at->file) {
			row = &rows[(*n)++];
			row->file = at->file;
			row->line = at->line;
		}
		const BlockProf *b = &p->blocks[at->block];
		if (b->execs > row->executions || (b->execs == row->executions && b->lanes > row->lanes)) {
			row->executions = b->execs;
			row->lanes = b->lanes;
		}
		if (at->ins < prog->live_vgprs.n && prog->live_vgprs.v[at->ins] > row->live_vgprs)
			row->live_vgprs = prog->live_vgprs.v[at->ins];
		add_ins(&row->t, &prog->ins.v[at->ins], b, &p->accesses[at->ins]);
	}
	free(places);
	return rows;
}
