/* The report for people: a summary, the annotated source, findings; or what of it is asked first. */
#include "report/resources.h"
#include "report/style.h"

#include <math.h>

static void put_launch(const Result *r, const SinkStyle *style, Buf *out)
{
	put_row(out, style, "launch");
	put_numbers(out, "# work-item~, # work-group~, # wavefront~", r->items, r->ngroups, r->nwaves);
	const Estimate *e = r->estimate;
	if (!e->missing && e->used_wgps < e->all_wgps) {
		u32 cus = r->occupancy.compute_units / e->all_wgps;
		/* A work-group may use all CUs of a work-group processor, a wavefront one. */
		u64 used = (u64)e->used_wgps * cus;
		put_numbers(out, ", on # of # CUs", used < r->nwaves ? used : r->nwaves, (u64)e->all_wgps * cus);
	}
	buf_printf(out, "\n");
	if (*r->given)
		put_text_row(out, style, "", "%s\n", r->given);
	if (*r->guessed)
		put_text_row(out, style, "guessed", "%s\n", r->guessed);
	if (r->guess_decides) {
		put_row(out, style, "");
		paint(out, style, PAINT_WARN, "a guess decides");
		buf_printf(out, " how often loops run: %s; time and counts follow from it: give --arg\n",
		           r->guess_decides);
	}
	if (r->groups_run < r->ngroups) {
		put_row(out, style, "");
		paint(out, style, PAINT_WARN, r->stopped ? "not all" : "a sample");
		put_numbers(out, ": # work-group~ of them ran; counts and results are theirs\n", r->groups_run);
	}
	if (!r->own_lds_rule) {
		put_text_row(out, style, "", "%s does not have %u lanes on %u banks: LDS serves consecutive lanes "
		                "together, a dword a bank\n",
		           r->device, r->wave, r->banks);
	}
}

static void put_lanes(const Result *r, const SinkStyle *style, Buf *out)
{
	if (!r->t.wave_instructions)
		return;
	put_row(out, style, "divergence");
	Buf percent = {0};
	buf_printf(&percent, "%.1f %%", 100 * r->utilization);
	paint(out, style,
	      r->utilization < 0.5   ? PAINT_BAD
	      : r->utilization < 0.8 ? PAINT_WARN
	                             : PAINT_GOOD,
	      percent.v);
	array_free(&percent);
	buf_printf(out, " of lanes busy");
	if (r->t.branches)
		put_numbers(out, "; # of # branches diverged", r->t.divergent_branches, r->t.branches);
	u64 lost = r->t.ends.lost;
	if (r->serialized)
		put_numbers(out, ", which cost # instruction~", r->serialized);
	if (lost)
		put_numbers(out, r->serialized ? " and # lane slot~" : ", which cost # lane slot~", lost);
	if (lost && r->wave && r->t.wave_instructions)
		buf_printf(out, " (%.1f %%)", 100.0 * (double)lost / ((double)r->t.wave_instructions * r->wave));
	if (r->most_lost != NO_LINE) {
		const ResultLine *l = &r->lines[r->most_lost];
		if (l->file)
			buf_printf(out, ", most at %s:%u", r->sources[l->file].name, l->line);
		else
			buf_printf(out, ", most at line %u", l->line);
	}
	buf_printf(out, "\n");
}

static void put_lds(const Result *r, const SinkStyle *style, Buf *out)
{
	if (!r->t.lds.accesses)
		return;
	u64 conflicts = r->t.lds.actual - r->t.lds.ideal;
	put_row(out, style, "LDS");
	put_numbers(out, "# bank cycles for # accesses: ", r->t.lds.actual, r->t.lds.accesses);
	Buf text = {0};
	if (conflicts)
		put_numbers(&text, "# of them conflicts, up to ", conflicts);
	buf_printf(&text, conflicts ? "%" PRIu64 "-way" : "no conflicts", r->t.lds.max_way);
	paint(out, style, conflicts ? PAINT_WARN : PAINT_GOOD, text.v);
	array_free(&text);
	if (r->lds_ir.actual != r->t.lds.actual)
		put_numbers(out, "; # accesses in the IR would take # bank cycles", r->lds_ir.accesses,
		            r->lds_ir.actual);
	else if (r->lds_ir.accesses != r->t.lds.accesses)
		put_numbers(out, "; the compiler made these of # accesses in the IR", r->lds_ir.accesses);
	if (r->lds_unclear)
		put_numbers(out, "; # are counted as in the IR, for it is not clear how the machine does them",
		            r->lds_unclear);
	buf_printf(out, "\n");
}

