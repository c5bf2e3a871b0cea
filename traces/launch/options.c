/* Options of a command: see options.h. */
#include "traces/launch/options.h"

#include <ctype.h>

/* ---- tables ---- */

static bool is_option(const OptRow *r) { return r->kind < OPT_ALIAS; }

static void *member_of(const OptSet *s, const OptRow *row) { return (u8 *)s->values + row->member; }

bool opt_in_command(const OptRow *row, u32 command)
{
	return !row->commands || !command || (row->commands & command);
}

OptSet opt_set(const OptRow *rows, u32 n, void *values, Arena *a)
{
	OptSet s = {.rows = rows, .n = n, .values = values, .given = ARENA_ARRAY(a, OptGiven, n),
	            .loc = ARENA_ARRAY(a, Loc, n)};
	for (u32 i = 0; i < n; i++) {
		if (rows[i].kind == OPT_WHOLE)
			*(u64 *)member_of(&s, &rows[i]) = rows[i].def;
		if (rows[i].kind == OPT_NUMBER)
			*(double *)member_of(&s, &rows[i]) = rows[i].usual;
	}
	return s;
}

static bool is_named(const char *name, const char *word, size_t n) { return !strncmp(name, word, n) && !name[n]; }

/* The row of the option that the first n bytes of word name in a table, or NULL. */
static const OptRow *find_row(const OptSet *s, u32 command, const char *word, size_t n)
{
	for (u32 i = 0; i < s->n; i++) {
		const OptRow *row = &s->rows[i];
		if (row->kind >= OPT_GROUP || !is_named(row->name, word, n))
			continue;
		for (u32 k = 0; row->kind == OPT_ALIAS && k < s->n; k++)
			row = is_option(&s->rows[k]) && s->rows[k].member == row->member ? &s->rows[k] : row;
		if (opt_in_command(row, command))
			return row;
	}
	return NULL;
}

OptName opt_name(const OptTables *t, const char *word)
{
	OptName found = {.row = find_row(&t->set, t->command, word, strcspn(word, "="))};
	found.launch = launch_option_named(word, &found.value);
	if (found.row || !t->launch)
		found.launch = NULL;
	return found;
}

bool opt_wants_value(const OptName *name)
{
	return !name->value &&
	       (name->row ? name->row->kind != OPT_FLAG && name->row->kind != OPT_MAYBE : name->launch != NULL);
}

/* ---- one reading of a list of words ---- */

typedef struct OptReader {
	OptTables *t;
	const LaunchToken *words;
	u32 n, i;
	const char *text; /* of the source, for messages */
	OptGiven given;
	bool keep; /* texts are copied */
	bool lenient;
	bool untrusted; /* the words are a stranger's: behind OptSet.untrusted_from */
	bool unsure; /* after an unknown option it is not known what a word belongs to */
	Diag *d;
} OptReader;

/* Ends a message: the line that it points into. Returns false. */
static bool quote(const OptReader *r)
{
	if (r->text && r->d->msgs.v[r->d->msgs.n - 1].loc.line)
		diag_source(r->d, r->text);
	return false;
}

static bool whole(const OptReader *r, const OptRow *row, const char *value, Loc at, u64 *out)
{
	u64 v;
	if (!parse_u64(value, &v))
		diag_error(r->d, at, "%s: '%s' %s", row->name, value, parse_u64_fault(value));
	else if (v < row->min && row->max == UINT64_MAX)
		diag_error(r->d, at, "%s must be %llu or more", row->name, (unsigned long long)row->min);
	else if (v < row->min || v > row->max)
		diag_error(r->d, at, "%s must be between %llu and %llu", row->name, (unsigned long long)row->min,
		           (unsigned long long)row->max);
	else {
		*out = v;
		return true;
	}
	return quote(r);
}

static bool number(const OptReader *r, const OptRow *row, const char *value, Loc at, double *out)
{
	if (!parse_f64(value, out))
		diag_error(r->d, at, "%s: '%s' is not a number", row->name, value);
	else if (!(*out >= row->least && *out <= row->most))
		diag_error(r->d, at, "%s must be a number between %g and %g", row->name, row->least, row->most);
	else
		return true;
	return quote(r);
}

