/* What OpenCL C forbids or the wave machine cannot run: recursion, calls through
 * pointers, inline assembly, functions and variables without a definition. Checked
 * before anything is optimised away, so that each error has its source line. */
#include "frontend/retarget/retarget.h"

#include "frontend/module/assembly.h"
#include "frontend/module/collective.h"
#include "frontend/module/mangled.h"

#include <llvm-c/DebugInfo.h>

typedef struct Visit {
	LLVMValueRef f;
	bool open; /* on the path from the kernel */
} Visit;

typedef struct Walk {
	const FeModule *m;
	Diag *d;
	ARRAY(Visit) seen;
	ARRAY(LLVMValueRef) path, calls; /* functions from the kernel on; the calls between them */
	ARRAY(const void *) told;        /* the user's calls of what is not there, or what it is */
} Walk;

static const char *name_of(LLVMValueRef f)
{
	size_t n;
	return LLVMGetValueName2(f, &n);
}

static bool is_intrinsic(LLVMValueRef f) { return LLVMGetIntrinsicID(f) != 0; }

/* Functions of PoCL's library that get a meaning later. */
static bool is_known(const FeModule *m, const char *name)
{
	return fe_is_runtime(name) || workitem_gets_body(m, name) ||
	       !strncmp(name, FE_COLLECTIVE, sizeof FE_COLLECTIVE - 1) || !strcmp(name, "pocl.barrier") ||
	       !strcmp(name, "__translate_sampler_initializer");
}

/* Where the user's file calls it, or calls what does. */
static LLVMValueRef users_call(const Walk *w, LLVMValueRef call)
{
	for (u32 i = w->calls.n; !fe_loc(w->m, call).file && i-- > 0;)
		call = w->calls.v[i];
	return call;
}

/* Was it said? One function of a library may need several that are not there, and enqueuing takes several calls. */
static bool is_told(Walk *w, LLVMValueRef call, const FeAbsent *absent)
{
	const void *what = absent->how == ABSENT_WITH_BODY ? (const void *)absent->what : call;
	for (u32 i = 0; i < w->told.n; i++)
		if (w->told.v[i] == what)
			return true;
	array_push(&w->told, what);
	return false;
}

static bool no_body(Walk *w, LLVMValueRef call, LLVMValueRef callee)
{
	call = users_call(w, call);
	const FeAbsent *absent = fe_absent(name_of(callee));
	if (absent && is_told(w, call, absent))
		return false;
	if (fe_absent_error(w->m, call, name_of(callee), w->d))
		return false;
	if (is_intrinsic(callee) || is_known(w->m, name_of(callee)))
		return true;
	Mangled name = fe_mangled(name_of(callee));
	if (name.pocl) {
		fe_error(w->m, call, w->d, "PoCL's library has no '%.*s' for such arguments", (int)name.n, name.name);
		return diag_hint(w->d, "its own run cannot call it either: pass what it gives as an argument");
	}
	fe_error(w->m, call, w->d, "function '%s' has no body", fe_source_name(w->m, callee));
	return diag_hint(w->d, "define it in the kernel file, or include the file that does");
}

static bool recursion(Walk *w, LLVMValueRef call, LLVMValueRef f)
{
	Buf chain = {0};
	u32 i = 0;
	while (w->path.v[i] != f)
		i++;
	for (; i < w->path.n; i++)
		buf_printf(&chain, "%s -> ", fe_source_name(w->m, w->path.v[i]));
	buf_printf(&chain, "%s", fe_source_name(w->m, f));
	fe_error(w->m, call, w->d, w->m->device ? "recursion cannot be simulated: %s"
	                                        : "recursion is not allowed in OpenCL C: %s", chain.v);
	array_free(&chain);
	return false;
}

static bool check_function(Walk *w, LLVMValueRef f);

/* AMD's library has a body, which asks a queue of the device's driver. */
static bool is_absent(const Walk *w, LLVMValueRef f)
{
	const FeAbsent *absent = fe_absent(name_of(f));
	return absent && absent->how == ABSENT_WITH_BODY && !fe_is_users(w->m, f);
}

