/* The commands of wavesim, in the order of --help. Each is a row here, cmd_NAME and NAME_help in cli/cmd_NAME.c
 * (devices: main.c; run, record, replay, launches: cmd_recording.c). A command returns the exit status, and leaves its
 * messages in d. */
#ifndef WAVESIM_COMMANDS_H
#define WAVESIM_COMMANDS_H

#include "base/diag.h"

enum { EXIT_FINE = 0, EXIT_DIFFERENT = 1, EXIT_BAD_INPUT = 2 };

/* X(name, "arguments", "what it does") */
#define COMMANDS(X) \
	X(lesson, "[NAME]", "kernels before and after a change, explained with their numbers") \
	X(watch, "FILE", "run it whenever it is saved; what changed") \
	X(compare, "BEFORE [AFTER]", "same inputs: same results? what changed, and why") \
	X(sweep, "FILE", "a launch under many settings, ranked, and why") \
	X(merge, "STORE ...", "sweeps of several machines as one") \
	X(occupancy, "FILE", "wavefronts that fit, what limits them, three curves") \
	X(devices, "[NAME]", "the devices it can be, each figure with its source") \
	X(run, "-- PROGRAM", "a host program as it is: every kernel launch it makes") \
	X(record, "-- PROGRAM", "write these launches to a file") \
	X(replay, "FILE", "simulate recorded launches") \
	X(launches, "FILE", "list them") \
	X(crosscheck, "STORE", "estimates beside times that wavesim-runner measured")

#define X(name, args, what) \
	int cmd_##name(int argc, char *const *argv, Diag *d); \
	void name##_help(Buf *out);
COMMANDS(X)
#undef X

#endif
