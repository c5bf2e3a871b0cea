/* A page: the files of report/html/ and one JSON value in one file. */
#include "report/html.h"

#include "report/json_kit.h"

void html_escape(const char *s, Buf *out)
{
	char *clean = utf8_clean(s ? s : "", s ? strlen(s) : 0);
	for (const char *p = clean; *p; p++) {
		if (*p == '<')
			buf_printf(out, "&lt;");
		else if (*p == '&')
			buf_printf(out, "&amp;");
		else if (*p == '"')
			buf_printf(out, "&quot;");
		else
			buf_write(out, p, 1);
	}
	free(clean);
}

/* The files whose names end in n bytes of end. */
static void put_files(const char *end, size_t n, Buf *out)
{
	for (u32 i = 0; i < html_ntexts; i++) {
		size_t k = strlen(html_texts[i].name);
		if (k >= n && !memcmp(html_texts[i].name + k - n, end, n))
			buf_write(out, html_texts[i].text, strlen(html_texts[i].text));
	}
}

/* JSON in a script element: `<` occurs only inside strings there, and nothing may end the element
 * or open a comment. */
static void put_data(const cJSON *data, Buf *out)
{
	char *text = cJSON_PrintUnformatted(data);
	const char *from = text;
	for (const char *p = text; *p; p++) {
		if (*p != '<')
			continue;
		buf_write(out, from, (size_t)(p - from));
		buf_printf(out, "\\u003c");
		from = p + 1;
	}
	buf_write(out, from, strlen(from));
	free(text);
}

/* page.tmpl has marks: @@title@@, @@data@@, and how the names of files end. */
void html_page(const char *title, cJSON *data, Buf *out)
{
	const char *p = "";
	for (u32 i = 0; i < html_ntexts; i++)
		if (!strcmp(html_texts[i].name, "page.tmpl"))
			p = html_texts[i].text;
	for (const char *mark; (mark = strstr(p, "@@")); ) {
		const char *end = strstr(mark + 2, "@@");
		if (!end)
			break;
		size_t n = (size_t)(end - mark) - 2;
		buf_write(out, p, (size_t)(mark - p));
		if (!strncmp(mark + 2, "title", n))
			html_escape(title, out);
		else if (!strncmp(mark + 2, "data", n))
			put_data(data, out);
		else
			put_files(mark + 2, n, out);
		p = end + 2;
	}
	buf_printf(out, "%s", p);
	cJSON_Delete(data);
}
