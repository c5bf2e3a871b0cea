/* Recorded wavefronts as compact JSON: rows of numbers, a wavefront's steps and accesses flat.
 *
 *   banks     of LDS
 *   worst     index of `waves`: the one that lost most lane slots
 *   blocks    per block [line, instructions, line, instructions …]; line: index of `lines`, or -1
 *   masks     hexadecimal, lane 0 in the lowest bit
 *   sites     {line, lds, write, atomic, bytes, ins: [[bytes, pair, apart] …], or null: as in the IR,
 *             passes: per pass of LDS the dwords of a lane, as bytes from its address}
 *   patterns  {site, mask, address, seen, step: bytes from lane to lane, or offsets: [of each lane],
 *             phases: of LDS [pass, mask, cycles, of each lane and dword bank, cycle …]; a cycle less than
 *             0: -1 - cycle, shared with an earlier lane}
 *   waves     {group, wave, lanes, cut, steps: [block, mask …], uses: [step, pattern, address …]};
 *             block -1 is a barrier */
#include "report/html.h"

static void comma(u32 i, Buf *out)
{
	if (i)
		buf_write(out, ",", 1);
}

/* The elements of a list, with commas between them. */
#define EACH(i, n, out) for (u32 i = 0; i < (n) && (comma(i, out), true); i++)

static i32 or_less(u32 n) { return n == UINT32_MAX ? -1 : (i32)n; }

static const char *truth(bool b) { return b ? "true" : "false"; }

static void put_blocks(const ResultDetail *d, Buf *out)
{
	buf_printf(out, ",\"blocks\":[");
	EACH(i, d->nblocks, out) {
		buf_printf(out, "[");
		EACH(k, d->blocks[i].n, out) {
			const DetailRun *run = &d->runs.v[d->blocks[i].first + k];
			buf_printf(out, "%d,%u", or_less(run->line), run->n);
		}
		buf_printf(out, "]");
	}
	buf_printf(out, "],\"masks\":[");
	EACH(i, d->masks.n, out) {
		u64 high = (u64)(d->masks.v[i] >> 64), low = (u64)d->masks.v[i];
		if (high)
			buf_printf(out, "\"%" PRIx64 "%016" PRIx64 "\"", high, low);
		else
			buf_printf(out, "\"%" PRIx64 "\"", low);
	}
	buf_printf(out, "]");
}

static void put_pass(const LdsPass *p, u32 k, Buf *out)
{
	comma(k, out);
	for (u32 q = 0; q < p->n; q++)
		buf_printf(out, "%s%u", q ? "," : "[", p->at[q]);
	buf_printf(out, "]");
}

static void put_sites(const ResultDetail *d, Buf *out)
{
	buf_printf(out, ",\"sites\":[");
	EACH(i, d->sites.n, out) {
		const DetailSite *s = &d->sites.v[i];
		buf_printf(out, "{\"line\":%d,\"lds\":%s,\"write\":%s,\"atomic\":%s,\"bytes\":%u,\"ins\":",
		           or_less(s->line), truth(s->lds), truth(s->write), truth(s->atomic), s->bytes);
		buf_printf(out, s->known ? "[" : "null");
		EACH(k, s->nins, out)
			buf_printf(out, "[%u,%u,%u]", s->ins[k].bytes, s->ins[k].pair, s->ins[k].distance);
		buf_printf(out, s->known ? "],\"passes\":[" : ",\"passes\":[");
		for (u32 k = 0; k < s->npasses; k++)
			put_pass(&s->passes[k], k, out);
		buf_printf(out, "]}");
	}
	buf_printf(out, "]");
}

static bool even_steps(const DetailPattern *p)
{
	for (u32 i = 1; i < p->lanes; i++)
		if (p->offset[i] != p->offset[1] * (i64)i)
			return false;
	return true;
}

static void put_phases(const DetailPattern *p, Buf *out)
{
	buf_printf(out, ",\"phases\":[");
	EACH(i, p->nphases, out) {
		const DetailPhase *f = &p->phases[i];
		buf_printf(out, "[%u,%u,%u", f->pass, f->mask, f->cycles);
		for (u32 k = 0; k < f->n; k++)
			buf_printf(out, ",%u,%d", f->ask[k].bank,
			           f->ask[k].shared ? -1 - f->ask[k].cycle : f->ask[k].cycle);
		buf_printf(out, "]");
	}
	buf_printf(out, "]");
}

static void put_patterns(const ResultDetail *d, Buf *out)
{
	buf_printf(out, ",\"patterns\":[");
	EACH(i, d->patterns.n, out) {
		const DetailPattern *p = &d->patterns.v[i];
		buf_printf(out, "{\"site\":%u,\"mask\":%u,\"address\":%" PRIu64 ",\"seen\":%" PRIu64, p->site,
		           p->mask, p->address, p->seen);
		if (d->sites.v[p->site].lds)
			put_phases(p, out);
		if (even_steps(p)) {
			buf_printf(out, ",\"step\":%" PRId64 "}", p->lanes > 1 ? p->offset[1] : 0);
			continue;
		}
		buf_printf(out, ",\"offsets\":[");
		EACH(k, p->lanes, out)
			buf_printf(out, "%" PRId64, p->offset[k]);
		buf_printf(out, "]}");
	}
	buf_printf(out, "]");
}

static void put_wave(const DetailWave *w, Buf *out)
{
	buf_printf(out, "{\"group\":%" PRIu64 ",\"wave\":%u,\"lanes\":%u,\"cut\":%s,\"steps\":[", w->group, w->wave,
	           w->lanes, truth(w->cut));
	EACH(i, w->nsteps, out)
		buf_printf(out, "%d,%u", or_less(w->steps[i].block), w->steps[i].mask);
	buf_printf(out, "],\"uses\":[");
	EACH(i, w->nuses, out)
		buf_printf(out, "%u,%u,%" PRIu64, w->uses[i].step, w->uses[i].pattern, w->uses[i].address);
	buf_printf(out, "]}");
}

void html_detail(const ResultDetail *d, Buf *out)
{
	buf_printf(out, "{\"banks\":%u,\"worst\":%u", d->banks, d->worst);
	put_blocks(d, out);
	put_sites(d, out);
	put_patterns(d, out);
	buf_printf(out, ",\"waves\":[");
	EACH(i, d->waves.n, out)
		put_wave(&d->waves.v[i], out);
	buf_printf(out, "]}");
}
