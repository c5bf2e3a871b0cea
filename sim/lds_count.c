/* What an LDS access costs, into its counters (the rule is models/device/lds_rule.h).
 *
 * The same access is counted twice: at the Program's width, and as the device's compiler
 * does it, alone, in parts, or together with its neighbours (LdsPlan). */
#include "sim/wave.h"

static void add_cycles(LdsCycles *to, LdsCycles c)
{
	to->ideal += c.ideal;
	to->actual += c.actual;
	to->max_way = c.max_way > to->max_way ? c.max_way : to->max_way;
}

LdsCount lds_count_access(const LdsRule *rule, u32 bytes, const LdsWay *way, bool write, bool atomic,
                          Mask mask, const u32 *addr)
{
	const LdsLanes lanes = {.mask = mask, .addr = addr, .write = write, .atomic = atomic};
	LdsCount out = {.ir = lds_cycles(rule, &(LdsIns){.bytes = (u16)bytes}, &lanes)};
	if (!way->known)
		out.machine = out.ir;
	for (u32 i = 0; i < way->n; i++)
		add_cycles(&out.machine, lds_cycles(rule, &way->ins[i], &lanes));
	return out;
}

/* An access that the machine does just so needs no second count. */
LdsWay lds_way(const LdsPlan *plan, u32 ins, u32 bytes)
{
	const LdsAccess *x = plan ? &plan->of[ins] : NULL;
	if (!x || !x->known)
		return (LdsWay){0};
	const LdsIns *first = plan->ins + x->first;
	if (x->n == 1 && !first->pair && first->bytes == bytes)
		return (LdsWay){0};
	return (LdsWay){first, x->n, true};
}

void lds_add(AccessProf *p, const LdsWay *way, LdsCount c, u64 times)
{
	p->lds_accesses += times;
	p->lds_ideal += times * c.ir.ideal;
	p->lds_actual += times * c.ir.actual;
	if (c.ir.max_way > p->lds_max_way)
		p->lds_max_way = c.ir.max_way;
	p->lds_ins += times * (way->known ? way->n : 1);
	p->lds_ins_ideal += times * c.machine.ideal;
	p->lds_ins_actual += times * c.machine.actual;
	if (c.machine.max_way > p->lds_ins_max_way)
		p->lds_ins_max_way = c.machine.max_way;
}
