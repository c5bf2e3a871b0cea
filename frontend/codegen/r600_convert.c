/* The IR that the machine runs, as LLVM's r600 back end takes it (codegen.h: in the child, after the
 * numbers are set).
 *
 * Both back ends have the same address spaces and the same calling convention of kernels. What
 * differs: pointers have 32 bits, ids are asked for under other names, the launch's sizes are constants
 * beside the kernel's arguments instead of a packet in memory, and fences do not exist: a work-group's
 * memory operations stay in order. */
#include "frontend/codegen/r600.h"

#include "frontend/codegen/backend.h"
#include "frontend/codegen/codegen.h"

#include <llvm-c/DebugInfo.h>

#include <stdio.h>

typedef struct R600Convert {
	FeModule *m;
	LLVMBuilderRef b;
	bool dispatch; /* the segment that is read: the dispatch packet, or the implicit arguments */
} R600Convert;

static LLVMValueRef intrinsic(const R600Convert *c, const char *name)
{
	return llvm_intrinsic(c->m->mod, name, NULL, 0);
}

/* What AMD's library asks of GCN in one instruction and these chips do in some. Only how many those
 * are matters: they do not run. So ldexp takes no extreme exponents, the class that is asked for is
 * taken for "no number" and a median's bounds come in order. */
static const char expansions[] =
	"define float @wavesim.ldexp(float %x, i32 %n) alwaysinline nounwind {\n"
	" %a = call i32 @llvm.smax.i32(i32 %n, i32 -126)\n %b = call i32 @llvm.smin.i32(i32 %a, i32 127)\n"
	" %c = shl i32 %b, 23\n %d = add i32 %c, 1065353216\n %f = bitcast i32 %d to float\n"
	" %r = fmul float %x, %f\n ret float %r\n}\n"
	"define float @wavesim.mantissa(float %x) alwaysinline nounwind {\n"
	" %i = bitcast float %x to i32\n %a = and i32 %i, -2139095041\n %b = or i32 %a, 1056964608\n"
	" %r = bitcast i32 %b to float\n ret float %r\n}\n"
	"define i32 @wavesim.exponent(float %x) alwaysinline nounwind {\n"
	" %i = bitcast float %x to i32\n %a = lshr i32 %i, 23\n %b = and i32 %a, 255\n"
	" %r = add i32 %b, -126\n ret i32 %r\n}\n"
	"define {float, i32} @wavesim.frexp(float %x) alwaysinline nounwind {\n"
	" %m = call float @wavesim.mantissa(float %x)\n %e = call i32 @wavesim.exponent(float %x)\n"
	" %a = insertvalue {float, i32} poison, float %m, 0\n %r = insertvalue {float, i32} %a, i32 %e, 1\n"
	" ret {float, i32} %r\n}\n"
	"define {double, i32} @wavesim.frexp64(double %x) alwaysinline nounwind {\n" /* of what was a float */
	" %f = fptrunc double %x to float\n %e = call i32 @wavesim.exponent(float %f)\n"
	" %r = insertvalue {double, i32} poison, i32 %e, 1\n ret {double, i32} %r\n}\n"
	"define float @wavesim.exp2(float %x) alwaysinline nounwind {\n"
	" %r = call float @llvm.exp2.f32(float %x)\n ret float %r\n}\n"
	"define float @wavesim.log2(float %x) alwaysinline nounwind {\n"
	" %r = call float @llvm.log2.f32(float %x)\n ret float %r\n}\n"
	"define i1 @wavesim.class(float %x, i32 %mask) alwaysinline nounwind {\n"
	" %i = bitcast float %x to i32\n %a = and i32 %i, 2147483647\n"
	" %r = icmp uge i32 %a, 2139095040\n ret i1 %r\n}\n"
	"define float @wavesim.median(float %x, float %low, float %high) alwaysinline nounwind {\n"
	" %a = call float @llvm.maxnum.f32(float %x, float %low)\n"
	" %r = call float @llvm.minnum.f32(float %a, float %high)\n ret float %r\n}\n"
	"define float @wavesim.canonical(float %x) alwaysinline nounwind {\n"
	" %r = call float @llvm.maxnum.f32(float %x, float %x)\n ret float %r\n}\n"
	"declare i32 @llvm.smax.i32(i32, i32)\ndeclare i32 @llvm.smin.i32(i32, i32)\n"
	"declare float @llvm.exp2.f32(float)\ndeclare float @llvm.log2.f32(float)\n"
	"declare float @llvm.maxnum.f32(float, float)\ndeclare float @llvm.minnum.f32(float, float)\n";

static bool link_expansions(const R600Convert *c)
{
	char *why;
	bool linked = llvm_link_text(c->m->mod, expansions, sizeof expansions - 1, &why);
	LLVMDisposeMessage(why);
	return linked;
}

