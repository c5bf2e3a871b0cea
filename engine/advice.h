/* Advice: what could be changed about a kernel, why, and what it would bring.
 *
 * The gain is never guessed. A rule (advice.def) writes down what the wavefronts of the record would
 * do after the change - other addresses, fewer blocks, other limits - and the timing model plays that
 * (estimate_changed). What it says is therefore as good as the estimate itself. */
#ifndef WAVESIM_ADVICE_H
#define WAVESIM_ADVICE_H

#include "engine/result.h"
#include "engine/trial.h"

typedef enum {
#define ADVICE(name, without_gain, ideal, beyond, doc) ADVICE_##name,
#include "engine/advice.def"
	ADVICE_COUNT
} AdviceId;

/* Adds findings of severity "advice" and "note", the largest gain first. Requires r->estimate. */
void advice_add(Result *r, const ResultInput *in);

/* ---- for the rules ---- */
typedef struct Advisor {
	Result *r;
	const ResultInput *in;
	const SourceWords *words; /* of its language */
	EstimateInput base; /* what r->estimate was made of */
	Arena *arena;       /* scratch; what is said goes to r->arena */
	u64 plays;          /* machine instructions that may still be played */
	u64 tries;          /* wave instructions that may still be executed */
	bool strays;        /* accesses of local memory went nowhere: they are not recorded, and results mean nothing */
	ARRAY(ResultFinding) said;
} Advisor;

#define ADVICE(name, without_gain, ideal, beyond, doc) void advice_##name(Advisor *a);
#include "engine/advice.def"

/* Is there time left to play the launch once more? Ask before a record is written anew for it. */
bool advice_can_time(const Advisor *a);
/* The launch with the change; NULL: there is no time left to play it. */
const EstimateChanged *advice_time(Advisor *a, EstimateChange c);
/* The same with that record, or NULL, which is freed. */
const EstimateChanged *advice_time_record(Advisor *a, Events *record, EstimateChange c);
/* The launch executed in n other ways, side by side; of unknown outcome, too, when that would take too long. */
void advice_try_all(Advisor *a, const Trial *t, u32 n, TrialOutcome *out, TrialCost *cost);
TrialOutcome advice_try(Advisor *a, const Trial *t, TrialCost *cost);
/* Is the launch clearly shorter then? About so many microseconds at most. */
bool advice_gains(const Advisor *a, double us);
double advice_most(const Advisor *a);
/* Say it. loc: Program.locs index, or 0 for the kernel's own line. after: NULL when it was not timed. */
void advise(Advisor *a, AdviceId id, u32 loc, const EstimateChanged *after, const char *message,
            const char *hint);
/* Say that nothing is gained, whatever the row of advice.def says: the message names the line and tells why. */
void advise_note(Advisor *a, AdviceId id, u32 loc, const char *message, const char *hint);
/* Was it said, as advice or as a note, of that line? at: NULL, of any. */
bool advice_said(const Advisor *a, AdviceId id, const SrcLoc *at);
/* Text of the report. */
#define advice_text(a, ...) arena_printf((a)->r->arena, __VA_ARGS__)
/* How a count or size is said in text: 1536 as "1,536". */
const char *advice_number(Advisor *a, u64 v);

/* ---- advice_text.c ---- */
/* The word of the source at a place, of n letters, and behind it the rest of the text; n is 0: none is there. */
const char *advice_word(const Advisor *a, u32 loc, size_t *n);
/* The program's text where a place lies in it, and it can be compiled anew; else NULL. */
const char *advice_source(const Advisor *a, const SrcLoc *at);
/* The text with that loop unrolled so many times; NULL: none begins there, or it says itself how often. free() it. */
#define ADVICE_UNROLL "8"
char *text_unrolled(const char *text, const SrcLoc *loop);
/* The text with these loops, the later ones first, unrolled as a whole, whatever it says itself; NULL: it has none of
 * them. free() it. */
char *text_flattened(const char *text, const SrcLoc *const *loops, u32 n);
/* The text with restrict on all pointers that a kernel gets; NULL: they have it, or are not found. free() it. */
char *text_restrict(const char *text, const char *kernel);
/* The launch of another text, or NULL, which is freed. most_us: Trial's. */
TrialOutcome advice_try_text(Advisor *a, char *text, double most_us, TrialCost *cost);

/* ---- advice_memory.c ---- */
/* Do atomics like this on global memory give the same in any order? */
bool atomic_joins(const Ins *x);
/* The hint to reduce the values of a work-group first: act is what one work-item then does with the result. */
const char *advice_reduce_first(const Advisor *a, const char *act);

/* ---- advice_loops.c ---- */
/* A loop's blocks; they are contiguous, from the header to the only latch. */
typedef struct LoopBlocks {
	u32 first, last;
	u32 loc; /* of its statement: Program.locs index, or 0 */
} LoopBlocks;
/* The smallest loop around a block; false: there is none. */
bool loop_around(const Program *p, u32 block, LoopBlocks *out);
/* The next larger one around it. */
bool loop_outside(const Program *p, u32 block, LoopBlocks *out);

/* ---- advice_tests.c ---- */
/* Facts about the Program that are needed again and again. */
typedef struct ProgramUses {
	u32 *ways_in; /* per block */
	u32 *made;    /* per register: an instruction that computes it, + 1 */
} ProgramUses;
ProgramUses program_uses(const Advisor *a);
/* Is it the number of a work-item, moved or scaled, but not made coarser? */
bool is_item_number(const Program *p, const ProgramUses *known, u32 reg, u32 depth);
/* Does the branch at the end of a block test for "the first so many work-items"? */
bool tests_item(const Program *p, const ProgramUses *known, u32 block);

/* ---- advice_barrier.c ---- */
/* Does anything in it wait for the work-group? */
bool advice_has_barriers(const Program *p);

/* ---- advice_events.c: another record ---- */
typedef struct Rewrite {
	const Events *from;
	Events *to; /* events_free() */
	ARRAY(u32) words; /* of the wavefront being written */
} Rewrite;
void rewrite_begin(Rewrite *w, const Events *from);
/* The same again; but masks are left out: of no use for the time, and shapes of the old record. */
void rewrite_event(Rewrite *w, const EventWord *x);
void rewrite_word(Rewrite *w, u32 word);
void rewrite_access(Rewrite *w, u32 ins, const LaneShape *s, u64 address);
/* The wavefront is complete: like wave `like` of the old record. */
void rewrite_wave(Rewrite *w, u32 like);
Events *rewrite_end(Rewrite *w);

/* The launch's record with other accesses: `change` sees each of them and may change shape (whose offsets it
 * may write: room for MAX_WAVE) and address; without lanes it is left out. NULL: there is no time left to play it. */
typedef void ChangeAccess(void *ctx, u32 wave, const EventWord *w, LaneShape *shape, i64 *offset, u64 *address);
Events *events_with(const Advisor *a, ChangeAccess *change, void *ctx);

#endif
