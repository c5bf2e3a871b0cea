/* What wavesim record, run, replay and launches share. */
#ifndef WAVESIM_RECORDING_H
#define WAVESIM_RECORDING_H

#include "options/options.h"
#include "traces/capture/capture_pick.h"

enum { RECORD = 1, RUN = 2, REPLAY = 4, LAUNCHES = 8 };

typedef struct RecordingOptions {
#define FLAG(member, name, commands, help) bool member;
#define TEXT(member, name, arg, commands, help) const char *member;
#include "cli/recording.def"
	const char *gpu;    /* what the program is shown, for the layer; NULL: the devices as they are */
	const char *hip;    /* … and for HIP's run time (cli/hip.h); NULL: there is none … */
	const struct Device *device;
	const char *name;   /* what the report shall be about; NULL: the launch file */
	const char *folder; /* of the launch files, which goes as soon as they are open; NULL: they stay */
	bool api;           /* misuse of OpenCL is looked for */
	bool failed;        /* the program's status is not 0 */
	bool crashed;       /* the program did, perhaps during a launch */
	int nrest;          /* words for options_parse, with the command itself first */
	char **rest;
	char *const *program; /* behind "--": the host program and its arguments, or NULL */
} RecordingOptions;

/* ---- replay.c ---- */
/* What can be said of the options before a program runs. */
bool replay_check(const RecordingOptions *r, const Options *o, Diag *d);
/* Simulate the launches of files that are wanted, and show them. *status: of exit. */
bool replay_files(const char *const *paths, u32 n, const RecordingOptions *r, Options *o, int *status, Diag *d);

/* The error of a program without a launch, whose calls that failed are said; false. status: of the program. */
struct CapFile;
bool replay_nothing(const struct CapFile *const *files, u32 n, const char *program, int status, Diag *d);

/* ---- host.c ---- */
enum { HOST_FILES = 1000, HOST_SILENT = 20 };
typedef ARRAY(char *) HostNames;
/* What the program wrote, a launch file a process. */
typedef struct HostWrote {
	const char *files[HOST_FILES];
	u32 n;
	const struct CapFile *silent[HOST_SILENT]; /* of processes without a launch: their files are gone */
	u32 nsilent;
	HostNames before; /* what had such a name before the program ran; sorted */
} HostWrote;
/* How the program ended. */
typedef struct HostEnd {
	int status;   /* as a shell gives it */
	int signal;   /* that ended it, or 0 */
	bool stopped; /* by a signal to end that wavesim got */
} HostEnd;
/* Can it be run as r says? command: for the message. */
bool host_check(const RecordingOptions *r, const char *command, Diag *d);
/* What the program shall see: a GPU like the one that is simulated (o NULL: the default). */
bool host_present(RecordingOptions *r, const Options *o, Arena *a, Diag *d);
/* Run it to its end. limit: of the launch file, unless r has one. to_stderr: its output must not mix with ours. */
bool host_run(const RecordingOptions *r, const char *file, const char *limit, bool to_stderr, HostEnd *end,
              Diag *d);
/* Before it runs, which may take long: can its launches be written? Files that have such names already are somebody
 * else's, and stay out of it. */
bool host_before(const char *file, HostWrote *out, Arena *a, Diag *d);
/* What is there when it has ended. misuses: what was found to be misuse of OpenCL is wanted, too. */
void host_wrote(const char *file, bool misuses, HostWrote *out, Arena *a);
void host_wrote_free(HostWrote *w);
void host_note_end(const RecordingOptions *r, const HostEnd *end, Diag *d);
bool host_no_launches(const RecordingOptions *r, const HostEnd *end, Diag *d); /* the error; false */

#endif
