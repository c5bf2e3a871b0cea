/* wavesim compare: two launches with the same inputs. Equal results? What changed? Faster, and why? In place of a
 * launch a report may stand that was saved as JSON; a launch beside one is what that report's was. */
#include "cli/baseline.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "options/specs.h"
#include "engine/pair.h"
#include "report/saved.h"

#include <unistd.h>

typedef struct CompareOptions {
	const char *side[SIDES]; /* options for one side only */
	u64 max_ulp;
	const char *fail_slower, *json, *html, *log;
} CompareOptions;
static const OptRow rows[] = {
	OPT_ROW_TEXT(CompareOptions, side[0], "--options-a", "WORDS",
	             "options for the first side only: --options-a '-D TILE=8 --local 64'")
	OPT_ROW_TEXT(CompareOptions, side[1], "--options-b", "WORDS", "options for the second side only")
	OPT_ROW_WHOLE(CompareOptions, max_ulp, "--max-ulp", "N", 0, UINT64_MAX, 0,
	              "floats that differ by at most N units in the last place count as equal (default 0)")
	OPT_ROW_TEXT(CompareOptions, fail_slower, "--fail-slower", "PERCENT",
	             "exit status 1 when AFTER is slower by more: 5%")
	OPT_ROW_TEXT(CompareOptions, json, "--json", "FILE",
	             "the comparison as JSON (wavesim-compare/1); - is standard output")
	OPT_ROW_TEXT(CompareOptions, html, "--html", "FILE",
	             "one page for a browser: verdict, what changed, sources side by side")
	OPT_ROW_TEXT(CompareOptions, log, "--log", "FILE", "the text, instead of on standard output")
};

/* An option as it was given. */
typedef struct CompareItem {
	const char *word, *value; /* value: the next word, or NULL */
	bool own;                 /* for one side alone: it replaces one for both */
} CompareItem;
typedef ARRAY(CompareItem) CompareItems;

typedef struct CompareCommand {
	Arena *arena;
	CompareOptions own;
	const char *file[SIDES];
	Result *saved[SIDES]; /* NULL: a launch */
	double fail_slower;   /* negative: it never fails */
	CompareItems side[SIDES];
	bool quiet;
} CompareCommand;

void compare_completes(CompletionCommand *c, Arena *a)
{
	completion_rows(c, rows, COUNT(rows), 0);
	completion_table(c, options_completes(&(OptionId){0}, 0, a));
}

void compare_help(Buf *out)
{
	buf_printf(
	    out,
	    "wavesim compare BEFORE [AFTER] [options]: two launches with the same inputs. Are the results\n"
	    "the same, what changed, is it faster, and why\n\n"
	    "  wavesim compare before.cl after.cl\n"
	    "  wavesim compare kernel.cl --kernel first --kernel-b second\n"
	    "  wavesim compare kernel.cl --device hd5870 --device-b mi50\n"
	    "  wavesim compare kernel.cl --options-b '-D TILE=16'\n"
	    "  wavesim compare old.json kernel.cl --fail-slower 5%%\n\n"
	    "BEFORE and AFTER are kernel files, or reports that were saved with --json. A kernel file beside a\n"
	    "report is launched as the report says, on its device; options change that, and never a report.\n"
	    "Options of a launch (wavesim --help) are for both sides. With -a or -b behind its name, an\n"
	    "option is for the first or the second side: --local-b 128, --arg-b n=4096.\n"
	    "Values and contents of arguments are the first side's, by name; sizes that the second side's\n"
	    "file gives are its own.\n\n");
	opt_help(rows, COUNT(rows), 0, out);
	buf_printf(out, "\nExit status: 0 the results are equal, or not compared (saved reports), 1 they differ or\n"
	                "--fail-slower is exceeded, 2 bad input.\n");
}

/* ---- words ---- */

/* --NAME-b: true, and the side; *plain is --NAME. */
static bool for_one_side(CompareCommand *c, const char *word, const char **plain, int *side)
{
	size_t n = strcspn(word, "=");
	if (word[0] != '-' || word[1] != '-' || n < 5 || word[n - 2] != '-' ||
	    (word[n - 1] != 'a' && word[n - 1] != 'b'))
		return false;
	*side = word[n - 1] == 'b';
	*plain = arena_printf(c->arena, "%.*s%s", (int)n - 2, word, word + n);
	return true;
}

/* One option; *k moves on when the next word is its value. */
static void take_item(CompareCommand *c, int side, const char *word, const char *next, int *k)
{
	const char *value = !strchr(word, '=') && options_want_value(word) ? next : NULL;
	*k += value != NULL;
	for (int s = 0; s < SIDES; s++)
		if (side < 0 || s == side)
			array_push(&c->side[s], ((CompareItem){word, value, side >= 0}));
}

