/* Which text a name of a program's sources means. */
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

void suite_source(void)
{
	CU_pSuite s = CU_add_suite("sources", NULL, NULL);
	CU_add_test(s, "texts by name", texts);
}
