/* Files, standard output, the terminal. */
#include "cli/output.h"

#include "report/style.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Write and close; false and errno when any byte did not get there. */
static bool write_all(FILE *f, const char *text, size_t n)
{
	bool ok = fwrite(text, 1, n, f) == n;
	ok &= fflush(f) == 0;
	int e = errno;
	if (f != stdout && fclose(f))
		return false;
	errno = e;
	return ok;
}

bool output_stdout(const char *text, size_t n, Diag *d)
{
	if (write_all(stdout, text, n))
		return true;
	return diag_error(d, NO_LOC, "cannot write to standard output: %s", strerror(errno));
}

bool output_text(Buf *text, Diag *d)
{
	bool ok = output_stdout(text->v, text->n, d);
	array_free(text);
	return ok;
}

bool is_stdout(const char *path) { return path && !strcmp(path, "-"); }

bool output_file(const char *path, Loc at, const Buf *text, Diag *d)
{
	if (is_stdout(path))
		return output_stdout(text->v, text->n, d);
	/* A plain file is replaced in one step, so that a full disk leaves the old one. */
	struct stat st;
	bool replace = stat(path, &st) != 0 || S_ISREG(st.st_mode);
	Buf temp = {0};
	buf_printf(&temp, replace ? "%s.part" : "%s", path);
	FILE *f = fopen(temp.v, "wb");
	bool ok = f && write_all(f, text->v, text->n);
	if (ok && replace)
		ok = rename(temp.v, path) == 0;
	if (!ok) {
		diag_error(d, at, "cannot write '%s': %s", path, strerror(errno));
		if (f && replace)
			unlink(temp.v);
	}
	array_free(&temp);
	return ok;
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
	if (ioctl(fd, TIOCGWINSZ, &w) == 0 && w.ws_col >= 20) {
		s.width = w.ws_col;
		s.height = w.ws_row;
	}
	return s;
}

Progress progress_new(bool wanted) { return (Progress){.on = wanted && isatty(STDERR_FILENO)}; }

void progress_step(void *progress, u64 done, u64 all)
{
	Progress *p = progress;
	if (!p->on || !all)
		return;
	double t = seconds_now();
	if (p->start <= 0)
		p->start = t;
	if (t - p->start < 1 || t - p->last < 0.2)
		return;
	p->last = t;
	p->shown = true;
	double left = done ? (t - p->start) * (double)(all - done) / (double)done : 0;
	fprintf(stderr, "\r%5.1f %% of %llu work-groups, about %.0f s left\033[K",
	        100 * (double)done / (double)all, (unsigned long long)all, left);
	fflush(stderr);
}

void progress_end(Progress *p)
{
	if (p->shown)
		fprintf(stderr, "\r\033[K");
	p->shown = false;
	p->start = 0;
}
