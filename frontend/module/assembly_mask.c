/* Comparisons, carries, and what they choose: a bit of each lane in VCC or in scalar registers, or SCC. */
#include "frontend/module/assembly_parts.h"

/* ---- where a bit is ---- */

static bool take_vcc(const char **p)
{
	static const char *const names[] = {"vcc_lo", "vcc"};
	scan_skip(p);
	for (u32 i = 0; i < COUNT(names); i++)
		if (scan_is(*p, scan_word(*p), names[i])) {
			*p += strlen(names[i]);
			return true;
		}
	return false;
}

/* A pair of scalar registers, or one where the chip's code is for wavefronts of 32 lanes. */
static u32 mask_bits(const Asm *a) { return a->m->chip_wave == 32 ? 32 : 64; }

/* The bit of this lane, in VCC or $N. */
static bool read_mask(Asm *a, const char **p, AsmFlag *out)
{
	if (take_vcc(p)) {
		*out = a->vcc;
		return out->known;
	}
	u32 n = asm_register(a, p, mask_bits(a));
	*out = (AsmFlag){.known = n < MOST_VALUES};
	if (!out->known || !a->b)
		return out->known;
	LLVMTypeRef word = asm_type(a, I32), t = LLVMIntTypeInContext(a->m->ctx, mask_bits(a));
	LLVMValueRef all = LLVMConstAllOnes(word), low[] = {all, LLVMConstInt(word, 0, 0)};
	LLVMValueRef in_low = llvm_intrinsic(a->m->mod, "llvm.amdgcn.mbcnt.lo", NULL, 0);
	LLVMValueRef in_high = llvm_intrinsic(a->m->mod, "llvm.amdgcn.mbcnt.hi", NULL, 0);
	LLVMValueRef high[] = {all, llvm_call(a->b, in_low, low, 2)}, lane = llvm_call(a->b, in_high, high, 2);
	lane = LLVMBuildIntCast2(a->b, lane, t, false, "");
	out->bit = LLVMBuildTrunc(a->b, LLVMBuildLShr(a->b, asm_value(a, n, t), lane, ""),
	                          LLVMInt1TypeInContext(a->m->ctx), "");
	return true;
}

/* Where a bit goes: VCC, which need not be named, or a result. */
typedef struct MaskTo {
	bool vcc;
	u32 result;
} MaskTo;

static bool mask_to(Asm *a, const char **p, MaskTo *to)
{
	to->vcc = take_vcc(p);
	to->result = MOST_VALUES;
	if (to->vcc)
		return true;
	to->result = asm_result(a, p, mask_bits(a));
	return to->result < a->nresults;
}

static void write_mask(Asm *a, const MaskTo *to, LLVMValueRef bit)
{
	if (to->vcc) {
		a->vcc = (AsmFlag){true, bit};
		return;
	}
	LLVMTypeRef t = LLVMIntTypeInContext(a->m->ctx, mask_bits(a));
	LLVMValueRef ballot = a->b ? llvm_intrinsic(a->m->mod, "llvm.amdgcn.ballot", &t, 1) : NULL;
	asm_write(a, to->result, ballot ? llvm_call(a->b, ballot, &bit, 1) : NULL);
}

/* ---- comparisons ---- */

typedef struct Predicate {
	const char *name;
	int of_signed, of_unsigned, of_float; /* 0: there is none */
} Predicate;

static const Predicate predicates[] = {
	{"lt", LLVMIntSLT, LLVMIntULT, LLVMRealOLT}, {"eq", LLVMIntEQ, LLVMIntEQ, LLVMRealOEQ},
	{"le", LLVMIntSLE, LLVMIntULE, LLVMRealOLE}, {"gt", LLVMIntSGT, LLVMIntUGT, LLVMRealOGT},
	{"ge", LLVMIntSGE, LLVMIntUGE, LLVMRealOGE}, {"ne", LLVMIntNE, LLVMIntNE, 0},
	{"lg", LLVMIntNE, LLVMIntNE, LLVMRealONE},   {"o", 0, 0, LLVMRealORD},
	{"u", 0, 0, LLVMRealUNO},                    {"nge", 0, 0, LLVMRealULT},
	{"nlg", 0, 0, LLVMRealUEQ},                  {"ngt", 0, 0, LLVMRealULE},
	{"nle", 0, 0, LLVMRealUGT},                  {"neq", 0, 0, LLVMRealUNE},
	{"nlt", 0, 0, LLVMRealUGE},
};

