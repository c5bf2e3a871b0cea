/* What PoCL's headers have to declare beyond what its device says it has: clang's header, which PoCL takes, declares
 * the functions of an extension where its macro is defined. Their bodies are ours (frontend/module/collective.h).
 *
 * The macros of Intel's extensions are gone again when the user's text begins, which would take them for an Intel GPU;
 * AMD's functions are declared in front of it. */
#include "frontend/source/pocl/pocl_cl.h"

const char *const pocl_extensions[] = {
	"cl_khr_subgroups",
	"cl_khr_subgroup_extended_types",
	"cl_khr_subgroup_non_uniform_vote",
	"cl_khr_subgroup_ballot",
	"cl_khr_subgroup_non_uniform_arithmetic",
	"cl_khr_subgroup_shuffle",
	"cl_khr_subgroup_shuffle_relative",
	"cl_khr_subgroup_clustered_reduce",
	"cl_khr_subgroup_rotate",
	"__opencl_c_subgroups",
	"__opencl_c_work_group_collective_functions",
	"cl_khr_integer_dot_product",
	"__opencl_c_integer_dot_product_input_4x8bit",
	"__opencl_c_integer_dot_product_input_4x8bit_packed",
	"cl_intel_subgroups",
	"cl_intel_subgroups_short",
	NULL,
};

static const char head[] =
	"#undef cl_intel_subgroups\n#undef cl_intel_subgroups_short\n"
	/* LLVM's intrinsics by the names that AMD's compiler has for them, which clang knows for its devices */
	"#define WAVESIM_AMD(type, name, intrinsic, ...) \\\n"
	"type name(__VA_ARGS__) __asm(\"llvm.amdgcn.\" intrinsic) __attribute__((convergent, const))\n"
	"#ifndef __AMDGCN__\n"
	"WAVESIM_AMD(int, __builtin_amdgcn_ds_bpermute, \"ds.bpermute\", int, int);\n"
	"WAVESIM_AMD(int, __builtin_amdgcn_ds_swizzle, \"ds.swizzle\", int, int);\n"
	"WAVESIM_AMD(int, __builtin_amdgcn_readfirstlane, \"readfirstlane\", int);\n"
	"WAVESIM_AMD(int, __builtin_amdgcn_readlane, \"readlane\", int, int);\n"
	"WAVESIM_AMD(int, __builtin_amdgcn_update_dpp, \"update.dpp.i32\", int, int, int, int, int, bool);\n"
	"WAVESIM_AMD(uint, __builtin_amdgcn_mbcnt_lo, \"mbcnt.lo\", uint, uint);\n"
	"WAVESIM_AMD(uint, __builtin_amdgcn_mbcnt_hi, \"mbcnt.hi\", uint, uint);\n"
	"void __builtin_amdgcn_s_barrier(void) __asm(\"llvm.amdgcn.s.barrier\") __attribute__((convergent));\n"
	"void __builtin_amdgcn_wave_barrier(void) __asm(\"llvm.amdgcn.wave.barrier\") __attribute__((convergent));\n"
	"#endif\n"
	"#if !__has_builtin(__builtin_amdgcn_ballot_w64)\n" /* not before LLVM 17 */
	"WAVESIM_AMD(uint, __builtin_amdgcn_ballot_w32, \"ballot.i32\", bool);\n"
	"WAVESIM_AMD(ulong, __builtin_amdgcn_ballot_w64, \"ballot.i64\", bool);\n"
	"#endif\n"
	"#if !__has_builtin(__builtin_amdgcn_wavefrontsize)\n"
	"WAVESIM_AMD(uint, __builtin_amdgcn_wavefrontsize, \"wavefrontsize\", void);\n"
	"#endif\n"
	"#undef WAVESIM_AMD\n#line 1\n";

static bool has_word(const char *list, const char *word)
{
	size_t n = strlen(word);
	for (const char *at = strstr(list, word); at; at = strstr(at + n, word))
		if ((at == list || at[-1] == ' ') && (!at[n] || at[n] == ' '))
			return true;
	return false;
}

static bool defines(const char *options, const char *name)
{
	Buf want = {0};
	buf_printf(&want, "-D%s", name);
	const char *at = options ? strstr(options, want.v) : NULL;
	size_t n = want.n;
	array_free(&want);
	return at && !strchr("_abcdefghijklmnopqrstuvwxyz0123456789", at[n] ? at[n] : ' ');
}

void pocl_declare(const PoclCl *cl, const char *options, Buf *more)
{
	size_t n = 0;
	clGetDeviceInfo(cl->device, CL_DEVICE_EXTENSIONS, 0, NULL, &n);
	char *has = xcalloc(n + 1, 1);
	clGetDeviceInfo(cl->device, CL_DEVICE_EXTENSIONS, n, has, NULL);
	for (const char *const *e = pocl_extensions; *e; e++)
		if (!has_word(has, *e) && !defines(options, *e))
			buf_printf(more, " -D%s=1", *e);
	free(has);
}

bool pocl_declares(const char *warning)
{
	static const char *const begins[] = {"unsupported OpenCL extension '", "OpenCL extension '"};
	for (u32 i = 0; i < COUNT(begins); i++) {
		size_t n = strlen(begins[i]);
		for (const char *const *e = pocl_extensions; !strncmp(warning, begins[i], n) && *e; e++) {
			size_t name = strlen(*e);
			if (!strncmp(warning + n, *e, name) && warning[n + name] == '\'')
				return true;
		}
	}
	return false;
}

const char *pocl_declare_head(void) { return head; }
