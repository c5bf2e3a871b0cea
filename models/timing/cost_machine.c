/* Machine code as issue costs: which code runs with which Block, which accesses of the Program
 * each memory instruction does.
 *
 * An instruction does the accesses of the IR instruction it came from. The compiler merges
 * neighbouring accesses and keeps the place of one of them: those that no instruction names go
 * to the nearest one of their kind in the code of their block. */
#include "models/timing/cost.h"

typedef enum { KIND_NONE, KIND_LOAD, KIND_SCALAR_LOAD, KIND_STORE, KIND_ATOMIC, KIND_LDS_LOAD, KIND_LDS_STORE,
	KIND_LDS_ATOMIC } MachineAccessKind;

static MachineAccessKind kind_of_access(const Program *p, const Ins *i, bool write)
{
	bool lds = cost_space(i, write) == SPACE_LDS;
	if (i->op == OP_ld && i->space == SPACE_CONSTANT && p->regs.v[ins_src(p, i)[0]].kind != REG_VECTOR)
		return KIND_SCALAR_LOAD;
	if (i->op == OP_atomic || i->op == OP_cas)
		return lds ? KIND_LDS_ATOMIC : KIND_ATOMIC;
	if (write)
		return lds ? KIND_LDS_STORE : KIND_STORE;
	return lds ? KIND_LDS_LOAD : KIND_LOAD;
}

static MachineAccessKind kind_of_class(MachineClass c)
{
	switch (c) {
	case MC_smem: return KIND_SCALAR_LOAD;
	case MC_vmem_load: return KIND_LOAD;
	case MC_vmem_store: return KIND_STORE;
	case MC_vmem_atomic: return KIND_ATOMIC;
	case MC_lds_read: return KIND_LDS_LOAD;
	case MC_lds_write: return KIND_LDS_STORE;
	case MC_lds_atomic: return KIND_LDS_ATOMIC;
	default: return KIND_NONE;
	}
}

/* Which unit loads is what the Program takes to be likely: the machine code may have chosen the other. */
static MachineAccessKind other_unit(MachineAccessKind k)
{
	return k == KIND_LOAD ? KIND_SCALAR_LOAD : k == KIND_SCALAR_LOAD ? KIND_LOAD : k;
}

/* Where a machine instruction that accesses memory stands. */
typedef struct MachineAccess {
	u32 home, kind, ir, m;
} MachineAccess;

typedef struct MachineCosts {
	Costs *x;
	Arena *arena;
	const Program *p;
	const MachineCode *c;
	u32 *block_of; /* per machine instruction: its block */
	bool *taken;   /* per machine instruction: it does an access */
	u32 *home;     /* per machine instruction: the IR's own Block of its machine block */
	MachineAccess *by_ir, *by_home; /* those that access memory, so sorted */
	u32 nplaces;
	MachineAccess *scratch; /* those at an index of private memory, by_ir; nscratch of them */
	u32 nscratch;
	ARRAY(u32) list; /* machine instruction, instruction * 2 + (it writes), in pairs */
} MachineCosts;

static u32 own_block(const MachineCosts *w, const MachineBlock *b)
{
	return b->ir_block < w->p->origins.n ? w->p->origins.v[b->ir_block] : NO_BLOCK;
}

FIELD_ORDER(by_ir, MachineAccess, ir, m)
FIELD_ORDER(by_home, MachineAccess, home, kind, ir, m)

static void sort_places(MachineCosts *w)
{
	w->by_ir = ARENA_ARRAY(w->arena, MachineAccess, w->c->ins.n + 1);
	for (u32 m = 0; m < w->c->ins.n; m++) {
		const MachineIns *x = &w->c->ins.v[m];
		MachineAccessKind kind = kind_of_class((MachineClass)x->cls);
		if (kind != KIND_NONE)
			w->by_ir[w->nplaces++] = (MachineAccess){w->home[m], kind, x->ir, m};
	}
	w->by_home = arena_copy(w->arena, w->by_ir, w->nplaces * sizeof *w->by_home);
	qsort(w->by_ir, w->nplaces, sizeof *w->by_ir, by_ir);
	qsort(w->by_home, w->nplaces, sizeof *w->by_home, by_home);
}

