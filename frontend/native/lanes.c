/* What the lanes of a wavefront pass each other: AMD's instructions, and what the bodies of OpenCL's sub-group
 * functions are made of (frontend/module/collective.h). Each is computed from what the lanes that met gave
 * (native_meet), as the instruction set manuals and isa/README.md say. */
#include "frontend/native/native.h"

#include "frontend/module/collective.h"
#include "isa/lane.h"

/* ---- one value ---- */

/* What the lane `from` gave, or 0: it is not there. */
static u64 value_of(const NativeLanes *l, u32 from) { return from < l->n && l->there[from] ? l->value[from] : 0; }

static u64 first_value(const NativeLanes *l)
{
	u32 i = 0;
	while (!l->there[i])
		i++;
	return l->value[i];
}

static u128 ones(const NativeLanes *l)
{
	u128 bits = 0;
	for (u32 i = 0; i < l->n; i++)
		if (l->there[i] && l->value[i])
			bits |= (u128)1 << i;
	return bits;
}

void native_sync(NativeRun *r, u32 site) { native_meet(r, site, 0); }

/* ---- AMD's instructions ---- */

static u64 ballot(NativeRun *r, u32 site, bool holds) { return (u64)ones(native_meet(r, site, holds)); }
static u32 ballot_32(NativeRun *r, u32 site, bool holds) { return (u32)ballot(r, site, holds); }
static u32 readfirst(NativeRun *r, u32 site, u32 value) { return (u32)first_value(native_meet(r, site, value)); }

static u32 readlane(NativeRun *r, u32 site, u32 value, u32 lane)
{
	return (u32)value_of(native_meet(r, site, value), lane);
}

static u32 bpermute(NativeRun *r, u32 site, u32 address, u32 value)
{
	return (u32)value_of(native_meet(r, site, value), (address >> 2) % native_wave(r));
}

/* Ones of a mask below this lane; hi: the mask is of lanes 32 to 63. */
static u32 mbcnt(const NativeRun *r, u32 hi, u32 mask, u32 more)
{
	u32 lane = native_lane(r), below = lane > 32 * hi ? lane - 32 * hi : 0;
	u64 bits = ((u64)1 << (below < 32 ? below : 32)) - 1;
	return (u32)__builtin_popcountll(mask & bits) + more;
}

/* Of a Fourier transform: the bits of a lane's number reversed, but for those that are kept. */
static u32 fourier(u32 lane, u32 keep)
{
	u32 reversed = 0;
	for (u32 i = 0; i < 5; i++)
		reversed |= (lane >> i & 1) << (4 - i);
	u32 kept = (u32)__builtin_popcount(keep);
	return kept == 5 ? lane : reversed >> kept | (lane & keep);
}

/* Patterns of lanes, as AMD's instruction set manuals give them. */
static u32 swizzle(NativeRun *r, u32 site, u32 value, u32 pattern)
{
	u32 lane = native_lane(r), low = lane & 31, and = pattern & 31, or = pattern >> 5 & 31, to;
	if ((pattern & 0xffff) >= 0xe000)
		to = fourier(low, and) & 31;
	else if ((pattern & 0xffff) >= 0xc000)
		to = (((pattern >> 10 & 1 ? low - or : low + or) & ~and) | (low & and)) & 31;
	else if (pattern & 0x8000)
		to = (low & ~3u) | (pattern >> 2 * (low & 3) & 3);
	else
		to = ((low & and) | or) ^ (pattern >> 10 & 31);
	return (u32)value_of(native_meet(r, site, value), (lane & ~31u) | to);
}

/* The lane that a lane reads by a control of DPP; UINT32_MAX: none. */
static u32 dpp_from(const NativeRun *r, u32 lane, u32 ctrl)
{
	u32 row = lane & ~15u, low = lane & 15, n = ctrl & 15, wave = native_wave(r);
	if (ctrl < 0x100)
		return (lane & ~3u) | (ctrl >> 2 * (lane & 3) & 3);
	switch (ctrl & ~15u) {
	case 0x100: return low + n < 16 ? lane + n : UINT32_MAX;
	case 0x110: return low >= n ? lane - n : UINT32_MAX;
	case 0x120: return row | ((low - n) & 15);
	case 0x150: return row | n;
	case 0x160: return row | (low ^ n);
	}
	switch (ctrl) {
	case 0x130: return lane + 1 < wave ? lane + 1 : UINT32_MAX;
	case 0x134: return (lane + 1) % wave;
	case 0x138: return lane ? lane - 1 : UINT32_MAX;
	case 0x13c: return (lane + wave - 1) % wave;
	case 0x140: return lane ^ 15;
	case 0x141: return lane ^ 7;
	case 0x142: return row ? row - 1 : UINT32_MAX;
	case 0x143: return lane >= 32 ? 31 : UINT32_MAX;
	}
	return UINT32_MAX;
}

