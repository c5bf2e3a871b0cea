/* Which work-groups of a launch to record and to play: see estimate.h. */
#include "models/timing/estimate.h"

enum { USUAL_POOLS = 2, RECORD_WORDS = 1 << 24, LEAST_WORDS = 1 << 12, LEAST_RUN = 4 };

static u32 groups_resident(const Device *dev, const Occupancy *o, u32 all_pools)
{
	double n = o->groups_per_cu * dev->cus_per_wgp;
	if (dev->max_waves_gpu && o->waves_per_group) {
		double most = (double)dev->max_waves_gpu / all_pools / o->waves_per_group;
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
	p->resident = groups_resident(dev, o, p->all_pools);
	p->wave_places = o->wave_places;
	if (dev->max_waves_gpu && dev->max_waves_gpu / p->all_pools < p->wave_places)
		p->wave_places = dev->max_waves_gpu / p->all_pools;
	if (p->wave_places < p->resident * wpg)
		p->wave_places = p->resident * wpg;
	p->group_places = o->group_places > p->resident ? o->group_places : p->resident;
}

void estimate_plan(EstimatePlan *p, const Device *dev, const Occupancy *o, u64 ngroups, u32 pools,
                   u32 percent, Arena *a)
{
	*p = (EstimatePlan){.all_pools = dev->compute_units / dev->cus_per_wgp, .ngroups = ngroups};
	p->all_pools = p->all_pools ? p->all_pools : 1;
	estimate_settle(p, dev, o);
	p->rounds = (ngroups + p->all_pools - 1) / p->all_pools;
	u64 most = (u64)p->resident * ESTIMATE_FILLINGS;
	p->played = (u32)(p->rounds < most ? p->rounds : most);
	pools = pools ? pools : USUAL_POOLS;
	u64 in_first = ngroups < p->all_pools ? ngroups : p->all_pools;
	p->pools = (u32)(in_first < pools ? in_first : pools);
	p->pools = p->pools ? p->pools : 1;
	p->groups = ARENA_ARRAY(a, u64, (u64)p->played * p->pools + 1);
	for (u32 r = 0; r < p->played; r++) {
		u64 round = (u64)r * p->rounds / p->played;
		for (u32 j = 0; j < p->pools; j++) {
			u64 g = round * p->all_pools + (u64)j * in_first / p->pools;
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
