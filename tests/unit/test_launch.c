/* The launch description: what options, comments and .sim files mean, what is guessed,
 * that the printed options reproduce the launch, and the bytes of buffers. */
#include "launch_kernel.h"
#include "tests/unit/launch_equal.h"
#include "traces/launch/options.h"
#include "tests/unit/temp_kit.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <stdio.h>

typedef struct Case {
	Launch l;
	Diag d;
	void *data[A_COUNT];
} Case;

static void show(const Diag *d)
{
	Buf b = {0};
	diag_print(d, &b);
	if (b.n)
		printf("\n%s", b.v);
	array_free(&b);
}

static void start(Case *c)
{
	*c = (Case){0};
	diag_init(&c->d);
	launch_init(&c->l);
}

static void finish(Case *c)
{
	for (u32 i = 0; i < A_COUNT; i++)
		free(c->data[i]);
	launch_free(&c->l);
	diag_free(&c->d);
}

/* A whole kernel file with launch comments, and options of a command line, taken as far as launch_check. */
static void load_with(Case *c, const char *options, const char *text)
{
	start(c);
	const LaunchLimits limits = LAUNCH_LIMITS_DEFAULT;
	CU_ASSERT_TRUE(launch_apply_text(&c->l, options, NO_LOC, &c->d));
	CU_ASSERT_TRUE(launch_read_comments(&c->l, "k.cl", text, &c->d));
	CU_ASSERT_TRUE(launch_bind(&c->l, launch_kernel, A_COUNT, &c->d));
	launch_guess(&c->l, &(LaunchHints){0});
	CU_ASSERT_TRUE(launch_check(&c->l, &limits, &c->d));
	show(&c->d);
}

static void load(Case *c, const char *text) { load_with(c, "", text); }

static void *allocate(void *user, u32 arg, u64 size)
{
	(void)user, (void)arg;
	return calloc(1, size);
}

static void fill(Case *c)
{
	CU_ASSERT_TRUE_FATAL(
	    launch_materialise(&c->l, &LAUNCH_LIMITS_DEFAULT, allocate, NULL, c->data, &c->d));
}

static void check_printed(const Launch *l, LaunchPrint what, const char *want)
{
	Buf b = {0};
	launch_print_options(l, what, &b);
	CU_ASSERT_STRING_EQUAL(b.v, want);
	if (strcmp(b.v, want) != 0)
		printf("\nprinted: %s\n", b.v);
	array_free(&b);
}

/* parse(print(l)) equals l. */
static void check_round_trip(const Launch *l)
{
	Buf b = {0};
	Case again;
	launch_print_options(l, PRINT_ALL, &b);
	start(&again);
	CU_ASSERT_TRUE(launch_apply_text(&again.l, b.v, NO_LOC, &again.d));
	CU_ASSERT_TRUE(launch_bind(&again.l, l->kernel_args, l->nargs, &again.d));
	CU_ASSERT_TRUE(launch_equal(l, &again.l));
	if (!launch_equal(l, &again.l))
		printf("\nnot reproduced: %s\n", b.v);
	show(&again.d);
	finish(&again);
	array_free(&b);
}

/* ---- options ---- */

static void values(void)
{
	Case c;
	load(&c,
	     "// wavesim: --arg n=0x10 --arg c=255 --arg i=0xffffffff --arg v=1.5,inf,-2e-3,4f\n"
	     "/* wavesim: --arg s=0x01020304 */ kernel void k() {}\n");
	static const u8 s[4] = {1, 2, 3, 4};
	float v[4];
	memcpy(v, c.l.args[A_V].bytes, sizeof v);
	CU_ASSERT_EQUAL(*(const u32 *)(const void *)c.l.args[A_N].bytes, 16);
	CU_ASSERT_EQUAL(c.l.args[A_C].bytes[0], 255);
	CU_ASSERT_EQUAL(*(const i32 *)(const void *)c.l.args[A_I].bytes, -1);
	CU_ASSERT(v[0] == 1.5f && isinf(v[1]) && v[2] == -2e-3f && v[3] == 4);
	CU_ASSERT(!memcmp(c.l.args[A_S].bytes, s, 4));
	CU_ASSERT_EQUAL(c.l.args[A_V].size, 16);
	check_round_trip(&c.l);
	finish(&c);
}

