/* Lowest bits that are always 0, and values that fit 32 bits: see zeros.h. */
#include "models/timing/zeros.h"

#include "base/base.h"

enum { MOST_ZEROS = 64, MOST_ROUNDS = 64 };

typedef struct Facts {
	const Program *p;
	u8 *v; /* per register: no more than is known to be so */
	const bool *loaded;
	const u8 *steady; /* steady_values() */
} Facts;

/* All that is written is as its writers agree on: rule gives what one of them says of a result. v: the most that can
 * be. */
static void settle(Facts *f, u8 (*rule)(const Facts *, const Ins *, u32 result))
{
	const Program *p = f->p;
	/* Few rounds are needed but of code written to need more: then nothing is known. */
	bool changed = true;
	for (u32 round = 0; changed && round < MOST_ROUNDS; round++) {
		changed = false;
		for (u32 i = 0; i < p->ins.n; i++)
			for (u32 k = 0; k < p->ins.v[i].ndst; k++) {
				u32 result = ins_dst(p, &p->ins.v[i])[k];
				u8 *to = &f->v[result], n = rule(f, &p->ins.v[i], result);
				changed |= n < *to;
				*to = n < *to ? n : *to;
			}
	}
	if (changed)
		memset(f->v, 0, p->regs.n * sizeof *f->v);
}

/* How many instructions write each; 2: so many or more. */
static u8 *writers(const Program *p)
{
	u8 *n = xcalloc(p->regs.n + 1, sizeof *n);
	for (u32 i = 0; i < p->ins.n; i++)
		for (u32 k = 0; k < p->ins.v[i].ndst; k++) {
			u8 *at = &n[ins_dst(p, &p->ins.v[i])[k]];
			*at = *at ? 2 : 1;
		}
	return n;
}

/* ---- lowest bits ---- */

static u8 least(u32 a, u32 b) { return (u8)(a < b ? a : b); }

static u8 zeros_of(const Facts *f, const Ins *i, u32 result)
{
	(void)result;
	const u32 *src = ins_src(f->p, i);
	u8 a = i->nsrc > 0 ? f->v[src[0]] : 0, b = i->nsrc > 1 ? f->v[src[1]] : 0;
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
		const Reg *by = &f->p->regs.v[src[1]];
		u32 bits = i->op == OP_shl_i32 ? 32 : 64;
		return least(a + (by->kind == REG_CONST ? (u32)by->value % bits : 0), MOST_ZEROS);
	}
	default: return 0;
	}
}

u8 *low_zeros(const Program *p, Arena *a)
{
	Facts f = {.p = p, .v = ARENA_ARRAY(a, u8, p->regs.n + 1)};
	u8 *written = writers(p);
	for (u32 r = 0; r < p->regs.n; r++) {
		u64 value = (u64)p->regs.v[r].value;
		bool constant = p->regs.v[r].kind == REG_CONST;
		f.v[r] = constant      ? (u8)(value ? (u32)__builtin_ctzll(value) : MOST_ZEROS)
		         : written[r] ? MOST_ZEROS
		                      : 0;
	}
	free(written);
	settle(&f, zeros_of);
	return f.v;
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

/* ---- values that fit 32 bits ---- */

/* x - 1 is x + -1 to LLVM. */
static bool is_less(const Program *p, const Ins *i)
{
	const Reg *r = i->op == OP_add_i64 ? constant_of(p, i) : NULL;
	return r && (i64)r->value < 0 && (i64)r->value >= INT32_MIN;
}

/* Does it not depend on what changes from turn to turn of a loop? */
static u8 steady_of(const Facts *f, const Ins *i, u32 result)
{
	(void)result;
	bool steady = true;
	for (u32 k = 0; k < i->nsrc; k++)
		steady &= f->v[ins_src(f->p, i)[k]];
	return steady;
}

/* As far as registers show it: one of several writers may be a loop's, or of a branch. */
static u8 *steady_values(const Program *p, const u8 *written, Arena *a)
{
	Facts f = {.p = p, .v = ARENA_ARRAY(a, u8, p->regs.n + 1)};
	for (u32 r = 0; r < p->regs.n; r++)
		f.v[r] = written[r] < 2;
	settle(&f, steady_of);
	return f.v;
}

/* What is multiplied may be what a loop multiplies from turn to turn, and that grows beyond; its sums mostly do not. */
static u8 short_of(const Facts *f, const Ins *i, u32 result)
{
	const u32 *src = ins_src(f->p, i);
	u8 a = i->nsrc > 0 && f->v[src[0]], b = i->nsrc > 1 && f->v[src[1]];
	bool steady = i->nsrc > 0 && f->steady[src[0]] && (i->nsrc < 2 || f->steady[src[1]]);
	if (type_bytes[f->p->regs.v[result].type] < 8)
		return true;
	switch (i->op) {
	case OP_mov:
	case OP_udiv_i64:
	case OP_lshr_i64: return a;
	case OP_shl_i64: return a && steady && f->p->regs.v[src[1]].kind == REG_CONST && (u64)f->p->regs.v[src[1]].value < 32;
	case OP_urem_i64: return b;
	case OP_and_i64: return a || b;
	case OP_add_i64: return a && (b || is_less(f->p, i));
	case OP_sub_i64:
	case OP_or_i64: return a && b;
	case OP_mul_i64: return a && b && steady;
	case OP_select_i64: return b && f->v[src[2]];
	case OP_zext_i64_i32:
	case OP_sext_i64_i32: return true;
	case OP_ld: return f->loaded[result];
	default: return false;
	}
}

u8 *short_values(const Program *p, const bool *loaded, Arena *a)
{
	u8 *written = writers(p);
	Facts f = {.p = p, .v = ARENA_ARRAY(a, u8, p->regs.n + 1), .loaded = loaded,
	           .steady = steady_values(p, written, a)};
	for (u32 r = 0; r < p->regs.n; r++) {
		const Reg *at = &p->regs.v[r];
		f.v[r] = at->kind == REG_CONST ? (u64)at->value <= UINT32_MAX : written[r] || type_bytes[at->type] < 8;
	}
	free(written);
	settle(&f, short_of);
	return f.v;
}
