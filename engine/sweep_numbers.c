/* The numbers of a Result that a sweep ranks by; and as bytes, because points run in processes of their own. */
#include "engine/sweep_rank.h"

static double share(u64 part, u64 all) { return all ? (double)part / (double)all : -1; }

static SweepLine line_numbers(const Result *r, const ResultLine *l)
{
	double us = r->estimate->time_us - r->estimate->launch_us;
	return (SweepLine){
		.file = l->line ? r->sources[l->file].name : NULL,
		.line = l->line,
		.us = l->cycles_share < 0 ? 0 : l->cycles_share * us,
		.conflicts = (double)(l->t.lds.actual - l->t.lds.ideal),
		.lds = (double)l->t.lds.actual,
		.lines = (double)l->t.actual_lines,
		.ideal_lines = (double)l->t.ideal_lines,
		.utilization = l->utilization,
		.divergent = l->t.divergent_branches,
	};
}

static double instructions(const Result *r)
{
	u64 machine = r->machine.run ? machine_sum(r->machine.run->total) : 0;
	double n = (double)(machine ? machine : r->t.wave_instructions);
	return r->groups_run ? n * ((double)r->ngroups / (double)r->groups_run) : n;
}

const SweepNumbers *sweep_numbers(const Result *r, Arena *a)
{
	const Estimate *e = r->estimate;
	if (e->missing)
		return NULL;
	SweepNumbers *x = ARENA_NEW(a, SweepNumbers);
	x->device = r->device;
	x->file = r->file;
	x->kernel = r->kernel;
	x->wave = r->wave;
	x->banks = r->banks;
	memcpy(x->global, r->global, sizeof x->global);
	memcpy(x->local, r->local, sizeof x->local);
	x->time_us = e->time_us;
	x->low_us = e->low_us;
	x->high_us = e->high_us;
	x->launch_us = e->launch_us;
	x->bound_by = time_bound_name[e->bound_by];
	x->bound_doc = time_bound_doc[e->bound_by];
	for (u32 i = 0; i <= PART_COUNT && e->cycles > 0; i++)
		x->part_us[i] = (i < PART_COUNT ? e->part[i] : e->tail) / e->cycles * (e->time_us - e->launch_us);
	x->waves_per_simd = r->occupancy.o.waves_per_simd;
	x->max_waves_per_simd = r->occupancy.o.max_waves_per_simd;
	x->limiter = occ_limiter_name[r->occupancy.o.limiter];
	x->vgprs = r->vgprs;
	x->lds_bytes = (double)r->lds_bytes;
	x->scratch_bytes = (double)r->scratch_bytes;
	x->utilization = r->utilization;
	x->conflicts = share(r->t.lds.actual - r->t.lds.ideal, r->t.lds.actual);
	x->coalescing = share(r->t.ideal_lines, r->t.actual_lines);
	x->findings = result_problems(r);
	x->differs = r->reference.mismatches > 0;
	x->groups = r->ngroups;
	x->groups_run = r->groups_run;
	x->instructions = instructions(r);
	x->lines = ARENA_ARRAY(a, SweepLine, r->nlines + 1);
	for (; x->nlines < r->nlines; x->nlines++)
		x->lines[x->nlines] = line_numbers(r, &r->lines[x->nlines]);
	return x;
}

/* ---- as bytes: the struct, its lines, then every text with its NUL ---- */

#define TEXTS(X) X(device) X(file) X(kernel) X(bound_by) X(bound_doc) X(limiter)

/* A text that is not there is one byte, 1; it is no text's first. */
static void pack_text(const char *text, Buf *out)
{
	static const char none[] = "\1";
	buf_write(out, text ? text : none, strlen(text ? text : none) + 1);
}

static const char *unpack_text(const char **at, Arena *a)
{
	const char *text = *at;
	*at += strlen(text) + 1;
	return *text == 1 ? NULL : arena_strdup(a, text);
}

void sweep_numbers_pack(const SweepNumbers *x, Buf *out)
{
	buf_write(out, (const char *)x, sizeof *x);
	buf_write(out, (const char *)x->lines, x->nlines * sizeof *x->lines);
#define X(member) pack_text(x->member, out);
	TEXTS(X)
#undef X
	for (u32 i = 0; i < x->nlines; i++)
		pack_text(x->lines[i].file, out);
}

const SweepNumbers *sweep_numbers_unpack(const char *bytes, Arena *a)
{
	SweepNumbers *x = ARENA_NEW(a, SweepNumbers);
	memcpy(x, bytes, sizeof *x);
	const char *at = bytes + sizeof *x;
	x->lines = ARENA_ARRAY(a, SweepLine, x->nlines + 1);
	memcpy(x->lines, at, x->nlines * sizeof *x->lines);
	at += x->nlines * sizeof *x->lines;
#define X(member) x->member = unpack_text(&at, a);
	TEXTS(X)
#undef X
	for (u32 i = 0; i < x->nlines; i++)
		x->lines[i].file = unpack_text(&at, a);
	return x;
}
