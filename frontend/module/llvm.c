/* Helpers over LLVM's C interface: see llvm.h. */
#include "frontend/module/llvm.h"

#include "base/child.h"
#include "base/hash.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <unistd.h>

/* ---- what differs between versions ---- */

u32 llvm_version(void) { return LLVM_VERSION_MAJOR; }
const char *llvm_version_text(void) { return LLVM_VERSION_STRING; }

LLVMContextRef llvm_context(void)
{
	LLVMContextRef c = LLVMContextCreate();
#if LLVM_VERSION_MAJOR < 17
	LLVMContextSetOpaquePointers(c, true);
#endif
	return c;
}

void llvm_debug_calls(LLVMModuleRef mod)
{
#if LLVM_VERSION_MAJOR >= 19 /* debug values beside the instructions; from 21 on there are no others */
	LLVMSetIsNewDbgInfoFormat(mod, false);
#else
	(void)mod;
#endif
}

/* Constants of instructions are constants: none is inserted. (LLVMConstLShr is gone after LLVM 17.) */
LLVMValueRef llvm_const_word(LLVMValueRef c, u32 word)
{
	LLVMTypeRef t = LLVMTypeOf(c);
	LLVMContextRef x = LLVMGetTypeContext(t);
	LLVMBuilderRef b = LLVMCreateBuilderInContext(x);
	LLVMValueRef high = LLVMBuildLShr(b, c, LLVMConstInt(t, 64 * (u64)word, false), "");
	LLVMDisposeBuilder(b);
	return LLVMConstTrunc(high, LLVMInt64TypeInContext(x));
}

/* An instruction's text, of a copy that stands nowhere and works on nothing: to write down one that has a place, LLVM
 * numbers all that its module holds. For LLVMDisposeMessage. */
static char *text_alone(LLVMValueRef i)
{
	LLVMValueRef alone = LLVMInstructionClone(i);
	for (int k = 0; k < LLVMGetNumOperands(alone); k++)
		LLVMSetOperand(alone, (unsigned)k, LLVMGetUndef(LLVMTypeOf(LLVMGetOperand(alone, (unsigned)k))));
	char *text = LLVMPrintValueToString(alone);
	LLVMDeleteInstruction(alone);
	return text;
}

/* ` = atomicrmw volatile add ptr …` */
const char *llvm_rmw_name(Arena *a, LLVMValueRef rmw)
{
	static const char before[] = " = atomicrmw ", other[] = "volatile ";
	char *text = text_alone(rmw);
	const char *s = strstr(text, before);
	s = s ? s + sizeof before - 1 : "";
	if (!strncmp(s, other, sizeof other - 1))
		s += sizeof other - 1;
	s = arena_strndup(a, s, strcspn(s, " "));
	LLVMDisposeMessage(text);
	return s;
}

/* ` = add nuw nsw i32 …` (LLVMGetNSW came with LLVM 18.) */
bool llvm_cannot_wrap(LLVMValueRef sum, const char *flag)
{
	char *text = text_alone(sum);
	bool cannot = strstr(text, flag) != NULL;
	LLVMDisposeMessage(text);
	return cannot;
}

/* ---- debug values ---- */

LlvmDebug llvm_debug(LLVMValueRef i)
{
	static const char all[] = "llvm.dbg.";
	const char *name = llvm_callee_name(i);
	if (strncmp(name, all, sizeof all - 1) != 0)
		return LLVM_NO_DEBUG;
	name += sizeof all - 1;
	return !strcmp(name, "declare") ? LLVM_DEBUG_DECLARE
	       : !strcmp(name, "value") ? LLVM_DEBUG_VALUE : LLVM_DEBUG_OTHER;
}

LLVMValueRef llvm_debug_of(LLVMValueRef debug)
{
	LLVMValueRef where = LLVMGetOperand(debug, 0);
	return llvm_operands(where) == 1 ? llvm_operand(where, 0) : NULL;
}

void llvm_debug_set(LLVMValueRef debug, LLVMValueRef value)
{
	LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(value));
	LLVMSetOperand(debug, 0, LLVMMetadataAsValue(c, LLVMValueAsMetadata(value)));
}

LLVMValueRef llvm_debug_variable(LLVMValueRef debug)
{
	LLVMValueRef v = LLVMGetOperand(debug, 1);
	return llvm_is_node(v, LLVMDILocalVariableMetadataKind) ? v : NULL;
}

LLVMValueRef llvm_debug_expression(LLVMValueRef debug) { return LLVMGetOperand(debug, 2); }

/* ---- instructions ---- */

