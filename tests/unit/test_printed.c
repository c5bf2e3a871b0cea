/* Which printed texts are taken for the same. */
#include "engine/printed.h"

#include <CUnit/CUnit.h>

void suite_printed(void);

static bool same(const char *a, const char *b, const Program *p, double ulps)
{
	FeLimits limits = {.f32 = ulps};
	bool forth = printed_same(a, strlen(a), b, strlen(b), p, &limits, false);
	CU_ASSERT_EQUAL(printed_same(b, strlen(b), a, strlen(a), p, &limits, false), forth);
	return forth;
}

static const struct {
	const char *format, *a, *b;
	double ulps;
	bool same;
} rows[] = {
    {"%s %d\n", "a 1\nb 2\n", "b 2\na 1\n", 0, true}, /* lines in any order */
    {"%s %d\n", "a 1\na 1\nb 2\n", "a 1\nb 2\nb 2\n", 0, false},
    {"a %d", "a 1\n", "a 1", 0, false},
    {"", "", "a", 0, false},
    /* sorts elsewhere when rounded */
    {"%.1f of %d\n", "0.8 of 5\n0.7 of 6\n0.7 of 4\n", "0.7 of 4\n0.7 of 5\n0.7 of 6\n", 1, true},
    {"%.1f of %d\n", "0.8 of 5\n0.7 of 6\n0.7 of 4\n", "0.7 of 4\n0.7 of 5\n0.5 of 6\n", 1, false},
    {"%.1f\n", "0.7\n0.8\n0.9\n", "0.9\n0.8\n0.8\n", 1, true},
    {"%g a\n%g b\n", "10 a\n7 b\n", "7 b\n9.99999 a\n", 0, true},
    {"%.9g x", "9.99999905 x", "10 x", 3, true},
    {"%e", "1.000000e+10", "9.999999e+09", 3, true},
    {"%g", "1e+10", "1.00001e+10", 0, true},
    {"%g", "0.5", "0.45123", 3, false},
    {"%g", "10", "11", 3, false},
    {"%g", "10", "10.5", 3, false},
    {"%a", "0x1.ep3", "0x1.cp3", 0, false},
    {"%a", "0x1.ep+3", "0xf.0p+0", 0, true},
    {"%.1a", "0x1.ep+3", "0x1.dp+3", 0, true},
    {"%g %s\n", "nan a\n1 b\n", "1 b\n-nan a\n", 0, true},
    {"%g", "nan", "1.0", 1e9, false},
    {"%G", "-NAN", "NAN", 0, true},
    {"%g", "inf", "-inf", 1e9, false},
    {"%.1f x", "-0.0 x", "0.0 x", 0, true},
    /* Nothing tells how round numbers were rounded but the format. */
    {"%g", "1e+06", "2e+06", 3, false},
    {"%.0e", "1e+06", "2e+06", 3, true},
    {"%g", "0.5", "0.6", 3, false},
    {"%.1f", "0.5", "0.6", 3, true},
    {"%g", "1e-05", "0", 3, false},
    {"%.3g", "0.000123", "0.000124", 0, true},
    {"%.3g", "0.000123", "0.000125", 0, false},
    {"%g %.10f", "0 0.1234567891", "0 0.1234567899", 0, false},
    {"%g", "100000", "100001", 0, true},
    {"%g %d", "1 100000", "1 100001", 0, false},
    {"%g", "1000000", "1000001", 0, false}, /* %g has an exponent there */
    /* Integers are exact, whatever they look like. */
    {"%x", "1e5", "2e5", 3, false},
    {"%x %g", "1e5 0", "2e5 0", 3, false},
    {"%x-%02x", "1e-05", "2e-05", 3, false},
    {"%#x", "0x1e5", "0x1e6", 3, false},
    {"%lu", "18446744073709551615", "18446744073709551614", 3, false},
    {"%p %g", "0xdeadbeefdeadbeef 1", "0xdeadbeefdeadbeee 1", 3, true}, /* each run has its own memory */
    {"%p %g", "0xdeadbeefdeadbeef 1", "0xdeadbeefdeadbeee 2", 3, false},
    {"%p", "0x10", "(nil)", 3, false},
    {"%d %%g", "100000 %g", "100001 %g", 3, false},
    /* Blanks that fill a width. */
    {"%4.1f|%-4.1f|%+.1f", " 9.9|9.9 |+0.0", "10.0|10.0|-0.0", 0, true},
    {"%v2.1hlf", "9.9,0.5", "10.0,0.5", 0, false},
    {"%.1v2hlf", "9.9,0.5", "10.0,0.5", 0, true},
    {"%2d", " 9", "9", 0, false},
    {"a  b", "a  b", "a b", 0, false},
};

static void lines(void)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		Program p = {0};
		array_push(&p.formats, rows[i].format);
		if (same(rows[i].a, rows[i].b, &p, rows[i].ulps) != rows[i].same)
			CU_FAIL(rows[i].a);
		array_free(&p.formats);
	}
}

/* PoCL 3.1's, which stands second, prints a double as the float nearest to it. */
static void doubles(void)
{
	static const char full[] = "7.894561230000000e+08", as_float[] = "7.894561280000000e+08",
	                  other[] = "7.894561270000000e+08";
	const FeLimits limits = {0};
	const u64 n = sizeof full - 1;
	Program p = {0};
	array_push(&p.formats, "%.15e");
	CU_ASSERT_TRUE(printed_same(full, n, as_float, n, &p, &limits, true));
	CU_ASSERT_FALSE(printed_same(full, n, as_float, n, &p, &limits, false));
	CU_ASSERT_FALSE(printed_same(as_float, n, full, n, &p, &limits, true));
	CU_ASSERT_FALSE(printed_same(full, n, other, n, &p, &limits, true));
	array_free(&p.formats);
}

static void zeros(void)
{
	const FeLimits limits = {0};
	const Program p = {0};
	CU_ASSERT_FALSE(printed_same("a\0b\nc", 5, "a\0d\nc", 5, &p, &limits, false));
	CU_ASSERT_TRUE(printed_same("a\0b\nc", 5, "c\na\0b", 5, &p, &limits, false));
}

void suite_printed(void)
{
	CU_pSuite s = CU_add_suite("printed", NULL, NULL);
	CU_add_test(s, "lines in any order, rounded numbers", lines);
	CU_add_test(s, "doubles that PoCL prints as floats", doubles);
	CU_add_test(s, "characters that are 0", zeros);
}
