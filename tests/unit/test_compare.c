/* Elements of two buffers that differ; what is said of a metric that two launches are compared by. */
#include "engine/element.h"
#include "report/compare.h"

#include <CUnit/CUnit.h>
#include <math.h>

void suite_compare(void);

static void words(void)
{
	static const SinkStyle style = {0};
	const struct {
		CompareMetric m;
		const char *before, *change;
		bool changed;
		int gain;
	} row[] = {
		{{"a", "", "", LOWER, {1234567, 0}}, "1,234,567", "-100 %", true, 1},
		{{"a", "", "", LOWER, {0, 3}}, "0", "new", true, -1},
		{{"a", "us", "", LOWER, {4.47251, 4.47251}}, "4.473", "", false, 0},
		{{"a", "us", "", LOWER, {1000.6, 1500.9}}, "1,001", "+50 %", true, -1},
		{{"a", "%", "", HIGHER, {50, 75.5}}, "50", "+25.5 points", true, 1},
		{{"a", "", "", NEITHER, {8, 4}}, "8", "-50 %", true, 0},
		{{"a", "", "", LOWER, {NAN, 4}}, "unknown", "", true, 0},
		{{"a", "", "", LOWER, {4, NAN}}, "4", "", true, 0},
		{{"a", "", "", LOWER, {NAN, NAN}}, "unknown", "", false, 0},
	};
	for (u32 i = 0; i < COUNT(row); i++) {
		Buf value = {0}, change = {0};
		compare_value(&row[i].m, 0, &value);
		buf_printf(&change, "%s", "");
		compare_change(&row[i].m, &style, &change);
		CU_ASSERT_STRING_EQUAL(value.v, row[i].before);
		CU_ASSERT_STRING_EQUAL(change.v, row[i].change);
		CU_ASSERT_EQUAL(compare_changed(&row[i].m), row[i].changed);
		CU_ASSERT_EQUAL(compare_gain(&row[i].m), row[i].gain);
		array_free(&value);
		array_free(&change);
	}
}

/* However they lie to the blocks that are looked at once, each that differs is met. */
static void elements(void)
{
	enum { MOST = 3000, STRIDE = 3 };
	static u8 a[MOST], b[MOST];
	static const u32 places[] = {0, 1, 255, 256, 257, 511, 512, 900, 998, 999};
	for (u32 cut = 0; cut < STRIDE; cut++)
		for (u32 i = 0; i < COUNT(places); i++)
			for (u32 k = i; k < COUNT(places); k++) {
				u32 met = 0;
				u64 size = MOST - cut;
				a[places[i] * STRIDE] = a[places[k] * STRIDE] = 1;
				for (u64 at = 0; at < size; at += STRIDE) {
					at = element_next(a, b, at, size, STRIDE);
					CU_ASSERT_EQUAL(at % STRIDE, 0);
					met += memcmp(a + at, b + at, size - at < STRIDE ? size - at : STRIDE) != 0;
				}
				CU_ASSERT_EQUAL(met, i == k ? 1 : 2);
				memset(a, 0, sizeof a);
			}
}

void suite_compare(void)
{
	CU_pSuite s = CU_add_suite("compare", NULL, NULL);
	CU_add_test(s, "elements that differ", elements);
	CU_add_test(s, "metrics in words", words);
}
