/* The unit tests: every suite_NAME(void) of tests/unit, listed by the Makefile. An argument
 * runs only the suite of that name. */
#include <CUnit/Basic.h>
#include <stdio.h>
#include <string.h>

#define SUITE(name) void suite_##name(void);
#include "suites.def"
#undef SUITE

int main(int argc, char **argv)
{
	if (CU_initialize_registry() != CUE_SUCCESS)
		return 2;
#define SUITE(name) \
	if (argc < 2 || !strcmp(argv[1], #name)) \
		suite_##name();
#include "suites.def"
	CU_basic_set_mode(CU_BRM_NORMAL);
	CU_basic_run_tests();
	unsigned failed = CU_get_number_of_tests_failed();
	printf("unit: %u passed, %u failed\n", CU_get_number_of_tests_run() - failed, failed);
	CU_cleanup_registry();
	return failed || CU_get_error() != CUE_SUCCESS;
}
