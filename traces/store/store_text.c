/* The store as one JSON document and back, table by table, through SQLite's JSON functions.
 *
 * Columns are found by asking SQLite, so that a new one is exported without an edit here. A
 * column TABLE_id becomes "TABLE" with the key of that row; numbers of rows mean nothing
 * outside their file. The samples of a run are two lists. A text that is no UTF-8 (a source with an old
 * comment) is {"hex": its bytes}, so that it comes back as it was. What is there already is left as it is,
 * so that importing twice is importing once. */
#include "traces/store/store_impl.h"

/* In an order that has what is referred to first. */
static const char *const tables[] = {"device", "attribute", "kernel", "launch",   "import",
                                     "run",    "sample",    "expected", "estimate",
                                     "sweep",  "sweep_point"};
#define FORMAT "wavesim-store"
enum { JSON_SUBTYPE = 'J' }; /* by which SQLite's JSON functions know JSON from a text */
#ifndef SQLITE_RESULT_SUBTYPE /* before 3.45 */
#define SQLITE_RESULT_SUBTYPE 0
#endif

/* Build texts that have a part for each column of a table. */
typedef struct Columns {
	Buf pairs;  /* 'name', expression, … of the export */
	Buf names;  /* columns of the import */
	Buf values; /* their values from the JSON value j.value */
} Columns;

static void add_column(Columns *c, const char *name, const char *type)
{
	const char *comma = c->names.n ? ", " : "";
	size_t n = strlen(name);
	buf_printf(&c->names, "%s%s", comma, name);
	if (n > 3 && !strcmp(name + n - 3, "_id")) {
		int len = (int)n - 3;
		buf_printf(&c->pairs, "%s'%.*s', (SELECT key FROM %.*s WHERE id = %s)", comma, len, name, len,
		           name, name);
		buf_printf(&c->values, "%s(SELECT id FROM %.*s WHERE key = j.value->>'$.%.*s')", comma, len,
		           name, len, name);
	} else if (!strcmp(type, "BLOB")) {
		buf_printf(&c->pairs, "%s'%s', hex(%s)", comma, name, name);
		buf_printf(&c->values, "%sfrom_hex(j.value->>'$.%s')", comma, name);
	} else {
		buf_printf(&c->pairs, "%s'%s', export_text(%s)", comma, name, name);
		buf_printf(&c->values, "%siif(json_type(j.value, '$.%s') = 'object', "
		           "CAST(from_hex(j.value->>'$.%s.hex') AS TEXT), j.value->>'$.%s')", comma, name, name, name);
	}
}

static void columns_free(Columns *c)
{
	array_free(&c->pairs);
	array_free(&c->names);
	array_free(&c->values);
}

static bool columns_of(Store *s, const char *table, Columns *c, Diag *d)
{
	*c = (Columns){0};
	sqlite3_stmt *q = store_prepare(s, d, "SELECT name, type FROM pragma_table_info(?)", "t", table);
	bool ok;
	while (store_next(s, &q, &ok, d)) {
		const char *name = (const char *)sqlite3_column_text(q, 0);
		if (strcmp(name, "id"))
			add_column(c, name, (const char *)sqlite3_column_text(q, 1));
	}
	if (!ok)
		columns_free(c);
	return ok;
}

/* ---- out ---- */

static const char samples_out[] =
    "SELECT json_object('run', run.key, 'device_ns', json_group_array(device_ns), 'wall_ns', json_group_array(wall_ns))"
    " FROM (SELECT * FROM sample ORDER BY run_id, n) AS s JOIN run ON run.id = s.run_id"
    " GROUP BY run_id ORDER BY run_id";

static bool export_table(Store *s, const char *table, Buf *out, Diag *d)
{
	Columns c;
	if (!columns_of(s, table, &c, d))
		return false;
	char *sql = strcmp(table, "sample")
		? sqlite3_mprintf("SELECT json_object(%s) FROM %s", c.pairs.v, table)
		: sqlite3_mprintf("%s", samples_out);
	columns_free(&c);
	sqlite3_stmt *q = store_prepare(s, d, sql, "");
	sqlite3_free(sql);
	bool ok;
	buf_printf(out, ",\n\"%s\": [", table);
	for (bool first = true; store_next(s, &q, &ok, d); first = false)
		buf_printf(out, "%s\n%s", first ? "" : ",", (const char *)sqlite3_column_text(q, 0));
	buf_printf(out, "]");
	return ok;
}

/* export_text(value): of a text that is no UTF-8 a JSON object with its bytes; anything else as it is. */
static void export_text(sqlite3_context *q, int n, sqlite3_value **v)
{
	(void)n;
	const char *text = sqlite3_value_type(v[0]) == SQLITE_TEXT ? (const char *)sqlite3_value_text(v[0]) : NULL;
	size_t bytes = text ? (size_t)sqlite3_value_bytes(v[0]) : 0;
	if (!text || utf8_is_valid(text, bytes)) {
		sqlite3_result_value(q, v[0]);
		return;
	}
	Buf hex = {0};
	buf_printf(&hex, "{\"hex\":\"");
	for (size_t i = 0; i < bytes; i++)
		buf_printf(&hex, "%02X", (u8)text[i]);
	buf_printf(&hex, "\"}");
	sqlite3_result_text64(q, hex.v, hex.n, SQLITE_TRANSIENT, SQLITE_UTF8);
	sqlite3_result_subtype(q, JSON_SUBTYPE);
	array_free(&hex);
}

