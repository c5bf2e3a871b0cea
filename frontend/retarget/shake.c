/* Moving the results of built-in functions: see shake.h.
 *
 * Calls of the kernel's own functions are changed where they stand, through memory: x86 passes vectors in registers of
 * other types or by address. What is added works with integers, on the bits of floats. What the kernel's own code
 * leaves open is in shake_own.c. */
#include "frontend/retarget/shake.h"

#include "frontend/module/mangled.h"
#include "frontend/retarget/amdlib.h"

#include <llvm-c/DebugInfo.h>
#include <math.h>

typedef struct Shaker {
	FeModule *m;
	LLVMBuilderRef b;
	LLVMValueRef call;
	Mangled name;
	u32 bits, numbers; /* that it takes */
	u32 lanes;         /* of them in memory */
} Shaker;

/* Is its result in memory, which its first argument points to? */
static bool is_void(const Shaker *s) { return LLVMGetTypeKind(LLVMTypeOf(s->call)) == LLVMVoidTypeKind; }

/* ---- numbers as integers ---- */

static LLVMTypeRef ints(const Shaker *s, u32 bits, u32 n)
{
	LLVMTypeRef t = LLVMIntTypeInContext(s->m->ctx, bits);
	return n == 1 ? t : LLVMVectorType(t, n);
}

static LLVMValueRef same(const Shaker *s, u32 bits, u32 n, u64 v)
{
	LLVMTypeRef t = LLVMIntTypeInContext(s->m->ctx, bits);
	return llvm_integers(n == 1 ? t : LLVMVectorType(t, n), v);
}

static LLVMValueRef load(const Shaker *s, LLVMTypeRef t, LLVMValueRef at)
{
	LLVMValueRef v = LLVMBuildLoad2(s->b, t, at, "");
	LLVMSetAlignment(v, 1);
	return v;
}

static LLVMValueRef store(const Shaker *s, LLVMValueRef v, LLVMValueRef at)
{
	LLVMValueRef i = LLVMBuildStore(s->b, v, at);
	LLVMSetAlignment(i, 1);
	return i;
}

/* Room for a value, made once in each run of the function. */
static LLVMValueRef room(const Shaker *s, LLVMTypeRef t)
{
	LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(s->call));
	LLVMBuilderRef b = LLVMCreateBuilderInContext(s->m->ctx);
	LLVMPositionBuilderBefore(b, llvm_entry(f));
	LLVMValueRef place = LLVMBuildAlloca(b, t, "");
	LLVMSetAlignment(place, 16);
	LLVMDisposeBuilder(b);
	return place;
}

static u32 bytes_of(const Shaker *s, LLVMTypeRef t)
{
	return (u32)(LLVMSizeOfTypeInBits(LLVMGetModuleDataLayout(s->m->mod), t) / 8);
}

static u64 infinity_of(u32 bits) { return bits == 64 ? 0x7FF0000000000000u : bits == 32 ? 0x7F800000 : 0x7C00; }

/* Numbers, so many steps further from 0 or nearer to it, but for 0, infinity and NaN. */
static LLVMValueRef moved(const Shaker *s, LLVMValueRef x, u32 n, u64 steps)
{
	u32 bits = s->bits;
	bool second = s->m->builtins == BUILTINS_SHAKEN_3;
	u64 odd = (second ? 0xC2B2AE3D27D4EB4Fu : 0x9E3779B97F4A7C15u) >> (64 - bits) | 1;
	LLVMBuilderRef b = s->b;
	LLVMValueRef sign = LLVMBuildAnd(b, x, same(s, bits, n, (u64)1 << (bits - 1)), "");
	LLVMValueRef size = LLVMBuildAnd(b, x, same(s, bits, n, ((u64)1 << (bits - 1)) - 1), "");
	LLVMValueRef by = same(s, bits, n, steps), none = same(s, bits, n, 0);
	LLVMValueRef hash = LLVMBuildMul(b, x, same(s, bits, n, odd), "");
	LLVMIntPredicate up = s->m->builtins == BUILTINS_SHAKEN_2 ? LLVMIntSLT : LLVMIntSGE;
	LLVMValueRef way = LLVMBuildICmp(b, up, hash, none, "");
	LLVMValueRef less = LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntUGT, size, by, ""),
	                                    LLVMBuildSub(b, size, by, ""), none, "");
	LLVMValueRef to = LLVMBuildSelect(b, way, LLVMBuildAdd(b, size, by, ""), less, "");
	LLVMValueRef number = LLVMBuildICmp(b, LLVMIntULT, LLVMBuildSub(b, size, same(s, bits, n, 1), ""),
	                                    same(s, bits, n, infinity_of(bits) - 1), "");
	return LLVMBuildOr(b, sign, LLVMBuildSelect(b, number, to, size, ""), "");
}

