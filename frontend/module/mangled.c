/* Mangled names taken apart: see mangled.h. */
#include "frontend/module/mangled.h"

#include <ctype.h>

static const char library[] = POCL_PREFIX;
enum { LIBRARY = sizeof library - 1 };

Mangled fe_mangled(const char *symbol)
{
	Mangled m = {0};
	if (strncmp(symbol, "_Z", 2) != 0 || symbol[2] < '1' || symbol[2] > '9')
		return m;
	char *name;
	unsigned long n = strtoul(symbol + 2, &name, 10);
	if (n > strlen(name))
		return m;
	m = (Mangled){.name = name, .n = (u32)n, .params = name + n};
	if (n > LIBRARY && !strncmp(name, library, LIBRARY)) {
		m.pocl = true;
		m.name += LIBRARY;
		m.n -= LIBRARY;
	}
	return m;
}

const char *fe_plain_name(const char *symbol)
{
	if (strncmp(symbol, library, LIBRARY) != 0 || !symbol[LIBRARY] || fe_is_runtime(symbol + LIBRARY))
		return symbol;
	return symbol + LIBRARY;
}

const char *fe_parameters(const char *declared)
{
	const char *end = declared + strlen(declared), *at = end;
	i32 depth = 0;
	if (at == declared || at[-1] != ')')
		return end;
	while (at > declared) {
		at--;
		depth += (*at == ')') - (*at == '(');
		if (!depth)
			return at;
	}
	return end;
}

bool mangled_begins(const Mangled *m, const char *start)
{
	size_t n = strlen(start);
	return m->name && n <= m->n && !memcmp(m->name, start, n);
}

bool mangled_is(const Mangled *m, const char *name) { return mangled_begins(m, name) && strlen(name) == m->n; }

u32 mangled_pointed(const char *s)
{
	u32 n = 1, count;
	if (*s++ != 'P')
		return 0;
	while (*s == 'U' || *s == 'K' || *s == 'V') {
		if (*s++ != 'U')
			continue;
		for (count = 0; *s >= '0' && *s <= '9'; s++)
			count = count * 10 + (u32)(*s - '0');
		if (strlen(s) < count)
			return 0;
		s += count;
	}
	if (s[0] == 'D' && s[1] == 'v') {
		for (n = 0, s += 2; *s >= '0' && *s <= '9'; s++)
			n = n * 10 + (u32)(*s - '0');
		n = n == 3 ? 4 : n;
		s += *s == '_';
	}
	if (s[0] == 'D' && s[1] == 'h')
		return n * 2;
	static const char letters[] = "cahbstijflmxyd";
	static const u8 bytes[] = {1, 1, 1, 1, 2, 2, 4, 4, 4, 8, 8, 8, 8, 8};
	const char *at = *s ? strchr(letters, *s) : NULL;
	return at ? n * bytes[at - letters] : 0;
}

bool mangled_is_global(const char *parameter)
{
	static const char *const starts[] = {"PU8CLglobal", "PU3AS1"};
	return !strncmp(parameter, starts[0], strlen(starts[0])) || !strncmp(parameter, starts[1], strlen(starts[1]));
}

/* clang calls a variable of a function that is there once FUNCTION.NAME, and what one begins with
 * __const.FUNCTION.NAME; a number may stand behind. */
static const char *in_function(Arena *a, const char *symbol)
{
	static const char contents[] = "__const.";
	const char *name = symbol + (strncmp(symbol, contents, sizeof contents - 1) ? 0 : sizeof contents - 1);
	size_t function = strcspn(name, ".");
	if (!function || !name[function] || !name[function + 1])
		return symbol;
	name += function + 1;
	return arena_strndup(a, name, strcspn(name, "."));
}

/* Of C++, the last name of a length that ends the symbol, or stands before what ends it. */
const char *fe_variable_name(Arena *a, const char *symbol)
{
	const char *last = symbol;
	size_t length = strlen(symbol);
	if (strncmp(symbol, "_Z", 2) != 0)
		return in_function(a, symbol);
	for (const char *s = symbol + 2; *s; s++) {
		if (!isdigit((unsigned char)*s) || isdigit((unsigned char)s[-1]))
			continue;
		char *name;
		unsigned long n = strtoul(s, &name, 10);
		const char *end = n && n <= strlen(name) ? name + n : NULL;
		if (end && (!*end || *end == '_' || (*end == 'E' && (!end[1] || end[1] == '_')))) {
			last = name;
			length = n;
		}
	}
	return arena_strndup(a, last, length);
}

static bool is_copy(const Mangled *f)
{
	return mangled_is(f, "async_work_group_copy") || mangled_is(f, "async_work_group_strided_copy");
}

bool fe_is_runtime(const char *symbol)
{
	static const char *const plain[] = {"printf", FE_ASSERT, FE_COPIES, FE_COPIED, FE_WAIT};
	Mangled f = fe_mangled(symbol);
	bool found = is_copy(&f) || mangled_is(&f, "wait_group_events") || mangled_is(&f, "prefetch");
	for (u32 i = 0; i < COUNT(plain); i++)
		found |= !strcmp(symbol, plain[i]);
	return found;
}

bool fe_is_copy(const char *symbol)
{
	Mangled f = fe_mangled(symbol);
	return is_copy(&f);
}

const FeAbsent *fe_absent(const char *symbol)
{
	static const char grid[] = "synchronisation of the whole grid";
	static const char two_kernels[] = "end the kernel there, and launch the rest as another";
	static const char enqueuing[] = "enqueuing on the device",
			  from_host[] = "launch the other kernel from the host";
	static const FeAbsent rows[] = {
	    {"*enqueue_kernel", enqueuing, from_host, ABSENT_WITH_BODY},
	    {"*enqueue_marker", enqueuing, from_host, ABSENT_WITH_BODY},
	    {"*get_default_queue", enqueuing, from_host, ABSENT_WITH_BODY},
	    {"_Z10ndrange_", enqueuing, from_host, ABSENT_WITH_BODY},
	    {"llvm.amdgcn.image.", "textures and surfaces", "pass a buffer, and compute the index", ABSENT_IMAGE},
	    {"llvm.amdgcn.struct.buffer.", "images of buffers", "pass a buffer", ABSENT_IMAGE},
	    {"llvm.amdgcn.ds.gws.", grid, two_kernels, ABSENT_DECLARED},
	    {"__ockl_grid_sync", grid, two_kernels, ABSENT_OF_GROUPS},
	    {"__ockl_multi_grid_", "synchronisation of several grids", two_kernels, ABSENT_OF_GROUPS},
	    {"*ocl_image", "images in SPIR-V", "give the OpenCL C source, or pass a buffer", ABSENT_DECLARED},
	    {"__ockl_dm_", "memory that the device allocates", "use an array of a constant size, or pass a buffer",
	     ABSENT_DECLARED},
	};
	for (u32 i = 0; i < COUNT(rows); i++)
		if (*rows[i].start == '*' ? strstr(symbol, rows[i].start + 1) != NULL
		                          : !strncmp(symbol, rows[i].start, strlen(rows[i].start)))
			return &rows[i];
	return NULL;
}

const char *fe_image(const char *symbol)
{
	size_t n = sizeof FE_IMAGE - 1;
	return strncmp(symbol, FE_IMAGE, n) ? NULL : symbol + n;
}