/* 1x0x3 would be read as two sizes, the second in hexadecimal. */
static void offsets(void)
{
	static const char *const given[] = {"1,0,3", "0,3", "0,0,5", "7", "2x3x4", "0x10", "0x10,0X3"};
	static const u64 want[][3] = {{1, 0, 3}, {0, 3, 0}, {0, 0, 5}, {7, 0, 0}, {2, 3, 4}, {16, 0, 0}, {16, 3, 0}};
	static const char *const unclear[] = {"1x0x3", "0x3x0", "64x0x40", "1,0x3x0"};
	for (u32 i = 0; i < COUNT(given); i++) {
		Case c;
		start(&c);
		CU_ASSERT_TRUE(launch_option(&c.l, "--offset", given[i], NO_LOC, &c.d));
		CU_ASSERT(!memcmp(c.l.offset, want[i], sizeof want[i]));
		CU_ASSERT_TRUE(launch_bind(&c.l, launch_kernel, A_COUNT, &c.d));
		check_round_trip(&c.l);
		finish(&c);
	}
	for (u32 i = 0; i < COUNT(unclear); i++) {
		Case c;
		start(&c);
		CU_ASSERT_FALSE(launch_option(&c.l, "--offset", unclear[i], NO_LOC, &c.d));
		CU_ASSERT(strstr(c.d.msgs.v[0].text, "hexadecimal") != NULL);
		finish(&c);
	}
}

/* HIP's words: work-groups, and the size of one, which is known or guessed later. */
static void grids(void)
{
	static const struct {
		const char *grid, *block, *comment;
		u64 global[3];
		u32 dims;
	} rows[] = {
		{"16", "128", "", {2048, 1, 1}, 1},          {"4x3", "8x8", "", {32, 24, 1}, 2},
		{"4", "8x8", "", {32, 8, 1}, 2},             {"16", NULL, "", {4096, 1, 1}, 1},
		{"4", NULL, "// wavesim: --global 7 --local 32\n", {128, 1, 1}, 1},
		{NULL, "32", "// wavesim: --grid 5 --local 64\n", {160, 1, 1}, 1},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		Case c;
		LaunchHints hints = {.dims = 1};
		start(&c);
		if (rows[i].grid)
			CU_ASSERT_TRUE(launch_option(&c.l, "--grid", rows[i].grid, NO_LOC, &c.d));
		if (rows[i].block)
			CU_ASSERT_TRUE(launch_option(&c.l, "--block", rows[i].block, NO_LOC, &c.d));
		CU_ASSERT_TRUE(launch_read_comments(&c.l, "k.cl", rows[i].comment, &c.d));
		CU_ASSERT_TRUE(launch_bind(&c.l, launch_kernel, A_COUNT, &c.d));
		launch_guess(&c.l, &hints);
		CU_ASSERT(!memcmp(c.l.global, rows[i].global, sizeof rows[i].global));
		CU_ASSERT_EQUAL(c.l.work_dim, rows[i].dims);
		check_round_trip(&c.l);
		finish(&c);
	}
}

static void precedence(void)
{
	Case c;
	start(&c);
	launch_option(&c.l, "--kernel", "two", NO_LOC, &c.d);
	launch_option(&c.l, "--local", "32", NO_LOC, &c.d);
	launch_option(&c.l, "--arg", "i=3", NO_LOC, &c.d);
	launch_option(&c.l, "-D", "N=4", NO_LOC, &c.d);
	CU_ASSERT_TRUE(launch_read_comments(&c.l, "d/k.cl",
					    "// wavesim: --global 4096 --local 64 --arg i=1 --arg "
					    "n=7 -DN=1 -D M=2 -I inc --wave 32\n"
					    "char *s = \"// wavesim: --frob\";\n"
					    "// wavesim(one): --global 1\n"
					    "/* text\n"
					    " * wavesim(two): --global=64,2 --arg n=8\n"
					    " */\n",
					    &c.d));
	CU_ASSERT_TRUE(launch_bind(&c.l, launch_kernel, A_COUNT, &c.d));
	show(&c.d);
	Buf b = {0};
	launch_build_options(&c.l, &b);
	CU_ASSERT_STRING_EQUAL(b.v, "-DM=2 -Id/inc -DN=4");
	array_free(&b);
	CU_ASSERT_EQUAL(c.l.global[0], 64);
	CU_ASSERT_EQUAL(c.l.global[1], 2);
	CU_ASSERT_EQUAL(c.l.local[0], 32);
	CU_ASSERT_EQUAL(c.l.work_dim, 2);
	CU_ASSERT_EQUAL(c.l.args[A_I].bytes[0], 3);
	CU_ASSERT_EQUAL(c.l.args[A_N].bytes[0], 8);
	CU_ASSERT_EQUAL_FATAL(c.l.extra.n, 2);
	CU_ASSERT_STRING_EQUAL(c.l.extra.v[0].text, "--wave");
	CU_ASSERT_STRING_EQUAL(c.l.extra.v[1].text, "32");
	CU_ASSERT_EQUAL(c.l.extra.v[0].loc.col, 78);
	finish(&c);
}

