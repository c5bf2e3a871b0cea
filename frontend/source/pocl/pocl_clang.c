/* What PoCL's compiler refuses, by the clang that belongs to our LLVM, for the device itself: PoCL 3.1 has no generic
 * address space, few of C11's atomics and no arithmetic of halves. The headers are clang's own, the functions AMD's and
 * ours (retarget/), and the native run that of the device code. */
#include "frontend/source/pocl/pocl.h"
#include "frontend/source/pocl/pocl_cl.h"

#include "frontend/module/llvm.h"
#include "frontend/source/log.h"
#include "frontend/source/tool.h"

#include <unistd.h>

/* What of OpenCL C 3.0 may be there and is: clang has to be told of some, its headers of others. */
#define FEATURES \
	"-cl-ext=+cl_khr_fp16,+__opencl_c_generic_address_space,+__opencl_c_program_scope_global_variables," \
	"+__opencl_c_atomic_order_acq_rel,+__opencl_c_atomic_order_seq_cst,+__opencl_c_subgroups,+__opencl_c_pipes"
#define SCOPES "-D__opencl_c_atomic_scope_device=1", "-D__opencl_c_atomic_scope_all_devices=1"

/* cl_amd_media_ops and cl_amd_media_ops2: clang says of its device that it has them, but declares none of their
 * functions; the bodies are AMD's. PoCL has no such macros, so a source that knows them has other code there. */
static const char media_ops[] =
	"#line 1 \"cl_amd_media_ops\"\n" /* of notes that show a declaration */
	"#ifdef cl_amd_media_ops\n"
	"#define WAVESIM_OP __attribute__((overloadable, const))\n"
	"#define WAVESIM_3(name, r, a, b, c) \\\n"
	"r WAVESIM_OP name(a, b, c); r##2 WAVESIM_OP name(a##2, b##2, c##2);\\\n"
	"r##3 WAVESIM_OP name(a##3, b##3, c##3);\\\n"
	"r##4 WAVESIM_OP name(a##4, b##4, c##4); r##8 WAVESIM_OP name(a##8, b##8, c##8);\\\n"
	"r##16 WAVESIM_OP name(a##16, b##16, c##16)\n"
	"#define WAVESIM_1(name, r, a) \\\n"
	"r WAVESIM_OP name(a); r##2 WAVESIM_OP name(a##2); r##3 WAVESIM_OP name(a##3); r##4 WAVESIM_OP name(a##4);\\\n"
	"r##8 WAVESIM_OP name(a##8); r##16 WAVESIM_OP name(a##16)\n"
	"#define WAVESIM_2(name, r, a, b) \\\n"
	"r WAVESIM_OP name(a, b); r##2 WAVESIM_OP name(a##2, b##2); r##3 WAVESIM_OP name(a##3, b##3);\\\n"
	"r##4 WAVESIM_OP name(a##4, b##4); r##8 WAVESIM_OP name(a##8, b##8); r##16 WAVESIM_OP name(a##16, b##16)\n"
	"WAVESIM_3(amd_bitalign, uint, uint, uint, uint); WAVESIM_3(amd_bytealign, uint, uint, uint, uint);\n"
	"WAVESIM_3(amd_lerp, uint, uint, uint, uint); WAVESIM_3(amd_sad, uint, uint, uint, uint);\n"
	"WAVESIM_3(amd_sadhi, uint, uint, uint, uint); WAVESIM_1(amd_unpack0, float, uint);\n"
	"WAVESIM_1(amd_unpack1, float, uint); WAVESIM_1(amd_unpack2, float, uint);\n"
	"WAVESIM_1(amd_unpack3, float, uint);\n"
	"uint WAVESIM_OP amd_pack(float4); uint WAVESIM_OP amd_sad4(uint4, uint4, uint);\n"
	"WAVESIM_3(amd_bfe, uint, uint, uint, uint); WAVESIM_3(amd_bfe, int, int, uint, uint);\n"
	"WAVESIM_2(amd_bfm, uint, uint, uint);\n"
	"WAVESIM_3(amd_min3, float, float, float, float); WAVESIM_3(amd_min3, int, int, int, int);\n"
	"WAVESIM_3(amd_min3, uint, uint, uint, uint); WAVESIM_3(amd_max3, float, float, float, float);\n"
	"WAVESIM_3(amd_max3, int, int, int, int); WAVESIM_3(amd_max3, uint, uint, uint, uint);\n"
	"WAVESIM_3(amd_median3, float, float, float, float); WAVESIM_3(amd_median3, int, int, int, int);\n"
	"WAVESIM_3(amd_median3, uint, uint, uint, uint);\n"
	"WAVESIM_3(amd_sadd, uint, uint, uint, uint); WAVESIM_3(amd_sadw, uint, uint, uint, uint);\n"
	"WAVESIM_3(amd_msad, uint, uint, uint, uint); WAVESIM_3(amd_qsad, ulong, ulong, uint, ulong);\n"
	"WAVESIM_3(amd_mqsad, ulong, ulong, uint, ulong);\n"
	"#undef WAVESIM_OP\n#undef WAVESIM_1\n#undef WAVESIM_2\n#undef WAVESIM_3\n#endif\n";

