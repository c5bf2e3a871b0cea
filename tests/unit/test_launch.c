/* The launch description: what options, comments and .sim files mean, and that the printed options reproduce the
 * launch. */
#include "tests/unit/launch_kit.h"

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

/* Fields change what a comment, or an option before or behind them, says of all of the struct; else the rest is 0. */
static void fields_of_structs(void)
{
	static const struct {
		const char *options, *comment;
		u8 want[4];
	} rows[] = {
	    {"--arg s.tag=7", "", {7, 0, 0, 0}},
	    {"--arg s.last=255 --arg s.in.pair=-1,2", "", {0, 255, 2, 255}},
	    {"--arg s.tag=9 --arg s=0x01020304", "", {9, 2, 3, 4}},
	    {"--arg s.last=9", "// wavesim: --arg s=0x01020304 --arg s.tag=5\n", {5, 2, 3, 9}},
	    {"--arg s=0x01020304", "// wavesim: --arg s.tag=5\n", {1, 2, 3, 4}},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		Case c;
		load_with(&c, rows[i].options, rows[i].comment);
		CU_ASSERT_EQUAL(c.l.args[A_S].size, 4);
		CU_ASSERT(!memcmp(c.l.args[A_S].bytes, rows[i].want, 4));
		check_round_trip(&c.l);
		finish(&c);
	}
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
	CU_add_test(s, "fields of structs", fields_of_structs);
	CU_add_test(s, "comments for one kernel", kernel_names);
	CU_add_test(s, "words and quotes", tokens);
	CU_add_test(s, ".sim", sim_file);
}
