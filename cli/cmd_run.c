/* wavesim run: run a host program and simulate its launches. They are kept in a temporary folder that goes
 * when it is done. */
#include "cli/commands.h"
#include "cli/recording.h"
#include "cli/show.h"
#include "base/temp.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

static bool run(const RecordingOptions *r, Options *o, Arena *a, int *status, Diag *d)
{
	char folder[TEMP_PATH];
	const char *files[HOST_FILES], *file = r->keep;
	HostEnd end;
	if (file && !access(file, F_OK))
		return diag_error(d, NO_LOC, "--keep: '%s' is there already", file);
	if (file && *file != '/')
		file = arena_printf(a, "%s/%s", realpath(".", arena_alloc(a, PATH_MAX)), file);
	if (!file && !temp_make(folder))
		return diag_error(d, NO_LOC, "cannot make a temporary folder '%s': is $TMPDIR writable?", folder);
	if (!file)
		file = arena_printf(a, "%s/launches", folder);
	bool json_only = is_stdout(o->json);
	bool ok = host_run(r, file, "4g", json_only, &end, d);
	u32 n = ok ? host_files(file, files, a) : 0;
	if (ok)
		host_note_end(r, end.status, d);
	if (ok && !end.stopped) {
		RecordingOptions all = *r; /* the layer has picked already; the same are picked again */
		all.name = r->program[0];
		ok = n ? replay_files(files, n, &all, o, status, d) : host_no_launches(r, d);
	}
	if (!r->keep)
		temp_remove(folder);
	if (ok && end.status)
		*status = end.status;
	return ok;
}

int cmd_run(int argc, char *const *argv, Diag *d)
{
	Arena *a = arena_new();
	Options o;
	RecordingOptions r;
	int status = EXIT_FINE;
	options_init(&o);
	bool ok = recording_options(&r, RUN, argc, argv, a, d) && options_parse(&o, r.nrest, r.rest, d);
	if (ok && o.input) {
		ok = diag_error(d, NO_LOC, "the program stands behind '--'");
		diag_hint(d, "wavesim run -- %s", o.input);
	}
	ok = ok && host_check(&r, "run", d) && show_check_formats(&o, d) &&
	     host_present(&r, &o, a, d) && run(&r, &o, a, &status, d);
	options_free(&o);
	arena_free(a);
	return ok ? status : EXIT_BAD_INPUT;
}
