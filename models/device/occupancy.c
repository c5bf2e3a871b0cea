/* Occupancy: wavefronts resident on a compute unit.
 *
 *   waves of a group   ceil(group size / wave)
 *   by registers       min(limit, file / registers rounded up to the granule), per vector unit;
 *                      scalar registers by the device's table, which knows the hidden ones
 *   groups             min(by registers x vector units / waves of a group,
 *                          local memory / what a group takes of it, groups that fit)
 *
 * A work-group lies on one compute unit, on RDNA on a work-group processor of two; all of
 * this is worked out for that unit (the pool) and shown per compute unit. LLVM's own
 * "Occupancy" line is not this: what it prints for local memory is per compute unit.
 *
 * A wavefront wider than the chip's runs as several passes over its lanes (RDNA's 64 lanes on
 * units of 32), and each register takes the place of several. So file and granule shrink by
 * that factor. A narrower one still takes whole registers. */
#include "models/device/occupancy.h"

#include "base/number.h"

const char *const occ_limiter_name[OCC_LIMITER_COUNT] = {OCCUPANCY_LIMITERS(X_NAME)};
const char *const occ_limiter_doc[OCC_LIMITER_COUNT] = {OCCUPANCY_LIMITERS(X_DOC)};

static u32 round_up(u32 n, u32 granule) { return (n + granule - 1) / granule * granule; }
static u32 least(u32 a, u32 b) { return a < b ? a : b; }

/* Vector registers that count against the file. */
static u32 vector_registers(const Device *dev, u32 vgprs, u32 agprs)
{
	agprs = least(agprs, dev->agpr_max);
	u32 n = vgprs;
	if (dev->agpr_rule == AGPR_separate)
		n = vgprs > agprs ? vgprs : agprs;
	else if (dev->agpr_rule == AGPR_unified && agprs)
		n = round_up(vgprs, 4) + agprs;
	n = least(n, dev->vgpr_max);
	return n ? n : 1;
}

static u32 waves_by_vgprs(const Device *dev, const OccInput *in)
{
	u32 passes = (in->wave + dev->wave - 1) / dev->wave;
	u32 granule = dev->vgpr_granule / passes ? dev->vgpr_granule / passes : 1;
	u32 taken = round_up(vector_registers(dev, in->vgprs, in->agprs), granule);
	return least(dev->vgpr_file / passes / taken, dev->max_waves_per_simd);
}

static u32 waves_by_sgprs(const Device *dev, const OccInput *in)
{
	const Steps *t = &dev->sgpr_waves;
	u32 waves = dev->max_waves_per_simd;
	for (u32 i = 0; i < t->n; i++) {
		waves = least(t->v[i].value, dev->max_waves_per_simd);
		if (in->sgprs <= t->v[i].upto)
			break;
	}
	return waves;
}

/* What a pool can hold, in work-groups, by each reason. */
typedef struct Bounds {
	u32 vgprs, sgprs, lds, groups, waves;
	u32 result;
	u32 wgp_simds, waves_per_group;
} Bounds;

/* By a work-group that uses so many bytes of local memory. */
static u64 lds_taken(const Device *dev, u64 bytes)
{
	return (bytes + dev->lds_reserved + dev->lds_granule - 1) / dev->lds_granule * dev->lds_granule;
}

static u32 groups_by_lds(const Device *dev, u64 bytes)
{
	u64 lds = (u64)dev->lds_per_cu * dev->cus_per_wgp;
	if (bytes > dev->lds_per_group)
		return 0;
	u64 taken = lds_taken(dev, bytes);
	u64 n = taken ? lds / taken : UINT32_MAX;
	return n < UINT32_MAX ? (u32)n : UINT32_MAX;
}

static Bounds bounds(const Device *dev, const OccInput *in)
{
	Bounds b = {.wgp_simds = dev->simds_per_cu * dev->cus_per_wgp};
	u32 size = in->group_size ? in->group_size : 1;
	u32 wpg = b.waves_per_group = (size + in->wave - 1) / in->wave;
	b.vgprs = waves_by_vgprs(dev, in) * b.wgp_simds / wpg;
	b.sgprs = waves_by_sgprs(dev, in) * b.wgp_simds / wpg;
	b.waves = dev->max_waves_per_simd * b.wgp_simds / wpg;
	b.lds = groups_by_lds(dev, in->lds_bytes);
	b.groups = (wpg == 1 ? dev->max_groups_one_wave : dev->max_groups_per_cu) * dev->cus_per_wgp;
	b.result = least(least(least(b.vgprs, b.sgprs), least(b.lds, b.groups)), b.waves);
	return b;
}

/* What local memory takes of L1: a driver chooses one of the sizes that the chip has for it, before it knows how many
 * groups a launch has. It is enough for some, and for all that are resident. */
