/* JSON -> Result: see saved.h. A key that is not there is 0, or unknown where it may be: reports of an older version.
 */
#include "report/saved.h"

#include "base/hash.h"
#include "report/json_kit.h"

#include <errno.h>
#include <math.h>

/* A line beyond is none: tables have an entry for each line up to the last. */
enum { MOST_LINE = 1 << 24 };

typedef struct Saved {
	Arena *arena;
	const cJSON *root;
	HashIndex names; /* of Result.sources */
} Saved;

static const cJSON *at(const cJSON *o, const char *a, const char *b)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, a);
	return b ? cJSON_GetObjectItemCaseSensitive(v, b) : v;
}

/* Unknown, or no number that a report has: other. */
static double number_or(const cJSON *v, double other)
{
	return cJSON_IsNumber(v) && isfinite(v->valuedouble) ? v->valuedouble : other;
}

static u64 count(const cJSON *o, const char *a, const char *b)
{
	double v = number_or(at(o, a, b), 0);
	return v > 0 && v < 0x1p64 ? (u64)v : 0;
}

static const char *text(const Saved *s, const cJSON *o, const char *a, const char *b)
{
	const cJSON *v = at(o, a, b);
	return cJSON_IsString(v) ? arena_strdup(s->arena, v->valuestring) : NULL;
}

static void count3(const cJSON *o, const char *a, const char *b, u64 out[3])
{
	const cJSON *v = at(o, a, b);
	for (int i = 0; i < 3; i++) {
		double x = number_or(cJSON_GetArrayItem(v, i), 0);
		out[i] = x > 0 && x < 0x1p64 ? (u64)x : 0;
	}
}

static void read_estimate(const Saved *s, Result *r)
{
	const cJSON *o = at(s->root, "estimate", NULL);
	Estimate *e = ARENA_NEW(s->arena, Estimate);
	r->estimate = e;
	if (!cJSON_IsObject(o)) {
		e->missing = "the saved report has no estimate";
		return;
	}
	const char *bound = text(s, o, "bound_by", NULL);
	for (u32 i = 0; bound && i < BOUND_COUNT; i++)
		e->bound_by = strcmp(bound, time_bound_name[i]) ? e->bound_by : (TimeBound)i;
	e->cycles = number_or(at(o, "cycles", NULL), 0);
	e->time_us = number_or(at(o, "time_us", NULL), 0);
	double low = number_or(at(o, "low_us", NULL), 0), high = number_or(at(o, "high_us", NULL), 0);
	e->low_us = low > 0 && low < e->time_us ? low : e->time_us;
	e->high_us = fmax(high, e->time_us);
	e->launch_us = number_or(at(o, "launch_us", NULL), 0);
	for (u32 i = 0; i < RATIO_COUNT; i++) {
		double factor = number_or(at(o, "ratio_factors", ratio_kind_name[i]), 0);
		e->ratio_factor[i] = factor >= 1 ? factor : 0;
	}
	for (u32 i = 0; i < PART_COUNT; i++)
		e->part[i] = number_or(at(o, "parts", time_part_name[i]), 0);
	e->tail = number_or(at(o, "parts", "tail"), 0);
	e->missing = e->time_us > 0 ? NULL : "the saved report has no time";
}

