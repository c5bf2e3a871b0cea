/* What wrong launches get: the exact message, its place and the hint, for options (in a
 * launch comment, whose columns show) and for .sim files. */
#include "launch_kernel.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

/* Options; column, level and text; hint. */
static const struct {
	const char *options, *message, *hint;
} bad_options[] = {
    {"--global 0", "22: error: --global: a size of 0 has no work-items", NULL},
    {"--global 64,64,64,64", "31: error: --global takes at most 3 sizes", NULL},
    {"--global -1", "22: error: --global: -1 is negative", NULL},
    {"--global 12q", "22: error: --global: '12q' is not a whole number", NULL},
    {"--global 5000000000", "22: error: --global: 5000000000 is more than 4294967295", NULL},
    {"--global 1000 --local 64",
     "35: error: the global size 1000 is no multiple of the local size 64 (dimension x)",
     "--global 960 or 1024 would fit, or --local 50"},
    {"--global 64 --local 128",
     "33: error: the global size 64 is no multiple of the local size 128 (dimension x)",
     "--global 128 would fit, or --local 64"},
    {"--global 64 --local 8,8", "33: error: --local has 2 dimensions, --global 1", NULL},
    {"--global 4096 --local 2048",
     "35: error: a group of 2048 x 1 x 1 work-items is larger than the limit of 1024", NULL},
    {"--global 64 --global 64", "34: error: --global is given twice", NULL},
    {"--arg n", "19: error: --arg wants NAME=SPEC, not 'n'",
     "for example --arg n=4096 or --arg a=random:65536"},
    {"--arg nn=4", "19: warning: --arg: the kernel has no argument 'nn'; left out",
     "did you mean 'n'?"},
    {"--arg n=4 --arg n=5", "29: error: argument n is given twice", NULL},
    {"--arg n=-1", "21: error: argument n (uint): -1 is negative", NULL},
    {"--arg n=1.5", "21: error: argument n (uint): 1.5 is not an integer", NULL},
    {"--arg n=abc", "21: error: argument n (uint): 'abc' is not a number", NULL},
    {"--arg n=", "21: error: argument n (uint): the value is missing", NULL},
    {"--arg c=300", "21: error: argument c (uchar): 300 is outside 0 to 255", NULL},
    {"--arg i=2147483648",
     "21: error: argument i (int): 2147483648 is outside -2147483648 to 2147483647", NULL},
    {"--arg n=99999999999999999999",
     "21: error: argument n (uint): 99999999999999999999 is outside 0 to 4294967295", NULL},
    {"--arg n=random:64",
     "21: error: argument n (uint): 'random:64' is for pointers, this is a value", NULL},
    {"--arg v=1,2,3", "21: error: argument v (float4): 4 components wanted, 3 given", NULL},
    {"--arg v=1,2,x,4", "25: error: argument v (float4): 'x' is not a number", NULL},
    {"--arg v=1,2,1e40,4", "25: error: argument v (float4): 1e40 is too large", NULL},
    {"--arg s=0x0102", "21: error: argument s (struct S): 4 bytes wanted, 2 given", NULL},
    {"--arg s=0x010g", "26: error: argument s (struct S): 'g' is not a hexadecimal digit", NULL},
    {"--arg s=1,2,3,256", "27: error: argument s (struct S): 256 is outside 0 to 255 (uchar)",
     NULL},
    {"--arg s.tga=1", "19: error: argument s (struct S): it has no field 'tga'",
     "its fields are tag, in.pair, last"},
    {"--arg s.in=1", "19: error: argument s (struct S): it has no field 'in'",
     "its fields are tag, in.pair, last"},
    {"--arg s.tag=256", "25: error: argument s.tag (uchar): 256 is outside 0 to 255", NULL},
    {"--arg s.in.pair=1", "29: error: argument s.in.pair (char): 2 components wanted, 1 given", NULL},
    {"--arg n.x=1", "19: error: argument n (uint): it has no field 'x'", NULL},
    {"--arg a=4096", "21: error: argument a (float*): '4096' names no contents for a buffer",
     "say for example a=random:1024, a=fill:0:1024, a=[1,2,3] or a=@data.npy"},
    {"--arg a=3,-4.5", "21: error: argument a (float*): '3,-4.5' names no contents for a buffer",
     "say a=[3,-4.5] for these elements"},
    {"--arg a=rnadom:64", "21: error: argument a (float*): 'rnadom' names no contents for a buffer",
     "did you mean 'random'?"},
    {"--arg a=random:", "28: error: argument a (float*): the count '' is not a whole number", NULL},
    {"--arg a=random:0",
     "28: error: argument a (float*): a count of 0: at least one element is needed", NULL},
    {"--arg a=random:64:3",
     "28: error: argument a (float*): the count '64:3' is not a whole number", NULL},
    {"--arg a=random:99999999999999",
     "28: error: argument a (float*): 99999999999999 elements of 4 bytes are more than "
     "a buffer can hold (1 TiB)",
     NULL},
    {"--arg 'a=random(1):5'", "28: error: argument a (float*): random wants its limits as (LO,HI)",
     NULL},
    {"--arg 'a=random(2,1):5'",
     "29: error: argument a (float*): random's limits are the wrong way round", NULL},
    {"--arg a=fill", "25: error: argument a (float*): fill wants a value: fill:V", NULL},
    {"--arg a=fill:x:5", "26: error: argument a (float*): 'x' is not a number", NULL},
    {"--arg b=fill:1,2:5", "26: error: argument b (int4*): fill wants 1 value or 4, 2 given", NULL},
    {"--arg b=fill:1.5:5", "26: error: argument b (int4*): 1.5 is not an integer", NULL},
    {"--arg b=[1,2,3]", "21: error: argument b (int4*): each element takes 4 numbers, and 3 is no multiple of "
                        "that", NULL},
    {"--arg b=[]", "21: error: argument b (int4*): the list is empty", NULL},
    {"--arg b=[1,2,3", "21: error: argument b (int4*): the list has no ']' at its end", NULL},
    {"--arg b=range:0:1", "30: error: argument b (int4*): range wants range:FIRST:STEP:LAST", NULL},
    {"--arg b=range:0:2:5",
     "27: error: argument b (int4*): the range does not reach its last value in whole "
     "steps",
     NULL},
    {"--arg a=@missing.bin",
     "22: error: argument a (float*): cannot read 'dir/missing.bin': No such file or "
     "directory",
     NULL},
    {"--arg a=@", "21: error: argument a (float*): a file name is missing after '@'", NULL},
    {"--arg a=bytes:0102",
     "21: error: argument a (float*): each element takes 4 bytes, and 2 is no multiple of that", NULL},
    {"--arg tmp=256",
     "23: error: argument tmp (float*): '256' is not for a pointer to local memory",
     "say tmp=local:COUNT, in elements"},
    {"--arg tmp=local:x", "29: error: argument tmp (float*): the count 'x' is not a whole number",
     NULL},
    {"--arg im=random:64", "29: error: argument im (image2d_t): 2 sizes wanted, 1 given", NULL},
    {"--arg im=random:64x64:rgbb:float",
     "35: error: argument im (image2d_t): 'rgbb' is no part of an image", "did you mean 'rgba'?"},
    {"--arg im=random:64x0", "29: error: argument im (image2d_t): an image size is 1 to 65536",
     NULL},
    {"--arg smp=nearest,clmp",
     "31: error: argument smp (sampler_t): 'clmp' is no part of a sampler",
     "did you mean 'clamp'?"},
    {"--arg smp=linear,linear,linear,linear,linear,linear,linear,linear,clmp",
     "23: error: argument smp (sampler_t): a sampler is one filter, one addressing mode and one coordinate mode; this has "
     "more than 8 words", NULL},
    {"--dump n", "20: error: --dump is for the command line: a file describes its launch, and names no outputs", NULL},
    {"--arg", "13: error: --arg wants a value", NULL},
    {"--arg \"n=4", "20: error: a quote \" is not closed", NULL},
    {"global 64", "13: error: an option expected, not 'global'", "did you mean --global?"},
    {"glboal 64x64 local 8x8", "13: error: an option expected, not 'glboal'", "did you mean --global?"},
    {"arg n=4096", "13: error: an option expected, not 'arg'", "did you mean --arg?"},
    {"n=4096", "13: error: an option expected, not 'n=4096'", "options come first, and begin with dashes: --global 64"},
    {"wave 32", "13: error: an option expected, not 'wave'", "options come first, and begin with dashes: --global 64"},
    {"race_ok", "13: error: an option expected, not 'race_ok'", "did you mean race-ok?"},
    {"race-okay, here", "13: error: an option expected, not 'race-okay,'", "did you mean race-ok?"},
    {"best with --local 64", "13: error: an option expected, not 'best'",
     "options come first, and begin with dashes: --global 64"},
    {"8x8 groups of it", "13: error: an option expected, not '8x8'",
     "options come first, and begin with dashes: --global 64"},
    {"generated", "13: note: this comment has no option, so it is ignored", "options begin with dashes: --global 64"},
    {"--seed x", "20: error: --seed: 'x' is not a whole number", NULL},
    {"--arg ro:wo=3", "19: warning: --arg: the kernel has no argument 'ro:wo'; left out",
     "its arguments are n, c, i, v, s, a, b, tmp, im, smp, p3, hh, pipe"},
    {"--arg a=ro:wo:zero:4", "24: error: argument a (float*): ro and wo exclude each other", NULL},
    {"--arg hh=[65520]", "23: error: argument hh (half*): 65520 is too large", NULL},
};

