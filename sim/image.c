/* Texels of a wavefront: see image.h. */
#include "sim/image.h"
#include "sim/observe.h"

enum { MOST_TEXELS = 8, BLOCK_BYTES = 256 };

struct ImageCall {
	u32 bytes; /* of a texel; 0: none was accessed */
	bool write;
	u8 n[MAX_WAVE];
	u64 at[MOST_TEXELS][MAX_WAVE]; /* where the lanes' texels begin */
	u64 sorted[MOST_TEXELS * MAX_WAVE];
};

ImageCall *image_call_new(Arena *a) { return ARENA_NEW(a, ImageCall); }

/* ---- where texels lie ---- */

/* Width and height of a block, as powers of two: as wide as high, or twice as wide. */
static void block_shape(u32 texel, u32 *width, u32 *height)
{
	u32 texels = (u32)__builtin_ctz(BLOCK_BYTES / texel);
	*height = texels / 2;
	*width = texels - *height;
}

static bool in_blocks(const SimImage *i)
{
	return i->texel && i->height > 1 && i->texel <= 16 && !(i->texel & (i->texel - 1));
}

static u64 blocks_of(u64 size, u32 shift) { return (size + ((u64)1 << shift) - 1) >> shift; }

u64 image_span(const SimBuffer *b)
{
	const SimImage *i = &b->image;
	u32 width, height;
	if (!in_blocks(i))
		return b->size;
	block_shape(i->texel, &width, &height);
	u64 row = (u64)i->width * i->texel, slices = b->size / (row * i->height);
	u64 span = blocks_of(i->width, width) * blocks_of(i->height, height) * slices * BLOCK_BYTES;
	return span > b->size ? span : b->size;
}

/* Bits of x and y in turn, as long as there are any. */
static u32 interleaved(u32 x, u32 y, u32 width, u32 height)
{
	u32 out = 0, at = 0;
	for (u32 k = 0; k < width; k++) {
		out |= (x >> k & 1) << at++;
		if (k < height)
			out |= (y >> k & 1) << at++;
	}
	return out;
}

/* Byte `at` of an image as the host has it: the byte where its texel begins. */
static u64 texel_of(const SimImage *i, u64 at)
{
	u32 width, height;
	if (!in_blocks(i))
		return at - at % i->texel;
	block_shape(i->texel, &width, &height);
	u64 texel = at / i->texel, x = texel % i->width, y = texel / i->width % i->height;
	u64 z = texel / i->width / i->height;
	u64 across = blocks_of(i->width, width), down = blocks_of(i->height, height);
	u64 block = (z * down + (y >> height)) * across + (x >> width);
	u32 in = interleaved((u32)(x & ((1u << width) - 1)), (u32)(y & ((1u << height) - 1)), width, height);
	return block * BLOCK_BYTES + (u64)in * i->texel;
}

/* ---- collecting ---- */

/* Channels of a texel that are read one by one are one texel. */
static void add_texel(ImageCall *c, u32 lane, u64 at)
{
	for (u32 k = 0; k < c->n[lane]; k++)
		if (c->at[k][lane] == at)
			return;
	if (c->n[lane] < MOST_TEXELS)
		c->at[c->n[lane]++][lane] = at;
}

void image_access(Wave *w, const WaveAccess *x)
{
	const u64 in_seg = ((u64)1 << SEG_SHIFT) - 1;
	ImageCall *c = w->worker->image_call;
	for (Mask m = x->lds ? 0 : x->mask; m; m = mask_drop(m)) {
		u32 lane = mask_lowest(m);
		u64 at = access_at(x, lane);
		const Seg *seg = &w->worker->m->segs[at >> SEG_SHIFT];
		if (!seg->image.texel)
			continue;
		c->bytes = seg->image.texel > c->bytes ? seg->image.texel : c->bytes;
		c->write |= x->kind != ACCESS_LOAD;
		add_texel(c, lane, (at & ~in_seg) + texel_of(&seg->image, at & in_seg));
	}
}

/* ---- the access ---- */

static u32 distinct(const u64 *sorted, u32 n, u32 bytes, u32 shift)
{
	u32 lines = 0;
	u64 next = 0; /* the first line that is not counted */
	for (u32 i = 0; i < n; i++) {
		u64 first = sorted[i] >> shift, last = (sorted[i] + bytes - 1) >> shift;
		first = first < next ? next : first;
		lines += first <= last ? (u32)(last - first + 1) : 0;
		next = last >= next ? last + 1 : next;
	}
	return lines;
}

/* All that lanes want, each texel once. */
static u32 sort_texels(ImageCall *c, Mask mask)
{
	u32 n = 0, kept = 0;
	for (Mask m = mask; m; m = mask_drop(m))
		for (u32 k = 0; k < c->n[mask_lowest(m)]; k++)
			c->sorted[n++] = c->at[k][mask_lowest(m)];
	qsort(c->sorted, n, sizeof *c->sorted, by_u64);
	for (u32 i = 0; i < n; i++)
		if (!kept || c->sorted[kept - 1] != c->sorted[i])
			c->sorted[kept++] = c->sorted[i];
	return kept;
}

static u32 count_lines(const ImageCall *c, u32 n, const View *v, const Access *a, AccessProf *to)
{
	u64 bytes = (u64)n * c->bytes;
	u32 lines = distinct(c->sorted, n, c->bytes, v->line_shift);
	lines_add(to, a, bytes, lines_ideal(bytes, lines, v->line_shift), lines, 1);
	return lines;
}

static void count(Wave *w, ImageCall *c, const Access *a, Mask mask)
{
	const Machine *m = w->worker->m;
	u32 n = sort_texels(c, mask);
	w->prof.lines += count_lines(c, n, &m->own, a, &w->worker->accesses[a->index]);
	for (u32 i = 0; i < m->nviews; i++)
		count_lines(c, n, &m->views[i], a,
		            &w->worker->view_accesses[(size_t)i * w->code->accesses.n + a->index]);
}

/* The lanes' texels number k. */
static Mask with_texel(const ImageCall *c, Mask mask, u32 k)
{
	Mask with = 0;
	for (Mask m = mask; m; m = mask_drop(m))
		with |= c->n[mask_lowest(m)] > k ? mask_lane(mask_lowest(m)) : 0;
	return with;
}

void image_end(Wave *w)
{
	ImageCall *c = w->worker->image_call;
	const Access *a = w->image;
	w->image = NULL;
	if (!c->bytes)
		return;
	if (!w->worker->m->cfg->uncounted)
		count(w, c, a, w->mask);
	for (u32 k = 0; k < MOST_TEXELS; k++) {
		Mask with = with_texel(c, w->mask, k);
		if (!with)
			break;
		WaveAccess x = {.a = a, .bytes = c->bytes, .kind = c->write ? ACCESS_STORE : ACCESS_LOAD, .mask = with,
		                .lanes = mask_count(with), .at = c->at[k], .first = c->at[k][mask_lowest(with)]};
		if (w->worker->touched)
			touch_access(w, &x);
		if (w->recording)
			record_access(w, &x);
	}
	c->bytes = 0;
	c->write = false;
	memset(c->n, 0, sizeof c->n);
}
