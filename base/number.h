/* Numbers for people, in sentences and tables. */
#ifndef WAVESIM_NUMBER_H
#define WAVESIM_NUMBER_H

#include "base/base.h"

/* 1234567 as "1,234,567". */
void put_grouped(Buf *out, u64 v);
/* At most seven characters: 999999, then 1.234M, 12.34G. */
void put_short(Buf *out, u64 v);
/* Times, each with the unit that fits. Three digits: "4.47 us", "176 ns". */
void put_time(Buf *out, double us);
/* For a column, two of them behind the point: "  4.47 us". */
void put_time_wide(Buf *out, double us, int width);
/* Four digits, in us or longer: "4.472 us", "0.1764 us", "14.12 ms". Returns out. */
enum { TIME_WORDS = 32 };
const char *time_words(char out[TIME_WORDS], double us);

#endif
