/* Asking work that runs on other threads to end. Who asks may be a signal handler: stop_now changes a flag, and writes
 * to a file descriptor on which a thread may wait for something else. */
#ifndef WAVESIM_STOP_H
#define WAVESIM_STOP_H

#include "base/base.h"

/* What the message says then. */
#define STOP_SAID "the run was stopped"

typedef struct Stop {
	bool asked;
	int fd; /* readable then, and perhaps without; -1: there is none, and who waits learns of it late */
} Stop;

void stop_init(Stop *s);
void stop_free(Stop *s);
void stop_now(Stop *s);
void stop_again(Stop *s); /* as after stop_init: for the next piece of work */
/* For who waited for fd: was it asked? One who asked just as the work before had ended leaves fd readable. */
bool stop_woke(const Stop *s);
static inline bool stop_asked(const Stop *s) { return s && __atomic_load_n(&s->asked, __ATOMIC_ACQUIRE); }

#endif
