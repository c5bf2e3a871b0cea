/* Arguments. The kernel becomes an amdgpu_kernel whose pointers carry their address
 * space; inside, they are cast to the flat pointers that the body knows.
 *
 * A struct passed by value is memory that the callee may write: it comes as a
 * pointer to read-only memory (kernel) or to the caller's copy (other functions) and
 * is copied into a variable of the callee, so no call site has to copy. */
#include "frontend/retarget/retarget.h"
#include "frontend/module/kernel_args.h"

#include <llvm-c/DebugInfo.h>

enum { CC_AMDGPU_KERNEL = 91 };

static LLVMTypeRef byval_type(LLVMValueRef f, u32 i)
{
	LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(f, i + 1, llvm_attribute("byval"));
	return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

static u32 param_align(const FeModule *m, LLVMValueRef f, u32 i, LLVMTypeRef t)
{
	LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(f, i + 1, llvm_attribute("align"));
	return a ? (u32)LLVMGetEnumAttributeValue(a) : LLVMABIAlignmentOfType(m->td, t);
}

static LLVMTypeRef param_type(const FeModule *m, LLVMValueRef f, u32 i)
{
	LLVMTypeRef t = LLVMTypeOf(LLVMGetParam(f, i));
	if (LLVMGetTypeKind(t) != LLVMPointerTypeKind)
		return t;
	switch (m->args.v[i].kind) {
	case ARG_SAMPLER: return LLVMInt64TypeInContext(m->ctx);
	case ARG_LOCAL: return llvm_pointer(m->ctx, SPACE_LDS);
	case ARG_CONSTANT: case ARG_VALUE: return llvm_pointer(m->ctx, SPACE_CONSTANT);
	case ARG_GLOBAL: case ARG_IMAGE: case ARG_PIPE: break;
	}
	return llvm_pointer(m->ctx, SPACE_GLOBAL);
}

/* A variable of type t at the builder's place, as a flat pointer. */
static LLVMValueRef variable(const FeModule *m, LLVMBuilderRef b, LLVMTypeRef t, u32 align,
                             const char *name)
{
	LLVMValueRef v = LLVMBuildAlloca(b, t, name); /* in addrspace 5: the data layout says so */
	LLVMSetAlignment(v, align);
	return LLVMBuildAddrSpaceCast(b, v, llvm_pointer(m->ctx, SPACE_FLAT), "");
}

/* The body's view of parameter p (number i) of the new kernel. */
static LLVMValueRef inner_value(const FeModule *m, LLVMBuilderRef b, LLVMValueRef old,
                                LLVMValueRef p, u32 i)
{
	LLVMTypeRef t = byval_type(old, i), want = LLVMTypeOf(LLVMGetParam(old, i));
	if (t) {
		u32 align = param_align(m, old, i, t);
		LLVMValueRef copy = variable(m, b, t, align, m->args.v[i].name);
		LLVMBuildMemCpy(b, copy, align, p, align,
		                LLVMConstInt(LLVMInt64TypeInContext(m->ctx),
		                             LLVMABISizeOfType(m->td, t), 0));
		return copy;
	}
	if (LLVMTypeOf(p) == want)
		return p;
	if (LLVMGetTypeKind(LLVMTypeOf(p)) == LLVMIntegerTypeKind)
		return LLVMBuildIntToPtr(b, p, want, "");
	return LLVMBuildAddrSpaceCast(b, p, want, "");
}

static void copy_param_attributes(const FeModule *m, LLVMValueRef from, LLVMValueRef to, u32 i)
{
	u32 index = i + 1, n;
	LLVMAttributeRef *a = llvm_attributes(from, index, &n);
	LLVMTypeRef t = byval_type(from, i);
	bool pointer = LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(to, i))) == LLVMPointerTypeKind;
	for (u32 k = 0; k < n; k++) {
		if (LLVMIsTypeAttribute(a[k]))
			continue;
		if (pointer || LLVMTypeOf(LLVMGetParam(from, i)) == LLVMTypeOf(LLVMGetParam(to, i)))
			LLVMAddAttributeAtIndex(to, index, a[k]);
	}
	free(a);
	if (t) {
		LLVMAddAttributeAtIndex(to, index,
		                        LLVMCreateTypeAttribute(m->ctx, llvm_attribute("byref"), t));
		llvm_add_attribute(to, index, "noalias");
	}
}

static void copy_function_attributes(LLVMValueRef from, LLVMValueRef to)
{
	u32 n;
	LLVMAttributeRef *a = llvm_attributes(from, ON_FUNCTION, &n);
	for (u32 k = 0; k < n; k++)
		LLVMAddAttributeAtIndex(to, ON_FUNCTION, a[k]);
	free(a);
	size_t entries;
	LLVMValueMetadataEntry *e = LLVMGlobalCopyAllMetadata(from, &entries);
	for (unsigned k = 0; k < entries; k++)
		LLVMGlobalSetMetadata(to, LLVMValueMetadataEntriesGetKind(e, k),
		                      LLVMValueMetadataEntriesGetMetadata(e, k));
	LLVMDisposeValueMetadataEntries(e);
}

