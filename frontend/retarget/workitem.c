/* What PoCL's library reads from the CPU's work-group function: launch values,
 * barriers, and the functions that the machine itself runs.
 *
 * PoCL's work-item functions load external variables (_local_id_x, …); each load
 * becomes a call of a small function, written as IR text below, that asks the
 * hardware the way AMD's library does: ids in registers, sizes in the dispatch packet
 * and the implicit arguments (layouts in isa/abi.h). */
#include "frontend/module/mangled.h"
#include "frontend/retarget/retarget.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>

#define SUPPORT "wavesim"

void workitem_drop_runtime(FeModule *m)
{
	ARRAY(LLVMValueRef) bodies = {0};
	llvm_each_function(m->mod, f)
		if (fe_is_runtime(LLVMGetValueName(f)))
			array_push(&bodies, f);
	for (u32 i = 0; i < bodies.n; i++) {
		LLVMValueRef old = bodies.v[i];
		const char *name = arena_strdup(m->arena, LLVMGetValueName(old));
		LLVMSetValueName2(old, "", 0);
		LLVMValueRef f = LLVMAddFunction(m->mod, name, LLVMGlobalGetValueType(old));
		LLVMReplaceAllUsesWith(old, f);
		/* Unused now; its body may call functions that are not there. */
		LLVMSetLinkage(old, LLVMIsDeclaration(old) ? LLVMExternalLinkage : LLVMInternalLinkage);
		llvm_add_attribute(f, ON_FUNCTION, "convergent");
		llvm_add_attribute(f, ON_FUNCTION, "nounwind");
	}
	array_free(&bodies);
}

/* ---- the support functions ---- */

static void id_function(Buf *b, const char *pocl, const char *intrinsic, char axis, u32 end)
{
	buf_printf(b, "define internal i64 @%s.%s_%c() alwaysinline nounwind {\n", SUPPORT, pocl, axis);
	buf_printf(b, " %%.i = call i32 @llvm.amdgcn.%s.%c(), !range !{i32 0, i32 %u}\n", intrinsic, axis,
	           end);
	buf_printf(b, " %%.w = zext i32 %%.i to i64\n ret i64 %%.w\n}\n");
	buf_printf(b, "declare i32 @llvm.amdgcn.%s.%c()\n", intrinsic, axis);
}

/* A value of type from at a byte offset of a read-only segment. */
static void load_function(Buf *b, const char *name, const char *segment, u32 offset,
                          const char *from, u32 align, const char *to)
{
	buf_printf(b, "define internal %s @%s.%s() alwaysinline nounwind {\n", to, SUPPORT, name);
	buf_printf(b, " %%.s = call ptr addrspace(4) @llvm.amdgcn.%s.ptr()\n", segment);
	buf_printf(b, " %%.p = getelementptr inbounds i8, ptr addrspace(4) %%.s, i64 %u\n", offset);
	buf_printf(b, " %%.v = load %s, ptr addrspace(4) %%.p, align %u, !invariant.load !{}\n", from,
	           align);
	if (strcmp(from, to) != 0)
		buf_printf(b, " %%.w = zext %s %%.v to %s\n ret %s %%.w\n}\n", from, to, to);
	else
		buf_printf(b, " ret %s %%.v\n}\n", to);
}

/* ---- OpenCL's work-item functions ----
 *
 * PoCL's library computes ids in 64 bits. On the GPU they are computed in 32, from the
 * dispatch packet, and the registers that a kernel needs depend on it; so these
 * functions get bodies that compute what AMD's do, where those are not linked. A dimension
 * above 2 gives 0, as PoCL's do. */
typedef struct ItemFunction {
	const char *name, *mangled;
	const char *body;  /* of one dimension: %L, %G local size and grid size in work-items,
	                    * %g, %l group and local id, all i32; %O offset, i64 */
} ItemFunction;

