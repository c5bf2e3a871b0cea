/* The text form of a Program (isa/README.md). Everything that the parser cannot
 * work out again is written; what follows from the rest (weights, joins) at most
 * as a comment. A malformed Program prints too, since the verifier quotes
 * instructions: numbers out of range appear as ?number. */
#include "isa/lane.h"
#include "isa/text.h"

#include <inttypes.h>
#include <stdio.h>

static void print_string(Buf *out, const char *s)
{
	buf_printf(out, "\"");
	for (; *s; s++) {
		u8 c = (u8)*s;
		if (c == '"' || c == '\\')
			buf_printf(out, "\\%c", c);
		else if (c == '\n')
			buf_printf(out, "\\n");
		else if (c == '\t')
			buf_printf(out, "\\t");
		else if (c < 0x20 || c == 0x7F)
			buf_printf(out, "\\x%02x", c);
		else
			buf_printf(out, "%c", c);
	}
	buf_printf(out, "\"");
}

static void print_named(Buf *out, const char *name)
{
	if (name) {
		buf_printf(out, " ");
		print_string(out, name);
	}
}

static void print_numbered(Buf *out, const char *what, u32 i, const char *name)
{
	buf_printf(out, "%s %u", what, i);
	print_named(out, name);
	buf_printf(out, "\n");
}

static void print_hex(Buf *out, u128 v)
{
	if (v >> 64)
		buf_printf(out, "0x%" PRIx64 "%016" PRIx64, (u64)(v >> 64), (u64)v);
	else
		buf_printf(out, "0x%" PRIx64, (u64)v);
}

/* A float in decimal when that gives back the same bits; false when it does not. */
static bool print_float(Buf *out, Type t, u128 bits)
{
	bool wide = t == T_f64;
	double v = wide ? double_of_bits((u64)bits) : (double)lane_float32((u32)bits);
	for (int digits = 1; digits <= (wide ? 17 : 9) && v - v == 0; digits++) {
		char text[40];
		snprintf(text, sizeof text, "%.*g", digits, v);
		if (bits == (wide ? bits_of_double(strtod(text, NULL)) : lane_bits32(strtof(text, NULL))))
			return buf_printf(out, "%s", text), true;
	}
	return false;
}

static void print_const(Buf *out, Type t, u128 v)
{
	bool is_float = t == T_f32 || t == T_f64;
	u32 bits = t == T_b1 ? 1 : type_bytes[t] * 8u;
	i128 sign_extended = t == T_b1 ? (i128)(v & 1) : (i128)(v << (128 - bits)) >> (128 - bits);
	if (is_float && print_float(out, t, v))
		;
	else if (!is_float && sign_extended >= -0xFFFF && sign_extended <= 0xFFFF)
		buf_printf(out, "%" PRId64, (i64)sign_extended);
	else
		print_hex(out, v);
	buf_printf(out, ":%s", type_name[t]);
}

static void print_reg(const Program *p, u32 r, bool with_type, Buf *out)
{
	if (r >= p->regs.n || p->regs.v[r].type >= TYPE_COUNT) {
		buf_printf(out, "?%u", r);
		return;
	}
	const Reg *reg = &p->regs.v[r];
	if (reg->kind == REG_CONST) {
		print_const(out, reg->type, reg->value);
		return;
	}
	buf_printf(out, "%c%u", reg->kind == REG_VECTOR ? 'v' : 's', r);
	if (with_type)
		buf_printf(out, ":%s", type_name[reg->type]);
}

static void print_regs(const Program *p, const u32 *r, u32 n, bool with_type, Buf *out)
{
	for (u32 i = 0; i < n; i++) {
		if (i)
			buf_printf(out, ", ");
		print_reg(p, r[i], with_type, out);
	}
}

static void print_word(Buf *out, const char *const *names, u32 count, u32 i)
{
	if (i < count)
		buf_printf(out, ".%s", names[i]);
	else
		buf_printf(out, ".?%u", i);
}