static void move_memory(const Shaker *s, LLVMValueRef from, LLVMValueRef at, u32 n, u64 steps)
{
	store(s, moved(s, load(s, ints(s, s->bits, n), from), n, steps), at);
}

/* ---- errors ---- */

/* Results that are small because others cancel are as wrong as these: so are the arguments moved. */
static void move_arguments(const Shaker *s, u64 steps, bool by_address)
{
	LLVMPositionBuilderBefore(s->b, s->call);
	for (u32 i = by_address; i < LLVMGetNumArgOperands(s->call); i++) {
		LLVMValueRef v = LLVMGetOperand(s->call, i);
		LLVMTypeRef t = LLVMTypeOf(v);
		bool pointer = LLVMGetTypeKind(t) == LLVMPointerTypeKind;
		u32 n = pointer ? s->lanes : bytes_of(s, t) * 8 / s->bits;
		LLVMValueRef place = room(s, pointer ? ints(s, s->bits, n) : t);
		if (!n)
			continue;
		if (!pointer)
			store(s, v, place);
		move_memory(s, pointer ? v : place, place, n, steps);
		LLVMSetOperand(s->call, i, pointer ? place : load(s, t, place));
	}
}

/* The result goes through memory; what is done there is up to change. */
static void change_result(const Shaker *s, void (*change)(const Shaker *s, LLVMValueRef at, u32 bytes, void *ctx),
                          void *ctx)
{
	LLVMTypeRef t = LLVMTypeOf(s->call);
	LLVMPositionBuilderBefore(s->b, LLVMGetNextInstruction(s->call));
	LLVMValueRef place = room(s, t), kept = store(s, s->call, place);
	change(s, place, bytes_of(s, t), ctx);
	LLVMValueRef result = load(s, t, place);
	LLVMReplaceAllUsesWith(s->call, result);
	LLVMSetOperand(kept, 0, s->call);
}

static void move_all(const Shaker *s, LLVMValueRef at, u32 bytes, void *steps)
{
	if (bytes * 8 >= s->bits)
		move_memory(s, at, at, bytes * 8 / s->bits, *(u64 *)steps);
}

static void shake(const Shaker *s, double ulps)
{
	enum { MOST_HALF = 8 };
	u64 steps = (u64)ceil(2 * (s->bits == 16 && ulps > MOST_HALF ? MOST_HALF : ulps));
	bool none = is_void(s);
	u32 n = LLVMGetNumArgOperands(s->call);
	if (!steps || !n)
		return;
	if (amdlib_cancels(&s->name))
		move_arguments(s, steps, none);
	LLVMPositionBuilderBefore(s->b, LLVMGetNextInstruction(s->call));
	if (mangled_begins(&s->name, "sincos")) {
		LLVMValueRef at = LLVMGetOperand(s->call, n - 1);
		move_memory(s, at, at, s->lanes, steps);
	}
	if (none)
		move_memory(s, LLVMGetOperand(s->call, 0), LLVMGetOperand(s->call, 0), s->lanes, steps);
	else
		change_result(s, move_all, &steps);
}

/* ---- results that are open ---- */

