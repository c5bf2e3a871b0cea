/* hiprtc: a text that a HIP program compiles while it runs becomes what `wavesim hipcc` makes of a file, bitcode for an
 * optimiser that does not run yet, with its lines. The program's run time (traces/capture/hip/rtc.c) asks for it.
 *
 * The headers that the program gives lie in a temporary folder, with the text: #include finds them before others. Of
 * each name that the program asks for, a variable with its address has clang make that instance of a template, and says
 * which symbol it is. The program is the user's own, so clang may read and write what it likes. */
#include "frontend/source/hip/hip_rtc.h"

#include "frontend/hip_words.h"
#include "frontend/module/llvm.h"
#include "frontend/packages.h"
#include "frontend/source/hip/hip.h"
#include "isa/bitcode.h"
#include "isa/gpu.h"

#include <errno.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <stdio.h>
#include <sys/stat.h>

#define NAME_VARIABLE "wavesim.name."
#define NAME_LINE "#line 1 \"name expression\"\n" /* for messages, which show the line */
#define SOURCE_FILE "wavesim-source"

typedef struct Rtc {
	GpuSource *s;
	Arena *arena;
	const char *root, *version; /* of HIP's headers */
	char folder[TEMP_PATH];     /* "": there are no headers of the program's */
	bool whole;                 /* with all of HIP's headers, as for a file */
	Tool tool;
} Rtc;

/* ---- texts ---- */

static char *whole_text(const Rtc *r)
{
	const GpuSource *s = r->s;
	Buf all = {0};
	tool_begin_file(&all, s->name);
	buf_printf(&all, "%s", s->text);
	for (u32 i = 0; i < s->nnames; i++) {
		const char *name = s->names[i].expression + strspn(s->names[i].expression, " \t\n&");
		buf_printf(&all, "\n" NAME_LINE "__attribute__((device, nodebug)) auto wavesim_name_%u", i);
		buf_printf(&all, " __asm__(\"" NAME_VARIABLE "%u\") =\n" NAME_LINE "&%s;\n", i, name);
	}
	return all.v;
}

/* With the folders that its name has. */
static bool write_below(const Rtc *r, const char *name, const char *text)
{
	char *path = arena_printf(r->arena, "%s/%s", r->folder, name);
	for (char *p = path + strlen(r->folder) + 1; (p = strchr(p, '/')); p++) {
		*p = 0;
		mkdir(path, 0700);
		*p = '/';
	}
	return write_file(path, text);
}

static bool write_files(Rtc *r, const char *text, Diag *d)
{
	if (!r->s->nheaders)
		return true;
	if (!temp_make(r->folder))
		return temp_error(r->folder, d);
	for (u32 i = 0; i < r->s->nheaders; i++)
		if (!write_below(r, r->s->headers[i].name, r->s->headers[i].text))
			return diag_error(d, NO_LOC, "cannot write the header '%s': %s", r->s->headers[i].name,
			                  strerror(errno));
	return write_below(r, SOURCE_FILE, text) ||
	       diag_error(d, NO_LOC, "cannot write the source: %s", strerror(errno));
}

/* ---- the command line ---- */

static void word(Rtc *r, const char *w) { array_push(&r->tool.words, w); }

static void words(Rtc *r, const char *const *all)
{
	for (; *all; all++)
		word(r, *all);
}

/* The chip that the option at *i names, or NULL. */
static const char *chip_option(const GpuSource *s, u32 *i)
{
	static const char *const all[] = {"--gpu-architecture", "--offload-arch", "--amdgpu-target", "-arch", "-mcpu"};
	for (u32 k = 0; k < COUNT(all); k++) {
		const char *option = s->options[*i].name;
		size_t n = strlen(all[k]);
		if (!strncmp(option, all[k], n) && option[n] == '=')
			return option + n + 1;
		if (!strcmp(option, all[k]) && *i + 1 < s->noptions)
			return s->options[++*i].name;
	}
	return NULL;
}

