/* LLVM's debug information -> Symbols: see symbols.h.
 *
 * LLVM's C interface tells neither the tag of a derived or composite type nor the encoding of a basic one. What they
 * are follows from what they have: a pointer has a size of its own, a typedef or a qualifier has none; an array is of
 * ranges, an enumeration of enumerators; basic types have the names that clang gives them. */
#include "frontend/lower/symbols.h"

#include <llvm-c/DebugInfo.h>

enum { MOST_BOUNDS = 8 };

/* ---- declarations ---- */

static u32 mark_kind(const FeModule *m)
{
	static const char name[] = "wavesim.declared";
	return LLVMGetMDKindIDInContext(m->ctx, name, sizeof name - 1);
}

void symbols_declare(FeModule *m)
{
	llvm_each_function(m->mod, f) llvm_each_instruction(f, i)
	{
		if (llvm_debug(i) != LLVM_DEBUG_DECLARE)
			continue;
		LLVMValueRef at = llvm_debug_of(i), variable = llvm_debug_variable(i);
		LLVMMetadataRef location = LLVMInstructionGetDebugLoc(i);
		for (LLVMValueRef from; at && (from = llvm_cast_source(at));)
			at = from;
		if (!at || !LLVMIsAAllocaInst(at) || !variable || !location)
			continue;
		array_push(&m->declared_variables, ((FeDeclared){variable, location}));
		LLVMValueRef number = LLVMConstInt(LLVMInt32TypeInContext(m->ctx), m->declared_variables.n - 1, 0);
		LLVMMetadataRef index = LLVMValueAsMetadata(number);
		LLVMMetadataRef node = LLVMMDNodeInContext2(m->ctx, &index, 1);
		LLVMSetMetadata(at, mark_kind(m), LLVMMetadataAsValue(m->ctx, node));
	}
}

/* ---- types ---- */

static u32 type_of(Lower *l, LLVMValueRef node);

static u8 basic_kind(const char *name)
{
	static const char *const floats[] = {"float", "double", "half", "__fp16", "_Float16"};
	for (u32 i = 0; i < COUNT(floats); i++)
		if (!strcmp(name, floats[i]))
			return SYM_FLOAT;
	if (!strcmp(name, "bool") || !strcmp(name, "_Bool"))
		return SYM_BOOL;
	return strncmp(name, "unsigned", 8) ? SYM_INT : SYM_UINT;
}

/* Of an array of arrays the outermost gets the place that was kept. */
static void array_type(Lower *l, u32 at, LLVMValueRef node, const char *name)
{
	Symbols *s = l->p->symbols;
	LLVMValueRef bounds = llvm_operand(node, TYPE_ELEMENTS);
	u32 dims = llvm_operands(bounds), base = type_of(l, llvm_operand(node, TYPE_BASE));
	bool vector = LLVMDITypeGetFlags(LLVMValueAsMetadata(node)) & LLVMDIFlagVector;
	for (u32 i = dims < MOST_BOUNDS ? dims : MOST_BOUNDS; i-- > 0;) {
		u32 n = llvm_operand_number(llvm_operand(bounds, i), SUBRANGE_COUNT);
		u32 each = s->types.v[base].bytes;
		SymType t = {.kind = vector ? SYM_VECTOR : SYM_ARRAY, .base = base, .n = n, .bytes = n * each};
		if (vector) /* of three it takes the room of four */
			t.bytes = (u32)(LLVMDITypeGetSizeInBits(LLVMValueAsMetadata(node)) / 8);
		if (!i) {
			t.name = vector ? name : NULL;
			s->types.v[at] = t;
			return;
		}
		array_push(&s->types, t);
		base = s->types.n - 1;
	}
}

