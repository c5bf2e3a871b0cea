/* Copying and filling memory: all of it is the program's, too, at the same addresses. What lies in no block of the
 * device's is the host's and is trusted as memcpy trusts it; a range that begins in a block must end in it. */
#include "traces/capture/hip/hip.h"

static bool in_memory(const void *p)
{
	u64 at = (u64)(uintptr_t)p;
	return at >= GPU_MEMORY && at - GPU_MEMORY < GPU_MEMORY_BYTES;
}

/* May n bytes there be used? */
static bool good(const void *p, u64 n)
{
	if (!n)
		return true;
	if (!p)
		return false;
	hip_lock();
	const HipBlock *b = hip_block_at(p);
	u64 left = b ? b->size - ((u64)(uintptr_t)p - b->address) : 0;
	bool registered = b && b->kind == HIP_REGISTERED;
	hip_unlock();
	return b ? n <= left || registered : !in_memory(p);
}

/* Rows of width bytes, height of them; planes, depth of them. */
typedef struct Side {
	const void *p;
	u64 pitch, plane;
} Side;

static u64 extent_of(const Side *s, u64 width, u64 height, u64 depth)
{
	return width && height && depth ? (depth - 1) * s->plane + (height - 1) * s->pitch + width : 0;
}

static hipError_t copy(const Side *to, const Side *from, u64 width, u64 height, u64 depth, hipMemcpyKind kind)
{
	if ((u32)kind > hipMemcpyDefault)
		return hip_done(hipErrorInvalidMemcpyDirection);
	if ((height > 1 && (width > to->pitch || width > from->pitch)))
		return hip_done(hipErrorInvalidPitchValue);
	if (!good(to->p, extent_of(to, width, height, depth)) || !good(from->p, extent_of(from, width, height, depth)))
		return hip_done(hipErrorInvalidValue);
	for (u64 z = 0; z < depth; z++)
		for (u64 y = 0; y < height && width; y++)
			memmove((u8 *)(uintptr_t)to->p + z * to->plane + y * to->pitch,
			        (const u8 *)from->p + z * from->plane + y * from->pitch, width);
	return hipSuccess;
}

static hipError_t copy_bytes(void *to, const void *from, size_t n, hipMemcpyKind kind)
{
	return copy(&(Side){.p = to}, &(Side){.p = from}, n, 1, 1, kind);
}

EXPORTED hipError_t hipMemcpy(void *to, const void *from, size_t n, hipMemcpyKind kind)
{
	return copy_bytes(to, from, n, kind);
}

EXPORTED hipError_t hipMemcpyAsync(void *to, const void *from, size_t n, hipMemcpyKind kind, hipStream_t s)
{
	(void)s;
	return copy_bytes(to, from, n, kind);
}

EXPORTED hipError_t hipMemcpyWithStream(void *to, const void *from, size_t n, hipMemcpyKind kind, hipStream_t s)
{
	(void)s;
	return copy_bytes(to, from, n, kind);
}

EXPORTED hipError_t hipMemcpyHtoD(hipDeviceptr_t to, void *from, size_t n)
{
	return copy_bytes(to, from, n, hipMemcpyHostToDevice);
}
EXPORTED hipError_t hipMemcpyDtoH(void *to, hipDeviceptr_t from, size_t n)
{
	return copy_bytes(to, from, n, hipMemcpyDeviceToHost);
}
EXPORTED hipError_t hipMemcpyDtoD(hipDeviceptr_t to, hipDeviceptr_t from, size_t n)
{
	return copy_bytes(to, from, n, hipMemcpyDeviceToDevice);
}
EXPORTED hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t to, void *from, size_t n, hipStream_t s)
{
	(void)s;
	return copy_bytes(to, from, n, hipMemcpyHostToDevice);
}
EXPORTED hipError_t hipMemcpyDtoHAsync(void *to, hipDeviceptr_t from, size_t n, hipStream_t s)
{
	(void)s;
	return copy_bytes(to, from, n, hipMemcpyDeviceToHost);
}
EXPORTED hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t to, hipDeviceptr_t from, size_t n, hipStream_t s)
{
	(void)s;
	return copy_bytes(to, from, n, hipMemcpyDeviceToDevice);
}

