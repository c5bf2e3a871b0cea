/* The debugger: a launch that stops where one wants to look at it, goes on by lines or instructions, and back.
 *
 *   run = specs_build … with RunSpec.debug; engine_bind(run);
 *   Debugger *g = debugger_open(run, &d);
 *   DebugStop s = debugger_move(g, &(Move){.kind = MOVE_ON});        until something is to be seen
 *   debugger_close(g);
 *
 * It executes as sim/debug.h says: one wavefront at a time, in a fixed order. Going back is executing again, from a
 * copy of an earlier state, until one instruction before; copies are made on the way, ever fewer, so that a long launch
 * neither takes all memory nor is executed from its beginning.
 *
 *   debug.c         going on, going back                   debug_place.c   lines, functions, frames
 *   debug_history.c copies of states, executing again      debug_parse.c, debug_expr.c   expressions
 *   debug_stop.c    breakpoints: what is a stop            debug_value.c   names and their values; debug_text.c as text
 *
 * Nothing here prints; debug/ has the two faces. */
#ifndef WAVESIM_ENGINE_DEBUG_H
#define WAVESIM_ENGINE_DEBUG_H

#include "engine/engine.h"
#include "sim/debug.h"

typedef struct Debugger Debugger;

/* NULL: errors in d. The run must be bound, and stay open. */
Debugger *debugger_open(EngineRun *run, Diag *d);
void debugger_close(Debugger *g);
const SimDebug *debugger_sim(const Debugger *g);
const Program *debugger_program(const Debugger *g);
EngineRun *debugger_run(const Debugger *g);
bool debugger_is_source(const Debugger *g); /* not what the device's compiler made */
bool debugger_source(const Debugger *g);    /* compiled from a source at all */
u32 debugger_lanes(const Debugger *g);      /* of a wavefront */
const SimLaunch *debugger_launch(const Debugger *g);
void debugger_printed(Debugger *g, Buf *out); /* takes what the kernel printed since it was asked last */

/* ---- what is looked at: a wavefront of the work-group that runs, a lane of it, one of its frames ---- */
typedef struct Focus {
	u32 wave, lane, frame;
} Focus;
Focus debugger_focus(const Debugger *g);
/* False: there is none such. */
bool debugger_look(Debugger *g, Focus f);

/* ---- places: debug_place.c ---- */
typedef struct DebugFrame {
	const char *function;
	u32 ins, loc; /* Program.ins, Program.locs (0: no line is known) */
	u32 scope;    /* of Symbols, or 0 */
	u32 sim;      /* which of the machine's frames it is in (sim_debug_frame) */
	bool inlined;
} DebugFrame;
/* Frames of a wavefront, the innermost first, at most `most`; how many. */
u32 debugger_frames(const Debugger *g, u32 wave, DebugFrame *out, u32 most);
/* Where code is for a line of a file: that line or the next one that has any; 0: none. file NULL: the kernel's. A file
 * is known by the end of its path. *index: Program.files. */
u32 debugger_line(const Debugger *g, const char *file, u32 line, u32 *index);
const char *debugger_function_of(const Debugger *g, u32 ins);
/* Text of a source file, or NULL. */
const char *debugger_text(const Debugger *g, u32 file);
/* The line of a text, without its end; NULL: there is none. *n: its bytes. */
const char *debugger_text_line(const char *text, u32 line, size_t *n);

/* ---- stops: debug_stop.c ---- */
typedef enum { BREAK_LINE, BREAK_FUNCTION, BREAK_INS, BREAK_WATCH } BreakKind;
typedef struct Breakpoint {
	u32 id;
	BreakKind kind;
	u32 file, line;   /* of BREAK_LINE: where it is */
	u32 asked;        /* … and the line that was asked for */
	const char *name; /* the function; the expression */
	u32 ins;
	SimWatch watch;
	const char *condition; /* or NULL */
	struct DebugExpr *test;
	u64 hits;
	bool off, once;
} Breakpoint;

/* The new one's id; 0: *why. Texts live as long as the debugger. */
u32 debugger_break_line(Debugger *g, const char *file, u32 line, const char **why);
u32 debugger_break_function(Debugger *g, const char *name, const char **why);
u32 debugger_break_ins(Debugger *g, u32 ins, const char **why);
u32 debugger_watch(Debugger *g, const char *expression, const char **why);
/* The memory in which a value is; false: it is in none that can be watched. Watched, it is called name. */
struct DebugValue;
#define DEBUG_UNWATCHABLE \
	"only local and global memory can be watched: for a variable of a work-item, set a breakpoint " \
	"with a condition"
