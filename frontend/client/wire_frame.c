/* Frames on a stream socket: see wire.h. */
#include "frontend/client/wire.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#define MAGIC 0x77736865u

typedef struct Head {
	u32 magic, kind;
	u64 bytes;
} Head;

/* ---- sending ---- */

/* Bytes that were sent; 0: the other end is closed. */
static size_t send_some(int socket, const void *bytes, size_t n, int pass)
{
	union {
		struct cmsghdr head;
		u8 room[CMSG_SPACE(sizeof(int))];
	} along = {0};
	struct iovec part = {(void *)(uintptr_t)bytes, n};
	struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
	if (pass >= 0) {
		m.msg_control = along.room;
		m.msg_controllen = sizeof along.room;
		along.head = (struct cmsghdr){CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
		memcpy(CMSG_DATA(&along.head), &pass, sizeof pass);
	}
	ssize_t k;
	while ((k = sendmsg(socket, &m, MSG_NOSIGNAL)) < 0 && errno == EINTR)
		;
	return k > 0 ? (size_t)k : 0;
}

static bool send_all(int socket, const void *bytes, size_t n, int pass)
{
	for (const u8 *p = bytes; n;) {
		size_t k = send_some(socket, p, n, pass);
		if (!k)
			return false;
		pass = -1;
		p += k;
		n -= k;
	}
	return true;
}

bool wire_send(int socket, WireKind kind, const Buf *bytes, int pass)
{
	Head h = {MAGIC, kind, bytes->n};
	return send_all(socket, &h, sizeof h, pass) && send_all(socket, bytes->v, bytes->n, -1);
}

/* ---- receiving ---- */

/* The file descriptor in a message; others that came with it are closed. */
static int take_passed(struct msghdr *m)
{
	int one = -1;
	for (struct cmsghdr *h = CMSG_FIRSTHDR(m); h; h = CMSG_NXTHDR(m, h)) {
		if (h->cmsg_level != SOL_SOCKET || h->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t at = 0; at + sizeof(int) <= h->cmsg_len - CMSG_LEN(0); at += sizeof(int)) {
			int fd;
			memcpy(&fd, CMSG_DATA(h) + at, sizeof fd);
			if (one < 0)
				one = fd;
			else
				close(fd);
		}
	}
	return one;
}

static ssize_t receive_some(int socket, void *to, size_t n, int *passed)
{
	union {
		struct cmsghdr head;
		u8 room[CMSG_SPACE(sizeof(int))];
	} along;
	struct iovec part = {to, n};
	struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
	if (passed) { /* else the kernel drops what comes along */
		m.msg_control = along.room;
		m.msg_controllen = sizeof along.room;
	}
	ssize_t k = recvmsg(socket, &m, MSG_CMSG_CLOEXEC);
	if (k > 0 && passed) {
		int fd = take_passed(&m);
		if (fd >= 0 && *passed >= 0)
			close(fd);
		else if (fd >= 0)
			*passed = fd;
	}
	return k;
}

static WireEnd receive_all(int socket, const Stop *stop, void *to, size_t n, double end, int *passed)
{
	for (u8 *p = to; n;) {
		int ready = wait_either(socket, stop ? stop->fd : -1, end);
		if (ready < 0)
			return WIRE_LATE;
		if (ready != socket && stop_woke(stop))
			return WIRE_STOPPED;
		if (ready != socket)
			continue;
		ssize_t k = receive_some(socket, p, n, passed);
		if (k < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (k <= 0)
			return WIRE_ENDED;
		p += k;
		n -= (size_t)k;
	}
	return WIRE_GOOD;
}

WireEnd wire_receive(int socket, const Stop *stop, WireKind *kind, double seconds, u8 **bytes, u64 *n, int *passed)
{
	Head h;
	double end = seconds > 0 ? seconds_now() + seconds : 0;
	*bytes = NULL;
	*n = 0;
	if (passed)
		*passed = -1;
	WireEnd e = receive_all(socket, stop, &h, sizeof h, end, passed);
	if (e != WIRE_GOOD)
		return e;
	if (h.magic != MAGIC || h.bytes > WIRE_MOST)
		return WIRE_DAMAGED;
	*kind = (WireKind)h.kind;
	*n = h.bytes;
	/* As it comes: a length alone asks for no memory. */
	enum { STEP = 1 << 24 };
	u64 have = 0;
	while (e == WIRE_GOOD && (have < *n || !*bytes)) {
		u64 step = *n - have < STEP ? *n - have : STEP;
		*bytes = xrealloc(*bytes, have + step + 1);
		e = receive_all(socket, stop, *bytes + have, step, end, NULL);
		have += step;
	}
	return e;
}