static void kernel_names(void)
{
	Case c;
	start(&c);
	CU_ASSERT_TRUE(launch_read_comments(&c.l, "k.cl", "// wavesim(only): --global 64\n", &c.d));
	CU_ASSERT_STRING_EQUAL(c.l.kernel, "only");
	CU_ASSERT_EQUAL(c.l.global[0], 64);
	finish(&c);
	start(&c);
	CU_ASSERT_TRUE(launch_read_comments(&c.l, "k.cl",
					    "// wavesim(a): --global 64\n"
					    "// wavesim(b): --global 128\n",
					    &c.d));
	CU_ASSERT_PTR_NULL(c.l.kernel);
	CU_ASSERT_TRUE(launch_set_kernel(&c.l, "b", &c.d));
	CU_ASSERT_EQUAL(c.l.global[0], 128);
	finish(&c);
}

static void tokens(void)
{
	Case c;
	LaunchTokens t = {0};
	static const char text[] = "a 'b c' \"d \\\"e\" f\\ g 'h'\\''i' \r";
	static const char *const want[] = {"a", "b c", "d \"e", "f g", "h'i"};
	static const u32 col[] = {1, 4, 10, 17, 23};
	start(&c);
	CU_ASSERT_TRUE(launch_tokens(&c.l, text, strlen(text), (Loc){"t", 1, 1}, &t, &c.d));
	CU_ASSERT_EQUAL_FATAL(t.n, COUNT(want));
	for (u32 i = 0; i < t.n; i++) {
		CU_ASSERT_STRING_EQUAL(t.v[i].text, want[i]);
		CU_ASSERT_EQUAL(t.v[i].loc.col, col[i]);
	}
	array_free(&t);
	char *argv[] = {(char[]){"wavesim"}, (char[]){"a b"}, (char[]){"--arg"}, (char[]){"nn=1"}};
	LaunchWords words = {0};
	OptTexts files = {0};
	OptTables tables = {
	    .program = "wavesim", .arena = c.l.arena, .launch = &words, .files = &files, .most_files = 1};
	CU_ASSERT_TRUE_FATAL(opt_parse(&tables, 4, argv, &c.d) && words.n == 1 && files.n == 1);
	CU_ASSERT_EQUAL(words.v[0].loc.col, 21);
	launch_source(&c.l, "command line", tables.line);
	launch_option(&c.l, words.v[0].name, words.v[0].value, words.v[0].loc, &c.d);
	array_free(&words);
	array_free(&files);
	struct own {
		bool quiet;
		const char *name;
	} own = {0};
	static const OptRow rows[] = {OPT_ROW_FLAG(struct own, quiet, "--quiet", "")
	                              OPT_ROW_TEXT(struct own, name, "--name", "NAME", "")};
	char *taken[] = {"x", "--name=a", "--arg", "b=1", "--", "--quiet"}, *rest[7];
	int nrest = 0;
	CU_ASSERT_TRUE(opt_take(rows, COUNT(rows), &own, 0, COUNT(taken), taken, rest, &nrest, &c.d));
	CU_ASSERT_STRING_EQUAL(own.name, "a");
	CU_ASSERT_FALSE(own.quiet); /* behind "--" it is a file */
	CU_ASSERT_EQUAL(nrest, 5);
	CU_ASSERT_FALSE(launch_bind(&c.l, launch_kernel, 1, &c.d));
	Buf b = {0};
	diag_print(&c.d, &b);
	CU_ASSERT_STRING_EQUAL(b.v,
			       "command line:1:21: error: --arg: the kernel has no argument 'nn'\n"
			       "    1 | wavesim 'a b' --arg nn=1\n"
			       "      |                     ^\n"
			       "hint: did you mean 'n'?\n");
	array_free(&b);
	finish(&c);
}

/* ---- guesses ---- */

static void guesses(void)
{
	Case c;
	load(&c, "");
	check_printed(
	    &c.l, PRINT_ALL,
	    "--global 1024 --local 256 --arg n=1024 --arg c=1 --arg i=1 --arg v=1,1,1,1 "
	    "--arg s=bytes:00000000 --arg a=random:1048576 --arg 'b=random(0,1023):1048576' "
	    "--arg tmp=local:256 --arg im=random:1024x64:rgba:float "
	    "--arg smp=nearest,clamp_to_edge,unnormalized --arg p3=random:1048576 "
	    "--arg hh=random:1048576 --arg 'pipe=random(0,1023):1048576'");
	check_round_trip(&c.l);
	finish(&c);
	load(&c, "// wavesim: --global 1000 --arg a=random");
	check_printed(
	    &c.l, PRINT_GUESSED,
	    "--local 250 --arg n=1000 --arg c=1 --arg i=1 --arg v=1,1,1,1 "
	    "--arg s=bytes:00000000 --arg a=random:1000000 --arg 'b=random(0,999):1000000' "
	    "--arg tmp=local:250 --arg im=random:1000x64:rgba:float "
	    "--arg smp=nearest,clamp_to_edge,unnormalized --arg p3=random:1000000 "
	    "--arg hh=random:1000000 --arg 'pipe=random(0,999):1000000'");
	finish(&c);
	load(&c, "// wavesim: --arg n=5000");
	CU_ASSERT(c.l.global[0] == 5000 && c.l.local[0] == 250); /* all of it is wanted */
	finish(&c);
	load(&c, "// wavesim: --arg n=5003");
	CU_ASSERT(c.l.global[0] == 5120 && c.l.local[0] == 256 && c.l.wanted[0] == 5003);
	finish(&c);
	load(&c, "// wavesim: --local 256 --arg a=zero:3000");
	CU_ASSERT(c.l.global[0] == 3072 && c.l.wanted[0] == 3000);
	finish(&c);
}

