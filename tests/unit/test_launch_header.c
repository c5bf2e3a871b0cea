/* Launches in other tools' kernel files: piglit's tests with their expected contents,
 * GPUVerify's sizes. */
#include "launch_kernel.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

static const char piglit[] =
    "/*!\n"
    "[config]\n"
    "name: numbers # and a comment\n"
    "clc_version_min: 20\n"
    "dimensions: 2\n"
    "global_size: 4 2 0\n"
    "[test]\n"
    "kernel_name: one\n"
    "arg_in: 0 uint 5\n"
    "[test]\n"
    "name: second\n"
    "kernel_name: two\n"
    "local_size: 2 1 0\n"
    "build_options: -DX=1\n"
    "arg_in: 0 uint 0xff\n"
    "arg_in: 3 float4 1 2.5 -3 NaN\n"
    "arg_out: 5 buffer float[4] 1 2 \\ # joined\n"
    "  3 inf tolerance 2 ulp\n"
    "arg_in: 6 buffer int4[2] repeat -1 7 3\n"
    "arg_in: 10 buffer float3[2] NULL\n"
    "arg_in: 8 image uint repeat 9 image_type 2d image_width 2 image_height 2 "
    "image_channel_order RGBA image_channel_data_type UNSIGNED_INT8\n"
    "arg_in: 9 sampler normalized_coords 1 addressing_mode CLAMP filter_mode linear\n"
    "!*/\n"
    "kernel void two() {}\n";

static void show(const Diag *d)
{
	Buf b = {0};
	diag_print(d, &b);
	if (b.n)
		printf("\n%s", b.v);
	array_free(&b);
}

static bool load(Launch *l, Diag *d, const char *text, const char *kernel, u32 test)
{
	diag_init(d);
	launch_init(l);
	l->test = test;
	if (kernel)
		launch_option(l, "--kernel", kernel, NO_LOC, d);
	return launch_read_comments(l, "p.cl", text, d) &&
	       launch_bind(l, launch_kernel, A_COUNT, d);
}

static void second_test(void)
{
	Launch l;
	Diag d;
	CU_ASSERT_TRUE(load(&l, &d, piglit, "two", 0));
	show(&d);
	Buf b = {0};
	launch_print_options(&l, PRINT_ALL, &b);
	CU_ASSERT_STRING_EQUAL(b.v,
			       "--kernel two --global 4x2 --local 2x1 "
			       "--build-options '-DX=1 -cl-std=CL2.0' --arg n=255 "
			       "--arg v=1,2.5,-3,nan --arg a=uninit:4 "
			       "--arg 'b=[-1,7,3,-1,7,3,-1,7]' "
			       "--arg im=bytes:09090909090909090909090909090909:2x2:rgba:uint8 "
			       "--arg smp=linear,clamp,normalized --arg p3=null");
	array_free(&b);
	launch_free(&l);
	diag_free(&d);
}

static void expectations(void)
{
	Launch l;
	Diag d;
	Buf why = {0};
	u64 first = 99;
	CU_ASSERT_TRUE(load(&l, &d, piglit, NULL, 2));
	CU_ASSERT_STRING_EQUAL(l.kernel, "two");
	CU_ASSERT_EQUAL_FATAL(l.expects.n, 1);
	const LaunchExpect *e = &l.expects.v[0];
	CU_ASSERT_EQUAL(e->arg, A_A);
	float data[4] = {1, 2, 3, (float)(1e308 * 10)};
	CU_ASSERT_EQUAL(launch_expect(&l, e, data, &first, &why), 0);
	data[1] = 2 + 0x1p-22f + 0x1p-22f; /* two units in the last place */
	CU_ASSERT_EQUAL(launch_expect(&l, e, data, &first, &why), 0);
	data[1] = 2 + 0x1p-20f;
	data[3] = 4;
	CU_ASSERT_EQUAL(launch_expect(&l, e, data, &first, &why), 2);
	CU_ASSERT_EQUAL(first, 1);
	CU_ASSERT_STRING_EQUAL(why.v, "a[1] is 2.000001, expected 2");
	why.n = 0;
	l.args[A_A].size = 8;
	CU_ASSERT_EQUAL(launch_expect(&l, e, data, &first, &why), 4);
	CU_ASSERT_STRING_EQUAL(why.v, "a has 8 bytes, expected 16");
	array_free(&why);
	launch_free(&l);
	diag_free(&d);
}

