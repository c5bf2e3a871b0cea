/* Is the launch complete and possible? Sizes that divide, groups that fit, no argument
 * missing. Also the small questions that callers ask of a finished launch. */
#include "traces/launch/launch_impl.h"

#include "isa/source.h"

static const char dim_name[3] = {'x', 'y', 'z'};
enum { MAX_ITEMS_SHIFT = 48 };

void launch_groups(const Launch *l, u64 groups[3])
{
	for (u32 i = 0; i < 3; i++)
		groups[i] = l->global[i] / l->local[i] + (l->global[i] % l->local[i] != 0);
}

u64 launch_items(const Launch *l) { return l->global[0] * l->global[1] * l->global[2]; }

/* The divisor of n nearest to want, not above max. */
static u64 nearest_divisor(u64 n, u64 want, u64 max)
{
	u64 best = 1;
	for (u64 i = 1; i <= max && i <= n; i++) {
		if (n % i)
			continue;
		u64 far = i > want ? i - want : want - i;
		u64 best_far = best > want ? best - want : want - best;
		if (far < best_far)
			best = i;
	}
	return best;
}

static bool check_division(const Launch *l, const LaunchLimits *limits, Diag *d)
{
	const LaunchText *t = l->text;
	const SourceWords *words = &source_words[l->language];
	u32 errors = d->errors;
	Loc loc = t->local_loc.file ? t->local_loc : t->global_loc;
	for (u32 i = 0; i < 3; i++) {
		u64 global = l->global[i], local = l->local[i];
		if (global % local == 0 || limits->partial_groups)
			continue;
		launch_error(
		    l, d, loc,
		    "the global size %llu is no multiple of the local size %llu (dimension %c)",
		    (unsigned long long)global, (unsigned long long)local, dim_name[i]);
		u64 below = global / local * local,
		    near = nearest_divisor(global, local, limits->max_group);
		if (below)
			diag_hint(d, "--global %llu or %llu would fit, or %s %llu", (unsigned long long)below,
			          (unsigned long long)(below + local), words->local, (unsigned long long)near);
		else
			diag_hint(d, "--global %llu would fit, or %s %llu", (unsigned long long)local, words->local,
			          (unsigned long long)near);
	}
	return d->errors == errors;
}

void launch_count_items(Launch *l)
{
	for (u32 i = 0; i < 3 && l->text->in_groups; i++)
		l->global[i] *= l->local[i];
	l->text->in_groups = false;
}

static bool check_sizes(const Launch *l, const LaunchLimits *limits, Diag *d)
{
	const LaunchText *t = l->text;
	const SourceWords *words = &source_words[l->language];
	Loc local_loc = t->local_loc.file ? t->local_loc : t->global_loc;
	u32 last = 0; /* highest dimension with more than one item in a group */
	for (u32 i = 0; i < 3; i++)
		last = l->local[i] > 1 ? i + 1 : last;
	if (t->global_dims && last > t->global_dims)
		return launch_error(l, d, local_loc, "%s has %u dimensions, %s %u", words->local, last, words->global,
		                    t->global_dims);
	for (u32 i = 0; i < 3; i++)
		if (l->global[i] > UINT32_MAX)
			return launch_error(l, d, t->global_loc,
			                    "--grid: %llu work-items in a dimension are more than %u",
			                    (unsigned long long)l->global[i], UINT32_MAX);
	/* Sizes are below 2^32, so that two factors never overflow. */
	u64 group = l->local[0] * l->local[1];
	if (group > limits->max_group || group * l->local[2] > limits->max_group) {
		return launch_error(
		    l, d, local_loc,
		    "a group of %llu x %llu x %llu work-items is larger than the limit of %u",
		    (unsigned long long)l->local[0], (unsigned long long)l->local[1],
		    (unsigned long long)l->local[2], limits->max_group);
	}
	u64 items = l->global[0] * l->global[1];
	if (items > (u64)1 << MAX_ITEMS_SHIFT || items > ((u64)1 << MAX_ITEMS_SHIFT) / l->global[2])
		return launch_error(l, d, t->global_loc, "more than 2^%d work-items",
				    MAX_ITEMS_SHIFT);
	return check_division(l, limits, d);
}

static void check_arg(const Launch *l, u32 i, Diag *d)
{
	static const char *const example[] = {
	    [ARG_VALUE] = "4096",         [ARG_GLOBAL] = "random:65536",
	    [ARG_CONSTANT] = "random:64", [ARG_LOCAL] = "local:256",
	    [ARG_IMAGE] = "random:64x64", [ARG_SAMPLER] = "nearest,clamp",
	    [ARG_PIPE] = "pipe:65536"};
	const LaunchArg *a = &l->args[i];
	const KernelArg *k = &l->kernel_args[i];
	bool sized = a->kind == LAUNCH_BUFFER || a->kind == LAUNCH_LOCAL || a->kind == LAUNCH_IMAGE;
	if (a->kind == LAUNCH_UNSET) {
		diag_error(d, NO_LOC, "argument %s (%s) is missing", k->name, k->type_name);
		diag_hint(d, "for example --arg %s=%s", k->name, example[k->kind]);
	} else if (sized && !a->count) {
		launch_error(l, d, a->loc, "argument %s (%s) has no count", k->name, k->type_name);
	}
}

bool launch_check(Launch *l, const LaunchLimits *limits, Diag *d)
{
	u32 errors = d->errors;
	if (l->global_from == FROM_NOBODY) {
		diag_error(d, NO_LOC, "the global size is missing");
		diag_hint(d, "for example --global 65536 %s 256", source_words[l->language].local);
	} else {
		launch_count_items(l);
		check_sizes(l, limits, d);
	}
	for (u32 i = 0; i < l->nargs; i++)
		check_arg(l, i, d);
	return d->errors == errors;
}

bool launch_wants_partial_groups(const Launch *l)
{
	Buf text = {0};
	launch_build_options(l, &text);
	char std = source_std(text.v);
	bool yes = (std == '2' || std == '3') && !strstr(text.v, "-cl-uniform-work-group-size");
	array_free(&text);
	return yes;
}
