/* HIP C++ -> bitcode for amdgcn: the device's part of a file, by the clang that belongs to our LLVM, in a child.
 *
 * clang writes the code down for an optimiser and runs none: the pipeline is that of OpenCL's kernels. AMD's library is
 * linked later, too (retarget/). */
#include "frontend/source/source.h"

#include "base/temp.h"
#include "frontend/hip_words.h"
#include "frontend/module/launches.h"
#include "frontend/module/llvm.h"
#include "frontend/module/mangled.h"
#include "frontend/module/module.h"
#include "frontend/packages.h"
#include "frontend/source/hip/hip.h"
#include "frontend/source/log.h"
#include "isa/source.h"

#include <unistd.h>

typedef struct HipBuild {
	const FeOptions *o;
	Arena *arena;
	Tool tool; /* clang */
	char folder[TEMP_PATH]; /* of CUDA's headers */
	const char *chip, *root, *version; /* of the headers, which are below root */
	bool host; /* the host's part is compiled */
} HipBuild;

/* ---- where things are ---- */

const char *hip_headers(Arena *a, const char **version, MadeOf *tried)
{
	static const char *const roots[] = {HIP_ROOTS};
	for (u32 i = 0; i < COUNT(roots); i++) {
		size_t n;
		const char *path = arena_printf(a, "%s/" HIP_VERSION_FILE, roots[i]);
		char *text = read_file(path, &n);
		made_of(tried, path);
		*version = hip_version_in(text, a);
		free(text);
		if (*version)
			return roots[i];
	}
	return NULL;
}

/* ---- the command line and the text ---- */

static void word(HipBuild *b, const char *w) { array_push(&b->tool.words, w); }

/* What the user may say: nothing that writes files or loads code. */
static bool add_options(HipBuild *b, Diag *d)
{
	static const char *const starts[] = {
		"-D", "-U", "-I", "-isystem", "-iquote", "-include", "-std=", "-W", "-w", "-ffast-math",
		"-ffp-", "-fno-", "-ffinite-math-only", "-funsafe-math-optimizations", "-fassociative-math",
		"-freciprocal-math", "-fapprox-func", "-fgpu-", "-fhip-", "-munsafe-fp-atomics", "-fconstexpr-",
		"-ftemplate-", "-fpermissive", "-fcuda-", "-pedantic", "-fsigned-", "-funsigned-", "-fms-extensions",
	};
	static const char *const left_out[] = {"-O", "-g"};
	static const ToolOptions options = {
		.starts = starts, .nstarts = COUNT(starts), .left_out = left_out, .nleft_out = COUNT(left_out),
		.compiler = "HIP's compiler",
		.hint = "macros, folders of headers, the language and how floats are computed are options; it compiles "
		        "for the device and optimises as AMD's does by itself",
	};
	return tool_options(&b->tool, b->arena, b->o->build_options, &options, d);
}

/* The host's part is only asked with which sizes it launches. */
static void first_words(HipBuild *b)
{
	static const char *const device[] = {HIP_DEVICE_WORDS, NULL};
	static const char *const host[] = {"--cuda-host-only", "-emit-llvm", "-c", "-O1", "-std=c++17", "-w", NULL};
	static const char *const both[] = {
		"-fno-crash-diagnostics",   /* files */
		"-fno-caret-diagnostics", "-fno-color-diagnostics", "-fno-diagnostics-show-option",
		"-Wno-unused-value", "-Wno-builtin-macro-redefined", NULL,
	};
	static const char *const input[] = {LLVM_CLANG, "-x", "hip", "-", "-o", "-", NULL};
	const char *const *const parts[] = {input, b->host ? host : device, both};
	for (u32 i = 0; i < COUNT(parts); i++)
		for (const char *const *w = parts[i]; *w; w++)
			word(b, *w);
}

static bool command_line(HipBuild *b, const char *text, Diag *d)
{
	array_free(&b->tool.words);
	first_words(b);
	word(b, arena_printf(b->arena, "--offload-arch=%s", b->chip));
	for (const char *const *w = hip_header_words(b->root, b->version, b->arena); *w; w++)
		word(b, *w);
	if (b->o->wave) {
		static const char *const width[] = {"__AMDGCN_WAVEFRONT_SIZE", "__AMDGCN_WAVEFRONT_SIZE__"};
		for (u32 i = 0; i < COUNT(width); i++) {
			word(b, arena_printf(b->arena, "-U%s", width[i]));
			word(b, arena_printf(b->arena, "-D%s=%u", width[i], b->o->wave));
		}
	}
	if (!hip_cuda_options(b->o->path, text, b->root, b->folder, &b->tool.words, b->arena))
		return temp_error(b->folder, d);
	tool_rule(&b->tool);
	word(b, "-iquote");
	word(b, tool_folder_of(b->arena, b->o->path));
	word(b, "-include");
	word(b, "hip/hip_runtime.h");
	if (!add_options(b, d))
		return false;
	word(b, NULL);
	return true;
}

