/* The numbers of a Result that a sweep ranks by. They outlive it. */
#include "engine/sweep_rank.h"

static double share(u64 part, u64 all) { return all ? (double)part / (double)all : -1; }

/* files: of the Result's sources, names that outlive it. */
static SweepLine line_numbers(const Result *r, const ResultLine *l, const char *const *files)
{
	double us = r->estimate->time_us - r->estimate->launch_us;
	return (SweepLine){
		.file = l->line ? files[l->file] : NULL,
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
	x->device = arena_strdup(a, r->device);
	x->file = arena_strdup(a, r->file);
	x->kernel = arena_strdup(a, r->kernel);
	x->wave = r->wave;
	x->banks = r->banks;
	memcpy(x->global, r->global, sizeof x->global);
	memcpy(x->local, r->local, sizeof x->local);
	x->time_us = e->time_us;
	x->low_us = e->low_us;
	x->high_us = e->high_us;
	memcpy(x->ratio_factor, e->ratio_factor, sizeof x->ratio_factor);
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
	for (u32 i = 0; i < r->findings.n; i++)
		x->differs |= sweep_is_difference(r->findings.v[i].id, r->findings.v[i].severity);
	x->groups = r->ngroups;
	x->groups_run = r->groups_run;
	x->instructions = instructions(r);
	const char **files = ARENA_ARRAY(a, const char *, r->nsources + 1);
	for (u32 i = 0; i < r->nsources; i++)
		files[i] = arena_strdup(a, r->sources[i].name);
	x->lines = ARENA_ARRAY(a, SweepLine, r->nlines + 1);
	for (; x->nlines < r->nlines; x->nlines++)
		x->lines[x->nlines] = line_numbers(r, &r->lines[x->nlines], files);
	return x;
}
