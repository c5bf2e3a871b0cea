/* wavesim launches: list the launches of a launch file. */
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "traces/capture/capture.h"
#include "report/program.h"

#include <inttypes.h>

static void put_bytes(Buf *out, u64 n)
{
	if (n < 10000)
		buf_printf(out, "%" PRIu64 " B", n);
	else if (n < 10000u << 10)
		buf_printf(out, "%" PRIu64 " KiB", n >> 10);
	else
		buf_printf(out, "%" PRIu64 " MiB", n >> 20);
}

static void put_launch(const CapLaunch *l, Buf *out)
{
	u64 bytes = 0;
	for (u32 i = 0; i < l->nobjects; i++)
		bytes += l->objects[i].size;
	buf_printf(out, "%7" PRIu64 "  %3u  %-24s  ", l->number, l->program, l->kernel);
	program_text_sizes(l->global, l->dims, -14, out);
	buf_printf(out, "  ");
	program_text_sizes(l->local, l->dims, -10, out);
	if (l->ended > l->started)
		buf_printf(out, "  %10.1f us", (double)(l->ended - l->started) / 1e3);
	else
		buf_printf(out, "  %13s", "-");
	buf_printf(out, "  ");
	if (cap_why_missing(l))
		buf_printf(out, "not kept: %s", cap_why_missing(l));
	else
		put_bytes(out, bytes);
	buf_printf(out, "\n");
}

static void list(const CapFile *f, CapPick *pick, Buf *out)
{
	CapSizes sizes;
	cap_sizes(f, &sizes);
	buf_printf(out, "%s: %u launch%s of %s\n", f->path, f->launches.n, f->launches.n == 1 ? "" : "es",
	           f->host.command ? f->host.command : "?");
	for (u32 i = 0; i < f->devices.n; i++) {
		const CapDevice *v = &f->devices.v[i];
		buf_printf(out, "  device   %s, %s, driver %s\n", v->name ? v->name : "?", v->version ? v->version : "?",
		           v->driver ? v->driver : "?");
	}
	buf_printf(out, "  memory   ");
	put_bytes(out, sizes.memory);
	buf_printf(out, ", stored in ");
	put_bytes(out, sizes.chunks);
	buf_printf(out, "; the file has ");
	put_bytes(out, sizes.file);
	buf_printf(out, "\n");
	if (!f->ended)
		buf_printf(out, "  the program did not end by itself%s\n",
		           f->truncated ? "; an unfinished record at the end is left out" : "");
	buf_printf(out, "\n%7s  %3s  %-24s  %-14s  %-10s  %13s  %s\n", "launch", "in", "kernel", "global", "local",
	           "device's time", "memory");
	for (u32 i = 0; i < f->launches.n; i++)
		if (cap_pick(pick, &f->launches.v[i]))
			put_launch(&f->launches.v[i], out);
}

int cmd_launches(int argc, char *const *argv, Diag *d)
{
	Arena *a = arena_new();
	RecordingOptions r;
	CapPick pick;
	Buf out = {0};
	bool ok = recording_options(&r, LAUNCHES, argc, argv, a, d);
	if (ok && r.nrest != 2) {
		ok = diag_error(d, NO_LOC, r.nrest < 2 ? "which launch file?" : "wavesim launches takes one file");
		diag_hint(d, "wavesim record -- PROGRAM writes one");
	}
	CapFile *f = ok ? cap_open(r.rest[1], d) : NULL;
	ok = f && cap_pick_options(&pick, r.kernels, r.launches, r.once, d);
	if (ok) {
		list(f, &pick, &out);
		ok = output_stdout(out.v, out.n, d);
		cap_pick_free(&pick);
	}
	cap_close(f);
	array_free(&out);
	arena_free(a);
	return ok ? EXIT_FINE : EXIT_BAD_INPUT;
}
