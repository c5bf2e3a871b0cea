/* wavesim hipcc: builds HIP programs whose kernels `wavesim run` can simulate. It stands for AMD's hipcc: the same
 * clang driver, but the device's part of each file stays LLVM bitcode in the program's fat binary, unoptimised and with
 * its source lines, and the program is linked with wavesim's HIP run time. */
#include "cli/commands.h"
#include "cli/hip.h"
#include "cli/hip_link.h"
#include "cli/hip_source.h"

#include <errno.h>
#include <sys/stat.h>

/* What a word of the command line is. */
typedef struct HipccWords {
	HipHow how;
	HipWords link; /* in their order: objects and libraries; NULL: the next source's object */
	HipWords sources;
	const char *output;
	bool only_compile; /* -c */
	bool only_device;  /* --genco */
	bool other;        /* -E, -S, -M …: clang's own work */
	bool archive;      /* --emit-static-lib */
	bool hip_link;     /* --hip-link */
	bool joins;        /* -r: several objects become one */
	bool given;        /* --offload-arch */
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
	                                  "-mllvm",
	                                  "-z"};
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
			array_push(&w->how.chips, arena_strndup(a, s, n));
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

/* Options without a value that are not clang's, or mean another thing here. */
static bool take_flag(HipccWords *w, const char *word)
{
	static const char *const none[] = {"-fhip-new-launch-api"};
	static const char *const device[] = {"--genco", "--cuda-device-only", "--offload-device-only"};
	if (!strcmp(word, "-c"))
		w->only_compile = true;
	else if (!strcmp(word, "-fgpu-rdc") || !strcmp(word, "-fno-gpu-rdc"))
		w->how.rdc = !strcmp(word, "-fgpu-rdc");
	else if (!strcmp(word, "--hip-link"))
		w->hip_link = true;
	else if (!strcmp(word, "--emit-static-lib"))
		w->archive = true;
	else if (!strcmp(word, "-r"))
		w->joins = true;
	else if (one_of(word, device, COUNT(device)))
		w->only_device = true;
	else
		return one_of(word, none, COUNT(none));
	return true;
}

static bool take_word(HipccWords *w, int *i, int argc, char *const *argv, Arena *a, Diag *d)
{
	static const char *const others[] = {"-E", "-S",   "-M",            "-MM",       "--version",
	                                     "-v", "-###", "-fsyntax-only", "-emit-llvm"};
	const char *word = argv[*i], *chips = value_of(word, "--offload-arch=");
	chips = chips ? chips : value_of(word, "--amdgpu-target=");
	if (!strcmp(word, "-o") || takes_operand(word)) {
		if (*i + 1 >= argc)
			return diag_error(d, NO_LOC, "wavesim hipcc: %s needs a value", word);
		const char *operand = argv[++*i];
		if (!strcmp(word, "-o"))
			w->output = operand;
		else if (!strcmp(word, "-L") || !strcmp(word, "-l"))
			array_push(&w->link, arena_printf(a, "%s%s", word, operand));
		else if (!strcmp(word, "-z"))
			array_push(&w->link, arena_printf(a, "-Wl,-z,%s", operand));
		else if (strcmp(word, "-x") != 0) { /* all sources are HIP */
			HipWords *to = !strcmp(word, "-Xlinker") ? &w->link : &w->how.options;
			array_push(to, word);
			array_push(to, operand);
		}
	} else if (chips) {
		add_chips(w, chips, a);
	} else if (take_flag(w, word)) {
		return true;
	} else if (is_source(word)) {
		array_push(&w->sources, word);
		array_push(&w->link, NULL);
	} else {
		w->other |= one_of(word, others, COUNT(others));
		array_push(is_link_word(word) ? &w->link : &w->how.options, word);
	}
	return true;
}

/* "dir/name.cpp" -> "name.o" */
static const char *output_name(const char *source, const char *ending, Arena *a)
{
	const char *name = path_name(source), *dot = strrchr(name, '.');
	return arena_printf(a, "%.*s%s", (int)(dot - name), name, ending);
}

/* --emit-static-lib: of these objects, and no others. (q, not r: two may have one name.) Made in the folder: what was
 * there before stays where ar fails. */
