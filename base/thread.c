#include "base/thread.h"
#include "base/reserve.h"

#include <locale.h>

typedef struct ThreadStart {
	void *(*work)(void *arg);
	void *arg;
	locale_t locale;
	Reserve *reserve;
} ThreadStart;

static void run(void *start)
{
	ThreadStart *s = start;
	s->work(s->arg);
}

static void *begin(void *start)
{
	ThreadStart s = *(const ThreadStart *)start;
	free(start);
	uselocale(s.locale);
	reserve_use(s.reserve);
	reserve_try(run, &s);
	return NULL;
}

bool thread_start(pthread_t *t, void *(*work)(void *arg), void *arg)
{
	ThreadStart *s = malloc(sizeof *s); /* who starts several must join those that run */
	if (!s)
		return false;
	*s = (ThreadStart){work, arg, uselocale((locale_t)0), reserve_used()};
	bool ok = !pthread_create(t, NULL, begin, s);
	if (!ok)
		free(s);
	return ok;
}
