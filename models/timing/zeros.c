/* Lowest bits that are always 0: see zeros.h. */
#include "models/timing/zeros.h"

#include "base/base.h"

enum { MOST_ZEROS = 64, MOST_ROUNDS = 64 };

static u8 least(u32 a, u32 b) { return (u8)(a < b ? a : b); }

/* Of what an instruction writes. v: what is known of each register. */
static u8 zeros_of(const Program *p, const u8 *v, const Ins *i)
{
	const u32 *src = ins_src(p, i);
	u8 a = i->nsrc > 0 ? v[src[0]] : 0, b = i->nsrc > 1 ? v[src[1]] : 0;
	switch (i->op) {
	case OP_mov:
	case OP_zext_i64_i32:
	case OP_sext_i64_i32:
	case OP_trunc_i32_i64: return a;
	case OP_add_i32:
	case OP_add_i64:
	case OP_sub_i32:
	case OP_sub_i64:
	case OP_or_i32:
	case OP_or_i64: return least(a, b);
	case OP_and_i32:
	case OP_and_i64: return a > b ? a : b;
	case OP_mul_i32:
	case OP_mul_i64: return least((u32)a + b, MOST_ZEROS);
	case OP_shl_i32:
	case OP_shl_i64: {
		const Reg *by = &p->regs.v[src[1]];
		u32 bits = i->op == OP_shl_i32 ? 32 : 64;
		return least(a + (by->kind == REG_CONST ? (u32)by->value % bits : 0), MOST_ZEROS);
	}
	default: return 0;
	}
}

/* All that is written is as its writers agree on. v: the most that can be. */
static void settle(const Program *p, u8 *v)
{
	/* Few rounds are needed but of code written to need more: then nothing is known. */
	bool changed = true;
	for (u32 round = 0; changed && round < MOST_ROUNDS; round++) {
		changed = false;
		for (u32 i = 0; i < p->ins.n; i++)
			for (u32 k = 0; k < p->ins.v[i].ndst; k++) {
				u8 *to = &v[ins_dst(p, &p->ins.v[i])[k]], n = zeros_of(p, v, &p->ins.v[i]);
				changed |= n < *to;
				*to = n < *to ? n : *to;
			}
	}
	if (changed)
		memset(v, 0, p->regs.n * sizeof *v);
}

u8 *low_zeros(const Program *p, Arena *a)
{
	u8 *v = ARENA_ARRAY(a, u8, p->regs.n + 1);
	for (u32 i = 0; i < p->ins.n; i++)
		for (u32 k = 0; k < p->ins.v[i].ndst; k++)
			v[ins_dst(p, &p->ins.v[i])[k]] = MOST_ZEROS;
	for (u32 r = 0; r < p->regs.n; r++) {
		u64 value = (u64)p->regs.v[r].value;
		if (p->regs.v[r].kind == REG_CONST)
			v[r] = value ? (u8)__builtin_ctzll(value) : MOST_ZEROS;
	}
	settle(p, v);
	return v;
}

static const Reg *constant_of(const Program *p, const Ins *i)
{
	const Reg *r = &p->regs.v[ins_src(p, i)[1]];
	return r->kind == REG_CONST ? r : NULL;
}

bool adds_bits(const Program *p, const u8 *zeros, const Ins *i)
{
	const Reg *r = i->op == OP_or_i32 || i->op == OP_or_i64 ? constant_of(p, i) : NULL;
	u32 n = r ? zeros[ins_src(p, i)[0]] : 0;
	return r && (n == MOST_ZEROS || !((u64)r->value >> n));
}

bool adds_constant(const Program *p, const u8 *zeros, const Ins *i)
{
	return (i->op == OP_add_i32 && constant_of(p, i)) || (i->op == OP_or_i32 && adds_bits(p, zeros, i));
}
