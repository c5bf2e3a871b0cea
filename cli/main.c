/* wavesim: which command, and the exit status. */
#include "cli/recording.h"
#include "cli/session.h"

#include <stdio.h>
#include <unistd.h>

typedef struct Command {
	const char *name;
	int (*run)(int argc, char *const *argv, Diag *d);
} Command;

static int devices(int argc, char *const *argv, Diag *d)
{
	Buf out = {0};
	Arena *a = arena_new();
	bool ok = true;
	if (argc > 2)
		ok = diag_error(d, NO_LOC, "wavesim devices takes one name at most");
	for (u32 i = 0; ok && argc < 2 && i < device_count(); i++) {
		Device dev;
		ok = device_load(&dev, device_name(i), NO_LOC, a, d);
		if (ok)
			buf_printf(&out, "%-12s %-10s %2u lanes, %2u LDS banks   %s%s\n", dev.name,
			           dev.codegen == DEVICE_CODEGEN_amdgcn ? dev.llvm_cpu : dev.r600_cpu, dev.wave,
			           dev.lds_banks, dev.title,
			           strcmp(dev.name, "mi50") ? "" : "   (default)");
	}
	if (ok && argc == 2) {
		Device dev;
		ok = device_load(&dev, argv[1], NO_LOC, a, d);
		if (ok)
			device_print(&dev, &out);
	}
	ok = ok && output_stdout(out.v, out.n, d);
	array_free(&out);
	arena_free(a);
	return ok ? EXIT_FINE : EXIT_BAD_INPUT;
}

static int launch(int argc, char *const *argv, Diag *d)
{
	Options o;
	options_init(&o);
	Buf out = {0};
	int status = EXIT_BAD_INPUT;
	if (!options_parse(&o, argc, argv, d)) {
		status = EXIT_BAD_INPUT;
	} else if (o.help) {
		options_help(&out);
		status = output_stdout(out.v, out.n, d) ? EXIT_FINE : EXIT_BAD_INPUT;
	} else if (o.version) {
		buf_printf(&out, "wavesim %s\n", WAVESIM_VERSION);
		status = output_stdout(out.v, out.n, d) ? EXIT_FINE : EXIT_BAD_INPUT;
	} else if (!o.input) {
		diag_error(d, NO_LOC, "which kernel file?");
		diag_hint(d, "wavesim kernel.cl runs one; wavesim --help lists the options");
	} else {
		status = session_run(&o, d);
	}
	array_free(&out);
	options_free(&o);
	return status;
}

static const Command commands[] = {
	{"devices", devices},
	{"occupancy", cmd_occupancy},
	{"crosscheck", cmd_crosscheck},
	{"lesson", cmd_lesson},
	{"watch", cmd_watch},
	{"sweep", cmd_sweep},
	{"compare", cmd_compare},
	{"merge", cmd_merge},
	{"record", cmd_record},
	{"run", cmd_run},
	{"replay", cmd_replay},
	{"launches", cmd_launches},
};

int main(int argc, char **argv)
{
	Diag d;
	diag_init(&d);
	int status = -1;
	for (u32 i = 0; i < COUNT(commands) && status < 0 && argc > 1; i++) {
		if (!strcmp(argv[1], commands[i].name))
			status = commands[i].run(argc - 1, argv + 1, &d);
	}
	if (status < 0)
		status = launch(argc, argv, &d);
	Buf messages = {0};
	diag_print(&d, &messages);
	if (messages.n)
		fputs(messages.v, stderr);
	array_free(&messages);
	diag_free(&d);
	return status;
}
