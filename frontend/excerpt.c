/* The excerpts that this process has, and what it misses in them: see excerpt.h. */
#include "frontend/excerpt.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <sys/stat.h>

/* ---- what they have ---- */

static Excerpts own; /* of wavesim-helper, which has one thread; as what is wanted */

void excerpts_take(const Excerpts *e) { own = *e; }
const Excerpts *excerpts_taken(void) { return &own; }

u64 excerpt_hash(const char *name) { return XXH3_64bits(name, strlen(name)); }

void excerpt_state(const char *path, Buf *out)
{
	struct stat st = {0};
	if (stat(path, &st))
		st = (struct stat){0};
	buf_printf(out, "%ju %ju %jd %jd %ld %jd %ld", (uintmax_t)st.st_dev, (uintmax_t)st.st_ino, (intmax_t)st.st_size,
	           (intmax_t)st.st_mtim.tv_sec, st.st_mtim.tv_nsec, (intmax_t)st.st_ctim.tv_sec, st.st_ctim.tv_nsec);
}

const Excerpt *excerpt_find(const char *path, bool on_demand)
{
	const Excerpt *found = NULL;
	Buf now = {0};
	excerpt_state(path, &now);
	for (u32 i = 0; i < own.n; i++)
		if (own.v[i].on_demand == on_demand && !strcmp(own.v[i].path, path) && !strcmp(own.v[i].state, now.v))
			found = &own.v[i];
	array_free(&now);
	return found;
}

bool excerpt_has(const Excerpt *e, const char *name)
{
	return e->n && bsearch(&name, e->names, e->n, sizeof *e->names, by_text);
}

static u64 hash_at(const Excerpt *e, u64 i)
{
	u64 h;
	memcpy(&h, e->all + i * sizeof h, sizeof h);
	return h;
}

static bool library_has(const Excerpt *e, const char *name)
{
	u64 h = excerpt_hash(name), from = 0, to = e->nall / sizeof h;
	while (from < to) {
		u64 middle = from + (to - from) / 2;
		if (hash_at(e, middle) < h)
			from = middle + 1;
		else
			to = middle;
	}
	return from < e->nall / sizeof h && hash_at(e, from) == h;
}

bool excerpt_covers(const Excerpt *e, const char *const *names, u32 n)
{
	bool covers = true;
	for (u32 i = 0; i < n && covers; i++)
		covers = excerpt_has(e, names[i]) || !library_has(e, names[i]);
	return covers;
}

/* ---- what they miss ---- */

static struct {
	Arena *arena;
	ExcerptWant v[EXCERPT_LIBRARIES];
	u32 n;
} wanted;

static ExcerptWant *want_of(const char *path, bool on_demand)
{
	for (u32 i = 0; i < wanted.n; i++)
		if (wanted.v[i].on_demand == on_demand && !strcmp(wanted.v[i].path, path))
			return &wanted.v[i];
	if (wanted.n == EXCERPT_LIBRARIES)
		return NULL;
	ExcerptWant *w = &wanted.v[wanted.n++];
	*w = (ExcerptWant){.path = arena_strdup(wanted.arena, path), .on_demand = on_demand};
	w->names = arena_alloc(wanted.arena, EXCERPT_AT_ONCE * sizeof *w->names);
	return w;
}

void excerpt_want(const char *path, bool on_demand, const char *const *names, u32 n)
{
	wanted.arena = wanted.arena ? wanted.arena : arena_new();
	ExcerptWant *w = n && n <= EXCERPT_AT_ONCE ? want_of(path, on_demand) : NULL;
	for (u32 i = 0; w && i < n && w->n < EXCERPT_AT_ONCE; i++)
		w->names[w->n++] = arena_strdup(wanted.arena, names[i]);
}

ExcerptWants excerpts_wanted(void) { return (ExcerptWants){wanted.v, wanted.n}; }

void excerpts_want_nothing(void)
{
	arena_free(wanted.arena);
	wanted.arena = NULL;
	wanted.n = 0;
}
