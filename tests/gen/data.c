/* What a program declares besides code: variables and memory in scope, structs, unions,
 * constant tables. */
#include "tests/gen/gen.h"

void add_var(Gen *g, const char *name, Type t, bool assign, bool uniform)
{
	if (g->nvars == MAX_SCOPE)
		return;
	Var *v = &g->var[g->nvars++];
	*v = (Var){.type = t, .assign = assign, .uniform = uniform};
	set_name(v->name, name);
}

void add_arr(Gen *g, const Arr *a)
{
	if (g->narrs < MAX_SCOPE)
		g->arr[g->narrs++] = *a;
}

void add_obj(Gen *g, const char *name, u32 record)
{
	if (g->nobjs == MAX_SCOPE)
		return;
	Obj *o = &g->obj[g->nobjs++];
	*o = (Obj){.record = record, .assign = true};
	set_name(o->name, name);
}

const char *record_name(Gen *g, u32 r)
{
	bool is_union = g->record[r].is_union;
	return arena_printf(g->arena, "%s %s%u", is_union ? "union" : "struct",
			    is_union ? "U" : "S", r);
}

/* All members of a union have one size and only integers, so each may be read after
 * another was written. */
static void make_union(Gen *g, Record *r)
{
	bool wide = has(g, F_long) && chance(g, 40);
	u32 bytes = wide ? 8 : 4;
	r->is_union = true;
	r->nfields = 2 + below(g, 3);
	for (u32 i = 0; i < r->nfields; i++) {
		u32 k = pick_kind(g, wide ? INT : INT & ~(u32)I64);
		u32 n = bytes / (kind_bits(k) / 8);
		bool vector = has(g, F_vector) && chance(g, 50);
		r->field[i] = (Field){.type = mk_type(k, n > 1 && vector ? n : 1), .record = -1};
		if (n > 1 && !vector)
			r->field[i].count = (u8)n;
	}
}

static void make_struct(Gen *g, Record *r)
{
	r->nfields = 2 + below(g, MAX_FIELDS - 1);
	for (u32 i = 0; i < r->nfields; i++) {
		Field *f = &r->field[i];
		*f = (Field){.type = pick_type(g), .record = -1};
		u32 inner = below(g, g->nrecords + 1);
		/* the last member ends every path through nested structs */
		if (inner < g->nrecords && i + 1 < r->nfields && chance(g, 30))
			f->record = (i8)inner;
		else if (chance(g, 20) && type_bytes(f->type) <= 8)
			f->count = (u8)(2u << below(g, 2));
	}
}

void make_records(Gen *g)
{
	u32 n = has(g, F_struct) ? below(g, MAX_RECORDS) : 0;
	for (u32 i = 0; i < n; i++) {
		Record *r = &g->record[i];
		if (chance(g, 35))
			make_union(g, r);
		else
			make_struct(g, r);
		g->nrecords++;
	}
}

void put_record_def(Gen *g, u32 r)
{
	const Record *rec = &g->record[r];
	put(g, "%s {\n", record_name(g, r));
	for (u32 i = 0; i < rec->nfields; i++) {
		const Field *f = &rec->field[i];
		put(g, "\t%s m%u",
		    f->record >= 0 ? record_name(g, (u32)f->record) : type_name(g, f->type), i);
		if (f->count)
			put(g, "[%u]", f->count);
		put(g, ";\n");
	}
	put(g, "};\n");
}

static void put_field_init(Gen *g, const Field *f, bool literal)
{
	if (f->record >= 0) {
		put_record_init(g, (u32)f->record, literal);
		return;
	}
	if (f->count)
		put(g, "{ ");
	for (u32 k = 0; k < (f->count ? f->count : 1u); k++) {
		if (k)
			put(g, ", ");
		if (literal)
			put_literal(g, f->type);
		else
			put_expr(g, f->type, 1);
	}
	if (f->count)
		put(g, " }");
}

void put_record_init(Gen *g, u32 r, bool literal)
{
	const Record *rec = &g->record[r];
	put(g, "{ ");
	for (u32 i = 0; i < (rec->is_union ? 1 : rec->nfields); i++) {
		if (i)
			put(g, ", ");
		put_field_init(g, &rec->field[i], literal);
	}
	put(g, " }");
}

/* The i-th table in program scope; it becomes visible everywhere. */
char *make_tables(Gen *g, u32 i)
{
	Arr a = {.type = pick_type(g), .space = SP_constant};
	a.count = 4u << below(g, 3);
	if (chance(g, 20))
		a.count = 3 + below(g, 12);
	Buf *saved = g->b, text = {0};
	g->b = &text;
	fresh_name(g, a.name, "table");
	put(g, "__constant %s %s[%u] = {", type_name(g, a.type), a.name, a.count);
	for (u32 k = 0; k < a.count; k++) {
		put(g, k % 8 ? " " : "\n\t");
		put_literal(g, a.type);
		put(g, ",");
	}
	put(g, "\n};\n");
	g->b = saved;
	add_arr(g, &a);
	g->ntables = i + 1;
	char *s = arena_strdup(g->arena, text.v);
	array_free(&text);
	return s;
}
