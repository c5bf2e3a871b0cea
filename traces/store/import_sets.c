/* Timings of AMD cards that others published, in the reduced form of this project: a CSV file each,
 * known by its header. Their kernels were written anew (traces/sets). */
#include "base/csv.h"
#include "traces/store/import_impl.h"

static const char *set_text(const char *name)
{
	for (u32 i = 0; i < set_ntexts; i++) {
		if (!strcmp(set_texts[i].name, name))
			return set_texts[i].text;
	}
	return NULL;
}

/* ---- convolution_mi50.csv, convolution_w7800.csv: one row a configuration of a tuned convolution ---- */

enum { CONVOLUTION_SIDE = 4096, CONVOLUTION_PARAMS = 6 };

static bool convolution_point(Import *in, const TuneParam *params, const char *family, const double *ms, u32 n)
{
	const u64 problem[3] = {CONVOLUTION_SIDE, CONVOLUTION_SIDE, 1};
	const char *options = import_tuned_options(in, params, CONVOLUTION_PARAMS, problem,
		"--arg out=zero:16777216 --arg in=zero:16892100 --arg weights=random:225 --arg width=4096 "
		"--arg height=4096 --max-local 1024");
	return options && import_point(in, options, family, ms, n);
}

/* A tile of so many outputs divides the side. */
static bool divides(const Csv *c, u32 row, const char *block, const char *tile, bool *out, Diag *d)
{
	double b, t;
	if (!csv_number(c, row, block, &b, d) || !csv_number(c, row, tile, &t, d))
		return false;
	*out = b >= 1 && t >= 1 && b * t <= CONVOLUTION_SIDE && CONVOLUTION_SIDE % (u64)(b * t) == 0;
	return true;
}

static bool convolution_params(Import *in, const Csv *c, u32 row, TuneParam *params)
{
	static const char *const names[] = {"block_size_x", "block_size_y", "tile_size_x", "tile_size_y",
	                                    "use_padding"};
	bool x, y;
	for (u32 i = 0; i < COUNT(names); i++) {
		double v;
		if (!csv_number(c, row, names[i], &v, in->d))
			return false;
		params[i] = (TuneParam){names[i], csv_field(c, row, names[i])};
	}
	if (!divides(c, row, "block_size_x", "tile_size_x", &x, in->d) ||
	    !divides(c, row, "block_size_y", "tile_size_y", &y, in->d))
		return false;
	params[COUNT(names)] = (TuneParam){"divides_exactly", x && y ? "1" : "0"};
	return true;
}

static bool convolution_mi50_row(Import *in, const Csv *c, u32 row)
{
	TuneParam params[CONVOLUTION_PARAMS];
	double ms[2], scratch;
	if (!convolution_params(in, c, row, params) || !csv_number(c, row, "t_min_ms_ro0", &ms[0], in->d) ||
	    !csv_number(c, row, "t_min_ms_ro1", &ms[1], in->d) ||
	    !csv_number(c, row, "llvm15_gfx906_scratch_bytes", &scratch, in->d))
		return false;
	/* Registers that spill are another kind of kernel: distinguished by the compiler, not by time. */
	return convolution_point(in, params, scratch > 0 ? "convolution-spills" : "convolution", ms, 2);
}

/* The parameter use_shmem was not used: of 232 pairs that differ in nothing else 229 took the same time within 3 %, and
 * so do groups whose tile has bank conflicts. They are one launch measured twice. */
static bool convolution_w7800_row(Import *in, const Csv *c, u32 row)
{
	TuneParam params[CONVOLUTION_PARAMS];
	double ms;
	return convolution_params(in, c, row, params) &&
	       csv_number(c, row, "t_med_ms", &ms, in->d) && /* a mean has the launches that warm the card up */
	       convolution_point(in, params, "convolution", &ms, 1);
}

