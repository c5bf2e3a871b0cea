/* The wave ISA: what the front end produces, the machine executes and the text
 * form (parse.c, print.c) writes down.
 *
 * A Program is one kernel with the functions it calls, for a launch of any size
 * and a wavefront of any width. Values live in typed registers. A vector
 * register holds one value per lane; a scalar register one value for the whole
 * wavefront (the front end proved that all active lanes agree); a constant is a
 * scalar register that is never written. Register numbers are unique in the
 * Program; functions are not recursive, so each register exists once per wavefront.
 *
 * Who may write which lanes. An operation without F_MASKED may write every lane
 * of a vector result, active or not. That is sound because
 *   - blocks are laid out so that every loop is contiguous, its header first and
 *     its only latch last, and a wavefront always runs the earliest block in
 *     layout order that has waiting lanes (sim/flow.c);
 *   - values leave a loop, and enter a join, only through `mov`, which writes
 *     active lanes, in a block that runs as the lanes leave;
 *   - registers are shared only between values that no waiting lane needs
 *     (isa/regs.c).
 * Blocks of an irreducible region break the first rule and are marked `masked`:
 * there every operation writes active lanes only.
 */
#ifndef WAVESIM_ISA_H
#define WAVESIM_ISA_H

#include "base/base.h"
#include "base/diag.h"
#include "isa/symbols.h"

/* Register types. b1 is a truth value (a byte 0 or 1 per lane); half floats
 * are computed as f32 and kept as i16 bits. */
#define TYPES(X) X(b1, 1) X(i8, 1) X(i16, 2) X(i32, 4) X(i64, 8) X(i128, 16) X(f32, 4) X(f64, 8)
#define X_T(name, bytes) T_##name,
typedef enum { TYPES(X_T) TYPE_COUNT } Type;
extern const char *const type_name[TYPE_COUNT];
extern const u8 type_bytes[TYPE_COUNT]; /* per lane */
static inline bool type_is_float(u32 t) { return t == T_f32 || t == T_f64; }

/* Address spaces, numbered as LLVM numbers them for amdgcn. */
typedef enum {
	SPACE_FLAT = 0,
	SPACE_GLOBAL = 1,
	SPACE_LDS = 3,
	SPACE_CONSTANT = 4,
	SPACE_PRIVATE = 5,
	SPACE_COUNT
} Space;
extern const char *const space_name[SPACE_COUNT];

/* Addresses carry their segment, so that a wild pointer is found and never
 * followed. A segment is one buffer, one constant object, one LDS variable or
 * one private variable; segment numbers count from 1 in each space.
 *   global, constant   i64: segment << 40 | byte offset   (one numbering for both)
 *   LDS, private       i32: segment << 20 | byte offset   (a variable over 1 MiB
 *                      takes several consecutive segment numbers)
 *   flat               i64: a global address, or an aperture | an i32 address
 */
enum { SEG_SHIFT = 40, SEG32_SHIFT = 20 };
#define APERTURE_LDS 0x1000000000000000ull
#define APERTURE_PRIVATE 0x2000000000000000ull
#define APERTURE_MASK 0xF000000000000000ull

typedef enum {
#define UN(name, ...) OP_##name,
#define BIN(name, ...) OP_##name,
#define TER(name, ...) OP_##name,
#define OP(name, ...) OP_##name,
#include "isa/ops.def"
} Op;
enum {
	OP_COUNT = 0
#define UN(name, ...) +1
#define BIN(name, ...) +1
#define TER(name, ...) +1
#define OP(name, ...) +1
#include "isa/ops.def"
};

/* What runs an operation; of the vector unit's, by what they cost where rates differ. */
#define UNITS(X) \
	X(VALU)  /* vector arithmetic that costs like an addition, or a conversion by its types */ \
	X(LOGIC) /* bits, shifts to the right, comparisons, choices, the smaller and the larger */ \
	X(MUL)   /* a product */ \
	X(FMA)   /* a product and a sum */ \
	X(ADDR)  /* base + index * k */ \
	X(BCOUNT)/* counts bits */ \
	X(SIGN)  /* changes the sign of a float, which an operand may do for nothing */ \
	X(DIV)   /* division of floats */ \
	X(UDIV)  /* division of integers, unsigned; its divisor is checked */ \
	X(SDIV)  /* the same, signed */ \
	X(TRANS) /* square root, reciprocal, logarithm … */ \
	X(LANES) /* passes values between the lanes of a wavefront */ \
	X(MEM)   /* memory, by its address space */ \
	X(FLOW)  /* control flow */ \
	X(SYNC)  /* waits for the work-group */ \
	X(SYS)   /* launch values, printf */ \
	X(NONE)  /* costs nothing on the machine: copies and reinterpretations */
