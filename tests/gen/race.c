/* Racy programs (gen --races): work-items store to, load from and update places that other work-groups
 * use, too, after work of uneven length. OpenCL gives them no meaning, so no other implementation can be
 * asked; what wavesim makes of them must be the same with any number of threads
 * (threads.sh).
 *
 * Buffers are small and shared by everybody, indices depend on ids, on loop counters and on what was read
 * before. Pointers are kept in a buffer and followed, some accesses are out of bounds, some
 * loops have no end but for --max-instructions: findings and their counts must agree as well. */
#include "tests/gen/gen.h"

enum { MAX_BUFFERS = 5, MAX_DEPTH = 3 };

typedef struct {
	u32 kind;  /* Kind of its elements */
	u32 count; /* a power of two */
	bool own;  /* also one slot of its own for each work-item */
} Shared;

typedef struct {
	Gen *g;
	Shared buffer[MAX_BUFFERS];
	u32 nbuffers;
	bool wild, endless, barriers, apart;
	u32 loops; /* names of counters */
} Race;

static const char *kind_name(Race *r, u32 b) { return type_name(r->g, mk_type(r->buffer[b].kind, 1)); }

/* An index below the count of a buffer. In programs whose groups keep apart, most name their own slot. */
static const char *index_of(Race *r, u32 b)
{
	static const char *const any[] = {"gid", "h", "gid * 7u + h", "lid", "grp", "h >> 5", "gid ^ 1u", "grp + 1u",
	                                  "gid * 2654435761u >> 7", "gid / 3u"};
	Gen *g = r->g;
	if (r->apart && r->buffer[b].own && !chance(g, 1))
		return "gid";
	return arena_printf(g->arena, "(%s) & %uu", any[below(g, COUNT(any))], r->buffer[b].count - 1);
}

/* The element that an access names; now and then by another type, or far outside. */
static const char *place(Race *r, u32 b)
{
	static const char *const other[] = {"uchar", "ushort", "uint", "ulong"};
	Gen *g = r->g;
	if (r->wild && chance(g, 3))
		return arena_printf(g->arena, "b%u[h %% 61u ? h & %uu : h]", b, r->buffer[b].count - 1);
	const char *index = index_of(r, b);
	if (r->apart || !chance(g, 12))
		return arena_printf(g->arena, "b%u[%s]", b, index);
	u32 k = below(g, COUNT(other)), bytes = r->buffer[b].count * (kind_bits(r->buffer[b].kind) / 8);
	return arena_printf(g->arena, "((__global %s *)b%u)[(%s) & %uu]", other[k], b, index, (bytes >> k) - 1);
}

static u32 some_buffer(Race *r) { return below(r->g, r->nbuffers); }

static const char *value(Race *r)
{
	static const char *const values[] = {"gid", "h", "h ^ gid", "h * 3u + 1u", "grp + h", "lid"};
	return values[below(r->g, COUNT(values))];
}

static void put_store(Race *r)
{
	u32 b = some_buffer(r);
	put_line(r->g, "%s = (%s)(%s);", place(r, b), kind_name(r, b), value(r));
}

static void put_load(Race *r)
{
	u32 b = some_buffer(r);
	bool real = is_float(r->buffer[b].kind);
	put_line(r->g, real ? "h = h * 31u + as_uint(%s);" : "h = h * 31u + (uint)(%s);",
	         real ? arena_printf(r->g->arena, "b%u[%s]", b, index_of(r, b)) : place(r, b));
}

static void put_update(Race *r)
{
	static const char *const ops[] = {"add", "sub", "and", "or", "xor", "min", "max"};
	Gen *g = r->g;
	u32 b = some_buffer(r);
	if (r->buffer[b].kind != K_uint) {
		put_load(r);
		return;
	}
	u32 x = below(g, 100);
	if (x < 60)
		put_line(g, "atomic_%s(&b%u[%s], %s);", ops[chance(g, 60) ? b % 7 : below(g, 7)], b, index_of(r, b),
		         value(r));
	else if (x < 80)
		put_line(g, "h += atomic_%s(&b%u[%s], %s);", chance(g, 30) ? "xchg" : ops[below(g, 7)], b,
		         index_of(r, b), value(r));
	else
		put_line(g, "h ^= atomic_cmpxchg(&b%u[%s], %s & 15u, %s);", b, index_of(r, b), value(r), value(r));
}

static void put_pointer(Race *r)
{
	u32 b = some_buffer(r), i = below(r->g, 16);
	if (chance(r->g, 50))
		put_line(r->g, "ptrs[(gid + %uu) & 31u] = (ulong)&b%u[%s];", i, b, index_of(r, b));
	else
		put_line(r->g, "if (ptrs[(h + %uu) & 31u]) %s *(__global uchar *)ptrs[(h + %uu) & 31u]%s;", i,
		         chance(r->g, 50) ? "h +=" : "", i, chance(r->g, 50) ? "" : " + 1u");
}

/* Eight elements at once. */
static void put_wide(Race *r)
{
	u32 b = some_buffer(r);
	const char *name = kind_name(r, b);
	if (chance(r->g, 50))
		put_line(r->g, "vstore4((%s4)(%s%s), (h >> 3) & %uu, b%u);", name,
		         is_float(r->buffer[b].kind) ? "" : "h, gid, lid, ",
		         is_float(r->buffer[b].kind) ? "1.5f" : "grp", r->buffer[b].count / 4 - 1, b);
	else
		put_line(r->g, "h ^= (uint)dot(convert_float4(vload4((h >> 2) & %uu, b%u)), (float4)(0.0f)) & 1u;",
		         r->buffer[b].count / 4 - 1, b);
}

