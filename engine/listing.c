/* Machine code with what is known of each instruction: see listing.h. */
#include "engine/listing.h"

static const char *own(Arena *a, const char *text) { return text ? arena_strdup(a, text) : NULL; }

static ListedBlock *new_blocks(const MachineCode *c, Arena *a)
{
	ListedBlock *blocks = ARENA_ARRAY(a, ListedBlock, c->blocks.n + 1);
	for (u32 b = 0; b < c->blocks.n; b++) {
		const MachineBlock *k = &c->blocks.v[b];
		blocks[b] = (ListedBlock){.label = own(a, k->label), .first = k->first, .n = k->n, .lanes = -1,
		                          .function = b && k->func != c->blocks.v[b - 1].func};
	}
	return blocks;
}

/* A file's name once for all of its lines. */
static const char **own_files(const Program *p, Arena *a)
{
	const char **files = ARENA_ARRAY(a, const char *, p->files.n + 1);
	for (u32 i = 0; i < p->files.n; i++)
		files[i] = arena_strdup(a, p->files.v[i]);
	return files;
}

static ListedIns *new_instructions(const MachineCode *c, const Program *p, const MachineRun *run, Arena *a)
{
	ListedIns *ins = ARENA_ARRAY(a, ListedIns, c->ins.n + 1);
	const char **files = own_files(p, a);
	MachinePlaces places = machine_places(c, p, run, a);
	MachineLine at = {0};
	u32 last = NO_IR;
	for (u32 b = 0; b < c->blocks.n; b++)
		for (u32 i = c->blocks.v[b].first; i < c->blocks.v[b].first + c->blocks.v[b].n; i++) {
			const MachineIns *x = &c->ins.v[i];
			if (x->ir != last || last == NO_IR)
				at = machine_place(&places, b, i);
			last = x->ir;
			ins[i] = (ListedIns){.text = own(a, x->text), .cls = (MachineClass)x->cls, .block = b,
			                     .file = at.line ? files[at.file] : NULL, .line = at.line,
			                     .vgprs = x->live_vgprs, .agprs = x->live_agprs, .sgprs = x->live_sgprs,
			                     .spill = (MachineSpill)x->spill};
		}
	return ins;
}

/* A block runs with a Block of the Program, by the lanes of that. */
static void put_counts(ListedBlock *blocks, u32 n, const Profile *prof, const MachineRun *run)
{
	for (u32 b = 0; b < n; b++) {
		u32 with = run->driver[b];
		const BlockProf *k = with == NO_BLOCK ? NULL : &prof->blocks[with];
		blocks[b].executions = run->execs[b];
		blocks[b].assumed = run->assumed[b];
		if (k && k->execs && run->execs[b])
			blocks[b].lanes = (double)k->lanes / (double)k->execs;
	}
}

/* The costs of machine code have its instructions, in its order. */
static void put_times(ListedIns *ins, u32 n, const Estimate *e, Arena *a)
{
	double *parts = ARENA_ARRAY(a, double, (size_t)n * PART_COUNT + 1);
	memcpy(parts, e->ins_part, (size_t)n * PART_COUNT * sizeof *parts);
	for (u32 i = 0; i < n; i++) {
		const CostIns *x = &e->costs->ins.v[i];
		ins[i].cls = (MachineClass)x->cls; /* what is private memory is known there */
		ins[i].cycles = x->cycles;
		ins[i].part = parts + (size_t)i * PART_COUNT;
		for (u32 k = 0; k < PART_COUNT; k++)
			ins[i].share += ins[i].part[k];
	}
}

static u32 most_registers(const ListedIns *ins, u32 n)
{
	u32 most = 0;
	for (u32 i = 1; i < n; i++)
		if (ins[i].vgprs + ins[i].agprs > ins[most].vgprs + ins[most].agprs)
			most = i;
	return most;
}

const Listing *listing_run(const MachineCode *c, const Program *p, const Profile *prof, const MachineRun *run,
                           const Estimate *e, Arena *a)
{
	Listing *l = ARENA_NEW(a, Listing);
	ListedBlock *blocks = new_blocks(c, a);
	ListedIns *ins = new_instructions(c, p, run, a);
	*l = (Listing){.cpu = own(a, c->cpu), .stands_for = own(a, c->stands_for), .left_out = own(a, c->left_out),
	               .ins = ins, .nins = c->ins.n, .blocks = blocks, .nblocks = c->blocks.n, .vgprs = c->vgprs,
	               .agprs = c->agprs, .sgprs = c->sgprs, .live = c->live, .ran = run != NULL,
	               .timed = e && !e->missing && e->ins_part && e->costs->ins.n == c->ins.n};
	l->most = most_registers(ins, l->nins);
	if (l->ran)
		put_counts(blocks, l->nblocks, prof, run);
	if (l->timed)
		put_times(ins, l->nins, e, a);
	return l;
}

const Listing *listing_code(const MachineCode *c, const Program *p, Arena *a)
{
	return listing_run(c, p, NULL, NULL, NULL, a);
}
