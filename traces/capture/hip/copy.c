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

static u64 extent_of(const HipSide *s, u64 width, u64 height, u64 depth)
{
	return width && height && depth ? (depth - 1) * s->plane + (height - 1) * s->pitch + width : 0;
}

hipError_t hip_copy(const HipCopy *c)
{
	if ((u32)c->kind > hipMemcpyDefault)
		return hipErrorInvalidMemcpyDirection;
	if (c->height > 1 && (c->width > c->to.pitch || c->width > c->from.pitch))
		return hipErrorInvalidPitchValue;
	if (!good(c->to.p, extent_of(&c->to, c->width, c->height, c->depth)) ||
	    !good(c->from.p, extent_of(&c->from, c->width, c->height, c->depth)))
		return hipErrorInvalidValue;
	for (u64 z = 0; z < c->depth; z++)
		for (u64 y = 0; y < c->height && c->width; y++)
			memmove((u8 *)(uintptr_t)c->to.p + z * c->to.plane + y * c->to.pitch,
			        (const u8 *)c->from.p + z * c->from.plane + y * c->from.pitch, c->width);
	return hipSuccess;
}

static hipError_t copy(hipStream_t s, const HipCopy *c)
{
	return hip_command(s, &(HipCommand){.type = hipGraphNodeTypeMemcpy, .copy = *c});
}

static hipError_t copy_bytes(hipStream_t s, void *to, const void *from, size_t n, hipMemcpyKind kind)
{
	return copy(s, &(HipCopy){.to.p = to, .from.p = from, .width = n, .height = 1, .depth = 1, .kind = kind});
}

EXPORTED hipError_t hipMemcpyAsync(void *to, const void *from, size_t n, hipMemcpyKind kind, hipStream_t s)
{
	return copy_bytes(s, to, from, n, kind);
}
EXPORTED hipError_t hipMemcpy(void *to, const void *from, size_t n, hipMemcpyKind kind)
{
	return copy_bytes(NULL, to, from, n, kind);
}
EXPORTED hipError_t hipMemcpyWithStream(void *to, const void *from, size_t n, hipMemcpyKind kind, hipStream_t s)
{
	return copy_bytes(s, to, from, n, kind);
}

EXPORTED hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t to, void *from, size_t n, hipStream_t s)
{
	return copy_bytes(s, to, from, n, hipMemcpyHostToDevice);
}
EXPORTED hipError_t hipMemcpyDtoHAsync(void *to, hipDeviceptr_t from, size_t n, hipStream_t s)
{
	return copy_bytes(s, to, from, n, hipMemcpyDeviceToHost);
}
EXPORTED hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t to, hipDeviceptr_t from, size_t n, hipStream_t s)
{
	return copy_bytes(s, to, from, n, hipMemcpyDeviceToDevice);
}
EXPORTED hipError_t hipMemcpyHtoD(hipDeviceptr_t to, void *from, size_t n)
{
	return hipMemcpyHtoDAsync(to, from, n, NULL);
}
EXPORTED hipError_t hipMemcpyDtoH(void *to, hipDeviceptr_t from, size_t n)
{
	return hipMemcpyDtoHAsync(to, from, n, NULL);
}
EXPORTED hipError_t hipMemcpyDtoD(hipDeviceptr_t to, hipDeviceptr_t from, size_t n)
{
	return hipMemcpyDtoDAsync(to, from, n, NULL);
}

EXPORTED hipError_t hipMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t n,
                                       hipStream_t s)
{
	if (to_device || from_device)
		return hip_done(hipErrorInvalidDevice);
	return copy_bytes(s, to, from, n, hipMemcpyDeviceToDevice);
}
EXPORTED hipError_t hipMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t n)
{
	return hipMemcpyPeerAsync(to, to_device, from, from_device, n, NULL);
}

