/* memcpy, memmove, memset. Small constant sizes become loads and stores of the widest
 * elements that the alignment allows; the rest, and all of which the device's code generator
 * makes loops, copy and fill: these are priced by what the loop's turns do. */
#include "frontend/codegen/backend.h"
#include "frontend/lower/lowering.h"

enum { SMALL_BYTES = 256, SMALL_ELEMENTS = 64 };

static bool is_small(const Lower *l, u128 bytes)
{
	u32 inlined = l->m->backend ? l->m->backend->inline_bytes : SMALL_BYTES;
	return bytes <= SMALL_BYTES && bytes <= inlined;
}

/* The alignment that a call promises for its i-th argument (from 1). */
static u64 block_align(LLVMValueRef call, u32 arg)
{
	u32 kind = LLVMGetEnumAttributeKindForName("align", 5);
	LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, arg, kind);
	return a ? LLVMGetEnumAttributeValue(a) : 1;
}

/* As Ins.align. */
static u8 align_code(u64 align) { return align > 128 ? 8 : (u8)(__builtin_ctzll(align) + 1); }

/* Bytes as elements of at most `align` bytes, widest first; 0 when they are too many. */
static u32 block_elements(u64 bytes, u64 align, u8 width[SMALL_ELEMENTS])
{
	u32 n = 0;
	for (u64 w = align < 8 ? align : 8; w; w /= 2) {
		for (; bytes >= w && bytes; bytes -= w) {
			if (n == SMALL_ELEMENTS)
				return 0;
			width[n++] = (u8)w;
		}
	}
	return n;
}

/* The elements i … i + n of one width. */
static u32 block_run(const u8 *width, u32 n, u32 i)
{
	u32 k = 1;
	while (i + k < n && width[i + k] == width[i])
		k++;
	return k;
}

static void block_access(Lower *l, Op op, Addr a, const u8 *width, u32 n, u32 *regs)
{
	u32 s[SMALL_ELEMENTS + 1];
	for (u32 i = 0, k; i < n; i += k) {
		k = block_run(width, n, i);
		s[0] = a.reg;
		memcpy(s + 1, regs + i, k * sizeof *regs);
		Ins *x = op == OP_ld ? lo_emit(l, op, regs + i, k, s, 1)
		                     : lo_emit(l, op, NULL, 0, s, k + 1);
		x->space = a.space;
		x->imm = a.off;
		a.off += (i64)k * width[i];
	}
}

static u32 block_size(Lower *l, LLVMValueRef v)
{
	return lo_zext(l, lo_val1(l, v), T_i64);
}

bool lo_copy(Lower *l, LLVMValueRef v)
{
	LLVMValueRef to = LLVMGetOperand(v, 0), from = LLVMGetOperand(v, 1);
	LLVMValueRef size = LLVMGetOperand(v, 2);
	u64 at = block_align(v, 1), af = block_align(v, 2);
	u8 width[SMALL_ELEMENTS];
	u32 regs[SMALL_ELEMENTS], n = 0;
	u128 bytes;
	bool known = lo_const_int(size, &bytes);
	if (known && !bytes)
		return true;
	if (known && is_small(l, bytes) && !l->m->check) /* checks: byte for byte, padding may be unset */
		n = block_elements((u64)bytes, at < af ? at : af, width);
	if (!n) {
		u32 s[3] = {lo_val1(l, to), lo_val1(l, from), block_size(l, size)};
		Ins *i = lo_emit(l, OP_copy, NULL, 0, s, 3);
		i->space = (u8)LLVMGetPointerAddressSpace(LLVMTypeOf(to));
		i->aux = (u8)LLVMGetPointerAddressSpace(LLVMTypeOf(from));
		i->align = align_code(at < af ? at : af);
		return true;
	}
	/* All loads before the first store: the areas may overlap. */
	for (u32 i = 0; i < n; i++)
		regs[i] = program_reg(l->p, lo_int_type(width[i] * 8u), REG_VECTOR, NULL);
	block_access(l, OP_ld, lo_addr(l, from), width, n, regs);
	block_access(l, OP_st, lo_addr(l, to), width, n, regs);
	return true;
}

bool lo_fill(Lower *l, LLVMValueRef v)
{
	LLVMValueRef to = LLVMGetOperand(v, 0), size = LLVMGetOperand(v, 2);
	u32 byte = lo_val1(l, LLVMGetOperand(v, 1)), regs[SMALL_ELEMENTS], n = 0;
	u8 width[SMALL_ELEMENTS];
	u128 bytes, value;
	bool known = lo_const_int(size, &bytes);
	if (known && !bytes)
		return true;
	if (known && is_small(l, bytes) && lo_const_int(LLVMGetOperand(v, 1), &value))
		n = block_elements((u64)bytes, block_align(v, 1), width);
	if (!n) {
		u32 s[3] = {lo_val1(l, to), byte, block_size(l, size)};
		Ins *i = lo_emit(l, OP_fill, NULL, 0, s, 3);
		i->space = (u8)LLVMGetPointerAddressSpace(LLVMTypeOf(to));
		i->align = align_code(block_align(v, 1));
		return true;
	}
	for (u32 i = 0; i < n; i++)
		regs[i] = lo_c(l, lo_int_type(width[i] * 8u), value * (u128)0x0101010101010101ull);
	block_access(l, OP_st, lo_addr(l, to), width, n, regs);
	return true;
}
