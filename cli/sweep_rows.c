/* Rows of a sweep from a store and into it, and the formats that are asked for. */
#include "cli/output.h"
#include "cli/sweep.h"

#include <unistd.h>

/* ---- the store ---- */

static bool is_usual(const SweepInput *in, u32 n)
{
	for (u32 i = 0; i < in->nusual; i++)
		if (in->usual[i] == n)
			return true;
	return false;
}

bool sweep_load(Store *s, i64 sweep, const SweepInput *in, Arena *a, SweepRows *out, Diag *d)
{
	StoreSweptPoints stored;
	if (!store_swept(s, sweep, a, &stored, d))
		return false;
	for (u32 i = 0; i < stored.n; i++) {
		const StoreSwept *from = &stored.v[i];
		SweepRow row = {from->n, sweep_settings_read(from->settings, in, a), is_usual(in, from->n),
		                from->status, from->note, from->report, from->results,
		                sweep_numbers_read(from->report, a)};
		array_push(out, row);
	}
	return true;
}

bool sweep_keep(void *ctx, const SweepRow *rows, u32 n, Diag *d)
{
	const SweepPlace *at = ctx;
	bool ok = store_begin(at->store, d);
	for (u32 i = 0; ok && i < n; i++) {
		const SweepRow *r = &rows[i];
		char *settings = sweep_settings_json(at->in, r);
		StoreSwept row = {r->n, settings, r->status, r->note, r->report, r->results};
		ok = store_swept_add(at->store, at->sweep, &row, d);
		free(settings);
	}
	return store_finish(at->store, ok, d);
}

/* ---- what is shown, and where ---- */

static const OptRow rows[] = {
	OPT_ROW_TEXT(SweepOutputs, json, "--json", "FILE", "every point with its whole report; - is standard output")
	OPT_ROW_TEXT(SweepOutputs, csv, "--csv", "FILE", "a row for each point")
	OPT_ROW_TEXT(SweepOutputs, html, "--html", "FILE", "one page for a browser: ranking, map of two settings")
	OPT_ROW_TEXT(SweepOutputs, tuner, "--kernel-tuner", "FILE", "Kernel Tuner's results file (T4)")
	OPT_ROW_WHOLE(SweepOutputs, top, "--top", "N", 0, MOST_VALUES, 20,
	              "number of points to show (default 20; 0: all)")
	OPT_ROW_WHOLE(SweepOutputs, error_exitcode, "--error-exitcode", "N", 0, 255, 0,
	              "exit status when a point has findings, or other results with --reference (default 0)")
};

bool sweep_outputs(SweepOutputs *to, int argc, char *const *argv, char **rest, int *nrest, Diag *d)
{
	*to = (SweepOutputs){0};
	return opt_take(rows, COUNT(rows), to, 0, argc, argv, rest, nrest, d);
}

bool sweep_outputs_apart(const SweepOutputs *to, const char *store, const Texts *read, const char *points,
                         const Texts *devices, Diag *d)
{
	const OutputOption own[] = {
		{"--json", to->json, NO_LOC, false}, {"--csv", to->csv, NO_LOC, false},
		{"--html", to->html, NO_LOC, false}, {"--kernel-tuner", to->tuner, NO_LOC, false},
		{"--store", store, NO_LOC, true}, {"--points", points, NO_LOC, true},
	};
	ARRAY(OutputOption) all = {0};
	for (u32 i = 0; i < COUNT(own); i++)
		array_push(&all, own[i]);
	for (u32 i = 0; i < read->n; i++)
		array_push(&all, ((OutputOption){"an input", read->v[i], NO_LOC, true}));
	for (u32 i = 0; devices && i < devices->n; i++)
		array_push(&all, ((OutputOption){"--device", devices->v[i], NO_LOC, true}));
	bool ok = options_apart(all.v, all.n, NULL, d);
	array_free(&all);
	return ok;
}

CompletionRows sweep_outputs_completes(void) { return (CompletionRows){.rows = rows, .n = COUNT(rows)}; }

void sweep_outputs_help(Buf *out) { opt_help(rows, COUNT(rows), 0, out); }

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

bool sweep_show(const SweepInput *in, const SweepOutputs *to, SweepCounts *counts, Diag *d)
{
	Arena *a = arena_new();
	const Sweep *s = sweep_build(in, a);
	bool ok = true;
	*counts = (SweepCounts){.ran = s->nran};
	for (u32 i = 0; i < s->nran; i++)
		counts->wrong += sweep_wrong(&s->points[i]);
	if (to->tuner && s->ndevices > 1) {
		ok = diag_error(d, NO_LOC, "--kernel-tuner: its format holds one device, but this sweep has %u",
		                s->ndevices);
		diag_hint(d, "sweep one device at a time");
	}
	ok = ok && write_format(to->json, sweep_json, s, d) && write_format(to->csv, sweep_csv, s, d) &&
	     write_format(to->html, sweep_html, s, d) && write_format(to->tuner, sweep_tuner, s, d);
	if (ok && !to->quiet && !is_stdout(to->json) && !is_stdout(to->csv) &&
	    !is_stdout(to->html) && !is_stdout(to->tuner)) {
		Buf text = {0};
		SinkStyle style = output_style(STDOUT_FILENO);
		sweep_text(s, &style, (u32)to->top, &text);
		ok = output_text(&text, d);
	}
	arena_free(a);
	return ok;
}
