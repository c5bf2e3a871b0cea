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

/* ---- convolution_mi50.csv: one row a configuration of a tuned convolution ---- */

static bool convolution_row(Import *in, const Csv *c, u32 row)
{
	static const char *const names[] = {"block_size_x", "block_size_y", "tile_size_x", "tile_size_y",
	                                    "use_padding", "divides_exactly"};
	TuneParam params[COUNT(names)];
	for (u32 i = 0; i < COUNT(names); i++) {
		double v;
		if (!csv_number(c, row, names[i], &v, in->d))
			return false;
		params[i] = (TuneParam){names[i], csv_field(c, row, names[i])};
	}
	double ms[2], scratch;
	const u64 problem[3] = {4096, 4096, 1};
	if (!csv_number(c, row, "t_min_ms_ro0", &ms[0], in->d) ||
	    !csv_number(c, row, "t_min_ms_ro1", &ms[1], in->d) ||
	    !csv_number(c, row, "llvm15_gfx906_scratch_bytes", &scratch, in->d))
		return false;
	const char *options = import_tuned_options(in, params, COUNT(names), problem,
		"--arg out=zero:16777216 --arg in=random:16892100 --arg weights=random:225 --arg width=4096 "
		"--arg height=4096 --max-local 1024");
	/* Registers that spill are another kind of kernel: distinguished by the compiler, not by time. */
	return options && import_point(in, options, scratch > 0 ? "convolution-spills" : "convolution", ms, 2);
}

static bool convolution(Import *in, const Csv *c)
{
	ImportOptions o = *in->o;
	o.divisor[0] = "block_size_x,tile_size_x";
	o.divisor[1] = "block_size_y,tile_size_y";
	in->o = &o;
	in->name = "convolution";
	bool ok = import_begin(in, "convolution_mi50",
	                       "Lurati et al., Bringing Auto-Tuning to HIP, Euro-Par 2024: data repository "
	                       "MiloLurati/AutoTuning_AMD_vs_Nvidia_GPUs", "none given: not to be passed on",
	                       "AMD Instinct MI50", "mi50", "traces/sets/convolution.cl", set_text("convolution"));
	for (u32 i = 0; ok && i < c->nrows; i++)
		ok = convolution_row(in, c, i);
	return ok;
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
		"--kernel naive_conv --global %lld --local 256 --arg out=zero:%lld --arg in=random:%lld "
		"--arg weights=random:%lld --arg height=%d --arg width=%d --arg images=%d --arg share=%d "
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

/* ---- which ---- */

static const struct {
	const char *header;
	bool (*read)(Import *in, const Csv *c);
} sets[] = {
	{"block_size_x,block_size_y,tile_size_x,tile_size_y,use_padding,divides_exactly,t_min_ms_ro0,", convolution},
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
