/* Why one point of a sweep takes longer than another on the same device. The parts of the two
 * estimates are compared: the part that differs most is the reason, and the line whose time differs
 * most with it is where. What the counters say goes along where it is worse in the slower one: what is better there
 * explains nothing. */
#include "engine/sweep_rank.h"

#include "base/number.h"

#include <math.h>

/* Less is not worth a reason. */
static const double worth_saying = 0.02;
/* When the part makes up for so many times the difference, the others are worth a word. */
static const double worth_the_rest = 1.25;

static const char *part_doc(u32 part)
{
	return part < PART_COUNT ? time_part_doc[part] : "compute units without work";
}

static const SweepLine *line_like(const SweepPoint *p, const SweepLine *l)
{
	for (u32 i = 0; i < p->r->nlines; i++)
		if (p->r->lines[i].line == l->line && p->r->lines[i].file && l->file &&
		    !strcmp(p->r->lines[i].file, l->file))
			return &p->r->lines[i];
	return NULL;
}

/* What of a line belongs to that part of the time; a line without any is not the place. */
static double weight(const SweepLine *l, u32 part)
{
	switch (part) {
	case PART_lds_conflicts: return l->conflicts;
	case PART_lds: return l->lds;
	case PART_address:
	case PART_latency:
	case PART_bandwidth: return l->lines;
	default: return 1;
	}
}

/* The line of `slow` whose time is most above that of the same line in `fast`. */
static const SweepLine *line_of(const SweepPoint *slow, const SweepPoint *fast, u32 part)
{
	const SweepLine *best = NULL;
	double most = 0;
	bool comparable = slow->r->file && fast->r->file && !strcmp(slow->r->file, fast->r->file);
	for (u32 i = 0; i < slow->r->nlines; i++) {
		const SweepLine *l = &slow->r->lines[i], *other = comparable ? line_like(fast, l) : NULL;
		double more = l->us - (other ? other->us : 0);
		if (l->file && l->line && more > most && weight(l, part) > 0) {
			most = more;
			best = l;
		}
	}
	return best;
}

static double over_ideal(const SweepLine *l) { return l->ideal_lines > 0 ? l->lines / l->ideal_lines : 1; }

static double conflict_share(const SweepLine *l) { return l->lds > 0 ? l->conflicts / l->lds : 0; }

static void put_line(Buf *out, const SweepLine *l, const SweepPoint *slow, const SweepPoint *fast, u32 part)
{
	if (!l)
		return;
	const SweepLine *same = line_like(fast, l);
	buf_printf(out, ", mostly at ");
	if (slow->r->file && strcmp(l->file, slow->r->file) != 0)
		buf_printf(out, "%s:", l->file);
	buf_printf(out, "line %u", l->line);
	if (part == PART_lds_conflicts && l->lds > 0 && (!same || conflict_share(l) > conflict_share(same)))
		buf_printf(out, " (%.0f %% of its LDS cycles are conflicts)", 100 * conflict_share(l));
	else if ((part == PART_address || part == PART_latency || part == PART_bandwidth) &&
	         over_ideal(l) > 1.5 && (!same || over_ideal(l) > over_ideal(same)))
		buf_printf(out, " (%.1f times the cache lines that would do)", over_ideal(l));
	else if (part == PART_vector && l->utilization < 0.95 && (!same || l->utilization < same->utilization))
		buf_printf(out, " (%.0f %% of its lanes are busy)", 100 * l->utilization);
}

static const char *limiter(const SweepPoint *p)
{
	for (u32 i = 0; p->r->limiter && i < OCC_LIMITER_COUNT; i++)
		if (!strcmp(p->r->limiter, occ_limiter_name[i]))
			return i == OCC_waves ? "all that fit" : occ_limiter_doc[i];
	return "limit unknown";
}

/* Which of two takes longer, if that is worth a reason. */
typedef enum { AS_FAST, SLOWER, FASTER } Pace;

/* May that be a reason? worse: by how much p is worse than the other in it; a difference that is none of time is told
 * as it is. */