static void struct_type(Lower *l, u32 at, LLVMValueRef node, const char *name)
{
	Symbols *s = l->p->symbols;
	LLVMValueRef elements = llvm_operand(node, TYPE_ELEMENTS);
	ARRAY(SymMember) own = {0};
	for (u32 i = 0; i < llvm_operands(elements); i++) {
		LLVMValueRef e = llvm_operand(elements, i);
		if (!llvm_is_node(e, LLVMDIDerivedTypeMetadataKind)) /* a method */
			continue;
		SymMember m = {.type = type_of(l, llvm_operand(e, TYPE_BASE)),
		               .offset = (u32)(LLVMDITypeGetOffsetInBits(LLVMValueAsMetadata(e)) / 8)};
		m.name = llvm_operand_text(l->p->arena, e, TYPE_NAME);
		array_push(&own, m);
	}
	s->types.v[at] = (SymType){.name = name ? name : "struct",
	                           .kind = SYM_STRUCT,
	                           .n = own.n,
	                           .first = s->members.n,
	                           .bytes = s->types.v[at].bytes};
	for (u32 i = 0; i < own.n; i++)
		array_push(&s->members, own.v[i]);
	array_free(&own);
}

static void composite_type(Lower *l, u32 at, LLVMValueRef node, const char *name)
{
	LLVMValueRef first = llvm_operand(llvm_operand(node, TYPE_ELEMENTS), 0);
	Symbols *s = l->p->symbols;
	if (first && llvm_is_node(first, LLVMDISubrangeMetadataKind))
		array_type(l, at, node, name);
	else if (first && llvm_is_node(first, LLVMDIEnumeratorMetadataKind))
		s->types.v[at].kind = SYM_INT;
	else
		struct_type(l, at, node, name);
}

static u32 type_new(Lower *l, LLVMValueRef node)
{
	Symbols *s = l->p->symbols;
	u32 at = s->types.n;
	LLVMMetadataRef type = LLVMValueAsMetadata(node);
	const char *name = llvm_operand_text(l->p->arena, node, TYPE_NAME);
	SymType t = {.name = name, .bytes = (u32)(LLVMDITypeGetSizeInBits(type) / 8)};
	array_push(&s->types, t);
	*ptrmap_slot(l->types, type) = (void *)(uintptr_t)(at + 1);
	if (llvm_is_node(node, LLVMDIBasicTypeMetadataKind)) {
		s->types.v[at].kind = basic_kind(name ? name : "");
	} else if (llvm_is_node(node, LLVMDICompositeTypeMetadataKind)) {
		composite_type(l, at, node, name);
	} else if (t.bytes) {
		u32 base = type_of(l, llvm_operand(node, TYPE_BASE));
		s->types.v[at] = (SymType){.kind = SYM_POINTER, .bytes = t.bytes, .base = base};
	} else {
		u32 base = type_of(l, llvm_operand(node, TYPE_BASE));
		t = s->types.v[base];
		t.name = name ? name : t.name;
		s->types.v[at] = t;
	}
	return at;
}

static u32 type_of(Lower *l, LLVMValueRef node)
{
	bool known = node && (llvm_is_node(node, LLVMDIBasicTypeMetadataKind) ||
	                      llvm_is_node(node, LLVMDIDerivedTypeMetadataKind) ||
	                      llvm_is_node(node, LLVMDICompositeTypeMetadataKind));
	void *at = known ? *ptrmap_slot(l->types, LLVMValueAsMetadata(node)) : NULL;
	return at ? (u32)(uintptr_t)at - 1 : known ? type_new(l, node) : 0;
}

/* ---- scopes ---- */

static LLVMMetadataRef parent_of(const Lower *l, LLVMMetadataRef scope)
{
	LLVMValueRef up = llvm_operand(LLVMMetadataAsValue(l->m->ctx, scope), SCOPE_PARENT);
	return up ? LLVMValueAsMetadata(up) : NULL;
}

static u32 scope_of(Lower *l, LLVMMetadataRef scope, LLVMMetadataRef inlined_at)
{
	Symbols *s = l->p->symbols;
	if (!scope)
		return 0;
	u64 key = hash_mix((u64)(uintptr_t)scope) ^ (u64)(uintptr_t)inlined_at;
	void **slot = map_slot(l->scopes, key);
	if (*slot)
		return (u32)(uintptr_t)*slot - 1;
	SymScope x = {0};
	LLVMMetadataRef call = inlined_at ? fe_users_place(l->m, inlined_at) : NULL;
	if (LLVMGetMetadataKind(scope) != LLVMDISubprogramMetadataKind) {
		x.parent = scope_of(l, parent_of(l, scope), inlined_at);
	} else {
		x.function = llvm_operand_text(l->p->arena, LLVMMetadataAsValue(l->m->ctx, scope), SUBPROGRAM_NAME);
		x.function = x.function ? x.function : "";
		x.call = call ? lo_place(l, call) : 0;
		x.parent = call ? scope_of(l, LLVMDILocationGetScope(call), LLVMDILocationGetInlinedAt(call)) : 0;
	}
	array_push(&s->scopes, x);
	*map_slot(l->scopes, key) = (void *)(uintptr_t)s->scopes.n;
	return s->scopes.n - 1;
}