static const ItemFunction item_functions[] = {
	{"get_global_id", "_Z13get_global_idj",
	 " %a = mul i32 %g, %L\n %b = add i32 %a, %l\n %c = zext i32 %b to i64\n"
	 " %r = add i64 %O, %c\n"},
	{"get_global_size", "_Z15get_global_sizej", " %r = zext i32 %G to i64\n"},
	{"get_global_offset", "_Z17get_global_offsetj", " %r = add i64 %O, 0\n"},
	{"get_group_id", "_Z12get_group_idj", " %r = zext i32 %g to i64\n"},
	{"get_local_id", "_Z12get_local_idj", " %r = zext i32 %l to i64\n"},
	{"get_local_size", "_Z14get_local_sizej",
	 " %a = mul i32 %g, %L\n %b = sub i32 %G, %a\n %c = icmp ult i32 %b, %L\n"
	 " %d = select i1 %c, i32 %b, i32 %L\n %r = zext i32 %d to i64\n"},
	{"get_enqueued_local_size", "_Z23get_enqueued_local_sizej", " %r = zext i32 %L to i64\n"},
	{"get_num_groups", "_Z14get_num_groupsj",
	 " %a = udiv i32 %G, %L\n %b = mul i32 %a, %L\n %c = icmp ugt i32 %G, %b\n"
	 " %d = zext i1 %c to i32\n %e = add i32 %a, %d\n %r = zext i32 %e to i64\n"},
};

static void item_inputs(Buf *b)
{
	for (u32 i = 0; i < 3; i++) {
		char axis = (char)('x' + i);
		buf_printf(b, "define internal i32 @wavesim.L%c() alwaysinline nounwind {\n"
		              " %%s = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()\n"
		              " %%p = getelementptr i8, ptr addrspace(4) %%s, i64 %u\n"
		              " %%v = load i16, ptr addrspace(4) %%p, align 2, !invariant.load !{}\n"
		              " %%w = zext i16 %%v to i32\n ret i32 %%w\n}\n",
		           axis, DISPATCH_LOCAL_SIZE + 2 * i);
		buf_printf(b, "define internal i32 @wavesim.G%c() alwaysinline nounwind {\n"
		              " %%s = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()\n"
		              " %%p = getelementptr i8, ptr addrspace(4) %%s, i64 %u\n"
		              " %%v = load i32, ptr addrspace(4) %%p, align 4\n ret i32 %%v\n}\n",
		           axis, DISPATCH_GLOBAL_SIZE + 4 * i);
		buf_printf(b, "define internal i64 @wavesim.O%c() alwaysinline nounwind {\n"
		              " %%s = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()\n"
		              " %%p = getelementptr i8, ptr addrspace(4) %%s, i64 %u\n"
		              " %%v = load i64, ptr addrspace(4) %%p, align 8\n ret i64 %%v\n}\n",
		           axis, IMPLICIT_GLOBAL_OFFSET + 8 * i);
	}
}

static void item_axis(Buf *b, const ItemFunction *f, char axis)
{
	buf_printf(b, "define internal i64 @wavesim.%s.%c() nounwind {\n", f->name, axis);
	if (strstr(f->body, "%L"))
		buf_printf(b, " %%L = call i32 @wavesim.L%c()\n", axis);
	if (strstr(f->body, "%G"))
		buf_printf(b, " %%G = call i32 @wavesim.G%c()\n", axis);
	if (strstr(f->body, "%O"))
		buf_printf(b, " %%O = call i64 @wavesim.O%c()\n", axis);
	if (strstr(f->body, "%g"))
		buf_printf(b, " %%g = call i32 @llvm.amdgcn.workgroup.id.%c()\n", axis);
	if (strstr(f->body, "%l"))
		buf_printf(b, " %%l64 = call i64 @wavesim._local_id_%c()\n %%l = trunc i64 %%l64 to i32\n",
		           axis);
	buf_printf(b, "%s ret i64 %%r\n}\n", f->body);
}

static void item_text(Buf *b)
{
	item_inputs(b);
	for (u32 i = 0; i < COUNT(item_functions); i++) {
		const ItemFunction *f = &item_functions[i];
		for (char axis = 'x'; axis <= 'z'; axis++)
			item_axis(b, f, axis);
		buf_printf(b, "define internal i64 @wavesim.%s(i32 %%d) nounwind {\n"
		              " switch i32 %%d, label %%n [i32 0, label %%x i32 1, label %%y "
		              "i32 2, label %%z]\n",
		           f->name);
		for (char axis = 'x'; axis <= 'z'; axis++)
			buf_printf(b, "%c:\n %%r%c = call i64 @wavesim.%s.%c()\n ret i64 %%r%c\n", axis, axis,
			           f->name, axis, axis);
		buf_printf(b, "n:\n ret i64 0\n}\n");
	}
}

