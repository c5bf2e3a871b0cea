/* How LLVM's code generators for AMD's chips differ: the table, and what is done by it alone. */
#include "frontend/codegen/backend.h"

#include "frontend/codegen/codegen.h"
#include "frontend/codegen/r600.h"

#include <ctype.h>

static bool read_amdgcn(const Assembly *in, MachineCode *c, R600Code *r)
{
	(void)r;
	return codegen_parse(c, in->kernel, in->text, in->arena);
}

static bool read_r600(const Assembly *in, MachineCode *c, R600Code *r)
{
	if (!r600_parse(r, in->kernel, in->text, in->arena))
		return false;
	r600_machine(c, r, in->block_of);
	if (r->listing)
		r600_live(c, r);
	return true;
}

const Backend backends[BACKEND_COUNT] = {
	/* GCN, CDNA, RDNA. Blocks' names and the kernel's registers are comments. An error is that the
	 * kernel asks for too much of something, which another chip may have. */
	[BACKEND_amdgcn] = {
		.name = "amdgcn",
		.triple = FE_TRIPLE,
		.comments = true,
		.read = read_amdgcn,
		.inline_bytes = 1024,
		.called = "a division of 128-bit integers",
	},
	/* VLIW chips: Evergreen, Northern Islands. Some kernels make it ask for ever more memory. */
	[BACKEND_r600] = {
		.name = "r600",
		.triple = "r600--",
		.max_memory = (u64)2 << 30,
		.errors_end = true,
		.convert = r600_convert,
		.read = read_r600,
		.r600 = true,
		.inline_bytes = LLVM_R600_INLINE_BYTES,
		.called = "those of double",
	},
};

/* ---- what it cannot do ---- */

const char *backend_reason(const Backend *b, const char *p, Arena *a)
{
	static const char select[] = "Cannot select: ";
	static const char *const calls[] = {"unsupported call to function ",
	                                    "unsupported libcall legalization"};
	size_t n = strcspn(p, "\n");
	if (!strncmp(p, select, sizeof select - 1)) {
		const char *op = strstr(p, " = ");
		bool node = op && op < p + n;
		p = node ? op + 3 : p + sizeof select - 1;
		return arena_printf(a, "its %s back end has no instruction for %.*s", b->name,
		                    (int)strcspn(p, node ? "<[: \n" : "<[(\n"), p);
	}
	for (u32 i = 0; i < COUNT(calls); i++)
		if (n == strlen(calls[i]) && !strncmp(p, calls[i], n))
			return arena_printf(a, "its %s back end has no instructions for an operation, "
			                    "as for %s", b->name, b->called);
	const char *address = strstr(p, "0x");
	if (address && address < p + n)
		n = (size_t)(address - p);
	while (n && isspace((unsigned char)p[n - 1]))
		n--;
	return arena_strndup(a, p, n);
}
