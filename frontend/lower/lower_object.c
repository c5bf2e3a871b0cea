/* Objects with an address of their own: LDS variables, constants, globals, private
 * variables; and the bytes they start with. */
#include "frontend/lower/symbols.h"
#include "frontend/module/mangled.h"

#include <llvm-c/DebugInfo.h>

enum { LDS_PRIVATE_SEGMENTS = (1 << (32 - SEG32_SHIFT)) - 1 };

static bool object_narrow(u32 space) { return space == SPACE_LDS || space == SPACE_PRIVATE; }

static u64 object_address(const Object *o)
{
	return object_narrow(o->space) ? (u32)(o->seg << SEG32_SHIFT) : (u64)o->seg << SEG_SHIFT;
}

/* ---- initial bytes ---- */

typedef struct Init {
	Lower *l;
	u8 *data;
	u64 size;
	ARRAY(Reloc) relocs;
} Init;

static void init_bytes(Init *in, u64 off, u128 bits, u64 n)
{
	for (u64 i = 0; i < n && off + i < in->size; i++)
		in->data[off + i] = (u8)(bits >> (8 * i));
}

/* A pointer: to a constant or global object it becomes a relocation. */
static void init_pointer(Init *in, u64 off, LLVMValueRef c, const Comp *k)
{
	u64 a = (u64)lo_const_bits(in->l, c, k);
	const Program *p = in->l->p;
	for (u32 i = 0; k->bits == 64 && !(a & APERTURE_MASK) && i < p->objects.n; i++) {
		const Object *o = &p->objects.v[i];
		if (object_narrow(o->space) || o->seg != a >> SEG_SHIFT || !o->seg)
			continue;
		i64 addend = (i64)(a & (((u64)1 << SEG_SHIFT) - 1));
		array_push(&in->relocs, ((Reloc){.offset = (u32)off, .target = i, .addend = addend}));
		return;
	}
	init_bytes(in, off, a, k->bits / 8);
}

/* A number, from some bit on. */
static void init_number(Init *in, u64 at, LLVMValueRef c, const ValueShape *s)
{
	for (u32 i = 0; i < s->n; at += s->c[i++].bits) {
		LLVMValueRef x = s->wide ? llvm_const_word(c, i) : c;
		u128 bits = lo_const_bits(in->l, x, &s->c[i]);
		if (at % 8 == 0)
			init_bytes(in, at / 8, bits, (s->c[i].bits + 7u) / 8);
		for (u64 k = 0; at % 8 && k < s->c[i].bits && (at + k) / 8 < in->size; k++)
			in->data[(at + k) / 8] |= (u8)((bits >> k & 1) << (at + k) % 8);
	}
}

static void init_value(Init *in, u64 off, LLVMValueRef c, LLVMTypeRef t)
{
	LLVMTargetDataRef td = in->l->td;
	LLVMTypeKind kind = LLVMGetTypeKind(t);
	const ValueShape *s;
	u32 n;
	if (LLVMIsNull(c) || lo_is_undef(c))
		return;
	if (kind == LLVMStructTypeKind) {
		n = LLVMCountStructElementTypes(t);
		for (u32 i = 0; i < n; i++)
			init_value(in, off + LLVMOffsetOfElement(td, t, i), LLVMGetAggregateElement(c, i),
			           LLVMStructGetTypeAtIndex(t, i));
		return;
	}
	if (kind == LLVMArrayTypeKind) {
		LLVMTypeRef e = LLVMGetElementType(t);
		u64 step = LLVMABISizeOfType(td, e);
		n = LLVMGetArrayLength(t);
		for (u32 i = 0; i < n; i++)
			init_value(in, off + i * step, LLVMGetAggregateElement(c, i), e);
		return;
	}
	if (kind == LLVMVectorTypeKind) {
		LLVMTypeRef e = LLVMGetElementType(t);
		u64 bits = LLVMSizeOfTypeInBits(td, e);
		s = lo_shape(in->l, e);
		n = s->bad ? 0 : LLVMGetVectorSize(t);
		for (u32 i = 0; i < n; i++) {
			LLVMValueRef x = LLVMGetAggregateElement(c, i);
			if (!x) { /* a vector constant expression */
				lo_const_bits(in->l, c, &s->c[0]);
				return;
			}
			if (s->c[0].cls == C_PTR)
				init_value(in, off + i * (bits / 8), x, e);
			else
				init_number(in, off * 8 + i * bits, x, s);
		}
		if (n)
			return;
	}
	s = lo_shape(in->l, t);
	if (s->bad || !s->n)
		lo_error(in->l, "program-scope data holds %s, which wavesim does not support", s->bad);
	else if (s->c[0].cls == C_PTR)
		init_pointer(in, off, c, &s->c[0]);
	else
		init_number(in, off * 8, c, s);
}

