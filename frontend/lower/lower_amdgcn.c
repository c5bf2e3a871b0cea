/* Intrinsics of AMD's GPUs: one-instruction mathematics, bit fields, and values that cross
 * the lanes of a wavefront. The rows are amdgcn.def; those that are one operation for each
 * component are in lower.def.
 *
 * A pattern of lanes (ds_swizzle, DPP) becomes the number of the lane that each lane reads,
 * computed from its own number, and one bpermute. */
#include "frontend/lower/lowering.h"

#include "isa/matrix.h"

typedef struct Amd {
	Lower *l;
	LLVMValueRef v;
	const ValueShape *s; /* of the result */
	u32 x[5];       /* first components of the first operands */
	u32 *d;         /* first component of the result */
	u32 detail;
} Amd;

static u64 amd_imm(const Amd *a, u32 operand)
{
	u128 c = 0;
	lo_const_int(LLVMGetOperand(a->v, operand), &c);
	return (u64)c;
}

static u32 amd_i32(const Amd *a, u64 value) { return lo_c(a->l, T_i32, value); }

/* ---- mathematics ---- */

static bool amd_float(const Amd *a, Type t)
{
	return a->s->n == 1 && a->s->c[0].cls == C_FLT && a->s->c[0].type == t;
}

/* llvm.exp, log, sin … of a float as the code generator makes them: one instruction for
 * base 2 or for turns, and a factor. */
enum { SCALE_EXP, SCALE_LOG, SCALE_LOG10, SCALE_SIN, SCALE_COS };

static bool amd_scaled(Amd *a)
{
	static const struct { u32 factor; u16 op; bool before; } rows[] = {
		[SCALE_EXP] = {0x3fb8aa3b, OP_exp2_f32, true},         /* log2(e) */
		[SCALE_LOG] = {0x3f317218, OP_log2_f32, false},        /* ln(2) */
		[SCALE_LOG10] = {0x3e9a209b, OP_log2_f32, false},      /* log10(2) */
		[SCALE_SIN] = {0x3e22f983, OP_sin_turn_f32, true},     /* 1 / (2 pi) */
		[SCALE_COS] = {0x3e22f983, OP_cos_turn_f32, true},
	};
	const ValueShape *in = lo_shape(a->l, LLVMTypeOf(LLVMGetOperand(a->v, 0)));
	const u32 *x = lo_val(a->l, LLVMGetOperand(a->v, 0));
	u32 *d = lo_regs(a->l, in->n);
	for (u32 i = 0; i < in->n; i++) {
		if (in->c[i].type != T_f32)
			return false;
		u32 k = lo_c(a->l, T_f32, rows[a->detail].factor);
		u32 y = rows[a->detail].before ? lo_bin_on(a->l, OP_fmul_f32, x[i], k) : x[i];
		d[i] = lo_un(a->l, (Op)rows[a->detail].op, y);
		if (!rows[a->detail].before)
			d[i] = lo_bin_on(a->l, OP_fmul_f32, d[i], k);
	}
	a->d = d;
	return true;
}

/* Component i of the first operand: a half as the float that it is. */
static u32 amd_operand(const Amd *a, u32 i)
{
	LLVMValueRef v = LLVMGetOperand(a->v, 0);
	u32 x = lo_val(a->l, v)[i];
	return lo_shape(a->l, LLVMTypeOf(v))->c[i].cls == C_HALF ? lo_half_up(a->l, x) : x;
}

/* Of one number or a vector of them. */
static bool amd_ldexp(Amd *a)
{
	LLVMValueRef by = LLVMGetOperand(a->v, 1);
	const ValueShape *exponents = lo_shape(a->l, LLVMTypeOf(by));
	const u32 *e = lo_val(a->l, by);
	u32 *d = lo_regs(a->l, a->s->n);
	for (u32 i = 0; i < a->s->n; i++) {
		u32 x = amd_operand(a, i);
		u32 n = lo_sext(a->l, lo_signed(a->l, e[i], exponents->c[i].bits), T_i32);
		d[i] = lo_bin(a->l, lo_type(a->l, x) == T_f64 ? OP_ldexp_f64 : OP_ldexp_f32, x, n);
		d[i] = a->s->c[i].cls == C_HALF ? lo_half_down(a->l, d[i]) : d[i];
	}
	a->d = d;
	return true;
}