static void print_suffixes(const Ins *i, Buf *out)
{
	AuxKind aux = op_aux(i->op);
	if (aux == AUX_ATOMIC)
		print_word(out, atomic_name, ATOMIC_COUNT, i->aux);
	if (aux == AUX_QUERY)
		print_word(out, query_name, QUERY_COUNT, i->aux);
	if (aux == AUX_FOLD)
		print_word(out, fold_name, FOLD_COUNT, i->aux);
	if (aux == AUX_NUMBER)
		buf_printf(out, ".%u", i->aux);
	if (op_has_space(i->op))
		print_word(out, space_name, SPACE_COUNT, i->space);
	if (aux == AUX_SPACE)
		print_word(out, space_name, SPACE_COUNT, i->aux);
	if (aux == AUX_ALIGN && i->aux)
		buf_printf(out, ".%u", i->aux);
}

static void print_targets(const Program *p, const Ins *i, Buf *out)
{
	const u32 *tgt = ins_tgt(p, i);
	if (!i->ntgt)
		return;
	buf_printf(out, " -> %u", tgt[0]);
	if (i->op != OP_switch) {
		for (u32 t = 1; t < i->ntgt; t++)
			buf_printf(out, ", %u", tgt[t]);
		return;
	}
	buf_printf(out, " [");
	for (u32 t = 1; t < i->ntgt; t++) {
		u64 at = (u64)i->cases + t - 1;
		buf_printf(out, "%s", t > 1 ? ", " : "");
		if (at < p->cases.n)
			buf_printf(out, "%" PRId64 ": %u", p->cases.v[at], tgt[t]);
		else
			buf_printf(out, "?: %u", tgt[t]);
	}
	buf_printf(out, "]");
}

void ins_print(const Program *p, const Ins *i, Buf *out)
{
	if (i->op >= OP_COUNT || (u64)i->opnd + i->ndst + i->nsrc + i->ntgt > p->opnds.n) {
		if (i->op < OP_COUNT)
			buf_printf(out, "%s ?", op_info[i->op].name);
		else
			buf_printf(out, "?%u", i->op);
		return;
	}
	if (i->ndst) {
		print_regs(p, ins_dst(p, i), i->ndst, true, out);
		buf_printf(out, " = ");
	}
	buf_printf(out, "%s", op_info[i->op].name);
	print_suffixes(i, out);
	if (i->nsrc) {
		buf_printf(out, " ");
		print_regs(p, ins_src(p, i), i->nsrc, false, out);
	}
	if (i->imm && op_info[i->op].lane)
		buf_printf(out, " *%" PRId64, i->imm);
	else if (i->imm)
		buf_printf(out, " %+" PRId64, i->imm);
	print_targets(p, i, out);
	if (i->loc && i->loc < p->locs.n) {
		const SrcLoc *l = &p->locs.v[i->loc];
		buf_printf(out, "  @");
		if (l->file)
			buf_printf(out, "%u:", l->file);
		buf_printf(out, "%u:%u", l->line, l->col);
	}
}

static void print_object(const Program *p, u32 i, Buf *out)
{
	const Object *o = &p->objects.v[i];
	buf_printf(out, "object %u", i);
	print_named(out, o->name);
	buf_printf(out, " %s seg %u size %u align %u",
		   o->space < SPACE_COUNT ? space_name[o->space] : "?", o->seg, o->size, o->align);
	if (o->row)
		buf_printf(out, " row %u", o->row);
	if (o->data) {
		u32 n = o->size;
		while (n > 1 && !o->data[n - 1])
			n--;
		buf_printf(out, " data ");
		for (u32 b = 0; b < n; b++)
			buf_printf(out, "%02x", o->data[b]);
	}
	for (u32 r = 0; r < o->nrelocs; r++)
		buf_printf(out, " reloc %u to %u %+" PRId64, o->relocs[r].offset,
			   o->relocs[r].target, o->relocs[r].addend);
	buf_printf(out, "\n");
}

static void print_arg(const Program *p, u32 i, Buf *out)
{
	const KernelArg *a = &p->args.v[i];
	buf_printf(out, "arg %u", i);
	print_named(out, a->name);
	buf_printf(out, " %s", (u32)a->kind < ARG_KINDS ? arg_kind_name[a->kind] : "?");
	if (a->type_name) {
		buf_printf(out, " type");
		print_named(out, a->type_name);
	}
	if (a->elem_class && a->elem_class < ELEM_CLASSES)
		buf_printf(out, " elem %s", elem_class_name[a->elem_class]);
	if (a->elem_bytes)
		buf_printf(out, " bytes %u", a->elem_bytes);
	if (a->width)
		buf_printf(out, " width %u", a->width);
	if (a->size)
		buf_printf(out, " size %u", a->size);
	if (a->image_dims)
		buf_printf(out, " dims %u", a->image_dims);
	if (a->seg)
		buf_printf(out, " seg %u", a->seg);
	buf_printf(out, "%s%s%s\n", a->is_const ? " const" : "", a->is_restrict ? " restrict" : "",
	           a->writes ? " writes" : "");
}

