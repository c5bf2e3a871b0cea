/* gen SEED: prints a random OpenCL C program with its launch, without undefined behaviour
 * and without races, so that every correct implementation computes the same bits. It
 * assumes what PoCL and wavesim share: IEEE floats with subnormals, correctly rounded / and
 * sqrt, and (unless contraction is off in the program) a * b + c fused as clang decides.
 *
 * The generator itself was checked by running its programs on PoCL 3.1 with its default
 * options and with -cl-opt-disable, and under oclgrind --data-races and (with --no
 * vector,call,async, which its shadow memory cannot follow) --uninitialized.
 *
 * PoCL 3.1 itself computes some programs wrong: LLVM 15 for AVX-512 gets vector remainders and
 * some masked loops wrong, and PoCL's work-item loops repeat code after a conditional barrier.
 * wavesim then asks it again another way (engine/reference.c), and run.sh names the seeds. AMD's
 * library is at fault now and then, too: its mad_sat(long) adds with nsw what may overflow. */
#include "tests/gen/gen.h"

#include <errno.h>
#include <stdio.h>

static const char *const feature_names[FEATURES] = {
    [F_float] = "float",   [F_double] = "double", [F_long] = "long",     [F_vector] = "vector",
    [F_struct] = "struct", [F_call] = "call",     [F_goto] = "goto",     [F_local] = "local",
    [F_atomic] = "atomic", [F_async] = "async",   [F_divide] = "divide", [F_contract] = "contract"};

static const char usage[] =
    "usage: gen SEED [options]\n"
    "  --out FILE   write the program there instead of to standard output\n"
    "  --size N     about N statements in the kernel (default 10)\n"
    "  --no LIST    leave out parts of the language: float,double,long,vector,struct,call,\n"
    "               goto,local,atomic,async,divide,contract\n"
    "  --off LIST   remove the numbered parts, as in 3,7,20-25 (used to reduce a program)\n"
    "  --list       print the numbers of the parts that the program has, and no program\n"
    "  --races      a program whose work-groups race (race.c); of the others only --size counts\n";

enum { MAX_PARTS = 1 << 20 };

typedef struct {
	u64 seed, size;
	u32 without;
	const char *out;
	bool list, races;
	u8 *off;
} Options;

static bool fail(const char *what, const char *arg)
{
	fprintf(stderr, "gen: %s: %s\n", what, arg);
	return false;
}

static bool parse_features(const char *list, u32 *without)
{
	for (const char *p = list; *p;) {
		size_t n = strcspn(p, ",");
		u32 i = 0;
		while (i < FEATURES &&
		       (strlen(feature_names[i]) != n || strncmp(feature_names[i], p, n)))
			i++;
		if (i == FEATURES)
			return fail("unknown part of the language", p);
		*without |= 1u << i;
		p += n + (p[n] == ',');
	}
	return true;
}

static bool parse_off(const char *list, u8 *off)
{
	for (const char *p = list; *p;) {
		char *end;
		unsigned long a = strtoul(p, &end, 10), b = a;
		if (*end == '-')
			b = strtoul(end + 1, &end, 10);
		if (end == p || (*end && *end != ',') || a > b || b >= MAX_PARTS)
			return fail("not a list of numbers", list);
		memset(off + a, 1, b - a + 1);
		p = end + (*end == ',');
	}
	return true;
}

static bool parse_options(int argc, char **argv, Options *o)
{
	bool have_seed = false;
	for (int i = 1; i < argc; i++) {
		const char *a = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
		if (!strcmp(a, "--list")) {
			o->list = true;
			continue;
		}
		if (!strcmp(a, "--races")) {
			o->races = true;
			continue;
		}
		if (*a != '-') {
			if (!parse_u64(a, &o->seed))
				return fail("not a seed", a);
			have_seed = true;
			continue;
		}
		if (!value)
			return fail("needs a value, or is no option", a);
		i++;
		if (!strcmp(a, "--out"))
			o->out = value;
		else if (!strcmp(a, "--size")) {
			if (!parse_u64(value, &o->size) || !o->size || o->size > 200)
				return fail("the size is 1 to 200, not", value);
		} else if (!strcmp(a, "--no")) {
			if (!parse_features(value, &o->without))
				return false;
		} else if (!strcmp(a, "--off")) {
			if (!parse_off(value, o->off))
				return false;
		} else {
			return fail("no such option", a);
		}
	}
	return have_seed || fail("no seed given", usage);
}

/* Each program leaves out some parts by itself, so that others get more room. */
static u32 choose_features(Gen *g, u32 without)
{
	u32 features = 0;
	for (u32 i = 0; i < FEATURES; i++) {
		bool keep = !chance(g, i == F_contract ? 40 : 12);
		features |= (u32)keep << i;
	}
	/* PoCL 3.1 crashes on an irreducible loop in a kernel with a barrier */
	bool barriers = chance(g, 65);
	if (features >> F_goto & features >> F_local & 1)
		features &= ~(1u << (barriers ? F_goto : F_local));
	features &= ~without;
	if (!(features >> F_float & 1))
		features &= ~(1u << F_double | 1u << F_divide | 1u << F_contract);
	return features;
}

static bool write_out(const Options *o, const char *text)
{
	FILE *f = o->out ? fopen(o->out, "w") : stdout;
	if (!f)
		return fail(o->out, strerror(errno));
	bool ok = fputs(text, f) >= 0;
	ok &= (o->out ? fclose(f) : fflush(f)) == 0;
	return ok || fail(o->out ? o->out : "standard output", strerror(errno));
}

static void print_parts(const Gen *g, Buf *text)
{
	text->n = 0;
	buf_printf(text, "%s", "");
	for (u32 i = 0; i < g->live.n; i++)
		buf_printf(text, "%u\n", g->live.v[i]);
}

int main(int argc, char **argv)
{
	Options o = {.size = 10, .off = xcalloc(1, MAX_PARTS)};
	bool ok = parse_options(argc, argv, &o);
	if (ok) {
		Buf text = {0};
		Gen *g = xcalloc(1, sizeof *g);
		g->arena = arena_new();
		g->rng = g->seed = o.seed;
		g->size = (u32)o.size;
		g->off = o.off;
		g->noff = MAX_PARTS;
		g->b = &text;
		g->features = choose_features(g, o.without);
		if (o.races)
			put_race(g);
		else
			put_program(g);
		if (o.list)
			print_parts(g, &text);
		ok = write_out(&o, text.v);
		arena_free(g->arena);
		array_free(&g->live);
		free(g);
		array_free(&text);
	}
	free(o.off);
	return ok ? 0 : 2;
}
