/* Launches that must not be waited for.
 *
 * A launch may wait for an event that the program itself completes later, or be made inside an event
 * callback: waiting here would stop the program for good. The reads around it are enqueued with it
 * instead, chained by events,
 *
 *   the program's events -> read all objects -> kernel -> read all objects
 *
 * into memory that is held until all of it is complete, which is looked at whenever the program waits
 * for something, launches, or ends. In a queue without order a barrier keeps what comes later from
 * overtaking the second reads. Commands of other queues that wait for the kernel's event only could
 * overtake them; of that program, what the launch left may be recorded wrongly, nothing else changes. */
#include "traces/capture/layer/layer.h"

/* Memory held in all; a launch beyond it is passed on. */
#define MOST_BYTES ((u64)1 << 30)

typedef struct Later {
	Capture *capture;
	cl_event kernel;
	ARRAY(cl_event) events; /* of all reads, and of the kernel */
	u8 **before, **after;   /* of each object */
	u64 bytes;
	struct Later *next;
} Later;

/* ---- beginning ---- */

static bool hold_memory(Later *l)
{
	Capture *c = l->capture;
	l->before = ARENA_ARRAY(c->arena, u8 *, c->reach.n);
	l->after = ARENA_ARRAY(c->arena, u8 *, c->reach.n);
	for (u32 i = 0; i < c->reach.n; i++) {
		u64 size = c->reach.v[i].object.size;
		if (c->reach.v[i].missing)
			c->why = c->reach.v[i].missing;
		if (c->why || size > MOST_BYTES || layer.later_bytes + l->bytes + 2 * size > MOST_BYTES)
			return false;
		l->bytes += 2 * size;
		l->before[i] = malloc(size + 1);
		l->after[i] = malloc(size + 1);
		if (!l->before[i] || !l->after[i])
			return false;
	}
	return true;
}

static void free_later(Later *l)
{
	const cl_icd_dispatch *t = layer.target;
	for (u32 i = 0; i < l->capture->reach.n; i++) {
		free(l->before[i]);
		free(l->after[i]);
	}
	for (u32 i = 0; layer.recording && i < l->events.n; i++) /* when the program ends the driver may refuse it */
		t->clReleaseEvent(l->events.v[i]);
	array_free(&l->events);
	launch_free(l->capture);
	free(l);
}

/* Reads of all objects; what cannot be read makes the launch one that is not kept. */
static void begin_reads(Later *l, u8 *const *into, cl_uint nwait, const cl_event *wait)
{
	Capture *c = l->capture;
	for (u32 i = 0; i < c->reach.n && !c->why; i++) {
		cl_event done = NULL;
		cl_int e = reach_read_later(c, &c->reach.v[i], into[i], nwait, wait, &done);
		if (e == CL_SUCCESS)
			array_push(&l->events, done);
		else
			c->why = arena_printf(c->arena, "its memory cannot be read: OpenCL error %d", e);
	}
}

static bool without_order(cl_command_queue q)
{
	cl_command_queue_properties p = 0;
	layer.target->clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES, sizeof p, &p, NULL);
	return p & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
}

static void enlist(Later *l)
{
	layer_lock();
	l->next = layer.later;
	layer.later = l;
	layer.later_bytes += l->bytes;
	layer_unlock();
}

