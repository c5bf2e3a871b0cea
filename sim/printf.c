/* The kernel's printf, and its assertions.
 * Lanes print together here, but OpenCL implementations on
 * a CPU run one work-item after the other between barriers, and that is the order
 * users know: records are kept per group and put out by barrier, work-item, time. */
#include "sim/memory.h"

#include "isa/format.h"

#include <math.h>
#include <stdio.h>

static double as_double(Type t, u64 bits)
{
	double d;
	if (t == T_f32) {
		u32 low = (u32)bits;
		float f;
		memcpy(&f, &low, 4);
		return f;
	}
	memcpy(&d, &bits, 8);
	return d;
}

/* One argument, as a format that libc knows. */
static void print_as(Buf *out, const char *flags, const FormatSpec *s, const char *length, int conv, ...)
{
	char format[48];
	va_list ap;
	snprintf(format, sizeof format, "%%%s%s%s%s%c", flags, s->width, s->precision, length, conv);
	va_start(ap, conv);
	buf_vprintf(out, format, ap);
	va_end(ap);
}

static void print_int(Buf *out, const FormatSpec *s, Type t, u64 bits)
{
	u32 bytes = type_bytes[t] < 8 ? type_bytes[t] : 8;
	if (!strncmp(s->length, "hh", 2))
		bytes = 1;
	else if (s->length[0] == 'h' && s->length[1] != 'l')
		bytes = 2;
	u32 shift = 64 - bytes * 8;
	bool is_signed = s->conv == 'd' || s->conv == 'i';
	u64 v = is_signed ? (u64)((i64)(bits << shift) >> shift) : bits << shift >> shift;
	print_as(out, s->flags, s, "ll", s->conv, (unsigned long long)v);
}

static void print_float(Buf *out, const FormatSpec *s, Type t, u64 bits)
{
	double d = as_double(t, bits);
	print_as(out, s->flags, s, "", s->conv, isnan(d) ? (double)NAN : d); /* the sign of a NaN says nothing */
}

/* Text with the flags and width of the conversion. */
static void print_padded(Buf *out, const FormatSpec *s, const char *text)
{
	print_as(out, strchr(s->flags, '-') ? "-" : "", s, "", 's', text);
}

/* A string of the kernel: read byte by byte until its end. */
static void print_string(Wave *w, Buf *out, const FormatSpec *s, u32 space, u64 address, u32 ins, u32 lane)
{
	Buf text = {0};
	buf_write(&text, "", 0);
	for (u32 i = 0; i < 4096 && address; i++) {
		Place p;
		char c;
		if (!place_find(w, space, address + i, 1, false, ins, lane, &p))
			break;
		place_read(w, &p, lane, &c, 1);
		if (!c)
			break;
		buf_write(&text, &c, 1);
	}
	print_padded(out, s, address ? text.v : "(null)");
	array_free(&text);
}

static bool fits(const FormatSpec *s, Type t)
{
	bool is_float = t == T_f32 || t == T_f64;
	return is_float == format_is_float(s);
}

static void print_one(Wave *w, Buf *out, const FormatSpec *s, const Operand *o, u32 ins, u32 lane)
{
	u64 bits = sys_operand(w, o, lane);
	if (s->conv == 's')
		print_string(w, out, s, type_bytes[o->type] == 8 ? SPACE_FLAT : SPACE_LDS, bits, ins, lane);
	else if (s->conv == 'c')
		print_padded(out, s, (char[2]){(char)bits, 0});
	else if (s->conv == 'p') {
		char text[24];
		snprintf(text, sizeof text, "0x%llx", (unsigned long long)bits);
		print_padded(out, s, text);
	}
	else if (format_is_float(s))
		print_float(out, s, o->type, bits);
	else
		print_int(out, s, o->type, bits);
}

/* The text of one lane; false when format and arguments do not agree. */
static bool print_lane(Wave *w, const Step *s, u32 lane, Buf *out)
{
	const Sys *sys = &w->code->sys.v[s->x];
	const char *f = w->code->p->formats.v[s->k];
	u32 next = 0;
	while (*f) {
		if (*f != '%') {
			size_t n = strcspn(f, "%");
			buf_write(out, f, n);
			f += n;
			continue;
		}
		if (f[1] == '%') {
			buf_write(out, "%", 1);
			f += 2;
			continue;
		}
		FormatSpec spec;
		if (!format_spec(f + 1, &spec))
			return false;
		for (u32 i = 0; i < spec.vector; i++) {
			if (next >= sys->nsrc || !fits(&spec, sys->src[next].type))
				return false;
			if (i)
				buf_write(out, ",", 1);
			print_one(w, out, &spec, &sys->src[next++], s->ins, lane);
		}
		f = spec.end;
	}
	return true;
}

const Step *step_printf(Wave *w, const Step *s)
{
	const Sys *sys = &w->code->sys.v[s->x];
	Group *g = w->group;
	for (Mask m = w->mask; m; m = mask_drop(m)) {
		u32 l = mask_lowest(m);
		Buf text = {0};
		buf_write(&text, "", 0);
		i32 result = 0;
		if (!print_lane(w, s, l, &text)) {
			finding_add(w, FINDING_bad_printf, s->ins, l);
			result = -1;
		}
		PrintRec rec = {.item = w->index * w->code->wave + l, .epoch = g->epoch, .seq = g->prints.n,
		                .text = text.v, .size = text.n};
		if (g->printed_bytes < most_printed(w->worker->m))
			array_push(&g->prints, rec);
		else
			array_free(&text);
		g->printed_bytes += rec.size;
		memcpy(w->r + s->d + (sys->dst_scalar[0] ? 0 : l * 4), &result, 4);
	}
	return s + 1;
}

const Step *step_failed(Wave *w, const Step *s)
{
	Finding *f = finding_add(w, FINDING_failed_assertion, s->ins, mask_lowest(w->mask));
	f->count += w->active - 1;
	if (!f->detail)
		f->detail = xstrdup(w->code->p->formats.v[s->k]);
	return s + 1;
}

FIELD_ORDER(by_turn, PrintRec, epoch, item, seq)

u64 print_flush(Group *g, u64 most, Buf *out)
{
	u64 kept = 0, all = g->printed_bytes;
	sort(g->prints.v, g->prints.n, sizeof(PrintRec), by_turn);
	for (u32 i = 0; i < g->prints.n; i++) {
		const PrintRec *p = &g->prints.v[i];
		u64 left = kept < most ? most - kept : 0;
		buf_write(out, p->text, p->size < left ? p->size : left);
		free(p->text);
		kept += p->size;
	}
	g->printed_bytes = 0;
	g->prints.n = 0;
	return all;
}
