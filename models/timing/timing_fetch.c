/* Fetch of instructions, where code is longer than a vector unit's own instruction cache.
 *
 * Lines that follow each other come one after the other, each as long after the last as it takes to move one, a few of
 * them before a wavefront wants them. A kernel finds in the caches what an earlier launch of it left there, as if that
 * had run through the code once. */
#include "models/timing/timing_impl.h"

/* Numbers of lines begin with 1. A wait is no instruction of its own: NVIDIA's say what they wait for. */
static u32 number_lines(TimingSim *s)
{
	u64 bytes = 0;
	s->code_line = ARENA_ARRAY(s->arena, u32, s->costs->ins.n + 1);
	for (u32 i = 0; i < s->costs->ins.n; i++) {
		s->code_line[i] = (u32)(bytes / s->dev->icache_line) + 1;
		bytes += s->costs->ins.v[i].cls == MC_waitcnt ? 0 : s->dev->ins_bytes;
	}
	return (u32)((bytes + s->dev->icache_line - 1) / s->dev->icache_line);
}

static void path_new(FetchPath *p, const TimingSim *s, u32 bytes, u32 lines)
{
	enum { WAYS = 8 };
	*p = (FetchPath){.code = cache_new(s->arena, bytes, s->dev->icache_line, WAYS, false)};
	for (u32 line = 1; line <= lines; line++)
		cache_bring(&p->code, line, 1, 0);
}

void fetch_new(TimingSim *s, u32 cus, u32 simds)
{
	const Device *dev = s->dev;
	if (!dev->icache_cycles || !dev->ins_bytes || strcmp(s->costs->source, "ir") != 0)
		return;
	u32 lines = number_lines(s);
	if ((u64)lines * dev->icache_line <= dev->icache_simd_bytes)
		return;
	s->fetch = ARENA_ARRAY(s->arena, FetchPath, simds);
	for (u32 i = 0; i < simds; i++)
		path_new(&s->fetch[i], s, dev->icache_simd_bytes, lines);
	if ((u64)lines * dev->icache_line <= dev->icache_bytes)
		return;
	u32 n = (cus + dev->icache_cus - 1) / dev->icache_cus;
	s->fill = ARENA_ARRAY(s->arena, FetchPath, n);
	for (u32 i = 0; i < n; i++)
		path_new(&s->fill[i], s, dev->icache_bytes, lines);
}

/* When a line is there that the cache does not hold, if what is behind the cache has it at a time. */
static double bring(FetchPath *p, u32 line, double now, double there, u32 cycles)
{
	enum { AHEAD = 4 }; /* lines that come before they are wanted: not measured */
	double early = line == p->last + 1 ? now - (double)AHEAD * cycles : now;
	double from = later(early, p->free);
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
	u32 line = s->code_line[ins];
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
