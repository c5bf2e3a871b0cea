/* The options of a launch, from options.def: the command line, the environment and input files. */
#include "options/options.h"

#include "engine/result.h"
#include "engine/suppress.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

static const OptRow rows[OPTION_COUNT] = {
#define GROUP(title) OPT_ROW_GROUP(title)
#define LAUNCH_OPTIONS OPT_ROW_LAUNCH
#define ALIAS(name, member) OPT_ROW_ALIAS(Options, name, member)
#define FLAG(member, name, ...) OPT_ROW_FLAG(Options, member, name, __VA_ARGS__)
#define NUMBER(member, name, arg, min, max, def, help) OPT_ROW_WHOLE(Options, member, name, arg, min, max, def, help)
#define MAYBE(member, name, arg, help) OPT_ROW_MAYBE(Options, member, name, arg, help)
#define TEXT(member, name, arg, help) OPT_ROW_TEXT(Options, member, name, arg, help)
#include "options/options.def"
};

static const bool of_one[OPTION_COUNT] = {
#define RESULT(member) [OPTION_##member] = true,
#include "options/options.def"
};

static const u8 places[OPTION_COUNT] = {
#define PLACES(member, bits) [OPTION_##member] = bits,
#include "options/options.def"
};

static OptName name_of(const char *word)
{
	LaunchWords none = {0};
	OptTables t = {.set = {.rows = rows, .n = COUNT(rows)}, .launch = &none};
	return opt_name(&t, word);
}

bool options_want_value(const char *word)
{
	OptName name = name_of(word);
	return opt_wants_value(&name);
}

const char *options_name(OptionId id) { return rows[id].name; }

OptionId options_first_of_one(const Options *o, OptGiven rank, const OptionId *has, u32 n)
{
	for (u32 i = 0; i < OPTION_COUNT; i++) {
		bool own = false;
		for (u32 k = 0; k < n; k++)
			own |= has[k] == i;
		if (of_one[i] && !own && o->given[i] >= rank)
			return (OptionId)i;
	}
	return OPTION_COUNT;
}

bool options_not_of_one(const char *word, const char *have, Diag *d)
{
	OptName name = name_of(word);
	if (name.row ? !of_one[name.row - rows] : !name.launch || !name.launch->result)
		return true;
	diag_error(d, NO_LOC, "%.*s is only for a single launch", (int)strcspn(word, "="), word);
	return diag_hint(d, "%s; the others are for `wavesim FILE`", have);
}

CompletionRows options_completes(const OptionId *has, u32 n, Arena *a)
{
	bool *skip = has ? ARENA_ARRAY(a, bool, OPTION_COUNT) : NULL;
	if (skip)
		memcpy(skip, of_one, sizeof of_one);
	for (u32 i = 0; i < n; i++)
		skip[has[i]] = false;
	return (CompletionRows){.rows = rows, .n = COUNT(rows), .command = OPTIONS_OF_COMMANDS, .skip = skip};
}

bool options_quote(const char *line, Diag *d)
{
	const Loc *at = &d->msgs.v[d->msgs.n - 1].loc;
	if (!at->file || !at->line)
		return false;
	if (strcmp(at->file, "command line"))
		return diag_source_file(d, at->file);
	return line && diag_source(d, line);
}

/* Where a path leads, or would when it is made. */
static bool resolve(const char *path, char out[PATH_MAX])
{
	char folder[PATH_MAX];
	const char *name = path_name(path);
	if (realpath(path, out))
		return true;
	snprintf(folder, sizeof folder, "%.*s.", (int)(name - path), path);
	if (!realpath(folder, out))
		return false;
	size_t n = strlen(out);
	return (size_t)snprintf(out + n, PATH_MAX - n, "/%s", name) < PATH_MAX - n;
}

static bool is_device(const char *path)
{
	struct stat st;
	return !stat(path, &st) && !S_ISREG(st.st_mode); /* /dev/null may have all of them */
}

static bool one_file(const OutputOption *x, const OutputOption *y)
{
	char a[PATH_MAX], b[PATH_MAX];
	return x->path && y->path && !(x->read && y->read) && strcmp(x->path, "-") && strcmp(y->path, "-") &&
	       resolve(x->path, a) && resolve(y->path, b) && !strcmp(a, b) && !is_device(a);
}

static bool two_files(const OutputOption *outputs, u32 n, const char *line, Diag *d)
{
	for (u32 i = 0; i < n; i++)
		for (u32 k = 0; k < i; k++) {
			const OutputOption *x = &outputs[i], *y = &outputs[k];
			if (!one_file(x, y))
				continue;
			const OutputOption *w = x->read ? y : x, *other = x->read ? x : y;
			diag_error(d, w->at, other->read ? "%s would overwrite '%s', which is read (%s)"
			                                 : "%s would write to '%s', as %s does",
			           w->option, w->path, other->option);
			options_quote(line, d);
			return diag_hint(d, "give it another name");
		}
	return true;
}

bool options_apart(const OutputOption *outputs, u32 n, const char *line, Diag *d)
{
	const char *first = NULL;
	for (u32 i = 0; i < n; i++) {
		const OutputOption *x = &outputs[i];
		if (!x->path || strcmp(x->path, "-"))
			continue;
		if (first) {
			diag_error(d, x->at, "%s and %s both name standard output (-), which can take only one", first,
			           x->option);
			options_quote(line, d);
			return diag_hint(d, "write one of them to a file");
		}
		first = x->option;
	}
	return two_files(outputs, n, line, d);
}