static bool take_file(CompareCommand *c, const char *path, Diag *d)
{
	u32 i = c->file[0] ? 1 : 0;
	if (c->file[i])
		return diag_error(d, NO_LOC, "two files are compared; '%s' is one too many", path);
	c->file[i] = path;
	return true;
}

static bool split_words(CompareCommand *c, int argc, char *const *argv, Diag *d)
{
	char **rest = ARENA_ARRAY(c->arena, char *, argc + 1);
	int n = 0;
	bool ok = opt_take(rows, COUNT(rows), &c->own, 0, argc, argv, rest, &n, d);
	for (int k = 1; k < n; k++) {
		const char *word = rest[k], *next = k + 1 < n ? rest[k + 1] : NULL, *plain;
		int side;
		if (!strcmp(word, "--quiet") || !strcmp(word, "-q")) {
			c->quiet = true;
		} else if (for_one_side(c, word, &plain, &side)) {
			take_item(c, side, plain, next, &k);
		} else if (word[0] != '-' || !word[1]) {
			ok &= take_file(c, word, d);
		} else {
			take_item(c, -1, word, next, &k);
		}
	}
	return ok;
}

/* --options-a and --options-b, split as a shell would. */
static bool split_texts(CompareCommand *c, Diag *d)
{
	bool ok = true;
	for (int s = 0; s < SIDES; s++) {
		const char *text = c->own.side[s];
		if (!text)
			continue;
		LaunchTokens t = {0};
		ok &= launch_words(text, NO_LOC, NULL, c->arena, &t, d);
		for (int i = 0; i < (int)t.n; i++)
			take_item(c, s, t.v[i].text, i + 1 < (int)t.n ? t.v[i + 1].text : NULL, &i);
		array_free(&t);
	}
	return ok;
}

/* What an option sets: its name, and of --arg, --dump, -D and the like the name in its value. */
static const char *key_of(CompareCommand *c, const CompareItem *x)
{
	bool macro = x->word[0] == '-' && (x->word[1] == 'D' || x->word[1] == 'I');
	size_t n = macro ? 2 : strcspn(x->word, "=");
	const char *value = x->value ? x->value : x->word + n + (x->word[n] == '=');
	bool named = macro || !strncmp(x->word, "--arg", n) || !strncmp(x->word, "--dump", n);
	return arena_printf(c->arena, "%.*s %.*s", (int)n, x->word, named ? (int)strcspn(value, "=") : 0, value);
}

static bool is_replaced(CompareCommand *c, const CompareItems *items, const CompareItem *x)
{
	const char *key = key_of(c, x);
	for (u32 i = 0; !x->own && i < items->n; i++)
		if (items->v[i].own && !strcmp(key_of(c, &items->v[i]), key))
			return true;
	return false;
}

/* The arguments that the second side alone was given. */
static void find_own(CompareCommand *c, Names *own)
{
	for (u32 i = 0; i < c->side[1].n; i++) {
		const CompareItem *x = &c->side[1].v[i];
		const char *value = x->value ? x->value : x->word + 6;
		if (x->own && (!strcmp(x->word, "--arg") ? x->value != NULL : !strncmp(x->word, "--arg=", 6)))
			array_push(own, arena_strndup(c->arena, value, strcspn(value, "=")));
	}
}

/* The launch of a saved report, as options weaker than those of the command line. */
static bool read_launch(const CompareCommand *c, Options *o, const Result *saved, const char *path, Diag *d)
{
	Buf words = {0};
	Device dev;
	Diag none;
	diag_init(&none);
	buf_printf(&words, "%s", saved->options);
	/* A configured device is for launches that name none. */
	bool given = o->given[OPTION_device] > GIVEN_CONFIG || o->given[OPTION_mcpu] > GIVEN_CONFIG;
	bool known = device_load(&dev, saved->device, NO_LOC, c->arena, &none);
	if (known) {
		if (!given)
			buf_printf(&words, " --device %s", saved->device);
		if (saved->wave != dev.wave)
			buf_printf(&words, " --wave %u", saved->wave);
		if (saved->banks != dev.lds_banks)
			buf_printf(&words, " --banks %u", saved->banks);
	}
	diag_free(&none);
	if (!known && !given) {
		array_free(&words);
		return diag_error(d, (Loc){path, 0, 0}, "the report's device '%s' is none of wavesim's: give it with "
		                                        "--device",
		                  saved->device);
	}
	const char *text = buf_keep(&words, c->arena);
	LaunchTokens t = {0};
	bool ok =
	    launch_words(text, (Loc){path, 0, 0}, NULL, c->arena, &t, d) && options_parse_page(o, t.v, t.n, NULL, d);
	array_free(&t);
	return ok;
}

