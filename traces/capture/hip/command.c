/* What a program asks of a stream: it is done at once, or, while the stream is captured, kept as a node of a graph.
 *
 * A capture begins on one stream. Others join it when they wait for an event that was recorded in it, and each stream
 * knows after which nodes its next one comes. */
#include "traces/capture/hip/hip.h"

static ARRAY(HipCapture *) captures;

/* ---- commands ---- */

hipError_t hip_command_run(const HipCommand *c)
{
	switch (c->type) {
	case hipGraphNodeTypeKernel: return hip_launch(&c->launch);
	case hipGraphNodeTypeMemcpy: return hip_copy(&c->copy);
	case hipGraphNodeTypeMemset: return hip_fill(&c->fill);
	case hipGraphNodeTypeHost: c->host.fn(c->host.userData); return hipSuccess;
	case hipGraphNodeTypeGraph: return hip_graph_run(c->graph);
	case hipGraphNodeTypeEventRecord: c->event->seconds = seconds_now(); return hipSuccess;
	default: return hipSuccess; /* an empty one, or the wait for an event */
	}
}

static bool has_event(const HipCommand *c)
{
	return c->type == hipGraphNodeTypeEventRecord || c->type == hipGraphNodeTypeWaitEvent;
}

HipCommand hip_command_copy(const HipCommand *c)
{
	HipCommand copy = *c;
	if (c->type == hipGraphNodeTypeKernel)
		copy.launch = hip_launch_copy(&c->launch);
	if (c->type == hipGraphNodeTypeGraph)
		copy.graph = hip_graph_copy(c->graph);
	if (has_event(c))
		hip_event_keep(c->event);
	return copy;
}

void hip_command_free(HipCommand *c)
{
	if (c->type == hipGraphNodeTypeKernel)
		hip_launch_free(&c->launch);
	if (c->type == hipGraphNodeTypeGraph)
		hip_graph_free(c->graph);
	if (has_event(c))
		hip_event_free(c->event);
}

static HipCapture *capture_of(hipStream_t s) { return hip_is_own(s) ? s->capture : NULL; }

/* Work of the default stream waits for all others, which a capture that is global forbids: it ends, badly. */
static bool ends_others(void)
{
	bool any = false;
	for (u32 i = 0; i < captures.n; i++)
		if (captures.v[i]->global)
			any = captures.v[i]->invalid = true;
	return any;
}

static void follows(hipStream_t s, hipGraphNode_t node)
{
	s->last.n = 0;
	array_push(&s->last, node);
}

hipError_t hip_command(hipStream_t s, const HipCommand *c)
{
	hip_lock();
	HipCapture *k = capture_of(s);
	bool invalid = k && k->invalid, implicit = !k && s != hipStreamPerThread && !hip_is_own(s) && ends_others();
	if (k && !invalid) {
		HipCommand kept = hip_command_copy(c);
		follows(s, hip_graph_add(k->graph, &s->last, &kept));
	}
	hip_unlock();
	return hip_done(invalid    ? hipErrorStreamCaptureInvalidated
	                : implicit ? hipErrorStreamCaptureImplicit
	                : k        ? hipSuccess
	                           : hip_command_run(c));
}

/* ---- captures ---- */

static HipCapture *capture_by_id(u64 id)
{
	for (u32 i = 0; i < captures.n; i++)
		if (captures.v[i]->id == id)
			return captures.v[i];
	return NULL;
}

bool hip_capture_event(hipEvent_t e, hipStream_t s)
{
	hip_lock();
	HipCapture *k = capture_of(s);
	e->capture = k ? k->id : 0;
	e->last.n = 0;
	if (k)
		hip_nodes_append(&e->last, &s->last);
	hip_unlock();
	return k != NULL;
}

static void join(hipStream_t s, HipCapture *k)
{
	s->capture = k;
	s->last.n = 0;
	array_push(&k->streams, s);
}

hipError_t hip_capture_wait(hipStream_t s, hipEvent_t e)
{
	hip_lock();
	HipCapture *k = e->capture ? capture_by_id(e->capture) : NULL, *own = capture_of(s);
	hipError_t bad = k && !hip_is_own(s)  ? hipErrorStreamCaptureImplicit
	                 : k && own && own != k ? hipErrorStreamCaptureMerge
	                 : own && !k            ? hipErrorStreamCaptureIsolation
	                                        : hipSuccess;
	if (bad != hipSuccess && k)
		k->invalid = true;
	if (bad != hipSuccess && own)
		own->invalid = true;
	if (bad == hipSuccess && k && !own)
		join(s, k);
	for (u32 i = 0; bad == hipSuccess && k && i < e->last.n; i++)
		if (!hip_graph_precedes(e->last.v[i], &s->last))
			array_push(&s->last, e->last.v[i]);
	hip_unlock();
	return bad;
}

bool hip_captured(hipEvent_t e)
{
	hip_lock();
	bool captured = e->capture && capture_by_id(e->capture);
	hip_unlock();
	return captured;
}

