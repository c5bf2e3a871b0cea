/* Work-items, one after another. Where they wait for others, each has a stack; a barrier lets all of a work-group meet.
 *
 * Where the lanes of a wavefront exchange values (lanes.c), a lane waits until none of its wavefront can go on. Then
 * the earliest of these places in the code goes first, with the lanes that are there: so do wavefronts of the machine,
 * which run the earliest block that has lanes (isa/isa.h). Loops are places, too, at their ends (host.c).
 *
 * A context is made once for each stack; from then on longjmp() goes from one to the other, as swapcontext() would
 * set the mask of signals by a system call each time. */
#undef _FORTIFY_SOURCE /* which takes a jump to another stack for a jump to a function that has returned */
#include "frontend/native/native.h"

#include "isa/abi.h"

#include <setjmp.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef BUILT_WITH_ASAN /* it has to know which stack is in use */
#include <sanitizer/common_interface_defs.h>
#define LEAVE_STACK __sanitizer_start_switch_fiber
#define ENTER_STACK __sanitizer_finish_switch_fiber
#else
#define LEAVE_STACK(fake, stack, bytes) ((void)0)
#define ENTER_STACK(fake, stack, bytes) ((void)0)
#endif

/* A stack, and where on it to go on. */
typedef struct Context {
	jmp_buf at;
	bool begun;
	const void *stack;
	size_t bytes;
	void *fake; /* what the address sanitizer keeps for it */
} Context;

typedef enum { ITEM_READY, ITEM_BARRIER, ITEM_LANES, ITEM_DONE } ItemState;

typedef struct Item {
	ItemState state;
	u32 site;  /* of ITEM_LANES */
	u64 value; /* that it gives there */
	Context at; /* ITEM_DONE: to run the kernel again */
} Item;

struct NativeRun {
	u32 wave, items; /* items: of this work-group */
	u64 global[3];
	u32 local[3], groups[3], group[3];
	u32 size[3];       /* of this work-group: the last ones may be smaller */
	NativeLanes lanes; /* of the wavefront that runs: those that met last */
	MatrixIn matrix;   /* what they gave to a matrix instruction */
	u8 *lds;
	u64 lds_bytes, lds_most;
	u8 *stacks;
	u64 stacks_bytes;
	u64 stack; /* of an item, with the page before it that nobody may touch */
	bool waits, v5;
	Item *item, *current;
	Context scheduler;
	ucontext_t begins; /* begin_on() */
	NativeEntry *entry;
	void *const *args;
	u8 dispatch[DISPATCH_BYTES], implicit[IMPLICIT_BYTES];
};

/* ---- the launch ---- */

static void put(u8 *at, u64 value, u32 bytes) { memcpy(at, &value, bytes); }

static void fill_segments(NativeRun *r, const PoclLaunch *l, bool v5)
{
	put(r->dispatch + DISPATCH_SETUP, l->dims, 2);
	if (v5)
		put(r->implicit + V5_DIMS, l->dims, 2);
	for (u32 i = 0; i < 3; i++) {
		u64 left = l->global[i] % l->local[i], full = l->global[i] / l->local[i];
		put(r->dispatch + DISPATCH_LOCAL_SIZE + 2 * i, l->local[i], 2);
		put(r->dispatch + DISPATCH_GLOBAL_SIZE + 4 * i, l->global[i], 4);
		put(r->implicit + (v5 ? V5_LOCAL_SIZE : IMPLICIT_LOCAL_SIZE) + 2 * i, l->local[i], 2);
		put(r->implicit + (v5 ? V5_REMAINDER : IMPLICIT_REMAINDER) + 2 * i, left, 2);
		put(r->implicit + (v5 ? V5_GLOBAL_OFFSET : IMPLICIT_GLOBAL_OFFSET) + 8 * i, l->offset[i], 8);
		put(r->implicit + (v5 ? V5_ALL_GROUPS : IMPLICIT_GROUPS) + 4 * i, r->groups[i], 4);
		if (v5)
			put(r->implicit + V5_GROUPS + 4 * i, full, 4);
	}
}

