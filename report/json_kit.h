/* Numbers and text for cJSON, shared by the formats that are JSON. */
#ifndef WAVESIM_REPORT_JSON_KIT_H
#define WAVESIM_REPORT_JSON_KIT_H

#include "base/reserve.h"

#include <cjson/cJSON.h>

/* cJSON returns NULL when memory runs out, and leaves out what it was told. Nothing is left out unnoticed: */
static inline cJSON *json_made(cJSON *o)
{
	if (UNLIKELY(!o))
		reserve_missed();
	return o;
}
/* … but for members of no object, which are none (json_object). */
static inline cJSON *json_member(const cJSON *of, cJSON *o) { return of ? json_made(o) : o; }
static inline cJSON *json_add_null(cJSON *o, const char *key)
{
	return json_member(o, cJSON_AddNullToObject(o, key));
}
static inline cJSON *json_add_bool(cJSON *o, const char *key, cJSON_bool v)
{
	return json_member(o, cJSON_AddBoolToObject(o, key, v));
}
static inline cJSON *json_add_string(cJSON *o, const char *key, const char *text)
{
	return json_member(o, cJSON_AddStringToObject(o, key, text));
}
static inline cJSON *json_add_raw(cJSON *o, const char *key, const char *text)
{
	return json_member(o, cJSON_AddRawToObject(o, key, text));
}
static inline cJSON *json_add_object(cJSON *o, const char *key)
{
	return json_member(o, cJSON_AddObjectToObject(o, key));
}
static inline cJSON *json_add_array(cJSON *o, const char *key)
{
	return json_member(o, cJSON_AddArrayToObject(o, key));
}
static inline cJSON_bool json_add_item(cJSON *o, const char *key, cJSON *item)
{
	cJSON_bool added = cJSON_AddItemToObject(o, key, item);
	if (UNLIKELY(!added && o && item))
		reserve_missed();
	return added;
}
static inline char *json_printed(char *text)
{
	if (UNLIKELY(!text))
		reserve_missed();
	return text ? text : xstrdup("null");
}
#define cJSON_Print(o) json_printed(cJSON_Print(o))
#define cJSON_PrintUnformatted(o) json_printed(cJSON_PrintUnformatted(o))
#define cJSON_CreateObject() json_made(cJSON_CreateObject())
#define cJSON_CreateArray() json_made(cJSON_CreateArray())
#define cJSON_CreateNull() json_made(cJSON_CreateNull())
#define cJSON_CreateRaw(text) json_made(cJSON_CreateRaw(text))
#define cJSON_CreateString(text) json_made(cJSON_CreateString(text))
#define cJSON_CreateNumber(number) json_made(cJSON_CreateNumber(number))
#define cJSON_CreateStringArray(v, n) json_made(cJSON_CreateStringArray(v, n))
#define cJSON_AddNullToObject(o, key) json_add_null(o, key)
#define cJSON_AddBoolToObject(o, key, v) json_add_bool(o, key, v)
#define cJSON_AddStringToObject(o, key, text) json_add_string(o, key, text)
#define cJSON_AddRawToObject(o, key, text) json_add_raw(o, key, text)
#define cJSON_AddObjectToObject(o, key) json_add_object(o, key)
#define cJSON_AddArrayToObject(o, key) json_add_array(o, key)
#define cJSON_AddItemToObject(o, key, item) json_add_item(o, key, item)

void json_int(cJSON *o, const char *key, u64 v);
void json_ratio(cJSON *o, const char *key, double v); /* null when it is no number */
/* Wavefronts that fit: whole numbers or simple fractions. */
void json_waves(cJSON *o, const char *key, double v);
/* null when s is NULL; bytes that are no UTF-8 become U+FFFD. */
void json_text(cJSON *o, const char *key, const char *s);
/* A list of them. */
void json_strings(cJSON *o, const char *key, const char *const *text, u32 n);
/* A new object at the end of the list. */
cJSON *json_row(cJSON *list);
/* A value as it is printed. */
void json_raw(cJSON *o, const char *key, const char *fmt, ...) PRINTF_LIKE(3, 4);
void json_3(cJSON *o, const char *key, const u64 v[3]);
void json_bool(cJSON *o, const char *key, bool v);
/* A new object under the key where there is something to say, else null there, and NULL. */
cJSON *json_object(cJSON *o, const char *key, bool there);
/* Members of a structure under their own names, each by its type, in this order; up to twelve. */
#define JSON(o, of, ...) \
	JSON_N_(__VA_ARGS__, JSON_12_, JSON_11_, JSON_10_, JSON_9_, JSON_8_, JSON_7_, JSON_6_, JSON_5_, JSON_4_, \
	        JSON_3_, JSON_2_, JSON_1_, 0)(o, of, __VA_ARGS__)
#define JSON_N_(a, b, c, d, e, f, g, h, i, j, k, l, which, ...) which
#define JSON_1_(o, of, x) \
	_Generic((of).x, bool: json_bool, double: json_ratio, const char *: json_text, char *: json_text, \
	         const u64 *: json_3, u64 *: json_3, default: json_int)((o), #x, (of).x)
#define JSON_2_(o, of, x, ...) JSON_1_(o, of, x), JSON_1_(o, of, __VA_ARGS__)
#define JSON_3_(o, of, x, ...) JSON_1_(o, of, x), JSON_2_(o, of, __VA_ARGS__)
#define JSON_4_(o, of, x, ...) JSON_1_(o, of, x), JSON_3_(o, of, __VA_ARGS__)
#define JSON_5_(o, of, x, ...) JSON_1_(o, of, x), JSON_4_(o, of, __VA_ARGS__)
#define JSON_6_(o, of, x, ...) JSON_1_(o, of, x), JSON_5_(o, of, __VA_ARGS__)
#define JSON_7_(o, of, x, ...) JSON_1_(o, of, x), JSON_6_(o, of, __VA_ARGS__)
#define JSON_8_(o, of, x, ...) JSON_1_(o, of, x), JSON_7_(o, of, __VA_ARGS__)
#define JSON_9_(o, of, x, ...) JSON_1_(o, of, x), JSON_8_(o, of, __VA_ARGS__)
#define JSON_10_(o, of, x, ...) JSON_1_(o, of, x), JSON_9_(o, of, __VA_ARGS__)
#define JSON_11_(o, of, x, ...) JSON_1_(o, of, x), JSON_10_(o, of, __VA_ARGS__)
#define JSON_12_(o, of, x, ...) JSON_1_(o, of, x), JSON_11_(o, of, __VA_ARGS__)
/* Print the whole and release it; compact: on one line. */
void json_put(cJSON *root, bool compact, Buf *out);
/* The same as a whole file. */
void json_finish(cJSON *root, Buf *out);

#endif
