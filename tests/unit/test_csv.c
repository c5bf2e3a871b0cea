/* Bytes made valid UTF-8, and fields of CSV written and read back. */
#include "base/csv.h"
#include "report/style.h"

#include <CUnit/CUnit.h>

void suite_csv(void);

#define BAD "\xEF\xBF\xBD"

static void utf8(void)
{
	static const struct {
		const char *bytes, *clean;
		size_t n;
	} row[] = {
		{"", "", 0},
		{"a\n\x7F", "a\n\x7F", 3},
		{"a\0b", "a" BAD "b", 3},
		{"\xC2\x80\xDF\xBF", "\xC2\x80\xDF\xBF", 4},
		{"\xE0\xA0\x80\xED\x9F\xBF\xEF\xBF\xBF", "\xE0\xA0\x80\xED\x9F\xBF\xEF\xBF\xBF", 9},
		{"\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", 8},
		{"\x80z", BAD "z", 2},
		{"\xC1\xBF", BAD BAD, 2},                   /* could be shorter */
		{"\xE0\x9F\xBF", BAD BAD BAD, 3},
		{"\xF0\x8F\xBF\xBF", BAD BAD BAD BAD, 4},
		{"\xED\xA0\x80", BAD BAD BAD, 3},           /* half of a surrogate pair */
		{"\xF4\x90\x80\x80", BAD BAD BAD BAD, 4},   /* above U+10FFFF */
		{"\xF5\x80", BAD BAD, 2},
		{"\xC3\xA4", BAD, 1},                       /* cut off */
		{"\xE2\x82z", BAD BAD "z", 3},
	};
	for (u32 i = 0; i < COUNT(row); i++) {
		char *clean = utf8_clean(row[i].bytes, row[i].n);
		CU_ASSERT_STRING_EQUAL(clean, row[i].clean);
		free(clean);
	}
}

/* What a terminal would act on becomes a question mark; colours stay where they are wanted. */
static void masked(void)
{
	static const struct {
		const char *text, *plain, *coloured;
	} row[] = {
		{"a\n\tb", "a\n\tb", "a\n\tb"},
		{"\033[31mred\033[0m", "?[31mred?[0m", "\033[31mred\033[0m"},
		{"\033[2J\033]0;title\a", "?[2J?]0;title?", "?[2J?]0;title?"},
		{"\033[1;2;3", "?[1;2;3", "?[1;2;3"},
		{"\r\b\x7F", "???", "???"},
		{"\xC2\x9B" "31m \xC2\xA0 \xC3\x9B \xE2\x82\xAC", "?31m \xC2\xA0 \xC3\x9B \xE2\x82\xAC",
		 "?31m \xC2\xA0 \xC3\x9B \xE2\x82\xAC"},
		{"\xC2", "\xC2", "\xC2"},
	};
	for (u32 i = 0; i < COUNT(row); i++)
		for (u32 colours = 0; colours < 2; colours++) {
			Buf b = {0};
			buf_masked(&b, row[i].text, strlen(row[i].text), colours);
			buf_write(&b, "", 1);
			CU_ASSERT_STRING_EQUAL(b.v, colours ? row[i].coloured : row[i].plain);
			array_free(&b);
		}
	Buf source = {0};
	put_source(&source, "\t\033[m\xC2\x9B" "\xC3\x9B\r", 9, 0);
	CU_ASSERT_STRING_EQUAL(source.v, "    ?[m?\xC3\x9B?");
	source.n = 0;
	put_source(&source, "\t\033[m\xC2\x9B" "\xC3\x9B\r", 9, 8);
	CU_ASSERT_STRING_EQUAL(source.v, "    ?[m?");
	array_free(&source);
}

static void round_trip(void)
{
	static const char *const field[] = {"plain",      "",   "a,b",     "say \"so\"",
	                                    "two\nlines", "\r", " blank ", "\xC3\xA4"};
	Buf text = {0};
	for (u32 line = 0; line < 2; line++) { /* a header, and a row like it */
		for (u32 i = 0; i < COUNT(field); i++) {
			buf_printf(&text, i ? "," : "");
			csv_text(field[i], &text);
		}
		buf_printf(&text, "\n");
	}
	Diag d = {0};
	Arena *a = arena_new();
	Csv c;
	CU_ASSERT_FATAL(csv_parse(&c, "t.csv", text.v, a, &d));
	CU_ASSERT_EQUAL(c.nrows, 1);
	CU_ASSERT_EQUAL(c.ncolumns, COUNT(field));
	for (u32 i = 0; i < COUNT(field); i++)
		CU_ASSERT_STRING_EQUAL(csv_field(&c, 0, field[i]), field[i]);
	array_free(&text);
	arena_free(a);
	diag_free(&d);
}

static void fields(void)
{
	Buf out = {0};
	csv_text(NULL, &out);
	csv_ratio(-1, &out);
	CU_ASSERT_EQUAL(out.n, 0);
	csv_write("a\"\xFF,b", 4, &out);
	CU_ASSERT_STRING_EQUAL(out.v, "\"a\"\"" BAD ",\"");
	out.n = 0;
	csv_ratio(0.1, &out);
	CU_ASSERT_STRING_EQUAL(out.v, "0.1");
	array_free(&out);
}

void suite_csv(void)
{
	CU_pSuite s = CU_add_suite("csv", NULL, NULL);
	CU_add_test(s, "bytes as valid UTF-8", utf8);
	CU_add_test(s, "fields written and read", round_trip);
	CU_add_test(s, "text without control characters", masked);
	CU_add_test(s, "what is quoted, and what empty", fields);
}
