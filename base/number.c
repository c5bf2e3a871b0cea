/* Numbers for people: see number.h. */
#include "base/number.h"

void put_grouped(Buf *out, u64 v)
{
	char digits[32];
	int n = snprintf(digits, sizeof digits, "%" PRIu64, v);
	for (int i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			buf_printf(out, ",");
		buf_printf(out, "%c", digits[i]);
	}
}

void put_short(Buf *out, u64 v)
{
	static const char unit[] = "MGTPE";
	if (v < 1000000) {
		buf_printf(out, "%" PRIu64, v);
		return;
	}
	double x = (double)v / 1e6;
	u32 u = 0;
	while (x >= 999.5 && unit[u + 1]) {
		x /= 1000;
		u++;
	}
	buf_printf(out, "%.*f%c", x < 9.9995 ? 3 : x < 99.995 ? 2 : 1, x, unit[u]);
}

void put_time(Buf *out, double us)
{
	double v = us < 1 ? us * 1000 : us < 1000 ? us : us < 1e6 ? us / 1000 : us / 1e6;
	const char *unit = us < 1 ? "ns" : us < 1000 ? "us" : us < 1e6 ? "ms" : "s";
	buf_printf(out, "%.*f %s", v < 10 ? 2 : v < 100 ? 1 : 0, v, unit);
}

const char *time_words(char out[TIME_WORDS], double us)
{
	double v = us < 9999.5 ? us : us < 9999.5e3 ? us / 1e3 : us / 1e6;
	const char *unit = us < 9999.5 ? "us" : us < 9999.5e3 ? "ms" : "s";
	snprintf(out, TIME_WORDS, "%.4g %s", v, unit);
	return out;
}
