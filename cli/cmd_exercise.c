/* wavesim exercise: list the exercises, show the task of one, say what a kernel for it still lacks. Exercises lie
 * beside the program, in its share folder when it is installed, or where WAVESIM_EXERCISES says; or are named by their
 * folder. */
#include "cli/commands.h"
#include "cli/exercise.h"
#include "cli/lesson.h"
#include "cli/output.h"
#include "report/grade.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <unistd.h>

/* ---- where they are ---- */

static const char *exercises_folder(Arena *a, Diag *d)
{
	const char *given = getenv("WAVESIM_EXERCISES");
	char found[PATH_MAX], here[PATH_MAX];
	if (given && *given)
		return given;
	bool near = near_program("exercises", found);
	if (realpath("exercises", here) && (!near || !strcmp(here, found)))
		return "exercises";
	if (near)
		return arena_strdup(a, found);
	diag_error(d, NO_LOC, "the exercises are not found");
	diag_hint(d, "set WAVESIM_EXERCISES to their folder: exercises/ of the source, share/wavesim/exercises of an "
	             "installation");
	return NULL;
}

/* Names of those that are there, in order. */
typedef ARRAY(const char *) ExerciseNames;
static bool find_all(const char *folder, Arena *a, ExerciseNames *out, Diag *d)
{
	DIR *dir = opendir(folder);
	if (!dir)
		return diag_error(d, NO_LOC, "cannot read '%s': %s", folder, strerror(errno));
	for (struct dirent *e; (e = readdir(dir));)
		if (*e->d_name != '.' && !access(arena_printf(a, "%s/%s/README.md", folder, e->d_name), R_OK))
			array_push(out, arena_strdup(a, e->d_name));
	closedir(dir);
	array_sort(out, by_text);
	return true;
}

const char *exercise_folder(const char *name, Arena *a, Diag *d)
{
	if (strchr(name, '/')) {
		size_t n = strlen(name);
		while (n > 1 && name[n - 1] == '/')
			n--;
		const char *own = arena_strndup(a, name, n);
		if (!access(arena_printf(a, "%s/README.md", own), R_OK))
			return own;
		diag_error(d, NO_LOC, "'%s' is no folder of an exercise: there is no '%s/README.md'", name, own);
		return NULL;
	}
	ExerciseNames all = {0};
	const char *folder = exercises_folder(a, d), *found = NULL;
	bool ok = folder && find_all(folder, a, &all, d);
	for (u32 i = 0; ok && i < all.n && !found; i++)
		found = strcmp(all.v[i], name) ? NULL : arena_printf(a, "%s/%s", folder, name);
	if (ok && !found) {
		diag_error(d, NO_LOC, "there is no exercise '%s'", name);
		if (!diag_near(d, "", name, all.v, all.n))
			diag_hint(d, "wavesim exercise lists them; one of your own is named by its path: ./%s", name);
	}
	array_free(&all);
	return found;
}

static bool list(Arena *a, Diag *d)
{
	const char *folder = exercises_folder(a, d);
	ExerciseNames all = {0};
	Buf out = {0};
	bool ok = folder && find_all(folder, a, &all, d);
	for (u32 i = 0; ok && i < all.n; i++) {
		Exercise x;
		ok = exercise_read(&x, arena_printf(a, "%s/%s/README.md", folder, all.v[i]), d);
		if (ok)
			buf_printf(&out, "  %-18s%s\n", x.name, x.title);
		exercise_free(&x);
	}
	buf_printf(&out, "\nwavesim exercise NAME shows the task; wavesim exercise NAME FILE says what your kernel "
	                 "still\n"
	                 "lacks. The files are in %s.\n", folder ? folder : "?");
	ok = ok && output_stdout(out.v, out.n, d);
	array_free(&out);
	array_free(&all);
	return ok;
}

/* ---- one of them ---- */

