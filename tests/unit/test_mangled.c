/* Mangled names taken apart. */
#include "frontend/module/mangled.h"

#include <CUnit/CUnit.h>

void suite_mangled(void);

static void names(void)
{
	static const struct {
		const char *symbol, *name, *params;
		bool pocl;
	} row[] = {
		{"_Z13get_global_idj", "get_global_id", "j", false},
		{"_Z7_cl_sinf", "sin", "f", true},
		{"_Z10_cl_vload4mPU8CLglobalKf", "vload4", "mPU8CLglobalKf", true},
		{"_Z1f", "f", "", false},
		{"_Z4_cl_", "_cl_", "", false}, /* nothing behind it */
		{"_Z5_cl_xi", "x", "i", true},
		{"_Z6_cl_i", NULL, NULL, false}, /* longer than there is */
		{"_Z0", NULL, NULL, false},
		{"_Z", NULL, NULL, false},
		{"_Zv", NULL, NULL, false},
		{"_Z-3abc", NULL, NULL, false},
		{"_Z 1f", NULL, NULL, false},
		{"_Z99999999999999999999999x", NULL, NULL, false},
		{"", NULL, NULL, false},
		{"printf", NULL, NULL, false},
	};
	for (u32 i = 0; i < COUNT(row); i++) {
		Mangled m = fe_mangled(row[i].symbol);
		CU_ASSERT_EQUAL(m.pocl, row[i].pocl);
		CU_ASSERT_EQUAL(m.name != NULL, row[i].name != NULL);
		if (!row[i].name) {
			CU_ASSERT_FALSE(mangled_begins(&m, ""));
			continue;
		}
		CU_ASSERT_TRUE(mangled_is(&m, row[i].name));
		CU_ASSERT_STRING_EQUAL(m.params, row[i].params);
		CU_ASSERT_FALSE(mangled_is(&m, "nothing"));
		CU_ASSERT_TRUE(mangled_begins(&m, ""));
	}
}

static void pointers(void)
{
	static const struct {
		const char *parameter;
		u32 bytes;
		bool global;
	} row[] = {
	    {"PU8CLglobalKf", 4, true},
	    {"PU7CLlocalDv4_s", 8, false},
	    {"PU3AS1Kd", 8, true},
	    {"PU3AS3Dv3_i", 16, false},
	    {"PU3AS1Dh", 2, true},
	    {"Pc", 1, false},
	    {"f", 0, false},
	    {"PU9", 0, false},
	    {"", 0, false},
	};
	for (u32 i = 0; i < COUNT(row); i++) {
		CU_ASSERT_EQUAL(mangled_pointed(row[i].parameter), row[i].bytes);
		CU_ASSERT_EQUAL(mangled_is_global(row[i].parameter), row[i].global);
	}
}

void suite_mangled(void)
{
	CU_pSuite s = CU_add_suite("mangled names", NULL, NULL);
	CU_add_test(s, "taken apart", names);
	CU_add_test(s, "pointers", pointers);
}
