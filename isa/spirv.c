/* A SPIR-V module is a head of five words, then instructions: a word with how many words it has and what it is, and its
 * operands. */
#include "isa/spirv.h"

enum { MAGIC = 0x07230203, SWAPPED = 0x03022307, HEAD = 5, WORD = 4 };
enum { OP_EXT_INST_IMPORT = 11, OP_EXT_INST = 12, OP_LINE = 8, OP_NO_LINE = 317 };

static u32 word_at(const u8 *p, size_t i)
{
	u32 w;
	memcpy(&w, p + i * WORD, sizeof w);
	return w;
}

bool is_spirv(const void *bytes, size_t size)
{
	u32 first = size >= HEAD * WORD ? word_at(bytes, 0) : 0;
	return first == MAGIC || first == SWAPPED;
}

/* "DebugInfo", "OpenCL.DebugInfo.100", "NonSemantic.Shader.DebugInfo.100" … */
static bool imports_debug(const u8 *name, size_t n) { return memmem(name, n, "DebugInfo", 9) != NULL; }

u8 *spirv_without_debug(const void *bytes, size_t size, size_t *n)
{
	const u8 *from = bytes;
	size_t words = size / WORD, kept = HEAD;
	u32 set = 0; /* the id of the set of debug information; 0 is none */
	if (!is_spirv(bytes, size) || word_at(from, 0) != MAGIC || size % WORD)
		return NULL;
	u8 *to = xmalloc(size);
	memcpy(to, from, HEAD * WORD);
	for (size_t i = HEAD; i < words;) {
		u32 head = word_at(from, i), length = head >> 16, op = head & 0xFFFF;
		if (!length || length > words - i) {
			free(to);
			return NULL;
		}
		bool debug = op == OP_LINE || op == OP_NO_LINE;
		if (op == OP_EXT_INST_IMPORT && length > 2 &&
		    imports_debug(from + (i + 2) * WORD, (length - 2) * WORD)) {
			set = word_at(from, i + 1);
			debug = true;
		} else if (op == OP_EXT_INST && length > 4) {
			debug = set && word_at(from, i + 3) == set;
		}
		if (!debug) {
			memcpy(to + kept * WORD, from + i * WORD, length * WORD);
			kept += length;
		}
		i += length;
	}
	*n = kept * WORD;
	return to;
}