static void print_declared_reg(const Program *p, u32 i, Buf *out)
{
	const Reg *r = &p->regs.v[i];
	buf_printf(out, "reg ");
	if (r->kind == REG_CONST && r->type < TYPE_COUNT)
		buf_printf(out, "c%u = ", i);
	print_reg(p, i, true, out);
	if (r->kind == REG_VECTOR && r->slot != UINT32_MAX)
		buf_printf(out, " slot %u", r->slot);
	print_named(out, r->name);
	buf_printf(out, "\n");
}

static void print_head(const Program *p, Buf *out)
{
	buf_printf(out, "kernel");
	print_named(out, p->kernel);
	buf_printf(out, "\n");
	if (p->reqd_local[0] || p->reqd_local[1] || p->reqd_local[2])
		buf_printf(out, "reqd_local %u %u %u\n", p->reqd_local[0], p->reqd_local[1],
			   p->reqd_local[2]);
	if (p->max_group)
		buf_printf(out, "max_group %u\n", p->max_group);
	if (p->constant_args)
		buf_printf(out, "constant_args\n");
	if (p->peak_vgprs || p->peak_sgprs)
		buf_printf(out, "peak vgprs %u sgprs %u\n", p->peak_vgprs, p->peak_sgprs);
	for (u32 i = 0; i < p->files.n; i++)
		print_numbered(out, "file", i, p->files.v[i]);
	for (u32 i = 0; i < p->formats.n; i++)
		print_numbered(out, "format", i, p->formats.v[i]);
	for (u32 i = 0; i < p->objects.n; i++)
		print_object(p, i, out);
	for (u32 i = 0; i < p->args.n; i++)
		print_arg(p, i, out);
	for (u32 i = 0; i < p->regs.n; i++)
		print_declared_reg(p, i, out);
	for (u32 i = 0; i < p->params.n; i++) {
		const Param *m = &p->params.v[i];
		buf_printf(out, "param ");
		print_reg(p, m->reg, true, out);
		buf_printf(out, " arg %u offset %u%s\n", m->arg, m->offset,
			   m->by_address ? " by_address" : "");
	}
}

static void print_func(const Program *p, u32 f, Buf *out)
{
	const Func *fn = &p->funcs.v[f];
	buf_printf(out, "\nfunc %u", f);
	print_named(out, fn->name);
	if (fn->nparams) {
		buf_printf(out, " params(");
		print_regs(p, p->opnds.v + fn->params, fn->nparams, true, out);
		buf_printf(out, ")");
	}
	if (fn->nresults) {
		buf_printf(out, " results(");
		print_regs(p, p->opnds.v + fn->results, fn->nresults, true, out);
		buf_printf(out, ")");
	}
	buf_printf(out, "\n");
}

void program_print(const Program *p, Buf *out)
{
	print_head(p, out);
	for (u32 f = 0; f < p->funcs.n; f++) {
		const Func *fn = &p->funcs.v[f];
		print_func(p, f, out);
		for (u32 b = fn->first_block; b < fn->first_block + fn->nblocks; b++) {
			const Block *block = &p->blocks.v[b];
			buf_printf(out, "block %u", b);
			print_named(out, block->name);
			if (block->loop_depth)
				buf_printf(out, " depth %u", block->loop_depth);
			if (block->masked)
				buf_printf(out, " masked");
			if (block->ipdom != NO_BLOCK)
				buf_printf(out, "  # joins at %u", block->ipdom);
			buf_printf(out, "\n");
			for (u32 i = block->first; i < block->first + block->n; i++) {
				buf_printf(out, "\t");
				ins_print(p, &p->ins.v[i], out);
				if (i < p->live_vgprs.n)
					buf_printf(out, " !%u", p->live_vgprs.v[i]);
				buf_printf(out, "\n");
			}
		}
	}
}