LLVMValueRef llvm_first(LLVMValueRef f)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
		if (LLVMGetFirstInstruction(b))
			return LLVMGetFirstInstruction(b);
	return NULL;
}

LLVMValueRef llvm_next(LLVMValueRef i)
{
	LLVMValueRef next = LLVMGetNextInstruction(i);
	LLVMBasicBlockRef b = LLVMGetInstructionParent(i);
	while (!next && (b = LLVMGetNextBasicBlock(b)))
		next = LLVMGetFirstInstruction(b);
	return next;
}

LLVMValueRef llvm_integers(LLVMTypeRef t, u64 value)
{
	if (LLVMGetTypeKind(t) != LLVMVectorTypeKind)
		return LLVMConstInt(t, value, false);
	u32 n = LLVMGetVectorSize(t);
	LLVMValueRef *all = xcalloc(n, sizeof *all);
	for (u32 i = 0; i < n; i++)
		all[i] = LLVMConstInt(LLVMGetElementType(t), value, false);
	LLVMValueRef vector = LLVMConstVector(all, n);
	free(all);
	return vector;
}

LlvmBlocks llvm_blocks(LLVMValueRef function, Arena *a)
{
	LlvmBlocks b = {.n = LLVMCountBasicBlocks(function), .number = map_new(a)};
	b.block = ARENA_ARRAY(a, LLVMBasicBlockRef, b.n + 1);
	LLVMGetBasicBlocks(function, b.block);
	for (u32 i = 0; i < b.n; i++)
		*ptrmap_slot(b.number, b.block[i]) = (void *)(uintptr_t)(i + 1);
	return b;
}

u32 llvm_block_number(const LlvmBlocks *b, LLVMBasicBlockRef block)
{
	return (u32)(uintptr_t)ptrmap_get(b->number, block) - 1;
}

u32 llvm_successors(const LlvmBlocks *b, u32 i)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(b->block[i]);
	return end ? LLVMGetNumSuccessors(end) : 0;
}

u32 llvm_successor(const LlvmBlocks *b, u32 i, u32 k)
{
	return llvm_block_number(b, LLVMGetSuccessor(LLVMGetBasicBlockTerminator(b->block[i]), k));
}

LLVMValueRef llvm_function_named(LLVMModuleRef mod, const char *name)
{
	LLVMValueRef f = LLVMGetNamedFunction(mod, name);
	return f ? f : LLVMGetNamedGlobalAlias(mod, name, strlen(name));
}

LLVMValueRef llvm_callee(LLVMValueRef call)
{
	if (!LLVMIsACallInst(call))
		return NULL;
	LLVMValueRef callee = LLVMGetCalledValue(call);
	return callee && LLVMIsAFunction(callee) ? callee : NULL;
}

LLVMValueRef llvm_intrinsic(LLVMModuleRef mod, const char *name, LLVMTypeRef *types, u32 n)
{
	u32 id = LLVMLookupIntrinsicID(name, strlen(name));
	return id ? LLVMGetIntrinsicDeclaration(mod, id, types, LLVMIntrinsicIsOverloaded(id) ? n : 0) : NULL;
}

LLVMValueRef llvm_call(LLVMBuilderRef b, LLVMValueRef f, LLVMValueRef *args, u32 n)
{
	return LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, args, n, "");
}

u32 llvm_bits(LLVMTargetDataRef td, LLVMTypeRef t) { return (u32)LLVMSizeOfTypeInBits(td, t); }

LLVMValueRef llvm_bits_as(LLVMBuilderRef b, LLVMTargetDataRef td, LLVMValueRef v, LLVMTypeRef t)
{
	LLVMContextRef c = LLVMGetTypeContext(t);
	u32 bits = llvm_bits(td, t), has = llvm_bits(td, LLVMTypeOf(v));
	LLVMTypeRef own = LLVMIntTypeInContext(c, has), wanted = LLVMIntTypeInContext(c, bits);
	v = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind ? LLVMBuildPtrToInt(b, v, own, "")
	                                                         : LLVMBuildBitCast(b, v, own, "");
	v = has > bits ? LLVMBuildTrunc(b, v, wanted, "") : LLVMBuildZExt(b, v, wanted, "");
	return LLVMGetTypeKind(t) == LLVMPointerTypeKind ? LLVMBuildIntToPtr(b, v, t, "")
	                                                 : LLVMBuildBitCast(b, v, t, "");
}

u64 llvm_function_number(LLVMValueRef f) { return hash_text(LLVMGetValueName(f)) | 1ull << 63; }

const char *llvm_callee_name(LLVMValueRef i)
{
	LLVMValueRef f = llvm_callee(i);
	return f ? LLVMGetValueName(f) : "";
}

