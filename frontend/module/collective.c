/* Functions of sub-groups and work-groups by their mangled names: see collective.h. */
#include "frontend/module/collective.h"

#include "frontend/module/mangled.h"

enum { LOGICAL = 0x80 }; /* of an operation in collective.def */

typedef struct Row {
	const char *name;
	u8 kind;
	const char *params;
	bool whole;
} Row;

/* ---- the types of parameters ---- */

static bool base_type(char letter, CollectiveType *t)
{
	static const struct { char letter; const char *name; bool is_unsigned, is_float; } types[] = {
		{'c', "i8", false, false},  {'a', "i8", false, false}, {'h', "i8", true, false},
		{'s', "i16", false, false}, {'t', "i16", true, false}, {'i', "i32", false, false},
		{'j', "i32", true, false},  {'l', "i64", false, false}, {'m', "i64", true, false},
		{'f', "float", false, true}, {'d', "double", false, true},
	};
	for (u32 i = 0; i < COUNT(types); i++)
		if (types[i].letter == letter) {
			t->name = types[i].name;
			t->is_unsigned = types[i].is_unsigned;
			t->is_float = types[i].is_float;
			return true;
		}
	return false;
}

/* One parameter at *at, which goes behind it; before: the one before it. */
static bool read_type(const char **at, const CollectiveType *before, CollectiveType *t)
{
	const char *p = *at;
	*t = (CollectiveType){.n = 1};
	if (*p == 'P') {
		t->pointer = true;
		p++;
	}
	while (*p == 'U' || *p == 'K' || *p == 'V') {
		u32 skip = *p == 'U' ? (u32)strtoul(p + 1, (char **)&p, 10) : 1;
		if (skip > strlen(p))
			return false;
		p += skip;
	}
	if (*p >= '1' && *p <= '9') { /* an enumeration: memory_scope */
		u32 skip = (u32)strtoul(p, (char **)&p, 10);
		*at = p + skip;
		return skip <= strlen(p) && base_type('i', t);
	}
	if (*p == 'S' && p[1] == '_' && before) {
		bool pointer = t->pointer;
		*t = *before;
		t->pointer = pointer;
		*at = p + 2;
		return true;
	}
	if (!strncmp(p, "Dv", 2)) {
		t->n = (u8)strtoul(p + 2, (char **)&p, 10);
		if (*p++ != '_' || !t->n || t->n > 16)
			return false;
	}
	if (!strncmp(p, "Dh", 2)) {
		t->name = "half";
		t->is_float = true;
		*at = p + 2;
		return true;
	}
	*at = p + 1;
	return base_type(*p, t);
}

static bool read_types(const char *params, Collective *c)
{
	if (!strcmp(params, "v"))
		return true;
	while (*params) {
		const CollectiveType *before = c->nparams ? &c->param[c->nparams - 1] : NULL;
		if (c->nparams == MOST_PARAMS || !read_type(&params, before, &c->param[c->nparams]))
			return false;
		c->nparams++;
	}
	return true;
}

/* ---- names ---- */

static bool fits(const Collective *c, const char *params)
{
	for (u32 i = 0; i < c->nparams; i++) {
		const CollectiveType *t = &c->param[i];
		if (!*params)
			return false;
		char want = *params == '.' ? 'c' : *params++;
		bool one = !t->pointer && t->n == 1, integer = one && !t->is_float;
		bool bits = !t->pointer && t->n == 4 && !strcmp(t->name, "i32");
		bool bytes = !t->pointer && t->n == 4 && !strcmp(t->name, "i8");
		bool good = want == 'v'   ? !t->pointer
		            : want == 's' ? one
		            : want == 'c' ? integer
		            : want == 'b' ? bits
		            : want == 'q' ? bytes
		                          : t->pointer;
		if (!good)
			return false;
	}
	return !*params || *params == '.';
}

static bool take(const Row *row, Collective *c)
{
	c->kind = (CollectiveKind)row->kind;
	c->whole = row->whole;
	return fits(c, row->params);
}

