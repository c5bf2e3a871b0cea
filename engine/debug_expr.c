/* Expressions of the source's language, for one lane: names, members, elements, pointers, arithmetic. Nothing is
 * assigned and nothing is called but the functions that say which work-item it is: looking changes nothing.
 *
 * Arithmetic is C's: what is narrower than int becomes int, a float wins over an integer, the wider and the unsigned
 * over the others. */
#include "engine/debug_run.h"

#include <ctype.h>
#include <math.h>

static const SymType *type_of(const Debugger *g, const DebugValue *v) { return &g->types.v[v->type]; }
static bool is_float(const SymType *t) { return t->kind == SYM_FLOAT; }
static bool is_number(const SymType *t) { return t->kind >= SYM_INT && t->kind <= SYM_POINTER && t->bytes <= 8; }

static double half_value(u16 h)
{
	i32 e = h >> 10 & 31, m = h & 1023;
	double v = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(m + 1024, e - 25) : ldexp(m, -24);
	return h & 0x8000 ? -v : v;
}

double debug_number(const SymType *t, u64 bits)
{
	float f;
	double d;
	u32 low = (u32)bits;
	if (t->kind != SYM_FLOAT)
		return t->kind == SYM_INT ? (double)debug_signed(t, bits) : (double)bits;
	memcpy(&f, &low, sizeof f);
	memcpy(&d, &bits, sizeof d);
	return t->bytes == 8 ? d : t->bytes == 4 ? (double)f : half_value((u16)bits);
}

i64 debug_signed(const SymType *t, u64 bits)
{
	u32 shift = t->bytes < 8 ? 64 - 8 * t->bytes : 0;
	return t->kind == SYM_INT ? (i64)(bits << shift) >> shift : (i64)bits;
}

static DebugValue of_own(const Debugger *g, OwnType t, u64 bits)
{
	u32 bytes = g->types.v[g->own[t]].bytes;
	return (DebugValue){.type = g->own[t], .bits = bytes < 8 ? bits & (((u64)1 << 8 * bytes) - 1) : bits};
}

static DebugValue of_double(const Debugger *g, bool wide, double v)
{
	float f = (float)v;
	u64 bits = 0;
	memcpy(&bits, wide ? (void *)&v : (void *)&f, wide ? sizeof v : sizeof f);
	return of_own(g, wide ? OWN_F64 : OWN_F32, bits);
}

static bool is_op(const DebugExpr *e, const char *op) { return !strcmp(e->text, op); }

static bool compare(const DebugExpr *e, int order, bool equal)
{
	if (is_op(e, "=="))
		return equal;
	if (is_op(e, "!="))
		return !equal;
	return is_op(e, "<")    ? order < 0
	       : is_op(e, ">")  ? order > 0
	       : is_op(e, "<=") ? order < 0 || equal
	                        : order > 0 || equal;
}

static bool compares(const DebugExpr *e) { return strchr("=!<>", e->text[0]) && !is_op(e, "<<") && !is_op(e, ">>"); }

static bool of_floats(const Debugger *g, const DebugExpr *e, double a, double b, bool wide, DebugValue *out)
{
	if (compares(e)) {
		bool unordered = isnan(a) || isnan(b);
		*out = of_own(g, OWN_BOOL, unordered ? is_op(e, "!=") : compare(e, a < b ? -1 : a > b, a == b));
		return true;
	}
	switch (e->text[0]) {
	case '+': *out = of_double(g, wide, a + b); return true;
	case '-': *out = of_double(g, wide, a - b); return true;
	case '*': *out = of_double(g, wide, a * b); return true;
	case '/': *out = of_double(g, wide, a / b); return true;
	default: return false;
	}
}