/* With arguments, each "name=value" ending with a 0, in dims dimensions. */
static void sized(Case *c, const KernelArg *k, u32 n, const char *args, u32 dims)
{
	start(c);
	for (; *args; args += strlen(args) + 1)
		launch_option(&c->l, "--arg", args, NO_LOC, &c->d);
	CU_ASSERT_TRUE(launch_bind(&c->l, k, n, &c->d));
	launch_guess(&c->l, &(LaunchHints){.dims = dims});
}

static void guessed_sizes(void)
{
	static const KernelArg k[] = {SCALAR("width", "int", ELEM_INT, 4),
				      SCALAR("imageHeight", "int", ELEM_INT, 4),
				      POINTER("out", "float*", ARG_GLOBAL, ELEM_FLOAT, 4, 1, 4)};
	const LaunchLimits limits = LAUNCH_LIMITS_DEFAULT;
	Case c;
	start(&c);
	launch_bind(&c.l, k, COUNT(k), &c.d);
	launch_guess(&c.l, &(LaunchHints){.reqd_local = {32, 8, 1}, .dims = 2});
	CU_ASSERT_TRUE(launch_check(&c.l, &limits, &c.d));
	check_printed(&c.l, PRINT_ALL,
		      "--global 64x64 --local 32x8 --arg width=64 --arg imageHeight=64 "
		      "--arg out=zero:4096");
	finish(&c);
	start(&c);
	launch_bind(&c.l, k, COUNT(k), &c.d);
	launch_guess(&c.l, &(LaunchHints){.dims = 1});
	check_printed(&c.l, PRINT_ALL,
		      "--global 1024 --local 256 --arg width=32 --arg imageHeight=32 "
		      "--arg out=zero:1024");
	finish(&c);
	/* In one dimension a width is as good as a total, and with a height an area. */
	sized(&c, k, COUNT(k), "width=5120\0", 1);
	CU_ASSERT(c.l.global[0] == 5120 && c.l.local[0] == 256);
	finish(&c);
	sized(&c, k, COUNT(k), "width=100\0imageHeight=64\0", 1);
	CU_ASSERT(c.l.global[0] == 6400 && c.l.local[0] == 256);
	finish(&c);
	sized(&c, k, COUNT(k), "width=100\0imageHeight=64\0", 2);
	CU_ASSERT(c.l.global[0] == 100 && c.l.local[0] == 10 && c.l.global[1] == 64 && c.l.local[1] == 16);
	finish(&c);
}

/* A filter is smaller than what it is laid over; which one of several is the first; blocks are as large as groups. */
static void guessed_parts(void)
{
	static const KernelArg k[] = {
	    SCALAR("width", "int", ELEM_INT, 4),        SCALAR("filter_width", "int", ELEM_INT, 4),
	    SCALAR("maskSize", "int", ELEM_INT, 4),     SCALAR("layer", "uint", ELEM_UINT, 4),
	    SCALAR("layers", "int", ELEM_INT, 4),       SCALAR("startIdx", "int", ELEM_INT, 4),
	    SCALAR("nrow", "int", ELEM_INT, 4),         SCALAR("block_size", "int", ELEM_INT, 4),
	    SCALAR("tileHeight", "uint", ELEM_UINT, 4), SCALAR("num_blocks", "int", ELEM_INT, 4)};
	Case c;
	sized(&c, k, COUNT(k), "width=640\0filter_width=5\0", 2);
	check_printed(&c.l, PRINT_ALL,
	              "--global 640x64 --local 16x16 --arg width=640 --arg filter_width=5 --arg maskSize=3 "
	              "--arg layer=0 --arg layers=1 --arg startIdx=0 --arg nrow=64 --arg block_size=16 "
	              "--arg tileHeight=16 --arg num_blocks=1");
	finish(&c);
}

