/* Symbols of a Program: see symbols.h. */
#include "isa/symbols.h"

Symbols *symbols_new(void)
{
	Symbols *s = xcalloc(1, sizeof *s);
	array_push(&s->types, (SymType){0});
	array_push(&s->scopes, (SymScope){0});
	return s;
}

void symbols_free(Symbols *s)
{
	if (!s)
		return;
	array_free(&s->types);
	array_free(&s->members);
	array_free(&s->scopes);
	array_free(&s->vars);
	array_free(&s->loc_scopes);
	free(s);
}

void symbols_type_name(const Symbols *s, u32 type, Buf *out)
{
	enum { DEEPEST = 16 };
	const SymType *t = &s->types.v[type];
	u32 chain[DEEPEST], n = 0;
	for (; !t->name && t->kind >= SYM_POINTER && n < DEEPEST; t = &s->types.v[t->base]) {
		chain[n++] = type;
		type = t->base;
	}
	buf_printf(out, "%s", t->name ? t->name : t->kind == SYM_POINTER || !t->kind ? "void" : "struct");
	/* Pointers are written inside out, bounds of arrays as the source does. */
	for (u32 i = n; i-- > 0;)
		if (s->types.v[chain[i]].kind == SYM_POINTER)
			buf_printf(out, " *");
	for (u32 i = 0; i < n; i++)
		if (s->types.v[chain[i]].kind == SYM_ARRAY)
			buf_printf(out, "[%u]", s->types.v[chain[i]].n);
}