#define X_UNIT(name) UNIT_##name,
typedef enum { UNITS(X_UNIT) UNIT_COUNT } Unit;
extern const char *const unit_name[UNIT_COUNT];
/* What Ins.aux means for an operation. */
typedef enum { AUX_NONE, AUX_ATOMIC, AUX_QUERY, AUX_SPACE, AUX_NUMBER, AUX_ALIGN, AUX_FOLD } AuxKind;
enum { WITHIN_WRITE = 1, WITHIN_ROW = 2 }; /* Ins.aux of OP_within */
enum { COPY_TO_LDS = 0, COPY_TO_GLOBAL = 1, COPY_BY_CODE = 2 }; /* Ins.aux of OP_async_copy */
enum { WAIT_I64, WAIT_I32, WAIT_VALUES }; /* … of OP_async_wait */
enum { F_END = 1, F_MASKED = 2, F_SIDE = 4, F_SPACE = 8, F_IMM = 16, AUX_SHIFT = 5 };
#define F_AUX(kind) (AUX_##kind << AUX_SHIFT)
enum { ANY_COUNT = 255 };
/* Of one instruction: registers that it writes, those that it reads, and bytes that it moves for a lane. */
enum { MOST_DST = 256, MOST_SRC = UINT16_MAX, LARGEST_ACCESS = 1024 };
/* Does one instruction hold so many results and operands? */
static inline bool ins_holds(size_t results, size_t operands) { return results <= MOST_DST && operands <= MOST_SRC; }
/* Bytes of text that a launch may print, here and natively. */
#define MOST_PRINTED ((u64)1 << 30)

typedef struct OpInfo {
	const char *name;
	u8 lane;       /* 1-3: a lane operation of that many operands; 0: other */
	u8 ndst, nsrc; /* ANY_COUNT: any number */
	u8 type[4];    /* of a lane operation: Type of d, a, b, c */
	u8 unit;       /* Unit */
	u16 flags;     /* F_… */
	const char *operands;
	const char *expr; /* of a lane operation, as written in ops.def */
	const char *doc;
} OpInfo;
extern const OpInfo op_info[OP_COUNT];
/* Is its result the address of an element, of an address and an index? */
static inline bool op_makes_address(u32 op)
{
	return op == OP_lea_i32 || op == OP_lea_i64 || op == OP_leas_i64 || op == OP_leaz_i64;
}
/* The member of a lane operation's family (INT_BIN and others in ops.def) whose last operand has
 * type t; op itself when that is its own. */
Op op_on(Op op, Type t);
/* Is op a member of the family that `family` is of? */
bool op_is_of(u32 op, Op family);
/* The operation called name, or OP_COUNT. */
u32 op_by_name(const char *name);

#define ATOMIC_OPS(X) X(xchg) X(add) X(sub) X(and) X(or) X(xor) X(nand) X(smin) X(smax) X(umin) X(umax) \
	X(fadd) X(fsub) X(fmin) X(fmax) X(uinc_wrap) X(udec_wrap)
#define X_ATOMIC(name) ATOMIC_##name,
typedef enum { ATOMIC_OPS(X_ATOMIC) ATOMIC_COUNT } AtomicOp;
extern const char *const atomic_name[ATOMIC_COUNT];
static inline bool atomic_is_float(AtomicOp op)
{
	return op == ATOMIC_fadd || op == ATOMIC_fsub || op == ATOMIC_fmin || op == ATOMIC_fmax;
}

/* What reduce and scan join the values of lanes with: a family of lane operations, and what changes nothing there. */
#define FOLDS(X) X(add, add_i8, ZERO) X(mul, mul_i8, ONE) X(and, and_b1, ONES) X(or, or_b1, ZERO) X(xor, xor_b1, ZERO) \
	X(umin, umin_i8, ONES) X(umax, umax_i8, ZERO) X(smin, smin_i8, MOST) X(smax, smax_i8, LEAST) \
	X(fadd, fadd_f32, ZERO) X(fmul, fmul_f32, ONE) X(fmin, fminnum_f32, MOST) X(fmax, fmaxnum_f32, LEAST)
#define X_FOLD(name, family, neutral) FOLD_##name,
typedef enum { FOLDS(X_FOLD) FOLD_COUNT } Fold;
extern const char *const fold_name[FOLD_COUNT];
/* Its operation on type t, or OP_COUNT: there is none. */
u32 fold_op(u32 fold, Type t);
/* The bits of its neutral value of a type that it is for: 0, 1, the largest (of a float infinity), the least. */
u128 fold_neutral(u32 fold, Type t);

