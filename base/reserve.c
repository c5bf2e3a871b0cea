#include "base/reserve.h"

#include <setjmp.h>

/* The largest single allocations of usual runs are arrays, which grow by little when they must (array_grow). */
enum { ASIDE = 64 << 20, ASIDE_LEAST = 1 << 20 };

static __thread struct {
	Reserve *reserve;
	jmp_buf *out;
	bool knows; /* that it was given back: by another thread, perhaps just now */
} mine;

bool reserve_lay(Reserve *r, Stop *stop)
{
	*r = (Reserve){.stop = stop};
	for (size_t n = ASIDE; n >= ASIDE_LEAST && !r->aside; n /= 2)
		r->aside = malloc(n);
	return r->aside;
}

void reserve_free(Reserve *r)
{
	free(r->aside);
	r->aside = NULL;
}

bool reserve_spent(const Reserve *r) { return __atomic_load_n(&r->spent, __ATOMIC_ACQUIRE); }

Reserve *reserve_use(Reserve *r)
{
	Reserve *before = mine.reserve;
	mine.reserve = r;
	mine.knows = false;
	return before;
}

Reserve *reserve_used(void) { return mine.reserve; }

/* False: there is nothing that was not given back before. */
static bool give_back(Reserve *r)
{
	void *aside = __atomic_exchange_n(&r->aside, NULL, __ATOMIC_ACQ_REL);
	bool knew = mine.knows;
	mine.knows = true;
	__atomic_store_n(&r->spent, true, __ATOMIC_RELEASE);
	if (r->stop)
		stop_now(r->stop);
	free(aside);
	return aside || !knew;
}

static _Noreturn void leave(size_t bytes)
{
	if (mine.reserve && mine.out) {
		__atomic_store_n(&mine.reserve->left, true, __ATOMIC_RELEASE);
		longjmp(*mine.out, 1);
	}
	if (bytes)
		fprintf(stderr, "wavesim: out of memory (%zu bytes)\n", bytes);
	else
		fprintf(stderr, "wavesim: out of memory\n");
	exit(2);
}

void reserve_need(size_t bytes)
{
	if (!mine.reserve || !give_back(mine.reserve))
		leave(bytes);
}

void reserve_missed(void)
{
	if (mine.reserve)
		give_back(mine.reserve);
	else
		leave(0);
}

bool reserve_try(void (*work)(void *arg), void *arg)
{
	jmp_buf here, *before = mine.out;
	if (!mine.reserve) {
		work(arg);
		return true;
	}
	if (setjmp(here)) {
		mine.out = before;
		return false;
	}
	mine.out = &here;
	work(arg);
	mine.out = before;
	return true;
}

void reserve_pass(void)
{
	if (mine.reserve && __atomic_load_n(&mine.reserve->left, __ATOMIC_ACQUIRE))
		leave(0);
}
