/* Numbers for people, in sentences and tables. */
#ifndef WAVESIM_NUMBER_H
#define WAVESIM_NUMBER_H

#include "base/base.h"

/* 1234567 as "1,234,567". */
void put_grouped(Buf *out, u64 v);
/* At most seven characters: 999999, then 1.234M, 12.34G. */
void put_short(Buf *out, u64 v);
/* Three digits, with the unit that fits: "4.47 us". */
void put_time(Buf *out, double us);
/* Four digits, of long times in ms: "4.472 us", "14.12 ms". Returns out. */
enum { TIME_WORDS = 32 };
const char *time_words(char out[TIME_WORDS], double us);

#endif
