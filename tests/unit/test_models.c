/* Device descriptions and the LDS rule. */
#include "models/timing/cost_ops.h"
#include "models/timing/estimate.h"
#include "models/device/device.h"
#include "sim/wave.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

static bool parse(Device *dev, const char *text, Diag *d, Arena *a)
{
	diag_init(d);
	return device_parse(dev, "x", "x.ini", text, a, d);
}

/* A description that says every field itself: MI50's. */
static const char *mi50_text(Arena *a)
{
	size_t n;
	char *text = read_file("tests/unit/device.ini", &n);
	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	const char *kept = arena_strdup(a, text);
	free(text);
	return kept;
}

/* The text with the first occurrence of from replaced. */
static char *changed(Arena *a, const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);
	CU_ASSERT_PTR_NOT_NULL_FATAL(at);
	return arena_printf(a, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static void every_device_loads(void)
{
	for (u32 i = 0; i < device_count(); i++) {
		Arena *a = arena_new();
		Diag d;
		diag_init(&d);
		Device dev;
		CU_ASSERT_TRUE(device_load(&dev, device_name(i), NO_LOC, a, &d));
		CU_ASSERT_EQUAL(d.msgs.n, 0);
		CU_ASSERT_STRING_EQUAL(dev.name, device_name(i));
		CU_ASSERT_EQUAL(dev.family == DEVICE_FAMILY_evergreen, dev.codegen == DEVICE_CODEGEN_r600);
		CU_ASSERT_EQUAL(dev.family == DEVICE_FAMILY_nvidia, dev.ir_rules == DEVICE_IR_RULES_nvidia);
		CU_ASSERT_EQUAL(dev.family == DEVICE_FAMILY_nvidia, cost_has_slow_path(&dev));
		Buf out = {0};
		device_print(&dev, &out);
		CU_ASSERT_PTR_NOT_NULL(strstr(out.v, "lds_banks"));
		array_free(&out);
		diag_free(&d);
		arena_free(a);
	}
}

static void aliases(void)
{
	Arena *a = arena_new();
	Diag d;
	diag_init(&d);
	Device dev;
	CU_ASSERT_TRUE_FATAL(device_load(&dev, "gfx906", NO_LOC, a, &d));
	CU_ASSERT_STRING_EQUAL(dev.name, "mi50");
	CU_ASSERT_EQUAL(dev.wave, 64);
	CU_ASSERT_EQUAL(dev.lds_banks, 32);
	CU_ASSERT_EQUAL(dev.line_bytes, 64);
	CU_ASSERT_FALSE(device_load(&dev, "mi5", NO_LOC, a, &d));
	CU_ASSERT_PTR_NOT_NULL(strstr(d.msgs.v[0].hint, "did you mean 'mi50'?"));
	CU_ASSERT_FALSE(device_load(&dev, "-", NO_LOC, a, &d));
	CU_ASSERT_FALSE(device_load(&dev, "/nowhere/x.ini", NO_LOC, a, &d));
	diag_free(&d);
	arena_free(a);
}

static void mistakes(void)
{
	static const struct {
		const char *from, *to, *message;
	} rows[] = {
	    {"lds_banks = 32", "lds_bank = 32", "x.ini:44:1: error: no device field is called 'lds_bank'"},
	    {"lds_banks = 32", "lds_banks = 33", "x.ini:44:13: error: lds_banks must be a power of two"},
	    {"lds_banks = 32", "lds_banks = many", "x.ini:44:13: error: 'many' is not a whole number"},
	    {"lds_banks = 32", "lds_banks = 4096", "x.ini:44:13: error: lds_banks must be between 1 and 1024 banks"},
	    {"lds_banks = 32", "lds_banks =", "x.ini:44:1: error: 'lds_banks' has no value"},
	    {"lds_banks = 32               ; D CK", "lds_banks = 32", "x.ini:44:15: error: lds_banks has no source"},
	    {"; D CK", "; CK", "x.ini:44:32: error: the source 'CK' does not start with a mark"},
	    {"lds_banks = 32               ; D CK\n", "", "x.ini: error: the field 'lds_banks' of [lds] is missing"},
	    {"[lds]", "[ldz]", "x.ini:42:2: error: no section is called 'ldz'"},
	    {"[lds]", "[lds", "x.ini:42:1: error: expected '[section]', found '[lds'"},
	    {"[lds]", "[memory]", "x.ini:43:1: error: 'lds_rule' is not of this section"},
	    {"family = gcn", "family = vax", "x.ini:7:10: error: 'vax' is no family"},
	    {"lds_rule = gcn", "lds_rule = vax", "x.ini:43:12: error: 'vax' is no lds_rule"},
	    {"\nwave = 64", "\nwave = 32",
	     "x.ini: error: the lds_rule 'gcn' is for 64 lanes on 32 banks, not 32 on 32"},
	    {"llvm_cpu = gfx906", "llvm_cpu", "x.ini:6:1: error: expected 'key = value', found 'llvm_cpu'"},
	    {"llvm_cpu = gfx906", "title = again", "x.ini:6:1: error: 'title' is given twice"},
	    {"sgpr_waves = 80:10", "sgpr_waves = 80:10x", "x.ini:40:14: error: '80:10x' is no threshold"},
	    {"sgpr_waves = 80:10", "sgpr_waves = 90:10", "x.ini:40:20: error: '88:9' is no threshold"},
	    {"sgpr_waves = 80:10", "sgpr_waves = 80", "x.ini:40:14: error: '80' is no threshold"},
	    {"l1_taken = -", "l1_taken = 4096 8192:1", "x.ini:62:17: error: '8192:1' is no size"},
	    {"l1_taken = -", "l1_taken = 4096 4096", "x.ini:62:17: error: '4096' is no size"},
	    {"l1_taken = -", "l1_taken = 16777217", "x.ini:62:12: error: '16777217' is no size"},
	    {"agpr_rule = none", "agpr_rule = some", "x.ini:35:13: error: 'some' is no agpr_rule"},
	    {"vgpr_max = 256", "vgpr_max = 300", "x.ini: error: vgpr_max (300) is more than vgpr_file (256)"},
	    {"l2_pair_bytes = 0 ", "l2_pair_bytes = 256 ",
	     "x.ini: error: l2_pair_bytes (256) must be twice l2_interleave (256)"},
	    {"l3_bytes = 0 ", "l3_bytes = 9 ", "x.ini: error: l3_bytes (9) needs an l3_bytes_per_cycle above 0"},
	    {"[compute]\n", "[compute]\nbase = mi100\n",
	     "x.ini:14:1: error: 'base' must stand once, before all other keys"},
	    {"[device]\n", "[device]\nbase = mi51\n", "x.ini:3:8: error: no device is called 'mi51'"},
	    {"[device]\n", "[device]\nbase =\n", "x.ini:3:1: error: 'base' has no value"},
	    {"sector_bytes = 64", "sector_bytes = 128",
	     "x.ini: error: sector_bytes (128) is more than line_bytes (64)"},
	    {"l2_fetch_bytes = 64", "l2_fetch_bytes = 4",
	     "x.ini: error: l2_fetch_bytes (4) must be l2_line_bytes (64) or a"},
	    {"lds_per_group = 65536", "lds_per_group = 65540",
	     "x.ini: error: lds_per_group (65540) is more than lds_per_cu (65536)"},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		Arena *a = arena_new();
		Diag d;
		Device dev;
		diag_init(&d);
		const char *text = changed(a, mi50_text(a), rows[i].from, rows[i].to);
		CU_ASSERT_FALSE(device_parse_base(&dev, "x", "x.ini", text, a, 0, true, &d));
		Buf out = {0};
		diag_print(&d, &out);
		CU_ASSERT_PTR_NOT_NULL(strstr(out.v, rows[i].message));
		if (!strstr(out.v, rows[i].message))
			fprintf(stderr, "expected: %s\nfound: %s\n", rows[i].message, out.v);
		array_free(&out);
		diag_free(&d);
		arena_free(a);
	}
}

/* A file that starts from another device says only what differs. */
static void bases(void)
{
	Arena *a = arena_new();
	Diag d;
	Device dev, mi50;
	diag_init(&d);
	CU_ASSERT_TRUE_FATAL(device_load(&mi50, "mi50", NO_LOC, a, &d));
	diag_free(&d);
	CU_ASSERT_TRUE(parse(&dev, "base = mi50\n[device]\ntitle = mine\n[lds]\nlds_banks = 32 ; A mine\n"
	                           "[compute]\ncompute_units = 4 ; A mine\n", &d, a));
	CU_ASSERT_STRING_EQUAL(dev.name, "x");
	CU_ASSERT_STRING_EQUAL(dev.title, "mine");
	CU_ASSERT_EQUAL(dev.compute_units, 4);
	CU_ASSERT_STRING_EQUAL(dev.source[DEVICE_compute_units], "A mine");
	CU_ASSERT_EQUAL(dev.dram_mb_per_s, mi50.dram_mb_per_s);
	CU_ASSERT_STRING_EQUAL(dev.source[DEVICE_clock_mhz], mi50.source[DEVICE_clock_mhz]);
	CU_ASSERT_EQUAL(dev.sgpr_waves.n, 4);
	diag_free(&d);
	/* A user's own figures need no source, and take any words as one. */
	CU_ASSERT_TRUE(parse(&dev, "base = mi50\n[compute]\nclock_mhz = 900\nboost_mhz = 950 ; my guess\n", &d, a));
	CU_ASSERT_EQUAL(dev.clock_mhz, 900);
	CU_ASSERT_STRING_EQUAL(dev.source[DEVICE_clock_mhz], "-");
	CU_ASSERT_STRING_EQUAL(dev.source[DEVICE_boost_mhz], "my guess");
	diag_free(&d);
	CU_ASSERT_TRUE(parse(&dev, "[device]\nbase = gfx1030\n", &d, a));
	CU_ASSERT_EQUAL(dev.wave, 32);
	CU_ASSERT_STRING_EQUAL(dev.name, "x");
	diag_free(&d);
	CU_ASSERT_FALSE(parse(&dev, "base = mi50\n[lds]\nlds_bank = 3 ; A x\n", &d, a));
	CU_ASSERT_EQUAL(d.errors, 1);
	diag_free(&d);
	arena_free(a);
}

/* gfx803, gfx90a, gfx942 and gfx1100 name two devices each here: one of them answers to it. */
static void llvm_names(void)
{
	static const struct {
		const char *alias, *name;
	} rows[] = {
		{"gfx600", "hd7970"},    {"gfx701", "r9290x"},   {"gfx803", "r9nano"},     {"gfx900", "vega64"},
		{"gfx906", "mi50"},      {"gfx908", "mi100"},    {"gfx90a", "mi210"},      {"gfx942", "mi300x"},
		{"gfx940", "mi300x"},    {"gfx1010", "rx5700xt"}, {"gfx1030", "rx6900xt"}, {"gfx1100", "rx7900xtx"},
		{"cypress", "hd5870"},   {"redwood", "hd5670"},  {"cayman", "hd7660d"},    {"sm_90", "h200"},
		{"polaris10", "rx480"},  {"gfx1032", "rx6600"},  {"gfx1102", "rx7600"},    {"gfx1103", "radeon780m"},
		{"gfx1201", "rx9070xt"},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		Arena *a = arena_new();
		Diag d;
		diag_init(&d);
		Device dev;
		CU_ASSERT_TRUE_FATAL(device_load(&dev, rows[i].alias, NO_LOC, a, &d));
		CU_ASSERT_STRING_EQUAL(dev.name, rows[i].name);
		diag_free(&d);
		arena_free(a);
	}
}

/* Lanes of a phase as a set, for comparison with the published groups. */
static u64 lanes_of_phase(const LdsRule *r, u32 width, u32 write, u32 phase)
{
	u64 set = 0;
	for (u32 t = 0; t < 64; t++)
		set |= (u64)(r->width[width][write].phase_of[t] == phase) << t;
	return set;
}

static bool has_phase(const LdsRule *r, u32 width, u32 write, u64 set)
{
	for (u32 p = 0; p < r->width[width][write].phases; p++) {
		if (lanes_of_phase(r, width, write, p) == set)
			return true;
	}
	return false;
}

static void gcn_phases(void)
{
	LdsRule r;
	CU_ASSERT_TRUE(lds_rule(&r, (LdsChip){LDS_FAMILY_gcn, LDS_PAIRS_crossed, 64, 32}, 64, 32));
	CU_ASSERT_EQUAL(r.banks, 32);
	for (u32 w = 0; w < 2; w++) {
		CU_ASSERT_EQUAL(r.width[LDS_B32][w].phases, 2);
		CU_ASSERT_TRUE(has_phase(&r, LDS_B32, w, 0xFFFFFFFFull));
		CU_ASSERT_TRUE(has_phase(&r, LDS_B32, w, 0xFFFFFFFFull << 32));
		CU_ASSERT_EQUAL(r.width[LDS_B64][w].phases, 4);
		for (u32 p = 0; p < 4; p++)
			CU_ASSERT_TRUE(has_phase(&r, LDS_B64, w, 0xFFFFull << 16 * p));
		CU_ASSERT_EQUAL(r.width[LDS_B128][w].phases, 8);
	}
	for (u32 p = 0; p < 8; p++)
		CU_ASSERT_TRUE(has_phase(&r, LDS_B128, 1, 0xFFull << 8 * p));
	/* {0-3,20-23} {4-7,16-19} {8-11,28-31} {12-15,24-27} and plus 32 */
	static const u64 groups[] = {0x00F0000Full, 0x000F00F0ull, 0xF0000F00ull, 0x0F00F000ull};
	for (u32 g = 0; g < 4; g++) {
		CU_ASSERT_TRUE(has_phase(&r, LDS_B128, 0, groups[g]));
		CU_ASSERT_TRUE(has_phase(&r, LDS_B128, 0, groups[g] << 32));
	}
	CU_ASSERT_EQUAL(r.width[LDS_2B32][0].phases, 4);
	for (u32 p = 0; p < 4; p++) {
		CU_ASSERT_TRUE(has_phase(&r, LDS_2B32, 0, 0x00FF00FFull << (8 * (p & 1) + 32 * (p >> 1))));
		CU_ASSERT_TRUE(has_phase(&r, LDS_2B32, 1, 0xFFFFull << 16 * p));
	}
}

/* Phases of 4-, 8- and 16-byte accesses, and lanes of each where they are neighbours. */
static void other_families(void)
{
	static const struct {
		LdsFamily family;
		u32 wave, banks, run;
		u32 phases[LDS_B128 + 1];
	} rows[] = {
		{LDS_FAMILY_evergreen, 64, 32, 64, {2, 4, 8}},
		{LDS_FAMILY_evergreen, 64, 16, 64, {4, 8, 16}},
		{LDS_FAMILY_nvidia, 32, 32, 32, {1, 2, 4}},
		{LDS_FAMILY_rdna, 32, 32, 32, {1, 2, 4}},
		{LDS_FAMILY_rdna, 32, 32, 64, {2, 4, 8}},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		LdsRule r;
		u32 run = rows[i].run;
		LdsChip chip = {rows[i].family, LDS_PAIRS_consecutive, rows[i].wave, rows[i].banks};
		CU_ASSERT_TRUE(lds_rule(&r, chip, run, chip.banks));
		for (u32 w = 0; w <= LDS_B128; w++) {
			u32 phases = rows[i].phases[w], lanes = run / phases;
			for (u32 write = 0; write < 2; write++) {
				CU_ASSERT_EQUAL(r.width[w][write].phases, phases);
				bool crossed = rows[i].family == LDS_FAMILY_rdna && w == LDS_B128 && !write;
				u64 all = run == 64 ? ~0ull : (1ull << run) - 1;
				for (u32 p = 0; p < phases && !crossed; p++)
					CU_ASSERT_EQUAL(lanes_of_phase(&r, w, write, p) & all,
					                ((1ull << lanes) - 1) << lanes * p);
			}
		}
	}
	LdsRule r, gcn;
	lds_rule(&gcn, (LdsChip){LDS_FAMILY_gcn, LDS_PAIRS_consecutive, 64, 32}, 64, 32);
	lds_rule(&r, (LdsChip){LDS_FAMILY_rdna, LDS_PAIRS_consecutive, 32, 32}, 64, 32);
	CU_ASSERT_EQUAL(memcmp(&r, &gcn, sizeof r), 0); /* twice 32 lanes are GCN's 64 */
	lds_rule(&r, (LdsChip){LDS_FAMILY_rdna, LDS_PAIRS_consecutive, 32, 32}, 32, 32);
	for (u32 p = 0; p < 4; p++)
		CU_ASSERT_EQUAL(lanes_of_phase(&r, LDS_B128, 0, p) & 0xFFFFFFFFull,
		                lanes_of_phase(&gcn, LDS_B128, 0, 2 * p));
	CU_ASSERT_FALSE(lds_rule(&r, (LdsChip){LDS_FAMILY_nvidia, LDS_PAIRS_consecutive, 32, 32}, 64, 32));
	CU_ASSERT_FALSE(lds_rule(&r, (LdsChip){LDS_FAMILY_rdna, LDS_PAIRS_consecutive, 32, 32}, 16, 32));
	CU_ASSERT_FALSE(lds_rule(&r, (LdsChip){LDS_FAMILY_evergreen, LDS_PAIRS_consecutive, 64, 16}, 64, 32));
	CU_ASSERT_FALSE(lds_family_fits(LDS_FAMILY_gcn, 64, 16));
}

static void general_phases(void)
{
	LdsRule r;
	CU_ASSERT_FALSE(lds_rule(&r, (LdsChip){LDS_FAMILY_gcn, LDS_PAIRS_crossed, 64, 32}, 32, 32));
	CU_ASSERT_EQUAL(r.width[LDS_B32][0].phases, 1);
	CU_ASSERT_EQUAL(r.width[LDS_B64][0].phases, 2);
	CU_ASSERT_EQUAL(r.width[LDS_B128][0].phases, 4);
	CU_ASSERT_EQUAL(r.width[LDS_B128][0].phase_of[8], 1);
	CU_ASSERT_FALSE(lds_rule(&r, (LdsChip){LDS_FAMILY_gcn, LDS_PAIRS_crossed, 64, 32}, 64, 16));
	CU_ASSERT_EQUAL(r.width[LDS_B32][0].phases, 4);
	CU_ASSERT_FALSE(lds_rule(&r, (LdsChip){LDS_FAMILY_gcn, LDS_PAIRS_crossed, 64, 32}, 100, 32));
	CU_ASSERT_EQUAL(r.width[LDS_B32][0].phases, 4);
	CU_ASSERT_FALSE(lds_rule(&r, (LdsChip){LDS_FAMILY_gcn, LDS_PAIRS_crossed, 64, 32}, 64, 1));
	CU_ASSERT_EQUAL(r.width[LDS_B128][1].phases, 64);
	CU_ASSERT_FALSE(lds_rule(&r, (LdsChip){LDS_FAMILY_gcn, LDS_PAIRS_crossed, 64, 32}, 8, 64));
	CU_ASSERT_EQUAL(r.width[LDS_B32][1].phases, 1);
	CU_ASSERT_FALSE(lds_rule(&r, (LdsChip){LDS_FAMILY_gcn, LDS_PAIRS_crossed, 64, 32}, 128, 2));
	CU_ASSERT_EQUAL(r.width[LDS_B128][1].phases, 128);
}

/* Extra cycles of one access with lanes `stride` bytes apart. */
static u32 conflicts(const LdsRule *r, u32 bytes, bool write, u32 stride)
{
	u32 addr[MAX_WAVE];
	for (u32 t = 0; t < MAX_WAVE; t++)
		addr[t] = t * stride;
	LdsCycles c = lds_cycles(r, &(LdsIns){.bytes = (u16)bytes}, &(LdsLanes){mask_first(64), addr, write, false});
	return c.actual - c.ideal;
}

/* NVIDIA serves wide reads two phases at a time where lanes read one address in pairs, of neighbours or of every second
 * ones (probes lds-read-64, -128 at one address). */
static void pairs_of_phases(void)
{
	static const struct {
		LdsFamily family;
		u32 bytes, pairs; /* lanes that differ in this bit only have one address; 32: all have */
		bool write;
		u32 phases;
	} rows[] = {
		{LDS_FAMILY_nvidia, 4, 32, false, 1},  {LDS_FAMILY_nvidia, 8, 32, false, 1},
		{LDS_FAMILY_nvidia, 16, 32, false, 2}, {LDS_FAMILY_nvidia, 8, 1, false, 1},
		{LDS_FAMILY_nvidia, 8, 2, false, 1},   {LDS_FAMILY_nvidia, 16, 1, false, 2},
		{LDS_FAMILY_nvidia, 16, 2, false, 2},  {LDS_FAMILY_nvidia, 8, 4, false, 2},
		{LDS_FAMILY_nvidia, 16, 4, false, 4},  {LDS_FAMILY_nvidia, 8, 0, false, 2},
		{LDS_FAMILY_nvidia, 8, 32, true, 2},   {LDS_FAMILY_rdna, 8, 32, false, 2},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		LdsRule r;
		CU_ASSERT_TRUE(lds_rule(&r, (LdsChip){rows[i].family, LDS_PAIRS_consecutive, 32, 32}, 32, 32));
		LdsIns ins = {.bytes = (u16)rows[i].bytes};
		LdsLanes lanes = {.mask = mask_first(32), .write = rows[i].write};
		u32 addr[MAX_WAVE] = {0};
		for (u32 t = 0; t < 32 && rows[i].pairs < 32; t++)
			addr[t] = (t & ~rows[i].pairs) * rows[i].bytes;
		u32 same = lds_cycles(&r, &ins, &lanes).ideal;
		lanes.addr = addr;
		CU_ASSERT_EQUAL(lds_cycles(&r, &ins, &lanes).ideal, rows[i].phases);
		CU_ASSERT_TRUE(rows[i].pairs < 32 || same == rows[i].phases);
	}
}

/* What the conflict counter of an MI300X showed for one read (source SHARK of models/README.md). */
static void measured_conflicts(void)
{
	static const struct {
		u32 bytes, stride, conflicts;
	} rows[] = {
		{4, 4, 0},    {4, 8, 2},    {4, 16, 6},   {4, 32, 14},   {4, 64, 30},   {4, 128, 62},
		{4, 256, 62}, {8, 8, 0},    {8, 16, 4},   {8, 32, 12},   {8, 64, 28},   {8, 128, 60},
		{8, 256, 60}, {16, 16, 0},  {16, 32, 8},  {16, 64, 24},  {16, 128, 56}, {16, 256, 56},
	};
	LdsRule r;
	lds_rule(&r, (LdsChip){LDS_FAMILY_gcn, LDS_PAIRS_crossed, 64, 32}, 64, 32);
	for (u32 i = 0; i < COUNT(rows); i++)
		CU_ASSERT_EQUAL(conflicts(&r, rows[i].bytes, false, rows[i].stride), rows[i].conflicts);
}

/* 4-byte reads at every stride: lanes of a half meet in a bank as often as the stride's
 * power of two says, so 10 and 12 dwords give 2 and 6, not 18 and 22. */
static void every_stride(void)
{
	LdsRule r;
	lds_rule(&r, (LdsChip){LDS_FAMILY_gcn, LDS_PAIRS_crossed, 64, 32}, 64, 32);
	for (u32 dwords = 1; dwords <= 64; dwords++) {
		u32 way = dwords & (0 - dwords);
		way = way > 32 ? 32 : way;
		CU_ASSERT_EQUAL(conflicts(&r, 4, false, 4 * dwords), 2 * (way - 1));
	}
	CU_ASSERT_EQUAL(conflicts(&r, 4, false, 40), 2);
	CU_ASSERT_EQUAL(conflicts(&r, 4, false, 48), 6);
}

/* Padding rows of 16 bytes to 20 does not help: plain rows are already free. */
static void padded_rows(void)
{
	LdsRule r;
	lds_rule(&r, (LdsChip){LDS_FAMILY_gcn, LDS_PAIRS_crossed, 64, 32}, 64, 32);
	CU_ASSERT_EQUAL(conflicts(&r, 16, true, 16), 0);
	CU_ASSERT_TRUE(conflicts(&r, 16, false, 20) > conflicts(&r, 16, false, 16));
}

static void broadcast_and_atomics(void)
{
	LdsRule r;
	lds_rule(&r, (LdsChip){LDS_FAMILY_gcn, LDS_PAIRS_crossed, 64, 32}, 64, 32);
	u32 addr[MAX_WAVE] = {0};
	const LdsIns dword = {.bytes = 4}, byte = {.bytes = 1};
	CU_ASSERT_EQUAL(lds_cycles(&r, &dword, &(LdsLanes){mask_first(64), addr, false, false}).actual, 2);
	CU_ASSERT_EQUAL(lds_cycles(&r, &dword, &(LdsLanes){mask_first(64), addr, true, true}).actual, 64);
	CU_ASSERT_EQUAL(lds_cycles(&r, &dword, &(LdsLanes){mask_first(16), addr, false, false}).ideal, 1);
	for (u32 t = 0; t < 64; t++)
		addr[t] = t; /* bytes: four lanes share a dword */
	CU_ASSERT_EQUAL(lds_cycles(&r, &byte, &(LdsLanes){mask_first(64), addr, false, false}).actual, 2);
}

/* Ratios of one kernel are nearer than those of different ones; where none were measured there is no factor. */
static void ratios(void)
{
	Arena *a = arena_new();
	static const struct {
		const char *name;
		u32 doubts;
		bool known;
	} rows[] = {
	    {"mi50", 0, true}, {"mi300a", 0, true}, {"h200", 0, true}, {"hd5870", 0, false},
	    {"mi50", 1u << DOUBT_spills, false}, {"mi50", 1u << DOUBT_ir, false}};
	for (u32 i = 0; i < COUNT(rows); i++) {
		Device dev;
		Diag d;
		diag_init(&d);
		CU_ASSERT_TRUE_FATAL(device_load(&dev, rows[i].name, NO_LOC, a, &d));
		double same = ratio_factor(&dev, RATIO_same, rows[i].doubts),
		       other = ratio_factor(&dev, RATIO_other, rows[i].doubts);
		CU_ASSERT_EQUAL(same > 0, rows[i].known);
		CU_ASSERT_TRUE(rows[i].known ? same >= 1.1 && same < other && other < 2 : other <= 0);
		diag_free(&d);
	}
	arena_free(a);
}

void suite_models(void)
{
	CU_pSuite s = CU_add_suite("models", NULL, NULL);
	CU_add_test(s, "every device loads", every_device_loads);
	CU_add_test(s, "aliases", aliases);
	CU_add_test(s, "mistakes in a device file", mistakes);
	CU_add_test(s, "files with a base", bases);
	CU_add_test(s, "LLVM's names", llvm_names);
	CU_add_test(s, "GCN phases", gcn_phases);
	CU_add_test(s, "phases of the other families", other_families);
	CU_add_test(s, "general phases", general_phases);
	CU_add_test(s, "pairs of phases on NVIDIA", pairs_of_phases);
	CU_add_test(s, "conflicts measured on MI300X", measured_conflicts);
	CU_add_test(s, "4-byte reads at every stride", every_stride);
	CU_add_test(s, "padded rows of 16 bytes", padded_rows);
	CU_add_test(s, "how far ratios of times are off", ratios);
	CU_add_test(s, "broadcast and atomics", broadcast_and_atomics);
}
