/* LDS accesses at their machine width.
 *
 * The compiler merges neighbouring accesses into one instruction (ds_read2, b64, b128) and takes
 * apart those that are not aligned. An instruction names the IR instruction it came from, one of
 * those it does; its addresses are the named access's plus a constant, which is all that its bank
 * cycles need (models/device/lds_rule.h). So each instruction is counted with the access it names, and an access
 * that none names was merged into another's. That this is the whole story shows in the bytes:
 * those of the instructions that belong to a block must be those of its accesses, reads and writes
 * apart. Where they are not, or where copies of a block do the same access in different ways, the
 * mapping is not known and the Program's own width counts.
 *
 * Where there is no machine code, access_parts says what is known of the chip's compiler. */
#include "models/device/lds_plan.h"

#include "isa/event.h"

typedef struct AccessOrigin {
	u32 ins;   /* the first access of that IR instruction, + 1; 0: none */
	u32 first, n; /* its instructions in one machine block: PlanBuilder.at */
	bool unclear; /* another block does it by different ones */
} AccessOrigin;

typedef struct PlanBuilder {
	const Program *p;
	const MachineCode *c;
	AccessOrigin *of; /* per IR instruction */
	ARRAY(u32) at; /* machine instructions */
	ARRAY(LdsIns) ins;
	LdsAccess *plan;
} PlanBuilder;

enum { READ, WRITE, KINDS };

static bool is_access(const Ins *x, u32 kind)
{
	return x->space == SPACE_LDS && x->op == (kind == WRITE ? OP_st : OP_ld);
}

static void find_origins(PlanBuilder *b)
{
	for (u32 i = b->p->ins.n; i-- > 0;) {
		const Ins *x = &b->p->ins.v[i];
		if ((is_access(x, READ) || is_access(x, WRITE)) && x->origin && x->origin <= b->c->nplaces)
			b->of[x->origin - 1].ins = i + 1;
	}
}

static bool same_ins(const MachineIns *a, const MachineIns *b)
{
	return a->bytes == b->bytes && a->pair == b->pair && a->distance == b->distance;
}

/* The IR instruction whose access x does, or NO_IR. Stores that LLVM's vectoriser joins get the place
 * of what follows the last of them. */
static u32 access_of(const PlanBuilder *b, const MachineIns *x)
{
	if ((x->cls != MC_lds_read && x->cls != MC_lds_write) || x->ir >= b->c->nplaces)
		return NO_IR;
	u32 op = x->cls == MC_lds_write ? OP_st : OP_ld;
	for (u32 back = 0; back <= (x->cls == MC_lds_write) && back <= x->ir; back++) {
		u32 ins = b->of[x->ir - back].ins;
		if (ins && b->p->ins.v[ins - 1].op == op)
			return x->ir - back;
	}
	return NO_IR;
}

/* The instructions of a block that do the access of IR instruction ir. */
static void take_block(PlanBuilder *b, u32 block, u32 ir)
{
	const MachineBlock *k = &b->c->blocks.v[block];
	AccessOrigin *o = &b->of[ir];
	u32 n = 0;
	bool first = !o->n;
	if (first)
		o->first = b->at.n;
	for (u32 i = k->first; i < k->first + k->n; i++) {
		const MachineIns *x = &b->c->ins.v[i];
		if (access_of(b, x) != ir)
			continue;
		if (first)
			array_push(&b->at, i);
		else if (n >= o->n || !same_ins(x, &b->c->ins.v[b->at.v[o->first + n]]))
			o->unclear = true;
		n++;
	}
	if (first)
		o->n = n;
	else
		o->unclear |= n != o->n;
}

static void find_instructions(PlanBuilder *b)
{
	u32 *seen = xcalloc(b->c->nplaces + 1, sizeof *seen); /* block + 1 */
	for (u32 k = 0; k < b->c->blocks.n; k++) {
		const MachineBlock *block = &b->c->blocks.v[k];
		for (u32 i = block->first; i < block->first + block->n; i++) {
			u32 ir = access_of(b, &b->c->ins.v[i]);
			if (ir == NO_IR || seen[ir] == k + 1)
				continue;
			seen[ir] = k + 1;
			take_block(b, k, ir);
		}
	}
	free(seen);
}