static bool check_call(Walk *w, LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	bool device = w->m->device;
	if (LLVMIsAInlineAsm(callee)) {
		u32 unwritten = UINT32_MAX;
		const char *what = device ? assembly_unknown(w->m, call, &unwritten) : "x86 code";
		if (!what && unwritten != UINT32_MAX) {
			fe_warn(w->m, call, w->d,
			        "result %%%u of this inline assembly is read before it is written: it is undefined, "
			        "and 0 here",
			        unwritten);
			diag_hint(w->d, "give it a value with \"+v\" or \"+s\", or write it in the assembly");
		}
		if (!what)
			return true;
		fe_error(w->m, call, w->d, "this inline assembly cannot be simulated: %s", what);
		return diag_hint(
		    w->d, device ? "write it in C++ or with clang's __builtin_amdgcn_ functions; docs/hip.md lists "
				   "the instructions of inline assembly that wavesim simulates"
				 : "write this part in OpenCL C");
	}
	if (!LLVMIsAFunction(callee)) {
		fe_error(w->m, call, w->d, device ? "calls through a pointer cannot be simulated"
		                                  : "calls through a pointer are not allowed in OpenCL C");
		return diag_hint(w->d, "call each function by its name: a number and `switch` choose one");
	}
	if (LLVMGlobalGetValueType(callee) != LLVMGetCalledFunctionType(call))
		return fe_error(w->m, call, w->d, "'%s' is called with other argument types than it has",
		                name_of(callee));
	if (!LLVMIsDeclaration(callee) && !is_absent(w, callee)) {
		for (u32 i = 0; i < w->seen.n; i++)
			if (w->seen.v[i].f == callee)
				return w->seen.v[i].open ? recursion(w, call, callee) : true;
		array_push(&w->calls, call);
		bool ok = check_function(w, callee);
		w->calls.n--;
		return ok;
	}
	return no_body(w, call, callee);
}

static LLVMValueRef first_placed(LLVMValueRef f)
{
	llvm_each_instruction(f, i)
		if (LLVMInstructionGetDebugLoc(i))
			return i;
	return llvm_first(f);
}

static bool check_function(Walk *w, LLVMValueRef f)
{
	bool ok = true;
	u32 at = w->seen.n;
	array_push(&w->seen, ((Visit){f, true}));
	array_push(&w->path, f);
	if (w->m->device && LLVMIsFunctionVarArg(LLVMGlobalGetValueType(f))) {
		fe_error(w->m, users_call(w, first_placed(f)), w->d,
		         "'%s' takes any number of arguments (`...`), which cannot be simulated",
		         fe_source_name(w->m, f));
		ok = diag_hint(w->d, "name each parameter, or make it a template of its arguments");
	}
	llvm_each_instruction(f, i) {
		LLVMOpcode op = LLVMGetInstructionOpcode(i);
		if (op == LLVMCall)
			ok &= check_call(w, i);
		else if (op == LLVMInvoke || op == LLVMIndirectBr || op == LLVMCallBr)
			ok = fe_error(w->m, i, w->d, "%s %s", op == LLVMInvoke ? "an exception" : "a computed goto",
			              w->m->device ? "cannot be simulated" : "is not allowed in OpenCL C");
	}
	w->path.n--;
	w->seen.v[at].open = false;
	return ok;
}

/* What is added to the module has such names, and is found by them. */
static bool check_name(const FeModule *m, LLVMValueRef global, Diag *d)
{
	static const char own[] = "wavesim.";
	if (strncmp(name_of(global), own, sizeof own - 1) != 0)
		return true;
	return diag_error(d, (Loc){.file = m->user_path},
	                  "'%s': names that begin with '%s' are wavesim's own: use another", name_of(global), own);
}

bool retarget_check(const FeModule *m, Diag *d)
{
	Walk w = {.m = m, .d = d};
	bool ok = true;
	llvm_each_function(m->mod, f)
		ok &= check_name(m, f, d);
	for (LLVMValueRef g = LLVMGetFirstGlobal(m->mod); g; g = LLVMGetNextGlobal(g))
		ok &= check_name(m, g, d);
	ok = ok && check_function(&w, m->kernel);
	array_free(&w.seen);
	array_free(&w.path);
	array_free(&w.calls);
	array_free(&w.told);
	return ok;
}