/* Launch values. The addresses point at read-only segments laid out as AMD's
 * run time lays them out (the HSA dispatch packet; the implicit arguments of code
 * objects v4 and v5), in constant space, because the retargeted IR reads them there.
 * wave_id: which wavefront of its work-group it is, of group_waves; wave_items: its
 * work-items; full_waves, wave_most: wavefronts of a whole work-group, and work-items of
 * its first. */
#define QUERIES(X) \
	X(local_id_x, i32, VECTOR) \
	X(local_id_y, i32, VECTOR) \
	X(local_id_z, i32, VECTOR) \
	X(group_id_x, i32, SCALAR) \
	X(group_id_y, i32, SCALAR) \
	X(group_id_z, i32, SCALAR) \
	X(dispatch_ptr, i64, SCALAR) \
	X(implicitarg_ptr, i64, SCALAR) \
	X(implicitarg_v5_ptr, i64, SCALAR) \
	X(lane_id, i32, VECTOR) \
	X(wave_size, i32, SCALAR) \
	X(wave_id, i32, SCALAR) \
	X(group_waves, i32, SCALAR) \
	X(wave_items, i32, SCALAR) \
	X(full_waves, i32, SCALAR) \
	X(wave_most, i32, SCALAR)
#define X_QUERY(name, type, kind) QUERY_##name,
typedef enum { QUERIES(X_QUERY) QUERY_COUNT } Query;
extern const char *const query_name[QUERY_COUNT];
Type query_type(u32 q);
bool query_is_vector(u32 q);

typedef enum { REG_VECTOR, REG_SCALAR, REG_CONST } RegKind;
typedef struct Reg {
	u8 type; /* Type */
	u8 kind; /* RegKind */
	u32 slot; /* where it lives: vector registers of one type share slots when
	           * their values are never needed at the same time (isa/regs.c).
	           * Slots count from 0 in each type; scalars and constants have none. */
	u128 value;       /* of a constant: its bits */
	const char *name; /* of the source variable, or NULL */
} Reg;

/* How an access takes part in synchronising work-items, for checks: not at all; volatile; an atomic load or store; an
 * atomic that acquires or releases. */
typedef enum { SYNC_NONE, SYNC_VOLATILE, SYNC_ATOMIC, SYNC_ORDERED } Sync;
/* Ins.imm of a barrier: the memory that its flags order, or that they order none; 0: they are not known, and it orders
 * both. */
enum { FENCE_LDS = 1, FENCE_GLOBAL = 2, FENCE_NONE = 4 };

typedef struct Ins {
	u16 op;    /* Op */
	u8 space;  /* Space, of a memory operation */
	u8 aux;    /* AtomicOp, Query, Space, Fold, direction: see ops.def */
	u16 ndst, nsrc, ntgt;
	u8 align;  /* of an access: 2^(align - 1) bytes are promised for the whole of it; 0: not known.
	            * Not part of the text form */
	u8 sync;   /* of an access: Sync. Not part of the text form */
	u32 opnd; /* Program.opnds[opnd …]: results, then operands (registers),
	           * then targets (blocks; for call one function) */
	u32 loc;  /* Program.locs index; 0 = no source line */
	u32 cases; /* of switch: Program.cases[cases …], ntgt - 1 of them */
	u32 origin; /* of an access and of a division of integers: its IR instruction in the machine
	             * code (MachineIns.ir) + 1, or 0. Not part of the text form */
	i64 imm;
} Ins;

/* A straight run of instructions; only the last has F_END. Blocks of a function
 * are consecutive and in the order in which a wavefront prefers to run them. */
typedef struct Block {
	u32 first, n;   /* instructions */
	u32 func;       /* the function it belongs to */
	u32 ipdom;      /* immediate post-dominator, or NO_BLOCK at the exit */
	u32 weight;     /* instructions that count as wave instructions (unit is not NONE); of Func.image 0 */
	u16 loop_depth;
	bool masked;    /* part of an irreducible region: writes active lanes only */
	const char *name; /* from the IR, or NULL */
} Block;
#define NO_BLOCK UINT32_MAX

typedef struct Func {
	const char *name;
	u32 first_block, nblocks;
	u32 params, nparams;   /* Program.opnds[params …]: registers; empty for the kernel */
	u32 results, nresults; /* Program.opnds[results …]: registers that ret writes */
	bool image;            /* OP_image calls it: its instructions count nothing */
} Func;

