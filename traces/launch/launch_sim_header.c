/* The header of an argument in a .sim file: <size=64 float fill=0 dump>.
 *
 * Its words come in any order; it ends at the last > of its line. Which words are
 * allowed depends on the kernel's argument. */
#include "traces/launch/launch_sim.h"

Loc launch_sim_here(const SimReader *s, const char *p)
{
	Loc loc = s->at;
	loc.col = (u32)(p - s->line_start) + 1;
	return loc;
}

bool launch_sim_skip(SimReader *s)
{
	for (;;) {
		s->p += strspn(s->p, " \t\r\v\f");
		if (*s->p == '#')
			s->p += strcspn(s->p, "\n");
		if (*s->p != '\n')
			return *s->p != 0;
		s->p++;
		s->at.line++;
		s->line_start = s->p;
	}
}

typedef enum { NO_TYPE, TYPE_TAKEN, TYPE_WRONG } TypeWord;

static TypeWord header_type(SimReader *s, SimHeader *h, const char *w, Loc loc)
{
	ElemShape shape;
	if (!launch_type_shape(w, strlen(w), &shape) || shape.width != 1 || !strcmp(w, "half"))
		return NO_TYPE;
	if (h->typed) {
		launch_sim_bad(s, loc, "a second type, '%s'", w);
		return TYPE_WRONG;
	}
	h->typed = true;
	h->type = shape;
	return TYPE_TAKEN;
}

static bool header_size(SimReader *s, SimHeader *h, const char *w, Loc loc)
{
	if (w[4] != '=')
		return launch_sim_bad(s, loc, "'=' expected after 'size'");
	if (w[5 + strspn(w + 5, "0123456789")] || !parse_u64(w + 5, &h->size))
		return launch_sim_bad(s, loc, "size wants a whole number of bytes, not '%s'",
				      w + 5);
	if (h->size > (u64)1 << SEG_SHIFT)
		return launch_sim_bad(s, loc, "%s bytes are more than a buffer can hold (1 TiB)",
				      w + 5);
	h->has_size = true;
	return true;
}

static bool unknown_word(SimReader *s, const char *w, Loc loc)
{
	static const char *const words[] = {
	    "size",  "fill",  "range",  "dump", "hex",  "noinit", "null",  "ro",    "wo",    "char",
	    "uchar", "short", "ushort", "int",  "uint", "long",   "ulong", "float", "double"};
	launch_sim_bad(s, loc, "'%s' is not known in a header", w);
	diag_near(s->d, "'", arena_strndup(s->l->arena, w, strcspn(w, "=")), words, COUNT(words));
	return false;
}

static bool header_word(SimReader *s, SimHeader *h, const char *w, Loc loc)
{
	bool buffer = s->k->kind == ARG_GLOBAL || s->k->kind == ARG_CONSTANT;
	TypeWord type = header_type(s, h, w, loc);
	if (type != NO_TYPE)
		return type == TYPE_TAKEN;
	if (!strncmp(w, "size", 4))
		return header_size(s, h, w, loc);
	if (!strncmp(w, "dump", 4)) {
		h->dump = true;
		return buffer || launch_sim_bad(s, loc, "'dump' is only for buffers");
	}
	if (!strncmp(w, "fill", 4)) {
		h->fill = w + 5;
		h->fill_loc = loc, h->fill_loc.col += 5;
		return (w[4] == '=' && w[5]) || launch_sim_bad(s, loc, "fill wants =VALUE");
	}
	if (!strncmp(w, "range", 5)) {
		h->range = w + 6;
		h->range_loc = loc, h->range_loc.col += 6;
		return (w[5] == '=' && w[6]) ||
		       launch_sim_bad(s, loc, "range wants =FIRST:STEP:LAST");
	}
	if (!strcmp(w, "hex"))
		return h->hex = true;
	if (!strcmp(w, "noinit") || !strcmp(w, "null")) {
		*(w[1] == 'o' ? &h->noinit : &h->null) = true;
		return buffer || launch_sim_bad(s, loc, "'%s' is only for buffers", w);
	}
	if (!strcmp(w, "ro") || !strcmp(w, "wo")) {
		*(*w == 'r' ? &h->ro : &h->wo) = true;
		if (h->ro && h->wo)
			return launch_sim_bad(s, loc, "'ro' and 'wo' exclude each other");
		return s->k->kind == ARG_GLOBAL ||
		       launch_sim_bad(s, loc, "'%s' is only for global buffers", w);
	}
	return unknown_word(s, w, loc);
}

/* <…>, which ends at the last > of its line. */
static bool read_header(SimReader *s, SimHeader *h)
{
	*h = (SimHeader){0};
	if (!launch_sim_skip(s))
		return launch_sim_bad(s, launch_sim_here(s, s->p),
				      "the file ends where the header <…> is expected");
	h->loc = launch_sim_here(s, s->p);
	if (*s->p != '<')
		return launch_sim_bad(s, h->loc, "a header <…> expected, not '%.*s'",
				      (int)strcspn(s->p, " \t\r\n#"), s->p);
	size_t line = strcspn(s->p, "\n#"), n = line;
	while (n && s->p[n - 1] != '>')
		n--;
	if (!n)
		return launch_sim_bad(s, h->loc, "the header has no '>' at its end");
	const char *p = s->p + 1, *end = s->p + n - 1;
	for (;;) {
		while (p < end && strchr(" \t\r\v\f", *p))
			p++;
		const char *start = p;
		while (p < end && !strchr(" \t\r\v\f", *p))
			p++;
		if (p == start)
			break;
		char *w = arena_strndup(s->l->arena, start, (size_t)(p - start));
		if (!header_word(s, h, w, launch_sim_here(s, start)))
			return false;
	}
	s->p = end + 1;
	return true;
}

/* The kernel's own type, where the header names none. */
static bool default_type(SimReader *s, SimHeader *h)
{
	static const char *const names[] = {"char", "uchar", "short", "ushort", "int",
					    "uint", "long",  "ulong", "float",  "double"};
	if (h->typed || s->k->kind == ARG_LOCAL || h->null)
		return true;
	for (u32 i = 0; i < COUNT(names); i++)
		if (!strncmp(s->k->type_name, names[i], strlen(names[i])))
			return launch_type_shape(names[i], strlen(names[i]), &h->type);
	if (!strncmp(s->k->type_name, "void*", 5))
		return launch_type_shape("uchar", 5, &h->type);
	launch_sim_bad(s, h->loc, "the header must name a type for the data of this argument");
	return diag_hint(s->d, "for example <size=%llu char>", (unsigned long long)h->size);
}

static bool check_header(SimReader *s, SimHeader *h)
{
	if (h->null) {
		if (h->has_size || h->fill || h->range || h->noinit || h->dump)
			return launch_sim_bad(s, h->loc, "'null' goes with nothing else");
		return true;
	}
	if (!h->has_size)
		return launch_sim_bad(s, h->loc, "the header names no size");
	if (!default_type(s, h))
		return false;
	if (h->type.stride && h->size % h->type.stride)
		return launch_sim_bad(s, h->loc, "%llu bytes are no whole number of %s",
				      (unsigned long long)h->size, launch_type_name(&h->type));
	if (h->noinit + (h->fill != NULL) + (h->range != NULL) > 1)
		return launch_sim_bad(s, h->loc, "fill, range and noinit exclude each other");
	return true;
}

bool launch_sim_header(SimReader *s, SimHeader *h) { return read_header(s, h) && check_header(s, h); }
