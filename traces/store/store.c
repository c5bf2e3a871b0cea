/* The connection to a store: open, convert, transactions, statements, errors.
 *
 * WAL lets readers go on during a write, and a writer that was killed leaves a file
 * that the next one repairs by itself. Writers start with BEGIN IMMEDIATE, because a
 * transaction that first reads and then wants to write may be refused instead of waiting. */
#include "traces/store/store_impl.h"

#include <unistd.h>

enum { WAIT_MS = 60000 };

/* ---- errors ---- */

static const char *hint_of(int code)
{
	switch (code & 0xff) {
	case SQLITE_FULL: return "free some space and go on; what was stored before is kept";
	case SQLITE_IOERR: return "what was stored before is kept; is the disk full or the file on a "
	                          "network drive?";
	case SQLITE_READONLY: return "the file or its folder cannot be written; copy it, or change "
	                             "its permissions";
	case SQLITE_BUSY:
	case SQLITE_LOCKED: return "another program has locked it for a minute: wait for that program, or end it";
	case SQLITE_NOTADB: return "name a file that wavesim-runner made, or one that does not exist";
	case SQLITE_CORRUPT: return "`sqlite3 FILE .recover` may save what it holds";
	case SQLITE_CANTOPEN: return "do the file and its folder exist, and may you use them?";
	default: return NULL;
	}
}

bool store_fail(Store *s, const char *doing, Diag *d)
{
	int code = sqlite3_extended_errcode(s->db);
	diag_error(d, (Loc){s->path, 0, 0}, "cannot %s: %s", doing, sqlite3_errmsg(s->db));
	const char *hint = hint_of(code);
	if (hint)
		diag_hint(d, "%s", hint);
	return false;
}

/* ---- statements ---- */

static sqlite3_stmt *prepare(Store *s, Diag *d, const char *sql, const char *types, va_list ap)
{
	sqlite3_stmt *q;
	if (sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) != SQLITE_OK) {
		store_fail(s, "read the store", d);
		return NULL;
	}
	int i = 1;
	for (; *types; types++, i++) {
		const void *p;
		double r;
		switch (*types) {
		case 't': sqlite3_bind_text(q, i, va_arg(ap, const char *), -1, SQLITE_STATIC); break;
		case 'i': sqlite3_bind_int64(q, i, va_arg(ap, i64)); break;
		case 'r':
			r = va_arg(ap, double);
			sqlite3_bind_double(q, i, r);
			break;
		default:
			p = va_arg(ap, const void *);
			sqlite3_bind_blob64(q, i, p, va_arg(ap, u64), SQLITE_STATIC);
		}
	}
	return q;
}

sqlite3_stmt *store_prepare(Store *s, Diag *d, const char *sql, const char *types, ...)
{
	va_list ap;
	va_start(ap, types);
	sqlite3_stmt *q = prepare(s, d, sql, types, ap);
	va_end(ap);
	return q;
}

bool store_do(Store *s, Diag *d, i64 *out, const char *sql, const char *types, ...)
{
	va_list ap;
	va_start(ap, types);
	sqlite3_stmt *q = prepare(s, d, sql, types, ap);
	va_end(ap);
	if (!q)
		return false;
	int code = sqlite3_step(q);
	if (code == SQLITE_ROW && out)
		*out = sqlite3_column_int64(q, 0);
	while (code == SQLITE_ROW)
		code = sqlite3_step(q);
	bool ok = code == SQLITE_DONE || store_fail(s, sqlite3_stmt_readonly(q) ? "read the store"
	                                                                        : "write the store", d);
	sqlite3_finalize(q);
	return ok;
}

bool store_next(Store *s, sqlite3_stmt **q, bool *ok, Diag *d)
{
	int code = *q ? sqlite3_step(*q) : SQLITE_MISUSE;
	if (code == SQLITE_ROW)
		return true;
	*ok = *q && (code == SQLITE_DONE || store_fail(s, "read the store", d));
	sqlite3_finalize(*q);
	*q = NULL;
	return false;
}

const char *store_column(sqlite3_stmt *q, int i, Arena *a)
{
	const char *text = (const char *)sqlite3_column_text(q, i);
	return text ? arena_strdup(a, text) : "";
}

/* ---- transactions ---- */

static bool execute(Store *s, const char *sql, const char *doing, Diag *d)
{
	return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK || store_fail(s, doing, d);
}

bool store_begin(Store *s, Diag *d) { return execute(s, "BEGIN IMMEDIATE", "write the store", d); }

bool store_commit(Store *s, Diag *d)
{
	if (execute(s, "COMMIT", "write the store", d))
		return true;
	store_rollback(s);
	return false;
}

bool store_finish(Store *s, bool ok, Diag *d)
{
	if (ok)
		return store_commit(s, d);
	store_rollback(s);
	return false;
}

void store_rollback(Store *s)
{
	if (!sqlite3_get_autocommit(s->db))
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
}

