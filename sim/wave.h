/* Inside the machine: decoded code, wavefronts, groups, workers.
 *
 * Before a launch the Program is decoded for its wave width (decode.c): every
 * instruction becomes one or a few Steps whose function pointer stands for the
 * operation, the types and which operands are scalar, and whose operands are byte
 * offsets into the wavefront's registers. Running is `while (s) s = s->fn(w, s)`:
 * one call does all lanes. The steps of lane operations call the one behind them
 * (next_step in lane_level.h), which the compiler turns into a jump. */
#ifndef WAVESIM_WAVE_H
#define WAVESIM_WAVE_H

#include "base/hash.h"
#include "sim/sim.h"

typedef struct Wave Wave;
typedef struct Group Group;
typedef struct Worker Worker;
typedef struct Step Step;
typedef struct RaceCheck RaceCheck;   /* check_race.h */
typedef struct ScreenRow ScreenRow;   /* check_screen.h */
typedef struct UnsetCheck UnsetCheck; /* check_unset.h */
typedef struct DebugTrace DebugTrace; /* debug.c */
typedef struct AccessSets AccessSets; /* access_sets.h */
typedef struct AccessSet AccessSet;
typedef struct ImageCall ImageCall;   /* image.h */

/* Runs one step and returns the next, or NULL when the wavefront stops (Wave.state). */
typedef const Step *StepFn(Wave *w, const Step *s);

struct Step {
	StepFn *fn;
	u32 d, a, b, c; /* byte offsets in Wave.r; of a branch, d and c are blocks (flow_part) */
	i64 k;          /* immediate */
	u32 ins;        /* Program.ins index */
	u32 x;          /* memory: Code.accesses index; flow: block; counting a division: Code.divisions index */
};

/* Lane operations come in variants by which operands are scalar. */
enum {
	A_SCALAR = 1,
	B_SCALAR = 2,
	C_SCALAR = 4,
	ALL_SCALAR = 8, /* scalar result: one lane is computed */
	VARIANTS = 9
};

/* A dword of memory: of a packed structure it may lie anywhere. */
typedef u32 u32any __attribute__((aligned(1)));

/* What is compiled once per instruction-set level of the host (lanes_*.c). */
typedef struct LaneKit {
	StepFn *(*lane)(u32 op, u32 variant); /* NULL when op is no lane operation */
	/* The same of an operation whose result is b1, with the branch that alone reads it (flow_part). */
	StepFn *(*branch)(u32 op, u32 variant);
	/* Bit l set where byte l (0 or 1) is set, n lanes. */
	Mask (*bits)(const u8 *bytes, u32 n);
	/* out[l] = 0xFF where bit l of m is set, else 0. */
	void (*expand)(u8 *out, Mask m, u32 n);
	/* Lanes where a[l] - first differs from ref[l]. */
	Mask (*moved64)(const u64 *a, u32 n, u64 first, const u64 *ref);
	Mask (*moved32)(const u32 *a, u32 n, u32 first, const u32 *ref);
	/* d[l] = window[index[l]], n lanes; the window has `dwords` (at most 64) and no byte
	 * beyond them is read. */
	void (*permute)(u32 *d, const u32any *window, u32 dwords, const u32 *index, u32 n);
	/* Moves a register of so many bytes a lane, active lanes only. */
	StepFn *(*mov)(u32 bytes, bool to_scalar, bool from_scalar);
	/* d[l] = a[l], or a[0], for the lanes of m; rows of n lanes. */
	void (*blend)(void *d, const void *a, Mask m, u32 n, u32 bytes);
	void (*fill)(void *d, const void *a, Mask m, u32 n, u32 bytes);
	/* Are all n below the limit? */
	bool (*below32)(const u32 *a, u32 n, u32 limit);
	bool (*below64)(const u64 *a, u32 n, u64 limit);
	/* Does a lane that is on divide doubles x by y, or take the root of x, by the slow path (isa/counters.def)? xs,
	 * ys: one value for all. */
	bool (*slow_quotient)(const u64 *x, bool xs, const u64 *y, bool ys, const u8 *on, u32 n);
	bool (*slow_root)(const u64 *x, const u8 *on, u32 n);
	/* Lanes where these bits of a[l] are a value, at least a limit, those of b[l]. */
	Mask (*equal32)(const u32 *a, u32 n, u32 bits, u32 value);
	Mask (*least32)(const u32 *a, u32 n, u32 bits, u32 limit);
	Mask (*agree32)(const u32 *a, u32 n, u32 bits, const u32 *b);
	/* An access of a kind (AccessKind) is noted; does it look like a race? Words of 16 and of 32 bits. */
	u32 (*screen16)(const ScreenRow *s, u32 kind); /* SCREEN_RACE, SCREEN_BLANK */
	u32 (*screen32)(const ScreenRow *s, u32 kind);
} LaneKit;
/* Those that this host can run, the best last; how many. */
enum { LANE_KITS = 3 };
u32 lane_kits(const LaneKit *kits[LANE_KITS]);
const LaneKit *lane_kit(void); /* the best */

