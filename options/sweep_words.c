/* From the words of the command line, and a table of settings, to options with their alternatives. What a
 * sweep can vary is a row of axis_options. The options are sorted: first what decides the source, then sizes and
 * arguments, last the machine. So points that can share something lie side by side. */
#include "options/sweep.h"

#include "base/csv.h"

#include <errno.h>

const OptRow sweep_rows[] = {
	OPT_ROW_WHOLE(SweepWanted, jobs, "--jobs", "N", 1, 1024, 0, "workers (default: one per processor)")
	OPT_ROW_TEXT(SweepWanted, where, "--where", "EXPR",
	             "only points for which EXPR is true: --where 'bx * by <= 1024'")
	OPT_ROW_TEXT(SweepWanted, points, "--points", "FILE",
	             "combinations from a CSV table; its header names macros, local, device …")
	OPT_ROW_FLAG(SweepWanted, reference, "--reference", "compare the results of every execution with PoCL's")
	OPT_ROW_FLAG(SweepWanted, whole, "--whole", "stop no point early, however slow it is")
	OPT_ROW_WHOLE(SweepWanted, max_ulp, "--max-ulp", "N", 0, UINT64_MAX, 0,
	              "floats at most N units in the last place from the usual launch's are the same results")
	OPT_ROW_WHOLE(SweepWanted, threads, "--threads", "N", 1, 1024, 0, "threads of each worker")
	OPT_ROW_ALIAS(SweepWanted, "--num-threads", threads)
};
const u32 sweep_nrows = COUNT(sweep_rows);

typedef struct AxisOption {
	ValuesSyntax syntax;
	bool machine, size;
} AxisOption;
static const AxisOption axis_options[AXIS_KINDS] = {
	[AXIS_MACRO] = {VALUES_NUMBERS, false, false},  [AXIS_ARG] = {VALUES_ARG, false, true},
	[AXIS_KERNEL] = {VALUES_WORDS, false, false},   [AXIS_GLOBAL] = {VALUES_SIZES, false, true},
	[AXIS_LOCAL] = {VALUES_SIZES, false, true},     [AXIS_OFFSET] = {VALUES_SIZES, false, true},
	[AXIS_WAVE] = {VALUES_NUMBERS, true, false},    [AXIS_DEVICE] = {VALUES_WORDS, true, false},
	[AXIS_BANKS] = {VALUES_NUMBERS, true, false},   [AXIS_GRID] = {VALUES_SIZES, false, true},
};

/* Has each of them a name of its own? */
static bool is_named(SweepAxisKind kind) { return kind == AXIS_MACRO || kind == AXIS_ARG; }

/* own: the name of those that have one. */
static SweepOption new_option(SweepPlan *p, SweepAxisKind kind, const char *own)
{
	const AxisOption *as = &axis_options[kind];
	SweepOption o = {.kind = kind, .machine = as->machine, .size = as->size};
	o.name = is_named(kind) ? arena_printf(p->arena, "%s%s", sweep_axis_name[kind], own) : sweep_axis_name[kind];
	o.own = is_named(kind) ? own : o.name;
	return o;
}

/* May it be one more of them? hint: what to do when it is not the first of its name, or NULL. */
static bool check_name(SweepPlan *p, const SweepOption *o, Loc at, const char *hint)
{
	if (!utf8_is_valid(o->name, strlen(o->name))) /* names are keys of the store and of JSON */
		return diag_error(p->d, at, "%s: a name must be UTF-8", o->name);
	for (u32 i = 0; i < p->options.n; i++) {
		if (strcmp(p->options.v[i].name, o->name) != 0)
			continue;
		diag_error(p->d, at, "%s is given twice", o->name);
		if (hint)
			return diag_hint(p->d, "%s", hint);
	}
	return true;
}

static bool add_option(SweepPlan *p, SweepAxisKind kind, const char *value)
{
	size_t n = is_named(kind) ? strcspn(value, "=") : 0, equals = is_named(kind) && value[n];
	SweepOption o = new_option(p, kind, arena_strndup(p->arena, value, n));
	const char *text = value + n + equals;
	if (is_named(kind) && !equals) {
		array_push(&o.values, "");
		text = NULL;
	}
	if (!check_name(p, &o, NO_LOC, "separate its values by commas")) {
		array_free(&o.values);
		return false;
	}
	o.text = text;
	const char *why = text ? sweep_values(text, axis_options[kind].syntax, p->arena, &o.values) : NULL;
	array_push(&p->options, o);
	return why ? diag_error(p->d, NO_LOC, "%s '%s': %s", o.name, value, why) : true;
}

static int place_of(const SweepOption *o) { return o->kind == AXIS_FILE ? 0 : o->machine ? 3 : o->size ? 2 : 1; }

/* What decides the source first, then sizes, then the machine; else as they were given. */
static void sort_options(SweepPlan *p)
{
	for (u32 i = 1; i < p->options.n; i++) {
		SweepOption o = p->options.v[i];
		u32 k = i;
		for (; k && place_of(&p->options.v[k - 1]) > place_of(&o); k--)
			p->options.v[k] = p->options.v[k - 1];
		p->options.v[k] = o;
	}
}

