/* Colours and numbers of the text report. */
#include "report/style.h"

#include <inttypes.h>
#include <stdio.h>

void paint(Buf *out, const SinkStyle *style, Paint p, const char *text)
{
	static const char *const codes[] = {
		[PAINT_NONE] = "",   [PAINT_BOLD] = "1",  [PAINT_DIM] = "2",
		[PAINT_GOOD] = "32", [PAINT_WARN] = "33", [PAINT_BAD] = "31",
	};
	if (style->colour && p != PAINT_NONE)
		buf_printf(out, "\033[%sm%s\033[0m", codes[p], text);
	else
		buf_printf(out, "%s", text);
}

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

void put_count(Buf *out, u64 n, const char *thing)
{
	put_grouped(out, n);
	buf_printf(out, " %s%s", thing, n == 1 ? "" : "s");
}

void put_source(Buf *out, const char *text, u32 n, u32 width)
{
	while (n && (text[n - 1] == ' ' || text[n - 1] == '\t'))
		n--;
	u32 column = 0;
	for (u32 i = 0; i < n; i++) {
		u8 c = (u8)text[i];
		bool starts = (c & 0xC0) != 0x80;
		u32 wide = c == '\t' ? 4 : starts;
		if (width && column + wide > width)
			return;
		column += wide;
		if (c == '\t')
			buf_printf(out, "    ");
		else if (c < 0x20 || c == 0x7F)
			buf_printf(out, "?");
		else
			buf_write(out, text + i, 1);
	}
}
