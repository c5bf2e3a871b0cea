/* Addresses, loads, stores, atomics.
 *
 * A pointer made by getelementptr is a register plus a constant; loads and stores take
 * the constant as their immediate. A value in memory is a list of elements as wide as
 * registers, consecutive ones of a type going into one ld or st; what is not (i1, i24,
 * <8 x i1>) is bytes that are packed and unpacked, as LLVM lays them out. */
#include "frontend/lower/lowering.h"

/* ---- addresses ---- */

static bool mem_narrow(u32 space) { return space == SPACE_LDS || space == SPACE_PRIVATE; }

Addr lo_addr(Lower *l, LLVMValueRef ptr)
{
	Addr a = {.space = (u8)LLVMGetPointerAddressSpace(LLVMTypeOf(ptr))};
	if (LLVMIsAInstruction(ptr)) {
		const VInfo *i = lo_info(l, ptr);
		if (i->has_addr && (!i->shadow || lo_val(l, ptr) == i->regs)) {
			a.reg = i->addr_base;
			a.off = i->addr_off;
			return a;
		}
	}
	a.reg = lo_val1(l, ptr);
	return a;
}

u32 lo_addr_reg(Lower *l, Addr a)
{
	u64 off = (u64)a.off;
	if (!off)
		return a.reg;
	if (l->p->regs.v[a.reg].kind == REG_CONST)
		return lo_c(l, lo_type(l, a.reg), (u64)l->p->regs.v[a.reg].value + off);
	return lo_bin_on(l, OP_add_i8, a.reg, lo_c(l, lo_type(l, a.reg), off));
}

/* A variable index of a getelementptr: reg (of the type that `op` takes) times scale. */
typedef struct Term {
	u32 reg;
	Op op;
	i64 scale;
} Term;

/* Take constants off an index into *off (in elements); looks through extensions when the
 * address has 32 bits, where they change nothing. */
static LLVMValueRef index_strip(LLVMValueRef x, bool narrow, i64 *off)
{
	u128 c;
	while (LLVMIsAInstruction(x)) {
		LLVMOpcode op = LLVMGetInstructionOpcode(x);
		u32 bits = LLVMGetIntTypeWidth(LLVMTypeOf(x));
		if (op == LLVMAdd && bits == (narrow ? 32 : 64) &&
		    lo_const_int(LLVMGetOperand(x, 1), &c)) {
			u64 sum = (u64)*off + (narrow ? (u64)(i64)(i32)(u32)c : (u64)c);
			*off = (i64)sum;
		} else if (!narrow || (op != LLVMSExt && op != LLVMZExt) ||
		           LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(x, 0))) != 32) {
			break;
		}
		x = LLVMGetOperand(x, 0);
	}
	return x;
}

/* A 64-bit index that is the low 32 bits of y, extended: y, and whether by its sign. */
static LLVMValueRef index_low32(LLVMValueRef x, bool *sign)
{
	LLVMValueRef y;
	u128 a, b;
	if (!LLVMIsAInstruction(x) || LLVMGetTypeKind(LLVMTypeOf(x)) != LLVMIntegerTypeKind ||
	    LLVMGetIntTypeWidth(LLVMTypeOf(x)) != 64)
		return NULL;
	y = LLVMGetOperand(x, 0);
	*sign = LLVMGetInstructionOpcode(x) == LLVMAShr;
	if (LLVMGetInstructionOpcode(x) == LLVMAnd && lo_const_int(LLVMGetOperand(x, 1), &a))
		return a == UINT32_MAX ? y : NULL;
	if (!*sign || !lo_const_int(LLVMGetOperand(x, 1), &a) || a != 32 || !LLVMIsAInstruction(y) ||
	    LLVMGetInstructionOpcode(y) != LLVMShl || !lo_const_int(LLVMGetOperand(y, 1), &b) ||
	    b != 32)
		return NULL;
	return LLVMGetOperand(y, 0);
}

