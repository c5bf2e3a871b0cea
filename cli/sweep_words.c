/* From the words of the command line, and a table of settings, to options with their alternatives. What a
 * sweep can vary is a row of kinds. The options are sorted: first what decides the source, then sizes and
 * arguments, last the machine. So points that can share something lie side by side. */
#include "cli/sweep.h"

#include "isa/csv.h"

#include <errno.h>

typedef struct AxisKind {
	const char *option;
	const char *name; /* NULL: "option WORD", of its value's WORD=… */
	ValuesSyntax syntax;
	bool machine, size;
} AxisKind;
enum { MACRO_KIND, ARG_KIND };
static const AxisKind kinds[] = {
	[MACRO_KIND] = {"-D", NULL, VALUES_NUMBERS, false, false},
	[ARG_KIND] = {"--arg", NULL, VALUES_ARG, false, true},
	{"--kernel", "kernel", VALUES_WORDS, false, false},
	{"--global", "global", VALUES_SIZES, false, true},
	{"--local", "local", VALUES_SIZES, false, true},
	{"--offset", "offset", VALUES_SIZES, false, true},
	{"--wave", "wave", VALUES_NUMBERS, true, false},
	{"--device", "device", VALUES_WORDS, true, false},
	{"--banks", "banks", VALUES_NUMBERS, true, false},
};

SweepOption *sweep_option(SweepPlan *p, const char *name)
{
	for (u32 i = 0; i < p->options.n; i++)
		if (!strcmp(p->options.v[i].name, name))
			return &p->options.v[i];
	return NULL;
}

/* Names are keys of the store and of JSON. */
static bool is_utf8(const char *s)
{
	char *clean = utf8_clean(s, strlen(s));
	bool same = !strcmp(clean, s);
	free(clean);
	return same;
}

static bool add_option(SweepPlan *p, const AxisKind *kind, const char *value)
{
	SweepOption o = {.name = kind->name, .option = kind->option, .prefix = "", .machine = kind->machine,
	                 .size = kind->size};
	const char *text = value;
	if (!kind->name) {
		size_t n = strcspn(value, "=");
		o.name = arena_printf(p->arena, "%s %.*s", kind->option, (int)n, value);
		o.prefix = arena_strndup(p->arena, value, n + (value[n] == '='));
		text = value + n + (value[n] == '=');
		if (!value[n]) {
			array_push(&o.values, "");
			text = NULL;
		}
	}
	if (!is_utf8(o.name))
		return diag_error(p->d, NO_LOC, "%s: a name must be UTF-8", o.name);
	if (sweep_option(p, o.name)) {
		diag_error(p->d, NO_LOC, "%s is given twice", o.name);
		diag_hint(p->d, "separate its values by commas");
		return false;
	}
	const char *why = text ? sweep_values(text, kind->syntax, p->arena, &o.values) : NULL;
	array_push(&p->options, o);
	return why ? diag_error(p->d, NO_LOC, "%s '%s': %s", o.name, value, why) : true;
}

static int place_of(const SweepOption *o) { return !o->option ? 0 : o->machine ? 3 : o->size ? 2 : 1; }

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

/* The header "local", "device" …; "-D X" or just X; "--arg x". */
static const AxisKind *column_kind(const char *name)
{
	for (u32 i = 0; i < COUNT(kinds); i++)
		if (kinds[i].name && !strcmp(kinds[i].name, name))
			return &kinds[i];
	return !strncmp(name, "--arg ", 6) ? &kinds[ARG_KIND] : &kinds[MACRO_KIND];
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
		ok = diag_error(p->d, (Loc){path, 0, 0}, c.nrows ? "these are too many rows" : "this table has no rows");
	for (u32 i = 0; ok && i < c.ncolumns; i++) {
		const AxisKind *kind = column_kind(c.header[i]);
		const char *bare = strrchr(c.header[i], ' ') ? strrchr(c.header[i], ' ') + 1 : c.header[i];
		SweepOption o = {.name = kind->name ? kind->name : arena_printf(p->arena, "%s %s", kind->option, bare),
		                 .option = kind->option, .prefix = kind->name ? "" : arena_printf(p->arena, "%s=", bare),
		                 .machine = kind->machine, .size = kind->size, .tied = true};
		for (u32 k = 0; k < c.nrows; k++)
			array_push(&o.values, c.rows[k][i]);
		if (!is_utf8(o.name))
			ok = diag_error(p->d, (Loc){path, 1, 0}, "%s: a name must be UTF-8", o.name);
		else if (sweep_option(p, o.name))
			ok = diag_error(p->d, (Loc){path, 1, 0}, "%s is given twice", o.name);
		array_push(&p->options, o);
	}
	free(text);
	sort_options(p);
	return ok;
}

/* Which of the kinds a word is; *value is what stands in it. */
static const AxisKind *axis_kind(const char *word, const char **value)
{
	for (u32 i = 0; i < COUNT(kinds); i++) {
		size_t n = strlen(kinds[i].option);
		bool macro = !strcmp(kinds[i].option, "-D");
		if (strncmp(word, kinds[i].option, n) || (word[n] && word[n] != '=' && !macro))
			continue;
		*value = !word[n] ? NULL : word + n + (word[n] == '=');
		return &kinds[i];
	}
	return NULL;
}

static bool add_file(SweepPlan *p, const char *path)
{
	SweepOption *files = sweep_option(p, "file");
	if (!files) {
		array_push(&p->options, ((SweepOption){.name = "file", .prefix = ""}));
		files = &p->options.v[p->options.n - 1];
	}
	for (u32 i = 0; i < files->values.n; i++)
		if (!strcmp(files->values.v[i], path))
			return diag_error(p->d, NO_LOC, "%s is given twice", path);
	array_push(&files->values, path);
	return true;
}

bool sweep_plan_words(SweepPlan *p, int argc, char *const *argv)
{
	bool ok = true, only_files = false;
	for (int k = 1; k < argc; k++) {
		const char *word = argv[k], *value = NULL;
		const AxisKind *kind = only_files ? NULL : axis_kind(word, &value);
		if (kind && !value && k + 1 == argc)
			ok = diag_error(p->d, NO_LOC, "%s wants a value", word);
		else if (kind)
			ok &= add_option(p, kind, value ? value : argv[++k]);
		else if (!only_files && !strcmp(word, "--"))
			only_files = true;
		else if (only_files || word[0] != '-' || !word[1])
			ok &= add_file(p, word);
		else {
			array_push(&p->rest, word);
			if (options_want_value(word) && k + 1 < argc)
				array_push(&p->rest, argv[++k]);
		}
	}
	sort_options(p);
	return ok;
}