static u32 dpp(NativeRun *r, u32 site, u32 old, u32 value, u32 ctrl, u32 rows, u32 banks, bool bound)
{
	const NativeLanes *l = native_meet(r, site, value);
	u32 lane = l->own, from = dpp_from(r, lane, ctrl);
	if (!(rows >> (lane >> 4 & 3) & 1) || !(banks >> (lane >> 2 & 3) & 1))
		return old;
	return from < l->n && l->there[from] ? (u32)l->value[from] : bound ? 0 : old;
}

static u32 mov_dpp(NativeRun *r, u32 site, u32 value, u32 ctrl, u32 rows, u32 banks, bool bound)
{
	return dpp(r, site, 0, value, ctrl, rows, banks, bound);
}

/* x: of the other half of 32. */
static u32 permlane(NativeRun *r, u32 site, u32 x, u32 old, u32 value, u32 low, u32 high, bool inactive, bool bound)
{
	u32 lane = native_lane(r), k = lane & 15, to = (k < 8 ? low >> 4 * k : high >> 4 * (k - 8)) & 15;
	u32 from = ((lane & ~15u) | to) ^ x;
	const NativeLanes *l = native_meet(r, site, value);
	(void)inactive;
	return from < l->n && l->there[from] ? (u32)l->value[from] : bound ? 0 : old;
}

#define CALL(f) ((void (*)(void))(f))
static const NativeCall calls[] = {
	{"amdgcn.permlane16", CALL(permlane), 0, true, true},
	{"amdgcn.permlanex16", CALL(permlane), 16, true, true},
	{"amdgcn.wave.barrier", CALL(native_sync), -1, true, true},
	{"amdgcn.mbcnt.lo", CALL(mbcnt), 0, true, false},
	{"amdgcn.mbcnt.hi", CALL(mbcnt), 1, true, false},
	{"amdgcn.ballot.i64", CALL(ballot), -1, true, true},
	{"amdgcn.ballot.i32", CALL(ballot_32), -1, true, true},
	{"amdgcn.readfirstlane", CALL(readfirst), -1, true, true},
	{"amdgcn.readlane", CALL(readlane), -1, true, true},
	{"amdgcn.ds.bpermute", CALL(bpermute), -1, true, true},
	{"amdgcn.ds.swizzle", CALL(swizzle), -1, true, true},
	{"amdgcn.update.dpp.i32", CALL(dpp), -1, true, true},
	{"amdgcn.mov.dpp.i32", CALL(mov_dpp), -1, true, true},
};

const NativeCall *native_lanes_call(const char *intrinsic)
{
	return native_call_named(calls, COUNT(calls), intrinsic);
}

/* ---- values joined ---- */

/* NativeCall.first of a reduction or a scan. */
enum { HOW_TYPE = 8, HOW_HALF = 16 };

static u64 joined_float(u32 fold, float a, float b)
{
	float x = fold == FOLD_fadd ? a + b : fold == FOLD_fmul ? a * b : fold == FOLD_fmin ? lane_fminnum_f32(a, b)
	                                                                                     : lane_fmaxnum_f32(a, b);
	return lane_bits32(x);
}

static u64 joined_double(u32 fold, double a, double b)
{
	double x = fold == FOLD_fadd ? a + b : fold == FOLD_fmul ? a * b : fold == FOLD_fmin ? lane_fminnum_f64(a, b)
	                                                                                      : lane_fmaxnum_f64(a, b);
	return bits_of_double(x);
}

static i64 as_signed(u64 x, Type t)
{
	u32 unused = 64 - (t == T_b1 ? 1 : type_bytes[t] * 8u);
	return (i64)(x << unused) >> unused;
}

/* Values are the bits of a type, and nothing above them. */
static u64 joined(u32 how, u64 a, u64 b)
{
	u32 fold = how & 0xff;
	Type t = (Type)(how >> HOW_TYPE & 0xff);
	u64 mask = t == T_b1 ? 1 : UINT64_MAX >> (64 - type_bytes[t] * 8);
	switch (fold) {
	case FOLD_add: return (a + b) & mask;
	case FOLD_mul: return (a * b) & mask;
	case FOLD_and: return a & b;
	case FOLD_or: return a | b;
	case FOLD_xor: return a ^ b;
	case FOLD_umin: return a < b ? a : b;
	case FOLD_umax: return a > b ? a : b;
	case FOLD_smin: return as_signed(a, t) < as_signed(b, t) ? a : b;
	case FOLD_smax: return as_signed(a, t) > as_signed(b, t) ? a : b;
	}
	return t == T_f64 ? joined_double(fold, double_of_bits(a), double_of_bits(b))
	                  : joined_float(fold, lane_float32((u32)a), lane_float32((u32)b));
}

