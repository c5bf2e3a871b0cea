/* Which files a submission may have the compiler read: its own.
 *
 * The compiler runs with the rights of whoever grades, and its messages, which go back to the student, quote what it
 * has read. So every directive that reads a file is looked at before. The text is seen as the compiler's first phases
 * see it: lines that end in a backslash joined, comments passed over, with and without trigraphs (which of the two it
 * does depends on the language's version). Bytes beyond ASCII count as blanks: some are blanks to it. */
#include "engine/judge.h"

#include "base/scan.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_INCLUDES = 100 };

typedef struct SourceReader {
	Arena *arena;
	const char *folder; /* of the kernel file, with its slash, or "" */
	JudgeFault *why;
	ARRAY(const char *) seen; /* paths */
} SourceReader;

static bool fault(SourceReader *r, u32 line, const char *hint, const char *said)
{
	*r->why = (JudgeFault){.said = said, .hint = hint, .line = line};
	return false;
}

/* ---- a text as the compiler sees it ---- */

typedef struct Seen {
	char *text;
	u32 *line; /* of each character */
} Seen;

static size_t newline(const char *p) { return *p == '\n' ? 1 : *p == '\r' ? 1 + (p[1] == '\n') : 0; }

/* The character that a trigraph stands for, or 0. */
static char trigraph(const char *p)
{
	static const char third[] = "=/'()!<>-", means[] = "#\\^[]|{}~";
	const char *at = p[0] == '?' && p[1] == '?' && p[2] ? strchr(third, p[2]) : NULL;
	return at ? means[at - third] : 0;
}

static Seen see(const char *text, bool trigraphs, Arena *a)
{
	size_t n = strlen(text), out = 0;
	Seen s = {ARENA_ARRAY(a, char, n + 1), ARENA_ARRAY(a, u32, n + 1)};
	u32 line = 1;
	for (const char *p = text; *p;) {
		char c = trigraphs ? trigraph(p) : 0;
		size_t len = c ? 3 : 1, end = newline(p);
		c = c ? c : *p;
		size_t blanks = c == '\\' ? strspn(p + len, " \t\v\f") : 0;
		size_t joined = c == '\\' ? newline(p + len + blanks) : 0;
		if (!joined) {
			s.line[out] = line;
			s.text[out++] = end ? '\n' : c;
		}
		line += end || joined;
		p += joined ? len + blanks + joined : end ? end : len;
	}
	s.line[out] = line;
	return s;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f' || (u8)c >= 0x80; }

/* Behind a comment, or p. */
static const char *past_comment(const char *p)
{
	if (p[0] == '/' && p[1] == '/')
		return p + strcspn(p, "\n");
	if (p[0] != '/' || p[1] != '*')
		return p;
	const char *end = strstr(p + 2, "*/");
	return end ? end + 2 : p + strlen(p);
}

static const char *past_blanks(const char *p)
{
	for (const char *next;; p = next) {
		next = is_blank(*p) ? p + 1 : past_comment(p);
		if (next == p)
			return p;
	}
}

static const char *past_literal(const char *p)
{
	char quote = *p++;
	while (*p && *p != '\n' && *p != quote)
		p += *p == '\\' && p[1] && p[1] != '\n' ? 2 : 1;
	return p + (*p == quote);
}

/* ---- files ---- */

static char *read_one(SourceReader *r, const char *path, const char *name, u32 line)
{
	struct stat st;
	static const char own[] = "hand in a plain text file of your own";
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0) {
		bool link = errno == ELOOP, missing = errno == ENOENT;
		fault(r, line, link ? own : NULL,
		      arena_printf(r->arena,
		                   link      ? "'%s' is a link to another file"
		                   : missing ? "there is no file '%s'"
		                             : "'%s' cannot be read",
		                   name));
		return NULL;
	}
	char *text = NULL;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		fault(r, line, own, arena_printf(r->arena, "'%s' is no regular file", name));
	else if (st.st_size > JUDGE_MOST_BYTES)
		fault(r, line, own,
		      arena_printf(r->arena, "'%s' has %lld bytes; at most %d are taken", name, (long long)st.st_size,
		                   JUDGE_MOST_BYTES));
	else
		text = arena_alloc(r->arena, (size_t)st.st_size + 1);
	size_t n = 0;
	for (ssize_t k; text && n < (size_t)st.st_size && (k = read(fd, text + n, (size_t)st.st_size - n)) > 0;)
		n += (size_t)k;
	close(fd);
	if (text && strlen(text) != n) {
		fault(r, line, own, arena_printf(r->arena, "'%s' is no text file", name));
		return NULL;
	}
	if (text && !n) {
		fault(r, line, "write the kernel into it", arena_printf(r->arena, "'%s' is empty", name));
		return NULL;
	}
	return text;
}

static bool look(SourceReader *r, const char *path, const char *text);

