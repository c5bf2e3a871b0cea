/* What passes values between the lanes of a wavefront, at many widths, with some lanes inactive and some not there:
 * each operation on each type against loops over an array. */
#include "models/device/lds_rule.h"
#include "sim/sim.h"
#include "tests/unit/random_program.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <stdio.h>

void suite_across(void);

/* out[lane] = what `ins` makes of v1, which is in[lane], and of v2, a lane's number, where on[lane]. */
static const char text[] =
	"kernel \"k\"\n"
	"arg 0 \"in\" global bytes 1 width 1 size 1\narg 1 \"on\" global bytes 4 width 1 size 4\n"
	"arg 2 \"from\" global bytes 4 width 1 size 4\narg 3 \"out\" global bytes 1 width 1 size 1\n"
	"param s90:i64 arg 0 offset 0\nparam s91:i64 arg 1 offset 0\n"
	"param s92:i64 arg 2 offset 0\nparam s93:i64 arg 3 offset 0\n"
	"func 0 \"k\"\nblock 0\n"
	"\tv80:i32 = query.lane_id\n\tv81:i64 = leaz_i64 s90, v80 *16\n%s"
	"\tv82:i64 = leaz_i64 s91, v80 *4\n\tv83:i32 = ld.global v82\n"
	"\tv84:i64 = leaz_i64 s92, v80 *4\n\tv2:i32 = ld.global v84\n\ts4:i32 = readfirst v2\n"
	"\tv85:i64 = leaz_i64 s93, v80 *16\n\tv86:b1 = ne_i32 v83, 0:i32\n\tbr v86 -> 1, 2\n"
	"block 1\n\t%s\n%s\tjmp -> 2\n"
	"block 2\n\tret\n";

typedef union Value {
	u128 i;
	float f;
	double d;
	u8 byte[16];
} Value;

typedef struct Across {
	u32 wave, items; /* items: lanes that are there */
	Type type;
	Value in[MAX_WAVE], out[MAX_WAVE];
	u32 on[MAX_WAVE], from[MAX_WAVE];
	u64 findings[FINDING_COUNT];
} Across;

static bool active(const Across *a, u32 l) { return l < a->items && a->on[l]; }

