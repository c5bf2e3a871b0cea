/* The launches of a program, for people: a line each, then a table of kernels. */
#include "report/program.h"
#include "report/style.h"

static void put_launches(Buf *out, u64 n) { buf_printf(out, "%" PRIu64 " launch%s", n, n == 1 ? "" : "es"); }

static double percent(u64 part, u64 all) { return all ? 100 * (double)part / (double)all : 0; }

void program_text_sizes(const u64 v[3], u32 dims, int width, Buf *out)
{
	Buf text = {0};
	for (u32 i = 0; i < dims; i++)
		buf_printf(&text, "%s%" PRIu64, i ? "x" : "", v[i]);
	buf_printf(out, "%*s", width, v[0] && dims ? text.v : "?");
	array_free(&text);
}

void program_text_launch(const ProgramLaunch *l, bool first, Buf *out)
{
	if (first)
		buf_printf(out, "%7s  %-24s %14s %14s  %10s  %6s  %s\n", "launch", "kernel", "global", "local", "time",
		           "lanes", "result");
	buf_printf(out, "%7" PRIu64 "  %-24s", l->number, l->kernel);
	program_text_sizes(l->global, l->dims, 15, out);
	program_text_sizes(l->local, l->dims, 15, out);
	const Result *r = l->report;
	if (!r) {
		buf_printf(out, "  not simulated: %s\n", l->failed ? l->failed : "not asked for");
		return;
	}
	buf_printf(out, "  ");
	if (r->estimate->missing)
		buf_printf(out, "%10s", "-");
	else
		put_time_wide(out, r->estimate->time_us, 7);
	buf_printf(out, "  %5.1f%%  ", 100 * r->utilization);
	const Reference *ref = &r->reference;
	if (ref->status == REF_different && ref->mismatches)
		buf_printf(out, "%" PRIu64 " of %" PRIu64 " elements differ", ref->mismatches, ref->checked);
	else
		buf_printf(out, "%s", ref->status == REF_nothing ? "nothing to compare" : ref_status_name[ref->status]);
	if (result_problems(r))
		put_numbers(out, ", # finding~", result_problems(r));
	buf_printf(out, "\n");
}

static void put_kernel(const ProgramRow *r, const ProgramRow *all, Buf *out)
{
	char conflicts[32] = "", lines[32] = "";
	if (r->t.lds.actual)
		snprintf(conflicts, sizeof conflicts, "%.1f",
		         percent(r->t.lds.actual - r->t.lds.ideal, r->t.lds.actual));
	if (r->t.ideal_lines)
		snprintf(lines, sizeof lines, "%.2f", (double)r->t.actual_lines / (double)r->t.ideal_lines);
	buf_printf(out, "  %-24s %8" PRIu64 " %9" PRIu64 "  ", r->kernel, r->launches, r->simulated);
	if (r->timed)
		put_time_wide(out, r->time_us, 7);
	else
		buf_printf(out, "%10s", "-");
	buf_printf(out, " %6.1f", all->time_us > 0 ? 100 * r->time_us / all->time_us : 0);
	buf_printf(out, " %7.1f %9s %8s %8" PRIu64 " %9" PRIu64 " %8" PRIu64 "\n",
	           percent(r->t.active_lanes, r->lanes), conflicts, lines, r->equal, r->different, r->findings);
}

static void put_remarks(const ProgramRow *all, const SinkStyle *style, Buf *out)
{
	if (all->timed < all->launches) {
		buf_printf(out, "  ");
		put_launches(out, all->launches - all->timed);
		buf_printf(out, " of sizes that were not simulated: their time is missing\n");
	}
	if (all->failed) {
		buf_printf(out, "  ");
		paint(out, style, PAINT_WARN, "not simulated");
		buf_printf(out, ": %" PRIu64 ", for the reasons given above\n", all->failed);
	}
	if (all->unchecked)
		buf_printf(out, "  %" PRIu64 " compared with nothing\n", all->unchecked);
}

void program_text(const ProgramResult *p, const SinkStyle *style, Buf *out)
{
	u32 n = p->rows.n;
	const ProgramRow *rows = p->rows.v, *all = &rows[n - 1];
	buf_printf(out, "\n%s on %s: ", *p->command ? p->command : p->file, p->device);
	put_launches(out, all->launches);
	put_numbers(out, " of # kernel~", n - 1);
	if (all->timed) {
		buf_printf(out, ", ");
		put_time_wide(out, all->time_us, 0);
		buf_printf(out, " estimated (");
		put_time_wide(out, all->low_us, 0);
		buf_printf(out, " to ");
		put_time_wide(out, all->high_us, 0);
		buf_printf(out, ")");
	}
	buf_printf(out, "\n\n  %-24s %8s %9s  %10s %6s %7s %9s %8s %8s %9s %8s\n", "kernel", "launches", "simulated",
	           "time", "%", "lanes %", "LDS confl", "lines", "equal", "different", "findings");
	for (u32 i = 0; i < n; i++)
		if (i + 1 < n || n != 2)
			put_kernel(&rows[i], all, out);
	put_remarks(all, style, out);
}
