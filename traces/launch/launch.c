/* Options of a launch, their precedence, and binding to the kernel's arguments.
 *
 * One table of options serves the command line and the comments in kernel files. The stronger
 * origin wins, option by option and argument by argument; the same twice from one origin is an error. */
#include "traces/launch/launch_impl.h"

#include "isa/source.h"

const LaunchOption launch_options[] = {
    {"--kernel", "NAME", "kernel to launch", false, false},
    {"--global", "X[xY[xZ]]", "work-items in each dimension: 1024, 64x64", false, false},
    {"--local", "X[xY[xZ]]", "work-items of a work-group, in each dimension", false, false},
    {"--grid", "X[xY[xZ]]", "work-groups in each dimension, in place of --global", false, false},
    {"--block", "X[xY[xZ]]", "the same as --local", false, false},
    {"--offset", "X[xY[xZ]]", "global offset", false, false},
    {"--arg", "NAME=SPEC",
     "value or contents of an argument: n=4096, a=random:65536, a=@FILE (.npy, .txt, .csv, else raw bytes); "
     "p.x=1.5 sets field x of the struct p", true,
     false},
    {"--dump", "NAME[:hex][=FILE]", "print a buffer after the run, or write it (.npy, .txt, raw)", true, true},
    {"--seed", "N", "seed of random contents (default 0)", false, false},
    {"--build-options", "TEXT", "options for the OpenCL compiler", false, false},
    {"-D", "NAME[=VALUE]", "define a macro", true, false},
    {"-I", "DIR", "folder to search for included files", true, false},
};
const u32 launch_noptions = COUNT(launch_options);

void launch_init(Launch *l)
{
	*l = (Launch){.arena = arena_new()};
	l->text = ARENA_NEW(l->arena, LaunchText);
	l->text->reading = FROM_OPTION;
	for (u32 i = 0; i < 3; i++)
		l->global[i] = l->local[i] = 1;
	l->work_dim = 1;
}

void launch_free(Launch *l)
{
	if (!l->arena)
		return;
	array_free(&l->text->args);
	array_free(&l->text->dumps);
	array_free(&l->text->builds);
	array_free(&l->text->comments);
	array_free(&l->text->sources);
	array_free(&l->text->piglit);
	array_free(&l->expects);
	array_free(&l->extra);
	arena_free(l->arena);
	*l = (Launch){0};
}

void launch_source(Launch *l, const char *name, const char *text)
{
	LaunchSourceText s = {arena_strdup(l->arena, name), arena_strdup(l->arena, text)};
	array_push(&l->text->sources, s);
}

const LaunchOption *launch_option_named(const char *word, const char **value)
{
	bool macro = word[0] == '-' && (word[1] == 'D' || word[1] == 'I');
	size_t n = macro ? 2 : strcspn(word, "=");
	*value = word[n] ? word + n + !macro : NULL;
	for (u32 i = 0; i < launch_noptions; i++)
		if (!strncmp(launch_options[i].name, word, n) && !launch_options[i].name[n])
			return &launch_options[i];
	return NULL;
}

/* May the current origin set what `from` set before? Twice from one origin is an error. */
static bool may_set(Launch *l, LaunchOrigin *from, const char *what, Loc loc, Diag *d, bool *ok)
{
	*ok = true;
	if (*from == l->text->reading) {
		*ok = launch_error(l, d, loc, "%s is given twice", what);
		return false;
	}
	if (*from > l->text->reading)
		return false;
	*from = l->text->reading;
	return true;
}

typedef struct SizeOption {
	const char *name;
	u64 min, max;
	u64 *v;
	LaunchOrigin *from;
	u32 *dims;
	Loc *loc;
} SizeOption;