EXPORTED hipError_t hipMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t n)
{
	if (to_device || from_device)
		return hip_done(hipErrorInvalidDevice);
	return copy_bytes(to, from, n, hipMemcpyDeviceToDevice);
}

EXPORTED hipError_t hipMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t n,
                                       hipStream_t s)
{
	(void)s;
	return hipMemcpyPeer(to, to_device, from, from_device, n);
}

EXPORTED hipError_t hipMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                size_t height, hipMemcpyKind kind)
{
	return copy(&(Side){to, to_pitch, 0}, &(Side){from, from_pitch, 0}, width, height, 1, kind);
}

EXPORTED hipError_t hipMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                     size_t height, hipMemcpyKind kind, hipStream_t s)
{
	(void)s;
	return hipMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

EXPORTED hipError_t hipMemcpyParam2D(const hip_Memcpy2D *c)
{
	if (!c)
		return hip_done(hipErrorInvalidValue);
	if (c->srcMemoryType == hipMemoryTypeArray || c->dstMemoryType == hipMemoryTypeArray)
		return hip_absent("hipMemcpyParam2D of an array");
	const u8 *from = c->srcMemoryType == hipMemoryTypeHost ? c->srcHost : c->srcDevice;
	u8 *to = c->dstMemoryType == hipMemoryTypeHost ? c->dstHost : c->dstDevice;
	return hipMemcpy2D(to + c->dstY * c->dstPitch + c->dstXInBytes, c->dstPitch,
	                   from + c->srcY * c->srcPitch + c->srcXInBytes, c->srcPitch, c->WidthInBytes, c->Height,
	                   hipMemcpyDefault);
}

EXPORTED hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D *c, hipStream_t s)
{
	(void)s;
	return hipMemcpyParam2D(c);
}

static Side side_of(const hipPitchedPtr *p, const struct hipPos *at)
{
	u64 plane = p->pitch * p->ysize;
	return (Side){(const u8 *)p->ptr + at->z * plane + at->y * p->pitch + at->x, p->pitch, plane};
}

EXPORTED hipError_t hipMemcpy3D(const struct hipMemcpy3DParms *c)
{
	if (!c)
		return hip_done(hipErrorInvalidValue);
	if (c->srcArray || c->dstArray)
		return hip_absent("hipMemcpy3D of an array");
	Side to = side_of(&c->dstPtr, &c->dstPos), from = side_of(&c->srcPtr, &c->srcPos);
	return copy(&to, &from, c->extent.width, c->extent.height, c->extent.depth, c->kind);
}

EXPORTED hipError_t hipMemcpy3DAsync(const struct hipMemcpy3DParms *c, hipStream_t s)
{
	(void)s;
	return hipMemcpy3D(c);
}

/* ---- variables ---- */

/* Where a part of a variable lies, or NULL. */
static u8 *part_of(const void *symbol, u64 offset, u64 n)
{
	hip_lock();
	const HipBlock *b = hip_symbol(symbol);
	u8 *p = b && offset <= b->size && n <= b->size - offset ? (u8 *)hip_bytes(b) + offset : NULL;
	hip_unlock();
	return p;
}

EXPORTED hipError_t hipMemcpyToSymbol(const void *symbol, const void *from, size_t n, size_t offset, hipMemcpyKind kind)
{
	u8 *p = part_of(symbol, offset, n);
	return p ? copy_bytes(p, from, n, kind) : hip_done(hipErrorInvalidSymbol);
}

EXPORTED hipError_t hipMemcpyToSymbolAsync(const void *symbol, const void *from, size_t n, size_t offset,
                                           hipMemcpyKind kind, hipStream_t s)
{
	(void)s;
	return hipMemcpyToSymbol(symbol, from, n, offset, kind);
}

EXPORTED hipError_t hipMemcpyFromSymbol(void *to, const void *symbol, size_t n, size_t offset, hipMemcpyKind kind)
{
	const u8 *p = part_of(symbol, offset, n);
	return p ? copy_bytes(to, p, n, kind) : hip_done(hipErrorInvalidSymbol);
}

EXPORTED hipError_t hipMemcpyFromSymbolAsync(void *to, const void *symbol, size_t n, size_t offset, hipMemcpyKind kind,
                                             hipStream_t s)
{
	(void)s;
	return hipMemcpyFromSymbol(to, symbol, n, offset, kind);
}

