/* Occupancy: every threshold that LLVM's back end and the vendors' documents name. */
#include "models/device/occupancy.h"
#include "tests/unit/device_kit.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <stdio.h>

static bool same(double a, double b) { return fabs(a - b) < 1e-9; }

/* "upto:waves …" for ascending counts, each step checked at both ends. Work-groups are one
 * wavefront, so that only registers and the limit of the vector unit count. */
static void check_steps(const char *name, u32 wave, OccLimiter reg, const char *steps)
{
	Arena *a = arena_new();
	Device dev = device(name, a);
	u32 from = 1;
	for (const char *s = steps; *s;) {
		u32 upto = 0, waves = 0;
		int n = 0;
		CU_ASSERT_EQUAL_FATAL(sscanf(s, "%u:%u %n", &upto, &waves, &n), 2);
		for (u32 x = from; x <= upto; x++) {
			OccInput in = {.vgprs = 1, .wave = wave};
			if (reg == OCC_vgprs)
				in.vgprs = x;
			else
				in.sgprs = x;
			in.group_size = wave;
			Occupancy o;
			occupancy(&dev, &in, &o);
			u32 have = reg == OCC_vgprs ? o.waves_by_vgprs : o.waves_by_sgprs;
			CU_ASSERT_EQUAL(have, waves);
			if (have != waves)
				fprintf(stderr, "%s wave %u: %u registers give %u waves, not %u\n", name, wave, x, have,
				        waves);
		}
		from = upto + 1;
		s += n;
	}
	arena_free(a);
}

#define GCN_VGPRS "24:10 28:9 32:8 36:7 40:6 48:5 64:4 84:3 128:2 256:1"
#define GCN12_SGPRS "48:10 56:9 64:8 72:7 80:6 102:5"
#define GCN_SGPRS "80:10 88:9 100:8 102:7"
#define CDNA2_VGPRS "64:8 72:7 80:6 96:5 128:4 168:3 256:2 512:1"
#define RDNA2_32 "64:16 80:12 96:10 112:9 128:8 144:7 160:6 192:5 256:4"
#define RDNA2_64 "32:16 40:12 48:10 56:9 64:8 72:7 80:6 96:5 128:4 168:3 256:2"
#define EVERGREEN \
	"7:32 8:31 9:27 10:24 11:22 12:20 13:19 14:17 15:16 16:15 17:14 19:13 20:12 22:11 24:10 27:9 " \
	"31:8 35:7 41:6 49:5 62:4 82:3 124:2 128:1"

static void vector_registers(void)
{
	static const char *const gcn[] = {"hd7970", "r9290x", "r9nano", "rx480", "vega64",
	                                  "mi50",   "mi100",  "generic"};
	static const char *const cdna2[] = {"mi210", "mi250x", "mi300x", "mi300a"};
	static const char *const evergreen[] = {"hd5870", "hd5670", "hd7660d"};
	for (u32 i = 0; i < COUNT(gcn); i++)
		check_steps(gcn[i], 64, OCC_vgprs, GCN_VGPRS);
	for (u32 i = 0; i < COUNT(cdna2); i++)
		check_steps(cdna2[i], 64, OCC_vgprs, CDNA2_VGPRS);
	for (u32 i = 0; i < COUNT(evergreen); i++)
		check_steps(evergreen[i], 64, OCC_vgprs, EVERGREEN);
	check_steps("rx5700xt", 32, OCC_vgprs,
	            "48:20 56:18 64:16 72:14 80:12 88:11 96:10 112:9 128:8 144:7 168:6 200:5 256:4");
	check_steps("rx5700xt", 64, OCC_vgprs,
	            "24:20 28:18 32:16 36:14 40:12 44:11 48:10 56:9 64:8 72:7 84:6 100:5 128:4 168:3 256:2");
	check_steps("rx6900xt", 32, OCC_vgprs, RDNA2_32);
	check_steps("rx6900xt", 64, OCC_vgprs, RDNA2_64);
	static const char *const small[] = {"rx6600", "rx7600", "radeon780m"}, *const large[] = {"rx7900xtx", "w7800",
	                                                                                         "rx9070xt"};
	for (u32 i = 0; i < COUNT(small); i++) {
		check_steps(small[i], 32, OCC_vgprs, RDNA2_32);
		check_steps(large[i], 32, OCC_vgprs, "96:16 120:12 144:10 168:9 192:8 216:7 240:6 256:5");
	}
	/* 768 registers in twelves */
	check_steps("rx7900xtx", 64, OCC_vgprs,
	            "48:16 60:12 72:10 84:9 96:8 108:7 120:6 144:5 192:4 252:3 256:2");
	/* 65536 registers of an SM: 64 warps up to 32 each, 8 at 255 */
	check_steps("h200", 32, OCC_vgprs, "32:16 40:12 48:10 56:9 64:8 72:7 80:6 96:5 128:4 168:3 255:2");
}

