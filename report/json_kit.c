/* Numbers and text for cJSON.
 *
 * Whole numbers are written in full, also those in a double, others with as many digits as give the same double
 * back; both as text that cJSON takes over, because its own numbers are doubles. cJSON writes
 * the bytes of text as they are, and a kernel, a file's name or a value may hold any. */
#include "report/json_kit.h"

#include <math.h>

void json_raw(cJSON *o, const char *key, const char *fmt, ...)
{
	char s[80];
	va_list args;
	va_start(args, fmt);
	vsnprintf(s, sizeof s, fmt, args);
	va_end(args);
	cJSON_AddRawToObject(o, key, s);
}

void json_int(cJSON *o, const char *key, u64 v) { json_raw(o, key, "%" PRIu64, v); }
void json_waves(cJSON *o, const char *key, double v) { json_raw(o, key, "%.10g", v); }

void json_bool(cJSON *o, const char *key, bool v) { cJSON_AddBoolToObject(o, key, v); }

cJSON *json_object(cJSON *o, const char *key, bool there)
{
	return there ? cJSON_AddObjectToObject(o, key) : (cJSON_AddNullToObject(o, key), NULL);
}

void json_3(cJSON *o, const char *key, const u64 v[3])
{
	json_raw(o, key, "[%" PRIu64 ", %" PRIu64 ", %" PRIu64 "]", v[0], v[1], v[2]);
}

cJSON *json_row(cJSON *list)
{
	cJSON *o = cJSON_CreateObject();
	cJSON_AddItemToArray(list, o);
	return o;
}

void json_ratio(cJSON *o, const char *key, double v)
{
	char s[64] = "null";
	if (isfinite(v) && v == trunc(v) && fabs(v) < 0x1p53) {
		json_raw(o, key, "%.0f", v);
		return;
	}
	for (int digits = 6; isfinite(v) && digits <= 17; digits++) {
		snprintf(s, sizeof s, "%.*g", digits, v);
		if (strtod(s, NULL) == v)
			break;
	}
	cJSON_AddRawToObject(o, key, s);
}

void json_text(cJSON *o, const char *key, const char *s)
{
	if (!s) {
		cJSON_AddNullToObject(o, key);
		return;
	}
	char *clean = utf8_clean(s, strlen(s));
	cJSON_AddStringToObject(o, key, clean);
	free(clean);
}

void json_strings(cJSON *o, const char *key, const char *const *text, u32 n)
{
	cJSON *list = cJSON_AddArrayToObject(o, key);
	for (u32 i = 0; i < n; i++) {
		char *clean = text[i] ? utf8_clean(text[i], strlen(text[i])) : NULL;
		cJSON_AddItemToArray(list, clean ? cJSON_CreateString(clean) : cJSON_CreateNull());
		free(clean);
	}
}

void json_put(cJSON *root, bool compact, Buf *out)
{
	char *text = compact ? cJSON_PrintUnformatted(root) : cJSON_Print(root);
	buf_printf(out, "%s", text);
	free(text);
	cJSON_Delete(root);
}

void json_finish(cJSON *root, Buf *out)
{
	json_put(root, false, out);
	buf_printf(out, "\n");
}
