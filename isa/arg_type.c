/* Names of OpenCL C's types, as compilers spell them in the description of a kernel's
 * arguments: short and long forms, vectors by digit or by attribute. */
#include "isa/arg_type.h"

typedef struct {
	const char *name;
	u8 class, bytes;
} Scalar;

static const Scalar scalars[] = {
	{"bool", ELEM_UINT, 1}, {"char", ELEM_INT, 1}, {"uchar", ELEM_UINT, 1},
	{"unsigned char", ELEM_UINT, 1}, {"signed char", ELEM_INT, 1},
	{"short", ELEM_INT, 2}, {"ushort", ELEM_UINT, 2}, {"unsigned short", ELEM_UINT, 2},
	{"int", ELEM_INT, 4}, {"uint", ELEM_UINT, 4}, {"unsigned int", ELEM_UINT, 4},
	{"unsigned", ELEM_UINT, 4}, {"long", ELEM_INT, 8}, {"ulong", ELEM_UINT, 8},
	{"unsigned long", ELEM_UINT, 8}, {"long long", ELEM_INT, 8},
	{"unsigned long long", ELEM_UINT, 8}, {"half", ELEM_FLOAT, 2}, {"float", ELEM_FLOAT, 4},
	{"double", ELEM_FLOAT, 8}, {"size_t", ELEM_UINT, 8}, {"ptrdiff_t", ELEM_INT, 8},
	{"intptr_t", ELEM_INT, 8}, {"uintptr_t", ELEM_UINT, 8},
};

bool arg_type_parse(const char *s, size_t n, KernelArg *a)
{
	const char *attr = strstr(s, " __attribute__((");
	u32 width = 1;
	if (attr && attr < s + n) {
		const char *open = strstr(attr, "vector_type(");
		if (!open)
			return false;
		width = (u32)strtoul(open + 12, NULL, 10);
		n = (size_t)(attr - s);
	} else {
		size_t digits = n;
		while (digits && s[digits - 1] >= '0' && s[digits - 1] <= '9')
			digits--;
		if (digits < n) {
			width = (u32)strtoul(s + digits, NULL, 10);
			n = digits;
		}
	}
	if (width != 1 && width != 2 && width != 3 && width != 4 && width != 8 && width != 16)
		return false;
	for (u32 i = 0; i < COUNT(scalars); i++) {
		if (strlen(scalars[i].name) != n || strncmp(scalars[i].name, s, n) != 0)
			continue;
		a->elem_class = scalars[i].class;
		a->elem_bytes = scalars[i].bytes;
		a->width = (u8)width;
		a->size = (width == 3 ? 4 : width) * scalars[i].bytes;
		return true;
	}
	return false;
}