static void scalar_registers(void)
{
	check_steps("hd7970", 64, OCC_sgprs, GCN12_SGPRS);
	check_steps("r9290x", 64, OCC_sgprs, GCN12_SGPRS);
	static const char *const gcn[] = {"r9nano", "rx480", "vega64", "mi50", "mi100"};
	for (u32 i = 0; i < COUNT(gcn); i++)
		check_steps(gcn[i], 64, OCC_sgprs, GCN_SGPRS);
	check_steps("mi210", 64, OCC_sgprs, "100:8 102:7");
	check_steps("mi250x", 64, OCC_sgprs, "100:8 102:7");
	check_steps("mi300x", 64, OCC_sgprs, "94:8 102:7");
	check_steps("rx5700xt", 32, OCC_sgprs, "106:20");
	check_steps("rx6900xt", 32, OCC_sgprs, "106:16");
	check_steps("rx7900xtx", 32, OCC_sgprs, "106:16");
	check_steps("hd5870", 64, OCC_sgprs, "128:32");
	check_steps("h200", 32, OCC_sgprs, "128:16");
}

typedef struct Row {
	const char *device;
	OccInput in;
	double simd, cu, groups;
	OccLimiter limiter;
	const char *next;
} Row;

static void check_rows(const Row *rows, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		Arena *a = arena_new();
		Device dev = device(rows[i].device, a);
		Occupancy o;
		occupancy(&dev, &rows[i].in, &o);
		Buf next = {0};
		occupancy_next_text(&dev, &o, &next);
		bool ok = same(o.waves_per_simd, rows[i].simd) && same(o.waves_per_cu, rows[i].cu) &&
		          same(o.groups_per_cu, rows[i].groups) && o.limiter == rows[i].limiter &&
		          !strcmp(next.v, rows[i].next);
		CU_ASSERT_TRUE(ok);
		if (!ok)
			fprintf(stderr, "row %u: %s %g per SIMD, %g per CU, %g groups, %s, '%s'\n", i,
			        rows[i].device, o.waves_per_simd, o.waves_per_cu, o.groups_per_cu,
			        occ_limiter_name[o.limiter], next.v);
		array_free(&next);
		arena_free(a);
	}
}

#define USE(v, a, s, l, g) {.vgprs = v, .agprs = a, .sgprs = s, .lds_bytes = l, .group_size = g}

