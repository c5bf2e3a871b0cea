/* Types as lists of components, LLVM constants as constant registers, LLVM values as
 * the registers that hold them. */
#include "frontend/lower/lowering.h"

bool lo_error(Lower *l, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	fe_verror(l->m, l->ins, l->d, fmt, ap);
	va_end(ap);
	return false;
}

/* ---- types ---- */

typedef struct ShapeBuild {
	Lower *l;
	ARRAY(Comp) c;
	const char *bad;
} ShapeBuild;

enum { MOST_COMPONENTS = 65536, MOST_BITS = 4096 };

static Comp shape_pointer(u32 space)
{
	bool narrow = space == SPACE_LDS || space == SPACE_PRIVATE;
	return (Comp){.type = narrow ? T_i32 : T_i64, .cls = C_PTR, .space = (u8)space,
	              .bits = narrow ? 32 : 64};
}

static void shape_add(ShapeBuild *s, LLVMTypeRef t);

static void shape_repeat(ShapeBuild *s, LLVMTypeRef t, u64 n)
{
	if (n * (s->c.n ? s->c.n : 1) > MOST_COMPONENTS) {
		s->bad = "a value of more than 65536 components";
		return;
	}
	for (u64 i = 0; i < n && !s->bad; i++)
		shape_add(s, t);
}

static void shape_integer(ShapeBuild *s, u32 bits)
{
	if (bits <= 128)
		array_push(&s->c, ((Comp){.type = (u8)lo_int_type(bits), .cls = C_INT, .bits = (u16)bits}));
	else if (bits > MOST_BITS)
		s->bad = "an integer of more than 4096 bits";
	for (u32 at = 0; bits > 128 && at < bits && !s->bad; at += 64)
		array_push(&s->c, ((Comp){.type = T_i64, .cls = C_INT,
		                          .bits = (u16)(bits - at < 64 ? bits - at : 64)}));
}

static bool shape_is_wide(LLVMTypeRef t)
{
	return LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) > 128;
}

static void shape_add(ShapeBuild *s, LLVMTypeRef t)
{
	switch (LLVMGetTypeKind(t)) {
	case LLVMVoidTypeKind:
		break;
	case LLVMIntegerTypeKind:
		shape_integer(s, LLVMGetIntTypeWidth(t));
		break;
	case LLVMHalfTypeKind:
		array_push(&s->c, ((Comp){.type = T_i16, .cls = C_HALF, .bits = 16}));
		break;
	case LLVMFloatTypeKind:
		array_push(&s->c, ((Comp){.type = T_f32, .cls = C_FLT, .bits = 32}));
		break;
	case LLVMDoubleTypeKind:
		array_push(&s->c, ((Comp){.type = T_f64, .cls = C_FLT, .bits = 64}));
		break;
	case LLVMPointerTypeKind:
		array_push(&s->c, shape_pointer(LLVMGetPointerAddressSpace(t)));
		break;
	case LLVMVectorTypeKind:
		shape_repeat(s, LLVMGetElementType(t), LLVMGetVectorSize(t));
		break;
	case LLVMArrayTypeKind:
		shape_repeat(s, LLVMGetElementType(t), LLVMGetArrayLength(t));
		break;
	case LLVMStructTypeKind:
		for (u32 i = 0; i < LLVMCountStructElementTypes(t) && !s->bad; i++)
			shape_add(s, LLVMStructGetTypeAtIndex(t, i));
		break;
	case LLVMBFloatTypeKind:
		s->bad = "bfloat arithmetic";
		break;
	case LLVMX86_FP80TypeKind:
	case LLVMFP128TypeKind:
	case LLVMPPC_FP128TypeKind:
		s->bad = "floating-point numbers wider than double";
		break;
	default:
		s->bad = "a value of this type";
		break;
	}
}

const ValueShape *lo_shape(Lower *l, LLVMTypeRef t)
{
	void **slot = ptrmap_slot(l->shapes, t);
	if (!*slot) {
		ShapeBuild b = {.l = l};
		ValueShape *s = ARENA_NEW(l->arena, ValueShape);
		shape_add(&b, t);
		s->n = b.bad ? 0 : b.c.n;
		s->bad = b.bad;
		s->wide = shape_is_wide(t) || (LLVMGetTypeKind(t) == LLVMVectorTypeKind &&
		                               shape_is_wide(LLVMGetElementType(t)));
		s->c = ARENA_ARRAY(l->arena, Comp, s->n);
		if (s->n)
			memcpy(s->c, b.c.v, s->n * sizeof *s->c);
		array_free(&b.c);
		*slot = s;
	}
	return *slot;
}

/* ---- constants ---- */