static void expect(const Diag *d, const char *want, const char *input)
{
	Buf got = {0};
	buf_printf(&got, "%s", "");
	diag_print(d, &got);
	if (strcmp(got.v, want) != 0)
		printf("\n%s\nexpected:\n%sgot:\n%s", input, want, got.v);
	CU_ASSERT_STRING_EQUAL(got.v, want);
	array_free(&got);
}

static void one_option(const char *options, const char *message, const char *hint)
{
	Launch l;
	Diag d;
	Buf text = {0}, want = {0};
	diag_init(&d);
	launch_init(&l);
	buf_printf(&text, "// wavesim: %s", options);
	const LaunchLimits limits = LAUNCH_LIMITS_DEFAULT;
	if (launch_read_comments(&l, "dir/k.cl", text.v, &d) &&
	    launch_bind(&l, launch_kernel, A_COUNT, &d)) {
		launch_guess(&l, &(LaunchHints){0});
		launch_check(&l, &limits, &d);
	}
	buf_printf(&want, "dir/k.cl:1:%s\n    1 | %s\n      | %*s^\n", message, text.v,
		   atoi(message) - 1, "");
	if (hint)
		buf_printf(&want, "hint: %s\n", hint);
	expect(&d, want.v, options);
	array_free(&text);
	array_free(&want);
	launch_free(&l);
	diag_free(&d);
}

