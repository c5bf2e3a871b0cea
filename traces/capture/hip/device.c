/* What the program is told of the device that it seems to have: the one that `wavesim run --device` names, by
 * WAVESIM_HIP_DEVICE; limits and contexts, which change nothing here; and when all of it begins and ends. */
#include "traces/capture/hip/hip.h"

Hip hip = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- beginning ---- */

static void end(void)
{
	if (pthread_mutex_trylock(&hip.lock))
		return; /* a kernel that may never end */
	if (hip.recording)
		recorder_finish(&hip.file);
	hip.recording = false;
	pthread_mutex_unlock(&hip.lock);
}

/* The process that runs kernels, and the file, are the parent's. */
static void in_child(void)
{
	pthread_mutex_init(&hip.lock, NULL);
	recorder_in_child(&hip.file);
	hip_process_in_child();
	hip.recording = false;
}

/* Texts and numbers behind each other, with '|' between. */
static const char *field(const char **at, char *out, size_t room)
{
	size_t n = *at ? strcspn(*at, "|") : 0;
	snprintf(out, room, "%.*s", (int)n, *at ? *at : "");
	*at = *at && (*at)[n] ? *at + n + 1 : NULL;
	return out;
}

static void read_device(const char *text)
{
	HipDevice *d = &hip.device;
	u32 *const numbers[] = {&d->wave,  &d->units, &d->lds, &d->group, &d->mhz,
	                        &d->waves, &d->simds, &d->l2,  &d->groups};
	char word[64];
	field(&text, d->name, sizeof d->name);
	field(&text, d->cpu, sizeof d->cpu);
	field(&text, d->arch, sizeof d->arch);
	for (u32 i = 0; i < COUNT(numbers); i++)
		*numbers[i] = (u32)strtoul(field(&text, word, sizeof word), NULL, 10);
}

static void begin(void)
{
	hip.ready = true;
	hip.arena = arena_new();
	hip.helper = recorder_setting("WAVESIM_HIP_HELPER");
	read_device(recorder_setting("WAVESIM_HIP_DEVICE"));
	const char *seconds = recorder_setting("WAVESIM_HIP_SECONDS");
	hip.seconds = seconds ? (u32)strtoul(seconds, NULL, 10) : 0;
	hip.recording = recorder_begin(&hip.file) && !atexit(end);
	if (hip.recording && recorder_setting("WAVESIM_RECORD_SEEN"))
		recorder_writer(&hip.file);
	pthread_atfork(NULL, NULL, in_child);
}

void hip_lock(void)
{
	pthread_mutex_lock(&hip.lock);
	if (!hip.ready)
		begin();
}

void hip_unlock(void) { pthread_mutex_unlock(&hip.lock); }

static const HipDevice *device(void)
{
	hip_lock();
	hip_unlock();
	return &hip.device;
}

/* ---- which ---- */

static hipError_t is_there(int n) { return hip_done(n ? hipErrorInvalidDevice : hipSuccess); }

EXPORTED hipError_t hipInit(unsigned flags) { return hip_done(flags ? hipErrorInvalidValue : hipSuccess); }

static hipError_t give(int *out, int v)
{
	if (!out)
		return hip_done(hipErrorInvalidValue);
	*out = v;
	return hipSuccess;
}

EXPORTED hipError_t hipGetDeviceCount(int *n) { return give(n, 1); }
EXPORTED hipError_t hipGetDevice(int *n) { return give(n, 0); }
EXPORTED hipError_t hipSetDevice(int n) { return is_there(n); }
EXPORTED hipError_t hipDeviceGet(hipDevice_t *d, int n) { return n ? is_there(n) : give(d, 0); }
EXPORTED hipError_t hipDriverGetVersion(int *v) { return give(v, HIP_VERSION); }
EXPORTED hipError_t hipRuntimeGetVersion(int *v) { return give(v, HIP_VERSION); }
EXPORTED hipError_t hipDeviceReset(void) { return hipSuccess; }
EXPORTED hipError_t hipProfilerStart(void) { return hipSuccess; }
EXPORTED hipError_t hipProfilerStop(void) { return hipSuccess; }

