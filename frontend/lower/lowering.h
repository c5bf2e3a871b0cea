/* What the files of the lowering share (private to frontend/).
 *
 * A value of LLVM becomes a list of registers, one for each scalar component:
 * vectors, arrays and structs are flattened in memory order. What a component is
 * is in its Comp. Integers of odd width (i24, i33 …) live zero-extended in the
 * next larger register type; i1 is T_b1; half is the bits in a T_i16; pointers are
 * T_i64 (spaces 0, 1, 4) or T_i32 (3, 5). Integers of more than 128 bits are lists of
 * 64-bit words (lower_wide.c).
 *
 * A register is scalar when every operand of its operation is; the divergence
 * analysis (uniform.c) decides for what is no lane operation: phis, loads, calls. */
#ifndef WAVESIM_FRONTEND_LOWERING_H
#define WAVESIM_FRONTEND_LOWERING_H

#include "base/hash.h"
#include "frontend/lower/lower.h"
#include "frontend/lower/variables.h"

/* ---- one function's control flow: layout.c ---- */

typedef struct CfBlock {
	LLVMBasicBlockRef bb;
	u32 *succ, nsucc; /* in the terminator's order; a switch may repeat one */
	u32 *pred, npred;
	u32 loop;         /* innermost Loop, or NO_BLOCK */
	u32 id;           /* Program block; its edge blocks follow it */
	u32 *exits, nexits; /* the distinct successors, in the order of their edge blocks */
	u32 *target;      /* of each of succ: the Program block that is entered */
	bool masked;      /* in an irreducible region */
	bool join;        /* uniform.c: lanes of a divergent branch reconverge here */
} CfBlock;

/* Blocks first … last in layout order. reducible: header first, only latch last. */
typedef struct CfLoop {
	u32 parent; /* or NO_BLOCK */
	u32 first, last, depth;
	bool irreducible;
	bool div_exit; /* uniform.c: lanes may leave in different iterations */
} CfLoop;

typedef struct Cfg {
	LLVMValueRef fn;
	CfBlock *b; /* in layout order; unreachable blocks are left out */
	u32 n;
	CfLoop *loops; /* parents before children */
	u32 nloops;
	bool div_ret;  /* uniform.c: results differ by lane */
	u32 func;      /* Program.funcs index */
} Cfg;

/* Control flow of fn, its blocks in layout order. */
Cfg *cfg_new(Arena *a, LLVMValueRef fn);
bool cfg_in_loop(const Cfg *c, u32 block, u32 loop);
static inline bool cfg_is_back_edge(u32 from, u32 to) { return to <= from; }

/* ---- the state of a lowering ---- */

typedef enum { C_INT, C_HALF, C_FLT, C_PTR } CompClass;
typedef struct Comp {
	u8 type;  /* Type of the register */
	u8 cls;   /* CompClass */
	u8 space; /* of a pointer */
	u16 bits; /* of an integer its width, else of the value */
} Comp;
typedef struct ValueShape {
	u32 n;
	Comp *c;
	bool wide;       /* integers of more than 128 bits */
	const char *bad; /* why no register can hold it, or NULL */
} ValueShape;

/* What is known about an argument or instruction. */
typedef struct VInfo {
	LLVMValueRef key;
	u32 *regs;      /* components; NULL until lowered */
	u32 *shadow;    /* copies for uses behind a loop with divergent exits (no LCSSA phi) */
	u32 addr_base;  /* of a pointer made by constant offset: base register … */
	i64 addr_off;   /* … and bytes to add */
	u32 block;      /* CfBlock of an instruction */
	u32 incoming;   /* of a phi: which incoming value was asked for last (lower_flow.c) */
	bool has_addr;
	bool divergent;
} VInfo;

/* A lane operation already computed in the current block (lower_emit.c). */
typedef struct Known {
	u32 epoch; /* which block */
	u32 op, src[3], d;
	i64 imm;
} Known;

typedef struct Lower {
	const FeModule *m;
	LLVMTargetDataRef td;
	Diag *d;
	Program *p;
	Arena *arena; /* of the lowering, not the Program's */
	Cfg **fns;    /* [0] the kernel */
	u32 nfns;
	Cfg *cfg;     /* function being lowered */
	u32 block;    /* CfBlock being lowered */
	LLVMValueRef ins;
	u32 loc;
	/* pointer-keyed tables: values, types, debug locations, globals */
	Map *values, *shapes, *locs, *objects, *funcs;
	u32 seg[SPACE_COUNT]; /* next segment number; global and constant share [SPACE_GLOBAL] */
	ARRAY(Known) known;
	HashIndex known_at;   /* of known */
	u32 dummy[SPACE_COUNT]; /* objects that switched-off masked accesses touch, + 1 */
	ARRAY(RegVar) vars;     /* by register; those behind the end hold no variable */
	Map *types, *scopes, *places; /* of the debug information (symbols.c) */
} Lower;

