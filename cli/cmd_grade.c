/* wavesim grade: submissions of one exercise, each judged in a process of its own, in the order in which they are
 * named, whoever is done first. */
#include "base/parallel.h"
#include "cli/commands.h"
#include "cli/exercise.h"
#include "cli/output.h"
#include "report/grade.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct GradeOptions {
	const char *json, *csv, *junit, *pages, *sandbox;
	u64 timeout, jobs;
	bool native, quiet;
} GradeOptions;
static const OptRow rows[] = {
	OPT_ROW_TEXT(GradeOptions, json, "--json", "FILE", "write every item of each submission (schema "
	                                                   "wavesim-grade/1)")
	OPT_ROW_TEXT(GradeOptions, csv, "--csv", "FILE", "write a row for each submission")
	OPT_ROW_TEXT(GradeOptions, junit, "--junit", "FILE", "write JUnit's XML: a suite for each submission")
	OPT_ROW_TEXT(GradeOptions, pages, "--pages", "DIR", "write pages for a browser into this folder: index.html "
	             "of the class, one of each submission")
	OPT_ROW_WHOLE(GradeOptions, timeout, "--timeout", "SECONDS", 1, 1000000, JUDGE_SECONDS,
	              "give up on a submission after that long, without a verdict (default 60)")
	OPT_ROW_WHOLE(GradeOptions, jobs, "--jobs", "N", 1, 1024, 0,
	              "submissions that are judged at once (default: one for each processor)")
	OPT_ROW_TEXT(GradeOptions, sandbox, "--sandbox", "auto|require|off", "confine compilers, as in wavesim FILE")
	OPT_ROW_FLAG(GradeOptions, native, "--native", "run submissions natively, too, confined, and compare the "
	                                               "results")
	OPT_ROW_FLAG(GradeOptions, quiet, "--quiet", "no table")
};

typedef struct GradeCommand {
	Arena *arena;
	GradeOptions o;
	Exercise exercise;
	ARRAY(const char *) dirs; /* without slashes at the end */
	GradeOne *of;
	Grade grade;
} GradeCommand;

static bool read_words(GradeCommand *g, int argc, char *const *argv, Diag *d)
{
	char **rest = ARENA_ARRAY(g->arena, char *, argc + 1);
	int n = 0;
	bool ok = opt_take(rows, COUNT(rows), &g->o, 0, argc, argv, rest, &n, d), files = false;
	for (int i = 1; ok && i < n; i++) {
		if (!files && rest[i][0] == '-' && rest[i][1]) {
			files = !strcmp(rest[i], "--");
			ok = files || diag_error(d, NO_LOC, "there is no option %s", rest[i]);
			if (!ok)
				diag_hint(d, "wavesim grade --help lists all options");
			continue;
		}
		size_t len = strlen(rest[i]);
		while (len > 1 && rest[i][len - 1] == '/')
			len--;
		array_push(&g->dirs, arena_strndup(g->arena, rest[i], len));
	}
	if (ok && g->dirs.n < 2) {
		ok = diag_error(d, NO_LOC, g->dirs.n ? "which submissions?" : "which exercise, and which submissions?");
		diag_hint(d, "wavesim grade vector-add class/*: a folder each, with the kernel file in it");
	}
	const OutputOption outputs[] = {{"--json", g->o.json, NO_LOC, false}, {"--csv", g->o.csv, NO_LOC, false},
	                                {"--junit", g->o.junit, NO_LOC, false}};
	return ok && options_apart(outputs, COUNT(outputs), NULL, d);
}

/* Last parts of paths where all of these differ; else the paths. */
static void name_all(GradeCommand *g)
{
	const char **names = ARENA_ARRAY(g->arena, const char *, g->grade.n + 1);
	for (u32 i = 0; i < g->grade.n; i++)
		names[i] = path_name(g->dirs.v[i + 1]);
	sort(names, g->grade.n, sizeof *names, by_text);
	bool differ = true;
	for (u32 i = 1; i < g->grade.n; i++)
		differ &= strcmp(names[i - 1], names[i]) != 0;
	for (u32 i = 0; i < g->grade.n; i++) {
		const char *dir = g->dirs.v[i + 1], *name = differ ? path_name(dir) : dir;
		Buf clean = {0}, page = {0};
		char *text = utf8_clean(name, strlen(name));
		buf_masked(&clean, text, strlen(text), false);
		g->of[i].name = buf_keep(&clean, g->arena);
		free(text);
		buf_printf(&page, "%03u-", i + 1);
		for (const char *p = path_name(dir); *p && page.n < 64; p++)
			buf_printf(&page, "%c", isalnum((u8)*p) || strchr("-_", *p) ? *p : '_');
		buf_printf(&page, ".html");
		g->of[i].page = g->o.pages ? buf_keep(&page, g->arena) : NULL;
		array_free(&page);
	}
}

/* The kernel file: in the folder, or it. */
static const char *kernel_of(const GradeCommand *g, const char *dir)
{
	struct stat st;
	bool folder = !stat(dir, &st) && S_ISDIR(st.st_mode);
	return folder ? arena_printf(g->arena, "%s/%s", dir, g->exercise.file) : dir;
}