/* The stride of a row, and of a convolution. */
static void guessed_strides(void)
{
	static const KernelArg k[] = {SCALAR("W", "int", ELEM_INT, 4), SCALAR("stride", "int", ELEM_INT, 4),
	                              SCALAR("PAD", "int", ELEM_INT, 4)};
	Case c;
	sized(&c, k, 2, "\0", 2);
	check_printed(&c.l, PRINT_ALL, "--global 64x64 --local 16x16 --arg W=64 --arg stride=64");
	finish(&c);
	sized(&c, k, COUNT(k), "stride=2\0", 2);
	check_printed(&c.l, PRINT_ALL, "--global 64x64 --local 16x16 --arg W=64 --arg stride=2 --arg PAD=1");
	finish(&c);
}

/* A vector that is named like a size has one in each component; the launch has no more of them than dimensions. */
static void guessed_vectors(void)
{
	static const KernelArg two[] = {VECTOR("imageSize", "int2", ELEM_INT, 4, 2),
					VECTOR("stride", "int2", ELEM_INT, 4, 2),
					VECTOR("offset", "int2", ELEM_INT, 4, 2),
					POINTER("out", "float*", ARG_GLOBAL, ELEM_FLOAT, 4, 1, 4)};
	static const KernelArg four[] = {VECTOR("dims", "uint4", ELEM_UINT, 4, 4),
					 POINTER("out", "float*", ARG_GLOBAL, ELEM_FLOAT, 4, 1, 4)};
	static const KernelArg three[] = {VECTOR("resolution", "short3", ELEM_INT, 2, 3),
					  VECTOR("n", "int8", ELEM_INT, 4, 8)};
	static const struct {
		const KernelArg *k;
		u32 n, dims;
		const char *args, *want;
	} rows[] = {
	    {two, COUNT(two), 2, "",
	     "--global 64x64 --local 16x16 --arg imageSize=64,64 --arg stride=1,1 --arg offset=0,0 "
	     "--arg out=zero:4096"},
	    {two, COUNT(two), 1, "",
	     "--global 1024 --local 256 --arg imageSize=32,32 --arg stride=1,1 --arg offset=0,0 "
	     "--arg out=zero:1024"},
	    {two, COUNT(two), 2, "imageSize=100,48\0",
	     "--global 100x48 --local 10x16 --arg imageSize=100,48 --arg stride=1,1 --arg offset=0,0 "
	     "--arg out=zero:10000"},
	    {two, COUNT(two), 1, "imageSize=100,64\0",
	     "--global 6400 --local 256 --arg imageSize=100,64 --arg stride=1,1 --arg offset=0,0 "
	     "--arg out=zero:10000"},
	    {four, COUNT(four), 3, "",
	     "--global 16x16x16 --local 8x8x4 --arg dims=16,16,16,1 --arg out=zero:4096"},
	    {four, COUNT(four), 2, "", "--global 64x64 --local 16x16 --arg dims=64,64,1,1 --arg out=zero:4096"},
	    /* A loop over the third dimension needs room for all three. */
	    {four, COUNT(four), 2, "dims=16,16,40,1\0",
	     "--global 16x16 --local 16x16 --arg dims=16,16,40,1 --arg out=zero:10240"},
	    {three, COUNT(three), 3, "", "--global 16x16x16 --local 8x8x4 --arg resolution=16,16,16 "
	     "--arg n=1,1,1,1,1,1,1,1"},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		Case c;
		sized(&c, rows[i].k, rows[i].n, rows[i].args, rows[i].dims);
		check_printed(&c.l, PRINT_ALL, rows[i].want);
		finish(&c);
	}
}

/* ---- contents ---- */

