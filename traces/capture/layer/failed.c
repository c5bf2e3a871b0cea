/* Calls that the driver refused: a program that launches nothing has its reason among them.
 *
 * A call may fail where no lock may be waited for (in a callback of the driver, while another thread keeps a launch),
 * so they are collected under `state` and written as soon as `capture` is free, at the latest when the program ends. */
#include "traces/capture/layer/layer.h"

enum { MOST = 20, MOST_TEXT = 240 };

static struct {
	CapFailed calls[MOST];
	u32 n, written;
} failed; /* n: under state; written: under capture */

void failed_write(void)
{
	layer_lock();
	u32 n = failed.n;
	layer_unlock();
	if (failed.written == n || !layer_writer())
		return;
	while (failed.written < n)
		cap_put_failed(layer.file.writer, &failed.calls[failed.written++]);
}

cl_int failed_call(const char *call, const char *about, cl_int e)
{
	if (e == CL_SUCCESS || !layer.recording)
		return e;
	layer_lock();
	bool known = failed.n == MOST;
	for (u32 i = 0; i < failed.n && !known; i++) {
		const CapFailed *k = &failed.calls[i];
		known = !strcmp(k->call, call) && k->error == (u32)-e && !strcmp(k->about, about ? about : "");
	}
	if (!known) {
		char text[MOST_TEXT];
		snprintf(text, sizeof text, "%s", about ? about : "");
		failed.calls[failed.n++] = (CapFailed){call, xstrdup(text), (u32)-e};
	}
	layer_unlock();
	if (!known && !pthread_mutex_trylock(&layer.capture)) {
		if (layer.recording)
			failed_write();
		pthread_mutex_unlock(&layer.capture);
	}
	return e;
}

/* The first error in the log of a build, or NULL. */
static char *first_error(cl_program p, cl_device_id device)
{
	size_t n = 0;
	const cl_icd_dispatch *t = layer.target;
	if (!device)
		t->clGetProgramInfo(p, CL_PROGRAM_DEVICES, sizeof device, &device, &n); /* of one device, as most are */
	if (!device || t->clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &n) != CL_SUCCESS || !n)
		return NULL;
	char *log = xcalloc(n + 1, 1);
	t->clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, n, log, NULL);
	char *at = strstr(log, "error:");
	if (at) {
		at[strcspn(at, "\n")] = '\0';
		at += strlen("error:");
		at += *at == ' ';
		if (*at == '/')
			at += strcspn(at, ":"); /* PoCL's own file */
		at += *at == ':';
		memmove(log, at, strlen(at) + 1);
	}
	if (!at)
		*log = '\0';
	return log;
}

cl_int failed_build(const char *call, cl_program p, cl_uint n, const cl_device_id *devices, cl_int e)
{
	if (e == CL_SUCCESS || !layer.recording)
		return e;
	char *log = p && e != CL_INVALID_PROGRAM ? first_error(p, n && devices ? devices[0] : NULL) : NULL;
	failed_call(call, log, e);
	free(log);
	return e;
}

cl_context layer_clCreateContext(const cl_context_properties *properties, cl_uint n, const cl_device_id *devices,
                                 void (CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user,
                                 cl_int *e)
{
	cl_int why = CL_SUCCESS;
	cl_context c = layer.target->clCreateContext(properties, n, devices, notify, user, &why);
	if (!c)
		failed_call("clCreateContext", NULL, why);
	if (e)
		*e = why;
	return c;
}
