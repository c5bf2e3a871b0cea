/* OpenCL devices: their attributes, and which of wavesim's devices each is. */
#include "base/opencl_host.h"
#include "runner/runner.h"

#include "models/device/device_names.h"

#include <ctype.h>

#ifndef CL_DEVICE_PCI_BUS_INFO_KHR
#define CL_DEVICE_PCI_BUS_INFO_KHR 0x410F
#endif

typedef enum { ATTR_TEXT, ATTR_UINT, ATTR_ULONG, ATTR_SIZE, ATTR_AMD_PCI, ATTR_KHR_PCI } AttrType;
static const struct {
	cl_device_info query;
	AttrType type;
	const char *name, *extension, *doc;
} attributes[] = {
#define ATTRIBUTE(query, type, name, extension, doc) {query, ATTR_##type, name, extension, doc},
#include "runner/attributes.def"
};

/* ---- errors ---- */

bool cl_good(cl_int e, const char *call, Diag *d)
{
	if (e == CL_SUCCESS)
		return true;
	return diag_error(d, NO_LOC, "%s fails with %s (%d)", call, opencl_error(e), e);
}

/* ---- attributes ---- */

static char *cldev_text(cl_device_id id, cl_device_info what, Arena *a)
{
	size_t n = 0;
	if (clGetDeviceInfo(id, what, 0, NULL, &n) != CL_SUCCESS || !n)
		return NULL;
	char *text = arena_alloc(a, n + 1);
	if (clGetDeviceInfo(id, what, n, text, NULL) != CL_SUCCESS)
		return NULL;
	while (n && (!text[n - 1] || isspace((u8)text[n - 1])))
		text[--n] = 0;
	return text + strspn(text, " ");
}

/* As text, or NULL when the device does not know it. */
static const char *query_text(cl_device_id id, cl_device_info what, AttrType type, Arena *a)
{
	union {
		cl_uint u;
		cl_ulong l;
		size_t s;
		cl_device_topology_amd amd;
		cl_uint khr[4]; /* domain, bus, device, function */
		u8 room[256];
	} v;
	size_t size = 0;
	if (type == ATTR_TEXT)
		return cldev_text(id, what, a);
	memset(&v, 0, sizeof v);
	if (clGetDeviceInfo(id, what, sizeof v, &v, &size) != CL_SUCCESS)
		return NULL;
	switch (type) {
	case ATTR_UINT: return size == sizeof v.u ? arena_printf(a, "%u", v.u) : NULL;
	case ATTR_ULONG:
		return size == sizeof v.l ? arena_printf(a, "%llu", (unsigned long long)v.l) : NULL;
	case ATTR_SIZE: return size == sizeof v.s ? arena_printf(a, "%zu", v.s) : NULL;
	case ATTR_AMD_PCI:
		if (size != sizeof v.amd || v.amd.raw.type != CL_DEVICE_TOPOLOGY_TYPE_PCIE_AMD)
			return NULL;
		return arena_printf(a, "0000:%02x:%02x.%x", (u8)v.amd.pcie.bus, (u8)v.amd.pcie.device,
		                    (u8)v.amd.pcie.function);
	case ATTR_KHR_PCI:
		if (size != sizeof v.khr)
			return NULL;
		return arena_printf(a, "%04x:%02x:%02x.%x", v.khr[0], v.khr[1], v.khr[2], v.khr[3]);
	case ATTR_TEXT: break;
	}
	return NULL;
}

/* The text of an attribute, or NULL. */
static const char *cldev_attribute(const ClDev *dev, const char *name)
{
	for (u32 i = 0; i < dev->nattributes; i++) {
		if (!strcmp(dev->attributes[i].name, name))
			return dev->attributes[i].value;
	}
	return NULL;
}

static bool has_word(const char *list, const char *word)
{
	size_t n = strlen(word);
	for (const char *s = list; (s = strstr(s, word)); s += n) {
		if ((s == list || s[-1] == ' ') && (!s[n] || s[n] == ' '))
			return true;
	}
	return false;
}

static void add_attribute(ClDev *dev, const char *name, const char *value)
{
	if (value && *value && !cldev_attribute(dev, name))
		dev->attributes[dev->nattributes++] = (StoreAttribute){name, value};
}

static u64 number_attribute(const ClDev *dev, const char *name)
{
	u64 v = 0;
	const char *text = cldev_attribute(dev, name);
	return text && parse_u64(text, &v) ? v : 0;
}

/* NVIDIA gives the parts of the PCI address. */
static void nvidia_pci(ClDev *dev, Arena *a)
{
	if (cldev_attribute(dev, "pci_slot"))
		add_attribute(dev, "pci", arena_printf(a, "%04x:%02x:%02x.%x",
		              (u32)number_attribute(dev, "pci_domain"), (u32)number_attribute(dev, "pci_bus"),
		              (u32)number_attribute(dev, "pci_slot") >> 3,
		              (u32)number_attribute(dev, "pci_slot") & 7));
}

