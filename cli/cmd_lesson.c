/* wavesim lesson: list the lessons, or run one and walk through what its launches show. Lessons lie beside the
 * program, in its share folder when it is installed, or where
 * WAVESIM_LESSONS says. */
#include "cli/lesson.h"
#include "cli/commands.h"
#include "cli/show.h"
#include "engine/pair.h"
#include "report/compare.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- where they are ---- */

static bool is_folder(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool is_same(const char *a, const char *b)
{
	struct stat x, y;
	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static const char *lessons_folder(Arena *a, Diag *d)
{
	const char *given = getenv("WAVESIM_LESSONS");
	if (given && *given)
		return given;
	char found[PATH_MAX];
	if (near_program("lessons", found) && !is_same(found, "lessons"))
		return arena_strdup(a, found);
	if (is_folder("lessons"))
		return "lessons";
	diag_error(d, NO_LOC, "the lessons are not found");
	diag_hint(d, "set WAVESIM_LESSONS to their folder: lessons/ of the source, "
	             "share/wavesim/lessons of an installation");
	return NULL;
}

typedef struct LessonEntry {
	const char *name, *title;
	u32 number; /* of "(E7)" in the title */
} LessonEntry;
typedef ARRAY(LessonEntry) LessonEntries;

static int by_number(const void *va, const void *vb)
{
	const LessonEntry *a = va, *b = vb;
	return a->number != b->number ? (a->number < b->number ? -1 : 1) : strcmp(a->name, b->name);
}

static bool find_all(const char *folder, Arena *a, LessonEntries *out, Diag *d)
{
	DIR *dir = opendir(folder);
	if (!dir)
		return diag_error(d, NO_LOC, "cannot read '%s': %s", folder, strerror(errno));
	bool ok = true;
	for (struct dirent *e; (e = readdir(dir));) {
		const char *path = arena_printf(a, "%s/%s/README.md", folder, e->d_name);
		if (e->d_name[0] == '.' || access(path, R_OK))
			continue;
		LessonPage p;
		ok &= lesson_page_read(&p, path, d);
		LessonEntry x = {.name = arena_strdup(a, e->d_name), .title = p.title ? arena_strdup(a, p.title) : "",
		           .number = UINT32_MAX};
		const char *number = strstr(x.title, "(E");
		if (number)
			sscanf(number, "(E%u)", &x.number);
		array_push(out, x);
		lesson_page_free(&p);
	}
	closedir(dir);
	if (out->n)
		qsort(out->v, out->n, sizeof *out->v, by_number);
	return ok;
}

static const LessonEntry *find_one(const LessonEntries *all, const char *name, Arena *a, Diag *d)
{
	const char **names = ARENA_ARRAY(a, const char *, all->n + 1);
	for (u32 i = 0; i < all->n; i++) {
		names[i] = all->v[i].name;
		char number[16];
		snprintf(number, sizeof number, "E%u", all->v[i].number);
		if (!strcmp(name, names[i]) || !strcasecmp(name, number))
			return &all->v[i];
	}
	diag_error(d, NO_LOC, "there is no lesson '%s'", name);
	if (!diag_near(d, "", name, names, all->n))
		diag_hint(d, "wavesim lesson lists them");
	return NULL;
}

/* ---- the launches of a page ---- */

typedef struct LessonLaunch {
	Options o;
	EngineRun *run; /* NULL: it has not begun */
	Result *report;
	ResultQuery *query;
	bool failed;
} LessonLaunch;

typedef struct Lesson {
	LessonPage page;
	LessonLaunch *runs; /* one for each of the page's */
	BuildCache cache;
	Progress progress;
	Pair pair;
	LessonLaunch *side[SIDES]; /* before, after; NULL: there is no such run */
	Arena *arena;
	Diag *d;
	int nextra;
	char *const *extra; /* options for all */
} Lesson;

/* The words of a run, and the user's, which are stronger. The first is the file, in the page's folder or beside it. */
static bool read_words(Lesson *l, const LessonRun *r, Options *o, bool second)
{
	LaunchTokens t = {0};
	bool ok = launch_words(r->words, r->loc, l->page.text, l->arena, &t, l->d);
	const char **argv = ARENA_ARRAY(l->arena, const char *, (u32)l->nextra + 1);
	argv[0] = "wavesim";
	for (int i = 0; i < l->nextra; i++)
		argv[i + 1] = l->extra[i];
	for (u32 i = 1; second && i < t.n; i++)
		if (!strcmp(t.v[i - 1].text, "--arg"))
			array_push(&l->pair.own, arena_strndup(l->arena, t.v[i].text, strcspn(t.v[i].text, "=")));
	options_init(o);
	if (ok && !t.n)
		ok = diag_error(l->d, r->loc, "which kernel file?");
	ok = ok && options_parse(o, l->nextra + 1, (char *const *)argv, l->d) &&
	     options_parse_page(o, t.v + 1, t.n - 1, l->page.text, l->d) &&
	     show_not_of_one(o, OPTION_COUNT, "a lesson", "a lesson is text", l->d);
	const char *file = ok ? arena_printf(l->arena, "%s/%s", l->page.folder, t.v[0].text) : NULL;
	if (ok && (o->input || o->help))
		ok = diag_error(l->d, NO_LOC, "the kernel files of a lesson are its own");
	if (ok && !path_is_inside(arena_printf(l->arena, "%s/..", l->page.folder), file)) {
		diag_error(l->d, t.v[0].loc, "'%s' lies outside the folder of the lessons", t.v[0].text);
		ok = diag_source(l->d, l->page.text);
	}
	o->input = file;
	o->no_reference = o->quiet = true;
	o->check = o->check ? o->check : "";
	array_free(&t);
	return ok;
}

static bool prepare(Lesson *l)
{
	bool ok = true;
	l->runs = ARENA_ARRAY(l->arena, LessonLaunch, l->page.runs.n + 1);
	l->pair = (Pair){.arena = l->arena};
	for (u32 i = 0; i < l->page.runs.n && ok; i++) { /* wrong options are the same for all */
		const LessonRun *r = &l->page.runs.v[i];
		LessonLaunch *x = &l->runs[i];
		u32 side = !strcmp(r->name, "before") ? 0 : !strcmp(r->name, "after") ? 1 : SIDES;
		ok = read_words(l, r, &x->o, side == 1);
		if (side < SIDES)
			l->side[side] = x;
	}
	return ok;
}

static bool keep(LessonLaunch *x)
{
	x->report = engine_result(x->run);
	x->query = x->report ? result_query_new(x->report) : NULL;
	return x->report != NULL;
}

static bool build(Lesson *l, LessonLaunch *x)
{
	bool ok;
	LaunchSpec launch = specs_launch(&x->o);
	x->run = specs_build(&x->o, &launch, &l->cache, progress_host(&l->progress), &ok, l->d);
	return ok;
}

static bool run_alone(Lesson *l, LessonLaunch *x)
{
	if (x->failed || x->report)
		return !x->failed;
	x->failed = !build(l, x) || !engine_bind(x->run) || !engine_execute(x->run) || !keep(x);
	return !x->failed;
}

/* Both sides with the same inputs, and their comparison as text. */
static bool run_pair(Lesson *l, const SinkStyle *style, Buf *text)
{
	for (u32 i = 0; i < SIDES; i++)
		if (!build(l, l->side[i]))
			return false;
	CompareResults other_settings = {.missing = "the two launches have other settings, so their results are not "
	                                            "the same"};
	const char *label[SIDES] = {path_name(l->side[0]->o.input), path_name(l->side[1]->o.input)};
	bool one_kernel = !strcmp(label[0], label[1]);
	if (one_kernel) {
		label[0] = "before";
		label[1] = "after";
	}
	for (u32 i = 0; i < SIDES; i++)
		l->pair.side[i] = (PairSide){.run = l->side[i]->run, .label = label[i]};
	if (!pair_bind(&l->pair))
		return false;
	for (u32 i = 0; i < SIDES; i++)
		if (!engine_execute(l->side[i]->run))
			return false;
	CompareResults *results = one_kernel ? &other_settings : pair_results(&l->pair);
	for (u32 i = 0; i < SIDES; i++)
		if (!results || !keep(l->side[i]))
			return false;
	Compare *c = compare_build(l->side[0]->report, l->side[1]->report, label, results);
	compare_text(c, style, text);
	compare_free(c);
	return true;
}

static void lesson_free(Lesson *l)
{
	for (u32 i = 0; i < l->page.runs.n && l->runs; i++) {
		LessonLaunch *x = &l->runs[i];
		result_query_free(x->query);
		result_free(x->report);
		engine_close(x->run);
		if (x->o.arena)
			options_free(&x->o);
	}
	build_cache_free(&l->cache);
	pair_free(&l->pair);
	lesson_page_free(&l->page);
}

/* LessonAsk: the value of a run that is made when it is first asked for. */
static LessonAnswer ask(void *ctx, const char *run, const char *path, ResultValue *out)
{
	Lesson *l = ctx;
	for (u32 i = 0; i < l->page.runs.n; i++) {
		LessonLaunch *x = &l->runs[i];
		if (strcmp(l->page.runs.v[i].name, run) != 0)
			continue;
		if (!run_alone(l, x))
			return LESSON_FAILED;
		return result_query(x->query, path, out) ? LESSON_GOOD : LESSON_NO_VALUE;
	}
	return LESSON_NO_VALUE;
}

/* ---- showing and checking ---- */

typedef enum { MODE_SHOW, MODE_CHECK, MODE_UPDATE } LessonMode;

static bool show(Lesson *l, const char *filled, const char *compared)
{
	Buf out = {0};
	SinkStyle style = output_style(STDOUT_FILENO);
	const char *folder = l->page.folder, *name = path_name(folder);
	const char *file = l->page.runs.n ? l->runs[0].o.input : "FILE";
	lesson_show(filled, arena_strndup(l->arena, folder, (size_t)(name - folder)), compared, &style, &out);
	if (*folder == '/') /* where programs are installed */
		buf_printf(&out, "\nTo try a change of your own, copy the lesson and edit the copy. wavesim runs it "
		                 "again each time you save:\n"
		           "    cp -r %s . && wavesim watch %s/%s\n", folder, name,
		           path_name(file));
	else
		buf_printf(&out, "\nTo try a change of your own, start this and edit the kernel. wavesim runs it again "
		                 "each time you save:\n"
		                 "    wavesim watch %s\n", file);
	return output_text(&out, l->d);
}

static bool run_lesson(Lesson *l, const char *path, LessonMode mode)
{
	Buf filled = {0}, compared = {0};
	buf_printf(&compared, "%s", "");
	SinkStyle style = output_style(STDOUT_FILENO);
	LessonFill f = {.ask = ask, .ctx = l, .strict = mode == MODE_CHECK};
	bool ok = lesson_page_read(&l->page, path, l->d) && prepare(l);
	if (ok && l->side[0] && l->side[1])
		ok = run_pair(l, &style, &compared);
	ok = ok && lesson_fill(&l->page, &f, &filled, l->d);
	progress_end(&l->progress);
	if (ok && mode == MODE_SHOW)
		ok = show(l, filled.v, compared.v);
	if (ok && mode == MODE_UPDATE && strcmp(filled.v, l->page.text) != 0)
		ok = output_file(path, NO_LOC, &filled, l->d);
	array_free(&filled);
	array_free(&compared);
	return ok && (mode != MODE_CHECK || !f.differ);
}

static bool one(const char *folder, const LessonEntry *e, LessonMode mode, int nextra, char *const *extra, Diag *d)
{
	Lesson l = {.arena = arena_new(), .d = d, .progress = progress_new(true, 0), .nextra = nextra, .extra = extra};
	bool ok = run_lesson(&l, arena_printf(l.arena, "%s/%s/README.md", folder, e->name), mode);
	lesson_free(&l);
	arena_free(l.arena);
	if (mode == MODE_CHECK)
		printf("%s  %s\n", ok ? "holds " : "differs", e->name);
	return ok;
}

static bool list(const char *folder, const LessonEntries *all, Diag *d)
{
	Buf out = {0};
	for (u32 i = 0; i < all->n; i++)
		buf_printf(&out, "  %-22s%s\n", all->v[i].name, all->v[i].title);
	buf_printf(&out, "\nwavesim lesson NAME runs a lesson and explains what it shows. The files are in %s.\n",
	           folder);
	return output_text(&out, d);
}

void lesson_completes(CompletionCommand *c, Arena *a)
{
	static const OptRow modes[] = {{.kind = OPT_FLAG, .name = "--check",
	                                .help = "check that the pages say what the launches do"},
	                               {.kind = OPT_FLAG, .name = "--update",
	                                .help = "update the numbers in the pages"}};
	Diag d;
	diag_init(&d);
	LessonEntries all = {0};
	const char *folder = lessons_folder(a, &d);
	Buf names = {0};
	buf_printf(&names, "%s", "");
	if (folder && find_all(folder, a, &all, &d))
		for (u32 i = 0; i < all.n; i++)
			buf_printf(&names, "%s%s", i ? " " : "", all.v[i].name);
	c->words = buf_keep(&names, a);
	completion_rows(c, modes, COUNT(modes), 0);
	completion_table(c, options_completes(&(OptionId){0}, 0, a));
	array_free(&all);
	diag_free(&d);
}

void lesson_help(Buf *out)
{
	buf_printf(out,
	           "wavesim lesson                     the lessons: kernels before and after a change\n"
	           "wavesim lesson NAME [options]      run a lesson and explain what it shows\n"
	           "wavesim lesson --check [NAME ...]  check that the pages say what the launches do\n"
	           "wavesim lesson --update [NAME ...] update the numbers in the pages\n\n"
	           "NAME is one of the list, or its number (E7). Options (wavesim --help) are for all launches of\n"
	           "the lesson: --device rx6900xt shows it on another chip. WAVESIM_LESSONS names another folder.\n"
	           "Exit status: 0 fine, 1 --check found a difference, 2 bad input.\n");
}

static bool some(const char *folder, const LessonEntries *all, LessonMode mode, int n, char *const *names, Arena *a,
                 Diag *d)
{
	bool ok = true;
	for (u32 i = 0; i < all->n && !n; i++)
		ok &= one(folder, &all->v[i], mode, 0, NULL, d);
	for (int i = 0; i < n; i++) {
		const LessonEntry *e = find_one(all, names[i], a, d);
		ok &= e && one(folder, e, mode, 0, NULL, d);
	}
	return ok;
}

int cmd_lesson(int argc, char *const *argv, Diag *d)
{
	const char *word = argc > 1 ? argv[1] : NULL;
	Arena *a = arena_new();
	LessonEntries all = {0};
	int bad = EXIT_BAD_INPUT;
	bool ok = true;
	const char *folder = NULL;
	if (!(folder = lessons_folder(a, d)) || !find_all(folder, a, &all, d)) {
		ok = false;
	} else if (!word) {
		ok = list(folder, &all, d);
	} else if (!strcmp(word, "--check") || !strcmp(word, "--update")) {
		bool check = !strcmp(word, "--check");
		ok = some(folder, &all, check ? MODE_CHECK : MODE_UPDATE, argc - 2, argv + 2, a, d);
		bad = check ? EXIT_DIFFERENT : EXIT_BAD_INPUT;
	} else {
		const LessonEntry *e = find_one(&all, word, a, d);
		ok = e && one(folder, e, MODE_SHOW, argc - 2, argv + 2, d);
	}
	array_free(&all);
	arena_free(a);
	return ok ? EXIT_FINE : bad;
}
