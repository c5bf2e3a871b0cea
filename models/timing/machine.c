/* Counts of machine instructions from those of their blocks: sums, lines, and with which Block of
 * the Program each one runs (machine.h). */
#include "base/hash.h"
#include "models/timing/machine_flow.h"

static MachineLine ir_place(const MachineCode *c, const Program *p, u32 ir)
{
	const Loc *at = ir < c->nplaces ? &c->places[ir] : NULL;
	for (u32 i = 0; at && at->file && at->line && i < p->files.n; i++)
		if (!strcmp(p->files.v[i], at->file))
			return (MachineLine){.file = i, .line = at->line};
	return (MachineLine){0};
}

MachinePlaces machine_places(const MachineCode *c, const Program *p, const MachineRun *run, Arena *a)
{
	MachinePlaces x = {c, p, run, ARENA_ARRAY(a, u32, p->blocks.n + 1)};
	for (u32 b = 0; b <= p->blocks.n; b++)
		x.parted[b] = NO_BLOCK;
	for (u32 b = 0; b < p->blocks.n; b++) {
		u32 n, meet = p->blocks.v[b].ipdom;
		block_succs(p, b, &n);
		if (n > 1 && meet != NO_BLOCK && meet > b)
			x.parted[meet] = b;
	}
	return x;
}

/* Does m stand at the beginning of its block, with what brings lanes back? */
static bool is_rejoining(const MachineCode *c, u32 b, u32 m)
{
	for (u32 i = c->blocks.v[b].first; i <= m; i++)
		if (c->ins.v[i].ir < c->nplaces || strncmp(c->ins.v[i].mnemonic, "s_or_b", 6))
			return false;
	return true;
}

MachineLine machine_place(const MachinePlaces *x, u32 b, u32 m)
{
	const MachineIns *i = &x->c->ins.v[m];
	const Program *p = x->p;
	if (i->ir < x->c->nplaces || (i->cls != MC_salu && i->cls != MC_branch))
		return ir_place(x->c, p, i->ir);
	u32 ir = x->c->blocks.v[b].ir_block, home = ir < p->origins.n ? p->origins.v[ir] : NO_BLOCK;
	if (home == NO_BLOCK && x->run)
		home = x->run->driver[b];
	if (home < p->blocks.n && is_rejoining(x->c, b, m) && x->parted[home] != NO_BLOCK)
		home = x->parted[home];
	if (home >= p->blocks.n || !p->blocks.v[home].n)
		return (MachineLine){0};
	const Block *k = &p->blocks.v[home];
	const SrcLoc *at = &p->locs.v[p->ins.v[k->first + k->n - 1].loc];
	return (MachineLine){.file = at->line ? at->file : 0, .line = at->line};
}

static MachineLine *line_row(MachineRun *r, Map *rows, u32 file, u32 line)
{
	void **slot = map_slot(rows, ((u64)file << 32 | line) + 1);
	if (!*slot) {
		*slot = &r->lines[r->nlines++];
		*(MachineLine *)*slot = (MachineLine){.file = file, .line = line};
	}
	return *slot;
}

static int by_place(const void *pa, const void *pb)
{
	const MachineLine *a = pa, *b = pb;
	return !a->line != !b->line ? ORDER(!a->line, !b->line) : FIELDS_2(file, line);
}

const MachineLine *machine_line(const MachineRun *r, u32 file, u32 line)
{
	MachineLine key = {.file = line ? file : 0, .line = line};
	return r->nlines ? bsearch(&key, r->lines, r->nlines, sizeof key, by_place) : NULL;
}

static void add_up(const MachineCode *c, const Program *p, MachineRun *r)
{
	Arena *a = arena_new();
	Map *rows = map_new(a);
	for (u32 b = 0; b < c->blocks.n; b++) {
		const MachineBlock *k = &c->blocks.v[b];
		r->nassumed += r->assumed[b] && r->execs[b];
		for (u32 i = k->first; i < k->first + k->n; i++) {
			const MachineIns *x = &c->ins.v[i];
			r->total[x->cls] += r->execs[b];
			if (x->ir >= c->nplaces) {
				r->unmapped += r->execs[b];
				continue;
			}
			MachineLine at = ir_place(c, p, x->ir);
			line_row(r, rows, at.file, at.line)->count[x->cls] += r->execs[b];
		}
	}
	sort(r->lines, r->nlines, sizeof *r->lines, by_place);
	arena_free(a);
}

/* Per IR instruction that accesses memory: the Block that does so in the Program, or NO_BLOCK. */
static u32 *access_blocks(const MachineCode *c, const Program *p)
{
	u32 *block = xmalloc((c->nplaces + 1) * sizeof *block);
	for (u32 i = 0; i <= c->nplaces; i++)
		block[i] = NO_BLOCK;
	for (u32 b = 0; b < p->blocks.n; b++)
		for (u32 i = p->blocks.v[b].first; i < p->blocks.v[b].first + p->blocks.v[b].n; i++)
			if (op_info[p->ins.v[i].op].unit == UNIT_MEM && p->ins.v[i].origin &&
			    p->ins.v[i].origin <= c->nplaces)
				block[p->ins.v[i].origin - 1] = b;
	return block;
}

