/* See format.h. */
#include "isa/format.h"

static const char *take_digits(const char *f, char *out, u32 cap)
{
	u32 n = 0;
	while (*f >= '0' && *f <= '9') {
		if (n + 1 < cap)
			out[n++] = *f;
		f++;
	}
	out[n] = 0;
	return f;
}

bool format_spec(const char *f, FormatSpec *s)
{
	u32 n = 0;
	memset(s, 0, sizeof *s);
	s->vector = 1;
	while (*f && strchr("-+ #0", *f)) {
		if (n + 1 < sizeof s->flags && !strchr(s->flags, *f))
			s->flags[n++] = *f;
		f++;
	}
	f = take_digits(f, s->width, sizeof s->width);
	if (*f == '.') {
		s->precision[0] = '.';
		f = take_digits(f + 1, s->precision + 1, sizeof s->precision - 1);
	}
	if (*f == 'v') {
		u64 v = 0;
		char digits[4];
		f = take_digits(f + 1, digits, sizeof digits);
		if (!parse_u64(digits, &v) || v < 2 || v > 16)
			return false;
		s->vector = (u32)v;
	}
	n = 0;
	while (*f && strchr("hlLzjt", *f) && n < 2)
		s->length[n++] = *f++;
	if (!*f || !strchr("diouxXfFeEgGaAcsp", *f))
		return false;
	s->conv = *f;
	s->end = f + 1;
	return strlen(s->width) < 6 && strlen(s->precision) < 6;
}

bool format_is_float(const FormatSpec *s) { return strchr("fFeEgGaA", s->conv) != NULL; }
