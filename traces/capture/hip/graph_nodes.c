/* Nodes of graphs, by what they do: added to a graph, changed there, and in one that can be launched. */
#include "traces/capture/hip/hip.h"

static hipError_t add(hipGraphNode_t *out, hipGraph_t g, const hipGraphNode_t *before, size_t n, hipError_t e,
                      HipCommand *c)
{
	HipNodes nodes = {0};
	bool ok = out && g && (!n || before);
	for (size_t i = 0; ok && i < n; i++) {
		ok = before[i] && before[i]->graph == g && hip_node_at(&nodes, before[i]) == nodes.n;
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
	return set(x && node ? hip_graph_copy_of(x->graph, node) : NULL, e, c);
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
	EXPORTED hipError_t adds(hipGraphNode_t *out, hipGraph_t g, const hipGraphNode_t *before, size_t n, \
	                         __VA_ARGS__) \
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
	*c = (HipCommand){.type = hipGraphNodeTypeKernel};
	hipError_t e = hip_launch_new(&c->launch, "a kernel node of a graph", p);
	c->launch.call = "hipGraphLaunch";
	return e;
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
	u8 *part = to || from ? hip_symbol_part(symbol, offset, n) : NULL;
	if (!to && !from)
		return nothing(c, hipErrorInvalidValue);
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
	*c = (HipCommand){.type = type, .event = hip_event_keep(event)};
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
