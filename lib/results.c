/* What came of a run: reports as text, values of the JSON report by their path, buffers. */
#include "lib/impl.h"

/* ---- reports ---- */

static void write_sink(const wavesim_result_t *r, u32 sink, Buf *out)
{
	SinkStyle style = specs_style(&r->o);
	sinks[sink].write(r->result, &style, out);
}

typedef struct LibReport {
	wavesim_result_t *r;
	u32 sink;
	void (*write)(const LibSweep *s, Buf *out); /* of a sweep */
	Buf *out;
} LibReport;

static void write_report(void *report)
{
	const LibReport *w = report;
	buf_printf(w->out, "%s", "");
	if (w->r->run)
		write_sink(w->r, w->sink, w->out);
	else
		w->write(w->r->sweep, w->out);
}

static const Buf *report(wavesim_result_t *r, const char *format)
{
	LibReport w = {.r = r};
	while (r->run && w.sink < SINK_COUNT && strcmp(sinks[w.sink].name, format))
		w.sink++;
	if (r->run ? w.sink == SINK_COUNT : !r->sweep || !lib_sweep_report(r->sweep, format, &w.sink, &w.write))
		return NULL;
	w.out = &r->reports[w.sink];
	if (w.out->v || lib_guard(write_report, &w, NULL) == LIB_ENOUGH)
		return w.out;
	array_free(w.out);
	return NULL;
}

const char *wavesim_report(wavesim_result_t *r, const char *format, size_t *size)
{
	locale_t caller = lib_enter();
	const Buf *text = report(r, format);
	lib_leave(caller);
	if (size)
		*size = text ? text->n : 0;
	return text ? text->v : NULL;
}

/* ---- values ---- */

typedef struct LibQuery {
	wavesim_result_t *r;
	const Buf *json;
} LibQuery;

static void read_report(void *query)
{
	const LibQuery *q = query;
	wavesim_result_t *r = q->r;
	r->query = result_query_text(q->json->v, r->result ? r->result->file : NULL);
	if (!r->query)
		reserve_missed(); /* a report of our own can be read */
}

static const ResultQuery *query(wavesim_result_t *r)
{
	LibQuery q = {r, r->query ? NULL : report(r, "json")};
	if (r->query || !q.json || lib_guard(read_report, &q, NULL) == LIB_ENOUGH)
		return r->query;
	result_query_free(r->query);
	return r->query = NULL;
}

static bool value(wavesim_result_t *r, const char *path, ResultValue *out)
{
	locale_t caller = lib_enter();
	const ResultQuery *q = query(r);
	bool there = q && result_query(q, path, out);
	lib_leave(caller);
	return there;
}

wavesim_status_t wavesim_number(wavesim_result_t *r, const char *path, double *out)
{
	ResultValue v;
	if (!value(r, path, &v) || v.text)
		return WAVESIM_NONE;
	*out = v.number;
	return WAVESIM_OK;
}

const char *wavesim_text(wavesim_result_t *r, const char *path)
{
	ResultValue v;
	return value(r, path, &v) ? v.text : NULL;
}

size_t wavesim_length(wavesim_result_t *r, const char *path)
{
	locale_t caller = lib_enter();
	const ResultQuery *q = query(r);
	size_t n = q ? result_query_length(q, path) : 0;
	lib_leave(caller);
	return n;
}

/* ---- arguments ---- */

static const Launch *launch_of(const wavesim_result_t *r) { return r->run ? engine_launch(r->run) : NULL; }

size_t wavesim_argument_count(const wavesim_result_t *r)
{
	const Launch *l = launch_of(r);
	return l ? l->nargs : 0;
}

/* As NumPy names the type of a number. */
static const char *format_of(const ElemShape *s)
{
	static const char *const formats[][4] = {
		[ELEM_OTHER] = {"|u1", "|u1", "|u1", "|u1"},
		[ELEM_INT] = {"|i1", "<i2", "<i4", "<i8"},
		[ELEM_UINT] = {"|u1", "<u2", "<u4", "<u8"},
		[ELEM_FLOAT] = {"|u1", "<f2", "<f4", "<f8"},
	};
	u32 size = s->elem_bytes >= 8 ? 3 : s->elem_bytes >= 4 ? 2 : s->elem_bytes >= 2 ? 1 : 0;
	return formats[s->elem_class][size];
}

wavesim_status_t wavesim_argument(const wavesim_result_t *r, size_t i, wavesim_argument_t *out)
{
	static const char *const kinds[] = {
	    [LAUNCH_UNSET] = "value", [LAUNCH_VALUE] = "value", [LAUNCH_BUFFER] = "buffer",   [LAUNCH_LOCAL] = "local",
	    [LAUNCH_NULL] = "null",   [LAUNCH_IMAGE] = "image", [LAUNCH_SAMPLER] = "sampler",
	};
	const Launch *l = launch_of(r);
	*out = (wavesim_argument_t){0};
	if (!l || i >= l->nargs)
		return WAVESIM_NONE;
	const LaunchArg *a = &l->args[i];
	const KernelArg *k = &l->kernel_args[i];
	*out = (wavesim_argument_t){.name = k->name,
	                            .type = k->type_name,
	                            .kind = a->pipe ? "pipe" : kinds[a->kind],
	                            .format = format_of(&a->shape),
	                            .lanes = a->shape.width,
	                            .stride = a->shape.stride,
	                            .count = a->count,
	                            .guessed = a->origin == FROM_GUESS || a->count_guessed};
	return WAVESIM_OK;
}

const void *wavesim_buffer(wavesim_result_t *r, const char *argument, size_t *size)
{
	const Launch *l = launch_of(r);
	const void *bytes = NULL;
	u64 n = 0;
	for (u32 i = 0; l && i < l->nargs && !bytes; i++)
		if (!strcmp(l->kernel_args[i].name, argument))
			bytes = engine_buffer(r->run, i, &n);
	if (size)
		*size = bytes ? n : 0;
	return bytes;
}
