/* What wavesim record, run, replay and launches share. */
#ifndef WAVESIM_RECORDING_H
#define WAVESIM_RECORDING_H

#include "cli/session.h"
#include "traces/capture_pick.h"

enum { RECORD = 1, RUN = 2, REPLAY = 4, LAUNCHES = 8 };

typedef struct RecordingOptions {
#define FLAG(member, name, commands, help) bool member;
#define TEXT(member, name, arg, commands, help) const char *member;
#include "cli/recording.def"
	const char *gpu;    /* what the program is shown, for the layer; NULL: the devices as they are */
	const char *name;   /* what the report shall be about; NULL: the launch file */
	int nrest;          /* words for options_parse, with the command itself first */
	char **rest;
	char *const *program; /* behind "--": the host program and its arguments, or NULL */
} RecordingOptions;

/* Take out the words that command knows itself. */
bool recording_options(RecordingOptions *o, u32 command, int argc, char *const *argv, Arena *a, Diag *d);
void record_help(Buf *out);
void run_help(Buf *out);
void replay_help(Buf *out);
void launches_help(Buf *out);

/* Simulate the launches of files that are wanted, and show them. *status: of exit. */
bool replay_files(const char *const *paths, u32 n, const RecordingOptions *r, Options *o, int *status, Diag *d);

/* ---- cmd_replay.c ---- */
int cmd_replay(int argc, char *const *argv, Diag *d);
int cmd_launches(int argc, char *const *argv, Diag *d);

/* ---- cmd_run.c ---- */
int cmd_record(int argc, char *const *argv, Diag *d);
int cmd_run(int argc, char *const *argv, Diag *d);

#endif