static void contents(void)
{
	Case c;
	load_with(
	    &c, "--dump b --dump a:hex=-",
	    "// wavesim: --global 64 --seed 7 --arg a=range:0:0.1:0.9 --arg b=fill:1,2,3,4:2\n"
	    "// wavesim: --arg p3=[1,2,3,4,5,6] --arg hh=[1,-2,65504,0.1]\n"
	    "// wavesim: --arg im=fill:9:2x3:rg:uint16 --arg smp=linear,repeat,normalized\n"
	    "// wavesim: --arg pipe=pipe:3:[1,2,3,4,5,6,7,8]\n");
	fill(&c);
	const float *a = c.data[A_A], *p3 = c.data[A_P3];
	const i32 *b = c.data[A_B];
	const u16 *hh = c.data[A_HH], *im = c.data[A_IM];
	CU_ASSERT_EQUAL(c.l.args[A_A].count, 10);
	CU_ASSERT(a[0] == 0 && a[1] == 0.1f && a[2] == 0.1f + 0.1f);
	CU_ASSERT(b[0] == 1 && b[3] == 4 && b[4] == 1 && b[7] == 4);
	CU_ASSERT(p3[2] == 3 && p3[3] == 0 && p3[4] == 4);
	CU_ASSERT(hh[0] == 0x3c00 && hh[1] == 0xc000 && hh[2] == 0x7bff && hh[3] == 0x2e66);
	CU_ASSERT_EQUAL(c.l.args[A_IM].size, 24);
	CU_ASSERT(im[0] == 9 && im[11] == 9);
	CU_ASSERT(c.l.args[A_SMP].filter == SAMPLER_LINEAR && c.l.args[A_SMP].normalized);
	const u64 *front = c.data[A_PIPE];
	const i32 *packets = (const i32 *)(const void *)((const u8 *)c.data[A_PIPE] + PIPE_HEADER);
	i32 held[3 * 4];
	CU_ASSERT_EQUAL(c.l.args[A_PIPE].size, PIPE_HEADER + 3 * 16);
	CU_ASSERT(front[0] == 0 && front[1] == 2 && front[2] == 3 && packets[0] == 1 && packets[7] == 8);
	CU_ASSERT_EQUAL(launch_pipe_packets(&c.l.args[A_PIPE], c.data[A_PIPE], (u8 *)held), 2);
	CU_ASSERT(held[0] == 1 && held[7] == 8);
	u64 later[3] = {4, 6, 3}; /* packets 4 and 5 lie at 1 and 2 */
	memcpy(c.data[A_PIPE], later, sizeof later);
	CU_ASSERT_EQUAL(launch_pipe_packets(&c.l.args[A_PIPE], c.data[A_PIPE], (u8 *)held), 2);
	CU_ASSERT(held[0] == 5 && held[4] == packets[8]);
	later[1] = 0; /* no count that a kernel leaves there leads out of the pipe */
	memcpy(c.data[A_PIPE], later, sizeof later);
	CU_ASSERT_EQUAL(launch_pipe_packets(&c.l.args[A_PIPE], c.data[A_PIPE], (u8 *)held), 3);
	check_round_trip(&c.l);
	Buf text = {0};
	launch_dump_text(&c.l, A_B, b, c.l.args[A_B].size, &text);
	CU_ASSERT_STRING_EQUAL(text.v,
			       "\nArgument 'b': 32 bytes\n  b[0] = 1\n  b[1] = 2\n  b[2] = 3\n"
			       "  b[3] = 4\n  b[4] = 1\n  b[5] = 2\n  b[6] = 3\n  b[7] = 4\n\n");
	array_free(&text);
	finish(&c);
}

static void random_contents(void)
{
	Case c, d;
	load(&c, "// wavesim: --global 64 --arg a=random:1000 --arg 'b=random(-3,3):100' --arg "
		 "hh=random:9");
	load(&d, "// wavesim: --global 64 --arg a=random:2000 --arg 'hh=random(-1,1):9'");
	fill(&c);
	fill(&d);
	CU_ASSERT(
	    !memcmp(c.data[A_A], d.data[A_A], 4000)); /* the count changes nothing before it */
	CU_ASSERT(memcmp(c.data[A_A], c.data[A_P3], 64) != 0);
	double sum = 0;
	for (u32 i = 0; i < 1000; i++) {
		float x = ((float *)c.data[A_A])[i];
		CU_ASSERT(x >= 0 && x < 1);
		sum += (double)x;
	}
	CU_ASSERT(sum > 450 && sum < 550);
	u32 seen = 0;
	for (u32 i = 0; i < 400; i++) {
		i32 x = ((i32 *)c.data[A_B])[i];
		CU_ASSERT(x >= -3 && x <= 3);
		seen |= 1u << (x + 3);
	}
	CU_ASSERT_EQUAL(seen, 127);
	/* Fixed for ever: reports and recorded launches depend on these numbers. */
	CU_ASSERT_EQUAL(launch_random(0, "a", 0), 0x565E25CBDB1B0D6Eu);
	CU_ASSERT_EQUAL(launch_random(1, "a", 9), 0x48A4D6154653AAA7u);
	finish(&c);
	finish(&d);
	/* Each is what its number says, whatever is around it. */
	load(&c, "// wavesim: --global 64 --arg a=random:1000 --arg b=random:100");
	fill(&c);
	for (u32 i = 0; i < 1000; i++)
		CU_ASSERT_EQUAL(((float *)c.data[A_A])[i], (float)ldexp((double)(launch_random(c.l.seed, "a", i) >> 40), -24));
	for (u32 i = 0; i < 400; i++)
		CU_ASSERT_EQUAL(((u32 *)c.data[A_B])[i], launch_random(c.l.seed, "b", i) >> 48);
	finish(&c);
}

/* ---- files ---- */

