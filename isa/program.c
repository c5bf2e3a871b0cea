/* Build a Program: registers, shared constants, source places, instructions.
 *
 * Constants and source places are looked up by hash so that building stays
 * linear. The two hash tables are of no interest once the Program is built, so
 * they are behind the public structure: program_new allocates a Builder, of
 * which the Program is the first member. */
#include "isa/isa.h"

#include "base/hash.h"

typedef struct Builder {
	Program p;
	HashIndex consts; /* of p.regs */
	HashIndex locs;   /* of p.locs */
} Builder;

static u64 const_hash(u32 type, u128 value)
{
	return hash_mix(hash_mix(hash_mix(type + 1) ^ (u64)value) ^ (u64)(value >> 64));
}

static u64 loc_hash(const SrcLoc *l) { return hash_mix(hash_mix((u64)l->line << 32 | l->col) ^ l->file); }

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
	hash_index_free(&b->consts);
	hash_index_free(&b->locs);
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
	symbols_free(p->symbols);
	arena_free(p->arena);
	free(b);
}

u32 program_reg(Program *p, Type t, RegKind kind, const char *name)
{
	Reg r = {.type = (u8)t, .kind = (u8)kind, .slot = UINT32_MAX};
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
	value = cut(t, value);
	u64 hash = const_hash(t, value);
	u32 i;
	for (u32 at = 0; hash_index_next(&b->consts, hash, &at, &i);)
		if (p->regs.v[i].type == t && p->regs.v[i].value == value)
			return i;
	i = program_reg(p, t, REG_CONST, NULL);
	p->regs.v[i].value = value;
	hash_index_add(&b->consts, hash, i);
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
	SrcLoc l = {.file = file_index(p, file), .line = line, .col = col};
	u64 hash = loc_hash(&l);
	for (u32 at = 0, i; hash_index_next(&b->locs, hash, &at, &i);) {
		const SrcLoc *old = &p->locs.v[i];
		if (old->file == l.file && old->line == l.line && old->col == l.col)
			return i;
	}
	array_push(&p->locs, l);
	hash_index_add(&b->locs, hash, p->locs.n - 1);
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

u32 program_block_of(const Program *p, u32 ins)
{
	u32 low = 0, high = p->blocks.n;
	if (ins >= p->ins.n)
		return p->blocks.n;
	while (low + 1 < high) {
		u32 mid = (low + high) / 2;
		if (p->blocks.v[mid].first <= ins)
			low = mid;
		else
			high = mid;
	}
	return low;
}

bool *program_copy_places(const Program *p)
{
	bool *places = NULL;
	for (u32 i = 0; i < p->ins.n; i++) {
		const Ins *x = &p->ins.v[i];
		if (x->op != OP_async_copy || !(x->aux & COPY_BY_CODE))
			continue;
		places = places ? places : xcalloc(p->locs.n + 1, sizeof *places);
		places[x->loc] = x->loc;
	}
	return places;
}

u32 program_block(Program *p, const char *name)
{
	Func *f = &p->funcs.v[p->funcs.n - 1];
	if (!f->nblocks)
		f->first_block = p->blocks.n;
	f->nblocks++;
	Block b = {.first = p->ins.n, .func = p->funcs.n - 1, .ipdom = NO_BLOCK};
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
	for (u32 i = 0; i < p->ins.n; i++)
		if (p->ins.v[i].op == OP_image && ins_tgt(p, &p->ins.v[i])[0] < p->funcs.n)
			p->funcs.v[ins_tgt(p, &p->ins.v[i])[0]].image = true;
	for (u32 b = 0; b < p->blocks.n; b++) {
		Block *block = &p->blocks.v[b];
		block->weight = 0;
		for (u32 i = block->first; i < block->first + block->n && !p->funcs.v[block->func].image; i++)
			block->weight += op_info[p->ins.v[i].op].unit != UNIT_NONE;
	}
	program_ipdoms(p);
}