static bool set_value(const OptReader *r, const OptRow *row, const char *value, Loc at)
{
	OptSet *s = &r->t->set;
	u32 i = (u32)(row - s->rows);
	void *member = member_of(s, row);
	u64 u = 0;
	double f = 0;
	if (s->given[i] > r->given)
		return true;
	switch (row->kind) {
	case OPT_FLAG: *(bool *)member = true; break;
	case OPT_WHOLE:
		if (!whole(r, row, value, at, &u))
			return false;
		*(u64 *)member = u;
		break;
	case OPT_NUMBER:
		if (!number(r, row, value, at, &f))
			return false;
		*(double *)member = f;
		break;
	case OPT_MAYBE:
		value = value ? value : "";
		/* fall through */
	case OPT_TEXT: *(const char **)member = r->keep ? arena_strdup(r->t->arena, value) : value; break;
	case OPT_TEXTS: array_push((OptTexts *)member, r->keep ? arena_strdup(r->t->arena, value) : value); break;
	case OPT_ALIAS:
	case OPT_GROUP:
	case OPT_LAUNCH: break;
	}
	s->given[i] = r->given;
	s->loc[i] = at;
	if (at.file)
		s->loc[i].file = arena_strdup(r->t->arena, at.file);
	return true;
}

/* The option that is spelled most like it, or NULL. */
static const char *nearest(const OptTables *t, const char *name)
{
	ARRAY(const char *) names = {0};
	for (u32 i = 0; i < t->set.n; i++) {
		const OptRow *row = &t->set.rows[i];
		if (row->kind < OPT_GROUP && opt_in_command(row, t->command))
			array_push(&names, row->name);
	}
	for (u32 i = 0; t->launch && i < launch_noptions; i++)
		array_push(&names, launch_options[i].name);
	const char *near = nearest_word(name, names.v, names.n);
	array_free(&names);
	return near;
}

/* A word of a file that does not count; its value neither. */
static bool leave_out(OptReader *r, const LaunchToken *word, const char *name, const char *why)
{
	diag_note(r->d, word->loc, "%s is %s; left out", name, why);
	while (r->i < r->n && r->words[r->i].text[0] != '-')
		r->i++;
	return true;
}

static bool unknown_option(OptReader *r, const LaunchToken *word)
{
	size_t n = strcspn(word->text, "=");
	const char *name = arena_strndup(r->t->arena, word->text, n);
	if (r->lenient)
		return leave_out(r, word, name, arena_printf(r->t->arena, "not an option of %s", r->t->program));
	r->unsure = true;
	if (find_row(&r->t->set, 0, name, n)) {
		diag_error(r->d, word->loc, "%s is not for this command", name);
		quote(r);
		return diag_hint(
		    r->d,
		    "wavesim --help lists the options of `wavesim FILE`, wavesim COMMAND --help those of a command");
	}
	diag_error(r->d, word->loc, "there is no option %s", name);
	quote(r);
	const char *near = nearest(r->t, name);
	if (near && name[1] == '-')
		diag_hint(r->d, "did you mean %s?", near);
	else if (r->t->launch && !strncmp(name, "-cl-", 4))
		diag_hint(r->d, "options of OpenCL's compiler: --build-options %s", word->text);
	else if (r->t->hint)
		diag_hint(r->d, "%s", r->t->hint);
	return false;
}

static bool may_be(const OptSet *s, const OptRow *row, u32 place)
{
	u32 places = s->places ? s->places[row - s->rows] : 0;
	return (places ? places : OPT_ON_MACHINE) & place;
}

/* Files describe a launch. What they carry, and what is behind OptSet.untrusted_from, may come from a stranger: it
 * names no outputs, and reads nothing. What is about results, among options of the launch, is an output. */
static bool stranger_may(const OptReader *r, const OptName *found, u32 place)
{
	const char *value = found->value                            ? found->value
	                    : opt_wants_value(found) && r->i < r->n ? r->words[r->i].text
	                                                            : "";
	return found->row ? may_be(&r->t->set, found->row, place) && !strpbrk(value, "/.") : !found->launch->result;
}

