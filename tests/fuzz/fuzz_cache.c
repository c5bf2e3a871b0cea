/* What is read of the cache (frontend/client/cache.h), and the rules that say what a compiler read
 * (frontend/made_of.h).
 *
 * Bytes are read as a file of the cache and as a rule; and, because a checksum would keep nearly all of them out, as
 * what follows the head of one that is good. What is read must be written as the same bytes. */
#include "frontend/client/cache.h"
#include "frontend/made_of.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool read_entry(const u8 *bytes, u64 n)
{
	Arena *a = arena_new();
	CacheEntry e;
	Buf again = {0};
	bool good = cache_entry_read(&e, bytes, n, a);
	if (good) {
		cache_entry_write(&e, &again);
		if (again.n > n) /* numbers may have been written longer than they need be */
			abort();
	}
	array_free(&again);
	arena_free(a);
	return good;
}

/* Behind the head of a good one. */
static void read_checked(const u8 *data, size_t size)
{
	const size_t head = 24;
	CacheEntry none = {.key = data, .answer = data, .made_of = ""};
	Buf bytes = {0};
	cache_entry_write(&none, &bytes);
	if (!read_entry((const u8 *)bytes.v, bytes.n))
		abort();
	bytes.n = (u32)head;
	buf_write(&bytes, data, size);
	u64 check = XXH3_64bits(data, size);
	memcpy(bytes.v + head - sizeof check, &check, sizeof check);
	read_entry((const u8 *)bytes.v, bytes.n);
	array_free(&bytes);
}

/* Names of a list have no line feed, and a list that is read again is the same. */
static void read_rule(const char *text)
{
	MadeOf m = {0}, again = {0};
	made_of_rule(&m, text, "/tmp/no such folder");
	const char *names = made_of_names(&m);
	made_of_text(&again, names);
	const char *same = made_of_names(&again);
	if (names && (!same || strcmp(names, same)))
		abort();
	made_of_free(&m);
	made_of_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xcalloc(size + 1, 1);
	if (size)
		memcpy(text, data, size);
	read_entry(data, size);
	read_checked(data, size);
	read_rule(text);
	free(text);
	return 0;
}
