/* Which versions of LLVM PoCL and wavesim may have in one process, and how; what is left of PoCL's header. */
#include "frontend/source/pocl/pocl_cl.h"
#include "frontend/source/pocl/pocl_header.h"

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

/* Lines stay where they are. */
static void header(void)
{
	static const char whole[] = "#ifndef H // ;\n"
				    "#define twice(x) add(x, \\\n\tx)\n"
				    "typedef void (*function)(int);\n"
				    "float __ovld cos(float);\n"
				    "float __ovld sin(float);\n"
				    "double\n__ovld sin(double x,\n  double y);\n"
				    "int __ovld add(int, int);\n"
				    "/* cos(; */ void __ovld barrier (int);\n"
				    "int log(char *s) __attribute__((deprecated(\"log; (\")));\n"
				    "struct s { int sin; };\n"
				    "#endif\n";
	static const struct {
		const char *texts[3];
		const char *left; /* of the functions; NULL: all stays */
	} row[] = {
	    {{""}, "\n\n\n\n\nint __ovld add(int, int);\n\n\n"},
	    {{"cosine = acos(2)", "-DCOS"}, "\n\n\n\n\nint __ovld add(int, int);\n\n\n"},
	    {{"x = cos(2)"}, "float __ovld cos(float);\n\n\n\n\nint __ovld add(int, int);\n\n\n"},
	    {{"", "-DX=sin"}, "\nfloat __ovld sin(float);\ndouble\n__ovld sin(double x,\n  double y);\n"
				    "int __ovld add(int, int);\n\n\n"},
	    {{"barrier(1);"}, "\n\n\n\n\nint __ovld add(int, int);\nvoid __ovld barrier (int);\n\n"},
	    {{"log(s)"}, "\n\n\n\n\nint __ovld add(int, int);\n\n"
				"int log(char *s) __attribute__((deprecated(\"log; (\")));\n"},
	    {{"#define f(x) x##s(2)"}, NULL},
	    {{" # include \"cos.h\""}, NULL},
	    {{"#import <cos.h>"}, NULL},
	    {{"co\\\ns(2)"}, NULL},
	    {{"x = 1", "#include \"a.h\""}, NULL},
	    {{"#\\\ninclude \"a.h\""}, NULL},
	    {{"inc\\ \r\nlude"}, NULL},
	    {{"#\\\n#"}, NULL},
	    {{"a?\?=?\?=b"}, NULL},
	    {{"#define f(x) \\\n\tx"}, "\n\n\n\n\nint __ovld add(int, int);\n\n\n"},
	};
	for (u32 i = 0; i < COUNT(row); i++) {
		char *left = pocl_header_shorten(whole, row[i].texts);
		Buf want = {0};
		buf_printf(&want, "#ifndef H // ;\n#define twice(x) add(x, \\\n\tx)\ntypedef void (*function)(int);\n"
				  "%sstruct s { int sin; };\n#endif\n", row[i].left ? row[i].left : "");
		CU_ASSERT_EQUAL(left != NULL, row[i].left != NULL);
		if (left && row[i].left)
			CU_ASSERT_STRING_EQUAL(left, want.v);
		array_free(&want);
		free(left);
	}
}

void suite_pocl(void)
{
	CU_pSuite s = CU_add_suite("PoCL", NULL, NULL);
	CU_add_test(s, "its LLVM and ours", versions);
	CU_add_test(s, "its clang", clang);
	CU_add_test(s, "its header, shorter", header);
}