/* The numbers of an argument, as integers. */
static LLVMValueRef argument(const Shaker *s, u32 i, u32 bits)
{
	LLVMValueRef v = LLVMGetOperand(s->call, i), place = v;
	if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMPointerTypeKind) {
		place = room(s, LLVMTypeOf(v));
		store(s, v, place);
	}
	return load(s, ints(s, bits, s->lanes), place);
}

/* The largest float whose bits count as one of `bits` whole ones. */
static u64 largest_of(u32 bits, u32 of)
{
	double past = ldexp(1, (int)bits);
	double d = bits <= 53 && of == 64 ? past - 1 : past;
	float f = bits <= 24 ? (float)(past - 1) : (float)past;
	u64 wide;
	u32 narrow;
	memcpy(&wide, &d, sizeof wide);
	memcpy(&narrow, &f, sizeof narrow);
	return of == 64 ? wide - (bits > 53) : narrow - (bits > 24);
}

static u64 power_of(u32 bits, u32 of)
{
	return of == 64 ? (u64)(1023 + bits) << 52 : (u64)(127 + bits) << 23;
}

/* Which numbers does a conversion say nothing of? */
static LLVMValueRef out_of_range(const Shaker *s, const char *name, bool by_address)
{
	static const struct { const char *name; u32 bits;
	} types[] = {{"char", 8}, {"short", 16}, {"int", 32}, {"long", 64}};
	const char *type = name + strlen("convert_");
	bool is_signed = *type != 'u';
	u32 bits = 0, n = s->lanes;
	for (u32 i = 0; i < COUNT(types); i++)
		if (!strncmp(type + !is_signed, types[i].name, strlen(types[i].name)))
			bits = types[i].bits - is_signed;
	u64 top = infinity_of(s->bits), above = largest_of(bits, s->bits);
	u64 below = is_signed ? power_of(bits, s->bits) : 0;
	if (strstr(name, "_sat"))
		above = below = top;
	LLVMValueRef x = argument(s, by_address, s->bits);
	LLVMValueRef size = LLVMBuildAnd(s->b, x, same(s, s->bits, n, ((u64)1 << (s->bits - 1)) - 1), "");
	LLVMValueRef negative = LLVMBuildICmp(s->b, LLVMIntSLT, x, same(s, s->bits, n, 0), "");
	LLVMValueRef most = LLVMBuildSelect(s->b, negative, same(s, s->bits, n, below), same(s, s->bits, n, above), "");
	return LLVMBuildICmp(s->b, LLVMIntUGT, size, most, "");
}

/* mul24, mad24: is there more than 24 bits of a factor? */
static LLVMValueRef too_wide(const Shaker *s, bool by_address)
{
	LLVMValueRef any = NULL;
	for (u32 i = by_address; i < (u32)by_address + 2; i++) {
		LLVMValueRef x = argument(s, i, 32), eight = same(s, 32, s->lanes, 8);
		LLVMValueRef up = LLVMBuildShl(s->b, x, eight, "");
		LLVMValueRef back = strchr(s->name.params, 'j') ? LLVMBuildLShr(s->b, up, eight, "")
		                                                : LLVMBuildAShr(s->b, up, eight, "");
		LLVMValueRef wide = LLVMBuildICmp(s->b, LLVMIntNE, x, back, "");
		any = any ? LLVMBuildOr(s->b, any, wide, "") : wide;
	}
	return any;
}

/* Argument i as floats, one for all lanes where the function takes one. */
static LLVMValueRef floats(const Shaker *s, u32 i)
{
	LLVMTypeRef one = s->bits == 64 ? LLVMDoubleTypeInContext(s->m->ctx) : LLVMFloatTypeInContext(s->m->ctx);
	LLVMValueRef v = LLVMGetOperand(s->call, i);
	if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMGetTypeKind(one)) {
		LLVMValueRef all = LLVMGetUndef(s->lanes == 1 ? one : LLVMVectorType(one, s->lanes));
		for (u32 k = 0; s->lanes > 1 && k < s->lanes; k++)
			all = LLVMBuildInsertElement(s->b, all, v, same(s, 32, 1, k), "");
		return s->lanes == 1 ? v : all;
	}
	return LLVMBuildBitCast(s->b, argument(s, i, s->bits), LLVMVectorType(one, s->lanes), "");
}