static u32 amd_exponent(const Amd *a, const Comp *result)
{
	u32 x = amd_operand(a, 0);
	u32 n = lo_un(a->l, lo_type(a->l, x) == T_f64 ? OP_frexp_exp_i32_f64 : OP_frexp_exp_i32_f32, x);
	return lo_cut(a->l, lo_zext(a->l, n, (Type)result->type), result->bits);
}

static bool amd_frexp_exp(Amd *a)
{
	*a->d = amd_exponent(a, &a->s->c[0]);
	return true;
}

/* {mantissa, exponent} */
static bool amd_frexp(Amd *a)
{
	if (a->s->n != 2)
		return false;
	u32 x = amd_operand(a, 0), *d = lo_regs(a->l, 2);
	d[0] = lo_un(a->l, lo_type(a->l, x) == T_f64 ? OP_frexp_mant_f64 : OP_frexp_mant_f32, x);
	d[0] = a->s->c[0].cls == C_HALF ? lo_half_down(a->l, d[0]) : d[0];
	d[1] = amd_exponent(a, &a->s->c[1]);
	a->d = d;
	return true;
}

static bool amd_trig_preop(Amd *a)
{
	*a->d = lo_bin(a->l, OP_trig_preop_f64, a->x[0], a->x[1]);
	return true;
}

/* div_scale, div_fmas and div_fixup are the steps of one division. Here the last computes
 * it, and nothing has to be scaled before. */
static bool amd_div_scale(Amd *a)
{
	u32 *d = lo_regs(a->l, 2);
	d[0] = amd_imm(a, 2) ? a->x[0] : a->x[1];
	d[1] = lo_c(a->l, T_b1, 0);
	a->d = d;
	return true;
}

static bool amd_div_fmas(Amd *a)
{
	*a->d = lo_ter(a->l, amd_float(a, T_f64) ? OP_fma_f64 : OP_fma_f32, a->x[0], a->x[1], a->x[2]);
	return true;
}

static bool amd_div_fixup(Amd *a)
{
	*a->d = lo_bin_on(a->l, OP_fdiv_f32, a->x[2], a->x[1]);
	return true;
}

/* ---- bits ---- */

/* Field of width c at bit b; a width of 0 gives 0. */
static bool amd_bfe(Amd *a)
{
	Lower *l = a->l;
	u32 width = lo_and(l, a->x[2], amd_i32(a, 31)), up, x;
	u32 empty = lo_bin_on(l, OP_eq_i8, width, amd_i32(a, 0));
	x = lo_bin_on(l, a->detail ? OP_ashr_i8 : OP_lshr_i8, a->x[0], lo_and(l, a->x[1], amd_i32(a, 31)));
	up = lo_and(l, lo_bin_on(l, OP_sub_i8, amd_i32(a, 32), width), amd_i32(a, 31));
	x = lo_bin_on(l, a->detail ? OP_ashr_i8 : OP_lshr_i8, lo_bin_on(l, OP_shl_i8, x, up), up);
	*a->d = lo_select(l, empty, amd_i32(a, 0), x);
	return true;
}

static bool amd_mul24(Amd *a)
{
	Lower *l = a->l;
	u32 x[2];
	for (u32 i = 0; i < 2; i++)
		x[i] = a->detail ? lo_signed(l, lo_and(l, a->x[i], amd_i32(a, 0xffffff)), 24)
		                 : lo_and(l, a->x[i], amd_i32(a, 0xffffff));
	*a->d = lo_bin_on(l, OP_mul_i8, x[0], x[1]);
	return true;
}

static bool amd_bytes(Amd *a)
{
	*a->d = lo_ter(a->l, (Op)a->detail, a->x[0], a->x[1], a->x[2]);
	return true;
}

/* Without what permutes its operands: broadcasts of blocks, and the last operand. */
static bool amd_matrix(Amd *a)
{
	enum { A, B, SUM, FIRST_IMM, ARGS = 6, MOST = 2 * 8 + MATRIX_MOST };
	u32 shape = matrix_named(LLVMGetValueName(LLVMGetCalledValue(a->v))), s[MOST], ns = 0;
	if (shape == MATRIX_COUNT || LLVMGetNumArgOperands(a->v) != ARGS ||
	    (a->l->m->wave && a->l->m->wave != MATRIX_LANES))
		return false;
	for (u32 i = FIRST_IMM; i < ARGS; i++)
		if (amd_imm(a, i))
			return false;
	for (u32 i = A; i <= SUM; i++) {
		LLVMValueRef v = LLVMGetOperand(a->v, i);
		const u32 *x = lo_val(a->l, v);
		for (u32 k = 0; k < lo_shape(a->l, LLVMTypeOf(v))->n && ns < MOST; k++)
			s[ns++] = x[k];
	}
	a->d = lo_regs(a->l, a->s->n);
	for (u32 k = 0; k < a->s->n; k++)
		a->d[k] = program_reg(a->l->p, (Type)a->s->c[k].type, REG_VECTOR, NULL);
	lo_emit(a->l, OP_matrix, a->d, a->s->n, s, ns)->imm = shape;
	return true;
}

