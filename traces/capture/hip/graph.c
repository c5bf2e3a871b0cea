/* Graphs: commands, and which of them come before which. One that is launched does them one by one, each after those that
 * it waits for, in the order in which they were added where nothing else decides. */
#include "traces/capture/hip/hip.h"

/* What the handles of HIP point to. */
struct ihipGraph {
	HipNodes nodes;
};
struct hipGraphNode {
	hipGraph_t graph;
	HipCommand c;
	HipNodes before;       /* it waits for these */
	hipGraphNode_t origin; /* what it is a copy of, or NULL */
	u32 number;            /* in its graph, while that is copied or put in order */
	bool seen;             /* … and gone through */
};
struct hipGraphExec {
	hipGraph_t graph;
};

/* ---- graphs ---- */

hipGraph_t hip_graph_new(void) { return xcalloc(1, sizeof(struct ihipGraph)); }

static void node_free(hipGraphNode_t n)
{
	hip_command_free(&n->c);
	array_free(&n->before);
	free(n);
}

void hip_graph_free(hipGraph_t g)
{
	for (u32 i = 0; i < g->nodes.n; i++)
		node_free(g->nodes.v[i]);
	array_free(&g->nodes);
	free(g);
}

static void number_nodes(const struct ihipGraph *g)
{
	for (u32 i = 0; i < g->nodes.n; i++) {
		g->nodes.v[i]->number = i;
		g->nodes.v[i]->seen = false;
	}
}

hipGraphNode_t hip_graph_add(hipGraph_t g, const HipNodes *before, const HipCommand *c)
{
	hipGraphNode_t n = xcalloc(1, sizeof *n);
	n->graph = g;
	n->c = *c;
	for (u32 i = 0; i < before->n; i++)
		array_push(&n->before, before->v[i]);
	array_push(&g->nodes, n);
	return n;
}

hipGraph_t hip_graph_copy(const struct ihipGraph *g)
{
	hipGraph_t copy = hip_graph_new();
	number_nodes(g);
	for (u32 i = 0; i < g->nodes.n; i++) {
		HipCommand c = hip_command_copy(&g->nodes.v[i]->c);
		hip_graph_add(copy, &(HipNodes){0}, &c)->origin = g->nodes.v[i];
	}
	for (u32 i = 0; i < g->nodes.n; i++)
		for (u32 k = 0; k < g->nodes.v[i]->before.n; k++)
			array_push(&copy->nodes.v[i]->before, copy->nodes.v[g->nodes.v[i]->before.v[k]->number]);
	return copy;
}

bool hip_graph_precedes(const struct hipGraphNode *a, const HipNodes *nodes)
{
	HipNodes work = {0};
	bool found = false;
	number_nodes(a->graph);
	for (u32 i = 0; i < nodes->n; i++)
		array_push(&work, nodes->v[i]);
	while (work.n && !found) {
		hipGraphNode_t n = work.v[--work.n];
		found = n == a;
		for (u32 i = 0; !n->seen && i < n->before.n; i++)
			array_push(&work, n->before.v[i]);
		n->seen = true;
	}
	array_free(&work);
	return found;
}

/* Each after those before it, the first added first; false: they wait for each other in a circle. */
static bool in_order(const struct ihipGraph *g, HipNodes *out)
{
	u32 n = g->nodes.n, ready = 0, *waits = xcalloc(n + 1, sizeof *waits), *next = xcalloc(n + 1, sizeof *next);
	HipNodes *after = xcalloc(n + 1, sizeof *after);
	number_nodes(g);
	for (u32 i = 0; i < n; i++) {
		const HipNodes *before = &g->nodes.v[i]->before;
		waits[i] = before->n;
		for (u32 k = 0; k < before->n; k++)
			array_push(&after[before->v[k]->number], g->nodes.v[i]);
		if (!waits[i])
			next[ready++] = i;
	}
	for (u32 at = 0; at < ready; at++) {
		const HipNodes *then = &after[next[at]];
		array_push(out, g->nodes.v[next[at]]);
		for (u32 k = 0; k < then->n; k++)
			if (!--waits[then->v[k]->number])
				next[ready++] = then->v[k]->number;
	}
	for (u32 i = 0; i < n; i++)
		array_free(&after[i]);
	free(after);
	free(waits);
	free(next);
	return ready == n;
}