static bool show_task(const Exercise *x, Diag *d)
{
	Buf out = {0};
	SinkStyle style = output_style(STDOUT_FILENO);
	Buf task = {0}; /* without what is said to wavesim */
	for (const char *p = x->text, *next; *p; p = next) {
		const char *at = strstr(p, "<!--"), *end = at ? strstr(at, "-->") : NULL;
		next = end ? end + 3 + (end[3] == '\n') : p + strlen(p);
		buf_write(&task, p, (size_t)((end ? at : next) - p));
	}
	buf_printf(&task, "%s", "");
	lesson_show(task.v, "lessons/", "", &style, &out);
	array_free(&task);
	buf_printf(&out, "%sTo begin, copy the kernel, edit the copy, and ask what it still lacks:\n"
	                 "    cp %s/%s .\n    wavesim exercise %s %s\n",
	           out.n > 1 && out.v[out.n - 2] == '\n' ? "" : "\n", x->folder, x->file, x->name, x->file);
	return output_text(&out, d);
}

typedef struct ExerciseOptions {
	const char *sandbox;
	u64 timeout;
	bool check;
} ExerciseOptions;
static const OptRow rows[] = {
	OPT_ROW_FLAG(ExerciseOptions, check, "--check", "check the exercises themselves: the model solution passes, "
	             "the kernel to change does not, each wrong one misses what the page says")
	OPT_ROW_WHOLE(ExerciseOptions, timeout, "--timeout", "SECONDS", 1, 1000000, JUDGE_SECONDS,
	              "give up on a kernel after that long, without a verdict (default 60)")
	OPT_ROW_TEXT(ExerciseOptions, sandbox, "--sandbox", "auto|require|off", "confine compilers, as in wavesim FILE")
};

/* False: it was not judged (error in d). */
static bool judge_file(Judge *j, const char *path, const ExerciseOptions *o, Arena *a, Judgement *out, Diag *d)
{
	JudgeApart w;
	if (!judge_apart_start(&w, j, path, d))
		return false;
	judge_apart_take(&w, (double)o->timeout, a, out);
	return true;
}

/* The exit status. */
static int judge_one(Exercise *x, const char *path, const ExerciseOptions *o, Arena *a, Diag *d)
{
	GradeOne one = {.name = path};
	Grade g = {.exercise = x->name, .title = x->title, .file = path_name(path), .of = &one, .n = 1};
	Judge *j = exercise_spec(x, o->sandbox, false, d) ? judge_new(&x->spec, d) : NULL;
	Buf out = {0};
	bool ok = j && judge_file(j, path, o, a, &one.judgement, d);
	if (ok) {
		SinkStyle style = output_style(STDOUT_FILENO);
		grade_one_text(&g, &one, &style, &out);
		ok = output_stdout(out.v, out.n, d);
	}
	array_free(&out);
	judge_free(j);
	return !ok ? EXIT_BAD_INPUT : one.judgement.verdict == JUDGE_passed ? EXIT_FINE : EXIT_DIFFERENT;
}

/* ---- checking exercises ---- */

static const JudgeItem *first_missed(const Judgement *x)
{
	for (u32 i = 0; i < x->nitems; i++)
		if (x->items[i].state == ITEM_missed)
			return &x->items[i];
	return NULL;
}

/* want: the verdict, or the item that it misses first; NULL: it must pass. "": it must not. */
static bool expect(const Exercise *x, Judge *j, const char *path, const char *want, Loc at, const ExerciseOptions *o,
                   Diag *d)
{
	Arena *a = arena_new();
	Judgement out;
	bool judged = judge_file(j, path, o, a, &out, d), ok = judged;
	const JudgeItem *missed = judged ? first_missed(&out) : NULL;
	bool it = missed && want && (!strcmp(want, missed->name) || !strcmp(want, judge_verdict_name[out.verdict]));
	if (judged && !want && missed)
		ok = diag_error(d, at, "%s does not pass: %s: %s", path, missed->name, missed->said);
	else if (judged && out.verdict == JUDGE_not_judged)
		ok = diag_error(d, at, "%s: %s", path, out.why);
	else if (judged && want && !missed)
		ok = diag_error(d, at, "%s passes", path);
	else if (judged && want && *want && !it)
		ok = diag_error(d, at, "%s misses first '%s' (%s), not '%s'", path, missed->name, missed->said, want);
	else if (judged && it && !missed->hint)
		ok = diag_error(d, at, "%s is told no hint", path);
	if (!ok && judged)
		diag_source(d, x->text);
	arena_free(a);
	return ok;
}