/* Four bytes times four bytes, all added to a value, which saturates where it is asked to. */
static void dot4(Amd *a, const u32 x[2], const bool is_signed[2], u32 value, bool saturates)
{
	Lower *l = a->l;
	u32 sum = 0;
	for (u32 i = 0; i < 4; i++) {
		u32 part[2];
		for (u32 k = 0; k < 2; k++) {
			part[k] = lo_and(l, lo_lshr(l, x[k], 8 * i), amd_i32(a, 0xff));
			part[k] = is_signed[k] ? lo_signed(l, part[k], 8) : part[k];
		}
		u32 product = lo_bin_on(l, OP_mul_i8, part[0], part[1]);
		sum = i ? lo_bin_on(l, OP_add_i8, sum, product) : product;
	}
	Op add = !saturates ? OP_add_i8 : is_signed[0] || is_signed[1] ? OP_sadd_sat_i8 : OP_uadd_sat_i8;
	*a->d = lo_bin_on(l, add, sum, value);
}

static bool amd_dot4(Amd *a)
{
	dot4(a, a->x, (bool[]){a->detail, a->detail}, a->x[2], amd_imm(a, 3));
	return true;
}

static bool amd_sudot4(Amd *a)
{
	dot4(a, (u32[]){a->x[1], a->x[3]}, (bool[]){amd_imm(a, 0), amd_imm(a, 2)}, a->x[4], amd_imm(a, 5));
	return true;
}

static bool amd_alignbyte(Amd *a)
{
	u32 n = lo_shl(a->l, lo_and(a->l, a->x[2], amd_i32(a, 3)), 3);
	*a->d = lo_ter(a->l, OP_fshr_i32, a->x[0], a->x[1], n);
	return true;
}

/* ---- across lanes ---- */

static u32 amd_lane(const Amd *a)
{
	u32 d = program_reg(a->l->p, T_i32, REG_VECTOR, NULL);
	lo_emit(a->l, OP_query, &d, 1, NULL, 0)->aux = QUERY_lane_id;
	return d;
}

static u32 amd_scalar(Amd *a, Op op, Type t, const u32 *s, u32 n)
{
	u32 d = program_reg(a->l->p, t, REG_SCALAR, NULL);
	lo_emit(a->l, op, &d, 1, s, n);
	return lo_shared(a->l, a->v, d);
}

static u32 amd_bpermute(Amd *a, u32 from, u32 x)
{
	u32 d = program_reg(a->l->p, lo_type(a->l, x), REG_VECTOR, NULL), s[2] = {from, x};
	lo_emit(a->l, OP_bpermute, &d, 1, s, 2);
	return d;
}

/* Ones of a below this lane, plus b; the mask covers lanes 0–31 (lo) or 32–63 (hi). */
static bool amd_mbcnt(Amd *a)
{
	Lower *l = a->l;
	u32 lane = amd_lane(a), below;
	if (a->detail)
		lane = lo_bin_on(l, OP_usub_sat_i8, lane, amd_i32(a, 32));
	lane = lo_zext(l, lo_bin_on(l, OP_umin_i8, lane, amd_i32(a, 32)), T_i64);
	below = lo_bin_on(l, OP_shl_i8, lo_c(l, T_i64, 1), lane);
	below = lo_zext(l, lo_bin_on(l, OP_sub_i8, below, lo_c(l, T_i64, 1)), T_i32);
	below = lo_un_on(l, OP_ctpop_i8, lo_and(l, a->x[0], below));
	*a->d = lo_bin_on(l, OP_add_i8, below, a->x[1]);
	return true;
}

static bool amd_readfirst(Amd *a)
{
	*a->d = amd_scalar(a, OP_readfirst, (Type)a->s->c[0].type, a->x, 1);
	return true;
}