/* ---- uniform.c ---- */
void uniform_run(Lower *l);
/* Does v, used in block `user`, come out of a loop whose lanes leave one by one? */
bool uniform_carried_out(const Cfg *c, const VInfo *v, u32 user);

/* ---- lower.c ---- */
/* Program.locs index of a place of the user's (fe_users_place). */
u32 lo_place(Lower *l, LLVMMetadataRef place);

/* ---- lower_value.c: types, constants, values ---- */
const ValueShape *lo_shape(Lower *l, LLVMTypeRef t);
VInfo *lo_info(Lower *l, LLVMValueRef v);
/* Component registers of v. */
const u32 *lo_val(Lower *l, LLVMValueRef v);
static inline u32 lo_val1(Lower *l, LLVMValueRef v) { return lo_val(l, v)[0]; }
void lo_set(Lower *l, LLVMValueRef v, const u32 *regs);
u32 *lo_regs(Lower *l, u32 n);
/* Is v a constant integer below 2^128? Its bits in *out. */
bool lo_const_int(LLVMValueRef v, u128 *out);
/* The value of a signed integer of some width. */
i128 lo_const_signed(u128 bits, u32 width);
u128 lo_const_bits(Lower *l, LLVMValueRef c, const Comp *k);
bool lo_is_undef(LLVMValueRef v);
bool lo_gep_offset(Lower *l, LLVMValueRef gep, u128 *out); /* all indices constant */
const char *lo_name(Lower *l, LLVMValueRef v);
bool lo_error(Lower *l, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* ---- lower_emit.c: instructions ---- */
static inline Type lo_type(const Lower *l, u32 reg) { return (Type)l->p->regs.v[reg].type; }
u32 lo_c(Lower *l, Type t, u128 value);
RegKind lo_kind(const Lower *l, const u32 *src, u32 n);
/* A lane operation on n registers, with its immediate; its result. */
u32 lo_op_imm(Lower *l, Op op, const u32 *src, u32 n, i64 imm);
u32 lo_op(Lower *l, Op op, const u32 *src, u32 n);
u32 lo_un(Lower *l, Op op, u32 a);
u32 lo_bin(Lower *l, Op op, u32 a, u32 b);
u32 lo_ter(Lower *l, Op op, u32 a, u32 b, u32 c);
/* By the member of a family (op_on) for the type of a. */
u32 lo_un_on(Lower *l, Op family, u32 a);
u32 lo_bin_on(Lower *l, Op family, u32 a, u32 b);
typedef enum {
	CONVERT_zext, CONVERT_sext, /* these narrow, too */
	CONVERT_fptosi, CONVERT_fptoui, CONVERT_fptosi_sat, CONVERT_fptoui_sat,
	CONVERT_sitofp, CONVERT_uitofp
} Convert;
u32 lo_convert(Lower *l, Convert how, u32 a, Type t);
u32 lo_and(Lower *l, u32 a, u32 b);
u32 lo_or(Lower *l, u32 a, u32 b);
u32 lo_xor(Lower *l, u32 a, u32 b);
u32 lo_not(Lower *l, u32 b1);
u32 lo_select(Lower *l, u32 c, u32 a, u32 b);
u32 lo_zext(Lower *l, u32 a, Type t); /* also narrows: keeps the low bits */
u32 lo_sext(Lower *l, u32 a, Type t); /* also narrows */
u32 lo_shl(Lower *l, u32 a, u32 n);
u32 lo_lshr(Lower *l, u32 a, u32 n);
u32 lo_ashr(Lower *l, u32 a, u32 n);
/* Cut an integer register to its width; sign-extend it from its width. */
u32 lo_cut(Lower *l, u32 a, u32 bits);
u32 lo_signed(Lower *l, u32 a, u32 bits);
/* float <-> bits */
u32 lo_to_bits(Lower *l, u32 a);
u32 lo_from_bits(Lower *l, u32 a, const Comp *k);
u32 lo_half_up(Lower *l, u32 a);
u32 lo_half_down(Lower *l, u32 a);
Type lo_int_type(u32 bits);
void lo_mov(Lower *l, u32 d, u32 s);
Ins *lo_emit(Lower *l, Op op, const u32 *d, u32 nd, const u32 *s, u32 ns);

/* ---- lower_arith.c: one component at a time ---- */
u32 lo_int_binary(Lower *l, LLVMOpcode op, const Comp *k, u32 a, u32 b);
u32 lo_flt_binary(Lower *l, LLVMOpcode op, const Comp *k, u32 a, u32 b);
u32 lo_icmp(Lower *l, LLVMIntPredicate pred, const Comp *k, u32 a, u32 b);
u32 lo_fcmp(Lower *l, LLVMRealPredicate pred, const Comp *k, u32 a, u32 b);
u32 lo_neg(Lower *l, const Comp *k, u32 a);
/* ---- lower_cast.c ---- */
bool lo_cast(Lower *l, LLVMOpcode op, LLVMValueRef v);
/* Reinterpret n components as the components of s, bit by bit. */
void lo_repack(Lower *l, const Comp *from, const u32 *a, u32 n, const ValueShape *s, u32 *out);
/* Bits lo … lo + bits - 1 of the components, as the low bits of an integer of type t. */
u32 lo_take(Lower *l, const Comp *c, const u32 *a, u32 n, u32 lo, u32 bits, Type t);
/* ---- lower_wide.c: integers of more than 128 bits ---- */
bool lo_wide_binary(Lower *l, LLVMOpcode op, LLVMValueRef v);
void lo_wide_icmp(Lower *l, LLVMValueRef v);
bool lo_wide_cast(Lower *l, LLVMOpcode op, LLVMValueRef v);
/* base: the family in ops.def that does it for narrow ones. */
bool lo_wide_intrinsic(Lower *l, LLVMValueRef v, Op base, u32 operands);
/* ---- lower_vec.c ---- */
bool lo_vector(Lower *l, LLVMOpcode op, LLVMValueRef v);
/* ---- lower_mem.c ---- */
typedef struct Addr {
	u32 reg;
	i64 off;
	u8 space;
	u8 sync;   /* Ins.sync */
	u32 align; /* bytes promised at off when that may be less than the elements'; 0: theirs */
} Addr;
Addr lo_addr(Lower *l, LLVMValueRef ptr);
/* How instruction v, an access, synchronises. */
u8 lo_sync(LLVMValueRef v);
void lo_load(Lower *l, Addr a, LLVMTypeRef t, bool divergent, u32 *out);
void lo_store(Lower *l, Addr a, LLVMTypeRef t, const u32 *regs);
bool lo_memory(Lower *l, LLVMOpcode op, LLVMValueRef v);
u32 lo_addr_reg(Lower *l, Addr a); /* the whole address in one register */
/* ---- lower_atomic.c ---- */
bool lo_rmw(Lower *l, LLVMValueRef v);
/* The same of an intrinsic with the address and the value before all else. */
bool lo_rmw_as(Lower *l, LLVMValueRef v, AtomicOp op, u8 sync);
bool lo_cas(Lower *l, LLVMValueRef v);
/* ---- lower_block.c: memcpy, memmove, memset ---- */
bool lo_copy(Lower *l, LLVMValueRef v);
bool lo_fill(Lower *l, LLVMValueRef v);
/* ---- lower_object.c ---- */
/* Address (bits of a constant) of a global variable or alloca. */
u64 lo_object_address(Lower *l, LLVMValueRef v);
/* Address register of a spare object in a space. */
u32 lo_dummy_object(Lower *l, u32 space);
/* The text of a constant C string, or NULL; lives in the Program's arena. */
const char *lo_const_string(Lower *l, LLVMValueRef v);
/* ---- lower_call.c ---- */
bool lo_call(Lower *l, LLVMValueRef v);
/* ---- lower_intrin.c, lower_x86.c, lower_lib.c: true when name is theirs ---- */
bool lo_intrinsic(Lower *l, LLVMValueRef v, const char *name);
/* Is name the intrinsic base, perhaps with a type suffix? */
bool intrin_is(const char *name, const char *base);
/* lower_special.c */
bool lo_machine_intrinsic(Lower *l, LLVMValueRef v, const char *name);
bool lo_vector_intrinsic(Lower *l, LLVMValueRef v, const char *name);
/* lower_amdgcn.c */
bool lo_amdgcn(Lower *l, LLVMValueRef v, const char *name);
bool lo_x86(Lower *l, LLVMValueRef v, const char *name);
/* lower_wave.c: what lanes pass each other (collective.h) */
bool lo_wave(Lower *l, LLVMValueRef v, const char *name);
/* Is it one whose result differs by lane? */
bool lo_wave_differs(LLVMValueRef call, const char *name);
/* Of a result of v that all lanes share: d, or where blocks are masked a copy in each lane. */
u32 lo_shared(Lower *l, LLVMValueRef v, u32 d);
bool lo_runtime(Lower *l, LLVMValueRef v, const char *name);

/* ---- lower_flow.c ---- */
void lo_plan_blocks(Lower *l); /* numbers of all blocks of the function, registers of phis */
void lo_enter_block(Lower *l, u32 b);
bool lo_phi_name(Lower *l, LLVMValueRef phi);
void lo_leave_block(Lower *l); /* before the terminator */
void lo_terminator(Lower *l, LLVMValueRef v);
void lo_edge_blocks(Lower *l); /* after it */

#endif
