/* The report as a page (html.h): the whole of the JSON report, the sources, words for its names,
 * and what single wavefronts did. Bounded, whatever the launch and the kernel print. */
#include "report/html.h"

#include "report/json_kit.h"

enum { MOST_SOURCE = 512 * 1024, MOST_TEXT = 64 * 1024, NEAR = 4 };

/* Lines near those that ran, of a source that is too long. */
static void put_near(cJSON *o, const Result *r, u32 file)
{
	cJSON *list = cJSON_AddArrayToObject(o, "near");
	u32 next = 1, bytes = 0;
	for (u32 i = 0; i < r->nlines; i++) {
		u32 line = r->lines[i].line, n;
		if (!line || r->lines[i].file != file)
			continue;
		u32 from = line > NEAR + next ? line - NEAR : next;
		for (next = from; next <= line + NEAR && bytes < MOST_SOURCE; next++) {
			const char *text = result_source_line(&r->sources[file], next, &n);
			if (!text)
				break;
			bytes += n;
			cJSON *row = cJSON_CreateArray();
			cJSON_AddItemToArray(list, row);
			cJSON_AddItemToArray(row, cJSON_CreateNumber(next));
			char *clean = utf8_clean(text, n);
			cJSON_AddItemToArray(row, cJSON_CreateString(clean));
			free(clean);
		}
	}
}

static void put_sources(cJSON *root, const Result *r)
{
	cJSON *list = cJSON_AddArrayToObject(root, "sources");
	for (u32 i = 0; i < r->nsources; i++) {
		cJSON *o = json_row(list);
		const char *text = r->sources[i].text;
		bool small = text && strlen(text) <= MOST_SOURCE;
		json_text(o, "name", r->sources[i].name);
		json_text(o, "text", small ? text : NULL);
		if (text && !small)
			put_near(o, r, i);
	}
}

static void put_cut(cJSON *root, const char *key, const char *text, u64 n)
{
	u64 shown = n < MOST_TEXT ? n : MOST_TEXT;
	if (!n)
		return;
	cJSON *o = cJSON_AddObjectToObject(root, key);
	char *clean = utf8_clean(text, shown);
	cJSON_AddStringToObject(o, "text", clean);
	json_int(o, "left_out", n - shown);
	free(clean);
}

static void put_words(cJSON *root, const char *key, const char *const *name, const char *const *doc, u32 n)
{
	cJSON *o = cJSON_AddObjectToObject(root, key);
	for (u32 i = 0; i < n; i++)
		cJSON_AddStringToObject(o, name[i], doc[i]);
}

void html_docs(cJSON *root)
{
	cJSON *docs = cJSON_AddObjectToObject(root, "docs");
	put_words(docs, "parts", time_part_name, time_part_doc, PART_COUNT);
	put_words(docs, "bounds", time_bound_name, time_bound_doc, BOUND_COUNT);
	put_words(docs, "units", busy_unit_name, busy_unit_doc, BUSY_COUNT);
	put_words(docs, "doubts", time_doubt_name, time_doubt_doc, DOUBT_COUNT);
	put_words(docs, "what_if", what_if_name, what_if_doc, IF_COUNT);
	put_words(docs, "limiters", occ_limiter_name, occ_limiter_doc, OCC_LIMITER_COUNT);
	put_words(docs, "classes", machine_class_name, machine_class_doc, MC_COUNT);
	put_words(docs, "spills", machine_spill_name, machine_spill_doc, SPILL_COUNT);
	put_words(docs, "levels", memory_level_name, memory_level_doc, LEVEL_COUNT);
	put_words(docs, "reference", ref_status_name, ref_status_doc, REF_STATUS_COUNT);
	put_words(docs, "reference_sources", ref_source_name, ref_source_doc, REF_SOURCE_COUNT);
	cJSON *counters = cJSON_AddObjectToObject(docs, "counters");
	for (const Counter *c = shown_counters; c->name; c++)
		cJSON_AddStringToObject(counters, c->name, c->doc);
}

static void put_raw(cJSON *root, const char *key, Buf *text)
{
	cJSON_AddRawToObject(root, key, text->v);
	array_free(text);
}

/* What a page shows of a launch: the report, its sources, what single wavefronts did. */
static cJSON *html_launch(const Result *r)
{
	cJSON *root = cJSON_CreateObject(), *report = report_object(r);
	cJSON_AddStringToObject(root, "page", "launch");
	json_text(root, "device_title", r->device_title);
	/* These may be long, and are cut. */
	cJSON_DeleteItemFromObject(report, "printf");
	cJSON_DeleteItemFromObject(report, "dumps");
	cJSON_AddItemToObject(root, "report", report);
	put_sources(root, r);
	put_cut(root, "printf", r->printed, r->printed_bytes);
	put_cut(root, "dumps", r->dumped, r->dumped ? strlen(r->dumped) : 0);
	html_docs(root);
	Buf text = {0}, time = {0};
	if (r->detail.has) {
		html_detail(&r->detail, &text);
		put_raw(root, "detail", &text);
	}
	if (r->timeline.lives.n) {
		html_timeline(r, &time);
		put_raw(root, "timeline", &time);
	}
	return root;
}

void sink_html(const Result *r, const SinkStyle *style, Buf *out)
{
	(void)style;
	char *title = arena_printf(r->arena, "%s: %s on %s", r->file, r->kernel, r->device);
	html_page(title, html_launch(r), out);
}