static bool amd_readlane(Amd *a)
{
	u32 s[2] = {a->x[0], a->x[1]}, first;
	if (a->l->p->regs.v[s[1]].kind == REG_VECTOR) {
		first = program_reg(a->l->p, T_i32, REG_SCALAR, NULL);
		lo_emit(a->l, OP_readfirst, &first, 1, &s[1], 1);
		s[1] = first;
	}
	*a->d = amd_scalar(a, OP_readlane, (Type)a->s->c[0].type, s, 2);
	return true;
}

/* The mask of lanes where it holds, without its lowest bits. */
static bool amd_mask_from(Amd *a, u32 condition, u32 from)
{
	u32 mask = amd_scalar(a, OP_ballot, T_i64, &condition, 1);
	*a->d = lo_zext(a->l, from ? lo_lshr(a->l, mask, from) : mask, (Type)a->s->c[0].type);
	return true;
}

static bool amd_mask(Amd *a, u32 condition) { return amd_mask_from(a, condition, 0); }

static bool amd_ballot(Amd *a) { return amd_mask(a, a->x[0]); }

/* The execution mask: what LLVM makes of a ballot over a condition that is true in every lane. */
static bool amd_exec(Amd *a)
{
	const char *name = llvm_operand_text(a->l->arena, LLVMGetOperand(a->v, 0), 0);
	bool high = name && !strcmp(name, "exec_hi");
	if (!name || (!high && strcmp(name, "exec") != 0 && strcmp(name, "exec_lo") != 0))
		return false;
	return amd_mask_from(a, lo_c(a->l, T_b1, 1), high ? 32 : 0);
}

static bool amd_compare(Amd *a)
{
	const Comp *k = &lo_shape(a->l, LLVMTypeOf(LLVMGetOperand(a->v, 0)))->c[0];
	u32 predicate = (u32)amd_imm(a, 2);
	if (a->detail ? predicate > LLVMRealPredicateTrue
	              : predicate < LLVMIntEQ || predicate > LLVMIntSLE)
		return false;
	return amd_mask(a, a->detail
	                       ? lo_fcmp(a->l, (LLVMRealPredicate)predicate, k, a->x[0], a->x[1])
	                       : lo_icmp(a->l, (LLVMIntPredicate)predicate, k, a->x[0], a->x[1]));
}

/* The lane's number in bytes, as an LDS address would be. */
static bool amd_ds_bpermute(Amd *a)
{
	*a->d = amd_bpermute(a, lo_lshr(a->l, a->x[0], 2), a->x[1]);
	return true;
}

/* f(lane within 2^bits) put back into the lane's number. */
static u32 amd_within(Amd *a, u32 lane, u32 low, u32 bits)
{
	u32 mask = (1u << bits) - 1;
	return lo_or(a->l, lo_and(a->l, lane, amd_i32(a, ~mask)),
	             lo_and(a->l, low, amd_i32(a, mask)));
}

/* Each lane of four reads the one that its two bits of `pattern` name. */
static u32 amd_quad(Amd *a, u32 lane, u32 pattern)
{
	u32 n = lo_shl(a->l, lo_and(a->l, lane, amd_i32(a, 3)), 1);
	return amd_within(a, lane, lo_bin_on(a->l, OP_lshr_i8, amd_i32(a, pattern), n), 2);
}

/* Within 32 lanes: reversed bits for a Fourier transform, a rotation, four lanes, or and-or-xor. */
static bool amd_ds_swizzle(Amd *a)
{
	Lower *l = a->l;
	u32 pattern = (u32)amd_imm(a, 1) & 0xffff, mask = pattern & 31, more = pattern >> 5 & 31;
	u32 lane = amd_lane(a), keep = lo_and(l, lane, amd_i32(a, mask)), low;
	if (pattern >= 0xe000) {
		u32 by = 27 + (u32)__builtin_popcount(mask);
		low = mask == 31 ? lane : lo_or(l, lo_lshr(l, lo_un_on(l, OP_bitrev_i8, lane), by), keep);
	} else if (pattern >= 0xc000) {
		more = pattern >> 10 & 1 ? 32 - more : more;
		low = lo_bin_on(l, OP_add_i8, lane, amd_i32(a, more));
		low = lo_or(l, lo_and(l, low, amd_i32(a, ~mask)), keep);
	} else if (pattern & 0x8000) {
		*a->d = amd_bpermute(a, amd_quad(a, lane, pattern & 0xff), a->x[0]);
		return true;
	} else {
		low = lo_xor(l, lo_or(l, keep, amd_i32(a, more)), amd_i32(a, pattern >> 10 & 31));
	}
	*a->d = amd_bpermute(a, amd_within(a, lane, low, 5), a->x[0]);
	return true;
}