EXPORTED hipError_t hipChooseDevice(int *n, const hipDeviceProp_t *like)
{
	(void)like;
	return give(n, 0);
}

EXPORTED hipError_t hipDeviceGetName(char *name, int n, hipDevice_t d)
{
	if (d || !name || n < 1)
		return hip_done(d ? hipErrorInvalidDevice : hipErrorInvalidValue);
	snprintf(name, (size_t)n, "%s", device()->name);
	return hipSuccess;
}

EXPORTED hipError_t hipDeviceTotalMem(size_t *n, hipDevice_t d)
{
	if (!n || d)
		return hip_done(hipErrorInvalidValue);
	*n = HIP_TOTAL;
	return hipSuccess;
}

/* "gfx90a" is 9 and 0. */
static void capability(int *major, int *minor)
{
	const char *arch = device()->arch;
	size_t n = strlen(arch);
	*major = n > 5 ? atoi(arch + 3) : 0;
	for (u32 digits = n > 5 ? (u32)(n - 5) : 0; *major > 99 || (digits == 1 && *major > 9);)
		*major /= 10;
	*minor = n > 5 ? arch[n - 2] - '0' : 0;
}

EXPORTED hipError_t hipDeviceComputeCapability(int *major, int *minor, hipDevice_t d)
{
	if (!major || !minor)
		return hip_done(hipErrorInvalidValue);
	capability(major, minor);
	return is_there(d);
}

EXPORTED hipError_t hipDeviceGetPCIBusId(char *id, int n, int d)
{
	if (!id || n < 1)
		return hip_done(hipErrorInvalidValue);
	snprintf(id, (size_t)n, "0000:00:00.0");
	return is_there(d);
}

EXPORTED hipError_t hipDeviceGetByPCIBusId(int *n, const char *id)
{
	return id ? give(n, 0) : hip_done(hipErrorInvalidValue);
}

/* ---- what it is like ---- */

enum {
	/* Of a compute unit of GCN: 4 vector units with 256 registers for each of 64 lanes (AMDOG in
	 * models/README.md). */
	REGISTERS = 4 * 256 * 64,
	/* As hipInfo prints them of an MI100 and of an RX 7900: 1024 in each dimension; 2147483647, 65536, 65536. */
	BLOCK_SIDE = 1024,
	GRID_X = INT32_MAX,
	GRID_YZ = 65536,
	/* HIP's run time says the memory's size, but no more than this (ROCm's clr, hipGetDeviceProperties). */
	MOST_BYTES = INT32_MAX,
	/* Device files have their product only. These are MI50's, the default device: HBM2 of 4,096 bits, twice in each
	 * cycle at 1 GHz, are the 1,024 GB/s of its file. */
	MEMORY_KHZ = 1000000,
	MEMORY_BITS = 4096,
	/* What clock64() would count in; here it is 0 (docs/hip.md). Assumed: nanoseconds. */
	CLOCK_KHZ = 1000000,
};

