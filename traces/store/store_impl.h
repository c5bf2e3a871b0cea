/* What the files of the store share: the connection, one statement at a time. */
#ifndef WAVESIM_STORE_IMPL_H
#define WAVESIM_STORE_IMPL_H

#include "traces/store/store.h"

#include <sqlite3.h>

struct Store {
	sqlite3 *db;
	char *path;
};

/* ---- store.c ---- */
/* SQLite's error while `doing`, with what to do about it. Returns false. */
bool store_fail(Store *s, const char *doing, Diag *d);
/* NULL: the reason is in d. types has a letter for each value behind it: t text (NULL: nothing),
 * i i64, r double, b pointer and size. Bound texts must live as long as the statement. */
sqlite3_stmt *store_prepare(Store *s, Diag *d, const char *sql, const char *types, ...);
/* Prepare, run to the end; *out is the first column of the first row, when there is one. */
bool store_do(Store *s, Diag *d, i64 *out, const char *sql, const char *types, ...);
/* The next row. False: there is none, the statement is gone, and *ok says whether all went well; else the reason is in
 * d. A statement that could not be prepared (NULL) has none. */
bool store_next(Store *s, sqlite3_stmt **q, bool *ok, Diag *d);
/* A text of the current row, in the arena; "" for nothing. */
const char *store_column(sqlite3_stmt *q, int i, Arena *a);

/* ---- store_schema.c ---- */
enum { STORE_APPLICATION = 0x7776736d }; /* "wvsm" */
extern const char *const store_steps[];
extern const u32 store_version; /* how many steps there are */
/* Brings rows up to date that came in an export of an older version; others it leaves alone. */
extern const char store_old_rows[];

#endif
