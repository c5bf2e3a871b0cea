/* Numbers and text for cJSON.
 *
 * Integers are written in full, ratios with as many digits as give the same double
 * back; both as text that cJSON takes over, because its own numbers are doubles. */
#include "report/json_kit.h"

#include <inttypes.h>
#include <stdio.h>

void json_int(cJSON *o, const char *key, u64 v)
{
	char s[32];
	snprintf(s, sizeof s, "%" PRIu64, v);
	cJSON_AddRawToObject(o, key, s);
}

void json_ratio(cJSON *o, const char *key, double v)
{
	char s[64];
	for (int digits = 6; digits <= 17; digits++) {
		snprintf(s, sizeof s, "%.*g", digits, v);
		if (strtod(s, NULL) == v)
			break;
	}
	cJSON_AddRawToObject(o, key, s);
}

/* cJSON writes bytes as they are, and a kernel may print anything. */
char *json_clean(const char *s, size_t n)
{
	Buf b = {0};
	buf_write(&b, "", 0);
	for (size_t i = 0; i < n;) {
		u8 c = (u8)s[i];
		u32 more = c < 0x80 ? 0 : c >= 0xC2 && c < 0xE0 ? 1 : c >= 0xE0 && c < 0xF0 ? 2
		         : c >= 0xF0 && c < 0xF5 ? 3 : 9;
		bool ok = more < 9 && c && i + more < n;
		for (u32 k = 1; ok && k <= more; k++)
			ok = ((u8)s[i + k] & 0xC0) == 0x80;
		if (ok)
			buf_write(&b, s + i, more + 1);
		else
			buf_write(&b, "\xEF\xBF\xBD", 3);
		i += ok ? more + 1 : 1;
	}
	return b.v;
}

void json_text(cJSON *o, const char *key, const char *s)
{
	if (!s) {
		cJSON_AddNullToObject(o, key);
		return;
	}
	char *clean = json_clean(s, strlen(s));
	cJSON_AddStringToObject(o, key, clean);
	free(clean);
}

void json_3(cJSON *o, const char *key, const u64 v[3])
{
	char s[80];
	snprintf(s, sizeof s, "[%" PRIu64 ", %" PRIu64 ", %" PRIu64 "]", v[0], v[1], v[2]);
	cJSON_AddRawToObject(o, key, s);
}

void json_finish(cJSON *root, Buf *out)
{
	char *text = cJSON_Print(root);
	buf_printf(out, "%s\n", text);
	free(text);
	cJSON_Delete(root);
}
