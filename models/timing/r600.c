/* Work-items a second through a kernel's machine code, each loop taken once.
 *
 * A compute unit issues a bundle for `simd_lanes` work-items in a cycle, a fetch for `vmem_lanes` and
 * a store for `vmem_store_lanes`. The slowest of the three gives the rate; latency is taken to be
 * hidden. This is AMD's rule: of a kernel with 14 bundles it said 19429 M threads/s on an
 * HD 5870, which is 20 units x 16 lanes x 850 MHz / 14. */
#include "models/timing/r600.h"

const char *const r600_bound_name[R600_BOUND_COUNT] = {R600_BOUNDS(X_NAME)};
const char *const r600_bound_doc[R600_BOUND_COUNT] = {R600_BOUNDS(X_DOC)};

static void rate(const Device *dev, R600Rate *r)
{
	double cycles[R600_BOUND_COUNT] = {
		[R600_alu] = (double)r->bundles / dev->simd_lanes,
		[R600_fetch] = (double)r->fetches / dev->vmem_lanes,
		[R600_store] = (double)r->stores / dev->vmem_store_lanes,
	};
	r->bound = R600_alu;
	for (u32 i = 0; i < R600_BOUND_COUNT; i++)
		if (cycles[i] > cycles[r->bound])
			r->bound = (R600Bound)i;
	r->mthreads = 0;
	if (cycles[r->bound] > 0)
		r->mthreads = (double)dev->compute_units * dev->clock_mhz / cycles[r->bound];
}

static bool shorter(const R600Rate *a, const R600Rate *b)
{
	if (a->bundles != b->bundles)
		return a->bundles < b->bundles;
	return a->fetches + a->stores < b->fetches + b->stores;
}

/* What is left to do from each step to the end, from the last to the first. */
static R600Rate shortest(const R600Code *c)
{
	R600Rate *left = xcalloc(c->nsteps + 1, sizeof *left);
	for (u32 i = c->nsteps; i-- > 0;) {
		const R600Step *s = &c->steps[i];
		R600Rate r = {0};
		if (!s->is_end) {
			r = left[i + 1];
			u32 to = s->to != NO_STEP && c->steps[s->to].is_else ? s->to + 1 : s->to;
			if (s->to != NO_STEP && shorter(&left[to], &r))
				r = left[to];
		}
		r.bundles += s->bundles;
		r.fetches += s->fetches;
		r.stores += s->stores;
		left[i] = r;
	}
	R600Rate r = left[0];
	free(left);
	return r;
}

void r600_rates(const Device *dev, const R600Code *c, R600Rate *best, R600Rate *all)
{
	*all = (R600Rate){.bundles = c->bundles, .fetches = c->fetches, .stores = c->stores + c->atomics};
	*best = shortest(c);
	rate(dev, all);
	rate(dev, best);
}