hipError_t hip_graph_run(const struct ihipGraph *g)
{
	HipNodes order = {0};
	hipError_t e = in_order(g, &order) ? hipSuccess : hipErrorInvalidValue;
	for (u32 i = 0; i < order.n && e == hipSuccess; i++)
		e = hip_command_run(&order.v[i]->c);
	array_free(&order);
	return e;
}

static bool has_circle(const struct ihipGraph *g)
{
	HipNodes order = {0};
	bool circle = !in_order(g, &order);
	array_free(&order);
	for (u32 i = 0; i < g->nodes.n && !circle; i++)
		circle = g->nodes.v[i]->c.type == hipGraphNodeTypeGraph && has_circle(g->nodes.v[i]->c.graph);
	return circle;
}

EXPORTED hipError_t hipGraphCreate(hipGraph_t *out, unsigned flags)
{
	if (!out || flags)
		return hip_done(hipErrorInvalidValue);
	*out = hip_graph_new();
	return hipSuccess;
}

EXPORTED hipError_t hipGraphDestroy(hipGraph_t g)
{
	if (!g)
		return hip_done(hipErrorInvalidValue);
	hip_graph_free(g);
	return hipSuccess;
}

EXPORTED hipError_t hipGraphClone(hipGraph_t *out, hipGraph_t g)
{
	if (!out || !g)
		return hip_done(hipErrorInvalidValue);
	*out = hip_graph_copy(g);
	return hipSuccess;
}

/* ---- which nodes there are ---- */

/* As many as there is room for, the rest NULL; without a list only their number. */
static hipError_t give(const HipNodes *nodes, hipGraphNode_t *out, size_t *n)
{
	for (size_t i = 0; out && i < *n; i++)
		out[i] = i < nodes->n ? nodes->v[i] : NULL;
	if (!out || *n > nodes->n)
		*n = nodes->n;
	return hipSuccess;
}

EXPORTED hipError_t hipGraphGetNodes(hipGraph_t g, hipGraphNode_t *out, size_t *n)
{
	return g && n ? give(&g->nodes, out, n) : hip_done(hipErrorInvalidValue);
}

EXPORTED hipError_t hipGraphGetRootNodes(hipGraph_t g, hipGraphNode_t *out, size_t *n)
{
	HipNodes roots = {0};
	if (!g || !n)
		return hip_done(hipErrorInvalidValue);
	for (u32 i = 0; i < g->nodes.n; i++)
		if (!g->nodes.v[i]->before.n)
			array_push(&roots, g->nodes.v[i]);
	give(&roots, out, n);
	array_free(&roots);
	return hipSuccess;
}

EXPORTED hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t *out, size_t *n)
{
	return node && n ? give(&node->before, out, n) : hip_done(hipErrorInvalidValue);
}

static void pairs_of(hipGraph_t g, HipNodes *from, HipNodes *to)
{
	for (u32 i = 0; i < g->nodes.n; i++)
		for (u32 k = 0; k < g->nodes.v[i]->before.n; k++) {
			array_push(from, g->nodes.v[i]->before.v[k]);
			array_push(to, g->nodes.v[i]);
		}
}

EXPORTED hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t node, hipGraphNode_t *out, size_t *n)
{
	HipNodes from = {0}, to = {0}, after = {0};
	if (!node || !n)
		return hip_done(hipErrorInvalidValue);
	pairs_of(node->graph, &from, &to);
	for (u32 i = 0; i < from.n; i++)
		if (from.v[i] == node)
			array_push(&after, to.v[i]);
	give(&after, out, n);
	array_free(&from);
	array_free(&to);
	array_free(&after);
	return hipSuccess;
}

EXPORTED hipError_t hipGraphGetEdges(hipGraph_t g, hipGraphNode_t *from, hipGraphNode_t *to, size_t *n)
{
	HipNodes froms = {0}, tos = {0};
	if (!g || !n || !from != !to)
		return hip_done(hipErrorInvalidValue);
	size_t room = *n;
	pairs_of(g, &froms, &tos);
	give(&froms, from, n);
	give(&tos, to, &room);
	array_free(&froms);
	array_free(&tos);
	return hipSuccess;
}

EXPORTED hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType *type)
{
	if (!node || !type)
		return hip_done(hipErrorInvalidValue);
	*type = node->c.type;
	return hipSuccess;
}

EXPORTED hipError_t hipGraphNodeFindInClone(hipGraphNode_t *out, hipGraphNode_t original, hipGraph_t clone)
{
	if (!out || !original || !clone)
		return hip_done(hipErrorInvalidValue);
	*out = NULL;
	for (u32 i = 0; i < clone->nodes.n && !*out; i++)
		*out = clone->nodes.v[i]->origin == original ? clone->nodes.v[i] : NULL;
	return hip_done(*out ? hipSuccess : hipErrorInvalidValue);
}