static const struct {
	const char *name;
	AsmType type;
	bool is_signed;
} compared[] = {
	{"i32", I32, true}, {"u32", I32, false}, {"i64", I64, true}, {"u64", I64, false},
	{"f16", F16, false}, {"f32", F32, false}, {"f64", F64, false},
};

static LLVMValueRef compare(const Asm *a, const Predicate *k, u32 type, LLVMValueRef x, LLVMValueRef y)
{
	AsmType t = compared[type].type;
	if (t == I32 || t == I64)
		return LLVMBuildICmp(a->b, (LLVMIntPredicate)(compared[type].is_signed ? k->of_signed : k->of_unsigned),
		                     x, y, "");
	return LLVMBuildFCmp(a->b, (LLVMRealPredicate)k->of_float, x, y, "");
}

/* PREDICATE_TYPE; NULL: it is none. */
static const Predicate *predicate_of(const char *word, size_t n, u32 *type)
{
	const char *bar = memchr(word, '_', n);
	if (!bar)
		return NULL;
	*type = 0;
	while (*type < COUNT(compared) && !scan_is(bar + 1, n - (size_t)(bar + 1 - word), compared[*type].name))
		++*type;
	for (u32 i = 0; *type < COUNT(compared) && i < COUNT(predicates); i++) {
		const Predicate *k = &predicates[i];
		bool whole = compared[*type].type == I32 || compared[*type].type == I64;
		if (scan_is(word, (size_t)(bar - word), k->name) && (whole ? k->of_signed : k->of_float))
			return k;
	}
	return NULL;
}

/* Operands up to the end of the line. */
static u32 operands(const char *p)
{
	u32 n = 0;
	while (*p) {
		p += strspn(p, ", \t");
		n += *p != 0;
		p += strcspn(p, ", \t");
	}
	return n;
}

static bool read_two(Asm *a, const char **p, AsmType t, LLVMValueRef x[2])
{
	for (u32 i = 0; i < 2; i++) {
		scan_take(p, ",");
		if (!(x[i] = asm_operand(a, p, t, false)))
			return false;
	}
	return true;
}

static bool at_end(const char *p)
{
	scan_skip(&p);
	return !*p;
}

static bool v_compare(Asm *a, const Predicate *k, u32 type, const char *p)
{
	MaskTo to = {.vcc = true};
	LLVMValueRef x[2];
	if ((operands(p) == 3 && !mask_to(a, &p, &to)) || !read_two(a, &p, compared[type].type, x) || !at_end(p))
		return false;
	write_mask(a, &to, a->b ? compare(a, k, type, x[0], x[1]) : NULL);
	return true;
}

static bool s_compare(Asm *a, const Predicate *k, u32 type, const char *p)
{
	LLVMValueRef x[2];
	if (!read_two(a, &p, compared[type].type, x) || !at_end(p))
		return false;
	a->scc = (AsmFlag){true, a->b ? compare(a, k, type, x[0], x[1]) : NULL};
	return true;
}

/* ---- what they choose ---- */

/* scc: by that one; else by the mask that is named, or VCC. The bit 1 chooses the second operand there, here the first.
 */
static bool choose(Asm *a, AsmType t, bool scc, const char *p)
{
	LLVMValueRef x[2];
	AsmFlag by = scc ? a->scc : a->vcc;
	u32 to = asm_result(a, &p, t == I64 ? 64 : 32);
	if (to == MOST_VALUES || !read_two(a, &p, t, x))
		return false;
	if (!scc && scan_take(&p, ",") && !read_mask(a, &p, &by))
		return false;
	if (!by.known || !at_end(p))
		return false;
	asm_write(a, to, a->b ? LLVMBuildSelect(a->b, by.bit, x[!scc], x[scc], "") : NULL);
	return true;
}

/* ---- carries ---- */

typedef struct Carry {
	const char *name;
	const char *gfx8, *gfx10; /* other names; before gfx9 VCC tells it from an addition without a carry */
	bool minus, swapped, in;
} Carry;

static const Carry carries[] = {
	{"v_add_co_u32", "v_add_u32", NULL, false, false, false},
	{"v_sub_co_u32", "v_sub_u32", NULL, true, false, false},
	{"v_subrev_co_u32", "v_subrev_u32", NULL, true, true, false},
	{"v_addc_co_u32", "v_addc_u32", "v_add_co_ci_u32", false, false, true},
	{"v_subb_co_u32", "v_subb_u32", "v_sub_co_ci_u32", true, false, true},
	{"v_subbrev_co_u32", "v_subbrev_u32", "v_subrev_co_ci_u32", true, true, true},
	{"s_add_u32", NULL, NULL, false, false, false},
	{"s_sub_u32", NULL, NULL, true, false, false},
	{"s_addc_u32", NULL, NULL, false, false, true},
	{"s_subb_u32", NULL, NULL, true, false, true},
};

