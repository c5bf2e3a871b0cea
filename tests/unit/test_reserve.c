/* What work of a library does when memory runs out: it leaves, and its caller goes on. */
#include "base/reserve.h"

#include <CUnit/CUnit.h>

void suite_reserve(void);

typedef ARRAY(u64) Numbers;

/* Neither size fits the count of an array, and the second would be a small one there. */
static void reserve_more(void *arg)
{
	array_reserve((Numbers *)arg, (u64)UINT32_MAX + 1);
}

static void reserve_far_more(void *arg)
{
	array_reserve((Numbers *)arg, ((u64)1 << 32) + 8);
}

static void too_many_elements(void)
{
	static void (*const works[])(void *) = {reserve_more, reserve_far_more};
	for (u32 i = 0; i < COUNT(works); i++) {
		Numbers a = {0};
		Reserve r;
		array_push(&a, 7);
		CU_ASSERT_TRUE_FATAL(reserve_lay(&r, NULL));
		Reserve *before = reserve_use(&r);
		CU_ASSERT_FALSE(reserve_try(works[i], &a));
		CU_ASSERT_TRUE(reserve_spent(&r));
		reserve_use(before);
		reserve_free(&r);
		CU_ASSERT_TRUE(a.n == 1 && a.v[0] == 7);
		array_free(&a);
	}
}

void suite_reserve(void)
{
	CU_pSuite s = CU_add_suite("reserve", NULL, NULL);
	CU_add_test(s, "more elements than an array counts", too_many_elements);
}
