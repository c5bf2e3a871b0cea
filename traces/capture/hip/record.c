/* A launch in the launch file, with the memory that it can reach: what its arguments point to, also inside structs, the
 * variables of its module, and whatever words of these lead to. A word that only looks like an address keeps a block
 * more than is needed. */
#include "traces/capture/hip/hip.h"

static u32 device_record(void)
{
	char name[256];
	if (hip.device_record)
		return hip.device_record;
	snprintf(name, sizeof name, "wavesim's run time, as %s", hip.device.name);
	CapDevice d = {.name = name,
	               .vendor = "",
	               .version = "HIP",
	               .driver = WAVESIM_VERSION,
	               .platform = "HIP",
	               .type = 4 /* CL_DEVICE_TYPE_GPU */,
	               .units = hip.device.units};
	return hip.device_record = cap_put_device(hip.file.writer, &d);
}

/* ---- what it reaches ---- */

static u32 reach(HipRecord *r, u64 address)
{
	HipBlock *b = hip_block(address);
	if (!b)
		return 0;
	if (!b->object) {
		array_push(&r->reached, b);
		b->object = r->reached.n;
	}
	return b->object;
}

static void reach_words(HipRecord *r, const u8 *p, u64 n)
{
	for (u64 at = 0; at + 8 <= n; at += 8) {
		u64 word;
		memcpy(&word, p + at, 8);
		if (word >= 4096 && word < (u64)1 << 47)
			reach(r, word);
	}
}

static void reach_arguments(HipRecord *r, const HipLaunch *l)
{
	for (u32 i = 0; i < l->f->kernel->nparams; i++)
		reach_words(r, l->values[i].bytes, l->values[i].n);
}

/* Takes as long as all of that memory is to read. requires reach_arguments */
static void reach_all(HipRecord *r, const HipLaunch *l)
{
	for (u32 i = 0; i < l->f->module->src.nplaced; i++)
		reach(r, l->f->module->src.placed[i].address);
	for (u32 i = 0; i < r->reached.n; i++) /* which grows */
		reach_words(r, hip_bytes(r->reached.v[i]), r->reached.v[i]->size);
}

static void describe_objects(HipRecord *r, const HipLaunch *l)
{
	r->launch.nobjects = r->reached.n;
	r->launch.objects = ARENA_ARRAY(l->arena, CapObject, r->reached.n);
	for (u32 i = 0; i < r->reached.n; i++)
		r->launch.objects[i] =
		    (CapObject){.kind = CAP_SVM, .size = r->reached.v[i]->size, .base = r->reached.v[i]->address};
}

static CapArg argument(const GpuParam *p, const GpuValue *v)
{
	CapArg a = {.kind = CAP_BYTES, .size = v->n, .bytes = v->bytes};
	u64 address = 0;
	if (p->pointer && v->n == sizeof address)
		memcpy(&address, v->bytes, sizeof address);
	const HipBlock *b = address ? hip_block(address) : NULL;
	if (b) {
		a.object = b->object;
		a.at = address - b->address;
		a.length = b->size - a.at;
	}
	return a;
}

/* Behind the kernel's own arguments: the local memory that the launch adds. */
static void describe_arguments(HipRecord *r, const HipLaunch *l)
{
	u32 n = l->f->kernel->nparams;
	r->launch.nargs = n + 1;
	r->launch.args = ARENA_ARRAY(l->arena, CapArg, n + 1);
	for (u32 i = 0; i < n; i++)
		r->launch.args[i] = argument(&l->f->kernel->params[i], &l->values[i]);
	r->launch.args[n] = (CapArg){.kind = CAP_NOTHING, .size = l->shared};
}

/* ---- contents ---- */

static bool read_memory(HipRecord *r, bool after)
{
	CapWriter *w = hip.file.writer;
	for (u32 i = 0; i < r->reached.n; i++) {
		CapObject *o = &r->launch.objects[i];
		if (cap_full(w)) {
			r->launch.why = "the file has reached its limit (--limit)";
			return false;
		}
		cap_content_begin(w);
		cap_content_add(w, hip_bytes(r->reached.v[i]), o->size);
		*(after ? &o->after : &o->before) = cap_content_end(w);
	}
	return true;
}

/* ---- the launch ---- */

static void describe(HipRecord *r, const HipLaunch *l)
{
	CapLaunch *c = &r->launch;
	const u32 grid[] = {l->grid.x, l->grid.y, l->grid.z}, block[] = {l->block.x, l->block.y, l->block.z};
	c->kernel = l->f->kernel->name;
	c->context = c->queue = c->thread = 1;
	c->dims = 1;
	for (u32 i = 0; i < 3; i++) {
		c->global[i] = (u64)grid[i] * block[i];
		c->local[i] = block[i];
		c->dims = c->global[i] > 1 ? i + 1 : c->dims;
	}
	reach_arguments(r, l);
	describe_arguments(r, l);
	bool wanted = cap_pick(&hip.file.pick, c);
	c->state = wanted ? CAP_KEPT : CAP_UNWANTED;
	if (wanted)
		reach_all(r, l);
	describe_objects(r, l);
}

static void forget(HipRecord *r)
{
	for (u32 i = 0; i < r->reached.n; i++)
		r->reached.v[i]->object = 0;
	array_free(&r->reached);
}

HipRecord *hip_record_begin(const HipLaunch *l)
{
	u64 number = ++hip.nlaunches;
	if (!hip.recording || !recorder_writer(&hip.file))
		return NULL;
	HipRecord *r = ARENA_NEW(l->arena, HipRecord);
	HipModule *m = l->f->module;
	m->record = m->record ? m->record : cap_put_program(hip.file.writer, &m->src);
	r->launch = (CapLaunch){.number = number, .program = m->record, .device = device_record()};
	describe(r, l);
	r->kept = r->launch.state == CAP_KEPT && read_memory(r, false);
	if (r->kept) {
		r->launch.state = CAP_BEGUN; /* the program may be killed while it runs */
		cap_put_launch(hip.file.writer, &r->launch);
	}
	return r;
}

void hip_record_end(HipRecord *r, const HipLaunch *l, u64 ns, const char *why)
{
	if (!r)
		return;
	CapLaunch *c = &r->launch;
	(void)l;
	c->ended = (u64)(seconds_now() * 1e9);
	c->started = c->ended - ns;
	c->queued = c->submitted = c->started;
	bool ended = r->kept && !why && read_memory(r, true), crashed = r->kept && why;
	if (why)
		c->why = why;
	if (c->state != CAP_UNWANTED)
		c->state = ended     ? CAP_KEPT
		           : crashed ? CAP_BEGUN
		                     : CAP_PASSED; /* what a kernel began with that crashed stays */
	for (u32 i = 0; i < c->nobjects && !ended && !crashed; i++)
		c->objects[i].before = c->objects[i].after = 0;
	cap_put_launch(hip.file.writer, c);
	recorder_launched(&hip.file);
	forget(r);
}
