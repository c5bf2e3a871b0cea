/* How numbers and text stand in JSON. */
#include "report/json_kit.h"

#include <CUnit/CUnit.h>
#include <math.h>

/* Whole numbers without an exponent, others so that the same double comes back. */
static void numbers(void)
{
	static const struct {
		double v;
		const char *text;
	} rows[] = {{0, "0"},
	            {1e6, "1000000"},
	            {0x1p53 - 1, "9007199254740991"},
	            {-2e9, "-2000000000"},
	            {0.1, "0.1"},
	            {1.0 / 3, "0.3333333333333333"},
	            {1e-9, "1e-09"},
	            {0x1p60, "1.152921504606847e+18"},
	            {NAN, "null"},
	            {INFINITY, "null"}};
	for (u32 i = 0; i < COUNT(rows); i++) {
		cJSON *o = cJSON_CreateObject();
		Buf text = {0}, want = {0};
		json_ratio(o, "v", rows[i].v);
		json_put(o, true, &text);
		buf_printf(&want, "{\"v\":%s}", rows[i].text);
		CU_ASSERT_STRING_EQUAL(text.v, want.v);
		array_free(&text);
		array_free(&want);
	}
}

static void texts(void)
{
	cJSON *o = cJSON_CreateObject();
	Buf text = {0};
	json_text(o, "a", NULL);
	json_text(o, "b", "\x1b \xff\n");
	json_put(o, true, &text);
	CU_ASSERT_STRING_EQUAL(text.v, "{\"a\":null,\"b\":\"\\u001b \xef\xbf\xbd\\n\"}");
	array_free(&text);
}

void suite_json(void);
void suite_json(void)
{
	CU_pSuite s = CU_add_suite("json", NULL, NULL);
	CU_add_test(s, "numbers", numbers);
	CU_add_test(s, "texts", texts);
}
