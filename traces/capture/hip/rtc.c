/* hiprtc: sources that the program compiles while it runs. They become bitcode in a bundle, as in a program's fat
 * binary, with the texts that were compiled: reports show them, also where the program keeps the code in a file of its
 * own for later. Each handle is looked for among those that there are; a source that several threads use at once is the
 * program's own to guard. */
#include "traces/capture/hip/hip.h"

#include "isa/bitcode.h"

#include <hip/hiprtc.h>

struct _hiprtcProgram {
	Arena *arena; /* of all but what the compiler leaves … */
	Arena *made;  /* … which is here; NULL: nothing was compiled */
	const char *text, *name;
	SrcInclude *headers;
	u32 nheaders;
	ARRAY(GpuName) names;
	const char *log;
	const u8 *bitcode; /* NULL: it does not compile */
	u64 nbitcode;
	Buf code;
};

static ARRAY(hiprtcProgram) programs; /* under the lock */

/* Where it is among them; how many there are: nowhere. */
static u32 program_at(const struct _hiprtcProgram *p)
{
	u32 i = 0;
	while (i < programs.n && programs.v[i] != p)
		i++;
	return i;
}

static bool is_program(const struct _hiprtcProgram *p)
{
	hip_lock();
	bool is = program_at(p) < programs.n;
	hip_unlock();
	return is;
}

EXPORTED hiprtcResult hiprtcVersion(int *major, int *minor)
{
	if (!major || !minor)
		return HIPRTC_ERROR_INVALID_INPUT;
	*major = 9; /* AMD's, whatever HIP's is */
	*minor = 0;
	return HIPRTC_SUCCESS;
}

#define RESULTS(X) \
	X(HIPRTC_SUCCESS) X(HIPRTC_ERROR_OUT_OF_MEMORY) X(HIPRTC_ERROR_PROGRAM_CREATION_FAILURE) \
	X(HIPRTC_ERROR_INVALID_INPUT) X(HIPRTC_ERROR_INVALID_PROGRAM) X(HIPRTC_ERROR_INVALID_OPTION) \
	X(HIPRTC_ERROR_COMPILATION) X(HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE) \
	X(HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION) X(HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION) \
	X(HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID) X(HIPRTC_ERROR_INTERNAL_ERROR)

EXPORTED const char *hiprtcGetErrorString(hiprtcResult e)
{
#define X_RESULT(name) case name: return #name;
	switch (e) {
	RESULTS(X_RESULT)
	default: return "HIPRTC_ERROR_UNKNOWN";
	}
}

/* ---- programs ---- */

/* Headers become files of a folder: their names must lead nowhere else. */
static bool fit(int n, const char *const *headers, const char *const *names)
{
	if (n < 0 || (n && (!headers || !names)))
		return false;
	for (int i = 0; i < n; i++) {
		if (!headers[i] || !names[i])
			return false;
		if (!source_safe_name(names[i])) {
			hip_say("hiprtcCreateProgram",
			        "a header's name must be relative and without '..': it is '%s'",
			        names[i]);
			return false;
		}
	}
	return true;
}

EXPORTED hiprtcResult hiprtcCreateProgram(hiprtcProgram *out, const char *text, const char *name, int n,
                                          const char **headers, const char **names)
{
	if (!out || !text || !fit(n, headers, names))
		return HIPRTC_ERROR_INVALID_INPUT;
	Arena *a = arena_new();
	hiprtcProgram p = ARENA_NEW(a, struct _hiprtcProgram);
	*p = (struct _hiprtcProgram){.arena = a, .text = arena_strdup(a, text), .nheaders = (u32)n};
	p->name = arena_strdup(a, name && *name ? name : "default_program");
	p->headers = ARENA_ARRAY(a, SrcInclude, p->nheaders);
	for (int i = 0; i < n; i++)
		p->headers[i] = (SrcInclude){arena_strdup(a, names[i]), arena_strdup(a, headers[i])};
	hip_lock();
	array_push(&programs, p);
	hip_unlock();
	*out = p;
	return HIPRTC_SUCCESS;
}

static void drop_made(struct _hiprtcProgram *p)
{
	if (p->made)
		arena_free(p->made);
	array_free(&p->code);
	p->made = NULL;
	p->log = NULL;
	p->bitcode = NULL;
	for (u32 i = 0; i < p->names.n; i++)
		p->names.v[i].symbol = NULL;
}

EXPORTED hiprtcResult hiprtcDestroyProgram(hiprtcProgram *given)
{
	if (!given)
		return HIPRTC_ERROR_INVALID_INPUT;
	hiprtcProgram p = *given;
	hip_lock();
	u32 i = program_at(p);
	bool is = i < programs.n;
	if (is)
		programs.v[i] = programs.v[--programs.n];
	hip_unlock();
	if (!is)
		return HIPRTC_ERROR_INVALID_PROGRAM;
	*given = NULL;
	drop_made(p);
	array_free(&p->names);
	arena_free(p->arena);
	return HIPRTC_SUCCESS;
}

/* ---- names ---- */

EXPORTED hiprtcResult hiprtcAddNameExpression(hiprtcProgram p, const char *expression)
{
	if (!is_program(p))
		return HIPRTC_ERROR_INVALID_PROGRAM;
	if (!expression || !*expression)
		return HIPRTC_ERROR_INVALID_INPUT;
	if (p->made)
		return HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
	array_push(&p->names, ((GpuName){.expression = arena_strdup(p->arena, expression)}));
	return HIPRTC_SUCCESS;
}

