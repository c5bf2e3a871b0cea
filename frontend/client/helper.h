/* The helper as the client's files see it (private to frontend/client/). */
#ifndef WAVESIM_CLIENT_HELPER_H
#define WAVESIM_CLIENT_HELPER_H

#include "frontend/client/cache.h"
#include "frontend/client/wire.h"

/* What the helper answered. Its strings live as long as the arena. */
typedef struct HelperAnswer {
	u8 *bytes;
	Arena *arena;
	u64 room;
	Codec codec; /* to read it */
} HelperAnswer;

/* Ask, and wait for the answer at most so many seconds (0: as long as it takes). pass: a file descriptor that
 * goes along, or -1. False: errors in d, and the helper is gone. */
bool helper_ask(Helper *h, WireKind kind, const Buf *request, int pass, double seconds, HelperAnswer *out, Diag *d);
/* An answer that was kept; bytes are its own from now on. */
void helper_kept(u8 *bytes, u64 n, HelperAnswer *out);
/* The answer was read: were all of it good and nothing left? */
bool helper_whole(const HelperAnswer *a);
/* The same; if not, an error, and the helper is gone. */
bool helper_good(Helper *h, const HelperAnswer *a, Diag *d);
void helper_answer_free(HelperAnswer *a);
/* Counts the processes that there were: what an earlier one was told, this one does not know. */
u32 helper_number(const Helper *h);
/* A question of which the answer may have been kept, or may be; NULL: answers are not kept. q is to be freed. */
Cache *helper_question(const Helper *h, WireKind kind, const Buf *request, const CacheText *text, CacheQuestion *q);
/* A file of what earlier runs called of libraries (excerpt.h), to pass with a WIRE_COMPILE; -1: there is none, or
 * the helper has it. Of h. */
int helper_excerpts(Helper *h);
/* A program called these, too: later runs will find them in excerpts, which another helper makes meanwhile. */
void helper_wants(Helper *h, const ExcerptWants *w);
/* Where relative names begin, or NULL. free() */
char *helper_folder(void);

#endif