static const struct {
	const char *lines, *message;
} bad[] = {
    {"arg_in: 13 int 1", "arg_in: '13' is not the number of an argument (there are 13)"},
    {"arg_in: 0 int3 1 2 3", "arg_in: int3 does not fit argument n (uint)"},
    {"arg_in: 0 uint x", "arg_in: 1 numbers wanted, 0 given"},
    {"arg_in: 0 uint 1 2", "arg_in: 1 numbers wanted, 2 given"},
    {"arg_in: 0 thing 1", "arg_in: 'thing' is not a type"},
    {"arg_in: 0 uint -1", "arg_in: -1 is negative (uint)"},
    {"arg_in: 5 buffer float 1", "arg_in: TYPE[COUNT] expected, not 'float'"},
    {"arg_in: 5 buffer float[0] 1", "arg_in: 0 elements are none or too many"},
    {"arg_in: 5 buffer float[2] 1 2 3", "arg_in: 2 numbers wanted, 3 given"},
    {"arg_in: 0 buffer uint[1] 1", "arg_in: argument n (uint) is not a buffer"},
    {"arg_out: 0 uint 1", "arg_out: only buffers and images can be looked at after the run"},
    {"arg_out: 5 buffer float[1] random", "arg_out: the expected contents are missing"},
    {"arg_out: 5 buffer float[1] 1 tolerance x", "arg_out: the tolerance 'x' is not a number"},
    {"arg_out: 5 buffer float[1] 1 tolerance 1 ulps", "arg_out: 'ulps' does not belong here"},
    {"arg_in: 9 sampler", "arg_in: argument smp (sampler_t) and this sampler do not fit"},
    {"dimensions: 4", "dimensions: '4' is not a number from 1 to 3"},
    {"global_size: 4 x", "global_size: 'x' is not a size"},
};

static void mistakes(void)
{
	for (u32 i = 0; i < COUNT(bad); i++) {
		Launch l;
		Diag d;
		char text[256];
		snprintf(text, sizeof text, "/*!\n[test]\nkernel_name: k\n%s\n!*/\n", bad[i].lines);
		CU_ASSERT_FALSE(load(&l, &d, text, NULL, 0));
		CU_ASSERT_FATAL(d.msgs.n > 0);
		CU_ASSERT_STRING_EQUAL(d.msgs.v[0].text, bad[i].message);
		if (strcmp(d.msgs.v[0].text, bad[i].message) != 0)
			printf("\n%s\n%s\n", bad[i].lines, d.msgs.v[0].text);
		CU_ASSERT_EQUAL(d.msgs.v[0].loc.line, 4);
		launch_free(&l);
		diag_free(&d);
	}
	Launch l;
	Diag d;
	CU_ASSERT_FALSE(load(&l, &d, piglit, NULL, 3));
	CU_ASSERT_STRING_EQUAL(d.msgs.v[0].text, "there are 2 tests, not 3");
	launch_free(&l);
	diag_free(&d);
}

static void gpuverify(void)
{
	Launch l;
	Diag d;
	CU_ASSERT_TRUE(
	    load(&l, &d, "//pass\n//--local_size=[8,4] --num_groups=[4,2] --no-inline\n", NULL, 0));
	CU_ASSERT(l.local[0] == 8 && l.local[1] == 4 && l.global[0] == 32 && l.global[1] == 8);
	CU_ASSERT_EQUAL(l.work_dim, 2);
	launch_free(&l);
	diag_free(&d);
	CU_ASSERT_TRUE(
	    load(&l, &d, "//--local_size=64 --num_groups=128\n// wavesim: --local 32\n", NULL, 0));
	CU_ASSERT(l.local[0] == 32 && l.global[0] == 8192);
	launch_free(&l);
	diag_free(&d);
	CU_ASSERT_TRUE(
	    load(&l, &d, "//--local_size=[8,0]\n//--local_size=4 --num_groups=2\n", NULL, 0));
	CU_ASSERT(l.local[0] == 4 && l.local[1] == 1 && l.global[0] == 8);
	launch_free(&l);
	diag_free(&d);
	CU_ASSERT_TRUE(load(&l, &d, "//--local_size=64 --global_size=x\n", NULL, 0));
	CU_ASSERT(l.local[0] == 64 && l.global_from == FROM_NOBODY);
	launch_free(&l);
	diag_free(&d);
}

void suite_launch_header(void)
{
	CU_pSuite s = CU_add_suite("launch_header", NULL, NULL);
	CU_add_test(s, "piglit: the second test", second_test);
	CU_add_test(s, "piglit: expected contents", expectations);
	CU_add_test(s, "piglit: mistakes", mistakes);
	CU_add_test(s, "GPUVerify", gpuverify);
}
