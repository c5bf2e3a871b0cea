/* From stored rows to ranked points; see sweep.h. */
#include "report/sweep.h"

#include "report/json_kit.h"

/* ---- axes ---- */

const char *const sweep_axis_name[AXIS_KINDS] = {
	[AXIS_OTHER] = "",           [AXIS_FILE] = "file",     [AXIS_MACRO] = "-D ",   [AXIS_ARG] = "--arg ",
	[AXIS_KERNEL] = "kernel",    [AXIS_GLOBAL] = "global", [AXIS_LOCAL] = "local", [AXIS_OFFSET] = "offset",
	[AXIS_WAVE] = "wave",        [AXIS_DEVICE] = "device", [AXIS_BANKS] = "banks",
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

/* ---- a point's report ---- */

static const cJSON *at(const cJSON *o, const char *a, const char *b)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, a);
	return b ? cJSON_GetObjectItemCaseSensitive(v, b) : v;
}

static double number(const cJSON *o, const char *a, const char *b)
{
	const cJSON *v = at(o, a, b);
	return cJSON_IsNumber(v) ? v->valuedouble : 0;
}

static const char *text(const cJSON *o, const char *a, const char *b, Arena *arena)
{
	const cJSON *v = at(o, a, b);
	return cJSON_IsString(v) ? arena_strdup(arena, v->valuestring) : NULL;
}

static void numbers3(const cJSON *o, const char *a, const char *b, u64 out[3])
{
	const cJSON *v = at(o, a, b);
	for (int i = 0; i < 3; i++) {
		const cJSON *x = cJSON_GetArrayItem(v, i);
		out[i] = cJSON_IsNumber(x) && x->valuedouble >= 0 ? (u64)x->valuedouble : 0;
	}
}

static double share(double part, double all) { return all > 0 ? part / all : -1; }

static void read_estimate(SweepPoint *p, const cJSON *o, Arena *a)
{
	const cJSON *e = at(o, "estimate", NULL), *parts = at(e, "parts", NULL);
	p->ran = cJSON_IsObject(e);
	p->time_us = number(e, "time_us", NULL);
	p->low_us = number(e, "low_us", NULL);
	p->high_us = number(e, "high_us", NULL);
	p->launch_us = number(e, "launch_us", NULL);
	p->bound_by = text(e, "bound_by", NULL, a);
	p->bound_doc = p->bound_by;
	for (u32 i = 0; p->bound_by && i < BOUND_COUNT; i++)
		if (!strcmp(p->bound_by, time_bound_name[i]))
			p->bound_doc = time_bound_doc[i];
	double cycles = number(e, "cycles", NULL), us = p->time_us - p->launch_us;
	for (u32 i = 0; i <= PART_COUNT && cycles > 0; i++)
		p->part_us[i] = number(parts, i < PART_COUNT ? time_part_name[i] : "tail", NULL) / cycles * us;
}

static void read_lines(SweepPoint *p, const cJSON *o, Arena *a)
{
	const cJSON *list = at(o, "lines", NULL), *l;
	p->lines = ARENA_ARRAY(a, SweepLine, cJSON_GetArraySize(list) + 1);
	cJSON_ArrayForEach(l, list) {
		p->lines[p->nlines++] = (SweepLine){
			.file = text(l, "file", NULL, a),
			.line = (u32)number(l, "line", NULL),
			.us = number(l, "cycles_share", NULL) * (p->time_us - p->launch_us),
			.conflicts = number(l, "lds_conflict_cycles", NULL),
			.lds = number(l, "lds_actual_cycles", NULL),
			.lines = number(l, "actual_lines", NULL),
			.ideal_lines = number(l, "ideal_lines", NULL),
			.utilization = number(l, "lane_utilization", NULL),
			.divergent = (u64)number(l, "divergent_branches", NULL),
		};
	}
}

