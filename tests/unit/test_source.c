/* Which text a name of a program's sources means, and what a text says of itself. */
#include "engine/result.h"
#include "isa/source.h"
#include "tests/unit/temp_kit.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

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

static void languages(void)
{
	static const struct {
		const char *options;
		char std;
	} row[] = {
	    {NULL, 0},
	    {"", 0},
	    {"-DX -cl-fast-relaxed-math", 0},
	    {"-cl-std=CL1.2", '1'},
	    {"-w -cl-std=CL3.0 -DN=1", '3'},
	    {"-cl-std=CL1.2 -cl-std=CL2.0", '2'},
	    {"-cl-std=CLC++", 'C'},
	    {"-cl-std=CL", 0},
	};
	for (u32 i = 0; i < COUNT(row); i++)
		CU_ASSERT_EQUAL(source_std(row[i].options), row[i].std);
}

static void skips(void)
{
	static const struct {
		const char *text;
		u32 n;
	} row[] = {
		{"a // b", 0}, {"/ 2", 0}, {"// b\nc", 4}, {"/* b */ c", 7}, {"/* b\n // */c", 11}, {"/* b", 4},
		{"\"a\\\"b\" c", 6}, {"\"a\nb\"", 2}, {"'\"' c", 3}, {"'\\'' c", 4},
		{"don't", 0}, {"", 0}, {"\"a\\", 3},
	};
	for (u32 i = 0; i < COUNT(row); i++)
		CU_ASSERT_EQUAL(source_skip(row[i].text) - row[i].text, row[i].n);
}

static void steps(void)
{
	static const struct {
		SrcKind kind;
		const char *text;
	} want[] = {
		{SRC_WORD, "x2"}, {SRC_BLANK, " \n\t"}, {SRC_COMMENT, "/* \" */"}, {SRC_WORD, "if"}, {SRC_OTHER, "("},
		{SRC_QUOTED, "'\\''"}, {SRC_OTHER, "/"}, {SRC_QUOTED, "\"// \\\" if\""}, {SRC_OTHER, ")"},
		{SRC_COMMENT, "// return"}, {SRC_BLANK, "\n"}, {SRC_WORD, "iff"}, {SRC_OTHER, ";"},
	};
	Buf text = {0};
	for (u32 i = 0; i < COUNT(want); i++)
		buf_printf(&text, "%s", want[i].text);
	const char *s = text.v;
	SrcStep step;
	for (u32 i = 0; i < COUNT(want); i++) {
		CU_ASSERT_FATAL(source_next(&s, &step));
		CU_ASSERT_EQUAL(step.kind, want[i].kind);
		CU_ASSERT_EQUAL(step.n, strlen(want[i].text));
		CU_ASSERT_FALSE(strncmp(step.at, want[i].text, step.n));
		CU_ASSERT_EQUAL(source_is(&step, "if"), i == 3);
		CU_ASSERT_EQUAL(source_is_char(&step, '/'), i == 6);
	}
	CU_ASSERT_FALSE(source_next(&s, &step));
	array_free(&text);
}

static void bare_names(void)
{
	static const struct {
		const char *name, *bare;
	} row[] = {
		{"sum", "sum"}, {"a::b::sum<float, 256>(float*)", "sum"}, {"sum<n::t>", "sum"}, {"n::sum <1>", "sum"},
		{"void n::sum<int>(n::t*)", "sum"}, {"<>", ""}, {"", ""},
	};
	for (u32 i = 0; i < COUNT(row); i++) {
		size_t n;
		const char *bare = source_bare_name(row[i].name, &n);
		CU_ASSERT_EQUAL(n, strlen(row[i].bare));
		CU_ASSERT_FALSE(strncmp(bare, row[i].bare, n));
	}
}

static void kernels(void)
{
	static const char text[] = "// void k(\nkernel void k(global char *a)\n{\n\tif (*a == '}' || *a == '\\'')\n"
	                           "\t\t*a = '{';\n\t/* } */ //\"}\n\t*a = \"}\"[0];\n}\n\nkernel void l() { }\n";
	CU_ASSERT_EQUAL(source_kernel_line(text, "k"), 2);
	CU_ASSERT_EQUAL(source_kernel_end(text, 2), 8);
	CU_ASSERT_EQUAL(source_kernel_line(text, "l"), 10);
	/* C++: with template arguments, parameters and namespaces; which of two of one name it is, is not known. */
	static const char many[] = "template <int N>\nvoid t(int *p) { }\nvoid over(int *p) { }\nvoid over(float *p) { }\n";
	CU_ASSERT_EQUAL(source_kernel_line(many, "t<256>"), 2);
	CU_ASSERT_EQUAL(source_kernel_line(many, "n::t<(char)1>(int*)"), 2);
	CU_ASSERT_EQUAL(source_kernel_line(many, "over(float*)"), 0);
	CU_ASSERT_EQUAL(source_kernel_line(many, "t2<1>"), 0);
	CU_ASSERT_EQUAL(source_kernel_line(many, "<>"), 0);
}

/* A `#line` may give the name of anything. */
static void regular_files(void)
{
	char path[KIT_PATH];
	kit_file(path, "file");
	CU_ASSERT_EQUAL_FATAL(mkfifo(path, 0600), 0);
	CU_ASSERT_PTR_NULL(read_regular_file(path, NULL)); /* nobody will ever write */
	CU_ASSERT_EQUAL_FATAL(unlink(path), 0);
	CU_ASSERT_PTR_NULL(read_regular_file(path, NULL));
	CU_ASSERT_PTR_NULL(read_regular_file("/dev/zero", NULL));
	FILE *f = fopen(path, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_TRUE(fputs("text", f) >= 0 && !fclose(f));
	char *text = read_regular_file(path, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	CU_ASSERT_STRING_EQUAL(text, "text");
	free(text);
	kit_file_remove(path);
}

void suite_source(void)
{
	CU_pSuite s = CU_add_suite("sources", NULL, NULL);
	CU_add_test(s, "texts by name", texts);
	CU_add_test(s, "the language that options name", languages);
	CU_add_test(s, "past comments and literals", skips);
	CU_add_test(s, "steps over a text", steps);
	CU_add_test(s, "names alone", bare_names);
	CU_add_test(s, "where a kernel is", kernels);
	CU_add_test(s, "only regular files", regular_files);
	CU_add_test(s, "what a text defines a macro as", macros);
}