static bool read_options(CompareCommand *c, Options *o, u32 side, Diag *d)
{
	const CompareItems *items = &c->side[side];
	const char **argv = ARENA_ARRAY(c->arena, const char *, 2 * items->n + 3);
	int n = 0;
	argv[n++] = "wavesim";
	argv[n++] = c->file[side] ? c->file[side] : c->file[0];
	for (u32 i = 0; i < items->n; i++) {
		if (is_replaced(c, items, &items->v[i]))
			continue;
		argv[n++] = items->v[i].word;
		if (items->v[i].value)
			argv[n++] = items->v[i].value;
	}
	const Result *other = c->saved[1 - side];
	return options_parse(o, n, (char *const *)argv, d) &&
	       (!other || c->saved[side] || read_launch(c, o, other, c->file[1 - side], d));
}

/* One file, and nothing that is for one side alone? */
static bool is_same(const CompareCommand *c)
{
	for (u32 s = 0; s < SIDES; s++)
		for (u32 i = 0; i < c->side[s].n; i++)
			if (c->side[s].v[i].own)
				return false;
	return !c->file[1];
}

static bool check_words(const CompareCommand *c, Diag *d)
{
	if (!c->file[0]) {
		diag_error(d, NO_LOC, "which kernel files?");
		return diag_hint(d, "wavesim compare before.cl after.cl");
	}
	if (is_same(c)) {
		diag_error(d, NO_LOC, "there is one launch, and nothing to compare it with");
		return diag_hint(d, "give a second file, or an option for one side: --kernel-b, --device-b, "
		                    "--options-b '-D X=1'");
	}
	for (u32 s = 0; s < SIDES; s++)
		for (u32 i = 0; i < c->side[s].n; i++)
			if (!options_not_of_one(c->side[s].v[i].word,
			                        "write a comparison with --json, --html or --log", d))
				return false;
	const OutputOption files[] = {
		{"--json", c->own.json, NO_LOC, false}, {"--html", c->own.html, NO_LOC, false},
		{"--log", c->own.log, NO_LOC, false}, {"the kernel", c->file[0], NO_LOC, true},
		{"the kernel", c->file[1], NO_LOC, true},
	};
	return options_apart(files, COUNT(files), NULL, d);
}

/* ---- names ---- */

/* What tells the sides apart: the end of the path, the kernel, the device, or only the order. */
static void name_sides(const CompareCommand *c, Pair *p, const Options *a, const Options *b)
{
	static const char *const order[SIDES] = {"before", "after"};
	const char *file[SIDES] = {a->input, b->input}, *kernel[SIDES], *device[SIDES];
	for (u32 i = 0; i < SIDES; i++) {
		const Result *saved = c->saved[i];
		kernel[i] = saved ? saved->kernel : engine_program(p->side[i].run)->kernel;
		device[i] = saved ? saved->device : engine_device(p->side[i].run)->name;
	}
	for (u32 i = 0; i < SIDES; i++) {
		const char *label = order[i];
		if (strcmp(file[0], file[1]) != 0)
			label = strcmp(path_name(file[0]), path_name(file[1])) ? path_name(file[i]) : file[i];
		else if (strcmp(kernel[0], kernel[1]) != 0)
			label = kernel[i];
		else if (strcmp(device[0], device[1]) != 0)
			label = device[i];
		p->side[i].label = label;
	}
}

/* ---- all of it ---- */

static bool write_output(const char *path, void (*write)(const Compare *, const SinkStyle *, Buf *),
                       const Compare *x, Diag *d)
{
	Loc at = {"command line", 0, 0};
	SinkStyle plain = {0};
	Buf text = {0};
	if (!path)
		return true;
	write(x, &plain, &text);
	bool ok = output_file(path, at, &text, d);
	array_free(&text);
	return ok;
}

static bool write_formats(const CompareCommand *c, const Compare *x, Diag *d)
{
	const char *json = c->own.json, *html = c->own.html, *log = c->own.log;
	if (!write_output(json, compare_json, x, d) || !write_output(html, compare_html, x, d) ||
	    !write_output(log, compare_text, x, d))
		return false;
	if (is_stdout(json) || is_stdout(html) || c->quiet || log)
		return true;
	Buf text = {0};
	SinkStyle style = output_style(STDOUT_FILENO);
	compare_text(x, &style, &text);
	return output_text(&text, d);
}

static bool show_results(const CompareCommand *c, const Result *const r[SIDES], const Pair *p,
                         const CompareResults *results, int *status, Diag *d)
{
	const char *label[SIDES] = {p->side[0].label, p->side[1].label};
	Compare *x = compare_build(r[0], r[1], label, results);
	bool slower, ok = write_formats(c, x, d);
	ok &= baseline_slower(x, c->fail_slower, &slower, d);
	*status = compare_same(x) && !slower ? EXIT_FINE : EXIT_DIFFERENT;
	compare_free(x);
	return ok;
}