bool llvm_is_lifetime(LLVMValueRef i)
{
	static const char name[] = "llvm.lifetime.";
	return !strncmp(llvm_callee_name(i), name, sizeof name - 1);
}

/* (LLVMGetAtomicSyncScopeID came with LLVM 20.) */
bool llvm_is_wave_fence(LLVMValueRef fence)
{
	char *text = LLVMPrintValueToString(fence);
	bool is = strstr(text, "syncscope(\"wavefront");
	LLVMDisposeMessage(text);
	return is;
}

LLVMValueRef llvm_entry(LLVMValueRef f) { return LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)); }

LLVMValueRef llvm_cast_source(LLVMValueRef v)
{
	bool cast = LLVMIsAAddrSpaceCastInst(v) ||
	            (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMAddrSpaceCast);
	return cast ? LLVMGetOperand(v, 0) : NULL;
}

LLVMTypeRef llvm_pointer(LLVMContextRef context, Space space)
{
	return LLVMPointerTypeInContext(context, space);
}

/* ---- metadata ---- */

u32 llvm_operands(LLVMValueRef v) { return v && LLVMIsAMDNode(v) ? LLVMGetMDNodeNumOperands(v) : 0; }

LLVMValueRef llvm_operand(LLVMValueRef v, u32 i)
{
	u32 n = llvm_operands(v);
	if (i >= n)
		return NULL;
	LLVMValueRef *all = xmalloc(n * sizeof *all);
	LLVMGetMDNodeOperands(v, all);
	LLVMValueRef found = all[i];
	free(all);
	return found;
}

bool llvm_is_node(LLVMValueRef v, u32 kind)
{
	return v && LLVMIsAMDNode(v) && LLVMGetMetadataKind(LLVMValueAsMetadata(v)) == kind;
}

const char *llvm_operand_text(Arena *a, LLVMValueRef node, u32 i)
{
	unsigned n = 0;
	LLVMValueRef v = llvm_operand(node, i);
	const char *s = v && LLVMIsAMDString(v) ? LLVMGetMDString(v, &n) : NULL;
	return s && n ? arena_strndup(a, s, n) : NULL;
}

u32 llvm_operand_number(LLVMValueRef node, u32 i)
{
	LLVMValueRef v = llvm_operand(node, i);
	return v && LLVMIsAConstantInt(v) ? (u32)LLVMConstIntGetZExtValue(v) : 0;
}

/* ---- attributes ---- */

u32 llvm_attribute(const char *name) { return LLVMGetEnumAttributeKindForName(name, strlen(name)); }

LLVMAttributeRef *llvm_attributes(LLVMValueRef f, u32 index, u32 *n)
{
	*n = LLVMGetAttributeCountAtIndex(f, index);
	LLVMAttributeRef *a = xmalloc(*n * sizeof *a);
	LLVMGetAttributesAtIndex(f, index, a);
	return a;
}

bool llvm_has_attribute(LLVMValueRef f, const char *name)
{
	return LLVMGetEnumAttributeAtIndex(f, ON_FUNCTION, llvm_attribute(name));
}

void llvm_add_attribute(LLVMValueRef f, u32 index, const char *name)
{
	LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(f));
	LLVMAddAttributeAtIndex(f, index, LLVMCreateEnumAttribute(c, llvm_attribute(name), 0));
}

void llvm_inline_always(LLVMValueRef f)
{
	static const char *const against[] = {"noinline", "optnone"};
	for (u32 i = 0; i < COUNT(against); i++)
		LLVMRemoveEnumAttributeAtIndex(f, ON_FUNCTION, llvm_attribute(against[i]));
	llvm_add_attribute(f, ON_FUNCTION, "alwaysinline");
}

void llvm_call_convergent(LLVMValueRef call)
{
	LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(call));
	LLVMAddCallSiteAttribute(call, ON_FUNCTION, LLVMCreateEnumAttribute(c, llvm_attribute("convergent"), 0));
}

void llvm_add_text(LLVMValueRef f, const char *key, const char *value)
{
	LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(f));
	LLVMAddAttributeAtIndex(f, ON_FUNCTION, LLVMCreateStringAttribute(c, key, (u32)strlen(key), value,
	                                                                  (u32)strlen(value)));
}

void llvm_set_cpu(LLVMModuleRef mod, const char *cpu)
{
	llvm_each_function(mod, f)
		if (!LLVMIsDeclaration(f))
			llvm_add_text(f, "target-cpu", cpu);
}

/* ---- modules ---- */

