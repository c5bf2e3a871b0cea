/* Any bytes as a store, or as an export of one, into an empty store: what it holds, or an error. The first bytes tell
 * which. Mutations begin with an empty store. Making one takes far longer than reading one, so it is made once; the
 * disk is memory where the system has some ($TMPDIR, Makefile). */
#include "base/temp.h"
#include "traces/store/store.h"

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
	if (!temp_make(folder))
		abort();
	snprintf(path, sizeof path, "%s/s.db", folder);
	atexit(remove_folder);
	Diag d;
	diag_init(&d);
	store_close(store_open(path, STORE_CREATE, &d));
	diag_free(&d);
	empty = read_file(path, &empty_size);
	if (!empty)
		abort();
}

static void read_all(Store *s, Diag *d)
{
	Arena *a = arena_new();
	Buf out = {0};
	StorePoints points = {0};
	StoreSweeps sweeps = {0};
	store_check(s, d);
	store_summary(s, &out, d);
	store_points(s, NULL, NULL, a, &points, d);
	store_sweeps(s, a, &sweeps, d);
	store_export_json(s, &out, d);
	store_export_csv(s, &out, d);
	array_free(&out);
	arena_free(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char magic[] = "SQLite format 3";
	Diag d;
	diag_init(&d);
	start_once();
	unlink(path);
	char *text = xmalloc(size + 1);
	memcpy(text, data, size);
	text[size] = 0;
	bool file = size >= sizeof magic && !memcmp(data, magic, sizeof magic);
	FILE *f = fopen(path, "wb");
	if (f) {
		fwrite(file ? (const char *)data : empty, 1, file ? size : empty_size, f);
		fclose(f);
	}
	Store *s = store_open(path, STORE_EXISTING, &d);
	if (s && !file)
		(*text == '{' ? store_import_json : store_import_csv)(s, "fuzz", text, &d);
	if (s)
		read_all(s, &d);
	store_close(s);
	free(text);
	diag_free(&d);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	start_once();
	if (size < 16 && seed & 1 && empty_size <= max)
		return memcpy(data, empty, empty_size), empty_size;
	return LLVMFuzzerMutate ? LLVMFuzzerMutate(data, size, max) : size;
}