static void object_init(Lower *l, u32 object, LLVMValueRef v)
{
	LLVMValueRef c = LLVMGetInitializer(v);
	u64 size = l->p->objects.v[object].size;
	if (!c || LLVMIsNull(c) || lo_is_undef(c))
		return;
	Init in = {.l = l, .size = size, .data = arena_alloc(l->p->arena, size ? size : 1)};
	init_value(&in, 0, c, LLVMTypeOf(c));
	Object *o = &l->p->objects.v[object];
	Reloc *r = ARENA_ARRAY(l->p->arena, Reloc, in.relocs.n);
	if (in.relocs.n)
		memcpy(r, in.relocs.v, in.relocs.n * sizeof *r);
	o->data = in.data;
	o->relocs = r;
	o->nrelocs = in.relocs.n;
	array_free(&in.relocs);
}

/* ---- objects ---- */

static u32 object_new(Lower *l, u32 space, u64 size, u32 align, const char *name)
{
	bool narrow = object_narrow(space);
	u32 *seg = &l->seg[narrow ? space : SPACE_GLOBAL];
	u32 count = narrow && size ? (u32)((size - 1) >> SEG32_SHIFT) + 1 : 1;
	if (size > INT32_MAX || (narrow && *seg + count > LDS_PRIVATE_SEGMENTS)) {
		lo_error(l, "%s memory: '%s' takes %llu bytes, more than wavesim can address",
		         space_name[space], name, (unsigned long long)size);
		diag_hint(l->d, "make the array smaller or keep it in a global buffer");
		size = 0;
		count = 1;
	}
	Object o = {.space = (u8)space, .seg = *seg, .size = (u32)size, .align = align ? align : 1,
	            .name = arena_strdup(l->p->arena, name)};
	*seg += count;
	array_push(&l->p->objects, o);
	return l->p->objects.n - 1;
}

/* Where a variable is declared: Program.locs index, or 0. */
static u32 declaration_of(Lower *l, LLVMValueRef v)
{
	size_t n = 0;
	u32 found = 0;
	LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(v, &n);
	for (u32 i = 0; i < n && !found; i++) {
		LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, i);
		if (LLVMGetMetadataKind(node) != LLVMDIGlobalVariableExpressionMetadataKind)
			continue;
		LLVMMetadataRef variable = LLVMDIGlobalVariableExpressionGetVariable(node);
		LLVMMetadataRef file = variable ? LLVMDIVariableGetFile(variable) : NULL;
		Loc at = {.file = file ? fe_file(l->m, file) : NULL,
		          .line = file ? LLVMDIVariableGetLine(variable) : 0};
		if (at.file && at.line)
			at = fe_physical(l->m, at);
		found = at.file && at.line ? program_loc(l->p, at.file, at.line, 0) : 0;
	}
	LLVMDisposeValueMetadataEntries(entries);
	return found;
}

/* Bytes of the innermost of arrays in each other; 0: there is but one, or none. */
static u32 row_of(const Lower *l, LLVMTypeRef t)
{
	LLVMTypeRef row = NULL;
	while (LLVMGetTypeKind(t) == LLVMArrayTypeKind) {
		LLVMTypeRef e = LLVMGetElementType(t);
		row = LLVMGetTypeKind(e) == LLVMArrayTypeKind ? e : row;
		t = e;
	}
	u64 bytes = row ? LLVMABISizeOfType(l->td, row) : 0;
	return bytes <= INT32_MAX ? (u32)bytes : 0;
}