static LLVMModuleRef read_lazily(LLVMContextRef context, LLVMMemoryBufferRef bytes)
{
	LLVMModuleRef mod = NULL;
	if (!LLVMGetBitcodeModuleInContext2(context, bytes, &mod)) /* keeps bytes */
		return mod;
	LLVMDisposeMemoryBuffer(bytes);
	return NULL;
}

LLVMModuleRef llvm_read_file(LLVMContextRef context, const char *path, char **why)
{
	LLVMMemoryBufferRef bytes;
	*why = NULL;
	return LLVMCreateMemoryBufferWithContentsOfFile(path, &bytes, why) ? NULL : read_lazily(context, bytes);
}

LLVMModuleRef llvm_read_bytes(LLVMContextRef context, const u8 *bytes, size_t n)
{
	return read_lazily(context, LLVMCreateMemoryBufferWithMemoryRangeCopy((const char *)bytes, n, "wavesim"));
}

/* Internal functions of a linked module arrive only when they are used: all become visible. */
bool llvm_link_text(LLVMModuleRef mod, const char *text, size_t n, char **why)
{
	LLVMMemoryBufferRef bytes = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, n, "wavesim");
	LLVMModuleRef part;
	*why = NULL;
	if (LLVMParseIRInContext(LLVMGetModuleContext(mod), bytes, &part, why)) /* frees bytes */
		return false;
	LLVMSetTarget(part, LLVMGetTarget(mod));
	LLVMSetDataLayout(part, LLVMGetDataLayoutStr(mod));
	llvm_each_function(part, f)
		if (!LLVMIsDeclaration(f))
			LLVMSetLinkage(f, LLVMExternalLinkage);
	return !LLVMLinkModules2(mod, part);
}

void llvm_resolve_aliases(LLVMModuleRef mod)
{
	for (LLVMValueRef a = LLVMGetFirstGlobalAlias(mod); a; a = LLVMGetNextGlobalAlias(a)) {
		LLVMReplaceAllUsesWith(a, LLVMAliasGetAliasee(a));
		LLVMSetLinkage(a, LLVMInternalLinkage);
	}
}

LLVMErrorRef llvm_passes(LLVMModuleRef mod, const char *passes, LLVMTargetMachineRef tm)
{
	LLVMPassBuilderOptionsRef o = LLVMCreatePassBuilderOptions();
	LLVMErrorRef e = LLVMRunPasses(mod, passes, tm, o);
	LLVMDisposePassBuilderOptions(o);
	return e;
}

LLVMTargetMachineRef llvm_machine(const char *triple, const char *cpu, const char *features, char **why)
{
	LLVMTargetRef target;
	char *text = NULL;
	LLVMTargetMachineRef tm = NULL;
	if (!LLVMGetTargetFromTriple(triple, &target, &text))
		tm = LLVMCreateTargetMachine(target, triple, cpu, features, LLVMCodeGenLevelAggressive,
		                             LLVMRelocPIC, LLVMCodeModelDefault);
	if (why)
		*why = text;
	else
		LLVMDisposeMessage(text);
	return tm;
}

LLVMTargetMachineRef llvm_nvptx(void)
{
	LLVMInitializeNVPTXTargetInfo();
	LLVMInitializeNVPTXTarget();
	LLVMInitializeNVPTXTargetMC();
	return llvm_machine("nvptx64-nvidia-cuda", "sm_80", "", NULL);
}

/* LLVM takes any name, and says on stderr when it knows no such chip; its C interface has no question for it. */
bool llvm_knows(const char *triple, const char *cpu)
{
	int said = child_file("chip"), before = dup(STDERR_FILENO);
	bool known = said >= 0 && before >= 0 && dup2(said, STDERR_FILENO) >= 0;
	LLVMTargetMachineRef tm = known ? llvm_machine(triple, cpu, "", NULL) : NULL;
	known = tm && lseek(said, 0, SEEK_END) == 0;
	if (tm)
		LLVMDisposeTargetMachine(tm);
	if (before >= 0) {
		dup2(before, STDERR_FILENO);
		close(before);
	}
	if (said >= 0)
		close(said);
	return known;
}

const char *llvm_first_chip(Arena *a, const char *list)
{
	LLVMInitializeAMDGPUTargetInfo();
	LLVMInitializeAMDGPUTarget();
	LLVMInitializeAMDGPUTargetMC();
	LLVMInitializeAMDGPUAsmPrinter();
	for (const char *s = list; *s; s += strcspn(s, " "), s += strspn(s, " ")) {
		const char *cpu = arena_strndup(a, s, strcspn(s, "@ "));
		if (llvm_knows(FE_TRIPLE, cpu))
			return cpu;
	}
	return NULL;
}