/* How the device's compiler does an LDS access: n machine instructions, when it is known and not
 * just the access itself. */
typedef struct LdsWay {
	const LdsIns *ins;
	u32 n;
	bool known;
} LdsWay;

/* One memory instruction: what its Step needs beyond its operands. */
typedef struct Access {
	u32 ins;
	u8 space, elem_bytes, aux;
	bool address_scalar;
	u32 n;       /* elements per lane */
	u32 address; /* register offset */
	u32 *data;   /* n register offsets: loaded into or stored from */
	bool *data_scalar;
	u32 bytes;   /* of one lane: n * elem_bytes */
	u32 align;   /* what its address must be a multiple of */
	bool scalar_unit; /* a load by the scalar unit: touches no line of the vector memory path */
	bool image;       /* in a function that a texture unit does: not counted (image.h) */
	u32 index;   /* in Code.accesses */
	u32 row;     /* loads and stores: which row of addresses, and elements of which size (PatternRow) */
	bool again;  /* an access before it in its block has the same, and nothing wrote to the row since */
} Access;

typedef struct Pattern Pattern; /* pattern.h */
typedef struct PatternRow PatternRow;
typedef struct PatternUse PatternUse;
typedef struct WaveAccess WaveAccess; /* observe.h */

typedef struct Flow {
	u32 block; /* the block it ends */
	u32 ntgt;
	u32 *tgt;
	const i64 *cases;
	u32 value;       /* register offset of the condition or the switch value */
	u8 value_bytes;
	bool scalar;
} Flow;

/* Operands of what is neither a lane operation nor a plain load or store. */
typedef struct Operand {
	u32 offset;
	u8 type;
	bool scalar;
} Operand;
typedef struct Sys {
	Operand *src;
	u32 nsrc;
	u32 *dst; /* register offsets */
	bool *dst_scalar;
	u32 ndst;
	u32 access; /* of atomic, cas, copy and fill: Code.accesses index; of copy, what it reads comes behind it */
	u8 update;  /* of atomic: its old value is not read, and it commutes with all of the same number; 0: neither */
} Sys;

/* A block, for who enters it. */
typedef struct Entry {
	const Step *step; /* its first */
	u32 weight;       /* instructions */
	u32 cost;         /* what it takes from the budget: not 0, so that every loop ends */
} Entry;

typedef struct Code {
	const Program *p;
	const LaneKit *kit;
	u32 wave, n;       /* lanes; lanes rounded up to LANE_CHUNK */
	u32 reg_bytes;     /* of one wavefront */
	u32 scalar_bytes;  /* its start: scalars and constants, copied from scalars */
	u8 *scalars;
	u32 *reg;          /* Program register -> byte offset */
	u32 temp;          /* a spare vector register */
	u32 rows;          /* where lanes are joined: three rows of the widest type (across.c) */
	ARRAY(Step) steps;
	Entry *entries;    /* by block */
	ARRAY(Access) accesses;
	ARRAY(u32) divisions; /* those that are counted (isa/counters.def): Program.ins indices */
	u32 nrows;         /* of addresses: Access.row */
	ARRAY(Flow) flows;
	ARRAY(Sys) sys;
	bool unset, follow; /* values that nothing was written to are looked for; and followed */
	u32 priv_bytes;    /* of one lane, a multiple of 16 */
	u32 *priv_offset;  /* private segment -> offset of its bytes, and its size */
	u32 *priv_size;
	u32 npriv;
	bool observed;     /* observe.h */
	bool counts_slow;   /* as SimConfig */
	bool apart;         /* code_new() */
	Arena *arena;
} Code;