static bool convolution(Import *in, const Csv *c, const char *set, const char *card, const char *device,
                        bool row(Import *, const Csv *, u32))
{
	ImportOptions o = *in->o;
	o.divisor[0] = "block_size_x,tile_size_x";
	o.divisor[1] = "block_size_y,tile_size_y";
	in->o = &o;
	in->name = "convolution";
	bool ok = import_begin(
	    in, set, "Lurati et al., Bringing Auto-Tuning to HIP, Euro-Par 2024; AutoTuningAssociation/benchmark_hub",
	    "MIT", card, device, "traces/sets/convolution.cl", set_text("convolution"));
	for (u32 i = 0; ok && i < c->nrows; i++)
		ok = row(in, c, i);
	return ok;
}

static bool convolution_mi50(Import *in, const Csv *c)
{
	return convolution(in, c, "convolution_mi50", "AMD Instinct MI50", "mi50", convolution_mi50_row);
}

static bool convolution_w7800(Import *in, const Csv *c)
{
	return convolution(in, c, "convolution_w7800", "AMD Radeon PRO W7800", "w7800", convolution_w7800_row);
}

/* ---- naive_conv_fwd_mi210.csv, naive_conv_fwd_mi100.csv: one row a problem ---- */

typedef struct Problem {
	int c, h, w, fy, fx, k, ho, wo, n, py, px, sy, sx, dy, dx, g;
} Problem;

static bool parse_problem(const char *key, Problem *p)
{
	char layout[8], type[8], direction;
	int bias, used = 0;
	p->g = 1;
	int n = sscanf(key, "%d-%d-%d-%dx%d-%d-%d-%d-%d-%dx%d-%dx%d-%dx%d-%d-%7[A-Z]-%7[A-Z0-9]-%c%n", &p->c, &p->h,
	               &p->w, &p->fy, &p->fx, &p->k, &p->ho, &p->wo, &p->n, &p->py, &p->px, &p->sy, &p->sx,
	               &p->dy, &p->dx, &bias, layout, type, &direction, &used);
	if (n != 19 || strcmp(layout, "NCHW") || strcmp(type, "FP32") || direction != 'F')
		return false;
	if (key[used] && sscanf(key + used, "_g%d", &p->g) != 1)
		return false;
	return p->c > 0 && p->h > 0 && p->w > 0 && p->fy > 0 && p->fx > 0 && p->k > 0 && p->ho > 0 &&
	       p->wo > 0 && p->n > 0 && p->g > 0 && p->c % p->g == 0 && p->k % p->g == 0;
}

static bool naive_row(Import *in, const Csv *c, u32 row)
{
	Problem p;
	double ms;
	const char *key = csv_field(c, row, "problem_key");
	if (!csv_number(c, row, "time_ms", &ms, in->d))
		return false;
	if (!parse_problem(key, &p))
		return diag_error(in->d, (Loc){in->path, c->lines[row], 0}, "problem_key: '%s' is not understood", key);
	const char *options = arena_printf(in->arena,
		"--kernel naive_conv --global %lld --local 256 --arg out=zero:%lld --arg in=zero:%lld "
		"--arg weights=zero:%lld --arg height=%d --arg width=%d --arg images=%d --arg share=%d "
		"--arg out_share=%d --arg out_height=%d --arg out_width=%d --arg stride_y=%d --arg stride_x=%d "
		"--arg dilation_y=%d --arg dilation_x=%d --arg pad_y=%d --arg pad_x=%d --arg filter_y=%d "
		"--arg filter_x=%d --arg groups=%d",
		256ll * p.n * p.k, 1ll * p.n * p.k * p.ho * p.wo, 1ll * p.n * p.c * p.h * p.w,
		1ll * p.k * (p.c / p.g) * p.fy * p.fx, p.h, p.w, p.n, p.c / p.g, p.k / p.g, p.ho, p.wo, p.sy, p.sx,
		p.dy, p.dx, p.py, p.px, p.fy, p.fx, p.g);
	return import_point(in, options, p.g > 1 ? "naive-conv-groups" : "naive-conv", &ms, 1);
}

