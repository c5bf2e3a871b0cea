/* Queues, made so that events have times; the program does not see that. */
#include "traces/capture/layer/layer.h"

/* asked: the properties that the program gave, n words, where others were used. */
static void note_queue(cl_command_queue q, bool forced, const cl_queue_properties *asked, u32 n)
{
	if (!q || !layer.recording)
		return;
	layer_lock();
	LayerQueue *known = thing_add(THING_QUEUE, q, sizeof *known);
	known->forced = forced;
	known->nasked = n;
	if (n)
		memcpy(known->asked, asked, n * sizeof *asked);
	layer_unlock();
}

cl_command_queue layer_clCreateCommandQueue(cl_context context, cl_device_id device,
                                            cl_command_queue_properties properties, cl_int *e)
{
	bool force = layer.recording && !(properties & CL_QUEUE_PROFILING_ENABLE);
	cl_command_queue q = NULL;
	cl_int why = CL_SUCCESS;
	e = e ? e : &why;
	if (force)
		q = layer.target->clCreateCommandQueue(context, device, properties | CL_QUEUE_PROFILING_ENABLE, e);
	bool forced = q != NULL;
	if (!q)
		q = layer.target->clCreateCommandQueue(context, device, properties, e);
	if (!q)
		failed_call("clCreateCommandQueue", NULL, *e);
	note_queue(q, forced, NULL, 0);
	return q;
}

/* The program's properties, n words, and profiling. */
static void with_profiling(const cl_queue_properties *from, u32 n, cl_queue_properties flags,
                           cl_queue_properties out[QUEUE_PROPERTIES + 3])
{
	u32 k = 0;
	out[k++] = CL_QUEUE_PROPERTIES;
	out[k++] = flags | CL_QUEUE_PROFILING_ENABLE;
	for (u32 i = 0; i < n; i += 2) {
		if (from[i] == CL_QUEUE_PROPERTIES)
			continue;
		out[k++] = from[i];
		out[k++] = from[i + 1];
	}
	out[k] = 0;
}

cl_command_queue layer_clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                          const cl_queue_properties *properties, cl_int *e)
{
	cl_queue_properties with[QUEUE_PROPERTIES + 3], flags = 0;
	u32 n = 0;
	cl_command_queue q = NULL;
	cl_int why = CL_SUCCESS;
	e = e ? e : &why;
	for (; properties && properties[n] && n < QUEUE_PROPERTIES; n += 2)
		if (properties[n] == CL_QUEUE_PROPERTIES)
			flags = properties[n + 1];
	if (layer.recording && n < QUEUE_PROPERTIES && !(flags & (CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_ON_DEVICE))) {
		with_profiling(properties, n, flags, with);
		q = layer.target->clCreateCommandQueueWithProperties(context, device, with, e);
	}
	bool forced = q != NULL;
	if (!q)
		q = layer.target->clCreateCommandQueueWithProperties(context, device, properties, e);
	if (!q)
		failed_call("clCreateCommandQueueWithProperties", NULL, *e);
	note_queue(q, forced, properties, forced && properties ? n + 1 : 0);
	return q;
}

/* The properties that the program asked for. */
cl_int layer_clGetCommandQueueInfo(cl_command_queue q, cl_command_queue_info what, size_t size, void *value,
                                   size_t *needed)
{
	LayerQueue queue = {0};
	cl_int e = layer.target->clGetCommandQueueInfo(q, what, size, value, needed);
	layer_lock();
	const LayerQueue *known = (LayerQueue *)thing_find(THING_QUEUE, q);
	if (known)
		queue = *known;
	layer_unlock();
	if (queue.forced && what == CL_QUEUE_PROPERTIES && e == CL_SUCCESS && value)
		*(cl_command_queue_properties *)value &= ~(cl_command_queue_properties)CL_QUEUE_PROFILING_ENABLE;
	if (!queue.forced || what != CL_QUEUE_PROPERTIES_ARRAY)
		return e;
	size_t bytes = queue.nasked * sizeof *queue.asked;
	if (value && size < bytes)
		return CL_INVALID_VALUE;
	if (value && bytes)
		memcpy(value, queue.asked, bytes);
	if (needed)
		*needed = bytes;
	return CL_SUCCESS;
}