static u32 l1_taken(const Device *dev, const OccInput *in, const Bounds *b)
{
	const Steps *t = &dev->l1_taken;
	u64 each = lds_taken(dev, in->lds_bytes), size = in->group_size ? in->group_size : 1;
	u64 some = each * least((u32)(dev->l1_taken_items / size), b->groups / dev->cus_per_wgp);
	u64 resident = each * b->result / dev->cus_per_wgp;
	some = some < dev->l1_taken_most ? some : dev->l1_taken_most;
	u32 taken = 0;
	for (u32 i = 0; i < t->n; i++) {
		taken = t->v[i].value;
		if ((some > resident ? some : resident) <= t->v[i].upto)
			break;
	}
	return least(taken, dev->l1_bytes);
}

static double per_cu(const Device *dev, u32 n) { return (double)n / dev->cus_per_wgp; }

/* Waves of all compute units, within the limit of the device. */
static u32 waves_on_device(const Device *dev, const Bounds *b)
{
	u64 waves = (u64)b->result * b->waves_per_group * dev->compute_units / dev->cus_per_wgp;
	if (dev->max_waves_gpu && waves > dev->max_waves_gpu)
		waves = dev->max_waves_gpu;
	return waves < UINT32_MAX ? (u32)waves : UINT32_MAX;
}

static OccLimiter limiter(const Device *dev, const Bounds *b)
{
	u64 waves = (u64)b->result * b->waves_per_group * dev->compute_units / dev->cus_per_wgp;
	if (dev->max_waves_gpu && waves > dev->max_waves_gpu)
		return OCC_device;
	if (b->result * b->waves_per_group == dev->max_waves_per_simd * b->wgp_simds)
		return OCC_waves;
	if (b->result == b->waves)
		return OCC_group_size;
	if (b->result == b->groups)
		return OCC_groups;
	if (b->result == b->vgprs)
		return OCC_vgprs;
	return b->result == b->sgprs ? OCC_sgprs : OCC_lds;
}

static void add_change(Occupancy *o, OccLimiter resource, u64 from, u64 to)
{
	o->next.v[o->next.n++] = (OccChange){resource, from > to ? from - to : 0, to};
}

/* The most vector registers (or, when even none would not help, AGPRs) that let groups fit. */
static bool fewer_vgprs(const Device *dev, OccInput *in, u32 groups, Occupancy *o)
{
	OccInput t = *in;
	t.vgprs = least(t.vgprs, dev->vgpr_max);
	while (t.vgprs > 1 && bounds(dev, &t).vgprs < groups)
		t.vgprs--;
	if (bounds(dev, &t).vgprs >= groups) {
		add_change(o, OCC_vgprs, in->vgprs, t.vgprs);
	} else {
		t.vgprs = in->vgprs;
		t.agprs = least(t.agprs, dev->agpr_max);
		while (t.agprs && bounds(dev, &t).vgprs < groups)
			t.agprs--;
		if (bounds(dev, &t).vgprs < groups)
			return false;
		add_change(o, OCC_agprs, in->agprs, t.agprs);
	}
	*in = t;
	return true;
}

static bool fewer_sgprs(const Device *dev, OccInput *in, u32 groups, Occupancy *o)
{
	u32 from = in->sgprs;
	for (u32 i = dev->sgpr_waves.n; i-- > 0 && bounds(dev, in).sgprs < groups;)
		in->sgprs = least(in->sgprs, dev->sgpr_waves.v[i].upto);
	if (bounds(dev, in).sgprs < groups)
		return false;
	add_change(o, OCC_sgprs, from, in->sgprs);
	return true;
}

static bool less_lds(const Device *dev, OccInput *in, u32 groups, Occupancy *o)
{
	u64 from = in->lds_bytes;
	u64 lds = (u64)dev->lds_per_cu * dev->cus_per_wgp;
	u64 taken = lds / groups / dev->lds_granule * dev->lds_granule;
	if (taken < dev->lds_reserved)
		return false;
	u64 to = taken - dev->lds_reserved;
	in->lds_bytes = to > dev->lds_per_group ? dev->lds_per_group : to;
	add_change(o, OCC_lds, from, in->lds_bytes);
	return true;
}

/* The nearest size of full wavefronts with more of them; the smaller one of two. */
static bool other_size(const Device *dev, OccInput *in, const Bounds *now, Occupancy *o)
{
	u32 have = now->result * now->waves_per_group;
	for (u32 away = 1; away * in->wave <= dev->max_group; away++) {
		for (u32 up = 0; up < 2; up++) {
			u32 w = up ? now->waves_per_group + away : now->waves_per_group - away;
			if ((!up && away >= now->waves_per_group) || w * in->wave > dev->max_group)
				continue;
			OccInput t = *in;
			t.group_size = w * in->wave;
			Bounds b = bounds(dev, &t);
			if (b.result * b.waves_per_group <= have)
				continue;
			*in = t;
			add_change(o, OCC_group_size, in->group_size, t.group_size);
			return true;
		}
	}
	return false;
}

