/* Which text a name of a program's sources means, and what a text says of itself. */
#include "engine/result.h"
#include "isa/source.h"

#include <CUnit/CUnit.h>

void suite_source(void);

static void texts(void)
{
	SrcInclude first[] = {{"both.h", "one"}, {"deep/a.h", "a"}}, second[] = {{"both.h", "two"}, {"own.h", "own"}};
	SrcUnit units[] = {{"kernel", NULL, first, 2}, {"helper", NULL, second, 2}};
	const SrcProgram p = {.units = units, .nunits = 2, .linked = true};
	static const struct {
		const char *name, *text;
	} row[] = {
		{"p.cl", "kernel"}, {"p-2.cl", "helper"}, {"p-3.cl", NULL}, {"both.h", "one"}, {"deep/a.h", "a"},
		{"own.h", "own"}, {"unit-2/both.h", "two"}, {"unit-1/both.h", "one"}, {"unit-2/deep/a.h", NULL},
		{"unit-0/both.h", NULL}, {"unit-3/both.h", NULL}, {"unit-2", NULL}, {"unit-/both.h", NULL},
		{"unit-99999999999999999999/both.h", NULL}, {"", NULL},
	};
	Arena *a = arena_new();
	for (u32 i = 0; i < COUNT(row); i++) {
		const char *text = source_text(&p, "p.cl", row[i].name, a);
		CU_ASSERT_TRUE(row[i].text ? text && !strcmp(text, row[i].text) : !text);
	}
	arena_free(a);
}

static void macros(void)
{
	static const struct {
		const char *text, *value;
	} row[] = {
		{"#define T 16", "16"}, {"#define T 16 // tuned", "16"}, {"  # define\tT  (a + b) \r\n", "(a + b)"},
		{"#define T 1 /* or\n2 */ + 3\n4", "1   + 3"}, {"#define T \\\n16\n", "16"},
		{"#define T \\\r\n16\r\n", "16"}, {"#define T \"// \\\"\" 1\n", "\"// \\\"\" 1"},
		{"/* here: */ #define T 16", "16"}, {"#ifndef T\n#define T 16\n#endif", "16"},
		{"#if !defined(T)\n#define T 16\n#endif", "16"}, {"#if ! defined T\n#define T 16\n#endif", "16"},
		{"#ifndef T\n#define T 16\n#else\n#endif", "16"}, {"#ifdef X\n#endif\n#define T 16", "16"},
		/* none */
		{"", NULL}, {"#", NULL}, {"#define T", NULL}, {"#define T(x) x", NULL}, {"#define TT 16", NULL},
		{"#defined T 16", NULL}, {"x #define T 16", NULL}, {"// #define T 16", NULL},
		{"/*\n#define T 16\n*/", NULL}, {"a(\"\\\"\n#define T 16", "16"},
		/* not by itself */
		{"#if 0\n#define T 16\n#endif", NULL}, {"#ifdef T\n#define T 16\n#endif", NULL},
		{"#ifndef T\n#else\n#define T 16\n#endif", NULL}, {"#ifndef TT\n#define T 16\n#endif", NULL},
		{"#if X\n#ifndef T\n#define T 16\n#endif\n#endif", NULL},
		{"#ifndef T\n#if X\n#define T 16\n#endif\n#endif", NULL},
		{"#if !defined(T) && X\n#define T 16\n#endif", NULL},
		{"#ifdef X\n#define T 8\n#endif\n#ifndef T\n#define T 16\n#endif", NULL},
		{"#define T 8\n#undef T\n", NULL}, {"#endif\n#define T 16", "16"},
	};
	Arena *a = arena_new();
	for (u32 i = 0; i < COUNT(row); i++) {
		const char *value = source_macro(row[i].text, "T", a);
		CU_ASSERT_TRUE(row[i].value ? value && !strcmp(value, row[i].value) : !value);
	}
	arena_free(a);
}

void suite_source(void)
{
	CU_pSuite s = CU_add_suite("sources", NULL, NULL);
	CU_add_test(s, "texts by name", texts);
	CU_add_test(s, "what a text defines a macro as", macros);
}
