/* Numbers and text for cJSON, shared by the formats that are JSON. */
#ifndef WAVESIM_REPORT_JSON_KIT_H
#define WAVESIM_REPORT_JSON_KIT_H

#include "isa/base.h"

#include <cjson/cJSON.h>

void json_int(cJSON *o, const char *key, u64 v);
void json_ratio(cJSON *o, const char *key, double v);
/* null when s is NULL; bytes that are no UTF-8 become U+FFFD. */
void json_text(cJSON *o, const char *key, const char *s);
void json_3(cJSON *o, const char *key, const u64 v[3]);
/* n bytes as valid UTF-8; free(). */
char *json_clean(const char *s, size_t n);
/* Print the whole and release it. */
void json_finish(cJSON *root, Buf *out);

#endif
