/* CUDA's files through HIP's headers: only kernels are wanted, but clang reads the host's part, too. HIP's run time has
 * CUDA's names with `hip` for `cuda`, and its headers lie elsewhere. */
#include "frontend/source/hip/hip.h"

#include "base/scan.h"

#include <ctype.h>
#include <stdio.h>

/* What cuda_bf16.h calls HIP's types. What not each version of HIP has is a macro. */
static const char bfloat16_names[] =
	"#ifndef __HIP_CUDA_BF16\n"
	"#define __HIP_CUDA_BF16\n"
	"typedef __hip_bfloat16 __nv_bfloat16, nv_bfloat16;\n"
	"typedef __hip_bfloat162 __nv_bfloat162, nv_bfloat162;\n"
	"#define __nv_bfloat16_raw __hip_bfloat16_raw\n"
	"#define __nv_bfloat162_raw __hip_bfloat162_raw\n"
	"#define CUDART_ZERO_BF16 HIPRT_ZERO_BF16\n"
	"#define CUDART_NEG_ZERO_BF16 HIPRT_NEG_ZERO_BF16\n"
	"#define CUDART_ONE_BF16 HIPRT_ONE_BF16\n"
	"#define CUDART_MIN_DENORM_BF16 HIPRT_MIN_DENORM_BF16\n"
	"#define CUDART_MAX_NORMAL_BF16 HIPRT_MAX_NORMAL_BF16\n"
	"#define CUDART_INF_BF16 HIPRT_INF_BF16\n"
	"#define CUDART_NAN_BF16 HIPRT_NAN_BF16\n"
	"#endif\n";

static const struct {
	const char *cuda, *hip; /* hip NULL: nothing of it is needed */
	const char *names;      /* what else it has; NULL: nothing */
} headers[] = {
	{"cuda.h", "hip/hip_runtime.h", NULL},
	{"cuda_runtime.h", "hip/hip_runtime.h", NULL},
	{"cuda_runtime_api.h", "hip/hip_runtime_api.h", NULL},
	{"cuda_fp16.h", "hip/hip_fp16.h", NULL},
	{"cuda_bf16.h", "hip/hip_bf16.h", bfloat16_names},
	{"cuComplex.h", "hip/hip_complex.h", NULL},
	{"cooperative_groups.h", "hip/hip_cooperative_groups.h", NULL},
	{"device_launch_parameters.h", NULL, NULL},
	{"device_functions.h", NULL, NULL},
	{"cuda_profiler_api.h", NULL, NULL},
};

/* Names of CUDA's run time that HIP's are not `hip` for `cuda` of. */
static const struct {
	const char *cuda, *hip;
} names[] = {
	{"cudaDeviceProp", "hipDeviceProp_t"},
	{"cudaThreadExit", "hipDeviceReset"},
	{"cudaThreadSynchronize", "hipDeviceSynchronize"},
};

/* Operations of a warp that name their lanes: on AMD's devices the active ones take part, as in HIP before 6.2, which
 * has these by itself. */
static const char warp_operations[] =
	"#ifndef __HIP_CUDA_WARP\n"
	"#define __HIP_CUDA_WARP\n"
	"#define __shfl_sync(m, ...) __shfl(__VA_ARGS__)\n"
	"#define __shfl_up_sync(m, ...) __shfl_up(__VA_ARGS__)\n"
	"#define __shfl_down_sync(m, ...) __shfl_down(__VA_ARGS__)\n"
	"#define __shfl_xor_sync(m, ...) __shfl_xor(__VA_ARGS__)\n"
	"#define __ballot_sync(m, x) __ballot(x)\n"
	"#define __any_sync(m, x) __any(x)\n"
	"#define __all_sync(m, x) __all(x)\n"
	"#define __activemask() __ballot(1)\n"
	"#define __syncwarp(...) __builtin_amdgcn_wave_barrier()\n"
	"#endif\n";

static bool write_header(const char *folder, const char *name, const char *text, const char *file)
{
	char path[TEMP_PATH + 64];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *f = fopen(path, "w");
	if (!f)
		return false;
	if (file)
		fprintf(f, "#include <%s>\n", file);
	bool ok = fputs(text, f) >= 0;
	return !fclose(f) && ok;
}

static bool known(const ToolWords *words, u32 from, const char *macro)
{
	for (u32 i = from; i < words->n; i++)
		if (!strcmp(words->v[i], macro))
			return true;
	return false;
}

/* The next name in a text that begins with those letters and a capital one: n letters; NULL: there is none. */
static const char *next_name(const char *s, const char *start, int *n)
{
	size_t k = strlen(start);
	for (bool inside = false; *s; s++) {
		bool letter = scan_is_word(*s);
		if (letter && !inside && !strncmp(s, start, k) && isupper((unsigned char)s[k])) {
			*n = (int)scan_word(s);
			return s;
		}
		inside = letter;
	}
	return NULL;
}

static const char *hip_name(const char *cuda, int n, Arena *a)
{
	for (u32 i = 0; i < COUNT(names); i++)
		if (strlen(names[i].cuda) == (size_t)n && !strncmp(names[i].cuda, cuda, (size_t)n))
			return names[i].hip;
	return arena_printf(a, "hip%.*s", n - 4, cuda + 4);
}

/* Each of CUDA's names in the file, so that one that HIP does not have is said to be HIP's. */
static void rename_calls(const char *text, ToolWords *words, Arena *a)
{
	u32 from = words->n;
	int n;
	for (const char *s = text; (s = next_name(s, "cuda", &n)); s += n) {
		char *macro = arena_printf(a, "-D%.*s=%s", n, s, hip_name(s, n, a));
		if (!known(words, from, macro))
			array_push(words, macro);
	}
}

/* All names of HIP's run time by CUDA's, for the headers that the file includes. */
static char *all_names(const char *root, Arena *a)
{
	static const char *const files[] = {"hip_runtime_api.h", "driver_types.h", "texture_types.h",
	                                    "surface_types.h"};
	Buf b = {0};
	buf_printf(&b, "%s", warp_operations);
	for (u32 i = 0; i < COUNT(files); i++) {
		size_t size;
		int n;
		char *text = read_file(arena_printf(a, "%s/include/hip/%s", root, files[i]), &size);
		for (const char *s = text; s && (s = next_name(s, "hip", &n)); s += n)
			buf_printf(&b, "#define cuda%.*s %.*s\n", n - 3, s + 3, n, s);
		free(text);
	}
	for (u32 i = 0; i < COUNT(names); i++)
		buf_printf(&b, "#undef %s\n#define %s %s\n", names[i].cuda, names[i].cuda, names[i].hip);
	return b.v;
}

bool hip_cuda_options(const char *path, const char *text, const char *root, char folder[TEMP_PATH], ToolWords *words,
                      Arena *a)
{
	size_t n = strlen(path);
	*folder = 0;
	if (n < 3 || strcmp(path + n - 3, ".cu") != 0)
		return true;
	if (!temp_make(folder))
		return false;
	char *all = all_names(root, a);
	bool ok = write_header(folder, "wavesim_cuda.h", all, "hip/hip_runtime.h");
	free(all);
	for (u32 i = 0; i < COUNT(headers); i++)
		ok &= write_header(folder, headers[i].cuda, headers[i].names ? headers[i].names : "", headers[i].hip);
	array_push(words, "-isystem");
	array_push(words, arena_strdup(a, folder));
	array_push(words, "-include");
	array_push(words, "wavesim_cuda.h");
	rename_calls(text, words, a);
	return ok;
}
