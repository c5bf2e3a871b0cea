/* Is a Program well formed? Everything isa.h says about a Program and that can be
 * seen without running it. The machine trusts what passes here: it does not look
 * again at register numbers, types or targets.
 *
 * Tables come first; when one of them is broken in a way that would make later
 * checks read outside an array (functions and blocks that do not fit together),
 * the code is not looked at. */
#include "isa/verify.h"

#include "base/hash.h"
#include "isa/text.h"

enum { MAX_FAILURES = 100, QUOTED = 160 };

bool verify_fail(Verifier *v, const char *fmt, ...)
{
	if (++v->failures > MAX_FAILURES)
		return false;
	Buf text = {0};
	if (v->func < v->p->funcs.n) {
		const char *name = v->p->funcs.v[v->func].name;
		buf_printf(&text, "function %u", v->func);
		if (name)
			buf_printf(&text, " %s", name);
		if (v->block != NO_BLOCK)
			buf_printf(&text, ", block %u", v->block);
		if (v->ins != NO_BLOCK)
			buf_printf(&text, ", instruction %u", v->ins);
		buf_printf(&text, ": ");
	}
	va_list ap;
	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	if (v->ins != NO_BLOCK) {
		Buf quote = {0};
		ins_print(v->p, &v->p->ins.v[v->ins], &quote);
		bool cut = quote.n > QUOTED;
		buf_printf(&text, ": %.*s%s", cut ? QUOTED : (int)quote.n, quote.v, cut ? " …" : "");
		array_free(&quote);
	}
	Loc loc = {.file = v->file};
	if (v->lines && v->ins != NO_BLOCK)
		loc.line = v->lines[v->ins];
	diag_error(v->d, loc, "%s", text.v);
	array_free(&text);
	return false;
}

/* ---- registers, objects, arguments ---- */

typedef struct Constant {
	u128 value;
	u32 type, reg;
} Constant;

FIELD_ORDER(order_constants, Constant, type, value, reg)

static void equal_constants(Verifier *v)
{
	const Program *p = v->p;
	Constant *c = xmalloc(sizeof *c * p->regs.n);
	u32 n = 0;
	for (u32 r = 0; r < p->regs.n; r++)
		if (p->regs.v[r].kind == REG_CONST)
			c[n++] = (Constant){.value = p->regs.v[r].value, .type = p->regs.v[r].type, .reg = r};
	qsort(c, n, sizeof *c, order_constants);
	for (u32 i = 1; i < n; i++)
		if (c[i].type == c[i - 1].type && c[i].value == c[i - 1].value)
			verify_fail(v, "constants %u and %u are equal; they must share one register", c[i - 1].reg,
			            c[i].reg);
	free(c);
}

static void registers(Verifier *v)
{
	u32 vectors[TYPE_COUNT] = {0};
	for (u32 r = 0; r < v->p->regs.n; r++) {
		const Reg *reg = &v->p->regs.v[r];
		if (reg->type < TYPE_COUNT && reg->kind == REG_VECTOR)
			vectors[reg->type]++;
	}
	for (u32 r = 0; r < v->p->regs.n; r++) {
		const Reg *reg = &v->p->regs.v[r];
		if (reg->type >= TYPE_COUNT || reg->kind > REG_CONST) {
			verify_fail(v, "register %u has no valid type and kind", r);
			continue;
		}
		u32 bits = reg->type == T_b1 ? 1 : type_bytes[reg->type] * 8u;
		if (reg->kind != REG_CONST && reg->value)
			verify_fail(v, "register %u has a value but is no constant", r);
		if (reg->kind == REG_CONST && bits < 128 && reg->value >> bits)
			verify_fail(v, "constant %u has bits beyond its type %s", r, type_name[reg->type]);
		if (reg->kind == REG_VECTOR && reg->slot >= vectors[reg->type])
			verify_fail(v,
			            "register %u is in slot %u, but there are only %u vector registers of "
			            "type %s (was program_finish called?)",
			            r, reg->slot, vectors[reg->type], type_name[reg->type]);
		if (reg->kind != REG_VECTOR && reg->slot != UINT32_MAX)
			verify_fail(v, "register %u is not a vector register but has slot %u", r, reg->slot);
	}
	equal_constants(v);
}

