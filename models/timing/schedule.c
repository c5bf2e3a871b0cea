/* The order in which a compiler would put the instructions of a block: list scheduling.
 *
 * An instruction is ready when its operands are there (arithmetic, local memory and caches take
 * as long as the device says) and what it must follow has started: other readers and writers of
 * its registers, stores and barriers of its memory. Of the ready ones, that goes first behind
 * which the longest chain waits; of equals, the one that the IR has first. Loads go first as far as
 * there are registers for what they bring, where that is known of the compiler; where values take all registers, the
 * order is the IR's. */
#include "base/heap.h"
#include "models/timing/cost_ops_impl.h"
#include "models/timing/zeros.h"

typedef struct OrderEdge {
	u32 to, next; /* of the same instruction, + 1 */
	u32 cycles;   /* from its start */
} OrderEdge;

typedef struct OrderNode {
	u32 edges; /* first of them + 1 */
	u32 npred;
	u32 height; /* cycles from its start to the block's end */
	u32 ready;
	u32 ahead;  /* of a load that nobody has read yet: registers of a lane that it fills; of others 0 */
	u32 feeds;  /* first of the loads that it reads + 1: BlockOrder.feeds */
	u32 made;   /* size of the values that it makes */
	u32 reads;  /* first of the values that it reads + 1: BlockOrder.reads */
	bool placed;
} OrderNode;

typedef struct OrderFeed {
	u32 from, next; /* a load, or a value; of the same reader, + 1 */
} OrderFeed;

/* What a register holds from one writer in the block to the next, or when the block begins. */
typedef struct OrderValue {
	u32 size, readers; /* registers of a lane; of the block's instructions, not placed yet */
	bool ends;         /* nothing reads it behind the block */
} OrderValue;

/* An address as a register, sums of others times the size of an element, and bytes. */
enum { MOST_TERMS = 4 };
typedef struct Place {
	u32 base, term[MOST_TERMS], n; /* registers, sorted */
	i64 size, bytes;
	bool known; /* of its terms none changes within the block */
	u32 arg;    /* of the kernel, + 1: the pointer that it is reached by; 0: not known */
} Place;

typedef struct BlockOrder {
	const Device *dev;
	const Program *p;
	const u32 *ins; /* n of Program.ins */
	const u32 *by;  /* Predicates.by */
	u32 n;
	OrderNode *node;
	Place *place;   /* per node: of its access */
	const CostOps *ops;
	ARRAY(OrderEdge) edges;
	ARRAY(OrderFeed) feeds, reads;
	ARRAY(OrderValue) values;
	u32 *value; /* per register, of this block: what it holds now, + 1 */
	/* Per register, of this block: who wrote it last, who reads it since (+ 1) */
	u32 *writer, *reader;
	u32 room;       /* registers of a lane that loads may fill ahead of what reads them */
	u32 spare;      /* … that other values may take, more than where the block begins; 0: no limit */
	const u32 *arg; /* per register: the argument that it holds when the kernel starts, + 1; 0: none */
	u32 *more; /* per node and operand: the reader before it, + 1 */
	u32 *more_first;
} BlockOrder;

static void edge(BlockOrder *o, u32 from, u32 to, u32 cycles)
{
	array_push(&o->edges, ((OrderEdge){to, o->node[from].edges, cycles}));
	o->node[from].edges = o->edges.n;
	o->node[to].npred++;
}

/* Cycles until the result of an instruction can be read. */
static u32 latency(const Device *dev, const Program *p, const Ins *i)
{
	switch (op_info[i->op].unit) {
	case UNIT_NONE: return 0;
	case UNIT_MEM: return i->space == SPACE_LDS ? dev->lds_latency : dev->l2_latency;
	default: return cost_latency(dev, p, i);
	}
}

/* ---- what must follow what ---- */

/* Loads of what is far away. */
static u32 registers_ahead(const BlockOrder *o, const Ins *x)
{
	if (x->op != OP_ld || x->space == SPACE_LDS || cost_in_bank(o->ops, x))
		return 0;
	return (ins_access_bytes(o->p, x) + 3) / 4;
}