static const char *data_file(char path[KIT_PATH], const void *bytes, size_t n, const char *name)
{
	kit_file(path, name);
	FILE *f = fopen(path, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_EQUAL(fwrite(bytes, 1, n, f), n);
	fclose(f);
	return path;
}

static void one_file(const char *arg, const char *path, const char *error)
{
	Case c;
	char option[KIT_PATH + 64];
	start(&c);
	snprintf(option, sizeof option, strchr(arg, '=') ? "%s%s" : "%s=@%s", arg, path);
	launch_option(&c.l, "--arg", option, NO_LOC, &c.d);
	bool ok = launch_bind(&c.l, launch_kernel, A_COUNT, &c.d);
	CU_ASSERT_EQUAL(ok, !error);
	if (error)
		CU_ASSERT_PTR_NOT_NULL(strstr(c.d.msgs.v[0].text, error));
	finish(&c);
}

static void npy_file(const char *arg, const char *dict, size_t bytes, const char *error)
{
	char path[KIT_PATH], text[512] = "\x93NUMPY\x01\x00";
	static const char zero[256];
	size_t n = strlen(dict);
	text[8] = (char)n;
	memcpy(text + 10, dict, n);
	memcpy(text + 10 + n, zero, bytes);
	one_file(arg, data_file(path, text, 10 + n + bytes, "data.npy"), error);
	kit_file_remove(path);
}

static void files(void)
{
	char path[KIT_PATH];
	one_file("a", data_file(path, "12345678", 8, "data.bin"), NULL);
	one_file("b", path, "has 8 bytes, which is no whole number of elements (16 bytes)");
	kit_file_remove(path);
	one_file("a", data_file(path, "12345678", 8, "data.npy"), "is not a NumPy file");
	kit_file_remove(path);
	npy_file("a", "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }\n", 16, NULL);
	npy_file("p3", "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", 24, NULL);
	npy_file("b", "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }\n", 12,
		 "has 3 numbers: each element takes 4, and that is no multiple");
	npy_file("a", "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }\n", 16,
		 "holds double, the buffer float");
	npy_file("a", "{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }\n", 8,
		 "big-endian");
	npy_file("a", "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }\n", 16,
		 "Fortran order");
	npy_file("a", "{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (2,), }\n", 8,
		 "record");
	npy_file("a", "{'descr': '<c8', 'fortran_order': False, 'shape': (2,), }\n", 16, "'<c8'");
	npy_file("a", "{'descr': '<f4', 'fortran_order': False, 'shape': (2x,), }\n", 8, "shape");
	npy_file("a",
		 "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999,99999999999), }\n",
		 8, "larger than a buffer can be");
}

/* Numbers as text: of files that are named so, or with text: before them. */
static void text_files(void)
{
	static const char words[] = "1 -2,0x10\t4\r\n# one, two\n5, 6 # six\n\n7,8,\n       ";
	char path[KIT_PATH], option[3 * KIT_PATH + 64];
	Case c;
	data_file(path, words, 48, "data.txt");
	snprintf(option, sizeof option, "--arg a=@%s --arg b=ro:text:@%s --arg p3=raw:@%s", path, path, path);
	load_with(&c, option, "// wavesim: --global 64");
	fill(&c);
	const float *a = c.data[A_A];
	const i32 *b = c.data[A_B];
	CU_ASSERT(c.l.args[A_A].count == 8 && a[0] == 1 && a[1] == -2 && a[2] == 16 && a[5] == 6 && a[7] == 8);
	CU_ASSERT(c.l.args[A_B].count == 2 && b[0] == 1 && b[7] == 8);
	CU_ASSERT(c.l.args[A_P3].count == 3 && !memcmp(c.data[A_P3], words, 48));
	check_round_trip(&c.l);
	finish(&c);
	snprintf(option, sizeof option, "p3=text:@%s", path);
	start(&c);
	launch_option(&c.l, "--arg", option, NO_LOC, &c.d);
	CU_ASSERT_FALSE(launch_bind(&c.l, launch_kernel, A_COUNT, &c.d));
	CU_ASSERT_PTR_NOT_NULL(strstr(c.d.msgs.v[0].text, "each element takes 3 numbers, and 8 is no multiple"));
	finish(&c);
	kit_file_remove(path);
	one_file("a", data_file(path, "1\n2 x3\n", 7, "data.csv"),
	         "line 2 should hold numbers, but 'x3' is not a number");
	kit_file_remove(path);
	one_file("a", data_file(path, "1\n2 \0003\n4", 8, "data.csv"),
	         "line 2 should hold numbers, but it has a control");
	kit_file_remove(path);
	one_file("a", data_file(path, "# nothing", 9, "data.csv"), "at least one element is needed");
	kit_file_remove(path);
	one_file("a", data_file(path, "1 2\n", 4, "data.bin"), "holds numbers as text");
	kit_file_remove(path);
	one_file("a", data_file(path, "1 2\001", 4, "data.bin"), NULL);
	kit_file_remove(path);
	one_file("a", data_file(path, "inf nan ", 8, "data.bin"), NULL);
	kit_file_remove(path);
	one_file("i", data_file(path, "12\n\n", 4, "data.txt"), "is text, but a value's file must hold its raw bytes");
	one_file("i=raw:@", path, NULL);
	one_file("i=text:@", path, "a value's file is read as raw bytes, not as text");
	one_file("i=raw:", "", "a file is missing behind raw: raw:@FILE");
	kit_file_remove(path);
}

/* Written as .npy and read back, three-component vectors without their padding. */
static void dump_files(void)
{
	Case c;
	char path[KIT_PATH], option[KIT_PATH + 128];
	data_file(path, "", 0, "data.npy");
	snprintf(option, sizeof option, "--dump p3=%s", path);
	load_with(&c, option, "// wavesim: --global 64 --arg p3=iota:3");
	fill(&c);
	CU_ASSERT_TRUE(launch_dump_file(&c.l, A_P3, c.data[A_P3], c.l.args[A_P3].size, &c.d));
	Case again;
	snprintf(option, sizeof option, "--arg p3=@%s", path);
	load_with(&again, option, "// wavesim: --global 64");
	fill(&again);
	CU_ASSERT_EQUAL(again.l.args[A_P3].size, 48);
	CU_ASSERT(!memcmp(c.data[A_P3], again.data[A_P3], 48));
	check_round_trip(&again.l);
	finish(&again);
	finish(&c);
	kit_file_remove(path);
}

static void sim_file(void)
{
	static const char text[] = "# ARGS: --uninitialized --build-options -cl-std=CL2.0\n"
				   "dir/k.cl # comment\n"
				   "k 64 1\n1 16 1 1\n";
	Case c;
	start(&c);
	CU_ASSERT_TRUE(launch_parse_sim(&c.l, "a/b.sim", text, &c.d));
	CU_ASSERT_STRING_EQUAL(c.l.program, "a/dir/k.cl");
	CU_ASSERT_STRING_EQUAL(c.l.kernel, "k");
	CU_ASSERT_EQUAL(c.l.global[0], 64);
	CU_ASSERT_EQUAL(c.l.local[0], 16);
	CU_ASSERT_EQUAL(c.l.extra.n, 1);
	CU_ASSERT_TRUE(launch_wants_partial_groups(&c.l));
	finish(&c);
	start(&c);
	launch_option(&c.l, "--arg", "c=7", NO_LOC, &c.d);
	CU_ASSERT_TRUE(launch_parse_sim(&c.l, "b.sim",
					"k.cl k 64 1 1 16 1 1 <size=4> 4096\n"
					"<size=1 hex> fF\n<size=4> -1\n"
					"<size=16> 1 2\n3 -0.5\n<size=4 char hex>1 2 3 4\n"
					"<wo size=8 dump range=3:-1:2>\n<size=16 noinit>",
					&c.d));
	CU_ASSERT_TRUE(launch_bind(&c.l, launch_kernel, 7, &c.d));
	show(&c.d);
	check_printed(&c.l, PRINT_ALL,
		      "--kernel k --global 64x1x1 --local 16x1x1 --arg n=4096 --arg c=7 --arg i=-1 "
		      "--arg v=1,2,3,-0.5 --arg s=bytes:01020304 --arg a=wo:range:3:-1:2 "
		      "--arg b=int:uninit:4 --dump a");
	check_round_trip(&c.l);
	finish(&c);
}

void suite_launch(void)
{
	CU_pSuite s = CU_add_suite("launch", NULL, NULL);
	CU_add_test(s, "values", values);
	CU_add_test(s, "offsets with zeros", offsets);
	CU_add_test(s, "work-groups and their size", grids);
	CU_add_test(s, "who wins", precedence);
	CU_add_test(s, "comments for one kernel", kernel_names);
	CU_add_test(s, "words and quotes", tokens);
	CU_add_test(s, "guesses", guesses);
	CU_add_test(s, "guessed sizes", guessed_sizes);
	CU_add_test(s, "guessed parts", guessed_parts);
	CU_add_test(s, "guessed strides", guessed_strides);
	CU_add_test(s, "guessed vectors", guessed_vectors);
	CU_add_test(s, "contents", contents);
	CU_add_test(s, "random contents", random_contents);
	CU_add_test(s, "files", files);
	CU_add_test(s, "text files", text_files);
	CU_add_test(s, "dumps", dump_files);
	CU_add_test(s, ".sim", sim_file);
}
