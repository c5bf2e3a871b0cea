/* Streams and events. What was asked of a stream is done, so they wait for nothing; an event keeps when it was
 * recorded, by this machine's clock: what lies between two is what the program's own work and the native runs of its
 * kernels took here, and no time of a GPU's. */
#include "traces/capture/hip/hip.h"

static hipError_t known(const void *handle) { return hip_done(handle ? hipSuccess : hipErrorInvalidHandle); }

/* A kernel that ended badly is heard of wherever the program waits. */
static hipError_t waited(void)
{
	hip_lock();
	hipError_t e = hip.failed;
	hip_unlock();
	return hip_done(e);
}

EXPORTED hipError_t hipStreamCreateWithPriority(hipStream_t *s, unsigned flags, int priority)
{
	if (!s)
		return hip_done(hipErrorInvalidValue);
	*s = xcalloc(1, sizeof **s);
	(*s)->flags = flags;
	(*s)->priority = priority;
	return hipSuccess;
}

EXPORTED hipError_t hipStreamCreate(hipStream_t *s) { return hipStreamCreateWithPriority(s, 0, 0); }

EXPORTED hipError_t hipStreamCreateWithFlags(hipStream_t *s, unsigned flags)
{
	return hipStreamCreateWithPriority(s, flags, 0);
}

EXPORTED hipError_t hipStreamDestroy(hipStream_t s)
{
	if (!hip_is_own(s))
		return hip_done(hipErrorInvalidHandle);
	hip_capture_forget(s);
	array_free(&s->last);
	free(s);
	return hipSuccess;
}

EXPORTED hipError_t hipStreamSynchronize(hipStream_t s)
{
	return hip_capture_broken(s) ? hip_done(hipErrorStreamCaptureUnsupported) : waited();
}

EXPORTED hipError_t hipDeviceSynchronize(void)
{
	return hip_capture_implicit() ? hip_done(hipErrorStreamCaptureUnsupported) : waited();
}

EXPORTED hipError_t hipCtxSynchronize(void) { return hipDeviceSynchronize(); }
EXPORTED hipError_t hipStreamQuery(hipStream_t s) { return hipStreamSynchronize(s); }

EXPORTED hipError_t hipStreamWaitEvent(hipStream_t s, hipEvent_t e, unsigned flags)
{
	(void)flags;
	return e ? hip_done(hip_capture_wait(s, e)) : known(e);
}

EXPORTED hipError_t hipStreamGetFlags(hipStream_t s, unsigned *flags)
{
	if (!flags)
		return hip_done(hipErrorInvalidValue);
	*flags = hip_is_own(s) ? s->flags : 0;
	return hipSuccess;
}

EXPORTED hipError_t hipStreamGetPriority(hipStream_t s, int *priority)
{
	if (!priority)
		return hip_done(hipErrorInvalidValue);
	*priority = hip_is_own(s) ? s->priority : 0;
	return hipSuccess;
}

EXPORTED hipError_t hipDeviceGetStreamPriorityRange(int *least, int *greatest)
{
	if (least)
		*least = 1;
	if (greatest)
		*greatest = -1;
	return hipSuccess;
}

EXPORTED hipError_t hipStreamAddCallback(hipStream_t s, hipStreamCallback_t f, void *user, unsigned flags)
{
	if (!f || flags)
		return hip_done(hipErrorInvalidValue);
	if (hip_capture_broken(s))
		return hip_done(hipErrorStreamCaptureUnsupported);
	f(s, hipSuccess, user);
	return hipSuccess;
}

extern hipError_t hipLaunchHostFunc(hipStream_t s, void (*f)(void *), void *user);
EXPORTED hipError_t hipLaunchHostFunc(hipStream_t s, void (*f)(void *), void *user)
{
	if (!f)
		return hip_done(hipErrorInvalidValue);
	return hip_command(s, &(HipCommand){.type = hipGraphNodeTypeHost, .host = {f, user}});
}

/* ---- events ---- */

EXPORTED hipError_t hipEventCreateWithFlags(hipEvent_t *e, unsigned flags)
{
	if (!e)
		return hip_done(hipErrorInvalidValue);
	*e = xcalloc(1, sizeof **e);
	(*e)->flags = flags;
	(*e)->users = 1;
	return hipSuccess;
}

EXPORTED hipError_t hipEventCreate(hipEvent_t *e) { return hipEventCreateWithFlags(e, 0); }

hipEvent_t hip_event_keep(hipEvent_t e)
{
	__atomic_add_fetch(&e->users, 1, __ATOMIC_RELAXED);
	return e;
}

void hip_event_free(hipEvent_t e)
{
	if (__atomic_sub_fetch(&e->users, 1, __ATOMIC_ACQ_REL))
		return;
	array_free(&e->last);
	free(e);
}

EXPORTED hipError_t hipEventDestroy(hipEvent_t e)
{
	if (e)
		hip_event_free(e);
	return known(e);
}

EXPORTED hipError_t hipEventRecord(hipEvent_t e, hipStream_t s)
{
	if (e && !hip_capture_event(e, s))
		e->seconds = seconds_now();
	return known(e);
}

EXPORTED hipError_t hipEventSynchronize(hipEvent_t e)
{
	return e && hip_captured(e) ? hip_done(hipErrorCapturedEvent) : e ? waited() : known(e);
}

EXPORTED hipError_t hipEventQuery(hipEvent_t e)
{
	return e && hip_captured(e) ? hip_done(hipErrorCapturedEvent) : known(e);
}

EXPORTED hipError_t hipEventElapsedTime(float *ms, hipEvent_t from, hipEvent_t to)
{
	if (!ms)
		return hip_done(hipErrorInvalidValue);
	if (!from || !to || from->seconds == 0 || to->seconds == 0 ||
	    ((from->flags | to->flags) & hipEventDisableTiming))
		return hip_done(hipErrorInvalidHandle);
	*ms = (float)((to->seconds - from->seconds) * 1e3);
	return hipSuccess;
}