/* No thread writes it, as progress_step's does: processes are forked meanwhile. */
static void show_progress(const GradeCommand *g, u32 done)
{
	if (g->o.quiet || !isatty(STDERR_FILENO))
		return;
	if (done < g->grade.n)
		fprintf(stderr, "\r%u of %u submissions", done, g->grade.n);
	else
		fprintf(stderr, "\r%*s\r", 40, "");
}

static bool judge_all(GradeCommand *g, Judge *j, Diag *d)
{
	u32 jobs = g->o.jobs ? (u32)g->o.jobs : processors(), started = 0, n = g->grade.n;
	JudgeApart *w = ARENA_ARRAY(g->arena, JudgeApart, n);
	bool ok = true;
	for (u32 i = 0; i < n && (ok || i < started); i++) {
		while (ok && started < n && started < i + jobs) {
			ok = judge_apart_start(&w[started], j, kernel_of(g, g->dirs.v[started + 1]), d);
			started += ok;
		}
		if (i < started)
			judge_apart_take(&w[i], (double)g->o.timeout, g->arena, &g->of[i].judgement);
		show_progress(g, i + 1);
	}
	return ok;
}

/* ---- what is written ---- */

static bool write_page(const GradeCommand *g, const char *name, Buf *text, Diag *d)
{
	bool ok = output_file(arena_printf(g->arena, "%s/%s", g->o.pages, name), NO_LOC, text, d);
	array_free(text);
	return ok;
}

static bool write_pages(const GradeCommand *g, Diag *d)
{
	Buf text = {0};
	if (mkdir(g->o.pages, 0777) && errno != EEXIST)
		return diag_error(d, NO_LOC, "cannot make the folder '%s': %s", g->o.pages, strerror(errno));
	grade_html(&g->grade, &text);
	bool ok = write_page(g, "index.html", &text, d);
	for (u32 i = 0; i < g->grade.n && ok; i++) {
		grade_one_html(&g->grade, &g->of[i], &text);
		ok = write_page(g, g->of[i].page, &text, d);
	}
	return ok;
}

static bool write_output(const GradeCommand *g, const char *path, void (*format)(const Grade *g, Buf *out), Diag *d)
{
	Buf text = {0};
	if (!path)
		return true;
	format(&g->grade, &text);
	bool ok = output_file(path, NO_LOC, &text, d);
	array_free(&text);
	return ok;
}

static bool show(const GradeCommand *g, Diag *d)
{
	bool ok = write_output(g, g->o.json, grade_json, d);
	ok &= write_output(g, g->o.csv, grade_csv, d);
	ok &= write_output(g, g->o.junit, grade_junit, d);
	if (g->o.pages)
		ok &= write_pages(g, d);
	Buf text = {0};
	SinkStyle style = output_style(STDOUT_FILENO);
	grade_text(&g->grade, &style, &text);
	bool table = !g->o.quiet && !is_stdout(g->o.json) && !is_stdout(g->o.csv) && !is_stdout(g->o.junit);
	ok &= !table || output_stdout(text.v, text.n, d);
	array_free(&text);
	return ok;
}

/* ---- the command ---- */

void grade_completes(CompletionCommand *c, Arena *a)
{
	exercise_completes(c, a);
	c->ntables = 0;
	completion_rows(c, rows, COUNT(rows), 0);
}

void grade_help(Buf *out)
{
	buf_printf(out, "wavesim grade NAME DIR ...   mark submissions of an exercise side by side\n\n"
	                "NAME is an exercise (wavesim exercise), or the path of its folder. Each DIR is a submission: "
	                "a folder with the exercise's kernel file, or that file.\n"
	                "Each kernel runs in a process of its own, on the simulated machine only unless --native is "
	                "given. Verdicts depend on counts, never on time.\n");
	opt_help(rows, COUNT(rows), 0, out);
	buf_printf(out, "\nExit status: 0 all were judged, 1 some were not (--timeout, memory), 2 bad input.\n");
}

static int run(GradeCommand *g, Diag *d)
{
	const char *folder = exercise_folder(g->dirs.v[0], g->arena, d);
	Exercise *x = &g->exercise;
	if (!folder || !exercise_read(x, arena_printf(g->arena, "%s/README.md", folder), d) ||
	    !exercise_spec(x, g->o.sandbox, g->o.native, d))
		return EXIT_BAD_INPUT;
	u32 n = g->dirs.n - 1;
	g->of = ARENA_ARRAY(g->arena, GradeOne, n);
	g->grade = (Grade){.exercise = x->name, .title = x->title, .file = x->file, .of = g->of, .n = n};
	name_all(g);
	Judge *j = judge_new(&x->spec, d);
	bool ok = j && judge_all(g, j, d) && show(g, d);
	judge_free(j);
	return !ok ? EXIT_BAD_INPUT : grade_count(&g->grade, JUDGE_not_judged) ? EXIT_DIFFERENT : EXIT_FINE;
}

int cmd_grade(int argc, char *const *argv, Diag *d)
{
	GradeCommand g = {.arena = arena_new()};
	int status = read_words(&g, argc, argv, d) ? run(&g, d) : EXIT_BAD_INPUT;
	exercise_free(&g.exercise);
	array_free(&g.dirs);
	arena_free(g.arena);
	return status;
}
