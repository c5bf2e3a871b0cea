/* Debug values -> names of values: see variables.h.
 *
 * A value may be that of several variables, because functions were inlined: the one of the
 * function called least deeply is what the user thinks of. Variables of PoCL's library and
 * values from which a variable would still have to be computed give no name. */
#include "frontend/lower/variables.h"

#include "frontend/lower/lowering.h"
#include "frontend/module/mangled.h"

#include <llvm-c/DebugInfo.h>

enum { DEEPEST = 8 }; /* structs in arrays in structs … */
enum { MANY_DEBUG_VALUES = 3000 };
/* Operands of our own node. */
enum { OWN_NAME, OWN_PART, OWN_INDEX, OWN_LENGTH, OWN_DEPTH, OWN_VARIABLE, OWN_COUNT };

static u32 mark_kind(const FeModule *m)
{
	static const char name[] = "wavesim.variable";
	return LLVMGetMDKindIDInContext(m->ctx, name, sizeof name - 1);
}

/* ---- parts of variables ---- */

static u64 type_bits(LLVMValueRef type)
{
	for (u32 i = 0; i < DEEPEST && llvm_is_node(type, LLVMDIDerivedTypeMetadataKind); i++) {
		u64 bits = LLVMDITypeGetSizeInBits(LLVMValueAsMetadata(type));
		if (bits)
			return bits;
		type = llvm_operand(type, TYPE_BASE);
	}
	return llvm_is_node(type, LLVMDIBasicTypeMetadataKind) || llvm_is_node(type, LLVMDICompositeTypeMetadataKind)
	               ? LLVMDITypeGetSizeInBits(LLVMValueAsMetadata(type))
	               : 0;
}

/* The member of a struct that holds the bit at offset, or NULL. */
static LLVMValueRef member_at(LLVMValueRef elements, u64 offset)
{
	for (u32 i = 0; i < llvm_operands(elements); i++) {
		LLVMValueRef one = llvm_operand(elements, i);
		if (!llvm_is_node(one, LLVMDIDerivedTypeMetadataKind))
			return NULL;
		LLVMMetadataRef member = LLVMValueAsMetadata(one);
		u64 at = LLVMDITypeGetOffsetInBits(member);
		if (offset >= at && offset < at + LLVMDITypeGetSizeInBits(member))
			return one;
	}
	return NULL;
}

/* The elements of an array with several bounds, int t[2][3], are one list: write down all indices
 * but the last one, which becomes the result. */
static u32 last_index(const FeModule *m, LLVMValueRef bounds, u64 index, Variable *out)
{
	enum { MOST = 8 };
	u64 n[MOST], inner = 1;
	u32 dims = llvm_operands(bounds);
	for (u32 i = 0; i < dims && dims <= MOST; i++) {
		LLVMValueRef count = llvm_operand(llvm_operand(bounds, i), SUBRANGE_COUNT);
		n[i] = count && LLVMIsAConstantInt(count) ? LLVMConstIntGetZExtValue(count) : 0;
		inner *= i ? n[i] : 1;
	}
	for (u32 i = 0; i + 1 < dims && dims <= MOST && inner; i++) {
		out->name = arena_printf(m->arena, "%s[%u]", out->name, (u32)(index / inner));
		index %= inner;
		inner /= n[i + 1];
	}
	return (u32)index;
}

/* Go on to the type of the elements at *offset; false: the value is the whole array and has no
 * one kind of elements. */
static bool find_element(const FeModule *m, LLVMValueRef *type, u64 *offset, u64 bits, Variable *out)
{
	LLVMValueRef bounds = llvm_operand(*type, TYPE_ELEMENTS);
	LLVMValueRef element = llvm_operand(*type, TYPE_BASE);
	u64 each = type_bits(element), all = type_bits(*type);
	bool whole = !*offset && bits >= all;
	if (!each || !llvm_operands(bounds) || (whole && llvm_operands(bounds) != 1))
		return false;
	bool vector = LLVMDITypeGetFlags(LLVMValueAsMetadata(*type)) & LLVMDIFlagVector;
	out->part = vector ? PART_LANE : PART_ELEMENT;
	out->index = last_index(m, bounds, *offset / each, out);
	out->count = (u32)((whole ? all : bits) / each);
	*offset %= each;
	*type = element;
	return true;
}

