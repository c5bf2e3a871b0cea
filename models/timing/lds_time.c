/* LDS instructions in time.
 *
 *   banks = as models/device/lds_rule.h says
 *   port  = data of the whole wavefront / bytes a cycle, and for writes the addresses before it
 *
 * The port belongs to some of the vector units, the banks to the compute unit, so one wavefront
 * alone takes the larger of the two. Of the accesses that an instruction does, the lanes of one tell
 * all: counts go by the same one (LdsPlan). */
#include "models/timing/lds_time.h"

/* Lanes at places of their own seldom make the same shape twice: few are remembered, in sets of which a new one takes
 * the place of another. */
enum { SETS = 1024, WAYS = 4 };

typedef struct KnownTime {
	const LaneShape *shape;
	u32 first; /* address in the banks */
	LdsIns ins;
	LdsTime time;
} KnownTime;

typedef struct KnownSet {
	KnownTime of[WAYS]; /* shape NULL: none yet */
	u32 next;           /* to be replaced, of WAYS in turn */
} KnownSet;

struct LdsTimes {
	const Device *dev;
	const LdsRule *rule;
	u32 wave;
	KnownSet set[SETS];
};

LdsTimes *lds_times_new(const Device *dev, const LdsRule *rule, u32 wave, Arena *a)
{
	LdsTimes *t = ARENA_NEW(a, LdsTimes);
	t->dev = dev;
	t->rule = rule;
	t->wave = wave;
	return t;
}

static LdsTime work_out(const LdsTimes *t, const KnownTime *k)
{
	const Device *dev = t->dev;
	const LaneShape *s = k->shape;
	u32 addr[MAX_WAVE], lane = 0, bytes = k->ins.bytes;
	for (Mask m = s->mask; m; m = mask_drop(m))
		addr[mask_lowest(m)] = k->first + (u32)s->offset[lane++];
	LdsCycles c = lds_cycles(t->rule, &k->ins, &(LdsLanes){s->mask, addr, s->write, s->atomic});
	u32 carried = bytes <= 4 ? 4 : bytes <= 8 ? 8 : bytes <= 16 ? 16 : bytes;
	LdsTime out = {.banks = c.actual, .ideal = c.ideal};
	out.port = (t->wave * carried + dev->lds_port_bytes - 1) / dev->lds_port_bytes;
	if (s->write || s->atomic)
		out.port += dev->lds_write_cycles;
	return out;
}

LdsTime lds_time(LdsTimes *t, const LaneShape *shape, u64 address, const LdsIns *ins, u32 parts)
{
	KnownTime k = {.shape = shape, .first = (u32)address & (t->rule->banks * 4 - 1), .ins = *ins};
	if (!k.ins.bytes)
		k.ins.bytes = (u16)((shape->bytes + parts - 1) / parts);
	u64 h = (k.first * 0x9E3779B97F4A7C15u ^ (u64)(size_t)shape) * 0xD6E8FEB86659FD93u;
	h = (h ^ k.ins.bytes ^ (u64)k.ins.pair << 16 ^ (u64)k.ins.distance << 32) * 0xD6E8FEB86659FD93u;
	KnownSet *set = &t->set[(h >> 40) % SETS];
	for (u32 i = 0; i < WAYS; i++) {
		const KnownTime *x = &set->of[i];
		if (x->shape == shape && x->first == k.first && x->ins.bytes == k.ins.bytes &&
		    x->ins.pair == k.ins.pair && x->ins.distance == k.ins.distance)
			return x->time;
	}
	k.time = work_out(t, &k);
	set->of[set->next++ % WAYS] = k;
	return k.time;
}
