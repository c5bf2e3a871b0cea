/* Which work-groups of a launch to record and to play: see estimate.h. */
#include "models/timing/estimate.h"

#include <math.h>

enum { USUAL_WGPS = 2, RECORD_WORDS = 1 << 24, LEAST_WORDS = 1 << 12, LEAST_RUN = 4 };

static u32 groups_resident(const Device *dev, const Occupancy *o, u32 all_wgps)
{
	double n = o->groups_per_cu * dev->cus_per_wgp;
	if (dev->max_waves_gpu && o->waves_per_group) {
		double most = (double)dev->max_waves_gpu / all_wgps / o->waves_per_group;
		n = n < most ? n : most;
	}
	return n >= 1 ? (u32)(n + 1e-9) : 1;
}

/* Neighbours of the recorded groups, until there are enough: what groups share with the next ones shows
 * in them. Recorded groups are evenly apart, the neighbours lie now before, now behind them: or those of
 * a launch that comes back to the same lines would all miss each other. */
static void choose_sample(EstimatePlan *p, u32 percent, Arena *a)
{
	u64 want = (p->ngroups * percent + 99) / 100;
	u64 length = p->ngroups_recorded ? (want + p->ngroups_recorded - 1) / p->ngroups_recorded : 1;
	length = length > LEAST_RUN ? length : LEAST_RUN;
	p->run = ARENA_ARRAY(a, u64, length * p->ngroups_recorded + 1);
	for (u32 i = 0; i < p->ngroups_recorded; i++) {
		u64 begin = p->nrun ? p->run[p->nrun - 1] + 1 : 0, here = p->groups[i];
		u64 before = (i * 0x9E3779B97F4A7C15u >> 32) % length, from = here > before ? here - before : 0;
		u64 end = i + 1 < p->ngroups_recorded ? p->groups[i + 1] : p->ngroups;
		for (u64 g = from > begin ? from : begin; g < end && g < from + length; g++)
			p->run[p->nrun++] = g;
	}
}

void estimate_settle(EstimatePlan *p, const Device *dev, const Occupancy *o)
{
	u32 wpg = o->waves_per_group ? o->waves_per_group : 1;
	p->resident = groups_resident(dev, o, p->all_wgps);
	p->l1_bytes = o->l1_bytes;
	p->wave_places = o->wave_places;
	if (dev->max_waves_gpu && dev->max_waves_gpu / p->all_wgps < p->wave_places)
		p->wave_places = dev->max_waves_gpu / p->all_wgps;
	if (p->wave_places < p->resident * wpg)
		p->wave_places = p->resident * wpg;
	p->group_places = o->group_places > p->resident ? o->group_places : p->resident;
}

void estimate_plan(EstimatePlan *p, const Device *dev, const Occupancy *o, u64 ngroups, u32 wgps,
                   u32 percent, Arena *a)
{
	*p = (EstimatePlan){.all_wgps = dev->compute_units / dev->cus_per_wgp, .ngroups = ngroups};
	p->all_wgps = p->all_wgps ? p->all_wgps : 1;
	estimate_settle(p, dev, o);
	p->per_wgp = (ngroups + p->all_wgps - 1) / p->all_wgps;
	u64 most = (u64)p->resident * ESTIMATE_ROUNDS;
	p->played = (u32)(p->per_wgp < most ? p->per_wgp : most);
	wgps = wgps ? wgps : USUAL_WGPS;
	u64 in_first = ngroups < p->all_wgps ? ngroups : p->all_wgps;
	p->wgps = (u32)(in_first < wgps ? in_first : wgps);
	p->wgps = p->wgps ? p->wgps : 1;
	p->groups = ARENA_ARRAY(a, u64, (u64)p->played * p->wgps + 1);
	for (u32 r = 0; r < p->played; r++) {
		u64 index = (u64)r * p->per_wgp / p->played;
		for (u32 j = 0; j < p->wgps; j++) {
			u64 g = index * p->all_wgps + (u64)j * in_first / p->wgps;
			if (g < ngroups)
				p->groups[p->ngroups_recorded++] = g;
		}
	}
	u64 waves = (u64)p->ngroups_recorded * (o->waves_per_group ? o->waves_per_group : 1);
	u64 words = waves ? RECORD_WORDS / waves : RECORD_WORDS;
	p->words = (u32)(words < LEAST_WORDS ? LEAST_WORDS : words);
	if (percent < 100)
		choose_sample(p, percent, a);
}

/* ---- uneven launches ---- */

/* The usual plan is not enough where it is off by this. */
static const double uneven = 1.1;

/* Wave instructions of a unit: of all its wavefronts; of those of its vector unit with most to do, as they are dealt
 * out; of those that run one after the other, at least. */
enum { WORK_ALL, WORK_SIMD, WORK_CHAIN, WORK_KINDS };
typedef struct UnitWork {
	double n[WORK_KINDS];
	bool chosen;
} UnitWork;

