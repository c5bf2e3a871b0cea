/* Fetch of instructions, where code is longer than a vector unit's own instruction cache.
 *
 * Lines that follow each other come one after the other, each as long after the last as it takes to move one, whether
 * a wavefront waits for it or not. A kernel finds in the caches what an earlier launch of it left there, as if that had
 * run through the code once. */
#include "models/timing/timing_impl.h"

static double later(double a, double b) { return a > b ? a : b; }

static u64 code_bytes(const TimingSim *s) { return (u64)s->costs->ins.n * s->dev->ins_bytes; }

/* Numbers of lines begin with 1. */
static u32 line_of(const TimingSim *s, u64 ins) { return (u32)(ins * s->dev->ins_bytes / s->dev->icache_line) + 1; }

static void path_new(FetchPath *p, const TimingSim *s, u32 bytes)
{
	enum { WAYS = 8 };
	*p = (FetchPath){.code = cache_new(s->arena, bytes, s->dev->icache_line, WAYS, false)};
	for (u32 line = 1; line <= line_of(s, s->costs->ins.n); line++)
		cache_bring(&p->code, line, 1, 0);
}

void fetch_new(TimingSim *s, u32 cus, u32 simds)
{
	const Device *dev = s->dev;
	if (!dev->icache_cycles || !dev->ins_bytes || strcmp(s->costs->source, "ir") ||
	    code_bytes(s) <= dev->icache_simd_bytes)
		return;
	s->fetch = ARENA_ARRAY(s->arena, FetchPath, simds);
	for (u32 i = 0; i < simds; i++)
		path_new(&s->fetch[i], s, dev->icache_simd_bytes);
	if (code_bytes(s) <= dev->icache_bytes)
		return;
	u32 n = (cus + dev->icache_cus - 1) / dev->icache_cus;
	s->fill = ARENA_ARRAY(s->arena, FetchPath, n);
	for (u32 i = 0; i < n; i++)
		path_new(&s->fill[i], s, dev->icache_bytes);
}

/* When a line is there that the cache does not hold, if what is behind the cache has it at a time. */
static double bring(FetchPath *p, u32 line, double now, double there, u32 cycles)
{
	double from = line == p->last + 1 ? p->free : later(now, p->free);
	p->free = later(from, there) + cycles;
	p->last = line;
	cache_bring(&p->code, line, 1, p->free);
	return p->free;
}

double fetch_ready(TimingSim *s, TimingWave *w, u32 ins, double now)
{
	const Device *dev = s->dev;
	if (!s->fetch)
		return now;
	u32 line = line_of(s, ins);
	if (line == w->line)
		return now;
	w->line = line;
	FetchPath *own = &s->fetch[w->simd];
	const CacheLine *hit = cache_find(&own->code, line);
	if (hit)
		return later(now, hit->ready);
	double there = 0;
	if (s->fill) {
		FetchPath *shared = &s->fill[w->cu / dev->icache_cus];
		hit = cache_find(&shared->code, line);
		there = hit ? hit->ready : bring(shared, line, now, 0, dev->icache_fill_cycles);
	}
	return later(now, bring(own, line, now, there, dev->icache_cycles));
}