/* Work-items of a work-group. */
static u32 set_sizes(NativeRun *r, const PoclLaunch *l)
{
	u32 items = 1;
	for (u32 i = 0; i < 3; i++) {
		r->global[i] = l->global[i];
		r->local[i] = (u32)l->local[i];
		r->groups[i] = (u32)((l->global[i] + l->local[i] - 1) / l->local[i]);
		items *= r->local[i];
	}
	fill_segments(r, l, r->v5);
	return items;
}

void native_run_resize(NativeRun *r, const PoclLaunch *l, u64 less)
{
	set_sizes(r, l);
	r->lds_bytes = r->lds_most - less;
}

#ifndef MAP_32BIT /* x86 alone has it */
#define MAP_32BIT 0
#endif

/* Below 4 GB where that can be had: 32 bits of an address are all that assembly has of local memory. Elsewhere its
 * accesses would crash, which the report says. */
static u8 *low_memory(u64 bytes)
{
	enum { PLAIN = MAP_PRIVATE | MAP_ANONYMOUS };
	u8 *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, PLAIN | MAP_32BIT, -1, 0);
	return p != MAP_FAILED ? p : mmap(NULL, bytes, PROT_READ | PROT_WRITE, PLAIN, -1, 0);
}

NativeRun *native_run_new(const PoclLaunch *l, u32 wave, u64 lds, u64 stack, bool waits, bool v5)
{
	NativeRun *r = xcalloc(1, sizeof *r);
	u64 page = (u64)sysconf(_SC_PAGESIZE);
	r->wave = wave;
	r->waits = waits;
	r->v5 = v5;
	u32 items = set_sizes(r, l);
	r->item = xcalloc(items, sizeof *r->item);
	r->lds_bytes = r->lds_most = lds;
	r->lds = low_memory((lds / page + 1) * page);
	r->stack = (stack / page + 1) * page + page;
	u32 stacks = waits ? items : 1;
	r->stacks_bytes = stacks * r->stack;
	r->stacks = mmap(NULL, r->stacks_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
	                 0);
	r->scheduler.begun = true;
	bool ok = r->lds != MAP_FAILED && r->stacks != MAP_FAILED;
	for (u32 i = 0; ok && i < stacks; i++) {
		u8 *low = r->stacks + i * r->stack;
		ok = !mprotect(low, page, PROT_NONE);
		r->item[i].at = (Context){.stack = low + page, .bytes = r->stack - page};
	}
	return ok ? r : NULL;
}

u8 *native_run_lds(const NativeRun *r) { return r->lds; }

/* ---- one work-group ---- */

/* makecontext() passes int's. */
static NativeRun *passed(u32 low, u32 high) { return (NativeRun *)(uintptr_t)((u64)high << 32 | low); }

/* Begins with main on the stack of c. */
static void begin_on(NativeRun *r, Context *c, void (*main)(u32, u32))
{
	u64 self = (u64)(uintptr_t)r;
	ucontext_t *at = &r->begins; /* on this stack the address sanitizer would take it for what is left behind */
	getcontext(at);
	at->uc_stack.ss_sp = (void *)(uintptr_t)c->stack;
	at->uc_stack.ss_size = c->bytes;
	at->uc_link = NULL;
	makecontext(at, (void (*)(void))main, 2, (u32)self, (u32)(self >> 32));
	c->begun = true;
	setcontext(at);
	abort(); /* it does not return */
}

/* Goes on where `to` left off, or with main. Returns when somebody goes on with `from`. */
static void switch_stack(NativeRun *r, Context *from, Context *to, void (*main)(u32, u32))
{
	LEAVE_STACK(&from->fake, to->stack, to->bytes);
	if (!_setjmp(from->at)) {
		if (to->begun)
			_longjmp(to->at, 1);
		begin_on(r, to, main);
	}
	ENTER_STACK(from->fake, NULL, NULL);
}

static void item_wait(NativeRun *r, ItemState state)
{
	r->current->state = state;
	switch_stack(r, &r->current->at, &r->scheduler, NULL);
}

