#include "base/parallel.h"
#include "base/reserve.h"
#include "base/thread.h"

#include <stdatomic.h>
#include <unistd.h>

enum { MOST_THREADS = 256 };

typedef struct Jobs {
	void (*job)(void *ctx, u32 i);
	void *ctx;
	u32 n;
	atomic_uint next;
} Jobs;

u32 processors(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	return n > 0 ? (u32)n : 1;
}

static void *work(void *arg)
{
	Jobs *j = arg;
	for (u32 i; (i = atomic_fetch_add(&j->next, 1)) < j->n;)
		j->job(j->ctx, i);
	return NULL;
}

static void work_here(void *arg) { work(arg); }

void parallel(u32 threads, u32 n, void (*job)(void *ctx, u32 i), void *ctx)
{
	Jobs j = {.job = job, .ctx = ctx, .n = n};
	pthread_t started[MOST_THREADS];
	u32 most = threads ? threads : processors(), nstarted = 0;
	most = most < n ? most : n;
	most = most < MOST_THREADS ? most : MOST_THREADS;
	while (nstarted + 1 < most && thread_start(&started[nstarted], work, &j))
		nstarted++;
	reserve_try(work_here, &j);
	for (u32 i = 0; i < nstarted; i++)
		pthread_join(started[i], NULL);
	reserve_pass();
}
