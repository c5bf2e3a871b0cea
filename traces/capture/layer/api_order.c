/* Which commands are ordered, and which of those that are not meet in memory: see api.h.
 *
 * A command in flight has a slot, and the set of slots whose commands come before it: those that its events, its queue
 * and barriers say, and those before them. One that the program knows to be complete (it waited, or was told) frees its
 * slot and those before it: whatever is enqueued from then on comes later. When no slot is left the oldest is
 * forgotten. */
#include "traces/capture/layer/api.h"

/* Memory that the launch changed which this thread is making (api_changed). */
typedef struct Changed {
	const void *handle;
	u64 from, to;
} Changed;
static _Thread_local struct {
	Changed v[API_ACCESSES];
	u32 n;
} changed;

/* ---- accesses ---- */

void order_access(ApiCommand *c, ApiAccess a)
{
	if (a.from < a.to && c->naccesses < API_ACCESSES)
		c->accesses[c->naccesses++] = a;
}

void order_memory(ApiCommand *c, cl_mem m, u64 at, u64 size, bool write, bool some)
{
	ApiObject *o = api_find(API_MEMORY, m);
	if (!o || at > o->size)
		return;
	size = size < o->size - at ? size : o->size - at;
	for (; o->parent && !o->image; o = o->parent)
		at += o->origin;
	order_access(
	    c,
	    (ApiAccess){.memory = o, .serial = o->serial, .from = at, .to = at + size, .write = write, .some = some});
}

void order_host(ApiCommand *c, const void *p, u64 size, bool write)
{
	u64 at = (u64)(uintptr_t)p;
	if (p)
		order_access(c, (ApiAccess){.from = at, .to = at + size, .write = write});
}

static bool meet(const ApiAccess *a, const ApiAccess *b)
{
	if (a->memory != b->memory || a->serial != b->serial || (!a->write && !b->write) || (a->some && b->some))
		return false;
	if (a->some)
		return b->from <= a->from && a->to <= b->to;
	if (b->some)
		return a->from <= b->from && b->to <= a->to;
	return a->from < b->to && b->from < a->to;
}

/* Perhaps it does not touch the memory at all. */
static bool unsure(const ApiAccess *a) { return a->argument && !a->write; }

static const char *verb(const ApiAccess *a) { return a->write ? "writes" : a->argument ? "is given" : "reads"; }

void order_mapped(ApiCommand *c)
{
	for (u32 i = 0; i < c->naccesses; i++) {
		const ApiAccess *a = &c->accesses[i];
		for (u32 k = 0; a->memory && a->serial == a->memory->serial && k < a->memory->mappings.n; k++) {
			const ApiMapping *m = &a->memory->mappings.v[k];
			const ApiAccess host = {
			    .memory = a->memory, .serial = a->serial, .from = m->from, .to = m->to, .write = m->write};
			if (c->held || !meet(a, &host))
				continue;
			api_misuse(unsure(a) ? MISUSE_if_read : MISUSE_mapped, &c->place, "mapped", &m->place,
			           "%s %s a memory object while the host has it mapped for %s", c->name, verb(a),
			           m->write ? "writing" : "reading");
			c->found = true;
		}
	}
}

/* ---- commands in flight ---- */

static ApiCommand *slot_of(ApiHandle h)
{
	return h.serial && api.slots[h.slot].serial == h.serial ? &api.slots[h.slot] : NULL;
}

static bool has(const ApiCommand *c, u32 slot) { return c->before[slot / 64] >> slot % 64 & 1; }

static void free_slot(u32 slot)
{
	api.slots[slot].serial = 0;
	for (u32 i = 0; i < API_SLOTS; i++)
		api.slots[i].before[slot / 64] &= ~((u64)1 << slot % 64);
}

static void come_after(ApiCommand *c, ApiHandle h)
{
	const ApiCommand *b = slot_of(h);
	if (!b)
		return;
	c->before[h.slot / 64] |= (u64)1 << h.slot % 64;
	for (u32 i = 0; i < COUNT(c->before); i++)
		c->before[i] |= b->before[i];
	c->held |= b->held;
}

static void find_before(ApiCommand *c)
{
	const ApiObject *q = api_find(API_QUEUE, c->queue);
	for (cl_uint i = 0; c->wait && i < c->nwait; i++) {
		const ApiObject *e = api_find(API_EVENT, c->wait[i]);
		c->held |= !e || e->user;
		if (e)
			come_after(c, e->last);
	}
	c->held |= !q;
	if (q)
		come_after(c, q->last);
	for (u32 i = 0; c->after_all && i < API_SLOTS; i++)
		if (api.slots[i].serial && api.slots[i].queue == c->queue)
			come_after(c, (ApiHandle){i, api.slots[i].serial});
}

