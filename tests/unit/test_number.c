/* Numbers for people: where one goes over into the next unit. */
#include "base/number.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

void suite_number(void);

static void check(const char *got, const char *want)
{
	CU_ASSERT_STRING_EQUAL(got, want);
	if (strcmp(got, want) != 0)
		fprintf(stderr, "got '%s', want '%s'\n", got, want);
}

static void times(void)
{
	static const struct {
		double us;
		const char *digits3, *digits4, *wide;
	} row[] = {
		{0, "0.00 ns", "0 us", "   0.00 us"},
		{0.1764, "176 ns", "0.1764 us", "   0.18 us"},
		{0.9994, "999 ns", "0.9994 us", "   1.00 us"},
		{0.9996, "1.00 us", "0.9996 us", "   1.00 us"},
		{4.4721, "4.47 us", "4.472 us", "   4.47 us"},
		{9.996, "10.0 us", "9.996 us", "  10.00 us"},
		{99.96, "100 us", "99.96 us", "  99.96 us"},
		{999.4, "999 us", "999.4 us", " 999.40 us"},
		{999.7, "1.00 ms", "999.7 us", " 999.70 us"},
		{999.996, "1.00 ms", "1000 us", "   1.00 ms"},
		{9999.4, "10.0 ms", "9999 us", "  10.00 ms"},
		{14120, "14.1 ms", "14.12 ms", "  14.12 ms"},
		{999.7e3, "1.00 s", "999.7 ms", " 999.70 ms"},
		{12345e6, "12345 s", "1.234e+04 s", "12345.00 s"},
	};
	for (u32 i = 0; i < COUNT(row); i++) {
		Buf text = {0}, wide = {0};
		char words[TIME_WORDS];
		put_time(&text, row[i].us);
		put_time_wide(&wide, row[i].us, 7);
		check(text.v, row[i].digits3);
		check(time_words(words, row[i].us), row[i].digits4);
		check(wide.v, row[i].wide);
		array_free(&text);
		array_free(&wide);
	}
}

static void counts(void)
{
	static const struct {
		u64 n;
		const char *grouped, *brief;
	} row[] = {
		{0, "0", "0"},
		{999, "999", "999"},
		{1234567, "1,234,567", "1.235M"},
		{999999, "999,999", "999999"},
		{9999600, "9,999,600", "10.00M"},
		{999600000, "999,600,000", "1.000G"},
	};
	for (u32 i = 0; i < COUNT(row); i++) {
		Buf grouped = {0}, brief = {0};
		put_grouped(&grouped, row[i].n);
		put_short(&brief, row[i].n);
		check(grouped.v, row[i].grouped);
		check(brief.v, row[i].brief);
		array_free(&grouped);
		array_free(&brief);
	}
}

void suite_number(void)
{
	CU_pSuite s = CU_add_suite("number", NULL, NULL);
	CU_add_test(s, "times and their units", times);
	CU_add_test(s, "grouped and short counts", counts);
}