/* ---- which comes before which ---- */

static u32 place_of(const HipNodes *nodes, hipGraphNode_t n)
{
	u32 i = 0;
	while (i < nodes->n && nodes->v[i] != n)
		i++;
	return i;
}

static void drop(HipNodes *nodes, hipGraphNode_t n)
{
	u32 at = place_of(nodes, n);
	if (at == nodes->n)
		return;
	memmove(nodes->v + at, nodes->v + at + 1, (nodes->n - at - 1) * sizeof *nodes->v);
	nodes->n--;
}

/* Do both lie in the graph, and does one wait for the other already, as `there` says? */
static bool pair_ok(hipGraph_t g, hipGraphNode_t from, hipGraphNode_t to, bool there)
{
	return from && to && from != to && from->graph == g && to->graph == g &&
	       (place_of(&to->before, from) < to->before.n) == there;
}

static hipError_t change(hipGraph_t g, const hipGraphNode_t *from, const hipGraphNode_t *to, size_t n, bool remove)
{
	bool ok = g && (!n || (from && to));
	for (size_t i = 0; ok && i < n; i++)
		ok = pair_ok(g, from[i], to[i], remove);
	for (size_t i = 0; ok && i < n; i++) {
		if (remove)
			drop(&to[i]->before, from[i]);
		else if (place_of(&to[i]->before, from[i]) == to[i]->before.n)
			array_push(&to[i]->before, from[i]);
	}
	return hip_done(ok ? hipSuccess : hipErrorInvalidValue);
}

EXPORTED hipError_t hipGraphAddDependencies(hipGraph_t g, const hipGraphNode_t *from, const hipGraphNode_t *to, size_t n)
{
	return change(g, from, to, n, false);
}

EXPORTED hipError_t hipGraphRemoveDependencies(hipGraph_t g, const hipGraphNode_t *from, const hipGraphNode_t *to,
                                               size_t n)
{
	return change(g, from, to, n, true);
}

EXPORTED hipError_t hipGraphDestroyNode(hipGraphNode_t node)
{
	if (!node)
		return hip_done(hipErrorInvalidValue);
	hipGraph_t g = node->graph;
	drop(&g->nodes, node);
	for (u32 i = 0; i < g->nodes.n; i++)
		drop(&g->nodes.v[i]->before, node);
	node_free(node);
	return hipSuccess;
}

/* ---- graphs that can be launched ---- */

EXPORTED hipError_t hipGraphInstantiate(hipGraphExec_t *out, hipGraph_t g, hipGraphNode_t *wrong, char *log, size_t room)
{
	if (wrong)
		*wrong = NULL;
	if (log && room)
		*log = 0;
	if (!out || !g || has_circle(g))
		return hip_done(hipErrorInvalidValue);
	*out = xcalloc(1, sizeof **out);
	(*out)->graph = hip_graph_copy(g);
	return hipSuccess;
}

EXPORTED hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t *out, hipGraph_t g, unsigned long long flags)
{
	(void)flags;
	return hipGraphInstantiate(out, g, NULL, NULL, 0);
}

EXPORTED hipError_t hipGraphExecDestroy(hipGraphExec_t x)
{
	if (!x)
		return hip_done(hipErrorInvalidValue);
	hip_graph_free(x->graph);
	free(x);
	return hipSuccess;
}

extern hipError_t hipGraphUpload(hipGraphExec_t x, hipStream_t s);
EXPORTED hipError_t hipGraphUpload(hipGraphExec_t x, hipStream_t s)
{
	(void)s;
	return hip_done(x ? hipSuccess : hipErrorInvalidValue);
}

EXPORTED hipError_t hipGraphLaunch(hipGraphExec_t x, hipStream_t s)
{
	if (!x)
		return hip_done(hipErrorInvalidValue);
	return hip_command(s, &(HipCommand){.type = hipGraphNodeTypeGraph, .graph = hip_graph_copy(x->graph)});
}

static bool same_before(const struct hipGraphNode *a, const struct hipGraphNode *b)
{
	bool same = a->before.n == b->before.n;
	for (u32 i = 0; i < a->before.n && same; i++)
		same = a->before.v[i]->number == b->before.v[i]->number;
	return same;
}