static LLVMValueRef counterpart(const R600Convert *c, const char *name)
{
	LLVMValueRef f = LLVMGetNamedFunction(c->m->mod, name);
	if (f && !LLVMIsDeclaration(f))
		LLVMSetLinkage(f, LLVMInternalLinkage);
	return f ? f : intrinsic(c, name);
}

static bool rename_all(const R600Convert *c)
{
	static const char *const names[][2] = {
		{"llvm.amdgcn.ldexp.f32", "wavesim.ldexp"},
		{"llvm.ldexp.f32.i32", "wavesim.ldexp"},
		{"llvm.frexp.f32.i32", "wavesim.frexp"},
		{"llvm.frexp.f64.i32", "wavesim.frexp64"},
		{"llvm.is.fpclass.f32", "wavesim.class"},
		{"llvm.amdgcn.exp2.f32", "wavesim.exp2"},
		{"llvm.amdgcn.log.f32", "wavesim.log2"},
		{"llvm.amdgcn.frexp.mant.f32", "wavesim.mantissa"},
		{"llvm.amdgcn.frexp.exp.i32.f32", "wavesim.exponent"},
		{"llvm.amdgcn.class.f32", "wavesim.class"},
		{"llvm.amdgcn.fmed3.f32", "wavesim.median"},
		{"llvm.canonicalize.f32", "wavesim.canonical"},
		{"llvm.amdgcn.workitem.id.x", "llvm.r600.read.tidig.x"},
		{"llvm.amdgcn.workitem.id.y", "llvm.r600.read.tidig.y"},
		{"llvm.amdgcn.workitem.id.z", "llvm.r600.read.tidig.z"},
		{"llvm.amdgcn.workgroup.id.x", "llvm.r600.read.tgid.x"},
		{"llvm.amdgcn.workgroup.id.y", "llvm.r600.read.tgid.y"},
		{"llvm.amdgcn.workgroup.id.z", "llvm.r600.read.tgid.z"},
		{"llvm.amdgcn.s.barrier", "llvm.r600.group.barrier"},
	};
	for (u32 i = 0; i < COUNT(names); i++) {
		LLVMValueRef f = counterpart(c, names[i][1]);
		LLVMValueRef old = LLVMGetNamedFunction(c->m->mod, names[i][0]);
		if (!f)
			return false;
		if (!old)
			continue;
		LLVMReplaceAllUsesWith(old, f);
		LLVMDeleteFunction(old);
	}
	return true;
}

/* ---- launch values ---- */

/* The constant with what a load of so many bytes reads from a segment there, or NULL. */
static LLVMValueRef launch_constant(const R600Convert *c, u64 offset, u32 bytes)
{
	static const struct {
		bool dispatch;
		u32 at, bytes;
		const char *name;
	} rows[] = {{true, DISPATCH_LOCAL_SIZE, 2, "local.size"},
	            {true, DISPATCH_GLOBAL_SIZE, 4, "global.size"},
	            {false, IMPLICIT_GROUPS, 4, "ngroups"},
	            {false, IMPLICIT_LOCAL_SIZE, 2, "local.size"}};
	for (u32 i = 0; i < COUNT(rows); i++) {
		char name[40];
		u64 axis = (offset - rows[i].at) / rows[i].bytes;
		if (rows[i].dispatch != c->dispatch || rows[i].bytes != bytes || offset < rows[i].at ||
		    axis > 2 || (offset - rows[i].at) % bytes)
			continue;
		snprintf(name, sizeof name, "llvm.r600.read.%s.%c", rows[i].name, (char)('x' + axis));
		return intrinsic(c, name);
	}
	return NULL;
}

/* Anything else is a constant there as well: which one does not matter. */
static LLVMValueRef other_constant(const R600Convert *c, LLVMTypeRef type, u64 offset)
{
	LLVMTypeRef i32t = LLVMInt32TypeInContext(c->m->ctx), byte = LLVMInt8TypeInContext(c->m->ctx);
	LLVMValueRef f = intrinsic(c, "llvm.r600.implicitarg.ptr");
	if (!f)
		return NULL;
	bool narrow = LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) < 32;
	LLVMValueRef at = LLVMConstInt(i32t, offset & ~(u64)3, 0), base = llvm_call(c->b, f, NULL, 0);
	LLVMValueRef p = LLVMBuildGEP2(c->b, byte, base, &at, 1, "");
	LLVMValueRef v = LLVMBuildLoad2(c->b, narrow ? i32t : type, p, "");
	LLVMSetAlignment(v, 4);
	if (!narrow)
		return v;
	v = LLVMBuildLShr(c->b, v, LLVMConstInt(i32t, 8 * (offset & 3), 0), "");
	return LLVMBuildTrunc(c->b, v, type, "");
}