static void put_memory(const Result *r, const SinkStyle *style, Buf *out)
{
	if (!r->t.accesses && !r->t.scalar_loads)
		return;
	put_row(out, style, "memory");
	if (!r->t.accesses) {
		put_numbers(out, "# scalar load~\n", r->t.scalar_loads);
		return;
	}
	Buf text = {0};
	put_grouped(&text, r->t.actual_lines);
	paint(out, style, r->t.actual_lines >= 2 * r->t.ideal_lines ? PAINT_WARN : PAINT_GOOD, text.v);
	array_free(&text);
	put_numbers(out, " cache lines for # accesses, ", r->t.accesses);
	if (r->t.actual_lines > r->t.ideal_lines)
		put_numbers(out, "# would do", r->t.ideal_lines);
	else
		buf_printf(out, "as few as can be");
	if (r->t.scalar_loads)
		put_numbers(out, "; # scalar load~", r->t.scalar_loads);
	buf_printf(out, "\n");
}

/* Those that have columns of their own (isa/counters.def). */
static void put_counters(const Result *r, const SinkStyle *style, Buf *out)
{
	bool any = false;
	for (const Counter *c = shown_counters; c->name; c++) {
		u64 n = counter_of(&r->t, c);
		if (!n)
			continue;
		if (any)
			buf_printf(out, ", ");
		else
			put_row(out, style, "counters");
		any = true;
		put_grouped(out, n);
		buf_printf(out, " %s", c->name);
	}
	if (any)
		buf_printf(out, "\n");
}

static void put_executed(const Result *r, const SinkStyle *style, Buf *out)
{
	put_row(out, style, "executed");
	if (!r->t.wave_instructions) { /* LLVM left jumps only, as of a loop without end */
		buf_printf(out, "only jumps: the compiler left no other instruction on the path that ran\n");
		return;
	}
	put_numbers(out, "# instruction~", r->t.wave_instructions);
	if (r->waves.n > 1 && r->waves.min < r->waves.max) {
		put_numbers(out, ", # to # a wavefront", r->waves.min, r->waves.max);
		buf_printf(out, " (most: wavefront %u of group %" PRIu64 ")", r->waves.slowest_wave,
		           r->waves.slowest_group);
	} else if (r->waves.n > 1) {
		put_numbers(out, ", # a wavefront", r->waves.max);
	}
	if (r->waves.n > 1 && r->waves.n < r->nwaves)
		put_numbers(out, ", of the first #", r->waves.n);
	buf_printf(out, "\n");
}

static void put_resources(const Result *r, const SinkStyle *style, Buf *out)
{
	put_row(out, style, "resources");
	if (r->r600 && r->r600->code) {
		buf_printf(out, "%u GPRs by LLVM's r600 back end for %s", r->vgprs, r->r600->code->cpu);
	} else if (r->machine.run) {
		buf_printf(out, "%u VGPRs, ", r->vgprs);
		if (r->agprs)
			buf_printf(out, "%u AGPRs, ", r->agprs);
		buf_printf(out, "%u SGPRs by LLVM for %s", r->sgprs, r->machine.cpu);
		if (r->machine.stands_for)
			buf_printf(out, ", which stands in for %s", r->machine.stands_for);
		if (r->max_local != 256)
			buf_printf(out, " and groups of up to %u (--max-local)", r->max_local);
	} else {
		buf_printf(out, "%u vector and %u scalar registers live at most (in the IR)", r->vgprs,
		           r->sgprs);
	}
	if (r->lds_bytes)
		put_numbers(out, ", # byte~ of LDS", r->lds_bytes);
	if (r->lds_private_bytes)
		put_numbers(out, " (# byte~ of it for private arrays that the compiler keeps there)",
		            r->lds_private_bytes);
	occ_l1_left(&r->occupancy.o, out);
	if (r->scratch_bytes)
		put_numbers(out, ", # byte~ of scratch", r->scratch_bytes);
	buf_printf(out, "\n");
}

static void put_live(const ResultLive *v, Buf *out)
{
	if (v->name)
		buf_printf(out, "%s", v->name);
	else if (!v->line)
		buf_printf(out, "%s", v->kind[0] == 'a' ? "an address" : "other values");
	else
		buf_printf(out, "%s of line %u", v->kind, v->line);
	if (v->name && v->line)
		buf_printf(out, " (line %u)", v->line);
	buf_printf(out, " %u", v->vgprs);
}

/* What to shorten when registers are scarce: the first few of what is live at the peak. */
static void put_peak(const Result *r, const SinkStyle *style, Buf *out)
{
	enum { SHOWN = 4 };
	if (!r->peak.n)
		return;
	put_text_row(out, style, "live", "%u vector register%s in the IR", r->peak.vgprs,
	             r->peak.vgprs == 1 ? "" : "s");
	if (r->peak.line)
		buf_printf(out, " at line %u", r->peak.line);
	u32 shown = r->peak.n <= SHOWN + 1 ? r->peak.n : SHOWN, rest = r->peak.vgprs;
	for (u32 i = 0; i < shown; i++) {
		buf_printf(out, i ? ", " : ": ");
		put_live(&r->peak.values[i], out);
		rest -= r->peak.values[i].vgprs;
	}
	if (shown < r->peak.n)
		buf_printf(out, ", %u more", rest);
	buf_printf(out, "\n");
}

