/* What the wavefronts of the estimate did when, as Chrome's trace events (Perfetto, chrome://tracing,
 * speedscope).
 *
 * A compute unit is a process, a place of a wavefront on a SIMD a thread of it. A thread has
 * wavefronts, one after the other; within each the source lines it was at; within these what it did
 * there. So events nest, and the innermost ones of a source line are to all of them as its share of the
 * time (lines[].cycles_share) is to 1. A counter shows the wavefronts that a compute unit holds, others the percentage
 * of the time that units of what was played are busy.
 *
 * A microsecond of the trace is a cycle of the device: viewers count whole nanoseconds, and an
 * instruction takes one or two. Times are rounded to a thousandth of a cycle before durations are
 * taken, so what nests stays nested. Each event is a JSON object of its own and printed at once:
 * there may be hundreds of thousands. */
#include "report/json_kit.h"
#include "report/report.h"

#include <math.h>

typedef struct TraceWriter {
	const Result *r;
	Buf *out;
	u32 simds;
	u32 *place;  /* per life: on its SIMD, from 0 */
	u32 *places; /* per SIMD */
	u32 *cu_of;  /* per SIMD */
	u32 *first;  /* per life, and one more: its spans in order[] */
	u32 *order;
	bool any;
} TraceWriter;

enum { THREADS = 1000 }; /* places of a SIMD, at most */

/* Processes are numbered from 1 for compute units; all that were played together are process 0. */
static const u32 ALL_PLAYED = UINT32_MAX; /* + 1 is 0 */

static cJSON *new_event(const char *phase, const char *name, u32 cu, u64 thread)
{
	cJSON *o = cJSON_CreateObject();
	json_text(o, "ph", phase);
	json_text(o, "name", name);
	json_int(o, "pid", cu + 1);
	if (thread)
		json_int(o, "tid", thread);
	return o;
}

static void put_event(TraceWriter *t, cJSON *o)
{
	buf_printf(t->out, "%s\n", t->any ? "," : "");
	t->any = true;
	json_put(o, true, t->out);
}

/* Thousandths of a cycle. */
static i64 tick(double cycles) { return llround(cycles * 1000); }

static void put_ticks(cJSON *o, const char *key, i64 ticks)
{
	json_raw(o, key, "%lld.%03lld", (long long)(ticks / 1000), (long long)(ticks % 1000));
}

static void put_span(TraceWriter *t, u32 life, const char *category, const char *name, i64 from, i64 to)
{
	const TimingLife *l = &t->r->timeline.lives.v[life];
	if (to <= from)
		return;
	cJSON *o = new_event("X", name, l->cu, (u64)l->simd * THREADS + t->place[life] + 1);
	json_text(o, "cat", category);
	put_ticks(o, "ts", from);
	put_ticks(o, "dur", to - from);
	put_event(t, o);
}

/* ---- places ---- */

/* The first place of its SIMD that is free when it begins; lives are in the order of beginning. */
static void find_places(TraceWriter *t, Arena *a)
{
	const Timeline *line = &t->r->timeline;
	for (u32 i = 0; i < line->lives.n; i++)
		t->simds = line->lives.v[i].simd >= t->simds ? line->lives.v[i].simd + 1 : t->simds;
	t->place = ARENA_ARRAY(a, u32, line->lives.n + 1);
	t->places = ARENA_ARRAY(a, u32, t->simds + 1);
	t->cu_of = ARENA_ARRAY(a, u32, t->simds + 1);
	double *free_from = ARENA_ARRAY(a, double, (size_t)t->simds * THREADS + 1);
	for (u32 i = 0; i < line->lives.n; i++) {
		const TimingLife *l = &line->lives.v[i];
		double *of = free_from + (size_t)l->simd * THREADS;
		u32 p = 0;
		while (p + 1 < THREADS && p < t->places[l->simd] && of[p] > l->begin)
			p++;
		of[p] = l->end;
		t->place[i] = p;
		t->places[l->simd] = p >= t->places[l->simd] ? p + 1 : t->places[l->simd];
		t->cu_of[l->simd] = l->cu;
	}
}

static void put_process(TraceWriter *t, u32 cu, const char *name)
{
	cJSON *o = new_event("M", "process_name", cu, 0);
	json_text(cJSON_AddObjectToObject(o, "args"), "name", name);
	put_event(t, o);
}

/* Spans by life; those of one are in the order of time already. */
static void put_names(TraceWriter *t)
{
	char name[80];
	if (t->r->timeline.use.n)
		put_process(t, ALL_PLAYED, "all compute units that were played, and their share of L2, L3 and DRAM");
	for (u32 s = 0; s < t->simds; s++) {
		if (!s || t->cu_of[s] != t->cu_of[s - 1]) {
			snprintf(name, sizeof name, "compute unit %u (1 us is 1 cycle)", t->cu_of[s]);
			put_process(t, t->cu_of[s], name);
		}
		for (u32 p = 0; p < t->places[s]; p++) {
			snprintf(name, sizeof name, "SIMD %u, place %u", s, p);
			cJSON *o = new_event("M", "thread_name", t->cu_of[s], (u64)s * THREADS + p + 1);
			json_text(cJSON_AddObjectToObject(o, "args"), "name", name);
			put_event(t, o);
		}
	}
}

/* ---- wavefronts ---- */

static void line_name(const Result *r, u32 cost_line, Buf *out)
{
	enum { LONGEST = 60 };
	const CostLine *at = &r->estimate->costs->lines.v[cost_line];
	out->n = 0;
	if (!at->line) {
		buf_printf(out, "(no source line)");
		return;
	}
	u32 n = 0;
	const char *text = result_source_line(&r->sources[at->file], at->line, &n);
	while (n && (*text == ' ' || *text == '\t')) {
		text++;
		n--;
	}
	buf_printf(out, "line %u: %.*s", at->line, (int)(n < LONGEST ? n : LONGEST), text ? text : "");
}