static void feed(BlockOrder *o, u32 load, u32 reader)
{
	if (!o->node[load].ahead)
		return;
	array_push(&o->feeds, ((OrderFeed){load, o->node[reader].feeds}));
	o->node[reader].feeds = o->feeds.n;
}

/* What it reads, and its predicate. */
static u32 operands(const BlockOrder *o, u32 k)
{
	return o->p->ins.v[o->ins[k]].nsrc + (o->by[o->ins[k]] != NO_PREDICATE ? 1u : 0u);
}

static u32 operand(const BlockOrder *o, u32 k, u32 j)
{
	const Ins *x = &o->p->ins.v[o->ins[k]];
	return j < x->nsrc ? ins_src(o->p, x)[j] : o->by[o->ins[k]];
}

/* Registers of a lane that a value takes: of floats alone, since integers are mostly addresses. */
static u32 size_of(const BlockOrder *o, u32 reg)
{
	const Reg *r = &o->p->regs.v[reg];
	return r->kind == REG_VECTOR && type_is_float(r->type) ? (type_bytes[r->type] + 3u) / 4 : 0;
}

static u32 new_value(BlockOrder *o, u32 reg, u32 size, bool ends)
{
	array_push(&o->values, ((OrderValue){size, 0, ends}));
	return o->value[reg] = o->values.n;
}

/* Is what a register holds when the block begins read there last, but for what is written since? */
static bool ends_here(const BlockOrder *o, u32 reg)
{
	const RegUse *r = &o->ops->reg[reg];
	const Block *of = o->p->blocks.v;
	u32 code = cost_code_of(o->ops, o->ins[0]);
	return r->ndefs == 1 && cost_code_of(o->ops, r->use) == code &&
	       of[o->ops->block_of[r->def]].loop_depth >= of[code].loop_depth;
}

static void count_values(BlockOrder *o, u32 k)
{
	const Ins *x = &o->p->ins.v[o->ins[k]];
	for (u32 j = 0; j < operands(o, k); j++) {
		u32 r = operand(o, k, j);
		if (!size_of(o, r))
			continue;
		u32 v = o->value[r] ? o->value[r] : new_value(o, r, size_of(o, r), ends_here(o, r));
		o->values.v[v - 1].readers++;
		array_push(&o->reads, ((OrderFeed){v - 1, o->node[k].reads}));
		o->node[k].reads = o->reads.n;
	}
	for (u32 j = 0; j < x->ndst; j++) {
		u32 r = ins_dst(o->p, x)[j];
		if (!size_of(o, r))
			continue;
		bool replaces = !o->value[r] && o->ops->reg[r].ndefs > 1; /* what the register had before the block */
		if (o->value[r])
			o->values.v[o->value[r] - 1].ends = true;
		u32 size = registers_ahead(o, x) ? 0 : size_of(o, r); /* loads are limited by o->room */
		new_value(o, r, size, !o->ops->reg[r].leaves && o->ops->reg[r].ndefs == 1);
		o->node[k].made += replaces ? 0 : size;
	}
}

static void register_edges(BlockOrder *o, u32 k)
{
	const Ins *x = &o->p->ins.v[o->ins[k]];
	o->node[k].ahead = registers_ahead(o, x);
	for (u32 j = 0; j < operands(o, k); j++) {
		u32 r = operand(o, k, j);
		if (o->p->regs.v[r].kind == REG_CONST)
			continue;
		if (o->writer[r]) {
			u32 by = o->writer[r] - 1, cycles = latency(o->dev, o->p, &o->p->ins.v[o->ins[by]]);
			edge(o, by, k, j < x->nsrc || o->dev->guard_latency < cycles ? cycles : o->dev->guard_latency);
			feed(o, by, k);
		}
		o->more[o->more_first[k] + j] = o->reader[r];
		o->reader[r] = o->more_first[k] + j + 1;
	}
	for (u32 j = 0; j < x->ndst; j++) {
		u32 r = ins_dst(o->p, x)[j];
		if (o->writer[r] && o->writer[r] != k + 1)
			edge(o, o->writer[r] - 1, k, 1);
		o->writer[r] = k + 1;
	}
}