static void item_main(u32 low, u32 high)
{
	NativeRun *r = passed(low, high);
	ENTER_STACK(NULL, &r->scheduler.stack, &r->scheduler.bytes);
	for (;;) {
		r->entry(r->args);
		item_wait(r, ITEM_DONE);
	}
}

static void run_item(NativeRun *r, Item *i)
{
	r->current = i;
	switch_stack(r, &r->scheduler, &i->at, item_main);
}

static bool is_at(const Item *i, u32 site) { return i->state == ITEM_LANES && i->site == site; }

/* The lanes at the earliest place that any waits at go on, and each sees what all of them gave. False: none waits. */
static bool meet(NativeRun *r, Item *lane, u32 n)
{
	u32 site = UINT32_MAX;
	r->lanes.n = 0;
	for (u32 i = 0; i < n; i++)
		if (lane[i].state == ITEM_LANES && lane[i].site < site)
			site = lane[i].site;
	for (u32 i = 0; i < n; i++) {
		r->lanes.there[i] = is_at(&lane[i], site);
		if (!r->lanes.there[i])
			continue;
		r->lanes.value[i] = lane[i].value;
		r->lanes.n = i + 1;
		lane[i].state = ITEM_READY;
	}
	return r->lanes.n > 0;
}

static void run_wave(NativeRun *r, Item *lane, u32 n)
{
	do {
		for (u32 i = 0; i < n; i++)
			if (lane[i].state == ITEM_READY)
				run_item(r, &lane[i]);
	} while (meet(r, lane, n));
}

static void run_waiting(NativeRun *r, u32 items)
{
	for (u32 i = 0; i < items; i++)
		r->item[i].state = ITEM_READY;
	for (bool more = true; more;) {
		more = false;
		for (u32 i = 0; i < items; i += r->wave)
			run_wave(r, &r->item[i], items - i < r->wave ? items - i : r->wave);
		for (u32 i = 0; i < items; i++)
			if (r->item[i].state == ITEM_BARRIER) {
				r->item[i].state = ITEM_READY;
				more = true;
			}
	}
}

static void run_group(NativeRun *r)
{
	memset(r->lds, 0, r->lds_bytes);
	r->items = 1;
	for (u32 i = 0; i < 3; i++) {
		u64 left = r->global[i] - (u64)r->group[i] * r->local[i];
		r->size[i] = left < r->local[i] ? (u32)left : r->local[i];
		r->items *= r->size[i];
	}
	if (r->waits) {
		run_waiting(r, r->items);
		return;
	}
	for (u32 i = 0; i < r->items; i++) {
		r->current = &r->item[i];
		r->entry(r->args);
	}
}

static void run_groups(NativeRun *r)
{
	for (r->group[2] = 0; r->group[2] < r->groups[2]; r->group[2]++)
		for (r->group[1] = 0; r->group[1] < r->groups[1]; r->group[1]++)
			for (r->group[0] = 0; r->group[0] < r->groups[0]; r->group[0]++)
				run_group(r);
}

static void groups_main(u32 low, u32 high)
{
	NativeRun *r = passed(low, high);
	ENTER_STACK(NULL, &r->scheduler.stack, &r->scheduler.bytes);
	for (;;) {
		run_groups(r);
		switch_stack(r, &r->item[0].at, &r->scheduler, NULL);
	}
}

void native_run(NativeRun *r, NativeEntry *entry, void *const *args)
{
	r->entry = entry;
	r->args = args;
	if (r->waits)
		run_groups(r);
	else /* all on one stack, which has room for the private memory */
		switch_stack(r, &r->scheduler, &r->item[0].at, groups_main);
}

/* ---- what the kernel's code calls ---- */

static u32 item_number(const NativeRun *r) { return (u32)(r->current - r->item); }

static u32 local_id(const NativeRun *r, u32 axis)
{
	u32 i = item_number(r);
	for (u32 k = 0; k < axis; k++)
		i /= r->size[k];
	return axis == 2 ? i : i % r->size[axis];
}

static u32 group_id(const NativeRun *r, u32 axis) { return r->group[axis]; }
static const u8 *dispatch_ptr(const NativeRun *r) { return r->dispatch; }
static const u8 *implicitarg_ptr(const NativeRun *r) { return r->implicit; }
static u32 wave_size(const NativeRun *r) { return r->wave; }
void native_barrier(NativeRun *r) { item_wait(r, ITEM_BARRIER); }

