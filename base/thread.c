#include "base/thread.h"

#include <locale.h>

typedef struct ThreadStart {
	void *(*work)(void *arg);
	void *arg;
	locale_t locale;
} ThreadStart;

static void *begin(void *start)
{
	ThreadStart s = *(const ThreadStart *)start;
	free(start);
	uselocale(s.locale);
	return s.work(s.arg);
}

bool thread_start(pthread_t *t, void *(*work)(void *arg), void *arg)
{
	ThreadStart *s = xmalloc(sizeof *s);
	*s = (ThreadStart){work, arg, uselocale((locale_t)0)};
	bool ok = !pthread_create(t, NULL, begin, s);
	if (!ok)
		free(s);
	return ok;
}
