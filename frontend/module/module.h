/* One kernel on its way from bitcode, PoCL's or of a compiler for AMD's devices, to the wave ISA (private to
 * frontend/).
 *
 *   fe_module_open      bitcode -> module
 *   fe_module_list      its kernels, when all that it needs is linked
 *   fe_module_select    one kernel: name, arguments, required group size
 *   fe_retarget         (retarget/retarget.h) PoCL's x86 module -> amdgcn; of one that is for it, the rest
 *   fe_pipeline         (compile/pipeline.h) -O3 for the device, then the canonical form below
 *   lower_program       (lower/lower.h) -> Program
 *
 * What the lowering finds after fe_pipeline:
 *   - only `kernel` and the functions it calls, directly, without recursion; every
 *     function has a body except LLVM's intrinsics and the names in fe_is_runtime()
 *     (printf, async copies, prefetch), which are calls by their mangled name;
 *   - every natural loop has a preheader, one latch, dedicated exits and LCSSA
 *     phis; no critical edges (an irreducible region stays as it is); one `ret`
 *     per function; no invoke, indirectbr, inline assembly or indirect call;
 *   - parameters of `kernel` match `args` one for one: values as they are, pointers
 *     in addrspace 1, 3 or 4, structs as `ptr addrspace(4) byref(T)`, images as
 *     `ptr addrspace(1)` (PoCL's dev_image_t), samplers as i64;
 *   - allocas in addrspace 5, LDS variables are globals in addrspace 3, tables and
 *     `__constant` data in 4, other program-scope variables in 1; flat pointers (0)
 *     where the optimiser could not tell;
 *   - launch values: llvm.amdgcn.workitem.id.*, workgroup.id.*, and loads from
 *     llvm.amdgcn.dispatch.ptr and implicitarg.ptr (isa/abi.h has both);
 *   - a barrier is `fence syncscope("workgroup") release`, llvm.amdgcn.s.barrier,
 *     `fence … acquire`. */
#ifndef WAVESIM_FRONTEND_MODULE_H
#define WAVESIM_FRONTEND_MODULE_H

#include "frontend/frontend.h"
#include "frontend/made_of.h"
#include "frontend/module/llvm.h"
#include "isa/source.h"

/* For checks, before an access: (index, elements, address, bytes, WITHIN_…); see OP_within. */
#define BOUNDS_CALL "wavesim.within"

/* What a kernel is called (kernels.c). */
typedef struct FeKernelName {
	const char *symbol;     /* in the module … */
	const char *mangled;    /* … as its compiler had it */
	const char *scope;      /* "a::b::", or "" */
	const char *plain;      /* in the source: "reduce<float, 256U>" … */
	const char *instance;   /* … as the symbol has it: "reduce<float, 256u>" */
	const char *parameters; /* "(float*, int)"; "": not known */
} FeKernelName;

/* A variable's node, and where it was declared. */
typedef struct FeDeclared {
	LLVMValueRef variable;
	LLVMMetadataRef location;
} FeDeclared;

/* The part of PoCL's library that a program calls, as bitcode of the LLVM here; bytes NULL: it is not known. */
typedef struct FeNeeded {
	const char *whole; /* the file of all of it */
	const u8 *bytes;
	u64 n;
} FeNeeded;

typedef struct FeModule {
	Arena *arena; /* owns the strings below */
	LLVMContextRef ctx;
	LLVMModuleRef mod;
	LLVMTargetMachineRef tm; /* amdgcn, made by fe_retarget */
	LLVMTargetDataRef td;    /* of tm */
	LLVMValueRef kernel;     /* after fe_retarget the amdgpu_kernel function */
	const char *kernel_name; /* as the user knows it: k, reduce<float, 256> */
	const char *kernel_symbol, *kernel_mangled; /* in the module, and as its compiler had it */
	u32 shared_arg; /* of HIP's local memory of the launch's size: its number in args, from 1; 0: there is none */
	bool device; /* the bitcode was for amdgcn, or SPIR: there is nothing of PoCL in it */
	bool spir;   /* … for SPIR */
	u32 reqd_local[3]; /* reqd_work_group_size, or zeros */
	u32 max_group;     /* work-items of a work-group at most (__launch_bounds__); 0: what the device allows */
	bool constant_args; /* a kernel of the module has an argument in constant memory */
	ARRAY(KernelArg) args;
	const char **declared; /* names of the kernel's parameters by declarations in its body, or NULL */
	ARRAY(const char *) kernels; /* names of all kernels of the module, in its order … */
	ARRAY(FeKernelName) names;   /* … and all that they are called */
	u32 widest_vload; /* elements of the widest vloadN or vstoreN that is called; 0: none */
	u32 unroll;    /* FeOptions.unroll */
	bool nvidia;   /* FeOptions.nvidia */
	bool check;    /* FeOptions.check, or what is debugged is the source */
	FeDebug debug; /* FeOptions.debug */
	ARRAY(FeDeclared) declared_variables; /* of a program to debug: all of the source (lower/symbols.h) */
	u32 max_local; /* the largest work-group to expect, 0 = 256: AMD's register budget */
	bool partial_groups; /* FeOptions.partial_groups */

	/* Whose library of built-in functions runs (amdlib.h). */
	Builtins builtins;
	const char *amd_library;      /* folder of AMD's; NULL: where it usually is */
	const char *not_pocl;     /* why PoCL cannot run the program, or not as it runs here; or NULL */
	const char *builtins_missing; /* why PoCL's runs although AMD's was wanted, or NULL */
	const char *build_options;    /* for OpenCL's compiler, or NULL */
	const char *dropped;          /* FeOptions' */
	FeLimits limits;
	bool v5;                      /* its functions read the implicit arguments of code object v5 (isa/abi.h) */
	LLVMModuleRef opencl;         /* AMD's opencl.bc between amdlib_adapt and amdlib_link */
	MadeOf made_of;               /* libraries that were linked, and where they were looked for */
	FeNeeded needed;              /* of PoCL's library */

	const char *instance;  /* the symbol of the kernel that FE_INSTANCE names, or NULL */
	const char *user_path; /* as the user wrote it, or NULL */
	const char *user_text; /* the source, for messages; NULL for bitcode */
	const SrcProgram *src; /* of an input that is recorded: all its sources */
	SrcNumbers numbers;    /* of its lines; empty, where they are as they are counted */
	struct FeFiles *files; /* names of the files in the debug info, filled by fe_loc */
	char *llvm_message;    /* the last thing LLVM said, or NULL */

	/* Machine-code facts (codegen.h). */
	const char *cpu;          /* LLVM's name of the chip that the module is for */
	bool vliw;                /* chip is one of LLVM's r600 back end */
	const char *chip;         /* … of that whose code is wanted: cpu, or one that cpu stands in for */
	const char *stands_for;   /* MachineCode.stands_for */
	const struct Backend *backend; /* whose code generator knows it (backend.h) */
	u32 wave;                 /* lanes of a wavefront, 0: the chip's own */
	u32 chip_wave;            /* 32 or 64: of the code that the chip gets */
	bool flush_f32;           /* subnormal floats count as zero there */
	const char *wave_missing; /* why the chip has no such wavefronts, or NULL */
	bool machine;             /* they are wanted */
	bool listing;             /* … with the text of each instruction */
	bool images;              /* it has units that read and write images … */
	const char *images_missing; /* … and this is why they do not do so for the kernel; or NULL */
	struct Codegen *codegen;
} FeModule;