EXPORTED hipError_t hipMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                     size_t height, hipMemcpyKind kind, hipStream_t s)
{
	return copy(s, &(HipCopy){{to, to_pitch, 0}, {from, from_pitch, 0}, width, height, 1, kind});
}
EXPORTED hipError_t hipMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                size_t height, hipMemcpyKind kind)
{
	return hipMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, NULL);
}

EXPORTED hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D *c, hipStream_t s)
{
	if (!c)
		return hip_done(hipErrorInvalidValue);
	if (c->srcMemoryType == hipMemoryTypeArray || c->dstMemoryType == hipMemoryTypeArray)
		return hip_absent("hipMemcpyParam2D of an array");
	const u8 *from = c->srcMemoryType == hipMemoryTypeHost ? c->srcHost : c->srcDevice;
	u8 *to = c->dstMemoryType == hipMemoryTypeHost ? c->dstHost : c->dstDevice;
	return hipMemcpy2DAsync(to + c->dstY * c->dstPitch + c->dstXInBytes, c->dstPitch,
	                        from + c->srcY * c->srcPitch + c->srcXInBytes, c->srcPitch, c->WidthInBytes, c->Height,
	                        hipMemcpyDefault, s);
}
EXPORTED hipError_t hipMemcpyParam2D(const hip_Memcpy2D *c) { return hipMemcpyParam2DAsync(c, NULL); }

static HipSide side_of(const hipPitchedPtr *p, const struct hipPos *at)
{
	u64 plane = p->pitch * p->ysize;
	return (HipSide){(const u8 *)p->ptr + at->z * plane + at->y * p->pitch + at->x, p->pitch, plane};
}

HipCopy hip_copy_3d(const struct hipMemcpy3DParms *p)
{
	return (HipCopy){side_of(&p->dstPtr, &p->dstPos), side_of(&p->srcPtr, &p->srcPos), p->extent.width,
	                 p->extent.height, p->extent.depth, p->kind};
}

EXPORTED hipError_t hipMemcpy3DAsync(const struct hipMemcpy3DParms *p, hipStream_t s)
{
	if (!p)
		return hip_done(hipErrorInvalidValue);
	if (p->srcArray || p->dstArray)
		return hip_absent("hipMemcpy3D of an array");
	HipCopy c = hip_copy_3d(p);
	return copy(s, &c);
}
EXPORTED hipError_t hipMemcpy3D(const struct hipMemcpy3DParms *p) { return hipMemcpy3DAsync(p, NULL); }

/* ---- variables ---- */

u8 *hip_symbol_part(const void *symbol, u64 offset, u64 n)
{
	hip_lock();
	const HipBlock *b = hip_symbol(symbol);
	u8 *p = b && offset <= b->size && n <= b->size - offset ? (u8 *)hip_bytes(b) + offset : NULL;
	hip_unlock();
	return p;
}

EXPORTED hipError_t hipMemcpyToSymbolAsync(const void *symbol, const void *from, size_t n, size_t offset,
                                           hipMemcpyKind kind, hipStream_t s)
{
	u8 *p = hip_symbol_part(symbol, offset, n);
	return p ? copy_bytes(s, p, from, n, kind) : hip_done(hipErrorInvalidSymbol);
}
EXPORTED hipError_t hipMemcpyToSymbol(const void *symbol, const void *from, size_t n, size_t offset, hipMemcpyKind kind)
{
	return hipMemcpyToSymbolAsync(symbol, from, n, offset, kind, NULL);
}

EXPORTED hipError_t hipMemcpyFromSymbolAsync(void *to, const void *symbol, size_t n, size_t offset, hipMemcpyKind kind,
                                             hipStream_t s)
{
	const u8 *p = hip_symbol_part(symbol, offset, n);
	return p ? copy_bytes(s, to, p, n, kind) : hip_done(hipErrorInvalidSymbol);
}
EXPORTED hipError_t hipMemcpyFromSymbol(void *to, const void *symbol, size_t n, size_t offset, hipMemcpyKind kind)
{
	return hipMemcpyFromSymbolAsync(to, symbol, n, offset, kind, NULL);
}