/* "1024", "64,64", "64x64x2"; 0x40 is a number all the same, but not between x. */
static bool parse_sizes(Launch *l, const SizeOption *o, const char *value, u64 v[3], u32 *dims,
			Loc loc, Diag *d)
{
	const char *p = value;
	for (*dims = 0;; p++) {
		bool hex = p[0] == '0' && (p[1] | 0x20) == 'x';
		size_t len = strcspn(p, hex ? "," : ",xX");
		char *one = arena_strndup(l->arena, p, len);
		Loc at = loc;
		if (at.col)
			at.col += (u32)(p - value);
		u64 size;
		if (*dims == 3)
			return launch_error(l, d, at, "%s takes at most 3 sizes", o->name);
		if (hex && (strpbrk(one + 2, "xX") || (p > value && p[-1] != ',')))
			return launch_error(l, d, at,
			                    "%s: '%s' can be sizes or a hexadecimal number; write ',' between "
			                    "sizes",
			                    o->name, one);
		if (*one == '-')
			return launch_error(l, d, at, "%s: %s is negative", o->name, one);
		if (!parse_u64(one, &size))
			return launch_error(l, d, at, "%s: '%s' %s", o->name, one,
			                    parse_u64_fault(one));
		if (size < o->min)
			return launch_error(l, d, at, "%s: a size of 0 has no work-items", o->name);
		if (size > o->max)
			return launch_error(l, d, at, "%s: %s is more than %llu", o->name, one,
					    (unsigned long long)o->max);
		v[(*dims)++] = size;
		p += len;
		if (!*p)
			return true;
	}
}

static SizeOption size_option(Launch *l, const char *name)
{
	LaunchText *t = l->text;
	const SizeOption table[] = {
	    {"--global", 1, UINT32_MAX, l->global, &l->global_from, &t->global_dims,
	     &t->global_loc},
	    {"--grid", 1, UINT32_MAX, l->global, &l->global_from, &t->global_dims, &t->global_loc},
	    {"--local", 1, UINT32_MAX, l->local, &l->local_from, &t->local_dims, &t->local_loc},
	    {"--block", 1, UINT32_MAX, l->local, &l->local_from, &t->local_dims, &t->local_loc},
	    {"--offset", 0, INT64_MAX, l->offset, &l->offset_from, &t->offset_dims, &t->offset_loc},
	};
	const SizeOption *o = table;
	while (strcmp(o->name, name) != 0)
		o++;
	return *o;
}

static void store_sizes(const SizeOption *o, const u64 v[3], u32 dims, Loc loc)
{
	memcpy(o->v, v, 3 * sizeof *v);
	*o->dims = dims;
	*o->loc = loc;
}

static bool set_sizes(Launch *l, const char *name, const char *value, Loc loc, Diag *d)
{
	SizeOption o = size_option(l, name);
	u64 v[3] = {o.min, o.min, o.min};
	u32 dims;
	bool ok, groups = !strcmp(name, "--grid");
	if (!parse_sizes(l, &o, value, v, &dims, loc, d))
		return false;
	if (o.v == l->global && *o.from == l->text->reading && groups != l->text->in_groups)
		return launch_error(l, d, loc, "--global and --grid both say how much is launched: give one");
	if (!may_set(l, o.from, name, loc, d, &ok))
		return ok;
	store_sizes(&o, v, dims, loc);
	if (o.v == l->global)
		l->text->in_groups = groups;
	return true;
}

void launch_offer_sizes(Launch *l, const char *name, const u64 v[3], u32 dims, Loc loc)
{
	SizeOption o = size_option(l, name);
	if (*o.from >= FROM_FILE)
		return;
	*o.from = FROM_FILE;
	store_sizes(&o, v, dims, loc);
}

static bool has_room(Launch *l, u32 n, const char *what, Loc loc, Diag *d)
{
	if (n < MAX_TEXTS)
		return true;
	if (!l->text->crowded)
		launch_error(l, d, loc, "more than %d %s", MAX_TEXTS, what);
	l->text->crowded = true;
	return false;
}

static bool set_arg(Launch *l, const char *value, Loc loc, Diag *d)
{
	const char *equals = strchr(value, '=');
	if (!equals || equals == value) {
		launch_error(l, d, loc, "--arg wants NAME=SPEC, not '%s'", value);
		return diag_hint(d, "for example --arg n=4096 or --arg a=random:65536");
	}
	if (!has_room(l, l->text->args.n, "arguments", loc, d))
		return false;
	ArgText t = {arena_strndup(l->arena, value, (size_t)(equals - value)), equals + 1, loc, loc,
		     l->text->reading};
	if (loc.col)
		t.loc.col += (u32)(equals + 1 - value);
	for (u32 i = 0; i < l->text->args.n; i++)
		if (l->text->args.v[i].origin == t.origin &&
		    !strcmp(l->text->args.v[i].name, t.name))
			return launch_error(l, d, loc, "argument %s is given twice", t.name);
	array_push(&l->text->args, t);
	return true;
}

