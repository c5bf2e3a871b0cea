/* Values, arithmetic, ranking and storing of sweeps. */
#include "engine/sweep.h"
#include "report/sweep.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <stdio.h>

static const struct {
	const char *text;
	ValuesSyntax syntax;
	const char *want; /* joined by blanks, or "!" and a part of the message */
} values[] = {
	{"1,2,3", VALUES_NUMBERS, "1 2 3"},
	{"32:1024", VALUES_NUMBERS, "32 64 128 256 512 1024"},
	{"32:1000", VALUES_NUMBERS, "32 64 128 256 512"},
	{"16:64:16,100", VALUES_NUMBERS, "16 32 48 64 100"},
	{"0:3:1", VALUES_NUMBERS, "0 1 2 3"},
	{"18446744073709551615:18446744073709551615", VALUES_NUMBERS, "18446744073709551615"},
	{"9223372036854775808:18446744073709551615", VALUES_NUMBERS, "9223372036854775808"},
	{"float,double", VALUES_NUMBERS, "float double"},
	{"{min(a,b)},3", VALUES_NUMBERS, "{min(a,b)} 3"},
	{"a,b|c", VALUES_NUMBERS, "a,b c"},
	{"8x8,16x16,64x1,auto", VALUES_SIZES, "8x8 16x16 64x1 auto"},
	{"4:8x1:2", VALUES_SIZES, "4x1 4x2 8x1 8x2"},
	{"{a}x{b}", VALUES_SIZES, "{a}x{b}"},
	{"mi50,my.ini", VALUES_WORDS, "mi50 my.ini"},
	{"1024,2048", VALUES_ARG, "1024 2048"},
	{"1:4", VALUES_ARG, "1 2 4"},
	{"random:64", VALUES_ARG, "random:64"},
	{"random(0,5):64|zero:64", VALUES_ARG, "random(0,5):64 zero:64"},
	{"1,2,3,4|", VALUES_ARG, "1,2,3,4"},
	{"0.5,1.5", VALUES_ARG, "0.5 1.5"},
	{"", VALUES_NUMBERS, "!empty"},
	{"1,,2", VALUES_NUMBERS, "!empty"},
	{"0:8", VALUES_NUMBERS, "!begins with 1 or more"},
	{"-2:2:2", VALUES_NUMBERS, "-2 0 2"},
	{"8:4", VALUES_NUMBERS, "!range 8:4 is empty"},
	{"1:8:0", VALUES_NUMBERS, "!step of a range"},
	{"64,64", VALUES_SIZES, "!x joins dimensions: 64x64"},
	{"1x1x1x1", VALUES_SIZES, "!three dimensions"},
	{"1:1000000000:1", VALUES_NUMBERS, "!too many"},
	{"1:1000:1x1:1000:1x1:1000:1", VALUES_SIZES, "!too many"},
};

static void alternatives(void)
{
	for (u32 i = 0; i < COUNT(values); i++) {
		Arena *a = arena_new();
		Texts out = {0};
		Buf joined = {0};
		buf_printf(&joined, "%s", "");
		const char *why = sweep_values(values[i].text, values[i].syntax, a, &out);
		for (u32 k = 0; k < out.n && !why; k++)
			buf_printf(&joined, "%s%s", k ? " " : "", out.v[k]);
		bool good = *values[i].want == '!' ? why && strstr(why, values[i].want + 1)
		                                   : !why && !strcmp(joined.v, values[i].want);
		CU_ASSERT_TRUE(good);
		if (!good)
			fprintf(stderr, "\n%s: %s\n", values[i].text, why ? why : joined.v);
		array_free(&joined);
		array_free(&out);
		arena_free(a);
	}
}