EXPORTED hipError_t hipGraphExecUpdate(hipGraphExec_t x, hipGraph_t g, hipGraphNode_t *wrong,
                                       hipGraphExecUpdateResult *result)
{
	if (!x || !g || !wrong || !result)
		return hip_done(hipErrorInvalidValue);
	HipNodes *own = &x->graph->nodes;
	number_nodes(x->graph);
	number_nodes(g);
	*wrong = NULL;
	*result = own->n == g->nodes.n ? hipGraphExecUpdateSuccess : hipGraphExecUpdateErrorTopologyChanged;
	for (u32 i = 0; *result == hipGraphExecUpdateSuccess && i < own->n; i++) {
		*result = !same_before(own->v[i], g->nodes.v[i])          ? hipGraphExecUpdateErrorTopologyChanged
		          : own->v[i]->c.type != g->nodes.v[i]->c.type ? hipGraphExecUpdateErrorNodeTypeChanged
		                                                          : hipGraphExecUpdateSuccess;
		*wrong = *result == hipGraphExecUpdateSuccess ? NULL : g->nodes.v[i];
	}
	if (*result != hipGraphExecUpdateSuccess)
		return hip_done(hipErrorGraphExecUpdateFailure);
	hip_graph_free(x->graph);
	x->graph = hip_graph_copy(g);
	return hipSuccess;
}

/* ---- nodes, by what they do: added to a graph, changed there, and in one that can be launched ---- */

static hipError_t add(hipGraphNode_t *out, hipGraph_t g, const hipGraphNode_t *before, size_t n, hipError_t e,
                      HipCommand *c)
{
	HipNodes nodes = {0};
	bool ok = out && g && (!n || before);
	for (size_t i = 0; ok && i < n; i++) {
		ok = before[i] && before[i]->graph == g && place_of(&nodes, before[i]) == nodes.n;
		array_push(&nodes, before[i]);
	}
	e = e != hipSuccess || ok ? e : hipErrorInvalidValue;
	if (e == hipSuccess)
		*out = hip_graph_add(g, &nodes, c);
	else
		hip_command_free(c);
	array_free(&nodes);
	return hip_done(e);
}

static hipError_t set(hipGraphNode_t node, hipError_t e, HipCommand *c)
{
	e = e != hipSuccess || (node && node->c.type == c->type) ? e : hipErrorInvalidValue;
	if (e == hipSuccess) {
		hip_command_free(&node->c);
		node->c = *c;
	} else {
		hip_command_free(c);
	}
	return hip_done(e);
}

static hipError_t set_in(hipGraphExec_t x, hipGraphNode_t node, hipError_t e, HipCommand *c)
{
	hipGraphNode_t own = NULL;
	for (u32 i = 0; x && node && i < x->graph->nodes.n && !own; i++)
		own = x->graph->nodes.v[i]->origin == node ? x->graph->nodes.v[i] : NULL;
	return set(own, e, c);
}

static bool is(hipGraphNode_t node, hipGraphNodeType type, const void *out)
{
	return node && out && node->c.type == type;
}

/* Of a kind of nodes: the last parameters of its functions, and `of`, which makes the command c of them. */
#define NODE(of, adds, sets, sets_in, ...) \
	NODE_IN_GRAPH(of, adds, sets, __VA_ARGS__) \
	NODE_IN_EXEC(of, sets_in, __VA_ARGS__)
#define NODE_IN_GRAPH(of, adds, sets, ...) \
	EXPORTED hipError_t adds(hipGraphNode_t *out, hipGraph_t g, const hipGraphNode_t *before, size_t n, __VA_ARGS__) \
	{ \
		HipCommand c; \
		hipError_t e = of; \
		return add(out, g, before, n, e, &c); \
	} \
	EXPORTED hipError_t sets(hipGraphNode_t node, __VA_ARGS__) \
	{ \
		HipCommand c; \
		hipError_t e = of; \
		return set(node, e, &c); \
	}
#define NODE_IN_EXEC(of, sets_in, ...) \
	EXPORTED hipError_t sets_in(hipGraphExec_t x, hipGraphNode_t node, __VA_ARGS__) \
	{ \
		HipCommand c; \
		hipError_t e = of; \
		return set_in(x, node, e, &c); \
	}

/* Where something is missing the command is an empty one, which nothing has to be freed of. */
static hipError_t nothing(HipCommand *c, hipError_t e)
{
	*c = (HipCommand){.type = hipGraphNodeTypeEmpty};
	return e;
}