/* Of the places that are like *v, from there on: the first that does no access yet, or the first of all. */
static u32 first_free(const MachineCosts *w, const MachineAccess *v, const MachineAccess *end)
{
	for (const MachineAccess *p = v; p < end && p->home == v->home && p->kind == v->kind && p->ir == v->ir; p++)
		if (!w->taken[p->m])
			return p->m;
	return v->m;
}

/* The instruction of that kind which is nearest in the IR, in code of block `home`. Of equals, the first
 * that does none yet: see clause(). */
static u32 nearest(const MachineCosts *w, MachineAccessKind kind, u32 ir, u32 home)
{
	MachineAccess key = {home, kind, ir, 0};
	const MachineAccess *v = w->by_home, *end = v + w->nplaces;
	u32 at = lower_bound(v, w->nplaces, sizeof *v, &key, by_home), before = UINT32_MAX, behind = UINT32_MAX;
	u32 far_before = UINT32_MAX, far_behind = UINT32_MAX;
	if (at < w->nplaces && v[at].home == home && v[at].kind == kind && v[at].ir != NO_IR) {
		far_behind = v[at].ir - ir;
		behind = first_free(w, v + at, end);
	}
	if (at && v[at - 1].home == home && v[at - 1].kind == kind) {
		key.ir = v[at - 1].ir;
		far_before = ir - key.ir;
		before = first_free(w, v + lower_bound(v, w->nplaces, sizeof *v, &key, by_home), end);
	}
	if (far_before != far_behind)
		return far_before < far_behind ? before : behind;
	if (before == UINT32_MAX || w->taken[before] == w->taken[behind])
		return before < behind ? before : behind;
	return w->taken[before] ? behind : before;
}

/* Bytes of a lane that a vector load brings, or a store takes; 0: not told by its name. */
static u32 vector_bytes(const MachineIns *x)
{
	const char *d = x->cls == MC_vmem_load || x->cls == MC_vmem_store ? strstr(x->mnemonic, "dword") : NULL;
	return !d ? 0 : d[5] == 'x' ? 4 * (u32)(d[6] - '0') : 4;
}

/* Loads that go out as one clause (RDNA) all carry the place of the first. How many of those of
 * one place in one block the access takes: as many as bring its bytes. */
static u32 clause(const MachineIns *x, const Program *p, const Ins *i)
{
	u32 each = x->cls == MC_vmem_load ? vector_bytes(x) : 0, bytes = ins_access_bytes(p, i);
	return each && bytes ? (bytes + each - 1) / each : UINT32_MAX;
}

/* What a texture unit or, of an image of a buffer, the buffer unit does of an image's read or write; beside it in the
 * code stand the loads of its description. */
static bool is_image(const MachineIns *x)
{
	return !strncmp(x->mnemonic, "image_", 6) ||
	       (!strncmp(x->mnemonic, "buffer_", 7) && strstr(x->mnemonic, "_format_"));
}

static void put_match(MachineCosts *w, u32 m, u32 ins, bool write)
{
	array_push(&w->list, m);
	array_push(&w->list, ins * 2 + write);
	w->taken[m] = true;
}

/* Of a long copy the compiler makes a loop, whose instructions name no place. */
static bool match_loop(MachineCosts *w, MachineAccessKind kind, u32 ins, bool write, u32 home)
{
	MachineAccess key = {home, kind, NO_IR, 0};
	const MachineAccess *end = w->by_home + w->nplaces,
			    *v = w->by_home + lower_bound(w->by_home, w->nplaces, sizeof *v, &key, by_home);
	u32 block = UINT32_MAX;
	for (; v < end && v->home == home && v->kind == kind && v->ir == NO_IR; v++) {
		if (w->taken[v->m] || (block != UINT32_MAX && w->block_of[v->m] != block))
			continue;
		block = w->block_of[v->m];
		put_match(w, v->m, ins, write);
	}
	return block != UINT32_MAX;
}

/* The accesses of one IR instruction: its own machine instructions, or the nearest. Of a copy those of one
 * block: a loop for most of it, and what does the rest, stand in several. */