/* ---- data-parallel primitives: update.dpp ---- */

enum {
	DPP_QUAD_PERM = 0x000, DPP_ROW_SHL = 0x100, DPP_ROW_SHR = 0x110, DPP_ROW_ROR = 0x120,
	DPP_WAVE_SHL = 0x130, DPP_WAVE_ROL = 0x134, DPP_WAVE_SHR = 0x138, DPP_WAVE_ROR = 0x13c,
	DPP_ROW_MIRROR = 0x140, DPP_ROW_HALF_MIRROR = 0x141, DPP_ROW_BCAST15 = 0x142,
	DPP_ROW_BCAST31 = 0x143, DPP_ROW_SHARE = 0x150, DPP_ROW_XMASK = 0x160,
};

static u32 amd_less(const Amd *a, u32 x, u32 y) { return lo_bin_on(a->l, OP_ult_i8, x, y); }

/* Reads of rows of 16 lanes: the lane read and whether it lies in the row. */
static bool dpp_row(Amd *a, u32 ctrl, u32 lane, u32 *from, u32 *valid)
{
	Lower *l = a->l;
	u32 n = amd_i32(a, ctrl & 15), low = lo_and(l, lane, amd_i32(a, 15)), to;
	switch (ctrl & ~15u) {
	case DPP_ROW_SHL:
		to = lo_bin_on(l, OP_add_i8, low, n);
		*valid = amd_less(a, to, amd_i32(a, 16));
		break;
	case DPP_ROW_SHR:
		to = lo_bin_on(l, OP_sub_i8, low, n);
		*valid = lo_not(l, amd_less(a, low, n));
		break;
	case DPP_ROW_ROR: to = lo_bin_on(l, OP_sub_i8, low, n); break;
	case DPP_ROW_SHARE: to = n; break;
	case DPP_ROW_XMASK: to = lo_xor(l, low, n); break;
	default: return false;
	}
	*from = amd_within(a, lane, to, 4);
	return true;
}

static bool dpp_wave(Amd *a, u32 ctrl, u32 lane, u32 *from, u32 *valid)
{
	Lower *l = a->l;
	u32 wave = program_reg(l->p, T_i32, REG_SCALAR, NULL), one = amd_i32(a, 1), row;
	lo_emit(l, OP_query, &wave, 1, NULL, 0)->aux = QUERY_wave_size;
	switch (ctrl) {
	case DPP_WAVE_SHL:
	case DPP_WAVE_ROL:
		*from = lo_bin_on(l, OP_add_i8, lane, one); /* modulo the wave: bpermute */
		if (ctrl == DPP_WAVE_SHL)
			*valid = amd_less(a, *from, wave);
		return true;
	case DPP_WAVE_SHR:
	case DPP_WAVE_ROR:
		*from = lo_bin_on(l, OP_sub_i8, lo_bin_on(l, OP_add_i8, lane, wave), one);
		if (ctrl == DPP_WAVE_SHR)
			*valid = lo_bin_on(l, OP_ne_i8, lane, amd_i32(a, 0));
		return true;
	case DPP_ROW_MIRROR: *from = lo_xor(l, lane, amd_i32(a, 15)); return true;
	case DPP_ROW_HALF_MIRROR: *from = lo_xor(l, lane, amd_i32(a, 7)); return true;
	case DPP_ROW_BCAST15: /* the last lane of the row before */
		row = lo_and(l, lane, amd_i32(a, ~15u));
		*from = lo_bin_on(l, OP_sub_i8, row, one);
		*valid = lo_bin_on(l, OP_ne_i8, row, amd_i32(a, 0));
		return true;
	case DPP_ROW_BCAST31:
		*from = amd_i32(a, 31);
		*valid = lo_not(l, amd_less(a, lane, amd_i32(a, 32)));
		return true;
	default: return false;
	}
}

/* Is the bit of the lane's group set in a mask of four? */
static u32 dpp_enabled(Amd *a, u32 lane, u32 shift, u64 mask)
{
	Lower *l = a->l;
	u32 group = lo_and(l, lo_lshr(l, lane, shift), amd_i32(a, 3));
	return lo_zext(l, lo_bin_on(l, OP_lshr_i8, amd_i32(a, mask & 15), group), T_b1);
}

