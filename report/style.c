/* Colours and lines of the text report. */
#include "report/style.h"

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

void put_number_list(Buf *out, const char *text, const u64 *v, u32 n)
{
	u32 used = 0;
	for (const char *c = text; *c; c++) {
		if (*c == '#' && used < n)
			put_grouped(out, v[used++]);
		else if (*c == '~' && used)
			buf_printf(out, "%s", v[used - 1] == 1 ? "" : "s");
		else
			buf_write(out, c, 1);
	}
	buf_printf(out, "%s", "");
}

void put_row(Buf *out, const SinkStyle *style, const char *name)
{
	buf_printf(out, "  ");
	if (*name)
		paint(out, style, PAINT_BOLD, name);
	buf_printf(out, "%*s", ROW_INDENT - 2 - (int)strlen(name), "");
}

void put_text_row(Buf *out, const SinkStyle *style, const char *name, const char *fmt, ...)
{
	va_list ap;
	put_row(out, style, name);
	va_start(ap, fmt);
	buf_vprintf(out, fmt, ap);
	va_end(ap);
}

/* Bytes of the escape sequence that text starts with, or 0. */
static u32 escape_bytes(const char *text, u32 n)
{
	if (n < 2 || text[0] != '\033' || text[1] != '[')
		return 0;
	u32 k = 2;
	while (k < n && !(text[k] >= '@' && text[k] <= '~'))
		k++;
	return k < n ? k + 1 : n;
}

u32 text_columns(const char *text, u32 n)
{
	u32 columns = 0;
	for (u32 i = 0, skip; i < n; i += skip ? skip : 1) {
		skip = escape_bytes(text + i, n - i);
		columns += !skip && ((u8)text[i] & 0xC0) != 0x80;
	}
	return columns;
}

/* How many of n bytes to put on a line of so many columns: up to the last blank that fits, or the
 * first one when none does. Blanks before column `from` are no place to break. */
static u32 fitting(const char *text, u32 n, u32 columns, u32 from)
{
	u32 used = 0, blank = 0;
	for (u32 i = 0, skip; i < n; i += skip ? skip : 1) {
		skip = escape_bytes(text + i, n - i);
		if (!skip && text[i] == ' ' && i && used >= from)
			blank = i;
		used += !skip && ((u8)text[i] & 0xC0) != 0x80;
		if (used > columns && blank)
			return blank;
	}
	return n;
}

static void wrap_line(Buf *out, u32 width, const char *line, u32 n, u32 indent)
{
	u32 room = width, from = indent;
	for (u32 at = 0; at < n;) {
		u32 k = fitting(line + at, n - at, room, from);
		buf_write(out, line + at, k);
		at += k;
		while (at < n && line[at] == ' ')
			at++;
		if (at < n)
			buf_printf(out, "\n%*s", (int)indent, "");
		room = width > indent + 8 ? width - indent : 8;
		from = 0;
	}
}

void put_wrapped(Buf *out, const SinkStyle *style, const char *text, u32 indent)
{
	if (!style->width) {
		buf_printf(out, "%s", text);
		return;
	}
	while (*text) {
		u32 n = (u32)strcspn(text, "\n");
		wrap_line(out, style->width, text, n, indent);
		text += n;
		if (*text) {
			buf_printf(out, "\n");
			text++;
		}
	}
}

void put_source(Buf *out, const char *text, u32 n, u32 width)
{
	while (n && (text[n - 1] == ' ' || text[n - 1] == '\t'))
		n--;
	u32 column = 0;
	for (u32 i = 0, k; i < n; i += k) {
		u32 control = control_at(text + i, n - i);
		bool tab = text[i] == '\t', starts = ((u8)text[i] & 0xC0) != 0x80;
		k = control ? control : 1;
		u32 wide = tab ? 4 : starts;
		if (width && column + wide > width)
			return;
		column += wide;
		if (tab)
			buf_printf(out, "    ");
		else
			buf_write(out, control ? "?" : text + i, 1);
	}
}