bool lo_is_undef(LLVMValueRef v)
{
	return LLVMGetValueKind(v) == LLVMUndefValueValueKind ||
	       LLVMGetValueKind(v) == LLVMPoisonValueValueKind;
}

bool lo_const_int(LLVMValueRef v, u128 *out)
{
	if (!LLVMIsAConstantInt(v))
		return false;
	LLVMTypeRef t = LLVMTypeOf(v);
	u32 bits = LLVMGetIntTypeWidth(t);
	if (bits <= 64) {
		*out = LLVMConstIntGetZExtValue(v);
		return true;
	}
	for (u32 i = 2; i < (bits + 63) / 64; i++)
		if (!LLVMIsNull(llvm_const_word(v, i)))
			return false;
	*out = (u128)LLVMConstIntGetZExtValue(llvm_const_word(v, 1)) << 64 |
	       LLVMConstIntGetZExtValue(llvm_const_word(v, 0));
	return true;
}

i128 lo_const_signed(u128 bits, u32 width)
{
	return width < 128 ? (i128)(bits << (128 - width)) >> (128 - width) : (i128)bits;
}

/* Value of a constant expression over addresses and integers; false when it is none. */
static bool const_expr(Lower *l, LLVMValueRef c, u128 *out);

/* Bytes that a getelementptr of constants adds to its base. */
bool lo_gep_offset(Lower *l, LLVMValueRef c, u128 *out)
{
	LLVMTypeRef t = LLVMGetGEPSourceElementType(c);
	u128 base = 0, index;
	u32 n = (u32)LLVMGetNumOperands(c);
	for (u32 i = 1; i < n; i++) {
		LLVMValueRef x = LLVMGetOperand(c, i);
		if (!const_expr(l, x, &index))
			return false;
		i128 at = lo_const_signed(index, LLVMGetIntTypeWidth(LLVMTypeOf(x)));
		if (i > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
			base += LLVMOffsetOfElement(l->td, t, (u32)at);
			t = LLVMStructGetTypeAtIndex(t, (u32)at);
			continue;
		}
		if (i > 1)
			t = LLVMGetElementType(t);
		base += (u128)(at * (i128)LLVMABISizeOfType(l->td, t));
	}
	*out = base;
	return true;
}

static u128 const_space_cast(LLVMValueRef c, u128 a)
{
	u32 from = LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(c, 0)));
	u32 to = LLVMGetPointerAddressSpace(LLVMTypeOf(c));
	if (from == SPACE_LDS || from == SPACE_PRIVATE) {
		if ((u32)a == UINT32_MAX)
			return 0;
		return (u32)a | (from == SPACE_LDS ? APERTURE_LDS : APERTURE_PRIVATE);
	}
	if (to == SPACE_LDS || to == SPACE_PRIVATE)
		return a ? (u32)a : UINT32_MAX;
	return a;
}

static bool const_bits(Lower *l, LLVMValueRef c, u64 at, u32 n, u128 *out);

static bool const_expr_op(Lower *l, LLVMValueRef c, u128 *out)
{
	u128 a, b;
	LLVMOpcode op = LLVMGetConstOpcode(c);
	u64 bits = LLVMSizeOfTypeInBits(l->td, LLVMTypeOf(c));
	if ((op == LLVMBitCast || op == LLVMExtractElement) && bits <= 128)
		return const_bits(l, c, 0, (u32)bits, out);
	if (lo_shape(l, LLVMTypeOf(c))->wide || !const_expr(l, LLVMGetOperand(c, 0), &a))
		return false;
	if (op == LLVMGetElementPtr) {
		if (!lo_gep_offset(l, c, &b))
			return false;
		*out = a + b;
		return true;
	}
	bool two = LLVMGetNumOperands(c) > 1;
	if (two && !const_expr(l, LLVMGetOperand(c, 1), &b))
		return false;
	switch (op) {
	case LLVMAdd: *out = a + b; return true;
	case LLVMSub: *out = a - b; return true;
	case LLVMMul: *out = a * b; return true;
	case LLVMAnd: *out = a & b; return true;
	case LLVMOr: *out = a | b; return true;
	case LLVMXor: *out = a ^ b; return true;
	case LLVMShl: *out = a << (b & 127); return true;
	case LLVMLShr: *out = a >> (b & 127); return true;
	case LLVMAddrSpaceCast: *out = const_space_cast(c, a); return true;
	case LLVMPtrToInt:
	case LLVMIntToPtr:
	case LLVMTrunc:
	case LLVMZExt: *out = a; return true;
	case LLVMSelect:
		*out = b;
		return a || const_expr(l, LLVMGetOperand(c, 2), out);
	case LLVMICmp:
		if (LLVMGetICmpPredicate(c) == LLVMIntEQ || LLVMGetICmpPredicate(c) == LLVMIntNE) {
			*out = (a == b) == (LLVMGetICmpPredicate(c) == LLVMIntEQ);
			return true;
		}
		return false;
	default: return false;
	}
}