static void gcn(void)
{
	static const Row rows[] = {
		{"mi50", USE(24, 0, 80, 0, 256), 10, 40, 10, OCC_waves, ""},
		{"mi50", USE(31, 0, 20, 0, 256), 8, 32, 8, OCC_vgprs,
		 "3 fewer VGPRs would allow 9 waves per SIMD"},
		{"mi50", USE(25, 0, 20, 0, 256), 9, 36, 9, OCC_vgprs,
		 "1 fewer VGPR would allow 10 waves per SIMD"},
		{"mi50", USE(24, 0, 101, 0, 256), 7, 28, 7, OCC_sgprs,
		 "1 fewer SGPR would allow 8 waves per SIMD"},
		{"mi50", USE(33, 0, 101, 0, 256), 7, 28, 7, OCC_vgprs,
		 "1 fewer VGPR and 1 fewer SGPR would allow 8 waves per SIMD"},
		{"mi50", USE(10, 0, 10, 32768, 256), 2, 8, 2, OCC_lds,
		 "11,264 fewer bytes of LDS would allow 3 waves per SIMD"},
		/* one wavefront: forty groups, no barrier slots; two wavefronts: sixteen groups */
		{"mi50", USE(10, 0, 10, 0, 64), 10, 40, 40, OCC_waves, ""},
		{"mi50", USE(10, 0, 10, 0, 128), 8, 32, 16, OCC_groups,
		 "work-groups of 64 would allow 10 waves per SIMD"},
		{"mi50", USE(10, 0, 10, 0, 1024), 8, 32, 2, OCC_group_size,
		 "work-groups of 832 would allow 9.75 waves per SIMD"},
		/* waves of a group are spread over the units: 9 x 4 places hold two groups of 16 */
		{"mi50", USE(28, 0, 10, 0, 1024), 8, 32, 2, OCC_group_size,
		 "work-groups of 768 would allow 9 waves per SIMD"},
		{"mi50", USE(256, 0, 10, 0, 512), 0, 0, 0, OCC_vgprs,
		 "128 fewer VGPRs would allow 2 waves per SIMD"},
	};
	check_rows(rows, COUNT(rows));
	/* a wider or narrower wavefront than the chip's */
	Arena *a = arena_new();
	Device dev = device("mi50", a);
	Occupancy o;
	OccInput wide = {.vgprs = 24, .group_size = 256, .wave = 128};
	occupancy(&dev, &wide, &o);
	CU_ASSERT_EQUAL(o.waves_by_vgprs, 5); /* each register takes two places */
	OccInput narrow = {.vgprs = 64, .group_size = 256, .wave = 16};
	occupancy(&dev, &narrow, &o);
	CU_ASSERT_EQUAL(o.waves_by_vgprs, 4);
	CU_ASSERT_EQUAL(o.waves_per_group, 16);
	arena_free(a);
}

/* What LLVM 15 prints as "Occupancy" for LDS is waves per compute unit: 21504 bytes and 256
 * work-items are three groups of four wavefronts, three per SIMD, where it prints 10. It does not
 * round up to the granule either: 21760 bytes are taken as 22016, so only two fit. */
static void lds_is_per_cu(void)
{
	static const Row rows[] = {
		{"vega64", USE(10, 0, 10, 21504, 256), 3, 12, 3, OCC_lds,
		 "5,120 fewer bytes of LDS would allow 4 waves per SIMD"},
		{"vega64", USE(10, 0, 10, 21760, 256), 2, 8, 2, OCC_lds,
		 "256 fewer bytes of LDS would allow 3 waves per SIMD"},
		{"vega64", USE(10, 0, 10, 6400, 64), 2.25, 9, 9, OCC_lds,
		 "256 fewer bytes of LDS would allow 2.5 waves per SIMD"},
		{"vega64", USE(10, 0, 10, 65536, 1024), 4, 16, 1, OCC_lds,
		 "32,768 fewer bytes of LDS would allow 8 waves per SIMD"},
		{"hd7970", USE(10, 0, 10, 257, 64), 10, 40, 40, OCC_waves, ""},
		{"hd7970", USE(10, 0, 10, 32769, 64), 0, 0, 0, OCC_lds,
		 "1 fewer byte of LDS would allow 0.5 waves per SIMD"},
	};
	check_rows(rows, COUNT(rows));
}

static void accumulation_registers(void)
{
	static const Row rows[] = {
		{"mi100", USE(20, 30, 10, 0, 256), 8, 32, 8, OCC_vgprs,
		 "2 fewer AGPRs would allow 9 waves per SIMD"},
		{"mi100", USE(30, 20, 10, 0, 256), 8, 32, 8, OCC_vgprs,
		 "2 fewer VGPRs would allow 9 waves per SIMD"},
		/* 30 -> 32, + 32 = 64; one AGPR more is a granule more */
		{"mi210", USE(30, 32, 10, 0, 256), 8, 32, 8, OCC_waves, ""},
		{"mi210", USE(30, 33, 10, 0, 256), 7, 28, 7, OCC_vgprs,
		 "2 fewer VGPRs would allow 8 waves per SIMD"},
		{"mi210", USE(250, 250, 10, 0, 256), 1, 4, 1, OCC_vgprs,
		 "246 fewer VGPRs would allow 2 waves per SIMD"},
		{"mi210", USE(65, 0, 10, 0, 256), 7, 28, 7, OCC_vgprs,
		 "1 fewer VGPR would allow 8 waves per SIMD"},
		/* without AGPRs there is nothing to align; without the registers they count nothing */
		{"mi50", USE(20, 200, 10, 0, 256), 10, 40, 10, OCC_waves, ""},
	};
	check_rows(rows, COUNT(rows));
}