/* Advice is no problem. */
static u64 problems(const cJSON *findings)
{
	const cJSON *f;
	u64 n = 0;
	cJSON_ArrayForEach(f, findings) {
		const cJSON *severity = cJSON_GetObjectItemCaseSensitive(f, "severity");
		n += cJSON_IsString(severity) && (!strcmp(severity->valuestring, "error") ||
		                                  !strcmp(severity->valuestring, "warning"));
	}
	return n;
}

static void read_report(SweepPoint *p, Arena *a)
{
	cJSON *o = *p->row->report ? cJSON_Parse(p->row->report) : NULL;
	if (!o)
		return;
	read_estimate(p, o, a);
	p->device = text(o, "device", NULL, a);
	p->file = text(o, "file", NULL, a);
	p->kernel = text(o, "kernel", NULL, a);
	p->wave = (u32)number(o, "wave", NULL);
	p->banks = (u32)number(o, "banks", NULL);
	numbers3(o, "launch", "global", p->global);
	numbers3(o, "launch", "local", p->local);
	p->groups = (u64)number(o, "launch", "groups");
	p->groups_run = (u64)number(o, "launch", "groups_run");
	p->vgprs = (u32)number(o, "resources", "vgprs");
	p->lds_bytes = number(o, "resources", "lds_bytes");
	p->scratch_bytes = number(o, "resources", "scratch_bytes");
	p->waves_per_simd = number(o, "occupancy", "waves_per_simd");
	p->max_waves_per_simd = number(o, "occupancy", "max_waves_per_simd");
	p->limiter = text(o, "occupancy", "limiter", a);
	p->utilization = number(o, "divergence", "lane_utilization");
	p->conflicts = share(number(o, "lds", "conflict_cycles"), number(o, "lds", "actual_cycles"));
	p->coalescing = share(number(o, "memory", "ideal_lines"), number(o, "memory", "actual_lines"));
	p->findings = problems(at(o, "findings", NULL));
	p->differs = number(o, "reference", "mismatches") > 0;
	p->ran &= p->device && p->kernel && p->bound_by;
	double machine = number(o, "machine", "instructions");
	p->instructions = machine > 0 ? machine : number(o, "divergence", "wave_instructions");
	if (p->groups_run)
		p->instructions *= (double)p->groups / (double)p->groups_run;
	read_lines(p, o, a);
	cJSON_Delete(o);
}

/* ---- order ---- */

static int ascending(const void *va, const void *vb)
{
	double a = *(const double *)va, b = *(const double *)vb;
	return a < b ? -1 : a > b;
}

static int by_device_and_time(const void *va, const void *vb)
{
	const SweepPoint *a = va, *b = vb;
	if (a->ran != b->ran || !a->ran)
		return (int)b->ran - (int)a->ran;
	int device = strcmp(a->device, b->device);
	return device ? device : ascending(&a->time_us, &b->time_us);
}

static int by_place(const void *va, const void *vb)
{
	const SweepPoint *a = va, *b = vb;
	if (a->ran != b->ran)
		return a->ran ? -1 : 1;
	int order = a->ran ? ascending(&a->place_us, &b->place_us) : 0;
	if (!order && a->ran)
		order = strcmp(a->device, b->device);
	if (!order && a->ran)
		order = ascending(&a->instructions, &b->instructions);
	if (!order && a->ran)
		order = ascending(&a->time_us, &b->time_us);
	return order ? order : a->row->n < b->row->n ? -1 : a->row->n > b->row->n;
}

/* Whose time differs by less is as fast, and who gains less leaves the launch as it is. */
static const double worth_changing = 1.01;

static void sort_points(Sweep *s)
{
	if (!s->n)
		return;
	qsort(s->points, s->n, sizeof *s->points, by_device_and_time);
	for (u32 i = 0; i < s->nran; i++) {
		SweepPoint *p = &s->points[i];
		const SweepPoint *q = i ? p - 1 : p;
		bool as_fast = !strcmp(p->device, q->device) && p->time_us < worth_changing * q->place_us;
		p->place_us = i && as_fast ? q->place_us : p->time_us;
	}
	qsort(s->points, s->n, sizeof *s->points, by_place);
}

