/* What is guessed of a launch that leaves it out. */
#include "tests/unit/launch_kit.h"

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

/* The launch's own size, by dimension; bytes from row to row, where a buffer of bytes is named so. */
static void guessed_bytes(void)
{
	static const KernelArg k[] = {SCALAR("global_size_dim0", "int", ELEM_INT, 4), SCALAR("gws1", "int", ELEM_INT, 4),
	                              POINTER("srcptr", "uchar*", ARG_GLOBAL, ELEM_UINT, 1, 1, 1),
	                              SCALAR("src_step", "int", ELEM_INT, 4), SCALAR("time_step", "int", ELEM_INT, 4)};
	Case c;
	sized(&c, k, COUNT(k), "\0", 2);
	check_printed(&c.l, PRINT_ALL,
	              "--global 64x64 --local 16x16 --arg global_size_dim0=64 --arg gws1=64 "
	              "--arg 'srcptr=random(0,255):1048576' --arg src_step=1024 --arg time_step=1");
	CU_ASSERT(!c.l.args[0].blind && !c.l.args[3].blind && c.l.args[4].blind);
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
		for (u32 k = 0; k < rows[i].n; k++) {
			/* the fourth component of a size says no less than the others */
			const char *name = rows[i].k[k].name;
			bool blind = !strcmp(name, "stride") || !strcmp(name, "n");
			CU_ASSERT_EQUAL(c.l.args[k].blind, c.l.args[k].origin == FROM_GUESS && blind);
		}
		finish(&c);
	}
}

void suite_launch_guess(void)
{
	CU_pSuite s = CU_add_suite("launch_guess", NULL, NULL);
	CU_add_test(s, "guesses", guesses);
	CU_add_test(s, "guessed sizes", guessed_sizes);
	CU_add_test(s, "guessed parts", guessed_parts);
	CU_add_test(s, "guessed strides", guessed_strides);
	CU_add_test(s, "guessed bytes", guessed_bytes);
	CU_add_test(s, "guessed vectors", guessed_vectors);
}
