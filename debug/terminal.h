/* The debugger on a terminal, or for a script: commands as lines. */
#ifndef WAVESIM_DEBUG_TERMINAL_H
#define WAVESIM_DEBUG_TERMINAL_H

#include "engine/debug.h"

typedef struct TerminalSpec {
	const char *commands; /* a file of them, or NULL: standard input, by libedit where that is a terminal */
} TerminalSpec;
/* How many commands failed; UINT32_MAX: the file cannot be read, an error in d. */
u32 debug_terminal(Debugger *g, const TerminalSpec *spec, Diag *d);

#endif