/* type: of the result. */
static void run_across(Across *a, const char *ins, Type type, bool scalar)
{
	Buf load = {0}, store = {0}, all = {0};
	if (a->type == T_b1)
		buf_printf(&load, "\tv87:i8 = ld.global v81\n\tv1:b1 = trunc_b1_i8 v87\n");
	else
		buf_printf(&load, "\tv1:%s = ld.global v81\n", type_name[a->type]);
	if (type == T_b1)
		buf_printf(&store, "\t%s88:i8 = zext_i8_b1 %s3\n\tst.global v85, %s88\n", scalar ? "s" : "v",
		           scalar ? "s" : "v", scalar ? "s" : "v");
	else
		buf_printf(&store, "\tst.global v85, %s3\n", scalar ? "s" : "v");
	buf_printf(&all, text, load.v, ins, store.v);
	/* Registers are numbered once for vectors and scalars. */
	Diag d;
	diag_init(&d);
	Program *p = program_parse("test.wave", all.v, &d);
	Buf said = {0};
	diag_print(&d, &said);
	if (!p)
		fprintf(stderr, "%s%s", all.v, said.v);
	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	memset(a->out, 0xcc, sizeof a->out);
	SimBuffer buffers[] = {
		{.data = a->in[0].byte, .size = sizeof a->in, .name = "in", .readable = true},
		{.data = (u8 *)a->on, .size = sizeof a->on, .name = "on", .readable = true},
		{.data = (u8 *)a->from, .size = sizeof a->from, .name = "from", .readable = true},
		{.data = a->out[0].byte, .size = sizeof a->out, .name = "out", .readable = true, .writable = true},
	};
	SimArg args[COUNT(buffers)];
	for (u32 i = 0; i < COUNT(buffers); i++)
		args[i] = (SimArg){.kind = SIM_BUFFER, .buffer = i};
	SimLaunch l = {.dims = 1, .args = args, .buffers = buffers, .nbuffers = COUNT(buffers),
	               .global = {a->items, 1, 1}, .local = {a->items, 1, 1}};
	SimConfig cfg = {.wave = a->wave, .line_bytes = 64, .threads = 1, .max_instructions = 10000};
	lds_rule(&cfg.lds, (LdsChip){LDS_FAMILY_gcn, LDS_PAIRS_crossed, 64, 32}, a->wave, 32);
	Profile *prof = sim_run(p, &l, &cfg, &d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(prof);
	memset(a->findings, 0, sizeof a->findings);
	for (u32 i = 0; i < prof->findings.n; i++)
		a->findings[prof->findings.v[i].kind] += prof->findings.v[i].count;
	profile_free(prof);
	program_free(p);
	diag_free(&d);
	array_free(&load);
	array_free(&store);
	array_free(&all);
	array_free(&said);
}

/* ---- what is expected ---- */

static i128 as_signed(u128 v, Type t)
{
	u32 up = 128 - type_bytes[t] * 8u;
	return (i128)(v << up) >> up;
}

static Value join_f(u32 fold, double x, double y, Type t)
{
	double r = fold == FOLD_fadd   ? x + y
	        : fold == FOLD_fmul ? x * y
	        : fold == FOLD_fmin ? fmin(x, y)
	                            : fmax(x, y);
	return t == T_f32 ? (Value){.f = (float)r} : (Value){.d = r};
}

static Value join(u32 fold, Value x, Value y, Type t)
{
	i128 sx = as_signed(x.i, t), sy = as_signed(y.i, t);
	if (type_is_float(t))
		return t == T_f32 ? join_f(fold, (double)x.f, (double)y.f, t) : join_f(fold, x.d, y.d, t);
	switch (fold) {
	case FOLD_add: return (Value){x.i + y.i};
	case FOLD_mul: return (Value){x.i * y.i};
	case FOLD_and: return (Value){x.i & y.i};
	case FOLD_or: return (Value){x.i | y.i};
	case FOLD_xor: return (Value){x.i ^ y.i};
	case FOLD_umin: return x.i < y.i ? x : y;
	case FOLD_umax: return x.i > y.i ? x : y;
	case FOLD_smin: return sx < sy ? x : y;
	default: return sx > sy ? x : y;
	}
}

static Value cut(Value v, Type t)
{
	Value r = {0};
	if (t == T_b1)
		v.i &= 1;
	memcpy(&r, &v, type_bytes[t]);
	return r;
}

/* Of the active lanes from first on, n of them; false: there is none. */
static bool joined(const Across *a, u32 fold, u32 first, u32 n, Value *out)
{
	bool any = false;
	for (u32 l = first; l < first + n && l < a->items; l++) {
		if (!a->on[l])
			continue;
		*out = cut(any ? join(fold, *out, a->in[l], a->type) : a->in[l], a->type);
		any = true;
	}
	return any;
}

static bool equal(const Across *a, Value x, Value y)
{
	if (a->type == T_f32 && isnan(x.f))
		return isnan(y.f);
	if (a->type == T_f64 && isnan(x.d))
		return isnan(y.d);
	return !memcmp(&x, &y, type_bytes[a->type]);
}

static const char *letter(bool scalar) { return scalar ? "s" : "v"; }

static void check_reduce(Across *a, u32 fold, u32 lanes)
{
	char ins[64];
	snprintf(ins, sizeof ins, "%s3:%s = reduce.%s v1 +%u", letter(!lanes), type_name[a->type], fold_name[fold],
	         lanes);
	run_across(a, ins, a->type, !lanes);
	u32 wrong = 0;
	for (u32 l = 0; l < a->items; l++) {
		Value want = {0};
		if (a->on[l] && joined(a, fold, lanes ? l & ~(lanes - 1) : 0, lanes ? lanes : a->items, &want))
			wrong += !equal(a, want, a->out[l]);
	}
	if (wrong)
		fprintf(stderr, "wave %u of %u items: %s: %u wrong\n", a->wave, a->items, ins, wrong);
	CU_ASSERT_EQUAL(wrong, 0);
}

static void check_scan(Across *a, u32 fold, u32 without)
{
	static const struct { u8 fold; double f; } neutral[] = {
		{FOLD_fadd, 0}, {FOLD_fmul, 1}, {FOLD_fmin, INFINITY}, {FOLD_fmax, -INFINITY}};
	char ins[64];
	snprintf(ins, sizeof ins, "v3:%s = scan.%s v1 +%u", type_name[a->type], fold_name[fold], without);
	run_across(a, ins, a->type, false);
	Type t = a->type;
	u128 top = t == T_b1 ? 1 : (u128)1 << (type_bytes[t] * 8 - 1), ones = top | (top - 1);
	Value first = {fold == FOLD_mul                         ? 1
	               : fold == FOLD_and || fold == FOLD_umin ? ones
	               : fold == FOLD_smin                     ? top - 1
	               : fold == FOLD_smax                     ? top
	                                                       : 0};
	for (u32 i = 0; i < COUNT(neutral); i++)
		if (neutral[i].fold == fold)
			first = t == T_f32 ? (Value){.f = (float)neutral[i].f} : (Value){.d = neutral[i].f};
	u32 wrong = 0;
	for (u32 l = 0; l < a->items; l++) {
		Value want = first;
		if (!a->on[l])
			continue;
		joined(a, fold, 0, without ? l : l + 1, &want);
		wrong += !equal(a, want, a->out[l]);
	}
	if (wrong)
		fprintf(stderr, "wave %u of %u items: %s: %u wrong\n", a->wave, a->items, ins, wrong);
	CU_ASSERT_EQUAL(wrong, 0);
}

static void fill(Across *a, u64 *rng)
{
	for (u32 l = 0; l < MAX_WAVE; l++) {
		u64 x = random_next(rng), y = random_next(rng);
		a->in[l].i = (u128)x << 64 | y;
		/* sums and products that are exact in any order */
		double f = x % 23 == 0 ? (double)NAN : (double)(1 << x % 2) * (y & 1 ? 1 : -1);
		if (a->type == T_f32)
			a->in[l] = (Value){.f = (float)f};
		if (a->type == T_f64)
			a->in[l] = (Value){.d = f};
		a->in[l] = cut(a->in[l], a->type);
		a->on[l] = x % 3 != 0;
		a->from[l] = (u32)(y >> 8) % MAX_WAVE;
	}
	a->on[random_next(rng) % a->items] = true;
}

static const struct { u32 wave, items; } shapes[] = {{1, 1}, {7, 7}, {8, 8}, {8, 5}, {24, 24}, {32, 32}, {32, 19},
                                                     {64, 64}, {64, 1}, {64, 50}, {100, 100}, {128, 128}, {128, 77}};

static void each(void (*check)(Across *a, u32 fold))
{
	static Across a;
	u64 rng = 7;
	for (u32 s = 0; s < COUNT(shapes); s++)
		for (u32 t = 0; t < TYPE_COUNT; t++)
			for (u32 f = 0; f < FOLD_COUNT; f++) {
				a = (Across){.wave = shapes[s].wave, .items = shapes[s].items, .type = (Type)t};
				if (fold_op(f, (Type)t) == OP_COUNT)
					continue;
				fill(&a, &rng);
				check(&a, f);
			}
}

static void reduce(Across *a, u32 fold)
{
	check_reduce(a, fold, 0);
	for (u32 k = 1; k <= MAX_WAVE; k *= 4)
		check_reduce(a, fold, k);
}

static void scan(Across *a, u32 fold)
{
	check_scan(a, fold, 0);
	check_scan(a, fold, 1);
}

static void reductions(void) { each(reduce); }
static void scans(void) { each(scan); }

/* ---- the others ---- */

static void ballots(void)
{
	static const Type types[] = {T_i32, T_i64, T_i128};
	static Across a;
	u64 rng = 9;
	for (u32 s = 0; s < COUNT(shapes); s++)
		for (u32 t = 0; t < COUNT(types); t++) {
			a = (Across){.wave = shapes[s].wave, .items = shapes[s].items, .type = T_b1};
			fill(&a, &rng);
			char ins[32];
			snprintf(ins, sizeof ins, "s3:%s = ballot v1", type_name[types[t]]);
			run_across(&a, ins, types[t], true);
			Value want = {0};
			for (u32 l = 0; l < a.items; l++)
				want.i |= (u128)(active(&a, l) && a.in[l].byte[0]) << l;
			for (u32 l = 0; l < a.items; l++)
				if (a.on[l])
					CU_ASSERT_EQUAL(memcmp(&want, &a.out[l], type_bytes[types[t]]), 0);
		}
}

/* What is read from a lane that is not there is 0; with a flag, numbers go round no more. */
static void permutations(void)
{
	static Across a;
	u64 rng = 11;
	for (u32 s = 0; s < COUNT(shapes); s++)
		for (u32 t = 0; t < TYPE_COUNT; t++)
			for (u32 flag = 0; flag < 2; flag++) {
				a = (Across){.wave = shapes[s].wave, .items = shapes[s].items, .type = (Type)t};
				fill(&a, &rng);
				char ins[48];
				snprintf(ins, sizeof ins, "v3:%s = bpermute v2, v1 +%u", type_name[t], flag);
				run_across(&a, ins, (Type)t, false);
				for (u32 l = 0; l < a.items; l++) {
					u32 from = flag ? a.from[l] : a.from[l] % a.wave;
					bool there = from < a.wave && active(&a, from);
					Value none = {0};
					if (!a.on[l])
						continue;
					CU_ASSERT_EQUAL(memcmp(there ? &a.in[from] : &none, &a.out[l],
					                       type_bytes[t]), 0);
				}
				CU_ASSERT_EQUAL(a.findings[FINDING_inactive_lane], 0);
			}
}

static void one_lane(void)
{
	static Across a;
	u64 rng = 13;
	for (u32 s = 0; s < COUNT(shapes); s++)
		for (u32 t = 0; t < TYPE_COUNT; t++) {
			a = (Across){.wave = shapes[s].wave, .items = shapes[s].items, .type = (Type)t};
			fill(&a, &rng);
			char ins[64];
			snprintf(ins, sizeof ins, "s3:%s = readlane v1, s4 +1", type_name[t]);
			run_across(&a, ins, (Type)t, true);
			u32 from = a.from[0], first = 0;
			bool there = from < a.wave && active(&a, from);
			while (!active(&a, first))
				first++;
			Value none = {0};
			for (u32 l = 0; l < a.items; l++)
				if (a.on[l])
					CU_ASSERT_EQUAL(memcmp(there ? &a.in[from] : &none, &a.out[l],
					                       type_bytes[t]), 0);
			CU_ASSERT_EQUAL(a.findings[FINDING_inactive_lane], !there);
			snprintf(ins, sizeof ins, "s3:%s = readfirst v1", type_name[t]);
			run_across(&a, ins, (Type)t, true);
			for (u32 l = 0; l < a.items; l++)
				if (a.on[l])
					CU_ASSERT_EQUAL(memcmp(&a.in[first], &a.out[l], type_bytes[t]), 0);
		}
}

/* Lanes that a smaller group does not have are not missed. */
static void all_lanes(void)
{
	static Across a;
	a = (Across){.wave = 32, .items = 20, .type = T_i32};
	for (u32 l = 0; l < MAX_WAVE; l++)
		a.on[l] = true;
	run_across(&a, "whole\n\tv3:i32 = mov v1", T_i32, false);
	CU_ASSERT_EQUAL(a.findings[FINDING_divergent_sub_group], 0);
	a.on[3] = a.on[19] = false;
	run_across(&a, "whole\n\tv3:i32 = mov v1", T_i32, false);
	CU_ASSERT_EQUAL(a.findings[FINDING_divergent_sub_group], 2);
}

void suite_across(void)
{
	CU_pSuite s = CU_add_suite("across", NULL, NULL);
	CU_add_test(s, "reductions", reductions);
	CU_add_test(s, "scans", scans);
	CU_add_test(s, "ballots", ballots);
	CU_add_test(s, "permutations", permutations);
	CU_add_test(s, "one lane", one_lane);
	CU_add_test(s, "all lanes", all_lanes);
}
