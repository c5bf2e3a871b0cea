/* Read options from the command line, the environment and input files.
 *
 * Each source has a rank (Given); whoever ranks higher wins whatever the order, and
 * the same option twice from one source takes the last, as shells' users expect. */
#include "cli/options.h"

#include "cli/words.h"

#include <stdio.h>

typedef enum { KIND_FLAG, KIND_NUMBER, KIND_TEXT, KIND_GROUP, KIND_LAUNCH } Kind;

typedef struct Row {
	const char *name, *arg, *help;
	Kind kind;
	OptionId id;
	size_t member;
	u64 min, max, def;
} Row;

static const Row rows[] = {
#define GROUP(title) {title, NULL, NULL, KIND_GROUP, 0, 0, 0, 0, 0},
#define LAUNCH_OPTIONS {"", NULL, NULL, KIND_LAUNCH, 0, 0, 0, 0, 0},
#define FLAG(member, name, help) \
	{name, NULL, help, KIND_FLAG, OPTION_##member, offsetof(Options, member), 0, 0, 0},
#define NUMBER(member, name, arg, min, max, def, help) \
	{name, arg, help, KIND_NUMBER, OPTION_##member, offsetof(Options, member), min, max, def},
#define TEXT(member, name, arg, help) \
	{name, arg, help, KIND_TEXT, OPTION_##member, offsetof(Options, member), 0, 0, 0},
#include "cli/options.def"
};

static const struct {
	const char *name;
	OptionId id;
} aliases[] = {
#define ALIAS(name, member) {name, OPTION_##member},
#include "cli/options.def"
	{"-h", OPTION_help},
	{"-q", OPTION_quiet},
};

/* One reading of a list of words. */
typedef struct Reader {
	Options *o;
	const LaunchToken *words;
	u32 n, i;
	const char *text; /* of the source, for messages */
	Given given;
	bool lenient;
	bool unsure; /* after an unknown option nobody knows what a word belongs to */
	Diag *diag;
} Reader;

static const bool of_one[OPTION_COUNT] = {
#define RESULT(member) [OPTION_##member] = true,
#include "cli/options.def"
};

static bool is_option(const Row *r) { return r->kind <= KIND_TEXT; }

static const Row *find_row(const char *name)
{
	for (u32 i = 0; i < COUNT(rows); i++) {
		if (is_option(&rows[i]) && !strcmp(rows[i].name, name))
			return &rows[i];
	}
	for (u32 a = 0; a < COUNT(aliases); a++) {
		for (u32 i = 0; i < COUNT(rows) && !strcmp(aliases[a].name, name); i++) {
			if (is_option(&rows[i]) && rows[i].id == aliases[a].id)
				return &rows[i];
		}
	}
	return NULL;
}

static const Row *row_of(OptionId id)
{
	const Row *row = NULL;
	for (u32 i = 0; i < COUNT(rows); i++)
		if (is_option(&rows[i]) && rows[i].id == id)
			row = &rows[i];
	return row;
}

/* A word on the command line: whose name it begins with, or NULL twice. */
typedef struct Named {
	const Row *row;
	const LaunchOption *launch;
	bool value; /* it goes on with one */
} Named;

static Named name_of(const char *word)
{
	bool macro = !strncmp(word, "-D", 2) || !strncmp(word, "-I", 2);
	size_t n = macro ? 2 : strcspn(word, "=");
	char *name = xcalloc(n + 1, 1);
	memcpy(name, word, n);
	Named found = {.row = find_row(name), .value = word[n] != 0};
	for (u32 i = 0; i < launch_noptions; i++)
		if (!strcmp(launch_options[i].name, name))
			found.launch = &launch_options[i];
	free(name);
	return found;
}

bool options_want_value(const char *word)
{
	Named w = name_of(word);
	return (w.row ? w.row->kind != KIND_FLAG : w.launch != NULL) && !w.value;
}

OptionId options_id(const char *word)
{
	const Row *row = name_of(word).row;
	return row ? row->id : OPTION_COUNT;
}

const char *options_name(OptionId id) { return row_of(id)->name; }

bool options_of_one(const char *word)
{
	Named w = name_of(word);
	return w.row ? of_one[w.row->id] : w.launch && w.launch->result;
}

OptionId options_first_of_one(const Options *o, Given rank, const OptionId *has, u32 n)
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

bool options_number(OptionId id, const char *value, u64 *out, Diag *d)
{
	const Row *row = row_of(id);
	return words_number(row->name, value, row->min, row->max, out, d);
}

void options_init(Options *o)
{
	memset(o, 0, sizeof *o);
	o->arena = arena_new();
	for (u32 i = 0; i < COUNT(rows); i++) {
		if (rows[i].kind == KIND_NUMBER)
			*(u64 *)(void *)((u8 *)o + rows[i].member) = rows[i].def;
	}
}

void options_free(Options *o)
{
	array_free(&o->launch);
	arena_free(o->arena);
}

const char *options_device(const Options *o) { return o->mcpu ? o->mcpu : o->device ? o->device : "mi50"; }

static void quote(const Reader *r)
{
	if (r->text && r->diag->msgs.v[r->diag->msgs.n - 1].loc.line)
		diag_source(r->diag, r->text);
}

static bool set_number(Reader *r, const Row *row, const char *value, Loc loc)
{
	u64 v;
	bool ok = parse_u64(value, &v);
	if (!ok)
		diag_error(r->diag, loc, "%s: '%s' %s", row->name, value, parse_u64_fault(value));
	else if (v < row->min || v > row->max)
		ok = diag_error(r->diag, loc, "%s must be between %llu and %llu", row->name,
		                (unsigned long long)row->min, (unsigned long long)row->max);
	if (!ok) {
		quote(r);
		return false;
	}
	*(u64 *)(void *)((u8 *)r->o + row->member) = v;
	return true;
}

static bool set_option(Reader *r, const Row *row, const char *value, Loc loc)
{
	if (r->o->given[row->id] > r->given)
		return true;
	void *member = (u8 *)r->o + row->member;
	if (row->kind == KIND_NUMBER && !set_number(r, row, value, loc))
		return false;
	if (row->kind == KIND_TEXT)
		*(const char **)member = arena_strdup(r->o->arena, value);
	if (row->kind == KIND_FLAG)
		*(bool *)member = true;
	r->o->given[row->id] = r->given;
	r->o->loc[row->id] = loc;
	if (loc.file)
		r->o->loc[row->id].file = arena_strdup(r->o->arena, loc.file);
	return true;
}

static bool unknown_option(Reader *r, const char *name, Loc loc)
{
	if (r->lenient) {
		diag_note(r->diag, loc, "%s is not an option of wavesim; left out", name);
		while (r->i < r->n && r->words[r->i].text[0] != '-')
			r->i++;
		return true;
	}
	const char *names[COUNT(rows) + COUNT(aliases) + 64];
	u32 n = 0;
	for (u32 i = 0; i < COUNT(rows); i++) {
		if (is_option(&rows[i]))
			names[n++] = rows[i].name;
	}
	for (u32 i = 0; i < COUNT(aliases); i++)
		names[n++] = aliases[i].name;
	for (u32 i = 0; i < launch_noptions && n < COUNT(names); i++)
		names[n++] = launch_options[i].name;
	r->unsure = true;
	diag_error(r->diag, loc, "there is no option %s", name);
	quote(r);
	const char *near = nearest_word(name, names, n);
	if (near && name[1] == '-')
		diag_hint(r->diag, "did you mean %s?", near);
	else
		diag_hint(r->diag, "wavesim --help lists all options");
	return false;
}

static bool missing_value(Reader *r, const char *name, Loc loc)
{
	diag_error(r->diag, loc, "%s wants a value", name);
	quote(r);
	return false;
}

static bool read_word(Reader *r)
{
	const LaunchToken *w = &r->words[r->i++];
	bool macro = w->text[1] == 'D' || w->text[1] == 'I';
	size_t n = macro ? 2 : strcspn(w->text, "=");
	const char *name = arena_strndup(r->o->arena, w->text, n);
	const char *value = NULL;
	Loc at = w->loc;
	if (macro ? w->text[2] != 0 : w->text[n] == '=') {
		value = w->text + n + !macro;
		if (at.col)
			at.col += (u32)n + !macro;
	}
	const Row *row = find_row(name);
	bool launch = launch_is_option(name);
	if (!row && !launch)
		return unknown_option(r, name, w->loc);
	if (row && row->kind == KIND_FLAG) {
		if (!value)
			return set_option(r, row, NULL, w->loc);
		diag_error(r->diag, at, "%s takes no value", name);
		quote(r);
		return false;
	}
	if (!value) {
		if (r->i == r->n)
			return missing_value(r, name, w->loc);
		value = r->words[r->i].text;
		at = r->words[r->i++].loc;
	}
	if (row)
		return set_option(r, row, value, at);
	LaunchWord lw = {name, arena_strdup(r->o->arena, value), at};
	array_push(&r->o->launch, lw);
	return true;
}

static bool read_words(Reader *r)
{
	bool ok = true, only_inputs = false;
	while (r->i < r->n) {
		const LaunchToken *w = &r->words[r->i];
		if (!only_inputs && !strcmp(w->text, "--")) {
			only_inputs = true;
			r->i++;
		} else if (!only_inputs && w->text[0] == '-' && w->text[1]) {
			ok &= read_word(r);
		} else {
			r->i++;
			if (r->given == GIVEN_COMMAND_LINE && !r->o->input) {
				r->o->input = arena_strdup(r->o->arena, w->text);
				continue;
			}
			if (r->unsure)
				continue;
			ok = diag_error(r->diag, w->loc, r->o->input ? "one input file at a time; '%s' is too many"
			                                             : "'%s' is no option", w->text);
			quote(r);
		}
	}
	return ok;
}

/* WAVESIM_SOME_NAME for --some-name. */
static const char *from_environment(Arena *a, const char *option)
{
	char *name = arena_printf(a, "WAVESIM_%s", option + 2);
	for (char *c = name; *c; c++)
		*c = *c == '-' ? '_' : (char)(*c >= 'a' && *c <= 'z' ? *c - 32 : *c);
	const char *value = getenv(name);
	return value && *value ? value : NULL;
}

static bool read_environment(Options *o, Diag *d)
{
	bool ok = true;
	for (u32 i = 0; i < COUNT(rows); i++) {
		if (!is_option(&rows[i]))
			continue;
		const char *value = from_environment(o->arena, rows[i].name);
		if (!value || (rows[i].kind == KIND_FLAG && !strcmp(value, "0")))
			continue;
		Loc at = {"environment", 0, 0};
		Reader r = {.o = o, .given = GIVEN_ENVIRONMENT, .diag = d};
		ok &= set_option(&r, &rows[i], value, at);
	}
	return ok;
}

/* Options of the launch, except those that may be given several times. */
static void read_launch_environment(Options *o)
{
	for (u32 i = 0; i < launch_noptions; i++) {
		const char *name = launch_options[i].name;
		if (name[1] != '-' || !strcmp(name, "--arg") || !strcmp(name, "--dump"))
			continue;
		const char *value = from_environment(o->arena, name);
		for (u32 k = 0; value && k < o->launch.n; k++) {
			if (!strcmp(o->launch.v[k].name, name))
				value = NULL;
		}
		if (value) {
			LaunchWord w = {name, value, {"environment", 0, 0}};
			array_push(&o->launch, w);
		}
	}
}

/* The words as one line, quoted where a shell needs it, and the column of each. */
static char *join(Arena *a, int argc, char *const *argv, LaunchToken *words)
{
	Buf line = {0};
	buf_printf(&line, "wavesim");
	for (int i = 1; i < argc; i++) {
		bool plain = *argv[i] && !strpbrk(argv[i], " \t\n'\"\\$`*?[]{}()<>|&;#!~");
		buf_printf(&line, plain ? " " : " '");
		words[i - 1].text = argv[i];
		words[i - 1].loc = (Loc){"command line", 1, line.n + 1};
		buf_printf(&line, plain ? "%s" : "%s'", argv[i]);
	}
	char *text = arena_strdup(a, line.v);
	array_free(&line);
	return text;
}

bool options_parse(Options *o, int argc, char *const *argv, Diag *d)
{
	u32 n = argc > 1 ? (u32)argc - 1 : 0;
	LaunchToken *words = ARENA_ARRAY(o->arena, LaunchToken, n + 1);
	o->command_line = join(o->arena, argc, argv, words);
	bool ok = read_environment(o, d);
	Reader r = {.o = o,
	            .words = words,
	            .n = n,
	            .text = o->command_line,
	            .given = GIVEN_COMMAND_LINE,
	            .diag = d};
	ok &= read_words(&r);
	read_launch_environment(o);
	return ok;
}

bool options_parse_file(Options *o, const LaunchToken *words, u32 n, const char *text, bool lenient,
                        Diag *d)
{
	Reader r = {.o = o,
	            .words = words,
	            .n = n,
	            .text = text,
	            .given = GIVEN_FILE,
	            .lenient = lenient,
	            .diag = d};
	return read_words(&r);
}

static void help_row(Buf *out, const char *name, const char *arg, const char *help)
{
	Buf left = {0};
	buf_printf(&left, "%s%s%s", name, arg ? " " : "", arg ? arg : "");
	if (left.n > 26)
		buf_printf(out, "  %s\n  %-27s%s\n", left.v, "", help);
	else
		buf_printf(out, "  %-27s%s\n", left.v, help);
	array_free(&left);
}

void options_help(Buf *out)
{
	for (u32 i = 0; i < COUNT(rows); i++) {
		const Row *r = &rows[i];
		if (r->kind == KIND_GROUP)
			buf_printf(out, "%s%s\n", i ? "\n" : "", r->name);
		else if (r->kind == KIND_LAUNCH)
			for (u32 k = 0; k < launch_noptions; k++)
				help_row(out, launch_options[k].name, launch_options[k].value, launch_options[k].help);
		else
			help_row(out, r->name, r->arg, r->help);
	}
	buf_printf(out,
	           "\nA kernel file can carry its launch:  // wavesim: --global 65536 --local 256 --arg n=4096\n"
	           "Options can be set in the environment too: WAVESIM_THREADS=1 for --threads 1.\n"
	           "Exit status: 0 fine, 2 bad input, --error-exitcode's when there are findings.\n");
}
