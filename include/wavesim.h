/* wavesim as a library: OpenCL and HIP kernels on a simulated GPU. wavesim(3) and docs/library.md explain it.
 *
 *   wavesim_t *w = wavesim_new();
 *   wavesim_file(w, "kernel.cl");
 *   wavesim_option(w, "--local", "256");
 *   wavesim_memory(w, "a.bin", data, sizeof data);
 *   wavesim_option(w, "--arg", "a=@a.bin");
 *   wavesim_result_t *r;
 *   if (wavesim_run(w, &r) == WAVESIM_OK) {
 *           double cycles;
 *           wavesim_number(r, "lds.conflict_cycles", &cycles);
 *           const float *a = wavesim_buffer(r, "a", NULL);
 *           wavesim_result_free(r);
 *   } else {
 *           fputs(wavesim_error(w), stderr);
 *   }
 *   wavesim_free(w);
 *
 * Options are those of the command line (wavesim(1)), with the same names and values; numbers have the names that they
 * have in the JSON report (report.schema.json). So there is one vocabulary, and a new option or number needs no new
 * function.
 *
 * The library prints nothing, installs no signal handler, and leaves locale, environment and working directory alone.
 * It reads neither the variables WAVESIM_… of options nor the configuration file. Compilers and native code run in a
 * program of their own, wavesim-helper. When memory runs out, the call fails, and the handle is good for another run.
 *
 * Each handle and each result is for one thread at a time, but for wavesim_stop; several threads have several. A result
 * needs nothing of the handle any more. Pointers that are returned belong to what was asked: those of a result are good
 * until it is freed, those of a handle until it runs again or is freed. Texts are UTF-8. */
#ifndef WAVESIM_H
#define WAVESIM_H

#include <stddef.h>
#include <stdint.h>

#ifndef WAVESIM_API
#define WAVESIM_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The interface that this header describes, and the one of the library that was loaded: a program checks that they are
 * equal. It is the number in the name libwavesim.so.0, too, and grows with each change that breaks a program which was
 * built before; functions may be added without. */
#define WAVESIM_ABI 0
WAVESIM_API int wavesim_abi(void);
/* The version of the library: "0.1.0". */
WAVESIM_API const char *wavesim_version(void);

typedef enum {
	WAVESIM_OK = 0,
	WAVESIM_INPUT = 1,   /* something is wrong with the input: wavesim_error says what */
	WAVESIM_STOPPED = 2, /* wavesim_stop was called */
	WAVESIM_NONE = 3,    /* there is no such value */
	WAVESIM_MEMORY = 4   /* memory ran out */
} wavesim_status_t;

/* What to run. */
typedef struct wavesim wavesim_t;
/* What came of it. */
typedef struct wavesim_result wavesim_result_t;
WAVESIM_API wavesim_t *wavesim_new(void); /* NULL: there is no memory */
WAVESIM_API void wavesim_free(wavesim_t *w); /* NULL is fine */

/* ---- what to run ----
 * Everything is copied. What is wrong with it is said by wavesim_run, also that there was no memory for it; then
 * wavesim_reset forgets it. */

/* The kernel file: kernel.cl, .hip, .spv, .bc, .sim, .wave. */
WAVESIM_API void wavesim_file(wavesim_t *w, const char *path);
/* Its text, instead of the file of that name, which need not exist; the ending says what it is. */
WAVESIM_API void wavesim_source(wavesim_t *w, const char *name, const char *text);
/* An option as on the command line: ("--local", "256"), ("--arg", "n=4096"), ("-D", "TILE=16"), ("--check", NULL). Of
 * two with the same name the later one counts; of --arg and -D those for the same argument or macro; -I and
 * --build-options add up. Options that name outputs, or what to do in place of a run, are none here. */
WAVESIM_API void wavesim_option(wavesim_t *w, const char *name, const char *value);
/* Bytes that options may name as if they were a file: ("--arg", "a=@NAME"). They are the elements as they lie in
 * memory, or a .npy file; text only where that is said ("a=text:@NAME"). */
WAVESIM_API void wavesim_memory(wavesim_t *w, const char *name, const void *bytes, size_t size);
/* Forgets file, options and memory, and a wavesim_stop() that came too late. What was compiled, and the process that
 * compiles, are kept for the next run. */
WAVESIM_API void wavesim_reset(wavesim_t *w);

/* ---- running ---- */

/* *result: NULL unless it is WAVESIM_OK; wavesim_result_free(). What the kernel does wrong is among the findings of a
 * run that is fine. */
