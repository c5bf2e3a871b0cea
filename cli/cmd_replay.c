/* wavesim replay: simulate the launches of a launch file. */
#include "cli/commands.h"
#include "cli/recording.h"
#include "cli/show.h"

int cmd_replay(int argc, char *const *argv, Diag *d)
{
	Arena *a = arena_new();
	Options o;
	RecordingOptions r;
	int status = EXIT_FINE;
	options_init(&o);
	bool ok = recording_options(&r, REPLAY, argc, argv, a, d) && options_parse(&o, r.nrest, r.rest, d);
	if (ok && !o.input) {
		ok = diag_error(d, NO_LOC, "which launch file?");
		diag_hint(d, "wavesim record -- PROGRAM writes one");
	}
	ok = ok && show_check_formats(&o, d) && replay_files(&o.input, 1, &r, &o, &status, d);
	options_free(&o);
	arena_free(a);
	return ok ? status : EXIT_BAD_INPUT;
}