static bool find_one(const Mangled *m, Collective *c)
{
	static const Row rows[] = {
#define ONE(name, kind, params, whole) {name, kind, params, whole},
#include "frontend/module/collective.def"
	};
	for (u32 i = 0; i < COUNT(rows); i++)
		if (mangled_is(m, rows[i].name))
			return take(&rows[i], c);
	return false;
}

static bool find_operation(const char *name, u32 n, Collective *c)
{
	static const struct { const char *name; u8 of_signed, of_unsigned, of_float; } rows[] = {
#define OPERATION(name, of_signed, of_unsigned, of_float) {name, of_signed, of_unsigned, of_float},
#include "frontend/module/collective.def"
	};
	const CollectiveType *t = &c->param[0];
	for (u32 i = 0; i < COUNT(rows); i++) {
		if (strlen(rows[i].name) != n || memcmp(rows[i].name, name, n) != 0)
			continue;
		u32 fold = t->is_float ? rows[i].of_float : t->is_unsigned ? rows[i].of_unsigned : rows[i].of_signed;
		c->logical = fold != FOLD_COUNT && (fold & LOGICAL);
		c->fold = c->logical ? fold & ~(u32)LOGICAL : fold;
		return fold != FOLD_COUNT;
	}
	return false;
}

static bool find_each(const Mangled *m, Collective *c)
{
	static const Row rows[] = {
#define EACH(prefix, kind, params, whole) {prefix, kind, params, whole},
#include "frontend/module/collective.def"
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		u32 n = (u32)strlen(rows[i].name);
		if (mangled_begins(m, rows[i].name) && find_operation(m->name + n, m->n - n, c))
			return take(&rows[i], c);
	}
	return false;
}

const char *const fe_fold_plain[FOLD_COUNT] = {
	[FOLD_add] = "add", [FOLD_mul] = "mul", [FOLD_and] = "and", [FOLD_or] = "or", [FOLD_xor] = "xor",
	[FOLD_fadd] = "fadd", [FOLD_fmul] = "fmul",
};
const char *const fe_fold_called[FOLD_COUNT] = {
	[FOLD_umin] = "umin", [FOLD_umax] = "umax", [FOLD_smin] = "smin", [FOLD_smax] = "smax",
	[FOLD_fmin] = "minnum", [FOLD_fmax] = "maxnum",
};

/* ---- what bodies call ---- */

const char *fe_wave_behind(const char *name, const char *word)
{
	size_t n = strlen(word);
	return !strncmp(name, word, n) && (!name[n] || name[n] == '.') ? name + n + (name[n] == '.') : NULL;
}

u32 fe_wave_named(const char *const *names, u32 count, const char *name)
{
	u32 i = 0;
	while (i < count && !fe_wave_behind(name, names[i]))
		i++;
	return i;
}

Type fe_wave_type(const char *name)
{
	static const struct { const char *name; Type type;
	} types[] = {
	    {"i1", T_b1},   {"i8", T_i8},     {"i16", T_i16},    {"i32", T_i32},
	    {"i64", T_i64}, {"float", T_f32}, {"double", T_f64},
	};
	for (u32 i = 0; i < COUNT(types); i++)
		if (!strcmp(types[i].name, name))
			return types[i].type;
	return T_f32; /* half: its values are written as those of a float */
}

/* ---- of a symbol ---- */

bool fe_collective(const char *symbol, Collective *out)
{
	Mangled m = fe_mangled(symbol);
	*out = (Collective){.name = m.name, .n = m.n, .fold = FOLD_COUNT};
	if (!m.name || !(mangled_begins(&m, "sub_group_") || mangled_begins(&m, "get_") ||
	                 mangled_begins(&m, "intel_sub_group_") || mangled_begins(&m, "work_group_") ||
	                 mangled_begins(&m, "dot")))
		return false;
	return read_types(m.params, out) && (find_one(&m, out) || find_each(&m, out));
}
