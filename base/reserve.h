/* What a library does when memory runs out: its caller must get an error, and go on.
 *
 * Work that can be stopped lays some memory aside first (reserve_lay). When an allocation fails, that is given back to
 * the heap and the work is asked to stop, so it ends as any stopped work does, with room for what it does on the way,
 * and frees all that it has; whatever came of it is worthless, because `spent` says that something may be missing.
 * Where even that is not enough, as for one allocation larger than the reserve, the thread leaves its work by longjmp
 * (reserve_try), and what it had is lost. Programs have no reserve: out of memory ends them, with a message. */
#ifndef WAVESIM_RESERVE_H
#define WAVESIM_RESERVE_H

#include "base/stop.h"

/* Of the work of all threads that were started by who laid it. */
typedef struct Reserve {
	void *aside;
	Stop *stop; /* or NULL */
	bool spent; /* memory ran out */
	bool left;  /* a thread left its work */
} Reserve;

/* False: there is not even so much. */
bool reserve_lay(Reserve *r, Stop *stop);
void reserve_free(Reserve *r);
bool reserve_spent(const Reserve *r);

/* That of this thread from here on, or NULL; returns the one before. Threads inherit it (thread_start). */
Reserve *reserve_use(Reserve *r);
Reserve *reserve_used(void);

/* An allocation of so many bytes failed. When it returns, there is more: try again. */
void reserve_need(size_t bytes);
/* One of another library failed, and something is missing now in what is made. */
void reserve_missed(void);

/* work(arg), which may leave; false: it did. Who waits for other threads has them end before it leaves, too:
 * reserve_pass() after they have, if one of them did. */
bool reserve_try(void (*work)(void *arg), void *arg);
void reserve_pass(void);

#endif
