/* Launches: what the program gives becomes a kernel, sizes and the bytes of its arguments, and runs at once. */
#include "traces/capture/hip/hip.h"

/* ---- one launch ---- */

static hipError_t check(const HipLaunch *l)
{
	const u32 grid[] = {l->grid.x, l->grid.y, l->grid.z}, block[] = {l->block.x, l->block.y, l->block.z};
	u64 threads = 1;
	for (u32 i = 0; i < 3; i++) {
		threads *= block[i];
		if (!grid[i] || !block[i] || block[i] > 1024 || (u64)grid[i] * block[i] > UINT32_MAX)
			return hipErrorInvalidConfiguration;
	}
	if (threads > hip.device.group)
		return hipErrorInvalidConfiguration;
	if (l->shared <= hip.device.lds)
		return hipSuccess;
	hip_say(l->call, "%llu bytes of dynamic local memory; a block of this device has at most %u",
	        (unsigned long long)l->shared, hip.device.lds);
	return hipErrorInvalidValue;
}

/* As HIP refuses it. */
static hipError_t check_bounds(const HipLaunch *l)
{
	u64 threads = (u64)l->block.x * l->block.y * l->block.z;
	u32 most = l->f->kernel->max_group;
	if (!most || threads <= most)
		return hipSuccess;
	hip_say(
	    l->call,
	    "kernel '%s' is compiled for blocks of at most %u threads (__launch_bounds__), not of %llu: launch smaller "
	    "blocks, or raise its __launch_bounds__",
	    l->f->kernel->name, most, (unsigned long long)threads);
	return hipErrorLaunchFailure;
}

/* A kernel that crashed leaves a device that cannot be used; one that cannot run here says so. */
static hipError_t run(const HipLaunch *l)
{
	Arena *a = arena_new();
	GpuTalk t = {.kind = GPU_LAUNCH,
	             .module = l->f->module->number,
	             .symbol = l->f->kernel->name,
	             .grid = {l->grid.x, l->grid.y, l->grid.z},
	             .block = {l->block.x, l->block.y, l->block.z},
	             .shared = l->shared,
	             .values = l->values,
	             .nvalues = l->f->kernel->nparams,
	             .seconds = hip.seconds};
	HipRecord *r = hip_record_begin(l);
	bool ok = hip_talk(&t, a), launched = t.launched;
	if (!ok && !t.cut) {
		hip_say(l->call, "kernel '%s': %s", l->f->kernel->name, t.why);
		hip.failed = launched ? hipErrorLaunchFailure : hipErrorNotSupported;
	}
	hip_record_end(r, l, t.ns, ok ? NULL : t.why);
	arena_free(a);
	return ok || launched ? hipSuccess : hipErrorNotSupported;
}

hipError_t hip_launch(const HipLaunch *l)
{
	hip_lock();
	hipError_t e = hip.failed == hipErrorLaunchFailure ? hip.failed : run(l);
	hip_unlock();
	return e;
}

/* ---- what a launch names ---- */

/* Arguments one by one, or the bytes of all of them, n in a block. */
typedef struct Given {
	void **args;
	const u8 *packed;
	u64 npacked;
} Given;

static bool given_of(Given *g, void **args, void **extra)
{
	*g = (Given){.args = args};
	for (u32 i = 0; extra && extra[i] != HIP_LAUNCH_PARAM_END; i += 2) {
		if (extra[i] == HIP_LAUNCH_PARAM_BUFFER_POINTER)
			g->packed = extra[i + 1];
		else if (extra[i] == HIP_LAUNCH_PARAM_BUFFER_SIZE)
			g->npacked = *(const size_t *)extra[i + 1];
		else
			return false;
	}
	return true;
}

/* In a block arguments lie as the members of a struct do. */
static bool gather(HipLaunch *l, const Given *g)
{
	const GpuKernel *k = l->f->kernel;
	u64 at = 0;
	l->values = ARENA_ARRAY(l->arena, GpuValue, k->nparams);
	l->args = ARENA_ARRAY(l->arena, void *, k->nparams + 1);
	for (u32 i = 0; i < k->nparams; i++) {
		const GpuParam *p = &k->params[i];
		at = p->align ? (at + p->align - 1) / p->align * p->align : at;
		const u8 *from = g->args ? g->args[i] : g->packed && at + p->size <= g->npacked ? g->packed + at : NULL;
		if (!from)
			return false;
		l->args[i] = arena_alloc(l->arena, p->size);
		memcpy(l->args[i], from, p->size);
		l->values[i] = (GpuValue){l->args[i], p->size};
		at += p->size;
	}
	return true;
}

