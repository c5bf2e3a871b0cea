/* Advice on the launch and on what a wavefront takes: group sizes, occupancy steps. */
#include "engine/advice.h"

/* ---- the last wavefront of a group is not full ---- */

typedef struct Fill {
	u32 *lanes; /* per wave of the record: how many it began with */
	u32 wave;
} Fill;

/* Lanes that continue those of a shape at its last step. */
static void fill_access(void *ctx, u32 wave, const EventWord *w, LaneShape *s, i64 *offset, u64 *address)
{
	const Fill *f = ctx;
	(void)w;
	(void)address;
	/* Only of accesses by all of the work-items; the others' missing lanes are not known. */
	if (f->lanes[wave] == f->wave || s->lanes != f->lanes[wave])
		return;
	i64 step = s->lanes > 1 ? offset[s->lanes - 1] - offset[s->lanes - 2] : s->bytes;
	for (u32 i = s->lanes; i < f->wave; i++)
		offset[i] = offset[i - 1] + step;
	s->lanes = f->wave;
	s->mask = mask_first(f->wave);
}

/* The record's wavefronts, `all` that it has, in other groups, `waves` in each: a group takes those that come
 * next. What is left over is left out. Returns the groups. */
static u32 regroup(Events *ev, u32 all, u32 waves)
{
	ev->waves.n = all / waves * waves;
	for (u32 i = 0; i < ev->waves.n; i++) {
		ev->waves.v[i].group = i / waves;
		ev->waves.v[i].wave = i % waves;
	}
	return all / waves;
}

/* Sizes that may be better: the multiples of the wavefront next to it, and USUAL_WAVES of them where
 * work-items of a group do nothing together. */
enum { USUAL_WAVES = 4, MOST_SIZES = 3 };
static u32 sizes_to_try(const Advisor *a, u64 size, u64 out[MOST_SIZES])
{
	u32 wave = a->r->wave, n = 0;
	u64 most = a->in->device->max_group, down = size / wave * wave;
	if (down)
		out[n++] = down;
	if (down + wave <= most)
		out[n++] = down + wave;
	bool together = a->r->lds_bytes != 0;
	for (u32 i = 0; i < a->in->program->ins.n; i++)
		together |= a->in->program->ins.v[i].op == OP_barrier;
	if (!together && down + wave < (u64)wave * USUAL_WAVES && (u64)wave * USUAL_WAVES <= most)
		out[n++] = (u64)wave * USUAL_WAVES;
	return n;
}

static const EstimateChanged *time_size(Advisor *a, Events *filled, u32 all, u64 size)
{
	OccInput in = a->r->occupancy.o.in;
	Occupancy o;
	in.group_size = (u32)size;
	occupancy(a->in->device, &in, &o);
	u32 waves = (u32)(size / a->r->wave);
	return waves <= all && o.waves_per_cu > 0 && regroup(filled, all, waves)
	               ? advice_time(a, (EstimateChange){filled, .occupancy = &o,
	                                                 .ngroups = (a->r->items + size - 1) / size})
	               : NULL;
}

void advice_partial_wave(Advisor *a)
{
	const Result *r = a->r;
	u64 size = r->local[0] * r->local[1] * r->local[2], best = 0, sizes[MOST_SIZES];
	u64 full = (size + r->wave - 1) / r->wave * r->wave;
	if (size == full || r->ngroups < 2)
		return;
	const Events *ev = a->base.profile->events;
	Fill f = {.wave = r->wave, .lanes = ARENA_ARRAY(a->arena, u32, ev->waves.n + 1)};
	for (u32 i = 0; i < ev->waves.n; i++)
		f.lanes[i] = ev->waves.v[i].lanes;
	Events *filled = events_with(a, fill_access, &f);
	u32 n = sizes_to_try(a, size, sizes), all = ev->waves.n;
	const EstimateChanged *after, *fastest = NULL;
	Buf list = {0}, names = {0};
	for (u32 i = 0; i < n; i++) {
		buf_printf(&names, "%s%llu", i ? "," : "", (unsigned long long)sizes[i]);
		after = filled ? time_size(a, filled, all, sizes[i]) : NULL;
		if (!after)
			continue;
		buf_printf(&list, "%s%.4g us with %llu", fastest ? ", " : "timed: ", after->time_us, (unsigned long long)sizes[i]);
		if (!fastest || after->time_us < fastest->time_us) {
			fastest = after;
			best = sizes[i];
		}
	}
	if (filled)
		filled->waves.n = all; /* also those that the last size left out */
	events_free(filled);
	const char *ask = r->dims == 1 ? advice_text(a, "wavesim sweep --local %s", names.v) : "wavesim sweep --local auto";
	if (n)
		advise(a, ADVICE_partial_wave, 0, fastest,
		       advice_text(a, "work-groups of %llu on wavefronts of %u: %llu of %llu lanes have no work-item",
		                   (unsigned long long)size, r->wave, (unsigned long long)(full - size),
		                   (unsigned long long)full),
		       fastest ? advice_text(a, "work-groups of %llu (%s; %s runs them)%s", (unsigned long long)best, list.v, ask,
		                             r->items % best ? "; the last one is not full: round the global size up, and test the id" : "")
		               : advice_text(a, "choose a multiple of %u; %s tells which", r->wave, ask));
	array_free(&list);
	array_free(&names);
}