static void match(MachineCosts *w, u32 ins, bool write, u32 home)
{
	u32 n = 0, block = UINT32_MAX;
	const Ins *i = &w->p->ins.v[ins];
	u32 ir = i->origin - 1;
	MachineAccessKind kind = kind_of_access(w->p, i, write);
	bool any = false;
	MachineAccess key = {.ir = ir};
	for (u32 at = lower_bound(w->by_ir, w->nplaces, sizeof key, &key, by_ir);
	     at < w->nplaces && w->by_ir[at].ir == ir; at++) {
		u32 m = w->by_ir[at].m;
		const MachineIns *x = &w->c->ins.v[m];
		/* flat accesses are vector memory instructions even when they reach LDS */
		bool same = w->by_ir[at].kind == kind || w->by_ir[at].kind == other_unit(kind);
		if (i->op == OP_image && !is_image(x))
			continue;
		if (!same && (cost_space(i, write) != SPACE_FLAT || ins_moves(i)))
			continue;
		if (any && ins_moves(i) && w->block_of[m] != block)
			break;
		n = w->block_of[m] == block ? n + 1 : 1;
		block = w->block_of[m];
		if (n > clause(x, w->p, i))
			continue;
		put_match(w, m, ins, write);
		any = true;
	}
	any = any || (ins_moves(i) && match_loop(w, kind, ins, write, home));
	u32 m = any ? UINT32_MAX : nearest(w, kind, ir, home);
	if (!any && m == UINT32_MAX && other_unit(kind) != kind)
		m = nearest(w, other_unit(kind), ir, home);
	if (m != UINT32_MAX)
		put_match(w, m, ins, write);
}

/* Instructions of one machine block that came from the same IR access share its bytes. */
static void share(MachineCosts *w, u32 m, u32 ins)
{
	const MachineIns *x = &w->c->ins.v[m];
	const MachineBlock *b = &w->c->blocks.v[w->block_of[m]];
	CostIns *out = &w->x->ins.v[m];
	u32 n = 0, at = 0, most = clause(x, w->p, &w->p->ins.v[ins]);
	for (u32 i = b->first; i < b->first + b->n && n < most; i++) {
		const MachineIns *y = &w->c->ins.v[i];
		if (y->ir != x->ir || y->cls != x->cls)
			continue;
		at += i < m;
		n++;
	}
	if (at >= n) /* of a clause, another's */
		at = 0, n = 1;
	out->part = (u8)(at < 255 ? at : 255);
	out->parts = (u8)(n < 255 ? n : 255);
}

static void put_instructions(MachineCosts *w, const Device *dev, const MachineRun *run)
{
	MachinePlaces places = machine_places(w->c, w->p, run, w->arena);
	u32 line = 0, last = NO_IR;
	for (u32 m = 0; m < w->c->ins.n; m++) {
		const MachineIns *y = &w->c->ins.v[m];
		if (y->ir != last || last == NO_IR) {
			MachineLine at = machine_place(&places, w->block_of[m], m);
			line = cost_line(w->x, at.file, at.line);
			last = y->ir;
		}
		CostIns out = {.cls = y->cls, .dep = y->dep, .vm = y->vm, .lgkm = y->lgkm, .vs = y->vs,
		                .lds = {y->bytes, y->pair, y->distance}, .parts = 1, .line = line};
		out.cycles = (u16)cost_cycles(dev, (MachineClass)y->cls, w->x->wave);
		const MatrixShape *matrix = y->cls == MC_matrix ? matrix_mnemonic(y->mnemonic) : NULL;
		out.cycles = matrix ? (u16)cost_matrix(dev, matrix) : out.cycles;
		out.stall = y->control ? (u16)dev->clause_cycles : 0;
		/* A multiply and an add in one instruction: the cards were measured with both apart. */
		if (!strncmp(y->mnemonic, "v_mad_u64_u32", 13) || !strncmp(y->mnemonic, "v_mad_i64_i32", 13))
			out.cycles = (u16)(out.cycles + cost_cycles(dev, MC_valu, w->x->wave));
		array_push(&w->x->ins, out);
	}
}

/* dwordx4 or b128; anything up to 4 bytes has a dword of its own. */
static u16 scratch_bytes(const char *name)
{
	const char *dwords = strstr(name, "dwordx"), *bits = strstr(name, "_b");
	unsigned long n = dwords ? 4 * strtoul(dwords + 6, NULL, 10) : bits ? strtoul(bits + 2, NULL, 10) / 8 : 4;
	return (u16)(n < 4 ? 4 : n > 16 ? 16 : n);
}

/* Buffer instructions are how older chips reach private memory: no buffer is in a kernel's IR.
 * (An image access has its own instructions.) */
