/* Answers of the helper, kept from run to run (private to frontend/client/).
 *
 *   cache_question.c  what is asked, as a key: the request, and what else of the system decides the answer
 *   cache_files.c     whether the files that an answer was made of (frontend/made_of.h) are what they were
 *   cache.c           the folder: an answer is a file
 *
 *   CacheQuestion q;
 *   cache_question(&q, …);
 *   if (!cache_find(c, &q, &answer, &n)) { … cache_keep(c, &q, made_of, answer, n); }
 *   cache_question_free(&q);
 *
 * A file that is damaged, of another question, or out of date is none. Nothing here fails: what cannot be kept is not.
 */
#ifndef WAVESIM_CLIENT_CACHE_H
#define WAVESIM_CLIENT_CACHE_H

#include "frontend/client/wire.h"

#include <time.h>

typedef struct Cache Cache;

/* Of a folder, which is made when there is something to keep, with so many bytes at most. */
Cache *cache_new(const char *folder, u64 most);
void cache_free(Cache *c);
/* More than so many bytes are not kept of one answer. */
u64 cache_share(const Cache *c);
/* cache_processor(), asked once: systems were seen that take their time to answer. */
const char *cache_runs_on(const Cache *c);

/* ---- cache_question.c ---- */
typedef struct CacheQuestion {
	Buf key;     /* all of it */
	Buf folders; /* where the compiler may look for headers, a line each */
	struct timespec asked; /* what changed later may not have been read */
	bool none;   /* its answer is not to be kept: it has other reasons */
} CacheQuestion;

/* What the compilers read: a file's text (NULL: the file itself), or that of all src's units. */
typedef struct CacheText {
	const char *path, *text, *options;
	const SrcProgram *src;
} CacheText;

/* What this processor can do, for which PoCL compiles; NULL: it is not known. free() */
char *cache_processor(void);
/* kind and request: what the helper is asked; text: NULL: nothing is compiled; helper: its program; sandbox: how it is
 * confined. */
void cache_question(CacheQuestion *q, const char *processor, WireKind kind, const Buf *request, const CacheText *text,
                    const char *helper, Sandbox sandbox);
/* Data that the request does not have. */
void cache_question_data(CacheQuestion *q, const void *data, u64 n);
void cache_question_free(CacheQuestion *q);

/* ---- cache_files.c ---- */
typedef struct CacheState {
	u64 half[2];
} CacheState;

/* What is known of files of these names, a line each, and of those that a compiler would find in their places in
 * folders (NULL: none). False: it cannot be known; or one has changed since (NULL: is not asked). */
bool cache_state(const char *names, const char *folders, const struct timespec *since, CacheState *out);
/* Does it lie where packages put their files? */
bool cache_is_installed(const char *name);
/* Does a source ask for what no list of files says: other files' being there, or the time? */
bool cache_text_asks(const char *text, u64 n);

/* ---- cache.c ---- */
/* answer: free() */
bool cache_find(Cache *c, const CacheQuestion *q, u8 **answer, u64 *n);
/* made_of: names of files; NULL: not known. */
void cache_keep(Cache *c, const CacheQuestion *q, const char *made_of, const void *answer, u64 n);

/* A file's content, for both and for the fuzz target. */
typedef struct CacheEntry {
	const u8 *key, *answer;
	u64 nkey, nanswer;
	const char *made_of;
	CacheState state;
} CacheEntry;
void cache_entry_write(const CacheEntry *e, Buf *out);
/* Points into bytes and a. False: it is none. */
bool cache_entry_read(CacheEntry *e, const u8 *bytes, u64 n, Arena *a);

#endif