/* Lanes are computed in runs of this many, so register rows are padded to it. */
enum { LANE_CHUNK = 32 };

typedef struct Pending {
	u32 block;
	Mask mask;
} Pending;

/* A run of wave instructions by the same lanes inside a split. */
typedef struct Segment {
	Mask mask;
	u64 n;
} Segment;

/* A divergent branch whose lanes have not reconverged (flow.c). */
typedef struct Split {
	u32 reconv; /* the block where they reconverge, or NO_BLOCK */
	Mask lanes;
	Mask common;  /* lanes that ran every instruction of it */
	u64 executed; /* wave instructions, inner splits counted as one pass */
	u32 first_segment;
} Split;

/* A divergent branch after which some of its lanes still run apart (flow.c). */
typedef struct Fork {
	u32 block;
	Mask lanes; /* that ran it */
} Fork;

typedef struct Frame {
	const Step *back; /* NULL in the kernel's frame */
	Mask returned;
	u32 pending_base, split_base;
	u32 next; /* the caller's Wave.next */
	u32 block;
} Frame;

/* Wave instructions after which a worker looks up: at the bounds of the launch, and whether its attempt is over. */
enum { BUDGET_PART = 1 << 20 };

/* Lanes of a register whose value nothing was written to, and whose that is (check_unset.c). */
typedef struct UnsetLanes {
	Mask lanes;
	u32 origin;
} UnsetLanes;

typedef enum { WAVE_READY, WAVE_BARRIER, WAVE_DONE } WaveState;

struct Wave {
	u8 *r; /* registers */
	u32 n; /* lanes computed: the wave width rounded up to LANE_CHUNK */
	u32 active;
	Mask mask;  /* active lanes */
	Mask alive; /* lanes that have not ended */
	Mask began; /* lanes at the start */
	u64 settled; /* prof.instructions up to which what they cost the lanes is counted (flow.c), … */
	u64 serial;  /* … and since then, those of short ifs that were serialized */
	bool on_valid;
	bool in_side;     /* of a short if */
	bool forks_plain; /* no fork tells some lanes of mask from others (flow.c): known, else to be found out */
	u32 next; /* first block with waiting lanes in this frame, or NO_BLOCK */
	u32 meet; /* where the innermost split of this frame ends, or NO_BLOCK */
	u32 block;
	i64 budget; /* wave instructions left until the worker looks up … */
	i64 later;  /* … and after that, until --max-instructions */
	const Code *code;
	Worker *worker;
	Group *group;
	u32 index; /* in the group */
	WaveState state;
	u32 barrier_ins;   /* of WAVE_BARRIER */
	u64 copies_started; /* async copies, since the group began */
	bool copying;       /* it is in the code of one, whose accesses are the copy's own */
	const Step *resume;
	ARRAY(Pending) pending; /* sorted, earliest block last */
	ARRAY(Split) splits;
	ARRAY(Segment) segments;
	ARRAY(Fork) forks; /* latest last */
	ARRAY(Frame) frames;
	WaveProf prof;
	const Access *image; /* that of the OP_image whose function runs; else NULL */
	bool recording;     /* record.c keeps what it does in events */
	ARRAY(u32) events;
	u64 recorded;       /* instructions when its record became full */
	u32 most_words;     /* of events */
	bool masks;         /* SimRecord.masks … */
	Mask mask_recorded; /* … and the last one */
	u8 *priv; /* private memory: dword d of lane l at (d * n + l) * 4 */
	u8 *priv_set;     /* a byte for each of its bytes: was it written? NULL: nobody asks */
	UnsetLanes *unset; /* by 16 bytes of r: of the register that begins there; NULL: the same */
	_Alignas(64) u8 on[MAX_WAVE]; /* mask as bytes when on_valid */
};