const NativeLanes *native_meet(NativeRun *r, u32 site, u64 value)
{
	r->current->site = site;
	r->current->value = value;
	item_wait(r, ITEM_LANES);
	r->lanes.own = native_lane(r);
	return &r->lanes;
}

MatrixIn *native_matrix_in(NativeRun *r) { return &r->matrix; }
u32 native_lane(const NativeRun *r) { return item_number(r) % r->wave; }

static u32 waves_of(const NativeRun *r, u32 items) { return (items + r->wave - 1) / r->wave; }
static u32 lanes_of(const NativeRun *r, u32 items) { return items < r->wave ? items : r->wave; }

u32 native_query(const NativeRun *r, u32 q)
{
	u32 full = r->local[0] * r->local[1] * r->local[2], wave = item_number(r) / r->wave;
	switch (q) {
	case QUERY_lane_id: return native_lane(r);
	case QUERY_wave_size: return r->wave;
	case QUERY_wave_id: return wave;
	case QUERY_group_waves: return waves_of(r, r->items);
	case QUERY_wave_items: return lanes_of(r, r->items - wave * r->wave);
	case QUERY_full_waves: return waves_of(r, full);
	default: return lanes_of(r, full); /* wave_most */
	}
}

/* The first work-item copies for all: each has the same operands, and none may touch either side before all wait. */
void native_copy(const NativeRun *r, u8 *to, const u8 *from, u64 n, u64 bytes, u64 step_to, u64 step_from)
{
	for (u64 i = 0; i < n && !item_number(r); i++)
		memcpy(to + i * step_to * bytes, from + i * step_from * bytes, bytes);
}

/* Memory is one; which part of it an address is in. */
static bool is_shared(const NativeRun *r, const u8 *p) { return p >= r->lds && p < r->lds + r->lds_bytes; }
static bool is_private(const NativeRun *r, const u8 *p) { return p >= r->stacks && p < r->stacks + r->stacks_bytes; }

void native_nothing(void) {}
static u64 no_clock(void) { return 0; }

#define CALL(f) ((void (*)(void))(f))
static const NativeCall calls[] = {
	{"amdgcn.workitem.id.x", CALL(local_id), 0, true, false},
	{"amdgcn.workitem.id.y", CALL(local_id), 1, true, false},
	{"amdgcn.workitem.id.z", CALL(local_id), 2, true, false},
	{"amdgcn.workgroup.id.x", CALL(group_id), 0, true, false},
	{"amdgcn.workgroup.id.y", CALL(group_id), 1, true, false},
	{"amdgcn.workgroup.id.z", CALL(group_id), 2, true, false},
	{"amdgcn.dispatch.ptr", CALL(dispatch_ptr), -1, true, false},
	{"amdgcn.implicitarg.ptr", CALL(implicitarg_ptr), -1, true, false},
	{"amdgcn.wavefrontsize", CALL(wave_size), -1, true, false},
	{"amdgcn.s.barrier", CALL(native_barrier), -1, true, false},
	{"amdgcn.is.shared", CALL(is_shared), -1, true, false},
	{"amdgcn.is.private", CALL(is_private), -1, true, false},
	{"amdgcn.sched.barrier", CALL(native_nothing), -1, false, false},
	{"amdgcn.s.sleep", CALL(native_nothing), -1, false, false},
	{"amdgcn.s.setprio", CALL(native_nothing), -1, false, false},
	{"amdgcn.s.waitcnt", CALL(native_nothing), -1, false, false},
	{"amdgcn.s.memtime", CALL(no_clock), -1, false, false},
	{"amdgcn.s.memrealtime", CALL(no_clock), -1, false, false},
	{"readcyclecounter", CALL(no_clock), -1, false, false},
};

const NativeCall *native_call(const char *intrinsic)
{
	const NativeCall *own = native_call_named(calls, COUNT(calls), intrinsic);
	own = own ? own : native_lanes_call(intrinsic);
	return own ? own : native_math_call(intrinsic);
}
