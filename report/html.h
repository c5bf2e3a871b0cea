/* Pages for a browser: one file, nothing fetched.
 *
 * The page's own files are in report/html/ and are built into the program. A page is page.tmpl
 * with the style sheets, the scripts and one JSON value put in; the scripts draw what the JSON
 * says. Whatever comes from the user is in that value, or escaped in the title. */
#ifndef WAVESIM_REPORT_HTML_H
#define WAVESIM_REPORT_HTML_H

#include "report/report.h"

struct cJSON;

typedef struct HtmlText {
	const char *name, *text;
} HtmlText;
extern const HtmlText html_texts[]; /* of report/html/, by name */
extern const u32 html_ntexts;

/* s, or nothing where it is NULL, as text or between quotes of a page. */
void html_escape(const char *s, Buf *out);
/* `data` is released. data.page says which views there are: "launch", "sweep", "compare". */
void html_page(const char *title, struct cJSON *data, Buf *out);

/* What the names in it mean, as `docs`. */
void html_docs(struct cJSON *root);
/* Parts of it; compact, as text that cJSON takes over. */
void html_detail(const ResultDetail *d, Buf *out);
void html_timeline(const Result *r, Buf *out);

#endif