/* printf's name while LLVM optimises: a pass of the AMDGPU target would turn printf into calls of
 * AMD's run time. */
#define FE_PRINTF_MEANWHILE "wavesim.printf"

/* A variable with the address of the kernel that --kernel names by template arguments. */
#define FE_INSTANCE "wavesim.instance"

/* A function that gives the value of a variable before it is written: the start of its name. */
#define FE_UNSET "wavesim.unset."
/* Metadata of a barrier of checks: its flags (Ins.imm). */
#define FE_FENCE_MARK "wavesim.fence"

/* Bitcode -> module with its debug lines. path and text (may be NULL) are the user's source. NULL on errors. */
FeModule *fe_module_open(const void *bitcode, size_t size, const char *path, const char *text, Diag *d);
/* List the kernels, and what else is asked of the whole program. False: there is none. */
bool fe_module_list(FeModule *m, Diag *d);
/* LLVM's verifier, except for the debug info: for bitcode of unknown origin. */
bool fe_module_check(const FeModule *m, Diag *d);
/* requires that codegen_free was called. */
void fe_module_close(FeModule *m);
/* Choose a kernel (NULL: the only one) and fill kernel_name, kernel_symbol, args and reqd_local. */
bool fe_module_select(FeModule *m, const char *kernel, Diag *d);

/* Where in the user's source an instruction comes from: out of PoCL's library into
 * the line that called it. .file is NULL when nothing is known; strings live as long as m. */
Loc fe_loc(const FeModule *m, LLVMValueRef instruction);
/* The same in two steps: which of the places that a location was inlined at, itself first, is in the user's source;
 * NULL: none. */
LLVMMetadataRef fe_users_place(const FeModule *m, LLVMMetadataRef location);
Loc fe_place(const FeModule *m, LLVMMetadataRef place);
/* Where in the user's file a place is that `#line` gives another name. */
Loc fe_physical(const FeModule *m, Loc at);
/* The user's name of a file in the debug info; NULL for PoCL's own. Lives as long as m. */
const char *fe_file(const FeModule *m, LLVMMetadataRef file);
/* Of a C++ function what the source calls it, from its debug information; else its symbol. */
const char *fe_source_name(const FeModule *m, LLVMValueRef f);
/* Is f a function of the user's, by its debug information, and not of a library's headers? */
bool fe_is_users(const FeModule *m, LLVMValueRef f);
/* diag_error at an instruction, with its source line. Returns false. */
void fe_warn(const FeModule *m, LLVMValueRef instruction, Diag *d, const char *fmt, ...) PRINTF_LIKE(4, 5);
bool fe_error(const FeModule *m, LLVMValueRef instruction, Diag *d, const char *fmt, ...)
	PRINTF_LIKE(4, 5);
/* Is a function of that symbol one that is not simulated? Then the error says so, where it is called. */
bool fe_absent_error(const FeModule *m, LLVMValueRef call, const char *symbol, Diag *d);
bool fe_verror(const FeModule *m, LLVMValueRef instruction, Diag *d, const char *fmt, va_list ap);

/* Did the user give this option to OpenCL's compiler? */
bool fe_build_option(const FeModule *m, const char *option);
/* Is it one of the options that were dropped? */
bool fe_dropped_option(const FeModule *m, const char *option);

/* Did passes succeed (e NULL)? Else an error says that LLVM cannot do it; e is disposed of. */
bool fe_passed(const FeModule *m, LLVMErrorRef e, const char *what, Diag *d);
/* LLVM's verifier; on failure an error that names the step. */
bool fe_verify(const FeModule *m, const char *step, Diag *d);

/* The module is for that chip: its back end, layout and triple. False: as llvm_machine. */
bool fe_set_target(FeModule *m, const char *triple, const char *cpu, const char *features, char **why);

#endif
