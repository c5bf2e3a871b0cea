/* Read the page of an exercise, and make of it what the engine judges by: see exercise.h. */
#include "cli/exercise.h"

#include "cli/show.h"
#include "options/specs.h"

#include <ctype.h>
#include <errno.h>

static Loc place(const Exercise *x, const char *at)
{
	Loc loc = {x->path, 1, 1};
	for (const char *c = x->text; c < at; c++) {
		loc.col++;
		if (*c == '\n')
			loc = (Loc){x->path, loc.line + 1, 1};
	}
	return loc;
}

static bool fault(const Exercise *x, const char *at, const char *what, Diag *d)
{
	diag_error(d, place(x, at), "%s", what);
	return diag_source(d, x->text);
}

static bool fault_at(const Exercise *x, Loc at, const char *what, Diag *d)
{
	diag_error(d, at, "%s", what);
	return diag_source(d, x->text);
}

/* Words with single blanks between them, of a text that may go over lines. */
static const char *joined(const char *from, const char *end, Arena *a)
{
	Buf out = {0};
	for (const char *p = from; p < end;) {
		while (p < end && isspace((u8)*p))
			p++;
		const char *word = p;
		while (p < end && !isspace((u8)*p))
			p++;
		if (p > word)
			buf_printf(&out, "%s%.*s", out.n ? " " : "", (int)(p - word), word);
	}
	return buf_keep(&out, a);
}

/* Options, line by line, so that each has its place. */
static bool options_of(Exercise *x, const char *from, const char *end, LaunchTokens *out, Diag *d)
{
	bool ok = true;
	while (from < end && ok) {
		const char *line = memchr(from, '\n', (size_t)(end - from));
		line = line ? line : end;
		LaunchTokens t = {0};
		ok = launch_words(arena_strndup(x->arena, from, (size_t)(line - from)), place(x, from), x->text,
		                  x->arena, &t, d);
		for (u32 i = 0; i < t.n; i++)
			array_push(out, t.v[i]);
		array_free(&t);
		from = line + (line < end);
	}
	return ok;
}

/* ---- comments ---- */

typedef struct Comment {
	const char *at;         /* where it begins */
	const char *head;       /* what stands before the colon, or all of it */
	const char *body, *end; /* what follows the colon; body NULL: there is none */
} Comment;

static bool read_kernel(Exercise *x, const Comment *c, Diag *d)
{
	if (x->file)
		return fault(x, c->at, "the kernel is named twice", d);
	x->file = c->head;
	x->kernel_at = place(x, c->at);
	if (strchr(c->head, '/') || !path_ends(c->head, ".cl"))
		return fault(x, c->at, "the kernel file is a name that ends in .cl, without a folder", d);
	return !c->body || options_of(x, c->body, c->end, &x->common, d);
}

static bool read_solution(Exercise *x, const Comment *c, Diag *d)
{
	if (x->solution)
		return fault(x, c->at, "the model solution is named twice", d);
	x->solution = arena_printf(x->arena, "%s/%s", x->folder, c->head);
	x->solution_at = place(x, c->at);
	return true;
}

static bool read_launch(Exercise *x, const Comment *c, Diag *d)
{
	ExerciseWords w = {.name = c->head, .at = place(x, c->at)};
	for (u32 i = 0; i < x->words.n; i++)
		if (!strcmp(x->words.v[i].name, w.name))
			return fault(x, c->at, "there is another launch of this name", d);
	bool ok = options_of(x, c->body, c->end, &w.words, d);
	array_push(&x->words, w);
	return ok;
}

static bool read_goal(Exercise *x, const Comment *c, Diag *d)
{
	const char *colon = memchr(c->body, ':', (size_t)(c->end - c->body));
	const char *end = colon ? colon : c->end;
	JudgeGoal g = {.expression = joined(c->body, end, x->arena),
	               .at = place(x, c->at),
	               .hint = colon ? joined(colon + 1, c->end, x->arena) : NULL};
	if (!*g.expression)
		return fault(x, c->at, "a goal has a launch, a colon, a condition, a colon and a hint", d);
	array_push(&x->goals, g);
	array_push(&x->goal_launch, c->head);
	return true;
}

