/* The ordered list of passes: what AMD's compiler would do to the kernel, then the
 * canonical form that the wave machine needs (module.h). The module is verified
 * after each step. */
#include "frontend/compile/pipeline.h"

#include "frontend/codegen/backend.h"
#include "frontend/codegen/codegen.h"
#include "frontend/lower/symbols.h"
#include "frontend/module/assembly.h"
#include "frontend/retarget/bounds.h"
#include "frontend/retarget/bytes.h"
#include "frontend/retarget/inlining.h"
#include "frontend/retarget/keep.h"
#include "frontend/retarget/repair.h"
#include "frontend/retarget/retarget.h"
#include "frontend/retarget/unroll.h"

/* Before -O3. */
static void first_form(FeModule *m)
{
	if (m->debug)
		symbols_declare(m);
	repair_addresses(m);
	variables_mark_early(m);
}

/* The last form that AMD's compiler and the wave machine have in common. */
static void common_form(FeModule *m)
{
	variables_mark(m);
	repair_hints(m);
	if (m->machine)
		codegen_start(m);
}

/* Bytes from where a global, *of, begins to an address in it, or -1: an array's constant indices are known here. */
static i64 offset_in_global(LLVMTargetDataRef layout, LLVMValueRef at, LLVMValueRef *of)
{
	*of = at;
	if (LLVMIsAGlobalVariable(at))
		return 0;
	if (!LLVMIsAConstantExpr(at) || LLVMGetConstOpcode(at) != LLVMGetElementPtr)
		return -1;
	i64 from = offset_in_global(layout, LLVMGetOperand(at, 0), of);
	LLVMTypeRef t = LLVMGetGEPSourceElementType(at);
	for (u32 k = 1; k < (u32)LLVMGetNumOperands(at) && from >= 0; k++) {
		LLVMValueRef index = LLVMGetOperand(at, k);
		if (!LLVMIsAConstantInt(index) || (k > 1 && LLVMGetTypeKind(t) != LLVMArrayTypeKind))
			return -1;
		t = k > 1 ? LLVMGetElementType(t) : t;
		from += LLVMConstIntGetSExtValue(index) * (i64)LLVMABISizeOfType(layout, t);
	}
	return from;
}

/* NVIDIA's assembler places local memory so that its widest accesses fit, and knows where that is: of addresses that
 * are constants. */
enum { WIDEST = 16 };

/* The largest power of two that an address in a global is known to be a multiple of; 0: nothing is known. */
static u32 known_alignment(LLVMTargetDataRef layout, LLVMValueRef at)
{
	LLVMValueRef of;
	i64 from = offset_in_global(layout, at, &of);
	u32 whole = from < 0 ? 0 : LLVMGetAlignment(of), both = whole | (u32)from;
	return whole ? both & -both : 0;
}

static void align_local(FeModule *m)
{
	LLVMTargetDataRef layout = LLVMGetModuleDataLayout(m->mod);
	for (LLVMValueRef g = LLVMGetFirstGlobal(m->mod); g; g = LLVMGetNextGlobal(g))
		if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == SPACE_LDS && LLVMGetAlignment(g) < WIDEST &&
		    LLVMGetTypeKind(LLVMGlobalGetValueType(g)) == LLVMArrayTypeKind)
			LLVMSetAlignment(g, WIDEST);
	llvm_each_function(m->mod, f)
		llvm_each_instruction(f, i) {
			LLVMValueRef at = LLVMIsALoadInst(i) ? LLVMGetOperand(i, 0) : NULL;
			bool local = at && LLVMGetPointerAddressSpace(LLVMTypeOf(at)) == SPACE_LDS;
			u32 align = local ? known_alignment(layout, at) : 0;
			if (align && align > LLVMGetAlignment(i))
				LLVMSetAlignment(i, align);
		}
}

/* NVIDIA's registers have no index: an array whose index is not known stays in memory, where AMD's compiler makes a
 * vector of a small one. */
static void keep_arrays(FeModule *m)
{
	llvm_each_function(m->mod, f)
		if (!LLVMIsDeclaration(f))
			llvm_add_text(f, "target-features", "-promote-alloca");
}

/* Also where nothing is unrolled: -O3 would follow the rules for AMD's chips. */
static void begin_nvidia(FeModule *m)
{
	keep_arrays(m);
	inline_functions(m);
	unroll_note(m);
}

static bool mark_whole_loops(FeModule *m) { return unroll_mark(m, m->unroll, false); }
static void mark_loops(FeModule *m) { unroll_mark(m, m->unroll, true); }

typedef struct PipelineStep {
	const char *name;
	const char *passes;      /* LLVM's, or NULL */
	void (*own)(FeModule *); /* after them, or NULL */
	bool (*wants)(FeModule *); /* asked before them, and again after each run: run them? Or NULL */
	bool unrolls;            /* only where FeOptions.unroll asks for it */
	bool nvidia;             /* only with FeOptions.nvidia */
	bool flat;               /* the passes only where -O3 left flat pointers: AMD's compiler has no such step, and
	                          * cleaning twice can give other registers */
	bool scalar;             /* only for chips whose scalar unit loads */
	bool asks_chip;          /* its costs are those of the chip's own back end, not of a stand-in's */
	bool asks_nvptx;         /* … those of LLVM's back end for NVIDIA */
} PipelineStep;