/* The Block with most of the accesses of machine block b, or NO_BLOCK. */
static u32 block_by_accesses(const MachineCode *c, const Profile *prof, u32 b, const u32 *block, u32 *votes)
{
	const MachineBlock *k = &c->blocks.v[b];
	u32 best = NO_BLOCK;
	for (u32 i = k->first; i < k->first + k->n; i++) {
		u32 at = c->ins.v[i].ir < c->nplaces ? block[c->ins.v[i].ir] : NO_BLOCK;
		if (at == NO_BLOCK || !prof->blocks[at].execs)
			continue;
		votes[at]++;
		if (best == NO_BLOCK || votes[at] > votes[best])
			best = at;
	}
	for (u32 i = k->first; i < k->first + k->n; i++)
		if (c->ins.v[i].ir < c->nplaces && block[c->ins.v[i].ir] != NO_BLOCK)
			votes[block[c->ins.v[i].ir]] = 0;
	return best;
}

/* A machine block that has a driver. */
typedef struct Driven {
	u32 func, block;
	u64 execs;
} Driven;

FIELD_ORDER(by_execs, Driven, func, execs, block)

static Driven *find_driven(const MachineCode *c, const MachineRun *r, u32 *n)
{
	Driven *d = xcalloc(c->blocks.n + 1, sizeof *d);
	*n = 0;
	for (u32 b = 0; b < c->blocks.n; b++)
		if (r->driver[b] != NO_BLOCK)
			d[(*n)++] = (Driven){c->blocks.v[b].func, b, r->execs[b]};
	qsort(d, *n, sizeof *d, by_execs);
	return d;
}

/* Of n driven ones the nearest in the function, after b or else before it, that runs as often as b. */
static u32 nearest_equal(const Driven *d, u32 n, Driven b)
{
	u32 low = lower_bound(d, n, sizeof *d, &b, by_execs);
	bool after = low < n && d[low].func == b.func && d[low].execs == b.execs;
	bool before = low && d[low - 1].func == b.func && d[low - 1].execs == b.execs;
	if (after && before)
		after = d[low].block - b.block <= b.block - d[low - 1].block;
	return after ? d[low].block : before ? d[low - 1].block : NO_BLOCK;
}

/* Each machine block runs when one Block of the Program is entered: the one it begins with when
 * that ran as often; one without a name, that of its accesses. The others go with the nearest
 * block that runs as often, then with the one they begin with, then with the one before them. */
static void find_drivers(const MachineCode *c, const Program *p, const Profile *prof, MachineRun *r)
{
	u32 *driver = r->driver, *block = access_blocks(c, p);
	u32 *votes = xcalloc(p->blocks.n + 1, sizeof *votes), *late = xcalloc(c->blocks.n, sizeof *late);
	for (u32 b = 0; b < c->blocks.n; b++) {
		u32 ir = c->blocks.v[b].ir_block, at = ir < p->origins.n ? p->origins.v[ir] : NO_BLOCK;
		bool named = at < p->blocks.n;
		if (!named && driver[b] == NO_BLOCK)
			driver[b] = block_by_accesses(c, prof, b, block, votes);
		else if (named && prof->blocks[at].execs && prof->blocks[at].execs == r->execs[b])
			driver[b] = at;
	}
	u32 ndriven;
	Driven *driven = find_driven(c, r, &ndriven);
	for (u32 b = 0; b < c->blocks.n; b++) {
		Driven own = {c->blocks.v[b].func, b, r->execs[b]};
		u32 equal = driver[b] == NO_BLOCK && own.execs ? nearest_equal(driven, ndriven, own) : NO_BLOCK;
		late[b] = equal == NO_BLOCK ? driver[b] : driver[equal];
	}
	free(driven);
	for (u32 b = 0; b < c->blocks.n; b++) {
		u32 ir = c->blocks.v[b].ir_block, at = ir < p->origins.n ? p->origins.v[ir] : NO_BLOCK;
		bool first = !b || c->blocks.v[b - 1].func != c->blocks.v[b].func;
		driver[b] = late[b];
		if (driver[b] == NO_BLOCK && at < p->blocks.n && prof->blocks[at].execs)
			driver[b] = at;
		if (driver[b] == NO_BLOCK && !first)
			driver[b] = driver[b - 1];
	}
	free(block);
	free(votes);
	free(late);
}

u64 machine_sum(const u64 count[MC_COUNT])
{
	u64 sum = 0;
	for (u32 i = 0; i < MC_COUNT; i++)
		sum += count[i];
	return sum;
}

MachineRun *machine_run(const MachineCode *c, const Program *p, const Profile *prof, Arena *a)
{
	u32 n = c->blocks.n;
	MachineRun *r = ARENA_NEW(a, MachineRun);
	r->execs = ARENA_ARRAY(a, u64, n);
	r->assumed = ARENA_ARRAY(a, bool, n);
	r->driver = ARENA_ARRAY(a, u32, n);
	r->lines = ARENA_ARRAY(a, MachineLine, c->ins.n + 1);
	machine_flow(c, p, prof, r);
	find_drivers(c, p, prof, r);
	add_up(c, p, r);
	return r;
}
