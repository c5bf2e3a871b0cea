/* Files, standard output, the terminal. */
#include "cli/output.h"

#include "report/style.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* All of it, now. */
static bool write_out(FILE *f, const char *text, size_t n)
{
	Buf safe = {0};
	if (isatty(fileno(f))) {
		buf_masked(&safe, text, n, true);
		text = safe.v;
		n = safe.n;
	}
	bool ok = (!n || fwrite(text, 1, n, f) == n) && fflush(f) == 0;
	array_free(&safe);
	return ok;
}

bool output_stdout(const char *text, size_t n, Diag *d)
{
	return write_out(stdout, text, n) ||
	       diag_error(d, NO_LOC, "cannot write to standard output: %s", strerror(errno));
}

void output_stderr(const char *text, size_t n) { write_out(stderr, text, n); }

/* Not every terminal keeps what it clears: the screen is scrolled away first. */
void output_clear(void)
{
	enum { USUAL_ROWS = 24 };
	struct winsize w;
	if (isatty(STDOUT_FILENO)) {
		u32 rows = ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_row ? w.ws_row : USUAL_ROWS;
		printf("\033[%u;1H", rows);
		for (u32 i = 0; i < rows; i++)
			putchar('\n');
		fputs("\033[H\033[2J", stdout);
	}
	fflush(stdout); /* before a message on standard error, which would be wiped */
}

bool output_text(Buf *text, Diag *d)
{
	bool ok = output_stdout(text->v, text->n, d);
	array_free(text);
	return ok;
}

bool is_stdout(const char *path) { return path && !strcmp(path, "-"); }

/* A plain file is replaced in one step, so that a full disk or a kill leaves the old one. */
static bool replaces(const char *path)
{
	struct stat st;
	return stat(path, &st) != 0 || S_ISREG(st.st_mode);
}

/* A file of the folder that has no name yet, which nothing has to remove when this process is killed; -1: such files
 * are not to be had here. */
static int open_nameless(const char *path)
{
	const char *end = strrchr(path, '/');
	Buf folder = {0};
	buf_printf(&folder, "%.*s", end ? (int)(end - path) + 1 : 1, end ? path : ".");
	int fd = access("/proc/self/fd", F_OK) ? -1 : open(folder.v, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
	array_free(&folder);
	return fd;
}

/* Give it one. */
static bool name_it(FILE *f, const char *name)
{
	char fd[64];
	struct stat st;
	if (fstat(fileno(f), &st) || st.st_nlink)
		return true; /* it has */
	snprintf(fd, sizeof fd, "/proc/self/fd/%d", fileno(f));
	unlink(name); /* of a run that was killed */
	return !linkat(AT_FDCWD, fd, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

static char *part_of(const char *path)
{
	Buf name = {0};
	buf_printf(&name, replaces(path) ? "%s.part" : "%s", path);
	return name.v;
}

FILE *output_open(const char *path)
{
	if (is_stdout(path))
		return stdout;
	char *part = part_of(path);
	int fd = strcmp(part, path) ? open_nameless(path) : -1;
	FILE *f = fd >= 0 ? fdopen(fd, "wb") : fopen(part, "wb");
	free(part);
	return f;
}

bool output_close(FILE *f, const char *path, bool ok)
{
	if (f == stdout)
		return ok && fflush(f) == 0;
	int why = errno;
	char *part = part_of(path);
	bool replace = strcmp(part, path) != 0;
	if (f && ok && replace && (fflush(f) || !name_it(f, part))) {
		ok = false;
		why = errno;
	}
	if (f && fclose(f) && ok) {
		ok = false;
		why = errno;
	}
	if (ok && replace && rename(part, path)) {
		ok = false;
		why = errno;
	}
	if (!ok && f && replace)
		unlink(part);
	free(part);
	errno = why;
	return ok;
}

bool output_file(const char *path, Loc at, const Buf *text, Diag *d)
{
	if (is_stdout(path))
		return output_stdout(text->v, text->n, d);
	FILE *f = output_open(path);
	bool ok = f && fwrite(text->v, 1, text->n, f) == text->n;
	return output_close(f, path, ok) || diag_error(d, at, "cannot write '%s': %s", path, strerror(errno));
}

bool output_help(const Buf *text, Diag *d)
{
	enum { INDENT = 29 }; /* of what an option's row says (options.c) */
	SinkStyle style = output_style(STDOUT_FILENO);
	Buf wrapped = {0};
	put_wrapped(&wrapped, &style, text->v, INDENT);
	return output_text(&wrapped, d);
}

/* As setlocale would decide, without making numbers depend on the locale. */
static bool locale_is_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	for (u32 i = 0; i < COUNT(names); i++) {
		const char *value = getenv(names[i]);
		if (value && *value)
			return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
	}
	return false;
}

SinkStyle output_style(int fd)
{
	SinkStyle s = {0};
	if (!isatty(fd))
		return s;
	const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
	s.colour = !(no_colour && *no_colour) && !(term && !strcmp(term, "dumb"));
	s.utf8 = locale_is_utf8();
	struct winsize w;
	if (ioctl(fd, TIOCGWINSZ, &w) == 0 && w.ws_col >= 20)
		s.width = w.ws_col;
	return s;
}
