/* Profiles: their memory, their totals, their sums per source line.
 *
 * The machine counts per block and per access; everything else is summed here.
 * An instruction of a block ran as often as the block and with the same lanes,
 * so a line's wave instructions are the sum over its instructions of the
 * counts of their blocks. */
#include "isa/profile.h"

#define X(id, severity, doc) #id,
const char *const finding_name[FINDING_COUNT] = {FINDINGS(X)};
#undef X
#define X(id, severity, doc) severity,
const char *const finding_severity[FINDING_COUNT] = {FINDINGS(X)};
#undef X
#define X(id, severity, doc) doc,
const char *const finding_doc[FINDING_COUNT] = {FINDINGS(X)};
#undef X

Profile *profile_new(const Program *p)
{
	Profile *prof = xcalloc(1, sizeof *prof);
	prof->blocks = xcalloc(p->blocks.n, sizeof *prof->blocks);
	prof->accesses = xcalloc(p->ins.n, sizeof *prof->accesses);
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
	out->events->line_bytes = out->line_bytes;
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
	array_free(&p->printed);
	events_free(p->events);
	free(p->blocks);
	free(p->accesses);
	for (u32 i = 0; i < p->nviews; i++)
		free(p->views[i].accesses);
	free(p->views);
	free(p);
}

static void add_lds(LdsTotals *t, u64 accesses, u64 ideal, u64 actual, u64 max_way)
{
	t->accesses += accesses;
	t->ideal += ideal;
	t->actual += actual;
	if (max_way > t->max_way)
		t->max_way = max_way;
}

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
	add_lds(&t->lds, a->lds_accesses, a->lds_ideal, a->lds_actual, a->lds_max_way);
	add_lds(&t->lds_machine, a->lds_ins, a->lds_ins_ideal, a->lds_ins_actual, a->lds_ins_max_way);
	t->scalar_loads += a->scalar_loads;
	t->accesses += a->accesses;
	t->ideal_lines += a->ideal_lines;
	t->actual_lines += a->actual_lines;
	t->bytes += a->bytes;
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
typedef struct Place {
	u32 file, line, ins, block;
} Place;

static int by_place(const void *pa, const void *pb)
{
	const Place *a = pa, *b = pb;
	if (!a->line != !b->line)
		return a->line ? -1 : 1;
	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return a->ins < b->ins ? -1 : a->ins > b->ins;
}

static Place *sorted_places(const Program *prog, u32 *n)
{
	Place *places = xcalloc(prog->ins.n, sizeof *places);
	*n = 0;
	for (u32 b = 0; b < prog->blocks.n; b++) {
		const Block *bl = &prog->blocks.v[b];
		for (u32 i = bl->first; i < bl->first + bl->n; i++) {
			if (op_info[prog->ins.v[i].op].unit == UNIT_NONE)
				continue; /* a line of nothing but copies and jumps did no work */
			u32 loc = prog->ins.v[i].loc;
			Place at = {.ins = i, .block = b};
			if (loc && prog->locs.v[loc].line) {
				at.file = prog->locs.v[loc].file;
				at.line = prog->locs.v[loc].line;
			}
			places[(*n)++] = at;
		}
	}
	if (*n)
		qsort(places, *n, sizeof *places, by_place);
	return places;
}

LineProf *profile_lines(const Program *prog, const Profile *p, u32 *n)
{
	u32 nplaces;
	Place *places = sorted_places(prog, &nplaces);
	LineProf *rows = xcalloc(nplaces, sizeof *rows);
	*n = 0;
	for (u32 k = 0; k < nplaces; k++) {
		const Place *at = &places[k];
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
