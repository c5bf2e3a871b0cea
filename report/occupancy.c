/* Occupancy for people: a sentence in the report, and a page with the curves over vector
 * registers, local memory and work-group size, each run of equal occupancy one bar. */
#include "report/resources.h"

#include "report/style.h"

/* Chips with one vector unit in a compute unit are counted by compute unit. */
static bool by_simd(const OccResult *r) { return r->simds_per_cu > 1; }

void occ_summary(const OccResult *r, const char *indent, Buf *out)
{
	const Occupancy *o = &r->o;
	if (o->groups_per_cu <= 0) {
		buf_printf(out, "no such work-group fits, because of %s%s", occ_limiter_doc[o->limiter],
		           *r->next ? ": " : "\n");
	} else {
		char held[40] = "";
		if (r->held > 0)
			snprintf(held, sizeof held, " (mean %.2g)", r->held);
		if (by_simd(r))
			buf_printf(out, "%.4g of %u waves per SIMD%s, ", o->waves_per_simd, o->max_waves_per_simd,
			           held);
		buf_printf(out, "%.4g of %.4g %sper CU%s", o->waves_per_cu, o->max_waves_per_cu,
		           by_simd(r) ? "" : "waves ", by_simd(r) ? "" : held);
		if (o->limiter == OCC_waves)
			buf_printf(out, ": full\n");
		else
			buf_printf(out, "\n%slimited by %s%s", indent, occ_limiter_doc[o->limiter],
			           *r->next ? ": " : "\n");
	}
	if (o->limiter == OCC_device)
		buf_printf(out,
		           "%sthe device holds %u wavefronts, %.4g per compute unit when all are busy\n",
		           indent, o->waves_on_device,
		           (double)o->waves_on_device / r->compute_units);
	if (*r->next)
		buf_printf(out, "%s\n", r->next);
}

static void put_bar(const OccResult *r, const OccStep *s, bool here, const SinkStyle *style, Buf *out)
{
	double have = by_simd(r) ? s->waves_per_simd : s->waves_per_cu;
	double all = by_simd(r) ? r->o.max_waves_per_simd : r->o.max_waves_per_cu;
	Buf range = {0};
	put_numbers(&range, s->to > s->from ? "#-#" : "#", s->from, s->to);
	char bar[41] = {0};
	u32 n = (u32)(have * 40 / all + 0.5);
	memset(bar, '#', n > 40 ? 40 : n);
	buf_printf(out, "  %c %-16s %5.4g  ", here ? '>' : ' ', range.v, have);
	paint(out, style, here ? PAINT_GOOD : PAINT_NONE, bar);
	buf_printf(out, "\n");
	array_free(&range);
}

static void put_curve(const OccResult *r, u32 i, const SinkStyle *style, Buf *out)
{
	static const char *const name[OCC_CURVES] = {"VGPRs", "LDS bytes of a group", "work-group size"};
	const OccInput *in = &r->o.in;
	u64 x = i == 0 ? in->vgprs : i == 1 ? in->lds_bytes : in->group_size;
	Buf title = {0};
	buf_printf(&title, "\n%s, and waves per %s\n", name[i], by_simd(r) ? "SIMD" : "compute unit");
	paint(out, style, PAINT_BOLD, title.v);
	array_free(&title);
	for (u32 k = 0; k < r->ncurve[i]; k++) {
		const OccStep *s = &r->curve[i][k];
		bool here = (s->from <= x || !k) && (x <= s->to || k + 1 == r->ncurve[i]);
		put_bar(r, s, here, style, out);
	}
}

void occ_l1_left(const Occupancy *o, Buf *out)
{
	if (o->in.lds_bytes && o->groups_per_cu > 0 && o->l1_taken)
		put_numbers(out, ", which leaves # byte~ of L1", o->l1_bytes);
}

void occ_text(const OccResult *r, const SinkStyle *style, Buf *out)
{
	const Occupancy *o = &r->o;
	Buf title = {0};
	if (r->kernel)
		buf_printf(&title, "%s: kernel %s on ", r->file, r->kernel);
	buf_printf(&title, "%s, %u lanes", r->device, o->in.wave);
	paint(out, style, PAINT_BOLD, title.v);
	array_free(&title);
	put_numbers(out, "\n  work-group  # work-item~, # wavefront~, # byte~ of LDS", o->in.group_size,
	            o->waves_per_group, o->in.lds_bytes);
	occ_l1_left(o, out);
	buf_printf(out, "\n");
	buf_printf(out, "  wavefront   %u VGPRs, ", o->in.vgprs);
	if (o->in.agprs)
		buf_printf(out, "%u AGPRs, ", o->in.agprs);
	buf_printf(out, "%u SGPRs%s\n", o->in.sgprs,
	           !r->source                ? ""
	           : strcmp(r->source, "ir") ? " by LLVM's code generator"
	                                     : " live in the IR");
	if (r->r600) {
		buf_printf(out, "  machine     ");
		r600_text(r->r600, "              ", out);
	}
	buf_printf(out, "  occupancy   ");
	occ_summary(r, "              ", out);
	buf_printf(out, "              %.4g work-groups per compute unit\n", o->groups_per_cu);
	for (u32 i = 0; i < OCC_CURVES; i++)
		put_curve(r, i, style, out);
}
