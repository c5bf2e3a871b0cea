/* The bitcode inside a PoCL binary (what CL_PROGRAM_BINARIES gives).
 *
 * PoCL packs files of its cache into it, each as two texts with their lengths before them: a path and
 * what the file holds. The heads before the files differ from version to version; "/program.bc" is
 * found by its own length and by the bitcode that must follow. */
#include "frontend/source/pocl/pocl.h"
#include "isa/bitcode.h"

static u32 length_at(const u8 *p)
{
	return (u32)p[0] | (u32)p[1] << 8 | (u32)p[2] << 16 | (u32)p[3] << 24;
}

const u8 *pocl_binary_bitcode(const u8 *binary, u64 n, u64 *size)
{
	static const char name[] = "/program.bc";
	const u64 k = sizeof name - 1;
	if (is_bitcode(binary, n)) {
		*size = n;
		return binary;
	}
	if (n < 8 || memcmp(binary, "poclbin", 8) != 0)
		return NULL;
	for (u64 at = 8; at + 4 + k + 4 <= n; at++) {
		if (length_at(binary + at) != k || memcmp(binary + at + 4, name, k) != 0)
			continue;
		u64 from = at + 4 + k + 4, want = length_at(binary + from - 4);
		if (want > n - from || !is_bitcode(binary + from, want))
			continue;
		*size = want;
		return binary + from;
	}
	return NULL;
}
