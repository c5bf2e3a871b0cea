/* wavesim record: run a host program and keep its launches. */
#include "cli/commands.h"
#include "cli/recording.h"
#include "traces/capture/capture.h"

#include <limits.h>
#include <unistd.h>

static bool record(const RecordingOptions *r, Arena *a, int *status, Diag *d)
{
	const char *file = r->output ? r->output : arena_printf(a, "%s.launches", path_name(r->program[0]));
	const char *files[HOST_FILES];
	char folder[PATH_MAX];
	HostEnd end;
	if (!access(file, F_OK)) {
		diag_error(d, NO_LOC, "'%s' is there already", file);
		return diag_hint(d, "remove it, or name another one: --output FILE");
	}
	if (*file != '/' && getcwd(folder, sizeof folder))
		file = arena_printf(a, "%s/%s", folder, file); /* the program may go elsewhere */
	if (!host_run(r, file, "64g", false, &end, d))
		return false;
	*status = end.status;
	host_note_end(r, end.status, d);
	u32 n = host_files(file, files, a);
	if (!n)
		return host_no_launches(r, d);
	for (u32 i = 0; i < n; i++) {
		CapFile *f = cap_open(files[i], d);
		if (!f)
			return false;
		diag_note(d, NO_LOC, "%u launch%s in '%s'", f->launches.n, f->launches.n == 1 ? "" : "es", files[i]);
		cap_close(f);
	}
	return true;
}

int cmd_record(int argc, char *const *argv, Diag *d)
{
	Arena *a = arena_new();
	RecordingOptions r;
	int status = EXIT_FINE;
	bool ok = recording_options(&r, RECORD, argc, argv, a, d);
	if (ok && r.nrest > 1)
		ok = diag_error(d, NO_LOC, "wavesim record does not know '%s'", r.rest[1]);
	else
		ok = ok && host_check(&r, "record", d) && host_present(&r, NULL, a, d) && record(&r, a, &status, d);
	arena_free(a);
	return ok ? status : EXIT_BAD_INPUT;
}
