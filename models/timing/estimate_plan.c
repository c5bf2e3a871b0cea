/* Which work-groups of a launch to record and to play: see estimate.h. */
#include "models/timing/estimate.h"

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
