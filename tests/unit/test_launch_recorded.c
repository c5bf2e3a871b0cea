/* Arguments of a launch file meet the kernel's own types: what fits, and what is said of the rest. */
#include "launch_kernel.h"
#include "traces/capture/launch_recorded.h"

#include <CUnit/CUnit.h>

void suite_launch_recorded(void);

enum { RGBA = 0x10B5, UNORM8 = 0x10D2 };

static CapObject objects[] = {
	{.kind = CAP_BUFFER, .size = 4096},
	{.kind = CAP_IMAGE, .size = 1024, .order = RGBA, .type = UNORM8, .extent = {16, 16, 1}},
	{.kind = CAP_IMAGE, .size = 1024, .order = RGBA, .type = 7, .extent = {16, 16, 1}},
	{.kind = CAP_IMAGE, .size = 1024, .order = RGBA, .type = UNORM8, .extent = {16, 0, 1}},
	{.kind = CAP_IMAGE, .size = 1023, .order = RGBA, .type = UNORM8, .extent = {16, 16, 1}},
};
enum { BUFFER = 1, IMAGE, OTHER_FORMAT, NO_HEIGHT, NO_PIXELS };

static const u8 handle[8] = {1};

#define MEMORY(o, from, n) {.kind = CAP_BYTES, .size = 8, .bytes = handle, .object = o, .at = from, .length = n}
#define LOCAL(n) {.kind = CAP_NOTHING, .size = n}

/* One argument of launch_kernel; NULL: it fits. */
static const struct {
	u32 arg;
	CapArg c;
	const char *why;
} row[] = {
	{A_TMP, LOCAL(4096), NULL},
	{A_TMP, LOCAL(0), "argument tmp (float*): no local memory was given"},
	{A_TMP, LOCAL(UINT32_MAX), NULL}, /* whether a work-group has it, the device says */
	{A_TMP, LOCAL((u64)UINT32_MAX + 1), "argument tmp (float*): no work-group has so much local memory"},
	{A_TMP, LOCAL(UINT64_MAX), "argument tmp (float*): no work-group has so much local memory"},
	{A_TMP, MEMORY(BUFFER, 0, 4096), "argument tmp (float*): no local memory was given"},
	{A_IM, MEMORY(IMAGE, 0, 1024), NULL},
	{A_IM, MEMORY(IMAGE, 4, 1020), "argument im (image2d_t): there is no image"},
	{A_IM, MEMORY(IMAGE, 0, 1020), "argument im (image2d_t): there is no image"},
	{A_IM, MEMORY(IMAGE, 1024, 0), "argument im (image2d_t): there is no image"},
	{A_IM, MEMORY(BUFFER, 0, 4096), "argument im (image2d_t): there is no image"},
	{A_IM, MEMORY(0, 0, 0), "argument im (image2d_t): there is no image"},
	{A_IM, MEMORY(OTHER_FORMAT, 0, 1024), "argument im (image2d_t): images of this format are not simulated"},
	{A_IM, MEMORY(NO_HEIGHT, 0, 1024), "argument im (image2d_t): the image has an impossible size"},
	{A_IM, MEMORY(NO_PIXELS, 0, 1023), "argument im (image2d_t): images of this format are not simulated"},
	{A_A, MEMORY(BUFFER, 64, 128), NULL},
	{A_A, MEMORY(BUFFER, 64, 0), "argument a (float*): the buffer is empty"},
	{A_A, MEMORY(IMAGE, 0, 1024), "argument a (float*): an image stands where a buffer should"},
	{A_A, MEMORY(0, 0, 0), "argument a (float*): it points to memory that was not seen to be allocated"},
	{A_SMP, {.kind = CAP_SAMPLER}, NULL},
	{A_SMP, LOCAL(8), "argument smp (sampler_t): there is no sampler"},
	{A_N, {.kind = CAP_BYTES, .size = 4, .bytes = handle}, NULL},
	{A_N, {.kind = CAP_BYTES, .size = 8, .bytes = handle}, "argument n (uint): its value has another size"},
};

static void arguments(void)
{
	for (u32 i = 0; i < COUNT(row); i++) {
		SrcUnit unit = {.source = ""};
		SrcProgram program = {.units = &unit, .nunits = 1};
		CapFile file = {.path = "x.launches"};
		CapArg arg = row[i].c;
		CapLaunch r = {.number = 1,
		               .program = 1,
		               .kernel = "k",
		               .dims = 1,
		               .global = {64, 1, 1},
		               .local = {64, 1, 1},
		               .objects = objects,
		               .nobjects = COUNT(objects),
		               .args = &arg,
		               .nargs = 1};
		Launch l;
		Diag d;
		diag_init(&d);
		launch_init(&l);
		array_push(&file.programs, program);
		CU_ASSERT_TRUE(launch_from_recording(&l, &file, &r, &d));
		CU_ASSERT_EQUAL(launch_bind(&l, &launch_kernel[row[i].arg], 1, &d), !row[i].why);
		CU_ASSERT_EQUAL_FATAL(d.msgs.n, row[i].why ? 1 : 0);
		if (row[i].why)
			CU_ASSERT_STRING_EQUAL(d.msgs.v[0].text, row[i].why);
		launch_free(&l);
		diag_free(&d);
		array_free(&file.programs);
	}
}

void suite_launch_recorded(void)
{
	CU_pSuite s = CU_add_suite("recorded arguments", NULL, NULL);
	CU_add_test(s, "what fits, and what is said of the rest", arguments);
}