static void read_counts(const Saved *s, Result *r)
{
	const cJSON *o = s->root;
	r->vgprs = (u32)count(o, "resources", "vgprs");
	r->agprs = (u32)count(o, "resources", "agprs");
	r->sgprs = (u32)count(o, "resources", "sgprs");
	r->lds_bytes = count(o, "resources", "lds_bytes");
	r->scratch_bytes = count(o, "resources", "scratch_bytes");
	r->occupancy.o.waves_per_simd = number_or(at(o, "occupancy", "waves_per_simd"), NAN);
	const char *limiter = text(s, o, "occupancy", "limiter");
	for (u32 i = 0; limiter && i < OCC_LIMITER_COUNT; i++)
		r->occupancy.o.limiter = strcmp(limiter, occ_limiter_name[i]) ? r->occupancy.o.limiter : (OccLimiter)i;
	r->t.wave_instructions = count(o, "divergence", "wave_instructions");
	r->t.branches = count(o, "divergence", "branches");
	r->t.divergent_branches = count(o, "divergence", "divergent_branches");
	r->t.ends.lost = count(o, "divergence", "lost_lane_slots");
	r->serialized = count(o, "divergence", "serialized_wave_instructions");
	r->utilization = number_or(at(o, "divergence", "lane_utilization"), NAN);
	r->t.lds.accesses = count(o, "lds", "accesses");
	r->t.lds.ideal = count(o, "lds", "ideal_cycles");
	r->t.lds.actual = count(o, "lds", "actual_cycles");
	r->t.accesses = count(o, "memory", "accesses");
	r->t.ideal_lines = count(o, "memory", "ideal_lines");
	r->t.actual_lines = count(o, "memory", "actual_lines");
	r->t.bytes = count(o, "memory", "bytes");
	r->t.scalar_loads = count(o, "memory", "scalar_loads");
	r->waves.max = count(o, "wavefronts", "max_instructions");
}

static void read_machine(const Saved *s, Result *r)
{
	const cJSON *classes = at(s->root, "machine", "classes");
	if (!cJSON_IsObject(classes))
		return;
	MachineRun *run = ARENA_NEW(s->arena, MachineRun);
	for (u32 i = 0; i < MC_COUNT; i++)
		run->total[i] = count(classes, machine_class_name[i], NULL);
	r->machine.run = run;
}

static u32 source_of(Saved *s, Result *r, ResultSource *sources, const char *name)
{
	u64 hash = hash_text(name);
	for (u32 at = 0, i; hash_index_next(&s->names, hash, &at, &i);)
		if (!strcmp(sources[i].name, name))
			return i;
	hash_index_add(&s->names, hash, r->nsources);
	sources[r->nsources].name = arena_strdup(s->arena, name);
	return r->nsources++;
}

static void read_lines(Saved *s, Result *r)
{
	const cJSON *list = at(s->root, "lines", NULL), *o;
	u32 n = (u32)cJSON_GetArraySize(list);
	ResultSource *sources = ARENA_ARRAY(s->arena, ResultSource, n + 1);
	r->sources = sources;
	r->lines = ARENA_ARRAY(s->arena, ResultLine, n + 1);
	cJSON_ArrayForEach(o, list) {
		const cJSON *file = at(o, "file", NULL);
		ResultLine *l = &r->lines[r->nlines++];
		u64 line = cJSON_IsString(file) ? count(o, "line", NULL) : 0;
		l->line = line < MOST_LINE ? (u32)line : 0;
		l->file = l->line ? source_of(s, r, sources, file->valuestring) : 0;
		l->cycles_share = number_or(at(o, "cycles_share", NULL), -1);
		l->utilization = number_or(at(o, "lane_utilization", NULL), 0);
		l->t.wave_instructions = count(o, "wave_instructions", NULL);
	}
}

static void read_findings(const Saved *s, Result *r)
{
	const cJSON *o;
	cJSON_ArrayForEach(o, at(s->root, "findings", NULL)) {
		ResultFinding f = {.id = text(s, o, "id", NULL), .severity = text(s, o, "severity", NULL),
		                   .message = text(s, o, "message", NULL), .hint = text(s, o, "hint", NULL),
		                   .at = {.file = text(s, o, "file", NULL), .line = (u32)count(o, "line", NULL)}};
		if (!f.id || !f.severity || !f.message)
			continue;
		f.advice = !strcmp(f.severity, "advice") || at(o, "after_us", NULL);
		array_push(&r->findings, f);
	}
}