static bool explains(Pace pace, double worse, double least)
{
	return fabs(worse) > least && (pace == AS_FAST || (pace == SLOWER) == (worse > 0));
}

static void put_occupancy(Buf *out, Pace pace, const SweepPoint *p, const SweepPoint *q)
{
	double fewer = q->r->waves_per_simd - p->r->waves_per_simd;
	if (!explains(pace, fewer, 0.005 * q->r->waves_per_simd))
		return;
	buf_printf(out, "; %.3g waves per SIMD (%s) instead of %.3g (%s)", p->r->waves_per_simd, limiter(p),
	           q->r->waves_per_simd, limiter(q));
}

static void put_ratios(Buf *out, Pace pace, const SweepPoint *p, const SweepPoint *q)
{
	if (explains(pace, q->r->utilization - p->r->utilization, 0.05))
		buf_printf(out, "; %.0f %% of lanes busy instead of %.0f %%", 100 * p->r->utilization,
		           100 * q->r->utilization);
	double mine = p->r->conflicts > 0 ? p->r->conflicts : 0, theirs = q->r->conflicts > 0 ? q->r->conflicts : 0;
	if (explains(pace, mine - theirs, 0.05))
		buf_printf(out, "; %.0f %% of LDS cycles are conflicts instead of %.0f %%", 100 * mine, 100 * theirs);
	if (p->r->coalescing >= 0 && q->r->coalescing >= 0 &&
	    explains(pace, q->r->coalescing - p->r->coalescing, 0.05))
		buf_printf(out, "; coalescing %.0f %% instead of %.0f %%", 100 * p->r->coalescing,
		           100 * q->r->coalescing);
	if (explains(pace, (double)(p->r->scratch_bytes > 0) - (double)(q->r->scratch_bytes > 0), 0.5))
		buf_printf(out, "; registers %s spilled to memory", p->r->scratch_bytes > 0 ? "are" : "are no longer");
}

const char *sweep_why(const SweepPoint *p, const SweepPoint *q, const char *whom, Arena *a)
{
	Buf out = {0};
	if (p == q) {
		const char *is = !strcmp(whom, "the best") ? "the best: " : "the usual launch: ";
		return arena_printf(a, "%s%s", is, p->r->bound_doc);
	}
	bool slower = p->r->time_us >= q->r->time_us;
	const SweepPoint *slow = slower ? p : q, *fast = slower ? q : p;
	double gap = slow->r->time_us - fast->r->time_us;
	Pace pace = gap < worth_saying * fast->r->time_us ? AS_FAST : slower ? SLOWER : FASTER;
	if (pace == AS_FAST) {
		buf_printf(&out, "as fast as %s: %s", whom, p->r->bound_doc);
	} else {
		u32 part = 0;
		for (u32 i = 1; i <= PART_COUNT; i++)
			if (slow->r->part_us[i] - fast->r->part_us[i] > slow->r->part_us[part] - fast->r->part_us[part])
				part = i;
		double more = slow->r->part_us[part] - fast->r->part_us[part];
		buf_printf(&out, "%.3g times %s %s: %s, ", slow->r->time_us / fast->r->time_us,
		           slower ? "as long as" : "as fast as", whom, part_doc(part));
		put_time(&out, more);
		buf_printf(&out, slower ? " more" : " less");
		if (part < PART_COUNT)
			put_line(&out, line_of(slow, fast, part), slow, fast, part);
		if (more > worth_the_rest * gap) {
			buf_printf(&out, ", and ");
			put_time(&out, more - gap);
			buf_printf(&out, slower ? " less of all else" : " more of all else");
		}
		if (strcmp(p->r->bound_by, q->r->bound_by) != 0)
			buf_printf(&out, "; here %s, there %s", p->r->bound_doc, q->r->bound_doc);
	}
	put_occupancy(&out, pace, p, q);
	put_ratios(&out, pace, p, q);
	return buf_keep(&out, a);
}