hipError_t hip_launch_new(HipLaunch *l, const char *call, const hipKernelNodeParams *p)
{
	Given g;
	*l = (HipLaunch){.call = call, .given = p->func, .grid = p->gridDim, .block = p->blockDim,
	                 .shared = p->sharedMemBytes, .arena = arena_new()};
	hip_lock();
	HipFunction *f = hip_function_of(p->func);
	l->f = f;
	hipError_t e = !f                                    ? hipErrorInvalidDeviceFunction
	               : hip.failed == hipErrorLaunchFailure ? hip.failed
	                                                     : check(l);
	if (e == hipSuccess)
		e = hip_function_load(f, call) ? check_bounds(l) : hipErrorNoBinaryForGpu;
	if (e == hipSuccess && !(given_of(&g, p->kernelParams, p->extra) && gather(l, &g)))
		e = hipErrorInvalidValue;
	hip_unlock();
	return e;
}

HipLaunch hip_launch_copy(const HipLaunch *l)
{
	HipLaunch c = *l;
	c.arena = arena_new();
	gather(&c, &(Given){.args = l->args});
	return c;
}

void hip_launch_free(HipLaunch *l) { arena_free(l->arena); }

/* ---- the calls ---- */

static hipError_t launch(const char *call, hipStream_t s, const hipKernelNodeParams *p)
{
	HipCommand c = {.type = hipGraphNodeTypeKernel};
	hipError_t e = hip_launch_new(&c.launch, call, p);
	e = e == hipSuccess ? hip_command(s, &c) : hip_done(e);
	hip_launch_free(&c.launch);
	return e;
}

static hipError_t launch_host(const char *call, hipStream_t s, const void *f, dim3 grid, dim3 block, void **args,
                              size_t shared)
{
	if (shared > UINT32_MAX)
		return hip_done(hipErrorInvalidValue);
	return launch(call, s, &(hipKernelNodeParams){.func = (void *)(uintptr_t)f, .gridDim = grid, .blockDim = block,
	                                              .kernelParams = args, .sharedMemBytes = (u32)shared});
}

EXPORTED hipError_t hipLaunchKernel(const void *f, dim3 grid, dim3 block, void **args, size_t shared, hipStream_t s)
{
	return launch_host("hipLaunchKernel", s, f, grid, block, args, shared);
}

EXPORTED hipError_t hipExtLaunchKernel(const void *f, dim3 grid, dim3 block, void **args, size_t shared, hipStream_t s,
                                       hipEvent_t start, hipEvent_t stop, int flags)
{
	(void)flags;
	if (start)
		hipEventRecord(start, s);
	hipError_t e = launch_host("hipExtLaunchKernel", s, f, grid, block, args, shared);
	if (stop)
		hipEventRecord(stop, s);
	return e;
}

/* Its blocks do not run at once; a kernel that has them wait for each other is refused when it is compiled. */
EXPORTED hipError_t hipLaunchCooperativeKernel(const void *f, dim3 grid, dim3 block, void **args, unsigned shared,
                                               hipStream_t s)
{
	return launch_host("hipLaunchCooperativeKernel", s, f, grid, block, args, shared);
}

EXPORTED hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                          unsigned by, unsigned bz, unsigned shared, hipStream_t s, void **args,
                                          void **extra)
{
	return launch("hipModuleLaunchKernel", s,
	              &(hipKernelNodeParams){.func = f, .gridDim = {gx, gy, gz}, .blockDim = {bx, by, bz},
	                                     .kernelParams = args, .extra = extra, .sharedMemBytes = shared});
}

/* ---- kernel<<<grid, block>>>() ---- */

typedef struct Configured {
	dim3 grid, block;
	size_t shared;
	hipStream_t stream;
} Configured;
enum { DEEPEST = 16 };
static _Thread_local Configured configured[DEEPEST];
static _Thread_local u32 depth;

EXPORTED hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared, hipStream_t s)
{
	if (depth == DEEPEST)
		return hip_done(hipErrorInvalidConfiguration);
	configured[depth++] = (Configured){grid, block, shared, s};
	return hipSuccess;
}

EXPORTED hipError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, hipStream_t *s)
{
	if (!depth)
		return hip_done(hipErrorMissingConfiguration);
	const Configured *c = &configured[--depth];
	*grid = c->grid;
	*block = c->block;
	*shared = c->shared;
	*s = c->stream;
	return hipSuccess;
}