static void options(void)
{
	static const char *const remarks[] = {"this kernel was written for it", "it doesn't \"race",
	                                      "kernel of the first version", "- see below; 3 of 4",
	                                      "local memory is n = 64"};
	for (u32 i = 0; i < COUNT(bad_options); i++)
		one_option(bad_options[i].options, bad_options[i].message, bad_options[i].hint);
	for (u32 i = 0; i < COUNT(remarks); i++) {
		Launch l;
		Diag d;
		Buf text = {0};
		diag_init(&d);
		launch_init(&l);
		buf_printf(&text, "// wavesim: %s\n/* wavesim(k): %s */", remarks[i], remarks[i]);
		CU_ASSERT_TRUE(launch_read_comments(&l, "k.cl", text.v, &d) && launch_set_kernel(&l, "k", &d));
		expect(&d, "", remarks[i]);
		array_free(&text);
		launch_free(&l);
		diag_free(&d);
	}
}

static const KernelArg sim_kernel[] = {
    POINTER("a", "int*", ARG_GLOBAL, ELEM_INT, 4, 1, 4),
    POINTER("x", "float", ARG_VALUE, ELEM_FLOAT, 4, 1, 4),
    POINTER("t", "float*", ARG_LOCAL, ELEM_FLOAT, 4, 1, 4),
    POINTER("p", "S*", ARG_GLOBAL, ELEM_OTHER, 0, 1, 12),
};

