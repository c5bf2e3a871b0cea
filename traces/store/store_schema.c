/* The tables of the store. A file of version N becomes one of version N + 1 by step N; a new
 * file takes all of them. Steps that were released never change: add one.
 *
 * Columns called TABLE_id refer to TABLE; exports write the key of that row instead. */
#include "traces/store/store_impl.h"

static const char step_measurements[] =
	"CREATE TABLE device("
	"	id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,"
	"	name TEXT NOT NULL, vendor TEXT, driver TEXT, pci TEXT,"
	"	model TEXT);" /* its name among wavesim's devices */
	"CREATE TABLE attribute(" /* everything that the device says of itself */
	"	device_id INTEGER NOT NULL REFERENCES device ON DELETE CASCADE,"
	"	name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY(device_id, name)) WITHOUT ROWID;"
	"CREATE TABLE kernel(" /* a source file; the key is that of its text */
	"	id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, path TEXT NOT NULL, source TEXT);"
	"CREATE TABLE launch("
	"	id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,"
	"	kernel_id INTEGER NOT NULL REFERENCES kernel ON DELETE CASCADE,"
	"	name TEXT NOT NULL, options TEXT NOT NULL, family TEXT, x REAL);"
	"CREATE TABLE run(" /* one measuring of a launch; complete when it came to its end */
	"	id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,"
	"	device_id INTEGER NOT NULL REFERENCES device ON DELETE CASCADE,"
	"	launch_id INTEGER NOT NULL REFERENCES launch ON DELETE CASCADE,"
	"	started TEXT, program TEXT, complete INTEGER NOT NULL DEFAULT 0, clock_mhz REAL,"
	"	checked TEXT, mismatches INTEGER, max_ulp REAL);"
	"CREATE TABLE sample("
	"	run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,"
	"	n INTEGER NOT NULL, device_ns REAL, wall_ns REAL, PRIMARY KEY(run_id, n)) WITHOUT ROWID;"
	"CREATE INDEX run_launch ON run(launch_id, device_id);";

static const char step_estimates[] =
	"CREATE TABLE import("
	"	id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,"
	"	path TEXT NOT NULL, format TEXT NOT NULL, source TEXT, licence TEXT, imported TEXT);"
	"ALTER TABLE run ADD COLUMN import_id INTEGER REFERENCES import ON DELETE CASCADE;"
	"CREATE TABLE expected("
	"	launch_id INTEGER NOT NULL REFERENCES launch ON DELETE CASCADE,"
	"	arg TEXT NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY(launch_id, arg)) WITHOUT ROWID;"
	"CREATE TABLE estimate("
	"	launch_id INTEGER NOT NULL REFERENCES launch ON DELETE CASCADE,"
	"	model TEXT NOT NULL, program TEXT NOT NULL,"
	"	cycles REAL, time_us REAL, low_us REAL, high_us REAL, bound_by TEXT, problem TEXT,"
	"	PRIMARY KEY(launch_id, model)) WITHOUT ROWID;";

static const char step_sweeps[] =
	"CREATE TABLE sweep(" /* what was asked for; the key is that of everything its results follow from */
	"	id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, spec TEXT NOT NULL);"
	"CREATE TABLE sweep_point(" /* point n of its product */
	"	sweep_id INTEGER NOT NULL REFERENCES sweep ON DELETE CASCADE, n INTEGER NOT NULL,"
	"	settings TEXT NOT NULL, status TEXT NOT NULL, note TEXT, report TEXT,"
	"	PRIMARY KEY(sweep_id, n)) WITHOUT ROWID;";

/* The checksum of a point's results stood in its note; exports of version 3 have it there. */
#define RESULTS_FROM_NOTES \
	"UPDATE sweep_point SET results = substr(note, 9), note = NULL" \
	" WHERE status = 'done' AND note GLOB 'results *';"
static const char step_results[] = "ALTER TABLE sweep_point ADD COLUMN results TEXT;" RESULTS_FROM_NOTES;
const char store_old_rows[] = RESULTS_FROM_NOTES;

/* What every time of an import holds beside the kernel's work: its host and driver. NULL: not known. */
static const char step_floor[] = "ALTER TABLE import ADD COLUMN floor_ns REAL;";

const char *const store_steps[] = {step_measurements, step_estimates, step_sweeps, step_results, step_floor};
const u32 store_version = COUNT(store_steps);