static const struct {
	const char *text;
	i64 want;
	const char *why; /* part of the message, or NULL */
} sums[] = {
	{"1 + 2 * 3", 7, NULL},
	{"(1 + 2) * 3", 9, NULL},
	{"x * x - 1", 15, NULL},
	{"-x + 10 % 4", -2, NULL},
	{"7 / 2", 3, NULL},
	{"ceil(7, 2) + up(7, 4)", 12, NULL},
	{"min(x, 3) * max(x, 3)", 12, NULL},
	{"x < 5 && x >= 4 || 0", 1, NULL},
	{"x != 4", 0, NULL},
	{"!(x == 4)", 0, NULL},
	{"!x + 1", 1, NULL},
	{"4k", 4096, NULL},
	{"10 - 3 - 2", 5, NULL},
	{"1 / 0", 0, "division by zero"},
	{"9223372036854775807 + 1", 0, "too large"},
	{"(0 - 9223372036854775807 - 1) / -1", 0, "division"},
	{"9223372036854775807 * 2", 0, "too large"},
	{"up(9223372036854775807, 2)", 0, "too large"},
	{"ceil(1, 0)", 0, "positive"},
	{"y", 0, "no y"},
	{"1 +", 0, "missing"},
	{"(1", 0, "')'"},
	{"1 2", 0, "text follows"},
	{"f(1, 2)", 0, "functions"},
	{"99999999999999999999", 0, "not a number"},
	{"", 0, "missing"},
};

static bool x_is_4(void *ctx, const char *name, i64 *out, const char **why)
{
	(void)ctx;
	*out = 4;
	*why = "there is no y";
	return !strcmp(name, "x");
}

static void arithmetic(void)
{
	Arena *a = arena_new();
	for (u32 i = 0; i < COUNT(sums); i++) {
		i64 v;
		const char *why = sweep_eval(sums[i].text, x_is_4, NULL, a, &v);
		bool good = sums[i].why ? why && strstr(why, sums[i].why) : !why && v == sums[i].want;
		CU_ASSERT_TRUE(good);
		if (!good)
			fprintf(stderr, "\n%s: %s %lld\n", sums[i].text, why ? why : "", (long long)v);
	}
	char deep[400];
	memset(deep, '(', 399);
	deep[399] = 0;
	i64 v;
	CU_ASSERT_PTR_NOT_NULL(sweep_eval(deep, x_is_4, NULL, a, &v));
	const char *out;
	CU_ASSERT_PTR_NULL(sweep_fill("{x}x{x * 2},{1}", x_is_4, NULL, a, &out));
	CU_ASSERT_STRING_EQUAL(out, "4x8,1");
	CU_ASSERT_PTR_NOT_NULL(sweep_fill("{x", x_is_4, NULL, a, &out));
	arena_free(a);
}

/* ---- ranking ---- */

static const char *report_of(Arena *a, const char *device, double us, double band, double conflict_cycles,
                             double lds_share)
{
	return arena_printf(a,
	        "{\"device\": \"%s\", \"file\": \"k.cl\", \"kernel\": \"k\", \"wave\": 64, \"banks\": 32,"
	        " \"launch\": {\"global\": [64, 1, 1], \"local\": [64, 1, 1], \"groups\": 1, \"groups_run\": 1},"
	        " \"occupancy\": {\"waves_per_simd\": 4, \"max_waves_per_simd\": 10, \"limiter\": \"lds\"},"
	        " \"divergence\": {\"lane_utilization\": 1},"
	        " \"lds\": {\"conflict_cycles\": %g, \"actual_cycles\": 100},"
	        " \"memory\": {\"ideal_lines\": 1, \"actual_lines\": 2},"
	        " \"estimate\": {\"cycles\": 1000, \"time_us\": %g, \"low_us\": %g, \"high_us\": %g, \"launch_us\": 0,"
	        " \"bound_by\": \"lds\", \"parts\": {\"vector\": %g, \"lds_conflicts\": %g}},"
	        " \"lines\": [{\"file\": \"k.cl\", \"line\": 7, \"cycles_share\": 0.9, \"lds_conflict_cycles\": %g,"
	        " \"lds_actual_cycles\": 100}, {\"file\": \"k.cl\", \"line\": 9, \"cycles_share\": 0.1}],"
	        " \"findings\": [{\"severity\": \"advice\"}]}",
	        device, conflict_cycles, us, us / band, us * band, 1000 * (1 - lds_share), 1000 * lds_share,
	        conflict_cycles);
}