/* One segment of global memory, or of LDS (data relative to Group.lds). */
typedef struct Seg {
	u8 *data;
	u64 size;
	const char *name;
	bool readable, writable;
	bool unset; /* nothing was written there when the launch began */
	bool guessed; /* nobody gave its size */
	ElemShape element;
	u64 span;     /* bytes whose lines may be touched: size, or that of an image's blocks */
	SimImage image;
} Seg;

typedef struct AsyncCopy {
	const Access *access;
	u64 to, from;
	u64 count, stride;
	u8 to_space, from_space; /* SPACE_LDS, or SPACE_FLAT for 64-bit addresses */
	u64 serial; /* how many the group started before it */
	u64 event;
	u32 elem_bytes, dir;
	bool by_code; /* the bytes have moved when the group waits for it */
	u32 ins;
} AsyncCopy;

typedef struct PrintRec {
	u32 item, epoch, seq; /* local linear id, barriers passed, order */
	char *text;
	u32 size;
} PrintRec;

struct Group {
	u64 linear;
	u32 id[3];
	u8 *lds;
	u32 local[3]; /* its size; the last group of a dimension may be smaller */
	u32 items;    /* work-items */
	u32 epoch; /* barriers passed */
	ARRAY(AsyncCopy) copies; /* under way */
	bool copies_pending;     /* there are such, and touching their memory is a finding */
	u64 copies_started;
	ARRAY(u64) waited;       /* events that the wait_group_events of this barrier names */
	bool waits;              /* a wavefront waits at a wait_group_events */
	ARRAY(PrintRec) prints;
	u64 printed_bytes; /* of these, and of what is left out: see most_printed() */
};

typedef struct LdsCount {
	LdsCycles ir, machine; /* at the width of the Program's access; at those of the machine */
} LdsCount;
/* Who counts: the machine that runs, or one that counts along. */
typedef struct View {
	const LdsRule *lds;
	LdsWay *ways; /* by Code.accesses index */
	u32 line_shift, fetch_shift, room_shift;
} View;
typedef struct ViewCount { /* of one access */
	LdsCount lds;
	u32 ideal, actual; /* lines */
} ViewCount;

/* How an attempt to run the launch ends before its last work-group; shared by all workers, relaxed atomics. */
typedef struct Attempt {
	bool conflict; /* work-groups conflict in memory: it is given up */
	bool spent;    /* --max-launch-instructions, or the room for checks, by workers side by side: given up, for one
	                * that runs in order */
	bool late;     /* the deadline passed */
	i64 left;      /* wave instructions until --max-launch-instructions */
	u64 suspect;   /* the first work-group seen to run too long beside others (as Worker.at): those behind it are
	                * of no use. UINT64_MAX: none */
	i64 most;      /* wave instructions of a wavefront beside others until it is a suspect */
	double deadline; /* or 0 */
	const Stop *stop; /* or NULL */
	u64 words;     /* bytes of what the workers remember of accesses for races (RaceCheck.bytes), all together */
} Attempt;

/* Where a segment lies for the program, when that is not at its number. */
typedef struct SegSpan {
	u64 address, size;
	u32 seg;
} SegSpan;

/* The launch as the machine sees it; shared by all workers, read-only but for attempt. */
typedef struct Machine {
	const Program *p;
	const SimLaunch *launch;
	const SimConfig *cfg;
	Code *code;
	Seg *segs; /* global and constant, by number; [0] unused */
	u32 nsegs;
	Seg *lds_segs; /* data = offset in LDS */
	u32 nlds;
	u32 lds_bytes;
	u32 waves_per_group;
	u64 groups[3], ngroups;
	View own;    /* how it counts */
	View *views; /* machines that count along, nviews of them */
	u32 nviews;
	const SegSpan *spans; /* segments that have addresses of their own, by address; nspans of them */
	u32 nspans;
	AccessSets *sets; /* with more than one worker, else NULL */
	u32 finest_shift;   /* of what L2 brings at a time, of all that count */
	u32 coarsest_shift; /* of their lines */
	u64 dispatch_ptr, implicitarg_ptr, implicitarg_v5_ptr;
	struct Attempt *attempt;
} Machine;

/* The machine's address of what the program has at this one: a segment's number, and the offset. */
u64 span_address(const Machine *m, u64 address);
/* Is touching memory of a copy under way a finding here? */
static FORCE_INLINE bool copies_watched(const Wave *w) { return w->group->copies_pending && !w->copying; }

