/* Matrix instructions of inline assembly. */
#include "frontend/module/assembly_parts.h"

#include "isa/matrix.h"

static const MatrixShape *matrix_of(const char *word, size_t n)
{
	char name[64] = "";
	if (n < sizeof name)
		memcpy(name, word, n);
	return matrix_mnemonic(name);
}

/* A value of type t; of what the products are added to also a number, for each of its elements. */
static LLVMValueRef matrix_operand(Asm *a, const char **p, LLVMTypeRef t, bool sum)
{
	u32 n = asm_register(a, p, llvm_bits(a->m->td, t));
	if (n < MOST_VALUES || !sum)
		return n < MOST_VALUES ? asm_value(a, n, t) : NULL;
	bool vector = LLVMGetTypeKind(t) == LLVMVectorTypeKind;
	LLVMTypeRef one = vector ? LLVMGetElementType(t) : t;
	AsmType type = one == asm_type(a, F64) ? F64 : one == asm_type(a, F32) ? F32 : I32;
	LLVMValueRef all[MATRIX_MOST], v = asm_number(a, p, type);
	for (u32 i = 0; v && vector && i < LLVMGetVectorSize(t); i++)
		all[i] = v;
	return v && vector ? LLVMConstVector(all, LLVMGetVectorSize(t)) : v;
}

/* $D, $A, $B, and $C or a number. */
static bool multiply(Asm *a, const MatrixShape *s, const char *p)
{
	const char *name = arena_printf(a->m->arena, "llvm.amdgcn.mfma.%s", s->name);
	LLVMValueRef f = llvm_intrinsic(a->m->mod, name, NULL, 0), x[6];
	LLVMTypeRef type = f ? LLVMGlobalGetValueType(f) : NULL, params[COUNT(x)];
	if (!f || LLVMCountParamTypes(type) != COUNT(x))
		return false;
	LLVMGetParamTypes(type, params);
	u32 to = asm_result(a, &p, llvm_bits(a->m->td, LLVMGetReturnType(type)));
	if (to == MOST_VALUES)
		return false;
	for (u32 i = 0; i < 3; i++) {
		scan_take(&p, ",");
		if (!(x[i] = matrix_operand(a, &p, params[i], i == 2)))
			return false;
	}
	for (u32 i = 3; i < COUNT(x); i++)
		x[i] = LLVMConstInt(params[i], 0, 0);
	scan_skip(&p);
	if (*p)
		return false;
	asm_write(a, to, a->b ? llvm_call(a->b, f, x, COUNT(x)) : NULL);
	return true;
}

AsmRead asm_matrix(Asm *a, const char *word, size_t n, const char *p)
{
	const MatrixShape *s = matrix_of(word, n);
	if (!s)
		return ASM_OTHER;
	return asm_is_own(p) || multiply(a, s, p) ? ASM_GOOD : ASM_BAD;
}
