/* What of each instruction is always the same, worked out before the play: most are issued many times. */
#include "models/timing/timing_impl.h"

static TimePart part_of(u8 cls)
{
	static const u8 part[] = {
		[MU_VECTOR] = PART_vector,  [MU_TRANS] = PART_vector, [MU_SCALAR] = PART_scalar,
		[MU_SMEM] = PART_scalar,    [MU_MEMORY] = PART_address, [MU_LDS] = PART_lds,
		[MU_BRANCH] = PART_scalar,  [MU_OTHER] = PART_scalar};
	return (TimePart)part[machine_class_unit[cls]];
}

static SimdUnit unit_of(const Device *dev, const CostIns *x, TimePart part)
{
	if (machine_class_unit[x->cls] == MU_TRANS && dev->trans_unit == TRANS_UNIT_own)
		return UNIT_trans;
	switch (part) {
	case PART_vector:
		return x->pipe == PIPE_LOGIC ? UNIT_logic : x->pipe == PIPE_EITHER ? UNIT_either : UNIT_vector;
	case PART_address: return UNIT_memory;
	case PART_lds: return UNIT_lds;
	default: return x->cls == MC_branch ? UNIT_branch : UNIT_scalar;
	}
}

/* Of vector arithmetic: when it has its result. */
static void put_latency(const TimingSim *s, const CostIns *x, TimedIns *t)
{
	const Device *dev = s->dev;
	bool f64 = x->cls == MC_valu_f64_add || x->cls == MC_valu_f64_mul || x->cls == MC_trans_f64;
	bool trans = machine_class_unit[x->cls] == MU_TRANS;
	u32 own = trans && dev->trans_latency ? dev->trans_latency : f64 ? dev->f64_latency : 0;
	/* Of several passes the last counts; what holds its unit longer is later by that, where no figure includes it. */
	bool included = own || dev->alu_other_latency;
	t->latency = own ? own : dev->alu_latency;
	t->held = x->cycles;
	t->one = included ? t->held / s->passes : (double)dev->cycles_valu * s->passes;
	t->least = x->behind < RECENT ? x->latency : 0;
	t->plain = !x->latency && !own;
	t->logic = x->pipe == PIPE_LOGIC;
	t->to_scalar = !x->latency;
}

static TimedIns timed_ins(const TimingSim *s, const CostIns *x)
{
	const Device *dev = s->dev;
	TimePart part = part_of(x->cls);
	TimedIns t = {
		.part = (u8)part,
		.vector = part == PART_vector,
		.scalar = part == PART_scalar,
		.waits = x->vm != NO_WAIT || x->lgkm != NO_WAIT || x->vs != NO_WAIT,
		.wait = x->cls == MC_waitcnt,
		.vm = x->vm,
		.lgkm = x->lgkm,
		.vs = x->vs,
		.dep = x->dep <= RECENT ? x->dep : 0,
		.guard = x->guard <= RECENT ? x->guard : 0,
		.behind = x->behind,
		.branches = x->cls == MC_branch && !x->stall, /* a stall includes the cost of the branch */
		.divides = x->divides,
		.barrier = x->cls == MC_barrier,
		.accesses = part == PART_lds || part == PART_address || x->cls == MC_smem,
		.moves = x->moves,
		.alone = x->alone,
		.cycles = x->cycles,
		.latency = x->cycles,
		.issue = dev->issue_interval,
		.stall = x->stall,
		.line = x->line,
	};
	t.unit = (u8)unit_of(dev, x, part);
	if (t.vector)
		put_latency(s, x, &t);
	if (part == PART_address && dev->memory_issue > t.issue)
		t.issue = dev->memory_issue;
	if ((x->cls == MC_valu_f64_add || x->cls == MC_valu_f64_mul) && dev->f64_issue > t.issue)
		t.issue = dev->f64_issue;
	if (x->cls == MC_branch && x->stall && dev->meet_issue > t.issue)
		t.issue = dev->meet_issue;
	if (t.stall < dev->issue_interval)
		t.stall = dev->issue_interval;
	return t;
}

void ins_new(TimingSim *s)
{
	const Device *dev = s->dev;
	u32 n = s->costs->ins.n, interval = dev->issue_interval;
	s->ins = ARENA_ARRAY(s->arena, TimedIns, n + 1);
	for (u32 i = 0; i < n; i++) {
		s->ins[i] = timed_ins(s, &s->costs->ins.v[i]);
		s->ins[i].sum = s->sum[s->in->by_part ? i : 0];
	}
	s->crossing = dev->alu_other_latency ? (double)dev->alu_other_latency - (double)dev->alu_latency : 0;
	s->interval = interval;
	s->to_scalar = dev->alu_to_scalar;
	s->narrow = dev->issue_width == 1;
	s->in_turn = dev->issue_order == ISSUE_ORDER_turn;
	s->logic_cycles = dev->cycles_logic * s->passes;
	s->branch_past = later(dev->branch_past_cycles, interval) - interval;
	s->branch_taken = later(dev->branch_cycles, interval) - interval;
}