static bool of_integers(const Debugger *g, const DebugExpr *e, u64 a, u64 b, OwnType t, DebugValue *out)
{
	bool sign = t == OWN_I32 || t == OWN_I64;
	u32 bits = 8 * g->types.v[g->own[t]].bytes, by = (u32)b & (bits - 1);
	i64 x = (i64)a, y = (i64)b;
	if (compares(e)) {
		*out = of_own(g, OWN_BOOL, compare(e, sign ? ORDER(x, y) : ORDER(a, b), a == b));
		return true;
	}
	if (strchr("/%", e->text[0]) && !b)
		return false;
	u64 v = 0;
	switch (e->text[0]) {
	case '+': v = a + b; break;
	case '-': v = a - b; break;
	case '*': v = a * b; break;
	case '/': v = !sign ? a / b : y == -1 ? 0 - a : (u64)(x / y); break;
	case '%': v = !sign ? a % b : y == -1 ? 0 : (u64)(x % y); break;
	case '&': v = a & b; break;
	case '|': v = a | b; break;
	case '^': v = a ^ b; break;
	case '<': v = a << by; break;
	default: v = sign ? (u64)(x >> by) : a >> by; break;
	}
	*out = of_own(g, t, v);
	return true;
}

/* Integers as 64 bits of their own sign. */
static u64 widened(const SymType *t, u64 bits) { return t->kind == SYM_INT ? (u64)debug_signed(t, bits) : bits; }

static bool add_pointer(Debugger *g, const DebugExpr *e, const DebugValue *a, const DebugValue *b, DebugValue *out)
{
	const SymType *t = type_of(g, a);
	u64 step = widened(type_of(g, b), b->bits) * (g->types.v[t->base].bytes ? g->types.v[t->base].bytes : 1);
	*out = *a;
	out->bits = is_op(e, "+") ? a->bits + step : a->bits - step;
	return is_op(e, "+") || is_op(e, "-");
}

static bool binary(Debugger *g, const DebugExpr *e, const DebugValue *a, const DebugValue *b, DebugValue *out,
                   const char **why)
{
	const SymType *s = type_of(g, a), *t = type_of(g, b);
	*why = "this operator does not take values of these types";
	if (!is_number(s) || !is_number(t))
		return false;
	if (s->kind == SYM_POINTER && t->kind != SYM_POINTER && !is_float(t) && !compares(e))
		return add_pointer(g, e, a, b, out);
	if (is_float(s) || is_float(t))
		return of_floats(g, e, debug_number(s, a->bits), debug_number(t, b->bits),
		                 s->bytes == 8 || t->bytes == 8, out);
	bool wide = s->bytes == 8 || t->bytes == 8;
	u32 full = wide ? 8 : 4;
	bool u = (s->kind != SYM_INT && s->bytes == full) || (t->kind != SYM_INT && t->bytes == full);
	*why = "division by zero";
	u64 x = widened(s, a->bits), y = widened(t, b->bits);
	if (!wide && u)
		x = (u32)x, y = (u32)y;
	return of_integers(g, e, x, y, wide ? (u ? OWN_U64 : OWN_I64) : u ? OWN_U32 : OWN_I32, out);
}

static bool number_of(Debugger *g, const DebugExpr *e, Focus f, DebugValue *out, const char **why)
{
	if (!debugger_eval(g, e, f, out, why))
		return false;
	*why = "it is no number";
	return value_load(g, f, out) && is_number(type_of(g, out));
}

bool debug_truth(const Debugger *g, const DebugValue *v)
{
	const SymType *t = type_of(g, v);
	return is_float(t) ? debug_number(t, v->bits) != 0 : v->bits != 0;
}

static bool logic(Debugger *g, const DebugExpr *e, Focus f, DebugValue *out, const char **why)
{
	bool is_and = is_op(e, "&&");
	DebugValue v;
	if (!number_of(g, e->a, f, &v, why))
		return false;
	bool r = debug_truth(g, &v);
	if (r == is_and) {
		if (!number_of(g, e->b, f, &v, why))
			return false;
		r = debug_truth(g, &v);
	}
	*out = of_own(g, OWN_BOOL, r);
	return true;
}

/* Where a pointer leads. */
static bool dereference(Debugger *g, Focus f, DebugValue *v, const char **why)
{
	*why = "it is no pointer";
	if (!value_load(g, f, v) || type_of(g, v)->kind != SYM_POINTER)
		return false;
	u32 to = type_of(g, v)->base;
	*why = "what it points to is not known";
	*v = (DebugValue){.type = to, .place = true, .address = v->bits, .space = v->space ? v->space : SPACE_FLAT};
	return g->types.v[to].bytes != 0;
}

