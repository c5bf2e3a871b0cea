/* Work-items, one after another. Where they wait for others, each has a stack; a barrier lets all of a work-group meet.
 *
 * Where the lanes of a wavefront exchange values, a lane waits until none of its wavefront can go on. Then the
 * earliest of these places in the code goes first, with the lanes that are there: so do wavefronts of the machine,
 * which run the earliest block that has lanes (isa/isa.h). Loops are places, too, at their ends (host.c). */
#include "frontend/native/native.h"

#include "isa/abi.h"

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

typedef enum { ITEM_READY, ITEM_BARRIER, ITEM_LANES, ITEM_DONE } ItemState;

typedef struct Item {
	ItemState state;
	u32 site;      /* of ITEM_LANES */
	u32 from;      /* the lane that is asked for its value; FROM_FIRST: the lowest that is there */
	u64 value;     /* that it gives */
	u64 got, ones; /* that it gets; a bit for each lane there that gave another value than 0 */
	bool answered; /* the lane that was asked takes part */
	ucontext_t at;
} Item;
enum { FROM_FIRST = UINT32_MAX };

struct NativeRun {
	u32 wave, items; /* of a work-group */
	u32 local[3], groups[3], group[3];
	u8 *lds;
	u64 lds_bytes;
	u8 *stacks;
	u64 stack; /* of an item, with the page before it that nobody may touch */
	bool waits;
	Item *item, *current;
	ucontext_t scheduler;
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

NativeRun *native_run_new(const PoclLaunch *l, u32 wave, u64 lds, u64 stack, bool waits, bool v5)
{
	NativeRun *r = xcalloc(1, sizeof *r);
	u64 page = (u64)sysconf(_SC_PAGESIZE);
	r->wave = wave;
	r->waits = waits;
	r->items = 1;
	for (u32 i = 0; i < 3; i++) {
		r->local[i] = (u32)l->local[i];
		r->groups[i] = (u32)((l->global[i] + l->local[i] - 1) / l->local[i]);
		r->items *= r->local[i];
	}
	fill_segments(r, l, v5);
	r->item = xcalloc(r->items, sizeof *r->item);
	r->lds_bytes = lds;
	r->lds = aligned_alloc(page, (lds / page + 1) * page);
	r->stack = (stack / page + 1) * page + page;
	u32 stacks = waits ? r->items : 1;
	r->stacks = mmap(NULL, stacks * r->stack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
	                 0);
	bool ok = r->lds && r->stacks != MAP_FAILED;
	for (u32 i = 0; ok && i < stacks; i++)
		ok = !mprotect(r->stacks + i * r->stack, page, PROT_NONE);
	return ok ? r : NULL;
}

u8 *native_run_lds(const NativeRun *r) { return r->lds; }

/* ---- one work-group ---- */

/* makecontext() passes int's. */
static NativeRun *passed(u32 low, u32 high) { return (NativeRun *)(uintptr_t)((u64)high << 32 | low); }

/* Begins with main on the stack of item i. */
static void begin_on(NativeRun *r, u32 i, void (*main)(u32, u32))
{
	u64 self = (u64)(uintptr_t)r, page = (u64)sysconf(_SC_PAGESIZE);
	ucontext_t *at = &r->item[i].at;
	getcontext(at);
	at->uc_stack.ss_sp = r->stacks + i * r->stack + page;
	at->uc_stack.ss_size = r->stack - page;
	makecontext(at, (void (*)(void))main, 2, (u32)self, (u32)(self >> 32));
}

static void item_main(u32 low, u32 high)
{
	NativeRun *r = passed(low, high);
	r->entry(r->args);
	r->current->state = ITEM_DONE;
	swapcontext(&r->current->at, &r->scheduler);
}

static void run_item(NativeRun *r, Item *i)
{
	r->current = i;
	swapcontext(&r->scheduler, &i->at);
}

static void item_wait(NativeRun *r, ItemState state)
{
	r->current->state = state;
	swapcontext(&r->current->at, &r->scheduler);
}

static bool is_at(const Item *i, u32 site) { return i->state == ITEM_LANES && i->site == site; }

/* The lanes at the earliest place that any waits at get their answers. False: none waits. */
static bool meet(Item *lane, u32 n)
{
	u32 site = UINT32_MAX, first = n;
	u64 ones = 0;
	for (u32 i = 0; i < n; i++)
		if (lane[i].state == ITEM_LANES && lane[i].site < site)
			site = lane[i].site;
	for (u32 i = n; i-- > 0;) {
		if (!is_at(&lane[i], site))
			continue;
		first = i;
		ones |= i < 64 && lane[i].value ? (u64)1 << i : 0;
	}
	for (u32 i = 0; i < n; i++) {
		u32 from = lane[i].from == FROM_FIRST ? first : lane[i].from;
		if (!is_at(&lane[i], site))
			continue;
		lane[i].answered = from < n && is_at(&lane[from], site);
		lane[i].got = lane[i].answered ? lane[from].value : 0;
		lane[i].ones = ones;
	}
	for (u32 i = 0; i < n; i++)
		if (is_at(&lane[i], site))
			lane[i].state = ITEM_READY;
	return first < n;
}

static void run_wave(NativeRun *r, Item *lane, u32 n)
{
	do {
		for (u32 i = 0; i < n; i++)
			if (lane[i].state == ITEM_READY)
				run_item(r, &lane[i]);
	} while (meet(lane, n));
}

static void run_waiting(NativeRun *r, u32 items)
{
	for (u32 i = 0; i < items; i++) {
		r->item[i].state = ITEM_READY;
		begin_on(r, i, item_main);
	}
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
	run_groups(r);
	setcontext(&r->scheduler);
}

void native_run(NativeRun *r, NativeEntry *entry, void *const *args)
{
	r->entry = entry;
	r->args = args;
	if (r->waits) {
		run_groups(r);
	} else { /* all on one stack, which has room for the private memory */
		begin_on(r, 0, groups_main);
		swapcontext(&r->scheduler, &r->item[0].at);
	}
}

/* ---- what the kernel's code calls ---- */

static u32 item_number(const NativeRun *r) { return (u32)(r->current - r->item); }
static u32 lane_number(const NativeRun *r) { return item_number(r) % r->wave; }

static u32 local_id(const NativeRun *r, u32 axis)
{
	u32 i = item_number(r);
	for (u32 k = 0; k < axis; k++)
		i /= r->local[k];
	return axis == 2 ? i : i % r->local[axis];
}

static u32 group_id(const NativeRun *r, u32 axis) { return r->group[axis]; }
static const u8 *dispatch_ptr(const NativeRun *r) { return r->dispatch; }
static const u8 *implicitarg_ptr(const NativeRun *r) { return r->implicit; }
static u32 wave_size(const NativeRun *r) { return r->wave; }
static void barrier(NativeRun *r) { item_wait(r, ITEM_BARRIER); }

static Item *ask(NativeRun *r, u32 site, u32 from, u64 value)
{
	Item *i = r->current;
	i->site = site;
	i->from = from;
	i->value = value;
	item_wait(r, ITEM_LANES);
	return i;
}

void native_sync(NativeRun *r, u32 site) { ask(r, site, FROM_FIRST, 0); }

static u64 ballot(NativeRun *r, u32 site, bool holds) { return ask(r, site, FROM_FIRST, holds)->ones; }
static u32 ballot_32(NativeRun *r, u32 site, bool holds) { return (u32)ballot(r, site, holds); }
static u32 readfirst(NativeRun *r, u32 site, u32 value) { return (u32)ask(r, site, FROM_FIRST, value)->got; }
static u32 readlane(NativeRun *r, u32 site, u32 value, u32 lane) { return (u32)ask(r, site, lane, value)->got; }

static u32 bpermute(NativeRun *r, u32 site, u32 address, u32 value)
{
	return (u32)ask(r, site, (address >> 2) % r->wave, value)->got;
}

/* Ones of a mask below this lane; hi: the mask is of lanes 32 to 63. */
static u32 mbcnt(const NativeRun *r, u32 hi, u32 mask, u32 more)
{
	u32 lane = lane_number(r), below = lane > 32 * hi ? lane - 32 * hi : 0;
	u64 ones = ((u64)1 << (below < 32 ? below : 32)) - 1;
	return (u32)__builtin_popcountll(mask & ones) + more;
}

/* Patterns of lanes, as AMD's instruction set manuals give them. */
static u32 swizzle(NativeRun *r, u32 site, u32 value, u32 pattern)
{
	u32 lane = lane_number(r), low = lane & 31, and = pattern & 31, or = pattern >> 5 & 31, to;
	if ((pattern & 0xffff) >= 0xe000)
		return bpermute(r, site, lane << 2, value); /* of Fourier transforms: nothing of HIP makes one */
	if ((pattern & 0xffff) >= 0xc000)
		to = (((pattern >> 10 & 1 ? low - or : low + or) & ~and) | (low & and)) & 31;
	else if (pattern & 0x8000)
		to = (low & ~3u) | (pattern >> 2 * (low & 3) & 3);
	else
		to = ((low & and) | or) ^ (pattern >> 10 & 31);
	return (u32)ask(r, site, (lane & ~31u) | to, value)->got;
}

/* The lane that a lane reads by a control of DPP; UINT32_MAX: none. */
static u32 dpp_from(const NativeRun *r, u32 lane, u32 ctrl)
{
	u32 row = lane & ~15u, low = lane & 15, n = ctrl & 15;
	if (ctrl < 0x100)
		return (lane & ~3u) | (ctrl >> 2 * (lane & 3) & 3);
	switch (ctrl & ~15u) {
	case 0x100: return low + n < 16 ? lane + n : UINT32_MAX;
	case 0x110: return low >= n ? lane - n : UINT32_MAX;
	case 0x120: return row | ((low - n) & 15);
	case 0x150: return row | n;
	case 0x160: return row | (low ^ n);
	}
	switch (ctrl) {
	case 0x130: return lane + 1 < r->wave ? lane + 1 : UINT32_MAX;
	case 0x134: return (lane + 1) % r->wave;
	case 0x138: return lane ? lane - 1 : UINT32_MAX;
	case 0x13c: return (lane + r->wave - 1) % r->wave;
	case 0x140: return lane ^ 15;
	case 0x141: return lane ^ 7;
	case 0x142: return row ? row - 1 : UINT32_MAX;
	case 0x143: return lane >= 32 ? 31 : UINT32_MAX;
	}
	return UINT32_MAX;
}

static u32 dpp(NativeRun *r, u32 site, u32 old, u32 value, u32 ctrl, u32 rows, u32 banks, bool bound)
{
	u32 lane = lane_number(r), from = dpp_from(r, lane, ctrl);
	const Item *i = ask(r, site, from == UINT32_MAX ? r->wave : from, value);
	if (!(rows >> (lane >> 4 & 3) & 1) || !(banks >> (lane >> 2 & 3) & 1))
		return old;
	return i->answered ? (u32)i->got : bound ? 0 : old;
}

static u32 mov_dpp(NativeRun *r, u32 site, u32 value, u32 ctrl, u32 rows, u32 banks, bool bound)
{
	return dpp(r, site, 0, value, ctrl, rows, banks, bound);
}

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
	{"amdgcn.s.barrier", CALL(barrier), -1, true, false},
	{"amdgcn.mbcnt.lo", CALL(mbcnt), 0, true, false},
	{"amdgcn.mbcnt.hi", CALL(mbcnt), 1, true, false},
	{"amdgcn.ballot.i64", CALL(ballot), -1, true, true},
	{"amdgcn.ballot.i32", CALL(ballot_32), -1, true, true},
	{"amdgcn.readfirstlane", CALL(readfirst), -1, true, true},
	{"amdgcn.readlane", CALL(readlane), -1, true, true},
	{"amdgcn.ds.bpermute", CALL(bpermute), -1, true, true},
	{"amdgcn.ds.swizzle", CALL(swizzle), -1, true, true},
	{"amdgcn.update.dpp.i32", CALL(dpp), -1, true, true},
	{"amdgcn.mov.dpp.i32", CALL(mov_dpp), -1, true, true},
	{"amdgcn.wave.barrier", CALL(native_nothing), -1, false, false},
	{"amdgcn.sched.barrier", CALL(native_nothing), -1, false, false},
	{"amdgcn.s.sleep", CALL(native_nothing), -1, false, false},
	{"amdgcn.s.waitcnt", CALL(native_nothing), -1, false, false},
	{"amdgcn.s.memtime", CALL(no_clock), -1, false, false},
	{"amdgcn.s.memrealtime", CALL(no_clock), -1, false, false},
	{"readcyclecounter", CALL(no_clock), -1, false, false},
};

const NativeCall *native_call(const char *intrinsic)
{
	const NativeCall *own = native_call_named(calls, COUNT(calls), intrinsic);
	return own ? own : native_math_call(intrinsic);
}
