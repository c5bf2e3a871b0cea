/* Excerpts of large libraries: the functions that programs have called so far, kept from run to run by whoever asks the
 * helper (client/helper.c; private to frontend/).
 *
 * LLVM reads the names of all functions of a library, 12,000 and 23,000 of them, before it links a few: half of the
 * time of a build. An excerpt has a few hundred, and says of each other name whether the library has it: so a part of
 * the library (library_part.h) is the same, whichever of the two it is made from.
 *
 * An excerpt is made by a helper that has compiled nothing (WIRE_EXCERPTS): no program can put something into one. */
#ifndef WAVESIM_FRONTEND_EXCERPT_H
#define WAVESIM_FRONTEND_EXCERPT_H

#include "base/base.h"

/* Of what is wanted at once: programs that call more new functions are a test of the library. And of a library's
 * functions in an excerpt, beyond which it begins anew: all of them are read in each run. */
enum { EXCERPT_AT_ONCE = 256, EXCERPT_LIBRARIES = 16, EXCERPT_NAMES = 1024 };

/* Functions of one library that programs called and no excerpt had. */
typedef struct ExcerptWant {
	const char *path;
	bool on_demand; /* LibraryPart's */
	const char *file; /* path, links resolved, by whoever says that it may be read; else NULL */
	const char **names;
	u32 n;
} ExcerptWant;

typedef struct ExcerptWants {
	ExcerptWant *v;
	u32 n;
} ExcerptWants;

typedef struct Excerpt {
	const char *path, *state; /* of the library; as its file was (excerpt_state) */
	bool on_demand;
	const char **names; /* that were asked for, by text, and that it has */
	u32 n;
	const u8 *all;   /* a hash of 8 bytes of each name in the library, ascending */
	u64 nall;        /* bytes */
	const u8 *bytes; /* the functions of these names, with what they call, as bitcode of the LLVM here */
	u64 nbytes;
} Excerpt;

typedef struct Excerpts {
	Excerpt *v;
	u32 n;
} Excerpts;

u64 excerpt_hash(const char *name);
/* Which file it is, with its size and times: as long as this is the same, so is the library. */
void excerpt_state(const char *path, Buf *out);

/* From now on these are this process's; e and what it names have to live as long. */
void excerpts_take(const Excerpts *e);
/* Those. */
const Excerpts *excerpts_taken(void);
/* Of the file as it is now, or NULL. */
const Excerpt *excerpt_find(const char *path, bool on_demand);
/* Has it this name? */
bool excerpt_has(const Excerpt *e, const char *name);
/* Has it all of these that the library has? */
bool excerpt_covers(const Excerpt *e, const char *const *names, u32 n);

/* A program wants these of a library's functions, and no excerpt has them. */
void excerpt_want(const char *path, bool on_demand, const char *const *names, u32 n);
/* All that were, since nothing was wanted; until nothing is. */
ExcerptWants excerpts_wanted(void);
void excerpts_want_nothing(void);

#endif
