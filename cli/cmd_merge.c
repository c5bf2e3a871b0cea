/* wavesim merge: the sweeps of several stores in one, ranked together. The new store is written in a fixed order, so
 * that the same points give the same file, whoever
 * ran which of them. */
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/sweep.h"

#include <unistd.h>

typedef struct MergeOptions {
	const char *store;
	bool quiet;
} MergeOptions;
static const OptRow rows[] = {
	OPT_ROW_TEXT(MergeOptions, store, "--store", "FILE",
	             "write the points of all stores to this one; an existing file is replaced")
	OPT_ROW_FLAG(MergeOptions, quiet, "--quiet", "no table")
};

typedef struct MergeCommand {
	MergeOptions o;
	SweepOutputs to;
	Texts files;
	Store *all;
	Arena *arena;
} MergeCommand;

static bool read_words(MergeCommand *m, int argc, char *const *argv, Diag *d)
{
	char **more = ARENA_ARRAY(m->arena, char *, argc + 1), **rest = ARENA_ARRAY(m->arena, char *, argc + 1);
	int nmore = 0, n = 0;
	bool ok = sweep_outputs(&m->to, argc, argv, more, &nmore, d) &&
	          opt_take(rows, COUNT(rows), &m->o, 0, nmore, more, rest, &n, d);
	m->to.quiet = m->o.quiet;
	for (int k = 1; ok && k < n; k++) {
		if (rest[k][0] != '-' || !rest[k][1]) {
			array_push(&m->files, rest[k]);
			continue;
		}
		ok = diag_error(d, NO_LOC, "there is no option %s", rest[k]);
		diag_hint(d, "wavesim merge --help lists all options");
	}
	return ok && sweep_outputs_apart(&m->to, m->o.store, &m->files, NULL, NULL, d);
}

/* The sweeps of one store into the joined one. */
static bool add_store(MergeCommand *m, const char *path, u32 *sweeps, Diag *d)
{
	Store *s = store_open(path, STORE_EXISTING, d);
	StoreSweeps list = {0};
	bool ok = s && store_sweeps(s, m->arena, &list, d) && store_begin(m->all, d);
	for (u32 i = 0; ok && i < list.n; i++) {
		StoreSweptPoints points;
		i64 id;
		ok = store_swept(s, list.v[i].id, m->arena, &points, d) &&
		     store_sweep(m->all, list.v[i].key, list.v[i].spec, &id, d);
		for (u32 k = 0; ok && k < points.n; k++)
			ok = store_swept_add(m->all, id, &points.v[k], d);
	}
	ok = ok && store_commit(m->all, d);
	*sweeps += list.n;
	store_close(s);
	return ok;
}

/* Sweeps by key, points by number: into another store in memory, and from there into the file. */
static bool write_store(MergeCommand *m, const char *path, const StoreSweeps *list, Diag *d)
{
	Store *ordered = store_open(":memory:", STORE_CREATE, d);
	bool ok = ordered && store_begin(ordered, d);
	for (u32 i = 0; ok && i < list->n; i++) {
		StoreSweptPoints points;
		i64 id;
		ok = store_sweep(ordered, list->v[i].key, list->v[i].spec, &id, d) &&
		     store_swept(m->all, list->v[i].id, m->arena, &points, d);
		for (u32 k = 0; ok && k < points.n; k++)
			ok = store_swept_add(ordered, id, &points.v[k], d);
	}
	ok = ok && store_commit(ordered, d) && store_write_copy(ordered, path, d);
	store_close(ordered);
	return ok;
}

/* wrong: how many points have findings or other results than the native run's. */
static bool show(MergeCommand *m, const StoreSweeps *list, u32 *wrong, Diag *d)
{
	const SweepOutputs *to = &m->to;
	if (list->n > 1 && (to->json || to->csv || to->html || to->tuner)) {
		diag_error(d, NO_LOC, "these stores hold %u different sweeps; only parts of one sweep can be joined",
		           list->n);
		return diag_hint(d, "parts of one sweep have the same files, options and version of wavesim");
	}
	bool ok = true;
	for (u32 i = 0; ok && i < list->n; i++) {
		SweepCounts counts = {0};
		SweepInput in;
		SweepRows found = {0};
		ok = sweep_spec_read(list->v[i].spec, m->arena, &in) ||
		     diag_error(d, NO_LOC, "the store holds a sweep that cannot be read");
		ok = ok && sweep_load(m->all, list->v[i].id, &in, m->arena, &found, d);
		in.rows = found.v;
		in.nrows = found.n;
		ok = ok && sweep_show(&in, to, &counts, d);
		*wrong += counts.wrong;
		array_free(&found);
	}
	return ok;
}

static int run(MergeCommand *m, Diag *d)
{
	u32 found = 0, wrong = 0;
	StoreSweeps list;
	if (!m->files.n) {
		diag_error(d, NO_LOC, "which stores?");
		diag_hint(d, "wavesim merge part1.db part2.db --store all.db");
		return EXIT_BAD_INPUT;
	}
	bool ok = (m->all = store_open(":memory:", STORE_CREATE, d)) != NULL;
	for (u32 i = 0; ok && i < m->files.n; i++) {
		ok = access(m->files.v[i], F_OK) == 0 || diag_error(d, NO_LOC, "there is no file '%s'", m->files.v[i]);
		ok = ok && add_store(m, m->files.v[i], &found, d);
	}
	ok = ok && store_sweeps(m->all, m->arena, &list, d);
	if (ok && !list.n)
		ok = diag_error(d, (Loc){m->files.v[0], 0, 0}, "this store holds no sweep");
	ok = ok && (!m->o.store || write_store(m, m->o.store, &list, d)) && show(m, &list, &wrong, d);
	return !ok ? EXIT_BAD_INPUT : wrong ? (int)m->to.error_exitcode : EXIT_FINE;
}

void merge_completes(CompletionCommand *c, Arena *a)
{
	(void)a;
	completion_rows(c, rows, COUNT(rows), 0);
	completion_table(c, sweep_outputs_completes());
}

void merge_help(Buf *out)
{
	buf_printf(out, "wavesim merge STORE …: join the parts of a sweep from several stores, and rank their points "
	                "together\n\n");
	opt_help(rows, COUNT(rows), 0, out);
	sweep_outputs_help(out);
	buf_printf(out, "\nExit status: 0 fine, 2 bad input.\n");
}

int cmd_merge(int argc, char *const *argv, Diag *d)
{
	MergeCommand m = {.arena = arena_new()};
	int status = EXIT_BAD_INPUT;
	if (read_words(&m, argc, argv, d))
		status = run(&m, d);
	store_close(m.all);
	array_free(&m.files);
	arena_free(m.arena);
	return status;
}
