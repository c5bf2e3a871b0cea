/* The generator of random OpenCL C programs, shared declarations.
 *
 * A program is grown top-down: statements and expressions are productions with
 * weights (stmt.c, expr.c), chosen by a generator seeded by the user, so a seed
 * names the same program on every platform. Each statement and each compound
 * expression takes the next number; a number in `off` is generated as usual and
 * then removed (a statement) or replaced by a literal (an expression), so that the
 * rest of the program stays as it was. The reducer in run.sh works on these.
 *
 * What keeps a program well defined:
 * - reads and writes in bounds: indices are masked or taken modulo;
 * - signed arithmetic goes through the helpers of helper.c;
 * - a float whose bits are seen is first freed from its NaN payload;
 * - an expression has no side effects, so evaluation order never matters;
 * - an area shared by a work-group is written only between two barriers, and what is
 *   written then was computed before the first; elsewhere it is only read;
 * - barriers stand where `flow.uniform` holds: all work-items of a group come. */
#ifndef WAVESIM_TESTS_GEN_H
#define WAVESIM_TESTS_GEN_H

#include "base/base.h"

typedef enum {
	K_char,
	K_uchar,
	K_short,
	K_ushort,
	K_int,
	K_uint,
	K_long,
	K_ulong,
	K_float,
	K_double
} Kind;
enum { KINDS = K_double + 1, NAME = 16 };

/* Sets of kinds and of widths, for the tables of productions. */
enum {
	M_char = 1 << K_char,
	M_uchar = 1 << K_uchar,
	M_short = 1 << K_short,
	M_ushort = 1 << K_ushort,
	M_int = 1 << K_int,
	M_uint = 1 << K_uint,
	M_long = 1 << K_long,
	M_ulong = 1 << K_ulong,
	M_float = 1 << K_float,
	M_double = 1 << K_double,
	SIG = M_char | M_short | M_int | M_long,
	UNS = M_uchar | M_ushort | M_uint | M_ulong,
	INT = SIG | UNS,
	FLT = M_float | M_double,
	I32 = M_int | M_uint,
	I64 = M_long | M_ulong,
	ALL = INT | FLT,
	W1 = 1 << 1,
	W2 = 1 << 2,
	W3 = 1 << 3,
	W4 = 1 << 4,
	W8 = 1 << 8,
	W16 = 1 << 16,
	VEC = W2 | W3 | W4 | W8 | W16,
	POW2 = W2 | W4 | W8 | W16,
	ANY = W1 | VEC,
};

typedef struct {
	u8 kind, width;
} Type;

/* Parts of the language that can be left out (--no NAME). */
typedef enum {
	F_float,
	F_double,
	F_long,
	F_vector,
	F_struct,
	F_call,
	F_goto,
	F_local,
	F_atomic,
	F_async,
	F_divide,
	F_contract
} Feature;
enum { FEATURES = F_contract + 1 };

typedef enum { SP_private, SP_local, SP_global, SP_constant } Space;

typedef struct {
	char name[NAME];
	Type type;
	bool assign;  /* may stand on the left of an assignment */
	bool uniform; /* the same for all work-items of a group; assigned in uniform flow only */
} Var;

/* Families of atomics that commute with each other. */
typedef enum { A_none, A_add, A_and, A_or, A_xor, A_min, A_max } Family;
enum { FAMILIES = A_max + 1 };

/* Memory that can be indexed: arrays, tables, buffers, pointer parameters. */
typedef struct {
	char name[NAME];
	Type type;
	u8 space;
	u8 family;   /* not A_none: only atomics of this family may touch it */
	bool write;  /* the work-item's own: it alone reads and writes it */
	bool tile;   /* shared by the work-group: read anywhere, written between barriers */
	bool atomic; /* a tile whose words take atomics between barriers */
	u32 count;
	u32 own;          /* tile: slots of each work-item */
	u8 layout;        /* tile: which slots those are, see tile_slot */
	char param[NAME]; /* the kernel parameter behind it; empty: none */
} Arr;

