/* Ranks and ratios, on lists whose answers were worked out by hand. */
#include "engine/agree.h"
#include "report/crosscheck.h"

#include <CUnit/CUnit.h>
#include <math.h>

#define NEAR(a, b) CU_ASSERT_TRUE(fabs((a) - (b)) < 1e-9)

static void ranks_and_ratios(void)
{
	const double a[] = {1, 2, 3, 4, 5}, b[] = {2, 4, 6, 8, 10}, c[] = {5, 4, 3, 2, 1};
	const double swapped[] = {1, 3, 2, 4, 5}; /* one pair of ten the other way */
	Agreement r = agree(a, b, 5);
	NEAR(r.spearman, 1);
	NEAR(r.kendall, 1);
	NEAR(r.median_log, log(2));
	NEAR(r.p90_log, log(2));
	NEAR(r.bias_log, -log(2));
	NEAR(agree_percent(r.median_log), 100);
	r = agree(a, c, 5);
	NEAR(r.spearman, -1);
	NEAR(r.kendall, -1);
	NEAR(r.bias_log, 0);
	r = agree(a, swapped, 5);
	NEAR(r.spearman, 0.9); /* 1 - 6 * 2 / (5 * 24) */
	NEAR(r.kendall, 0.8);
}

static void ties_and_few_points(void)
{
	const double a[] = {1, 2, 2, 3}, b[] = {1, 2, 3, 4}, flat[] = {7, 7, 7, 7};
	Agreement r = agree(a, b, 4);
	NEAR(r.kendall, 5 / sqrt(5.0 * 6)); /* five pairs with, one tied in a */
	NEAR(r.spearman, 4.5 / sqrt(4.5 * 5)); /* ranks 1, 2.5, 2.5, 4 */
	r = agree(flat, b, 4);
	CU_ASSERT_TRUE(isnan(r.spearman) && isnan(r.kendall));
	r = agree(a, b, 2);
	CU_ASSERT_TRUE(isnan(r.spearman) && r.n == 2);
	NEAR(r.median_log, 0);
	r = agree(a, b, 0);
	CU_ASSERT_EQUAL(r.n, 0);
}

static void points_become_families(void)
{
	CrossPoint p[6] = {0};
	for (u32 i = 0; i < 6; i++)
		p[i] = (CrossPoint){.device = "d", .model = "m", .family = i < 3 ? "one" : "two", .has_x = true,
		                    .x = i, .kernel = "k<1>", .measured_us = 10.0 + i, .estimate_us = 20.0 + 2 * i,
		                    .low_us = 5, .high_us = 12, .bound_by = "lds", .bound_doc = "LDS is busy"};
	p[4].problem = "too large";
	p[2].estimate_us = 120;
	Arena *a = arena_new();
	Crosscheck *c = crosscheck_build("s", "w", p, 6, a);
	CU_ASSERT_EQUAL_FATAL(c->nfamilies, 3);
	CU_ASSERT_EQUAL(c->families[0].a.n, 3);
	CU_ASSERT_EQUAL(c->families[0].inside, 3);
	CU_ASSERT_EQUAL(c->families[1].skipped, 1);
	CU_ASSERT_PTR_NULL(c->families[2].name);
	CU_ASSERT_EQUAL(c->families[2].a.n, 5);
	CU_ASSERT_TRUE(c->nworst == 5 && c->worst[0] == 2);
	Buf text = {0}, html = {0}, json = {0};
	crosscheck_text(c, true, &text);
	CU_ASSERT_PTR_NOT_NULL(
	    strstr(text.v, "one                           2       12.000      120.000    10.00   lds"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text.v, "estimated 10.00 times too long: LDS is busy, it says"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text.v, "-   too large"));
	crosscheck_html(c, &html);
	CU_ASSERT_PTR_NOT_NULL(strstr(html.v, "one 2: measured 12 us, estimated 120 us (lds)"));
	crosscheck_json(c, &json);
	CU_ASSERT_PTR_NOT_NULL(strstr(json.v, "\"schema\":\t\"wavesim-crosscheck/1\""));
	array_free(&text);
	array_free(&html);
	array_free(&json);
	p[0].vgpr_spills = 3;
	c = crosscheck_build("s", "w", p, 6, a);
	CU_ASSERT_EQUAL_FATAL(c->nfamilies, 5);
	CU_ASSERT_TRUE(c->families[2].of == CROSS_KEPT && c->families[2].a.n == 4 && !c->families[2].skipped);
	CU_ASSERT_TRUE(c->families[3].of == CROSS_SPILLED && c->families[3].a.n == 1 && !c->families[3].skipped);
	CU_ASSERT_TRUE(c->families[4].of == CROSS_ALL && c->families[4].skipped == 1);
	arena_free(a);
}

void suite_agree(void)
{
	CU_pSuite s = CU_add_suite("agreement", NULL, NULL);
	CU_add_test(s, "ranks and ratios", ranks_and_ratios);
	CU_add_test(s, "ties, few points", ties_and_few_points);
	CU_add_test(s, "points become families", points_become_families);
}