void lo_symbol_scope(Lower *l, u32 loc, LLVMMetadataRef location)
{
	Symbols *s = l->p->symbols;
	u32 scope = scope_of(l, LLVMDILocationGetScope(location), LLVMDILocationGetInlinedAt(location));
	while (s->loc_scopes.n <= loc)
		array_push(&s->loc_scopes, 0);
	s->loc_scopes.v[loc] = scope;
}

/* ---- variables ---- */

static void add_variable(Lower *l, LLVMValueRef variable, u32 scope, u32 object, bool parameter)
{
	SymVar v = {.scope = scope, .object = object, .type = type_of(l, llvm_operand(variable, VARIABLE_TYPE))};
	LLVMMetadataRef node = LLVMValueAsMetadata(variable), file = LLVMDIVariableGetFile(node);
	Loc at = {.file = file ? fe_file(l->m, file) : NULL, .line = LLVMDIVariableGetLine(node)};
	v.name = llvm_operand_text(l->p->arena, variable, VARIABLE_NAME);
	v.line = at.file ? fe_physical(l->m, at).line : 0;
	v.parameter = parameter;
	if (v.name && at.file)
		array_push(&l->p->symbols->vars, v);
}

/* Where clang keeps a parameter. */
static bool is_parameter(LLVMValueRef alloca)
{
	static const char end[] = ".addr";
	size_t n;
	const char *name = LLVMGetValueName2(alloca, &n);
	return n >= sizeof end - 1 && !strncmp(name + n - (sizeof end - 1), end, sizeof end - 1);
}

static void declared_alloca(Lower *l, LLVMValueRef v, u32 object)
{
	LLVMValueRef mark = LLVMGetMetadata(v, mark_kind(l->m));
	if (!mark)
		return;
	const FeDeclared *x = &l->m->declared_variables.v[llvm_operand_number(mark, 0)];
	u32 scope = scope_of(l, LLVMDILocationGetScope(x->location), LLVMDILocationGetInlinedAt(x->location));
	add_variable(l, x->variable, scope, object, is_parameter(v));
}

void lo_symbol_object(Lower *l, LLVMValueRef v, u32 object)
{
	if (!l->p->symbols)
		return;
	if (LLVMIsAAllocaInst(v)) {
		declared_alloca(l, v, object);
		return;
	}
	size_t n = 0;
	LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(v, &n);
	for (u32 i = 0; i < n; i++) {
		LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, i);
		LLVMMetadataRef variable = LLVMGetMetadataKind(node) == LLVMDIGlobalVariableExpressionMetadataKind
		                               ? LLVMDIGlobalVariableExpressionGetVariable(node)
		                               : NULL;
		if (variable)
			add_variable(l, LLVMMetadataAsValue(l->m->ctx, variable), 0, object, false);
	}
	LLVMDisposeValueMetadataEntries(entries);
}

static bool known(const Symbols *s, const char *name, u32 line)
{
	for (u32 i = 0; i < s->vars.n; i++)
		if (s->vars.v[i].line == line && !strcmp(s->vars.v[i].name, name))
			return true;
	return false;
}

void lo_symbol_rest(Lower *l)
{
	for (u32 i = 0; l->p->symbols && i < l->m->declared_variables.n; i++) {
		const FeDeclared *x = &l->m->declared_variables.v[i];
		const char *name = llvm_operand_text(l->p->arena, x->variable, VARIABLE_NAME);
		u32 line = LLVMDIVariableGetLine(LLVMValueAsMetadata(x->variable));
		if (name && !known(l->p->symbols, name, line))
			add_variable(l, x->variable, scope_of(l, LLVMDILocationGetScope(x->location), NULL), NO_OBJECT,
			             false);
	}
}