static Result *read_root(const cJSON *root, const char *path)
{
	Result *r = xcalloc(1, sizeof *r);
	r->arena = arena_new();
	Saved s = {.arena = r->arena, .root = root};
	r->file = text(&s, root, "file", NULL);
	r->file = r->file ? r->file : arena_strdup(r->arena, path);
	r->kernel = text(&s, root, "kernel", NULL);
	const char *hash = text(&s, root, "source_hash", NULL);
	r->source_hash = hash ? strtoull(hash, NULL, 16) : 0;
	r->device = text(&s, root, "device", NULL);
	r->options = text(&s, root, "launch", "options");
	r->wave = (u32)count(root, "wave", NULL);
	r->most_lost = NO_LINE;
	r->banks = (u32)count(root, "banks", NULL);
	count3(root, "launch", "global", r->global);
	count3(root, "launch", "local", r->local);
	r->ngroups = count(root, "launch", "groups");
	r->groups_run = count(root, "launch", "groups_run");
	const char *status = text(&s, root, "reference", "status");
	for (u32 i = 0; status && i < REF_STATUS_COUNT; i++)
		r->reference.status = strcmp(status, ref_status_name[i]) ? r->reference.status : (RefStatus)i;
	read_estimate(&s, r);
	read_counts(&s, r);
	read_machine(&s, r);
	read_lines(&s, r);
	read_findings(&s, r);
	hash_index_free(&s.names);
	return r;
}

Result *saved_read(const char *path, Diag *d)
{
	size_t n;
	char *json = read_file(path, &n);
	if (!json) {
		diag_error(d, NO_LOC, "cannot read '%s': %s", path, strerror(errno));
		return NULL;
	}
	Result *r = saved_parse(json, path, d);
	free(json);
	return r;
}

Result *saved_parse(const char *json, const char *path, Diag *d)
{
	Loc at_file = {path, 0, 0};
	cJSON *root = cJSON_Parse(json);
	const cJSON *schema = at(root, "schema", NULL);
	Result *r = cJSON_IsString(schema) && !strcmp(schema->valuestring, "wavesim/1") ? read_root(root, path) : NULL;
	cJSON_Delete(root);
	if (r && r->kernel && r->device && r->options)
		return r;
	diag_error(d, at_file, "this is not the saved report of a launch");
	diag_hint(d, "`wavesim kernel.cl --json FILE` writes one");
	if (r)
		result_free(r);
	return NULL;
}

/* ---- beside another ---- */

static const char *sizes(const u64 v[3], Arena *a)
{
	return arena_printf(a, "%" PRIu64 "x%" PRIu64 "x%" PRIu64, v[0], v[1], v[2]);
}

/* --wave and --banks make another machine of a device. */
static const char *machine(const Result *r, Arena *a)
{
	return arena_printf(a, "%s, %u lanes, %u LDS banks", r->device, r->wave, r->banks);
}

/* How much of the launch the counts are of. */
static const char *part_run(const Result *r, Arena *a)
{
	return r->groups_run && r->groups_run < r->ngroups
	           ? arena_printf(a, "%" PRIu64 " of %" PRIu64 " work-groups", r->groups_run, r->ngroups)
	           : "all";
}

CompareResults saved_results(const Result *before, const Result *after, Arena *a)
{
	const struct {
		const char *what, *value[SIDES];
	} same[] = {
	    {"kernel", {before->kernel, after->kernel}},
	    {"device", {machine(before, a), machine(after, a)}},
	    {"global size", {sizes(before->global, a), sizes(after->global, a)}},
	    {"work-group", {sizes(before->local, a), sizes(after->local, a)}},
	    {"part that ran", {part_run(before, a), part_run(after, a)}},
	    {"launch", {before->options, after->options}},
	};
	CompareResults out = {.missing = "a saved report has no buffers"};
	const char **notes = ARENA_ARRAY(a, const char *, COUNT(same));
	for (u32 i = 0; i < COUNT(same); i++) /* the last only where none of the others says it */
		if (strcmp(same[i].value[0], same[i].value[1]) && (i + 1 < COUNT(same) || !out.nnotes))
			notes[out.nnotes++] = arena_printf(a, "not the same %s: %s; %s", same[i].what, same[i].value[0],
			                                   same[i].value[1]);
	out.notes = notes;
	return out;
}