static FORCE_INLINE u64 seg_address(const Machine *m, u64 address)
{
	return UNLIKELY(m->nspans) ? span_address(m, address) : address;
}

/* The shape of an access's lanes when all were at one address the last time. */
typedef struct SameShape {
	Mask mask; /* 0: none yet */
	u32 bytes, shape;
	u8 kind;
	bool lds;
} SameShape;

typedef struct PrintedGroup {
	u64 group;
	char *text;
	u32 size;
} PrintedGroup;

struct Worker {
	const Machine *m;
	Arena *arena; /* of what has one size from the beginning */
	ImageCall *image_call; /* NULL: the program reads and writes no image by OP_image */
	AccessSet *set; /* NULL: one worker runs all */
	RaceCheck *races; /* NULL: not looked for */
	UnsetCheck *unset; /* the same */
	DebugTrace *debug; /* of one that is debugged; else NULL */
	u64 at;         /* which of the work-groups that are to run */
	bool alone;     /* all before it have run, and none behind it */
	bool over;      /* it runs nothing more … */
	bool ended;     /* … because a bound was reached, alone: the launch ends here */
	BlockProf *blocks;
	AccessProf *accesses; /* by Code.accesses index */
	DivisionProf *divisions; /* by Code.divisions index */
	bool *outside; /* by Code.sys index, of an OP_within: it may have failed the last time */
	AccessProf *view_accesses;      /* one such array after the other for each view */
	ViewCount *view_counts;         /* nviews for each of uses */
	PatternRow *rows;       /* by Access.row */
	Pattern *patterns;      /* PATTERNS for each of rows */
	PatternUse *uses;       /* PATTERNS for each of accesses: what those of its row mean to it */
	u64 serialized;
	u8 **touched; /* per segment a byte for each finest line: in which windows of the launch this worker
	               * touches it (EVENT_WINDOWS); NULL: not wanted */
	u8 window;    /* of the work-group that runs: its bit there */
	SwapSlot *swap_slots; /* SWAP_SLOTS of them, of this worker; NULL: not wanted, or none yet */
	ARRAY(Finding) findings;
	HashIndex finding_index; /* of them, by kind, race and instructions */
	Wave *waves;
	u32 *local_ids; /* [wave][3][n], of groups of size ids_for */
	u32 ids_for[3];
	Group group;
	ARRAY(PrintedGroup) printed;
	u64 printed_bytes; /* of these, and what was left out */
	WaveProf *wave_profs; /* shared array, or NULL */
	GroupWork *work;      /* the same of the first nwork work-groups */
	u64 nwork;
	ShapeTable *shapes;   /* of recorded accesses; NULL until the first */
	SameShape *same_shapes; /* by Code.accesses index, as shapes */
	ARRAY(WaveEvents) wave_events;
	EventPool wave_words; /* theirs */
};

/* Bytes of text that the launch may print. */
static inline u64 most_printed(const Machine *m) { return m->cfg->most_printed ? m->cfg->most_printed : MOST_PRINTED; }

/* An operand of one lane, zero-extended (at most 8 bytes). */
static inline u64 sys_operand(const Wave *w, const Operand *o, u32 lane)
{
	u32 bytes = type_bytes[o->type];
	u64 v = 0;
	memcpy(&v, w->r + o->offset + (o->scalar ? 0 : lane * bytes), bytes < 8 ? bytes : 8);
	return v;
}

/* ---- decode.c ---- */
/* apart: every instruction has steps of its own. */
Code *code_new(const Program *p, const SimConfig *cfg, bool observed, bool apart);
void code_free(Code *c);

/* ---- flow.c ---- */
extern StepFn flow_jmp, flow_br, flow_br_scalar, flow_switch, flow_ret, flow_call, flow_image, flow_unreachable,
    flow_barrier;
/* A branch: running lanes yes, n of them, go to block s->d, the others to s->c. s->x: where both meet again, of a short
 * if, or NO_BLOCK. */