EXPORTED hipError_t hipGetDeviceProperties(hipDeviceProp_t *p, int n)
{
	const HipDevice *d = device();
	if (!p || n)
		return hip_done(p ? hipErrorInvalidDevice : hipErrorInvalidValue);
	*p = (hipDeviceProp_t){
	    .totalGlobalMem = HIP_TOTAL,
	    .sharedMemPerBlock = d->lds,
	    .regsPerBlock = REGISTERS,
	    .warpSize = (int)d->wave,
	    .maxThreadsPerBlock = (int)d->group,
	    .maxThreadsDim = {BLOCK_SIDE, BLOCK_SIDE, BLOCK_SIDE},
	    .maxGridSize = {GRID_X, GRID_YZ, GRID_YZ},
	    .clockRate = (int)d->mhz * 1000,
	    .memoryClockRate = MEMORY_KHZ,
	    .memoryBusWidth = MEMORY_BITS,
	    .totalConstMem = MOST_BYTES,
	    .multiProcessorCount = (int)d->units,
	    .l2CacheSize = (int)d->l2,
	    .maxThreadsPerMultiProcessor = (int)(d->waves * d->simds * d->wave),
	    .clockInstructionRate = CLOCK_KHZ,
	    .concurrentKernels = 1,
	    .maxSharedMemoryPerMultiProcessor = d->lds,
	    .canMapHostMemory = 1,
	    .cooperativeLaunch = 1,
	    .memPitch = MOST_BYTES,
	    .managedMemory = 1,
	    .concurrentManagedAccess = 1,
	    .arch = {.hasGlobalInt32Atomics = 1,
	             .hasGlobalFloatAtomicExch = 1,
	             .hasSharedInt32Atomics = 1,
	             .hasSharedFloatAtomicExch = 1,
	             .hasFloatAtomicAdd = 1,
	             .hasGlobalInt64Atomics = 1,
	             .hasSharedInt64Atomics = 1,
	             .hasDoubles = 1,
	             .hasWarpVote = 1,
	             .hasWarpBallot = 1,
	             .hasWarpShuffle = 1,
	             .hasThreadFenceSystem = 1,
	             .hasSyncThreadsExt = 1,
	             .has3dGrid = 1},
	};
	snprintf(p->name, sizeof p->name, "%s", d->name);
	snprintf(p->gcnArchName, sizeof p->gcnArchName, "%s", d->arch);
	capability(&p->major, &p->minor);
	return hipSuccess;
}

EXPORTED hipError_t hipDeviceGetAttribute(int *out, hipDeviceAttribute_t what, int n)
{
	hipDeviceProp_t p;
	if (!out || hipGetDeviceProperties(&p, n) != hipSuccess)
		return hip_done(out ? hipErrorInvalidDevice : hipErrorInvalidValue);
	const struct {
		hipDeviceAttribute_t what;
		int v;
	} rows[] = {
	    {hipDeviceAttributeCanMapHostMemory, 1},
	    {hipDeviceAttributeCanUseHostPointerForRegisteredMem, 1},
	    {hipDeviceAttributeClockRate, p.clockRate},
	    {hipDeviceAttributeConcurrentKernels, 1},
	    {hipDeviceAttributeConcurrentManagedAccess, 1},
	    {hipDeviceAttributeCooperativeLaunch, 1},
	    {hipDeviceAttributeL2CacheSize, p.l2CacheSize},
	    {hipDeviceAttributeComputeCapabilityMajor, p.major},
	    {hipDeviceAttributeComputeCapabilityMinor, p.minor},
	    {hipDeviceAttributeManagedMemory, 1},
	    {hipDeviceAttributeMaxBlocksPerMultiProcessor, (int)device()->groups},
	    {hipDeviceAttributeMaxBlockDimX, p.maxThreadsDim[0]},
	    {hipDeviceAttributeMaxBlockDimY, p.maxThreadsDim[1]},
	    {hipDeviceAttributeMaxBlockDimZ, p.maxThreadsDim[2]},
	    {hipDeviceAttributeMaxGridDimX, p.maxGridSize[0]},
	    {hipDeviceAttributeMaxGridDimY, p.maxGridSize[1]},
	    {hipDeviceAttributeMaxGridDimZ, p.maxGridSize[2]},
	    {hipDeviceAttributeMaxThreadsPerBlock, p.maxThreadsPerBlock},
	    {hipDeviceAttributeMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
	    {hipDeviceAttributeMaxPitch, (int)p.memPitch},
	    {hipDeviceAttributeMemoryBusWidth, p.memoryBusWidth},
	    {hipDeviceAttributeMemoryClockRate, p.memoryClockRate},
	    {hipDeviceAttributeMultiprocessorCount, p.multiProcessorCount},
	    {hipDeviceAttributeMaxRegistersPerBlock, p.regsPerBlock},
	    {hipDeviceAttributeMaxRegistersPerMultiprocessor, p.regsPerBlock},
	    {hipDeviceAttributeMaxSharedMemoryPerBlock, (int)p.sharedMemPerBlock},
	    {hipDeviceAttributeSharedMemPerBlockOptin, (int)p.sharedMemPerBlock},
	    {hipDeviceAttributeSharedMemPerMultiprocessor, (int)p.sharedMemPerBlock},
	    {hipDeviceAttributeMaxSharedMemoryPerMultiprocessor, (int)p.sharedMemPerBlock},
	    {hipDeviceAttributeTotalConstantMemory, (int)p.totalConstMem},
	    {hipDeviceAttributeUnifiedAddressing, 1},
	    {hipDeviceAttributeWarpSize, p.warpSize},
	};
	*out = 0;
	for (u32 i = 0; i < COUNT(rows); i++)
		if (rows[i].what == what)
			*out = rows[i].v;
	return hipSuccess;
}

/* ---- settings, none of which does anything ---- */

EXPORTED hipError_t hipSetDeviceFlags(unsigned flags)
{
	(void)flags;
	return hipSuccess;
}

EXPORTED hipError_t hipGetDeviceFlags(unsigned *flags) { return give((int *)flags, 0); }

EXPORTED hipError_t hipDeviceSetCacheConfig(hipFuncCache_t c)
{
	(void)c;
	return hipSuccess;
}

EXPORTED hipError_t hipDeviceGetCacheConfig(hipFuncCache_t *c) { return give((int *)c, hipFuncCachePreferNone); }

EXPORTED hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig c)
{
	(void)c;
	return hipSuccess;
}

