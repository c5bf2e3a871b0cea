/* The lines before the code: kernel, files, formats, objects, arguments, registers,
 * parameters. See parse.h. */
#include "isa/parse.h"
#include "isa/text.h"

void parse_kernel(Parser *ps) { lex_string(&ps->l, &ps->p->kernel); }

void parse_reqd_local(Parser *ps)
{
	for (u32 i = 0; i < 3; i++)
		lex_number(&ps->l, &ps->p->reqd_local[i], UINT32_MAX, "a work-group size");
}

void parse_max_group(Parser *ps)
{
	lex_number(&ps->l, &ps->p->max_group, UINT32_MAX, "a number of work-items");
}

void parse_constant_args(Parser *ps) { ps->p->constant_args = true; }

void parse_peak(Parser *ps)
{
	if (lex_expect(&ps->l, "vgprs"))
		lex_number(&ps->l, &ps->p->peak_vgprs, UINT32_MAX, "a number of registers");
	if (lex_expect(&ps->l, "sgprs"))
		lex_number(&ps->l, &ps->p->peak_sgprs, UINT32_MAX, "a number of registers");
}

void parse_file(Parser *ps)
{
	const char *s;
	if (parse_index(ps, ps->p->files.n, "the file number") && lex_string(&ps->l, &s))
		array_push(&ps->p->files, s);
}

void parse_format(Parser *ps)
{
	const char *s;
	if (parse_index(ps, ps->p->formats.n, "the format number") && lex_string(&ps->l, &s))
		array_push(&ps->p->formats, s);
}

static bool parse_data(Parser *ps, Object *o)
{
	Lex *l = &ps->l;
	lex_end(l);
	const char *start = l->at;
	u32 n = 0;
	while (lex_hex(l->at[0]) >= 0 && lex_hex(l->at[1]) >= 0)
		l->at += 2, n++;
	if (!n || lex_hex(*l->at) >= 0)
		return lex_fail(l, l->at, "expected data, an even number of hex digits");
	if (n > o->size)
		return lex_fail(l, start, "%u bytes of data do not fit in size %u", n, o->size);
	if (o->size > ps->data_left)
		return lex_fail(l, start, "the initial data of all objects exceeds %u MiB",
				MAX_OBJECT >> 20);
	ps->data_left -= o->size;
	u8 *data = arena_alloc(l->arena, o->size);
	for (u32 i = 0; i < n; i++)
		data[i] = (u8)(lex_hex(start[2 * i]) * 16 + lex_hex(start[2 * i + 1]));
	o->data = data;
	return true;
}

void parse_object(Parser *ps)
{
	Lex *l = &ps->l;
	Object o = {.align = 1};
	ARRAY(Reloc) relocs = {0};
	u32 space;
	if (!parse_index(ps, ps->p->objects.n, "the object number") || !parse_name(ps, &o.name) ||
	    !lex_name(l, space_name, SPACE_COUNT, &space, "an address space"))
		return;
	o.space = (u8)space;
	while (!lex_end(l)) {
		static const char *const words[] = {"seg", "size", "align", "row", "data", "reloc"};
		u32 w;
		if (!lex_name(l, words, COUNT(words), &w, "one of seg, size, align, row, data, reloc"))
			break;
		Reloc r;
		switch (w) {
		case 0: lex_number(l, &o.seg, UINT32_MAX, "a segment number"); break;
		case 1: lex_number(l, &o.size, MAX_OBJECT, "an object size"); break;
		case 2: lex_number(l, &o.align, 1u << 31, "an alignment"); break;
		case 3: lex_number(l, &o.row, MAX_OBJECT, "bytes of a row"); break;
		case 4: parse_data(ps, &o); break;
		default:
			if (lex_number(l, &r.offset, MAX_OBJECT, "an offset") &&
			    lex_expect(l, "to") &&
			    lex_number(l, &r.target, UINT32_MAX, "an object number") &&
			    lex_i64(l, &r.addend, "an addend"))
				array_push(&relocs, r);
		}
	}
	o.nrelocs = relocs.n;
	o.relocs = array_keep(&relocs, l->arena);
	if (!l->failed)
		array_push(&ps->p->objects, o);
}

