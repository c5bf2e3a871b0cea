/* NumPy's .npy: magic, version, a header that is a Python dictionary, then the numbers.
 *
 * Only what a buffer can be: little-endian integers and floats (bool as uchar), in C order
 * or one-dimensional. Everything else is refused with the reason. */
#include "traces/launch/launch_impl.h"

static const u8 magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
enum { MAX_HEADER = 1 << 16 };

bool npy_magic(FILE *f)
{
	u8 start[sizeof magic];
	bool is = fread(start, 1, sizeof start, f) == sizeof start && !memcmp(start, magic, sizeof magic);
	rewind(f);
	return is;
}

/* The value of a key, behind its colon. */
static const char *find_key(const char *header, const char *key)
{
	const char *p = strstr(header, key);
	if (!p)
		return NULL;
	p += strlen(key);
	p += strspn(p, " ");
	if (*p != ':')
		return NULL;
	return p + 1 + strspn(p + 1, " ");
}

static const char *parse_descr(Arena *a, const char *p, NpyInfo *out)
{
	if (!p || (*p != '\'' && *p != '"'))
		return "its element type is a record";
	size_t n = strcspn(p + 1, "'\"");
	char *descr = arena_strndup(a, p + 1, n);
	static const struct {
		const char *name;
		u8 elem_class, bytes;
	} types[] = {{"b1", ELEM_UINT, 1},  {"i1", ELEM_INT, 1},   {"u1", ELEM_UINT, 1},
		     {"i2", ELEM_INT, 2},   {"u2", ELEM_UINT, 2},  {"i4", ELEM_INT, 4},
		     {"u4", ELEM_UINT, 4},  {"i8", ELEM_INT, 8},   {"u8", ELEM_UINT, 8},
		     {"f2", ELEM_FLOAT, 2}, {"f4", ELEM_FLOAT, 4}, {"f8", ELEM_FLOAT, 8}};
	for (u32 i = 0; i < COUNT(types) && n == 3; i++) {
		if (strcmp(types[i].name, descr + 1) != 0)
			continue;
		if (*descr == '>' && types[i].bytes > 1)
			return "its numbers are big-endian";
		out->shape = (ElemShape){types[i].elem_class, types[i].bytes, 1, types[i].bytes};
		return NULL;
	}
	return arena_printf(a, "its element type '%s' is none of a kernel's", descr);
}

static const char *parse_shape(const char *p, NpyInfo *out)
{
	if (!p || *p++ != '(')
		return "it has no shape";
	for (;;) {
		p += strspn(p, " ,");
		if (*p == ')')
			return NULL;
		char digits[24];
		size_t n = strspn(p, "0123456789");
		if (!n || n >= sizeof digits)
			return "its shape is malformed";
		if (out->ndims == COUNT(out->dims))
			return "it has more than 8 dimensions";
		memcpy(digits, p, n);
		digits[n] = 0;
		if (!parse_u64(digits, &out->dims[out->ndims++]))
			return "its shape is malformed";
		p += n;
	}
}

static const char *parse_dict(Arena *a, const char *header, NpyInfo *out)
{
	const char *why = parse_descr(a, find_key(header, "'descr'"), out);
	if (!why)
		why = parse_shape(find_key(header, "'shape'"), out);
	if (why)
		return why;
	const char *order = find_key(header, "'fortran_order'");
	if (!order || (strncmp(order, "False", 5) != 0 && strncmp(order, "True", 4) != 0))
		return "its header is malformed";
	if (*order == 'T' && out->ndims > 1)
		return "it is in Fortran order (save numpy.ascontiguousarray of it)";
	return NULL;
}

const char *npy_header(Arena *a, FILE *f, NpyInfo *out)
{
	*out = (NpyInfo){0};
	u8 start[12] = {0};
	size_t got = fread(start, 1, 10, f), len = (size_t)start[8] | (size_t)start[9] << 8;
	u64 data = 10;
	if (start[6] >= 2) { /* version 2 and 3: four bytes of length */
		got += fread(start + 10, 1, 2, f);
		len |= (size_t)start[10] << 16 | (size_t)start[11] << 24;
		data = 12;
	}
	const char *why = NULL;
	if (got < data || memcmp(start, magic, sizeof magic) != 0 || start[6] < 1 || start[6] > 3 ||
	    len > MAX_HEADER)
		why = "not a NumPy file of version 1 to 3";
	char *header = arena_alloc(a, (why ? 0 : len) + 1);
	if (!why && fread(header, 1, len, f) != len)
		why = "its header is cut short";
	out->data = data + len;
	return why ? why : parse_dict(a, header, out);
}

void npy_write_header(const ElemShape *s, u64 count, Buf *out)
{
	char dict[160];
	char kind = s->elem_class == ELEM_FLOAT ? 'f' : s->elem_class == ELEM_INT ? 'i' : 'u';
	int n = snprintf(
	    dict, sizeof dict, "{'descr': '%c%c%u', 'fortran_order': False, 'shape': (%llu,",
	    s->elem_bytes == 1 ? '|' : '<', kind, (u32)s->elem_bytes, (unsigned long long)count);
	if (s->width > 1)
		n += snprintf(dict + n, sizeof dict - (size_t)n, " %u", s->width);
	n += snprintf(dict + n, sizeof dict - (size_t)n, "), }");
	u32 len = ((u32)n + 1 + 10 + 63) / 64 * 64 - 10; /* the data starts at a multiple of 64 */
	u8 head[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (u8)len, (u8)(len >> 8)};
	buf_write(out, head, sizeof head);
	buf_printf(out, "%s%*s\n", dict, (int)len - n - 1, "");
}
