/* Parts of values, and values as text, as the source would write them. */
#include "engine/debug_run.h"

#include <math.h>

enum { MOST_PARTS = 200, DEEPEST = 6 };

/* ---- parts ---- */

u32 debugger_parts(const Debugger *g, const DebugValue *v)
{
	const SymType *t = &g->types.v[v->type];
	if (t->kind == SYM_POINTER)
		return g->types.v[t->base].bytes != 0;
	return t->kind == SYM_STRUCT || t->kind == SYM_ARRAY || t->kind == SYM_VECTOR ? t->n : 0;
}

bool debugger_part(Debugger *g, Focus f, const DebugValue *v, u32 i, DebugValue *out, Buf *name)
{
	const SymType *t = &g->types.v[v->type];
	*out = *v;
	if (t->kind == SYM_POINTER) {
		if (!value_load(g, f, out))
			return false;
		*out = (DebugValue){.type = t->base,
		                    .place = true,
		                    .address = out->bits,
		                    .space = out->space ? out->space : SPACE_FLAT};
		buf_printf(name, "*");
		return true;
	}
	if (!v->place || i >= t->n)
		return false;
	if (t->kind == SYM_STRUCT) {
		const SymMember *m = &g->sym->members.v[t->first + i];
		out->type = m->type;
		out->address += m->offset;
		buf_printf(name, "%s", m->name ? m->name : "");
	} else {
		out->type = t->base;
		out->address += (u64)i * g->types.v[t->base].bytes;
		buf_printf(name, t->kind == SYM_VECTOR ? "s%x" : "[%u]", i);
	}
	return true;
}

/* ---- text ---- */

/* The fewest digits that are this number and no other. */
static void put_float(const SymType *t, u64 bits, Buf *out)
{
	double v = debug_number(t, bits);
	char text[40];
	for (int digits = 1; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, v);
		double back = strtod(text, NULL);
		if (isnan(v) || (t->bytes == 8 ? back == v : (float)back == (float)v) || (t->bytes == 2 && digits == 5))
			break;
	}
	buf_printf(out, "%s", isnan(v) ? "nan" : text);
}

static void put_pointer(Debugger *g, Focus f, const DebugValue *v, Buf *out)
{
	const char *name;
	u64 address = v->bits;
	u32 space = v->space ? v->space : SPACE_FLAT;
	u64 left = sim_debug_extent(g->sim, f.wave, space, address, &name);
	if (left && name) {
		u64 mask = (space == SPACE_LDS || (address & APERTURE_MASK)) ? (1u << SEG32_SHIFT) - 1
		                                                             : ((u64)1 << SEG_SHIFT) - 1;
		u64 at = address & mask & ~APERTURE_MASK, each = g->types.v[g->types.v[v->type].base].bytes;
		bool whole = each && at % each == 0;
		buf_printf(out, at ? whole ? "&%s[%llu]" : "%s + %llu bytes" : "%s", name,
		           (unsigned long long)(whole ? at / each : at));
	} else {
		buf_printf(out, "0x%llx", (unsigned long long)address);
	}
}

static bool value_text(Debugger *g, Focus f, const DebugValue *v, u32 depth, Buf *out)
{
	const SymType *t = &g->types.v[v->type];
	DebugValue x = *v;
	u32 n = debugger_parts(g, v);
	if (t->kind == SYM_STRUCT || t->kind == SYM_ARRAY || t->kind == SYM_VECTOR) {
		bool vector = t->kind == SYM_VECTOR, named = t->kind == SYM_STRUCT;
		buf_printf(out, vector ? "(" : "{");
		for (u32 i = 0; i < n && depth < DEEPEST; i++) {
			Buf name = {0};
			if (i == MOST_PARTS) {
				buf_printf(out, ", ... %u more", n - i);
				break;
			}
			bool ok = debugger_part(g, f, v, i, &x, &name);
			buf_printf(out, "%s", i ? ", " : "");
			if (named && name.n)
				buf_printf(out, "%s = ", name.v);
			array_free(&name);
			if (!ok || !value_text(g, f, &x, depth + 1, out))
				return false;
		}
		buf_printf(out, vector ? ")" : "}");
		return true;
	}
	if (!value_load(g, f, &x))
		return false;
	switch (t->kind) {
	case SYM_FLOAT: put_float(t, x.bits, out); break;
	case SYM_BOOL: buf_printf(out, x.bits ? "true" : "false"); break;
	case SYM_INT: buf_printf(out, "%lld", (long long)debug_signed(t, x.bits)); break;
	case SYM_POINTER: put_pointer(g, f, &x, out); break;
	default: buf_printf(out, "%llu", (unsigned long long)x.bits); break;
	}
	return true;
}

bool debugger_value_text(Debugger *g, Focus f, const DebugValue *v, Buf *out)
{
	u32 was = out->n;
	if (value_text(g, f, v, 0, out))
		return true;
	out->n = was;
	return false;
}