static bool not_in_file(OptReader *r, const LaunchToken *word, const char *name)
{
	if (r->lenient)
		return leave_out(r, word, name, "for the command line only");
	r->unsure = true;
	diag_error(r->d, word->loc, "%s is for the command line: a file describes its launch, on a device by name",
	           name);
	return quote(r);
}

/* `--log --quiet`: the file was forgotten, or a file would get the option's name. */
static bool is_no_file(const OptReader *r, const OptName *found, const LaunchToken *value)
{
	const char *arg = found->row ? found->row->arg : found->launch->value, *text = value->text;
	const char *name = found->row ? found->row->name : found->launch->name;
	if ((strcmp(arg, "FILE") && strcmp(arg, "DIR")) || strncmp(text, "--", 2) || !isalpha((u8)text[2]))
		return false;
	diag_error(r->d, value->loc, "%s wants a %s, and '%s' looks like an option", name, arg, text);
	quote(r);
	return diag_hint(r->d, "a %s of that name: %s%s%s", strcmp(arg, "DIR") ? "file" : "folder", name,
	                 name[1] == '-' ? "=" : "", text), true;
}

static bool read_option(OptReader *r)
{
	const LaunchToken *w = &r->words[r->i++];
	OptName found = opt_name(r->t, w->text);
	if (!found.row && !found.launch)
		return unknown_option(r, w);
	const char *name = found.row ? found.row->name : found.launch->name, *value = found.value;
	if (found.row && (r->given == GIVEN_FILE || r->given == GIVEN_PAGE) && !stranger_may(r, &found, OPT_FILE))
		return not_in_file(r, w, name);
	if (r->untrusted && !stranger_may(r, &found, OPT_UNTRUSTED)) {
		r->unsure = true;
		diag_error(r->d, w->loc, "%s is not allowed after %s, where only options of the launch, the machine "
		           "and the report are", name, r->t->set.untrusted_from->name);
		return quote(r);
	}
	Loc at = w->loc;
	if (at.col && value)
		at.col += (u32)(value - w->text);
	if (opt_wants_value(&found)) {
		/* The last word is the file, which is not a stranger's. */
		if (r->i == r->n || (r->untrusted && r->i + 1 == r->n)) {
			diag_error(r->d, at, "%s wants a value", name);
			return quote(r);
		}
		if (is_no_file(r, &found, &r->words[r->i]))
			return false;
		value = r->words[r->i].text;
		at = r->words[r->i++].loc;
	} else if (value && found.row && found.row->kind == OPT_FLAG) {
		diag_error(r->d, at, "%s takes no value", name);
		return quote(r);
	}
	r->untrusted |= found.row && found.row == r->t->set.untrusted_from;
	if (found.row)
		return set_value(r, found.row, value, at);
	LaunchOrigin from = r->given == GIVEN_PAGE ? FROM_PAGE : r->untrusted ? FROM_UNTRUSTED : FROM_OPTION;
	LaunchWord word = {name, arena_strdup(r->t->arena, value), at, from};
	array_push(r->t->launch, word);
	return true;
}

static bool read_file_word(OptReader *r)
{
	const LaunchToken *w = &r->words[r->i++];
	const OptTables *t = r->t;
	if (r->untrusted && r->i < r->n) {
		diag_error(r->d, w->loc, "'%s' is not allowed after %s, where only the last word may be a file",
		           w->text, t->set.untrusted_from->name);
		return quote(r);
	}
	if (r->given == GIVEN_COMMAND_LINE && t->files && t->files->n < t->most_files) {
		array_push(t->files, arena_strdup(t->arena, w->text));
		return true;
	}
	if (r->unsure)
		return true;
	bool many = t->files && t->files->n;
	diag_error(r->d, w->loc, many ? "one input file at a time; '%s' is too many" : "'%s' is no option", w->text);
	return quote(r);
}

static bool read_words(OptReader *r)
{
	bool ok = true, only_files = false;
	while (r->i < r->n) {
		const char *word = r->words[r->i].text;
		if (!only_files && !strcmp(word, "--")) {
			only_files = true;
			r->i++;
		} else if (!only_files && word[0] == '-' && word[1]) {
			ok &= read_option(r);
		} else {
			ok &= read_file_word(r);
		}
	}
	return ok;
}

