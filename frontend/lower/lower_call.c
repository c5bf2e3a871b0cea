/* Calls: to functions with a body, to LLVM's intrinsics, to the run time. */
#include "frontend/codegen/codegen.h"
#include "frontend/lower/lowering.h"
#include "frontend/module/mangled.h"

#include "isa/matrix.h"

/* read_imagef(image2d_t, …, int2) and its like, by a sampler that the compiler knows, or by none. */
static bool is_fetch(const Mangled *name, LLVMValueRef call)
{
	size_t n = strlen(name->params);
	if (!strstr(name->params, "image2d_ro") || n <= 5 || strcmp(name->params + n - 5, "Dv2_i") != 0)
		return false;
	return !strstr(name->params, "sampler") || LLVMIsConstant(LLVMGetOperand(call, 1));
}

static bool call_function(Lower *l, LLVMValueRef v, const Cfg *callee)
{
	u32 n = LLVMGetNumArgOperands(v), np = LLVMCountParams(callee->fn);
	const ValueShape *s = lo_shape(l, LLVMTypeOf(v));
	ARRAY(u32) args = {0};
	u32 *d = lo_regs(l, s->n);
	for (u32 k = 0; k < n && k < np; k++) {
		LLVMValueRef x = LLVMGetOperand(v, k);
		const u32 *a = lo_val(l, x);
		u32 na = lo_shape(l, LLVMTypeOf(x))->n;
		for (u32 j = 0; j < na; j++)
			array_push(&args, a[j]);
	}
	if (!ins_holds(s->n, args.n)) {
		lo_error(
		    l,
		    "'%s' takes %zu components and returns %u; a call takes at most %d and returns at most %d: pass "
		    "and return large values by pointer",
		    LLVMGetValueName(callee->fn), (size_t)args.n, s->n, MOST_SRC, MOST_DST);
		array_free(&args);
		return false;
	}
	RegKind kind = callee->div_ret || lo_info(l, v)->divergent ? REG_VECTOR : REG_SCALAR;
	for (u32 k = 0; k < s->n; k++)
		d[k] = program_reg(l->p, (Type)s->c[k].type, kind, NULL);
	const char *image = fe_image(LLVMGetValueName(callee->fn));
	Op op = image ? OP_image : OP_call;
	Ins *i = program_emit(l->p, op, d, s->n, args.v, args.n, &callee->func, 1, l->loc);
	if (image) {
		Mangled name = fe_mangled(image);
		i->space = SPACE_GLOBAL;
		i->aux = mangled_begins(&name, "write_") ? IMAGE_WRITE : is_fetch(&name, v) ? IMAGE_FETCH : 0;
		i->origin = codegen_ins(l->m, v);
	}
	array_free(&args);
	lo_set(l, v, d);
	return true;
}

bool lo_call(Lower *l, LLVMValueRef v)
{
	LLVMValueRef f = LLVMGetCalledValue(v);
	size_t len;
	if (!f || !LLVMIsAFunction(f)) {
		lo_error(l, LLVMIsAInlineAsm(f) ? "inline assembly" : "a call through a pointer");
		diag_hint(l->d, "call the function by its name");
		return false;
	}
	const Cfg *callee = ptrmap_get(l->funcs, f);
	if (callee)
		return call_function(l, v, callee);
	const char *name = LLVMGetValueName2(f, &len);
	if (!strncmp(name, "llvm.x86.", 9) ? lo_x86(l, v, name + 9)
	    : !strncmp(name, "llvm.", 5)   ? lo_intrinsic(l, v, name + 5)
	                                   : lo_runtime(l, v, name))
		return true;
	if (fe_absent_error(l->m, v, name, l->d))
		return false;
	if (strncmp(name, "llvm.", 5)) {
		lo_error(l, "a call of '%s', which has no body here", name);
		diag_hint(l->d, "wavesim supports what PoCL's OpenCL library defines");
	} else if (matrix_is(name)) {
		lo_error(l, "the matrix instruction '%s' cannot be simulated in this form", name + 12);
		diag_hint(l->d, "docs/hip.md lists the shapes; they need wavefronts of 64 lanes, and cbsz, abid and "
		                "blgp 0");
	} else {
		lo_error(l, "LLVM's intrinsic '%s', which wavesim does not know", name);
		diag_hint(l->d, "replace the builtin function that leads to it, or report it");
	}
	return false;
}
