/* Functions of NVIDIA's library in place of AMD's: see nvidia.h. */
#include "frontend/retarget/nvidia.h"

#include "frontend/module/mangled.h"

/* A function of AMD's libraries, and what is called for it: without -cl-fast-relaxed-math, and with it. NULL:
 * itself. scales: the first is for subnormal numbers; where there are none, it is the second, too. */
static const struct { const char *amd, *exact, *relaxed; bool scales; } rows[] = {
	/* Rows replace in order, so AMD's native functions are replaced before others become one of them. */
	{"__ocml_native_exp2_f32", "nvidia.native.exp2", "nvidia.native.exp2", true},
	{"__ocml_native_log2_f32", "nvidia.native.log2", "nvidia.native.log2", true},
	{"__ocml_native_exp_f32", "nvidia.native.exp", NULL, true},
	{"__ocml_native_exp10_f32", "nvidia.native.exp10", NULL, true},
	{"__ocml_native_log_f32", "nvidia.native.log", NULL, true},
	{"__ocml_native_log10_f32", "nvidia.native.log10", NULL, true},
	{"__ocml_native_recip_f32", "nvidia.native.recip", "nvidia.native.recip", true},
	{"_Z13native_divideff", "nvidia.native.divide", "nvidia.native.divide", true},
	{"__ocml_rsqrt_f32", "nvidia.rsqrt", "nvidia.rsqrt", false},
	{"__ocml_exp_f32", "nvidia.exp", "__ocml_native_exp_f32", false},
	{"__ocml_exp2_f32", "nvidia.native.exp2", "__ocml_native_exp2_f32", true},
	{"__ocml_exp10_f32", "nvidia.exp10", "__ocml_native_exp10_f32", false},
	{"__ocml_log_f32", "nvidia.log", "__ocml_native_log_f32", false},
	{"__ocml_log2_f32", "nvidia.log2", "__ocml_native_log2_f32", false},
	{"__ocml_log10_f32", "nvidia.log10", "__ocml_native_log10_f32", false},
	{"__ocml_log1p_f32", "nvidia.log1p", "nvidia.log1p", false},
	{"__ocml_cosh_f32", "nvidia.cosh", "nvidia.cosh", false},
	{"__ocml_sinh_f32", "nvidia.sinh", "nvidia.sinh", false},
	{"__ocml_tanh_f32", "nvidia.tanh", "nvidia.tanh", false},
	{"__ocml_sin_f32", "nvidia.sin", "__ocml_native_sin_f32", false},
	{"__ocml_cos_f32", "nvidia.cos", "__ocml_native_cos_f32", false},
	{"__ocml_tan_f32", NULL, "nvidia.tan.relaxed", false},
	{"__ocml_sincos_f32", "nvidia.sincos", "nvidia.sincos.relaxed", false},
	{"__ocml_pow_f32", "nvidia.pow", "nvidia.pow", false},
	{"__ocml_pown_f32", "nvidia.pown", "nvidia.pown", false},
	{"__ocml_powr_f32", "nvidia.powr", "nvidia.powr.relaxed", false},
	{"__ocml_sqrt_f64", "nvidia.sqrt.f64", "nvidia.sqrt.f64", false},
	{"__ocml_rsqrt_f64", "nvidia.rsqrt.f64", "nvidia.rsqrt.f64", false},
	/* By OpenCL's names: LLVM makes products of AMD's powers by a constant, NVIDIA's compiler does not. */
	{"_Z3powff", "nvidia.pow", "nvidia.pow", false},
	{"_Z4powrff", "nvidia.powr", "nvidia.powr.relaxed", false},
	{"_Z4pownfi", "nvidia.pown", "nvidia.pown", false},
	{"_Z3powdd", "nvidia.pow.f64", "nvidia.pow.f64", false},
	{"_Z4powrdd", "nvidia.powr.f64", "nvidia.powr.f64", false},
	{"_Z4powndi", "nvidia.pown.f64", "nvidia.pown.f64", false},
	{"_Z5mul24ii", "nvidia.mul24", "nvidia.mul24", false},
	{"_Z5mul24jj", "nvidia.mul24", "nvidia.mul24", false},
	{"_Z5mad24iii", "nvidia.mad24", "nvidia.mad24", false},
	{"_Z5mad24jjj", "nvidia.mad24", "nvidia.mad24", false},
	{"_Z13get_global_idj", "nvidia.global_id", "nvidia.global_id", false},
	{"_Z12get_local_idj", "nvidia.local_id", "nvidia.local_id", false},
	{"_Z12get_group_idj", "nvidia.group_id", "nvidia.group_id", false},
	{"_Z8half_cosf", NULL, "__ocml_native_cos_f32", false},
	{"_Z8half_sinf", NULL, "__ocml_native_sin_f32", false},
	{"_Z8half_tanf", NULL, "nvidia.tan.relaxed", false},
	{"_Z6lengthDv2_f", "nvidia.length2", "nvidia.length2.relaxed", false},
	{"_Z6lengthDv3_f", "nvidia.length3", "nvidia.length3.relaxed", false},
	{"_Z6lengthDv4_f", "nvidia.length4", "nvidia.length4.relaxed", false},
	{"_Z9normalizeDv2_f", "nvidia.normalize2", "nvidia.normalize2.relaxed", false},
	{"_Z9normalizeDv3_f", "nvidia.normalize3", "nvidia.normalize3.relaxed", false},
	{"_Z9normalizeDv4_f", "nvidia.normalize4", "nvidia.normalize4.relaxed", false},
};