/* Ranked as rows of a store are: by their reports. */
static const Sweep *ranked(const SweepInput *in, Arena *a)
{
	SweepInput *with = ARENA_NEW(a, SweepInput);
	SweepRow *rows = ARENA_ARRAY(a, SweepRow, in->nrows);
	for (u32 i = 0; i < in->nrows; i++) {
		rows[i] = in->rows[i];
		rows[i].result = sweep_numbers_read(rows[i].report, a);
	}
	*with = *in;
	with->rows = rows;
	return sweep_build(with, a);
}

static void names_say_kinds(void)
{
	static const struct {
		const char *name, *own;
		SweepAxisKind kind;
	} axes[] = {
		{"file", "file", AXIS_FILE},       {"kernel", "kernel", AXIS_KERNEL}, {"global", "global", AXIS_GLOBAL},
		{"local", "local", AXIS_LOCAL},    {"offset", "offset", AXIS_OFFSET}, {"wave", "wave", AXIS_WAVE},
		{"device", "device", AXIS_DEVICE}, {"banks", "banks", AXIS_BANKS},    {"-D local", "local", AXIS_MACRO},
		{"-D F(x, y)", "F(x, y)", AXIS_MACRO}, {"--arg n", "n", AXIS_ARG},    {"locals", "locals", AXIS_OTHER},
		{"-D", "-D", AXIS_OTHER},          {"", "", AXIS_OTHER},            {"grid", "grid", AXIS_GRID},
	};
	for (u32 i = 0; i < COUNT(axes); i++) {
		SweepAxis a = sweep_axis(axes[i].name, NULL, 0);
		CU_ASSERT_EQUAL(a.kind, axes[i].kind);
		CU_ASSERT_STRING_EQUAL(a.own, axes[i].own);
		CU_ASSERT_STRING_EQUAL(a.name, axes[i].name);
	}
}

static void ranks_and_reasons(void)
{
	Arena *a = arena_new();
	const char *const local[] = {"32", "64", "128", "256", "512"};
	const SweepAxis axes[] = {sweep_axis("local", local, 5)};
	const SweepRow rows[] = {
		{0, &local[0], false, "done", "", report_of(a, "mi50", 30, 1.5, 50, 0.5), "2", NULL},
		{1, &local[1], true, "done", "", report_of(a, "mi50", 11, 1.5, 0, 0), "1", NULL},
		{2, &local[2], false, "done", "", report_of(a, "mi50", 10, 1.5, 0, 0), "1", NULL},
		{3, &local[3], false, "skipped", "too large", "", "", NULL},
		{4, &local[4], false, "stopped", "beyond hope", report_of(a, "h200", 40, 3, 0, 0), "1", NULL},
	};
	SweepInput in = {"k.cl", "wavesim", axes, 1, rows, 5, 6, NULL, 0, 0};
	const Sweep *s = ranked(&in, a);
	CU_ASSERT_EQUAL_FATAL(s->nran, 4);
	CU_ASSERT_EQUAL(s->nskipped, 1);
	CU_ASSERT_EQUAL(s->nstopped, 1);
	CU_ASSERT_EQUAL(s->ndevices, 2);
	const u32 order[] = {2, 1, 0, 4, 3}, rank[] = {1, 1, 3, 3}, on_device[] = {1, 1, 3, 1};
	for (u32 i = 0; i < 5; i++)
		CU_ASSERT_EQUAL(s->points[i].row->n, order[i]);
	for (u32 i = 0; i < 4; i++) {
		CU_ASSERT_EQUAL(s->points[i].rank, rank[i]);
		CU_ASSERT_EQUAL(s->points[i].rank_on_device, on_device[i]);
		CU_ASSERT_EQUAL(s->points[i].r->findings, 0);
	}
	/* The usual one of each device tells whose results are others; h200 has none. */
	const SweepResults results[] = {RESULTS_SAME, RESULTS_SAME, RESULTS_OTHER, RESULTS_UNKNOWN};
	for (u32 i = 0; i < 4; i++)
		CU_ASSERT_EQUAL(s->points[i].results, results[i]);
	const SweepPoint *slow = &s->points[2];
	CU_ASSERT_TRUE(fabs(slow->times_best - 3) < 1e-9);
	CU_ASSERT_TRUE(fabs(slow->r->conflicts - 0.5) < 1e-9);
	/* 15 us of conflicts against 5 us of arithmetic; only line 7 has any. */
	CU_ASSERT_PTR_NOT_NULL(strstr(slow->why_best, "3 times as long as the best: LDS bank conflicts, 15.0 us more, "
	                                              "mostly at line 7 (50 % of its LDS cycles are conflicts)"));
	CU_ASSERT_PTR_NOT_NULL(strstr(slow->why_usual, "times as long as the usual launch"));
	CU_ASSERT_PTR_NOT_NULL(strstr(s->points[0].why_best, "the best: "));
	CU_ASSERT_STRING_EQUAL(s->points[3].why_usual, "");
	arena_free(a);
}

