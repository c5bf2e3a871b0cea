/* The files that decide what the helper answers, beside the request itself: an answer is kept for a later run
 * (client/cache.h) as long as all of them are what they were (private to frontend/).
 *
 * A list is text, a name a line; a relative name begins in the folder of the request. A name of which there is no file
 * stands for that: one that comes later is another answer. A list that cannot be complete is NULL as a text. */
#ifndef WAVESIM_FRONTEND_MADE_OF_H
#define WAVESIM_FRONTEND_MADE_OF_H

#include "base/base.h"

typedef struct MadeOf {
	Buf names;
	bool unknown; /* there are others, too */
} MadeOf;

void made_of(MadeOf *m, const char *name);
/* The names of another list; NULL: m is not complete then. An empty name says the same. */
void made_of_text(MadeOf *m, const char *names);
/* This program with its libraries, as they are loaded now, and what decides which ones those are. */
void made_of_process(MadeOf *m);
/* What clang read, in the words of a rule for make (-MD), but for what lies below the folder `cache`. CACHE/include may
 * be a link: then names go on where it leads. NULL: not known. */
void made_of_rule(MadeOf *m, const char *rule, const char *cache);
/* Of m; NULL: not known. Lives as long as m does not change. */
const char *made_of_names(const MadeOf *m);
void made_of_free(MadeOf *m);
/* From a child to its parent, by an unnamed file, in which lists stand one behind the other. */
void made_of_give(const MadeOf *m, int fd);
/* free(); NULL: not known. Closes fd. */
char *made_of_take(int fd);

/* For clang, in the words of its front end, so that it writes that rule into the file: "%s" is its name, without
 * blanks. */
#define MADE_OF_RULE "-dependency-file\t%s\t-MT\trule\t-sys-header-deps"

#endif