#define INSTANCE_FILE "--kernel"
#define INSTANCE "wavesim_instance"

/* Is a kernel asked for by template arguments? Types without a name are in the file's own instances only. */
static bool is_instance(const char *kernel)
{
	return kernel && strchr(kernel, '<') && !strstr(kernel, "(lambda at ") && !strstr(kernel, "(anonymous ");
}

/* A variable with a template's address has clang make that instance of it, and says which kernel it is. */
static char *whole_text(const HipBuild *b, const char *text)
{
	Buf all = {0};
	tool_begin_file(&all, b->o->path);
	buf_printf(&all, "%s", text);
	if (!b->host && is_instance(b->o->kernel)) {
		buf_printf(&all, "\n#line 1 \"" INSTANCE_FILE "\"\n");
		const char *kernel = b->o->kernel, *types = fe_parameters(kernel);
		buf_printf(&all, "__attribute__((device, used)) auto " INSTANCE " __asm__(\"" FE_INSTANCE "\") = ");
		buf_printf(&all, *types ? "static_cast<void (*)%s>(&%.*s);\n" : "%s&%.*s;\n", types,
		           (int)(types - kernel), kernel);
	}
	return all.v;
}

/* ---- the compiler ---- */

/* Behind the '>' that ends a template's parameters, which begin at s: "<typename T, int N = (1 > 0)>". */
static const char *behind_parameters(const char *s)
{
	u32 angles = 0, others = 0;
	SrcStep step;
	while (source_next(&s, &step)) {
		char c = step.kind == SRC_OTHER ? *step.at : ' ';
		angles += !others && c == '<';
		angles -= !others && c == '>' && angles;
		others += c == '(' || c == '{';
		others -= (c == ')' || c == '}') && others;
		if (!angles)
			break;
	}
	return s;
}

/* Is that what a declaration defines? */
static bool defines(const char *s, const char *name, size_t n)
{
	SrcStep step;
	while (source_next(&s, &step) && !source_is_char(&step, '{') && !source_is_char(&step, ';'))
		if (step.kind == SRC_WORD && step.n == n && !memcmp(step.at, name, n))
			return s[strspn(s, " \t\r\n")] == '(' && source_defines(s);
	return false;
}

/* Without comments, each run of blanks as one. */
static const char *on_one_line(Arena *a, const char *from, const char *end)
{
	char *text = arena_strndup(a, from, (size_t)(end - from));
	size_t n = 0;
	SrcStep step;
	for (const char *s = text; source_next(&s, &step);) {
		bool blank = step.kind == SRC_BLANK || step.kind == SRC_COMMENT;
		if (blank && n && text[n - 1] != ' ')
			text[n++] = ' ';
		for (size_t i = 0; !blank && i < step.n; i++)
			text[n++] = step.at[i];
	}
	while (n && text[n - 1] == ' ')
		n--;
	text[n] = 0;
	return text;
}

/* The parameters of the only template of that name in the text, "typename T, int BLOCK"; NULL: there are none, or
 * several. */
static const char *template_parameters(const HipBuild *b, const char *text)
{
	const char *kernel = b->o->kernel, *only = NULL;
	size_t n = 0;
	if (is_instance(kernel))
		kernel = source_bare_name(kernel, &n);
	SrcStep step;
	for (const char *s = text; n && source_next(&s, &step);) {
		const char *from = s + strspn(s, " \t\r\n");
		if (!source_is(&step, "template") || *from != '<')
			continue;
		s = behind_parameters(from);
		if (!defines(s, kernel, n))
			continue;
		if (only)
			return NULL;
		only = on_one_line(b->arena, from + 1, s - 1);
	}
	return only;
}

/* What is wrong with the template that --kernel names is in no file. */
static void place_kernel(const HipBuild *b, const char *text, Diag *d)
{
	const char *takes = template_parameters(b, text);
	bool unclear = false;
	for (u32 i = 0; i < d->msgs.n; i++) {
		DiagMsg *m = &d->msgs.v[i];
		if (!m->loc.file || strcmp(m->loc.file, INSTANCE_FILE) != 0)
			continue;
		/* clang says the same of none and of several. */
		bool open = strstr(m->text, "<overloaded function type>") && !*fe_parameters(b->o->kernel);
		Buf said = {0};
		buf_printf(&said, "--kernel '%s': %s", b->o->kernel,
		           open && takes ? "its template does not take these arguments"
		           : open ? "no template of that name takes these arguments, or several do"
		           : strstr(m->text, INSTANCE) || strstr(m->text, "overloaded function")
		               ? "no template of that name takes these arguments"
		               : m->text);
		free(m->text);
		m->text = said.v;
		m->loc = NO_LOC;
		unclear |= open;
	}
	if (unclear && takes)
		diag_hint(d, "the template's parameters are <%s>: give a type for each typename or class, and a value "
		          "for each other parameter; parameters with a default may be left out", takes);
	else if (unclear)
		diag_hint(d, "if several do, name the parameters, too: --kernel '%s(float*, int)'", b->o->kernel);
}

