/* What the files of the adapter share. */
#ifndef WAVESIM_DEBUG_DAP_RUN_H
#define WAVESIM_DEBUG_DAP_RUN_H

#include "debug/dap.h"
#include "debug/dap_frame.h"
#include "debug/show.h"
#include "debug/terminal_run.h"
#include "report/json_kit.h"

typedef enum { REF_LOCALS, REF_PARAMETERS, REF_LANES, REF_LDS, REF_BUFFERS, REF_ALL, REF_ALL_ONE, REF_VALUE } RefKind;

/* What a variablesReference stands for, until something runs. */
typedef struct Ref {
	RefKind kind;
	Focus focus;
	DebugValue value; /* REF_VALUE */
	const char *name; /* REF_ALL_ONE: the expression */
} Ref;

typedef struct Dap {
	const DapSpec *spec;
	Debugger *g;       /* NULL: nothing was launched */
	Terminal terminal; /* for commands of the console */
	Arena *arena;      /* of the session */
	Buf in;
	ARRAY(cJSON *) queue; /* came while it ran */
	ARRAY(Ref) refs;
	i64 seq;
	bool lines_from_0, columns_from_0, invalidates; /* what the client can and wants */
	MoveScope stepping; /* whom a step moves, unless it says otherwise */
	bool stop_on_entry, stop_on_exit, configured, gone;
	const Finding *finding; /* of the last stop */
} Dap;

typedef struct Request {
	const char *name;
	/* The body of the answer, to be filled; false: *why. */
	bool (*answer)(Dap *d, const cJSON *arguments, cJSON *body, const char **why);
	void (*after)(Dap *d, const cJSON *arguments); /* once the answer is out; or NULL */
	bool needs_launch;
} Request;

/* ---- dap.c ---- */
void dap_event(Dap *d, const char *name, cJSON *body);
bool dap_asks_pause(void *dap);
void dap_output(Dap *d, const char *category, const char *text);

/* ---- dap_look.c ---- */
/* Of a frame's id (0: the one looked at); false: there is none such. */
bool dap_focus(const Dap *d, u32 frame, Focus *f);
bool dap_threads(Dap *d, const cJSON *a, cJSON *body, const char **why);
bool dap_stack(Dap *d, const cJSON *a, cJSON *body, const char **why);
bool dap_scopes(Dap *d, const cJSON *a, cJSON *body, const char **why);
bool dap_variables(Dap *d, const cJSON *a, cJSON *body, const char **why);
bool dap_evaluate(Dap *d, const cJSON *a, cJSON *body, const char **why);
void dap_evaluated(Dap *d, const cJSON *a);
bool dap_source(Dap *d, const cJSON *a, cJSON *body, const char **why);
bool dap_exception(Dap *d, const cJSON *a, cJSON *body, const char **why);

/* ---- dap_data.c ---- */
bool dap_data_info(Dap *d, const cJSON *a, cJSON *body, const char **why);
bool dap_data(Dap *d, const cJSON *a, cJSON *body, const char **why);

/* ---- dap_move.c ---- */
void dap_forget(Dap *d, BreakKind kind, const char *path); /* all of that kind; of lines, in that file */
/* A new breakpoint gets the condition that the editor wants for it, and its row; id 0: there is none, and why. */
void dap_add(Dap *d, cJSON *rows, u32 id, const cJSON *from, const char **why);
bool dap_breakpoints(Dap *d, const cJSON *a, cJSON *body, const char **why);
bool dap_functions(Dap *d, const cJSON *a, cJSON *body, const char **why);
bool dap_exceptions(Dap *d, const cJSON *a, cJSON *body, const char **why);
bool dap_go(Dap *d, const cJSON *a, cJSON *body, const char **why);
void dap_begin(Dap *d, const cJSON *a);
void dap_continue(Dap *d, const cJSON *a);
void dap_next(Dap *d, const cJSON *a);
void dap_step_in(Dap *d, const cJSON *a);
void dap_step_out(Dap *d, const cJSON *a);
void dap_step_back(Dap *d, const cJSON *a);
void dap_reverse_continue(Dap *d, const cJSON *a);
void dap_pause(Dap *d, const cJSON *a);

static inline const char *dap_text(const cJSON *o, const char *key)
{
	const cJSON *x = cJSON_GetObjectItemCaseSensitive(o, key);
	return cJSON_IsString(x) ? x->valuestring : NULL;
}

/* A list of that name, or NULL. */
static inline const cJSON *dap_list(const cJSON *o, const char *key)
{
	const cJSON *x = cJSON_GetObjectItemCaseSensitive(o, key);
	return cJSON_IsArray(x) ? x : NULL;
}

static inline bool dap_flag(const cJSON *o, const char *key, bool otherwise)
{
	const cJSON *x = cJSON_GetObjectItemCaseSensitive(o, key);
	return cJSON_IsBool(x) ? cJSON_IsTrue(x) : otherwise;
}

/* A number from 0 on; whatever else is there: otherwise. */
static inline u32 dap_number(const cJSON *o, const char *key, u32 otherwise)
{
	const cJSON *x = cJSON_GetObjectItemCaseSensitive(o, key);
	return cJSON_IsNumber(x) && x->valuedouble >= 0 && x->valuedouble <= INT32_MAX ? (u32)x->valuedouble
	                                                                               : otherwise;
}

#endif
