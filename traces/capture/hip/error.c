/* Errors of HIP: the last one of each thread, names and texts. */
#include "traces/capture/hip/hip.h"

static _Thread_local hipError_t last;

hipError_t hip_done(hipError_t e)
{
	if (e != hipSuccess && e != hipErrorNotReady)
		last = e;
	return e;
}

void hip_say(const char *call, const char *format, ...)
{
	va_list ap;
	Buf b = {0};
	va_start(ap, format);
	buf_vprintf(&b, format, ap);
	va_end(ap);
	fflush(stdout);
	fprintf(stderr, "wavesim: %s: %s\n", call, b.v);
	array_free(&b);
}

hipError_t hip_absent(const char *call)
{
	static struct {
		const char *call;
	} said[64];
	static u32 n;
	hip_lock();
	bool known = false;
	for (u32 i = 0; i < n; i++)
		known |= said[i].call == call;
	if (!known && n < COUNT(said))
		said[n++].call = call;
	hip_unlock();
	if (!known)
		hip_say(call, "wavesim's HIP run time does not have it: hipErrorNotSupported");
	return hip_done(hipErrorNotSupported);
}

EXPORTED hipError_t hipGetLastError(void)
{
	hipError_t e = last;
	last = hipSuccess;
	return e;
}

EXPORTED hipError_t hipPeekAtLastError(void) { return last; }

#define ERRORS(X) \
	X(hipSuccess, "no error") \
	X(hipErrorInvalidValue, "invalid argument") \
	X(hipErrorOutOfMemory, "out of memory") \
	X(hipErrorNotInitialized, "initialization error") \
	X(hipErrorDeinitialized, "driver shutting down") \
	X(hipErrorInvalidConfiguration, "invalid configuration argument") \
	X(hipErrorInvalidPitchValue, "invalid pitch argument") \
	X(hipErrorInvalidSymbol, "invalid device symbol") \
	X(hipErrorInvalidDevicePointer, "invalid device pointer") \
	X(hipErrorInvalidMemcpyDirection, "invalid copy direction for memcpy") \
	X(hipErrorMissingConfiguration, "__global__ function call is not configured") \
	X(hipErrorPriorLaunchFailure, "unspecified launch failure in prior launch") \
	X(hipErrorInvalidDeviceFunction, "invalid device function") \
	X(hipErrorNoDevice, "no ROCm-capable device is detected") \
	X(hipErrorInvalidDevice, "invalid device ordinal") \
	X(hipErrorInvalidImage, "device kernel image is invalid") \
	X(hipErrorInvalidContext, "invalid device context") \
	X(hipErrorNoBinaryForGpu, "no kernel image is available for execution on the device") \
	X(hipErrorUnsupportedLimit, "limit is not supported on this architecture") \
	X(hipErrorPeerAccessUnsupported, "peer access is not supported between these two devices") \
	X(hipErrorFileNotFound, "file not found") \
	X(hipErrorOperatingSystem, "OS call failed or operation not supported on this OS") \
	X(hipErrorInvalidHandle, "invalid resource handle") \
	X(hipErrorNotFound, "named symbol not found") \
	X(hipErrorNotReady, "device not ready") \
	X(hipErrorIllegalAddress, "an illegal memory access was encountered") \
	X(hipErrorLaunchOutOfResources, "too many resources requested for launch") \
	X(hipErrorPeerAccessAlreadyEnabled, "peer access is already enabled") \
	X(hipErrorPeerAccessNotEnabled, "peer access has not been enabled") \
	X(hipErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped") \
	X(hipErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region") \
	X(hipErrorLaunchFailure, "unspecified launch failure") \
	X(hipErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch") \
	X(hipErrorNotSupported, "operation not supported") \
	X(hipErrorUnknown, "unknown error")

static const struct {
	hipError_t e;
	const char *name, *text;
} errors[] = {
#define X_ERROR(name, text) {name, #name, text},
	ERRORS(X_ERROR)
};

EXPORTED const char *hipGetErrorName(hipError_t e)
{
	for (u32 i = 0; i < COUNT(errors); i++)
		if (errors[i].e == e)
			return errors[i].name;
	return "hipErrorUnknown";
}

EXPORTED const char *hipGetErrorString(hipError_t e)
{
	for (u32 i = 0; i < COUNT(errors); i++)
		if (errors[i].e == e)
			return errors[i].text;
	return "unknown error";
}