static bool archive_all(const HipTools *t, const HipccWords *w, const HipWords *objects, Diag *d)
{
	HipWords words = {0};
	u32 next = 0;
	const char *output = w->output ? w->output : "a.out";
	const char *made = arena_printf(t->arena, "%s/made.a", t->folder);
	hip_words(&words, (const char *const[]){"ar", "qcs", made, NULL});
	for (u32 i = 0; i < w->link.n; i++) {
		const char *word = w->link.v[i];
		if (word && *word == '-')
			i += !strcmp(word, "-Xlinker");
		else
			array_push(&words, word ? word : objects->v[next++]);
	}
	bool ok = hip_tool(t, &words, d);
	array_free(&words);
	size_t n;
	char *bytes = ok ? read_file(made, &n) : NULL;
	if (ok && !bytes)
		ok = diag_error(d, NO_LOC, "cannot read '%s': %s", made, strerror(errno));
	ok = ok && hip_write(output, bytes, n, d);
	free(bytes);
	return ok;
}

/* Libraries that wavesim's run time stands for: -lNAME, -l:FILE, a path. */
static bool is_replaced(const char *word)
{
	static const char *const all[] = {"amdhip64", "hiprtc", "hiprtc-builtins"};
	const char *library = value_of(word, "-l"), *file = value_of(word, "-l:");
	if (library && !file)
		return one_of(library, all, COUNT(all));
	file = value_of(path_name(file ? file : word), "lib");
	for (u32 i = 0; i < COUNT(all); i++) {
		const char *ending = file ? value_of(file, all[i]) : NULL;
		if (ending && *ending == '.')
			return true;
	}
	return false;
}

static bool link_all(const HipTools *t, const HipccWords *w, const HipWords *objects, Diag *d)
{
	HipWords words = {0}, none = {0};
	u32 next = 0;
	hip_words(&words,
	          (const char *const[]){t->clang, "--driver-mode=g++", "-Wno-unused-command-line-argument", NULL});
	hip_words_of(&words, &w->how.options, false);
	for (u32 i = 0; i < w->link.n; i++) {
		const char *word = w->link.v[i];
		if (word && is_replaced(word))
			continue;
		array_push(&words, word ? word : objects->v[next++]);
	}
	array_push(&words, w->joins ? "-r" : t->library);
	const char *output = w->output ? w->output : "a.out";
	bool ok;
	if (!w->joins && (w->how.rdc || w->hip_link || hip_carries(&words))) {
		ok = hip_link(t, &words, w->given ? &w->how.chips : &none, output, d);
	} else {
		hip_words(&words, (const char *const[]){"-o", output, NULL});
		ok = hip_tool(t, &words, d);
	}
	array_free(&words);
	return ok;
}

static bool other_work(const HipTools *t, const HipccWords *w, Diag *d)
{
	HipWords words = {0};
	hip_words_begin(t, &words, w->how.chips.v[0]);
	hip_words_of(&words, &w->how.options, false);
	if (w->output)
		hip_words(&words, (const char *const[]){"-o", w->output, NULL});
	if (w->only_compile)
		array_push(&words, "-c");
	if (w->only_device)
		hip_words(&words, (const char *const[]){"--cuda-device-only", "-nogpulib", NULL});
	if (w->how.rdc)
		array_push(&words, "-fgpu-rdc");
	hip_words(&words, (const char *const[]){"-x", "hip", NULL});
	hip_words_of(&words, &w->sources, false);
	bool ok = hip_tool(t, &words, d);
	array_free(&words);
	return ok;
}

static const char *module_name(const HipccWords *w, u32 number, Arena *a)
{
	return w->output ? w->output : output_name(w->sources.v[number], "-hip-amdgcn-amd-amdhsa.hipfb", a);
}

static bool build_device(const HipTools *t, const HipccWords *w, Diag *d)
{
	bool ok = true;
	if (w->how.rdc && !w->only_compile)
		return hip_compile_joined(t, &w->how, &w->sources, module_name(w, 0, t->arena), d);
	for (u32 i = 0; i < w->sources.n && ok; i++)
		ok = hip_compile_module(t, &w->how, w->sources.v[i], i, module_name(w, i, t->arena), d);
	return ok;
}

/* Of that number, in the folder. */
static bool make_folder(const HipTools *t, u32 number, Diag *d)
{
	const char *path = arena_printf(t->arena, "%s/%u", t->folder, number);
	return !mkdir(path, 0700) || diag_error(d, NO_LOC, "cannot make '%s': %s", path, strerror(errno));
}