/* ---- sources ---- */

/* WAVESIM_SOME_NAME for --some-name. */
static const char *from_environment(Arena *a, const char *option)
{
	char *name = arena_printf(a, "WAVESIM_%s", option + 2);
	for (char *c = name; *c; c++)
		*c = *c == '-' ? '_' : (char)(*c >= 'a' && *c <= 'z' ? *c - 32 : *c);
	const char *value = getenv(name);
	return value && *value ? value : NULL;
}

bool opt_environment(OptTables *t, Diag *d)
{
	bool ok = true;
	OptReader r = {.t = t, .given = GIVEN_ENVIRONMENT, .keep = true, .d = d};
	Loc at = {"environment", 0, 0};
	for (u32 i = 0; i < t->set.n; i++) {
		const OptRow *row = &t->set.rows[i];
		bool here = is_option(row) && may_be(&t->set, row, OPT_ENVIRONMENT);
		const char *value = here ? from_environment(t->arena, row->name) : NULL;
		if (value && (row->kind != OPT_FLAG || strcmp(value, "0")))
			ok &= set_value(&r, row, value, at);
	}
	/* Options of the launch, but those that may be given several times. */
	for (u32 i = 0; t->launch && i < launch_noptions; i++) {
		const LaunchOption *o = &launch_options[i];
		const char *value = o->several ? NULL : from_environment(t->arena, o->name);
		for (u32 k = 0; value && k < t->launch->n; k++)
			value = strcmp(t->launch->v[k].name, o->name) ? value : NULL;
		if (value) {
			LaunchWord w = {o->name, value, at, FROM_OPTION};
			array_push(t->launch, w);
		}
	}
	return ok;
}

/* A path counts from the file's own folder: the file is for commands in any. Of a NAME it is one as in a kernel file.
 */
static const char *config_path(const OptReader *r, const OptRow *row, const char *value, const char *config)
{
	bool path = row->arg && (!strcmp(row->arg, "FILE") || !strcmp(row->arg, "DIR") ||
	                         (!strcmp(row->arg, "NAME") && strpbrk(value, "/.")));
	return path && *value && *value != '/'
	           ? arena_printf(r->t->arena, "%.*s%s", (int)(path_name(config) - config), config, value)
	           : value;
}

/* "name = value", in the n bytes of a line; the value may lack. */
static bool config_line(OptReader *r, const char *line, size_t n, Loc at)
{
	const char *equals = memchr(line, '=', n);
	size_t name_n = equals ? (size_t)(equals - line) : n;
	while (name_n && strchr(" \t", line[name_n - 1]))
		name_n--;
	LaunchToken word = {arena_printf(r->t->arena, "--%.*s", (int)name_n, line), at};
	OptName found = opt_name(r->t, word.text);
	if (!found.row && !found.launch)
		return unknown_option(r, &word);
	if (!found.row || !may_be(&r->t->set, found.row, OPT_CONFIG)) {
		diag_error(r->d, at, "%s is for the command line: a configuration file names no launch and no output",
		           word.text);
		return quote(r);
	}
	const char *value = NULL;
	if (equals) {
		size_t start = (size_t)(equals + 1 - line);
		start += strspn(equals + 1, " \t");
		value = start < n ? arena_strndup(r->t->arena, line + start, n - start) : "";
		at.col += (u32)start;
	}
	bool flag = found.row->kind == OPT_FLAG;
	if (value ? flag : !flag && found.row->kind != OPT_MAYBE) {
		diag_error(r->d, at, flag ? "%s takes no value" : "%s wants a value", word.text);
		return quote(r);
	}
	return set_value(r, found.row, value ? config_path(r, found.row, value, at.file) : NULL, at);
}

bool opt_parse_config(OptTables *t, const char *path, const char *text, Diag *d)
{
	OptReader r = {.t = t, .text = text, .given = GIVEN_CONFIG, .keep = true, .d = d};
	bool ok = true;
	u32 line = 1;
	for (const char *p = text; *p; line++) {
		size_t all = strcspn(p, "\n"), indent = strspn(p, " \t"), n = all;
		while (n && strchr(" \t\r", p[n - 1]))
			n--;
		if (n > indent && p[indent] != '#')
			ok &= config_line(&r, p + indent, n - indent, (Loc){path, line, (u32)indent + 1});
		p += all + (p[all] == '\n');
	}
	return ok;
}

