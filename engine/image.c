/* Images and samplers as PoCL's library functions find them.
 *
 * A kernel gets the address of a description, and the functions of the library, which
 * are part of the program that runs here, read it field by field. The layout is
 * PoCL 3.1's for a 64-bit host (pocl_image_types.h): an 8-byte pointer, then 32-bit
 * numbers. Dimensions that an image does not have are 0, which the library's bounds
 * checks rely on. */
#include "engine/arguments.h"

enum {
	AT_DATA = 0,
	AT_WIDTH = 8,
	AT_HEIGHT = 12,
	AT_DEPTH = 16,
	AT_ARRAY_SIZE = 20,
	AT_ROW_PITCH = 24,
	AT_SLICE_PITCH = 28,
	AT_ORDER = 40,
	AT_TYPE = 44,
	AT_CHANNELS = 48,
	AT_CHANNEL_BYTES = 52
};

static void put32(u8 *at, u64 v)
{
	u32 x = (u32)v;
	memcpy(at, &x, sizeof x);
}

static u32 channels(u32 order)
{
	switch (order) {
	case IMAGE_R:
	case IMAGE_A: return 1;
	case IMAGE_RG: return 2;
	default: return 4;
	}
}

static bool is_array(const KernelArg *k) { return strstr(k->type_name, "_array") != NULL; }

/* Layers are the last size that was given: the height of a 1-D array, the depth of a 2-D one. */
static u32 layers(const LaunchArg *arg, const KernelArg *k)
{
	return !is_array(k) ? 0 : k->image_dims == 1 ? arg->image_size[1] : arg->image_size[2];
}

void image_describe(const LaunchArg *arg, const KernelArg *k, u64 address, u8 out[DEV_IMAGE_BYTES])
{
	u32 n = channels(arg->image_order);
	u32 pixel = arg->shape.stride;
	u32 row = arg->image_size[0] * pixel;
	bool array = is_array(k);
	memset(out, 0, DEV_IMAGE_BYTES);
	memcpy(out + AT_DATA, &address, sizeof address);
	put32(out + AT_WIDTH, arg->image_size[0]);
	put32(out + AT_HEIGHT, k->image_dims > 1 ? arg->image_size[1] : 0);
	put32(out + AT_DEPTH, k->image_dims > 2 ? arg->image_size[2] : 0);
	put32(out + AT_ARRAY_SIZE, layers(arg, k));
	put32(out + AT_ROW_PITCH, row);
	if (k->image_dims > 2 || array)
		put32(out + AT_SLICE_PITCH, k->image_dims > 1 ? (u64)row * arg->image_size[1] : row);
	put32(out + AT_ORDER, arg->image_order);
	put32(out + AT_TYPE, arg->image_type);
	put32(out + AT_CHANNELS, n);
	put32(out + AT_CHANNEL_BYTES, pixel / n);
}

void image_for_pocl(const LaunchArg *arg, const KernelArg *k, PoclImage *out)
{
	*out = (PoclImage){
		.dims = k->image_dims,
		.array = is_array(k),
		.buffer = strstr(k->type_name, "image1d_buffer") != NULL,
		.channel_order = arg->image_order,
		.channel_type = arg->image_type,
		.width = arg->image_size[0],
		.height = k->image_dims > 1 ? arg->image_size[1] : 1,
		.depth = k->image_dims > 2 ? arg->image_size[2] : is_array(k) ? layers(arg, k) : 1,
	};
}

u64 image_sampler(const LaunchArg *arg)
{
	u64 v = arg->normalized;
	switch (arg->addressing) {
	case SAMPLER_CLAMP_TO_EDGE: v |= 2; break;
	case SAMPLER_CLAMP: v |= 4; break;
	case SAMPLER_REPEAT: v |= 6; break;
	case SAMPLER_MIRRORED_REPEAT: v |= 8; break;
	default: break;
	}
	return v | (arg->filter == SAMPLER_LINEAR ? 0x20 : 0x10);
}
