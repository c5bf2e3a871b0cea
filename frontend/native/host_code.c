/* Machine code of a module for this processor, in this process. */
#include "frontend/native/host.h"

#include <llvm-c/LLJIT.h>

static const char *said(LLVMErrorRef e, Arena *a)
{
	char *text = LLVMGetErrorMessage(e);
	const char *kept = arena_strdup(a, text);
	LLVMDisposeErrorMessage(text);
	return kept;
}

/* Load an object file; what it calls of the C library is this process's. */
static NativeEntry *load(Host *h, LLVMMemoryBufferRef object)
{
	LLVMOrcLLJITRef jit;
	LLVMOrcDefinitionGeneratorRef own;
	LLVMOrcExecutorAddress at = 0;
	LLVMErrorRef e = LLVMOrcCreateLLJIT(&jit, NULL);
	if (e)
		LLVMDisposeMemoryBuffer(object);
	e = e ? e : LLVMOrcLLJITAddObjectFile(jit, LLVMOrcLLJITGetMainJITDylib(jit), object);
	e = e ? e
	      : LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&own, LLVMOrcLLJITGetGlobalPrefix(jit), NULL,
	                                                             NULL);
	if (!e)
		LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(jit), own);
	e = e ? e : LLVMOrcLLJITLookup(jit, &at, NATIVE_ENTRY);
	if (e)
		diag_error(h->d, NO_LOC, "LLVM cannot load the kernel's code for this processor: %s",
		           said(e, h->m->arena));
	return (NativeEntry *)(uintptr_t)at;
}

NativeEntry *host_generate(Host *h)
{
	FeModule *m = h->m;
	char *why = NULL, *triple = LLVMGetDefaultTargetTriple();
	LLVMMemoryBufferRef object;
	NativeEntry *entry = NULL;
	LLVMInitializeNativeTarget();
	LLVMInitializeNativeAsmPrinter();
	LLVMTargetMachineRef tm = llvm_machine(triple, "", "", &why);
	if (!tm) {
		diag_error(h->d, NO_LOC,
		           "results are not compared: LLVM has no code generator for this processor (%s)", triple);
		LLVMDisposeMessage(why);
		LLVMDisposeMessage(triple);
		return NULL;
	}
	LLVMTargetDataRef td = LLVMCreateTargetDataLayout(tm);
	LLVMSetTarget(m->mod, triple);
	LLVMSetModuleDataLayout(m->mod, td);
	if (fe_verify(m, "it was made for this processor", h->d) &&
	    fe_passed(m, llvm_passes(m->mod, "default<O2>", tm), "optimise it for this processor", h->d)) {
		if (!LLVMTargetMachineEmitToMemoryBuffer(tm, m->mod, LLVMObjectFile, &why, &object))
			entry = load(h, object);
		else
			diag_error(h->d, NO_LOC, "LLVM cannot generate code for this processor: %s", why);
	}
	LLVMDisposeTargetData(td);
	LLVMDisposeTargetMachine(tm);
	LLVMDisposeMessage(triple);
	return entry;
}