/* The examples of AMD's guide: groups of 256 work-items, four wavefronts. */
static void evergreen(void)
{
	static const Row rows[] = {
		{"hd5870", USE(25, 0, 0, 0, 256), 8, 8, 2, OCC_vgprs,
		 "5 fewer VGPRs would allow 12 waves per compute unit"},
		{"hd5870", USE(20, 0, 0, 0, 256), 12, 12, 3, OCC_vgprs,
		 "5 fewer VGPRs would allow 16 waves per compute unit"},
		{"hd5870", USE(12, 0, 0, 0, 256), 20, 20, 5, OCC_vgprs,
		 "2 fewer VGPRs would allow 24 waves per compute unit"},
		{"hd5870", USE(10, 0, 0, 0, 64), 8, 8, 8, OCC_groups,
		 "work-groups of 128 would allow 16 waves per compute unit"},
		{"hd5670", USE(5, 0, 0, 0, 256), 32, 32, 8, OCC_waves, ""},
		{"hd7660d", USE(5, 0, 0, 0, 256), 32, 32, 8, OCC_waves, ""},
	};
	check_rows(rows, COUNT(rows));
	/* 4.6 KB, 5.3 KB … are eighths, sevenths, sixths of 32 KB */
	static const struct {
		u32 bytes, waves;
	} lds[] = {{4096, 32}, {4672, 28}, {5456, 24}, {6544, 20}, {8192, 16}, {10912, 12}, {16384, 8}, {32768, 4}};
	Arena *a = arena_new();
	Device dev = device("hd5870", a);
	Occupancy o;
	for (u32 i = 0; i < COUNT(lds); i++) {
		OccInput in = USE(1, 0, 0, lds[i].bytes, 256);
		occupancy(&dev, &in, &o);
		CU_ASSERT(same(o.waves_per_cu, lds[i].waves));
		in.lds_bytes++;
		occupancy(&dev, &in, &o);
		CU_ASSERT(o.waves_per_cu < lds[i].waves);
	}
	/* the whole GPU holds 496 wavefronts, 24.8 on each of 20 compute units */
	OccInput in = USE(5, 0, 0, 0, 256);
	occupancy(&dev, &in, &o);
	CU_ASSERT_EQUAL(o.limiter, OCC_device);
	CU_ASSERT_EQUAL(o.waves_on_device, 496);
	CU_ASSERT(same(o.waves_per_cu, 32));
	in.vgprs = 10;
	occupancy(&dev, &in, &o);
	CU_ASSERT_EQUAL(o.limiter, OCC_vgprs);
	CU_ASSERT_EQUAL(o.waves_on_device, 480);
	arena_free(a);
}

/* A work-group lies on a work-group processor: two compute units share LDS and slots. */
static void rdna(void)
{
	static const Row rows[] = {
		{"rx6900xt", USE(64, 0, 10, 0, 256), 16, 32, 4, OCC_waves, ""},
		{"rx6900xt", USE(65, 0, 10, 0, 256), 12, 24, 3, OCC_vgprs,
		 "1 fewer VGPR would allow 16 waves per SIMD"},
		{"rx6900xt", USE(10, 0, 10, 24576, 256), 10, 20, 2.5, OCC_lds,
		 "3,072 fewer bytes of LDS would allow 12 waves per SIMD"},
		{"rx6900xt", USE(10, 0, 10, 65536, 1024), 16, 32, 1, OCC_waves, ""},
		{"rx6900xt", USE(10, 0, 10, 0, 32), 16, 32, 32, OCC_waves, ""},
		{"rx6900xt", USE(10, 0, 10, 0, 64), 16, 32, 16, OCC_waves, ""},
		{"rx5700xt", USE(10, 0, 10, 0, 64), 16, 32, 16, OCC_groups,
		 "work-groups of 32 would allow 20 waves per SIMD"},
		{"rx6900xt", {.vgprs = 33, .group_size = 256, .wave = 64}, 12, 24, 6, OCC_vgprs,
		 "1 fewer VGPR would allow 16 waves per SIMD"},
	};
	check_rows(rows, COUNT(rows));
}

