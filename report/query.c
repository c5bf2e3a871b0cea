/* Numbers of a report by their place in its JSON: see query.h. */
#include "report/query.h"

#include <cjson/cJSON.h>

struct ResultQuery {
	cJSON *root;
	const char *file;
};

ResultQuery *result_query_new(const Result *r)
{
	ResultQuery *q = xcalloc(1, sizeof *q);
	q->root = report_object(r);
	q->file = r->file;
	return q;
}

ResultQuery *result_query_text(const char *json, const char *file)
{
	ResultQuery *q = xcalloc(1, sizeof *q);
	q->root = cJSON_Parse(json);
	q->file = file;
	if (q->root)
		return q;
	free(q);
	return NULL;
}

void result_query_free(ResultQuery *q)
{
	if (!q)
		return;
	cJSON_Delete(q->root);
	free(q);
}

/* cJSON keeps numbers that were written as text for itself as text (json_kit.c). */
static bool take(const cJSON *item, ResultValue *out)
{
	char *end;
	if (cJSON_IsRaw(item)) {
		out->number = strtod(item->valuestring, &end);
		return end != item->valuestring && !*end;
	}
	out->number = cJSON_IsNumber(item) ? item->valuedouble : cJSON_IsTrue(item);
	out->text = cJSON_IsString(item) ? item->valuestring : NULL;
	return cJSON_IsNumber(item) || cJSON_IsString(item) || cJSON_IsBool(item);
}

static bool sum_lines(const ResultQuery *q, const char *path, ResultValue *out)
{
	unsigned from, to;
	int n = 0;
	if (sscanf(path, "lines[%u-%u]%n", &from, &to, &n) != 2 || !n) {
		if (sscanf(path, "lines[%u]%n", &from, &n) != 1 || !n)
			return false;
		to = from;
	}
	if (path[n] != '.')
		return false;
	bool any = false;
	const cJSON *row;
	double sum = 0;
	cJSON_ArrayForEach(row, cJSON_GetObjectItem(q->root, "lines")) {
		ResultValue file, line, v = {0};
		bool here = take(cJSON_GetObjectItem(row, "file"), &file) && file.text && !strcmp(file.text, q->file) &&
		            take(cJSON_GetObjectItem(row, "line"), &line) && line.number >= from && line.number <= to;
		if (!here || !take(cJSON_GetObjectItem(row, path + n + 1), &v) || v.text)
			continue;
		sum += v.number;
		any = true;
	}
	*out = (ResultValue){.number = sum};
	return any;
}

/* NULL: there is none. */
static const cJSON *find(const ResultQuery *q, const char *path)
{
	const cJSON *at = q->root;
	char key[64];
	while (at && *path) {
		size_t n = strcspn(path, ".");
		u64 index;
		if (n >= sizeof key)
			return NULL;
		memcpy(key, path, n);
		key[n] = 0;
		if (!cJSON_IsArray(at))
			at = cJSON_GetObjectItemCaseSensitive(at, key);
		else
			at = parse_u64(key, &index) && index < INT32_MAX ? cJSON_GetArrayItem(at, (int)index) : NULL;
		path += n + (path[n] == '.');
	}
	return at;
}

bool result_query(const ResultQuery *q, const char *path, ResultValue *out)
{
	*out = (ResultValue){0};
	if (!strncmp(path, "lines[", 6))
		return q->file && sum_lines(q, path, out);
	const cJSON *at = find(q, path);
	return at && take(at, out);
}

u32 result_query_length(const ResultQuery *q, const char *path)
{
	const cJSON *at = find(q, path);
	return cJSON_IsArray(at) || cJSON_IsObject(at) ? (u32)cJSON_GetArraySize(at) : 0;
}