const Step *flow_part(Wave *w, const Step *s, Mask yes, u32 n);
/* Wait for the rest of the group, and go on at the next step. */
const Step *flow_arrive(Wave *w, const Step *s);
/* Is the work-item of every lane that the wavefront started with active? If not: a finding. */
void flow_expect_all(Wave *w, FindingKind kind, u32 ins);
/* Start running: block 0 of the kernel with all lanes of alive. */
const Step *flow_start(Wave *w);
/* Close every split, charge idle lanes: the wavefront is done. */
void flow_finish(Wave *w);

static inline const u8 *wave_on(Wave *w)
{
	if (!w->on_valid) {
		w->code->kit->expand(w->on, w->mask, w->n);
		w->on_valid = true;
	}
	return w->on;
}

/* ---- steps.c ---- */
StepFn *step_check_div(u32 bytes, bool is_signed);             /* findings before a division */
StepFn *step_count_div(bool a_scalar, bool b_scalar);           /* counts of a division of 64 bits */
StepFn *step_count_slow(bool root, bool a_scalar, bool b_scalar); /* of a division or root of f64 */
StepFn *step_query(u32 q);
extern StepFn step_stop, /* NULL: a step before it that calls it returns */
    step_pause,          /* the next one: between instructions where they are apart */
    step_within,
    step_within_again; /* s->a: where Worker.outside says of the first such comparison that it failed */

/* The function of each STEP of ops.def; s->x: its operands in Code.sys. */
#define STEP(name, ...) extern StepFn step_##name;
#include "isa/ops.def"

/* ---- memory*.c ---- */
extern StepFn mem_atomic, mem_cas, mem_copy, mem_fill;
StepFn *mem_ld_fn(const Access *a, bool observed);
StepFn *mem_st_fn(const Access *a, bool observed);

/* ---- lds_count.c, lines.c ---- */
/* Bank cycles of one wave access of `bytes` per lane at LDS addresses addr[lane]; addr is NULL when all lanes are
 * at one address. */
LdsCount lds_count_access(const LdsRule *rule, u32 bytes, const LdsWay *way, bool write, bool atomic,
                          Mask mask, const u32 *addr);
/* What a plan (or NULL) says of instruction ins, which accesses so many bytes a lane. */
LdsWay lds_way(const LdsPlan *plan, u32 ins, u32 bytes);
/* Distinct lines of 1 << shift bytes touched by [addr[l], addr[l] + bytes). */
u32 lines_count(const u64 *addr, u32 bytes, Mask mask, u32 shift);
/* The fewest lines for so many bytes, at most the actual ones: lanes that want the same bytes share them. */
static inline u32 lines_ideal(u64 bytes, u32 actual, u32 shift)
{
	u64 ideal = (bytes + ((u64)1 << shift) - 1) >> shift;
	return ideal < actual ? (u32)ideal : actual;
}
/* Those of consecutive bytes. */
static inline u32 lines_of_run(u64 first, u64 bytes, u32 shift)
{
	return (u32)(((first + bytes - 1) >> shift) - (first >> shift) + 1);
}
/* Add so many equal executions to the counters of an access; bytes: requested by all lanes in each. */
void lds_add(AccessProf *p, const LdsWay *way, LdsCount c, u64 times);
static inline void lines_add(AccessProf *p, const Access *a, u64 bytes, u32 ideal, u32 actual, u64 times)
{
	if (a->scalar_unit) {
		p->scalar_loads += times;
		return;
	}
	p->accesses += times;
	p->ideal_lines += times * ideal;
	p->actual_lines += times * actual;
	p->bytes += times * bytes;
}

/* ---- lds_layout.c ---- */
/* Lay out the LDS of a launch that sim_lds_fits; arg_seg[i]: the segment of local argument i. */
void lds_place(Machine *m, Arena *a, u32 *arg_seg);

/* ---- launch.c ---- */
/* Is the attempt over for this worker? look: compare what the workers accessed, else only what is known. */
bool attempt_over(Worker *wk, bool look);

/* ---- views.c: machines that count along (SimConfig.views) ---- */
void views_new(Machine *m, Arena *a);
void views_merge(Profile *out, const Machine *m, const Worker *workers, u32 n);
/* Remember what each of them counts of x->p from now on. */
void views_remember(Wave *w, const WaveAccess *x);
void views_access(Wave *w, const WaveAccess *x);