/* *out: the carry, or the borrow, of x with y and in. */
static LLVMValueRef add(const Asm *a, const Carry *c, LLVMValueRef x, LLVMValueRef y, const AsmFlag *in,
                        LLVMValueRef *out)
{
	LLVMBuilderRef b = a->b;
	LLVMValueRef sum = c->minus ? LLVMBuildSub(b, x, y, "") : LLVMBuildAdd(b, x, y, "");
	*out = c->minus ? LLVMBuildICmp(b, LLVMIntULT, x, y, "") : LLVMBuildICmp(b, LLVMIntULT, sum, x, "");
	if (!in)
		return sum;
	LLVMValueRef one = LLVMBuildZExt(b, in->bit, LLVMTypeOf(x), ""), before = sum;
	sum = c->minus ? LLVMBuildSub(b, sum, one, "") : LLVMBuildAdd(b, sum, one, "");
	LLVMValueRef again = c->minus ? LLVMBuildICmp(b, LLVMIntULT, before, one, "")
	                              : LLVMBuildICmp(b, LLVMIntULT, sum, before, "");
	*out = LLVMBuildOr(b, *out, again, "");
	return sum;
}

static bool carry(Asm *a, const Carry *c, bool scalar, const char *p)
{
	MaskTo to = {.vcc = true};
	LLVMValueRef x[2], out = NULL;
	AsmFlag in = a->scc;
	u32 result = asm_result(a, &p, 32);
	scan_take(&p, ",");
	if (result == MOST_VALUES || (!scalar && !mask_to(a, &p, &to)) || !read_two(a, &p, I32, x))
		return false;
	if (c->in && !scalar) {
		scan_take(&p, ",");
		if (!read_mask(a, &p, &in))
			return false;
	}
	if ((c->in && !in.known) || !at_end(p))
		return false;
	asm_write(a, result, a->b ? add(a, c, x[c->swapped], x[!c->swapped], c->in ? &in : NULL, &out) : NULL);
	if (scalar)
		a->scc = (AsmFlag){true, out};
	else
		write_mask(a, &to, out);
	return true;
}

/* VCC stands between the result and the operands. */
static bool names_vcc(const char *p)
{
	const char *second = strchr(p, ',');
	second = second ? second + 1 : "";
	return take_vcc(&second);
}

static const Carry *carry_of(const char *word, size_t n, const char *p)
{
	for (u32 i = 0; i < COUNT(carries); i++) {
		const Carry *c = &carries[i];
		if (scan_is(word, n, c->name) || (c->gfx10 && scan_is(word, n, c->gfx10)) ||
		    (c->gfx8 && scan_is(word, n, c->gfx8) && names_vcc(p)))
			return c;
	}
	return NULL;
}

static AsmRead read_as(bool good) { return good ? ASM_GOOD : ASM_BAD; }

AsmRead asm_mask(Asm *a, const char *word, size_t n, const char *p)
{
	static const char v[] = "v_cmp_", s[] = "s_cmp_";
	const size_t front = sizeof v - 1;
	u32 type = 0;
	const Predicate *k = n > front ? predicate_of(word + front, n - front, &type) : NULL;
	bool of_lanes = k && !strncmp(word, v, front),
	     scalar = k && !strncmp(word, s, front) && compared[type].type != F16;
	bool chooses = scan_is(word, n, "v_cndmask_b32");
	bool by_scc = scan_is(word, n, "s_cselect_b32") || scan_is(word, n, "s_cselect_b64");
	const Carry *c = carry_of(word, n, p);
	if (!of_lanes && !scalar && !chooses && !by_scc && !c)
		return ASM_OTHER;
	if (asm_is_own(p)) { /* it shows in no value, but what the flags are nobody knows */
		a->vcc.known = a->scc.known = false;
		return ASM_GOOD;
	}
	return read_as(c          ? carry(a, c, *word == 's', p)
	               : of_lanes ? v_compare(a, k, type, p)
	               : scalar   ? s_compare(a, k, type, p)
	               : chooses  ? choose(a, I32, false, p)
	                          : choose(a, word[n - 2] == '6' ? I64 : I32, true, p));
}