void options_init(Options *o)
{
	*o = (Options){.arena = arena_new()};
	o->tables = (OptTables){.program = "wavesim", .hint = "wavesim --help lists all options",
	                        .command = OPTIONS_OF_COMMANDS, .arena = o->arena, .launch = &o->launch};
	o->tables.set = opt_set(rows, COUNT(rows), o, o->arena);
	o->tables.set.places = places;
	o->tables.set.untrusted_from = &rows[OPTION_untrusted];
	o->given = o->tables.set.given;
	o->loc = o->tables.set.loc;
}

void options_free(Options *o)
{
	result_free(o->before);
	array_free(&o->launch);
	arena_free(o->arena);
}

/* ---- options that exclude each other ---- */

static const struct {
	OptionId a, b;
	const char *clash;
} pairs[] = {
	{OPTION_device, OPTION_mcpu, "--device and --mcpu both name the device: give one of them"},
	{OPTION_check, OPTION_no_check, "--check and --no-check contradict each other: give one of them"},
};

static bool is_set(const Options *o, OptionId id)
{
	const void *member = (const u8 *)o + rows[id].member;
	return rows[id].kind == OPT_FLAG ? *(const bool *)member : *(const char *const *)member != NULL;
}

bool options_counts(const Options *o, OptionId id)
{
	for (u32 i = 0; i < COUNT(pairs); i++) {
		OptionId other = pairs[i].a == id ? pairs[i].b : pairs[i].b == id ? pairs[i].a : OPTION_COUNT;
		if (other != OPTION_COUNT && is_set(o, other) && o->given[other] > o->given[id])
			return false;
	}
	return is_set(o, id);
}

OptionId options_clash(const Options *o, const char **what)
{
	for (u32 i = 0; i < COUNT(pairs); i++) {
		*what = pairs[i].clash;
		if (options_counts(o, pairs[i].a) && options_counts(o, pairs[i].b))
			return pairs[i].b;
	}
	return OPTION_COUNT;
}

OptionId options_device_id(const Options *o)
{
	return options_counts(o, OPTION_mcpu) ? OPTION_mcpu : OPTION_device;
}

const char *options_device(const Options *o)
{
	return options_counts(o, OPTION_mcpu) ? o->mcpu : o->device ? o->device : "mi50";
}

const char *options_config(Arena *a)
{
	const char *folder = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	if (folder && *folder == '/')
		return arena_printf(a, "%s/wavesim/config", folder);
	return home && *home ? arena_printf(a, "%s/.config/wavesim/config", home) : NULL;
}

const char *options_cache(Arena *a)
{
	const char *folder = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	if (folder && *folder == '/')
		return arena_printf(a, "%s/wavesim", folder);
	return home && *home == '/' ? arena_printf(a, "%s/.cache/wavesim", home) : NULL;
}

/* The configuration file, if there is one. */
static bool parse_config(Options *o, Diag *d)
{
	const char *path = options_config(o->arena);
	size_t n;
	char *text = path && !o->no_config ? read_file(path, &n) : NULL;
	if (!text)
		return !path || o->no_config || access(path, F_OK) ||
		       diag_error(d, NO_LOC, "cannot read '%s': %s", path, strerror(errno));
	bool ok = strlen(text) == n ? opt_parse_config(&o->tables, path, text, d)
	                            : diag_error(d, (Loc){path, 0, 0}, "this is not a text file");
	free(text);
	return ok;
}

bool options_of_program(const char *word)
{
	OptName name = name_of(word);
	u32 row = name.row ? (u32)(name.row - rows) : OPTION_COUNT;
	return name.row ? places[row] && !(places[row] & OPT_CONFIG) && row != OPTION_test
	                : name.launch && name.launch->result;
}

static bool parse(Options *o, bool words_only, int argc, char *const *argv, Diag *d)
{
	OptTexts files = {0};
	o->tables.files = &files;
	o->tables.most_files = 1;
	bool ok = opt_parse(&o->tables, argc, argv, d);
	ok &= words_only || opt_environment(&o->tables, d);
	ok = ok && (words_only || o->help || o->version || parse_config(o, d));
	o->tables.files = NULL;
	o->input = files.n ? files.v[0] : NULL;
	o->command_line = o->tables.line;
	array_free(&files);
	if (ok && o->suppress)
		o->suppressions = suppress_read(o->suppress, o->loc[OPTION_suppress], o->arena, d);
	return ok && !o->suppress == !o->suppressions;
}

bool options_parse(Options *o, int argc, char *const *argv, Diag *d) { return parse(o, false, argc, argv, d); }

bool options_parse_words(Options *o, int argc, char *const *argv, Diag *d) { return parse(o, true, argc, argv, d); }

bool options_parse_file(Options *o, const LaunchToken *words, u32 n, const char *text, bool lenient, Diag *d)
{
	return opt_parse_file(&o->tables, words, n, text, lenient, d);
}

bool options_parse_page(Options *o, const LaunchToken *words, u32 n, const char *text, Diag *d)
{
	return opt_parse_page(&o->tables, words, n, text, d);
}

void options_help(Buf *out)
{
	opt_help(rows, COUNT(rows), 0, out);
	buf_printf(out,
	           "\nA kernel file can carry its launch:  // wavesim: --global 65536 --local 256 --arg n=4096\n"
	           "Options can be set in the environment too: WAVESIM_THREADS=1 for --threads 1;\n"
	           "and in ~/.config/wavesim/config, a line each: threads = 1.\n"
	           "Exit status: 0 fine, 1 slower than --fail-slower allows, 2 bad input, with --error-exitcode N:\n"
	           "N when there are findings.\n");
}