_Static_assert(COUNT(rows) <= 64, "a bit for each");

/* NVIDIA's compiler makes the same of both. */
static bool is_relaxed(const FeModule *m)
{
	return fe_build_option(m, "-cl-fast-relaxed-math") || fe_build_option(m, "-cl-unsafe-math-optimizations");
}

bool nvidia_is_native(const FeModule *m, const char *name, size_t n)
{
	char amd[64];
	if (!m->nvidia || !is_relaxed(m) ||
	    snprintf(amd, sizeof amd, "__ocml_%.*s_f32", (int)n, name) >= (int)sizeof amd)
		return false;
	for (u32 i = 0; i < COUNT(rows); i++)
		if (!strcmp(rows[i].amd, amd))
			return !rows[i].exact || !rows[i].relaxed || strcmp(rows[i].exact, rows[i].relaxed) != 0;
	return false;
}

u64 nvidia_own(const FeModule *m)
{
	u64 own = 0;
	for (u32 i = 0; i < COUNT(rows); i++) {
		LLVMValueRef f = LLVMGetNamedFunction(m->mod, rows[i].amd);
		if (f && !LLVMIsDeclaration(f) && !strncmp(rows[i].amd, "_Z", 2))
			own |= (u64)1 << i;
	}
	return own;
}

/* x / y as x times the reciprocal of y, which -cl-fast-relaxed-math allows. */
static LLVMValueRef by_reciprocal(const FeModule *m, LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y)
{
	LLVMTypeRef type = LLVMTypeOf(y);
	LLVMValueRef over = llvm_call(b, llvm_intrinsic(m->mod, "llvm.amdgcn.rcp", &type, 1), &y, 1);
	return LLVMBuildFMul(b, x, over, "");
}

static bool is_one(LLVMValueRef x)
{
	LLVMBool lost;
	bool one = true;
	if (!LLVMIsAConstantDataVector(x))
		return LLVMIsAConstantFP(x) && LLVMConstRealGetDouble(x, &lost) == 1;
	for (u32 i = 0; i < LLVMGetVectorSize(LLVMTypeOf(x)); i++)
		one &= LLVMConstRealGetDouble(LLVMGetAggregateElement(x, i), &lost) == 1;
	return one;
}

/* 1 / sqrt(y), or a vector of that: stays, since both are one function (IrRules.joins_root), unless others need the
 * root. */
static bool is_inverse_root(LLVMValueRef x, LLVMValueRef y)
{
	if (!LLVMIsACallInst(y) || LLVMGetNextUse(LLVMGetFirstUse(y)) || !is_one(x))
		return false;
	Mangled name = fe_mangled(llvm_callee_name(y));
	return mangled_is(&name, "sqrt");
}

static void divide_relaxed(const FeModule *m, LLVMBuilderRef b, LLVMValueRef i)
{
	LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1), r;
	LLVMTypeRef type = LLVMTypeOf(i);
	bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
	LLVMTypeRef element = vector ? LLVMGetElementType(type) : type;
	if (LLVMIsConstant(y) || is_inverse_root(x, y) || LLVMGetTypeKind(element) != LLVMFloatTypeKind)
		return;
	LLVMPositionBuilderBefore(b, i);
	r = vector ? LLVMGetPoison(type) : by_reciprocal(m, b, x, y);
	for (u32 k = 0; vector && k < LLVMGetVectorSize(type); k++) {
		LLVMValueRef at = LLVMConstInt(LLVMInt32TypeInContext(m->ctx), k, 0),
		             xk = LLVMBuildExtractElement(b, x, at, ""), yk = LLVMBuildExtractElement(b, y, at, "");
		r = LLVMBuildInsertElement(b, r, by_reciprocal(m, b, xk, yk), at, "");
	}
	LLVMReplaceAllUsesWith(i, r);
	LLVMInstructionEraseFromParent(i);
}

static void divide_all_relaxed(const FeModule *m)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(m->ctx);
	llvm_each_function(m->mod, f)
		llvm_each_instruction(f, i)
			if (LLVMGetInstructionOpcode(i) == LLVMFDiv)
				divide_relaxed(m, b, i);
	LLVMDisposeBuilder(b);
}

bool nvidia_functions(FeModule *m, u64 own, Diag *d)
{
	bool relaxed = is_relaxed(m), any = false;
	if (relaxed)
		divide_all_relaxed(m);
	for (u32 i = 0; i < COUNT(rows); i++) {
		const char *name = relaxed || (rows[i].scales && m->flush_f32) ? rows[i].relaxed : rows[i].exact;
		LLVMValueRef amd = LLVMGetNamedFunction(m->mod, rows[i].amd);
		if (!name || !amd || !LLVMGetFirstUse(amd) || own >> i & 1)
			continue;
		LLVMValueRef f = LLVMGetNamedFunction(m->mod, name);
		LLVMReplaceAllUsesWith(amd, f ? f : LLVMAddFunction(m->mod, name, LLVMGlobalGetValueType(amd)));
		any = true;
	}
	char *why = NULL;
	if (!any || llvm_link_text(m->mod, nvidia_texts[0].text, strlen(nvidia_texts[0].text), &why))
		return true;
	diag_error(d, NO_LOC, "LLVM cannot link wavesim's functions for NVIDIA's cards: %s",
	           why ? why : "no reason given");
	LLVMDisposeMessage(why);
	return false;
}
