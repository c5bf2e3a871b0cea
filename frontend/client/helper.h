/* The helper as the client's files see it (private to frontend/client/). */
#ifndef WAVESIM_CLIENT_HELPER_H
#define WAVESIM_CLIENT_HELPER_H

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
/* The answer was read: were all of it good and nothing left? Else an error, and the helper is gone. */
bool helper_good(Helper *h, const HelperAnswer *a, Diag *d);
void helper_answer_free(HelperAnswer *a);
/* Counts the processes that there were: what an earlier one was told, this one does not know. */
u32 helper_number(const Helper *h);
/* Where relative names begin, or NULL. free() */
char *helper_folder(void);

#endif
