/* The command line of wavesim-runner, from options.def. */
#include "runner/runner.h"

#include <math.h>

typedef enum { KIND_FLAG, KIND_WHOLE, KIND_NUMBER, KIND_TEXT, KIND_GROUP, KIND_LAUNCH } Kind;
typedef struct Row {
	Kind kind;
	const char *name, *arg, *help;
	size_t member;
	double min, max, def;
} Row;

static const Row rows[] = {
#define GROUP(title) {KIND_GROUP, title, NULL, NULL, 0, 0, 0, 0},
#define LAUNCH_OPTIONS {KIND_LAUNCH, "", NULL, NULL, 0, 0, 0, 0},
#define FLAG(member, name, help) {KIND_FLAG, name, NULL, help, offsetof(Options, member), 0, 0, 0},
#define WHOLE(member, name, arg, min, max, def, help) \
	{KIND_WHOLE, name, arg, help, offsetof(Options, member), min, max, def},
#define NUMBER(member, name, arg, min, max, def, help) \
	{KIND_NUMBER, name, arg, help, offsetof(Options, member), min, max, def},
#define TEXT(member, name, arg, help) \
	{KIND_TEXT, name, arg, help, offsetof(Options, member), 0, 0, 0},
#include "runner/options.def"
};

static void set_number(Options *o, const Row *r, double v)
{
	void *member = (u8 *)o + r->member;
	if (r->kind == KIND_WHOLE)
		*(u64 *)member = (u64)v;
	else if (r->kind == KIND_NUMBER)
		*(double *)member = v;
}

void options_init(Options *o)
{
	memset(o, 0, sizeof *o);
	o->arena = arena_new();
	o->db = "timings.db";
	for (u32 i = 0; i < COUNT(rows); i++)
		set_number(o, &rows[i], rows[i].def);
}

void options_free(Options *o)
{
	array_free(&o->launch);
	array_free(&o->files);
	array_free(&o->expects);
	arena_free(o->arena);
}

static bool bad_option(Options *o, Loc at, Diag *d, const char *what, const char *name)
{
	diag_error(d, at, what, name);
	diag_source(d, o->command_line);
	return false;
}

static bool unknown(Options *o, const char *name, Loc at, Diag *d)
{
	const char *names[COUNT(rows) + 64];
	u32 n = 0;
	for (u32 i = 0; i < COUNT(rows); i++) {
		if (rows[i].kind <= KIND_TEXT)
			names[n++] = rows[i].name;
	}
	for (u32 i = 0; i < launch_noptions && n < COUNT(names); i++)
		names[n++] = launch_options[i].name;
	bad_option(o, at, d, "there is no option %s", name);
	const char *near = nearest_word(name, names, n);
	if (near)
		diag_hint(d, "did you mean %s?", near);
	return false;
}

static bool set(Options *o, const Row *r, const char *value, Loc at, Diag *d)
{
	void *member = (u8 *)o + r->member;
	bool whole = r->kind == KIND_WHOLE;
	double v;
	switch (r->kind) {
	case KIND_FLAG: *(bool *)member = true; break;
	case KIND_TEXT:
		*(const char **)member = value;
		if (!strcmp(r->name, "--expect"))
			array_push(&o->expects, value);
		break;
	case KIND_WHOLE:
	case KIND_NUMBER:
		if (!parse_f64(value, &v) || !(v >= r->min && v <= r->max) || (whole && floor(v) < v)) {
			diag_error(d, at, "%s must be a %snumber between %g and %g", r->name, whole ? "whole " : "", r->min,
			           r->max);
			diag_source(d, o->command_line);
			return false;
		}
		set_number(o, r, v);
		break;
	case KIND_GROUP:
	case KIND_LAUNCH: break;
	}
	return true;
}

/* --name VALUE or --name=VALUE; *i moves over a value of its own. */
static bool take(Options *o, int argc, char *const *argv, const u32 *cols, int *i, Diag *d)
{
	const char *word = argv[*i], *equals = strchr(word, '=');
	char *name = arena_strndup(o->arena, word, equals ? (size_t)(equals - word) : strlen(word));
	Loc at = {"command line", 1, cols[*i]};
	const Row *row = NULL;
	for (u32 r = 0; r < COUNT(rows); r++) {
		if (rows[r].kind <= KIND_TEXT && !strcmp(rows[r].name, name))
			row = &rows[r];
	}
	if (!row && !launch_is_option(name))
		return unknown(o, name, at, d);
	const char *value = equals ? equals + 1 : NULL;
	if (row && row->kind == KIND_FLAG) {
		if (value)
			return bad_option(o, at, d, "%s takes no value", name);
	} else if (!value) {
		if (*i + 1 >= argc)
			return bad_option(o, at, d, "%s wants a value", name);
		value = argv[++*i];
		at.col = cols[*i];
	} else
		at.col += (u32)strlen(name) + 1;
	if (row)
		return set(o, row, value, at, d);
	LaunchWord w = {name, value, at};
	array_push(&o->launch, w);
	return true;
}

bool options_parse(Options *o, int argc, char *const *argv, Diag *d)
{
	u32 *cols = ARENA_ARRAY(o->arena, u32, argc + 1);
	Buf line = {0};
	for (int i = 0; i < argc; i++) {
		buf_printf(&line, i ? " " : "");
		cols[i] = line.n + 1;
		buf_printf(&line, "%s", argv[i]);
	}
	o->command_line = arena_strdup(o->arena, line.v);
	array_free(&line);
	bool ok = true;
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-h"))
			o->help = true;
		else if (argv[i][0] == '-' && argv[i][1])
			ok &= take(o, argc, argv, cols, &i, d);
		else
			array_push(&o->files, argv[i]);
	}
	return ok;
}

void options_help(Buf *out)
{
	buf_printf(out,
	           "wavesim-runner: measure OpenCL kernels on a real device\n\n"
	           "  wavesim-runner devices [N|NAME]      what there is; all that one says of itself\n"
	           "  wavesim-runner FILE…                 measure the launches of .cl, .sim and .launches files\n"
	           "  wavesim-runner probe                 measure what wavesim's models assume (minutes)\n"
	           "  wavesim-runner probe list            the probes\n"
	           "  wavesim-runner export FILE.json|.csv write what the store holds (- and .json: stdout)\n"
	           "  wavesim-runner import FILE…          add exports, Kernel Tuner caches, the AMD sets, recorded times\n"
	           "  wavesim-runner info                  what the store holds; is it whole?\n");
	for (u32 i = 0; i < COUNT(rows); i++) {
		const Row *r = &rows[i];
		if (r->kind == KIND_GROUP)
			buf_printf(out, "\n%s:\n", r->name);
		for (u32 k = 0; r->kind == KIND_LAUNCH && k < launch_noptions; k++)
			buf_printf(out, "  %s %-*s %s\n", launch_options[k].name,
			           (int)(24 - strlen(launch_options[k].name)), launch_options[k].value,
			           launch_options[k].help);
		if (r->kind <= KIND_TEXT)
			buf_printf(out, "  %s %-*s %s\n", r->name, (int)(24 - strlen(r->name)),
			           r->arg ? r->arg : "", r->help);
	}
}