/* Halves are joined as floats. */
static u64 widened(u32 how, u64 x) { return how >> HOW_HALF ? lane_bits32(lane_half_to_f32((u16)x)) : x; }
static u64 narrowed(u32 how, u64 x) { return how >> HOW_HALF ? lane_f32_to_half(lane_float32((u32)x)) : x; }

/* Lanes from `at`, n of them, a power of two: halves that are joined themselves. False: none of them is there. */
static bool tree(const NativeLanes *l, u32 how, u32 at, u32 n, u64 *out)
{
	u64 low, high;
	if (at >= l->n)
		return false;
	if (n == 1) {
		*out = widened(how, l->value[at]);
		return l->there[at];
	}
	bool any_low = tree(l, how, at, n / 2, &low), any_high = tree(l, how, at + n / 2, n / 2, &high);
	*out = any_low && any_high ? joined(how, low, high) : any_low ? low : high;
	return any_low || any_high;
}

static u128 wave_reduce(NativeRun *r, u32 site, u32 how, u64 value, u64 lanes)
{
	const NativeLanes *l = native_meet(r, site, value);
	u32 n = lanes ? (u32)lanes : MAX_WAVE;
	u64 all = 0;
	tree(l, how, l->own & ~(n - 1), n, &all);
	return narrowed(how, all);
}

/* Steps of 1, 2, 4 … lanes; each lane has then what those up to it have together. */
static u128 wave_scan(NativeRun *r, u32 site, u32 how, u64 value, u64 without)
{
	const NativeLanes *l = native_meet(r, site, value);
	u64 x[MAX_WAVE];
	bool any[MAX_WAVE];
	for (u32 i = 0; i < l->n; i++) {
		x[i] = widened(how, l->value[i]);
		any[i] = l->there[i];
	}
	for (u32 by = 1; by < l->n; by *= 2)
		for (u32 i = l->n; i-- > by;) {
			x[i] = any[i] && any[i - by] ? joined(how, x[i - by], x[i]) : any[i] ? x[i] : x[i - by];
			any[i] |= any[i - by];
		}
	if (without && (!l->own || !any[l->own - 1]))
		return narrowed(how, (u64)fold_neutral(how & 0xff, (Type)(how >> HOW_TYPE & 0xff)));
	return narrowed(how, x[l->own - (without ? 1 : 0)]);
}

/* ---- the calls of sub-groups: values as bits ---- */

static u128 wave_query(const NativeRun *r, u32 q) { return native_query(r, q); }
static u128 wave_first(NativeRun *r, u32 site, u64 value) { return first_value(native_meet(r, site, value)); }
static u128 wave_ballot(NativeRun *r, u32 site, u64 holds) { return ones(native_meet(r, site, holds)); }

static u128 wave_read(NativeRun *r, u32 site, u64 value, u64 lane)
{
	return value_of(native_meet(r, site, value), lane < MAX_WAVE ? (u32)lane : MAX_WAVE);
}

static u128 wave_permute(NativeRun *r, u32 site, u64 lane, u64 value)
{
	return wave_read(r, site, value, lane);
}

/* Type and fold of "add.i32". False: there are none. */
static bool read_how(const char *rest, i32 *how)
{
	u32 fold = fe_wave_named(fold_name, FOLD_COUNT, rest);
	const char *type = fold == FOLD_COUNT ? NULL : fe_wave_behind(rest, fold_name[fold]);
	if (!type)
		return false;
	*how = (i32)(fold | (u32)fe_wave_type(type) << HOW_TYPE | (u32)!strcmp(type, "half") << HOW_HALF);
	return true;
}

bool native_wave_call(const char *name, NativeCall *out)
{
	static const NativeCall rows[] = {
		{"query", CALL(wave_query), 0, true, false},   {"first", CALL(wave_first), -1, true, true},
		{"read", CALL(wave_read), -1, true, true},      {"permute", CALL(wave_permute), -1, true, true},
		{"ballot", CALL(wave_ballot), -1, true, true},  {"reduce", CALL(wave_reduce), 0, true, true},
		{"scan", CALL(wave_scan), 0, true, true},      {"barrier", CALL(native_sync), -1, true, true},
		{"whole", CALL(native_nothing), -1, false, false},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		const char *rest = fe_wave_behind(name, rows[i].name);
		if (!rest)
			continue;
		*out = rows[i];
		if (rows[i].call == CALL(wave_query))
			out->first = (i32)fe_wave_named(query_name, QUERY_COUNT, rest);
		bool joins = rows[i].call == CALL(wave_reduce) || rows[i].call == CALL(wave_scan);
		return !joins || read_how(rest, &out->first);
	}
	return false;
}
