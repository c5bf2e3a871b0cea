/* Which printed texts are taken for the same. */
#include "engine/printed.h"

#include <CUnit/CUnit.h>

void suite_printed(void);

static bool same(const char *a, const char *b, double ulps)
{
	FeLimits limits = {.f32 = ulps};
	bool forth = printed_same(a, strlen(a), b, strlen(b), &limits);
	CU_ASSERT_EQUAL(printed_same(b, strlen(b), a, strlen(a), &limits), forth);
	return forth;
}

static void order(void)
{
	CU_ASSERT_TRUE(same("a 1\nb 2\n", "b 2\na 1\n", 0));
	CU_ASSERT_FALSE(same("a 1\na 1\nb 2\n", "a 1\nb 2\nb 2\n", 0));
	CU_ASSERT_FALSE(same("a 1\n", "a 1", 0));
	CU_ASSERT_FALSE(same("", "a", 0));
	/* Rounded the other way a line would sort elsewhere. */
	CU_ASSERT_TRUE(same("0.8 of 5\n0.7 of 6\n0.7 of 4\n", "0.7 of 4\n0.7 of 5\n0.7 of 6\n", 1));
	CU_ASSERT_FALSE(same("0.8 of 5\n0.7 of 6\n0.7 of 4\n", "0.7 of 4\n0.7 of 5\n0.5 of 6\n", 1));
	CU_ASSERT_TRUE(same("0.7\n0.8\n0.9\n", "0.9\n0.8\n0.8\n", 1));
}

static void numbers(void)
{
	CU_ASSERT_TRUE(same("9.99999905 x", "10 x", 3)); /* %g */
	CU_ASSERT_TRUE(same("1e+10", "9.999999e+09", 3));
	CU_ASSERT_FALSE(same("0.5", "0.45123", 3));
	CU_ASSERT_FALSE(same("10", "11", 3));
	CU_ASSERT_FALSE(same("10", "10.5", 3));
	CU_ASSERT_FALSE(same("0x1.ep3", "0x1.cp3", 0));
	CU_ASSERT_TRUE(same("nan a\n1 b\n", "1 b\n-nan a\n", 0));
	CU_ASSERT_FALSE(same("nan", "1.0", 1e9));
	CU_ASSERT_FALSE(same("inf", "-inf", 1e9));
	CU_ASSERT_TRUE(same("-0.0 x", "0.0 x", 0));
}

static void zeros(void)
{
	const FeLimits limits = {0};
	CU_ASSERT_FALSE(printed_same("a\0b\nc", 5, "a\0d\nc", 5, &limits));
	CU_ASSERT_TRUE(printed_same("a\0b\nc", 5, "c\na\0b", 5, &limits));
}

void suite_printed(void)
{
	CU_pSuite s = CU_add_suite("printed", NULL, NULL);
	CU_add_test(s, "lines in any order", order);
	CU_add_test(s, "numbers that are rounded", numbers);
	CU_add_test(s, "characters that are 0", zeros);
}