static void find_scratch(MachineCosts *w)
{
	w->scratch = ARENA_ARRAY(w->arena, MachineAccess, w->c->ins.n + 1);
	for (u32 m = 0; m < w->c->ins.n; m++) {
		const char *name = w->c->ins.v[m].mnemonic;
		CostIns *out = &w->x->ins.v[m];
		if (out->cls != MC_scratch && (out->naccess || strncmp(name, "buffer_", 7)))
			continue;
		if (out->cls != MC_scratch && out->cls != MC_vmem_load && out->cls != MC_vmem_store)
			continue;
		const MachineIns *x = &w->c->ins.v[m];
		out->cls = MC_scratch;
		out->write = strstr(name, "store") != NULL;
		out->lds.bytes = scratch_bytes(name);
		out->frame = x->frame == NO_FRAME ? NO_FRAME : (u64)x->frame * w->x->wave + x->frame_all;
		if (out->frame == NO_FRAME)
			w->scratch[w->nscratch++] = (MachineAccess){w->home[m], KIND_NONE, x->ir, m};
	}
	qsort(w->scratch, w->nscratch, sizeof *w->scratch, by_ir);
}

/* An instruction at an index does what is recorded of the access that it came from, or a part of its dwords. Does
 * any? */
static bool put_private(MachineCosts *w)
{
	bool any = false;
	for (u32 i = 0; i < w->p->ins.n; i++) {
		const Ins *ins = &w->p->ins.v[i];
		if (w->x->access[i] == NO_ACCESS || !ins->origin || ins->space != SPACE_PRIVATE)
			continue;
		MachineAccess key = {.ir = ins->origin - 1};
		for (u32 at = lower_bound(w->scratch, w->nscratch, sizeof key, &key, by_ir);
		     at < w->nscratch && w->scratch[at].ir == key.ir; at++) {
			CostIns *out = &w->x->ins.v[w->scratch[at].m];
			if (out->naccess || out->write != (ins->op == OP_st))
				continue;
			out->first_access = w->x->access_of.n;
			out->naccess = 1;
			share(w, w->scratch[at].m, i);
			array_push(&w->x->access_of, w->x->access[i] + out->write);
			any = true;
		}
	}
	return any;
}

static void find_stores(MachineCosts *w, const Device *dev)
{
	for (u32 m = 0; m < w->x->ins.n && cost_stores_separate(dev); m++) {
		CostIns *out = &w->x->ins.v[m];
		out->separate = out->cls == MC_vmem_store || (out->cls == MC_scratch && out->write);
	}
}

/* An instruction of a copy takes the elements as they are recorded (isa/event.h), or parts of each. */
static void put_moves(MachineCosts *w, u32 m)
{
	CostIns *out = &w->x->ins.v[m];
	u32 each = vector_bytes(&w->c->ins.v[m]);
	out->moves = (u8)(each && each < EVENT_ELEMENT ? EVENT_ELEMENT / each : 1);
	out->lds = (LdsIns){0};
}

static int by_instruction(const void *va, const void *vb)
{
	const u32 *a = va, *b = vb;
	return a[0] != b[0] ? ORDER(a[0], b[0]) : ORDER(a[1], b[1]);
}

static void put_accesses(MachineCosts *w)
{
	const Program *p = w->p;
	for (u32 b = 0; b < p->blocks.n; b++)
		for (u32 i = p->blocks.v[b].first; i < p->blocks.v[b].first + p->blocks.v[b].n; i++)
			for (u32 write = 0; write < 2 && p->ins.v[i].origin && !p->funcs.v[p->blocks.v[b].func].image;
			     write++)
				if (cost_accesses(&p->ins.v[i], write))
					match(w, i, write, b);
	u32 n = w->list.n / 2;
	sort(w->list.v, n, 2 * sizeof(u32), by_instruction);
	for (u32 k = 0; k < n; k++) {
		u32 m = w->list.v[2 * k], ins = w->list.v[2 * k + 1] / 2, write = w->list.v[2 * k + 1] % 2;
		CostIns *out = &w->x->ins.v[m];
		if (!out->naccess) {
			out->first_access = w->x->access_of.n;
			share(w, m, ins);
			if (ins_moves(&p->ins.v[ins]))
				put_moves(w, m);
			out->image = p->ins.v[ins].op == OP_image;
			out->fetch = out->image && p->ins.v[ins].aux == IMAGE_FETCH;
		}
		out->naccess++;
		array_push(&w->x->access_of, w->x->access[ins] + write);
	}
}

