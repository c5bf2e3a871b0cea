/* Random numbers, text, and the numbered pieces that the reducer removes. The random
 * numbers are splitmix64: integers only, so every platform draws the same. Two draws
 * never stand in one C expression whose order of evaluation is open. */
#include "tests/gen/gen.h"

#include <ctype.h>

u64 random_bits(Gen *g)
{
	u64 z = g->rng += 0x9e3779b97f4a7c15u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

u32 below(Gen *g, u32 n) { return n ? (u32)((random_bits(g) >> 32) * n >> 32) : 0; }

bool chance(Gen *g, u32 percent) { return below(g, 100) < percent; }

void put(Gen *g, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	buf_vprintf(g->b, fmt, ap);
	va_end(ap);
}

void put_indent(Gen *g)
{
	for (u32 i = 0; i < g->indent; i++)
		buf_write(g->b, "\t", 1);
}

void put_line(Gen *g, const char *fmt, ...)
{
	put_indent(g);
	va_list ap;
	va_start(ap, fmt);
	buf_vprintf(g->b, fmt, ap);
	va_end(ap);
	put(g, "\n");
}

void set_name(char name[NAME], const char *from)
{
	size_t n = strlen(from);
	n = n < NAME ? n : NAME - 1;
	memcpy(name, from, n);
	name[n] = 0;
}

void fresh_name(Gen *g, char name[NAME], const char *prefix)
{
	Buf b = {0};
	buf_printf(&b, "%s%u", prefix, g->next_name++);
	set_name(name, b.v);
	array_free(&b);
}

static bool word_char(char c) { return isalnum((unsigned char)c) || c == '_'; }

bool mentions(const char *text, const char *name)
{
	size_t n = strlen(name);
	for (const char *p = text; p && (p = strstr(p, name)); p += n)
		if ((p == text || !word_char(p[-1])) && !word_char(p[n]))
			return true;
	return false;
}

Node node_begin(Gen *g) { return (Node){g->next_id++, g->b->n, g->live.n}; }

/* The draws inside the piece have been made either way, so the rest of the program
 * does not depend on whether it stays. */
bool node_end(Gen *g, Node n, bool list)
{
	if (n.id < g->noff && g->off[n.id]) {
		g->b->n = n.start;
		if (g->b->v)
			g->b->v[n.start] = 0;
		g->live.n = n.live;
		return false;
	}
	if (list)
		array_push(&g->live, n.id);
	return true;
}
