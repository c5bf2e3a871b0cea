/* What came of a run: reports as text, values of the JSON report by their path, buffers. */
#include "lib/impl.h"

/* ---- reports ---- */

static void write_sink(const wavesim_result_t *r, u32 sink, Buf *out)
{
	SinkStyle style = {.max_findings = (u32)r->o.max_errors, .verbose = r->o.verbose};
	for (u32 i = 0; r->o.weight && i < WEIGHT_COUNT; i++)
		style.weight = strcmp(r->o.weight, stack_weight_name[i]) ? style.weight : (StackWeight)i;
	sinks[sink].write(r->result, &style, out);
}

static const Buf *report(wavesim_result_t *r, const char *format)
{
	u32 which = 0;
	void (*write)(const LibSweep *s, Buf *out) = NULL;
	while (r->run && which < SINK_COUNT && strcmp(sinks[which].name, format))
		which++;
	if (r->run ? which == SINK_COUNT : !r->sweep || !lib_sweep_report(r->sweep, format, &which, &write))
		return NULL;
	Buf *out = &r->reports[which];
	if (out->v)
		return out;
	buf_printf(out, "%s", "");
	if (r->run)
		write_sink(r, which, out);
	else
		write(r->sweep, out);
	return out;
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

static const ResultQuery *query(wavesim_result_t *r)
{
	if (!r->query)
		r->query = result_query_text(report(r, "json")->v, r->result ? r->result->file : NULL);
	return r->query;
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
		[LAUNCH_UNSET] = "value", [LAUNCH_VALUE] = "value", [LAUNCH_BUFFER] = "buffer",
		[LAUNCH_LOCAL] = "local", [LAUNCH_NULL] = "null", [LAUNCH_IMAGE] = "image", [LAUNCH_SAMPLER] = "sampler",
	};
	const Launch *l = launch_of(r);
	*out = (wavesim_argument_t){0};
	if (!l || i >= l->nargs)
		return WAVESIM_NONE;
	const LaunchArg *a = &l->args[i];
	const KernelArg *k = &l->kernel_args[i];
	*out = (wavesim_argument_t){
	    .name = k->name, .type = k->type_name, .kind = kinds[a->kind], .format = format_of(&a->shape),
	    .lanes = a->shape.width, .stride = a->shape.stride, .count = a->count,
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
