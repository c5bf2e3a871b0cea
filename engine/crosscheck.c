/* The comparison of estimates with measured times, by family and device. */
#include "engine/crosscheck.h"

#include <math.h>

static bool same(const char *a, const char *b) { return !strcmp(a ? a : "", b ? b : ""); }

static bool is_of(const CrossPoint *p, CrossOf of, const char *family)
{
	switch (of) {
	case CROSS_FAMILY: return same(p->family, family);
	case CROSS_KEPT: return !p->vgpr_spills && !p->problem;
	case CROSS_SPILLED: return p->vgpr_spills && !p->problem;
	case CROSS_ALL: break;
	}
	return true;
}

/* Statistics over points of a device. */
static CrossFamily measure(const Crosscheck *c, const char *device, CrossOf of, const char *family)
{
	CrossFamily f = {.of = of, .device = device, .name = family};
	double *a = xmalloc((c->npoints + 1) * sizeof *a), *b = xmalloc((c->npoints + 1) * sizeof *b);
	u32 n = 0;
	for (u32 i = 0; i < c->npoints; i++) {
		const CrossPoint *p = &c->points[i];
		if (!same(p->device, device) || !is_of(p, of, family))
			continue;
		if (p->problem) {
			f.skipped++;
			continue;
		}
		f.inside += p->measured_us >= p->low_us && p->measured_us <= p->high_us;
		a[n] = p->estimate_us;
		b[n++] = p->measured_us;
	}
	f.a = agree(a, b, n);
	free(a);
	free(b);
	return f;
}

static double off(const CrossPoint *p) { return fabs(log(p->estimate_us / p->measured_us)); }

static void sort_worst(Crosscheck *c)
{
	c->worst = ARENA_ARRAY(c->arena, u32, c->npoints + 1);
	for (u32 i = 0; i < c->npoints; i++) {
		if (c->points[i].problem)
			continue;
		u32 k = c->nworst++;
		for (; k && off(&c->points[c->worst[k - 1]]) < off(&c->points[i]); k--)
			c->worst[k] = c->worst[k - 1];
		c->worst[k] = i;
	}
}

Crosscheck *crosscheck_build(const char *source, const char *program, CrossPoint *points, u32 n, Arena *a)
{
	Crosscheck *c = ARENA_NEW(a, Crosscheck);
	*c = (Crosscheck){.arena = a, .source = source, .program = program, .points = points, .npoints = n};
	c->families = ARENA_ARRAY(a, CrossFamily, 4 * n + 1);
	for (u32 i = 0; i < n; i++) {
		bool first = !i || !same(points[i].device, points[i - 1].device) ||
		             !same(points[i].family, points[i - 1].family);
		if (first)
			c->families[c->nfamilies++] = measure(c, points[i].device, CROSS_FAMILY,
			                                      points[i].family ? points[i].family : "");
	}
	for (u32 i = 0; i < n; i++) {
		if (i && same(points[i].device, points[i - 1].device))
			continue;
		CrossFamily kept = measure(c, points[i].device, CROSS_KEPT, NULL);
		CrossFamily spilled = measure(c, points[i].device, CROSS_SPILLED, NULL);
		if (kept.a.n && spilled.a.n) {
			c->families[c->nfamilies++] = kept;
			c->families[c->nfamilies++] = spilled;
		}
		c->families[c->nfamilies++] = measure(c, points[i].device, CROSS_ALL, NULL);
	}
	sort_worst(c);
	return c;
}
