/* Launch comments in kernel files: the options of a launch, beside the code they launch.
 *
 *   // wavesim: --global 65536 --local 256 --arg n=4096
 *   x = y; // wavesim: race-ok        no launch: --check keeps quiet about races of the line
 *   // wavesim(transpose): --global 64,64
 *
 * The word comes first in a comment, or first in a line of a block comment (after the
 * customary star). Lines add up. With a kernel's name they count for that kernel only and are
 * stronger than those without. Options that the launch does not know are kept in
 * Launch.extra for the command line's own table. A comment of words alone is a remark, and no launch:
 * people who write about wavesim begin so, too. */
#include "traces/launch/launch_impl.h"

#include "base/scan.h"
#include "isa/source.h"

#include <ctype.h>

/* ---- words ---- */

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

bool launch_tokens(Launch *l, const char *text, size_t n, Loc at, LaunchTokens *out, Diag *d)
{
	char *room = arena_alloc(l->arena, n + 1); /* of all of them: a blank becomes a 0 */
	for (size_t i = 0;;) {
		while (i < n && blank(text[i]))
			i++;
		if (i >= n)
			return true;
		LaunchToken token = {room, at};
		size_t len = 0, start = i;
		char quote = 0;
		for (; i < n && (quote || !blank(text[i])); i++) {
			if (quote ? text[i] == quote : text[i] == '\'' || text[i] == '"')
				quote = quote ? 0 : text[i];
			else if (text[i] == '\\' && quote != '\'' && i + 1 < n)
				token.text[len++] = text[++i];
			else
				token.text[len++] = text[i];
		}
		/* The place of the first character inside an opening quote. */
		if (at.col)
			token.loc.col =
			    at.col + (u32)start + (text[start] == '\'' || text[start] == '"');
		if (quote)
			return launch_error(l, d, token.loc, "a quote %c is not closed", quote);
		room += len + 1;
		array_push(out, token);
	}
}

bool launch_words(const char *text, Loc at, const char *source, Arena *a, LaunchTokens *out, Diag *d)
{
	Launch scratch;
	launch_init(&scratch);
	if (source)
		launch_source(&scratch, at.file, source);
	bool ok = launch_tokens(&scratch, text, strlen(text), at, out, d);
	for (u32 i = 0; i < out->n; i++)
		out->v[i].text = arena_strdup(a, out->v[i].text);
	launch_free(&scratch);
	return ok;
}

/* One option, at tokens[*i]; leaves *i behind what it used. */
static void apply_one(Launch *l, const LaunchTokens *tokens, u32 *i, Diag *d)
{
	const LaunchToken *t = &tokens->v[(*i)++];
	const char *value;
	const LaunchOption *option = launch_option_named(t->text, &value);
	Loc loc = t->loc;
	if (!option) {
		array_push(&l->extra, *t);
		while (*i < tokens->n) {
			const char *next = tokens->v[*i].text;
			if (*next == '-' && next[1] && !(next[1] >= '0' && next[1] <= '9'))
				break;
			array_push(&l->extra, tokens->v[(*i)++]);
		}
	} else if (value) {
		loc.col += loc.col ? (u32)(value - t->text) : 0;
		launch_option(l, option->name, value, loc, d);
	} else if (*i < tokens->n) {
		launch_option(l, option->name, tokens->v[*i].text, tokens->v[*i].loc, d);
		++*i;
	} else {
		launch_error(l, d, loc, "%s wants a value", option->name);
	}
}

/* The option that a word without its dashes means, perhaps mistyped, or NULL. */
static const char *option_meant(const char *word)
{
	const char *bare[32] = {0};
	u32 n = 0;
	for (; n < launch_noptions && n < COUNT(bare); n++)
		bare[n] = launch_options[n].name + strspn(launch_options[n].name, "-");
	const char *near = nearest_word(word, bare, n);
	for (u32 i = 0; near && i < n; i++)
		if (near == bare[i])
			return launch_options[i].name;
	return NULL;
}