/* clamp, smoothstep: is the lower limit not below the upper one? (NaN is no limit.) */
static LLVMValueRef no_range(const Shaker *s, bool by_address)
{
	bool clamp = mangled_is(&s->name, "clamp");
	LLVMValueRef low = floats(s, by_address + clamp), high = floats(s, by_address + clamp + 1u);
	return LLVMBuildFCmp(s->b, clamp ? LLVMRealUGT : LLVMRealUGE, low, high, "");
}

/* dot: do its products, or their sums in some order, overflow, of numbers that are none of them infinite? (Its error is
 * a part of the all_finite product.) */
static LLVMValueRef sum_overflows(const Shaker *s)
{
	LLVMTypeRef one = s->bits == 64 ? LLVMDoubleTypeInContext(s->m->ctx) : LLVMFloatTypeInContext(s->m->ctx);
	LLVMValueRef size = llvm_intrinsic(s->m->mod, "llvm.fabs", &one, 1), sum = NULL, all_finite = NULL;
	LLVMValueRef infinite = LLVMConstReal(one, (double)INFINITY), vector[2] = {floats(s, 0), floats(s, 1)};
	for (u32 i = 0; i < s->numbers; i++) {
		LLVMValueRef x[2];
		for (u32 k = 0; k < 2; k++) {
			x[k] =
			    s->lanes == 1 ? vector[k] : LLVMBuildExtractElement(s->b, vector[k], same(s, 32, 1, i), "");
			x[k] = LLVMBuildCall2(s->b, LLVMGlobalGetValueType(size), size, &x[k], 1, "");
			LLVMValueRef finite = LLVMBuildFCmp(s->b, LLVMRealOLT, x[k], infinite, "");
			all_finite = all_finite ? LLVMBuildAnd(s->b, all_finite, finite, "") : finite;
		}
		LLVMValueRef p = LLVMBuildFMul(s->b, x[0], x[1], "");
		sum = sum ? LLVMBuildFAdd(s->b, sum, p, "") : p;
	}
	return LLVMBuildAnd(s->b, all_finite, LLVMBuildFCmp(s->b, LLVMRealOEQ, sum, infinite, ""), "");
}

/* Is the size of a float, of 32 bits, larger? */
static LLVMValueRef larger(const Shaker *s, LLVMValueRef x, u64 than)
{
	LLVMValueRef size = LLVMBuildAnd(s->b, x, same(s, 32, s->lanes, INT32_MAX), "");
	return LLVMBuildICmp(s->b, LLVMIntUGT, size, same(s, 32, s->lanes, than), "");
}

/* half_: is it beyond 2^16? */
static LLVMValueRef beyond_half(const Shaker *s, bool by_address)
{
	return larger(s, argument(s, by_address, 32), power_of(16, 32));
}

/* What is done to a result that is open. */
typedef struct Flip {
	LLVMValueRef which;  /* lanes that are; one answer: of all */
	bool no_number;      /* so is a result that is infinite or NaN */
	u32 each, low; /* bytes of a number, and the lowest of them that are changed: of NaN those that leave it one */
} Flip;

static bool is_vector(LLVMValueRef v) { return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind; }

static LLVMValueRef no_number(const Shaker *s, LLVMValueRef x)
{
	LLVMValueRef infinity = same(s, s->bits, s->lanes, infinity_of(s->bits));
	return LLVMBuildICmp(s->b, LLVMIntEQ, LLVMBuildAnd(s->b, x, infinity, ""), infinity, "");
}