/* Move the body, rather than call it, so that the kernel keeps its debug info. */
static void move_body(const FeModule *m, LLVMValueRef from, LLVMValueRef to)
{
	LLVMBasicBlockRef anchor = LLVMAppendBasicBlockInContext(m->ctx, to, ""), last = anchor;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(from), next; b; b = next) {
		next = LLVMGetNextBasicBlock(b);
		LLVMMoveBasicBlockAfter(b, last);
		last = b;
	}
	LLVMDeleteBasicBlock(anchor);
}

void abi_take_body(const FeModule *m, LLVMValueRef from, LLVMValueRef to)
{
	copy_function_attributes(from, to);
	LLVMSetLinkage(to, LLVMGetLinkage(from));
	LLVMSetVisibility(to, LLVMGetVisibility(from));
	LLVMSetFunctionCallConv(to, LLVMGetFunctionCallConv(from));
	move_body(m, from, to);
	u32 n = LLVMCountParams(from);
	for (u32 i = 0; i <= n; i++) {
		u32 k;
		LLVMAttributeRef *a = llvm_attributes(from, i, &k);
		while (k--)
			LLVMAddAttributeAtIndex(to, i, a[k]);
		free(a);
	}
	for (u32 i = 0; i < n; i++) {
		size_t length;
		const char *name = LLVMGetValueName2(LLVMGetParam(from, i), &length);
		LLVMSetValueName2(LLVMGetParam(to, i), name, length);
	}
}

void abi_kernel(FeModule *m)
{
	LLVMValueRef old = m->kernel;
	u32 n = LLVMCountParams(old);
	LLVMTypeRef *types = xmalloc(n * sizeof(LLVMTypeRef));
	for (u32 i = 0; i < n; i++)
		types[i] = param_type(m, old, i);
	LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(m->ctx), types, n, 0);
	free(types);
	LLVMSetValueName2(old, "", 0);
	LLVMValueRef f = LLVMAddFunction(m->mod, m->kernel_symbol, type);
	LLVMSetFunctionCallConv(f, CC_AMDGPU_KERNEL);
	copy_function_attributes(old, f);
	move_body(m, old, f);
	LLVMBuilderRef b = LLVMCreateBuilderInContext(m->ctx);
	LLVMPositionBuilderBefore(b, llvm_entry(f));
	for (u32 i = 0; i < n; i++) {
		LLVMValueRef p = LLVMGetParam(f, i);
		LLVMSetValueName2(p, m->args.v[i].name, strlen(m->args.v[i].name));
		copy_param_attributes(m, old, f, i);
		LLVMReplaceAllUsesWith(LLVMGetParam(old, i), inner_value(m, b, old, p, i));
	}
	LLVMDisposeBuilder(b);
	LLVMDeleteFunction(old);
	m->kernel = f;
}

static void byval_function(const FeModule *m, LLVMValueRef f, LLVMBuilderRef b)
{
	static const char *const drop[] = {"byval", "sret", "inalloca", "preallocated"};
	for (u32 i = 0; i < LLVMCountParams(f); i++) {
		LLVMTypeRef t = byval_type(f, i);
		if (t) {
			u32 align = param_align(m, f, i, t);
			LLVMValueRef p = LLVMGetParam(f, i);
			LLVMPositionBuilderBefore(b, llvm_entry(f));
			LLVMValueRef copy = variable(m, b, t, align, LLVMGetValueName(p));
			LLVMReplaceAllUsesWith(p, copy);
			LLVMBuildMemCpy(b, copy, align, p, align,
			                LLVMConstInt(LLVMInt64TypeInContext(m->ctx),
			                             LLVMABISizeOfType(m->td, t), 0));
		}
		for (u32 k = 0; k < COUNT(drop); k++)
			LLVMRemoveEnumAttributeAtIndex(f, i + 1, llvm_attribute(drop[k]));
	}
	llvm_each_instruction(f, call) {
		LLVMValueRef callee = llvm_callee(call);
		for (u32 i = 0; callee && i < LLVMGetNumArgOperands(call); i++)
			for (u32 k = 0; k < COUNT(drop); k++)
				LLVMRemoveCallSiteEnumAttribute(call, i + 1, llvm_attribute(drop[k]));
	}
}

void abi_byval(FeModule *m)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(m->ctx);
	llvm_each_function(m->mod, f)
		if (!LLVMIsDeclaration(f))
			byval_function(m, f, b);
	LLVMDisposeBuilder(b);
}
