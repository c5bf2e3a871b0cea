/* The parts that argument specs are made of: numbers, lists of them, bytes; and the
 * message that points at the part that is wrong. */
#include "traces/launch/launch_spec.h"

#include <math.h>

Loc spec_loc(const ArgSpec *s, const char *at)
{
	Loc loc = s->t->loc;
	if (loc.col)
		loc.col += (u32)(at - s->t->spec);
	return loc;
}

bool spec_number(const ArgSpec *s, const char *at, size_t n, const ElemShape *shape, Num *out)
{
	char *text = arena_strndup(s->l->arena, at, n);
	NumError e = num_parse(text, shape, out);
	if (e == NUM_OK)
		return true;
	const char *why = num_explain(s->l->arena, e, text, shape);
	bool other = shape->elem_bytes != s->k->elem_bytes || shape->elem_class != s->k->elem_class;
	if (other && s->k->kind != ARG_IMAGE)
		return spec_bad(s, at, "%s (%s)", why, launch_type_name(shape));
	return spec_bad(s, at, "%s", why);
}

bool spec_numbers(const ArgSpec *s, const char *at, size_t n, const ElemShape *shape, SpecBytes *out, u64 *count)
{
	const char *end = at + n, *comma;
	u64 most = 1;
	for (const char *p = at; p < end; p++)
		most += *p == ',';
	*out = (SpecBytes){.v = arena_alloc(s->l->arena, (most / shape->width + 1) * shape->stride)};
	for (*count = 0;; at = comma + 1) {
		while (at < end && *at == ' ')
			at++;
		comma = memchr(at, ',', (size_t)(end - at));
		size_t len = (size_t)((comma ? comma : end) - at);
		while (len && at[len - 1] == ' ')
			len--;
		Num num;
		if (!spec_number(s, at, len, shape, &num))
			return false;
		num_store(out->v + out->n, shape, num);
		++*count;
		out->n = (u32)(*count / shape->width * shape->stride + *count % shape->width * shape->elem_bytes);
		if (!comma)
			return true;
	}
}

bool spec_limits(const ArgSpec *s, const char *at, const char **end)
{
	LaunchArg *a = s->out;
	const char *close = strchr(at, ')');
	const char *comma = close ? memchr(at, ',', (size_t)(close - at)) : NULL;
	if (!comma)
		return spec_bad(s, at, "random wants its limits as (LO,HI)");
	const char *lo = at + 1, *hi = comma + 1;
	if (!spec_number(s, lo, (size_t)(comma - lo), &a->shape, &a->num[0]) ||
	    !spec_number(s, hi, (size_t)(close - hi), &a->shape, &a->num[1]))
		return false;
	bool is_float = a->shape.elem_class == ELEM_FLOAT;
	bool order = is_float                          ? a->num[0].f <= a->num[1].f
		     : a->shape.elem_class == ELEM_INT ? a->num[0].i <= a->num[1].i
						       : a->num[0].u <= a->num[1].u;
	if (is_float && (!isfinite(a->num[0].f) || !isfinite(a->num[1].f)))
		return spec_bad(s, lo, "random wants finite limits");
	if (!order)
		return spec_bad(s, lo, "random's limits are the wrong way round");
	a->random_range = true;
	*end = close + 1;
	return true;
}

bool spec_hex(const ArgSpec *s, const char *at, SpecBytes *out)
{
	size_t n = strspn(at, "0123456789abcdefABCDEF");
	if (at[n])
		return spec_bad(s, at + n, "'%c' is not a hexadecimal digit", at[n]);
	if (n % 2 || !n)
		return spec_bad(s, at, "bytes need two hexadecimal digits each");
	*out = (SpecBytes){arena_alloc(s->l->arena, n / 2), (u32)(n / 2)};
	for (u32 i = 0; i < out->n; i++)
		out->v[i] = (u8)strtoul((char[]){at[2 * i], at[2 * i + 1], 0}, NULL, 16);
	return true;
}

bool spec_fills(const ArgSpec *s, const char *at, u64 n, u32 each, const char *what)
{
	return !(n % each) || spec_bad(s, at, "each element takes %u %s, and %llu is no multiple of that", each, what,
	                               (unsigned long long)n);
}

bool spec_count(const ArgSpec *s, const char *at, u64 count)
{
	if (!count)
		return spec_bad(s, at, "a count of 0: at least one element is needed");
	if (count > ((u64)1 << SEG_SHIFT) / s->out->shape.stride)
		return spec_bad(s, at,
			   "%llu elements of %u bytes are more than a buffer can hold (1 TiB)",
			   (unsigned long long)count, s->out->shape.stride);
	s->out->count = count;
	launch_set_buffer_size(s->out);
	return true;
}