static bool const_expr(Lower *l, LLVMValueRef c, u128 *out)
{
	*out = 0;
	if (lo_const_int(c, out) || LLVMIsNull(c) || lo_is_undef(c))
		return true;
	if (LLVMIsAGlobalVariable(c)) {
		*out = lo_object_address(l, c);
		return true;
	}
	if (LLVMIsAFunction(c)) {
		*out = llvm_function_number(c);
		return true;
	}
	if (LLVMIsAConstantExpr(c) && const_expr_op(l, c, out)) {
		LLVMTypeRef t = LLVMTypeOf(c);
		if (LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) < 128)
			*out &= ((u128)1 << LLVMGetIntTypeWidth(t)) - 1;
		return true;
	}
	return false;
}

/* Bits [at, at + n) of a constant as it lies in memory, at most 128; false when they cannot be told. Vectors that
 * constant expressions cast to others, or take elements of, are met where nothing was folded. */
static bool const_bits(Lower *l, LLVMValueRef c, u64 at, u32 n, u128 *out)
{
	LLVMTypeRef t = LLVMTypeOf(c);
	LLVMOpcode op = LLVMIsAConstantExpr(c) ? LLVMGetConstOpcode(c) : (LLVMOpcode)0;
	u128 v, index;
	if (op == LLVMBitCast)
		return const_bits(l, LLVMGetOperand(c, 0), at, n, out);
	if (op == LLVMExtractElement)
		return const_expr(l, LLVMGetOperand(c, 1), &index) &&
		       const_bits(l, LLVMGetOperand(c, 0), at + (u64)index * LLVMSizeOfTypeInBits(l->td, t), n, out);
	if (LLVMIsAConstantFP(c))
		c = LLVMConstBitCast(c,
		                     LLVMIntTypeInContext(LLVMGetTypeContext(t), (u32)LLVMSizeOfTypeInBits(l->td, t)));
	if (LLVMGetTypeKind(t) != LLVMVectorTypeKind) {
		if (!const_expr(l, c, &v) || at + n > 128)
			return false;
		*out = v >> at & (n < 128 ? ((u128)1 << n) - 1 : ~(u128)0);
		return true;
	}
	u32 width = (u32)LLVMSizeOfTypeInBits(l->td, LLVMGetElementType(t));
	*out = 0;
	for (u32 done = 0, part; done < n; done += part) {
		u64 first = at + done;
		LLVMValueRef x = LLVMGetAggregateElement(c, (u32)(first / width));
		part = width - (u32)(first % width);
		part = part < n - done ? part : n - done;
		if (!x || !const_bits(l, x, first % width, part, &v))
			return false;
		*out |= v << done;
	}
	return true;
}

/* Component i, of n bits, of a constant. */
static u128 component_bits(Lower *l, LLVMValueRef c, u32 i, u32 n)
{
	u128 v = 0;
	if (!const_bits(l, c, (u64)i * n, n, &v)) {
		char *text = LLVMPrintValueToString(c);
		lo_error(l, "a constant expression that wavesim cannot evaluate: %.120s", text);
		diag_hint(l->d, "compute the value in the kernel instead");
		LLVMDisposeMessage(text);
	}
	return v;
}

u128 lo_const_bits(Lower *l, LLVMValueRef c, const Comp *k) { return component_bits(l, c, 0, k->bits); }

/* Append the components of constant c to *at. */
static void const_components(Lower *l, LLVMValueRef c, LLVMTypeRef t, u32 **at)
{
	LLVMTypeKind kind = LLVMGetTypeKind(t);
	const ValueShape *s = lo_shape(l, t);
	u32 n;
	if (kind == LLVMVectorTypeKind)
		n = LLVMGetVectorSize(t);
	else if (kind == LLVMArrayTypeKind)
		n = LLVMGetArrayLength(t);
	else if (kind == LLVMStructTypeKind)
		n = LLVMCountStructElementTypes(t);
	else {
		for (u32 i = 0; i < s->n; i++) {
			LLVMValueRef x = s->wide ? llvm_const_word(c, i) : c;
			*(*at)++ = lo_c(l, (Type)s->c[i].type, lo_const_bits(l, x, &s->c[i]));
		}
		return;
	}
	for (u32 i = 0; i < n; i++) {
		LLVMTypeRef e = kind == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(t, i)
		                                           : LLVMGetElementType(t);
		LLVMValueRef x = LLVMGetAggregateElement(c, i);
		if (x)
			const_components(l, x, e, at);
		else /* a vector constant expression */
			*(*at)++ = lo_c(l, (Type)s->c[0].type, component_bits(l, c, i, s->c[0].bits));
	}
}