EXPORTED hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig *c)
{
	return give((int *)c, hipSharedMemBankSizeFourByte);
}

static size_t limits[16];

EXPORTED hipError_t hipDeviceSetLimit(enum hipLimit_t which, size_t v)
{
	if ((u32)which >= COUNT(limits))
		return hip_done(hipErrorUnsupportedLimit);
	limits[which] = v;
	return hipSuccess;
}

EXPORTED hipError_t hipDeviceGetLimit(size_t *v, enum hipLimit_t which)
{
	if (!v || (u32)which >= COUNT(limits))
		return hip_done(v ? hipErrorUnsupportedLimit : hipErrorInvalidValue);
	*v = limits[which] ? limits[which] : which == hipLimitMallocHeapSize ? 8 << 20 : 1024;
	return hipSuccess;
}

EXPORTED hipError_t hipFuncSetCacheConfig(const void *f, hipFuncCache_t c)
{
	(void)f, (void)c;
	return hipSuccess;
}

EXPORTED hipError_t hipFuncSetSharedMemConfig(const void *f, hipSharedMemConfig c)
{
	(void)f, (void)c;
	return hipSuccess;
}

EXPORTED hipError_t hipDeviceCanAccessPeer(int *can, int d, int peer)
{
	(void)d, (void)peer;
	return give(can, 0);
}

EXPORTED hipError_t hipDeviceEnablePeerAccess(int peer, unsigned flags)
{
	(void)peer, (void)flags;
	return hip_done(hipErrorInvalidDevice);
}

EXPORTED hipError_t hipDeviceDisablePeerAccess(int peer)
{
	(void)peer;
	return hip_done(hipErrorPeerAccessNotEnabled);
}

/* ---- functions ---- */

static hipError_t known_function(const void *f)
{
	hip_lock();
	bool known = hip_function_of(f) != NULL;
	hip_unlock();
	return hip_done(known ? hipSuccess : hipErrorInvalidDeviceFunction);
}

/* Threads of a block at most, by the device and by __launch_bounds__. */
static int most_threads(const void *function, const char *call)
{
	int most = (int)device()->group;
	hip_lock();
	HipFunction *f = hip_function_of(function);
	int own = f && hip_function_load(f, call) ? (int)f->kernel->max_group : 0;
	hip_unlock();
	return own && own < most ? own : most;
}

EXPORTED hipError_t hipFuncSetAttribute(const void *f, hipFuncAttribute what, int v)
{
	if (what == hipFuncAttributeMaxDynamicSharedMemorySize && (v < 0 || (u32)v > device()->lds))
		return hip_done(hipErrorInvalidValue);
	return known_function(f);
}

