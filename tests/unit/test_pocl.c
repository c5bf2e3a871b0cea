/* Which versions of LLVM PoCL and wavesim may have in one process. */
#include "frontend/source/pocl/pocl_cl.h"

#include <CUnit/CUnit.h>

void suite_pocl(void);

static void versions(void)
{
	static const struct {
		u32 theirs, ours;
		const char *why;
	} row[] = {
		{15, 15, NULL}, {18, 18, NULL}, {18, 19, NULL}, {0, 15, NULL},
		{15, 16, "PoCL here has LLVM 15, and LLVM 16, which wavesim was built with, cannot be in one process with it; "
		         "build wavesim with: make LLVM=15"},
		{18, 17, "PoCL here has LLVM 18, and LLVM 17, which wavesim was built with, cannot read what it writes; "
		         "build wavesim with: make LLVM=18"},
	};
	for (u32 i = 0; i < COUNT(row); i++) {
		char why[256] = "";
		CU_ASSERT_EQUAL(pocl_goes_with(row[i].theirs, row[i].ours, why, sizeof why), !row[i].why);
		CU_ASSERT_STRING_EQUAL(why, row[i].why ? row[i].why : "");
	}
}

void suite_pocl(void)
{
	CU_pSuite s = CU_add_suite("PoCL", NULL, NULL);
	CU_add_test(s, "its LLVM and ours", versions);
}