static bool set_dump(Launch *l, const char *value, Loc loc, Diag *d)
{
	size_t n = strcspn(value, ":=");
	DumpText t = {arena_strndup(l->arena, value, n), NULL, false, loc, l->text->reading};
	const char *p = value + n;
	if (!strncmp(p, ":hex", 4)) {
		t.hex = true;
		p += 4;
	}
	if (*p == '=' && p[1])
		t.file = strcmp(p + 1, "-") != 0 ? p + 1 : NULL;
	else if (*p || !n)
		return launch_error(l, d, loc, "--dump wants NAME, NAME:hex or NAME=FILE, not '%s'",
				    value);
	if (!has_room(l, l->text->dumps.n, "dumps", loc, d))
		return false;
	for (u32 i = 0; i < l->text->dumps.n; i++)
		if (l->text->dumps.v[i].origin == t.origin &&
		    !strcmp(l->text->dumps.v[i].name, t.name))
			return launch_error(l, d, loc, "--dump of %s is given twice", t.name);
	array_push(&l->text->dumps, t);
	return true;
}

bool launch_add_build(Launch *l, char kind, const char *text, Loc loc, Diag *d)
{
	BuildText t = {kind, text, l->text->reading};
	if (!has_room(l, l->text->builds.n, "compiler options", loc, d))
		return false;
	array_push(&l->text->builds, t);
	return true;
}

static bool outside(Launch *l, const char *folder, Loc loc, Diag *d)
{
	return launch_error(l, d, loc, "-I: '%s' %s", folder, launch_outside(l->text->reading));
}

static bool check_build_options(Launch *l, const char *text, Loc loc, Diag *d)
{
	SrcOption o;
	while (source_option(&text, &o, l->arena)) {
		if (o.harmless && o.folder && !launch_is_inside(l, loc.file, o.folder))
			return outside(l, o.folder, loc, d);
		if (o.harmless)
			continue;
		if (l->text->reading == FROM_UNTRUSTED)
			return launch_error(l, d, loc, "--build-options: '%s' is not allowed after --untrusted",
			                    o.text);
		launch_error(l, d, loc, "--build-options: a file may not ask for '%s'", o.text);
		return diag_hint(d, "give it on the command line; -I names folders beside the file");
	}
	return true;
}

/* A macro replaces a weaker one of its name; -I adds up. */
static bool set_build(Launch *l, char kind, const char *value, Loc loc, Diag *d)
{
	if (!*value && kind != 'b')
		return launch_error(l, d, loc, "-%c wants %s", kind,
				    kind == 'D' ? "NAME[=VALUE]" : "DIR");
	if (kind != 'b' && strpbrk(value, " \t\n"))
		return launch_error(
		    l, d, loc, "-%c: PoCL splits its options at blanks, so '%s' cannot be passed",
		    kind, value);
	if (kind == 'b' && l->text->reading != FROM_OPTION && !check_build_options(l, value, loc, d))
		return false;
	if (kind == 'I' && l->text->reading != FROM_OPTION && *value != '/')
		value = arena_printf(l->arena, "%s%s", launch_dir(l, loc.file), value);
	if (kind == 'I' && l->text->reading != FROM_OPTION && !launch_is_inside(l, loc.file, value))
		return outside(l, value, loc, d);
	return launch_add_build(l, kind, value, loc, d);
}

bool launch_option(Launch *l, const char *name, const char *value, Loc loc, Diag *d)
{
	bool ok;
	loc.file = arena_strdup(l->arena, loc.file);
	value = arena_strdup(l->arena, value);
	if (!strcmp(name, "--dump") && l->text->reading != FROM_OPTION)
		return launch_error(
		    l, d, loc, "--dump is for the command line: a file describes its launch, and names no outputs");
	if (!strcmp(name, "--kernel")) {
		if (!*value)
			return launch_error(l, d, loc, "--kernel wants a name");
		if (may_set(l, &l->kernel_from, name, loc, d, &ok))
			l->kernel = value;
		return ok;
	}
	if (!strcmp(name, "--seed")) {
		u64 seed;
		if (!parse_u64(value, &seed))
			return launch_error(l, d, loc, "--seed: '%s' %s", value,
			                    parse_u64_fault(value));
		if (may_set(l, &l->seed_from, name, loc, d, &ok))
			l->seed = seed;
		return ok;
	}
	static const char *const sizes[] = {"--global", "--grid", "--local", "--block", "--offset"};
	for (u32 i = 0; i < COUNT(sizes); i++)
		if (!strcmp(name, sizes[i]))
			return set_sizes(l, name, value, loc, d);
	if (!strcmp(name, "--arg"))
		return set_arg(l, value, loc, d);
	if (!strcmp(name, "--dump"))
		return set_dump(l, value, loc, d);
	if (!strcmp(name, "--build-options"))
		return set_build(l, 'b', value, loc, d);
	if (!strcmp(name, "-D") || !strcmp(name, "-I"))
		return set_build(l, name[1], value, loc, d);
	return launch_error(l, d, loc, "unknown option %s", name);
}