/* The global offset: size_t has 32 bits there, and so has what it is added to. */
static void narrow_additions(const R600Convert *c, LLVMValueRef offset)
{
	LLVMTypeRef i32t = LLVMInt32TypeInContext(c->m->ctx), i64t = LLVMTypeOf(offset);
	LLVMUseRef next;
	for (LLVMUseRef use = LLVMGetFirstUse(offset); use; use = next) {
		next = LLVMGetNextUse(use);
		LLVMValueRef add = LLVMGetUser(use);
		if (!LLVMIsABinaryOperator(add) || LLVMGetInstructionOpcode(add) != LLVMAdd)
			continue;
		LLVMPositionBuilderBefore(c->b, add);
		LLVMSetCurrentDebugLocation2(c->b, LLVMInstructionGetDebugLoc(add));
		LLVMValueRef part[2];
		for (u32 i = 0; i < 2; i++)
			part[i] = LLVMBuildTrunc(c->b, LLVMGetOperand(add, i), i32t, "");
		LLVMValueRef sum = LLVMBuildAdd(c->b, part[0], part[1], "");
		LLVMReplaceAllUsesWith(add, LLVMBuildZExt(c->b, sum, i64t, ""));
	}
}

static bool replace_load(const R600Convert *c, LLVMValueRef load, u64 offset)
{
	LLVMTypeRef type = LLVMTypeOf(load);
	bool integer = LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
	u32 bits = integer ? LLVMGetIntTypeWidth(type) : 0;
	LLVMPositionBuilderBefore(c->b, load);
	LLVMSetCurrentDebugLocation2(c->b, LLVMInstructionGetDebugLoc(load));
	LLVMValueRef f = launch_constant(c, offset, bits / 8), v;
	if (f && bits == 16)
		v = LLVMBuildTrunc(c->b, llvm_call(c->b, f, NULL, 0), type, "");
	else
		v = f ? llvm_call(c->b, f, NULL, 0) : other_constant(c, type, offset);
	if (!v)
		return false;
	if (!c->dispatch && bits == 64 && offset < IMPLICIT_GLOBAL_OFFSET + 24)
		narrow_additions(c, load);
	LLVMReplaceAllUsesWith(load, v);
	LLVMInstructionEraseFromParent(load);
	return true;
}

/* All loads through a pointer into the segment. */
static bool replace_loads(const R600Convert *c, LLVMValueRef pointer, u64 offset)
{
	LLVMUseRef use;
	while ((use = LLVMGetFirstUse(pointer))) {
		LLVMValueRef v = LLVMGetUser(use);
		if (LLVMIsALoadInst(v)) {
			if (!replace_load(c, v, offset))
				return false;
			continue;
		}
		LLVMValueRef index = LLVMIsAGetElementPtrInst(v) && LLVMGetNumOperands(v) == 2
		                             ? LLVMGetOperand(v, 1) : NULL;
		if (!index || !LLVMIsAConstantInt(index))
			return false;
		u64 size = LLVMABISizeOfType(c->m->td, LLVMGetGEPSourceElementType(v));
		if (!replace_loads(c, v, offset + LLVMConstIntGetZExtValue(index) * size))
			return false;
		LLVMInstructionEraseFromParent(v);
	}
	return true;
}

static bool replace_segment(R600Convert *c, const char *name, bool dispatch)
{
	LLVMValueRef f = LLVMGetNamedFunction(c->m->mod, name);
	LLVMUseRef use;
	c->dispatch = dispatch;
	while (f && (use = LLVMGetFirstUse(f))) {
		LLVMValueRef segment = LLVMGetUser(use);
		if (!LLVMIsACallInst(segment) || !replace_loads(c, segment, 0))
			return false;
		LLVMInstructionEraseFromParent(segment);
	}
	if (f)
		LLVMDeleteFunction(f);
	return true;
}

/* ---- the module ---- */

static void drop_fences(LLVMValueRef f)
{
	llvm_each_instruction(f, v)
		if (LLVMIsAFenceInst(v))
			LLVMInstructionEraseFromParent(v);
}

const char *r600_convert(FeModule *m)
{
	static const char other[] = "its r600 back end is not the one that this program knows";
	R600Convert c = {.m = m, .b = LLVMCreateBuilderInContext(m->ctx)};
	bool linked = link_expansions(&c);
	bool sizes = replace_segment(&c, "llvm.amdgcn.dispatch.ptr", true) &&
	             replace_segment(&c, "llvm.amdgcn.implicitarg.ptr", false);
	bool renamed = sizes && rename_all(&c);
	LLVMDisposeBuilder(c.b);
	if (!sizes)
		return "it asks for sizes of the launch in a way that has no counterpart there";
	if (!linked || !renamed || !fe_set_target(m, m->backend->triple, m->chip, "", NULL))
		return other;
	llvm_each_function(m->mod, f)
		drop_fences(f);
	llvm_set_cpu(m->mod, m->chip);
	/* Addresses have 32 bits now. */
	return codegen_passes(m, "always-inline,globaldce,function(" LLVM_PASS_INSTCOMBINE ")") ? NULL : other;
}