void parse_arg(Parser *ps)
{
	Lex *l = &ps->l;
	KernelArg a = {0};
	u32 kind = 0;
	if (!parse_index(ps, ps->p->args.n, "the argument number") || !parse_name(ps, &a.name) ||
	    !lex_name(l, arg_kind_name, ARG_KINDS, &kind, "a kind of argument"))
		return;
	a.kind = (ArgKind)kind;
	while (!lex_end(l)) {
		static const char *const words[] = {"type", "elem", "bytes", "width",
						    "size", "dims", "seg", "const", "restrict", "writes"};
		u32 w, n = 0;
		if (!lex_name(l, words, COUNT(words), &w, "a word of an argument"))
			return;
		switch (w) {
		case 0: lex_string(l, &a.type_name); break;
		case 1:
			lex_name(l, elem_class_name, ELEM_CLASSES, &n, "a class of element");
			a.elem_class = (u8)n;
			break;
		case 2:
			if (lex_number(l, &n, 8, "an element size") && n & (n - 1))
				lex_fail(l, l->at - 1, "an element has 1, 2, 4 or 8 bytes, not %u", n);
			a.elem_bytes = (u8)n;
			break;
		case 3: lex_number(l, &n, 16, "a vector width"), a.width = (u8)n; break;
		case 4: lex_number(l, &a.size, UINT32_MAX, "a size"); break;
		case 5: lex_number(l, &n, 3, "a number of dimensions"), a.image_dims = (u8)n; break;
		case 6: lex_number(l, &a.seg, UINT32_MAX, "a segment number"); break;
		case 7: a.is_const = true; break;
		case 8: a.is_restrict = true; break;
		default: a.writes = true;
		}
	}
	if (!l->failed)
		array_push(&ps->p->args, a);
}

/* reg v12:f32 slot 3 "acc" | reg s3:i64 "n" | reg c7 = 42:i32 */
void parse_reg_line(Parser *ps)
{
	Lex *l = &ps->l;
	u32 n;
	if (!parse_at_reg(l)) {
		lex_fail(l, l->at,
			 "expected a register, as in reg v1:f32, reg s2:i64, reg c3 = 1:i32");
		return;
	}
	const char *start = l->at;
	char letter = *l->at++;
	if (!lex_number(l, &n, ps->max_reg, "a register number"))
		return;
	if (n < ps->known.n && ps->known.v[n]) {
		lex_fail(l, start, "register %u is declared already", n);
		return;
	}
	Type t;
	if (letter == 'c') {
		u128 v;
		if (!lex_expect(l, "=") || !lex_const(l, &t, &v))
			return;
		parse_declare(ps, n, t, REG_CONST);
		ps->p->regs.v[n].value = v;
		u32 i = parse_pool(ps, t, v);
		if (ps->place.v[i] == UINT32_MAX)
			ps->place.v[i] = n;
	} else {
		if (!lex_expect(l, ":") || !lex_type(l, &t))
			return;
		parse_declare(ps, n, t, letter == 'v' ? REG_VECTOR : REG_SCALAR);
		if (letter == 'v' && lex_take(l, "slot"))
			lex_number(l, &ps->p->regs.v[n].slot, UINT32_MAX - 1, "a slot");
	}
	parse_name(ps, &ps->p->regs.v[n].name);
}

void parse_param(Parser *ps)
{
	Lex *l = &ps->l;
	Param m = {0};
	if (parse_reg(ps, &m.reg) && lex_expect(l, "arg") &&
	    lex_number(l, &m.arg, UINT32_MAX, "an argument number") && lex_expect(l, "offset") &&
	    lex_number(l, &m.offset, UINT32_MAX, "an offset")) {
		m.by_address = lex_take(l, "by_address");
		array_push(&ps->p->params, m);
	}
}