EXPORTED hiprtcResult hiprtcGetLoweredName(hiprtcProgram p, const char *expression, const char **symbol)
{
	if (!is_program(p))
		return HIPRTC_ERROR_INVALID_PROGRAM;
	if (!expression || !symbol)
		return HIPRTC_ERROR_INVALID_INPUT;
	if (!p->bitcode)
		return HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
	for (u32 i = 0; i < p->names.n; i++) {
		if (strcmp(p->names.v[i].expression, expression) != 0 || !p->names.v[i].symbol)
			continue;
		*symbol = p->names.v[i].symbol;
		return HIPRTC_SUCCESS;
	}
	return HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

/* ---- compiling ---- */

static void put_code(struct _hiprtcProgram *p, const char *chip)
{
	Buf texts = {0};
	SrcProgram src = {.ntexts = p->nheaders + 1};
	src.texts = ARENA_ARRAY(p->made, SrcInclude, src.ntexts);
	src.texts[0] = (SrcInclude){p->name, p->text};
	for (u32 i = 0; i < p->nheaders; i++)
		src.texts[i + 1] = p->headers[i];
	source_code_texts(&(Codec){.writing = true, .out = &texts}, &src);
	const BundleEntry entries[] = {{chip, p->nbitcode}, {NULL, texts.n}};
	bundle_begin(&p->code, entries, COUNT(entries));
	buf_write(&p->code, p->bitcode, p->nbitcode);
	buf_write(&p->code, texts.v, texts.n);
	array_free(&texts);
}

static void compile(struct _hiprtcProgram *p, int n, const char *const *options)
{
	Arena *a = arena_new();
	GpuSource s = {.text = p->text, .name = p->name, .cpu = hip.device.cpu, .noptions = (u32)n};
	s.options = ARENA_ARRAY(a, SrcInclude, s.noptions);
	s.headers = p->headers;
	s.nheaders = p->nheaders;
	s.names = p->names.v;
	s.nnames = p->names.n;
	for (int i = 0; i < n; i++)
		s.options[i].name = options[i];
	drop_made(p);
	p->made = a;
	bool ok = hip_compile(&s, a);
	p->log = s.log;
	if (!ok)
		return;
	p->bitcode = s.bitcode;
	p->nbitcode = s.nbitcode;
	for (u32 i = 0; i < s.nnames && i < p->names.n; i++)
		p->names.v[i].symbol = s.names[i].symbol;
	put_code(p, s.chip ? s.chip : hip.device.arch);
}

EXPORTED hiprtcResult hiprtcCompileProgram(hiprtcProgram p, int n, const char **options)
{
	if (!is_program(p)) /* which also begins all that the device is */
		return HIPRTC_ERROR_INVALID_PROGRAM;
	if (n < 0 || (n && !options))
		return HIPRTC_ERROR_INVALID_INPUT;
	for (int i = 0; i < n; i++)
		if (!options[i])
			return HIPRTC_ERROR_INVALID_OPTION;
	compile(p, n, options);
	return p->bitcode ? HIPRTC_SUCCESS : HIPRTC_ERROR_COMPILATION;
}

/* ---- what it made ---- */

/* Of later versions of HIP. */
extern hiprtcResult hiprtcGetBitcode(hiprtcProgram p, char *bitcode);
extern hiprtcResult hiprtcGetBitcodeSize(hiprtcProgram p, size_t *n);

static hiprtcResult give(const struct _hiprtcProgram *p, void *out, const void *bytes, u64 n)
{
	if (!out || !p->bitcode)
		return out ? HIPRTC_ERROR_INVALID_PROGRAM : HIPRTC_ERROR_INVALID_INPUT;
	memcpy(out, bytes, n);
	return HIPRTC_SUCCESS;
}

EXPORTED hiprtcResult hiprtcGetCodeSize(hiprtcProgram p, size_t *n)
{
	return is_program(p) ? give(p, n, &(size_t){p->code.n}, sizeof *n) : HIPRTC_ERROR_INVALID_PROGRAM;
}

EXPORTED hiprtcResult hiprtcGetCode(hiprtcProgram p, char *code)
{
	return is_program(p) ? give(p, code, p->code.v, p->code.n) : HIPRTC_ERROR_INVALID_PROGRAM;
}

EXPORTED hiprtcResult hiprtcGetBitcodeSize(hiprtcProgram p, size_t *n)
{
	return is_program(p) ? give(p, n, &(size_t){p->nbitcode}, sizeof *n) : HIPRTC_ERROR_INVALID_PROGRAM;
}

EXPORTED hiprtcResult hiprtcGetBitcode(hiprtcProgram p, char *bitcode)
{
	return is_program(p) ? give(p, bitcode, p->bitcode, p->nbitcode) : HIPRTC_ERROR_INVALID_PROGRAM;
}

/* With the 0 at its end. As AMD's, an empty log has no bytes at all. */
EXPORTED hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram p, size_t *n)
{
	if (!is_program(p))
		return HIPRTC_ERROR_INVALID_PROGRAM;
	if (!n)
		return HIPRTC_ERROR_INVALID_INPUT;
	*n = p->log ? strlen(p->log) + 1 : 0;
	return HIPRTC_SUCCESS;
}

EXPORTED hiprtcResult hiprtcGetProgramLog(hiprtcProgram p, char *log)
{
	if (!is_program(p))
		return HIPRTC_ERROR_INVALID_PROGRAM;
	if (!p->log)
		return HIPRTC_SUCCESS;
	if (!log)
		return HIPRTC_ERROR_INVALID_INPUT;
	memcpy(log, p->log, strlen(p->log) + 1);
	return HIPRTC_SUCCESS;
}