/* ---- values ---- */

u32 *lo_regs(Lower *l, u32 n) { return ARENA_ARRAY(l->arena, u32, n ? n : 1); }

VInfo *lo_info(Lower *l, LLVMValueRef v)
{
	void **slot = ptrmap_slot(l->values, v);
	if (!*slot) {
		VInfo *i = ARENA_NEW(l->arena, VInfo);
		i->key = v;
		*slot = i;
	}
	return *slot;
}

/* Zeros for a value that could not be lowered, so that lowering goes on to the next error. */
static u32 *lo_zeros(Lower *l, const ValueShape *s)
{
	u32 *r = lo_regs(l, s->n);
	for (u32 i = 0; i < s->n; i++)
		r[i] = lo_c(l, (Type)s->c[i].type, 0);
	return r;
}

const u32 *lo_val(Lower *l, LLVMValueRef v)
{
	LLVMTypeRef t = LLVMTypeOf(v);
	const ValueShape *s = lo_shape(l, t);
	if (LLVMIsAInstruction(v) || LLVMIsAArgument(v)) {
		VInfo *i = lo_info(l, v);
		if (i->shadow && uniform_carried_out(l->cfg, i, l->block))
			return i->shadow;
		if (!i->regs)
			i->regs = lo_zeros(l, s);
		return i->regs;
	}
	if (s->bad || lo_is_undef(v))
		return lo_zeros(l, s);
	u32 *r = lo_regs(l, s->n), *at = r;
	const_components(l, v, t, &at);
	return r;
}

/* The name of a source variable: no suffixes, and none of the names that clang and
 * LLVM's passes make up for what has no name in the source. */
const char *lo_name(Lower *l, LLVMValueRef v)
{
	static const char *const made_up[] = {
		"add", "and", "arraydecay", "arrayidx", "arrayinit", "call", "cast", "cmp", "cond", "conv",
		"dec", "div", "extract", "idx", "idxprom", "inc", "incdec", "indvars", "land", "lnot",
		"lor", "mul", "neg", "not", "or", "phitmp", "rem", "retval", "sel", "sext", "shl", "shr", "spec",
		"splat", "sub", "tmp", "tobool", "vecext", "vecinit", "vecins", "xor", "cleanup", "narrow",
		"fneg", "ptr", "masked", "umin", "umax", "smin", "smax", "exitcond", "iv", "lsr",
	};
	size_t n;
	const char *s = LLVMGetValueName2(v, &n);
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '.' && i)
			n = i;
		else if (s[i] != '_' && !(s[i] >= 'a' && s[i] <= 'z') && !(s[i] >= 'A' && s[i] <= 'Z') &&
		         !(i && s[i] >= '0' && s[i] <= '9'))
			return NULL;
	}
	size_t letters = n;
	while (letters && s[letters - 1] >= '0' && s[letters - 1] <= '9')
		letters--;
	for (u32 i = 0; i < COUNT(made_up); i++) {
		if (strlen(made_up[i]) == letters && !strncmp(made_up[i], s, letters))
			return NULL;
	}
	return n ? arena_strndup(l->arena, s, n) : NULL;
}

/* Note which variable the registers of v hold, for the list of live values. */
static void lo_set_variable(Lower *l, LLVMValueRef v, const u32 *regs, u32 n)
{
	Variable x;
	if (!n || !variable_of(l->m, v, &x))
		return;
	/* Registers that hold several elements each, or parts of one, are just the variable's. */
	RegVar var = {.part = x.count == n ? x.part : PART_WHOLE, .name = arena_strdup(l->p->arena, x.name)};
	var.loc = program_loc(l->p, x.declared.file, x.declared.line, 0);
	for (u32 k = 0; k < n; k++) {
		while (l->vars.n <= regs[k])
			array_push(&l->vars, ((RegVar){0}));
		var.index = var.part == PART_WHOLE ? 0 : x.index + k;
		if (!l->vars.v[regs[k]].name)
			l->vars.v[regs[k]] = var;
	}
}

void lo_set(Lower *l, LLVMValueRef v, const u32 *regs)
{
	VInfo *i = lo_info(l, v);
	const ValueShape *s = lo_shape(l, LLVMTypeOf(v));
	const char *name = s->n ? lo_name(l, v) : NULL;
	i->regs = lo_regs(l, s->n);
	memcpy(i->regs, regs, s->n * sizeof *regs);
	lo_set_variable(l, v, regs, s->n);
	for (u32 k = 0; name && k < s->n; k++) {
		Reg *r = &l->p->regs.v[regs[k]];
		if (!r->name && r->kind != REG_CONST)
			r->name = arena_strdup(l->p->arena, name);
	}
}