bool debugger_watchable(const Debugger *g, Focus f, const struct DebugValue *v, SimWatch *out);
u32 debugger_watch_at(Debugger *g, const char *name, SimWatch place);
/* NULL: none such. */
Breakpoint *debugger_breakpoint(Debugger *g, u32 id);
Breakpoint *debugger_breakpoints(Debugger *g, u32 *n);
/* condition NULL or "": always. */
bool debugger_condition(Debugger *g, u32 id, const char *condition, const char **why);
void debugger_switch(Debugger *g, u32 id, bool on);
void debugger_delete(Debugger *g, u32 id); /* 0: all */

/* What else stops. */
typedef enum { CATCH_FINDING = 1, CATCH_DIVERGENCE = 2, CATCH_BARRIER = 4 } Catch;
void debugger_catch(Debugger *g, u32 what); /* all of these, no others */
u32 debugger_catches(const Debugger *g);

/* ---- moving ---- */
typedef enum {
	STOP_STEP,  /* where it was to go */
	STOP_BREAK, /* breakpoint */
	STOP_WATCH, /* memory changed */
	STOP_FINDING,
	STOP_DIVERGENCE,
	STOP_BARRIER,
	STOP_ITEM,  /* the work-item is there */
	STOP_GROUP, /* the wavefront that was stepped has ended */
	STOP_BEGIN,
	STOP_END, /* of the launch */
	STOP_PAUSE,
} StopKind;
typedef struct DebugStop {
	StopKind kind;
	u32 id; /* of a breakpoint */
	const Finding *finding;
	u32 wave, lane; /* lane: NO_LANE where it is no particular one */
	u32 ins;        /* of a finding, a branch, a write: the instruction that did it */
} DebugStop;
#define NO_LANE UINT32_MAX

typedef enum { MOVE_ON, MOVE_INS, MOVE_LINE, MOVE_OVER, MOVE_OUT, MOVE_ITEM, MOVE_COUNT } MoveKind;
typedef enum { SCOPE_WAVE, SCOPE_GROUP, SCOPE_LANE } MoveScope;
typedef struct Move {
	MoveKind kind;
	MoveScope scope; /* of MOVE_INS, MOVE_LINE, MOVE_OVER, MOVE_OUT: the wavefront looked at; each of its
	                  * work-group; it, where the lane looked at is active */
	bool back;
	u64 item[3];              /* MOVE_ITEM: global ids; to where its wavefront begins, back or on */
	u64 count;                /* MOVE_COUNT: so many instructions executed, as debugger_count says */
	bool (*pause)(void *ctx); /* asked now and then; or NULL */
	void *ctx;
} Move;
DebugStop debugger_move(Debugger *g, const Move *m);
u64 debugger_count(const Debugger *g);

/* Bytes and number of the copies that going back needs. */
u64 debugger_kept(const Debugger *g, u32 *n);

/* ---- values: debug_expr.c, debug_value.c ---- */
typedef struct DebugExpr DebugExpr;
typedef struct DebugValue {
	u32 type;   /* of debugger_types */
	bool place; /* it is in memory, at an address of a space; else bits */
	u8 space;
	u64 address;
	u64 bits;
} DebugValue;
/* NULL: *why, and *at, the byte of the text where. Lives as long as the debugger. */
DebugExpr *debugger_parse(Debugger *g, const char *text, const char **why, u32 *at);
/* Its value for a lane, by the names that the frame in focus knows. False: *why. */
bool debugger_eval(Debugger *g, const DebugExpr *e, Focus f, DebugValue *out, const char **why);
const SymType *debugger_types(const Debugger *g, u32 type);
void debugger_type_name(const Debugger *g, u32 type, Buf *out);
/* As the source would write it. False: it cannot be read. */
bool debugger_value_text(Debugger *g, Focus f, const DebugValue *v, Buf *out);
/* The parts of a structure, an array, a vector, or what a pointer points to: how many; the i-th, and its name. */
u32 debugger_parts(const Debugger *g, const DebugValue *v);
bool debugger_part(Debugger *g, Focus f, const DebugValue *v, u32 i, DebugValue *out, Buf *name);

/* A variable that the frame in focus knows. */
typedef struct DebugVariable {
	const char *name;
	bool parameter, local; /* of the function; else of the program, or the work-group */
	u8 space;
	DebugValue value;
	bool known; /* else its value is nowhere: optimised out */
} DebugVariable;
/* Innermost first; *n of them. They live until asked again. */
const DebugVariable *debugger_variables(Debugger *g, Focus f, u32 *n);
/* Variables and arguments in the work-group's local memory; as the variables above. */
const DebugVariable *debugger_lds(Debugger *g, Focus f, u32 *n);
/* The kernel's arguments, whatever function is looked at. */
const DebugVariable *debugger_arguments(Debugger *g, Focus f, u32 *n);
/* The value of a register, for a lane; false: no number of these types. */
bool debugger_register(Debugger *g, Focus f, u32 reg, DebugValue *out);
/* A memory argument of the kernel, by the kernel's name for it: for `dump`. NO_INS: there is none such. */
u32 debugger_buffer(const Debugger *g, const char *name);

#endif
