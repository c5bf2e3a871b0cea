/* From rows to ranked points; see sweep_rank.h. */
#include "engine/sweep_rank.h"

/* ---- axes ---- */

const char *const sweep_axis_name[AXIS_KINDS] = {
	[AXIS_OTHER] = "",           [AXIS_FILE] = "file",     [AXIS_MACRO] = "-D ",   [AXIS_ARG] = "--arg ",
	[AXIS_KERNEL] = "kernel",    [AXIS_GLOBAL] = "global", [AXIS_LOCAL] = "local", [AXIS_OFFSET] = "offset",
	[AXIS_WAVE] = "wave",        [AXIS_DEVICE] = "device", [AXIS_BANKS] = "banks",
	[AXIS_GRID] = "grid",
};
const char *const sweep_axis_option[AXIS_KINDS] = {
	[AXIS_MACRO] = "-D",         [AXIS_ARG] = "--arg",     [AXIS_KERNEL] = "--kernel", [AXIS_GLOBAL] = "--global",
	[AXIS_LOCAL] = "--local",    [AXIS_OFFSET] = "--offset", [AXIS_WAVE] = "--wave",   [AXIS_DEVICE] = "--device",
	[AXIS_BANKS] = "--banks",    [AXIS_GRID] = "--grid",
};

SweepAxis sweep_axis(const char *name, const char *const *values, u32 n)
{
	SweepAxis axis = {.name = name, .own = name, .values = values, .n = n};
	for (u32 i = AXIS_OTHER + 1; i < AXIS_KINDS; i++) {
		size_t len = strlen(sweep_axis_name[i]);
		bool named = i == AXIS_MACRO || i == AXIS_ARG;
		if (named ? strncmp(name, sweep_axis_name[i], len) : strcmp(name, sweep_axis_name[i]))
			continue;
		axis.kind = (SweepAxisKind)i;
		axis.own = named ? name + len : name;
	}
	return axis;
}

/* ---- order ---- */

static int by_device_and_time(const void *va, const void *vb)
{
	const SweepPoint *a = va, *b = vb;
	if (a->ran != b->ran || !a->ran)
		return (int)b->ran - (int)a->ran;
	int device = strcmp(a->r->device, b->r->device);
	return device ? device : by_double(&a->r->time_us, &b->r->time_us);
}

static int by_place(const void *va, const void *vb)
{
	const SweepPoint *a = va, *b = vb;
	if (a->ran != b->ran)
		return a->ran ? -1 : 1;
	int order = a->ran ? by_double(&a->place_us, &b->place_us) : 0;
	if (!order && a->ran)
		order = strcmp(a->r->device, b->r->device);
	if (!order && a->ran)
		order = by_double(&a->r->instructions, &b->r->instructions);
	if (!order && a->ran)
		order = by_double(&a->r->time_us, &b->r->time_us);
	return order ? order : a->row->n < b->row->n ? -1 : a->row->n > b->row->n;
}

/* Times that differ by less are equal, and a smaller gain leaves the launch as it is. */
static const double worth_changing = 1.01;

static void sort_points(Sweep *s)
{
	if (!s->n)
		return;
	qsort(s->points, s->n, sizeof *s->points, by_device_and_time);
	for (u32 i = 0; i < s->nran; i++) {
		SweepPoint *p = &s->points[i];
		const SweepPoint *q = i ? p - 1 : p;
		bool as_fast = !strcmp(p->r->device, q->r->device) && p->r->time_us < worth_changing * q->place_us;
		p->place_us = i && as_fast ? q->place_us : p->r->time_us;
	}
	qsort(s->points, s->n, sizeof *s->points, by_place);
}

static SweepDevice *device_of(Sweep *s, const char *name)
{
	for (u32 i = 0; i < s->ndevices; i++)
		if (!strcmp(s->devices[i].name, name))
			return &s->devices[i];
	s->devices[s->ndevices] = (SweepDevice){.name = name};
	return &s->devices[s->ndevices++];
}

bool sweep_stopped(const SweepPoint *p) { return !strcmp(p->row->status, "stopped"); }

bool sweep_is_difference(const char *id, const char *severity)
{
	return (!strcmp(id, "reference_mismatch") || !strcmp(id, "unexpected_result")) && !strcmp(severity, "error");
}

bool sweep_wrong(const SweepPoint *p) { return p->r->differs || p->r->findings; }

/* Not a wrong one while its device has others. */
static bool may_be_best(const SweepPoint *p, const SweepDevice *d) { return !sweep_wrong(p) || sweep_wrong(d->best); }

/* Sorted times of all and of each device: those that points are ranked among, which are not wrong while
 * there are others. */
