/* Issue costs of instruction classes; what both sources share. */
#include "models/timing/cost.h"

#include "models/timing/retried.h"
#include "models/timing/memory.h"

/* A wavefront wider than the device's goes through its units in several passes. */
static u32 passes(const Device *dev, u32 wave)
{
	u32 n = (wave + dev->wave - 1) / dev->wave;
	return n ? n : 1;
}

static u32 class_cycles(const Device *dev, MachineClass cls)
{
	switch (cls) {
	case MC_valu: return dev->cycles_valu;
	case MC_valu_fma: return dev->cycles_fma;
	case MC_valu_mul: return dev->cycles_mul;
	case MC_valu_cvt: return dev->cycles_cvt;
	case MC_valu_f64_add: return dev->cycles_f64_add;
	case MC_valu_shift64: return dev->cycles_shift64;
	case MC_valu_f64_mul: return dev->cycles_f64_mul;
	case MC_trans: return dev->cycles_trans;
	case MC_trans_f64: return dev->cycles_trans_f64;
	case MC_matrix: return dev->cycles_matrix;
	default: return 0;
	}
}

u32 cost_matrix_rate(const Device *dev, MatrixType in)
{
	return in == MATRIX_f64 ? dev->matrix_f64 : in == MATRIX_f32 ? dev->matrix_f32 : dev->matrix_f16;
}

u32 cost_matrix(const Device *dev, const MatrixShape *s)
{
	u64 rate = (u64)cost_matrix_rate(dev, (MatrixType)s->in) * s->rate;
	if (!rate)
		return dev->cycles_matrix;
	u64 cycles = (2ull * matrix_operations(s) * dev->simds_per_cu + rate - 1) / rate;
	cycles = cycles > 4u * s->passes ? cycles : 4u * s->passes;
	return cycles < UINT16_MAX ? (u32)cycles : UINT16_MAX;
}

u32 cost_cycles(const Device *dev, MachineClass cls, u32 wave)
{
	u32 vector = class_cycles(dev, cls);
	if (vector)
		return vector * passes(dev, wave);
	if (cls == MC_waitcnt)
		return 0;
	return cls == MC_salu || cls == MC_smem ? dev->scalar_cycles : dev->issue_interval;
}

/* RDNA has a counter of its own for them (vscnt); a VLIW chip's clause waits for what it fetched only, and
 * NVIDIA's compilers name the registers that are waited for. */
bool cost_stores_separate(const Device *dev)
{
	return dev->family != DEVICE_FAMILY_gcn;
}

static u64 line_key(u32 file, u32 line) { return line ? ((u64)file << 32 | line) + 1 : 1; }

u32 cost_line(Costs *x, u32 file, u32 line)
{
	void **slot = map_slot(x->line_of, line_key(file, line));
	if (!*slot) {
		array_push(&x->lines, ((CostLine){file, line}));
		*slot = (void *)(uintptr_t)x->lines.n;
	}
	return (u32)(uintptr_t)*slot - 1;
}

u32 cost_find_line(const Costs *x, u32 file, u32 line)
{
	return (u32)(uintptr_t)map_get(x->line_of, line_key(file, line)) - 1;
}

u32 cost_space(const Ins *i, bool write)
{
	switch (i->op) {
	case OP_ld: return write ? SPACE_COUNT : i->space;
	case OP_copy: return write ? i->space : i->aux;
	case OP_st:
	case OP_fill:
	case OP_atomic:
	case OP_cas: return write ? i->space : SPACE_COUNT;
	case OP_image: return write == (i->aux == IMAGE_WRITE) ? i->space : SPACE_COUNT;
	default: return SPACE_COUNT;
	}
}

bool cost_accesses(const Ins *i, bool write)
{
	u32 space = cost_space(i, write);
	return space != SPACE_COUNT && space != SPACE_PRIVATE;
}

/* Private memory's are recorded as well; counted they are not. */
static bool is_private(const Ins *i) { return (i->op == OP_ld || i->op == OP_st) && i->space == SPACE_PRIVATE; }

u64 cost_private_bytes(const Program *p)
{
	u64 n = 0;
	for (u32 i = 0; i < p->objects.n; i++)
		n += object_private_bytes(&p->objects.v[i]);
	return n;
}

static void number_accesses(Costs *x, const Program *p, Arena *a)
{
	x->access = ARENA_ARRAY(a, u32, p->ins.n + 1);
	for (u32 i = 0; i < p->ins.n; i++) {
		const Ins *ins = &p->ins.v[i];
		bool is = cost_accesses(ins, false) || cost_accesses(ins, true) || is_private(ins);
		x->access[i] = is ? x->naccesses : NO_ACCESS;
		x->naccesses += is ? 2 : 0;
	}
}

static void find_ways(Costs *x, const Program *p, Arena *a)
{
	const bool *retried = swaps_retried(p, a);
	u8 *way = ARENA_ARRAY(a, u8, p->ins.n + 1);
	for (u32 i = 0; i < p->ins.n; i++)
		way[i] = retried[i] ? ACCESS_SWAP : p->ins.v[i].sync == SYNC_NONE ? ACCESS_CACHED : ACCESS_PAST_L1;
	x->way = way;
}

/* Arrays that grew become the arena's. */
#define KEEP(array) ((array).v = array_keep(&(array), a), (array).cap = (array).n)
static void keep(Costs *x, Arena *a)
{
	KEEP(x->ins);
	KEEP(x->blocks);
	KEEP(x->access_of);
	KEEP(x->lines);
}

Costs *costs_new(const Device *dev, const Program *p, const Profile *prof, const MachineCode *code,
                 const MachineRun *run, Arena *a)
{
	Costs *x = ARENA_NEW(a, Costs);
	x->wave = prof->wave;
	x->first_block = ARENA_ARRAY(a, u32, p->blocks.n + 1);
	x->head = ARENA_ARRAY(a, u32, p->blocks.n + 1);
	for (u32 b = 0; b < p->blocks.n; b++)
		x->head[b] = b;
	x->line_of = map_new(a);
	cost_line(x, 0, 0);
	number_accesses(x, p, a);
	find_ways(x, p, a);
	x->apart = dev->lanes_apart ? atomic_loops(p, a) : NULL;
	if (code && !code->missing && run)
		cost_machine(x, dev, p, prof, code, run);
	else
		cost_ir(x, dev, p, prof);
	keep(x, a);
	return x;
}