static void unordered(ApiCommand *c, const ApiCommand *d, const ApiAccess *a, const ApiAccess *b)
{
	api_misuse(unsure(a) || unsure(b) ? MISUSE_if_read : MISUSE_unordered, &c->place, "the other", &d->place,
	           "%s %s %s that an earlier %s %s; no event, barrier or in-order queue orders the two", c->name,
	           verb(a), a->memory ? "a memory object" : "memory of the host", d->name, verb(b));
	c->found = true;
}

/* One misuse of both commands is enough: one that is certain, if there is. */
static void compare(ApiCommand *c, const ApiCommand *d)
{
	const ApiAccess *perhaps[2] = {NULL, NULL};
	for (u32 i = 0; i < c->naccesses; i++)
		for (u32 k = 0; k < d->naccesses; k++) {
			const ApiAccess *a = &c->accesses[i], *b = &d->accesses[k];
			if (!meet(a, b))
				continue;
			if (!unsure(a) && !unsure(b)) {
				unordered(c, d, a, b);
				return;
			}
			if (!perhaps[0]) {
				perhaps[0] = a;
				perhaps[1] = b;
			}
		}
	if (perhaps[0])
		unordered(c, d, perhaps[0], perhaps[1]);
}

static u32 take_slot(void)
{
	u32 oldest = 0;
	for (u32 i = 0; i < API_SLOTS; i++) {
		if (!api.slots[i].serial)
			return i;
		oldest = api.slots[i].serial < api.slots[oldest].serial ? i : oldest;
	}
	free_slot(oldest);
	return oldest;
}

ApiHandle order_start(const ApiCommand *from)
{
	ApiCommand c = *from;
	ApiObject *q = api_find(API_QUEUE, c.queue);
	find_before(&c);
	order_mapped(&c);
	for (u32 i = 0; i < API_SLOTS; i++)
		if (api.slots[i].serial && !has(&c, i) && !c.held && !api.slots[i].held)
			compare(&c, &api.slots[i]);
	ApiHandle h = {take_slot(), ++api.serials};
	c.before[h.slot / 64] &= ~((u64)1 << h.slot % 64); /* it may have been the oldest's */
	c.serial = h.serial;
	api.slots[h.slot] = c;
	if (q && (!q->out_of_order || c.barrier))
		q->last = h;
	if (c.blocking)
		order_complete(h);
	return h;
}

void order_complete(ApiHandle h)
{
	const ApiCommand *c = slot_of(h);
	if (!c)
		return;
	ApiCommand done = *c;
	for (u32 i = 0; i < API_SLOTS; i++)
		if (has(&done, i) && api.slots[i].serial)
			free_slot(i);
	free_slot(h.slot);
}

void order_finish(const void *queue)
{
	for (u32 i = 0; i < API_SLOTS; i++)
		if (api.slots[i].serial && api.slots[i].queue == queue)
			order_complete((ApiHandle){i, api.slots[i].serial});
}

/* ---- launches ---- */

void api_changed(const void *handle, u64 from, u64 to)
{
	if (api.on && changed.n < API_ACCESSES)
		changed.v[changed.n++] = (Changed){handle, from, to};
}

void order_launch_begins(void) { changed.n = 0; }

/* It may read somewhere in every memory argument; it wrote somewhere in those whose contents differ afterwards. */
void order_launch(ApiCommand *c, const ApiObject *kernel)
{
	for (u32 i = 0; kernel && i < kernel->args.n; i++) {
		const ApiArgument *a = &kernel->args.v[i];
		if (!a->memory || a->memory->serial != a->serial)
			continue;
		u32 n = c->naccesses;
		order_memory(c, a->memory->handle, 0, UINT64_MAX, false, true);
		if (c->naccesses == n)
			continue;
		ApiAccess *x = &c->accesses[n];
		x->argument = true;
		for (u32 k = 0; k < changed.n; k++)
			x->write |= changed.v[k].handle == x->memory->handle && changed.v[k].from == x->from &&
			            changed.v[k].to == x->to;
		if (x->write && a->memory->flags & CL_MEM_READ_ONLY)
			api_misuse(MISUSE_wrong_flags, &c->place, "made", &a->memory->made,
			           "%s writes to argument %u, which is CL_MEM_READ_ONLY", c->name, i);
	}
}
