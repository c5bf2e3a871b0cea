/* A heap that fails when it is told to: LD_PRELOAD it, and call scarce() (tests/lib/host.c, scene short). */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);
void __libc_free(void *p);

static int64_t left = INT64_MAX, live; /* allocations until one fails; bytes that are not freed */
static bool all;                      /* those behind it, too */
static uint64_t asked;

/* From here on: allocation number `after` fails; for_ever: and all behind it. < 0: none. Returns how many there were.
 */
uint64_t scarce(int64_t after, int for_ever)
{
	__atomic_store_n(&all, for_ever, __ATOMIC_SEQ_CST);
	__atomic_store_n(&left, after < 0 ? INT64_MAX : after, __ATOMIC_SEQ_CST);
	return __atomic_exchange_n(&asked, 0, __ATOMIC_SEQ_CST);
}

int64_t scarce_live(void) { return __atomic_load_n(&live, __ATOMIC_SEQ_CST); }

static bool fails(void)
{
	__atomic_add_fetch(&asked, 1, __ATOMIC_SEQ_CST);
	int64_t n = __atomic_fetch_sub(&left, 1, __ATOMIC_SEQ_CST);
	if (n > 0 || (n < 0 && !__atomic_load_n(&all, __ATOMIC_SEQ_CST)))
		return false;
	errno = ENOMEM;
	return true;
}

static void *got(void *p)
{
	__atomic_add_fetch(&live, (int64_t)malloc_usable_size(p), __ATOMIC_SEQ_CST);
	return p;
}

void *malloc(size_t size) { return fails() ? NULL : got(__libc_malloc(size)); }
void *calloc(size_t n, size_t size) { return fails() ? NULL : got(__libc_calloc(n, size)); }

void *realloc(void *p, size_t size)
{
	if (fails())
		return NULL;
	__atomic_sub_fetch(&live, (int64_t)malloc_usable_size(p), __ATOMIC_SEQ_CST);
	return got(__libc_realloc(p, size));
}

void free(void *p)
{
	__atomic_sub_fetch(&live, (int64_t)malloc_usable_size(p), __ATOMIC_SEQ_CST);
	__libc_free(p);
}