static bool check_one(const char *name, const ExerciseOptions *o, Arena *a, Diag *d)
{
	Exercise x = {0};
	const char *folder = exercise_folder(name, a, d);
	bool ok = folder && exercise_read(&x, arena_printf(a, "%s/README.md", folder), d) &&
	          exercise_spec(&x, o->sandbox, false, d);
	Judge *j = ok ? judge_new(&x.spec, d) : NULL;
	ok = j && expect(&x, j, x.solution, NULL, x.solution_at, o, d);
	if (j)
		ok &= expect(&x, j, arena_printf(a, "%s/%s", folder, x.file), "", x.kernel_at, o, d);
	for (u32 i = 0; j && i < x.wrong.n; i++)
		ok &= expect(&x, j, x.wrong.v[i].file, x.wrong.v[i].item, x.wrong.v[i].at, o, d);
	judge_free(j);
	exercise_free(&x);
	printf("%s  %s\n", ok ? "holds " : "differs", name);
	return ok;
}

static bool check_some(int n, char *const *names, const ExerciseOptions *o, Arena *a, Diag *d)
{
	bool ok = true;
	ExerciseNames all = {0};
	for (int i = 0; i < n; i++)
		ok &= check_one(names[i], o, a, d);
	const char *folder = n ? NULL : exercises_folder(a, d);
	if (!n)
		ok = folder && find_all(folder, a, &all, d);
	for (u32 i = 0; i < all.n; i++)
		ok &= check_one(all.v[i], o, a, d);
	array_free(&all);
	return ok;
}

/* ---- the command ---- */

void exercise_completes(CompletionCommand *c, Arena *a)
{
	Diag d;
	diag_init(&d);
	ExerciseNames all = {0};
	const char *folder = exercises_folder(a, &d);
	Buf names = {0};
	buf_printf(&names, "%s", "");
	if (folder && find_all(folder, a, &all, &d))
		for (u32 i = 0; i < all.n; i++)
			buf_printf(&names, "%s%s", i ? " " : "", all.v[i]);
	c->words = buf_keep(&names, a);
	completion_rows(c, rows, COUNT(rows), 0);
	array_free(&all);
	diag_free(&d);
}

void exercise_help(Buf *out)
{
	buf_printf(out, "wavesim exercise                     the exercises\n"
	                "wavesim exercise NAME                the task of one\n"
	                "wavesim exercise NAME FILE           does your kernel meet it, and if not, what it lacks\n"
	                "wavesim exercise --check [NAME ...]  do the exercises themselves hold\n\n"
	                "NAME is one of the list, or the path of a folder. WAVESIM_EXERCISES names another folder of "
	                "them.\n");
	opt_help(rows, COUNT(rows), 0, out);
	buf_printf(out, "\nExit status: 0 it passes, 1 it does not, or --check found a difference, 2 bad input.\n");
}

int cmd_exercise(int argc, char *const *argv, Diag *d)
{
	ExerciseOptions o = {0};
	Arena *a = arena_new();
	char **rest = ARENA_ARRAY(a, char *, argc + 1);
	int n = 0, status = EXIT_BAD_INPUT;
	bool ok = opt_take(rows, COUNT(rows), &o, 0, argc, argv, rest, &n, d);
	for (int i = 1; ok && i < n; i++)
		if (rest[i][0] == '-' && rest[i][1]) {
			ok = diag_error(d, NO_LOC, "there is no option %s", rest[i]);
			diag_hint(d, "wavesim exercise --help lists all options");
		}
	if (ok && !o.check && n > 3) {
		ok = diag_error(d, NO_LOC, "wavesim exercise takes one kernel file");
		diag_hint(d, "wavesim grade marks several submissions");
	}
	if (ok && o.check) {
		status = check_some(n - 1, rest + 1, &o, a, d) ? EXIT_FINE : EXIT_DIFFERENT;
	} else if (ok && n == 1) {
		status = list(a, d) ? EXIT_FINE : EXIT_BAD_INPUT;
	} else if (ok) {
		Exercise x = {0};
		const char *folder = exercise_folder(rest[1], a, d);
		ok = folder && exercise_read(&x, arena_printf(a, "%s/README.md", folder), d);
		if (ok && n == 3)
			status = judge_one(&x, rest[2], &o, a, d);
		else if (ok && show_task(&x, d))
			status = EXIT_FINE;
		exercise_free(&x);
	}
	arena_free(a);
	return status;
}