/* Registers and the like are in the report of each launch. */
EXPORTED hipError_t hipFuncGetAttributes(struct hipFuncAttributes *out, const void *f)
{
	if (!out)
		return hip_done(hipErrorInvalidValue);
	*out = (struct hipFuncAttributes){.maxThreadsPerBlock = most_threads(f, "hipFuncGetAttributes"),
	                                  .maxDynamicSharedSizeBytes = (int)device()->lds};
	return known_function(f);
}

/* By threads and local memory; registers are only known when a launch was simulated. */
static int blocks_of(int threads, size_t shared)
{
	const HipDevice *d = device();
	if (threads < 1 || (u32)threads > d->group || shared > d->lds || !d->wave)
		return 0;
	u32 waves = ((u32)threads + d->wave - 1) / d->wave, n = d->waves * d->simds / waves;
	u32 by_lds = shared ? (u32)(d->lds / shared) : n;
	n = by_lds < n ? by_lds : n;
	return (int)(d->groups && n > d->groups ? d->groups : n);
}

static hipError_t occupancy(int *blocks, int threads, size_t shared)
{
	return give(blocks, blocks_of(threads, shared));
}

static hipError_t best_size(int *grid, int *block, const void *f, size_t shared, int limit)
{
	int most = most_threads(f, "hipOccupancyMaxPotentialBlockSize");
	if (!grid || !block)
		return hip_done(hipErrorInvalidValue);
	*block = limit > 0 && limit < most ? limit : most;
	*grid = blocks_of(*block, shared) * (int)device()->units;
	return hipSuccess;
}

EXPORTED hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *f, int threads, size_t shared)
{
	hipError_t e = known_function(f);
	return e == hipSuccess ? occupancy(blocks, threads, shared) : e;
}

EXPORTED hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *f, int threads,
                                                                          size_t shared, unsigned flags)
{
	(void)flags;
	return hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, f, threads, shared);
}

EXPORTED hipError_t hipOccupancyMaxPotentialBlockSize(int *grid, int *block, const void *f, size_t shared, int limit)
{
	hipError_t e = known_function(f);
	return e == hipSuccess ? best_size(grid, block, f, shared, limit) : e;
}

EXPORTED hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, hipFunction_t f, int threads,
                                                                       size_t shared)
{
	(void)f;
	return occupancy(blocks, threads, shared);
}

EXPORTED hipError_t hipModuleOccupancyMaxPotentialBlockSize(int *grid, int *block, hipFunction_t f, size_t shared,
                                                            int limit)
{
	return best_size(grid, block, f, shared, limit);
}

/* ---- contexts: there is one ---- */

static hipError_t the_context(hipCtx_t *c, hipDevice_t d)
{
	static char context;
	if (!c)
		return hip_done(hipErrorInvalidValue);
	*c = (hipCtx_t)(void *)&context;
	return is_there(d);
}

EXPORTED hipError_t hipCtxCreate(hipCtx_t *c, unsigned flags, hipDevice_t d)
{
	(void)flags;
	return the_context(c, d);
}

EXPORTED hipError_t hipDevicePrimaryCtxRetain(hipCtx_t *c, hipDevice_t d) { return the_context(c, d); }
EXPORTED hipError_t hipDevicePrimaryCtxRelease(hipDevice_t d) { return is_there(d); }
EXPORTED hipError_t hipCtxGetCurrent(hipCtx_t *c) { return the_context(c, 0); }
EXPORTED hipError_t hipCtxGetDevice(hipDevice_t *d) { return give(d, 0); }
EXPORTED hipError_t hipCtxPopCurrent(hipCtx_t *c) { return c ? the_context(c, 0) : hipSuccess; }

EXPORTED hipError_t hipCtxSetCurrent(hipCtx_t c)
{
	(void)c;
	return hipSuccess;
}

EXPORTED hipError_t hipCtxPushCurrent(hipCtx_t c)
{
	(void)c;
	return hipSuccess;
}

EXPORTED hipError_t hipCtxDestroy(hipCtx_t c)
{
	(void)c;
	return hipSuccess;
}