EXPORTED hipError_t hipGetSymbolAddress(void **out, const void *symbol)
{
	void *p = hip_symbol_part(symbol, 0, 0);
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

static void fill_row(u8 *to, const HipFill *f)
{
	if (f->bytes == 1)
		memset(to, (int)f->value, f->width);
	for (u64 x = 0; x < f->width && f->bytes > 1; x++)
		memcpy(to + x * f->bytes, &f->value, f->bytes);
}

hipError_t hip_fill(const HipFill *f)
{
	if (f->height > 1 && f->width * f->bytes > f->to.pitch)
		return hipErrorInvalidPitchValue;
	if (!good(f->to.p, extent_of(&f->to, f->width * f->bytes, f->height, f->depth)))
		return hipErrorInvalidValue;
	for (u64 z = 0; z < f->depth; z++)
		for (u64 y = 0; y < f->height && f->width; y++)
			fill_row((u8 *)(uintptr_t)f->to.p + z * f->to.plane + y * f->to.pitch, f);
	return hipSuccess;
}

static hipError_t fill(hipStream_t s, const HipFill *f)
{
	return hip_command(s, &(HipCommand){.type = hipGraphNodeTypeMemset, .fill = *f});
}

static hipError_t fill_line(hipStream_t s, void *p, u32 value, u32 bytes, u64 n)
{
	return fill(s, &(HipFill){{p, 0, 0}, value, bytes, n, 1, 1});
}

EXPORTED hipError_t hipMemsetAsync(void *p, int v, size_t n, hipStream_t s) { return fill_line(s, p, (u8)v, 1, n); }
EXPORTED hipError_t hipMemsetD8Async(hipDeviceptr_t p, unsigned char v, size_t n, hipStream_t s)
{
	return fill_line(s, p, v, 1, n);
}
EXPORTED hipError_t hipMemsetD16Async(hipDeviceptr_t p, unsigned short v, size_t n, hipStream_t s)
{
	return fill_line(s, p, v, 2, n);
}
EXPORTED hipError_t hipMemsetD32Async(hipDeviceptr_t p, int v, size_t n, hipStream_t s)
{
	return fill_line(s, p, (u32)v, 4, n);
}
EXPORTED hipError_t hipMemset(void *p, int v, size_t n) { return hipMemsetAsync(p, v, n, NULL); }
EXPORTED hipError_t hipMemsetD8(hipDeviceptr_t p, unsigned char v, size_t n) { return hipMemsetD8Async(p, v, n, NULL); }
EXPORTED hipError_t hipMemsetD16(hipDeviceptr_t p, unsigned short v, size_t n)
{
	return hipMemsetD16Async(p, v, n, NULL);
}
EXPORTED hipError_t hipMemsetD32(hipDeviceptr_t p, int v, size_t n) { return hipMemsetD32Async(p, v, n, NULL); }

EXPORTED hipError_t hipMemset2DAsync(void *p, size_t pitch, int v, size_t width, size_t height, hipStream_t s)
{
	return fill(s, &(HipFill){{p, pitch, 0}, (u8)v, 1, width, height, 1});
}
EXPORTED hipError_t hipMemset2D(void *p, size_t pitch, int v, size_t width, size_t height)
{
	return hipMemset2DAsync(p, pitch, v, width, height, NULL);
}

EXPORTED hipError_t hipMemset3DAsync(hipPitchedPtr p, int v, hipExtent e, hipStream_t s)
{
	return fill(s, &(HipFill){{p.ptr, p.pitch, p.pitch * p.ysize}, (u8)v, 1, e.width, e.height, e.depth});
}
EXPORTED hipError_t hipMemset3D(hipPitchedPtr p, int v, hipExtent e) { return hipMemset3DAsync(p, v, e, NULL); }
