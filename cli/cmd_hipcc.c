/* wavesim hipcc: builds HIP programs whose kernels `wavesim run` can simulate. It stands for AMD's hipcc: the same
 * clang driver, but the device's part of each file stays LLVM bitcode in the program's fat binary, unoptimised and with
 * its source lines, and the program is linked with wavesim's HIP run time. */
#include "cli/commands.h"
#include "cli/hip.h"

#include <unistd.h>

/* What a word of the command line is. */
typedef struct HipccWords {
	HipWords compile; /* options, for compilers and the linker */
	HipWords link;    /* in their order: objects and libraries; NULL: the next source's object */
	HipWords sources;
	HipWords chips;
	const char *output;
	bool only_compile; /* -c */
	bool other;        /* -E, -S, -M …: clang's own work */
} HipccWords;

static bool is_source(const char *word)
{
	static const char *const endings[] = {".hip", ".cpp", ".cc", ".cxx", ".C", ".cu"};
	for (u32 i = 0; i < COUNT(endings); i++)
		if (path_ends(word, endings[i]))
			return true;
	return false;
}

/* Is the next word its operand? */
static bool takes_operand(const char *word)
{
	static const char *const all[] = {"-I",
	                                  "-D",
	                                  "-U",
	                                  "-L",
	                                  "-l",
	                                  "-include",
	                                  "-isystem",
	                                  "-iquote",
	                                  "-idirafter",
	                                  "-Xclang",
	                                  "-Xlinker",
	                                  "-Xarch_host",
	                                  "-Xarch_device",
	                                  "-x",
	                                  "-MF",
	                                  "-MT",
	                                  "-MQ",
	                                  "-imacros",
	                                  "-T",
	                                  "-u",
	                                  "-framework",
	                                  "-arch",
	                                  "-target",
	                                  "--param",
	                                  "-mllvm"};
	for (u32 i = 0; i < COUNT(all); i++)
		if (!strcmp(word, all[i]))
			return true;
	return false;
}

static bool one_of(const char *word, const char *const *all, u32 n)
{
	for (u32 i = 0; i < n; i++)
		if (!strcmp(word, all[i]))
			return true;
	return false;
}

static void add_chips(HipccWords *w, const char *list, Arena *a)
{
	for (const char *s = list; *s; s += *s == ',') {
		size_t n = strcspn(s, ",");
		if (n)
			array_push(&w->chips, arena_strndup(a, s, n));
		s += n;
	}
}

/* An option with its value behind '=', or NULL. */
static const char *value_of(const char *word, const char *option)
{
	size_t n = strlen(option);
	return !strncmp(word, option, n) ? word + n : NULL;
}

static bool is_link_word(const char *word)
{
	return *word != '-' || !strncmp(word, "-l", 2) || !strncmp(word, "-L", 2) || !strncmp(word, "-Wl,", 4);
}

static bool take_word(HipccWords *w, int *i, int argc, char *const *argv, Arena *a, Diag *d)
{
	static const char *const others[] = {"-E", "-S", "-M", "-MM", "--version", "-v", "-###", "-fsyntax-only"};
	static const char *const ours[] = {"-fno-gpu-rdc", "-fhip-new-launch-api"};
	const char *word = argv[*i], *chips = value_of(word, "--offload-arch=");
	chips = chips ? chips : value_of(word, "--amdgpu-target=");
	if (!strcmp(word, "-fgpu-rdc")) {
		diag_error(d, NO_LOC, "wavesim hipcc: -fgpu-rdc is not supported");
		return diag_hint(d, "leave it out, and put each kernel into one file with the device functions that it "
		                    "calls");
	}
	if (!strcmp(word, "-o") || takes_operand(word)) {
		if (*i + 1 >= argc)
			return diag_error(d, NO_LOC, "wavesim hipcc: %s needs a value", word);
		const char *operand = argv[++*i];
		HipWords *to =
		    !strcmp(word, "-L") || !strcmp(word, "-l") || !strcmp(word, "-Xlinker") ? &w->link : &w->compile;
		if (!strcmp(word, "-o"))
			w->output = operand;
		else if (strcmp(word, "-x") != 0) { /* all sources are HIP */
			array_push(to, word);
			array_push(to, operand);
		}
	} else if (chips) {
		add_chips(w, chips, a);
	} else if (!strcmp(word, "-c")) {
		w->only_compile = true;
	} else if (is_source(word)) {
		array_push(&w->sources, word);
		array_push(&w->link, NULL);
	} else if (!one_of(word, ours, COUNT(ours))) {
		w->other |= one_of(word, others, COUNT(others));
		array_push(is_link_word(word) ? &w->link : &w->compile, word);
	}
	return true;
}

/* "dir/name.cpp" -> "name.o" */
static const char *object_name(const char *source, Arena *a)
{
	const char *name = path_name(source), *dot = strrchr(name, '.');
	return arena_printf(a, "%.*s.o", (int)(dot - name), name);
}