/* A file that is included from line of path; looked for beside that and in the folder of the submission. */
static bool visit(SourceReader *r, const char *path, const char *name, u32 line)
{
	static const char hint[] = "a submission reads files of its own folder only; leave the line out: what OpenCL C "
				   "has needs no header";
	int own = (int)(path_name(path) - path);
	const char *places[] = {arena_printf(r->arena, "%.*s%s", own, path, name),
	                        arena_printf(r->arena, "%s%s", r->folder, name)};
	bool found = false, parent = !strncmp(name, "../", 3) || strstr(name, "/../") || *name == '/';
	for (u32 i = 0; i < COUNT(places) && !parent; i++) {
		struct stat st;
		if ((i && !strcmp(places[0], places[1])) || lstat(places[i], &st))
			continue;
		if (!path_is_inside(r->folder, places[i]))
			return fault(r, line, hint,
			             arena_printf(r->arena, "'%s' leads out of the submission's folder", name));
		found = true;
		bool known = false;
		for (u32 k = 0; k < r->seen.n; k++)
			known |= !strcmp(r->seen.v[k], places[i]);
		if (known)
			continue;
		if (r->seen.n == MOST_INCLUDES)
			return fault(r, line, NULL,
			             arena_printf(r->arena, "more than %d files are included", MOST_INCLUDES));
		array_push(&r->seen, places[i]);
		const char *text = read_one(r, places[i], name, line);
		if (!text)
			return false;
		if (!look(r, places[i], text)) {
			r->why->line = line; /* of the kernel file */
			return false;
		}
	}
	return found || fault(r, line, hint,
	                      arena_printf(r->arena,
	                                   "the file includes '%s', which is not in the "
	                                   "submission's folder",
	                                   name));
}

/* ---- directives ---- */

static const char *word_at(const char *p, Arena *a) { return arena_strndup(a, p, scan_word(p)); }

/* p: behind the # that begins a directive. */
static bool directive(SourceReader *r, const char *path, const char *p, u32 line)
{
	static const char *const readers[] = {"include", "include_next", "import", "embed", "__include_macros"};
	p = past_blanks(p);
	const char *word = word_at(p, r->arena);
	bool reads = false, text = !strcmp(word, "error") || !strcmp(word, "warning");
	for (u32 i = 0; i < COUNT(readers); i++)
		reads |= !strcmp(word, readers[i]);
	const char *comment = text ? strstr(p, "/*") : NULL;
	if (comment && comment < p + strcspn(p, "\n")) /* it begins a comment where the line is passed over, else not */
		return fault(r, line, "leave it out", "this line may begin a comment, or not");
	if (!reads)
		return true;
	p = past_blanks(p + strlen(word));
	const char *end = *p == '"' ? "\"\n" : *p == '<' ? ">\n" : NULL;
	size_t n = end ? strcspn(p + 1, end) : 0;
	const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-";
	if (!n || !p[1 + n] || p[1 + n] == '\n' || strspn(p + 1, plain) < n)
		return fault(r, line, "write #include \"NAME\", of letters, digits and _ . / -",
		             "what this line includes cannot be told from it");
	return visit(r, path, arena_strndup(r->arena, p + 1, n), line);
}

static bool look_at(SourceReader *r, const char *path, const Seen *s)
{
	bool begins = true; /* only blanks and comments stand before it in its line */
	for (const char *p = s->text; *p;) {
		const char *next = past_blanks(p);
		size_t mark = *p == '#' ? 1 : !strncmp(p, "%:", 2) ? 2 : 0;
		u32 line = s->line[p - s->text];
		if (next > p) {
			p = next;
		} else if (*p == '\n') {
			begins = true;
			p++;
		} else if (mark && begins) {
			if (!directive(r, path, p + mark, line))
				return false;
			begins = false;
			p += mark;
		} else if (*p == '"' || *p == '\'') {
			begins = false;
			p = past_literal(p);
		} else if (scan_is_word(*p)) {
			const char *word = word_at(p, r->arena);
			if (!strncmp(word, "__has_include", 13) || !strcmp(word, "__has_embed"))
				return fault(r, line, "leave it out",
				             arena_printf(r->arena, "'%s' asks for files", word));
			begins = false;
			p += strlen(word);
		} else {
			begins = false;
			p++;
		}
	}
	return true;
}

static bool look(SourceReader *r, const char *path, const char *text)
{
	for (u32 trigraphs = 0; trigraphs < 2; trigraphs++) {
		Seen s = see(text, trigraphs, r->arena);
		if (!look_at(r, path, &s))
			return false;
	}
	return true;
}

static SourceReader reader(const char *path, Arena *a, JudgeFault *why)
{
	*why = (JudgeFault){0};
	return (SourceReader){
	    .arena = a, .why = why, .folder = arena_strndup(a, path, (size_t)(path_name(path) - path))};
}

bool judge_includes(const char *path, const char *text, Arena *a, JudgeFault *why)
{
	SourceReader r = reader(path, a, why);
	bool ok = look(&r, path, text);
	array_free(&r.seen);
	return ok;
}

const char *judge_read(const char *path, Arena *a, JudgeFault *why)
{
	SourceReader r = reader(path, a, why);
	const char *text = read_one(&r, path, path_name(path), 0);
	return text && judge_includes(path, text, a, why) ? text : NULL;
}