static void flip(const Shaker *s, LLVMValueRef at, u32 bytes, const Flip *f)
{
	enum { OTHER_BITS = 0x55 };
	LLVMTypeRef byte = ints(s, 8, 1);
	u32 lanes = is_vector(f->which) ? LLVMGetVectorSize(LLVMTypeOf(f->which)) : bytes;
	for (u32 i = 0; i < bytes && i / f->each < lanes; i++) {
		u32 lane = i / f->each;
		LLVMValueRef index = same(s, 32, 1, i), p = LLVMBuildGEP2(s->b, byte, at, &index, 1, "");
		LLVMValueRef open = is_vector(f->which)
		                        ? LLVMBuildExtractElement(s->b, f->which, same(s, 32, 1, lane), "") : f->which;
		LLVMValueRef by = LLVMBuildSelect(s->b, open, same(s, 8, 1, OTHER_BITS), same(s, 8, 1, 0), "");
		if (i % f->each < f->low)
			store(s, LLVMBuildXor(s->b, load(s, byte, p), by, ""), p);
	}
}

static void flip_result(const Shaker *s, LLVMValueRef at, u32 bytes, void *ctx)
{
	Flip f = *(const Flip *)ctx;
	if (f.no_number && bytes * 8 >= s->bits * s->numbers)
		f.which = LLVMBuildOr(s->b, f.which, no_number(s, load(s, ints(s, s->bits, s->lanes), at)), "");
	flip(s, at, bytes, &f);
}

/* f.which is of before the call. */
static void flip_after(const Shaker *s, Flip f)
{
	if (!is_void(s)) {
		change_result(s, flip_result, &f);
		return;
	}
	LLVMPositionBuilderBefore(s->b, LLVMGetNextInstruction(s->call));
	flip_result(s, LLVMGetOperand(s->call, 0), f.each * s->lanes, &f);
}

/* Of which lanes is the result open? One answer: of all. */
static LLVMValueRef open_lanes(const Shaker *s, const char *name, bool by_address)
{
	if (mangled_begins(&s->name, "convert_"))
		return out_of_range(s, name, by_address);
	if (mangled_is(&s->name, "nan"))
		return same(s, 1, s->lanes, 1);
	if (mangled_is(&s->name, "dot"))
		return sum_overflows(s);
	if (mangled_begins(&s->name, "half_"))
		return beyond_half(s, by_address);
	return mangled_begins(&s->name, "m") ? too_wide(s, by_address) : no_range(s, by_address);
}

/* Bytes of a number of the result. */
static u32 result_bytes(const Shaker *s, const char *name)
{
	if (mangled_begins(&s->name, "convert_"))
		return strstr(name, "char") ? 1 : strstr(name, "short") ? 2 : strstr(name, "long") ? 8 : 4;
	if (mangled_is(&s->name, "nan"))
		return strchr(s->name.params, 'm') ? 8 : strchr(s->name.params, 't') ? 2 : 4;
	return s->bits / 8;
}

static void open_result(const Shaker *s)
{
	const char *name = arena_strndup(s->m->arena, s->name.name, s->name.n);
	LLVMPositionBuilderBefore(s->b, s->call);
	u32 each = result_bytes(s, name);
	flip_after(s, (Flip){.which = open_lanes(s, name, is_void(s)), .each = each,
	                     .low = mangled_is(&s->name, "nan") ? each / 2 : each});
}

/* lgamma_r: the sign, where the result is infinite. */
static void open_sign(const Shaker *s)
{
	LLVMValueRef sign = LLVMGetOperand(s->call, LLVMGetNumArgOperands(s->call) - 1), at;
	LLVMPositionBuilderBefore(s->b, LLVMGetNextInstruction(s->call));
	if (is_void(s)) {
		at = LLVMGetOperand(s->call, 0);
	} else {
		at = room(s, LLVMTypeOf(s->call));
		store(s, s->call, at);
	}
	Flip f = {no_number(s, load(s, ints(s, s->bits, s->lanes), at)), false, 4, 4};
	flip(s, sign, s->lanes * f.each, &f);
}

/* With -cl-finite-math-only what is infinite or NaN is open; with -cl-fast-relaxed-math so are sines and the like
 * beyond pi (section 7.4). */