bool store_export_json(Store *s, Buf *out, Diag *d)
{
	sqlite3_create_function(s->db, "export_text", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_RESULT_SUBTYPE,
	                        NULL, export_text, NULL, NULL);
	buf_printf(out, "{\"format\": \"" FORMAT "\", \"version\": %u", store_version);
	bool ok = sqlite3_exec(s->db, "BEGIN", NULL, NULL, NULL) == SQLITE_OK; /* one state of all tables */
	for (u32 i = 0; ok && i < COUNT(tables); i++)
		ok = export_table(s, tables[i], out, d);
	store_rollback(s);
	buf_printf(out, "}\n");
	return ok;
}

/* ---- in ---- */

static int hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10
	     : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* from_hex(text): the bytes; nothing when the text is no hexadecimal. */
static void from_hex(sqlite3_context *q, int n, sqlite3_value **v)
{
	const char *text = (const char *)sqlite3_value_text(v[0]);
	size_t len = text ? strlen(text) : 1;
	(void)n;
	if (len % 2)
		return;
	u8 *bytes = xcalloc(len / 2 + 1, 1);
	bool ok = true;
	for (size_t i = 0; i < len; i++) {
		int digit = hex_digit(text[i]);
		ok &= digit >= 0;
		bytes[i / 2] = (u8)(bytes[i / 2] << 4 | (digit & 15));
	}
	if (ok)
		sqlite3_result_blob64(q, bytes, len / 2, SQLITE_TRANSIENT);
	free(bytes);
}

/* One list after the other: looking for the partner in a list takes time with its length. */
static const char samples_in[] =
	"INSERT INTO sample(run_id, n, device_ns)"
	" SELECT (SELECT id FROM run WHERE key = j.value->>'$.run'), t.key, t.value"
	" FROM temp.document, json_each(document.text, '$.sample') AS j,"
	" json_each(j.value, '$.device_ns') AS t WHERE true ON CONFLICT DO NOTHING;"
	"INSERT INTO sample(run_id, n, wall_ns)"
	" SELECT (SELECT id FROM run WHERE key = j.value->>'$.run'), t.key, t.value"
	" FROM temp.document, json_each(document.text, '$.sample') AS j,"
	" json_each(j.value, '$.wall_ns') AS t WHERE true"
	" ON CONFLICT DO UPDATE SET wall_ns = coalesce(wall_ns, excluded.wall_ns);";

static bool import_table(Store *s, const char *table, Diag *d)
{
	Columns c;
	if (!columns_of(s, table, &c, d))
		return false;
	char *sql = strcmp(table, "sample")
		? sqlite3_mprintf("INSERT INTO %s(%s) SELECT %s FROM temp.document, "
		                  "json_each(document.text, '$.%s') AS j WHERE true "
		                  "ON CONFLICT DO NOTHING", table, c.names.v, c.values.v, table)
		: sqlite3_mprintf("%s", samples_in);
	columns_free(&c);
	int code = sqlite3_exec(s->db, sql, NULL, NULL, NULL);
	sqlite3_free(sql);
	return code == SQLITE_OK;
}

static bool is_document(Store *s, const char *path, const char *text, Diag *d)
{
	i64 good = 0, version = 0;
	Loc at = {path, 0, 0};
	if (!store_do(s, d, &good, "SELECT json_valid(?1)", "t", text))
		return false;
	if (!good)
		return diag_error(d, at, "this is not JSON; was it cut off?");
	if (!store_do(s, d, &good, "SELECT json_extract(?1, '$.format') IS '" FORMAT "'", "t", text) ||
	    !store_do(s, d, &version, "SELECT json_extract(?1, '$.version')", "t", text))
		return false;
	if (!good)
		return diag_error(d, at, "this JSON is no export of a store (\"format\": \"" FORMAT "\")");
	if (version < 1 || version > (i64)store_version)
		return diag_error(d, at, "this export has version %lld; this program knows versions up to %u",
		                  (long long)version, store_version);
	return true;
}

bool store_import_json(Store *s, const char *path, const char *text, Diag *d)
{
	if (!is_document(s, path, text, d))
		return false;
	sqlite3_create_function(s->db, "from_hex", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, from_hex,
	                        NULL, NULL);
	if (!store_do(s, d, NULL, "CREATE TEMP TABLE IF NOT EXISTS document(text TEXT)", "") ||
	    !store_do(s, d, NULL, "INSERT INTO temp.document VALUES(?)", "t", text))
		return false;
	bool ok = store_begin(s, d);
	for (u32 i = 0; ok && i < COUNT(tables); i++) {
		ok = import_table(s, tables[i], d);
		if (!ok && (sqlite3_errcode(s->db) & 0xff) == SQLITE_CONSTRAINT)
			diag_error(d, (Loc){path, 0, 0}, "a row of \"%s\" is not complete: %s", tables[i],
			           sqlite3_errmsg(s->db));
		else if (!ok)
			store_fail(s, "import into the store", d);
	}
	ok = store_finish(s, ok && store_do(s, d, NULL, store_old_rows, ""), d);
	return store_do(s, d, NULL, "DELETE FROM temp.document", "") && ok;
}