/* The device's part for each chip into one fat binary, then the host's part with it. */
static bool compile(const HipTools *t, const HipccWords *w, const char *source, const char *object, u32 number, Diag *d)
{
	HipBundle bundle = {0};
	HipWords words = {0};
	bool ok = true;
	for (u32 i = 0; i < w->chips.n && ok; i++) {
		const char *out = arena_printf(t->arena, "%s/%u-%s.bc", t->folder, number, w->chips.v[i]);
		ok = hip_compile_device(t, source, w->chips.v[i], &w->compile, out, d) &&
		     hip_bundle_add(&bundle, w->chips.v[i], out, d);
	}
	const char *fat = arena_printf(t->arena, "%s/%u.hipfb", t->folder, number);
	ok = ok && hip_bundle_write(&bundle, fat, d);
	if (ok) {
		hip_words_begin(t, &words, w->chips.v[0]);
		hip_words(&words, (const char *const[]){"--cuda-host-only", "-c", "-Xclang", "-fcuda-include-gpubinary",
		                                        "-Xclang", fat, "-o", object, NULL});
		hip_words_of(&words, &w->compile, false);
		hip_words(&words, (const char *const[]){"-x", "hip", source, NULL});
		ok = hip_tool(t, &words, d);
	}
	array_free(&words);
	hip_bundle_free(&bundle);
	return ok;
}

static bool link_all(const HipTools *t, const HipccWords *w, const HipWords *objects, Diag *d)
{
	HipWords words = {0};
	u32 next = 0;
	hip_words(&words,
	          (const char *const[]){t->clang, "--driver-mode=g++", "-Wno-unused-command-line-argument", NULL});
	hip_words_of(&words, &w->compile, false);
	for (u32 i = 0; i < w->link.n; i++) {
		const char *word = w->link.v[i];
		if (word && (!strcmp(word, "-lamdhip64") || strstr(word, "libamdhip64")))
			continue;
		if (word && (!strncmp(word, "-lhiprtc", 8) || strstr(word, "libhiprtc")))
			continue; /* part of that */
		array_push(&words, word ? word : objects->v[next++]);
	}
	hip_words(&words, (const char *const[]){t->library, "-o", w->output ? w->output : "a.out", NULL});
	bool ok = hip_tool(t, &words, d);
	array_free(&words);
	return ok;
}

static bool other_work(const HipTools *t, const HipccWords *w, Diag *d)
{
	HipWords words = {0};
	hip_words_begin(t, &words, w->chips.v[0]);
	hip_words_of(&words, &w->compile, false);
	if (w->output)
		hip_words(&words, (const char *const[]){"-o", w->output, NULL});
	hip_words(&words, (const char *const[]){"-x", "hip", NULL});
	hip_words_of(&words, &w->sources, false);
	bool ok = hip_tool(t, &words, d);
	array_free(&words);
	return ok;
}

static bool build(const HipTools *t, HipccWords *w, Diag *d)
{
	HipWords objects = {0};
	bool ok = true;
	if (!w->chips.n)
		array_push(&w->chips, "gfx906");
	if (w->other)
		return other_work(t, w, d);
	if (!w->link.n || (w->only_compile && !w->sources.n))
		return diag_error(d, NO_LOC, "wavesim hipcc: which files?");
	if (w->only_compile && w->output && w->sources.n > 1)
		return diag_error(d, NO_LOC, "wavesim hipcc: -o names one file, and there are %u objects",
		                  w->sources.n);
	for (u32 i = 0; i < w->sources.n && ok; i++) {
		const char *source = w->sources.v[i], *object = arena_printf(t->arena, "%s/%u.o", t->folder, i);
		if (w->only_compile)
			object = w->output ? w->output : object_name(source, t->arena);
		array_push(&objects, object);
		ok = compile(t, w, source, object, i, d);
	}
	ok = ok && (w->only_compile || link_all(t, w, &objects, d));
	array_free(&objects);
	return ok;
}

int cmd_hipcc(int argc, char *const *argv, Diag *d)
{
	HipccWords w = {0};
	HipTools t;
	bool ok = true;
	Arena *a = arena_new();
	for (int i = 1; i < argc && ok; i++)
		ok = take_word(&w, &i, argc, argv, a, d);
	if (ok && (ok = hip_tools_open(&t, a, d))) {
		ok = build(&t, &w, d);
		hip_tools_close(&t);
	}
	array_free(&w.compile);
	array_free(&w.link);
	array_free(&w.sources);
	array_free(&w.chips);
	arena_free(a);
	return ok ? EXIT_FINE : EXIT_BAD_INPUT;
}

void hipcc_help(Buf *out)
{
	buf_printf(
	    out,
	    "wavesim hipcc [options] FILE ...: build a HIP program for `wavesim run`\n\n"
	    "Takes the options of AMD's hipcc but -fgpu-rdc (-o, -c, -I, -D, -O2, -std=, -l, objects, libraries ...),\n"
	    "and compiles with the clang of wavesim's LLVM. The program keeps its kernels as LLVM bitcode, and is linked\n"
	    "with wavesim's HIP run time: it runs under `wavesim run` only, and on no GPU.\n\n"
	    "  --offload-arch=CHIP    the chip whose kernels the program has, several with commas (default gfx906);\n"
	    "                         its wavefronts must be as wide as those of `wavesim run --device`\n\n"
	    "Exit status: 0 fine, 2 bad input.\n");
}

void hipcc_completes(CompletionCommand *c, Arena *a) { (void)c, (void)a; }
