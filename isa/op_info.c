/* The tables behind the names: op_info[] from ops.def, the names of types,
 * address spaces, atomics and launch values. Nothing here is written by hand
 * twice; a new row in ops.def appears by itself. */
#include "isa/text.h"

const char *const type_name[TYPE_COUNT] = {
#define X(name, bytes) #name,
    TYPES(X)
#undef X
};

const u8 type_bytes[TYPE_COUNT] = {
#define X(name, bytes) bytes,
    TYPES(X)
#undef X
};

const char *const space_name[SPACE_COUNT] = {
    [SPACE_FLAT] = "flat",
    [SPACE_GLOBAL] = "global",
    [2] = "region", /* LLVM's number 2 on amdgcn; no program uses it */
    [SPACE_LDS] = "lds",
    [SPACE_CONSTANT] = "constant",
    [SPACE_PRIVATE] = "private",
};

const char *const atomic_name[ATOMIC_COUNT] = {
#define X(name) #name,
    ATOMIC_OPS(X)
#undef X
};

const char *const query_name[QUERY_COUNT] = {
#define X(name) #name,
    QUERIES(X)
#undef X
};

enum { N = ANY_COUNT };

const OpInfo op_info[OP_COUNT] = {
#define UN(n, D, A, u, e, text) \
	{.name = #n, \
	 .lane = 1, \
	 .ndst = 1, \
	 .nsrc = 1, \
	 .type = {T_##D, T_##A}, \
	 .unit = UNIT_##u, \
	 .operands = "d, a", \
	 .expr = #e, \
	 .doc = text},
#define BIN(n, D, A, B, u, e, text) \
	{.name = #n, \
	 .lane = 2, \
	 .ndst = 1, \
	 .nsrc = 2, \
	 .type = {T_##D, T_##A, T_##B}, \
	 .unit = UNIT_##u, \
	 .operands = "d, a, b", \
	 .expr = #e, \
	 .doc = text},
#define TER(n, D, A, B, C, u, e, text) \
	{.name = #n, \
	 .lane = 3, \
	 .ndst = 1, \
	 .nsrc = 3, \
	 .type = {T_##D, T_##A, T_##B, T_##C}, \
	 .unit = UNIT_##u, \
	 .operands = "d, a, b, c", \
	 .expr = #e, \
	 .doc = text},
#define OP(n, nd, ns, u, f, what, text) \
	{.name = #n, \
	 .ndst = (nd), \
	 .nsrc = (ns), \
	 .unit = UNIT_##u, \
	 .flags = (f), \
	 .operands = what, \
	 .doc = text},
#include "isa/ops.def"
};

/* Lengths of the names. A length is a constant expression where a hash of the
 * name is not, so this is a compile-time index: memchr walks the operations of
 * the right length and only their names are compared. */
static const u8 name_length[OP_COUNT] = {
#define UN(n, ...) sizeof #n - 1,
#define BIN(n, ...) sizeof #n - 1,
#define TER(n, ...) sizeof #n - 1,
#define OP(n, ...) sizeof #n - 1,
#include "isa/ops.def"
};

u32 op_by_name(const char *name)
{
	size_t n = strlen(name);
	if (n > UINT8_MAX)
		return OP_COUNT;
	const u8 *at = name_length, *end = name_length + OP_COUNT;
	while (at < end && (at = memchr(at, (int)n, (size_t)(end - at)))) {
		u32 op = (u32)(at - name_length);
		if (!memcmp(op_info[op].name, name, n))
			return op;
		at++;
	}
	return OP_COUNT;
}

AuxKind op_aux(u32 op)
{
	switch (op) {
	case OP_atomic: return AUX_ATOMIC;
	case OP_query: return AUX_QUERY;
	case OP_copy: return AUX_SPACE;
	case OP_async_copy: return AUX_NUMBER;
	case OP_ld:
	case OP_st: return AUX_ALIGN;
	default: return AUX_NONE;
	}
}

bool op_has_space(u32 op)
{
	switch (op) {
	case OP_ld:
	case OP_st:
	case OP_atomic:
	case OP_cas:
	case OP_copy:
	case OP_fill:
	case OP_toflat: return true;
	default: return false;
	}
}

static bool is_word(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z');
}

/* Of a lane operation: does its expression mention k? */
bool op_has_imm(u32 op)
{
	switch (op) {
	case OP_ld:
	case OP_st:
	case OP_atomic:
	case OP_cas:
	case OP_printf:
	case OP_async_copy: return true;
	default: break;
	}
	const char *e = op_info[op].expr;
	for (; e && *e; e++)
		if (*e == 'k' && !is_word(e[1]) && (e == op_info[op].expr || !is_word(e[-1])))
			return true;
	return false;
}

const char *const arg_kind_name[ARG_KINDS] = {"value", "global", "constant",
					      "local", "image",  "sampler"};
const char *const elem_class_name[ELEM_CLASSES] = {"other", "int", "uint", "float"};
