/* What a record's part of the launch is, of its work and of the memory that all of it shares: see estimate_share.h. */
#include "models/timing/estimate_share.h"

#include "base/hash.h"

#include <math.h>

/* ---- lines that the recorded groups touch ---- */

static void add_access(HashSet *s, const LaneShape *shape, u64 address, u32 line_shift)
{
	u64 last = UINT64_MAX;
	for (u32 i = 0; i < shape->lanes; i++) {
		u64 at = address + (u64)shape->offset[i];
		for (u64 l = at >> line_shift; l <= (at + shape->bytes - 1) >> line_shift; l++) {
			if (l != last)
				hash_set_add(s, l);
			last = l;
		}
	}
}

static u64 lines_recorded(const Events *e)
{
	HashSet s = {0};
	u32 line_shift = (u32)__builtin_ctzll(e->fetch_bytes);
	for (u32 i = 0; i < e->waves.n; i++)
		for (EventWord w = {0}; event_next(&e->waves.v[i], &w);)
			if (w.kind == EVENT_ACCESS && !w.shape->lds)
				add_access(&s, w.shape, w.address, line_shift);
	u64 n = s.n;
	hash_set_free(&s);
	return n;
}

/* ---- parts of the launch ---- */

/* Of the lines that the recorded work-groups touch, the part that is theirs of so many of the launch. */
static double part_new(double recorded, double lines, u64 here)
{
	double fair = lines * recorded;
	return here && fair < (double)here ? fair / (double)here : 1;
}

/* Of a sample whose lines scale up to more than there are: work-groups share lines with neighbours that
 * did not run, or windows touch again what others did. Windows that do meet in the sample too, as often
 * as chance has it: 0: they do not, 1: they do as often as that. */
static double windows_overlap(const EventLines *l, double sampled, double laps)
{
	double met = 1 - (double)l->touched / (double)l->in_windows;
	double chance = 1 - (1 - pow(1 - sampled, laps)) / (laps * sampled);
	return chance > 0 && met < chance ? met / chance : 1;
}

/* The lines of the whole launch from those of the work-groups that ran: what all windows touch is
 * shared, and as many lines whether few or all work-groups run; the rest is theirs alone. */
static void lines_of_launch(const EstimateInput *in, double *touched, double *in_windows)
{
	const EventLines *l = &in->profile->events->lines;
	double ran = (double)in->profile->groups_run, windows = ran < EVENT_WINDOWS ? ran : EVENT_WINDOWS;
	double more = l->in_windows > l->touched ? (double)(l->in_windows - l->touched) : 0;
	double shared = windows > 1 ? more / (windows - 1) : 0;
	shared = shared < (double)l->touched ? shared : (double)l->touched;
	double sampled = ran / (double)in->plan->ngroups, all = (double)l->all, most = all - shared;
	double own = ((double)l->touched - shared) / sampled;
	*touched = shared + own < all ? shared + own : all;
	if (own > most && most > 0)
		own = most + (own - most) * windows_overlap(l, sampled, own / most);
	double window = shared + own / windows;
	*in_windows = windows * (window < all ? window : all);
}

/* The part of the launch that the record is: of uneven work-groups by what they do. */
static double part_recorded(const EstimateInput *in)
{
	const EstimatePlan *p = in->plan;
	const Events *e = in->profile->events;
	ProfileTotals t;
	u64 recorded = 0;
	if (!p->units)
		return (double)p->ngroups_recorded / (double)p->ngroups;
	profile_totals(in->program, in->profile, &t);
	for (u32 i = 0; i < e->waves.n; i++)
		recorded += e->waves.v[i].instructions;
	return (double)recorded / (double)t.wave_instructions;
}

/* Lines that a block asks memory for, all its executions together. */
static double lines_of_block(const EstimateInput *in, const Costs *costs, u32 b)
{
	const Block *block = &in->program->blocks.v[b];
	const BlockProf *prof = &in->profile->blocks[b];
	double lines = 0;
	for (u32 i = block->first; i < block->first + block->n; i++) {
		const AccessProf *x = &in->profile->accesses[i];
		lines += (double)(x->actual_lines + x->scalar_loads);
	}
	for (u32 k = costs->first_block[b]; k < costs->first_block[b + 1]; k++)
		for (u32 i = costs->blocks.v[k].first; i < costs->blocks.v[k].first + costs->blocks.v[k].n; i++)
			if (costs->ins.v[i].cls == MC_scratch)
				lines += costs->blocks.v[k].rate * (double)prof->lanes * costs->ins.v[i].lds.bytes /
				         in->dev->line_bytes;
	return lines;
}