static bool show_pair(const CompareCommand *c, Pair *p, Progress *progress, int *status, Diag *d)
{
	const Result *r[SIDES];
	Result *run[SIDES] = {NULL, NULL};
	bool ok = true;
	for (u32 i = 0; i < SIDES && ok; i++) {
		r[i] = c->saved[i] ? c->saved[i] : (run[i] = engine_result(p->side[i].run));
		ok = r[i] != NULL;
	}
	CompareResults saved = {0}, *results = &saved;
	if (ok && (c->saved[0] || c->saved[1]))
		saved = saved_results(r[0], r[1], c->arena);
	else if (ok)
		results = pair_results(p);
	progress_end(progress);
	ok = ok && results && show_results(c, r, p, results, status, d);
	for (u32 i = 0; i < SIDES; i++)
		result_free(run[i]);
	return ok;
}

static bool run_both(const CompareCommand *c, Pair *p, Options *o, BuildCache *cache, Progress *progress, Diag *d)
{
	bool ok = true, saved = c->saved[0] || c->saved[1];
	for (u32 i = 0; i < SIDES && ok; i++) {
		LaunchSpec launch = specs_launch(&o[i]);
		if (!c->saved[i])
			p->side[i].run = specs_build(&o[i], &launch, cache, progress_host(progress), &ok, d);
	}
	if (!ok)
		return false;
	name_sides(c, p, &o[0], &o[1]);
	ok = saved || pair_bind(p);
	for (u32 i = 0; i < SIDES && ok; i++) {
		EngineRun *run = p->side[i].run;
		ok = !run || ((!saved || engine_bind(run)) && engine_execute(run));
	}
	return ok;
}

static bool run_pair(const CompareCommand *c, Pair *p, Options *o, BuildCache *cache, int *status, Diag *d)
{
	Progress progress = progress_new(!c->quiet && !o[0].quiet && !o[1].quiet, o[0].progress);
	bool ok = run_both(c, p, o, cache, &progress, d) && show_pair(c, p, &progress, status, d);
	progress_end(&progress);
	return ok;
}

/* The sides that are reports. */
static bool read_saved(CompareCommand *c, Diag *d)
{
	bool ok = baseline_limit(c->own.fail_slower, NO_LOC, NULL, &c->fail_slower, d);
	for (u32 i = 0; i < SIDES && ok; i++)
		if (c->file[i] && path_ends(c->file[i], ".json"))
			ok = (c->saved[i] = saved_read(c->file[i], d)) != NULL;
	return ok;
}

/* A saved report is what it is: an option can only be for a launch beside it. */
static bool check_saved(const CompareCommand *c, Diag *d)
{
	if (c->saved[0] && !c->file[1]) {
		diag_error(d, NO_LOC, "what is '%s' compared with?", c->file[0]);
		return diag_hint(d, "give a kernel file, or another report: wavesim compare %s kernel.cl", c->file[0]);
	}
	for (u32 s = 0; s < SIDES; s++)
		for (u32 i = 0; i < c->side[s].n; i++) {
			const CompareItem *x = &c->side[s].v[i];
			if (c->saved[s] && (x->own || c->saved[1 - s]) && strcmp(x->word, "--no-config") != 0)
				return diag_error(d, NO_LOC, "%s: '%s' is a saved report, which no option changes",
				                  x->word, c->file[s]);
		}
	return true;
}

static int compare(CompareCommand *c, Diag *d)
{
	Options o[SIDES];
	Pair p = {.arena = c->arena};
	BuildCache cache = {0};
	int status = EXIT_FINE;
	find_own(c, &p.own);
	bool ok = read_saved(c, d) && check_saved(c, d) && check_words(c, d);
	p.max_ulp = c->own.max_ulp;
	for (u32 i = 0; i < SIDES; i++) {
		options_init(&o[i]);
		ok = ok && read_options(c, &o[i], i, d);
	}
	if (!ok || !run_pair(c, &p, o, &cache, &status, d))
		status = EXIT_BAD_INPUT;
	for (u32 i = 0; i < SIDES; i++) {
		engine_close(p.side[i].run);
		result_free(c->saved[i]);
		options_free(&o[i]);
	}
	pair_free(&p);
	build_cache_free(&cache);
	return status;
}

int cmd_compare(int argc, char *const *argv, Diag *d)
{
	CompareCommand c = {.arena = arena_new()};
	int status = EXIT_BAD_INPUT;
	if (split_words(&c, argc, argv, d) && split_texts(&c, d))
		status = compare(&c, d);
	for (u32 i = 0; i < SIDES; i++)
		array_free(&c.side[i]);
	arena_free(c.arena);
	return status;
}
