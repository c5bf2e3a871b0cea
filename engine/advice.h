/* Advice: what could be changed about a kernel, why, and what it would bring.
 *
 * The gain is never guessed. A rule (advice.def) writes down what the wavefronts of the record would
 * do after the change - other addresses, fewer blocks, other limits - and the timing model plays that
 * (estimate_changed). What it says is therefore as good as the estimate itself. */
#ifndef WAVESIM_ADVICE_H
#define WAVESIM_ADVICE_H

#include "engine/result.h"

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
	EstimateInput base; /* what r->estimate was made of */
	Arena *arena;       /* scratch; what is said goes to r->arena */
	u64 plays;          /* machine instructions that may still be played */
	ARRAY(ResultFinding) said;
} Advisor;

#define ADVICE(name, without_gain, ideal, beyond, doc) void advice_##name(Advisor *a);
#include "engine/advice.def"

/* Is there time left to play the launch once more? Ask before a record is written anew for it. */
bool advice_can_time(const Advisor *a);
/* The launch with the change. False: there is no time left to play it. */
bool advice_time(Advisor *a, const EstimateChange *c, EstimateChanged *out);
/* Say it. loc: Program.locs index, or 0 for the kernel's own line. after: NULL when it was not timed. */
void advise(Advisor *a, AdviceId id, u32 loc, const EstimateChanged *after, const char *message,
            const char *hint);
/* Text of the report. */
char *advice_text(Advisor *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* How a count or size is said in text: 1536 as "1,536". */
const char *advice_number(Advisor *a, u64 v);

/* ---- advice_events.c: another record ---- */
typedef struct Rewrite {
	const Events *from;
	Events *to; /* events_free() */
	ARRAY(u32) words; /* of the wavefront being written */
} Rewrite;
void rewrite_begin(Rewrite *w, const Events *from);
void rewrite_word(Rewrite *w, u32 word);
void rewrite_access(Rewrite *w, u32 ins, const LaneShape *s, u64 address);
/* The wavefront is complete: like wave `like` of the old record. */
void rewrite_wave(Rewrite *w, u32 like);
Events *rewrite_end(Rewrite *w);

/* One word of a record, taken apart. */
typedef struct EventWord {
	u32 kind, n;         /* EVENT_…, words it takes */
	u32 block, lanes;    /* of EVENT_BLOCK */
	u32 ins;             /* of EVENT_ACCESS and EVENT_BARRIER */
	const LaneShape *shape;
	u64 address;
} EventWord;
EventWord event_at(const WaveEvents *e, u32 at);

/* Rewrite the accesses of a record: `change` sees each of them and may change shape (whose offsets it
 * may write: room for MAX_WAVE) and address; without lanes it is left out. */
typedef void ChangeAccess(void *ctx, u32 wave, const EventWord *w, LaneShape *shape, i64 *offset, u64 *address);
Events *events_with(const Events *from, ChangeAccess *change, void *ctx);

#endif