typedef struct {
	Type type;
	u8 count;  /* 0: not an array; otherwise a power of two */
	i8 record; /* not negative: a nested struct */
} Field;
enum { MAX_FIELDS = 6, MAX_RECORDS = 4, MAX_FNS = 8, MAX_PARAMS = 6 };
typedef struct {
	bool is_union;
	u32 nfields;
	Field field[MAX_FIELDS];
} Record;

typedef struct {
	char name[NAME];
	u32 record;
	bool assign;
} Obj;

typedef struct {
	enum { P_value, P_record, P_pointer } what;
	Type type;
	u32 record;
	Arr shape;
} Param;

typedef struct {
	char name[NAME];
	Type ret;
	u32 nparams;
	Param param[MAX_PARAMS];
	bool pure; /* writes nothing of its caller: may stand in an expression */
	u32 cost;  /* rough number of operations of one call */
	Buf text;
} Fn;

/* Where the text being written stands. */
typedef struct {
	bool kernel;                   /* in the kernel, not in a function */
	bool uniform;                  /* all work-items of the group come here together */
	bool may_return;               /* a return is fine here: no barrier follows */
	bool in_loop, loop_uniform;    /* what continue would act on */
	bool can_break, break_uniform; /* what break would act on */
	u32 depth;                     /* nesting of statements */
	u32 mult;                      /* how often this runs, at most */
} Flow;

typedef struct {
	u32 dims;
	u32 groups;
	u32 global[3], local[3], offset[3];
	u32 items, group; /* products */
} Grid;

/* A kernel parameter with what the launch gives for it. */
typedef struct {
	char name[NAME];
	char *decl, *spec;
} KernelParam;

enum { MAX_SCOPE = 160 };

typedef struct Gen {
	u64 rng;
	u64 seed;
	u32 size;     /* about how many statements the kernel has */
	u32 features; /* bit per Feature */
	const u8 *off;
	u32 noff;
	u32 next_id, next_name;
	ARRAY(u32) live; /* numbers whose text is in the program */
	Arena *arena;
	Buf *b; /* where text goes */
	u32 indent;
	u32 cost;
	u32 budget; /* statements that may still be put into the one being written */
	Flow flow;
	Type ret;          /* what the current function returns */
	bool uniform_expr; /* the expression being written must be the same for the whole group */
	Var var[MAX_SCOPE];
	Arr arr[MAX_SCOPE];
	Obj obj[MAX_SCOPE];
	u32 nvars, narrs, nobjs;
	u32 ntables;                         /* arr[0 … ntables) is visible everywhere */
	u32 first_var, first_arr, first_obj; /* what the current function sees */
	Record record[MAX_RECORDS];
	u32 nrecords;
	Fn fn[MAX_FNS];
	u32 nfns;
	Arr plan[16]; /* memory that the kernel will have */
	u32 nplan;
	Grid grid;
	KernelParam param[24];
	u32 nparams;
} Gen;

typedef struct {
	u32 nvars, narrs, nobjs;
} Scope;

/* ---- text.c ---- */
u32 below(Gen *g, u32 n); /* 0 … n-1 */
bool chance(Gen *g, u32 percent);
u64 random_bits(Gen *g);
void put(Gen *g, const char *fmt, ...) PRINTF_LIKE(2, 3);
void put_indent(Gen *g);
void put_line(Gen *g, const char *fmt, ...) PRINTF_LIKE(2, 3); /* indented, with a newline */
void set_name(char name[NAME], const char *from);
void fresh_name(Gen *g, char name[NAME], const char *prefix);
bool mentions(const char *text, const char *name); /* as a whole word */
/* A numbered piece of text: node_end is false when it was turned off and removed. */
typedef struct {
	u32 id, start, live;
} Node;
Node node_begin(Gen *g);
bool node_end(Gen *g, Node n, bool list);