static void describe(ClDev *dev, Arena *a)
{
	const char *extensions = cldev_text(dev->id, CL_DEVICE_EXTENSIONS, a);
	dev->attributes = ARENA_ARRAY(a, StoreAttribute, COUNT(attributes) + 4);
	for (u32 i = 0; i < COUNT(attributes); i++) {
		if (!*attributes[i].extension || (extensions && has_word(extensions, attributes[i].extension)))
			add_attribute(dev, attributes[i].name,
			              query_text(dev->id, attributes[i].query, attributes[i].type, a));
	}
	nvidia_pci(dev, a);
	add_attribute(dev, "platform", dev->platform_name);
	dev->name = cldev_attribute(dev, "name");
	dev->vendor = cldev_attribute(dev, "vendor");
	dev->driver = cldev_attribute(dev, "driver");
	dev->pci = cldev_attribute(dev, "pci");
	dev->board = cldev_attribute(dev, "board");
	dev->max_group = number_attribute(dev, "max_group");
	dev->memory_bytes = number_attribute(dev, "memory_bytes");
	clGetDeviceInfo(dev->id, CL_DEVICE_TYPE, sizeof dev->type, &dev->type, NULL);
	if (!dev->name)
		dev->name = "unnamed device";
	if (dev->type & CL_DEVICE_TYPE_GPU)
		dev->model = device_name_match(dev->board, dev->name, a);
}

/* ---- the list ---- */

static void add_platform(ClDevList *out, cl_platform_id platform, Arena *a)
{
	cl_device_id ids[64];
	cl_uint n = 0;
	char *name = arena_alloc(a, 256);
	clGetPlatformInfo(platform, CL_PLATFORM_NAME, 255, name, NULL);
	if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, COUNT(ids), ids, &n) != CL_SUCCESS)
		return;
	n = n < COUNT(ids) ? n : COUNT(ids);
	ClDev *v = ARENA_ARRAY(a, ClDev, out->n + n + 1);
	if (out->n)
		memcpy(v, out->v, out->n * sizeof *v);
	out->v = v;
	for (cl_uint i = 0; i < n; i++) {
		ClDev *dev = &out->v[out->n++];
		*dev = (ClDev){.platform = platform, .id = ids[i], .platform_name = name};
		describe(dev, a);
	}
}

bool cldev_list(ClDevList *out, Arena *a, Diag *d)
{
	cl_platform_id platforms[32];
	cl_uint n = 0;
	*out = (ClDevList){0};
	opencl_host_prepare();
	cl_int e = clGetPlatformIDs(COUNT(platforms), platforms, &n);
	for (cl_uint i = 0; e == CL_SUCCESS && i < n && i < COUNT(platforms); i++)
		add_platform(out, platforms[i], a);
	if (out->n)
		return true;
	diag_error(d, NO_LOC, n ? "no OpenCL platform here has a device" : "there is no OpenCL platform here");
	return diag_hint(d, "install the vendor's OpenCL driver; it must have a file in /etc/OpenCL/vendors");
}

static bool contains(const char *text, const char *part) { return text && strcasestr(text, part); }

ClDev *cldev_choose(const ClDevList *list, const char *which, Diag *d)
{
	u64 number;
	if (!which) {
		for (u32 i = 0; i < list->n; i++) {
			if (list->v[i].type & CL_DEVICE_TYPE_GPU)
				return &list->v[i];
		}
		return &list->v[0];
	}
	if (parse_u64(which, &number) && number < list->n)
		return &list->v[number];
	for (u32 i = 0; i < list->n; i++) {
		if (contains(list->v[i].name, which) || contains(list->v[i].board, which))
			return &list->v[i];
	}
	diag_error(d, NO_LOC, "no OpenCL device is '%s'; there %s %u", which, list->n == 1 ? "is" : "are",
	           list->n);
	diag_hint(d, "`wavesim-runner devices` lists them");
	return NULL;
}

bool cldev_open(ClDev *dev, Diag *d)
{
	cl_int e;
	dev->context = clCreateContext(NULL, 1, &dev->id, NULL, NULL, &e);
	if (!cl_good(e, "clCreateContext", d))
		return false;
	dev->queue = clCreateCommandQueue(dev->context, dev->id, CL_QUEUE_PROFILING_ENABLE, &e);
	return cl_good(e, "clCreateCommandQueue", d);
}

void cldev_close(ClDev *dev)
{
	if (dev->queue)
		clReleaseCommandQueue(dev->queue);
	if (dev->context)
		clReleaseContext(dev->context);
}

void cldev_print(const ClDev *dev, u32 number, bool all, Buf *out)
{
	const char *type = dev->type & CL_DEVICE_TYPE_GPU ? "GPU" : dev->type & CL_DEVICE_TYPE_CPU ? "CPU"
	                                                                                       : "device";
	buf_printf(out, "%u  %s%s%s%s\n", number, dev->board ? dev->board : "", dev->board ? ", " : "",
	           dev->name, dev->model ? "" : dev->type & CL_DEVICE_TYPE_GPU ?
	           " (none of `wavesim devices`; see --model)" : "");
	const char *wave = cldev_attribute(dev, "wave"), *banks = cldev_attribute(dev, "lds_banks");
	buf_printf(out, "   %s, %s compute units, %s MHz%s%s%s%s; %s, driver %s%s%s\n", type,
	           cldev_attribute(dev, "compute_units"), cldev_attribute(dev, "max_clock_mhz"),
	           wave ? ", lanes: " : "", wave ? wave : "", banks ? ", LDS banks: " : "",
	           banks ? banks : "", dev->platform_name, dev->driver ? dev->driver : "unknown",
	           dev->model ? "; wavesim's " : "", dev->model ? dev->model : "");
	for (u32 i = 0; all && i < dev->nattributes; i++) {
		const char *doc = "";
		for (u32 k = 0; k < COUNT(attributes); k++) {
			if (!strcmp(attributes[k].name, dev->attributes[i].name))
				doc = attributes[k].doc;
		}
		buf_printf(out, "   %-24s %s%s%s\n", dev->attributes[i].name, dev->attributes[i].value,
		           *doc ? "   ; " : "", doc);
	}
}
