/* LDS instructions in time.
 *
 *   banks = sum over phases of the busiest bank's distinct dwords (lanes in atomics)
 *   port  = data of the whole wavefront / bytes a cycle, and for writes the addresses before it
 *
 * The port belongs to some of the vector units, the banks to the compute unit, so one wavefront
 * alone takes the larger of the two. An instruction with two 4-byte addresses a lane is served as
 * an 8-byte one; with two 8-byte addresses as one 8-byte instruction after the other. The compiler
 * merges accesses of the program into such pairs: one of them and the distance tell both. */
#include "models/timing/lds_time.h"

enum { SLOTS = 4096, MOST_DWORDS = MAX_WAVE * 4, MOST_SHAPES = 4 };

typedef struct Known {
	const LaneShape *shape[MOST_SHAPES];
	u32 n, bytes, part, parts;
	u32 first;                 /* address in the banks */
	i64 apart[MOST_SHAPES];    /* of the other accesses from the first */
	bool pair;
	i32 step;                  /* of a pair known by its first access: where the second lies */
	LdsTime time;
	struct Known *next;
} Known;

struct LdsTimes {
	const Device *dev;
	const LdsRule *rule;
	u32 wave;
	Arena *arena;
	Known *slot[SLOTS];
};

LdsTimes *lds_times_new(const Device *dev, const LdsRule *rule, u32 wave, Arena *a)
{
	LdsTimes *t = ARENA_NEW(a, LdsTimes);
	*t = (LdsTimes){.dev = dev, .rule = rule, .wave = wave, .arena = a};
	return t;
}

/* The dwords that phase p wants, by bank. */
typedef struct Wanted {
	u32 n;
	u64 dword[MOST_DWORDS];
} Wanted;

static void want(Wanted *w, u64 dword, bool merge)
{
	for (u32 i = 0; merge && i < w->n; i++)
		if (w->dword[i] == dword)
			return;
	if (w->n < MOST_DWORDS)
		w->dword[w->n++] = dword;
}

static u32 busiest(const Wanted *w, u32 banks)
{
	u16 count[1024] = {0}; /* --banks is at most that */
	u32 most = 0;
	for (u32 i = 0; i < w->n; i++) {
		u16 c = ++count[w->dword[i] & (banks - 1)];
		most = c > most ? c : most;
	}
	return most;
}

/* The phase of a lane that reads two 4-byte addresses, where those are crossed. */
static u32 crossed_phase(u32 lane) { return (lane >> 5) * 2 + (lane >> 3 & 1); }

/* One pass of accesses [from, to) whose lanes ask for `bytes` of each. */
static void one_pass(const LdsTimes *t, const Known *k, u32 from, u32 to, u32 width_bytes, u32 bytes,
                     LdsTime *out)
{
	const LaneShape *s0 = k->shape[from];
	u32 width = lds_width(width_bytes);
	const u8 *rule = t->rule->width[width][s0->write && !s0->atomic].phase_of;
	u8 phase_of[MAX_WAVE];
	bool cross = k->pair && width_bytes == 8 && !s0->write && t->dev->lds_pairs == LDS_PAIRS_crossed;
	for (u32 l = 0; l < MAX_WAVE; l++)
		phase_of[l] = cross ? (u8)crossed_phase(l) : rule[l];
	Mask left = 0;
	for (u32 i = from; i < to; i++)
		left |= k->shape[i]->mask;
	while (left) {
		u32 phase = phase_of[mask_lowest(left)];
		Wanted w = {.n = 0};
		for (u32 i = from; i < to; i++) {
			const LaneShape *s = k->shape[i];
			u32 lane = 0;
			for (Mask m = s->mask; m; m = mask_drop(m), lane++) {
				u32 l = mask_lowest(m);
				if (phase_of[l] != phase)
					continue;
				left &= ~mask_lane(l);
				u64 at = (u64)((i64)k->first + k->apart[i] + s->offset[lane] + ((i64)1 << 40)) +
				         (u64)k->part * (s->bytes / k->parts);
				for (u64 d = at >> 2; d <= (at + bytes - 1) >> 2; d++)
					want(&w, d, !s->atomic);
			}
		}
		out->ideal++;
		out->banks += busiest(&w, t->rule->banks);
	}
}

static LdsTime work_out(const LdsTimes *t, const Known *k)
{
	LdsTime out = {0};
	const Device *dev = t->dev;
	u32 each = k->shape[0]->bytes / k->parts, total = k->bytes;
	each = each ? each : 1;
	if (!total)
		total = each * k->n;
	if (k->step)
		each = total / 2;
	if (k->pair && total > 8) {
		for (u32 i = 0; i < k->n; i++)
			one_pass(t, k, i, i + 1, total / 2, each, &out);
		if (k->n == 1) { /* the other half's addresses are not known: like the first */
			out.banks *= 2;
			out.ideal *= 2;
		}
	} else {
		one_pass(t, k, 0, k->n, total, each, &out);
	}
	u32 rounded = total <= 4 ? 4 : total <= 8 ? 8 : 16;
	rounded = total > 16 ? total : rounded;
	out.port = (t->wave * rounded + dev->lds_port_bytes - 1) / dev->lds_port_bytes;
	if (k->shape[0]->write || k->shape[0]->atomic)
		out.port += dev->lds_write_cycles;
	return out;
}

LdsTime lds_time(LdsTimes *t, const LaneShape *const *shape, const u64 *address, u32 n, u32 bytes,
                 bool pair, i32 step, u32 part, u32 parts)
{
	Known k = {.n = n < MOST_SHAPES ? n : MOST_SHAPES, .bytes = bytes, .pair = pair, .part = part,
	           .parts = parts ? parts : 1};
	const LaneShape *both[2] = {shape[0], shape[0]};
	u64 place[2] = {address[0], address[0] + (u64)(i64)step};
	if (pair && step) {
		shape = both;
		address = place;
		k.n = 2;
		k.step = step;
	}
	k.first = (u32)address[0] & (t->rule->banks * 4 - 1);
	u64 h = k.first * 0x9E3779B97F4A7C15u ^ bytes << 3 ^ part << 9;
	for (u32 i = 0; i < k.n; i++) {
		k.shape[i] = shape[i];
		k.apart[i] = (i64)(address[i] - address[0]);
		h = (h ^ (u64)(size_t)shape[i] ^ (u64)k.apart[i] << 5) * 0xD6E8FEB86659FD93u;
	}
	Known **slot = &t->slot[(h >> 40) % SLOTS];
	for (Known *x = *slot; x; x = x->next)
		if (x->n == k.n && x->first == k.first && x->bytes == bytes && x->pair == pair && x->step == k.step &&
		    x->part == part && x->parts == k.parts && !memcmp(x->shape, k.shape, sizeof k.shape) &&
		    !memcmp(x->apart, k.apart, sizeof k.apart))
			return x->time;
	Known *x = ARENA_NEW(t->arena, Known);
	*x = k;
	x->time = work_out(t, x);
	x->next = *slot;
	*slot = x;
	return x->time;
}
