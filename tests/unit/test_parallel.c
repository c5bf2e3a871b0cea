/* Jobs side by side: each runs once, and all are done at the end. */
#include "base/parallel.h"

#include <CUnit/CUnit.h>
#include <stdatomic.h>

void suite_parallel(void);

enum { MOST = 1000 };

typedef struct Counted {
	atomic_uint ran[MOST], at_once, most_at_once;
} Counted;

static void count(void *ctx, u32 i)
{
	Counted *c = ctx;
	u32 now = atomic_fetch_add(&c->at_once, 1) + 1, most = atomic_load(&c->most_at_once);
	while (now > most && !atomic_compare_exchange_weak(&c->most_at_once, &most, now))
		;
	atomic_fetch_add(&c->ran[i], 1);
	atomic_fetch_sub(&c->at_once, 1);
}

static void once(void)
{
	static const u32 jobs[] = {0, 1, 2, 7, MOST}, threads[] = {0, 1, 2, 8, 300};
	for (u32 k = 0; k < COUNT(jobs) * COUNT(threads); k++) {
		u32 n = jobs[k / COUNT(threads)], t = threads[k % COUNT(threads)], wrong = 0;
		Counted *c = xcalloc(1, sizeof *c);
		parallel(t, n, count, c);
		for (u32 i = 0; i < MOST; i++)
			wrong += atomic_load(&c->ran[i]) != (i < n);
		CU_ASSERT_EQUAL(wrong, 0);
		CU_ASSERT(!t || atomic_load(&c->most_at_once) <= t);
		free(c);
	}
	CU_ASSERT(processors() >= 1);
}

void suite_parallel(void)
{
	CU_pSuite s = CU_add_suite("parallel", NULL, NULL);
	CU_add_test(s, "each job once, on no more threads than asked for", once);
}