static bool element(Debugger *g, Focus f, DebugValue *v, u64 i, const char **why)
{
	const SymType *t = type_of(g, v);
	if (t->kind == SYM_POINTER) {
		if (!dereference(g, f, v, why))
			return false;
	} else {
		*why = "it has no elements";
		if ((t->kind != SYM_ARRAY && t->kind != SYM_VECTOR) || !v->place)
			return false;
		v->type = t->base;
	}
	v->address += i * g->types.v[v->type].bytes;
	return true;
}

/* Which components of a vector ".x", ".s3", ".w" means; UINT32_MAX: none. */
static u32 component(const DebugExpr *e)
{
	static const char xyzw[] = "xyzw", rgba[] = "rgba";
	const char *at;
	if (e->n == 1 && ((at = strchr(xyzw, *e->text))))
		return (u32)(at - xyzw);
	if (e->n == 1 && ((at = strchr(rgba, *e->text))))
		return (u32)(at - rgba);
	char digit[2] = {e->n == 2 && (*e->text == 's' || *e->text == 'S') ? e->text[1] : 0, 0};
	return isxdigit((unsigned char)digit[0]) ? (u32)strtoul(digit, NULL, 16) : UINT32_MAX;
}

static bool member(Debugger *g, const DebugExpr *e, Focus f, DebugValue *v, const char **why)
{
	const SymType *t = type_of(g, v);
	if (t->kind == SYM_POINTER && !dereference(g, f, v, why)) /* as the reader means it */
		return false;
	t = type_of(g, v);
	if (t->kind == SYM_VECTOR && component(e) < t->n)
		return element(g, f, v, component(e), why);
	for (u32 i = 0; t->kind == SYM_STRUCT && v->place && i < t->n; i++) {
		const SymMember *m = &g->sym->members.v[t->first + i];
		if (m->name && strlen(m->name) == e->n && !strncmp(m->name, e->text, e->n)) {
			v->type = m->type;
			v->address += m->offset;
			return true;
		}
	}
	snprintf(g->why, sizeof g->why, "it has no member '%.*s'", (int)e->n, e->text);
	*why = g->why;
	return false;
}

/* get_global_id(0), get_local_id(1), get_group_id(2), get_local_size, get_global_size, get_num_groups,
 * get_global_offset */
static bool work_item(Debugger *g, const DebugExpr *e, Focus f, DebugValue *out, const char **why)
{
	u64 global[3], local[3], k = 0;
	u32 size[3], group[3];
	const SimLaunch *l = &g->run->sim;
	DebugValue v;
	if (e->a && !number_of(g, e->a, f, &v, why))
		return false;
	k = e->a ? v.bits : 0;
	*why = "dimensions are 0, 1 and 2";
	if (k > 2)
		return false;
	sim_debug_item(g->sim, f.wave, f.lane, global, local);
	sim_debug_local(g->sim, size);
	sim_debug_group(g->sim, group);
	const struct {
		const char *name;
		u64 value;
	} all[] = {{"get_global_id", global[k]},
	           {"get_local_id", local[k]},
	           {"get_group_id", group[k]},
	           {"get_local_size", size[k]},
	           {"get_global_size", l->global[k]},
	           {"get_global_offset", l->offset[k]},
	           {"get_num_groups", (l->global[k] + l->local[k] - 1) / l->local[k]}};
	for (u32 i = 0; i < COUNT(all); i++)
		if (strlen(all[i].name) == e->n && !strncmp(all[i].name, e->text, e->n)) {
			*out = of_own(g, OWN_U64, all[i].value);
			return true;
		}
	*why = "only work-item functions such as get_global_id can be called here";
	return false;
}

static bool unary_value(Debugger *g, const DebugExpr *e, Focus f, DebugValue *out, const char **why)
{
	DebugValue v;
	if (!number_of(g, e->a, f, &v, why))
		return false;
	const SymType *t = type_of(g, &v);
	if (e->kind == E_NOT) {
		*out = of_own(g, OWN_BOOL, !debug_truth(g, &v));
		return true;
	}
	if (e->kind == E_MINUS && is_float(t)) {
		*out = of_double(g, t->bytes == 8, -debug_number(t, v.bits));
		return true;
	}
	*why = "only integers have a complement";
	if (is_float(t))
		return false;
	u64 x = widened(t, v.bits);
	OwnType type = t->bytes == 8                         ? (t->kind == SYM_INT ? OWN_I64 : OWN_U64)
	               : t->bytes == 4 && t->kind != SYM_INT ? OWN_U32
	                                                     : OWN_I32;
	*out = of_own(g, type, e->kind == E_MINUS ? 0 - x : ~x);
	return true;
}

