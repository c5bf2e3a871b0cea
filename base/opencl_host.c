/* See opencl_host.h. PoCL learns of processors and memory through hwloc, which looks below /sys; a
 * description in HWLOC_SYNTHETIC takes the place of what is there. */
#include "base/opencl_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Where hwloc looks, the newer place first. */
static const char *const places[] = {
	"/sys/bus/cpu/devices/cpu0/topology",
	"/sys/devices/system/cpu/cpu0/topology",
};

void opencl_host_prepare(void)
{
	unsetenv("WAVESIM_RECORD"); /* the capture layer is for other programs */
	for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
		if (!access(places[i], R_OK))
			return;
	}
	long processors = sysconf(_SC_NPROCESSORS_ONLN), pages = sysconf(_SC_PHYS_PAGES);
	long page = sysconf(_SC_PAGESIZE);
	unsigned long long bytes = pages > 0 && page > 0
	                                   ? (unsigned long long)pages * (unsigned long long)page : 1ull << 30;
	char text[96];
	snprintf(text, sizeof text, "node:1(memory=%llu) core:%ld pu:1", bytes,
	         processors > 0 ? processors : 1);
	setenv("HWLOC_SYNTHETIC", text, 0);
}

const char *opencl_error(int code)
{
	static const char *const names[] = {
#define E(name) "CL_" #name
		[1] = E(DEVICE_NOT_FOUND), [2] = E(DEVICE_NOT_AVAILABLE), [3] = E(COMPILER_NOT_AVAILABLE),
		[4] = E(MEM_OBJECT_ALLOCATION_FAILURE), [5] = E(OUT_OF_RESOURCES), [6] = E(OUT_OF_HOST_MEMORY),
		[7] = E(PROFILING_INFO_NOT_AVAILABLE), [8] = E(MEM_COPY_OVERLAP),
		[9] = E(IMAGE_FORMAT_MISMATCH), [10] = E(IMAGE_FORMAT_NOT_SUPPORTED),
		[11] = E(BUILD_PROGRAM_FAILURE), [12] = E(MAP_FAILURE), [13] = E(MISALIGNED_SUB_BUFFER_OFFSET),
		[14] = E(EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST), [15] = E(COMPILE_PROGRAM_FAILURE),
		[16] = E(LINKER_NOT_AVAILABLE), [17] = E(LINK_PROGRAM_FAILURE),
		[18] = E(DEVICE_PARTITION_FAILED), [19] = E(KERNEL_ARG_INFO_NOT_AVAILABLE),
		[30] = E(INVALID_VALUE), [31] = E(INVALID_DEVICE_TYPE), [32] = E(INVALID_PLATFORM),
		[33] = E(INVALID_DEVICE), [34] = E(INVALID_CONTEXT), [35] = E(INVALID_QUEUE_PROPERTIES),
		[36] = E(INVALID_COMMAND_QUEUE), [37] = E(INVALID_HOST_PTR), [38] = E(INVALID_MEM_OBJECT),
		[39] = E(INVALID_IMAGE_FORMAT_DESCRIPTOR), [40] = E(INVALID_IMAGE_SIZE),
		[41] = E(INVALID_SAMPLER), [42] = E(INVALID_BINARY), [43] = E(INVALID_BUILD_OPTIONS),
		[44] = E(INVALID_PROGRAM), [45] = E(INVALID_PROGRAM_EXECUTABLE), [46] = E(INVALID_KERNEL_NAME),
		[47] = E(INVALID_KERNEL_DEFINITION), [48] = E(INVALID_KERNEL), [49] = E(INVALID_ARG_INDEX),
		[50] = E(INVALID_ARG_VALUE), [51] = E(INVALID_ARG_SIZE), [52] = E(INVALID_KERNEL_ARGS),
		[53] = E(INVALID_WORK_DIMENSION), [54] = E(INVALID_WORK_GROUP_SIZE),
		[55] = E(INVALID_WORK_ITEM_SIZE), [56] = E(INVALID_GLOBAL_OFFSET),
		[57] = E(INVALID_EVENT_WAIT_LIST), [58] = E(INVALID_EVENT), [59] = E(INVALID_OPERATION),
		[60] = E(INVALID_GL_OBJECT), [61] = E(INVALID_BUFFER_SIZE), [62] = E(INVALID_MIP_LEVEL),
		[63] = E(INVALID_GLOBAL_WORK_SIZE), [64] = E(INVALID_PROPERTY),
		[65] = E(INVALID_IMAGE_DESCRIPTOR), [66] = E(INVALID_COMPILER_OPTIONS),
		[67] = E(INVALID_LINKER_OPTIONS), [68] = E(INVALID_DEVICE_PARTITION_COUNT),
		[69] = E(INVALID_PIPE_SIZE), [70] = E(INVALID_DEVICE_QUEUE), [71] = E(INVALID_SPEC_ID),
		[72] = E(MAX_SIZE_RESTRICTION_EXCEEDED),
#undef E
	};
	const char *name = code <= 0 && code > -(int)(sizeof names / sizeof *names) ? names[-code] : NULL;
	return name ? name : "an unknown OpenCL error";
}
