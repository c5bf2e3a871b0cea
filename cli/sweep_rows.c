/* A stored sweep as report/ takes it, and written in the formats that are asked for. */
#include "engine/sweep.h"
#include "cli/words.h"

#include "report/json_kit.h"

#include <unistd.h>

static bool damaged(Diag *d) { return diag_error(d, NO_LOC, "the store holds a sweep that cannot be read"); }

static const char *text_of(const cJSON *o, const char *key, Arena *a)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);
	return cJSON_IsString(v) ? arena_strdup(a, v->valuestring) : NULL;
}

static bool read_axes(const cJSON *spec, Arena *a, SweepInput *out)
{
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(spec, "axes"), *axis, *value;
	SweepAxis *axes = ARENA_ARRAY(a, SweepAxis, cJSON_GetArraySize(list) + 1);
	cJSON_ArrayForEach(axis, list) {
		const cJSON *values = cJSON_GetObjectItemCaseSensitive(axis, "values");
		const char **v = ARENA_ARRAY(a, const char *, cJSON_GetArraySize(values) + 1);
		const char *name = text_of(axis, "name", a);
		u32 n = 0;
		cJSON_ArrayForEach(value, values)
			v[n++] = cJSON_IsString(value) ? arena_strdup(a, value->valuestring) : "";
		if (!name)
			return false;
		axes[out->naxes++] = sweep_axis(name, v, n);
	}
	out->axes = axes;
	return cJSON_IsArray(list);
}

static bool is_usual(const cJSON *spec, u32 n)
{
	const cJSON *v;
	cJSON_ArrayForEach(v, cJSON_GetObjectItemCaseSensitive(spec, "usual"))
		if (cJSON_IsNumber(v) && v->valuedouble == n)
			return true;
	return false;
}

bool sweep_rows(Store *s, const StoreSweep *sweep, Arena *a, SweepInput *out, Diag *d)
{
	StoreSweptPoints stored;
	*out = (SweepInput){0};
	if (!store_swept(s, sweep->id, a, &stored, d))
		return false;
	cJSON *spec = cJSON_Parse(sweep->spec);
	out->title = text_of(spec, "title", a);
	out->program = text_of(spec, "program", a);
	const cJSON *points = cJSON_GetObjectItemCaseSensitive(spec, "points");
	bool ok = out->title && out->program && cJSON_IsNumber(points) && points->valuedouble >= 0 &&
	          points->valuedouble < UINT32_MAX && read_axes(spec, a, out);
	out->product = ok ? (u32)points->valuedouble : 0;
	SweepRow *rows = ARENA_ARRAY(a, SweepRow, stored.n + 1);
	for (u32 i = 0; ok && i < stored.n; i++) {
		const StoreSwept *from = &stored.v[i];
		cJSON *settings = cJSON_Parse(from->settings);
		const char **values = ARENA_ARRAY(a, const char *, out->naxes + 1);
		for (u32 k = 0; k < out->naxes; k++)
			values[k] = text_of(settings, out->axes[k].name, a);
		cJSON_Delete(settings);
		rows[out->nrows++] = (SweepRow){from->n, values, is_usual(spec, from->n), from->status, from->note,
		                                from->report, from->results};
	}
	out->rows = rows;
	cJSON_Delete(spec);
	return ok || damaged(d);
}

/* ---- what is shown, and where ---- */

typedef enum { WORD_JSON, WORD_CSV, WORD_HTML, WORD_TUNER, WORD_TOP, WORD_COUNT } WordId;
static const Word words[WORD_COUNT] = {
	{"--json", "FILE", "every point with its whole report; - writes it to standard output"},
	{"--csv", "FILE", "a row for each point"},
	{"--html", "FILE", "one page for a browser: ranking, map of two settings"},
	{"--kernel-tuner", "FILE", "Kernel Tuner's results file (T4)"},
	{"--top", "N", "points to show (default 20; 0: all)"},
};

bool sweep_outputs(SweepOutputs *to, int argc, char *const *argv, char **rest, int *nrest, Diag *d)
{
	static const u32 files[] = {WORD_JSON, WORD_CSV, WORD_HTML, WORD_TUNER};
	const char *value[WORD_COUNT] = {0};
	u64 top = 20;
	bool ok = words_split(words, WORD_COUNT, argc, argv, value, rest, nrest, d) &&
	          words_one_stdout(words, value, files, COUNT(files), d) &&
	          words_number("--top", value[WORD_TOP], 0, MOST_VALUES, &top, d);
	*to = (SweepOutputs){.json = value[WORD_JSON], .csv = value[WORD_CSV], .html = value[WORD_HTML],
	                     .tuner = value[WORD_TUNER], .top = (u32)top};
	return ok;
}

void sweep_outputs_help(Buf *out) { words_help(words, WORD_COUNT, out); }

static bool write_format(const char *path, void (*format)(const Sweep *, Buf *), const Sweep *s, Diag *d)
{
	Buf out = {0};
	if (!path)
		return true;
	format(s, &out);
	bool ok = output_file(path, NO_LOC, &out, d);
	array_free(&out);
	return ok;
}

static bool to_stdout(const char *path) { return path && !strcmp(path, "-"); }

bool sweep_show(Store *store, const StoreSweep *sweep, const SweepOutputs *to, u32 *ran, Diag *d)
{
	Arena *a = arena_new();
	SweepInput in;
	bool ok = sweep_rows(store, sweep, a, &in, d);
	const Sweep *s = ok ? sweep_build(&in, a) : NULL;
	*ran = ok ? s->nran : 0;
	if (ok && to->tuner && s->ndevices > 1) {
		ok = diag_error(d, NO_LOC, "--kernel-tuner: a file of Kernel Tuner is about one device, this sweep about %u",
		                s->ndevices);
		diag_hint(d, "sweep one device at a time");
	}
	ok = ok && write_format(to->json, sweep_json, s, d) && write_format(to->csv, sweep_csv, s, d) &&
	     write_format(to->html, sweep_html, s, d) && write_format(to->tuner, sweep_tuner, s, d);
	if (ok && !to->quiet && !to_stdout(to->json) && !to_stdout(to->csv) &&
	    !to_stdout(to->html) && !to_stdout(to->tuner)) {
		Buf text = {0};
		SinkStyle style = output_style(STDOUT_FILENO);
		sweep_text(s, &style, to->top, &text);
		ok = output_stdout(text.v, text.n, d);
		array_free(&text);
	}
	arena_free(a);
	return ok;
}
