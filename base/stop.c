#include "base/stop.h"

#include <sys/eventfd.h>
#include <unistd.h>

void stop_init(Stop *s) { *s = (Stop){.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)}; }

void stop_free(Stop *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

void stop_now(Stop *s)
{
	__atomic_store_n(&s->asked, true, __ATOMIC_RELEASE);
	if (s->fd >= 0)
		(void)!eventfd_write(s->fd, 1);
}

void stop_again(Stop *s)
{
	eventfd_t n;
	if (s->fd >= 0)
		(void)!eventfd_read(s->fd, &n);
	__atomic_store_n(&s->asked, false, __ATOMIC_RELEASE);
}

/* The flag is looked at behind the read: who asks after that writes again. Others may wait, too. */
bool stop_woke(const Stop *s)
{
	eventfd_t n;
	(void)!eventfd_read(s->fd, &n);
	bool asked = stop_asked(s);
	if (asked)
		(void)!eventfd_write(s->fd, 1);
	return asked;
}
