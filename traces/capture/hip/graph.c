/* Graphs: commands, and which of them come before which. One that is launched does them one by one, each after those
 * that it waits for, in the order in which they were added where nothing else decides. */
#include "traces/capture/hip/hip.h"

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
	hip_nodes_append(&n->before, before);
	array_push(&g->nodes, n);
	return n;
}

void hip_nodes_append(HipNodes *to, const HipNodes *from)
{
	for (u32 i = 0; i < from->n; i++)
		array_push(to, from->v[i]);
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

hipGraphNode_t hip_graph_copy_of(hipGraph_t copy, hipGraphNode_t original)
{
	for (u32 i = 0; i < copy->nodes.n; i++)
		if (copy->nodes.v[i]->origin == original)
			return copy->nodes.v[i];
	return NULL;
}

bool hip_graph_precedes(const struct hipGraphNode *a, const HipNodes *nodes)
{
	HipNodes work = {0};
	bool found = false;
	number_nodes(a->graph);
	hip_nodes_append(&work, nodes);
	while (work.n && !found) {
		hipGraphNode_t n = work.v[--work.n];
		found = n == a;
		if (!n->seen)
			hip_nodes_append(&work, &n->before);
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

/* Those that wait for a node; NULL: for none. */
static hipError_t give_after(const struct ihipGraph *g, hipGraphNode_t node, hipGraphNode_t *out, size_t *n)
{
	HipNodes after = {0};
	for (u32 i = 0; i < g->nodes.n; i++) {
		const HipNodes *before = &g->nodes.v[i]->before;
		if (node ? hip_node_at(before, node) < before->n : !before->n)
			array_push(&after, g->nodes.v[i]);
	}
	give(&after, out, n);
	array_free(&after);
	return hipSuccess;
}

EXPORTED hipError_t hipGraphGetRootNodes(hipGraph_t g, hipGraphNode_t *out, size_t *n)
{
	return g && n ? give_after(g, NULL, out, n) : hip_done(hipErrorInvalidValue);
}

EXPORTED hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t node, hipGraphNode_t *out, size_t *n)
{
	return node && n ? give_after(node->graph, node, out, n) : hip_done(hipErrorInvalidValue);
}

EXPORTED hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t *out, size_t *n)
{
	return node && n ? give(&node->before, out, n) : hip_done(hipErrorInvalidValue);
}

EXPORTED hipError_t hipGraphGetEdges(hipGraph_t g, hipGraphNode_t *from, hipGraphNode_t *to, size_t *n)
{
	HipNodes froms = {0}, tos = {0};
	if (!g || !n || !from != !to)
		return hip_done(hipErrorInvalidValue);
	size_t room = *n;
	for (u32 i = 0; i < g->nodes.n; i++) {
		hip_nodes_append(&froms, &g->nodes.v[i]->before);
		while (tos.n < froms.n)
			array_push(&tos, g->nodes.v[i]);
	}
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
	*out = hip_graph_copy_of(clone, original);
	return hip_done(*out ? hipSuccess : hipErrorInvalidValue);
}

/* ---- which comes before which ---- */

u32 hip_node_at(const HipNodes *nodes, hipGraphNode_t n)
{
	u32 i = 0;
	while (i < nodes->n && nodes->v[i] != n)
		i++;
	return i;
}

static void drop(HipNodes *nodes, hipGraphNode_t n)
{
	u32 at = hip_node_at(nodes, n);
	if (at == nodes->n)
		return;
	memmove(nodes->v + at, nodes->v + at + 1, (nodes->n - at - 1) * sizeof *nodes->v);
	nodes->n--;
}

/* Do both lie in the graph, and does one wait for the other already, as `there` says? */
static bool pair_ok(hipGraph_t g, hipGraphNode_t from, hipGraphNode_t to, bool there)
{
	return from && to && from != to && from->graph == g && to->graph == g &&
	       (hip_node_at(&to->before, from) < to->before.n) == there;
}

static hipError_t change(hipGraph_t g, const hipGraphNode_t *from, const hipGraphNode_t *to, size_t n, bool remove)
{
	bool ok = g && (!n || (from && to));
	for (size_t i = 0; ok && i < n; i++)
		ok = pair_ok(g, from[i], to[i], remove);
	for (size_t i = 0; ok && i < n; i++) {
		if (remove)
			drop(&to[i]->before, from[i]);
		else if (hip_node_at(&to[i]->before, from[i]) == to[i]->before.n)
			array_push(&to[i]->before, from[i]);
	}
	return hip_done(ok ? hipSuccess : hipErrorInvalidValue);
}

EXPORTED hipError_t hipGraphAddDependencies(hipGraph_t g, const hipGraphNode_t *from, const hipGraphNode_t *to,
                                            size_t n)
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

EXPORTED hipError_t hipGraphInstantiate(hipGraphExec_t *out, hipGraph_t g, hipGraphNode_t *wrong, char *log,
                                        size_t room)
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

static bool calls_host(const struct ihipGraph *g)
{
	for (u32 i = 0; i < g->nodes.n; i++) {
		const HipCommand *c = &g->nodes.v[i]->c;
		if (c->type == hipGraphNodeTypeHost || (c->type == hipGraphNodeTypeGraph && calls_host(c->graph)))
			return true;
	}
	return false;
}

/* A function of the program's may have what is launched changed or destroyed meanwhile: then it is a copy that runs. */
EXPORTED hipError_t hipGraphLaunch(hipGraphExec_t x, hipStream_t s)
{
	if (!x)
		return hip_done(hipErrorInvalidValue);
	hipGraph_t copy = calls_host(x->graph) ? hip_graph_copy(x->graph) : NULL;
	hipError_t e = hip_command(s, &(HipCommand){.type = hipGraphNodeTypeGraph, .graph = copy ? copy : x->graph});
	if (copy)
		hip_graph_free(copy);
	return e;
}

static bool same_before(const struct hipGraphNode *a, const struct hipGraphNode *b)
{
	bool same = a->before.n == b->before.n;
	for (u32 i = 0; i < a->before.n && same; i++)
		same = a->before.v[i]->number == b->before.v[i]->number;
	return same;
}

/* How a graph differs from another one, not in what its nodes do; `at`: the node of g where it does. */
static hipGraphExecUpdateResult difference(const struct ihipGraph *own, const struct ihipGraph *g, hipGraphNode_t *at)
{
	hipGraphExecUpdateResult result = own->nodes.n == g->nodes.n ? hipGraphExecUpdateSuccess
	                                                             : hipGraphExecUpdateErrorTopologyChanged;
	*at = NULL;
	number_nodes(own);
	number_nodes(g);
	for (u32 i = 0; result == hipGraphExecUpdateSuccess && i < g->nodes.n; i++) {
		const struct hipGraphNode *a = own->nodes.v[i], *b = g->nodes.v[i];
		hipGraphNode_t inner;
		result = !same_before(a, b)                   ? hipGraphExecUpdateErrorTopologyChanged
		         : a->c.type != b->c.type             ? hipGraphExecUpdateErrorNodeTypeChanged
		         : b->c.type == hipGraphNodeTypeGraph ? difference(a->c.graph, b->c.graph, &inner)
		                                              : hipGraphExecUpdateSuccess;
		*at = result == hipGraphExecUpdateSuccess ? NULL : g->nodes.v[i];
	}
	return result;
}

EXPORTED hipError_t hipGraphExecUpdate(hipGraphExec_t x, hipGraph_t g, hipGraphNode_t *wrong,
                                       hipGraphExecUpdateResult *result)
{
	if (!x || !g || !wrong || !result)
		return hip_done(hipErrorInvalidValue);
	HipNodes *own = &x->graph->nodes;
	*result = difference(x->graph, g, wrong);
	if (*result != hipGraphExecUpdateSuccess)
		return hip_done(hipErrorGraphExecUpdateFailure);
	for (u32 i = 0; i < own->n; i++) { /* they stay the copies of the first graph's */
		hip_command_free(&own->v[i]->c);
		own->v[i]->c = hip_command_copy(&g->nodes.v[i]->c);
	}
	return hipSuccess;
}