static hipError_t kernel_of(HipCommand *c, const hipKernelNodeParams *p)
{
	if (!p || !p->func)
		return nothing(c, hipErrorInvalidValue);
	*c = (HipCommand){.type = hipGraphNodeTypeKernel, .call = "hipGraphLaunch"};
	return hip_launch_new(&c->launch, "hipGraphAddKernelNode", p);
}
NODE(kernel_of(&c, p), hipGraphAddKernelNode, hipGraphKernelNodeSetParams, hipGraphExecKernelNodeSetParams,
     const hipKernelNodeParams *p)

EXPORTED hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t node, hipKernelNodeParams *out)
{
	if (!is(node, hipGraphNodeTypeKernel, out))
		return hip_done(hipErrorInvalidValue);
	const HipLaunch *l = &node->c.launch;
	*out = (hipKernelNodeParams){.func = (void *)(uintptr_t)l->given, .gridDim = l->grid, .blockDim = l->block,
	                             .kernelParams = l->args, .sharedMemBytes = (u32)l->shared};
	return hipSuccess;
}

static hipError_t copy_3d_of(HipCommand *c, const hipMemcpy3DParms *p)
{
	if (!p)
		return nothing(c, hipErrorInvalidValue);
	if (p->srcArray || p->dstArray)
		return nothing(c, hip_absent("a memcpy node of an array"));
	*c = (HipCommand){.type = hipGraphNodeTypeMemcpy, .copy = hip_copy_3d(p)};
	return hipSuccess;
}
NODE_IN_GRAPH(copy_3d_of(&c, p), hipGraphAddMemcpyNode, hipGraphMemcpyNodeSetParams, const hipMemcpy3DParms *p)
NODE_IN_EXEC(copy_3d_of(&c, p), hipGraphExecMemcpyNodeSetParams, hipMemcpy3DParms *p)

static hipError_t copy_of(HipCommand *c, void *to, const void *from, size_t n, hipMemcpyKind kind)
{
	if (!to || !from)
		return nothing(c, hipErrorInvalidValue);
	*c = (HipCommand){.type = hipGraphNodeTypeMemcpy,
	                  .copy = {.to.p = to, .from.p = from, .width = n, .height = 1, .depth = 1, .kind = kind}};
	return hipSuccess;
}
NODE(copy_of(&c, to, from, size, kind), hipGraphAddMemcpyNode1D, hipGraphMemcpyNodeSetParams1D,
     hipGraphExecMemcpyNodeSetParams1D, void *to, const void *from, size_t size, hipMemcpyKind kind)

static hipError_t copy_symbol_of(HipCommand *c, void *to, const void *from, const void *symbol, size_t n, size_t offset,
                                 hipMemcpyKind kind)
{
	u8 *part = hip_symbol_part(symbol, offset, n);
	return part ? copy_of(c, to ? to : part, from ? from : part, n, kind) : nothing(c, hipErrorInvalidSymbol);
}
NODE(copy_symbol_of(&c, to, NULL, symbol, size, offset, kind), hipGraphAddMemcpyNodeFromSymbol,
     hipGraphMemcpyNodeSetParamsFromSymbol, hipGraphExecMemcpyNodeSetParamsFromSymbol, void *to, const void *symbol,
     size_t size, size_t offset, hipMemcpyKind kind)
NODE(copy_symbol_of(&c, NULL, from, symbol, size, offset, kind), hipGraphAddMemcpyNodeToSymbol,
     hipGraphMemcpyNodeSetParamsToSymbol, hipGraphExecMemcpyNodeSetParamsToSymbol, const void *symbol, const void *from,
     size_t size, size_t offset, hipMemcpyKind kind)

static hipPitchedPtr pitched(const HipSide *s, u64 width, u64 height)
{
	return (hipPitchedPtr){(void *)(uintptr_t)s->p, s->pitch ? s->pitch : width, width,
	                       s->pitch && s->plane ? s->plane / s->pitch : height};
}

EXPORTED hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t node, hipMemcpy3DParms *out)
{
	if (!is(node, hipGraphNodeTypeMemcpy, out))
		return hip_done(hipErrorInvalidValue);
	const HipCopy *c = &node->c.copy;
	*out = (hipMemcpy3DParms){.srcPtr = pitched(&c->from, c->width, c->height),
	                          .dstPtr = pitched(&c->to, c->width, c->height),
	                          .extent = {c->width, c->height, c->depth},
	                          .kind = c->kind};
	return hipSuccess;
}