static bool address_of(Debugger *g, const DebugExpr *e, Focus f, DebugValue *out, const char **why)
{
	if (!debugger_eval(g, e->a, f, out, why))
		return false;
	*why = "it has no address";
	if (!out->place)
		return false;
	*out = (DebugValue){.type = pointer_to(g, out->type), .bits = out->address, .space = out->space};
	return true;
}

/* threadIdx.x and its like. */
static bool hip_id(Debugger *g, const DebugExpr *e, Focus f, DebugValue *out)
{
	static const struct {
		const char *hip, *opencl;
	} all[] = {{"threadIdx", "get_local_id"},
	           {"blockIdx", "get_group_id"},
	           {"blockDim", "get_local_size"},
	           {"gridDim", "get_num_groups"}};
	const char *why;
	for (u32 i = 0; e->a->kind == E_NAME && e->n == 1 && i < COUNT(all); i++) {
		if (strlen(all[i].hip) != e->a->n || strncmp(all[i].hip, e->a->text, e->a->n))
			continue;
		DebugExpr k = {.kind = E_NUMBER, .value = of_own(g, OWN_I32, (u64)(*e->text - 'x'))};
		DebugExpr call = {.kind = E_CALL, .text = all[i].opencl, .n = strlen(all[i].opencl), .a = &k};
		return work_item(g, &call, f, out, &why);
	}
	return false;
}

/* An element of a variable of which each is in a register of its own: acc[2], v.s1. */
static bool part_in_register(Debugger *g, const DebugExpr *e, Focus f, DebugValue *out)
{
	const char *why;
	if (debugger_is_source(g) || e->a->kind != E_NAME)
		return false;
	DebugValue i = {0};
	u32 k = e->kind == E_MEMBER ? component(e) : 0;
	if (e->kind == E_INDEX && !number_of(g, e->b, f, &i, &why))
		return false;
	Buf name = {0};
	if (e->kind == E_INDEX)
		buf_printf(&name, "%.*s[%u]", (int)e->a->n, e->a->text, (u32)i.bits);
	else if (k < 16)
		buf_printf(&name, "%.*s.s%x", (int)e->a->n, e->a->text, k);
	else
		buf_printf(&name, "%.*s.%.*s", (int)e->a->n, e->a->text, (int)e->n, e->text);
	bool found = named_register(g, f, name.v, name.n, out);
	array_free(&name);
	return found;
}

bool debugger_eval(Debugger *g, const DebugExpr *e, Focus f, DebugValue *out, const char **why)
{
	DebugValue a, b;
	switch (e->kind) {
	case E_NUMBER: *out = e->value; return true;
	case E_NAME: return name_value(g, f, e->text, e->n, out, why);
	case E_CALL: return work_item(g, e, f, out, why);
	case E_MEMBER:
		return hip_id(g, e, f, out) || part_in_register(g, e, f, out) ||
		       (debugger_eval(g, e->a, f, out, why) && member(g, e, f, out, why));
	case E_INDEX:
		if (part_in_register(g, e, f, out))
			return true;
		return number_of(g, e->b, f, &b, why) && debugger_eval(g, e->a, f, out, why) &&
		       element(g, f, out, widened(type_of(g, &b), b.bits), why);
	case E_DEREF: return debugger_eval(g, e->a, f, out, why) && dereference(g, f, out, why);
	case E_ADDRESS: return address_of(g, e, f, out, why);
	case E_NOT:
	case E_COMPLEMENT:
	case E_MINUS: return unary_value(g, e, f, out, why);
	case E_CHOOSE:
		return number_of(g, e->a, f, &a, why) &&
		       debugger_eval(g, debug_truth(g, &a) ? e->b : e->c, f, out, why);
	case E_BINARY: break;
	}
	if (is_op(e, "&&") || is_op(e, "||"))
		return logic(g, e, f, out, why);
	return number_of(g, e->a, f, &a, why) && number_of(g, e->b, f, &b, why) && binary(g, e, &a, &b, out, why);
}