bool hip_capture_implicit(void)
{
	hip_lock();
	bool any = ends_others();
	hip_unlock();
	return any;
}

bool hip_capture_broken(hipStream_t s)
{
	hip_lock();
	HipCapture *k = capture_of(s);
	if (k)
		k->invalid = true;
	hip_unlock();
	return k != NULL;
}

/* What it adds last belongs to the graph only where the first stream waits for it. */
static bool joined(const HipCapture *k, hipStream_t s)
{
	for (u32 i = 0; i < s->last.n; i++)
		if (!hip_graph_precedes(s->last.v[i], &k->origin->last))
			return false;
	return true;
}

static void capture_end(HipCapture *k)
{
	for (u32 i = 0; i < k->streams.n; i++) {
		k->streams.v[i]->capture = NULL;
		k->streams.v[i]->last.n = 0;
	}
	for (u32 i = 0; i < captures.n; i++)
		if (captures.v[i] == k)
			captures.v[i] = captures.v[--captures.n];
	array_free(&k->streams);
	free(k);
}

void hip_capture_forget(hipStream_t s)
{
	hip_lock();
	HipCapture *k = capture_of(s);
	if (k && k->origin == s) {
		hip_graph_free(k->graph);
		capture_end(k);
	} else if (k) {
		k->invalid |= !joined(k, s);
		for (u32 i = 0; i < k->streams.n; i++)
			if (k->streams.v[i] == s)
				k->streams.v[i--] = k->streams.v[--k->streams.n];
	}
	hip_unlock();
}

EXPORTED hipError_t hipStreamBeginCapture(hipStream_t s, hipStreamCaptureMode mode)
{
	static u64 last;
	if ((u32)mode > hipStreamCaptureModeRelaxed)
		return hip_done(hipErrorInvalidValue);
	if (!hip_is_own(s)) /* the default stream cannot be */
		return hip_done(hipErrorStreamCaptureUnsupported);
	hip_lock();
	bool other = s->capture != NULL;
	if (!other) {
		HipCapture *k = xcalloc(1, sizeof *k);
		k->id = ++last;
		k->graph = hip_graph_new();
		k->origin = s;
		k->global = mode == hipStreamCaptureModeGlobal;
		array_push(&captures, k);
		join(s, k);
	}
	hip_unlock();
	return hip_done(other ? hipErrorIllegalState : hipSuccess);
}

EXPORTED hipError_t hipStreamEndCapture(hipStream_t s, hipGraph_t *out)
{
	if (!out)
		return hip_done(hipErrorInvalidValue);
	*out = NULL;
	hip_lock();
	HipCapture *k = capture_of(s);
	hipError_t e = !k                 ? hipErrorIllegalState
	               : k->origin != s ? hipErrorStreamCaptureUnmatched
	               : k->invalid     ? hipErrorStreamCaptureInvalidated
	                                : hipSuccess;
	for (u32 i = 0; k && e == hipSuccess && i < k->streams.n; i++)
		e = joined(k, k->streams.v[i]) ? e : hipErrorStreamCaptureUnjoined;
	if (e == hipSuccess)
		*out = k->graph;
	else if (k && k->origin == s)
		hip_graph_free(k->graph);
	if (k && k->origin == s)
		capture_end(k);
	hip_unlock();
	return hip_done(e);
}

EXPORTED hipError_t hipStreamGetCaptureInfo_v2(hipStream_t s, hipStreamCaptureStatus *status, unsigned long long *id,
                                               hipGraph_t *graph, const hipGraphNode_t **nodes, size_t *n)
{
	if (!status)
		return hip_done(hipErrorInvalidValue);
	hip_lock();
	const HipCapture *k = capture_of(s);
	*status = !k           ? hipStreamCaptureStatusNone
	          : k->invalid ? hipStreamCaptureStatusInvalidated
	                       : hipStreamCaptureStatusActive;
	if (id && k)
		*id = k->id;
	if (graph && k)
		*graph = k->graph;
	if (nodes && k)
		*nodes = s->last.v;
	if (n && k)
		*n = s->last.n;
	hip_unlock();
	return hipSuccess;
}

EXPORTED hipError_t hipStreamGetCaptureInfo(hipStream_t s, hipStreamCaptureStatus *status, unsigned long long *id)
{
	return hipStreamGetCaptureInfo_v2(s, status, id, NULL, NULL, NULL);
}

EXPORTED hipError_t hipStreamIsCapturing(hipStream_t s, hipStreamCaptureStatus *status)
{
	return hipStreamGetCaptureInfo_v2(s, status, NULL, NULL, NULL, NULL);
}

/* What another thread may do meanwhile: here, anything. */
EXPORTED hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *mode)
{
	static _Thread_local hipStreamCaptureMode own;
	if (!mode || (u32)*mode > hipStreamCaptureModeRelaxed)
		return hip_done(hipErrorInvalidValue);
	hipStreamCaptureMode before = own;
	own = *mode;
	*mode = before;
	return hipSuccess;
}