/* The bytes of a block's accesses and of the instructions that name them. */
static bool adds_up(const PlanBuilder *b, const Block *k, u32 kind)
{
	u64 ir = 0, machine = 0;
	for (u32 i = k->first; i < k->first + k->n; i++) {
		const Ins *x = &b->p->ins.v[i];
		if (!is_access(x, kind))
			continue;
		if (!x->origin || x->origin > b->c->nplaces)
			return false;
		const AccessOrigin *o = &b->of[x->origin - 1];
		ir += ins_access_bytes(b->p, x);
		if (o->unclear)
			return false;
		for (u32 n = 0; o->ins == i + 1 && n < o->n; n++)
			machine += b->c->ins.v[b->at.v[o->first + n]].bytes;
	}
	return ir == machine;
}

static void plan_block(PlanBuilder *b, const Block *k, u32 kind)
{
	if (!adds_up(b, k, kind))
		return;
	for (u32 i = k->first; i < k->first + k->n; i++) {
		const Ins *x = &b->p->ins.v[i];
		if (!is_access(x, kind))
			continue;
		const AccessOrigin *o = &b->of[x->origin - 1];
		LdsAccess *out = &b->plan[i];
		out->known = true;
		out->first = b->ins.n;
		for (u32 n = 0; o->ins == i + 1 && n < o->n; n++, out->n++) {
			const MachineIns *m = &b->c->ins.v[b->at.v[o->first + n]];
			array_push(&b->ins, ((LdsIns){m->bytes, m->pair, m->distance}));
		}
	}
}

const LdsPlan *lds_plan_new(const MachineCode *code, const Program *p, Arena *a)
{
	if (!code || code->missing)
		return NULL;
	PlanBuilder b = {.p = p, .c = code, .plan = ARENA_ARRAY(a, LdsAccess, p->ins.n + 1)};
	b.of = xcalloc(code->nplaces + 1, sizeof *b.of);
	find_origins(&b);
	find_instructions(&b);
	for (u32 k = 0; k < p->blocks.n; k++)
		for (u32 kind = 0; kind < KINDS; kind++)
			plan_block(&b, &p->blocks.v[k], kind);
	LdsPlan *plan = ARENA_NEW(a, LdsPlan);
	*plan = (LdsPlan){.of = b.plan, .ins = array_keep(&b.ins, a)};
	array_free(&b.at);
	free(b.of);
	return plan;
}

u32 access_parts(const Device *dev, const Program *p, const Ins *i)
{
	enum { WIDEST = 16, ELEMENTS = 4 }; /* NVIDIA's: bytes, and elements of a vector (PTX of vectors of 8 and 16) */
	bool dwords = dev->codegen == DEVICE_CODEGEN_r600 && i->space == SPACE_LDS;
	bool nvidia = dev->ir_rules == DEVICE_IR_RULES_nvidia;
	u32 bytes = ins_moves(i) ? EVENT_ELEMENT : ins_access_bytes(p, i);
	if (!bytes || (!dwords && !nvidia && i->space != SPACE_PRIVATE))
		return 1;
	u32 each = dwords ? 4 : nvidia && i->align ? 1u << (i->align - 1) : WIDEST;
	each = each < WIDEST ? each : WIDEST;
	u32 elements = i->op == OP_st ? i->nsrc - 1u : i->ndst;
	if (nvidia && !ins_moves(i) && elements > ELEMENTS && each > ELEMENTS * (bytes / elements))
		each = ELEMENTS * (bytes / elements);
	u32 parts = (bytes + each - 1) / each;
	return parts > 255 ? 255 : parts;
}

const LdsPlan *lds_plan_parts(const Device *dev, const Program *p, Arena *a)
{
	LdsAccess *of = ARENA_ARRAY(a, LdsAccess, p->ins.n + 1);
	bool any = dev->codegen == DEVICE_CODEGEN_r600;
	ARRAY(LdsIns) ins = {0};
	for (u32 i = 0; i < p->ins.n; i++) {
		const Ins *x = &p->ins.v[i];
		if (!is_access(x, READ) && !is_access(x, WRITE))
			continue;
		u32 n = access_parts(dev, p, x);
		of[i] = (LdsAccess){.known = true, .first = ins.n, .n = n};
		any |= n > 1;
		for (u32 k = 0; k < n; k++)
			array_push(&ins, ((LdsIns){.bytes = (u16)((ins_access_bytes(p, x) + n - 1) / n)}));
	}
	LdsPlan *plan = ARENA_NEW(a, LdsPlan);
	*plan = (LdsPlan){.of = of, .ins = array_keep(&ins, a)};
	return any ? plan : NULL;
}
