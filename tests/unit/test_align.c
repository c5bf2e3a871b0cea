/* Lines side by side: every line once and in order, pairs equal, as many as there can be where that is known. */
#include "engine/align.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

static u32 next(u64 *seed) { return (u32)((*seed = *seed * 6364136223846793005u + 1442695040888963407u) >> 33); }

static void check(const char *a, const char *b, u32 na, u32 nb, u32 pairs)
{
	Arena *arena = arena_new();
	AlignRow *rows;
	u32 n = align_lines(a, b, arena, &rows), at_a = 0, at_b = 0, both = 0;
	bool ordered = true;
	for (u32 i = 0; i < n; i++) {
		ordered &= rows[i].before || rows[i].after;
		ordered &= !rows[i].before || rows[i].before == ++at_a;
		ordered &= !rows[i].after || rows[i].after == ++at_b;
		both += rows[i].before && rows[i].after;
	}
	CU_ASSERT(ordered);
	CU_ASSERT_EQUAL(at_a, na);
	CU_ASSERT_EQUAL(at_b, nb);
	if (pairs != UINT32_MAX)
		CU_ASSERT_EQUAL(both, pairs);
	arena_free(arena);
}

static void small(void)
{
	check(NULL, NULL, 0, 0, 0);
	check("", "a\n", 0, 1, 0);
	check("a\nb\nc\n", "a\nb\nc", 3, 3, 3);
	check("a\n  b\t\nc\n", "a\nb\nc\n", 3, 3, 3);
	check("a\nx\nb\nx\nc\n", "a\nb\nx\nc\n", 5, 4, 4);
	check("x\nx\nx\n", "x\nx\n", 3, 2, 2);
	check("a\nb\n", "b\na\n", 2, 2, 1);
	check("1\n2\n3\n4\n", "4\n3\n2\n1\n", 4, 4, 1);
}

/* Lines taken out of a text of different ones: all that are left find their own. */
static void removed(void)
{
	u64 seed = 7;
	for (u32 round = 0; round < 50; round++) {
		Buf a = {0}, b = {0};
		u32 n = next(&seed) % 300, left = 0;
		buf_printf(&a, "%s", "");
		buf_printf(&b, "%s", "");
		for (u32 i = 0; i < n; i++) {
			bool keep = next(&seed) % 4;
			buf_printf(&a, "line %u\n", i);
			if (keep)
				buf_printf(&b, "line %u\n", i);
			left += keep;
		}
		check(a.v, b.v, n, left, left);
		array_free(&a);
		array_free(&b);
	}
}

/* Few different lines, none of them alone; and 200,000 lines in the wrong order: neither takes long. */
static void large(void)
{
	u64 seed = 3;
	Buf a = {0}, b = {0};
	for (u32 i = 0; i < 100000; i++) {
		buf_printf(&a, "%u\n", next(&seed) % 7);
		buf_printf(&b, "%u\n", next(&seed) % 7);
	}
	check(a.v, b.v, 100000, 100000, UINT32_MAX);
	a.n = b.n = 0;
	for (u32 i = 0; i < 200000; i++) {
		buf_printf(&a, "%u\n", i);
		buf_printf(&b, "%u\n", 200000 - i);
	}
	check(a.v, b.v, 200000, 200000, 1);
	array_free(&a);
	array_free(&b);
}

void suite_align(void)
{
	CU_pSuite s = CU_add_suite("align", NULL, NULL);
	CU_add_test(s, "small texts", small);
	CU_add_test(s, "lines removed", removed);
	CU_add_test(s, "large texts", large);
}