/* Who read a register before it is written again: the writer follows them. */
static void reader_edges(BlockOrder *o, u32 k, const u32 *owner)
{
	const Ins *x = &o->p->ins.v[o->ins[k]];
	for (u32 j = 0; j < x->ndst; j++) {
		u32 r = ins_dst(o->p, x)[j];
		for (u32 at = o->reader[r]; at; at = o->more[at - 1])
			if (owner[at - 1] != k)
				edge(o, owner[at - 1], k, 0);
		o->reader[r] = 0;
	}
}

enum { BY_LDS, BY_PRIVATE, BY_GLOBAL, BY_COUNT };

/* Accesses that later ones of the same memory may have to follow. barred: the first of `stores` follows all before it,
 * and all behind follow it. */
enum { MOST_STORES = 16, MOST_LOADS = 64 };
typedef struct MemoryOrder {
	ARRAY(u32) stores[BY_COUNT], loads[BY_COUNT];
	bool barred[BY_COUNT];
} MemoryOrder;

/* Is it the same wherever the block reads it? */
static bool one_value(const BlockOrder *o, u32 reg) { return cost_def(o->ops, reg) || !o->writer[reg]; }

static void add_term(const BlockOrder *o, Place *at, u32 reg)
{
	if (at->n == MOST_TERMS || !one_value(o, reg)) {
		at->known = false;
		return;
	}
	u32 k = at->n++;
	for (; k && at->term[k - 1] > reg; k--)
		at->term[k] = at->term[k - 1];
	at->term[k] = reg;
}

/* An index, as the sum that it is. A compiler may take it that the sums of a source's indices do not wrap; LLVM writes
 * as `or` what adds below the bits of the other. */
static void add_index(const BlockOrder *o, Place *at, u32 reg, u32 depth)
{
	const Reg *r = &o->p->regs.v[reg];
	const Ins *by = cost_def(o->ops, reg);
	if (r->kind == REG_CONST) {
		u64 n = r->type == T_i32 ? (u64)(i64)(i32)(u32)r->value : (u64)r->value;
		at->bytes = (i64)((u64)at->bytes + (u64)at->size * n); /* it may wrap, as the address would */
		return;
	}
	bool sum = by && (by->op == OP_add_i32 || by->op == OP_add_i64 || adds_bits(o->p, o->ops->zeros, by));
	if (sum && depth) {
		add_index(o, at, ins_src(o->p, by)[0], depth - 1);
		add_index(o, at, ins_src(o->p, by)[1], depth - 1);
	} else if (by && by->op == OP_sext_i64_i32 && depth) {
		add_index(o, at, ins_src(o->p, by)[0], depth - 1);
	} else {
		add_term(o, at, reg);
	}
}

/* The argument of the kernel that a pointer is made of, + 1, or 0. */
static u32 arg_of(const BlockOrder *o, u32 reg)
{
	enum { FAR = 64 }; /* further is no sum that a source has */
	for (u32 k = 0; k < FAR; k++) {
		const Ins *by = cost_def(o->ops, reg);
		if (!by)
			return o->arg[reg];
		if (!op_makes_address(by->op))
			return 0;
		reg = ins_src(o->p, by)[0];
	}
	return 0;
}

static Place place_of(const BlockOrder *o, const Ins *x)
{
	enum { DEPTH = 6 };
	u32 from = ins_src(o->p, x)[0];
	const Ins *by = cost_def(o->ops, from);
	Place at = {.base = from, .bytes = x->imm, .known = true, .arg = arg_of(o, from)};
	/* Sums without a sign may wrap where the source's do not. */
	if (by && op_makes_address(by->op) && by->op != OP_leaz_i64) {
		at.base = ins_src(o->p, by)[0];
		at.size = by->imm;
		add_index(o, &at, ins_src(o->p, by)[1], DEPTH);
	}
	at.known &= one_value(o, at.base);
	return at;
}

/* By two pointers, one of which is said to be the only one. */
static bool restricted(const BlockOrder *o, const Place *a, const Place *b)
{
	const KernelArg *args = o->p->args.v;
	return a->arg && b->arg && a->arg != b->arg && (args[a->arg - 1].is_restrict || args[b->arg - 1].is_restrict);
}

