/* Launches in the host's code: see launches.h.
 *
 * kernel<<<grid, block, shared, stream>>>(…) becomes a call of __hipPushCallConfiguration and, where that is 0, of the
 * kernel's stub, which clang may put in place: hipLaunchKernel of the kernel, with what the run time gives back of the
 * former. Programs may call hipLaunchKernel and hipLaunchCooperativeKernel themselves, too. By x86-64's rules a dim3
 * that is passed is x and y in 64 bits, and z. */
#include "frontend/module/launches.h"

#include "frontend/module/llvm.h"

#include <llvm-c/BitReader.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PUSH_ARGUMENTS = 6, LAUNCH_ARGUMENTS = 8, FAR = 200 };

static void silent(LLVMDiagnosticInfoRef info, void *context)
{
	(void)info, (void)context;
}

static bool constant(LLVMValueRef call, u32 i, u64 *out)
{
	LLVMValueRef v = LLVMGetOperand(call, i);
	if (!LLVMIsAConstantInt(v))
		return false;
	*out = LLVMConstIntGetZExtValue(v);
	return true;
}

/* The function that i calls, or NULL. Where destructors wait for an exception, calls are invokes. */
static LLVMValueRef callee(LLVMValueRef i)
{
	LLVMValueRef f = LLVMIsACallInst(i) || LLVMIsAInvokeInst(i) ? LLVMGetCalledValue(i) : NULL;
	return f && LLVMIsAFunction(f) ? f : NULL;
}

static bool calls(LLVMValueRef i, const char *name, u32 arguments)
{
	LLVMValueRef f = callee(i);
	size_t n;
	return f && !strcmp(LLVMGetValueName2(f, &n), name) && LLVMGetNumArgOperands(i) == arguments;
}

/* The block from which alone control comes to b, or NULL. */
static LLVMBasicBlockRef only_before(LLVMBasicBlockRef b)
{
	LLVMBasicBlockRef only = NULL;
	for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(b)); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef from = LLVMGetUser(u);
		if (!LLVMIsAInstruction(from) || !LLVMIsATerminatorInst(from))
			continue;
		if (only && only != LLVMGetInstructionParent(from))
			return NULL;
		only = LLVMGetInstructionParent(from);
	}
	return only;
}

/* The call that left what this one launches with; NULL: it is not clear which. */
static LLVMValueRef pushed_before(LLVMValueRef launch)
{
	LLVMBasicBlockRef b = LLVMGetInstructionParent(launch);
	LLVMValueRef i = LLVMGetPreviousInstruction(launch);
	for (u32 k = 0; b && k < FAR; k++) { /* instructions and blocks: the call is near */
		for (; i && k < FAR; i = LLVMGetPreviousInstruction(i), k++)
			if (calls(i, "__hipPushCallConfiguration", PUSH_ARGUMENTS))
				return i;
		b = only_before(b);
		i = b ? LLVMGetLastInstruction(b) : NULL;
	}
	return NULL;
}

/* The kernel that i launches, by what stands for it on the host, a variable that points to its stub; NULL: none. */
static LLVMValueRef launched_by(LLVMValueRef i, bool *stub)
{
	LLVMValueRef f = callee(i);
	size_t n;
	*stub = f && strstr(LLVMGetValueName2(f, &n), "__device_stub__");
	if (*stub) {
		for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u))
			if (LLVMIsAGlobalVariable(LLVMGetUser(u)))
				return LLVMGetUser(u);
		return NULL;
	}
	if (!calls(i, "hipLaunchKernel", LAUNCH_ARGUMENTS) && !calls(i, "hipLaunchCooperativeKernel", LAUNCH_ARGUMENTS))
		return NULL;
	LLVMValueRef kernel = LLVMGetOperand(i, 0);
	return LLVMIsAGlobalVariable(kernel) || LLVMIsAFunction(kernel) ? kernel : NULL;
}

static void add_launch(Buf *list, LLVMValueRef launch)
{
	u32 block = 3, shared = 6;
	u64 xy, z, bytes;
	size_t n;
	bool stub;
	LLVMValueRef kernel = launched_by(launch, &stub), call = launch;
	if (!kernel)
		return;
	if (stub || !LLVMIsAConstantInt(LLVMGetOperand(launch, block))) {
		call = pushed_before(launch);
		block = 2;
		shared = 4;
	}
	if (!call || !constant(call, block, &xy) || !constant(call, block + 1, &z))
		return;
	if (!constant(call, shared, &bytes))
		bytes = 0;
	buf_printf(list, "%s %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu64 "\n", LLVMGetValueName2(kernel, &n), (u32)xy,
	           (u32)(xy >> 32), (u32)z, bytes);
}

char *launches_list(const void *bitcode, size_t n)
{
	Buf list = {0};
	LLVMContextRef ctx = llvm_context();
	LLVMMemoryBufferRef bytes = LLVMCreateMemoryBufferWithMemoryRangeCopy(bitcode, n, "host");
	LLVMModuleRef mod = NULL;
	LLVMContextSetDiagnosticHandler(ctx, silent, NULL);
	buf_printf(&list, "%s", "");
	if (!LLVMParseBitcodeInContext2(ctx, bytes, &mod)) {
		llvm_each_function(mod, f)
			llvm_each_instruction(f, i)
				add_launch(&list, i);
		LLVMDisposeModule(mod);
	}
	LLVMDisposeMemoryBuffer(bytes);
	LLVMContextDispose(ctx);
	return list.v;
}

FeLaunched launches_find(const char *list, const char *symbol)
{
	size_t n = strlen(symbol);
	for (const char *line = list ? list : ""; *line; line = strchrnul(line, '\n'), line += *line != 0) {
		FeLaunched l;
		if (!strncmp(line, symbol, n) && line[n] == ' ' &&
		    sscanf(line + n, " %" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNu64, &l.block[0], &l.block[1],
		           &l.block[2], &l.shared) == 4 &&
		    l.block[0] && l.block[1] && l.block[2])
			return l;
	}
	return (FeLaunched){0};
}