/* "-I folder" may be one option of the program's. */
static const char *one_word(const Rtc *r, const char *option)
{
	bool has = option[0] == '-' && option[1] && strchr("IDU", option[1]);
	return has ? arena_printf(r->arena, "%.2s%s", option, option + 2 + strspn(option + 2, " ")) : option;
}

/* What it does by itself is left out: it compiles for the device, and no more. */
static void add_options(Rtc *r)
{
	GpuSource *s = r->s;
	for (u32 i = 0; i < s->noptions; i++) {
		const char *chip = chip_option(s, &i), *option = s->options[i].name;
		if (chip)
			s->chip = chip;
		else if (strncmp(option, "-O", 2) && strncmp(option, "-g", 2) && strcmp(option, "-c"))
			word(r, one_word(r, option));
	}
}

static void command_line(Rtc *r)
{
	/* The headers that hiprtc has by itself; the second is left out of the first by __HIPCC_RTC__. */
	static const char *const first[] = {LLVM_CLANG, HIP_DEVICE_WORDS, "-Wno-unused-command-line-argument",
	                                    "-fno-crash-diagnostics", "-fno-color-diagnostics",
	                                    "-include", "hip/hip_runtime.h",
	                                    "-include", "hip/amd_detail/amd_warp_functions.h",
	                                    "-include", "hip/hip_fp16.h", NULL};
	const char *own = llvm_first_chip(r->arena, r->s->cpu);
	r->tool.words.n = 0;
	r->s->chip = own = own ? own : "gfx906";
	words(r, first);
	if (!r->whole)
		word(r, "-D__HIPCC_RTC__=1");
	if (*r->folder)
		words(r, (const char *const[]){"-I", r->folder,
		                               arena_printf(r->arena, "-ffile-prefix-map=%s/=", r->folder), NULL});
	add_options(r);
	/* What the program was told that its device is may be a chip that LLVM does not know yet. */
	if (strcspn(r->s->cpu, "@ ") == strlen(r->s->chip) && !strncmp(r->s->cpu, r->s->chip, strlen(r->s->chip)))
		r->s->chip = own;
	const char *source = *r->folder ? arena_printf(r->arena, "%s/" SOURCE_FILE, r->folder) : "-";
	words(r, hip_header_words(r->root, r->version, r->arena));
	words(r, (const char *const[]){arena_printf(r->arena, "--offload-arch=%s", r->s->chip), "-x", "hip", source,
	                               "-o", "-", NULL});
	word(r, NULL);
}

/* ---- names ---- */

static void take_name(LLVMModuleRef mod, GpuName *name, u32 i, Arena *a)
{
	char variable[64];
	snprintf(variable, sizeof variable, NAME_VARIABLE "%u", i);
	LLVMValueRef g = LLVMGetNamedGlobal(mod, variable), v = g ? LLVMGetInitializer(g) : NULL;
	while (v && LLVMIsAConstantExpr(v))
		v = LLVMGetOperand(v, 0);
	if (v && LLVMIsAGlobalValue(v))
		name->symbol = arena_strdup(a, LLVMGetValueName(v));
	if (g)
		LLVMDeleteGlobal(g);
}

/* The symbols of the names, whose variables go. */
static void take_names(Rtc *r)
{
	GpuSource *s = r->s;
	LLVMContextRef ctx = llvm_context();
	LLVMMemoryBufferRef bytes =
	    LLVMCreateMemoryBufferWithMemoryRangeCopy((const char *)s->bitcode, s->nbitcode, "device");
	LLVMModuleRef mod = NULL;
	if (s->nnames && !LLVMParseBitcodeInContext2(ctx, bytes, &mod)) {
		for (u32 i = 0; i < s->nnames; i++)
			take_name(mod, &s->names[i], i, r->arena);
		LLVMMemoryBufferRef out = LLVMWriteBitcodeToMemoryBuffer(mod);
		s->nbitcode = LLVMGetBufferSize(out);
		s->bitcode = arena_copy(r->arena, LLVMGetBufferStart(out), s->nbitcode);
		LLVMDisposeMemoryBuffer(out);
		LLVMDisposeModule(mod);
	}
	LLVMDisposeMemoryBuffer(bytes);
	LLVMContextDispose(ctx);
}

