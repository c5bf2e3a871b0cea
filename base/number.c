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

/* The unit of every time: the smallest, from one on, in which the number is below what its digits have room for. */
typedef enum { NS, US, MS, SECONDS } Unit;

static double in_unit(double us, Unit u, double below, const char **name)
{
	static const char *const names[] = {"ns", "us", "ms", "s"};
	static const double by[] = {1e-3, 1, 1e3, 1e6};
	double v = us / by[u];
	while (v >= below && u < SECONDS)
		v = us / by[++u];
	*name = names[u];
	return v;
}

void put_time(Buf *out, double us)
{
	const char *unit;
	double v = in_unit(us, NS, 999.5, &unit);
	buf_printf(out, "%.*f %s", v < 9.995 ? 2 : v < 99.95 ? 1 : 0, v, unit);
}

void put_time_wide(Buf *out, double us, int width)
{
	const char *unit;
	double v = in_unit(us, US, 999.995, &unit);
	buf_printf(out, "%*.2f %s", width, v, unit);
}

const char *time_words(char out[TIME_WORDS], double us)
{
	const char *unit;
	double v = in_unit(us, US, 9999.5, &unit);
	snprintf(out, TIME_WORDS, "%.4g %s", v, unit);
	return out;
}