/* Does machine block m run with a Block that ran? */
static bool is_entered(const MachineCosts *w, const Profile *prof, const MachineRun *run, u32 m)
{
	u32 b = run->driver[m];
	return b < w->p->blocks.n && run->execs[m] && prof->blocks[b].execs && w->c->blocks.v[m].n;
}

/* Is there a way from one block to another through blocks that are none of the IR's? */
static bool leads_to(const MachineCode *c, u32 from, u32 to, bool *seen)
{
	const MachineBlock *b = &c->blocks.v[from];
	for (u32 e = b->first_edge; e < b->first_edge + b->nedges; e++) {
		u32 next = c->edges.v[e];
		if (next == to)
			return true;
		if (seen[next] || c->blocks.v[next].ir_block != NO_IR)
			continue;
		seen[next] = true;
		if (leads_to(c, next, to, seen))
			return true;
	}
	return false;
}

/* Is machine block m the loop that the compiler made of a copy? */
static bool is_copy_loop(const MachineCosts *w, u32 m)
{
	const MachineBlock *b = &w->c->blocks.v[m];
	bool moves = false;
	for (u32 i = b->first; i < b->first + b->n; i++)
		moves |= w->x->ins.v[i].moves != 0;
	if (!moves || b->ir_block != NO_IR)
		return false;
	bool *seen = xcalloc(w->c->blocks.n, sizeof *seen), loop = leads_to(w->c, m, m, seen);
	free(seen);
	return loop;
}

/* By Block, of each in the order of the machine code. */
static void put_blocks(MachineCosts *w, const Profile *prof, const MachineRun *run)
{
	u32 *first = w->x->first_block, nblocks = w->p->blocks.n, n = w->c->blocks.n;
	u32 *next = xcalloc(nblocks + 1, sizeof *next);
	for (u32 m = 0; m < n; m++)
		if (is_entered(w, prof, run, m))
			first[run->driver[m] + 1]++;
	for (u32 b = 0; b < nblocks; b++)
		next[b] = first[b + 1] += first[b];
	array_reserve(&w->x->blocks, first[nblocks]);
	w->x->blocks.n = first[nblocks];
	for (u32 m = n; m-- > 0;) {
		const MachineBlock *k = &w->c->blocks.v[m];
		u32 b = run->driver[m];
		if (is_entered(w, prof, run, m))
			w->x->blocks.v[--next[b]] = (CostBlock){k->first, k->n,
				(double)run->execs[m] / (double)prof->blocks[b].execs, is_copy_loop(w, m)};
	}
	free(next);
}

void cost_machine(Costs *x, const Device *dev, const Program *p, const Profile *prof,
                   const MachineCode *code, const MachineRun *run)
{
	MachineCosts w = {.x = x, .p = p, .c = code, .arena = arena_new()};
	x->source = dev->codegen == DEVICE_CODEGEN_r600 ? "r600" : "amdgpu";
	w.taken = ARENA_ARRAY(w.arena, bool, code->ins.n + 1);
	w.block_of = ARENA_ARRAY(w.arena, u32, code->ins.n + 1);
	w.home = ARENA_ARRAY(w.arena, u32, code->ins.n + 1);
	for (u32 b = 0; b < code->blocks.n; b++)
		for (u32 i = code->blocks.v[b].first; i < code->blocks.v[b].first + code->blocks.v[b].n; i++) {
			w.block_of[i] = b;
			w.home[i] = own_block(&w, &code->blocks.v[b]);
			if (w.home[i] == NO_BLOCK)
				w.home[i] = run->driver[b];
		}
	put_instructions(&w, dev, run);
	sort_places(&w);
	put_accesses(&w);
	find_scratch(&w);
	/* What is recorded lies as in the Program, what is not as in the machine code. */
	u64 recorded = put_private(&w) ? cost_private_bytes(p) : 0;
	x->frame = (recorded > code->scratch_bytes ? recorded : code->scratch_bytes) * x->wave;
	find_stores(&w, dev);
	put_blocks(&w, prof, run);
	array_free(&w.list);
	arena_free(w.arena);
}