static void open_by_options(const Shaker *s)
{
	enum { BELOW_PI = 0x40490FDA }; /* the largest float that is */
	static const char *const periodic[] = {"sin", "cos", "tan", "sincos"};
	bool relaxed = fe_dropped_option(s->m, "-cl-fast-relaxed-math");
	if (!relaxed && !fe_dropped_option(s->m, "-cl-finite-math-only"))
		return;
	LLVMPositionBuilderBefore(s->b, s->call);
	LLVMValueRef x = argument(s, is_void(s), s->bits), which = no_number(s, x);
	for (u32 i = 0; i < COUNT(periodic) && relaxed && s->bits == 32; i++)
		if (mangled_is(&s->name, periodic[i]))
			which = LLVMBuildOr(s->b, which, larger(s, x, BELOW_PI), "");
	Flip f = {which, true, s->bits / 8, s->bits / 8};
	flip_after(s, f);
	if (mangled_is(&s->name, "sincos")) {
		LLVMPositionBuilderBefore(s->b, LLVMGetNextInstruction(s->call));
		flip(s, LLVMGetOperand(s->call, LLVMGetNumArgOperands(s->call) - 1), s->lanes * f.each, &f);
	}
}

/* ---- calls ---- */

/* Numbers of an argument, as the types of a mangled name say. */
static u32 numbers_of(const char *params)
{
	const char *v = strstr(params, "Dv");
	u32 n = v ? (u32)atoi(v + 2) : 1;
	return n < 1 || n > 16 ? 1 : n;
}

static void change_call(FeModule *m, LLVMBuilderRef b, LLVMValueRef call)
{
	LLVMValueRef f = llvm_callee(call);
	Shaker s = {.m = m, .b = b, .call = call, .name = f ? fe_mangled(LLVMGetValueName(f)) : (Mangled){0}};
	double f32, f64;
	if (!s.name.pocl)
		return;
	s.numbers = numbers_of(s.name.params);
	s.lanes = s.numbers == 3 ? 4 : s.numbers; /* of three there is memory for four */
	s.bits = strstr(s.name.params, "Dh") ? 16 : strchr(s.name.params, 'd') ? 64 : 32;
	bool inexact = amdlib_inexact(&s.name, &f32, &f64);
	if (m->builtins == BUILTINS_UNDEFINED) {
		bool sign = mangled_is(&s.name, "lgamma_r"), open = amdlib_open(&s.name) && !sign;
		if (open) /* once: changed twice it would be as it was */
			open_result(&s);
		else if (inexact)
			open_by_options(&s);
		if (sign)
			open_sign(&s);
	} else if (inexact) {
		shake(&s, s.bits == 64 ? f64 : f32);
	}
}

static void change_own(FeModule *m, LLVMBuilderRef b, LLVMValueRef f, bool addresses)
{
	ARRAY(LLVMValueRef) calls = {0};
	llvm_each_instruction(f, i)
		if (LLVMIsACallInst(i))
			array_push(&calls, i);
	for (u32 i = 0; i < calls.n; i++)
		change_call(m, b, calls.v[i]);
	array_free(&calls);
	if (m->builtins == BUILTINS_UNDEFINED)
		shake_own(m, b, f, addresses);
}

/* The kernel's own functions have lines of the source; without any, they are those that are not the library's. */
static bool is_own(LLVMValueRef f, bool lines)
{
	Mangled name = fe_mangled(LLVMGetValueName(f));
	return !LLVMIsDeclaration(f) && !name.pocl && (!lines || LLVMGetSubprogram(f));
}

void shake_calls(FeModule *m)
{
	if (m->builtins < BUILTINS_SHAKEN || m->builtins > BUILTINS_UNDEFINED)
		return;
	bool lines = false, addresses = true;
	llvm_each_function(m->mod, f)
		lines |= LLVMGetSubprogram(f) != NULL;
	llvm_each_function(m->mod, f)
		addresses &= !is_own(f, lines) || !shake_keeps_addresses(f);
	LLVMBuilderRef b = LLVMCreateBuilderInContext(m->ctx);
	llvm_each_function(m->mod, f)
		if (is_own(f, lines))
			change_own(m, b, f, addresses);
	LLVMDisposeBuilder(b);
}
