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

/* Is it the first call of that function? */
static bool first_call(const char *call)
{
	static const char *said[64];
	static u32 n;
	hip_lock();
	bool known = false;
	for (u32 i = 0; i < n; i++)
		known |= said[i] == call;
	if (!known && n < COUNT(said))
		said[n++] = call;
	hip_unlock();
	return !known;
}

hipError_t hip_absent(const char *call)
{
	if (first_call(call))
		hip_say(call, "wavesim's HIP run time does not support this function; it returns hipErrorNotSupported");
	return hip_done(hipErrorNotSupported);
}

/* Of hiprtc, which is of HIP's library, too. */
enum { HIPRTC_INTERNAL_ERROR = 11 };

int hip_absent_linker(const char *call)
{
	if (first_call(call))
		hip_say(call,
		        "wavesim's HIP run time does not link code of hiprtc; it returns HIPRTC_ERROR_INTERNAL_ERROR\n"
		        "  hint: compile one source that has all of it");
	return HIPRTC_INTERNAL_ERROR;
}

EXPORTED hipError_t hipGetLastError(void)
{
	hipError_t e = last;
	last = hipSuccess;
	return e;
}

EXPORTED hipError_t hipPeekAtLastError(void) { return last; }

#define ERRORS(X) \
	X(hipSuccess) X(hipErrorInvalidValue) X(hipErrorOutOfMemory) X(hipErrorNotInitialized) \
	X(hipErrorDeinitialized) X(hipErrorInvalidConfiguration) X(hipErrorInvalidPitchValue) \
	X(hipErrorInvalidSymbol) X(hipErrorInvalidDevicePointer) X(hipErrorInvalidMemcpyDirection) \
	X(hipErrorMissingConfiguration) X(hipErrorPriorLaunchFailure) X(hipErrorInvalidDeviceFunction) \
	X(hipErrorNoDevice) X(hipErrorInvalidDevice) X(hipErrorInvalidImage) X(hipErrorInvalidContext) \
	X(hipErrorNoBinaryForGpu) X(hipErrorUnsupportedLimit) X(hipErrorPeerAccessUnsupported) \
	X(hipErrorFileNotFound) X(hipErrorOperatingSystem) X(hipErrorInvalidHandle) X(hipErrorNotFound) \
	X(hipErrorNotReady) X(hipErrorIllegalAddress) X(hipErrorLaunchOutOfResources) \
	X(hipErrorPeerAccessAlreadyEnabled) X(hipErrorPeerAccessNotEnabled) \
	X(hipErrorHostMemoryAlreadyRegistered) X(hipErrorHostMemoryNotRegistered) X(hipErrorLaunchFailure) \
	X(hipErrorCooperativeLaunchTooLarge) X(hipErrorNotSupported) X(hipErrorIllegalState) \
	X(hipErrorGraphExecUpdateFailure) X(hipErrorStreamCaptureUnsupported) X(hipErrorStreamCaptureInvalidated) \
	X(hipErrorStreamCaptureMerge) X(hipErrorStreamCaptureUnmatched) X(hipErrorStreamCaptureUnjoined) \
	X(hipErrorStreamCaptureIsolation) X(hipErrorStreamCaptureImplicit) X(hipErrorCapturedEvent) \
	X(hipErrorStreamCaptureWrongThread)

EXPORTED const char *hipGetErrorName(hipError_t e)
{
#define X_ERROR(name) case name: return #name;
	switch (e) {
	ERRORS(X_ERROR)
	default: return "hipErrorUnknown";
	}
}

/* Programs print it; the name says as much as a sentence. */
EXPORTED const char *hipGetErrorString(hipError_t e) { return hipGetErrorName(e); }
