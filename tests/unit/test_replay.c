/* Launches of a launch file: one that does what an earlier one did has its result. */
#include "engine/replay.h"

#include <CUnit/CUnit.h>

void suite_replay(void);

typedef struct Seen {
	const Result *results[16];
	u32 n;
} Seen;

static bool see(void *ctx, const CapLaunch *l, const Result *r, const char *failed)
{
	Seen *s = ctx;
	(void)l;
	CU_ASSERT_PTR_NULL(failed);
	CU_ASSERT_TRUE_FATAL(r && s->n < COUNT(s->results));
	s->results[s->n++] = r;
	return true;
}

/* The launches of a sample, as often as files says. */
static Seen replay_sample(const char *path, u32 files)
{
	Seen seen = {0};
	Arena *a = arena_new();
	Diag d;
	diag_init(&d);
	Device dev;
	CU_ASSERT_TRUE_FATAL(device_load(&dev, "mi50", NO_LOC, a, &d));
	CapFile *file = cap_open(path, &d);
	CapPick pick;
	CU_ASSERT_TRUE_FATAL(file && cap_pick_options(&pick, NULL, NULL, false, &d));
	ReplayFile one = {.file = file};
	replay_choose(&one, &pick, a);
	ReplayFile all[2] = {one, one};
	CU_ASSERT_TRUE_FATAL(files <= COUNT(all));
	ReplaySpec spec = {.files = all, .nfiles = files, .launch.path = path, .machine = {.device = &dev},
	                   .want = {.no_estimate = true, .no_reference = "not wanted", .no_advice = true},
	                   .each = see, .ctx = &seen, .d = &d};
	CU_ASSERT_TRUE(replay_run(&spec));
	CU_ASSERT_EQUAL(seen.n, files * one.n);
	cap_pick_free(&pick);
	cap_close(file);
	diag_free(&d);
	arena_free(a);
	return seen;
}

/* Each launch of the chain finds what the one before left. */
static void other_memory(void)
{
	Seen s = replay_sample("traces/samples/chain.launches", 1);
	for (u32 i = 1; i < s.n; i++) /* the one before is kept */
		CU_ASSERT_PTR_NOT_EQUAL(s.results[i], s.results[i - 1]);
}

static void same_again(void)
{
	Seen s = replay_sample("traces/samples/values.launches", 2);
	for (u32 i = 0; i < s.n / 2; i++)
		CU_ASSERT_PTR_EQUAL(s.results[i], s.results[i + s.n / 2]);
}

void suite_replay(void)
{
	CU_pSuite s = CU_add_suite("replay", NULL, NULL);
	CU_add_test(s, "launches with other memory have their own results", other_memory);
	CU_add_test(s, "an equal launch has the result of the first", same_again);
}