EXPORTED hipError_t hipGetSymbolAddress(void **out, const void *symbol)
{
	void *p = part_of(symbol, 0, 0);
	if (!out)
		return hip_done(hipErrorInvalidValue);
	*out = p;
	return hip_done(p ? hipSuccess : hipErrorInvalidSymbol);
}

EXPORTED hipError_t hipGetSymbolSize(size_t *out, const void *symbol)
{
	hip_lock();
	const HipBlock *b = hip_symbol(symbol);
	if (out && b)
		*out = b->size;
	hip_unlock();
	return hip_done(!out ? hipErrorInvalidValue : b ? hipSuccess : hipErrorInvalidSymbol);
}

/* Of arrays, which are not there. */
EXPORTED hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind kind)
{
	return (hipChannelFormatDesc){x, y, z, w, kind};
}

/* ---- filling ---- */

static hipError_t fill(const Side *to, u64 value, u32 bytes, u64 width, u64 height, u64 depth)
{
	if (height > 1 && width * bytes > to->pitch)
		return hip_done(hipErrorInvalidPitchValue);
	if (!good(to->p, extent_of(to, width * bytes, height, depth)))
		return hip_done(hipErrorInvalidValue);
	for (u64 z = 0; z < depth; z++)
		for (u64 y = 0; y < height; y++)
			for (u64 x = 0; x < width; x++)
				memcpy((u8 *)(uintptr_t)to->p + z * to->plane + y * to->pitch + x * bytes, &value,
				       bytes);
	return hipSuccess;
}

static hipError_t fill_line(void *p, u64 value, u32 bytes, u64 n)
{
	if (bytes > 1 || !good(p, n))
		return fill(&(Side){.p = p}, value, bytes, n, 1, 1);
	if (n)
		memset(p, (int)value, n);
	return hipSuccess;
}

EXPORTED hipError_t hipMemset(void *p, int v, size_t n) { return fill_line(p, (u8)v, 1, n); }
EXPORTED hipError_t hipMemsetD8(hipDeviceptr_t p, unsigned char v, size_t n) { return fill_line(p, v, 1, n); }
EXPORTED hipError_t hipMemsetD16(hipDeviceptr_t p, unsigned short v, size_t n) { return fill_line(p, v, 2, n); }
EXPORTED hipError_t hipMemsetD32(hipDeviceptr_t p, int v, size_t n) { return fill_line(p, (u32)v, 4, n); }

EXPORTED hipError_t hipMemsetAsync(void *p, int v, size_t n, hipStream_t s)
{
	(void)s;
	return fill_line(p, (u8)v, 1, n);
}
EXPORTED hipError_t hipMemsetD8Async(hipDeviceptr_t p, unsigned char v, size_t n, hipStream_t s)
{
	(void)s;
	return fill_line(p, v, 1, n);
}
EXPORTED hipError_t hipMemsetD16Async(hipDeviceptr_t p, unsigned short v, size_t n, hipStream_t s)
{
	(void)s;
	return fill_line(p, v, 2, n);
}
EXPORTED hipError_t hipMemsetD32Async(hipDeviceptr_t p, int v, size_t n, hipStream_t s)
{
	(void)s;
	return fill_line(p, (u32)v, 4, n);
}

EXPORTED hipError_t hipMemset2D(void *p, size_t pitch, int v, size_t width, size_t height)
{
	return fill(&(Side){p, pitch, 0}, (u8)v, 1, width, height, 1);
}

EXPORTED hipError_t hipMemset2DAsync(void *p, size_t pitch, int v, size_t width, size_t height, hipStream_t s)
{
	(void)s;
	return hipMemset2D(p, pitch, v, width, height);
}

EXPORTED hipError_t hipMemset3D(hipPitchedPtr p, int v, hipExtent e)
{
	return fill(&(Side){p.ptr, p.pitch, p.pitch * p.ysize}, (u8)v, 1, e.width, e.height, e.depth);
}

EXPORTED hipError_t hipMemset3DAsync(hipPitchedPtr p, int v, hipExtent e, hipStream_t s)
{
	(void)s;
	return hipMemset3D(p, v, e);
}
