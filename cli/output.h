/* Files, standard output, the terminal. */
#ifndef WAVESIM_OUTPUT_H
#define WAVESIM_OUTPUT_H

#include "options/specs.h"
#include "report/report.h"

/* Write all of text to path; the old file stays when that fails. "-" is standard output. */
bool output_file(const char *path, Loc at, const Buf *text, Diag *d);
/* The same in parts: NULL and errno, or a stream for output_close, which puts the file in its place when all went
 * well (ok), and otherwise says why in errno. */
FILE *output_open(const char *path);
bool output_close(FILE *f, const char *path, bool ok);
/* On a terminal without control characters, but for colours (buf_masked). */
bool output_stdout(const char *text, size_t n, Diag *d);
void output_stderr(const char *text, size_t n);
void output_clear(void); /* the terminal, if it is one */
bool output_text(Buf *text, Diag *d); /* the same, and releases it */
/* Is it the name of standard output? path may be NULL. */
bool is_stdout(const char *path);
/* The text of --help, broken at the terminal's width. */
bool output_help(const Buf *text, Diag *d);
/* Colours and width of the terminal behind fd. */
SinkStyle output_style(int fd);

/* How far it is. */
typedef struct ProgressCount {
	const char *what;
	u64 from, done, all; /* from: at the first step of this phase. all 0: not known of this phase */
	double began, phase, step; /* seconds_now() of the first, of this phase, of its last step */
} ProgressCount;

/* How far it is, on standard error. On a terminal that is one line, from a second on that something has run; else a
 * line now and then, so that a log or a pipe shows that a long run goes on. A thread writes it, so that no phase is
 * silent. It may go on after its end. */
typedef struct Progress {
	bool on;
	double pace;                 /* seconds until the next line of a log; 0: it is a terminal */
	const char *things;          /* that are done one by one: "work-groups" */
	struct ProgressLine *line;   /* NULL: it has not begun, or has ended */
	ProgressCount count;         /* then: as of its end */
} Progress;
/* pace: seconds until the first line where standard error is no terminal (--progress); 0: none there. */
Progress progress_new(bool wanted, u64 pace);
/* One state of it: the line on a terminal, or one of a log, so many seconds after its beginning. */
void progress_put(bool terminal, double ran, const char *text);
/* Is a line of a log due after so many seconds? Then the next is when as much has passed again. */
bool progress_due(double *pace, double seconds);
void progress_step(void *progress, u64 done, u64 all);   /* an EngineProgress */
void progress_phase(void *progress, const char *what);   /* an EnginePhase: what runs from here on */
SpecsHost progress_host(Progress *p); /* those two, for a run */
void progress_end(Progress *p);

#endif
