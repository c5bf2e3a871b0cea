/* What was found, and its way into the launch file: see api.h.
 *
 * It is written at once, because what follows a misuse may end the program; what a thread finds while another keeps a
 * launch is written by the next call, or at the end. */
#include "traces/capture/layer/api.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <unistd.h>

Api api = {.lock = PTHREAD_MUTEX_INITIALIZER};

enum { MOST_MISUSES = 1000, MOST_TEXT = 512 };

void api_lock(void) { pthread_mutex_lock(&api.lock); }

void api_unlock(void)
{
	bool more = api.written < api.misuses.n;
	pthread_mutex_unlock(&api.lock);
	if (!more || !layer.recording || pthread_mutex_trylock(&layer.capture))
		return;
	api_write();
	pthread_mutex_unlock(&layer.capture);
}

void api_write(void)
{
	CapWriter *w = layer.file.writer;
	pthread_mutex_lock(&api.lock);
	if (api.written < api.misuses.n)
		w = layer_writer();
	for (; w && api.written < api.misuses.n; api.written++)
		cap_put_misuse(w, &api.misuses.v[api.written]);
	pthread_mutex_unlock(&api.lock);
}

/* ---- places ---- */

void api_place(ApiPlace *out) { out->n = (u32)backtrace(out->frames, CAP_FRAMES); }

/* Its file, and the address that the file's own tables have for it. A return address is behind the call. */
static bool frame_of(void *address, CapFrame *out)
{
	Dl_info info;
	struct link_map *map = NULL;
	char self[4096];
	if (!dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
		return false;
	const char *name = map->l_name;
	if (!name || !*name) { /* the program itself */
		ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
		self[n > 0 ? n : 0] = 0;
		name = self;
	}
	out->address = (u64)(uintptr_t)address - map->l_addr - 1;
	out->file = arena_strdup(api.arena, name);
	return true;
}

static CapPlace place_of(const ApiPlace *p)
{
	CapPlace out = {0};
	Dl_info own;
	bool known = dladdr((void *)(uintptr_t)&place_of, &own);
	out.frames = ARENA_ARRAY(api.arena, CapFrame, p ? p->n : 0);
	for (u32 i = 0; p && i < p->n; i++) {
		Dl_info info;
		bool ours = known && dladdr(p->frames[i], &info) && info.dli_fbase == own.dli_fbase;
		if (!ours && frame_of(p->frames[i], &out.frames[out.n]))
			out.n++;
	}
	return out;
}

/* ---- what was found ---- */

static u64 hash_misuse(MisuseClass class, const ApiPlace *place, const char *text)
{
	u64 h = hash_mix(class + 1);
	for (u32 i = 0; i < place->n; i++)
		h = hash_mix(h ^ (u64)(uintptr_t)place->frames[i]);
	for (; *text; text++)
		h = hash_mix(h ^ (u8)*text);
	return h;
}

void api_misuse(MisuseClass class, const ApiPlace *place, const char *other_text, const ApiPlace *other,
                const char *fmt, ...)
{
	if (!api.on || (api.blind && class != MISUSE_unset_argument && class != MISUSE_wrong_size &&
	                class != MISUSE_wrong_flags && class != MISUSE_refused))
		return;
	char text[MOST_TEXT];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	/* A program may do the same wrong a million times: what it costs to say where is for the first time. */
	ApiPlace here = place ? *place : (ApiPlace){0};
	u64 hash = hash_misuse(class, &here, text);
	for (u32 at = 0, i; hash_index_next(&api.known, hash, &at, &i);) {
		CapMisuse *k = &api.misuses.v[i];
		const ApiPlace *p = &api.places.v[i];
		if (k->class != class || strcmp(k->text, text) != 0 || p->n != here.n ||
		    memcmp(p->frames, here.frames, here.n * sizeof *here.frames) != 0)
			continue;
		k->count++;
		return;
	}
	if (api.misuses.n == MOST_MISUSES) {
		*(class == MISUSE_leaked ? &api.leaked : &api.unlisted) += 1;
		return;
	}
	hash_index_add(&api.known, hash, api.misuses.n);
	array_push(&api.places, here);
	CapMisuse m = {.class = class, .number = api.misuses.n + 1, .count = 1, .text = arena_strdup(api.arena, text),
	               .place = place_of(place), .other = other ? other_text : NULL, .other_place = place_of(other)};
	array_push(&api.misuses, m);
}

static void put_unlisted(MisuseClass class, u64 n, const char *what)
{
	CapMisuse m = {.class = class, .number = api.misuses.n + 1, .count = 1};
	m.text = arena_printf(api.arena, "%" PRIu64 " more %s", n, what);
	if (n)
		array_push(&api.misuses, m);
}

void api_leaks(void)
{
	pthread_mutex_lock(&api.lock);
	for (u32 i = 0; i < api.all.n; i++) {
		const ApiObject *o = api.all.v[i];
		if (o->owned)
			api_misuse(MISUSE_leaked, &o->made, NULL, NULL, "%s that is made here is never released",
			           api_kind_name[o->kind]);
	}
	put_unlisted(MISUSE_unlisted, api.unlisted, "that are not listed");
	put_unlisted(MISUSE_leaked, api.leaked, "that are never released, but not listed");
	api.written = 0; /* again, with all counts */
	pthread_mutex_unlock(&api.lock);
}

/* ---- the stage ---- */

void api_begin(size_t n)
{
	void *one;
	api.on = true;
	api.arena = arena_new();
	api.objects = map_new(api.arena);
	api.slots = xcalloc(API_SLOTS, sizeof *api.slots);
	api.inner = layer.own;
	backtrace(&one, 1); /* it loads a library the first time */
#define CHECKED(name) \
	if (offsetof(cl_icd_dispatch, name) / sizeof(void *) < n && layer.own.name) \
		layer.own.name = api_##name;
#include "traces/capture/layer/api.def"
}