static Term index_term(Lower *l, LLVMValueRef x, u32 component, bool narrow, i64 scale)
{
	LLVMOpcode op = LLVMIsAInstruction(x) ? LLVMGetInstructionOpcode(x) : LLVMRet;
	Term t = {.scale = scale, .op = narrow ? OP_lea_i32 : OP_lea_i64};
	if (!narrow && (op == LLVMSExt || op == LLVMZExt)) {
		LLVMValueRef from = LLVMGetOperand(x, 0);
		const Comp *k = &lo_shape(l, LLVMTypeOf(from))->c[0];
		if (k->bits <= 32) {
			u32 r = lo_val(l, from)[component];
			t.op = op == LLVMSExt ? OP_leas_i64 : OP_leaz_i64;
			t.reg = op == LLVMSExt && k->type != T_b1
			                ? lo_sext(l, lo_signed(l, r, k->bits), T_i32)
			                : op == LLVMSExt ? lo_sext(l, r, T_i32) : lo_zext(l, r, T_i32);
			return t;
		}
	}
	bool sign;
	LLVMValueRef low = narrow ? NULL : index_low32(x, &sign);
	if (low) {
		t.op = sign ? OP_leas_i64 : OP_leaz_i64;
		t.reg = lo_zext(l, lo_val1(l, low), T_i32);
		return t;
	}
	const Comp *k = &lo_shape(l, LLVMTypeOf(x))->c[0];
	u32 r = lo_val(l, x)[component];
	r = k->type == T_b1 ? r : lo_signed(l, r, k->bits);
	if (!narrow && k->bits <= 32) {
		t.op = OP_leas_i64;
		t.reg = lo_sext(l, r, T_i32);
	} else {
		t.reg = lo_sext(l, r, narrow ? T_i32 : T_i64);
	}
	return t;
}

/* The beginning of a variable, and how far behind it: so elements of several rows of an array lie at one register. */
static Addr addr_of_variable(Lower *l, Addr a)
{
	const Reg *r = &l->p->regs.v[a.reg];
	u64 within = r->value & ((1u << SEG32_SHIFT) - 1);
	if (r->kind != REG_CONST || !within || !mem_narrow(a.space))
		return a;
	a.reg = lo_c(l, r->type, r->value - within);
	a.off += (i64)within;
	return a;
}

/* One pointer of a getelementptr: its indices from component on where they are vectors. */
static Addr gep_one(Lower *l, LLVMValueRef v, Addr a, u32 component)
{
	LLVMTypeRef t = LLVMGetGEPSourceElementType(v);
	u32 n = (u32)LLVMGetNumOperands(v), nt = 0;
	Term *terms = ARENA_ARRAY(l->arena, Term, n);
	bool narrow = mem_narrow(a.space);
	a = addr_of_variable(l, a);
	for (u32 i = 1; i < n; i++) {
		LLVMValueRef x = LLVMGetOperand(v, i);
		bool vector = LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVectorTypeKind;
		u32 comp = vector ? component : 0;
		u128 c;
		if (vector && LLVMIsConstant(x))
			x = LLVMGetAggregateElement(x, component), comp = 0, vector = false;
		bool known = lo_const_int(x, &c);
		if (i > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
			a.off += (i64)LLVMOffsetOfElement(l->td, t, (u32)c);
			t = LLVMStructGetTypeAtIndex(t, (u32)c);
			continue;
		}
		if (i > 1)
			t = LLVMGetElementType(t);
		u64 scale = LLVMABISizeOfType(l->td, t);
		i64 off = 0;
		if (known) {
			off = (i64)lo_const_signed(c, LLVMGetIntTypeWidth(LLVMTypeOf(x)));
		} else {
			if (!vector)
				x = index_strip(x, narrow, &off);
			if (scale)
				terms[nt++] = index_term(l, x, comp, narrow, (i64)scale);
		}
		a.off = (i64)((u64)a.off + (u64)off * scale);
	}
	/* Uniform indices first: their sum stays scalar. */
	for (u32 pass = 0; pass < 2; pass++) {
		for (u32 i = 0; i < nt; i++) {
			if ((l->p->regs.v[terms[i].reg].kind == REG_VECTOR) != (pass == 1))
				continue;
			a.reg = lo_op_imm(l, terms[i].op, (u32[]){a.reg, terms[i].reg}, 2, terms[i].scale);
		}
	}
	return a;
}