static const PipelineStep steps[] = {
	/* Which memory does each pointer mean? Before anything is merged or hoisted, and without any other pass: -O3
	 * begins with the code that clang wrote. */
	{
		.name = "address spaces",
		.passes = "globaldce,always-inline,function(infer-address-spaces)",
		.own = retarget_spaces,
	},
	{
		.name = "address spaces of what was in variables",
		.passes = "function(infer-address-spaces)",
		.own = first_form,
	},
	{
		.name = "preparation for NVIDIA's rules",
		.own = begin_nvidia,
		.nvidia = true,
	},
	/* Equal calls are one there, before they are inlined. */
	{
		.name = "merging of equal calls",
		.passes = "cgscc(function-attrs),function(sroa,early-cse)",
		.nvidia = true,
	},
	{
		.name = "-O3",
		.passes = "default<O3>",
		.asks_chip = true,
	},
	/* Inner loops first; then what -O3 does after it. */
	{
		.name = "full unrolling",
		.wants = mark_whole_loops,
		.passes = "function(loop-simplify,lcssa,loop-unroll,sroa,early-cse<memssa>," LLVM_PASS_INSTCOMBINE ",gvn,sccp,bdce,"
		          "" LLVM_PASS_INSTCOMBINE ",adce,dse,loop-mssa(licm),simplifycfg," LLVM_PASS_INSTCOMBINE ")",
		.unrolls = true,
	},
	{
		.name = "choice of partial unrolling",
		.own = mark_loops,
		.unrolls = true,
	},
	/* This comes last there, so that stores of the copies stay apart. And what the user asks for that -O3 could
	 * not. */
	{
		.name = "partial unrolling",
		.passes = "function(loop-simplify,lcssa,loop-unroll," LLVM_PASS_INSTCOMBINE ",simplifycfg,sroa,early-cse)",
		.unrolls = true,
	},
	{
		.name = "local memory on boundaries",
		.own = align_local,
		.nvidia = true,
	},
	/* Neighbours that lie on a boundary of 8 or 16 bytes. AMD's code generator does it, too, by its own rules. */
	{
		.name = "wide accesses",
		.passes = "function(load-store-vectorizer)",
		.nvidia = true,
		.asks_nvptx = true,
	},
	/* Loads of memory that nobody writes meanwhile, which the scalar unit may do. -O3 has the same pass, but in
	 * LLVM 19 before HIP's arguments are out of their variables; the code generator has it, too. */
	{
		.name = "what is not written",
		.passes = "function(amdgpu-promote-kernel-arguments)",
		.scalar = true,
	},
	{
		.name = "address spaces again",
		.passes = "function(infer-address-spaces)",
		.own = repair_addresses,
		.flat = true,
	},
	{
		.name = "address spaces cleaned",
		.passes = "function(sroa," LLVM_PASS_INSTCOMBINE ",simplifycfg)",
		.own = common_form,
		.flat = true,
	},
	{
		.name = "inlining mul24 and mad24",
		.own = inline_products,
		.nvidia = true,
	},
	/* What is left of the bytes is dead, and goes in the canonical form. */
	{
		.name = "byte permutations",
		.passes = "always-inline,function(" LLVM_PASS_INSTCOMBINE ")",
		.own = bytes_permute,
		.nvidia = true,
	},
	/* One exit, one latch, dedicated exits, no critical edges; loop-simplify again
	 * because new blocks may be between a loop and its exit; lcssa last. */
	{
		.name = "canonical form",
		.passes = "function(dce," LLVM_PASS_LOWER_INVOKE ",mergereturn,loop-simplify,break-crit-edges,"
		          "loop-simplify,lcssa),globaldce",
		.own = repair_locations,
	},
};

static void source_types(FeModule *m)
{
	bounds_mark(m);
	repair_coerced(m);
}

static void first_source_form(FeModule *m)
{
	repair_addresses(m);
	repair_hints(m);
}

static void first_check_form(FeModule *m)
{
	first_source_form(m);
	keep_begin(m);
}

/* Of code that is not optimised. */
#define CANONICAL_FORM \
	"function(" LLVM_PASS_LOWER_INVOKE ",mergereturn,loop-simplify,break-crit-edges,loop-simplify,lcssa),globaldce"

/* For checks: no more than the lowering needs; even loads that nobody uses stay. A load that is hoisted above its
 * condition would be a race of the compiler's, and one that is folded away an access out of bounds that nobody sees. */