/* A point with findings is neither the best nor as good as it, while there are others. */
static void wrong_points(void)
{
	Arena *a = arena_new();
	const char *const local[] = {"32", "64", "128"};
	const SweepAxis axes[] = {sweep_axis("local", local, 3)};
	char *report[3];
	const double us[] = {10, 30, 31};
	for (u32 wrong = 1; wrong <= 3; wrong += 2) { /* the fastest, or all */
		SweepRow rows[3];
		for (u32 i = 0; i < 3; i++) {
			report[i] = arena_strdup(a, report_of(a, "mi50", us[i], 1.1, 0, 0));
			if (i < wrong)
				memcpy(strstr(report[i], "advice\""), "error\" ", 7);
			rows[i] = (SweepRow){i, &local[i], false, "done", "", report[i], "", NULL};
		}
		SweepInput in = {"k.cl", "wavesim", axes, 1, rows, 3, 3, NULL, 0, 0};
		const Sweep *s = ranked(&in, a);
		CU_ASSERT_EQUAL_FATAL(s->nran, 3);
		bool all = wrong == 3;
		CU_ASSERT_EQUAL(s->devices[0].best->row->n, all ? 0 : 1);
		const bool ties[] = {all, !all, !all};
		const u32 rank[] = {1, all ? 2 : 1, all ? 2 : 1};
		for (u32 i = 0; i < 3; i++) {
			CU_ASSERT_EQUAL(s->points[i].r->findings, i < wrong);
			CU_ASSERT_EQUAL(s->points[i].ties_best, ties[i]);
			CU_ASSERT_EQUAL(s->points[i].rank, rank[i]);
		}
	}
	arena_free(a);
}