/* Do all users take v as register and constant? */
static bool gep_folds(Lower *l, LLVMValueRef v)
{
	const Cfg *c = l->cfg;
	for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		if (!LLVMIsAInstruction(user))
			continue;
		LLVMOpcode op = LLVMGetInstructionOpcode(user);
		bool address = (op == LLVMLoad && LLVMGetOperand(user, 0) == v) ||
		               (op == LLVMStore && LLVMGetOperand(user, 0) != v) ||
		               (op == LLVMGetElementPtr && LLVMGetOperand(user, 0) == v);
		if (!address || !cfg_in_loop(c, lo_info(l, user)->block, c->b[l->block].loop))
			return false;
	}
	return true;
}

static bool mem_gep(Lower *l, LLVMValueRef v)
{
	LLVMValueRef base = LLVMGetOperand(v, 0);
	u32 n = lo_shape(l, LLVMTypeOf(v))->n, *d = lo_regs(l, n);
	if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind) {
		bool vector = LLVMGetTypeKind(LLVMTypeOf(base)) == LLVMVectorTypeKind;
		u32 space = lo_shape(l, LLVMTypeOf(v))->c[0].space;
		const u32 *b = lo_val(l, base);
		for (u32 i = 0; i < n; i++) {
			Addr a = {.reg = b[vector ? i : 0], .space = (u8)space};
			d[i] = lo_addr_reg(l, gep_one(l, v, a, i));
		}
		lo_set(l, v, d);
		return true;
	}
	Addr a = gep_one(l, v, lo_addr(l, base), 0);
	VInfo *i = lo_info(l, v);
	if (gep_folds(l, v)) {
		d[0] = a.reg; /* never read: every user asks lo_addr */
		i->regs = d;
	} else {
		d[0] = lo_addr_reg(l, a);
		lo_set(l, v, d);
	}
	i->has_addr = true;
	i->addr_base = a.reg;
	i->addr_off = a.off;
	return true;
}

/* ---- values in memory ---- */

/* Part of a value in memory: one component, or the bits of several in `bytes` bytes. */
typedef struct Part {
	u64 off;
	u32 comp, ncomp;
	u32 bits; /* of a packed one */
	bool packed;
} Part;
typedef ARRAY(Part) Parts;

static void mem_parts(Lower *l, LLVMTypeRef t, u64 off, u32 *comp, Parts *out)
{
	const ValueShape *s = lo_shape(l, t);
	LLVMTypeKind kind = LLVMGetTypeKind(t);
	if (kind == LLVMStructTypeKind) {
		for (u32 i = 0; i < LLVMCountStructElementTypes(t); i++)
			mem_parts(l, LLVMStructGetTypeAtIndex(t, i),
			          off + LLVMOffsetOfElement(l->td, t, i), comp, out);
		return;
	}
	if (kind == LLVMArrayTypeKind) {
		LLVMTypeRef e = LLVMGetElementType(t);
		for (u32 i = 0; i < LLVMGetArrayLength(t); i++)
			mem_parts(l, e, off + i * LLVMABISizeOfType(l->td, e), comp, out);
		return;
	}
	if (!s->n)
		return;
	/* Only the last component of a wide integer may be narrower than the others. */
	const Comp *last = &s->c[s->n - 1];
	Part p = {.off = off, .comp = *comp, .ncomp = s->n};
	if (last->type == T_b1 || last->bits != type_bytes[last->type] * 8u) {
		p.bits = (u32)LLVMSizeOfTypeInBits(l->td, t);
		p.packed = true;
		array_push(out, p);
	} else {
		for (u32 i = 0; i < s->n; i++) {
			Part one = p;
			one.comp = *comp + i;
			one.ncomp = 1;
			one.off = off + (u64)i * type_bytes[last->type];
			array_push(out, one);
		}
	}
	*comp += s->n;
}

