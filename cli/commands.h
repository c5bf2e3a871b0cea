/* The commands of wavesim, in the order of --help. Each is a row here, cmd_NAME and NAME_help in cli/cmd_NAME.c
 * (devices: main.c; run, record, replay, launches: cmd_recording.c). A command returns the exit status, and leaves its
 * messages in d. NAME_completes says what a shell offers after it: c->tables, c->words. */
#ifndef WAVESIM_COMMANDS_H
#define WAVESIM_COMMANDS_H

#include "traces/launch/completion.h"

enum { EXIT_FINE = 0, EXIT_DIFFERENT = 1, EXIT_BAD_INPUT = 2 };

/* X(name, "arguments", "what it does") */
#define COMMANDS(X) \
	X(lesson, "[NAME]", "kernels before and after a change, with their numbers explained") \
	X(exercise, "[NAME [FILE]]", "a kernel to change: the task, and what yours still lacks") \
	X(grade, "NAME DIR ...", "mark submissions of an exercise side by side") \
	X(watch, "FILE", "run a kernel at every save, and show what changed") \
	X(debug, "FILE", "stop in a kernel, look at its lanes, go on by lines, and back") \
	X(compare, "BEFORE [AFTER]", "two launches with the same inputs: results, changes, reasons") \
	X(sweep, "FILE", "one launch under many settings, ranked, with reasons") \
	X(merge, "STORE ...", "join the stores of a sweep that was split over several machines") \
	X(occupancy, "FILE", "how many wavefronts fit, what limits them, three curves") \
	X(devices, "[NAME]", "the devices that can be simulated; one with all figures and sources") \
	X(run, "-- PROGRAM", "run a host program and simulate its kernel launches") \
	X(record, "-- PROGRAM", "run a host program and write its kernel launches to a file") \
	X(hipcc, "FILE ...", "build a HIP program for run and record") \
	X(replay, "FILE", "simulate the launches of such a file") \
	X(launches, "FILE", "list the launches of such a file") \
	X(crosscheck, "STORE", "compare estimates with times that wavesim-runner measured") \
	X(completion, "SHELL", "a script for bash, zsh or fish that completes commands and options")

#define X(name, args, what) \
	int cmd_##name(int argc, char *const *argv, Diag *d); \
	void name##_help(Buf *out); \
	void name##_completes(CompletionCommand *c, Arena *a);
COMMANDS(X)
#undef X

#endif
