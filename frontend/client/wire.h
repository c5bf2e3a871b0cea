/* What wavesim and its helper say to each other (private to frontend/): framed requests and answers on a
 * stream socket, each a record that one function writes and reads (base/codec.h).
 *
 *   helper → HELLO                         when it has started
 *   WIRE_COMPILE: WireCompile → WireProgram
 *   WIRE_EXCERPTS: ExcerptWants → WireExcerpts
 *                                          both may have a file of WireExcerpts with them: this process's from now on
 *   WIRE_START:   WireStart, with a file descriptor of the buffers' memory → WireStarted
 *   WIRE_WAIT:    WireWait → PoclOutcome   and the results lie in that memory
 *   WIRE_ABOUT:   → FeAbout
 *
 * One request at a time. The helper trusts requests; answers are checked like any input, because the helper has
 * run code of unknown origin. */
#ifndef WAVESIM_WIRE_H
#define WAVESIM_WIRE_H

#include "base/codec.h"
#include "base/stop.h"
#include "frontend/compile/compile.h"
#include "frontend/native.h"

enum { WIRE_FD = 3 }; /* of the socket, in the helper */

typedef enum { WIRE_HELLO = 1, WIRE_COMPILE, WIRE_START, WIRE_WAIT, WIRE_ABOUT, WIRE_EXCERPTS, WIRE_ANSWER } WireKind;

/* ---- frames ---- */
typedef enum { WIRE_GOOD, WIRE_ENDED, WIRE_LATE, WIRE_DAMAGED, WIRE_STOPPED } WireEnd;
/* False: the other end is closed. pass: a file descriptor that goes along, or -1. */
bool wire_send(int socket, WireKind kind, const Buf *bytes, int pass);
/* One of this kind, in so many seconds (0: as long as it takes), unless stop is asked before; NULL: nobody does.
 * bytes is to be freed. passed: a file descriptor that came along, or -1; NULL: none is wanted. */
WireEnd wire_receive(int socket, const Stop *stop, WireKind *kind, double seconds, u8 **bytes, u64 *n, int *passed);

#define WIRE_MOST ((u64)1 << 30) /* bytes of a request or an answer */
/* To read n bytes. */
Codec wire_reader(const u8 *bytes, u64 n, Arena *a, u64 *room);

/* ---- records ---- */
/* Which version of the program speaks, with a number for its tables. free() */
char *wire_version(void);
void wire_hello(Codec *c, const char **version);
void wire_about(Codec *c, FeAbout *about);

typedef struct WireCompile {
	const char *folder; /* where relative names begin, or NULL */
	FeOptions o;
	FeBitcode built;
} WireCompile;
void wire_compile(Codec *c, WireCompile *w);

typedef struct WireProgram {
	Diag said;
	Program *program; /* NULL: there is none; read: not verified yet, and to be freed */
	FeFacts facts;
	ExcerptWants wants; /* what it called of libraries that no excerpt has */
} WireProgram;
void wire_program(Codec *c, WireProgram *w);

typedef struct WireExcerpts {
	const char *made_of; /* names of files (made_of.h); NULL: not known */
	Excerpts excerpts;
} WireExcerpts;
void wire_excerpts(Codec *c, WireExcerpts *w);
void wire_wants(Codec *c, ExcerptWants *w);

typedef struct WireStart {
	const char *folder;
	bool own; /* the helper runs it itself: what o and built say (path, source, kernel and options are l's) */
	FeOptions o;
	FeBitcode built;
	PoclLaunch l; /* a buffer's init and result only say that there is one: see wire_buffer_room */
} WireStart;
void wire_start(Codec *c, WireStart *w);
void wire_needed(Codec *c, FeNeeded *n); /* behind it */
/* Bytes that a buffer takes of the memory that both see, where buffers lie one behind the other. */
u64 wire_buffer_room(const PoclBuffer *b);

typedef struct WireStarted {
	Diag said;
	u32 run; /* 0: it did not start */
} WireStarted;
void wire_started(Codec *c, WireStarted *w);

typedef struct WireWait {
	u32 run;
	double seconds;
} WireWait;
void wire_wait(Codec *c, WireWait *w);

void wire_outcome(Codec *c, PoclOutcome *o);

#endif