/* Within 1 % of the fastest of them, on one device, fewer instructions come first. */
static void as_fast(void)
{
	Arena *a = arena_new();
	static const struct {
		const char *device;
		double us;
		u32 instructions;
	} points[] = {
	    {"mi50", 10, 300}, {"mi50", 10.09, 100}, {"h200", 10.05, 50}, {"mi50", 10.12, 200}, {"mi50", 10.3, 10}};
	const u32 order[] = {1, 0, 2, 3, 4};
	const char *const local[] = {"64"};
	const SweepAxis axes[] = {sweep_axis("local", local, 1)};
	SweepRow rows[COUNT(points)];
	for (u32 i = 0; i < COUNT(points); i++) {
		const char *report = report_of(a, points[i].device, points[i].us, 1.1, 0, 0);
		const char *key = "\"divergence\": {",
			   *at = strstr(report, key) + strlen(key); /* half of the groups ran */
		report = arena_printf(a, "%.*s\"wave_instructions\": %u, %s", (int)(at - report), report,
		                      points[i].instructions / 2, at);
		memcpy((char *)(uintptr_t)strstr(report, "\"groups\": 1"), "\"groups\": 2", 11);
		rows[i] = (SweepRow){i, local, false, "done", "", report, "", NULL};
	}
	SweepInput in = {"k.cl", "wavesim", axes, 1, rows, COUNT(points), COUNT(points), NULL, 0, 0};
	const Sweep *s = ranked(&in, a);
	CU_ASSERT_EQUAL_FATAL(s->nran, COUNT(points));
	for (u32 i = 0; i < COUNT(points); i++)
		CU_ASSERT_EQUAL(s->points[i].row->n, order[i]);
	CU_ASSERT_EQUAL(s->devices[0].best->row->n, 1);
	CU_ASSERT_EQUAL(s->points[0].r->instructions, 100);
	arena_free(a);
}

/* On a terminal the table keeps to its width; in a pipe it has all columns. */
static void narrow_table(void)
{
	Arena *a = arena_new();
	const char *const set[] = {"16x16", "before.cl", "a very long name of a macro's value"};
	const SweepAxis axes[] = {sweep_axis("local", set, 1), sweep_axis("file", set + 1, 1),
	                          sweep_axis("-D NAME", set + 2, 1)};
	const SweepRow rows[] = {{0, set, true, "done", "", report_of(a, "mi50", 30, 1.5, 50, 0.5), "", NULL},
	                         {1, set, false, "done", "", report_of(a, "mi50", 40, 1.5, 0, 0.25), "", NULL}};
	SweepInput in = {"k.cl", "wavesim", axes, 3, rows, 2, 2, NULL, 0, 0};
	const Sweep *s = ranked(&in, a);
	for (u32 width = 0; width <= 160; width += 10) {
		SinkStyle style = {.width = width};
		Buf out = {0};
		sweep_text(s, &style, 0, &out);
		u32 widest = 0, n;
		for (const char *line = out.v; *line; line += n + (line[n] == '\n')) {
			n = (u32)strcspn(line, "\n");
			widest = n > widest ? n : widest;
		}
		CU_ASSERT_TRUE(width < 80 || widest <= width);
		CU_ASSERT_PTR_NOT_NULL(strstr(out.v, "30.0 us"));
		if (!width || width == 160)
			CU_ASSERT_PTR_NULL(strstr(out.v, "too narrow for"));
		if (width == 80)
			CU_ASSERT_PTR_NOT_NULL(strstr(out.v, "too narrow for"));
		array_free(&out);
	}
	arena_free(a);
}

/* What is stored may be anything. */
static void damaged_rows(void)
{
	Arena *a = arena_new();
	static const char *const bad[] = {"",
	                                  "{",
	                                  "[]",
	                                  "{\"estimate\": {}}",
	                                  "{\"estimate\": {\"time_us\": \"x\"}, \"lines\": 7}",
	                                  "{\"device\": 3, \"launch\": {\"global\": [-1]}, \"estimate\": []}"};
	for (u32 i = 0; i < COUNT(bad); i++) {
		const char *value = "1";
		const SweepAxis axis = sweep_axis("local", &value, 1);
		const SweepRow row = {0, &value, false, "done", "", bad[i], "", NULL};
		SweepInput in = {"k.cl", "wavesim", &axis, 1, &row, 1, 1, NULL, 0, 0};
		const Sweep *s = ranked(&in, a);
		Buf out = {0};
		SinkStyle plain = {0};
		CU_ASSERT_EQUAL(s->nran, 0);
		sweep_text(s, &plain, 0, &out);
		sweep_json(s, &out);
		sweep_csv(s, &out);
		sweep_tuner(s, &out);
		array_free(&out);
	}
	arena_free(a);
}

