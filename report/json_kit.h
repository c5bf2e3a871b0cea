/* Numbers and text for cJSON, shared by the formats that are JSON. */
#ifndef WAVESIM_REPORT_JSON_KIT_H
#define WAVESIM_REPORT_JSON_KIT_H

#include "base/base.h"

#include <cjson/cJSON.h>

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
/* Print the whole and release it. */
void json_finish(cJSON *root, Buf *out);
/* The same on one line, without line feed. */
void json_compact(cJSON *root, Buf *out);

#endif