static bool build_objects(const HipTools *t, const HipccWords *w, HipWords *objects, Diag *d)
{
	bool ok = true;
	for (u32 i = 0; i < w->sources.n && ok; i++) {
		const char *object = arena_printf(t->arena, "%s/%u.o", t->folder, i);
		if (w->only_compile)
			object = w->output ? w->output : output_name(w->sources.v[i], ".o", t->arena);
		else if (w->archive) /* whose members have names */
			object = arena_printf(t->arena, "%s/%u/%s", t->folder, i,
			                      output_name(w->sources.v[i], ".o", t->arena));
		array_push(objects, object);
		ok = (!w->archive || make_folder(t, i, d)) &&
		     hip_compile_object(t, &w->how, w->sources.v[i], i, object, d);
	}
	return ok;
}

/* Of the words for the linker, one that is no option and no source (NULL); or NULL. */
static const char *first_file(const HipWords *link)
{
	for (u32 i = 0; i < link->n; i++) {
		const char *word = link->v[i];
		if (word && *word != '-')
			return word;
		i += word && !strcmp(word, "-Xlinker");
	}
	return NULL;
}

static bool build(const HipTools *t, HipccWords *w, Diag *d)
{
	HipWords objects = {0};
	w->given = w->how.chips.n;
	if (!w->given)
		array_push(&w->how.chips, "gfx906");
	if (w->other)
		return other_work(t, w, d);
	const char *object = w->only_device ? first_file(&w->link) : NULL;
	if (object) {
		diag_error(d, NO_LOC, "wavesim hipcc: --genco compiles sources only; '%s' is an object or a library",
		           object);
		return diag_hint(
		    d, "give the sources that '%s' was made from; -fgpu-rdc makes one module of several sources",
		    object);
	}
	bool separate = w->only_compile || (w->only_device && !w->how.rdc);
	if (!w->link.n || ((w->only_compile || w->only_device) && !w->sources.n))
		return diag_error(d, NO_LOC, "wavesim hipcc: which files?");
	if (separate && w->output && w->sources.n > 1)
		return diag_error(d, NO_LOC, "wavesim hipcc: -o names one file, and there are %u %s", w->sources.n,
		                  w->only_device ? "modules" : "objects");
	if (w->only_device)
		return build_device(t, w, d);
	bool ok = build_objects(t, w, &objects, d);
	if (ok && !w->only_compile)
		ok = w->archive ? archive_all(t, w, &objects, d) : link_all(t, w, &objects, d);
	array_free(&objects);
	return ok;
}

int cmd_hipcc(int argc, char *const *argv, Diag *d)
{
	HipccWords w = {0};
	HipTools t;
	bool ok = true;
	Arena *a = arena_new();
	setenv("LC_ALL", "C.UTF-8", 1); /* hip_link.c reads what the linker says */
	for (int i = 1; i < argc && ok; i++)
		ok = take_word(&w, &i, argc, argv, a, d);
	if (ok && (ok = hip_tools_open(&t, a, d))) {
		ok = build(&t, &w, d);
		hip_tools_close(&t);
	}
	array_free(&w.how.options);
	array_free(&w.link);
	array_free(&w.sources);
	array_free(&w.how.chips);
	arena_free(a);
	return ok ? EXIT_FINE : EXIT_BAD_INPUT;
}

void hipcc_help(Buf *out)
{
	buf_printf(
	    out,
	    "wavesim hipcc [options] FILE ...: build a HIP program for `wavesim run`\n\n"
	    "Takes the options of AMD's hipcc (-o, -c, -I, -D, -O2, -std=, -l, -fgpu-rdc, --genco, objects,\n"
	    "libraries ...). Compiles with the clang of the LLVM that wavesim was built with, keeps the kernels as\n"
	    "LLVM bitcode, and links wavesim's HIP run time: the program runs under `wavesim run` only, on no GPU.\n\n"
	    "  --offload-arch=CHIP    the chip whose kernels the program has, several with commas (default gfx906);\n"
	    "                         its wavefronts must be as wide as those of `wavesim run --device`\n\n"
	    "Exit status: 0 fine, 2 bad input.\n");
}

void hipcc_completes(CompletionCommand *c, Arena *a) { (void)c, (void)a; }