/* Of local memory whose size the launch says: all such arrays begin at one address. */
static u64 shared_address(Lower *l)
{
	KernelArg *a = &l->p->args.v[l->m->shared_arg - 1];
	if (!a->seg)
		a->seg = l->seg[SPACE_LDS]++;
	return (u64)a->seg << SEG32_SHIFT;
}

u64 lo_object_address(Lower *l, LLVMValueRef v)
{
	void **slot = ptrmap_slot(l->objects, v);
	size_t n;
	if (*slot)
		return object_address(&l->p->objects.v[(uintptr_t)*slot - 1]);
	u32 i;
	if (LLVMIsAAllocaInst(v)) {
		LLVMTypeRef t = LLVMGetAllocatedType(v);
		u128 count = 1;
		lo_const_int(LLVMGetOperand(v, 0), &count);
		const char *name = lo_name(l, v);
		i = object_new(l, SPACE_PRIVATE, LLVMABISizeOfType(l->td, t) * (u64)count,
		               LLVMGetAlignment(v), name ? name : "temporary");
		*slot = (void *)(uintptr_t)(i + 1);
	} else if (LLVMIsDeclaration(v) && l->m->shared_arg) {
		return shared_address(l);
	} else {
		u32 space = LLVMGetPointerAddressSpace(LLVMTypeOf(v));
		LLVMTypeRef t = LLVMGlobalGetValueType(v);
		i = object_new(l, space == SPACE_FLAT ? SPACE_GLOBAL : space, LLVMABISizeOfType(l->td, t),
		               LLVMGetAlignment(v) ? LLVMGetAlignment(v)
		                                   : LLVMABIAlignmentOfType(l->td, t),
		               fe_variable_name(l->arena, arena_strdup(l->arena, LLVMGetValueName2(v, &n))));
		*slot = (void *)(uintptr_t)(i + 1);
		l->p->objects.v[i].row = row_of(l, t);
		l->p->objects.v[i].loc = declaration_of(l, v);
		if (space != SPACE_LDS)
			object_init(l, i, v);
	}
	lo_symbol_object(l, v, i);
	return object_address(&l->p->objects.v[i]);
}

u32 lo_dummy_object(Lower *l, u32 space)
{
	bool narrow = object_narrow(space);
	u32 *dummy = &l->dummy[narrow ? space : SPACE_GLOBAL];
	if (!*dummy)
		*dummy = object_new(l, narrow ? space : SPACE_GLOBAL, 256, 16, "masked-off") + 1;
	return lo_c(l, narrow ? T_i32 : T_i64, object_address(&l->p->objects.v[*dummy - 1]));
}

const char *lo_const_string(Lower *l, LLVMValueRef v)
{
	u128 off = 0, step;
	size_t n;
	while (LLVMIsAConstantExpr(v) || LLVMIsAGetElementPtrInst(v)) {
		LLVMOpcode op = LLVMIsAConstantExpr(v) ? LLVMGetConstOpcode(v) : LLVMGetElementPtr;
		if (op == LLVMGetElementPtr && lo_gep_offset(l, v, &step))
			off += step;
		else if (op != LLVMBitCast && op != LLVMAddrSpaceCast)
			return NULL;
		v = LLVMGetOperand(v, 0);
	}
	if (!LLVMIsAGlobalVariable(v) || !LLVMIsGlobalConstant(v) || !LLVMGetInitializer(v))
		return NULL;
	LLVMValueRef c = LLVMGetInitializer(v);
	if (LLVMIsNull(c))
		return "";
	if (!LLVMIsAConstantDataSequential(c) || !LLVMIsConstantString(c))
		return NULL;
	const char *s = LLVMGetAsString(c, &n);
	if (off >= n)
		return NULL;
	return arena_strndup(l->p->arena, s + off, strnlen(s + off, n - (size_t)off));
}