static void nvidia(void)
{
	static const Row rows[] = {
		{"h200", USE(32, 0, 0, 0, 256), 16, 64, 8, OCC_waves, ""},
		{"h200", USE(255, 0, 0, 0, 256), 2, 8, 1, OCC_vgprs,
		 "127 fewer VGPRs would allow 4 waves per SIMD"},
		{"h200", USE(32, 0, 0, 0, 32), 8, 32, 32, OCC_groups,
		 "work-groups of 64 would allow 16 waves per SIMD"},
		/* each group takes 1 KB for itself: 7 x 32 KB + 7 KB of 228 KB would be 231 */
		{"h200", USE(32, 0, 0, 32768, 128), 6, 24, 6, OCC_lds,
		 "512 fewer bytes of LDS would allow 7 waves per SIMD"},
		{"h200", USE(32, 0, 0, 232448, 128), 1, 4, 1, OCC_lds,
		 "116,736 fewer bytes of LDS would allow 2 waves per SIMD"},
	};
	check_rows(rows, COUNT(rows));
}

/* What is left of L1, by the step in which L1 holds rows of 128 bytes: an H200 (probes l1-rows, l1-beside-…). How many
 * registers matter was not measured. */
static void l1_left_by_lds(void)
{
	static const struct { const char *device; u32 vgprs, lds, items, least, most; } rows[] = {
		{"h200", 32, 0, 128, 200, 232},    {"h200", 32, 64, 256, 184, 248},  {"h200", 32, 1024, 128, 184, 216},
		{"h200", 32, 2048, 128, 120, 184}, {"h200", 32, 2048, 64, 120, 184}, {"h200", 32, 4096, 256, 120, 184},
		{"h200", 32, 3072, 128, 88, 120},  {"h200", 32, 12288, 256, 88, 152}, {"h200", 32, 8192, 128, 56, 120},
		{"h200", 32, 16384, 256, 56, 120}, {"h200", 32, 10240, 128, 24, 56}, {"h200", 32, 12288, 128, 20, 24},
		{"h200", 32, 106496, 1024, 20, 24}, {"h200", 32, 65536, 1024, 112, 120},
		{"h200", 32, 24576, 512, 112, 120}, {"h200", 32, 40960, 512, 56, 112},
		{"h200", 255, 16384, 256, 88, 120}, /* fewer groups, as registers let in */
		{"mi50", 32, 0, 256, 16, 16},      {"mi50", 32, 65536, 256, 16, 16},  {"rx6600", 32, 32768, 64, 16, 16},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		Arena *a = arena_new();
		Device dev = device(rows[i].device, a);
		Occupancy o;
		occupancy(&dev, &(OccInput)USE(rows[i].vgprs, 0, 0, rows[i].lds, rows[i].items), &o);
		bool fits = o.l1_bytes >= rows[i].least << 10 && o.l1_bytes <= rows[i].most << 10;
		CU_ASSERT(fits);
		if (!fits)
			printf("row %u: %u bytes of L1\n", i, o.l1_bytes);
		arena_free(a);
	}
}

