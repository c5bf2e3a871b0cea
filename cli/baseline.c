/* A launch beside a saved report: see baseline.h. */
#include "cli/baseline.h"

#include "base/number.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "report/saved.h"

#include <unistd.h>

bool baseline_limit(const char *text, Loc at, const char *line, double *percent, Diag *d)
{
	*percent = -1;
	if (!text)
		return true;
	Buf number = {0};
	size_t n = strlen(text);
	buf_printf(&number, "%.*s", (int)(n && text[n - 1] == '%' ? n - 1 : n), text);
	bool ok = parse_f64(number.v, percent) && *percent >= 0 && *percent <= 1e6;
	array_free(&number);
	if (ok)
		return true;
	diag_error(d, at, "--fail-slower wants a percentage, such as 5%%, not '%s'", text);
	return options_quote(line, d);
}

bool baseline_slower(const Compare *c, double percent, bool *slower, Diag *d)
{
	const Estimate *a = c->side[0]->estimate, *b = c->side[1]->estimate;
	*slower = false;
	for (u32 i = 0; percent >= 0 && i < SIDES; i++)
		if (c->side[i]->estimate->missing)
			return diag_error(d, NO_LOC, "--fail-slower: no time is known of %s: %s", c->label[i],
			                  c->side[i]->estimate->missing);
	if (percent < 0 || b->time_us <= a->time_us * (1 + percent / 100))
		return true;
	*slower = true;
	Buf why = {0};
	for (u32 i = 0; i < c->nreasons; i++)
		buf_printf(&why, "%s%s", i ? "; " : "", c->reasons[i]);
	char now[TIME_WORDS], then[TIME_WORDS];
	diag_error(d, NO_LOC, "%s is %.3g %% more than the %s of %s: --fail-slower allows %.3g %%",
	           time_words(now, b->time_us), 100 * (b->time_us / a->time_us - 1), time_words(then, a->time_us),
	           c->label[0], percent);
	if (why.n)
		diag_hint(d, "%s", why.v);
	array_free(&why);
	return true;
}

bool baseline_show(const Options *o, const Result *r, bool print, int *status, Diag *d)
{
	Arena *a = arena_new();
	const char *label[SIDES] = {path_name(o->baseline), "this run"};
	CompareResults results = saved_results(o->before, r, a);
	Compare *c = compare_build(o->before, r, label, &results);
	bool ok = true;
	if (print) {
		Buf text = {0};
		SinkStyle style = output_style(STDOUT_FILENO);
		compare_baseline(c, &style, &text);
		ok = output_text(&text, d);
	}
	bool slower;
	ok &= baseline_slower(c, o->slower, &slower, d);
	if (slower && *status == EXIT_FINE)
		*status = EXIT_DIFFERENT;
	compare_free(c);
	arena_free(a);
	return ok;
}