/* Write down the way from a variable of this type to its `bits` bits at offset: "p", "p.x",
 * "tile[2].w". The last index is kept apart. */
static bool find_part(const FeModule *m, LLVMValueRef type, u64 offset, u64 bits, Variable *out)
{
	for (u32 i = 0; i < DEEPEST && type; i++) {
		if (llvm_is_node(type, LLVMDIDerivedTypeMetadataKind)) {
			type = llvm_operand(type, TYPE_BASE);
			continue;
		}
		if (!llvm_is_node(type, LLVMDICompositeTypeMetadataKind) || out->count > 1)
			break;
		if (out->part != PART_WHOLE)
			out->name = arena_printf(m->arena, out->part == PART_LANE ? "%s.s%x" : "%s[%u]",
			                         out->name, out->index);
		out->part = PART_WHOLE;
		out->count = 0;
		bool whole = !offset && bits >= type_bits(type);
		LLVMValueRef member = member_at(llvm_operand(type, TYPE_ELEMENTS), offset);
		if (member && !whole) {
			const char *name = llvm_operand_text(m->arena, member, TYPE_NAME);
			offset -= LLVMDITypeGetOffsetInBits(LLVMValueAsMetadata(member));
			out->name = arena_printf(m->arena, "%s.%s", out->name, name ? name : "");
			type = llvm_operand(member, TYPE_BASE);
		} else if (member || !find_element(m, &type, &offset, bits, out)) {
			return whole;
		}
	}
	return !offset;
}

/* The bits of the variable that a debug value is. */
typedef struct DebugExpression {
	bool plain; /* nothing has to be computed first */
	u64 offset, bits;
} DebugExpression;

/* A loop counter that was widened is still the counter. */
static DebugExpression parse_expression(char *text)
{
	char *p = strchr(text, '('), *rest = NULL;
	bool plain = p != NULL;
	u64 offset = 0, bits = UINT64_MAX;
	for (p = p ? strtok_r(p + 1, ", )", &rest) : NULL; p && plain; p = strtok_r(NULL, ", )", &rest)) {
		if (!strcmp(p, "DW_OP_LLVM_fragment")) {
			const char *from = strtok_r(NULL, ", )", &rest), *n = strtok_r(NULL, ", )", &rest);
			plain = from && n;
			offset = plain ? strtoull(from, NULL, 10) : 0;
			bits = plain ? strtoull(n, NULL, 10) : 0;
		} else if (!strcmp(p, "DW_OP_LLVM_convert")) {
			strtok_r(NULL, ", )", &rest);
			strtok_r(NULL, ", )", &rest);
		} else {
			plain = !strcmp(p, "DW_OP_stack_value");
		}
	}
	return (DebugExpression){plain, offset, bits};
}

/* Equal expressions are one object, of which LLVM prints the text only after it has numbered all
 * of the module. */
static const DebugExpression *expression_of(FeModule *m, Map *known, LLVMValueRef node)
{
	void **slot = ptrmap_slot(known, LLVMValueAsMetadata(node));
	if (!*slot) {
		DebugExpression *e = ARENA_NEW(m->arena, DebugExpression);
		char *text = LLVMPrintValueToString(node);
		*e = parse_expression(text);
		LLVMDisposeMessage(text);
		*slot = e;
	}
	return *slot;
}

/* ---- marks ---- */

static u32 inlined_depth(LLVMValueRef call)
{
	u32 n = 0;
	LLVMMetadataRef at = LLVMInstructionGetDebugLoc(call);
	while (at && (at = LLVMDILocationGetInlinedAt(at)))
		n++;
	return n;
}

