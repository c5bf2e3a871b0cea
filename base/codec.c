/* Records as bytes: see codec.h. */
#include "base/codec.h"

void codec_free(Codec *c)
{
	array_free(&c->names.v);
	hash_index_free(&c->names.index);
	c->names.index = (HashIndex){0};
}

/* ---- numbers ---- */

void code_u64(Codec *c, u64 *v)
{
	if (c->writing) {
		u8 bytes[10];
		u32 n = 0;
		for (u64 x = *v;; x >>= 7) {
			bytes[n++] = (u8)(x & 127) | (x > 127 ? 128 : 0);
			if (x < 128)
				break;
		}
		buf_write(c->out, bytes, n);
		return;
	}
	*v = 0;
	for (u32 shift = 0; shift < 64 && c->p < c->end; shift += 7) {
		u8 b = *c->p++;
		*v |= (u64)(b & 127) << shift;
		if (!(b & 128))
			return;
	}
	c->bad = true;
	*v = 0;
}

static u64 code_most(Codec *c, u64 v, u64 most)
{
	code_u64(c, &v);
	c->bad |= v > most;
	return v;
}

void code_u32(Codec *c, u32 *v) { *v = (u32)code_most(c, *v, UINT32_MAX); }
void code_u16(Codec *c, u16 *v) { *v = (u16)code_most(c, *v, UINT16_MAX); }
void code_u8(Codec *c, u8 *v) { *v = (u8)code_most(c, *v, UINT8_MAX); }
void code_bool(Codec *c, bool *v) { *v = code_most(c, *v, 1) == 1; }

/* Small ones of either sign take few bytes. */
void code_i64(Codec *c, i64 *v)
{
	u64 x = (u64)*v << 1 ^ (*v < 0 ? UINT64_MAX : 0);
	code_u64(c, &x);
	*v = (i64)(x >> 1 ^ (x & 1 ? UINT64_MAX : 0));
}

void code_f64(Codec *c, double *v)
{
	u64 x;
	memcpy(&x, v, sizeof x);
	code_u64(c, &x);
	memcpy(v, &x, sizeof x);
}

u32 code_enum(Codec *c, u32 v, u32 n)
{
	u32 x = (u32)code_most(c, v, n - 1);
	return x < n ? x : 0;
}

/* ---- bytes and texts ---- */

/* May n elements be made? Else there are none. */
static void ask(Codec *c, u64 *n, size_t size)
{
	enum { ROUNDED = 16 };
	u64 room = *c->room < ROUNDED ? 0 : *c->room - ROUNDED;
	if (*n > room / size) {
		c->bad = true;
		*n = room = 0;
	}
	*c->room = room - *n * size;
}

void code_bytes(Codec *c, const u8 **v, u64 *n)
{
	code_u64(c, n);
	if (c->writing) {
		if (*n)
			buf_write(c->out, *v, *n);
		return;
	}
	if (c->bad || *n > (u64)(c->end - c->p)) {
		c->bad = true;
		*n = 0;
	}
	ask(c, n, 1);
	u8 *copy = arena_alloc(c->arena, *n + 1); /* texts end with a 0 */
	if (*n)
		memcpy(copy, c->p, *n);
	c->p += *n;
	*v = copy;
}

static void text_itself(Codec *c, const char **v)
{
	const u8 *bytes = (const u8 *)*v;
	u64 n = c->writing ? strlen(*v) : 0;
	code_bytes(c, &bytes, &n);
	*v = (const char *)bytes;
	codec_check(c, strlen(*v) == n);
}

void code_text(Codec *c, const char **v)
{
	bool there = *v != NULL;
	code_bool(c, &there);
	if (there)
		text_itself(c, v);
	else
		*v = NULL;
}

/* The number of a text, which is a new one when there are as many. */
static u32 name_number(CodecNames *k, const char *text)
{
	u64 hash = hash_text(text);
	for (u32 at = 0, i; hash_index_next(&k->index, hash, &at, &i);)
		if (!strcmp(k->v.v[i], text))
			return i;
	hash_index_add(&k->index, hash, k->v.n);
	array_push(&k->v, text);
	return k->v.n - 1;
}

void code_name(Codec *c, const char **v)
{
	enum { NONE, FIRST }; /* what FIRST and the next ones stand for: texts by number */
	CodecNames *k = &c->names;
	u32 known = k->v.n, n = !c->writing || !*v ? NONE : FIRST + name_number(k, *v);
	code_u32(c, &n);
	if (c->bad || n > known + FIRST) {
		c->bad = true;
		n = NONE;
	}
	if (n == NONE) {
		*v = NULL;
		return;
	}
	if (n == known + FIRST) {
		text_itself(c, v);
		if (!c->writing)
			array_push(&k->v, *v);
	}
	*v = k->v.v[n - FIRST];
}

/* ---- lists ---- */

/* The number of elements; each has a byte at least. */
static u64 code_count(Codec *c, u32 *n, size_t size)
{
	code_u32(c, n);
	if (c->writing)
		return *n;
	if (c->bad || *n > (u64)(c->end - c->p)) {
		c->bad = true;
		*n = 0;
	}
	u64 all = *n;
	ask(c, &all, size);
	*n = (u32)all;
	return all;
}

void *code_list(Codec *c, void *v, u32 *n, size_t size)
{
	u64 all = code_count(c, n, size);
	return c->writing ? v : arena_alloc(c->arena, all * size + 1);
}

void *code_array_memory(Codec *c, void *v, u32 *n, u32 *cap, size_t size)
{
	u64 all = code_count(c, n, size);
	if (c->writing)
		return v;
	free(v);
	*cap = *n;
	return xcalloc(all, size);
}