static void put_occupancy(const Result *r, const SinkStyle *style, Buf *out)
{
	put_row(out, style, "occupancy");
	occ_summary(&r->occupancy, "              ", out);
}

/* The device's mathematics and PoCL's are two libraries. */
static void put_within(const Reference *ref, const SinkStyle *style, Buf *out)
{
	if (ref->pointers)
		put_numbers(out, ", # word~ only as pointers", ref->pointers);
	if (ref->open) {
		buf_printf(out, "\n");
		put_row(out, style, "");
		put_numbers(out, "left open by OpenCL: # element~", ref->open);
		buf_printf(out, " (%s)", ref->open_what);
	}
	if (!ref->within || ref->repeated)
		return;
	buf_printf(out, "\n");
	put_row(out, style, "");
	put_grouped(out, ref->within);
	buf_printf(out, " differ by %.6g ulp at most, of %.6g that OpenCL's functions may", ref->max_ulp,
	           fmax(ref->limit_f32, ref->limit_f64));
}

static void put_reference(const Result *r, const SinkStyle *style, Buf *out)
{
	const Reference *ref = &r->reference;
	put_row(out, style, "reference");
	switch (ref->status) {
	case REF_equal:
		paint(out, style, PAINT_GOOD, "equal");
		buf_printf(out, " to %s", ref_source_doc[ref->source]);
		if (ref->repeated && (ref->within || !ref->open))
			put_numbers(out, arena_printf(r->arena, " %s, # element~ within rounding", ref->repeated),
			            ref->within);
		else if (ref->repeated)
			buf_printf(out, " %s", ref->repeated);
		else
			buf_printf(out, "%s", ref->within ? " within OpenCL's limits" : "");
		if (ref->built)
			buf_printf(out, " with %s", ref->built);
		if (ref->nbuffers)
			put_numbers(out, ": # element~ in # buffer~", ref->checked, ref->nbuffers);
		if (ref->output_checked)
			buf_printf(out, "%s the printed text", ref->nbuffers ? " and" : ":");
		put_within(ref, style, out);
		if (ref->built)
			buf_printf(out, "\n              %s", ref->why);
		break;
	case REF_different:
		paint(out, style, PAINT_BAD, "different");
		put_numbers(out, ": # of # element~", ref->mismatches, ref->checked);
		if (ref->has_ulp)
			buf_printf(out, ", at most %.6g ulp", ref->max_ulp);
		if (ref->limit_f32 > 0 || ref->limit_f64 > 0)
			buf_printf(out, " (%.6g allowed)", fmax(ref->limit_f32, ref->limit_f64));
		if (ref->output_differs)
			buf_printf(out, "; the printed text differs");
		if (ref->repeated)
			buf_printf(out, "\n              %s it is %s", ref->repeated,
			           ref->repeat_equal ? "equal" : "different too");
		break;
	default:
		paint(out, style, ref->status == REF_skipped || ref->status == REF_nothing ? PAINT_NONE : PAINT_WARN,
		      "not compared");
		buf_printf(out, ": %s", ref->why ? ref->why : ref_status_doc[ref->status]);
		break;
	}
	if (ref->source_why)
		buf_printf(out, "\n              no run by PoCL: %s", ref->source_why);
	if (ref->output_refused)
		buf_printf(out, "\n              printed text not compared: PoCL's printf does not support one of its "
		                "formats");
	if (ref->unconfined)
		buf_printf(out, "\n              not confined: %s", ref->unconfined);
	buf_printf(out, "\n");
}