static void find_devices(Sweep *s, Arena *a)
{
	bool right = false;
	s->times = ARENA_ARRAY(a, double, s->nran + 1);
	s->devices = ARENA_ARRAY(a, SweepDevice, s->nran + 1);
	for (u32 i = 0; i < s->nran; i++) {
		const SweepPoint *p = &s->points[i];
		SweepDevice *d = device_of(s, p->r->device);
		d->ran++;
		right |= !sweep_wrong(p);
		if (!d->best || (sweep_wrong(d->best) && !sweep_wrong(p)))
			d->best = p;
		if (p->row->usual)
			d->usual = p;
	}
	for (u32 i = 0; i < s->ndevices; i++) {
		SweepDevice *d = &s->devices[i];
		if (d->usual && d->usual->r->time_us <= worth_changing * d->best->place_us &&
		    sweep_wrong(d->usual) <= sweep_wrong(d->best))
			d->best = d->usual;
		d->times = ARENA_ARRAY(a, double, d->ran);
	}
	for (u32 i = 0; i < s->nran; i++) {
		const SweepPoint *p = &s->points[i];
		SweepDevice *d = device_of(s, p->r->device);
		if (!right || !sweep_wrong(p))
			s->times[s->ntimes++] = p->r->time_us;
		if (may_be_best(p, d))
			d->times[d->ntimes++] = p->r->time_us;
	}
	sort(s->times, s->ntimes, sizeof *s->times, by_double);
	for (u32 i = 0; i < s->ndevices; i++)
		if (s->devices[i].ntimes)
			qsort(s->devices[i].times, s->devices[i].ntimes, sizeof(double), by_double);
}

/* Have they the same to do? Sizes and arguments say so; macros may. */
static bool same_task(const Sweep *s, const SweepPoint *p, const SweepPoint *q)
{
	bool groups = false; /* whose size says how much that is */
	for (u32 i = 0; i < s->in->naxes; i++)
		groups |= s->in->axes[i].kind == AXIS_GRID;
	for (u32 i = 0; i < s->in->naxes; i++) {
		SweepAxisKind kind = s->in->axes[i].kind;
		const char *x = p->row->values[i], *y = q->row->values[i];
		bool task = kind == AXIS_GLOBAL || kind == AXIS_GRID || kind == AXIS_OFFSET || kind == AXIS_ARG ||
		            (groups && kind == AXIS_LOCAL);
		if (task && (!x || !y || strcmp(x, y) != 0))
			return false;
	}
	return true;
}

/* Do points differ in what may make them launches of different kernels? */
static bool many_kernels(const Sweep *s)
{
	for (u32 i = 0; i < s->in->naxes; i++)
		if (s->in->axes[i].kind == AXIS_FILE || s->in->axes[i].kind == AXIS_KERNEL)
			return true;
	return false;
}

/* On its device a point with a shorter time than this is faster, as compare would say: a factor is far below
 * ratio_near. */
static double least_us(const Sweep *s, const SweepPoint *p)
{
	double factor = p->r->ratio_factor[many_kernels(s) ? RATIO_other : RATIO_same];
	return factor > 0 && factor < ratio_near ? p->r->time_us / factor : p->r->low_us;
}

static void compare(Sweep *s, SweepPoint *p, Arena *a)
{
	const SweepDevice *d = device_of(s, p->r->device);
	if (d->usual && *d->usual->row->results && *p->row->results && same_task(s, p, d->usual))
		p->results = strcmp(p->row->results, d->usual->row->results) ? RESULTS_OTHER : RESULTS_SAME;
	double least = least_us(s, p), least_of_all = s->ndevices > 1 ? p->r->low_us : least;
	p->rank = 1 + lower_bound(s->times, s->ntimes, sizeof *s->times, &least_of_all, by_double);
	p->rank_on_device = 1 + lower_bound(d->times, d->ntimes, sizeof *d->times, &least, by_double);
	p->ties_best = p->rank_on_device == 1 && may_be_best(p, d);
	p->times_best = d->best->r->time_us > 0 ? p->r->time_us / d->best->r->time_us : 1;
	p->why_best = sweep_why(p, d->best, "the best", a);
	p->why_usual = d->usual ? sweep_why(p, d->usual, "the usual launch", a) : "";
}

Sweep *sweep_build(const SweepInput *in, Arena *a)
{
	static const SweepNumbers none;
	Sweep *s = ARENA_NEW(a, Sweep);
	s->in = in;
	s->n = in->nrows;
	s->points = ARENA_ARRAY(a, SweepPoint, in->nrows + 1);
	for (u32 i = 0; i < in->nrows; i++) {
		SweepPoint *p = &s->points[i];
		p->row = &in->rows[i];
		p->why_best = p->why_usual = "";
		p->r = p->row->result ? p->row->result : &none;
		p->ran = p->row->result != NULL;
		s->nran += p->ran;
		s->nstopped += sweep_stopped(p);
		s->nskipped += !p->ran;
	}
	sort_points(s);
	find_devices(s, a);
	for (u32 i = 0; i < s->nran; i++) {
		s->points[i].position = i + 1;
		compare(s, &s->points[i], a);
	}
	return s;
}
