/* CUDA's files through HIP's headers: only kernels are wanted, but clang reads the host's part, too. HIP's run time has
 * CUDA's names with `hip` for `cuda`, and its headers lie elsewhere. */
#include "frontend/source/hip/hip.h"

#include <ctype.h>
#include <stdio.h>

static const struct {
	const char *cuda, *hip; /* hip NULL: nothing of it is needed */
} headers[] = {
	{"cuda.h", "hip/hip_runtime.h"},
	{"cuda_runtime.h", "hip/hip_runtime.h"},
	{"cuda_runtime_api.h", "hip/hip_runtime_api.h"},
	{"cuda_fp16.h", "hip/hip_fp16.h"},
	{"cuComplex.h", "hip/hip_complex.h"},
	{"cooperative_groups.h", "hip/hip_cooperative_groups.h"},
	{"device_launch_parameters.h", NULL},
	{"device_functions.h", NULL},
	{"cuda_profiler_api.h", NULL},
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

/* Each name that begins with cuda and a capital letter. */
static void rename_calls(const char *text, ToolWords *words, Arena *a)
{
	u32 from = words->n;
	bool inside = false;
	for (const char *s = text; *s; s++) {
		bool letter = isalnum((unsigned char)*s) || *s == '_';
		if (letter && !inside && !strncmp(s, "cuda", 4) && isupper((unsigned char)s[4])) {
			int n = 4;
			while (isalnum((unsigned char)s[n]) || s[n] == '_')
				n++;
			char *macro = arena_printf(a, "-D%.*s=hip%.*s", n, s, n - 4, s + 4);
			if (!known(words, from, macro))
				array_push(words, macro);
		}
		inside = letter;
	}
}

bool hip_cuda_options(const char *path, const char *text, char folder[TEMP_PATH], ToolWords *words, Arena *a)
{
	size_t n = strlen(path);
	*folder = 0;
	if (n < 3 || strcmp(path + n - 3, ".cu") != 0)
		return true;
	if (!temp_make(folder))
		return false;
	bool ok = write_header(folder, "wavesim_cuda.h", warp_operations, "hip/hip_runtime.h");
	for (u32 i = 0; i < COUNT(headers); i++)
		ok &= write_header(folder, headers[i].cuda, "", headers[i].hip);
	array_push(words, "-isystem");
	array_push(words, arena_strdup(a, folder));
	array_push(words, "-include");
	array_push(words, "wavesim_cuda.h");
	rename_calls(text, words, a);
	return ok;
}