WAVESIM_API wavesim_status_t wavesim_run(wavesim_t *w, wavesim_result_t **result);
/* One launch under many settings, ranked: options have alternatives ("--local", "64,128,256"), as those of
 * `wavesim sweep`, --jobs, --where, --points, --reference, --whole included. */
WAVESIM_API wavesim_status_t wavesim_sweep(wavesim_t *w, wavesim_result_t **result);
WAVESIM_API void wavesim_result_free(wavesim_result_t *r); /* NULL is fine */
/* Ends the run that goes on, or the next one, soon, with WAVESIM_STOPPED. For any thread, and for signal handlers. */
WAVESIM_API void wavesim_stop(wavesim_t *w);
/* Called now and then while it runs, by the thread that does: what is going on ("compiling" …), and how many
 * work-groups (of a sweep: points) of all are done; all is 0 where that is not known. NULL: nothing is called. */
typedef void wavesim_progress_t(void *context, const char *what, uint64_t done, uint64_t all);
WAVESIM_API void wavesim_progress(wavesim_t *w, wavesim_progress_t *call, void *context);

/* ---- what is wrong with the input ---- */

/* All messages of the last run as one text, as the program prints them: FILE:LINE:COLUMN: error: …, the line, a hint.
 * "" when there is none. */
WAVESIM_API const char *wavesim_error(wavesim_t *w);
/* … one by one. Warnings and notes of a run that was fine are among them. */
typedef struct {
	const char *level; /* "error", "warning", "note" */
	const char *file;  /* NULL: the message is about no place; "command line": about an option */
	unsigned line, column; /* from 1; 0: not known */
	const char *text;
	const char *hint;   /* what to do, or NULL */
	const char *source; /* the line that it is about, or NULL */
} wavesim_message_t;
WAVESIM_API size_t wavesim_message_count(const wavesim_t *w);
WAVESIM_API wavesim_status_t wavesim_message(const wavesim_t *w, size_t i, wavesim_message_t *out);

/* ---- what came of it ---- */

/* The whole report in a format: "json", "html", "text", "csv", "sarif", "trace_events", "collapsed", "listing", "lcov";
 * of a sweep "json", "html", "text", "csv", "kernel_tuner". It ends with a zero, which size (or NULL) does not count.
 * NULL: there is no such format, or no memory. */
WAVESIM_API const char *wavesim_report(wavesim_result_t *r, const char *format, size_t *size);
/* A value of the JSON report by its path: "lds.conflict_cycles", "estimate.bound_by"; numbers are indices of lists:
 * "lines.0.line", "launch.global.1"; "lines[14].executions" is of line 14 of the kernel file. True and false are 1
 * and 0. NULL and WAVESIM_NONE: there is none, or it is of the other kind. */
WAVESIM_API wavesim_status_t wavesim_number(wavesim_result_t *r, const char *path, double *out);
WAVESIM_API const char *wavesim_text(wavesim_result_t *r, const char *path);
/* How many elements a list has ("lines", "findings"), or members an object; 0: there is none. */
WAVESIM_API size_t wavesim_length(wavesim_result_t *r, const char *path);

/* The arguments of the kernel that ran. */
typedef struct {
	const char *name;
	const char *type;   /* as in the source: "float4*" */
	const char *kind;   /* "buffer", "value", "local", "image", "sampler", "pipe", "null" */
	const char *format; /* of a number: "<f4", "<i4", "|u1" … as NumPy writes it; of structs "|u1" */
	unsigned lanes;     /* numbers of an element: 4 of float4; of a struct its bytes */
	unsigned stride;    /* bytes from one element to the next: 16 of float3 */
	uint64_t count;     /* elements; of a pipe, packets that there is room for */
	unsigned guessed;   /* its contents or its size are (1), or not (0) */
} wavesim_argument_t;
WAVESIM_API size_t wavesim_argument_count(const wavesim_result_t *r);
WAVESIM_API wavesim_status_t wavesim_argument(const wavesim_result_t *r, size_t i, wavesim_argument_t *out);
/* What a buffer or image holds after the run, of a pipe its packets; size may be NULL. NULL: there is none of that
 * name. */
WAVESIM_API const void *wavesim_buffer(wavesim_result_t *r, const char *argument, size_t *size);

/* ---- devices ---- */

/* Those that --device knows; NULL: there are fewer. */
WAVESIM_API const char *wavesim_device(size_t i);

#ifdef __cplusplus
}
#endif

#endif
