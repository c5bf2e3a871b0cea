/* A compiler that is a program of its own, in a child: its input goes in by standard input, what it makes comes back by
 * standard output (private to frontend/source/). */
#ifndef WAVESIM_FRONTEND_TOOL_H
#define WAVESIM_FRONTEND_TOOL_H

#include "base/child.h"
#include "frontend/source/source.h"

typedef ARRAY(const char *) ToolWords; /* of a command line */

typedef struct Tool {
	const char *path, *name, *does; /* "clang", "compiles HIP" */
	ToolWords words;                /* its command line, with NULL at its end */
	const char *folder;             /* temporary, with files that it reads: it may change nothing outside, and it is
	                                   gone when the program is; "": there is none, and it may change no file */
	bool rule; /* it writes which files it reads: tool_rule */
	u32 seconds; /* of processor time that it may take; 0: a compiler's usual */
} Tool;

typedef struct ToolEnd {
	ChildEnd end;
	char *out, *log; /* what it wrote, and said; free() */
	size_t size;     /* bytes of out */
	MadeOf made_of;  /* the program, and what it read */
} ToolEnd;

/* Which options of the user's go to it: those that begin so, and nothing that writes files or loads code. */
typedef struct ToolOptions {
	const char *const *starts, *const *left_out; /* left_out: what it does by itself */
	u32 nstarts, nleft_out;
	const char *compiler, *hint; /* for the message of one that does not */
} ToolOptions;
/* Add the words of text, which are a's, to its command line. */
bool tool_options(Tool *t, Arena *a, const char *text, const ToolOptions *o, Diag *d);
/* The words with which clang writes which files it reads, for ToolEnd.made_of. */
void tool_rule(Tool *t);
/* The folder where the includes of a file begin. */
const char *tool_folder_of(Arena *a, const char *path);
/* What follows is the text of a file of that name. */
void tool_begin_file(Buf *text, const char *path);

/* False, with the error: it did not start. The folder is gone in every case. */
bool tool_run(const Tool *t, const void *input, size_t size, ToolEnd *out, Diag *d);
void tool_end_free(ToolEnd *e);
/* What it wrote becomes the source's bitcode. */
void tool_end_take(ToolEnd *e, Source *s);
/* clang may say so, and exit. */
bool tool_crashed(const ToolEnd *e);
/* The error of one that made nothing of the file at, in its own words where it said why; false. */
bool tool_failed(const Tool *t, const ToolEnd *e, Loc at, Diag *d);

#endif
