/* Which versions of LLVM PoCL and wavesim may have in one process, and how. */
#include "frontend/source/pocl/pocl_cl.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

void suite_pocl(void);

static void versions(void)
{
	static const struct {
		u32 theirs, ours;
		bool apart;
		const char *why;
	} row[] = {
	    {15, 15, false, NULL},
	    {18, 18, false, NULL},
	    {18, 19, false, NULL},
	    {0, 15, false, NULL},
	    {15, 16, true, NULL},
	    {15, 19, true, NULL},
	    {18, 19, true, NULL},
	    {15, 16, false,
	     "PoCL here has LLVM 15, and LLVM 16, which wavesim was built with, cannot be in one process with it; "
	     "build wavesim with: make LLVM=15"},
	    {18, 17, true,
	     "PoCL here has LLVM 18, and LLVM 17, which wavesim was built with, cannot read what it writes; "
	     "build wavesim with: make LLVM=18"},
	};
	for (u32 i = 0; i < COUNT(row); i++) {
		char why[256] = "";
		CU_ASSERT_EQUAL(pocl_goes_with(row[i].theirs, row[i].ours, row[i].apart, why, sizeof why), !row[i].why);
		CU_ASSERT_STRING_EQUAL(why, row[i].why ? row[i].why : "");
	}
}

/* What is in the package has it beside itself; so does anything that names it. */
static void clang(void)
{
	static const char names[] = "\177ELF\0libhwloc.so.15\0libclang-cpp.so.15\0libLLVM-15.so.1";
	char dir[TEMP_PATH], path[TEMP_PATH + 16], name[64] = "";
	u32 version = 0;
	CU_ASSERT(!pocl_needs_clang("libpocl.so.of.nobody", name, sizeof name, &version));
	CU_ASSERT_FATAL(temp_make(dir));
	snprintf(path, sizeof path, "%s/libpocl.so", dir);
	FILE *f = fopen(path, "wb");
	CU_ASSERT_FATAL(f != NULL);
	fwrite(names, 1, sizeof names, f);
	fclose(f);
	CU_ASSERT(pocl_needs_clang(path, name, sizeof name, &version));
	CU_ASSERT_STRING_EQUAL(name, "libclang-cpp.so.15");
	CU_ASSERT_EQUAL(version, 15);
	CU_ASSERT(pocl_needs_clang("libpocl.so.2", name, sizeof name, &version) && version >= 15);
	temp_remove(dir);
}

void suite_pocl(void)
{
	CU_pSuite s = CU_add_suite("PoCL", NULL, NULL);
	CU_add_test(s, "its LLVM and ours", versions);
	CU_add_test(s, "its clang", clang);
}