static const char race_ok[] = "race-ok";

static bool race_ok_meant(const char *word) { return nearest_word(word, (const char *const[]){race_ok}, 1) != NULL; }

static void no_option(const Launch *l, const LaunchToken *t, Diag *d)
{
	const char *meant = option_meant(t->text);
	launch_error(l, d, t->loc, "an option expected, not '%s'", t->text);
	if (meant || race_ok_meant(t->text))
		diag_hint(d, "did you mean %s?", meant ? meant : race_ok);
	else
		diag_hint(d, "options come first, and begin with dashes: --global 64");
}

bool launch_apply_text(Launch *l, const char *text, Loc loc, Diag *d)
{
	u32 errors = d->errors;
	LaunchTokens tokens = {0};
	if (launch_tokens(l, text, strlen(text), loc, &tokens, d)) {
		for (u32 i = 0; i < tokens.n;) {
			if (tokens.v[i].text[0] == '-' && tokens.v[i].text[1]) {
				apply_one(l, &tokens, &i, d);
				continue;
			}
			no_option(l, &tokens.v[i], d);
			break;
		}
	}
	array_free(&tokens);
	return d->errors == errors;
}

/* ---- finding comments ---- */

typedef struct Scan {
	Launch *l;
	const char *p, *line_start;
	Loc at; /* of p; the column is computed when it is wanted */
	Diag *d;
} Scan;

static void next(Scan *s)
{
	if (*s->p == '\n') {
		s->at.line++;
		s->line_start = s->p + 1;
	}
	s->p++;
}

/* Behind `wavesim:`. */
static bool is_race_ok(const char *p)
{
	size_t n = sizeof race_ok - 1;
	p += strspn(p, " \t");
	return !strncmp(p, race_ok, n) && !scan_is_word(p[n]) && p[n] != '-';
}

static bool says_race_ok(const char *p, const char *end)
{
	while ((p = strstr(p, "wavesim:")) && p < end)
		if (is_race_ok(p += strlen("wavesim:")))
			return true;
	return false;
}

bool launch_race_ok(const char *line)
{
	SrcStep step;
	while (source_next(&line, &step))
		if (step.kind == SRC_COMMENT && says_race_ok(step.at, line))
			return true;
	return false;
}

static bool is_dashed(const char *word)
{
	word += strspn(word, "\"'");
	return word[0] == '-' && (word[1] == '-' ? isalpha((u8)word[2]) : word[1] == 'D' || word[1] == 'I');
}

/* The next word of a text, behind blanks; "": there is none. */
static const char *next_word(Arena *a, const char **text)
{
	*text += strspn(*text, " \t\r");
	size_t n = strcspn(*text, " \t\r");
	*text += n;
	return arena_strndup(a, *text - n, n);
}

/* Is what stands behind `wavesim:` a remark, in which no word may be an option that was mistyped? Where an option
 * stands among the words, where the first is a number (64 32), names an option and is followed by what may be its
 * value, or is nearly race-ok, it is none. */
static bool is_remark(const Scan *s, const KernelComment *c)
{
	const char *text = c->text, *first = next_word(s->l->arena, &text), *second = next_word(s->l->arena, &text);
	bool digit = isdigit((u8)*second), third = false;
	if (!*first || (first[0] == '-' && isalpha((u8)first[1])))
		return false;
	if (isdigit((u8)*first) && !first[strspn(first, "0123456789x,.")])
		return false;
	if (is_dashed(first) || is_dashed(second))
		return false;
	for (const char *word; *(word = next_word(s->l->arena, &text)); third = true)
		if (is_dashed(word))
			return false;
	bool value = !third || digit || strchr(second, '=');
	if (strchr(first, '=') || (!third && digit) || race_ok_meant(first) || (value && option_meant(first)))
		return false;
	if (!third) { /* little to tell by */
		launch_say(s->l, s->d, DIAG_NOTE, c->loc, "this comment has no option, so it is ignored");
		diag_hint(s->d, "options begin with dashes: --global 64");
	}
	return true;
}