/* ---- findings.c ---- */
/* A lane did something wrong at instruction ins. */
Finding *finding_add(Wave *w, FindingKind kind, u32 ins, u32 lane);
/* The same for an access of bytes at an address of a space; says where the address is. */
void finding_memory(Wave *w, FindingKind kind, u32 ins, u32 lane, u32 space, u64 address, u64 bytes,
                    bool write);
/* Index i of an array of n elements, by the source's types, in front of an access; k and aux are
 * those of OP_within. */
void finding_index(Wave *w, u32 ins, u32 lane, u32 space, u64 address, i64 k, u32 aux, i64 i, u64 n);
/* The memory that an address of some space means, SPACE_GLOBAL also for constants; *address: in that. */
u32 place_space(u32 space, u64 *address);
/* A race with what instruction `other` did before. */
Finding *finding_race(Wave *w, RaceClass race, u32 ins, u32 lane, u32 other);
/* The same that is there already, or NULL. */
Finding *finding_known(Wave *w, RaceClass race, u32 ins, u32 other);
/* "tile[5]": element of so many bytes at a byte of a group's LDS, a segment of global memory, or a private address. */
void place_print(const Code *c, const Machine *m, u32 space, u32 seg, u64 at, u32 bytes, Buf *out);
/* What a private variable is called, by its segment; or NULL. */
const char *private_name(const Program *p, u64 seg);
/* A work-item's ids. */
void item_ids(const Machine *m, u64 group, u32 wave, u32 lane, u64 global_id[3], u64 local_id[3]);
/* Whose part it was: fills the ids. */
void finding_other(const Wave *w, FindingAccess *x);
void findings_merge(Profile *out, Worker *workers, u32 n);

/* ---- printf.c ---- */
/* Write the records of a finished group to out, in the order of work-items, so many bytes at most; returns how many
 * there were. */
u64 print_flush(Group *g, u64 most, Buf *out);

/* ---- async.c ---- */
/* All wavefronts have arrived, one at least at a wait: complete the copies it named. */
void async_meet(Worker *wk, u32 waves);
/* Does a lane's access touch memory that a copy still reads or writes? */
void async_check(Wave *w, u32 ins, u32 lane, u32 space, u64 address, u64 bytes, bool write);
void async_group_end(Wave *w); /* copies without a wait */

/* ---- record.c: for the timing model ---- */
void record_wave_start(Wave *w);
void record_wave_end(Wave *w);
void record_block(Wave *w, u32 block);
void record_barrier(Wave *w, u32 ins);
void record_access(Wave *w, const WaveAccess *x);
/* Private memory, while w->recording: at[lane], or `same` for all where at is NULL, is where in a lane's part. */
void record_private(Wave *w, const Access *a, bool write, Mask lanes, const u32 *at, u32 same);
/* Lines of global memory that are touched; addresses are valid. Each worker has its own: on those of all,
 * they would wait for each other's caches at every scattered access. */
void touched_new(Worker *wk);
void touched_free(Worker *wk);
void touch_access(Wave *w, const WaveAccess *x);
/* Let the first of n workers have those of all. */
void touched_merge(Worker *workers, u32 n);
EventLines touched_count(const Worker *wk, const View *v);
Events *record_collect(const Machine *m, Worker *workers, u32 n);

/* ---- group.c ---- */
void group_run(Worker *wk, u64 linear);
/* The same step by step: its wavefronts are ready; all that have not ended, so many, are at a barrier, and go on; all
 * have ended, or the launch is over. */
void group_start(Worker *wk, u64 linear);
void group_meet(Worker *wk, u32 waiting);
void group_end(Worker *wk);
u32 group_waves(const Worker *wk); /* its wavefronts */
void group_ids(Worker *wk);        /* local_ids are those of its size */
void wave_end(Wave *w);            /* one has WAVE_DONE */
void wave_arrays_free(Wave *w);    /* of what waits to run, and calls; not its events */
/* Take a part of what the wavefront may still run into its budget, or give back what is left of it. */
void budget_take(Wave *w);
void budget_return(Wave *w);

/* ---- stored.c ---- */
/* By segment: is the program expected to write there? */
bool *stored_segs(const Machine *m, Arena *a);

#endif