/* What stands behind "k.cl k 1 1 1 1 1 1\n", and the message. */
static const struct {
	const char *text, *message;
} bad_sims[] = {
    {"", "2:1: error: argument 0: a (int*): the file ends where the header <…> is expected"},
    {"7", "2:1: error: argument 0: a (int*): a header <…> expected, not '7'"},
    {"<size=4", "2:1: error: argument 0: a (int*): the header has no '>' at its end"},
    {"<int>", "2:1: error: argument 0: a (int*): the header names no size"},
    {"<size>", "2:2: error: argument 0: a (int*): '=' expected after 'size'"},
    {"<size=4x>", "2:2: error: argument 0: a (int*): size wants a whole number of bytes, not '4x'"},
    {"<size=6 fill=0>", "2:1: error: argument 0: a (int*): 6 bytes are no whole number of int"},
    {"<size=4 int uint>", "2:13: error: argument 0: a (int*): a second type, 'uint'"},
    {"<size=4 fill>", "2:9: error: argument 0: a (int*): fill wants =VALUE"},
    {"<size=4 fill=x>", "2:14: error: argument 0: a (int*): 'x' is not a number (int)"},
    {"<size=4 fill=0 noinit>",
     "2:1: error: argument 0: a (int*): fill, range and noinit exclude each other"},
    {"<size=4 range=1:2>",
     "2:15: error: argument 0: a (int*): range wants =FIRST:STEP:LAST, not '1:2'"},
    {"<size=4 range=1:1:2>",
     "2:15: error: argument 0: a (int*): the range 1:1:2 has 2 numbers, the size wants 1"},
    {"<size=4 ro wo>", "2:12: error: argument 0: a (int*): 'ro' and 'wo' exclude each other"},
    {"<null dump>", "2:1: error: argument 0: a (int*): 'null' goes with nothing else"},
    {"<size=8> 1", "2:11: error: argument 0: a (int*): 1 of 2 numbers are missing"},
    {"<size=8> 1\n<size=4>", "3:1: error: argument 0: a (int*): 1 of 2 numbers are missing"},
    {"<size=4> 1.5", "2:11: error: argument 1: x (float): a header <…> expected, not '.5'"},
    {"<size=4> 2147483648",
     "2:10: error: argument 0: a (int*): 2147483648 is outside -2147483648 to 2147483647 (int)"},
    {"<size=1 char> 128", "2:15: error: argument 0: a (int*): 128 is outside -128 to 127 (char)"},
    {"<size=1 uchar> -1", "2:16: error: argument 0: a (int*): -1 is negative (uchar)"},
    {"<size=4> 1\n<size=4 noinit>",
     "3:9: error: argument 1: x (float): 'noinit' is only for buffers"},
    {"<size=4> 1\n<size=4 dump> 1",
     "3:9: error: argument 1: x (float): 'dump' is only for buffers"},
    {"<size=4> 1\n<size=2 char fill=0>",
     "3:1: error: argument 1: x (float): 4 bytes wanted, size says 2"},
    {"<size=4> 1\n<size=4> 1\n<size=0>",
     "4:1: error: argument 2: t (float*): local memory of 0 bytes"},
    {"<size=4> 1\n<size=4> 1\n<size=4>\n<null>\nmore",
     "6:1: error: 'more' after the last argument"},
    {"<size=4> 1\n<size=4> 1\n<size=4>\n<null> more",
     "5:8: warning: 'more' behind the last argument is left out"},
};

static void one_sim(const char *body, const char *message, const char *hint)
{
	Launch l;
	Diag d;
	Buf text = {0}, want = {0};
	unsigned line, col;
	diag_init(&d);
	launch_init(&l);
	buf_printf(&text, "k.cl k 1 1 1 1 1 1\n%s", body);
	if (launch_parse_sim(&l, "t.sim", text.v, &d))
		launch_bind(&l, sim_kernel, COUNT(sim_kernel), &d);
	CU_ASSERT_EQUAL_FATAL(sscanf(message, "%u:%u", &line, &col), 2);
	const char *source = text.v;
	for (unsigned i = 1; i < line; i++)
		source = strchr(source, '\n') + 1;
	buf_printf(&want, "t.sim:%s\n%5u | %.*s\n      | %*s^\n", message, line,
		   (int)strcspn(source, "\n"), source, (int)col - 1, "");
	if (hint)
		buf_printf(&want, "hint: %s\n", hint);
	expect(&d, want.v, body);
	array_free(&text);
	array_free(&want);
	launch_free(&l);
	diag_free(&d);
}

