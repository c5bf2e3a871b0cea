/* Choosing launches: see capture_pick.h. */
#include "traces/capture/capture_pick.h"

#include <fnmatch.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* "7", "7-9", "7-" at *p; it ends at a comma or the end. */
static bool parse_range(const char **p, u64 *first, u64 *last)
{
	char text[64], *dash;
	size_t n = strcspn(*p, ",");
	if (!n || n >= sizeof text)
		return false;
	memcpy(text, *p, n);
	text[n] = 0;
	*p += n + ((*p)[n] == ',');
	dash = strchr(text, '-');
	if (dash)
		*dash = 0;
	if (!parse_u64(text, first))
		return false;
	*last = dash ? UINT64_MAX : *first;
	return (!dash || !dash[1] || parse_u64(dash + 1, last)) && *first && *first <= *last;
}

bool cap_pick_init(CapPick *p, const char *kernels, const char *launches, bool once, Buf *why)
{
	*p = (CapPick){.once = once};
	if (kernels && *kernels)
		p->kernels = xstrdup(kernels);
	for (const char *at = launches ? launches : ""; *at;) {
		u64 first, last;
		const char *from = at;
		if (!parse_range(&at, &first, &last)) {
			buf_printf(why, "'%.*s' is not a launch number, nor a range of them like 1-10",
			           (int)strcspn(from, ","), from);
			cap_pick_free(p);
			return false;
		}
		array_push(&p->ranges, first);
		array_push(&p->ranges, last);
	}
	return true;
}

void cap_pick_free(CapPick *p)
{
	free(p->kernels);
	array_free(&p->ranges);
	hash_set_free(&p->shapes);
	*p = (CapPick){0};
}

u64 cap_shape(const CapLaunch *l)
{
	XXH3_state_t *state = XXH3_createState();
	XXH3_64bits_reset(state);
	u64 head[] = {l->program, l->device, l->dims, l->nargs};
	XXH3_64bits_update(state, head, sizeof head);
	XXH3_64bits_update(state, l->global, sizeof l->global);
	if (!l->local_chosen)
		XXH3_64bits_update(state, l->local, sizeof l->local);
	XXH3_64bits_update(state, l->offset, sizeof l->offset);
	XXH3_64bits_update(state, l->kernel, strlen(l->kernel));
	for (u32 i = 0; i < l->nargs; i++) {
		const CapArg *a = &l->args[i];
		u64 arg[] = {a->kind, a->kind == CAP_NOTHING ? a->size : a->object ? a->length : 0};
		XXH3_64bits_update(state, arg, sizeof arg);
	}
	u64 shape = XXH3_64bits_digest(state);
	XXH3_freeState(state);
	return shape % (UINT64_MAX - 1) + 1; /* as a HashSet takes it */
}

static bool kernel_wanted(const CapPick *p, const char *kernel)
{
	if (!p->kernels)
		return true;
	for (const char *at = p->kernels; *at;) {
		char one[256];
		size_t n = strcspn(at, ",");
		if (n < sizeof one) {
			memcpy(one, at, n);
			one[n] = 0;
			if (!fnmatch(one, kernel, 0))
				return true;
		}
		at += n + (at[n] == ',');
	}
	return false;
}

bool cap_pick(CapPick *p, const CapLaunch *l)
{
	bool in = !p->ranges.n;
	for (u32 i = 0; !in && i < p->ranges.n; i += 2)
		in = l->number >= p->ranges.v[i] && l->number <= p->ranges.v[i + 1];
	return in && kernel_wanted(p, l->kernel) && (!p->once || hash_set_add(&p->shapes, cap_shape(l)));
}
