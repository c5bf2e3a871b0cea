/* Any text as an export of a store, of JSON or CSV, into an empty store, which is then read in one way. The store is in
 * memory, opened once, and emptied behind each input. */
#include "tests/fuzz/store_read.h"
#include "tests/fuzz/text_mutate.h"
#include "traces/store/store_impl.h"

#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static Store *store;
static ARRAY(sqlite3_stmt *) empties;

static void must(bool holds)
{
	if (!holds)
		abort();
}

/* Statements that empty its tables. */
static void prepare_empties(Diag *d)
{
	bool ok;
	Arena *a = arena_new();
	sqlite3_stmt *q = store_prepare(store, d, "SELECT name FROM sqlite_schema WHERE type = 'table'", "");
	while (store_next(store, &q, &ok, d)) {
		sqlite3_stmt *one;
		const char *sql = arena_printf(a, "DELETE FROM \"%s\"", store_column(q, 0, a));
		must(sqlite3_prepare_v2(store->db, sql, -1, &one, NULL) == SQLITE_OK);
		array_push(&empties, one);
	}
	must(ok && empties.n);
	arena_free(a);
}

static void close_store(void)
{
	for (u32 i = 0; i < empties.n; i++)
		sqlite3_finalize(empties.v[i]);
	array_free(&empties);
	store_close(store);
}

static void start_once(Diag *d)
{
	if (store)
		return;
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	store = store_open(":memory:", STORE_CREATE, d);
	must(store != NULL);
	/* Rows may go in any order: nothing stays that could refer to them. */
	must(sqlite3_exec(store->db, "PRAGMA foreign_keys = OFF", NULL, NULL, NULL) == SQLITE_OK);
	prepare_empties(d);
	must(sqlite3_exec(store->db, "PRAGMA foreign_keys = ON", NULL, NULL, NULL) == SQLITE_OK);
	atexit(close_store);
}

static void make_empty(void)
{
	must(sqlite3_exec(store->db, "PRAGMA foreign_keys = OFF", NULL, NULL, NULL) == SQLITE_OK);
	for (u32 i = 0; i < empties.n; i++) {
		must(sqlite3_step(empties.v[i]) == SQLITE_DONE);
		sqlite3_reset(empties.v[i]);
	}
	must(sqlite3_exec(store->db, "PRAGMA foreign_keys = ON", NULL, NULL, NULL) == SQLITE_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	Diag d;
	diag_init(&d);
	start_once(&d);
	char *text = xmalloc(size + 1);
	if (size)
		memcpy(text, data, size);
	text[size] = 0;
	if ((*text == '{' ? store_import_json : store_import_csv)(store, "fuzz", text, &d))
		store_read(store, store_way(data, size, STORE_WAYS), &d);
	make_empty();
	free(text);
	diag_free(&d);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	return text_mutate(data, size, max, seed, NULL);
}
