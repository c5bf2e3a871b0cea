/* SPIR-V modules without their debug information. */
#include "isa/spirv.h"

#include <CUnit/CUnit.h>

void suite_spirv(void);

#define INS(words, op) ((u32)(words) << 16 | (op))
enum { MAGIC = 0x07230203, MEMORY_MODEL = 14, LINE = 8, NO_LINE = 317, IMPORT = 11, EXT_INST = 12 };

/* "OpenCL.std", "DebugInfo", with their ends, as words */
#define STD 0x6E65704F, 0x732E4C43, 0x00006474
#define DEBUG 0x75626544, 0x666E4967, 0x0000006F

static const u32 module[] = {
	MAGIC, 0x10000, 0, 20, 0,
	INS(5, IMPORT), 1, STD,
	INS(5, IMPORT), 2, DEBUG,
	INS(3, MEMORY_MODEL), 2, 2,
	INS(4, LINE), 3, 7, 1,
	INS(5, EXT_INST), 4, 5, 2, 1, /* of the second set */
	INS(5, EXT_INST), 4, 6, 1, 1, /* of the first */
	INS(1, NO_LINE),
};
static const u32 bare[] = {MAGIC, 0x10000, 0, 20, 0, INS(5, IMPORT), 1, STD, INS(3, MEMORY_MODEL), 2, 2,
                           INS(5, EXT_INST), 4, 6, 1, 1};

static void without_debug(void)
{
	size_t n = 0;
	u8 *out = spirv_without_debug(module, sizeof module, &n);
	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	CU_ASSERT_EQUAL_FATAL(n, sizeof bare);
	CU_ASSERT_EQUAL(memcmp(out, bare, n), 0);
	free(out);
	out = spirv_without_debug(bare, sizeof bare, &n);
	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	CU_ASSERT_EQUAL(n, sizeof bare);
	free(out);
}

/* Cut anywhere it is as whole as its last instruction. */
static void damaged(void)
{
	for (size_t size = 0; size < sizeof module; size++) {
		u8 *cut = memcpy(xmalloc(size + 1), module, size);
		size_t n = 0;
		u8 *out = spirv_without_debug(cut, size, &n);
		CU_ASSERT_EQUAL(is_spirv(cut, size), size >= 5 * sizeof(u32));
		CU_ASSERT_TRUE(n <= size);
		free(out);
		free(cut);
	}
	u32 zero[COUNT(module)];
	size_t n;
	memcpy(zero, module, sizeof zero);
	zero[5] = INS(0, IMPORT); /* an instruction of no words */
	CU_ASSERT_PTR_NULL(spirv_without_debug(zero, sizeof zero, &n));
	zero[0] = 0x03022307; /* the other order of bytes */
	CU_ASSERT_TRUE(is_spirv(zero, sizeof zero));
	CU_ASSERT_PTR_NULL(spirv_without_debug(zero, sizeof zero, &n));
	CU_ASSERT_FALSE(is_spirv(NULL, 0));
}

void suite_spirv(void)
{
	CU_pSuite s = CU_add_suite("SPIR-V", NULL, NULL);
	CU_add_test(s, "without debug information", without_debug);
	CU_add_test(s, "damaged modules", damaged);
}
