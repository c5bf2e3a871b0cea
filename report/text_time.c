/* The estimated time in the text report: how long, what decides, where it goes, what if. */
#include "report/style.h"

enum { SHOWN_PARTS = 3 };

static void put_parts(const Estimate *e, Buf *out)
{
	bool shown[PART_COUNT + 1] = {false};
	bool first = true;
	for (u32 k = 0; k < SHOWN_PARTS; k++) {
		u32 best = PART_COUNT + 1;
		double most = 0.04 * e->cycles; /* less is not worth a word */
		for (u32 i = 0; i <= PART_COUNT; i++) {
			double v = i == PART_COUNT ? e->tail : e->part[i];
			if (!shown[i] && v > most) {
				best = i;
				most = v;
			}
		}
		if (best > PART_COUNT)
			break;
		shown[best] = true;
		buf_printf(out, "%s%.0f %% %s", first ? "" : ", ", 100 * most / e->cycles,
		           best == PART_COUNT ? "compute units without work" : time_part_doc[best]);
		first = false;
	}
	if (first)
		buf_printf(out, "nothing takes long");
	buf_printf(out, "\n");
}

static void put_busy(const Estimate *e, Buf *out)
{
	bool first = true;
	for (u32 i = 0; i < BUSY_COUNT; i++) {
		if (e->busy[i] < 0.03)
			continue;
		buf_printf(out, "%s%s %.0f %%", first ? "busy: " : ", ", busy_unit_doc[i], 100 * e->busy[i]);
		first = false;
	}
	buf_printf(out, "%s\n", first ? "no unit is busy for more than 3 % of the time" : "");
}

/* What caches had of what was asked of them. */
static void put_hits(const Estimate *e, const SinkStyle *style, Buf *out)
{
	bool any = false;
	for (u32 i = 0; i < LEVEL_COUNT; i++) {
		double rate = level_hit_rate(&e->level[i]);
		if (rate < 0)
			continue;
		if (!any)
			put_row(out, style, "");
		buf_printf(out, "%s%s %.0f %%", any ? ", " : "cache hits: ", memory_level_doc[i], 100 * rate);
		any = true;
	}
	double dram = e->level[LEVEL_dram].bytes;
	if (any && dram > 0)
		put_numbers(out, "; DRAM moves # bytes", (u64)(dram + 0.5));
	if (any)
		buf_printf(out, "\n");
}

/* Only what would be faster by more than a hundredth. */
static void put_what_ifs(const Estimate *e, const SinkStyle *style, Buf *out)
{
	bool any = false;
	for (u32 i = 0; i < IF_COUNT; i++) {
		if (e->what_if_us[i] < 0 || e->what_if_us[i] > 0.99 * e->time_us)
			continue;
		if (!any)
			put_row(out, style, "");
		buf_printf(out, "%s", any ? ", " : "");
		put_time(out, e->what_if_us[i]);
		buf_printf(out, " %s", what_if_doc[i]);
		any = true;
	}
	if (any)
		buf_printf(out, "\n");
}

void text_time(const Result *r, const SinkStyle *style, Buf *out)
{
	const Estimate *e = r->estimate;
	put_row(out, style, "time");
	if (e->missing) {
		buf_printf(out, "not estimated: %s\n", e->missing);
		return;
	}
	Buf text = {0};
	put_time(&text, e->time_us);
	paint(out, style, PAINT_BOLD, text.v);
	array_free(&text);
	buf_printf(out, " (");
	put_time(out, e->low_us);
	buf_printf(out, " to ");
	put_time(out, e->high_us);
	buf_printf(out, ") estimated from %s, ",
	           strcmp(e->source, "ir") ? "LLVM's machine code" : "the IR's own instructions");
	put_time(out, e->launch_us);
	buf_printf(out, " of it start the kernel; the host's call takes ");
	put_time(out, e->queue_us);
	buf_printf(out, " more%s\n", e->warm ? "; L2 and L3 are warm" : "");
	put_text_row(out, style, "", "bound: ");
	paint(out, style, PAINT_BOLD, time_bound_doc[e->bound_by]);
	buf_printf(out, "\n");
	for (u32 i = 0; i < DOUBT_COUNT; i++)
		if (e->doubts >> i & 1) {
			put_text_row(out, style, "", "less sure: ");
			buf_printf(out, "%s\n", time_doubt_doc[i]);
		}
	if (e->uneven) {
		put_row(out, style, "");
		put_numbers(out, "work-groups differ: the # compute unit~", e->wgps);
		put_numbers(out, " of # with most to do were played\n", e->all_wgps);
	}
	put_row(out, style, "");
	put_parts(e, out);
	put_row(out, style, "");
	put_busy(e, out);
	if (!style->brief)
		put_hits(e, style, out);
	put_what_ifs(e, style, out);
}