static UnitWork *units_work(const EstimatePlan *p, const Device *dev, const Profile *prof, Arena *a)
{
	u32 simds = dev->cus_per_wgp * dev->simds_per_cu, waves = (u32)(prof->waves / prof->groups);
	UnitWork *u = ARENA_ARRAY(a, UnitWork, p->all_wgps);
	double *simd = ARENA_ARRAY(a, double, (u64)p->all_wgps * simds);
	double slots = (double)(p->per_wgp < p->resident ? p->per_wgp : p->resident);
	for (u64 g = 0; g < p->ngroups; g++) {
		const GroupWork *w = &prof->work[g];
		u32 i = (u32)(g % p->all_wgps), turn = (u32)(g / p->all_wgps * (waves < simds ? waves : 1) % simds);
		u32 others = waves - 1 < simds - 1 ? waves - 1 : simds - 1;
		u[i].n[WORK_ALL] += w->all;
		u[i].n[WORK_CHAIN] += w->longest / slots;
		simd[i * simds + turn] += others ? w->longest : w->all;
		for (u32 k = 1; k <= others; k++)
			simd[i * simds + (turn + k) % simds] += (double)(w->all - w->longest) / others;
	}
	for (u64 g = 0; g < p->ngroups; g++)
		u[g % p->all_wgps].n[WORK_CHAIN] = fmax(u[g % p->all_wgps].n[WORK_CHAIN], prof->work[g].longest);
	for (u32 i = 0; i < p->all_wgps * simds; i++)
		u[i / simds].n[WORK_SIMD] = fmax(u[i / simds].n[WORK_SIMD], simd[i]);
	return u;
}

/* Has the unit with most to do more of it, or less, than the usual plan says? It takes its own units for all, with as
 * much to do as the mean. */
static bool differ(const EstimatePlan *p, const Profile *prof, const UnitWork *u)
{
	double recorded = 0, launch = 0, said[WORK_KINDS] = {0}, most[WORK_KINDS] = {0};
	for (u32 i = 0; i < p->ngroups_recorded; i++) {
		recorded += prof->work[p->groups[i]].all;
		for (u32 k = 0; k < WORK_KINDS; k++)
			said[k] = fmax(said[k], u[p->groups[i] % p->all_wgps].n[k]);
	}
	for (u32 i = 0; i < p->all_wgps; i++) {
		launch += u[i].n[WORK_ALL];
		for (u32 k = 0; k < WORK_KINDS; k++)
			most[k] = fmax(most[k], u[i].n[k]);
	}
	double scale = recorded > 0 ? launch / (double)p->ngroups / (recorded / p->ngroups_recorded) : 1;
	bool any = false;
	for (u32 k = 0; k < WORK_KINDS; k++)
		any |= most[k] > uneven * scale * said[k] || uneven * most[k] < scale * said[k];
	return any;
}

/* The next one by kind of work k, and of equal ones by what its vector unit has to do. */
static u32 choose_unit(UnitWork *u, u32 n, u32 k)
{
	u32 best = n;
	for (u32 i = 0; i < n; i++)
		if (!u[i].chosen && (best == n || u[i].n[k] > u[best].n[k] ||
		                     (u[i].n[k] >= u[best].n[k] && u[i].n[WORK_SIMD] > u[best].n[WORK_SIMD])))
			best = i;
	u[best].chosen = true;
	return best;
}

/* Words of a wavefront's record: the longest wavefronts are what it is about, and what is known to fit need not be
 * cut. */
static u32 words_that_fit(const EstimatePlan *p, const Profile *prof)
{
	u64 waves = prof->waves / prof->groups, words = RECORD_WORDS, all;
	do {
		all = 0;
		for (u32 i = 0; i < p->ngroups_recorded; i++) {
			u64 n = prof->work[p->groups[i]].all;
			all += n < words * waves ? n : words * waves;
		}
	} while (all > RECORD_WORDS / 2 && (words /= 2) > p->words);
	return words > p->words ? (u32)words : p->words;
}

u32 estimate_used(const EstimatePlan *p) { return p->ngroups < p->all_wgps ? (u32)p->ngroups : p->all_wgps; }

bool estimate_uneven(EstimatePlan *p, const EstimatePlan *from, const Device *dev, const Profile *prof, u32 units,
                     Arena *a)
{
	if (from->nrun || prof->stopped || prof->nwork < from->ngroups || from->ngroups < 2)
		return false;
	UnitWork *u = units_work(from, dev, prof, a);
	if (!differ(from, prof, u) && !(events_cut_off(prof->events) && words_that_fit(from, prof) > from->words))
		return false;
	*p = *from;
	u32 used = estimate_used(from);
	p->wgps = units < used ? units : used;
	u32 *chosen = ARENA_ARRAY(a, u32, p->wgps + from->wgps), n = 0;
	for (; n < from->wgps; n++) {
		chosen[n] = (u32)(from->groups[n] % from->all_wgps);
		u[chosen[n]].chosen = true;
	}
	for (u32 k = WORK_SIMD; n < p->wgps; k++)
		chosen[n++] = choose_unit(u, p->all_wgps, k % WORK_KINDS);
	p->wgps = n;
	sort(chosen, n, sizeof *chosen, by_u32);
	p->units = chosen;
	p->groups = ARENA_ARRAY(a, u64, (u64)p->played * n + 1);
	p->ngroups_recorded = 0;
	for (u32 r = 0; r < p->played; r++)
		for (u32 j = 0; j < n; j++) {
			u64 g = (u64)r * p->per_wgp / p->played * p->all_wgps + chosen[j];
			if (g < p->ngroups)
				p->groups[p->ngroups_recorded++] = g;
		}
	p->words = words_that_fit(p, prof);
	return true;
}