enum { MOST_ELEMENTS = 128 }; /* of one ld or st */

/* How many parts from i on fit one instruction. */
static u32 mem_run(const Parts *p, const ValueShape *s, u32 i)
{
	u32 n = 1;
	if (p->v[i].packed)
		return 1;
	Type t = (Type)s->c[p->v[i].comp].type;
	u32 most = type_bytes[t] > LARGEST_ACCESS / MOST_ELEMENTS ? (u32)LARGEST_ACCESS / type_bytes[t]
	                                                       : MOST_ELEMENTS;
	while (n < most && i + n < p->n && !p->v[i + n].packed && s->c[p->v[i + n].comp].type == t &&
	       p->v[i + n].off == p->v[i].off + (u64)n * type_bytes[t])
		n++;
	return n;
}

/* Ins.aux of an access: see ld in ops.def. */
static u8 mem_align(const Addr *a, u32 elem_bytes)
{
	return a->align && a->align < elem_bytes ? (u8)(1 + __builtin_ctz(a->align)) : 0;
}

static u8 whole_align(const Addr *a) { return a->align ? (u8)(1 + __builtin_ctz(a->align)) : 0; }

static void mem_ld(Lower *l, Addr a, u32 *d, u32 n)
{
	Ins *i = lo_emit(l, OP_ld, d, n, &a.reg, 1);
	i->aux = mem_align(&a, type_bytes[lo_type(l, d[0])]);
	i->align = whole_align(&a);
	i->space = a.space;
	i->sync = a.sync;
	i->imm = a.off;
}

static void mem_st(Lower *l, Addr a, const u32 *s, u32 n)
{
	u32 *src = lo_regs(l, n + 1);
	src[0] = a.reg;
	memcpy(src + 1, s, n * sizeof *s);
	Ins *i = lo_emit(l, OP_st, NULL, 0, src, n + 1);
	i->space = a.space;
	i->sync = a.sync;
	i->imm = a.off;
	i->aux = mem_align(&a, type_bytes[lo_type(l, s[0])]);
	i->align = whole_align(&a);
}

/* The chunks of a packed part: powers of two bytes, widest first. */
static ValueShape mem_chunks(Lower *l, u32 bits)
{
	u32 bytes = (bits + 7) / 8;
	ValueShape s = {.c = ARENA_ARRAY(l->arena, Comp, bytes / 8 + 3)};
	for (u32 w = 8; w; w /= 2) {
		for (; bytes >= w; bytes -= w)
			s.c[s.n++] = (Comp){.type = (u8)lo_int_type(w * 8), .cls = C_INT, .bits = (u16)(w * 8)};
	}
	return s;
}

static void mem_packed(Lower *l, Addr a, const Part *p, const ValueShape *s, u32 *regs, bool store,
                       RegKind kind)
{
	ValueShape chunks = mem_chunks(l, p->bits), value = {.n = p->ncomp, .c = s->c + p->comp};
	u32 *r = lo_regs(l, chunks.n);
	a.off += (i64)p->off;
	if (store)
		lo_repack(l, value.c, regs + p->comp, value.n, &chunks, r);
	for (u32 i = 0; i < chunks.n; i++) {
		if (store) {
			mem_st(l, a, &r[i], 1);
		} else {
			r[i] = program_reg(l->p, (Type)chunks.c[i].type, kind, NULL);
			mem_ld(l, a, &r[i], 1);
		}
		a.off += chunks.c[i].bits / 8;
	}
	if (!store)
		lo_repack(l, chunks.c, r, chunks.n, &value, regs + p->comp);
}