/* An object with an address of its own. */
typedef struct Reloc {
	u32 offset;  /* of an 8-byte pointer inside the data */
	u32 target;  /* Program.objects index */
	i64 addend;
} Reloc;
typedef struct Object {
	u8 space;   /* SPACE_CONSTANT, SPACE_GLOBAL (program scope), SPACE_LDS, SPACE_PRIVATE */
	u32 seg;    /* its segment number in that space; constants and globals are
	             * numbered from 1, launch buffers follow */
	u32 size, align;
	u32 row;    /* of an array of arrays: bytes of the innermost; else 0 */
	u32 loc;    /* Program.locs index: where it is declared; 0: not known. Not in the text form */
	const u8 *data; /* initial bytes, or NULL for zeros (LDS, private: undefined) */
	const Reloc *relocs;
	u32 nrelocs;
	const char *name;
} Object;

/* What a private variable takes of a work-item's part, where they lie one behind the other in the order of
 * Program.objects: for the machine, in the record, in costs. */
static inline u64 object_private_bytes(const Object *o)
{
	return o->space == SPACE_PRIVATE ? ((u64)o->size + 15) & ~(u64)15 : 0;
}

/* What OpenCL calls the type of a kernel argument. */
typedef enum { ARG_VALUE, ARG_GLOBAL, ARG_CONSTANT, ARG_LOCAL, ARG_IMAGE, ARG_SAMPLER, ARG_PIPE } ArgKind;
typedef enum { ELEM_OTHER, ELEM_INT, ELEM_UINT, ELEM_FLOAT } ElemClass;
/* One element: width components of elem_bytes each, the next element stride
 * bytes on. Structs are seen as bytes. */
typedef struct ElemShape {
	u8 elem_class; /* ElemClass: ELEM_INT, ELEM_UINT, ELEM_FLOAT */
	u8 elem_bytes;
	u32 width;
	u32 stride;
} ElemShape;
/* A field of a struct, or of a struct within it: "lens.focus". An array is one element of many components. */
typedef struct ArgField {
	const char *name;
	u32 offset; /* bytes from the start of the argument */
	ElemShape shape;
} ArgField;
typedef struct KernelArg {
	const char *name;      /* "a" */
	const char *type_name; /* "float4*", as PoCL's metadata spells it */
	ArgKind kind;
	/* Of a value: its own shape. Of a pointer: that of the pointed-to type. Of a pipe: that of a packet. */
	u8 elem_class;  /* ElemClass */
	u8 elem_bytes;  /* of one component: 1, 2, 4, 8; 0 for structs */
	u8 width;       /* components: 1, 2, 3, 4, 8, 16 */
	u32 size;       /* bytes of the value, or of the pointed-to type (a 3-vector takes 4); 0 = unknown */
	const u8 *floats; /* of a pointer to a struct, for each of its bytes: a float of so many bytes begins there, or
	                   * 0; NULL: none does, or it is not known. Not part of the text form */
	u8 stores_floats; /* of a pointer to bytes: all that the kernel stores by it are floats of so many bytes; 0: not
	                   * so, or not known. Not part of the text form */
	const ArgField *fields; /* of a struct by value: those that are known by name. Not part of the text form */
	u32 nfields;
	bool is_const;  /* pointer to const, or in constant space */
	bool is_restrict; /* pointer by which alone what it points to is reached, where anything writes that */
	bool writes;    /* of an image: write_only or read_write; of a pipe: write_only */
	u8 image_dims;  /* of an image: 1, 2, 3 */
	u32 seg;        /* of local memory that the code knows by its address, not by a Param: its segment; else 0 */
} KernelArg;

/* A scalar register that holds a part of an argument when the kernel starts. */
typedef struct Param {
	u32 reg;
	u32 arg;
	u32 offset;      /* byte offset of the part in the argument's value */
	bool by_address; /* the register gets the constant-space address of the value instead */
} Param;

typedef struct SrcLoc {
	u32 file; /* Program.files index */
	u32 line, col;
} SrcLoc;

/* What holds registers where the most are needed at once: a variable, or what a line computes. */
typedef struct LiveValue {
	const char *name; /* "i", "acc[0..3]", "v.s01", or NULL: no variable of the source */
	bool address;     /* without a name: computed as an address */
	u32 loc;          /* Program.locs index: where it is declared; without a name, computed */
	u32 vgprs;        /* 32-bit vector registers */
} LiveValue;