/* Of the header "local", "device" …; "-D X" or just X; "--arg x". */
static SweepOption column_option(SweepPlan *p, const char *header)
{
	SweepAxis axis = sweep_axis(header + strspn(header, " "), NULL, 0);
	SweepOption o = new_option(p, sweep_axis_option[axis.kind] ? axis.kind : AXIS_MACRO, axis.own);
	o.tied = true;
	return o;
}

bool sweep_plan_table(SweepPlan *p, const char *path)
{
	size_t n;
	Csv c;
	char *text = read_file(path, &n);
	if (!text)
		return diag_error(p->d, NO_LOC, "cannot read '%s': %s", path, strerror(errno));
	if (strlen(text) != n) {
		free(text);
		return diag_error(p->d, NO_LOC, "'%s' is not a text file", path);
	}
	bool ok = csv_parse(&c, path, text, p->arena, p->d);
	if (ok && (!c.nrows || c.nrows > MOST_VALUES))
		ok = diag_error(p->d, (Loc){path, 0, 0},
		                c.nrows ? "these are too many rows" : "this table has no rows");
	for (u32 i = 0; ok && i < c.ncolumns; i++) {
		SweepOption o = column_option(p, c.header[i]);
		for (u32 k = 0; k < c.nrows; k++)
			array_push(&o.values, c.rows[k][i]);
		ok = check_name(p, &o, (Loc){path, 1, 0}, NULL);
		array_push(&p->options, o);
	}
	free(text);
	sort_options(p);
	return ok;
}

/* Which kind a word is the option of, or AXIS_OTHER; *value is what it contains. */
static SweepAxisKind kind_of(const char *word, const char **value)
{
	static const char block[] = "--block"; /* --local, in HIP's word */
	if (!strncmp(word, block, sizeof block - 1) && (!word[sizeof block - 1] || word[sizeof block - 1] == '=')) {
		*value = word[sizeof block - 1] ? word + sizeof block : NULL;
		return AXIS_LOCAL;
	}
	for (u32 i = 0; i < AXIS_KINDS; i++) {
		const char *option = sweep_axis_option[i];
		size_t n = option ? strlen(option) : 0;
		if (!n || strncmp(word, option, n) || (word[n] && word[n] != '=' && i != AXIS_MACRO))
			continue;
		*value = !word[n] ? NULL : word + n + (word[n] == '=');
		return (SweepAxisKind)i;
	}
	return AXIS_OTHER;
}

static bool add_file(SweepPlan *p, const char *path)
{
	SweepOption *files = sweep_option(p, AXIS_FILE);
	if (!files) {
		array_push(&p->options, new_option(p, AXIS_FILE, NULL));
		files = &p->options.v[p->options.n - 1];
	}
	for (u32 i = 0; i < files->values.n; i++)
		if (!strcmp(files->values.v[i], path))
			return diag_error(p->d, NO_LOC, "%s is given twice", path);
	array_push(&files->values, path);
	return true;
}

bool sweep_plan_words(SweepPlan *p, SweepWords *words, int argc, char *const *argv)
{
	bool ok = true, only_files = false;
	for (int k = 1; k < argc; k++) {
		const char *word = argv[k], *value = NULL;
		SweepAxisKind kind = only_files ? AXIS_OTHER : kind_of(word, &value);
		if (kind && !value && k + 1 == argc)
			ok = diag_error(p->d, NO_LOC, "%s wants a value", word);
		else if (kind)
			ok &= add_option(p, kind, value ? value : argv[++k]);
		else if (!only_files && !strcmp(word, "--"))
			only_files = true;
		else if (only_files || word[0] != '-' || !word[1])
			ok &= add_file(p, word);
		else {
			array_push(&words->rest, word);
			if (options_want_value(word) && k + 1 < argc)
				array_push(&words->rest, argv[++k]);
		}
	}
	sort_options(p);
	return ok;
}

bool sweep_check_rest(const SweepWords *words, const char *have, Diag *d)
{
	bool ok = true;
	for (u32 i = 0; i < words->rest.n; i++) {
		const char *word = words->rest.v[i];
		ok &= options_not_of_one(word, have, d);
		i += options_want_value(word);
	}
	return ok;
}

void sweep_words_free(SweepWords *words)
{
	for (u32 i = 0; i < words->options.n; i++)
		options_free(words->options.v[i]);
	array_free(&words->options);
	array_free(&words->rest);
	array_free(&words->sources);
}

bool sweep_take(SweepWanted *out, int argc, char *const *argv, char **rest, int *nrest, Diag *d)
{
	*out = (SweepWanted){0};
	return opt_take(sweep_rows, sweep_nrows, out, 0, argc, argv, rest, nrest, d);
}

bool sweep_plan_wanted(SweepPlan *p, SweepWords *words, const SweepWanted *want, const char *have, int argc,
                       char *const *argv)
{
	p->where = want->where;
	p->whole = want->whole;
	p->max_ulp = want->max_ulp;
	p->threads = (u32)want->threads;
	p->threads_given = want->threads != 0;
	words->reference = want->reference;
	return sweep_plan_words(p, words, argc, argv) && (!want->points || sweep_plan_table(p, want->points)) &&
	       sweep_check_rest(words, have, p->d) && sweep_check_options(p, words);
}