/* The same part of what the launch asks memory for: uneven work-groups do not ask as they execute. */
double estimate_part_asked(const EstimateInput *in, const Costs *costs, Arena *scratch)
{
	const Events *e = in->profile->events;
	if (!in->plan->units)
		return part_recorded(in);
	double all = 0, here = 0, *each = ARENA_ARRAY(scratch, double, in->program->blocks.n + 1);
	for (u32 b = 0; b < in->program->blocks.n; b++) {
		double lines = lines_of_block(in, costs, b);
		u64 execs = in->profile->blocks[b].execs;
		all += lines;
		each[b] = execs ? lines / (double)execs : 0;
	}
	for (u32 i = 0; i < e->waves.n; i++)
		for (EventWord w = {0}; event_next(&e->waves.v[i], &w);)
			here += w.kind == EVENT_BLOCK ? each[w.block] : 0;
	return here > 0 ? here / all : part_recorded(in);
}

/* The part of lines that are there still when so many bytes have come since: lines spread over the sets of a cache by
 * chance, so that some sets drive out theirs a little earlier than others. When as many have come as there is room for,
 * half are left. */
static double part_left(double past, double room)
{
	double x = room > 0 ? past / room : 0, x4 = x * x * x * x;
	return room > 0 ? 1 / (1 + x4 * x4) : 0;
}

/* Bytes that an equal launch and the copies after it moved through the caches. A copy reads as much as it writes. */
static double bytes_before(const EstimateInput *in, double touched)
{
	if (in->not_copied)
		return 2 * touched;
	return 2 * (double)in->copied_bytes + fmin(touched, (double)in->kept_bytes);
}

/* Where halves of L2 keep what their sides read: of all that is touched, what work-groups share and has no room in
 * both. A sample does not tell how much they share. */
static double part_lost(const EstimateInput *in)
{
	const EventLines *l = &in->profile->events->lines;
	double shared = (double)l->met * (double)in->profile->events->fetch_bytes, room = in->dev->l2_shared_bytes;
	bool all = in->profile->groups_run == in->profile->groups;
	return room > 0 && all && shared > room ? (1 - room / shared) * (double)l->met / (double)l->touched : 0;
}

void estimate_share(const EstimateInput *in, const Costs *costs, MemoryInput *m)
{
	const EstimatePlan *p = in->plan;
	const Events *e = in->profile->events;
	m->wave = costs->wave;
	m->l1_bytes = p->l1_bytes;
	m->dies = p->ngroups < in->dev->xcds ? (u32)p->ngroups : in->dev->xcds;
	u64 here = lines_recorded(e);
	double touched, in_windows, recorded = part_recorded(in);
	/* What all share is shared out by what each does: units that are played to their end did the recorded part of
	 * the launch (the last round need not be full); of others all rounds are alike. */
	m->share = p->per_wgp <= p->played ? fmin(recorded, 1) : (double)p->wgps / p->all_wgps;
	lines_of_launch(in, &touched, &in_windows);
	/* Private memory: of all places of wavefronts that are used. */
	double places = fmin(p->wave_places, (double)p->per_wgp * e->waves.n / p->ngroups_recorded);
	double frames = (double)costs->frame * places, private = frames * p->wgps / (double)e->fetch_bytes;
	/* A sample may touch parts of lines whose rest other work-groups touch. */
	double room = e->lines.touched ? touched * (double)e->lines.room / (double)e->lines.touched : 0;
	room = fmin(room, (double)e->lines.all);
	double bytes = room * (double)e->fetch_bytes + frames * fmin(p->all_wgps, (double)p->ngroups);
	m->new_lines = part_new(recorded, touched, here);
	/* Dies have an L2 each; what work-groups share is in each of them. */
	double l2_bytes = in->dev->l2_bytes * (1 + (m->dies - 1) * m->new_lines);
	m->fits_l2 = bytes <= l2_bytes;
	m->past_l3 = bytes > in->dev->l3_bytes ? 1 - in->dev->l3_bytes / bytes : 0;
	m->lost = m->fits_l2 ? part_lost(in) : 0;
	m->held[0] = in->warm ? part_left(bytes_before(in, bytes), l2_bytes) : 0;
	m->held[1] = in->warm ? part_left(bytes_before(in, bytes), in->dev->l3_bytes) : 0;
	/* What an equal launch just before wrote is still there: this one drives as much of it out as it writes. */
	m->keeps_writes = m->fits_l2 && (!in->warm || bytes_before(in, bytes) <= l2_bytes);
	m->new_below = 1;
	if (!m->fits_l2 && in_windows > 0) {
		/* What work-groups far from each other share is no longer there for the later one. */
		m->new_lines = part_new(recorded, in_windows, here);
		m->new_below = touched / in_windows;
	}
	double lines = (double)here + private;
	m->own = lines > 0 ? (m->new_lines * (double)here + private) / lines : 1;
}