/* Nothing where none ran: most runs. */
static void put_checks(const Result *r, const SinkStyle *style, Buf *out)
{
	if (!r->checks.ran && !r->checks.why)
		return;
	put_row(out, style, "checks");
	if (r->checks.ran)
		buf_printf(out, "a second execution looked for:");
	else
		paint(out, style, PAINT_WARN, r->checks.why);
	const char *comma = " ";
#define PUT_CHECK(name, bit) \
	if (r->checks.ran && (r->checks.what & bit)) { \
		buf_printf(out, "%s" #name, comma); \
		comma = ", "; \
	}
	CHECKS(PUT_CHECK)
	static const char *const left_out[] = {
	    [LACK_nothing] = "",
	    [LACK_memory] =
		"; some accesses were not checked for races: the check ran out of memory, raise --check-memory",
	    [LACK_clocks] = "; some races between work-groups were not checked: following atomics ran out of memory, "
			    "raise --check-memory",
	    [LACK_events] = "; some accesses were not checked for races: the launch has too many of them, "
			    "launch fewer work-items"};
	buf_printf(out, "%s\n", left_out[r->checks.lack]);
}

static void put_title(const Result *r, const SinkStyle *style, Buf *out)
{
	Buf title = {0};
	buf_printf(&title, "%s: kernel %s on %s, %u lanes, %u LDS bank%s", r->file, r->kernel, r->device,
	           r->wave, r->banks, r->banks == 1 ? "" : "s");
	paint(out, style, PAINT_BOLD, title.v);
	array_free(&title);
	buf_printf(out, "\n");
}

/* What limits all that is said. */
static void put_ends(const Result *r, const SinkStyle *style, Buf *out)
{
	put_checks(r, style, out);
	if (r->reference.builtins_why)
		put_text_row(out, style, "library", "PoCL's built-in functions, because %s\n",
		             r->reference.builtins_why);
	if (r->stopped) {
		put_row(out, style, "stopped");
		paint(out, style, PAINT_BAD, "the launch did not end");
		buf_printf(out, "; counts and results are those up to there\n");
	}
}

/* What is asked first comes first: how long, and why; then what lanes, banks and memory did; then
 * what the code takes. */
static void put_summary(const Result *r, const SinkStyle *style, Buf *out)
{
	put_title(r, style, out);
	put_launch(r, style, out);
	text_time(r, style, out);
	put_executed(r, style, out);
	put_lanes(r, style, out);
	put_lds(r, style, out);
	put_memory(r, style, out);
	put_counters(r, style, out);
	put_occupancy(r, style, out);
	put_resources(r, style, out);
	put_peak(r, style, out);
	put_row(out, style, "machine");
	if (r->r600)
		r600_text(r->r600, "              ", out);
	else
		machine_summary(&r->machine, out);
	put_reference(r, style, out);
	put_ends(r, style, out);
}

/* ---- in brief ---- */

enum { TOP_LINES = 3 };

/* The lines that take most time, or run most instructions where that is not known, and what they wait for. */
static void put_top_lines(const Result *r, const SinkStyle *style, Buf *out)
{
	bool timed = !r->estimate->missing;
	const ResultLine *top[TOP_LINES];
	u32 n = 0;
	for (; n < TOP_LINES; n++) {
		const ResultLine *best = NULL;
		for (u32 i = 0; i < r->nlines; i++) {
			const ResultLine *l = &r->lines[i];
			bool taken = !l->line || !((timed ? l->cycles_share : l->share) > 0.01);
			for (u32 k = 0; k < n; k++)
				taken |= top[k] == l;
			if (!taken &&
			    (!best || (timed ? l->cycles_share > best->cycles_share : l->share > best->share)))
				best = l;
		}
		if (!best)
			break;
		top[n] = best;
	}
	for (u32 k = 0; k < n; k++) {
		const ResultLine *l = top[k];
		u32 length = 0;
		const char *text = result_source_line(&r->sources[l->file], l->line, &length);
		u32 skip = text ? (u32)strspn(text, " \t") : 0;
		TimePart why = result_line_reason(l);
		put_text_row(out, style, k ? "" : "lines", "%4.1f %% line %u",
		             100 * (timed ? l->cycles_share : l->share), l->line);
		if (l->file)
			buf_printf(out, " of %s", r->sources[l->file].name);
		if (why < PART_COUNT)
			buf_printf(out, ", %s", time_part_doc[why]);
		buf_printf(out, ": ");
		if (text && skip < length)
			put_source(out, text + skip, length - skip, 0);
		buf_printf(out, "\n");
	}
}

/* What is asked first: how long, what limits it, lanes, the lines that cost most. */
static void put_brief(const Result *r, const SinkStyle *style, Buf *out)
{
	put_title(r, style, out);
	put_launch(r, style, out);
	text_time(r, style, out);
	put_lanes(r, style, out);
	put_top_lines(r, style, out);
	if (r->reference.status != REF_equal && r->reference.status != REF_skipped)
		put_reference(r, style, out);
	put_ends(r, style, out);
}

void sink_text(const Result *r, const SinkStyle *style, Buf *out)
{
	Buf rows = {0}, findings = {0};
	if (style->brief)
		put_brief(r, style, &rows);
	else
		put_summary(r, style, &rows);
	put_wrapped(out, style, rows.v, ROW_INDENT);
	array_free(&rows);
	if (!style->brief)
		text_lines(r, style, out);
	text_findings(r, style, &findings);
	if (findings.n)
		put_wrapped(out, style, findings.v, 2);
	array_free(&findings);
	if (!style->brief)
		return;
	buf_printf(out, "\n");
	paint(out, style, PAINT_DIM, "--verbose: all counts, and the source; --html FILE: the pictures");
	buf_printf(out, "\n");
}