/* ---- just above a step of the occupancy ---- */

static void step(Advisor *a, AdviceId id, OccInput in, u32 loc, const char *message, const char *hint)
{
	Occupancy o;
	occupancy(a->in->device, &in, &o);
	const EstimateChanged *after = advice_time(a, (EstimateChange){.occupancy = &o});
	if (after)
		advise(a, id, loc, after, message, hint);
}

/* Are there more work-groups than fit at once? Else nothing more can come of occupancy. */
static bool more_would_come(const Advisor *a)
{
	return a->base.plan->per_wgp > a->base.plan->resident;
}

static const char *more_waves(Advisor *a)
{
	const Occupancy *o = &a->r->occupancy.o;
	bool simd = a->in->device->simds_per_cu > 1;
	return advice_text(a, "%.4g wavefronts per %s fit in place of %.4g", simd ? o->next.waves_per_simd : o->next.waves_per_cu,
	                   simd ? "SIMD" : "compute unit", simd ? o->waves_per_simd : o->waves_per_cu);
}

/* The variables that take most registers where most are needed. */
static const char *who_holds(Advisor *a)
{
	Buf b = {0};
	const Result *r = a->r;
	for (u32 i = 0, n = 0; i < r->peak.n && n < 3; i++) {
		const ResultLive *v = &r->peak.values[i];
		if (!v->name)
			continue;
		buf_printf(&b, "%s%s (%u)", n++ ? ", " : "", v->name, v->vgprs);
	}
	return buf_keep(&b, a->r->arena);
}

void advice_register_step(Advisor *a)
{
	const Occupancy *o = &a->r->occupancy.o;
	if (o->next.n != 1 || o->next.v[0].resource != OCC_vgprs || !more_would_come(a))
		return;
	u64 less = o->next.v[0].less, most = o->in.vgprs / 8 > 4 ? o->in.vgprs / 8 : 4;
	if (!less || less > most)
		return;
	OccInput in = o->in;
	in.vgprs = (u32)o->next.v[0].to;
	const char *held = who_holds(a);
	step(a, ADVICE_register_step, in, a->in->program->peak_loc,
	     advice_text(a, "%u vector registers: with %llu fewer %s", o->in.vgprs, (unsigned long long)less,
	                 more_waves(a)),
	     *held ? advice_text(a, "shorten what lives here: %s; load it later, or work on fewer values at a time", held)
	           : "load values later, or work on fewer of them at a time");
}

void advice_lds_step(Advisor *a)
{
	const Occupancy *o = &a->r->occupancy.o;
	if (o->next.n != 1 || o->next.v[0].resource != OCC_lds || !more_would_come(a))
		return;
	u64 less = o->next.v[0].less, most = o->in.lds_bytes / 8 > 256 ? o->in.lds_bytes / 8 : 256;
	if (!less || less > most)
		return;
	OccInput in = o->in;
	in.lds_bytes = o->next.v[0].to;
	step(a, ADVICE_lds_step, in, 0,
	     advice_text(a, "%s bytes of local memory: with %s fewer %s", advice_number(a, o->in.lds_bytes),
	                 advice_number(a, less), more_waves(a)),
	     advice_text(a, "make do with %s bytes: smaller tiles, narrower elements, or one array used twice",
	                 advice_number(a, o->next.v[0].to)));
}
