/* Build a Program: registers, shared constants, source places, instructions.
 *
 * Constants and source places are looked up by hash so that building stays
 * linear. The two hash tables are of no interest once the Program is built, so
 * they stand behind the public structure: program_new allocates a Builder, of
 * which the Program is the first member. */
#include "isa/isa.h"

/* A set of indices into an array of the Program, found by the element's hash.
 * A cell holds index + 1; 0 is an empty cell; size is a power of two. */
typedef struct Index {
	u32 *cell;
	u32 size, used;
} Index;

typedef struct Builder {
	Program p;
	Index consts; /* of p.regs */
	Index locs;   /* of p.locs */
} Builder;

static u64 mix(u64 h)
{
	h ^= h >> 32;
	h *= 0xd6e8feb86659fd93ull;
	return h ^ h >> 29;
}

static u64 const_hash(u32 type, u128 value)
{
	return mix(mix(mix(type + 1) ^ (u64)value) ^ (u64)(value >> 64));
}

static u64 loc_hash(const SrcLoc *l) { return mix(mix((u64)l->line << 32 | l->col) ^ l->file); }

static u64 element_hash(const Builder *b, const Index *x, u32 i)
{
	if (x == &b->locs)
		return loc_hash(&b->p.locs.v[i]);
	return const_hash(b->p.regs.v[i].type, b->p.regs.v[i].value);
}

static void index_add(const Builder *b, Index *x, u32 i)
{
	if (x->used * 2 >= x->size) {
		Index grown = {.size = x->size ? x->size * 2 : 64, .used = x->used};
		grown.cell = xcalloc(grown.size, sizeof *grown.cell);
		for (u32 c = 0; c < x->size; c++) {
			if (!x->cell[c])
				continue;
			u64 h = element_hash(b, x, x->cell[c] - 1);
			while (grown.cell[h & (grown.size - 1)])
				h++;
			grown.cell[h & (grown.size - 1)] = x->cell[c];
		}
		free(x->cell);
		*x = grown;
	}
	u64 h = element_hash(b, x, i);
	while (x->cell[h & (x->size - 1)])
		h++;
	x->cell[h & (x->size - 1)] = i + 1;
	x->used++;
}

Program *program_new(void)
{
	Builder *b = xcalloc(1, sizeof *b);
	b->p.arena = arena_new();
	array_push(&b->p.locs, (SrcLoc){0});
	array_reserve(&b->p.opnds, 64); /* never NULL, so that a pointer to no operands is one */
	return &b->p;
}

void program_free(Program *p)
{
	if (!p)
		return;
	Builder *b = (Builder *)p;
	free(b->consts.cell);
	free(b->locs.cell);
	array_free(&p->funcs);
	array_free(&p->blocks);
	array_free(&p->ins);
	array_free(&p->opnds);
	array_free(&p->cases);
	array_free(&p->regs);
	array_free(&p->objects);
	array_free(&p->args);
	array_free(&p->params);
	array_free(&p->formats);
	array_free(&p->files);
	array_free(&p->locs);
	array_free(&p->peak_live);
	array_free(&p->live_vgprs);
	array_free(&p->origins);
	arena_free(p->arena);
	free(b);
}

u32 program_reg(Program *p, Type t, RegKind kind, const char *name)
{
	Reg r = {.type = (u8)t, .kind = (u8)kind, .slot = UINT32_MAX};
	if (name)
		r.name = arena_strdup(p->arena, name);
	array_push(&p->regs, r);
	return p->regs.n - 1;
}

/* value with the bits beyond the type cut off, so that equal constants have equal bits. */
static u128 cut(Type t, u128 value)
{
	if (t == T_b1)
		return value & 1;
	return t == T_i128 ? value : value & (((u128)1 << (type_bytes[t] * 8)) - 1);
}

u32 program_const(Program *p, Type t, u128 value)
{
	Builder *b = (Builder *)p;
	Index *x = &b->consts;
	value = cut(t, value);
	for (u64 h = const_hash(t, value); x->size && x->cell[h & (x->size - 1)]; h++) {
		u32 i = x->cell[h & (x->size - 1)] - 1;
		if (p->regs.v[i].type == t && p->regs.v[i].value == value)
			return i;
	}
	u32 i = program_reg(p, t, REG_CONST, NULL);
	p->regs.v[i].value = value;
	index_add(b, x, i);
	return i;
}