static void put_statements(Race *r, u32 n, u32 depth);

static void put_inside(Race *r, u32 depth)
{
	r->g->indent++;
	put_statements(r, 1 + below(r->g, 3), depth + 1);
	r->g->indent--;
	put_line(r->g, "}");
}

static void put_branch(Race *r, u32 depth)
{
	put_line(r->g, "if (h >> %u & 1u) {", below(r->g, 9));
	put_inside(r, depth);
}

static void put_loop(Race *r, u32 depth)
{
	Gen *g = r->g;
	u32 i = r->loops++, b = some_buffer(r);
	if (r->endless && chance(g, 25) && !is_float(r->buffer[b].kind))
		put_line(g, "for (uint i%u = 0; b%u[%s] %% 5u == 2u; i%u++) {", i, b, index_of(r, b), i);
	else
		put_line(g, "for (uint i%u = 0; i%u < (gid * 2654435761u >> %u) + (h & 3u); i%u++) {", i, i,
		         26 + below(g, 3), i);
	put_line(g, "\th = h * 1664525u + 1013904223u;");
	put_inside(r, depth);
}

static void put_statement(Race *r, u32 depth)
{
	Gen *g = r->g;
	u32 x = below(g, 100);
	if (depth < MAX_DEPTH && x < 12)
		put_branch(r, depth);
	else if (depth < MAX_DEPTH && x < 30)
		put_loop(r, depth);
	else if (x < 55)
		put_store(r);
	else if (x < 75)
		put_load(r);
	else if (x < 88)
		put_update(r);
	else if (x < 93 && !r->apart)
		put_wide(r);
	else if (x < 96 && r->wild)
		put_pointer(r);
	else if (x < 97)
		put_line(g, "if ((h & 1023u) == 5u) printf(\"%%u %%u\\n\", gid, h);");
	else
		put_line(g, "h ^= h >> 3;");
}

static void put_statements(Race *r, u32 n, u32 depth)
{
	for (; n; n--)
		put_statement(r, depth);
}

/* At the outermost scope: a tile that comes from, or goes to, memory that other groups use. */
static void put_tile_copy(Race *r)
{
	u32 b = some_buffer(r), n = 1 + below(r->g, 16), from = below(r->g, r->buffer[b].count - n);
	const char *name = kind_name(r, b);
	put_line(r->g, "__local %s tile[16];", name);
	put_line(r->g, "tile[lid & 15u] = (%s)h;", name);
	put_line(r->g, "barrier(CLK_LOCAL_MEM_FENCE);");
	if (chance(r->g, 50))
		put_line(r->g, "event_t e = async_work_group_copy(b%u + %u, tile, %u, 0);", b, from, n);
	else
		put_line(r->g, "event_t e = async_work_group_copy(tile, b%u + %u, %u, 0);", b, from, n);
	put_line(r->g, "wait_group_events(1, &e);");
	put_line(r->g, "h += (uint)tile[(lid + 1u) & 15u];");
	put_line(r->g, "barrier(CLK_LOCAL_MEM_FENCE);");
}

static void make_buffers(Race *r, u32 items)
{
	static const u8 kinds[] = {K_uint, K_uint, K_uint, K_uchar, K_ushort, K_ulong, K_float};
	Gen *g = r->g;
	r->nbuffers = 2 + below(g, MAX_BUFFERS - 1);
	for (u32 i = 0; i < r->nbuffers; i++) {
		Shared *s = &r->buffer[i];
		s->kind = i ? kinds[below(g, COUNT(kinds))] : K_uint;
		s->own = r->apart || chance(g, 25);
		s->count = s->own ? items : 32u << below(g, 5);
	}
}

void put_race(Gen *g)
{
	Race race = {.g = g}, *r = &race;
	u32 local = 1u << below(g, 8), groups = 16u << below(g, 4), items;
	while (local * groups > 8192)
		groups /= 2;
	items = local * groups;
	r->apart = chance(g, 25);
	r->wild = chance(g, 30);
	r->endless = !r->apart && chance(g, 20);
	r->barriers = chance(g, 30);
	make_buffers(r, items);
	put(g, "/* Random racy program, seed %llu. */\n// wavesim: --global %u --local %u",
	    (unsigned long long)g->seed, items, local);
	for (u32 i = 0; i < r->nbuffers; i++)
		put(g, " --arg b%u=%s:%u", i, is_float(r->buffer[i].kind) || chance(g, 50) ? "zero" : "random",
		    r->buffer[i].count);
	put(g, " --arg ptrs=zero:32 --arg out=zero:%u\n__kernel void test(", items);
	for (u32 i = 0; i < r->nbuffers; i++)
		put(g, "__global %s *b%u, ", kind_name(r, i), i);
	put(g, "__global ulong *ptrs, __global uint *out)\n{\n");
	g->indent = 1;
	put_line(g,
	         "uint gid = get_global_id(0), lid = get_local_id(0), grp = get_group_id(0), h = gid * 40503u + 1u;");
	put_line(g, "for (uint i = 0; i < grp * 2654435761u >> 22; i++) h = h * 1664525u + 1013904223u;");
	put_statements(r, 2 + below(g, g->size), 0);
	if (r->barriers) {
		put_tile_copy(r);
		put_statements(r, 1 + below(g, g->size), 0);
	}
	put_line(g, "out[gid] = h;");
	put(g, "}\n");
}
