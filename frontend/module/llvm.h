/* Helpers over LLVM's C interface, and all that differs between LLVM's versions (private to frontend/).
 *
 * Built with 15 to 19; tested with 15 and 18, tried with 19. No other file asks for a version, calls a function that
 * later versions lack, or names what they call otherwise. */
#ifndef WAVESIM_FRONTEND_LLVM_H
#define WAVESIM_FRONTEND_LLVM_H

#include "base/hash.h"
#include "isa/isa.h"

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm/Config/llvm-config.h>

/* ---- what differs between versions ---- */

/* Passes whose names changed. */
#if LLVM_VERSION_MAJOR < 19
#define LLVM_PASS_LOWER_INVOKE "lowerinvoke"
#else
#define LLVM_PASS_LOWER_INVOKE "lower-invoke"
#endif
/* From 18 on it ends the process where a second run would change something, unless told not to. */
#if LLVM_VERSION_MAJOR < 18
#define LLVM_PASS_INSTCOMBINE "instcombine"
#else
#define LLVM_PASS_INSTCOMBINE "instcombine<no-verify-fixpoint>"
#endif

/* The largest copy of a known size of which r600's code generator makes no loop: from 17 on the limit of targets that
 * say nothing. */
#if LLVM_VERSION_MAJOR < 17
#define LLVM_R600_INLINE_BYTES 1024
#else
#define LLVM_R600_INLINE_BYTES 64
#endif

/* The major number of the version that is linked: it reads bitcode of that version and of older ones. */
u32 llvm_version(void);
const char *llvm_version_text(void); /* "15.0.6" */

/* A context in which pointers are opaque, also those of bitcode that is older than that. */
LLVMContextRef llvm_context(void);
/* Debug values of a module that was read are calls, as below. */
void llvm_debug_calls(LLVMModuleRef mod);

/* 64 bits of a constant integer of any width, the lowest first. */
LLVMValueRef llvm_const_word(LLVMValueRef c, u32 word);

/* What an atomicrmw does, as IR writes it: "add", "umax", "uinc_wrap" … (16 has names that the C interface lacks up to
 * 19: asked for one, LLVM stops or answers anything). */
const char *llvm_rmw_name(Arena *a, LLVMValueRef rmw);
/* Does LLVM know that this sum of integers does not wrap? flag: " nsw", with a sign; " nuw", without. */
bool llvm_cannot_wrap(LLVMValueRef sum, const char *flag);

/* ---- debug values: which variable of the source a value is ---- */
typedef enum {
	LLVM_NO_DEBUG, /* another instruction */
	LLVM_DEBUG_DECLARE, /* the value is the variable's address */
	LLVM_DEBUG_VALUE,
	LLVM_DEBUG_OTHER,
} LlvmDebug;
LlvmDebug llvm_debug(LLVMValueRef instruction);
/* Of a declaration or value: the value, or NULL … */
LLVMValueRef llvm_debug_of(LLVMValueRef debug);
void llvm_debug_set(LLVMValueRef debug, LLVMValueRef value);
/* … the variable's node, or NULL, and what has to be computed from the value to have the variable's. */
LLVMValueRef llvm_debug_variable(LLVMValueRef debug);
LLVMValueRef llvm_debug_expression(LLVMValueRef debug);