static u32 file_index(Program *p, const char *file)
{
	/* The newest first: consecutive instructions come from the same file. */
	for (u32 i = p->files.n; i-- > 0;)
		if (!strcmp(p->files.v[i], file))
			return i;
	array_push(&p->files, arena_strdup(p->arena, file));
	return p->files.n - 1;
}

u32 program_loc(Program *p, const char *file, u32 line, u32 col)
{
	if (!file || !line)
		return 0;
	Builder *b = (Builder *)p;
	Index *x = &b->locs;
	SrcLoc l = {.file = file_index(p, file), .line = line, .col = col};
	for (u64 h = loc_hash(&l); x->size && x->cell[h & (x->size - 1)]; h++) {
		u32 i = x->cell[h & (x->size - 1)] - 1;
		const SrcLoc *old = &p->locs.v[i];
		if (old->file == l.file && old->line == l.line && old->col == l.col)
			return i;
	}
	array_push(&p->locs, l);
	index_add(b, x, p->locs.n - 1);
	return p->locs.n - 1;
}

static void push_operands(Program *p, const u32 *v, u32 n)
{
	array_reserve(&p->opnds, n);
	for (u32 i = 0; i < n; i++)
		p->opnds.v[p->opnds.n++] = v[i];
}

Ins *program_emit(Program *p, Op op, const u32 *dst, u32 ndst, const u32 *src, u32 nsrc,
		  const u32 *tgt, u32 ntgt, u32 loc)
{
	Ins i = {.op = (u16)op,
		 .ndst = (u16)ndst,
		 .nsrc = (u16)nsrc,
		 .ntgt = (u16)ntgt,
		 .opnd = p->opnds.n,
		 .loc = loc};
	push_operands(p, dst, ndst);
	push_operands(p, src, nsrc);
	push_operands(p, tgt, ntgt);
	array_push(&p->ins, i);
	p->blocks.v[p->blocks.n - 1].n++;
	return &p->ins.v[p->ins.n - 1];
}

u32 ins_access_bytes(const Program *p, const Ins *i)
{
	if (i->op != OP_ld && i->op != OP_st)
		return 0;
	bool store = i->op == OP_st; /* the address, then elements of one type */
	u32 first = store ? ins_src(p, i)[1] : ins_dst(p, i)[0];
	return type_bytes[p->regs.v[first].type] * (store ? i->nsrc - 1u : i->ndst);
}

u32 program_block(Program *p, const char *name)
{
	Func *f = &p->funcs.v[p->funcs.n - 1];
	if (!f->nblocks)
		f->first_block = p->blocks.n;
	f->nblocks++;
	Block b = {.first = p->ins.n, .func = p->funcs.n - 1, .ipdom = NO_BLOCK};
	if (name)
		b.name = arena_strdup(p->arena, name);
	array_push(&p->blocks, b);
	return p->blocks.n - 1;
}

/* Vector registers without a slot get one of their own above those in use. */
static void fill_slots(Program *p)
{
	u32 next[TYPE_COUNT] = {0};
	for (u32 r = 0; r < p->regs.n; r++) {
		const Reg *reg = &p->regs.v[r];
		if (reg->kind == REG_VECTOR && reg->slot != UINT32_MAX &&
		    reg->slot >= next[reg->type])
			next[reg->type] = reg->slot + 1;
	}
	for (u32 r = 0; r < p->regs.n; r++) {
		Reg *reg = &p->regs.v[r];
		if (reg->kind != REG_VECTOR)
			reg->slot = UINT32_MAX;
		else if (reg->slot == UINT32_MAX)
			reg->slot = next[reg->type]++;
	}
}

/* Constants are shared already: program_const hands out one register a value. */
void program_finish(Program *p)
{
	fill_slots(p);
	for (u32 b = 0; b < p->blocks.n; b++) {
		Block *block = &p->blocks.v[b];
		block->weight = 0;
		for (u32 i = block->first; i < block->first + block->n; i++)
			block->weight += op_info[p->ins.v[i].op].unit != UNIT_NONE;
	}
	program_ipdoms(p);
}