/* Else AMD's are linked. */
static bool has_own_items(const FeModule *m) { return m->builtins == BUILTINS_POCL || m->vliw; }

bool workitem_gets_body(const FeModule *m, const char *name)
{
	for (u32 i = 0; has_own_items(m) && i < COUNT(item_functions); i++)
		if (!strcmp(name, item_functions[i].mangled))
			return true;
	return false;
}

/* The body of PoCL's function becomes a call of ours. */
static void item_replace(FeModule *m)
{
	if (!has_own_items(m))
		return;
	for (u32 i = 0; i < COUNT(item_functions); i++) {
		char name[64];
		snprintf(name, sizeof name, "%s.%s", SUPPORT, item_functions[i].name);
		LLVMValueRef old = LLVMGetNamedFunction(m->mod, item_functions[i].mangled);
		LLVMValueRef f = LLVMGetNamedFunction(m->mod, name);
		if (old && LLVMGlobalGetValueType(old) == LLVMGlobalGetValueType(f)) {
			LLVMReplaceAllUsesWith(old, f);
			LLVMDeleteFunction(old);
		}
	}
}

static void support_text(const FeModule *m, Buf *b)
{
	for (u32 i = 0; i < 3; i++) {
		char name[32], axis = (char)('x' + i);
		id_function(b, "_local_id", "workitem.id", axis,
		            m->reqd_local[i] ? m->reqd_local[i] : 65536);
		id_function(b, "_group_id", "workgroup.id", axis, INT32_MAX);
		snprintf(name, sizeof name, "_local_size_%c", axis);
		load_function(b, name, "dispatch", DISPATCH_LOCAL_SIZE + 2 * i, "i16", 2, "i64");
		snprintf(name, sizeof name, "_num_groups_%c", axis);
		load_function(b, name, "implicitarg", (m->v5 ? V5_ALL_GROUPS : IMPLICIT_GROUPS) + 4 * i,
		              "i32", 4, "i64");
		snprintf(name, sizeof name, "_global_offset_%c", axis);
		load_function(b, name, "implicitarg",
		              (m->v5 ? V5_GLOBAL_OFFSET : IMPLICIT_GLOBAL_OFFSET) + 8 * i, "i64", 8, "i64");
	}
	item_text(b);
	load_function(b, "_work_dim", "dispatch", DISPATCH_SETUP, "i16", 2, "i32");
	/* For checks, fences are the source's own. */
	buf_printf(b, "declare ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()\n"
	              "declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()\n"
	              "declare void @llvm.amdgcn.s.barrier()\n"
	              "define internal void @%s.barrier() alwaysinline convergent nounwind {\n"
	              "%s call void @llvm.amdgcn.s.barrier()\n%s"
	              " ret void\n}\n",
	           SUPPORT, m->check ? "" : " fence syncscope(\"workgroup\") release\n",
	           m->check ? "" : " fence syncscope(\"workgroup\") acquire\n");
}

static bool link_support(FeModule *m, Diag *d)
{
	Buf text = {0};
	support_text(m, &text);
	char *why;
	bool linked = llvm_link_text(m->mod, text.v, text.n, &why);
	array_free(&text);
	if (!linked)
		diag_error(d, NO_LOC, "LLVM cannot link wavesim's own support functions: %s",
		           why ? why : "no reason given");
	LLVMDisposeMessage(why);
	return linked;
}

/* ---- barriers for checks ---- */

/* A barrier in place of a call, with what its flags order. */
static void put_barrier(FeModule *m, LLVMBuilderRef b, LLVMValueRef call, u32 flags)
{
	LLVMMetadataRef number = LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(m->ctx), flags, 0));
	LLVMPositionBuilderBefore(b, call);
	LLVMValueRef at = llvm_call(b, llvm_intrinsic(m->mod, "llvm.amdgcn.s.barrier", NULL, 0), NULL, 0);
	LLVMSetMetadata(at, LLVMGetMDKindIDInContext(m->ctx, FE_FENCE_MARK, sizeof FE_FENCE_MARK - 1),
	                LLVMMetadataAsValue(m->ctx, LLVMMDNodeInContext2(m->ctx, &number, 1)));
	LLVMInstructionSetDebugLoc(at, LLVMInstructionGetDebugLoc(call));
	LLVMInstructionEraseFromParent(call);
}