/* Of local or private memory: an object's addresses have the number of a segment. */
static bool of_two_objects(const BlockOrder *o, const Place *a, const Place *b)
{
	const Reg *x = &o->p->regs.v[a->base], *y = &o->p->regs.v[b->base];
	return x->kind == REG_CONST && y->kind == REG_CONST && (u64)x->value >> SEG32_SHIFT != (u64)y->value >> SEG32_SHIFT;
}

/* But for a constant. */
static bool same_place(const Place *p, const Place *q)
{
	return p->known && q->known && p->base == q->base && p->size == q->size && p->n == q->n &&
	       !memcmp(p->term, q->term, p->n * sizeof *p->term);
}

/* Two accesses, a before b, that share no byte: by different pointers, or a constant parts them. */
static bool apart(const BlockOrder *o, u32 a, u32 b)
{
	const Ins *x = &o->p->ins.v[o->ins[a]], *y = &o->p->ins.v[o->ins[b]];
	bool plain = (x->op == OP_ld || x->op == OP_st) && (y->op == OP_ld || y->op == OP_st) && x->space == y->space;
	if (!plain)
		return false;
	const Place *p = &o->place[a], *q = &o->place[b];
	if (restricted(o, p, q) || of_two_objects(o, p, q))
		return true;
	u32 from = ins_src(o->p, y)[0];
	bool same = ins_src(o->p, x)[0] == from && o->writer[from] <= a;
	i64 at = same ? x->imm : p->bytes, next = same ? y->imm : q->bytes;
	bool comparable = same || same_place(p, q);
	u64 ahead = (u64)next - (u64)at;
	return comparable && ahead >= ins_access_bytes(o->p, x) && -ahead >= ins_access_bytes(o->p, y);
}

static void memory_edges(BlockOrder *o, MemoryOrder *m, u32 k)
{
	const Ins *x = &o->p->ins.v[o->ins[k]];
	if (!(op_info[x->op].flags & F_SIDE) || (x->op == OP_ld && x->space == SPACE_CONSTANT))
		return;
	bool memory = op_info[x->op].unit == UNIT_MEM,
	     all = !memory || x->space == SPACE_FLAT || x->op == OP_copy;
	if (x->op == OP_ld || x->op == OP_st)
		o->place[k] = place_of(o, x);
	u32 from = all                         ? 0
	           : x->space == SPACE_LDS     ? BY_LDS
	           : x->space == SPACE_PRIVATE ? BY_PRIVATE
	                                       : BY_GLOBAL;
	for (u32 b = from; b < (all ? (u32)BY_COUNT : from + 1); b++) {
		bool full = m->stores[b].n == MOST_STORES || m->loads[b].n >= MOST_LOADS;
		bool bars = x->op != OP_ld && (full || x->op != OP_st || x->space == SPACE_FLAT);
		for (u32 j = 0; j < m->stores[b].n; j++)
			if (bars || (m->barred[b] && !j) || !apart(o, m->stores[b].v[j], k))
				edge(o, m->stores[b].v[j], k, 1);
		for (u32 j = 0; x->op != OP_ld && j < m->loads[b].n; j++)
			if (bars || !apart(o, m->loads[b].v[j], k))
				edge(o, m->loads[b].v[j], k, 1);
		if (bars) {
			m->stores[b].n = m->loads[b].n = 0;
			m->barred[b] = true;
		}
		if (x->op == OP_ld)
			array_push(&m->loads[b], k);
		else
			array_push(&m->stores[b], k);
	}
}

static void find_edges(BlockOrder *o)
{
	u32 reads = 0;
	for (u32 k = 0; k < o->n; k++)
		reads += operands(o, k);
	o->more = xcalloc(reads + 1, sizeof *o->more);
	o->more_first = xcalloc(o->n + 1, sizeof *o->more_first);
	u32 *owner = xcalloc(reads + 1, sizeof *owner), at = 0;
	MemoryOrder m = {0};
	for (u32 k = 0; k < o->n; k++) {
		o->more_first[k] = at;
		for (u32 j = 0; j < operands(o, k); j++)
			owner[at++] = k;
		count_values(o, k);
		register_edges(o, k);
		reader_edges(o, k, owner);
		memory_edges(o, &m, k);
	}
	for (u32 b = 0; b < BY_COUNT; b++) {
		array_free(&m.stores[b]);
		array_free(&m.loads[b]);
	}
	free(owner);
}