static void sims(void)
{
	for (u32 i = 0; i < COUNT(bad_sims); i++)
		one_sim(bad_sims[i].text, bad_sims[i].message, NULL);
	one_sim("<size=4 fil=1>",
		"2:9: error: argument 0: a (int*): 'fil=1' is not known in a header",
		"did you mean 'fill'?");
	one_sim("<size=4> 1\n<size=4> 1\n<size=4>\n<size=12 fill=0>",
		"5:1: error: argument 3: p (S*): the header must name a type for the data of this "
		"argument",
		"for example <size=12 char>");
}

static void sim_head(const char *text, const char *want)
{
	Launch l;
	Diag d;
	diag_init(&d);
	launch_init(&l);
	CU_ASSERT_FALSE(launch_parse_sim(&l, "t.sim", text, &d));
	expect(&d, want, text);
	launch_free(&l);
	diag_free(&d);
}

static void sim_heads(void)
{
	sim_head("",
		 "t.sim:1:1: error: the file ends where the program file is expected\n    1 | \n"
		 "      | ^\n");
	sim_head("k.cl", "t.sim:1:5: error: the file ends where the kernel name is expected\n"
			 "    1 | k.cl\n      |     ^\n");
	sim_head("k.cl k 1 x", "t.sim:1:10: error: the global size is not a whole number: 'x'\n"
			       "    1 | k.cl k 1 x\n      |          ^\n");
	sim_head("k.cl k 1 1 1 1 1 0",
		 "t.sim:1:18: error: the work-group size is not between 1 and "
		 "4294967295: 0\n    1 | k.cl k 1 1 1 1 1 0\n"
		 "      |                  ^\n");
	sim_head("# ARGS: \"x\nk.cl k 1 1 1 1 1 1", "t.sim:1:10: error: a quote \" is not closed\n"
						    "    1 | # ARGS: \"x\n      |          ^\n");
}

static void missing(void)
{
	Launch l;
	Diag d;
	diag_init(&d);
	launch_init(&l);
	const LaunchLimits limits = LAUNCH_LIMITS_DEFAULT;
	CU_ASSERT_TRUE(launch_bind(&l, launch_kernel, 1, &d));
	CU_ASSERT_FALSE(launch_check(&l, &limits, &d));
	expect(&d,
	       "wavesim: error: the global size is missing\n"
	       "hint: for example --global 65536 --local 256\n"
	       "wavesim: error: argument n (uint) is missing\n"
	       "hint: for example --arg n=4096\n",
	       "nothing given");
	launch_free(&l);
	diag_free(&d);
}

static void *no_memory(void *user, u32 arg, u64 size)
{
	(void)user, (void)arg, (void)size;
	return NULL;
}

static void too_large(void)
{
	Launch l;
	Diag d;
	void *data[A_COUNT];
	diag_init(&d);
	launch_init(&l);
	launch_option(&l, "--arg", "a=zero:1g", NO_LOC, &d);
	launch_bind(&l, launch_kernel, A_COUNT, &d);
	launch_guess(&l, &(LaunchHints){0});
	const LaunchLimits small = {.max_group = 1024, .max_bytes = 1 << 30};
	CU_ASSERT_FALSE(launch_materialise(&l, &small, no_memory, NULL, data, &d));
	expect(&d,
	       "wavesim: error: argument a: with its 4294967296 bytes the buffers are larger than "
	       "the limit of 1073741824 bytes\n"
	       "hint: give a smaller count, for example --arg a=random:65536\n",
	       "limit");
	diag_free(&d);
	diag_init(&d);
	CU_ASSERT_FALSE(launch_materialise(&l, &LAUNCH_LIMITS_DEFAULT, no_memory, NULL, data, &d));
	expect(&d, "wavesim: error: argument a: no memory for 4294967296 bytes\n", "no memory");
	launch_free(&l);
	diag_free(&d);
}

void suite_launch_bad(void)
{
	CU_pSuite s = CU_add_suite("launch_bad", NULL, NULL);
	CU_add_test(s, "options", options);
	CU_add_test(s, ".sim arguments", sims);
	CU_add_test(s, ".sim heads", sim_heads);
	CU_add_test(s, "missing", missing);
	CU_add_test(s, "too large", too_large);
}