static bool naive(Import *in, const Csv *c)
{
	bool mi100 = strstr(path_name(in->path), "mi100"); /* the file's text does not say */
	in->name = "naive_conv";
	in->floors = true;
	bool ok = import_begin(in, mi100 ? "naive_conv_fwd_mi100" : "naive_conv_fwd_mi210",
	                       "ROCm/MIOpen, find database", "MIT", mi100 ? "AMD Instinct MI100" : "AMD Instinct MI210",
	                       mi100 ? "mi100" : "mi210", "traces/sets/naive_conv.cl", set_text("naive_conv"));
	for (u32 i = 0; ok && i < c->nrows; i++)
		ok = naive_row(in, c, i);
	return ok;
}

/* ---- mi300a_mgpusim.csv: one row a kernel and size ---- */

typedef unsigned long long Size; /* as printf wants it */

static Size whole_groups(Size n, Size group) { return (n + group - 1) / group * group; }

static const char *vectoradd_launch(Arena *a, const Size *n)
{
	return arena_printf(a, "--global %llu --local 256 --arg out=zero:%llu --arg a=zero:%llu --arg b=zero:%llu "
	                    "--arg width=%llu --arg height=1", whole_groups(n[0], 256), n[0], n[0], n[0], n[0]);
}

static const char *relu_launch(Arena *a, const Size *n)
{
	return arena_printf(a, "--global %llu --local 256 --arg count=%llu --arg in=zero:%llu --arg out=zero:%llu",
	                    whole_groups(n[0], 256), n[0], n[0], n[0]);
}

static const char *fir_launch(Arena *a, const Size *n)
{
	return arena_printf(a, "--global %llu --local 256 --arg out=zero:%llu --arg taps=zero:%llu --arg in=zero:%llu "
	                    "--arg history=zero:%llu --arg ntaps=%llu", n[0], n[0], n[1], n[0], n[1] + 1, n[1]);
}

static const char *kmeans_launch(Arena *a, const Size *n)
{
	return arena_printf(a, "--global %llu --local 256 --arg points=zero:%llu --arg centres=zero:%llu "
	                    "--arg nearest=zero:%llu --arg npoints=%llu --arg ncentres=%llu --arg nfeatures=%llu",
	                    whole_groups(n[0], 256), n[0] * n[1], n[1] * n[2], n[0], n[0], n[2], n[1]);
}

static const char *atax_launch(Arena *a, const Size *n)
{
	return arena_printf(a, "--global %llu --local 256 --arg a=zero:%llu --arg x=zero:%llu --arg y=zero:%llu "
	                    "--arg sums=zero:%llu --arg rows=%llu --arg columns=%llu", whole_groups(n[0], 256),
	                    n[0] * n[1], n[1], n[1], n[0], n[0], n[1]);
}

static const char *matrixtranspose_launch(Arena *a, const Size *n)
{
	return arena_printf(a, "--global %llu,%llu --local 16,16 --arg out=zero:%llu --arg in=zero:%llu "
	                    "--arg width=%llu --arg height=%llu --arg groups=%llu", n[0] / 4, n[1] / 4, n[0] * n[1] / 4,
	                    n[0] * n[1] / 4, n[0] / 4, n[1] / 4, n[0] / 64);
}

static const char *stencil2d_launch(Arena *a, const Size *n)
{
	Size all = (n[0] + 2) * whole_groups(n[1] + 2, 16);
	return arena_printf(a, "--global %llu,%llu --local 1,64 --arg in=zero:%llu --arg out=zero:%llu "
	                    "--arg alignment=16 --arg centre=0.25 --arg cardinal=0.15 --arg diagonal=0.05",
	                    n[0] / 16, n[1], all, all);
}

static const char *matrixmultiplication_launch(Arena *a, const Size *n)
{
	return arena_printf(a, "--global %llu,%llu --local 8,8 --arg a=zero:%llu --arg b=zero:%llu --arg c=zero:%llu "
	                    "--arg width_a=%llu --arg piece=zero:256", n[2] / 4, n[0] / 4, n[0] * n[1] / 4,
	                    n[1] * n[2] / 4, n[0] * n[2] / 4, n[1]);
}

