/* The commands of wavesim: main.c has their table. Each returns the exit status, and leaves its messages in d. */
#ifndef WAVESIM_COMMANDS_H
#define WAVESIM_COMMANDS_H

#include "base/diag.h"

enum { EXIT_FINE = 0, EXIT_DIFFERENT = 1, EXIT_BAD_INPUT = 2 };

#define COMMAND(name) \
	int cmd_##name(int argc, char *const *argv, Diag *d); \
	void name##_help(Buf *out);
COMMAND(compare)
COMMAND(crosscheck)
COMMAND(launches)
COMMAND(lesson)
COMMAND(merge)
COMMAND(occupancy)
COMMAND(record)
COMMAND(replay)
COMMAND(run)
COMMAND(sweep)
COMMAND(watch)
#undef COMMAND

#endif