/* The words as one line, quoted where a shell needs it, and the column of each. */
static const char *join(const OptTables *t, int argc, char *const *argv, LaunchToken *words)
{
	Buf line = {0};
	buf_printf(&line, "%s", t->program);
	for (int i = 1; i < argc; i++) {
		bool plain = *argv[i] && !strpbrk(argv[i], " \t\n'\"\\$`*?[]{}()<>|&;#!~");
		buf_printf(&line, plain ? " " : " '");
		words[i - 1] = (LaunchToken){argv[i], {"command line", 1, line.n + 1}};
		buf_printf(&line, plain ? "%s" : "%s'", argv[i]);
	}
	return buf_keep(&line, t->arena);
}

bool opt_parse(OptTables *t, int argc, char *const *argv, Diag *d)
{
	u32 n = argc > 1 ? (u32)argc - 1 : 0;
	LaunchToken *words = ARENA_ARRAY(t->arena, LaunchToken, n + 1);
	t->line = join(t, argc, argv, words);
	OptReader r = {
	    .t = t, .words = words, .n = n, .text = t->line, .given = GIVEN_COMMAND_LINE, .keep = true, .d = d};
	return read_words(&r);
}

bool opt_parse_file(OptTables *t, const LaunchToken *words, u32 n, const char *text, bool lenient, Diag *d)
{
	OptReader r = {.t = t, .words = words, .n = n, .text = text, .given = GIVEN_FILE, .keep = true,
	               .lenient = lenient, .d = d};
	return read_words(&r);
}

bool opt_parse_page(OptTables *t, const LaunchToken *words, u32 n, const char *text, Diag *d)
{
	OptReader r = {.t = t, .words = words, .n = n, .text = text, .given = GIVEN_PAGE, .keep = true, .d = d};
	return read_words(&r);
}

/* ---- a command's own ---- */

bool opt_take(const OptRow *rows, u32 n, void *values, u32 command, int argc, char *const *argv, char **rest,
              int *nrest, Diag *d)
{
	Arena *a = arena_new(); /* of what is noted beside the values */
	OptTables t = {.set = opt_set(rows, n, values, a), .command = command, .arena = a};
	LaunchToken *words = ARENA_ARRAY(a, LaunchToken, argc + 1);
	for (int i = 0; i < argc; i++)
		words[i].text = argv[i];
	OptReader r = {.t = &t, .words = words, .n = (u32)argc, .given = GIVEN_COMMAND_LINE, .d = d};
	bool ok = true, only_files = false;
	while (r.i < r.n) {
		only_files |= !strcmp(words[r.i].text, "--");
		if (r.i && !only_files && opt_name(&t, words[r.i].text).row)
			ok &= read_option(&r);
		else
			rest[(*nrest)++] = words[r.i++].text;
	}
	arena_free(a);
	return ok;
}

/* ---- help ---- */

static void help_line(Buf *out, const char *name, const char *arg, bool maybe, const char *help)
{
	Buf left = {0};
	buf_printf(&left, maybe ? "%s[=%s]" : arg ? "%s %s" : "%s", name, arg);
	if (left.n > 25) /* two blanks behind it */
		buf_printf(out, "  %s\n  %-27s%s\n", left.v, "", help);
	else
		buf_printf(out, "  %-27s%s\n", left.v, help);
	array_free(&left);
}

void opt_help(const OptRow *rows, u32 n, u32 command, Buf *out)
{
	for (u32 i = 0; i < n; i++) {
		const OptRow *r = &rows[i];
		if (r->kind == OPT_GROUP)
			buf_printf(out, "%s%s\n", i ? "\n" : "", r->name);
		for (u32 k = 0; r->kind == OPT_LAUNCH && k < launch_noptions; k++)
			help_line(out, launch_options[k].name, launch_options[k].value, false, launch_options[k].help);
		if (is_option(r) && opt_in_command(r, command))
			help_line(out, r->name, r->arg, r->kind == OPT_MAYBE, r->help);
	}
}