static bool command_line(Tool *t, Arena *a, const FeOptions *o, const char *chip, Diag *d)
{
	static const char *const first[] = {
		LLVM_CLANG, "-x", "cl", "-", "-o", "-", "-nogpulib", "-emit-llvm", "-c", "-O3", "-g", "-target",
		"amdgcn-amd-amdhsa", "-cl-kernel-arg-info", "-Xclang", "-disable-llvm-passes", "-Xclang",
		"-finclude-default-header", "-Xclang", FEATURES, SCOPES, "-fno-discard-value-names",
		"-fno-builtin-printf", "-fno-crash-diagnostics", "-fno-caret-diagnostics", "-fno-color-diagnostics",
		"-fno-diagnostics-show-option",
	};
	static const char *const starts[] = {"-D", "-U", "-I", "-cl-", "-W", "-w"};
	static const char *const left_out[] = {"-O", "-g", "-cl-opt-disable", "-cl-kernel-arg-info"};
	static const ToolOptions options = {
		.starts = starts, .nstarts = COUNT(starts), .left_out = left_out, .nleft_out = COUNT(left_out),
		.compiler = "clang", .hint = "macros, folders of headers and OpenCL's options are those that it takes",
	};
	for (u32 i = 0; i < COUNT(first); i++)
		array_push(&t->words, first[i]);
	array_push(&t->words, arena_printf(a, "-mcpu=%s", chip));
	for (const char *const *e = pocl_extensions; *e; e++)
		array_push(&t->words, arena_printf(a, "-D%s=1", *e));
	tool_rule(t);
	if (!tool_options(t, a, o->build_options, &options, d))
		return false;
	array_push(&t->words, "-I"); /* as PoCL: also <...>, behind the user's own folders */
	array_push(&t->words, tool_folder_of(a, o->path));
	array_push(&t->words, NULL);
	return true;
}

static bool compile(Tool *t, const FeOptions *o, Source *s, Diag *d)
{
	ToolEnd e;
	Buf text = {0};
	buf_printf(&text, "%s%s", media_ops, pocl_declare_head());
	tool_begin_file(&text, o->path);
	buf_printf(&text, "%s", s->text);
	bool ok = tool_run(t, text.v, text.n, &e, d);
	array_free(&text);
	if (!ok)
		return false;
	u32 before = d->errors;
	log_to_diag(tool_crashed(&e) ? "" : e.log, o->path, s->text, o->build_options, pocl_declares, d);
	ok = d->errors == before && !e.end.timed_out && !e.end.signal && !e.end.code && e.size;
	if (ok)
		tool_end_take(&e, s);
	made_of_text(&s->made_of, made_of_names(&e.made_of));
	tool_end_free(&e);
	return ok;
}

/* clang compiles for one chip. */
static char *target_of(const FeOptions *o, Arena *a)
{
	const char *chip = llvm_first_chip(a, o->cpu ? o->cpu : "gfx906");
	return xstrdup(chip ? chip : "");
}

bool pocl_clang_has(const FeOptions *o, const FeBitcode *built, Source *s)
{
	if (!built->target)
		return false;
	Arena *a = arena_new();
	char *target = target_of(o, a);
	bool same = !strcmp(built->target, target);
	arena_free(a);
	if (!same) {
		free(target);
		return false;
	}
	s->target = target;
	s->refused = xstrdup(built->refused);
	return true;
}

bool pocl_clang(const FeOptions *o, const char *refused, Source *s, Diag *d)
{
	if (o->src || o->r600_cpu || o->builtins == BUILTINS_POCL || access(LLVM_CLANG, X_OK))
		return false;
	Arena *a = arena_new();
	Tool t = {.path = LLVM_CLANG, .name = "clang", .does = "compiles OpenCL C", .folder = ""};
	char *target = target_of(o, a);
	bool ok = *target && command_line(&t, a, o, target, d) && compile(&t, o, s, d);
	if (ok) {
		s->target = target;
		s->refused = xstrdup(refused);
		free(s->library);
		s->library = NULL;
	} else {
		free(target);
	}
	array_free(&t.words);
	arena_free(a);
	return ok;
}