static bool read_hint(Exercise *x, const Comment *c, Diag *d)
{
	(void)d;
	JudgeHint h = {c->head, joined(c->body, c->end, x->arena)};
	array_push(&x->hints, h);
	return true;
}

static bool read_ulp(Exercise *x, const Comment *c, Diag *d)
{
	return parse_u64(c->head, &x->max_ulp) || fault(x, c->at, "how many ulp? A whole number", d);
}

static bool read_wrong(Exercise *x, const Comment *c, Diag *d)
{
	(void)d;
	ExerciseWrong w = {arena_printf(x->arena, "%s/%s", x->folder, c->head), joined(c->body, c->end, x->arena),
	                   place(x, c->at)};
	array_push(&x->wrong, w);
	return true;
}

static const struct {
	const char *word;
	bool (*read)(Exercise *x, const Comment *c, Diag *d);
	bool body; /* it has a colon and what follows it */
} comments[] = {
    {"kernel", read_kernel, false}, {"solution", read_solution, false}, {"launch", read_launch, true},
    {"goal", read_goal, true},      {"hint", read_hint, true},          {"ulp", read_ulp, false},
    {"wrong", read_wrong, true},
};

static bool read_comment(Exercise *x, const char *at, const char *end, Diag *d)
{
	const char *word = at + 4, *names[COUNT(comments)];
	size_t n = 0;
	while (isalpha((u8)word[n]))
		n++;
	u32 kind = 0;
	for (u32 i = 0; i < COUNT(comments); i++)
		names[i] = comments[i].word;
	while (kind < COUNT(comments) && (strncmp(names[kind], word, n) || names[kind][n]))
		kind++;
	if (kind == COUNT(comments)) {
		fault(x, word,
		      "a comment of an exercise begins with kernel, solution, launch, goal, hint, ulp or wrong", d);
		diag_near(d, "'", arena_strndup(x->arena, word, n), names, COUNT(comments));
		return false;
	}
	const char *colon = memchr(word + n, ':', (size_t)(end - word) - n);
	Comment c = {.at = word,
	             .body = colon ? colon + 1 : NULL,
	             .end = end,
	             .head = joined(word + n, colon ? colon : end, x->arena)};
	if (!*c.head || (comments[kind].body && !colon)) {
		diag_error(d, place(x, word),
		           comments[kind].body ? "'%s' is followed by a name, a colon and more"
		                               : "'%s' is followed by a name",
		           names[kind]);
		return diag_source(d, x->text);
	}
	return comments[kind].read(x, &c, d);
}

/* ---- the page ---- */

static bool check(Exercise *x, Diag *d)
{
	Loc top = {x->path, 1, 1};
	bool ok = true;
	if (!x->file)
		ok = fault_at(x, top, "the page names no kernel file: <!--kernel FILE: options-->", d);
	if (!x->solution)
		ok = fault_at(x, top, "the page names no model solution: <!--solution FILE-->", d);
	if (!x->words.n)
		ok = fault_at(x, top, "the page has no launch: <!--launch NAME: options-->", d);
	for (u32 i = 0; i < x->goals.n; i++) {
		u32 k = 0;
		while (k < x->words.n && strcmp(x->words.v[k].name, x->goal_launch.v[i]))
			k++;
		if (k == x->words.n)
			ok = fault_at(x, x->goals.v[i].at, "there is no launch of this name", d);
		x->goals.v[i].launch = k;
	}
	return ok;
}

