/* What a device's own code generator made of a kernel: registers, memory, and every
 * machine instruction with its class, its basic block and the IR instruction it came
 * from. frontend/codegen/codegen.c fills it in; models/timing/machine.c counts with it. */
#ifndef WAVESIM_MACHINE_H
#define WAVESIM_MACHINE_H

#include "base/diag.h"

/* Classes by the issue cost of an instruction, and the functional unit that runs it. A device file has the rates:
 * hardware tables give one figure for each of the vector classes. */
#define MACHINE_CLASSES(X) \
	X(valu, VECTOR, "vector arithmetic at full rate: f32 add, multiply, compare, integer add, logic, moves") \
	X(valu_fma, VECTOR, "f32 fused multiply-add") \
	X(valu_mul, VECTOR, "32-bit integer multiply, 64-bit multiply-add") \
	X(valu_cvt, VECTOR, "conversion between integer and floating point, or between f32 and f64") \
	X(valu_f64_add, VECTOR, "f64 add, compare, minimum, maximum") \
	X(valu_shift64, VECTOR, "64-bit shift") \
	X(valu_f64_mul, VECTOR, "f64 multiply, fused multiply-add and the steps of a division") \
	X(trans, TRANS, "rcp, rsq, sqrt, exp, log, sin, cos, and the steps of an f32 division") \
	X(trans_f64, TRANS, "rcp, rsq, sqrt of f64") \
	X(matrix, VECTOR, "matrix multiply-add") \
	X(salu, SCALAR, "scalar arithmetic") \
	X(smem, SMEM, "scalar memory") \
	X(vmem_load, MEMORY, "vector memory read: global, flat, buffer, image") \
	X(vmem_store, MEMORY, "vector memory write") \
	X(vmem_atomic, MEMORY, "vector memory atomic") \
	X(scratch, MEMORY, "private memory: arrays and spilled registers") \
	X(lds_read, LDS, "LDS read") \
	X(lds_write, LDS, "LDS write") \
	X(lds_atomic, LDS, "LDS atomic") \
	X(lds_move, LDS, "exchange between lanes through the LDS crossbar, without LDS memory") \
	X(branch, BRANCH, "branch, call, return, end of program") \
	X(waitcnt, OTHER, "wait for memory") \
	X(barrier, OTHER, "barrier") \
	X(other, OTHER, "anything else: s_nop, cache control, messages")
#define X_MC(name, unit, doc) MC_##name,
typedef enum { MACHINE_CLASSES(X_MC) MC_COUNT } MachineClass;
typedef enum { MU_VECTOR, MU_TRANS, MU_SCALAR, MU_SMEM, MU_MEMORY, MU_LDS, MU_BRANCH, MU_OTHER } MachineUnit;
extern const u8 machine_class_unit[MC_COUNT];
extern const char *const machine_class_name[MC_COUNT];
extern const char *const machine_class_doc[MC_COUNT];

#define NO_IR UINT32_MAX
#define NO_FRAME UINT32_MAX
enum { NO_WAIT = 255 };

/* What the compiler itself put there because there are too few registers; up to the colon what a listing calls it. */
#define MACHINE_SPILLS(X) \
	X(none, "") \
	X(store, "spill: a register goes to private memory because there are too few") \
	X(load, "reload: a spilled register comes back from private memory") \
	X(scalar_store, \
	  "spill (scalar): a scalar register goes to a lane of a vector register because there are too few") \
	X(scalar_load, "reload (scalar): a spilled scalar register comes back from a lane of a vector register")
#define X_SPILL(name, doc) SPILL_##name,
typedef enum { MACHINE_SPILLS(X_SPILL) SPILL_COUNT } MachineSpill;
extern const char *const machine_spill_name[SPILL_COUNT];
extern const char *const machine_spill_doc[SPILL_COUNT];

typedef struct MachineIns {
	u8 cls;   /* MachineClass */
	u8 bytes; /* of an LDS access: bytes of one lane, both halves of a pair together; else 0 */
	bool pair; /* of an LDS access: two addresses (read2, write2) */
	u16 distance; /* of a pair: bytes from the first address to the second (modulo 65536: LDS is no larger) */
	bool control; /* VLIW: an instruction of the control-flow program, each of which takes clause_cycles */
	u8 dep;    /* reads the result of the arithmetic so many instructions before it in its block; 0: none */
	u8 vm, lgkm, vs; /* before it so many vector memory operations, scalar and LDS operations, and
	            * stores may be under way still; NO_WAIT: any number */
	u32 frame, frame_all; /* of a scratch access: its offset within one lane's memory, and a second offset that
	                       * counts bytes of all lanes together; two accesses are of one slot when both agree.
	                       * frame: NO_FRAME where it is not constant */
	u32 ir;   /* MachineCode.places index, or NO_IR: it comes from no IR instruction */
	const char *mnemonic;
	/* With MachineCode.listing: the instruction as the assembler has it (a bundle: a line for each slot), and
	 * how many registers hold a value that is still needed when it is issued, or that it writes. */
	const char *text;
	u16 live_vgprs, live_agprs, live_sgprs;
	u8 spill; /* MachineSpill */
} MachineIns;

typedef struct MachineBlock {
	u32 first, n;     /* instructions */
	u32 ir_block;     /* IR block (Program.origins index) it begins with, or NO_IR */
	u32 first_edge, nedges; /* successors: MachineCode.edges[…], block numbers */
	u32 func;         /* blocks of one function follow each other */
	u32 same;         /* + 1: an earlier block that wavefronts pass as often; 0: none known */
	const char *label; /* ".LBB0_3", or NULL */
} MachineBlock;

typedef struct MachineCode {
	const char *missing; /* why there is nothing to know, or NULL: all below is valid */
	const char *left_out; /* functions whose calls are not in it, or NULL */
	const char *cpu;
	const char
	    *stands_for; /* the chip that LLVM does not know yet, and when it does: "gfx942 (…)"; NULL: cpu is it */
	u32 vgprs;       /* architected ones; on gfx90a and gfx940 without AGPRs */
	u32 agprs;
	u32 total_vgprs; /* of the register file; what occupancy counts */
	u32 sgprs;       /* VCC and the other hidden ones included */
	u32 scratch_bytes, lds_bytes, code_bytes;
	u32 vgpr_spills, sgpr_spills;
	bool listing;    /* instructions have their text; before it is read: they are to have it */
	bool live;       /* … and the numbers of live registers */
	ARRAY(MachineIns) ins;
	ARRAY(MachineBlock) blocks;
	ARRAY(u32) edges;
	/* Source place of each IR instruction; .file is NULL when unknown. */
	const Loc *places;
	u32 nplaces, nir_blocks;
} MachineCode;

#endif