/* Curves cover their range without holes and agree with single answers. */
static void curves(void)
{
	static const OccLimiter over[] = {OCC_vgprs, OCC_lds, OCC_group_size};
	for (u32 i = 0; i < device_count(); i++) {
		Arena *a = arena_new();
		Device dev = device(device_name(i), a);
		OccInput in = USE(20, 0, 20, 1000, 256);
		u32 last[] = {dev.vgpr_max, dev.lds_per_group, dev.max_group};
		for (u32 k = 0; k < COUNT(over); k++) {
			OccCurve c = {0};
			occupancy_curve(&dev, &in, over[k], &c);
			CU_ASSERT_EQUAL(c.v[0].from, over[k] == OCC_lds ? 0 : 1);
			CU_ASSERT_EQUAL(c.v[c.n - 1].to, last[k]);
			for (u32 s = 0; s < c.n; s++) {
				CU_ASSERT(s == 0 || c.v[s].from == c.v[s - 1].to + 1);
				CU_ASSERT(s == 0 || over[k] == OCC_group_size ||
				          c.v[s].waves_per_cu < c.v[s - 1].waves_per_cu);
				for (u32 end = 0; end < 2; end++) {
					OccInput t = in;
					u32 x = end ? c.v[s].to : c.v[s].from;
					t.vgprs = over[k] == OCC_vgprs ? x : t.vgprs;
					t.lds_bytes = over[k] == OCC_lds ? x : t.lds_bytes;
					t.group_size = over[k] == OCC_group_size ? x : t.group_size;
					Occupancy o;
					occupancy(&dev, &t, &o);
					CU_ASSERT(same(o.waves_per_cu, c.v[s].waves_per_cu));
				}
			}
			array_free(&c);
		}
		arena_free(a);
	}
}

/* What the next step promises must come true, and one register less must not be enough. */
static void next_step_holds(void)
{
	for (u32 i = 0; i < device_count(); i++) {
		Arena *a = arena_new();
		Device dev = device(device_name(i), a);
		for (u32 n = 0; n < 2000; n++) {
			OccInput in = {.vgprs = 1 + n * 7 % dev.vgpr_max,
			               .sgprs = n * 5 % 103,
			               .lds_bytes = n * 977 % (dev.lds_per_group + 1),
			               .group_size = 1 + n * 37 % dev.max_group};
			Occupancy o, better;
			occupancy(&dev, &in, &o);
			CU_ASSERT(o.waves_per_cu <= o.max_waves_per_cu);
			if (!o.next.n)
				continue;
			for (u32 k = 0; k < o.next.n; k++) {
				u64 to = o.next.v[k].to;
				switch (o.next.v[k].resource) {
				case OCC_vgprs: in.vgprs = (u32)to; break;
				case OCC_sgprs: in.sgprs = (u32)to; break;
				case OCC_lds: in.lds_bytes = to; break;
				default: in.group_size = (u32)to; break;
				}
			}
			occupancy(&dev, &in, &better);
			CU_ASSERT(same(better.waves_per_cu, o.next.waves_per_cu));
			CU_ASSERT(better.waves_per_cu > o.waves_per_cu);
			OccChange *c = &o.next.v[0];
			if (o.next.n == 1 && c->resource != OCC_group_size) {
				in.vgprs += c->resource == OCC_vgprs;
				in.sgprs += c->resource == OCC_sgprs;
				in.lds_bytes += c->resource == OCC_lds;
				occupancy(&dev, &in, &better);
				CU_ASSERT(same(better.waves_per_cu, o.waves_per_cu));
			}
		}
		arena_free(a);
	}
}

void suite_occupancy(void)
{
	CU_pSuite s = CU_add_suite("occupancy", NULL, NULL);
	CU_add_test(s, "vector registers to waves, every threshold", vector_registers);
	CU_add_test(s, "scalar registers to waves, every threshold", scalar_registers);
	CU_add_test(s, "GCN: limits and next steps", gcn);
	CU_add_test(s, "LDS counts per compute unit", lds_is_per_cu);
	CU_add_test(s, "AGPRs: separate and unified files", accumulation_registers);
	CU_add_test(s, "Evergreen: the guide's examples", evergreen);
	CU_add_test(s, "RDNA: work-group processors, both widths", rdna);
	CU_add_test(s, "NVIDIA", nvidia);
	CU_add_test(s, "what local memory leaves of L1", l1_left_by_lds);
	CU_add_test(s, "curves", curves);
	CU_add_test(s, "the next step comes true", next_step_holds);
}
