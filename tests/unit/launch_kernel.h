/* A kernel with an argument of every kind, for the tests of the launch description. */
#ifndef WAVESIM_LAUNCH_KERNEL_H
#define WAVESIM_LAUNCH_KERNEL_H

#include "traces/launch/launch.h"

#define SCALAR(n, t, c, b) \
	{ \
		.name = n, .type_name = t, .kind = ARG_VALUE, .elem_class = c, .elem_bytes = b, \
		.width = 1, .size = b \
	}
#define VECTOR(n, t, c, b, w) \
	{ \
		.name = n, .type_name = t, .kind = ARG_VALUE, .elem_class = c, .elem_bytes = b, \
		.width = w, .size = ((w) == 3 ? 4 : (w)) * (b) \
	}
#define POINTER(n, t, k, c, b, w, s) \
	{ \
		.name = n, .type_name = t, .kind = k, .elem_class = c, .elem_bytes = b, \
		.width = w, .size = s \
	}

enum { A_N, A_C, A_I, A_V, A_S, A_A, A_B, A_TMP, A_IM, A_SMP, A_P3, A_HH, A_PIPE, A_COUNT };

static const ArgField launch_fields[] = {
    {"tag", 0, {ELEM_UINT, 1, 1, 1}},
    {"in.pair", 1, {ELEM_INT, 1, 2, 2}},
    {"last", 3, {ELEM_UINT, 1, 1, 1}},
};

static const KernelArg launch_kernel[A_COUNT] = {
    SCALAR("n", "uint", ELEM_UINT, 4),
    SCALAR("c", "uchar", ELEM_UINT, 1),
    SCALAR("i", "int", ELEM_INT, 4),
    POINTER("v", "float4", ARG_VALUE, ELEM_FLOAT, 4, 4, 16),
    {.name = "s", .type_name = "struct S", .kind = ARG_VALUE, .elem_class = ELEM_OTHER, .width = 1, .size = 4,
     .fields = launch_fields, .nfields = 3},
    POINTER("a", "float*", ARG_GLOBAL, ELEM_FLOAT, 4, 1, 4),
    POINTER("b", "int4*", ARG_CONSTANT, ELEM_INT, 4, 4, 16),
    POINTER("tmp", "float*", ARG_LOCAL, ELEM_FLOAT, 4, 1, 4),
    {.name = "im", .type_name = "image2d_t", .kind = ARG_IMAGE, .image_dims = 2},
    {.name = "smp", .type_name = "sampler_t", .kind = ARG_SAMPLER},
    POINTER("p3", "float3*", ARG_GLOBAL, ELEM_FLOAT, 4, 3, 16),
    POINTER("hh", "half*", ARG_GLOBAL, ELEM_FLOAT, 2, 1, 2),
    POINTER("pipe", "int4", ARG_PIPE, ELEM_INT, 4, 4, 16),
};

#endif
