/* Where local memory lies: variables in as many bytes as LLVM's back end says, arguments behind them as
 * aligned as their types. */
#include "tests/unit/machine_kit.h"

#define USE(x) "\tif (l < sizeof " x ") ((local char *)" x ")[l] = l;\n"
#define READ(x) "+ ((local char *)" x ")[n % sizeof " x "]"
#define KERNEL(variables, use, read) \
	"struct pair { int x; short y; };\n" \
	"kernel void k(global int *o, int n, local char *c, local int3 *v, local struct pair *p, local double *d)\n" \
	"{\n" variables "\tuint l = get_local_id(0);\n" use \
	"\tc[l] = v[l].x = p[l].x = d[l] = l;\n" \
	"\tbarrier(CLK_LOCAL_MEM_FENCE);\n" \
	"\to[l] = c[n] + v[n].x + p[n].x + d[n]" read ";\n}\n"
#define THREE(variables) KERNEL(variables, USE("a") USE("b") USE("e"), READ("a") READ("b") READ("e"))

static const struct {
	const char *text;
	u32 bytes; /* what LLVM says */
	u32 more;  /* what the layout may have beyond that */
} rows[] = {
	{KERNEL("", "", ""), 0, 0},
	{KERNEL("local char a[67];\n", USE("a"), READ("a")), 67, 0},
	{THREE("local char a[3]; local int b[5]; local double e[3];\n"), 56, 0},
	{THREE("local char a[3]; local short b[3]; local float4 e[2];\n"), 48, 0},
	{THREE("local short a[1]; local char b[2][9]; local int e[1];\n"), 24, 0},
	{THREE("local char a[5] __attribute__((aligned(64))); local long b[1]; local char e[40];\n"), 56, 0},
	{THREE("local struct pair a[3]; local char3 b[3]; local char e[17];\n"), 76, 4},
	{KERNEL("local char a[3]; local int b[5]; local char e[1]; local double f[3]; local short g[3];\n"
	        "local float4 h[2]; local char i[7];\n",
	        USE("a") USE("b") USE("e") USE("f") USE("g") USE("h") USE("i"),
	        READ("a") READ("b") READ("e") READ("f") READ("g") READ("h") READ("i")), 96, 0},
};

/* Do they lie one behind the other, and begin at multiples of their alignments? */
static void check_parts(const Program *p, const SimLaunch *l, u64 bytes)
{
	static const u32 align[] = {1, 16, 8, 8};
	Arena *a = arena_new();
	u32 n;
	const LdsPart *part = sim_lds_parts(p, l, a, &n);
	u64 end = 0;
	CU_ASSERT_EQUAL_FATAL(n, p->objects.n + COUNT(align));
	for (u32 i = 0; i < n; i++) {
		bool arg = i >= p->objects.n;
		u32 to = arg ? align[i - p->objects.n] : 1;
		u64 start = arg ? (end + to - 1) / to * to : part[i].offset;
		CU_ASSERT(part[i].offset >= end);
		CU_ASSERT_EQUAL(part[i].offset, start);
		end = i + 1 == p->objects.n ? bytes : part[i].offset + part[i].size;
		CU_ASSERT(end >= part[i].offset + part[i].size);
	}
	CU_ASSERT_EQUAL(sim_lds_bytes(p, l), end);
	arena_free(a);
}

static void check(const char *text, u32 bytes, u32 more)
{
	Built b = build_text(text, "gfx906", 0);
	SimArg args[6] = {{.kind = SIM_BUFFER}, {.kind = SIM_VALUE}, {.kind = SIM_VALUE}, {.kind = SIM_VALUE},
	                  {.kind = SIM_VALUE}, {.kind = SIM_VALUE}};
	static const u64 size[] = {67, 32, 24, 8};
	SimLaunch l = {.args = args};
	u64 own = sim_lds_bytes(b.p, &l);
	CU_ASSERT_EQUAL(b.c->lds_bytes, bytes);
	CU_ASSERT_EQUAL(own, bytes + more);
	for (u32 i = 2; i < COUNT(args); i++)
		args[i] = (SimArg){.kind = SIM_LOCAL, .size = size[i - 2]};
	check_parts(b.p, &l, own);
	built_free(&b);
}

static void layouts(void)
{
	for (u32 i = 0; i < COUNT(rows); i++)
		check(rows[i].text, rows[i].bytes, rows[i].more);
}

void suite_lds_layout(void)
{
	CU_pSuite s = CU_add_suite("lds_layout", NULL, NULL);
	CU_add_test(s, "as many bytes as LLVM says", layouts);
}