static bool judge(const HipBuild *b, ToolEnd *e, Source *s, Diag *d)
{
	u32 before = d->errors;
	if (!e->end.timed_out)
		log_to_diag(tool_crashed(e) ? "" : e->log, b->o->path, s->text, b->o->build_options, NULL, d);
	place_kernel(b, s->text, d);
	if (strstr(e->log, "file not found") && (strstr(e->log, "'cmath'") || strstr(e->log, "'algorithm'")))
		diag_hint(d, "HIP's headers need C++'s: " INSTALL_CXX);
	if (d->errors > before)
		return false;
	if (e->end.timed_out || e->end.signal || e->end.code || !e->size)
		return tool_failed(&b->tool, e, (Loc){.file = b->o->path}, d);
	tool_end_take(e, s);
	return true;
}

static bool compile(HipBuild *b, Source *s, Diag *d)
{
	ToolEnd end;
	char *text = whole_text(b, s->text);
	bool ok = tool_run(&b->tool, text, strlen(text), &end, d) && judge(b, &end, s, d);
	free(text);
	made_of_text(&s->made_of, made_of_names(&end.made_of));
	tool_end_free(&end);
	return ok;
}

/* ---- what the host launches ---- */

enum { LAUNCHES_SECONDS = 8 }; /* a guess is worth no more */

static bool has_launches(const char *text) { return strstr(text, "<<<") || strstr(text, "hipLaunch"); }

/* Of a file whose device's part compiles. What is wrong with the host's is no concern of a kernel's. */
static void read_launches(HipBuild *b, Source *s)
{
	Diag said;
	ToolEnd end = {0};
	diag_init(&said);
	b->host = true;
	b->tool.seconds = LAUNCHES_SECONDS;
	char *text = whole_text(b, s->text);
	if (command_line(b, s->text, &said) && tool_run(&b->tool, text, strlen(text), &end, &said)) {
		bool good = !end.end.timed_out && !end.end.signal && !end.end.code && end.size;
		s->launches = good ? launches_list(end.out, end.size) : xstrdup("");
		made_of_text(&s->made_of, made_of_names(&end.made_of));
	}
	tool_end_free(&end);
	free(text);
	diag_free(&said);
}

/* ---- the row of inputs.def ---- */

/* clang compiles for one chip, whose name and width of wavefronts macros say. */
static const char *target_of(HipBuild *b, const char *chip)
{
	const char *kernel = is_instance(b->o->kernel) ? b->o->kernel : "";
	return arena_printf(b->arena, "%s %u %s", chip, b->o->wave, kernel);
}

static bool is_there(HipBuild *b, MadeOf *tried, Diag *d)
{
	if (!hip_clang(d))
		return false;
	b->root = hip_headers(b->arena, &b->version, tried);
	return b->root || hip_lacks_headers(d);
}

static bool fits(const FeOptions *o, Diag *d)
{
	enum { WIDEST = 64 };
	if (o->r600_cpu)
		return diag_error(d, (Loc){.file = o->path}, "HIP has no compiler for VLIW chips such as %s",
		                  o->r600_cpu);
	if (o->builtins == BUILTINS_POCL) {
		diag_error(d, NO_LOC, "--builtins pocl: HIP's functions are those of AMD's library");
		return diag_hint(d, "leave it out");
	}
	if (o->wave <= WIDEST)
		return true;
	diag_error(d, NO_LOC, "a warp of HIP has at most %u lanes, not %u", WIDEST, o->wave);
	return diag_hint(d, "--wave takes 1 to %u for HIP; warpSize is what it says", WIDEST);
}

bool input_hip(const FeOptions *o, const FeBitcode *built, Source *s, Diag *d)
{
	HipBuild b = {.o = o, .arena = arena_new()};
	b.tool = (Tool){.path = LLVM_CLANG, .name = "clang", .does = "compiles HIP", .folder = b.folder};
	const char *chip = llvm_first_chip(b.arena, o->cpu ? o->cpu : "gfx906");
	bool ok = fits(o, d), launches = o->launches && has_launches(s->text);
	b.chip = chip || !ok ? chip : "gfx906"; /* retargeting says what is wrong with the names */
	s->target = xstrdup(target_of(&b, b.chip ? b.chip : ""));
	if (ok && built && built->bytes && built->target && !strcmp(built->target, s->target)) {
		s->bitcode = memcpy(xmalloc(built->n + 1), built->bytes, built->n);
		s->size = built->n;
		s->launches = built->launches ? xstrdup(built->launches) : NULL;
	} else {
		ok = ok && is_there(&b, &s->made_of, d) && command_line(&b, s->text, d) && compile(&b, s, d);
	}
	if (ok && launches && !s->launches && (b.root || (b.root = hip_headers(b.arena, &b.version, &s->made_of))))
		read_launches(&b, s);
	array_free(&b.tool.words);
	arena_free(b.arena);
	return ok;
}
