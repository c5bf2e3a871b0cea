/* What a debugger shows, as text: for the terminal, and for what an editor prints as it is. */
#ifndef WAVESIM_DEBUG_SHOW_H
#define WAVESIM_DEBUG_SHOW_H

#include "engine/debug.h"

/* "k.cl:12", or "instruction 7" where no line is known. */
void show_place(const Debugger *g, u32 ins, Buf *out);
/* "lanes 0-15, 32". */
void show_lanes(Mask lanes, Buf *out);
/* Lanes of a wavefront: # active, . waits, _ ended, and nothing behind the last work-item. */
void show_mask(const Debugger *g, u32 wave, Buf *out);
/* Why it stopped. */
void show_stop(const Debugger *g, const DebugStop *s, Buf *out);
/* Why lanes wait, where they parted, where they meet; and what the wavefront itself waits for. */
void show_waiting(const Debugger *g, u32 wave, Buf *out);
/* Where the wavefront in focus is, with its line. */
void show_here(const Debugger *g, Buf *out);
void show_frames(const Debugger *g, Buf *out);
void show_waves(const Debugger *g, Buf *out);
void show_source(const Debugger *g, u32 file, u32 line, u32 around, Buf *out);
/* Wave instructions around the next one. */
void show_code(const Debugger *g, u32 around, Buf *out);
/* Registers that the next instruction reads and writes, for all lanes. */
void show_registers(Debugger *g, Buf *out);
void show_lds(Debugger *g, Buf *out);
void show_finding(const Debugger *g, const Finding *f, Buf *out);
/* Which program it is that runs; and how far it is. */
void show_kernel(const Debugger *g, Buf *out);
void show_program(const Debugger *g, Buf *out);
/* An expression: for the lane in focus; for each lane of the wavefront; for each work-item of the work-group as it lies
 * in its dimensions. False: *why. */
bool show_value(Debugger *g, const char *text, Buf *out, const char **why);
bool show_row(Debugger *g, const char *text, Buf *out, const char **why);
bool show_grid(Debugger *g, const char *text, Buf *out, const char **why);

/* What a launch may stop at, besides breakpoints. */
typedef struct CatchName {
	const char *name, *label; /* on the terminal; for an editor */
	Catch what;
	bool on; /* unless an editor says otherwise */
} CatchName;
enum { CATCHES = 3 };
extern const CatchName catch_names[CATCHES];
#define CATCH_WORDS "finding, divergence, barrier"
u32 catch_named(const char *name); /* Catch; 0: there is no such */

/* Whom a step moves, as one says it. */
#define SCOPE_NAMES "wave, group or lane"
bool scope_named(const char *name, MoveScope *out);

#endif
