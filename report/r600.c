/* Machine code of a VLIW chip as a table and as JSON. */
#include "report/resources.h"

#include "report/json_kit.h"
#include "report/style.h"

/* The figures in the order of both formats. */
#define FIGURES(X) \
	X("gprs", "GPRs", gprs) \
	X("stack", "stack", stack) \
	X("alu", "ALU", bundles) \
	X("alu_slots", "slots", slots) \
	X("trans_slots", "trans", trans) \
	X("control_flow", "CF", nsteps) \
	X("loops", "loops", loops) \
	X("alu_clauses", "ALU clauses", alu_clauses) \
	X("fetch_clauses", "fetch clauses", fetch_clauses) \
	X("fetches", "fetch", fetches) \
	X("stores", "store", stores) \
	X("atomics", "atomic", atomics) \
	X("lds", "LDS", lds) \
	X("barriers", "barrier", barriers)

static double packing(const R600Result *r)
{
	return r->code->bundles ? (double)r->code->slots / r->code->bundles : 0;
}

static void put_rate(const R600Rate *rate, const char *when, Buf *out)
{
	put_grouped(out, (u64)(rate->mthreads + 0.5));
	buf_printf(out, " %s (%s)", when, r600_bound_doc[rate->bound]);
}

void r600_text(const R600Result *r, const char *indent, Buf *out)
{
	if (!r->code) {
		buf_printf(out, "not known: %s\n", r->missing);
		return;
	}
	Buf head = {0}, row = {0};
#define X(key, title, member) \
	buf_printf(&head, "%s%*s", head.n ? "  " : "", (int)sizeof title - 1, title); \
	buf_printf(&row, "%s%*u", row.n ? "  " : "", (int)sizeof title - 1, r->code->member);
	FIGURES(X)
#undef X
	buf_printf(out, "%s\n%s%s\n", head.v, indent, row.v);
	if (r->code->bundles)
		buf_printf(out, "%s%.2f of %u slots of a bundle (ALU) are filled\n", indent, packing(r),
		           r->vliw_slots);
	array_free(&head);
	array_free(&row);
	if (r->all.mthreads <= 0)
		return;
	buf_printf(out, "%sM threads/s: ", indent);
	if (r->best.mthreads > r->all.mthreads) {
		put_rate(&r->best, "by the shortest way", out);
		buf_printf(out, ", ");
		put_rate(&r->all, "by all branches", out);
	} else {
		put_rate(&r->all, "at most", out);
	}
	buf_printf(out, "%s\n", r->code->loops ? "; each loop once" : "");
}

static void put_rate_object(cJSON *o, const char *key, const R600Rate *rate)
{
	cJSON *k = cJSON_AddObjectToObject(o, key);
	json_int(k, "alu", rate->bundles);
	JSON(k, *rate, fetches, stores);
	if (rate->mthreads <= 0) {
		cJSON_AddNullToObject(k, "m_threads_per_s");
		return;
	}
	json_raw(k, "m_threads_per_s", "%.1f", rate->mthreads);
	cJSON_AddStringToObject(k, "bound", r600_bound_name[rate->bound]);
}

cJSON *r600_object(const R600Result *r)
{
	cJSON *o = cJSON_CreateObject();
	if (!r->code) {
		cJSON_AddStringToObject(o, "missing", r->missing);
		return o;
	}
	cJSON_AddStringToObject(o, "cpu", r->code->cpu);
#define X(key, title, member) json_int(o, key, r->code->member);
	FIGURES(X)
#undef X
	json_raw(o, "packing", "%.4f", packing(r));
	put_rate_object(o, "shortest", &r->best);
	put_rate_object(o, "all", &r->all);
	return o;
}