static u32 object_segments(const Object *o)
{
	bool narrow = o->space == SPACE_LDS || o->space == SPACE_PRIVATE;
	u32 n = narrow ? (u32)(((u64)o->size + (1u << SEG32_SHIFT) - 1) >> SEG32_SHIFT) : 1;
	return n ? n : 1;
}

static void relocations(Verifier *v, u32 i)
{
	const Object *o = &v->p->objects.v[i];
	if (o->nrelocs && !o->data)
		verify_fail(v, "object %u has relocations but no data", i);
	for (u32 r = 0; r < o->nrelocs; r++) {
		if ((u64)o->relocs[r].offset + 8 > o->size)
			verify_fail(v, "object %u has a relocation at %u, outside its %u bytes", i, o->relocs[r].offset,
			            o->size);
		if (o->relocs[r].target >= v->p->objects.n)
			verify_fail(v, "object %u has a relocation to object %u, which does not exist", i,
			            o->relocs[r].target);
	}
}

static void objects(Verifier *v)
{
	enum { GLOBALS, LDS, PRIVATE, SPACES };
	const u32 limit[SPACES] = {1u << 20, 1u << (32 - SEG32_SHIFT), 1u << (32 - SEG32_SHIFT)};
	HashSet taken[SPACES] = {0}; /* a table of all that there may be would be 1 MB for each program */
	u32 globals = 0;
	for (u32 i = 0; i < v->p->objects.n; i++) {
		const Object *o = &v->p->objects.v[i];
		u32 s = o->space == SPACE_LDS ? LDS : o->space == SPACE_PRIVATE ? PRIVATE : GLOBALS;
		if (s == GLOBALS && o->space != SPACE_CONSTANT && o->space != SPACE_GLOBAL)
			verify_fail(v, "object %u is in a space that objects cannot be in", i);
		if (!o->align || (o->align & (o->align - 1)))
			verify_fail(v, "object %u has alignment %u, not a power of two", i, o->align);
		relocations(v, i);
		u32 n = object_segments(o);
		globals += s == GLOBALS;
		if (!o->seg || o->seg >= limit[s] || n > limit[s] - o->seg) {
			verify_fail(v, "object %u has segment number %u, not one of 1 to %u", i, o->seg, limit[s] - 1);
			continue;
		}
		for (u32 k = 0; k < n; k++)
			if (!hash_set_add(&taken[s], o->seg + k))
				verify_fail(v, "object %u has segment number %u, as another object has", i, o->seg + k);
	}
	for (u32 i = 0; i < v->p->args.n; i++) {
		const KernelArg *a = &v->p->args.v[i];
		if (a->seg && (a->kind != ARG_LOCAL || a->seg >= limit[LDS] || !hash_set_add(&taken[LDS], a->seg)))
			verify_fail(v, "argument %u has segment number %u, which is no free one of local memory", i,
			            a->seg);
	}
	for (u32 k = 1; k <= globals && k < limit[GLOBALS]; k++)
		if (hash_set_add(&taken[GLOBALS], k))
			verify_fail(v,
			            "global and constant objects must be numbered from 1 without gaps; "
			            "there is no segment %u",
			            k);
	for (u32 s = 0; s < SPACES; s++)
		hash_set_free(&taken[s]);
}

static void parameters(Verifier *v)
{
	const Program *p = v->p;
	u8 *used = xcalloc(p->regs.n, 1);
	for (u32 i = 0; i < p->args.n; i++)
		if ((u32)p->args.v[i].kind >= ARG_KINDS || p->args.v[i].elem_class >= ELEM_CLASSES)
			verify_fail(v, "argument %u has no valid kind and class", i);
	for (u32 i = 0; i < p->params.n; i++) {
		const Param *m = &p->params.v[i];
		if (m->reg >= p->regs.n || p->regs.v[m->reg].kind != REG_SCALAR ||
		    p->regs.v[m->reg].type >= TYPE_COUNT) {
			verify_fail(v, "parameter %u: register %u is not a scalar register", i, m->reg);
			continue;
		}
		if (used[m->reg])
			verify_fail(v, "parameter %u: register %u is a parameter already", i, m->reg);
		used[m->reg] = 1;
		if (m->arg >= p->args.n) {
			verify_fail(v, "parameter %u: there is no argument %u", i, m->arg);
			continue;
		}
		const KernelArg *a = &p->args.v[m->arg];
		u32 type = p->regs.v[m->reg].type;
		if (m->by_address && type != T_i64)
			verify_fail(v, "parameter %u: an address needs a register of type i64", i);
		if (!m->by_address && a->kind == ARG_VALUE && a->size && (u64)m->offset + type_bytes[type] > a->size)
			verify_fail(v, "parameter %u: offset %u is outside the %u bytes of argument %u", i, m->offset,
			            a->size, m->arg);
	}
	free(used);
}