typedef struct Program {
	Arena *arena; /* owns every string and byte of data below */
	const char *kernel;
	u32 reqd_local[3]; /* reqd_work_group_size, or zeros */
	u32 max_group; /* work-items of a work-group at most, by __launch_bounds__; 0: what the device allows */
	bool constant_args; /* a kernel of the source has an argument in constant memory */
	ARRAY(Func) funcs; /* [0] is the kernel */
	ARRAY(Block) blocks;
	ARRAY(Ins) ins;
	ARRAY(u32) opnds;
	ARRAY(i64) cases;
	ARRAY(Reg) regs;
	ARRAY(Object) objects;
	ARRAY(KernelArg) args;
	ARRAY(Param) params;
	ARRAY(const char *) formats; /* of printf */
	ARRAY(const char *) files;
	ARRAY(SrcLoc) locs;         /* [0] is "no source line" */
	u32 peak_vgprs, peak_sgprs; /* most live 32-bit registers at one point (isa/regs.c) */
	u32 peak_loc; /* where the kernel needs peak_vgprs at once … */
	ARRAY(LiveValue) peak_live; /* … and for what, most registers first. Not part of the text form */
	ARRAY(u16) live_vgprs;      /* per instruction: live 32-bit vector registers; may be empty */
	ARRAY(u32) origins; /* per block of the IR that machine code was made of (machine.h): the
	                     * Block that runs as often, or NO_BLOCK. Not part of the text form */
	Symbols *symbols; /* of one that is to be debugged; NULL: of any other */
} Program;

static inline const u32 *ins_dst(const Program *p, const Ins *i) { return p->opnds.v + i->opnd; }
static inline const u32 *ins_src(const Program *p, const Ins *i) { return p->opnds.v + i->opnd + i->ndst; }
static inline const u32 *ins_tgt(const Program *p, const Ins *i)
{
	return p->opnds.v + i->opnd + i->ndst + i->nsrc;
}

/* ---- program.c ---- */
Program *program_new(void);
void program_free(Program *p);
/* Registers. Equal constants share one. */
u32 program_reg(Program *p, Type t, RegKind kind, const char *name);
u32 program_const(Program *p, Type t, u128 value);
u32 program_loc(Program *p, const char *file, u32 line, u32 col);
/* The place with that index; NULL: no source line is known. */
static inline const SrcLoc *program_place(const Program *p, u32 loc)
{
	return loc && p->locs.v[loc].line ? &p->locs.v[loc] : NULL;
}
/* Append to the last block. The result stays valid until the next call; operands are copied. */
Ins *program_emit(Program *p, Op op, const u32 *dst, u32 ndst, const u32 *src, u32 nsrc,
                  const u32 *tgt, u32 ntgt, u32 loc);
/* Bytes that each lane of a load or store moves (OP_ld, OP_st); 0: another operation. */
u32 ins_access_bytes(const Program *p, const Ins *i);
/* Is it many accesses of elements (isa/event.h)? */
static inline bool ins_moves(const Ins *i) { return i->op == OP_copy || i->op == OP_fill; }
/* Ins.aux of OP_image. A fetch is a read of one texel of a read_only 2-D image, at integer coordinates. */
enum { IMAGE_WRITE = 1, IMAGE_FETCH = 2 };
/* Does it run another function? */
static inline bool ins_calls(const Ins *i) { return i->op == OP_call || i->op == OP_image; }
/* The block of an instruction; the number of blocks: of none. */
u32 program_block_of(const Program *p, u32 ins);
/* By Program.locs index: is it where a work-group copy by code stands (COPY_BY_CODE)? All of that code has its place.
 * To be freed; NULL: there is none. */
bool *program_copy_places(const Program *p);
/* Open a block in the last function. */
u32 program_block(Program *p, const char *name);
/* Fill in what follows from the rest: Func.image, block weights, post-dominators, slots for
 * vector registers that have none (UINT32_MAX, as program_reg leaves it). Call
 * once, before program_verify. */
void program_finish(Program *p);

/* ---- cfg.c ---- */
/* Successors of block b: pointer into opnds, count in *n. */
const u32 *block_succs(const Program *p, u32 b, u32 *n);
/* Compute Block.ipdom for every function (program_finish does); for one, into out[nblocks]. */
void program_ipdoms(Program *p);
void func_ipdoms(const Program *p, u32 f, u32 *out);

/* ---- verify.c ---- */
/* Is this Program well formed? Operand counts and types, targets, one F_END per
 * block, constants not written, scalar results only from scalar operands where
 * the operation demands it. Adds every failure to d. */
bool program_verify(const Program *p, Diag *d);

/* ---- print.c, parse.c: the text form (isa/README.md); parse(print(p)) equals p ---- */
void program_print(const Program *p, Buf *out);
void ins_print(const Program *p, const Ins *i, Buf *out); /* one instruction, no line feed */
Program *program_parse(const char *name, const char *text, Diag *d); /* NULL on errors */

#endif