static const PipelineStep check_steps[] = {
	{
		.name = "variables",
		.passes = "globaldce",
		.own = repair_unset,
	},
	{
		.name = "the source's types",
		.passes = "globaldce,function(infer-address-spaces,mem2reg)",
		.own = source_types,
	},
	{
		.name = "address spaces",
		.passes = "globaldce,always-inline,function(infer-address-spaces,mem2reg,infer-address-spaces)",
		.own = first_check_form,
	},
	/* Iterations one after the other run twice as fast. No other pass: one that merges equal values merges those of
	 * calls that depend on which lanes run, too. */
	{
		.name = "short loops",
		.passes = "function(loop-simplify,lcssa,loop(loop-unroll-full))",
		.own = keep_end,
	},
	{
		.name = "canonical form",
		.passes = CANONICAL_FORM,
		.own = repair_locations,
	},
};

static bool is_flat(LLVMValueRef v)
{
	LLVMTypeRef t = LLVMTypeOf(v);
	return LLVMGetTypeKind(t) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(t) == SPACE_FLAT &&
	       !LLVMIsAFunction(v);
}

static bool has_flat(const FeModule *m)
{
	llvm_each_function(m->mod, f)
		llvm_each_instruction(f, i) {
			bool flat = is_flat(i);
			for (u32 k = 0; !flat && k < (u32)LLVMGetNumOperands(i); k++)
				flat = is_flat(LLVMGetOperand(i, k));
			if (flat && !llvm_debug(i))
				return true;
		}
	return false;
}

static void rename_function(FeModule *m, const char *from, const char *to)
{
	LLVMValueRef f = LLVMGetNamedFunction(m->mod, from);
	if (f)
		LLVMSetValueName2(f, to, strlen(to));
}

static LLVMErrorRef run_passes(const FeModule *m, const PipelineStep *s)
{
	if (!s->passes)
		return NULL;
	bool other = s->asks_chip && m->backend->convert;
	LLVMTargetMachineRef chip = other           ? llvm_machine(m->backend->triple, m->chip, "", NULL)
	                            : s->asks_nvptx ? llvm_nvptx()
	                                            : NULL;
	if (s->asks_nvptx && !chip)
		return NULL; /* an LLVM without that back end */
	if (chip && other)
		llvm_set_cpu(m->mod, m->chip);
	LLVMErrorRef e = llvm_passes(m->mod, s->passes, chip ? chip : m->tm);
	if (chip && other)
		llvm_set_cpu(m->mod, m->cpu);
	if (chip)
		LLVMDisposeTargetMachine(chip);
	return e;
}

static bool run_once(FeModule *m, const PipelineStep *s, bool flat, Diag *d)
{
	LLVMErrorRef e = s->flat && !flat ? NULL : run_passes(m, s);
	if (!fe_passed(m, e, arena_printf(m->arena, "run the step '%s'", s->name), d))
		return false;
	if (s->own)
		s->own(m);
	return fe_verify(m, s->name, d);
}

static bool run_step(FeModule *m, const PipelineStep *s, bool flat, Diag *d)
{
	enum { MOST_TIMES = 6 }; /* of loops in loops */
	for (u32 n = 0; s->wants && n < MOST_TIMES && s->wants(m); n++)
		if (!run_once(m, s, flat, d))
			return false;
	return s->wants || run_once(m, s, flat, d);
}

static void first_debug_form(FeModule *m)
{
	symbols_declare(m);
	first_source_form(m);
}

/* To debug the source: as for checks, but variables stay in memory, where they are from beginning to end. */
static const PipelineStep debug_steps[] = {
	{
		.name = "the source's types",
		.passes = "globaldce,function(infer-address-spaces)",
		.own = source_types,
	},
	{
		.name = "address spaces",
		.passes = "globaldce,always-inline,function(infer-address-spaces)",
		.own = first_debug_form,
	},
	{
		.name = "canonical form",
		.passes = CANONICAL_FORM,
	}, /* what has no place in the source is no place to stop at */
};

bool fe_pipeline(FeModule *m, Diag *d)
{
	bool source = m->debug == FE_DEBUG_SOURCE;
	const PipelineStep *s = source ? debug_steps : m->check ? check_steps : steps;
	u32 n = source ? COUNT(debug_steps) : m->check ? COUNT(check_steps) : COUNT(steps);
	bool ok = true, flat = true;
	rename_function(m, "printf", FE_PRINTF_MEANWHILE);
	for (u32 i = 0; ok && i < n; i++) {
		if (i && s[i].flat && !s[i - 1].flat)
			flat = has_flat(m);
		bool skips = (s[i].unrolls && m->unroll < 2) || (s[i].nvidia && !m->nvidia) ||
		             (s[i].scalar && m->backend->convert);
		ok = skips || run_step(m, &s[i], flat, d);
	}
	assembly_expand(m);
	ok = ok && fe_verify(m, "replacing its assembly", d);
	rename_function(m, FE_PRINTF_MEANWHILE, "printf");
	m->kernel = LLVMGetNamedFunction(m->mod, m->kernel_symbol);
	return ok;
}
