/* wavesim: which command, and the exit status. */
#include "cli/commands.h"
#include "cli/show.h"
#include "frontend/frontend.h"

#include <unistd.h>

int cmd_devices(int argc, char *const *argv, Diag *d)
{
	Buf out = {0};
	Arena *a = arena_new();
	bool ok = true;
	if (argc > 2)
		ok = diag_error(d, NO_LOC, "wavesim devices takes one name at most");
	for (u32 i = 0; ok && argc < 2 && i < device_count(); i++) {
		Device dev;
		ok = device_load(&dev, device_name(i), NO_LOC, a, d);
		if (!ok)
			break;
		const char *chip = dev.codegen == DEVICE_CODEGEN_amdgcn ? dev.llvm_cpu : dev.r600_cpu;
		buf_printf(&out, "%-12s %-10.*s %2u lanes, %2u LDS banks   %s%s\n", dev.name,
		           (int)strcspn(chip, "@ "), chip, dev.wave, dev.lds_banks, dev.title,
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

/* The names of all, with blanks between. */
static const char *device_words(Arena *a)
{
	Buf names = {0};
	for (u32 i = 0; i < device_count(); i++)
		buf_printf(&names, "%s%s", i ? " " : "", device_name(i));
	return buf_keep(&names, a);
}

void devices_completes(CompletionCommand *c, Arena *a)
{
	c->words = device_words(a);
}

void devices_help(Buf *out)
{
	buf_printf(out, "wavesim devices          the devices it can be\n"
	                "wavesim devices NAME     one, with the source of every figure; NAME may be an .ini file\n");
}

typedef struct Command {
	const char *name, *args, *what;
	int (*run)(int argc, char *const *argv, Diag *d);
	void (*help)(Buf *out);
	void (*completes)(CompletionCommand *c, Arena *a);
} Command;
static const Command commands[] = {
#define X(name, args, what) {#name, args, what, cmd_##name, name##_help, name##_completes},
	COMMANDS(X)
#undef X
};

void completion_completes(CompletionCommand *c, Arena *a)
{
	(void)a;
	c->words = COMPLETION_SHELLS;
}

void completion_help(Buf *out)
{
	buf_printf(out,
	           "wavesim completion SHELL   a script for your shell, which then completes commands, options and "
	           "values\n\n"
	           "  bash   eval \"$(wavesim completion bash)\", in ~/.bashrc\n"
	           "  zsh    wavesim completion zsh >_wavesim, in a folder of $fpath\n"
	           "  fish   wavesim completion fish >~/.config/fish/completions/wavesim.fish\n\n"
	           "`make install` and the packages put them where the shells look.\n");
}

int cmd_completion(int argc, char *const *argv, Diag *d)
{
	Arena *a = arena_new();
	Buf weights = {0}, out = {0};
	CompletionCommand all[COUNT(commands) + 1] = {0};
	for (u32 i = 0; i < COUNT(commands); i++) {
		all[i] = (CompletionCommand){.name = commands[i].name, .help = commands[i].what};
		commands[i].completes(&all[i], a);
	}
	CompletionRows launch = options_completes(NULL, 0, a);
	launch.command = OPTIONS_OF_FILE;
	completion_table(&all[COUNT(commands)], launch);
	for (u32 i = 0; i < WEIGHT_COUNT; i++)
		buf_printf(&weights, "%s%s", i ? " " : "", stack_weight_name[i]);
	const CompletionWords words[] = {{"--device", device_words(a)}, {"--weight", buf_keep(&weights, a)}};
	const Completion c = {"wavesim", all, COUNT(all), words, COUNT(words)};
	bool ok = argc <= 2 ? completion_write(&c, argc == 2 ? argv[1] : NULL, &out, d)
	                    : diag_error(d, NO_LOC, "completion takes one shell");
	ok = ok && output_stdout(out.v, out.n, d);
	array_free(&out);
	arena_free(a);
	return ok ? EXIT_FINE : EXIT_BAD_INPUT;
}

static void put_help(Buf *out)
{
	buf_printf(out,
	           "wavesim runs an OpenCL kernel on a simulated GPU and shows, per source line, what\n"
	           "its wavefronts did: idle lanes, local-memory bank conflicts, cache lines.\n\n"
	           "usage: wavesim FILE [options]     FILE: kernel.cl, .hip, .spv, launch.sim, program.bc, .wave,\n"
	           "                                  or -, for OpenCL C from standard input\n"
	           "       wavesim COMMAND ...        (wavesim COMMAND --help says more)\n\n");
	for (u32 i = 0; i < COUNT(commands); i++) {
		char left[40];
		snprintf(left, sizeof left, "%s %s", commands[i].name, commands[i].args);
		buf_printf(out, "  %-27s%s\n", left, commands[i].what);
	}
	buf_printf(out,
	           "\nexamples\n"
	           "  wavesim kernel.cl                             sizes and buffers are guessed\n"
	           "  wavesim kernel.cl --wave 64 --banks 32        another machine\n"
	           "  wavesim kernel.cl --kernel sum --global 65536 --local 256 --arg n=4096\n"
	           "  wavesim kernel.cl --arg a=random:65536 --arg b=@input.npy --dump c=result.npy\n"
	           "  wavesim kernel.cl --html report.html\n\n");
	options_help(out);
}

/* What the program is made of, for reports of faults. */
static void put_version(const Options *o, Buf *out)
{
	Arena *a = arena_new();
	Helper *h = helper_new(NULL, SANDBOX_AUTO);
	FeAbout about = {0};
	Diag d;
	diag_init(&d);
	buf_printf(out, "wavesim %s\n", WAVESIM_VERSION);
	bool known = fe_about(h, &about, a, &d);
	const char *library = o->amd_library ? o->amd_library : about.amd_library;
	if (known)
		buf_printf(out, "  LLVM            %s\n  PoCL            %s\n  device library  %s\n", about.llvm,
		           about.pocl, library ? library : "none: PoCL's built-in functions are used");
	else
		buf_printf(out, "  LLVM, PoCL and the device library are not known: %s\n", d.msgs.v[0].text);
	diag_free(&d);
	helper_free(h);
	arena_free(a);
}

/* The kernel file, or "-": standard input. */
static int launch_input(Options *o, Diag *d)
{
	char *typed = NULL;
	bool from_input = is_stdout(o->input);
	if (from_input) {
		int fd = dup(STDIN_FILENO); /* a socket, too, which /dev/stdin would not open */
		typed = read_stream(fd < 0 ? NULL : fdopen(fd, "rb"), NULL);
		o->input = "stdin.cl";
		if (!typed || !*typed) {
			diag_error(d, NO_LOC,
			           typed ? "there is nothing on standard input" : "cannot read standard input");
			free(typed);
			return EXIT_BAD_INPUT;
		}
	}
	LaunchSpec spec = specs_launch(o);
	spec.text = typed;
	int shown = EXIT_FINE;
	bool ok = show_launch(o, &spec, NULL, &shown, d);
	free(typed);
	return ok ? shown : EXIT_BAD_INPUT;
}

static int launch(int argc, char *const *argv, Diag *d)
{
	Options o;
	options_init(&o);
	o.tables.command = OPTIONS_OF_FILE;
	Buf out = {0};
	int status = EXIT_BAD_INPUT;
	if (!options_parse(&o, argc, argv, d)) {
		status = EXIT_BAD_INPUT;
	} else if (o.help) {
		put_help(&out);
		status = output_help(&out, d) ? EXIT_FINE : EXIT_BAD_INPUT;
	} else if (o.version) {
		put_version(&o, &out);
		status = output_stdout(out.v, out.n, d) ? EXIT_FINE : EXIT_BAD_INPUT;
	} else if (!o.input) {
		diag_error(d, NO_LOC, "which kernel file?");
		diag_hint(d, "wavesim kernel.cl runs one; wavesim --help lists the options");
	} else {
		status = launch_input(&o, d);
	}
	array_free(&out);
	options_free(&o);
	return status;
}

/* Anywhere before the words of a host program. */
static bool wants_help(int argc, char *const *argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
			return true;
	return false;
}

static int run_command(const Command *c, int argc, char *const *argv, Diag *d)
{
	if (!wants_help(argc, argv))
		return c->run(argc, argv, d);
	Buf out = {0};
	c->help(&out);
	bool ok = output_help(&out, d);
	array_free(&out);
	return ok ? EXIT_FINE : EXIT_BAD_INPUT;
}

/* What is no file, nor looks like one's name or an option, may be a command with a letter too many. */
static void near_command(const char *word, Diag *d)
{
	if (*word == '-' || d->msgs.v[d->msgs.n - 1].hint)
		return;
	const char *names[COUNT(commands)];
	for (u32 i = 0; i < COUNT(commands); i++)
		names[i] = commands[i].name;
	const char *near = access(word, F_OK) && !strpbrk(word, "./") ? nearest_word(word, names, COUNT(names)) : NULL;
	if (near)
		diag_hint(d, "did you mean wavesim %s?", near);
}

int main(int argc, char **argv)
{
	Diag d;
	diag_init(&d);
	int status = -1;
	for (u32 i = 0; i < COUNT(commands) && status < 0 && argc > 1; i++) {
		if (!strcmp(argv[1], commands[i].name))
			status = run_command(&commands[i], argc - 1, argv + 1, &d);
	}
	if (status < 0) {
		status = launch(argc, argv, &d);
		if (status == EXIT_BAD_INPUT && argc > 1 && d.msgs.n)
			near_command(argv[1], &d);
	}
	diag_flush(&d);
	return status;
}