static hipError_t fill_of(HipCommand *c, const hipMemsetParams *p)
{
	if (!p || !p->dst || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4))
		return nothing(c, hipErrorInvalidValue);
	*c = (HipCommand){.type = hipGraphNodeTypeMemset,
	                  .fill = {{p->dst, p->pitch, 0}, p->value, p->elementSize, p->width, p->height, 1}};
	return hipSuccess;
}
NODE(fill_of(&c, p), hipGraphAddMemsetNode, hipGraphMemsetNodeSetParams, hipGraphExecMemsetNodeSetParams,
     const hipMemsetParams *p)

EXPORTED hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams *out)
{
	if (!is(node, hipGraphNodeTypeMemset, out))
		return hip_done(hipErrorInvalidValue);
	const HipFill *f = &node->c.fill;
	*out = (hipMemsetParams){.dst = (void *)(uintptr_t)f->to.p, .elementSize = f->bytes, .height = f->height,
	                         .pitch = f->to.pitch, .value = f->value, .width = f->width};
	return hipSuccess;
}

static hipError_t host_of(HipCommand *c, const hipHostNodeParams *p)
{
	if (!p || !p->fn)
		return nothing(c, hipErrorInvalidValue);
	*c = (HipCommand){.type = hipGraphNodeTypeHost, .host = *p};
	return hipSuccess;
}
NODE(host_of(&c, p), hipGraphAddHostNode, hipGraphHostNodeSetParams, hipGraphExecHostNodeSetParams,
     const hipHostNodeParams *p)

EXPORTED hipError_t hipGraphHostNodeGetParams(hipGraphNode_t node, hipHostNodeParams *out)
{
	if (!is(node, hipGraphNodeTypeHost, out))
		return hip_done(hipErrorInvalidValue);
	*out = node->c.host;
	return hipSuccess;
}

static hipError_t event_of(HipCommand *c, hipGraphNodeType type, hipEvent_t event)
{
	if (!event)
		return nothing(c, hipErrorInvalidValue);
	*c = (HipCommand){.type = type, .event = event};
	return hipSuccess;
}

static hipError_t event_get(hipGraphNode_t node, hipGraphNodeType type, hipEvent_t *out)
{
	if (!is(node, type, out))
		return hip_done(hipErrorInvalidValue);
	*out = node->c.event;
	return hipSuccess;
}

NODE(event_of(&c, hipGraphNodeTypeEventRecord, event), hipGraphAddEventRecordNode, hipGraphEventRecordNodeSetEvent,
     hipGraphExecEventRecordNodeSetEvent, hipEvent_t event)
NODE(event_of(&c, hipGraphNodeTypeWaitEvent, event), hipGraphAddEventWaitNode, hipGraphEventWaitNodeSetEvent,
     hipGraphExecEventWaitNodeSetEvent, hipEvent_t event)
EXPORTED hipError_t hipGraphEventRecordNodeGetEvent(hipGraphNode_t node, hipEvent_t *out)
{
	return event_get(node, hipGraphNodeTypeEventRecord, out);
}
EXPORTED hipError_t hipGraphEventWaitNodeGetEvent(hipGraphNode_t node, hipEvent_t *out)
{
	return event_get(node, hipGraphNodeTypeWaitEvent, out);
}

EXPORTED hipError_t hipGraphAddEmptyNode(hipGraphNode_t *out, hipGraph_t g, const hipGraphNode_t *before, size_t n)
{
	HipCommand c;
	return add(out, g, before, n, nothing(&c, hipSuccess), &c);
}

static hipError_t child_of(HipCommand *c, hipGraph_t child)
{
	if (!child)
		return nothing(c, hipErrorInvalidValue);
	*c = (HipCommand){.type = hipGraphNodeTypeGraph, .graph = hip_graph_copy(child)};
	return hipSuccess;
}

EXPORTED hipError_t hipGraphAddChildGraphNode(hipGraphNode_t *out, hipGraph_t g, const hipGraphNode_t *before, size_t n,
                                              hipGraph_t child)
{
	HipCommand c;
	hipError_t e = child_of(&c, child);
	return add(out, g, before, n, e, &c);
}

EXPORTED hipError_t hipGraphExecChildGraphNodeSetParams(hipGraphExec_t x, hipGraphNode_t node, hipGraph_t child)
{
	HipCommand c;
	hipError_t e = child_of(&c, child);
	return set_in(x, node, e, &c);
}

EXPORTED hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t node, hipGraph_t *out)
{
	if (!is(node, hipGraphNodeTypeGraph, out))
		return hip_done(hipErrorInvalidValue);
	*out = node->c.graph;
	return hipSuccess;
}