static void find_next(const Device *dev, const Bounds *now, Occupancy *o)
{
	OccInput t = o->in;
	bool ok = true;
	if (o->limiter == OCC_waves || o->limiter == OCC_device)
		return;
	if (now->result == now->waves || now->result == now->groups) {
		ok = other_size(dev, &t, now, o);
	} else {
		u32 groups = now->result + 1;
		if (now->vgprs < groups)
			ok = fewer_vgprs(dev, &t, groups, o);
		if (ok && now->sgprs < groups)
			ok = fewer_sgprs(dev, &t, groups, o);
		if (ok && now->lds < groups)
			ok = less_lds(dev, &t, groups, o);
	}
	if (!ok) {
		o->next.n = 0;
		return;
	}
	Bounds b = bounds(dev, &t);
	o->next.waves_per_cu = per_cu(dev, b.result * b.waves_per_group);
	o->next.waves_per_simd = o->next.waves_per_cu / dev->simds_per_cu;
}

void occupancy(const Device *dev, const OccInput *in, Occupancy *o)
{
	memset(o, 0, sizeof *o);
	o->in = *in;
	o->in.wave = in->wave ? in->wave : dev->wave;
	Bounds b = bounds(dev, &o->in);
	o->waves_per_group = b.waves_per_group;
	o->groups_per_cu = per_cu(dev, b.result);
	o->waves_per_cu = per_cu(dev, b.result * b.waves_per_group);
	o->waves_per_simd = o->waves_per_cu / dev->simds_per_cu;
	o->max_waves_per_simd = dev->max_waves_per_simd;
	o->max_waves_per_cu = (double)dev->max_waves_per_simd * dev->simds_per_cu;
	o->waves_by_vgprs = waves_by_vgprs(dev, &o->in);
	o->waves_by_sgprs = waves_by_sgprs(dev, &o->in);
	o->group_places = least(b.lds, b.groups);
	u32 waves = dev->max_waves_per_simd;
	waves = least(waves, least(o->waves_by_vgprs, o->waves_by_sgprs));
	o->wave_places = waves * b.wgp_simds;
	o->l1_taken = l1_taken(dev, &o->in, &b);
	o->l1_bytes = dev->l1_bytes - o->l1_taken;
	o->waves_on_device = waves_on_device(dev, &b);
	o->limiter = limiter(dev, &b);
	find_next(dev, &b, o);
}

void occupancy_next_text(const Device *dev, const Occupancy *o, Buf *out)
{
	static const char *const unit[OCC_LIMITER_COUNT] = {
		[OCC_vgprs] = "VGPR", [OCC_agprs] = "AGPR", [OCC_sgprs] = "SGPR", [OCC_lds] = "byte"};
	buf_printf(out, "%s", "");
	if (!o->next.n)
		return;
	for (u32 i = 0; i < o->next.n; i++) {
		const OccChange *c = &o->next.v[i];
		buf_printf(out, "%s", !i ? "" : i + 1 < o->next.n ? ", " : " and ");
		if (c->resource == OCC_group_size) {
			buf_printf(out, "work-groups of %llu", (unsigned long long)c->to);
		} else {
			put_grouped(out, c->less);
			buf_printf(out, " fewer %s%s%s", unit[c->resource], c->less == 1 ? "" : "s",
			           c->resource == OCC_lds ? " of LDS" : "");
		}
	}
	bool simd = dev->simds_per_cu > 1;
	buf_printf(out, " would allow %.4g waves per %s", simd ? o->next.waves_per_simd : o->next.waves_per_cu,
	           simd ? "SIMD" : "compute unit");
}

void occupancy_curve(const Device *dev, const OccInput *in, OccLimiter over, OccCurve *out)
{
	OccInput t = *in;
	t.wave = in->wave ? in->wave : dev->wave;
	u32 step = over == OCC_vgprs ? 1 : over == OCC_lds ? dev->lds_granule : t.wave;
	u32 end = over == OCC_vgprs ? dev->vgpr_max
	          : over == OCC_lds ? dev->lds_per_group
	                            : dev->max_group;
	u32 x = over == OCC_lds ? 0 : step;
	for (u32 from = over == OCC_lds ? 0 : 1; from <= end; from = x + 1, x += step) {
		x = least(x, end);
		t.vgprs = over == OCC_vgprs ? x : t.vgprs;
		t.lds_bytes = over == OCC_lds ? x : t.lds_bytes;
		t.group_size = over == OCC_group_size ? x : t.group_size;
		Bounds b = bounds(dev, &t);
		double waves = per_cu(dev, b.result * b.waves_per_group);
		if (out->n && out->v[out->n - 1].waves_per_cu >= waves &&
		    out->v[out->n - 1].waves_per_cu <= waves) {
			out->v[out->n - 1].to = x;
			continue;
		}
		OccStep s = {from, x, waves / dev->simds_per_cu, waves};
		array_push(out, s);
	}
}