bool launch_option_from(Launch *l, LaunchOrigin from, const char *name, const char *value, Loc loc, Diag *d)
{
	LaunchOrigin was = l->text->reading;
	l->text->reading = from;
	bool ok = launch_option(l, name, value, loc, d);
	l->text->reading = was;
	return ok;
}

static bool macro_overridden(const LaunchText *t, const BuildText *b)
{
	size_t n = strcspn(b->text, "=");
	for (u32 i = 0; i < t->builds.n; i++) {
		const BuildText *o = &t->builds.v[i];
		if (o->kind == b->kind && o->origin > b->origin &&
		    (b->kind == 'b' || (b->kind == 'D' && strcspn(o->text, "=") == n &&
					!memcmp(o->text, b->text, n))))
			return true;
	}
	return false;
}

void launch_build_options(const Launch *l, Buf *out)
{
	static const char *const before[] = {"", "-D", "-I"};
	const LaunchText *t = l->text;
	buf_printf(out, "%s", "");
	u32 start = out->n;
	for (u32 origin = FROM_NOBODY; origin <= FROM_OPTION; origin++) {
		for (u32 i = 0; i < t->builds.n; i++) {
			const BuildText *b = &t->builds.v[i];
			if (b->origin != origin || macro_overridden(t, b))
				continue;
			u32 kind = b->kind == 'D' ? 1 : b->kind == 'I' ? 2 : 0;
			buf_printf(out, "%s%s%s", out->n > start ? " " : "", before[kind], b->text);
		}
	}
}

static bool of_file(LaunchOrigin from) { return from > FROM_GUESS && from < FROM_OPTION; }

const char *launch_said(const Launch *l, const char *option, const char *own)
{
	const LaunchText *t = l->text;
	const char *said = NULL;
	LaunchOrigin by = FROM_NOBODY;
	if (!strcmp(option, "--kernel"))
		return of_file(l->kernel_from) ? l->kernel : NULL;
	size_t n = strlen(own);
	for (u32 i = 0; !strcmp(option, "-D") && i < t->builds.n; i++) {
		const BuildText *b = &t->builds.v[i];
		if (b->kind != 'D' || !of_file(b->origin) || b->origin < by || strcspn(b->text, "=") != n ||
		    memcmp(b->text, own, n))
			continue;
		said = b->text + n + (b->text[n] == '=');
		by = b->origin;
	}
	for (u32 i = 0; !strcmp(option, "--arg") && i < t->args.n; i++) {
		const ArgText *a = &t->args.v[i];
		if (!of_file(a->origin) || a->origin < by || strcmp(a->name, own) != 0)
			continue;
		said = a->spec;
		by = a->origin;
	}
	return said;
}

bool launch_set_kernel(Launch *l, const char *kernel, Diag *d)
{
	LaunchText *t = l->text;
	u32 errors = d->errors;
	LaunchOrigin was = t->reading;
	l->kernel = arena_strdup(l->arena, kernel);
	if (l->kernel_from == FROM_NOBODY)
		l->kernel_from = FROM_GUESS;
	t->reading = FROM_KERNEL_COMMENT;
	for (u32 i = 0; i < t->comments.n; i++) {
		KernelComment *c = &t->comments.v[i];
		if (c->kernel && !strcmp(c->kernel, kernel)) {
			c->kernel = NULL; /* once */
			launch_apply_text(l, c->text, c->loc, d);
		}
	}
	t->reading = was;
	return d->errors == errors;
}

/* ---- binding ---- */

/* Is it "ARG.FIELD"? Bitcode may have arguments with points in their names. */
static bool names_field(const Launch *l, const char *name)
{
	for (u32 i = 0; i < l->nargs; i++)
		if (!strcmp(l->kernel_args[i].name, name))
			return false;
	return strchr(name, '.') != NULL;
}