cl_int later_start(Capture *c, const Call *k)
{
	const cl_icd_dispatch *t = layer.target;
	Later *l = xcalloc(1, sizeof *l);
	l->capture = c;
	layer_lock();
	bool held = hold_memory(l);
	layer_unlock();
	if (!held && !c->why)
		c->why = "too much memory would be held for launches that wait";
	begin_reads(l, l->before, k->nwait, k->wait);
	u32 first = l->events.n;
	cl_event *wait = ARENA_ARRAY(c->arena, cl_event, k->nwait + first + 1);
	if (k->nwait)
		memcpy(wait, k->wait, k->nwait * sizeof *wait);
	if (first)
		memcpy(wait + k->nwait, l->events.v, first * sizeof *wait);
	Call own = *k;
	own.nwait = k->nwait + first;
	own.wait = own.nwait ? wait : NULL;
	cl_int e = pass_on(&own, k->local, &l->kernel);
	if (e == CL_SUCCESS) {
		array_push(&l->events, l->kernel);
		begin_reads(l, l->after, 1, &l->kernel);
		if (l->events.n > first + 1 && without_order(k->queue))
			t->clEnqueueBarrierWithWaitList(k->queue, l->events.n - first, l->events.v + first, NULL);
		if (k->event) {
			t->clRetainEvent(l->kernel);
			*k->event = l->kernel;
		}
	} else {
		c->why = "it failed";
		l->kernel = NULL;
	}
	enlist(l);
	return e;
}

/* ---- ending ---- */

/* Is all of it done? *failed: a command of it failed. */
static bool complete(const Later *l, bool *failed)
{
	*failed = false;
	for (u32 i = 0; i < l->events.n; i++) {
		cl_int status = CL_QUEUED;
		layer.target->clGetEventInfo(l->events.v[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
		                             NULL);
		if (status > CL_COMPLETE)
			return false;
		*failed |= status < 0;
	}
	return true;
}

static u32 content_of(const u8 *bytes, u64 n)
{
	cap_content_begin(layer.file.writer);
	cap_content_add(layer.file.writer, bytes, n);
	return cap_content_end(layer.file.writer);
}

static void write_one(Later *l)
{
	Capture *c = l->capture;
	if (!launch_begin(c))
		return;
	if (!c->why && cap_full(layer.file.writer))
		c->why = "the file has reached its limit (--limit)";
	for (u32 i = 0; i < c->reach.n && launch_is_kept(c); i++) {
		CapObject *o = &c->reach.v[i].object;
		o->before = content_of(l->before[i], o->size);
		o->after = content_of(l->after[i], o->size);
	}
	launch_end(c, l->kernel);
}

/* Take those that are complete out of the list. */
static Later *take_complete(void)
{
	Later *done = NULL;
	layer_lock();
	Later *all = layer.later;
	layer.later = NULL;
	layer_unlock();
	while (all) {
		Later *l = all, **to = &done;
		bool failed;
		all = l->next;
		bool yes = complete(l, &failed);
		if (yes && failed && !l->capture->why)
			l->capture->why = "its execution failed";
		layer_lock();
		if (!yes)
			to = &layer.later;
		else
			layer.later_bytes -= l->bytes;
		l->next = *to;
		*to = l;
		layer_unlock();
	}
	return done;
}

void later_write(void)
{
	if (!__atomic_load_n(&layer.later, __ATOMIC_RELAXED))
		return;
	for (Later *l = take_complete(), *next; l; l = next) {
		next = l->next;
		if (l->kernel)
			write_one(l);
		free_later(l);
	}
}

void later_give_up(void)
{
	layer_lock();
	Later *all = layer.later;
	layer_unlock();
	for (Later *l = all; l; l = l->next) { /* they stay: the driver may still write to their memory */
		l->capture->why = "the program ended before it was complete";
		if (l->kernel)
			write_one(l);
	}
}

/* The program has waited: look whether something is complete, but do not wait for another thread. */
static void look(void)
{
	if (!__atomic_load_n(&layer.later, __ATOMIC_RELAXED) || layer_in_callback ||
	    pthread_mutex_trylock(&layer.capture))
		return;
	if (layer.recording)
		later_write();
	pthread_mutex_unlock(&layer.capture);
}

cl_int layer_clFinish(cl_command_queue q)
{
	cl_int e = layer.target->clFinish(q);
	look();
	return e;
}

cl_int layer_clWaitForEvents(cl_uint n, const cl_event *events)
{
	cl_int e = layer.target->clWaitForEvents(n, events);
	look();
	return e;
}