/* A page holds 5,000 points of each sort, and says how many more there are. */
static void large_page(void)
{
	enum { RAN = 5002, ALL = 2 * RAN - 1 };
	Arena *a = arena_new();
	const char *value = "1", *report = report_of(a, "mi50", 10, 1.5, 0, 0);
	const SweepAxis axis = sweep_axis("local", &value, 1);
	SweepRow *rows = ARENA_ARRAY(a, SweepRow, ALL);
	for (u32 i = 0; i < ALL; i++)
		rows[i] = i < RAN ? (SweepRow){i, &value, false, "done", "", report, "", NULL}
		                  : (SweepRow){i, &value, false, "skipped", "too large", "", "", NULL};
	SweepInput in = {"k.cl", "wavesim", &axis, 1, rows, ALL, ALL, NULL, 0, 0};
	Buf out = {0};
	sweep_html(ranked(&in, a), &out);
	CU_ASSERT_PTR_NOT_NULL(strstr(out.v, "\"left_out\":{\"points\":2,\"others\":1}"));
	array_free(&out);
	arena_free(a);
}

/* ---- stores ---- */

static void stored_points(void)
{
	Diag d;
	diag_init(&d);
	Arena *a = arena_new();
	Store *s = store_open(":memory:", STORE_CREATE, &d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(s);
	i64 id = 0, again = 1;
	CU_ASSERT_TRUE(store_sweep(s, "key", "{}", &id, &d) && store_sweep(s, "key", "{}", &again, &d));
	CU_ASSERT_EQUAL(id, again);
	const StoreSwept one = {7, "{}", "done", "", "{\"a\": 1}", ""}, other = {7, "{}", "done", "", "{\"a\": 2}", ""},
	                 otherwise = {7, "{}", "done", "", "{\"a\": 1}", "0"},
	                 two = {3, "{}", "skipped", "why", "", ""},
	                 three = {8, "{}", "done", NULL, "{}", "0123456789abcdef"};
	CU_ASSERT_TRUE(store_swept_add(s, id, &one, &d) && store_swept_add(s, id, &one, &d));
	CU_ASSERT_TRUE(store_swept_add(s, id, &two, &d));
	CU_ASSERT_TRUE(store_swept_add(s, id, &three, &d) && store_swept_add(s, id, &three, &d));
	CU_ASSERT_FALSE(store_swept_add(s, id, &other, &d));
	CU_ASSERT_FALSE(store_swept_add(s, id, &otherwise, &d));
	StoreSweptPoints p;
	CU_ASSERT_TRUE_FATAL(store_swept(s, id, a, &p, &d));
	CU_ASSERT_EQUAL_FATAL(p.n, 3);
	CU_ASSERT_EQUAL(p.v[0].n, 3);
	CU_ASSERT_STRING_EQUAL(p.v[0].note, "why");
	CU_ASSERT_STRING_EQUAL(p.v[1].report, one.report);
	CU_ASSERT_STRING_EQUAL(p.v[1].results, "");
	CU_ASSERT_STRING_EQUAL(p.v[2].note, "");
	CU_ASSERT_STRING_EQUAL(p.v[2].results, three.results);
	store_close(s);
	arena_free(a);
	diag_free(&d);
}

void suite_sweep(void)
{
	CU_pSuite s = CU_add_suite("sweeps", NULL, NULL);
	CU_add_test(s, "alternatives", alternatives);
	CU_add_test(s, "arithmetic", arithmetic);
	CU_add_test(s, "names of axes", names_say_kinds);
	CU_add_test(s, "ranks, ties and reasons", ranks_and_reasons);
	CU_add_test(s, "Points with findings", wrong_points);
	CU_add_test(s, "points as fast as each other", as_fast);
	CU_add_test(s, "a narrow table", narrow_table);
	CU_add_test(s, "rows that make no sense", damaged_rows);
	CU_add_test(s, "a page of many points", large_page);
	CU_add_test(s, "stored points", stored_points);
}