/* The number of the argument that an option names; nargs, and why, when there is none. */
static u32 arg_named(Launch *l, const char *option, const char *name, Loc loc, LaunchOrigin from, Diag *d)
{
	const char **names = ARENA_ARRAY(l->arena, const char *, l->nargs + 1);
	const char *kernel = l->kernel ? l->kernel : "the kernel";
	for (u32 i = 0; i < l->nargs; i++) {
		names[i] = l->kernel_args[i].name;
		if (!strcmp(names[i], name))
			return i;
	}
	/* A comment for all kernels of a file may name an argument that only another one has. */
	if (from == FROM_COMMENT)
		launch_warn(l, d, loc, "%s: %s has no argument '%s'; left out", option, kernel, name);
	else
		launch_error(l, d, loc, "%s: %s has no argument '%s'", option, kernel, name);
	if (diag_near(d, "'", name, names, l->nargs))
		return l->nargs;
	Buf list = {0};
	for (u32 i = 0; i < l->nargs; i++)
		buf_printf(&list, "%s%s", i ? ", " : "", names[i]);
	if (list.n)
		diag_hint(d, "its arguments are %s", list.v);
	else
		diag_hint(d, "it has no arguments");
	array_free(&list);
	return l->nargs;
}

static void bind_arg(Launch *l, const ArgText *a, Diag *d)
{
	bool field = names_field(l, a->name);
	const char *name = field ? arena_strndup(l->arena, a->name, strcspn(a->name, ".")) : a->name;
	u32 arg = arg_named(l, "--arg", name, a->name_loc, a->origin, d);
	if (arg == l->nargs)
		return;
	LaunchArg parsed = l->args[arg], *old = &l->args[arg];
	if (!(field ? launch_parse_field : launch_parse_arg)(l, arg, a, &parsed, d))
		parsed.kind = LAUNCH_UNSET, parsed.origin = a->origin;
	parsed.dump = old->dump;
	parsed.dump_hex = old->dump_hex;
	parsed.dump_file = old->dump_file;
	*old = parsed;
}

/* Of one origin, fields of structs change what is said of all of it. */
static void bind_args(Launch *l, Diag *d)
{
	LaunchText *t = l->text;
	for (u32 origin = FROM_FILE; origin <= FROM_OPTION; origin++)
		for (u32 fields = 0; fields < 2; fields++)
			for (u32 i = 0; i < t->args.n; i++)
				if (t->args.v[i].origin == origin && names_field(l, t->args.v[i].name) == fields)
					bind_arg(l, &t->args.v[i], d);
}

static void bind_dumps(Launch *l, Diag *d)
{
	LaunchText *t = l->text;
	for (u32 origin = FROM_FILE; origin <= FROM_OPTION; origin++) {
		for (u32 i = 0; i < t->dumps.n; i++) {
			const DumpText *dump = &t->dumps.v[i];
			if (dump->origin != origin)
				continue;
			u32 arg = arg_named(l, "--dump", dump->name, dump->loc, dump->origin, d);
			if (arg == l->nargs)
				continue;
			const KernelArg *k = &l->kernel_args[arg];
			if (k->kind != ARG_GLOBAL && k->kind != ARG_CONSTANT && k->kind != ARG_IMAGE &&
			    k->kind != ARG_PIPE) {
				launch_error(l, d, dump->loc, "--dump: %s (%s) is not a buffer",
					     k->name, k->type_name);
				continue;
			}
			l->args[arg].dump = true;
			l->args[arg].dump_hex = dump->hex;
			l->args[arg].dump_file = dump->file;
		}
	}
}

bool launch_bind(Launch *l, const KernelArg *args, u32 n, Diag *d)
{
	u32 errors = d->errors;
	l->kernel_args = args;
	l->nargs = n;
	l->args = ARENA_ARRAY(l->arena, LaunchArg, n + 1);
	for (u32 i = 0; i < n; i++)
		l->args[i].shape = launch_arg_shape(&args[i]);
	if (l->recorded && !l->bind_recorded(l, d))
		return false;
	if (l->text->sim_text)
		launch_bind_sim(l, d);
	launch_bind_piglit(l, d);
	bind_args(l, d);
	bind_dumps(l, d);
	if (l->text->in_groups && l->text->global_dims < l->text->local_dims)
		l->text->global_dims = l->text->local_dims;
	u32 dims = l->text->global_dims ? l->text->global_dims : l->text->local_dims;
	if (dims)
		l->work_dim = dims;
	return d->errors == errors;
}
