/* The unit tests: every suite_NAME(void) of tests/unit, listed by the Makefile. An argument
 * runs only the suite of that name. The helper is the one that was built with them. */
#include <CUnit/Basic.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SUITE(name) void suite_##name(void);
#include "suites.def"
#undef SUITE

/* Of BUILD/tests/run: beside BUILD's programs, which of the usual build lie in the folder above it. */
static void name_helper(void)
{
	static const char *const places[] = {"/../wavesim-helper", "/../../wavesim-helper"};
	char self[PATH_MAX], path[PATH_MAX + 32];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	self[n > 0 ? n : 0] = 0;
	char *slash = strrchr(self, '/');
	for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
		snprintf(path, sizeof path, "%.*s%s", (int)(slash - self), self, places[i]);
		if (!access(path, X_OK) && !setenv("WAVESIM_HELPER", path, 0))
			return;
	}
}

int main(int argc, char **argv)
{
	name_helper();
	if (CU_initialize_registry() != CUE_SUCCESS)
		return 2;
#define SUITE(name) \
	if (argc < 2 || !strcmp(argv[1], #name)) \
		suite_##name();
#include "suites.def"
	if (!CU_get_registry()->uiNumberOfSuites) {
		fprintf(stderr, "unit: there is no suite '%s'\n", argv[1]);
		CU_cleanup_registry();
		return 2;
	}
	CU_basic_set_mode(CU_BRM_NORMAL);
	CU_basic_run_tests();
	unsigned failed = CU_get_number_of_tests_failed();
	printf("unit: %u passed, %u failed\n", CU_get_number_of_tests_run() - failed, failed);
	CU_cleanup_registry();
	return failed || CU_get_error() != CUE_SUCCESS;
}