static void mem_access(Lower *l, Addr a, LLVMTypeRef t, u32 *regs, bool store, RegKind kind)
{
	const ValueShape *s = lo_shape(l, t);
	Parts p = {0};
	u32 comp = 0;
	mem_parts(l, t, 0, &comp, &p);
	for (u32 i = 0, n; i < p.n; i += n) {
		n = mem_run(&p, s, i);
		if (p.v[i].packed) {
			mem_packed(l, a, &p.v[i], s, regs, store, kind);
			continue;
		}
		Addr at = a;
		at.off += (i64)p.v[i].off;
		if (a.align && p.v[i].off & (a.align - 1))
			at.align = (u32)(p.v[i].off & (0 - p.v[i].off)); /* deeper inside, less is known */
		u32 *r = regs + p.v[i].comp;
		for (u32 k = 0; !store && k < n; k++)
			r[k] = program_reg(l->p, (Type)s->c[p.v[i].comp].type, kind, NULL);
		if (store)
			mem_st(l, at, r, n);
		else
			mem_ld(l, at, r, n);
	}
	array_free(&p);
}

void lo_load(Lower *l, Addr a, LLVMTypeRef t, bool divergent, u32 *out)
{
	mem_access(l, a, t, out, false, divergent ? REG_VECTOR : REG_SCALAR);
}

void lo_store(Lower *l, Addr a, LLVMTypeRef t, const u32 *regs)
{
	u32 n = lo_shape(l, t)->n, *copy = lo_regs(l, n);
	memcpy(copy, regs, n * sizeof *regs);
	mem_access(l, a, t, copy, true, REG_VECTOR);
}

u8 lo_sync(LLVMValueRef v)
{
	if (LLVMIsAAtomicCmpXchgInst(v))
		return LLVMGetCmpXchgSuccessOrdering(v) > LLVMAtomicOrderingMonotonic ? SYNC_ORDERED : SYNC_ATOMIC;
	LLVMAtomicOrdering order = LLVMGetOrdering(v);
	return order > LLVMAtomicOrderingMonotonic      ? SYNC_ORDERED
	       : order != LLVMAtomicOrderingNotAtomic   ? SYNC_ATOMIC
	       : LLVMGetVolatile(v)                     ? SYNC_VOLATILE
	                                                : SYNC_NONE;
}

static bool has_mark(LLVMValueRef v, const char *name)
{
	LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(v));
	return LLVMGetMetadata(v, LLVMGetMDKindIDInContext(c, name, (u32)strlen(name)));
}

static u32 align_attribute(LLVMValueRef fn, u32 index)
{
	LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(fn, index, llvm_attribute("align"));
	return a ? (u32)LLVMGetEnumAttributeValue(a) : 1;
}

/* Bytes that a pointer is known to be aligned to by where it comes from. */
static u32 known_align(LLVMValueRef v)
{
	if (LLVMIsAArgument(v)) {
		LLVMValueRef fn = LLVMGetParamParent(v);
		u32 i = 0;
		while (LLVMGetParam(fn, i) != v)
			i++;
		return align_attribute(fn, i + 1);
	}
	if (LLVMIsAGlobalVariable(v))
		return LLVMGetAlignment(v);
	LLVMValueRef fn = LLVMIsACallInst(v) ? LLVMGetCalledValue(v) : NULL;
	return fn && LLVMIsAFunction(fn) ? align_attribute(fn, LLVMAttributeReturnIndex) : 1;
}

static bool is_constant_gep(LLVMValueRef v)
{
	u32 n = (u32)LLVMGetNumOperands(v), i = 1;
	while (i < n && LLVMIsAConstantInt(LLVMGetOperand(v, i)))
		i++;
	return i == n;
}