static void equal_files(Verifier *v)
{
	u32 n = v->p->files.n;
	const char **names = xmalloc(sizeof *names * n);
	for (u32 i = 0; i < n; i++)
		names[i] = v->p->files.v[i];
	qsort(names, n, sizeof *names, by_text);
	for (u32 i = 1; i < n; i++)
		if (!strcmp(names[i - 1], names[i]))
			verify_fail(v, "two files have the name %s", names[i]);
	free(names);
}

static void places(Verifier *v)
{
	const Program *p = v->p;
	for (u32 i = 1; i < p->locs.n; i++)
		if (p->locs.v[i].file >= p->files.n || !p->locs.v[i].line)
			verify_fail(v, "source place %u has no file and line", i);
	equal_files(v);
	if (!p->kernel)
		verify_fail(v, "the program does not name its kernel");
	if (!p->locs.n)
		verify_fail(v, "source place 0, \"no source line\", is missing");
	if (p->live_vgprs.n && p->live_vgprs.n != p->ins.n)
		verify_fail(v, "there are live register counts for %u of %u instructions", p->live_vgprs.n, p->ins.n);
}

/* ---- functions and blocks ---- */

bool verify_distinct(Verifier *v, const u32 *r, u32 n, u32 *twice)
{
	v->round++;
	for (u32 i = 0; i < n; i++) {
		if (v->seen[r[i]] == v->round) {
			*twice = r[i];
			return false;
		}
		v->seen[r[i]] = v->round;
	}
	return true;
}

static bool func_regs(Verifier *v, u32 first, u32 n, const char *what)
{
	const Program *p = v->p;
	u32 twice;
	if ((u64)first + n > p->opnds.n)
		return verify_fail(v, "its %s are outside the operand table", what);
	for (u32 i = 0; i < n; i++) {
		u32 r = p->opnds.v[first + i];
		if (r >= p->regs.n || p->regs.v[r].kind == REG_CONST)
			return verify_fail(v, "one of its %s is not a register that can be written", what);
	}
	if (!verify_distinct(v, p->opnds.v + first, n, &twice))
		return verify_fail(v, "register %u stands twice among its %s", twice, what);
	return true;
}

/* Do functions, blocks and instructions tile their tables in order? */
static bool layout(Verifier *v)
{
	const Program *p = v->p;
	u32 block = 0, ins = 0;
	if (!p->funcs.n)
		return verify_fail(v, "there is no function");
	bool ok = true;
	for (u32 f = 0; f < p->funcs.n; f++) {
		const Func *fn = &p->funcs.v[f];
		v->func = f;
		if (fn->first_block != block || fn->nblocks > p->blocks.n - block)
			return verify_fail(v, "its blocks do not follow those of the function before");
		if (!fn->nblocks)
			ok = verify_fail(v, "it has no block");
		block += fn->nblocks;
		ok &= func_regs(v, fn->params, fn->nparams, "parameters");
		ok &= func_regs(v, fn->results, fn->nresults, "results");
	}
	v->func = NO_BLOCK;
	if (block != p->blocks.n)
		return verify_fail(v, "there are blocks that belong to no function");
	if (p->funcs.v[0].nparams || p->funcs.v[0].nresults)
		ok = verify_fail(v, "the kernel has parameters or results in registers");
	for (u32 b = 0; b < p->blocks.n; b++) {
		const Block *bl = &p->blocks.v[b];
		if (bl->first != ins || bl->n > p->ins.n - ins)
			return verify_fail(v,
			                   "the instructions of block %u do not follow those of the block "
			                   "before",
			                   b);
		ins += bl->n;
	}
	if (ins != p->ins.n)
		return verify_fail(v, "there are instructions that belong to no block");
	return ok;
}

