/* The clock that a device runs at while it is measured: cycles are time times clock, and cards
 * change theirs. OpenCL does not tell; Linux does for AMD's cards (a file), and NVIDIA's
 * management library for theirs. It is loaded when it is there. */
#include "runner/runner.h"

#include <dlfcn.h>

typedef void *NvmlDevice;
enum { NVML_CLOCK_SM = 1 };

struct Clock {
	char path[128]; /* AMD: the table of clock steps */
	void *nvml;
	NvmlDevice device;
	int (*get)(NvmlDevice, int, unsigned *);
};

static void open_nvml(Clock *c, const char *pci)
{
	c->nvml = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!c->nvml)
		return;
	int (*init)(void), (*find)(const char *, NvmlDevice *);
	*(void **)(void *)&init = dlsym(c->nvml, "nvmlInit_v2");
	*(void **)(void *)&find = dlsym(c->nvml, "nvmlDeviceGetHandleByPciBusId_v2");
	*(void **)(void *)&c->get = dlsym(c->nvml, "nvmlDeviceGetClockInfo");
	if (!init || !find || !c->get || init() != 0 || find(pci, &c->device) != 0)
		c->get = NULL;
}

Clock *clock_open(const ClDev *dev)
{
	Clock *c = xcalloc(1, sizeof *c);
	if (!dev->pci)
		return c;
	snprintf(c->path, sizeof c->path, "/sys/bus/pci/devices/%s/pp_dpm_sclk", dev->pci);
	if (dev->vendor && !strncmp(dev->vendor, "NVIDIA", 6))
		open_nvml(c, dev->pci);
	return c;
}

/* "1: 1725Mhz *" is the step in use. */
static double amd_clock(const char *path)
{
	size_t n;
	char *text = path[0] ? read_file(path, &n) : NULL;
	double mhz = 0;
	for (char *line = text; line && *line;) {
		char *end = strchr(line, '\n'), *colon;
		if (end)
			*end = 0;
		colon = strchr(line, ':');
		if (colon && strchr(colon, '*'))
			mhz = strtod(colon + 1, NULL);
		line = end ? end + 1 : NULL;
	}
	free(text);
	return mhz;
}

double clock_mhz(Clock *c)
{
	unsigned mhz = 0;
	if (c->get && c->get(c->device, NVML_CLOCK_SM, &mhz) == 0)
		return mhz;
	return amd_clock(c->path);
}

void clock_close(Clock *c)
{
	/* The library stays loaded: some versions do not survive being unloaded. */
	free(c);
}