static bool amd_dpp(Amd *a)
{
	Lower *l = a->l;
	u32 ctrl = (u32)amd_imm(a, 2), lane = amd_lane(a), from, valid = lo_c(l, T_b1, 1), active, x;
	if (ctrl < DPP_ROW_SHL)
		from = amd_quad(a, lane, ctrl);
	else if (!dpp_row(a, ctrl, lane, &from, &valid) && !dpp_wave(a, ctrl, lane, &from, &valid))
		return false;
	/* A lane that is switched off cannot be read. */
	active = amd_bpermute(a, from, lo_c(l, T_b1, 1));
	valid = lo_and(l, valid, active);
	x = amd_bpermute(a, from, a->x[1]);
	x = lo_select(l, valid, x, amd_imm(a, 5) ? lo_c(l, lo_type(l, x), 0) : a->x[0]);
	u32 on = lo_and(l, dpp_enabled(a, lane, 4, amd_imm(a, 3)),
	                dpp_enabled(a, lane, 2, amd_imm(a, 4)));
	*a->d = lo_select(l, on, x, a->x[0]);
	return true;
}

/* Each lane of 16 reads the one that its four bits of two words name; detail 16: of the other half of 32. */
static bool amd_permlane(Amd *a)
{
	Lower *l = a->l;
	u32 lane = amd_lane(a), low = lo_and(l, lane, amd_i32(a, 15));
	u32 word = lo_select(l, amd_less(a, low, amd_i32(a, 8)), a->x[2], a->x[3]);
	u32 at = lo_bin_on(l, OP_lshr_i8, word, lo_shl(l, lo_and(l, lane, amd_i32(a, 7)), 2));
	u32 from = lo_xor(l, amd_within(a, lane, at, 4), amd_i32(a, a->detail));
	u32 active = amd_bpermute(a, from, lo_c(l, T_b1, 1)), x = amd_bpermute(a, from, a->x[1]);
	*a->d = lo_select(l, active, x, amd_imm(a, 5) ? lo_c(l, lo_type(l, x), 0) : a->x[0]);
	return true;
}

/* ---- memory ---- */

static bool amd_atomic(Amd *a)
{
	if (!lo_rmw_as(a->l, a->v, (AtomicOp)a->detail, SYNC_ATOMIC))
		return false;
	a->d = NULL;
	return true;
}

/* ---- time ---- */

/* Clocks stand still: what time it is belongs to the estimate, not to the run. */
static bool amd_clock(Amd *a)
{
	*a->d = lo_c(a->l, T_i64, 0);
	return true;
}

/* ---- flat addresses ---- */

static bool amd_is_space(Amd *a)
{
	u32 top = lo_and(a->l, a->x[0], lo_c(a->l, T_i64, APERTURE_MASK));
	*a->d = lo_bin_on(a->l, OP_eq_i8, top,
	                lo_c(a->l, T_i64, a->detail ? APERTURE_LDS : APERTURE_PRIVATE));
	return true;
}

/* ---- dispatch ---- */

typedef struct AmdRow {
	const char *name;
	bool (*run)(Amd *a);
	u32 detail;
} AmdRow;

static const AmdRow rows[] = {
#define AMD(name, run, detail) {name, run, detail},
#include "frontend/lower/amdgcn.def"
};

bool lo_amdgcn(Lower *l, LLVMValueRef v, const char *name)
{
	for (u32 i = 0; i < COUNT(rows); i++) {
		size_t n = strlen(rows[i].name);
		if (strncmp(name, rows[i].name, n) || (name[n] && name[n] != '.'))
			continue;
		Amd a = {.l = l, .v = v, .s = lo_shape(l, LLVMTypeOf(v)), .detail = rows[i].detail};
		u32 args = LLVMGetNumArgOperands(v), d;
		for (u32 k = 0; k < args && k < COUNT(a.x); k++) {
			LLVMValueRef x = LLVMGetOperand(v, k);
			if (LLVMGetTypeKind(LLVMTypeOf(x)) != LLVMMetadataTypeKind)
				a.x[k] = lo_val1(l, x);
		}
		a.d = &d;
		if (!rows[i].run(&a))
			return false;
		if (a.d)
			lo_set(l, v, a.d);
		return true;
	}
	return false;
}