/* Is it a part of a dword of constant memory that lies at a constant distance from an aligned place? The back end reads
 * the whole dword then (AMDGPULateCodeGenPrepare), or joins it with its neighbour: the work-group's sizes are such. */
static bool is_part_of_dword(Lower *l, LLVMValueRef v)
{
	LLVMTypeRef t = LLVMTypeOf(v);
	if (LLVMStoreSizeOfType(l->td, t) >= 4 || LLVMGetAlignment(v) < LLVMABIAlignmentOfType(l->td, t))
		return false;
	LLVMValueRef at = LLVMGetOperand(v, 0);
	while ((LLVMIsAGetElementPtrInst(at) && is_constant_gep(at)) || LLVMIsABitCastInst(at))
		at = LLVMGetOperand(at, 0);
	return known_align(at) >= 4;
}

/* LLVM's back end selects a load of the scalar unit when the wavefront reads one place,
 * by whole dwords, of memory that is not written meanwhile. ld.constant from a scalar
 * address means that; every other load of such memory is an ordinary one. */
static u8 load_space(Lower *l, LLVMValueRef v, const Addr *a)
{
	if ((a->space != SPACE_CONSTANT && a->space != SPACE_GLOBAL) ||
	    l->p->regs.v[a->reg].kind == REG_VECTOR)
		return a->space;
	bool unwritten = a->space == SPACE_CONSTANT || has_mark(v, "amdgpu.noclobber") ||
	                 has_mark(v, "invariant.load");
	bool dwords = LLVMGetAlignment(v) >= 4 || (a->space == SPACE_CONSTANT && is_part_of_dword(l, v));
	return unwritten && dwords && !LLVMGetVolatile(v) && LLVMGetOrdering(v) == LLVMAtomicOrderingNotAtomic
	           ? SPACE_CONSTANT
	           : SPACE_GLOBAL;
}

static bool mem_load(Lower *l, LLVMValueRef v)
{
	LLVMTypeRef t = LLVMTypeOf(v);
	u32 *d = lo_regs(l, lo_shape(l, t)->n);
	Addr a = lo_addr(l, LLVMGetOperand(v, 0));
	a.align = LLVMGetAlignment(v);
	a.sync = lo_sync(v);
	a.space = load_space(l, v, &a);
	lo_load(l, a, t, lo_info(l, v)->divergent, d);
	lo_set(l, v, d);
	return true;
}

static bool mem_alloca(Lower *l, LLVMValueRef v)
{
	u128 n;
	if (!lo_const_int(LLVMGetOperand(v, 0), &n)) {
		lo_error(l, "a private array whose size is not known at compile time");
		diag_hint(l->d, "give it a constant size");
		return false;
	}
	u32 d = lo_c(l, T_i32, lo_object_address(l, v));
	lo_info(l, v)->regs = lo_regs(l, 1);
	lo_info(l, v)->regs[0] = d;
	return true;
}

bool lo_memory(Lower *l, LLVMOpcode op, LLVMValueRef v)
{
	switch (op) {
	case LLVMGetElementPtr:
		return mem_gep(l, v);
	case LLVMLoad:
		return mem_load(l, v);
	case LLVMStore: {
		LLVMValueRef x = LLVMGetOperand(v, 0);
		Addr a = lo_addr(l, LLVMGetOperand(v, 1));
		a.align = LLVMGetAlignment(v);
		a.sync = lo_sync(v);
		lo_store(l, a, LLVMTypeOf(x), lo_val(l, x));
		return true;
	}
	case LLVMAtomicRMW:
		return lo_rmw(l, v);
	case LLVMAtomicCmpXchg:
		return lo_cas(l, v);
	case LLVMAlloca:
		return mem_alloca(l, v);
	case LLVMFence: /* within a wavefront it is no lock, nor a flag, of the kernel's */
		lo_emit(l, l->m->check && llvm_is_wave_fence(v) ? OP_wave_barrier : OP_fence, NULL, 0, NULL, 0);
		return true;
	default:
		return false;
	}
}