/* Registers of the block as if nothing had touched them. */
static void forget(BlockOrder *o)
{
	for (u32 k = 0; k < o->n; k++) {
		const Ins *x = &o->p->ins.v[o->ins[k]];
		for (u32 j = 0; j < x->ndst; j++)
			o->writer[ins_dst(o->p, x)[j]] = o->value[ins_dst(o->p, x)[j]] = 0;
		for (u32 j = 0; j < operands(o, k); j++)
			o->reader[operand(o, k, j)] = o->value[operand(o, k, j)] = 0;
		for (u32 j = 0; j < x->ndst; j++)
			o->reader[ins_dst(o->p, x)[j]] = 0;
	}
}

/* ---- registers for loads ---- */

static AddressKind addresses_of(const BlockOrder *o)
{
	u32 loads = 0, shared = 0, wrap = 0;
	const Place *last = NULL;
	for (u32 k = 0; k < o->n; k++) {
		if (!o->node[k].ahead)
			continue;
		const Ins *by = cost_def(o->ops, ins_src(o->p, &o->p->ins.v[o->ins[k]])[0]);
		loads++;
		wrap += by && by->op == OP_leaz_i64;
		shared += last && same_place(last, &o->place[k]);
		last = &o->place[k];
	}
	return shared * 2 > loads ? ADDRESSES_shared : wrap * 2 > loads ? ADDRESSES_unsigned : ADDRESSES_own;
}

static const LoadRoom *load_room(const BlockOrder *o) { return &cost_rules[o->dev->ir_rules].loads; }

static bool limits_loads(const BlockOrder *o) { return load_room(o)->step; }

/* Of a lane, with which the most wavefronts stay. */
static u32 most_registers(const BlockOrder *o) { return o->dev->vgpr_file / o->dev->max_waves_per_simd; }

/* A compiler's assembler takes as many registers as let the most wavefronts stay on a vector unit, or, where a kernel
 * needs more, the next step above that. What is left beside those live where the block begins: `needed` more than are
 * live at most, and `beside` these, addresses and the rest take. */
static u32 registers_left(const BlockOrder *o, u32 needed, u32 beside)
{
	const LoadRoom *room = load_room(o);
	u32 all = most_registers(o), most = (o->p->peak_vgprs + needed + room->step - 1) / room->step * room->step;
	all = most > all ? most : all;
	u32 used = o->p->live_vgprs.v[o->ins[0]] + beside;
	return all > used + room->least ? all - used : room->least;
}

/* Loads are issued ahead of what reads them as far as there is room. */
static u32 room_for_loads(const BlockOrder *o)
{
	if (!o->p->live_vgprs.n) /* a Program from its text: half of them */
		return most_registers(o) / 2;
	AddressKind kind = addresses_of(o);
	return registers_left(o, load_room(o)->of[kind].needed, load_room(o)->of[kind].beside);
}

/* So are other operations. Their own values are what is counted, so what addresses take beside them is no more than
 * `needed`. (SASS of n-body kernels unrolled four times: what a root's chain needs is put one turn after the other,
 * where four at a time would take more registers.) */
static u32 room_for_values(const BlockOrder *o)
{
	u32 needed = load_room(o)->of[ADDRESSES_own].needed;
	return o->p->live_vgprs.n ? registers_left(o, needed, needed) : 0;
}

/* ---- the order ---- */