static void one_block(Verifier *v, u32 b)
{
	const Program *p = v->p;
	const Block *bl = &p->blocks.v[b];
	u32 weight = 0;
	v->block = b;
	v->ins = NO_BLOCK;
	if (bl->func != v->func)
		verify_fail(v, "the block says that it belongs to function %u", bl->func);
	if (!bl->n)
		verify_fail(v, "the block is empty");
	for (u32 i = bl->first; i < bl->first + bl->n; i++) {
		const Ins *ins = &p->ins.v[i];
		v->ins = i;
		if (!verify_ins(v, ins))
			continue;
		bool ends = op_info[ins->op].flags & F_END, last = i + 1 == bl->first + bl->n;
		if (ends && !last)
			verify_fail(v, "only the last instruction of a block may end it");
		if (!ends && last)
			verify_fail(v, "the last instruction of a block must end it");
		weight += op_info[ins->op].unit != UNIT_NONE && !p->funcs.v[v->func].image;
	}
	v->ins = NO_BLOCK;
	if (!v->failures && weight != bl->weight)
		verify_fail(v, "the block's weight is %u, not %u (was program_finish called?)", bl->weight, weight);
}

/* Calls must not form a circle. A function called only from functions already known
 * to be fine is fine; each round finds at least one more, or none is left to find. */
static void recursion(Verifier *v)
{
	const Program *p = v->p;
	u32 *callers = xcalloc(p->funcs.n, sizeof *callers), *ready = xmalloc(sizeof *ready * p->funcs.n);
	u32 n = 0, done = 0;
	for (u32 i = 0; i < p->ins.n; i++)
		if (ins_calls(&p->ins.v[i]))
			callers[ins_tgt(p, &p->ins.v[i])[0]]++;
	for (u32 f = 0; f < p->funcs.n; f++)
		if (!callers[f])
			ready[n++] = f;
	while (done < n) {
		const Func *fn = &p->funcs.v[ready[done++]];
		for (u32 b = fn->first_block; b < fn->first_block + fn->nblocks; b++)
			for (u32 i = p->blocks.v[b].first; i < p->blocks.v[b].first + p->blocks.v[b].n; i++)
				if (ins_calls(&p->ins.v[i]) && !--callers[ins_tgt(p, &p->ins.v[i])[0]])
					ready[n++] = ins_tgt(p, &p->ins.v[i])[0];
	}
	for (u32 f = 0; f < p->funcs.n; f++) {
		v->func = f;
		v->block = NO_BLOCK;
		if (callers[f])
			verify_fail(v, "it is part of or called from a circle of calls; there is "
			               "no recursion");
	}
	free(callers);
	free(ready);
}

static void joins(Verifier *v, u32 f)
{
	const Func *fn = &v->p->funcs.v[f];
	u32 *want = xmalloc(sizeof *want * fn->nblocks);
	func_ipdoms(v->p, f, want);
	for (u32 b = 0; b < fn->nblocks; b++) {
		v->block = fn->first_block + b;
		if (v->p->blocks.v[v->block].ipdom != want[b])
			verify_fail(v, "the block's post-dominator is wrong (was program_finish called?)");
	}
	free(want);
}

bool verify_lines(const Program *p, Diag *d, const char *file, const u32 *lines)
{
	Verifier v = {
	    .p = p, .d = d, .file = file, .lines = lines, .func = NO_BLOCK, .block = NO_BLOCK, .ins = NO_BLOCK};
	v.seen = xcalloc(p->regs.n, sizeof *v.seen);
	registers(&v);
	objects(&v);
	places(&v);
	parameters(&v);
	if (layout(&v) && !v.failures) {
		for (v.func = 0; v.func < p->funcs.n; v.func++) {
			const Func *fn = &p->funcs.v[v.func];
			for (u32 b = fn->first_block; b < fn->first_block + fn->nblocks; b++)
				one_block(&v, b);
			v.block = v.ins = NO_BLOCK;
		}
		if (!v.failures)
			recursion(&v);
		for (v.func = 0; !v.failures && v.func < p->funcs.n; v.func++)
			joins(&v, v.func);
	}
	v.func = v.block = v.ins = NO_BLOCK;
	if (v.failures > MAX_FAILURES) {
		u32 more = v.failures - MAX_FAILURES;
		v.failures = 0;
		verify_fail(&v, "%u more things are wrong with the program", more);
	}
	free(v.seen);
	return v.failures == 0;
}

bool program_verify(const Program *p, Diag *d) { return verify_lines(p, d, NULL, NULL); }
