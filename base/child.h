/* A piece of work in a process of its own, so that it may crash, hang or start
 * threads.
 *
 *   parent ── supervisor ── worker
 *
 * The supervisor outlives both: when the work ends, is to be stopped, or the parent
 * dies (Ctrl-C included), it ends the worker and cleans up. */
#ifndef WAVESIM_CHILD_H
#define WAVESIM_CHILD_H

#include "base/diag.h"

#include <signal.h>
#include <sys/types.h>

typedef struct Child {
	pid_t supervisor;
	int alive[2]; /* a byte in this pipe tells the supervisor to stop, and so does our death, which closes it. Both
	               * ends stay open: writing to a supervisor that has ended is no SIGPIPE. */
	int done;  /* the worker's wait status comes here */
} Child;

typedef struct ChildEnd {
	bool timed_out; /* by the clock, or by its limit of processor time, or as it stood still */
	bool stalled;   /* the last of these */
	int signal; /* that ended the worker, or 0 */
	int code;   /* of exit */
} ChildEnd;

/* work runs in the worker and returns its exit code; after (may be NULL) runs in the
 * supervisor when the worker is gone, in every case. False: no process could be made. */
bool child_start(Child *c, int (*work)(void *), void (*after)(void *), void *arg);
/* The same for work that never waits for anybody but its own threads: from when *runs (in shared memory) is true it
 * is ended when all of them slept for CHILD_STALL seconds, and none used the processor. That is a deadlock, on a busy
 * machine, too: a thread that is kept from running does not sleep. Where *again (in shared memory; NULL: never) is true
 * at its end, another process does the work once more. */
bool child_start_busy(Child *c, int (*work)(void *), void (*after)(void *), void *arg, const bool *runs,
                      const bool *again);
enum { CHILD_STALL = 5 };
/* The error right after that no process for it could be made; false. */
bool child_error(const char *what, Diag *d);
/* seconds = 0: as long as it takes. Stops the worker when time is up. Returns after `after` ran. */
ChildEnd child_wait(Child *c, double seconds);

/* What a process may use from now on beside what it has used; 0: as much as there is. Processor time ends it with
 * SIGXCPU, of all its threads together; files that are too large with SIGXFSZ. */
typedef struct ChildLimits {
	u32 seconds;
	u64 memory, file; /* bytes; of all memory, of each file that it writes */
} ChildLimits;
/* A compiler's. */
#define COMPILE_LIMITS ((ChildLimits){.seconds = 60, .memory = (u64)8 << 30, .file = (u64)1 << 30})
/* for_good: the process itself cannot change it. */
void child_limit(ChildLimits l, bool for_good);
/* What its parent set for signals that end it does not hold here: LLVM's handlers remove the files of a compiler that
 * crashes, and this is none any more. SIGFPE stays as it is: PoCL has a handler for it. */
void child_default_signals(void);
/* What of them the user's own limits leave. */
ChildLimits child_limits(ChildLimits l);
/* What this machine denies to the processes of compilers, or to all, for people: "a process may open 8 files only
 * (ulimit -n)"; NULL: nothing that is known. Asked when one has failed, and why is not known. ld: it links, too.
 * free() */
char *child_fault(bool ld);
/* Seconds on the clock after which a process that got so few of processor time is given up. */
enum { CHILD_PATIENCE = 10 };

/* Signals that ask a process to end, blocked while another program works for it: what came meanwhile is passed on to
 * that, and ends the process when it has cleaned up. Signals that it ignores are not among them. */
typedef struct ChildSignals {
	sigset_t all, before, program; /* all: and SIGCHLD; the others: blocked before, and in the program */
} ChildSignals;
void child_block(ChildSignals *s);
void child_unblock(const ChildSignals *s);
/* Take one that came, so that it does not end the process; 0: none did. */
int child_heard(const ChildSignals *s);
/* Wait for a program's end. Of what came meanwhile the bits (1 << SIGTERM). What Ctrl-C at a terminal sends reaches the
 * program as well, and is not passed on. */
u64 child_program(pid_t pid, const ChildSignals *s, int *status);

/* An unnamed file that parent and children share; -1 on failure. */
int child_file(const char *name);
/* All of it from the start, NUL-terminated beyond size. Closes fd. */
char *child_file_read(int fd, size_t *size);

#endif
