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