/* The last of the block waits for its operands, too; if it is a branch, for a condition. */
static void find_heights(BlockOrder *o)
{
	const Ins *last = &o->p->ins.v[o->ins[o->n]];
	for (u32 j = 0; j < last->nsrc; j++) {
		u32 by = o->writer[ins_src(o->p, last)[j]];
		if (by)
			o->node[by - 1].height = last->op == OP_br ? o->dev->guard_latency
			                                           : latency(o->dev, o->p, &o->p->ins.v[o->ins[by - 1]]);
	}
	for (u32 k = o->n; k-- > 0;) {
		OrderNode *x = &o->node[k];
		for (u32 e = x->edges; e; e = o->edges.v[e - 1].next) {
			u32 h = o->edges.v[e - 1].cycles + o->node[o->edges.v[e - 1].to].height;
			x->height = h > x->height ? h : x->height;
		}
	}
}

/* Those that can start now wait in one heap for each part of a vector unit; the parts for logic and for functions
 * take the next one only some cycles later. Loads wait while registers are full of what nobody has read yet, and
 * something else can start sooner or later. */
enum { MAIN, LOGIC, TRANS, LOADS, PARTS };

typedef struct Schedule {
	Heap ready[PARTS], later; /* key << 32 | node */
	u32 now, free[PARTS]; /* cycle from which a part takes the next one */
	u32 ahead; /* sum of OrderNode.ahead */
	i64 held;  /* registers of a lane that values take, more than where the block begins */
	u32 first; /* in the IR's order, of those not placed */
} Schedule;

static u32 part_of(const BlockOrder *o, u32 k)
{
	if (limits_loads(o) && o->node[k].ahead)
		return LOADS;
	const Ins *i = &o->p->ins.v[o->ins[k]];
	if (cost_is_logic(o->dev, i))
		return LOGIC;
	return op_info[i->op].unit == UNIT_TRANS && o->dev->trans_unit == TRANS_UNIT_own ? TRANS : MAIN;
}

/* Registers are full: one after the other, as the IR has them, but for loads that have room. */
static bool is_full(const BlockOrder *o, const Schedule *s) { return o->spare && s->held >= (i64)o->spare; }

/* Node k is next, as soon as its operands and its part of the vector unit are there. */
static u32 starts(const BlockOrder *o, Schedule *s, u32 k)
{
	const u32 rate[PARTS] = {[LOGIC] = o->dev->cycles_logic, [TRANS] = o->dev->cycles_trans};
	u32 part = part_of(o, k), from = o->node[k].ready > s->free[part] ? o->node[k].ready : s->free[part];
	s->now = from > s->now ? from : s->now;
	s->free[part] = s->now + rate[part];
	return k;
}

static u32 take_next(BlockOrder *o, Schedule *s)
{
	while (o->node[s->first].placed)
		s->first++;
	for (;;) {
		for (u32 i = 0; i < PARTS; i++)
			while (s->ready[i].n && o->node[(u32)s->ready[i].v[0]].placed)
				heap_take(&s->ready[i]);
		while (s->later.n && s->later.v[0] >> 32 <= s->now) {
			u32 k = (u32)heap_take(&s->later);
			if (o->node[k].placed)
				continue;
			heap_put(&s->ready[part_of(o, k)], (u64)(UINT32_MAX - o->node[k].height) << 32 | k);
		}
		bool full = is_full(o, s);
		bool others = s->later.n || s->ready[MAIN].n || s->ready[LOGIC].n || s->ready[TRANS].n;
		bool can[PARTS] = {
			[MAIN] = !full && s->ready[MAIN].n,
			[LOGIC] = !full && s->ready[LOGIC].n && s->free[LOGIC] <= s->now,
			[TRANS] = !full && s->ready[TRANS].n && s->free[TRANS] <= s->now,
			[LOADS] = s->ready[LOADS].n && (s->ahead < o->room || !(full || others)),
		};
		u32 best = PARTS;
		for (u32 i = 0; i < PARTS; i++)
			if (can[i] && (best == PARTS || s->ready[i].v[0] < s->ready[best].v[0]))
				best = i;
		if (best != PARTS)
			return starts(o, s, (u32)heap_take(&s->ready[best]));
		if (full)
			return starts(o, s, s->first);
		u64 next = s->later.n ? s->later.v[0] >> 32 : UINT64_MAX;
		for (u32 i = LOGIC; i <= TRANS; i++)
			if (s->ready[i].n && s->free[i] < next)
				next = s->free[i];
		s->now = (u32)next;
	}
}