/* Spans order[from … to) are of one life and one line: runs of the same part. */
static void put_parts(TraceWriter *t, u32 life, u32 from, u32 to, i64 end)
{
	const Timeline *line = &t->r->timeline;
	for (u32 i = from, k; i < to; i = k) {
		const TimingSpan *s = &line->spans.v[t->order[i]], *last = s;
		for (k = i + 1; k < to; k++) {
			const TimingSpan *next = &line->spans.v[t->order[k]];
			if (next->part != s->part || tick(next->from) != tick(last->to))
				break;
			last = next;
		}
		i64 stop = tick(last->to);
		put_span(t, life, "part", time_part_doc[s->part], tick(s->from), stop < end ? stop : end);
	}
}

static void put_life(TraceWriter *t, u32 life)
{
	const Timeline *line = &t->r->timeline;
	const TimingLife *l = &line->lives.v[life];
	Buf name = {0};
	i64 end = tick(l->end);
	buf_printf(&name, "group %llu, wavefront %u", (unsigned long long)l->group, l->wave);
	put_span(t, life, "wavefront", name.v, tick(l->begin), end);
	for (u32 i = t->first[life], k; i < t->first[life + 1]; i = k) {
		const TimingSpan *s = &line->spans.v[t->order[i]];
		for (k = i + 1; k < t->first[life + 1] && line->spans.v[t->order[k]].line == s->line; k++)
			;
		i64 stop = tick(line->spans.v[t->order[k - 1]].to);
		line_name(t->r, s->line, &name);
		put_span(t, life, "line", name.v, tick(s->from), stop < end ? stop : end);
		put_parts(t, life, i, k, end);
	}
	array_free(&name);
}

/* ---- wavefronts that a compute unit holds ---- */

typedef struct ResidencyStep {
	i64 at;
	u32 cu;
	i32 by;
} ResidencyStep;

static int by_time(const void *va, const void *vb)
{
	const ResidencyStep *a = va, *b = vb;
	if (a->cu != b->cu)
		return a->cu < b->cu ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

static void put_counters(TraceWriter *t, Arena *a)
{
	const Timeline *line = &t->r->timeline;
	u32 n = 2 * line->lives.n;
	ResidencyStep *steps = ARENA_ARRAY(a, ResidencyStep, n + 1);
	for (u32 i = 0; i < line->lives.n; i++) {
		const TimingLife *l = &line->lives.v[i];
		steps[2 * i] = (ResidencyStep){tick(l->begin), l->cu, 1};
		steps[2 * i + 1] = (ResidencyStep){tick(l->end), l->cu, -1};
	}
	qsort(steps, n, sizeof *steps, by_time);
	i64 there = 0;
	for (u32 i = 0; i < n; i++) {
		there += steps[i].by;
		bool more = i + 1 < n && steps[i + 1].cu == steps[i].cu && steps[i + 1].at == steps[i].at;
		if (more)
			continue;
		cJSON *o = new_event("C", "wavefronts", steps[i].cu, 0);
		put_ticks(o, "ts", steps[i].at);
		json_int(cJSON_AddObjectToObject(o, "args"), "resident", (u64)there);
		put_event(t, o);
	}
}

/* ---- how busy units are ---- */

static void put_use(TraceWriter *t)
{
	const UnitUse *use = &t->r->timeline.use;
	for (u32 u = 0; u < BUSY_COUNT; u++) {
		i64 last = -1;
		for (u32 i = 0; i <= use->n; i++) {
			i64 percent = i < use->n ? llround(100 * use->busy[u][i]) : 0;
			if (percent == (last < 0 ? 0 : last))
				continue;
			last = percent;
			cJSON *o = new_event("C", busy_unit_doc[u], ALL_PLAYED, 0);
			put_ticks(o, "ts", tick(i * use->slot));
			json_int(cJSON_AddObjectToObject(o, "args"), "% busy", (u64)percent);
			put_event(t, o);
		}
	}
}

static void put_about(const Result *r, Buf *out)
{
	cJSON *o = cJSON_CreateObject();
	json_text(o, "schema", "wavesim/1");
	JSON(o, *r, file, kernel, device);
	json_text(o, "time", "1 us of the trace is 1 cycle of the device");
	json_text(o, "missing", r->estimate->missing);
	if (!r->estimate->missing) {
		json_ratio(o, "cycles", r->estimate->cycles);
		json_ratio(o, "until", r->timeline.until);
		json_ratio(o, "units_until", r->timeline.use.end);
		json_ratio(o, "quantum", r->timeline.quantum); /* above 0: what took most of so many cycles */
	}
	json_put(o, true, out);
}

void sink_trace_events(const Result *r, const SinkStyle *style, Buf *out)
{
	(void)style;
	TraceWriter t = {.r = r, .out = out};
	Arena *a = arena_new();
	buf_printf(out, "{\"displayTimeUnit\":\"ns\",\"otherData\":");
	put_about(r, out);
	buf_printf(out, ",\"traceEvents\":[");
	find_places(&t, a);
	t.first = timeline_by_life(&r->timeline, &t.order);
	put_names(&t);
	for (u32 i = 0; i < r->timeline.lives.n; i++)
		put_life(&t, i);
	put_counters(&t, a);
	put_use(&t);
	buf_printf(out, "\n]}\n");
	free(t.first);
	free(t.order);
	arena_free(a);
}