/* ---- instructions ---- */
/* llvm_each_instruction(f, i) { … } ; the body may erase i. */
LLVMValueRef llvm_first(LLVMValueRef function);
LLVMValueRef llvm_next(LLVMValueRef instruction);
#define llvm_each_instruction(f, i) \
	for (LLVMValueRef i = llvm_first(f), i##_next = i ? llvm_next(i) : NULL; i; \
	     i = i##_next, i##_next = i ? llvm_next(i) : NULL)
#define llvm_each_function(mod, f) \
	for (LLVMValueRef f = LLVMGetFirstFunction(mod); f; f = LLVMGetNextFunction(f))
/* The blocks of a function, in its order, and their numbers there. */
typedef struct LlvmBlocks {
	LLVMBasicBlockRef *block;
	u32 n;
	Map *number; /* block -> its number + 1 */
} LlvmBlocks;
LlvmBlocks llvm_blocks(LLVMValueRef function, Arena *a);
u32 llvm_block_number(const LlvmBlocks *b, LLVMBasicBlockRef block);
/* Blocks that may follow number i, and the number of its k-th. */
u32 llvm_successors(const LlvmBlocks *b, u32 i);
u32 llvm_successor(const LlvmBlocks *b, u32 i, u32 k);
/* The function of that name, or an alias; NULL: there is none. */
LLVMValueRef llvm_function_named(LLVMModuleRef mod, const char *name);
/* The function that a call calls directly, or NULL. */
LLVMValueRef llvm_callee(LLVMValueRef call);
/* What a pointer to it is where none is called through: of its name, so the same in all modules, and no address. */
u64 llvm_function_number(LLVMValueRef f);
/* Its name; "": another instruction, or it calls none directly. */
const char *llvm_callee_name(LLVMValueRef instruction);
/* Is it AMD's barrier of the work-group? */
static inline bool llvm_is_barrier(LLVMValueRef i) { return !strcmp(llvm_callee_name(i), "llvm.amdgcn.s.barrier"); }
/* An intrinsic by its name ("llvm.fma"), with the types that it is for where it is for several; NULL: there is none. */
LLVMValueRef llvm_intrinsic(LLVMModuleRef mod, const char *name, LLVMTypeRef *types, u32 n);
LLVMValueRef llvm_call(LLVMBuilderRef b, LLVMValueRef f, LLVMValueRef *args, u32 n);
u32 llvm_bits(LLVMTargetDataRef td, LLVMTypeRef t);
/* The bits of a value in another type: the lowest of them, or zeros behind them, where that has not as many. */
LLVMValueRef llvm_bits_as(LLVMBuilderRef b, LLVMTargetDataRef td, LLVMValueRef v, LLVMTypeRef t);
/* An integer, or a vector of them that are all that. */
LLVMValueRef llvm_integers(LLVMTypeRef t, u64 value);
/* Does a fence order the lanes of a wavefront, and no more? */
bool llvm_is_wave_fence(LLVMValueRef fence);
/* Is it a marker of where a variable's life begins or ends? */
bool llvm_is_lifetime(LLVMValueRef instruction);
/* The first instruction of a function. */
LLVMValueRef llvm_entry(LLVMValueRef function);
/* What a cast between address spaces casts; NULL: v is none. */
LLVMValueRef llvm_cast_source(LLVMValueRef v);
LLVMTypeRef llvm_pointer(LLVMContextRef context, Space space);

/* ---- metadata ---- */
/* How many operands a node has, 0: v is none; and operand i, or NULL. */
u32 llvm_operands(LLVMValueRef v);
LLVMValueRef llvm_operand(LLVMValueRef v, u32 i);
/* Is v a node of that kind (LLVMDILocalVariableMetadataKind, …)? */
bool llvm_is_node(LLVMValueRef v, u32 kind);
/* An operand that is a text, or NULL; that is a number, or 0. */
const char *llvm_operand_text(Arena *a, LLVMValueRef node, u32 i);
u32 llvm_operand_number(LLVMValueRef node, u32 i);
/* Operands of the nodes of debug information, as LLVM orders them. */
enum {
	SCOPE_PARENT = 1,
	SUBPROGRAM_NAME = 2, SUBPROGRAM_TYPE = 4, SUBPROGRAM_VARIABLES = 7, SUBROUTINE_TYPES = 3,
	VARIABLE_NAME = 1, VARIABLE_TYPE = 3,
	TYPE_NAME = 2, TYPE_BASE = 3, TYPE_ELEMENTS = 4, SUBRANGE_COUNT = 0
};

/* ---- attributes ---- */
#define ON_FUNCTION ((LLVMAttributeIndex)LLVMAttributeFunctionIndex)
u32 llvm_attribute(const char *name); /* kind of an attribute without a text */
/* All of a function at an index, *n of them; to be freed. */
LLVMAttributeRef *llvm_attributes(LLVMValueRef f, u32 index, u32 *n);
bool llvm_has_attribute(LLVMValueRef f, const char *name);
void llvm_add_attribute(LLVMValueRef f, u32 index, const char *name);
/* The pass always-inline puts it into its callers, whatever its source said. */
void llvm_inline_always(LLVMValueRef f);
/* A call that lanes make together. */
void llvm_call_convergent(LLVMValueRef call);
/* In place of a value that it has. */
void llvm_add_text(LLVMValueRef f, const char *key, const char *value);
/* All functions are for that chip. */
void llvm_set_cpu(LLVMModuleRef mod, const char *cpu);

/* ---- modules ---- */
/* Read so that bodies are read when they are linked. NULL: it cannot be read; *why, when not NULL, is LLVM's
 * message to dispose of. */
LLVMModuleRef llvm_read_file(LLVMContextRef context, const char *path, char **why);
LLVMModuleRef llvm_read_bytes(LLVMContextRef context, const u8 *bytes, size_t n);
/* Link a module that is written as IR, for the same target. False: it cannot be; *why as before. */
bool llvm_link_text(LLVMModuleRef mod, const char *text, size_t n, char **why);
/* A function of another name is called by its own; globaldce drops the other names. */
void llvm_resolve_aliases(LLVMModuleRef mod);
/* Run passes; tm: whose costs decide, or NULL. */
LLVMErrorRef llvm_passes(LLVMModuleRef mod, const char *passes, LLVMTargetMachineRef tm);
/* LLVM's back end for a chip, or NULL; *why (may be NULL itself) is then LLVM's message to dispose of,
 * or NULL. The caller disposes of it. */
LLVMTargetMachineRef llvm_machine(const char *triple, const char *cpu, const char *features, char **why);
/* Of NVIDIA's chips, for what passes ask of it: there is no code for them. NULL: this LLVM has none. */
LLVMTargetMachineRef llvm_nvptx(void);
/* Does a target that was initialised have that chip? Standard error is another file meanwhile: for a process with one
 * thread. */
bool llvm_knows(const char *triple, const char *cpu);
/* AMD's GPUs: LLVM's name of the target; the first of a list of chips (FeOptions.cpu) that this LLVM knows, or NULL. */
#define FE_TRIPLE "amdgcn-amd-amdhsa"
const char *llvm_first_chip(Arena *a, const char *list);

#endif
