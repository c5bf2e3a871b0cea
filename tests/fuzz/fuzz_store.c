/* Any bytes as a store: what it holds, or an error. Mutations begin with an empty store. Making one takes far longer
 * than reading one, so it is made once; the disk is memory where the system has some ($TMPDIR, Makefile). Each input is
 * read in one way. What is imported is fuzz_import's. */
#include "base/temp.h"
#include "tests/fuzz/store_read.h"
#include "traces/store/store_impl.h"

#include <stdio.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max) __attribute__((weak));

static char folder[TEMP_PATH], path[TEMP_PATH + 8];
static char *empty;
static size_t empty_size;

static void remove_folder(void) { temp_remove(folder); }

static void start_once(void)
{
	if (*folder)
		return;
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	if (!temp_make(folder))
		abort();
	snprintf(path, sizeof path, "%s/s.db", folder);
	atexit(remove_folder);
	Diag d;
	diag_init(&d);
	Store *s = store_open(path, STORE_CREATE, &d);
	/* Small pages: fewer bytes that mean nothing. */
	if (!s || sqlite3_exec(s->db, "PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM", NULL, NULL, NULL))
		abort();
	store_close(s);
	diag_free(&d);
	empty = read_file(path, &empty_size);
	if (!empty)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	Diag d;
	diag_init(&d);
	start_once();
	unlink(path);
	FILE *f = fopen(path, "wb");
	if (f) {
		fwrite(data, 1, size, f);
		fclose(f);
	}
	Store *s = store_open(path, STORE_EXISTING, &d);
	if (s)
		store_read(s, store_way(data, size, STORE_WAYS), &d);
	store_close(s);
	diag_free(&d);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	start_once();
	if (size < 16 && empty_size <= max)
		return memcpy(data, empty, empty_size), empty_size;
	(void)seed;
	return LLVMFuzzerMutate ? LLVMFuzzerMutate(data, size, max) : size;
}
