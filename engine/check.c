/* The second execution: see check.h. */
#include "engine/check.h"

static bool wanted(const EngineRun *r)
{
	RefStatus s = r->reference.status;
	if (r->want.check.what == CHECK_api) /* of the host program, not of the kernel */
		return false;
	switch (r->want.check.when) {
	case CHECK_ALWAYS: return true;
	case CHECK_NEVER: return false;
	default:
		for (u32 i = 0; i < r->profile->findings.n; i++)
			if (r->profile->findings.v[i].kind ==
			    FINDING_write_only) /* a doubt that it settles (result.c) */
				return true;
		return s == REF_different || s == REF_crashed || r->reference.output_differs;
	}
}

/* again is r with the program to check, which has no memory yet. */
static bool run_it(EngineRun *again, const SimCheck *check)
{
	SimConfig cfg;
	again->profile = NULL;
	memset(&again->args, 0, sizeof again->args);
	if (arguments_build(&again->args, &again->launch, again->program, &again->limits, RESULT_NONE, again->d)) {
		run_sim_launch(again);
		run_config(again, &cfg);
		cfg.check = *check;
		cfg.uncounted = true;
		double start = seconds_now();
		again->profile = sim_run(again->program, &again->sim, &cfg, again->d);
		again->times.checks += seconds_now() - start;
	}
	arguments_free(&again->args);
	return again->profile != NULL;
}

/* Bytes that telling of races takes, where nobody says how many: of each byte that is looked at, but not less than in
 * all, and SIM_CHECK_ROOM at most. WORDS_A_BYTE: those of the words of a place that races and is accessed by dwords,
 * about: a writer, a reader, a second one, the writer before, and some room. */
enum { ROOM_A_BYTE = 3, WORDS_A_BYTE = 5, LEAST_ROOM = 256 << 20, MOST_PARTS = 16 };

static u64 room_for(const EngineRun *r, u64 bytes)
{
	u64 room = bytes > SIM_CHECK_ROOM / ROOM_A_BYTE ? SIM_CHECK_ROOM : bytes * ROOM_A_BYTE;
	return r->want.check.memory ? r->want.check.memory : room < LEAST_ROOM ? LEAST_ROOM : room;
}

/* May more parts make it complete? */
static bool needs_parts(const Profile *p, const SimCheck *c)
{
	return p->check_lack == LACK_memory && c->parts < MOST_PARTS;
}

/* The launch once for each part of the memory. Values that nothing was written to are followed the first time, and
 * each time where they say which stores to LDS change nothing (race_values.c). */
static bool run_parts(EngineRun *again, const SimCheck *c)
{
	Profile *first = NULL;
	SimCheck one = *c;
	for (one.part = 0; one.part < c->parts; one.part++) {
		one.uninit = one.follow = c->follow && (!one.part || (c->suspects & RACE_SUSPECT_LDS));
		if (!run_it(again, &one)) {
			profile_free(first);
			return false;
		}
		if (first) {
			sim_join_races(first, again->profile);
			profile_free(again->profile);
		} else {
			first = again->profile;
		}
		if (needs_parts(first, c))
			break; /* in vain */
	}
	again->profile = first;
	return true;
}

/* Workers side by side have half of the room: parts that fit there need not be run by one alone. */
static bool run_races(EngineRun *again, SimCheck *c, u64 bytes)
{
	c->memory = room_for(again, bytes);
	u64 parts = bytes * WORDS_A_BYTE / (c->memory / 2 + 1) + 1;
	for (c->parts = parts < MOST_PARTS ? (u32)parts : MOST_PARTS; run_parts(again, c);
	     c->parts = 2 * c->parts < MOST_PARTS ? 2 * c->parts : MOST_PARTS) {
		if (!needs_parts(again->profile, c))
			return true;
		profile_free(again->profile);
	}
	return false;
}

/* Most kernels have no races, and load nothing that was not written: telling of them is for those that may. */
static bool run_both(EngineRun *again, u8 what)
{
	SimCheck c = {.races = what & CHECK_races, .uninit = what & CHECK_uninit, .memory = again->want.check.memory,
	              .clocks = again->want.check.memory, .screen = true,
	              .follow = sim_unset_registers(again->program)};
	if (!run_it(again, &c))
		return false;
	bool unset = again->profile->unset_seen;
	u64 bytes = again->profile->race_bytes;
	c.suspects = again->profile->race_suspects;
	if (!c.suspects && !unset)
		return true;
	profile_free(again->profile);
	c.races &= c.suspects != 0;
	c.uninit = c.follow = c.uninit && (unset || c.follow);
	c.screen = false;
	return c.races ? run_races(again, &c, bytes) : run_it(again, &c);
}

void check_run(EngineRun *r)
{
	if (!wanted(r))
		return;
	run_phase(r, "running it again, watched (--check)");
	Diag d;
	EngineRun again = *r;
	again.times.checks = 0;
	Checks *c = &r->checks;
	diag_init(&d);
	again.d = &d;
	*c = (Checks){.same_value_error = r->want.check.same_value_error,
	              .what = (r->want.check.what ? r->want.check.what : CHECK_ALL) & (u8)~CHECK_api};
	/* A .wave program is what it is. */
	if (r->fe ? !run_build_other(&again, BUILD_CHECK, true, &c->why) : !r->program)
		c->why =
		    arena_printf(r->arena, "the kernel does not compile without optimization, which checks need: %s",
		                 c->why ? c->why : "no reason known");
	else if (!run_both(&again, c->what))
		c->why = arena_printf(r->arena, "the execution for checks did not end: %s",
		                      d.msgs.n ? d.msgs.v[0].text : "");
	else
		c->ran = true, c->program = again.program, c->profile = again.profile,
		c->lack = again.profile->check_lack;
	r->times.checks = again.times.checks;
	diag_free(&d);
}