/* How many of the ascending times are below limit. */
static u32 below(const double *times, u32 n, double limit)
{
	u32 low = 0, high = n;
	while (low < high) {
		u32 mid = low + (high - low) / 2;
		if (times[mid] < limit)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
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

bool sweep_wrong(const SweepPoint *p) { return p->differs || p->findings; }

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
		SweepDevice *d = device_of(s, p->device);
		d->ran++;
		right |= !sweep_wrong(p);
		if (!d->best || (sweep_wrong(d->best) && !sweep_wrong(p)))
			d->best = p;
		if (p->row->usual)
			d->usual = p;
	}
	for (u32 i = 0; i < s->ndevices; i++) {
		SweepDevice *d = &s->devices[i];
		if (d->usual && d->usual->time_us <= worth_changing * d->best->place_us &&
		    sweep_wrong(d->usual) <= sweep_wrong(d->best))
			d->best = d->usual;
		d->times = ARENA_ARRAY(a, double, d->ran);
	}
	for (u32 i = 0; i < s->nran; i++) {
		const SweepPoint *p = &s->points[i];
		SweepDevice *d = device_of(s, p->device);
		if (!right || !sweep_wrong(p))
			s->times[s->ntimes++] = p->time_us;
		if (may_be_best(p, d))
			d->times[d->ntimes++] = p->time_us;
	}
	if (s->ntimes)
		qsort(s->times, s->ntimes, sizeof *s->times, ascending);
	for (u32 i = 0; i < s->ndevices; i++)
		if (s->devices[i].ntimes)
			qsort(s->devices[i].times, s->devices[i].ntimes, sizeof(double), ascending);
}

/* Have they the same to do? Sizes and arguments say so; macros may. */
static bool same_task(const Sweep *s, const SweepPoint *p, const SweepPoint *q)
{
	for (u32 i = 0; i < s->in->naxes; i++) {
		SweepAxisKind kind = s->in->axes[i].kind;
		const char *x = p->row->values[i], *y = q->row->values[i];
		bool task = kind == AXIS_GLOBAL || kind == AXIS_OFFSET || kind == AXIS_ARG;
		if (task && (!x || !y || strcmp(x, y) != 0))
			return false;
	}
	return true;
}

static void compare(Sweep *s, SweepPoint *p, Arena *a)
{
	const SweepDevice *d = device_of(s, p->device);
	if (d->usual && *d->usual->row->results && *p->row->results && same_task(s, p, d->usual))
		p->results = strcmp(p->row->results, d->usual->row->results) ? RESULTS_OTHER : RESULTS_SAME;
	p->rank = 1 + below(s->times, s->ntimes, p->low_us);
	p->rank_on_device = 1 + below(d->times, d->ntimes, p->low_us);
	p->ties_best = p->rank_on_device == 1 && may_be_best(p, d);
	p->times_best = d->best->time_us > 0 ? p->time_us / d->best->time_us : 1;
	p->why_best = sweep_why(p, d->best, "the best", a);
	p->why_usual = d->usual ? sweep_why(p, d->usual, "the usual launch", a) : "";
}

Sweep *sweep_build(const SweepInput *in, Arena *a)
{
	Sweep *s = ARENA_NEW(a, Sweep);
	s->in = in;
	s->n = in->nrows;
	s->points = ARENA_ARRAY(a, SweepPoint, in->nrows + 1);
	for (u32 i = 0; i < in->nrows; i++) {
		SweepPoint *p = &s->points[i];
		p->row = &in->rows[i];
		p->why_best = p->why_usual = "";
		read_report(p, a);
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

void sweep_settings(const SweepInput *in, const SweepRow *row, Buf *out)
{
	bool any = false;
	buf_printf(out, "%s", "");
	for (u32 i = 0; i < in->naxes; i++) {
		if (!row->values[i])
			continue;
		buf_printf(out, "%s%s %s", any ? ", " : "", in->axes[i].name, row->values[i]);
		any = true;
	}
	if (!any)
		buf_printf(out, "the launch as it is");
}