/* Node k starts: what it reads first leaves room for other loads. */
static void count_ahead(BlockOrder *o, Schedule *s, u32 k)
{
	for (u32 f = o->node[k].feeds; f; f = o->feeds.v[f - 1].next) {
		OrderNode *load = &o->node[o->feeds.v[f - 1].from];
		s->ahead -= load->ahead;
		load->ahead = 0;
	}
	s->ahead += o->node[k].ahead;
	s->held += o->node[k].made;
	for (u32 r = o->node[k].reads; r; r = o->reads.v[r - 1].next) {
		OrderValue *v = &o->values.v[o->reads.v[r - 1].from];
		s->held -= --v->readers || !v->ends ? 0 : v->size;
	}
}

static void put_order(BlockOrder *o, u32 *order)
{
	Schedule s = {.now = 0};
	for (u32 k = 0; k < o->n; k++)
		if (!o->node[k].npred)
			heap_put(&s.later, k);
	for (u32 done = 0; done < o->n;) {
		u32 k = take_next(o, &s);
		order[done++] = o->ins[k];
		o->node[k].placed = true;
		count_ahead(o, &s, k);
		for (u32 e = o->node[k].edges; e; e = o->edges.v[e - 1].next) {
			OrderNode *to = &o->node[o->edges.v[e - 1].to];
			u32 at = s.now + o->edges.v[e - 1].cycles;
			to->ready = at > to->ready ? at : to->ready;
			if (!--to->npred)
				heap_put(&s.later, (u64)to->ready << 32 | o->edges.v[e - 1].to);
		}
		s.now += op_info[o->p->ins.v[o->ins[k]].op].unit != UNIT_NONE;
	}
	for (u32 i = 0; i < PARTS; i++)
		array_free(&s.ready[i]);
	array_free(&s.later);
}

struct Scheduler {
	const CostOps *ops;
	u32 *writer, *reader, *arg, *value;
};

Scheduler *scheduler_new(const CostOps *o, Arena *a)
{
	Scheduler *x = ARENA_NEW(a, Scheduler);
	u32 n = o->p->regs.n + 1;
	*x = (Scheduler){.ops = o, .writer = ARENA_ARRAY(a, u32, n), .reader = ARENA_ARRAY(a, u32, n),
	                 .arg = ARENA_ARRAY(a, u32, n), .value = ARENA_ARRAY(a, u32, n)};
	for (u32 i = 0; i < o->p->params.n; i++) {
		const Param *p = &o->p->params.v[i];
		if (!p->by_address)
			x->arg[p->reg] = p->arg + 1;
	}
	return x;
}

/* The last stays the last. */
static void schedule(Scheduler *x, u32 *list, const u32 *by, u32 n)
{
	u32 *from = xmalloc(n * sizeof *from);
	memcpy(from, list, n * sizeof *from);
	BlockOrder o = {.dev = x->ops->dev, .p = x->ops->p, .ops = x->ops, .ins = from, .by = by, .n = n - 1,
	                .writer = x->writer, .reader = x->reader, .arg = x->arg, .value = x->value};
	o.node = xcalloc(n, sizeof *o.node);
	o.place = xcalloc(n, sizeof *o.place);
	find_edges(&o);
	find_heights(&o);
	forget(&o);
	o.room = limits_loads(&o) ? room_for_loads(&o) : 0;
	o.spare = limits_loads(&o) ? room_for_values(&o) : 0;
	put_order(&o, list);
	array_free(&o.edges);
	array_free(&o.feeds);
	array_free(&o.reads);
	array_free(&o.values);
	free(from);
	free(o.node);
	free(o.place);
	free(o.more);
	free(o.more_first);
}

/* What becomes code with a branch is where the machine's block ends. */
void schedule_block(Scheduler *x, u32 *list, const u32 *by, u32 n)
{
	for (u32 i = 0, from = 0; i < n; i++) {
		if (i + 1 < n && !cost_branches(x->ops->dev, x->ops->p, &x->ops->p->ins.v[list[i]]))
			continue;
		schedule(x, list + from, by, i + 1 - from);
		from = i + 1;
	}
}
