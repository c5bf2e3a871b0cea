/* Loads and stores of inline assembly. They are volatile, so that no pass leaves one out, or moves it over another:
 * what lies between them is a wait that shows in no value. */
#include "frontend/module/assembly_parts.h"

#include <stdlib.h>

static const struct {
	const char *start;
	u8 space;
	bool store;
} kinds[] = {
    {"ds_read_", SPACE_LDS, false},    {"ds_load_", SPACE_LDS, false},        {"ds_write_", SPACE_LDS, true},
    {"ds_store_", SPACE_LDS, true},    {"global_load_", SPACE_GLOBAL, false}, {"global_store_", SPACE_GLOBAL, true},
    {"flat_load_", SPACE_FLAT, false}, {"flat_store_", SPACE_FLAT, true},
};

static const struct {
	const char *end;
	u8 bytes;
	bool is_signed, not_lds; /* LDS has no such name */
} sizes[] = {
	{"u8", 1, false, false}, {"i8", 1, true, false}, {"b8", 1, false, false},
	{"ubyte", 1, false, true}, {"sbyte", 1, true, true}, {"byte", 1, false, true},
	{"u16", 2, false, false}, {"i16", 2, true, false}, {"b16", 2, false, false},
	{"ushort", 2, false, true}, {"sshort", 2, true, true}, {"short", 2, false, true},
	{"b32", 4, false, false}, {"dword", 4, false, true}, {"b64", 8, false, false},
	{"dwordx2", 8, false, true}, {"b96", 12, false, false}, {"dwordx3", 12, false, true},
	{"b128", 16, false, false}, {"dwordx4", 16, false, true},
};

/* offset:N, and words for caches, which show in no value. False: something else. */
static bool modifiers(const char *p, bool lds, i64 *offset)
{
	static const char *const caches[] = {"glc", "slc", "dlc", "sc0", "sc1", "nt"};
	static const char word[] = "offset:";
	*offset = 0;
	for (;;) {
		p += strspn(p, ", \t");
		if (!*p)
			return true;
		size_t n = strcspn(p, ", \t");
		bool known = false;
		for (u32 i = 0; i < COUNT(caches); i++)
			known |= scan_is(p, n, caches[i]);
		if (!strncmp(p, word, sizeof word - 1)) {
			char *end;
			*offset = strtoll(p + sizeof word - 1, &end, 0);
			known = end == p + n && isdigit((unsigned char)end[-1]) && *offset <= UINT16_MAX &&
			        *offset >= (lds ? 0 : INT16_MIN);
		}
		if (!known)
			return false;
		p += n;
	}
}

/* What an instruction accesses: registers, or MOST_VALUES. */
typedef struct Access {
	u32 address, base; /* base: a pair of scalar registers, which `address` is added to */
	u32 data;
	i64 offset;
} Access;

/* ADDRESS, or ADDRESS, DATA, and what may be behind it: off, or the base. */
static bool read_access(Asm *a, u8 space, bool store, u32 data_bits, const char *p, Access *out)
{
	const char *at = p;
	out->base = MOST_VALUES;
	out->address = asm_register(a, &at, space == SPACE_LDS ? 32 : 64);
	if (out->address == MOST_VALUES && space == SPACE_GLOBAL) { /* an offset from a base */
		at = p;
		out->address = asm_register(a, &at, 32);
		out->base = out->address;
	}
	if (out->address == MOST_VALUES)
		return false;
	p = at;
	if (store) {
		scan_take(&p, ",");
		if ((out->data = asm_register(a, &p, data_bits)) == MOST_VALUES)
			return false;
	}
	if (space == SPACE_GLOBAL) {
		scan_take(&p, ",");
		scan_skip(&p);
		bool off = scan_word(p) == 3 && !strncmp(p, "off", 3), wants = out->base != MOST_VALUES;
		p += off ? 3 : 0;
		if (off == wants || (wants && (out->base = asm_register(a, &p, 64)) == MOST_VALUES))
			return false;
	}
	return modifiers(p, space == SPACE_LDS, &out->offset);
}

static LLVMValueRef pointer(Asm *a, u8 space, const Access *x)
{
	LLVMTypeRef word = asm_type(a, I32), two = asm_type(a, I64);
	bool wide = space != SPACE_LDS;
	LLVMValueRef at = asm_value(a, x->address, x->base == MOST_VALUES && wide ? two : word);
	if (x->base != MOST_VALUES)
		at = LLVMBuildAdd(a->b, asm_value(a, x->base, two), LLVMBuildZExt(a->b, at, two, ""), "");
	at = LLVMBuildAdd(a->b, at, LLVMConstInt(wide ? two : word, (u64)x->offset, 1), "");
	return LLVMBuildIntToPtr(a->b, at, llvm_pointer(a->m->ctx, space), "");
}

static LLVMTypeRef in_memory(const Asm *a, u32 bytes)
{
	LLVMTypeRef t = LLVMIntTypeInContext(a->m->ctx, bytes < 4 ? bytes * 8 : 32);
	return bytes <= 4 ? t : LLVMVectorType(t, bytes / 4);
}

static bool load(Asm *a, u32 kind, u32 size, const char *p)
{
	u32 bytes = sizes[size].bytes, bits = bytes < 4 ? 32 : bytes * 8, to = asm_result(a, &p, bits);
	Access x;
	scan_take(&p, ",");
	if (to == MOST_VALUES || !read_access(a, kinds[kind].space, false, bits, p, &x))
		return false;
	if (!a->b) {
		asm_write(a, to, NULL);
		return true;
	}
	LLVMValueRef v = LLVMBuildLoad2(a->b, in_memory(a, bytes), pointer(a, kinds[kind].space, &x), "");
	LLVMSetAlignment(v, bytes < 4 ? bytes : 4);
	LLVMSetVolatile(v, 1);
	if (bytes < 4)
		v = LLVMBuildIntCast2(a->b, v, asm_type(a, I32), sizes[size].is_signed, "");
	asm_write(a, to, v);
	return true;
}

static bool store(Asm *a, u32 kind, u32 size, const char *p)
{
	u32 bytes = sizes[size].bytes;
	Access x;
	if (!read_access(a, kinds[kind].space, true, bytes < 4 ? 32 : bytes * 8, p, &x))
		return false;
	if (!a->b)
		return true;
	LLVMValueRef v = asm_value(a, x.data, bytes < 4 ? asm_type(a, I32) : in_memory(a, bytes));
	if (bytes < 4)
		v = LLVMBuildTrunc(a->b, v, in_memory(a, bytes), "");
	LLVMValueRef st = LLVMBuildStore(a->b, v, pointer(a, kinds[kind].space, &x));
	LLVMSetAlignment(st, bytes < 4 ? bytes : 4);
	LLVMSetVolatile(st, 1);
	return true;
}

AsmRead asm_memory(Asm *a, const char *word, size_t n, const char *p)
{
	for (u32 i = 0; i < COUNT(kinds); i++) {
		size_t front = strlen(kinds[i].start);
		if (n <= front || strncmp(word, kinds[i].start, front) != 0)
			continue;
		for (u32 k = 0; k < COUNT(sizes); k++)
			if (!(sizes[k].not_lds && kinds[i].space == SPACE_LDS) &&
			    scan_is(word + front, n - front, sizes[k].end))
				return (kinds[i].store ? store : load)(a, i, k, p) ? ASM_GOOD : ASM_BAD;
	}
	return ASM_OTHER;
}
