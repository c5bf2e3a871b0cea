/* What the files of debug.h share. */
#ifndef WAVESIM_ENGINE_DEBUG_RUN_H
#define WAVESIM_ENGINE_DEBUG_RUN_H

#include "engine/debug.h"
#include "engine/run.h"
#include "isa/regs.h"

/* A wavefront that was chosen, before the instruction of that number. */
typedef struct Choice {
	u64 count;
	u32 wave;
} Choice;

/* Watched memory that the last instruction wrote, where the condition held: by the breakpoint's id, since the list may
 * be another one when it goes back to here. */
typedef struct WatchWrite {
	u32 id, lane;
} WatchWrite;

/* New findings that an instruction made, known for when it is executed again. */
typedef struct FoundAt {
	u64 count; /* after it */
	u32 first, n;
} FoundAt;

/* Types that are not the source's. */
typedef enum { OWN_BOOL, OWN_I32, OWN_U32, OWN_I64, OWN_U64, OWN_F32, OWN_F64, OWN_I8, OWN_I16, OWN_TYPES } OwnType;

struct Debugger {
	EngineRun *run;
	const Program *p;
	const Symbols *sym; /* never NULL; of a program without symbols, empty ones */
	Symbols *own_sym;
	Arena *arena;
	char why[160]; /* of what was evaluated last */
	SimConfig cfg;
	SimDebug *sim;
	Focus focus;
	u32 lane;     /* that is looked at where it is active */
	SimStep last; /* what led here; has_last: it is known */
	bool has_last;
	ARRAY(WatchWrite) wrote;
	/* going back */
	ARRAY(Choice) choices;
	ARRAY(SimState *) kept; /* by count */
	SimState *near;         /* one more, close to where it went back to */
	u64 kept_bytes, interval;
	ARRAY(FoundAt) found;
	u32 nfound;
	/* stops */
	ARRAY(Breakpoint) breaks;
	u32 next_id, catches;
	u8 *flags; /* by instruction: AT_… */
	ARRAY(SimWatch) watches;
	ARRAY(u32) watch_ids;
	/* places */
	u32 first;    /* the kernel's first instruction in the source, or NO_INS */
	u32 *inlined; /* by instruction: functions it is inlined into */
	const ResultSource *sources;
	u32 nsources;
	RegLive *live; /* of what the device's compiler made: where registers hold what they are called */
	/* values */
	ARRAY(SymType) types;
	u32 own[OWN_TYPES];
	ARRAY(DebugVariable) variables;
};

enum { AT_BREAK = 1, AT_BARRIER = 2 };

/* ---- debug_history.c ---- */
void history_keep(Debugger *g);   /* a copy of the present state */
void history_forget(Debugger *g); /* all copies */
/* The latest copy of a state before `count`, or at it. */
const SimState *history_before(const Debugger *g, u64 count);
void history_restore(Debugger *g, const SimState *from); /* what led there is not known then */
/* One instruction, of whichever wavefront is chosen; false: the launch is over. */
bool history_step(Debugger *g);
void history_follow(Debugger *g); /* chooses as before */
bool history_next(Debugger *g);   /* both */
/* To where so many instructions were executed, back or on. */
void history_seek(Debugger *g, u64 target);
/* The next instruction is that of `wave`, if it can run. */
void history_choose(Debugger *g, u32 wave);

/* ---- debug_place.c ---- */
void places_init(Debugger *g);
/* The place of an instruction, or NULL. */
static inline const SrcLoc *place_of(const Debugger *g, u32 ins)
{
	return ins == NO_INS ? NULL : program_place(g->p, g->p->ins.v[ins].loc);
}
/* Grows with each function that a wavefront is in there, inlined ones too. */
u64 depth_of(const Debugger *g, u32 wave);
/* Is it the beginning of its line for a wavefront that executed `last` before; also where it jumps back to it? */
bool enters_line(const Debugger *g, u32 last, u32 ins);
bool other_line(const Debugger *g, u32 last, u32 ins); /* without that */
u32 function_scope(const Debugger *g, u32 scope);
u32 function_of(const Debugger *g, u32 ins); /* Program.funcs */

/* ---- debug_stop.c ---- */
void stops_init(Debugger *g);
/* What the instruction just executed wrote of watched memory. */
void note_watched(Debugger *g);
/* Is what it came to a stop, by a breakpoint or a catch? hit: of breakpoints, count. */
bool stops_here(Debugger *g, bool hit, DebugStop *out);
void stops_free(Debugger *g);

/* ---- debug_parse.c ---- */
typedef enum {
	E_NUMBER,
	E_NAME,
	E_MEMBER,
	E_INDEX,
	E_DEREF,
	E_ADDRESS,
	E_NOT,
	E_COMPLEMENT,
	E_MINUS,
	E_CALL,
	E_BINARY,
	E_CHOOSE
} ExprKind;

struct DebugExpr {
	ExprKind kind;
	const char *text; /* a name; a member; an operator */
	size_t n;
	DebugValue value; /* E_NUMBER */
	DebugExpr *a, *b, *c;
};

/* ---- debug_expr.c ---- */
double debug_number(const SymType *t, u64 bits);
i64 debug_signed(const SymType *t, u64 bits);
bool debug_truth(const Debugger *g, const DebugValue *v); /* of a value that is loaded, as C has it */

/* ---- debug_value.c ---- */
void values_init(Debugger *g);
bool name_value(Debugger *g, Focus f, const char *name, size_t n, DebugValue *out, const char **why);
bool named_register(Debugger *g, Focus f, const char *name, size_t n, DebugValue *out);
bool value_load(Debugger *g, Focus f, DebugValue *v); /* a number or pointer in memory becomes bits */
u32 pointer_to(Debugger *g, u32 type);

#endif