bool store_check(Store *s, Diag *d)
{
	sqlite3_stmt *q = store_prepare(s, d, "PRAGMA integrity_check", "");
	if (!q)
		return false;
	bool ok = sqlite3_step(q) == SQLITE_ROW;
	const char *said = ok ? (const char *)sqlite3_column_text(q, 0) : sqlite3_errmsg(s->db);
	if (!ok || strcmp(said, "ok"))
		ok = diag_error(d, (Loc){s->path, 0, 0}, "the store is damaged: %s", said);
	sqlite3_finalize(q);
	i64 lost = 0;
	if (ok && store_do(s, d, &lost, "SELECT count(*) FROM pragma_foreign_key_check", "") && lost)
		ok = diag_error(d, (Loc){s->path, 0, 0}, "the store is damaged: %lld rows refer to none",
		                (long long)lost);
	return ok;
}

/* ---- opening ---- */

/* Whose file is it, and of which version? A new one has version 0. */
static bool identify(Store *s, i64 *version, Diag *d)
{
	i64 application = 0, tables = 0;
	if (!store_do(s, d, &application, "PRAGMA application_id", "") ||
	    !store_do(s, d, version, "PRAGMA user_version", "") ||
	    !store_do(s, d, &tables, "SELECT count(*) FROM sqlite_schema", ""))
		return false;
	Loc at = {s->path, 0, 0};
	if (application != STORE_APPLICATION && (application || *version || tables))
		return diag_error(d, at, "this is an SQLite database, but not one of wavesim's");
	if (*version < 0)
		return diag_error(d, at, "the store is damaged: its version is %lld", (long long)*version);
	if (*version > (i64)store_version) {
		diag_error(d, at, "this store has version %lld; this program knows versions up to %u",
		           (long long)*version, store_version);
		return diag_hint(d, "use the wavesim-runner that wrote it, or a newer one");
	}
	return true;
}

static bool convert(Store *s, Diag *d)
{
	i64 version;
	if (!store_begin(s, d))
		return false;
	bool ok = identify(s, &version, d); /* again: another program may have been faster */
	for (i64 i = version; ok && i < (i64)store_version; i++)
		ok = execute(s, store_steps[i], "set up the tables of the store", d);
	char sql[96];
	snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %u",
	         STORE_APPLICATION, store_version);
	return store_finish(s, ok && execute(s, sql, "set up the store", d), d);
}

/* Changing to WAL needs the file alone, and SQLite does not wait for that by itself. */
static bool set_wal(Store *s, Diag *d)
{
	for (int waited = 0;; waited += 20) {
		int code = sqlite3_exec(s->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
		if (code == SQLITE_OK)
			return true;
		if ((code & 0xff) != SQLITE_BUSY || waited >= WAIT_MS)
			return store_fail(s, "open the store", d);
		sqlite3_sleep(20);
	}
}

static bool connect(Store *s, StoreMode mode, Diag *d)
{
	int create = mode == STORE_CREATE ? SQLITE_OPEN_CREATE : 0;
	int code = sqlite3_open_v2(s->path, &s->db, SQLITE_OPEN_READWRITE | create, NULL);
	if (code != SQLITE_OK)
		return store_fail(s, "open the store", d);
	sqlite3_busy_timeout(s->db, WAIT_MS);
	if (access(s->path, F_OK) != 0 || access(s->path, W_OK) == 0)
		return true;
	/* In a folder that cannot be written there is no room for WAL's own files either. */
	sqlite3_close(s->db);
	Buf uri = {0};
	buf_printf(&uri, "file:");
	for (const char *c = s->path; *c; c++)
		buf_printf(&uri, strchr("?#%", *c) ? "%%%02x" : "%c", *c);
	buf_printf(&uri, "?mode=ro&immutable=1");
	code = sqlite3_open_v2(uri.v, &s->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
	array_free(&uri);
	return code == SQLITE_OK || store_fail(s, "open the store", d);
}

static bool prepare_file(Store *s, Diag *d)
{
	i64 version;
	/* In one transaction: between its questions another program may set the tables up. */
	bool known = execute(s, "BEGIN", "open the store", d) && identify(s, &version, d);
	store_rollback(s);
	if (!known)
		return false;
	bool read_only = sqlite3_db_readonly(s->db, "main") == 1;
	if (version < (i64)store_version && read_only)
		return diag_error(d, (Loc){s->path, 0, 0},
		                  "this store has the older version %lld and cannot be written to bring "
		                  "it up to date", (long long)version);
	if (version < (i64)store_version && !convert(s, d))
		return false;
	return read_only || (set_wal(s, d) &&
	                     execute(s, "PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL",
	                             "open the store", d));
}

const char *store_sqlite(void) { return sqlite3_libversion(); }

Store *store_open(const char *path, StoreMode mode, Diag *d)
{
	Store *s = xcalloc(1, sizeof *s);
	s->path = xstrdup(path);
	if (connect(s, mode, d) && prepare_file(s, d))
		return s;
	store_close(s);
	return NULL;
}

void store_close(Store *s)
{
	if (!s)
		return;
	store_rollback(s);
	sqlite3_close(s->db);
	free(s->path);
	free(s);
}