void workitem_mark_barriers(FeModule *m)
{
	ARRAY(LLVMValueRef) calls = {0};
	llvm_each_function(m->mod, f)
		llvm_each_instruction(f, i) {
			const char *name = llvm_callee_name(i);
			if (!strncmp(name, "_Z7barrierj", 11) || !strncmp(name, "_Z18work_group_barrierj", 23))
				array_push(&calls, i);
		}
	LLVMBuilderRef b = LLVMCreateBuilderInContext(m->ctx);
	for (u32 i = 0; i < calls.n; i++) {
		LLVMValueRef flags = LLVMGetOperand(calls.v[i], 0);
		if (!LLVMIsAConstantInt(flags))
			continue;
		u64 v = LLVMConstIntGetZExtValue(flags) & (FENCE_LDS | FENCE_GLOBAL);
		put_barrier(m, b, calls.v[i], v ? (u32)v : FENCE_NONE);
	}
	LLVMDisposeBuilder(b);
	array_free(&calls);
}

/* ---- launch values ---- */

static LLVMValueRef call_support(LLVMBuilderRef b, LLVMValueRef f)
{
	return llvm_call(b, f, NULL, 0);
}

/* Loads of g become calls of f. An optimiser may have made another use of the
 * address (a choice between two variables): such a use gets a private copy. */
static bool replace_variable(FeModule *m, LLVMValueRef g, LLVMValueRef f, Diag *d)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(m->ctx);
	bool ok = true;
	for (LLVMUseRef u; ok && (u = LLVMGetFirstUse(g));) {
		LLVMValueRef i = LLVMGetUser(u);
		if (!LLVMIsAInstruction(i)) {
			ok = diag_error(d, (Loc){.file = m->user_path},
			                "the launch value '%s' is used in a way wavesim does not know",
			                LLVMGetValueName(g));
		} else if (LLVMIsALoadInst(i) && LLVMTypeOf(i) == LLVMGlobalGetValueType(g)) {
			LLVMPositionBuilderBefore(b, i);
			LLVMReplaceAllUsesWith(i, call_support(b, f));
			LLVMInstructionEraseFromParent(i);
		} else {
			LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
			LLVMPositionBuilderBefore(b, llvm_entry(function));
			LLVMValueRef copy = LLVMBuildAlloca(b, LLVMGlobalGetValueType(g), "");
			LLVMBuildStore(b, call_support(b, f), copy);
			copy = LLVMBuildAddrSpaceCast(b, copy, llvm_pointer(m->ctx, SPACE_FLAT), "");
			for (u32 k = 0; k < (u32)LLVMGetNumOperands(i); k++)
				if (LLVMGetOperand(i, k) == g)
					LLVMSetOperand(i, k, copy);
		}
	}
	LLVMDisposeBuilder(b);
	if (ok)
		LLVMDeleteGlobal(g);
	return ok;
}

/* What is replaced here must be what PoCL made: bitcode may hold anything by these names. */
static bool check_names(FeModule *m, Diag *d)
{
	static const char *const declared[] = {"pocl.barrier", "printf",
	                                       "__translate_sampler_initializer"};
	const char *taken = NULL;
	for (u32 i = 0; i < COUNT(declared); i++) {
		LLVMValueRef f = LLVMGetNamedFunction(m->mod, declared[i]);
		if (f && !LLVMIsDeclaration(f))
			taken = declared[i];
	}
	for (u32 i = 0; i < COUNT(item_functions); i++) {
		if (LLVMGetNamedFunction(m->mod, item_functions[i].mangled) == m->kernel)
			taken = item_functions[i].mangled;
	}
	if (!taken)
		return true;
	diag_error(d, NO_LOC, "a function has the name '%s', which is OpenCL's own", taken);
	diag_hint(d, "give it another name");
	return false;
}