/* At the start of a comment's line, up to end: `wavesim:` or `wavesim(kernel):`? */
static void comment_line(Scan *s, const char *end)
{
	const char *p = s->p, *kernel = NULL;
	size_t kernel_len = 0;
	while (p < end && (blank(*p) || *p == '*'))
		p++;
	if (end - p < 8 || memcmp(p, "wavesim", 7) != 0)
		return;
	p += 7;
	if (*p == '(') {
		const char *close = memchr(p, ')', (size_t)(end - p));
		if (!close)
			return;
		for (kernel = p + 1; kernel < close && blank(*kernel);)
			kernel++;
		kernel_len = strcspn(kernel, " \t)");
		p = close + 1;
	}
	if (p == end || *p != ':')
		return;
	p++;
	while (p < end && blank(*p))
		p++;
	if (!kernel && is_race_ok(p))
		return;
	KernelComment c = {NULL, arena_strndup(s->l->arena, p, (size_t)(end - p)), s->at};
	c.loc.col = (u32)(p - s->line_start) + 1;
	if (kernel)
		c.kernel = arena_strndup(s->l->arena, kernel, kernel_len);
	if (kernel && !kernel_len)
		launch_error(s->l, s->d, c.loc, "wavesim() names no kernel");
	else if (is_remark(s, &c))
		return;
	else if (kernel)
		array_push(&s->l->text->comments, c);
	else
		launch_apply_text(s->l, c.text, c.loc, s->d);
}

static void line_comment(Scan *s)
{
	s->p += 2;
	while (*s->p == '/' || *s->p == '!') /* doc comments */
		s->p++;
	comment_line(s, s->p + strcspn(s->p, "\n"));
	s->p += strcspn(s->p, "\n");
}

static void block_comment(Scan *s)
{
	s->p += 2;
	const char *end = strstr(s->p, "*/");
	if (!end)
		end = s->p + strlen(s->p);
	while (s->p < end) {
		const char *feed = memchr(s->p, '\n', (size_t)(end - s->p));
		const char *stop = feed ? feed : end;
		comment_line(s, stop);
		while (s->p < stop || (feed && s->p == stop))
			next(s);
	}
	s->p += *s->p ? 2 : 0;
}

static void literal(Scan *s)
{
	for (const char *end = source_skip(s->p); s->p < end;)
		next(s);
}

static void scan(Scan *s)
{
	while (*s->p) {
		if (*s->p == '/' && s->p[1] == '/')
			line_comment(s);
		else if (*s->p == '/' && s->p[1] == '*')
			block_comment(s);
		else if (*s->p == '"' || *s->p == '\'')
			literal(s);
		else
			next(s);
	}
}

/* When every named comment names the same kernel, the file wants that one launched. */
static const char *only_kernel(const LaunchText *t)
{
	const char *kernel = NULL;
	for (u32 i = 0; i < t->comments.n; i++) {
		const char *k = t->comments.v[i].kernel;
		if (k && kernel && strcmp(k, kernel) != 0)
			return NULL;
		kernel = k ? k : kernel;
	}
	return kernel;
}

bool launch_read_comments(Launch *l, const char *file, const char *text, Diag *d)
{
	u32 errors = d->errors;
	launch_source(l, file, text);
	Scan s = {l, text, text, {arena_strdup(l->arena, file), 1, 0}, d};
	LaunchOrigin was = l->text->reading;
	l->text->reading = FROM_COMMENT;
	scan(&s);
	l->text->reading = FROM_FILE;
	launch_read_headers(l, file, text, d);
	l->text->reading = was;
	const char *kernel = l->kernel ? l->kernel : only_kernel(l->text);
	if (kernel)
		launch_set_kernel(l, kernel, d);
	return d->errors == errors;
}