bool exercise_parse(Exercise *x, const char *path, const char *text, Diag *d)
{
	*x = (Exercise){.arena = arena_new()};
	x->text = arena_strdup(x->arena, text);
	x->path = arena_strdup(x->arena, path);
	const char *slash = strrchr(path, '/');
	x->folder = slash ? arena_strndup(x->arena, path, (size_t)(slash - path)) : ".";
	x->name = path_name(x->folder);
	const char *head = x->text + strspn(x->text, "# ");
	x->title = arena_strndup(x->arena, head, strcspn(head, "\r\n"));
	bool ok = true;
	for (const char *at = x->text; (at = strstr(at, "<!--"));) {
		const char *end = strstr(at + 4, "-->");
		if (!end)
			return fault(x, at, "this comment has no end", d);
		ok &= read_comment(x, at, end, d);
		at = end + 3;
	}
	return ok && check(x, d);
}

bool exercise_read(Exercise *x, const char *path, Diag *d)
{
	size_t n;
	char *text = read_file(path, &n);
	*x = (Exercise){0};
	if (!text)
		return diag_error(d, NO_LOC, "cannot read '%s': %s", path, strerror(errno));
	bool ok = strlen(text) == n ? exercise_parse(x, path, text, d)
	                            : diag_error(d, (Loc){path, 0, 0}, "this is not a text file");
	free(text);
	return ok;
}

void exercise_free(Exercise *x)
{
	for (u32 i = 0; i < x->words.n; i++)
		array_free(&x->words.v[i].words);
	for (u32 i = 0; i < x->options.n; i++)
		options_free(x->options.v[i]);
	array_free(&x->common);
	array_free(&x->words);
	array_free(&x->goals);
	array_free(&x->goal_launch);
	array_free(&x->hints);
	array_free(&x->wrong);
	array_free(&x->launches);
	array_free(&x->options);
	if (x->arena)
		arena_free(x->arena);
}

/* ---- for the engine ---- */

static bool launch_of(Exercise *x, u32 i, const char *sandbox, bool native, Diag *d)
{
	const ExerciseWords *w = &x->words.v[i];
	Options *o = ARENA_NEW(x->arena, Options);
	options_init(o);
	array_push(&x->options, o);
	JudgeLaunch l = {.name = w->name, .at = w->at};
	u32 n = x->common.n + w->words.n;
	LaunchToken *all = ARENA_ARRAY(x->arena, LaunchToken, n + 1);
	for (u32 k = 0; k < n; k++)
		all[k] = k < x->common.n ? x->common.v[k] : w->words.v[k - x->common.n];
	if (!options_parse_page(o, all, n, x->text, d))
		return false;
	OptionId of_one = options_first_of_one(o, GIVEN_PAGE, NULL, 0);
	if (of_one != OPTION_COUNT)
		return fault_at(x, o->loc[of_one], "this option is about a report; an exercise has none", d);
	o->sandbox = sandbox;
	if (!specs_machine(o, x->path, x->text, &l.machine, d))
		return false;
	o->no_reference = !native; /* nothing of a submission runs natively that was not asked for … */
	o->no_cache = true;        /* … or is kept */
	o->check = "";
	l.want = specs_run(o, (SpecsHost){0});
	l.want.no_what_if = true;
	l.want.threads = 1;
	l.launch = (LaunchSpec){.complete = true, .words = o->launch.v, .nwords = o->launch.n};
	for (u32 k = 0; k < x->hints.n; k++)
		if (!strcmp(x->hints.v[k].finding, l.name))
			l.hint = x->hints.v[k].text;
	array_push(&x->launches, l);
	return true;
}

bool exercise_spec(Exercise *x, const char *sandbox, bool native, Diag *d)
{
	bool ok = true;
	for (u32 i = 0; i < x->words.n; i++)
		ok &= launch_of(x, i, sandbox, native, d);
	x->spec = (JudgeSpec){.model = x->solution,
	                      .max_ulp = x->max_ulp,
	                      .launches = x->launches.v,
	                      .nlaunches = x->launches.n,
	                      .goals = x->goals.v,
	                      .ngoals = x->goals.n,
	                      .hints = x->hints.v,
	                      .nhints = x->hints.n,
	                      .native = native};
	return ok;
}
