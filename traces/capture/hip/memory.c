/* Memory of the device: one range of addresses, which the program, the kernels that run for it and the machine know
 * alike (isa/gpu.h). Blocks lie apart, so that what a kernel reads or writes past the end of one is in none. */
#include "traces/capture/hip/hip.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, APART = 64 << 10 };

/* Addresses that were given back, with the room they have. */
typedef struct Room {
	u64 address, bytes;
} Room;

static ARRAY(HipBlock *) blocks; /* by address */
static ARRAY(Room) rooms;
static u64 next = GPU_MEMORY + PAGE, next_shared = GPU_MEMORY_BYTES;

static u64 pages(u64 bytes) { return (bytes + PAGE - 1) & ~(u64)(PAGE - 1); }

/* How many blocks begin at or before an address. */
static u32 blocks_upto(u64 address)
{
	u32 low = 0, high = blocks.n;
	while (low < high) {
		u32 middle = (low + high) / 2;
		if (blocks.v[middle]->address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

HipBlock *hip_blocks(u32 i) { return i < blocks.n ? blocks.v[i] : NULL; }

HipBlock *hip_block(u64 address)
{
	u32 n = blocks_upto(address);
	HipBlock *b = n ? blocks.v[n - 1] : NULL;
	return b && address - b->address < b->size ? b : NULL;
}

static HipBlock *add(HipBlock b)
{
	HipBlock *new = xcalloc(1, sizeof *new);
	*new = b;
	u32 at = blocks_upto(b.address);
	array_push(&blocks, new);
	memmove(&blocks.v[at + 1], &blocks.v[at], (blocks.n - 1 - at) * sizeof *blocks.v);
	blocks.v[at] = new;
	return new;
}

static void take_out(HipBlock *b)
{
	u32 at = blocks_upto(b->address) - 1;
	memmove(&blocks.v[at], &blocks.v[at + 1], (blocks.n - at - 1) * sizeof *blocks.v);
	blocks.n--;
	free(b);
}

/* Where so many bytes find room; 0: nowhere. */
static u64 find_room(u64 bytes)
{
	for (u32 i = rooms.n; i-- > 0;) {
		if (rooms.v[i].bytes != bytes)
			continue;
		u64 at = rooms.v[i].address;
		rooms.v[i] = rooms.v[--rooms.n];
		return at;
	}
	if (bytes > GPU_MEMORY + GPU_MEMORY_BYTES - next)
		return 0;
	next += bytes;
	return next - bytes;
}

HipBlock *hip_block_new(u64 size, HipKind kind, u32 flags)
{
	if (hip_memory() < 0 || size > HIP_TOTAL - hip.used)
		return NULL;
	u64 at = find_room(pages(size) + APART);
	if (!at)
		return NULL;
	hip.used += size;
	return add((HipBlock){.address = at, .size = size, .kind = kind, .flags = flags});
}

static void drop(HipBlock *b)
{
	u64 bytes = pages(b->size) + APART;
	fallocate(hip_memory(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)(b->address - GPU_MEMORY),
	          (off_t)bytes);
	array_push(&rooms, ((Room){b->address, bytes}));
	hip.used -= b->size;
	take_out(b);
}

/* ---- allocating ---- */

static hipError_t allocate(void **out, u64 size, HipKind kind, u32 flags)
{
	if (!out)
		return hip_done(hipErrorInvalidValue);
	*out = NULL;
	if (!size)
		return hipSuccess;
	hip_lock();
	const HipBlock *b = hip_block_new(size, kind, flags);
	*out = b ? hip_bytes(b) : NULL;
	hip_unlock();
	return hip_done(b ? hipSuccess : hipErrorOutOfMemory);
}

static hipError_t release(void *p, bool host)
{
	hipError_t e = hipSuccess;
	if (!p)
		return e;
	hip_lock();
	HipBlock *b = hip_block_at(p);
	bool fits = b && hip_bytes(b) == p && b->kind != HIP_VARIABLE && b->kind != HIP_REGISTERED &&
	            (b->kind == HIP_HOST) == host;
	if (fits)
		drop(b);
	else
		e = host ? hipErrorInvalidValue : hipErrorInvalidDevicePointer;
	hip_unlock();
	return hip_done(e);
}

EXPORTED hipError_t hipMalloc(void **p, size_t n) { return allocate(p, n, HIP_DEVICE, 0); }
EXPORTED hipError_t hipExtMallocWithFlags(void **p, size_t n, unsigned flags)
{
	return allocate(p, n, HIP_DEVICE, flags);
}
EXPORTED hipError_t hipFree(void *p) { return release(p, false); }

EXPORTED hipError_t hipMallocAsync(void **p, size_t n, hipStream_t s)
{
	(void)s;
	return allocate(p, n, HIP_DEVICE, 0);
}

EXPORTED hipError_t hipFreeAsync(void *p, hipStream_t s)
{
	(void)s;
	return release(p, false);
}

EXPORTED hipError_t hipMallocManaged(void **p, size_t n, unsigned flags) { return allocate(p, n, HIP_MANAGED, flags); }
EXPORTED hipError_t hipHostMalloc(void **p, size_t n, unsigned flags) { return allocate(p, n, HIP_HOST, flags); }
EXPORTED hipError_t hipHostAlloc(void **p, size_t n, unsigned flags) { return allocate(p, n, HIP_HOST, flags); }
EXPORTED hipError_t hipMallocHost(void **p, size_t n) { return allocate(p, n, HIP_HOST, 0); }
EXPORTED hipError_t hipMemAllocHost(void **p, size_t n) { return allocate(p, n, HIP_HOST, 0); }
EXPORTED hipError_t hipHostFree(void *p) { return release(p, true); }
EXPORTED hipError_t hipFreeHost(void *p) { return release(p, true); }

/* Rows begin at multiples of so many bytes. */
enum { PITCH = 256 };
static size_t pitch_of(size_t width) { return (width + PITCH - 1) & ~(size_t)(PITCH - 1); }

EXPORTED hipError_t hipMallocPitch(void **p, size_t *pitch, size_t width, size_t height)
{
	if (!pitch)
		return hip_done(hipErrorInvalidValue);
	size_t n;
	*pitch = pitch_of(width);
	return __builtin_mul_overflow(*pitch, height, &n) ? hip_done(hipErrorOutOfMemory)
	                                                  : allocate(p, n, HIP_DEVICE, 0);
}

EXPORTED hipError_t hipMemAllocPitch(hipDeviceptr_t *p, size_t *pitch, size_t width, size_t height, unsigned element)
{
	(void)element;
	return hipMallocPitch(p, pitch, width, height);
}

EXPORTED hipError_t hipMalloc3D(hipPitchedPtr *p, hipExtent extent)
{
	if (!p)
		return hip_done(hipErrorInvalidValue);
	*p = (hipPitchedPtr){.pitch = pitch_of(extent.width), .xsize = extent.width, .ysize = extent.height};
	size_t n;
	return __builtin_mul_overflow(p->pitch, extent.height, &n) || __builtin_mul_overflow(n, extent.depth, &n)
	           ? hip_done(hipErrorOutOfMemory) : allocate(&p->ptr, n, HIP_DEVICE, 0);
}

/* ---- the program's own memory ---- */

enum { MOST_SHARED = 0x7ffff000 }; /* bytes that one pwrite() takes */

typedef struct Shared {
	u64 from, bytes, at; /* at: in the file */
} Shared;

static ARRAY(Shared) shared; /* all that ever were */

/* Where these pages go in the file: where they were, if they are registered again. */
static u64 shared_at(u64 from, u64 bytes)
{
	for (u32 i = 0; i < shared.n; i++)
		if (shared.v[i].from == from && shared.v[i].bytes == bytes)
			return shared.v[i].at;
	array_push(&shared, ((Shared){from, bytes, next_shared}));
	next_shared += bytes;
	return next_shared - bytes;
}

/* Whole pages of it become a part of the file that the process has which runs kernels: what was in them stays. */
static hipError_t share(u64 from, u64 bytes)
{
	void *p = (void *)(uintptr_t)from;
	Arena *a = arena_new();
	int fd = -1;
	u64 at = shared_at(from, bytes);
	GpuTalk t = {.kind = GPU_SHARE, .address = from, .size = bytes, .at = at};
	hipError_t e = hipErrorNotSupported;
	if (hip_memory() < 0)
		t.why = "there is no memory of the device";
	else if (bytes > MOST_SHARED)
		t.why = "at most 2 GiB can be registered in one call";
	else if (hip_talk(&t, a) && (fd = hip_memory()) >= 0 && /* the first talk gives it another number */
	         pwrite(fd, p, bytes, (off_t)at) == (ssize_t)bytes && /* nothing in between: */
	         mmap(p, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, (off_t)at) == p)
		e = hipSuccess;
	if (e != hipSuccess)
		hip_say("hipHostRegister", "this memory cannot be shared: %s", t.why ? t.why : strerror(errno));
	arena_free(a);
	return e;
}

/* Where its block begins: as much before it as leaves addresses in it aligned, but not in the block before. */
static u64 aligned_below(u64 from)
{
	u32 n = blocks_upto(from);
	u64 free_from = n ? blocks.v[n - 1]->address + blocks.v[n - 1]->size : 0, at = from;
	for (u64 align = 2; align <= 64 && (from & ~(align - 1)) >= free_from; align *= 2)
		at = from & ~(align - 1);
	return at;
}

EXPORTED hipError_t hipHostRegister(void *p, size_t n, unsigned flags)
{
	u64 from = (u64)(uintptr_t)p, first = from & ~(u64)(PAGE - 1), end = pages(from + n);
	if (!p || !n || from + n < from)
		return hip_done(hipErrorInvalidValue);
	hip_lock();
	u32 before = blocks_upto(from + n - 1); /* the last of them decides, also where it lies in the middle */
	bool taken = before && blocks.v[before - 1]->address + blocks.v[before - 1]->size > from;
	hipError_t e = taken ? hipErrorHostMemoryAlreadyRegistered : share(first, end - first);
	if (e == hipSuccess) {
		u64 at = aligned_below(from);
		add((HipBlock){.address = at, .size = from + n - at, .kind = HIP_REGISTERED, .flags = flags});
	}
	hip_unlock();
	return hip_done(e);
}

/* The pages stay shared: they may hold other things of the program's, too. */
EXPORTED hipError_t hipHostUnregister(void *p)
{
	hip_lock();
	HipBlock *b = hip_block_at(p);
	bool known = b && b->kind == HIP_REGISTERED;
	if (known)
		take_out(b);
	hip_unlock();
	return hip_done(known ? hipSuccess : hipErrorHostMemoryNotRegistered);
}

/* ---- asking ---- */

EXPORTED hipError_t hipHostGetDevicePointer(void **out, void *p, unsigned flags)
{
	hip_lock();
	const HipBlock *b = hip_block_at(p);
	hip_unlock();
	if (!out || !b || flags)
		return hip_done(hipErrorInvalidValue);
	*out = p;
	return hipSuccess;
}

EXPORTED hipError_t hipHostGetFlags(unsigned *flags, void *p)
{
	hip_lock();
	const HipBlock *b = hip_block_at(p);
	u32 has = b ? b->flags : 0;
	hip_unlock();
	if (!flags || !b)
		return hip_done(hipErrorInvalidValue);
	*flags = has;
	return hipSuccess;
}

EXPORTED hipError_t hipPointerGetAttributes(hipPointerAttribute_t *out, const void *p)
{
	if (!out)
		return hip_done(hipErrorInvalidValue);
	hip_lock();
	const HipBlock *b = hip_block_at(p);
	HipBlock is = b ? *b : (HipBlock){0};
	hip_unlock();
	if (!b)
		return hip_done(hipErrorInvalidValue);
	void *same = (void *)(uintptr_t)p;
	enum hipMemoryType type =
	    is.kind == HIP_HOST || is.kind == HIP_REGISTERED ? hipMemoryTypeHost : hipMemoryTypeDevice;
	*out = (hipPointerAttribute_t){
	    .devicePointer = same, .isManaged = is.kind == HIP_MANAGED, .allocationFlags = is.flags};
	out->hostPointer = is.kind == HIP_DEVICE || is.kind == HIP_VARIABLE ? NULL : same;
	memcpy(out, &type, sizeof type); /* the first member, whose name differs from version to version */
	return hipSuccess;
}

EXPORTED hipError_t hipMemGetAddressRange(hipDeviceptr_t *base, size_t *size, hipDeviceptr_t p)
{
	hip_lock();
	const HipBlock *b = hip_block_at(p);
	if (b && base)
		*base = hip_bytes(b);
	if (b && size)
		*size = b->size;
	hip_unlock();
	return hip_done(b ? hipSuccess : hipErrorInvalidValue);
}

EXPORTED hipError_t hipMemPtrGetInfo(void *p, size_t *size) { return hipMemGetAddressRange(NULL, size, p); }

EXPORTED hipError_t hipMemGetInfo(size_t *left, size_t *all)
{
	hip_lock();
	u64 used = hip.used;
	hip_unlock();
	if (!left || !all)
		return hip_done(hipErrorInvalidValue);
	*all = HIP_TOTAL;
	*left = HIP_TOTAL - used;
	return hipSuccess;
}

/* ---- hints ---- */

EXPORTED hipError_t hipMemAdvise(const void *p, size_t n, hipMemoryAdvise advice, int device)
{
	(void)p, (void)n, (void)advice, (void)device;
	return hipSuccess;
}

EXPORTED hipError_t hipMemPrefetchAsync(const void *p, size_t n, int device, hipStream_t s)
{
	(void)p, (void)n, (void)device, (void)s;
	return hipSuccess;
}

EXPORTED hipError_t hipStreamAttachMemAsync(hipStream_t s, void *p, size_t n, unsigned flags)
{
	(void)s, (void)p, (void)n, (void)flags;
	return hipSuccess;
}