bool workitem_lower(FeModule *m, Diag *d)
{
	if (!check_names(m, d))
		return false;
	if (!link_support(m, d))
		return false;
	item_replace(m);
	if (m->check)
		workitem_mark_barriers(m);
	for (LLVMValueRef g = LLVMGetFirstGlobal(m->mod), next; g; g = next) {
		next = LLVMGetNextGlobal(g);
		char name[64];
		snprintf(name, sizeof name, "%s.%.40s", SUPPORT, LLVMGetValueName(g));
		LLVMValueRef f = LLVMIsDeclaration(g) ? LLVMGetNamedFunction(m->mod, name) : NULL;
		if (f && !replace_variable(m, g, f, d))
			return false;
	}
	LLVMValueRef pocl = LLVMGetNamedFunction(m->mod, "pocl.barrier");
	if (pocl) {
		LLVMReplaceAllUsesWith(pocl, LLVMGetNamedFunction(m->mod, "wavesim.barrier"));
		LLVMDeleteFunction(pocl);
	}
	/* A function that calls a barrier is convergent; PoCL's library has `noduplicate` only. */
	llvm_each_function(m->mod, f)
		if (strstr(LLVMGetValueName(f), "barrier") && !LLVMGetIntrinsicID(f))
			llvm_add_attribute(f, ON_FUNCTION, "convergent");
	return true;
}

/* ---- calls that change their form ---- */

/* printf's format lies in PoCL's address space 2; here constants are in 4. */
static void printf_calls(FeModule *m)
{
	LLVMValueRef old = LLVMGetNamedFunction(m->mod, "printf");
	if (!old || LLVMCountParams(old) != 1)
		return;
	LLVMTypeRef constant = llvm_pointer(m->ctx, SPACE_CONSTANT);
	LLVMTypeRef type = LLVMFunctionType(LLVMInt32TypeInContext(m->ctx), &constant, 1, 1);
	LLVMSetValueName2(old, "", 0);
	LLVMValueRef f = LLVMAddFunction(m->mod, "printf", type);
	/* A call shared by two branches would take its format from a phi. */
	llvm_add_attribute(f, ON_FUNCTION, "nomerge");
	llvm_add_attribute(f, ON_FUNCTION, "convergent");
	llvm_add_attribute(f, ON_FUNCTION, "nounwind");
	LLVMBuilderRef b = LLVMCreateBuilderInContext(m->ctx);
	for (LLVMUseRef u; (u = LLVMGetFirstUse(old));) {
		LLVMValueRef call = LLVMGetUser(u);
		u32 n = LLVMGetNumArgOperands(call);
		LLVMValueRef *args = xmalloc(n * sizeof(LLVMValueRef));
		LLVMPositionBuilderBefore(b, call); /* keeps the debug line */
		for (u32 i = 0; i < n; i++)
			args[i] = LLVMGetOperand(call, i);
		for (LLVMValueRef source; (source = llvm_cast_source(args[0]));)
			args[0] = source;
		if (LLVMTypeOf(args[0]) != constant)
			args[0] = LLVMBuildAddrSpaceCast(b, args[0], constant, "");
		LLVMReplaceAllUsesWith(call, LLVMBuildCall2(b, type, f, args, n, ""));
		LLVMInstructionEraseFromParent(call);
		free(args);
	}
	LLVMDisposeBuilder(b);
	LLVMDeleteFunction(old);
}

/* PoCL's samplers are the bits of the literal, carried in a pointer. */
static void sampler_calls(FeModule *m)
{
	LLVMValueRef f = LLVMGetNamedFunction(m->mod, "__translate_sampler_initializer");
	if (!f)
		return;
	LLVMBuilderRef b = LLVMCreateBuilderInContext(m->ctx);
	for (LLVMUseRef u; (u = LLVMGetFirstUse(f));) {
		LLVMValueRef call = LLVMGetUser(u);
		LLVMPositionBuilderBefore(b, call);
		LLVMValueRef bits = LLVMBuildZExt(b, LLVMGetOperand(call, 0),
		                                  LLVMInt64TypeInContext(m->ctx), "");
		LLVMReplaceAllUsesWith(call, LLVMBuildIntToPtr(b, bits, LLVMTypeOf(call), ""));
		LLVMInstructionEraseFromParent(call);
	}
	LLVMDisposeBuilder(b);
	LLVMDeleteFunction(f);
}

void workitem_calls(FeModule *m)
{
	printf_calls(m);
	sampler_calls(m);
}
