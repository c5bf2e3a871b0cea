/* Lowest bits that are always 0: see zeros.h. */
#include "models/timing/zeros.h"

#include "base/base.h"

enum { MOST_ZEROS = 32, MOST_ROUNDS = 64 };

static u8 zeros_of(const Program *p, const u8 *zeros, const Ins *i)
{
	const u32 *src = ins_src(p, i);
	u8 a = i->nsrc > 0 ? zeros[src[0]] : 0, b = i->nsrc > 1 ? zeros[src[1]] : 0;
	switch (i->op) {
	case OP_mov: return a;
	case OP_add_i32:
	case OP_sub_i32:
	case OP_or_i32: return a < b ? a : b;
	case OP_shl_i32: {
		const Reg *by = &p->regs.v[src[1]];
		u32 n = a + (by->kind == REG_CONST ? (u32)by->value & 31 : 0);
		return (u8)(n < MOST_ZEROS ? n : MOST_ZEROS);
	}
	default: return 0;
	}
}

/* All that is written has as many as its writers agree on; what is not, none that are known. */
u8 *low_zeros(const Program *p, Arena *a)
{
	u8 *zeros = ARENA_ARRAY(a, u8, p->regs.n + 1);
	bool *written = xcalloc(p->regs.n + 1, sizeof *written);
	for (u32 i = 0; i < p->ins.n; i++)
		for (u32 k = 0; k < p->ins.v[i].ndst; k++)
			written[ins_dst(p, &p->ins.v[i])[k]] = true;
	for (u32 r = 0; r < p->regs.n; r++) {
		u32 value = (u32)p->regs.v[r].value;
		bool constant = p->regs.v[r].kind == REG_CONST;
		zeros[r] = constant ? (u8)(value ? (u32)__builtin_ctz(value) : MOST_ZEROS) : written[r] ? MOST_ZEROS : 0;
	}
	free(written);
	/* Few rounds are needed but of code written to need more: then nothing is known. */
	bool changed = true;
	for (u32 round = 0; changed && round < MOST_ROUNDS; round++) {
		changed = false;
		for (u32 i = 0; i < p->ins.n; i++)
			for (u32 k = 0; k < p->ins.v[i].ndst; k++) {
				u8 *to = &zeros[ins_dst(p, &p->ins.v[i])[k]], n = zeros_of(p, zeros, &p->ins.v[i]);
				changed |= n < *to;
				*to = n < *to ? n : *to;
			}
	}
	if (changed)
		memset(zeros, 0, p->regs.n * sizeof *zeros);
	return zeros;
}

static const Reg *constant_of(const Program *p, const Ins *i)
{
	const Reg *r = &p->regs.v[ins_src(p, i)[1]];
	return r->kind == REG_CONST ? r : NULL;
}

bool adds_bits(const Program *p, const u8 *zeros, const Ins *i)
{
	const Reg *r = i->op == OP_or_i32 ? constant_of(p, i) : NULL;
	return r && !((u64)r->value >> zeros[ins_src(p, i)[0]]);
}

bool adds_constant(const Program *p, const u8 *zeros, const Ins *i)
{
	return (i->op == OP_add_i32 && constant_of(p, i)) || adds_bits(p, zeros, i);
}
