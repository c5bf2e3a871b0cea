/* A piece of work in a process of its own, so that it may crash, hang or start
 * threads (private to frontend/).
 *
 *   parent ── supervisor ── worker
 *
 * The supervisor outlives both: when the work ends, is to be stopped, or the parent
 * dies (Ctrl-C included), it ends the worker and cleans up. */
#ifndef WAVESIM_FRONTEND_CHILD_H
#define WAVESIM_FRONTEND_CHILD_H

#include "base/base.h"

#include <sys/types.h>

typedef struct Child {
	pid_t supervisor;
	int alive; /* closing it, or dying, tells the supervisor to stop */
	int done;  /* the worker's wait status comes here */
} Child;

typedef struct ChildEnd {
	bool timed_out;
	int signal; /* that ended the worker, or 0 */
	int code;   /* of exit */
} ChildEnd;

/* work runs in the worker and returns its exit code; after (may be NULL) runs in the
 * supervisor when the worker is gone, in every case. False: no process could be made. */
bool child_start(Child *c, int (*work)(void *), void (*after)(void *), void *arg);
/* seconds = 0: as long as it takes. Stops the worker when time is up. Returns after `after` ran. */
ChildEnd child_wait(Child *c, double seconds);

/* In the worker: it gets no more than so many bytes beside what it has. */
void child_limit_memory(u64 bytes);

/* An unnamed file that parent and children share; -1 on failure. */
int child_file(const char *name);
/* All of it from the start, NUL-terminated beyond size. Closes fd. */
char *child_file_read(int fd, size_t *size);

#endif