static void mark(const FeModule *m, LLVMValueRef v, const Variable *x, u32 depth,
                 LLVMValueRef variable)
{
	u32 kind = mark_kind(m);
	LLVMValueRef old = LLVMGetMetadata(v, kind);
	if (old && llvm_operand_number(old, OWN_DEPTH) <= depth)
		return;
	u32 number[OWN_COUNT] = {[OWN_PART] = x->part, [OWN_INDEX] = x->index, [OWN_LENGTH] = x->count,
	                         [OWN_DEPTH] = depth};
	LLVMMetadataRef own[OWN_COUNT];
	for (u32 i = 0; i < OWN_COUNT; i++)
		own[i] = LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(m->ctx), number[i], 0));
	own[OWN_NAME] = LLVMMDStringInContext2(m->ctx, x->name, strlen(x->name));
	own[OWN_VARIABLE] = LLVMValueAsMetadata(variable);
	LLVMMetadataRef node = LLVMMDNodeInContext2(m->ctx, own, OWN_COUNT);
	LLVMSetMetadata(v, kind, LLVMMetadataAsValue(m->ctx, node));
}

static void mark_call(FeModule *m, Map *expressions, LLVMValueRef call)
{
	LLVMValueRef v = llvm_debug_of(call), variable = llvm_debug_variable(call);
	if (!v || !LLVMIsAInstruction(v) || !variable)
		return;
	LLVMMetadataRef file = LLVMDIVariableGetFile(LLVMValueAsMetadata(variable));
	const char *name = llvm_operand_text(m->arena, variable, VARIABLE_NAME);
	Variable x = {.name = name ? fe_plain_name(name) : NULL};
	if (!x.name || !file || !fe_file(m, file))
		return;
	const DebugExpression *e = expression_of(m, expressions, llvm_debug_expression(call));
	if (e->plain && find_part(m, llvm_operand(variable, VARIABLE_TYPE), e->offset, e->bits, &x))
		mark(m, v, &x, inlined_depth(call), variable);
}

void variables_mark(FeModule *m)
{
	Map *expressions = map_new(m->arena);
	llvm_each_function(m->mod, f)
		llvm_each_instruction(f, i)
			if (llvm_debug(i) == LLVM_DEBUG_VALUE)
				mark_call(m, expressions, i);
}

void variables_mark_early(FeModule *m)
{
	u32 n = 0;
	llvm_each_function(m->mod, f)
		llvm_each_instruction(f, i)
			n += llvm_debug(i) == LLVM_DEBUG_VALUE;
	if (n <= MANY_DEBUG_VALUES)
		return;
	variables_mark(m);
	llvm_each_function(m->mod, f)
		llvm_each_instruction(f, i)
			if (llvm_debug(i) == LLVM_DEBUG_VALUE)
				LLVMInstructionEraseFromParent(i);
}

static bool same_variable(const Variable *a, const Variable *b)
{
	return a->part == b->part && a->index == b->index && a->count == b->count &&
	       a->declared.line == b->declared.line && a->declared.file == b->declared.file &&
	       !strcmp(a->name, b->name);
}

bool variable_of(const FeModule *m, LLVMValueRef v, Variable *out)
{
	LLVMValueRef node = LLVMIsAInstruction(v) ? LLVMGetMetadata(v, mark_kind(m)) : NULL;
	LLVMValueRef declared = node ? llvm_operand(node, OWN_VARIABLE) : NULL;
	if (llvm_is_node(declared, LLVMDILocalVariableMetadataKind)) {
		LLVMMetadataRef variable = LLVMValueAsMetadata(declared);
		*out = (Variable){.name = llvm_operand_text(m->arena, node, OWN_NAME),
		                  .part = (VarPart)llvm_operand_number(node, OWN_PART),
		                  .index = llvm_operand_number(node, OWN_INDEX),
		                  .count = llvm_operand_number(node, OWN_LENGTH)};
		out->declared = (Loc){.file = fe_file(m, LLVMDIVariableGetFile(variable)),
		                      .line = LLVMDIVariableGetLine(variable)};
		if (out->declared.file)
			out->declared = fe_physical(m, out->declared);
		return out->name && out->declared.file;
	}
	/* A phi that a later step put in holds what all its ways bring. */
	u32 n = LLVMIsAPHINode(v) ? LLVMCountIncoming(v) : 0;
	for (u32 i = 0; i < n; i++) {
		LLVMValueRef from = LLVMGetIncomingValue(v, i);
		Variable x;
		if (!LLVMIsAInstruction(from) || !LLVMGetMetadata(from, mark_kind(m)) ||
		    !variable_of(m, from, &x) || (i && !same_variable(&x, out)))
			return false;
		*out = x;
	}
	return n > 0;
}