/* ---- the compiler ---- */

/* What clang said, by the names that the program gave. */
static void take_log(const Rtc *r, const char *said, Buf *log)
{
	size_t n = strlen(r->folder);
	for (const char *s = said, *at; *s; s = at) {
		at = n ? strstr(s, r->folder) : NULL;
		at = at ? at : s + strlen(s);
		buf_write(log, s, (u64)(at - s));
		at += *at ? n + (at[n] == '/') : 0;
	}
}

/* Does it include C++'s headers, which those of HIP for hiprtc stand in the way of? hiprtc has none of these, but the
 * program may have been written for hipcc, too. */
static bool wants_more(const Rtc *r, const ToolEnd *e) { return !r->whole && strstr(e->log, "/include/c++/"); }

static bool run(Rtc *r, ToolEnd *e, Diag *d)
{
	char *text = whole_text(r);
	bool ok = write_files(r, text, d);
	if (ok) {
		command_line(r);
		ok = tool_run(&r->tool, text, strlen(text), e, d);
	} else if (*r->folder) {
		temp_remove(r->folder);
	}
	free(text);
	return ok;
}

/* False: d or the log says why. */
static bool judge(Rtc *r, const ToolEnd *e, Buf *log, Diag *d)
{
	take_log(r, e->log, log);
	if (strstr(e->log, "file not found") && (strstr(e->log, "'cmath'") || strstr(e->log, "'algorithm'")))
		buf_printf(log, "hint: C++'s headers: " INSTALL_CXX "\n");
	bool good = !e->end.timed_out && !e->end.signal && !e->end.code && is_bitcode(e->out, e->size);
	if (good) {
		r->s->bitcode = arena_copy(r->arena, e->out, e->size);
		r->s->nbitcode = e->size;
	} else if (e->end.timed_out || tool_crashed(e) || !strstr(e->log, "error:")) {
		tool_failed(&r->tool, e, NO_LOC, d);
	}
	return good;
}

static bool compile(Rtc *r, Buf *log, Diag *d)
{
	ToolEnd e = {0};
	bool ok = run(r, &e, d);
	if (ok && e.end.code && wants_more(r, &e)) {
		tool_end_free(&e);
		r->whole = true;
		ok = run(r, &e, d);
	}
	ok = ok && judge(r, &e, log, d);
	tool_end_free(&e);
	return ok;
}

static void answer(GpuSource *s, Arena *a)
{
	Rtc r = {.s = s, .arena = a};
	Buf log = {0};
	Diag d;
	MadeOf tried = {0};
	diag_init(&d);
	r.tool = (Tool){.path = LLVM_CLANG, .name = "clang", .does = "compiles HIP", .folder = r.folder};
	s->bitcode = NULL;
	s->nbitcode = 0;
	if (hip_clang(&d)) {
		r.root = hip_headers(a, &r.version, &tried);
		if ((r.root || hip_lacks_headers(&d)) && compile(&r, &log, &d))
			take_names(&r);
	}
	diag_print(&d, &log);
	s->log = log.n ? buf_keep(&log, a) : NULL;
	array_free(&r.tool.words);
	made_of_free(&tried);
	diag_free(&d);
}

int hip_rtc(int socket)
{
	GpuSource s;
	Arena *a = arena_new();
	bool ok = gpu_receive_source(socket, &s, a);
	if (ok) {
		answer(&s, a);
		ok = gpu_send_source(socket, &s);
	}
	arena_free(a);
	return ok ? 0 : 1;
}
