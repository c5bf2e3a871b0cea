/* The debugger for editors: the Debug Adapter Protocol on standard input and output
 * (https://microsoft.github.io/debug-adapter-protocol). Wavefronts of the work-group that runs are its threads;
 * findings, divergence and barriers its exceptions. */
#ifndef WAVESIM_DEBUG_DAP_H
#define WAVESIM_DEBUG_DAP_H

#include "engine/debug.h"

/* What an editor asks to launch. */
typedef struct DapLaunch {
	const char *program;      /* the kernel file */
	const char *const *words; /* options of a launch, as on the command line */
	u32 nwords;
	const char *folder; /* to work in, or NULL */
	bool optimised;
} DapLaunch;
typedef struct DapSpec {
	/* NULL: *error says why, to be freed. */
	Debugger *(*open)(void *ctx, const DapLaunch *l, char **error);
	void (*close)(void *ctx, Debugger *g);
	void *ctx;
	int in, out; /* file descriptors */
} DapSpec;
/* Until the editor disconnects or is gone. */
void debug_dap(const DapSpec *spec);

#endif