static const struct {
	const char *kernel;
	u32 numbers; /* of the problem's size */
	const char *(*launch)(Arena *a, const Size *n);
} mgpusim_kernels[] = {
	{"vectoradd", 1, vectoradd_launch},
	{"relu", 1, relu_launch},
	{"fir", 2, fir_launch},
	{"kmeans", 3, kmeans_launch},
	{"atax", 2, atax_launch},
	{"matrixtranspose", 2, matrixtranspose_launch},
	{"stencil2d", 2, stencil2d_launch},
	{"matrixmultiplication", 3, matrixmultiplication_launch},
};

/* The numbers of a size: 64x64, 1024_taps8, pts1024_feat8_clus5. None is 0 or too large for a launch. */
static u32 size_numbers(const char *text, Size n[3])
{
	const Size most = (Size)1 << 40; /* of all multiplied: launches make bytes of it */
	Size product = 1;
	u32 found = 0;
	while (*(text += strcspn(text, "0123456789"))) {
		char *end;
		Size v = strtoull(text, &end, 10);
		if (found == 3 || !v || end - text > 10 || v > most / product)
			return 0;
		product *= v;
		n[found++] = v;
		text = end;
	}
	return found;
}

static bool mgpusim_row(Import *in, const Csv *c, u32 row)
{
	const char *kernel = csv_field(c, row, "kernel_name"), *size = csv_field(c, row, "problem_size");
	double ms;
	Size n[3];
	u32 numbers = size_numbers(size, n);
	if (!csv_number(c, row, "avg_ms", &ms, in->d))
		return false;
	for (u32 i = 0; i < COUNT(mgpusim_kernels); i++) {
		if (strcmp(kernel, mgpusim_kernels[i].kernel) || numbers != mgpusim_kernels[i].numbers)
			continue;
		in->name = kernel;
		/* HIP leaves registers for work-groups of any size. */
		const char *options = arena_printf(in->arena, "--kernel %s %s --max-local 1024", kernel,
		                                   mgpusim_kernels[i].launch(in->arena, n));
		return import_point(in, options, kernel, &ms, 1);
	}
	return diag_error(in->d, (Loc){in->path, c->lines[row], 0}, "'%s' of size '%s' is no launch of this set",
	                  kernel, size);
}

static bool mgpusim(Import *in, const Csv *c)
{
	in->floors = true;
	bool ok = import_begin(in, "mi300a_mgpusim", "sarchlab/mgpusim, gpu_perf_scripts", "MIT", "AMD Instinct MI300A",
	                       "mi300a", "traces/sets/mgpusim.cl", set_text("mgpusim"));
	for (u32 i = 0; ok && i < c->nrows; i++)
		ok = mgpusim_row(in, c, i);
	return ok;
}

/* ---- which ---- */

static const struct {
	const char *header;
	bool (*read)(Import *in, const Csv *c);
} sets[] = {
    {"block_size_x,block_size_y,tile_size_x,tile_size_y,use_padding,divides_exactly,t_min_ms_ro0,", convolution_mi50},
    {"block_size_x,block_size_y,tile_size_x,tile_size_y,use_padding,use_shmem,t_min_ms,t_med_ms", convolution_w7800},
    {"kernel_name,problem_size,iterations,avg_ms,min_ms,max_ms", mgpusim},
    {"solver,problem_key,time_ms", naive},
};

bool import_is_set(const char *text)
{
	for (u32 i = 0; i < COUNT(sets); i++) {
		if (!strncmp(text, sets[i].header, strlen(sets[i].header)))
			return true;
	}
	return false;
}

bool import_set(Import *in)
{
	Csv c;
	if (!csv_parse(&c, in->path, in->text, in->arena, in->d))
		return false;
	for (u32 i = 0; i < COUNT(sets); i++) {
		if (!strncmp(in->text, sets[i].header, strlen(sets[i].header)))
			return sets[i].read(in, &c);
	}
	return false;
}