/* ---- type.c ---- */
const char *type_name(Gen *g, Type t);
u32 kind_bits(u32 kind);
u32 type_bytes(Type t);
bool is_float(u32 kind);
bool is_signed(u32 kind);
u32 to_unsigned(u32 kind); /* the unsigned kind of the same size; floats too */
u32 to_signed(u32 kind);
bool has(const Gen *g, Feature f);
u32 pick_kind(Gen *g, u32 kinds); /* one of the set that the features allow; K_uint if none */
Type pick_scalar(Gen *g);
Type pick_type(Gen *g);
static inline Type mk_type(u32 kind, u32 width) { return (Type){(u8)kind, (u8)width}; }
static inline bool same_type(Type a, Type b) { return a.kind == b.kind && a.width == b.width; }
void put_literal(Gen *g, Type t);
void put_adapted(Gen *g, Type from, Type to, const char *text);

/* ---- expr.c ---- */
void put_expr(Gen *g, Type t, u32 depth);
void put_cond(Gen *g, u32 depth);
/* The same, uniform in the group where the flow is. */
void put_flow_expr(Gen *g, Type t, u32 depth);
void put_flow_cond(Gen *g, u32 depth);

/* ---- leaf.c ---- */
void put_leaf(Gen *g, Type t, u32 depth);
void put_index(Gen *g, u32 count, u32 depth); /* a uint expression below count */
bool visible_arr(const Gen *g, u32 i);
Arr *pick_arr(Gen *g, bool (*want)(const Gen *, const Arr *));
Var *pick_assignable(Gen *g);
void put_path(Gen *g, const Obj *o, bool assign, Type *t); /* a member of a struct or union */

/* ---- data.c ---- */
void add_var(Gen *g, const char *name, Type t, bool assign, bool uniform);
void add_arr(Gen *g, const Arr *a);
void add_obj(Gen *g, const char *name, u32 record);
void make_records(Gen *g);
void put_record_def(Gen *g, u32 r);
const char *record_name(Gen *g, u32 r);
void put_record_init(Gen *g, u32 r, bool literal); /* { … } */
char *make_tables(Gen *g, u32 i);

/* ---- helper.c ---- */
void put_helpers(Gen *g, const char *text); /* the safe operations that text uses */

/* ---- stmt.c ---- */
void put_stmt(Gen *g);
void put_block(Gen *g, u32 n); /* { declarations, n statements } */
void put_body(Gen *g, u32 ndecls, void (*body)(Gen *, void *), void *arg);
u32 block_size(Gen *g);
void st_assign(Gen *g);

/* ---- flow.c ---- */
void st_if(Gen *g);
void st_chain(Gen *g);
void st_switch(Gen *g);
void st_for(Gen *g);
void st_while(Gen *g);
void st_do(Gen *g);
void st_goto(Gen *g);
void st_break(Gen *g);
void st_continue(Gen *g);
void st_return(Gen *g);

/* ---- store.c ---- */
void st_store(Gen *g);
void st_pointer(Gen *g);
void st_vstore(Gen *g);
void st_member(Gen *g);
void st_copy(Gen *g);
void st_atomic(Gen *g);
void st_cas(Gen *g);

/* ---- group.c ---- */
void tile_slot(Gen *g, const Arr *a, u32 k); /* the k-th own slot of this work-item */
void put_barrier(Gen *g, const Arr *a);
void st_exchange(Gen *g);
void st_burst(Gen *g);
void st_reduce(Gen *g);
void st_scan(Gen *g);
void st_round(Gen *g);
void st_async(Gen *g);
void st_barrier(Gen *g);
void put_tile_init(Gen *g, const Arr *a);

/* ---- func.c ---- */
void make_functions(Gen *g);
bool put_call(Gen *g, Type t, u32 depth, bool pure); /* false: no function fits here */
void st_call(Gen *g);
void put_round_function(Gen *g, const Arr *a);

/* ---- plan.c ---- */
void make_plan(Gen *g); /* the grid, the kernel's parameters and memory */

/* ---- program.c ---- */
void put_program(Gen *g);

/* ---- race.c ---- */
void put_race(Gen *g);

#endif
