/* A handle, what it is told, and its run. */
#include "lib/impl.h"

int wavesim_abi(void) { return WAVESIM_ABI; }

const char *wavesim_version(void) { return WAVESIM_VERSION; }

/* glibc has one object for the C locale, which takes no memory. */
locale_t lib_enter(void)
{
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	return c ? uselocale(c) : (locale_t)0;
}

void lib_leave(locale_t caller)
{
	if (caller)
		uselocale(caller);
}

LibMemory lib_guard(void (*work)(void *arg), void *arg, Stop *stop)
{
	Reserve reserve;
	if (!reserve_lay(&reserve, stop))
		return LIB_LEFT;
	Reserve *callers = reserve_use(&reserve); /* of a run from whose progress function this one was begun */
	bool ended = reserve_try(work, arg);
	reserve_use(callers);
	reserve_free(&reserve);
	return !ended ? LIB_LEFT : reserve_spent(&reserve) ? LIB_SPENT : LIB_ENOUGH;
}

static void make(void *out)
{
	wavesim_t *w = *(wavesim_t **)out = xcalloc(1, sizeof *w);
	stop_init(&w->stop);
	diag_init(&w->d);
	w->helper = lib_helper();
}

wavesim_t *wavesim_new(void)
{
	wavesim_t *w = NULL;
	if (lib_guard(make, &w, NULL) == LIB_ENOUGH)
		return w;
	wavesim_free(w);
	return NULL;
}

static void forget_word(LibWord *word)
{
	free(word->name);
	free(word->value);
}

void wavesim_reset(wavesim_t *w)
{
	stop_again(&w->stop);
	w->incomplete = false;
	free(w->path);
	free(w->text);
	w->path = w->text = NULL;
	for (u32 i = 0; i < w->words.n; i++)
		forget_word(&w->words.v[i]);
	array_free(&w->words);
	for (u32 i = 0; i < w->memory.n; i++) {
		free((char *)(uintptr_t)w->memory.v[i].name);
		free((void *)(uintptr_t)w->memory.v[i].bytes);
	}
	array_free(&w->memory);
}

void wavesim_free(wavesim_t *w)
{
	if (!w)
		return;
	wavesim_reset(w);
	diag_free(&w->d);
	array_free(&w->said);
	build_cache_free(&w->cache);
	free(w->cache_of);
	free(w->helper);
	stop_free(&w->stop);
	free(w);
}

/* ---- what to run ---- */

/* What a call tells a handle, which copies it. */
typedef struct LibTold {
	wavesim_t *w;
	const char *name, *text;
	const void *bytes;
	size_t size;
} LibTold;

static void tell(void (*take)(void *told), LibTold told)
{
	told.w->incomplete |= lib_guard(take, &told, NULL) != LIB_ENOUGH;
}

static void set(char **to, const char *text)
{
	char *copy = xstrdup(text);
	free(*to);
	*to = copy;
}

static void take_source(void *told)
{
	const LibTold *t = told;
	set(&t->w->path, t->name);
	set(&t->w->text, t->text);
}

void wavesim_file(wavesim_t *w, const char *path) { tell(take_source, (LibTold){.w = w, .name = path}); }

void wavesim_source(wavesim_t *w, const char *name, const char *text)
{
	tell(take_source, (LibTold){.w = w, .name = name, .text = text});
}

/* Does a later option replace this one? Of those with names in their values when they are the same. */
static bool replaces(const LibWord *old, const char *name, const char *value)
{
	bool named = !strcmp(name, "--arg") || !strcmp(name, "-D");
	if (strcmp(old->name, name) || !strcmp(name, "-I") || !strcmp(name, "--build-options"))
		return false;
	if (!named || !old->value || !value)
		return true;
	size_t n = strcspn(value, "=");
	return strcspn(old->value, "=") == n && !memcmp(old->value, value, n);
}

static void take_option(void *told)
{
	const LibTold *t = told;
	wavesim_t *w = t->w;
	LibWord word = {xstrdup(t->name), xstrdup(t->text)};
	for (u32 i = 0; i < w->words.n; i++) {
		if (!replaces(&w->words.v[i], t->name, t->text))
			continue;
		forget_word(&w->words.v[i]);
		w->words.v[i] = word;
		return;
	}
	array_push(&w->words, word);
}

void wavesim_option(wavesim_t *w, const char *name, const char *value)
{
	tell(take_option, (LibTold){.w = w, .name = name, .text = value});
}

static void take_memory(void *told)
{
	const LibTold *t = told;
	wavesim_t *w = t->w;
	void *copy = xmalloc(t->size + 1);
	if (t->size)
		memcpy(copy, t->bytes, t->size);
	for (u32 i = 0; i < w->memory.n; i++) {
		LaunchMemory *m = &w->memory.v[i];
		if (strcmp(m->name, t->name))
			continue;
		free((void *)(uintptr_t)m->bytes);
		m->bytes = copy;
		m->size = t->size;
		return;
	}
	array_push(&w->memory, ((LaunchMemory){xstrdup(t->name), copy, t->size}));
}

void wavesim_memory(wavesim_t *w, const char *name, const void *bytes, size_t size)
{
	tell(take_memory, (LibTold){.w = w, .name = name, .bytes = bytes, .size = size});
}

void wavesim_progress(wavesim_t *w, wavesim_progress_t *call, void *context)
{
	w->progress = call;
	w->context = context;
}

void wavesim_stop(wavesim_t *w) { stop_now(&w->stop); }

/* ---- running ---- */

bool lib_argv(wavesim_t *w, Arena *a, LibArgv *out)
{
	array_push(out, arena_strdup(a, "wavesim"));
	for (u32 i = 0; i < w->words.n; i++) {
		const LibWord *word = &w->words.v[i];
		bool joined = word->value && !strncmp(word->name, "--", 2);
		if (options_of_program(word->name)) {
			diag_error(&w->d, NO_LOC, "%s is for the program wavesim, not for its library", word->name);
			return diag_hint(&w->d, "what a run gives is asked for after it: reports, counts, buffers");
		}
		array_push(out, joined ? arena_printf(a, "%s=%s", word->name, word->value)
		                       : arena_strdup(a, word->name));
		if (word->value && !joined)
			array_push(out, arena_strdup(a, word->value));
	}
	if (!w->path) {
		diag_error(&w->d, NO_LOC, "which kernel file?");
		return diag_hint(&w->d, "name one, or give the text of one, before the run");
	}
	if (*w->path == '-')
		array_push(out, arena_strdup(a, "--"));
	array_push(out, arena_strdup(a, w->path));
	return true;
}

static void step(void *handle, u64 done, u64 all)
{
	wavesim_t *w = handle;
	w->progress(w->context, w->phase ? w->phase : "running", done, all);
}

static void phase(void *handle, const char *what)
{
	wavesim_t *w = handle;
	w->phase = what;
	w->progress(w->context, what, 0, 0);
}

SpecsHost lib_host(wavesim_t *w)
{
	return (SpecsHost){.progress = w->progress ? step : NULL, .phase = w->progress ? phase : NULL, .ctx = w,
	                   .embedded = true, .stop = &w->stop, .helper = w->helper};
}

void wavesim_result_free(wavesim_result_t *r)
{
	if (!r)
		return;
	result_query_free(r->query);
	for (u32 i = 0; i < LIB_REPORTS; i++)
		array_free(&r->reports[i]);
	result_free(r->result);
	engine_close(r->run);
	if (r->o.arena)
		options_free(&r->o);
	lib_sweep_free(r->sweep);
	free(r);
}

typedef struct LibCall {
	wavesim_t *w;
	bool (*run)(wavesim_t *w, wavesim_result_t *r);
	wavesim_result_t *r;
	bool ok;
} LibCall;

static void run_call(void *call)
{
	LibCall *c = call;
	c->r = xcalloc(1, sizeof *c->r);
	c->ok = c->run(c->w, c->r);
}

static void say_memory(void *handle)
{
	wavesim_t *w = handle;
	diag_error(&w->d, NO_LOC, "out of memory");
	diag_hint(&w->d, w->incomplete ? "the bytes and options that were given did not fit: wavesim_reset, and less "
	                                 "of them"
	                               : "fewer work-items, a part of them (--sample) or fewer threads (--threads) "
	                                 "take less");
}

/* A run that left its work may have left the helper in the middle of a question. */
static void after_memory(LibCall *c, LibMemory memory)
{
	wavesim_t *w = c->w;
	if (memory == LIB_LEFT) {
		build_cache_free(&w->cache);
		c->r = NULL;
	}
	diag_free(&w->d);
	diag_init(&w->d);
	lib_guard(say_memory, w, NULL);
}

wavesim_status_t lib_run(wavesim_t *w, bool (*run)(wavesim_t *w, wavesim_result_t *r), wavesim_result_t **out)
{
	locale_t caller = lib_enter();
	LibCall c = {.w = w, .run = run};
	diag_free(&w->d);
	diag_init(&w->d);
	LibMemory memory = w->incomplete ? LIB_SPENT : lib_guard(run_call, &c, &w->stop);
	bool ok = c.ok && memory == LIB_ENOUGH, stopped = !ok && stop_asked(&w->stop);
	if (memory != LIB_ENOUGH)
		after_memory(&c, memory);
	if (!ok)
		wavesim_result_free(c.r);
	*out = ok ? c.r : NULL;
	stop_again(&w->stop);
	w->phase = NULL;
	lib_leave(caller);
	return ok ? WAVESIM_OK : memory != LIB_ENOUGH ? WAVESIM_MEMORY : stopped ? WAVESIM_STOPPED : WAVESIM_INPUT;
}

/* A helper is confined, and keeps its answers, as it was told when it was made. */
static void fit_cache(wavesim_t *w, const Options *o)
{
	Buf now = {0};
	buf_printf(&now, "%s %d %llu", o->sandbox ? o->sandbox : "", o->no_cache, (unsigned long long)o->cache_size);
	if (!w->cache_of || strcmp(w->cache_of, now.v))
		build_cache_free(&w->cache);
	set(&w->cache_of, now.v);
	array_free(&now);
}

static bool launch(wavesim_t *w, wavesim_result_t *r)
{
	LibArgv argv = {0};
	options_init(&r->o);
	bool ok = lib_argv(w, r->o.arena, &argv) && options_parse_words(&r->o, (int)argv.n, argv.v, &w->d);
	array_free(&argv);
	if (!ok)
		return false;
	LaunchSpec spec = specs_launch(&r->o);
	spec.text = w->text;
	spec.memory = w->memory.v;
	spec.nmemory = w->memory.n;
	fit_cache(w, &r->o);
	r->run = specs_execute(&r->o, &spec, &w->cache, lib_host(w), &ok, &w->d);
	r->result = ok ? engine_result(r->run) : NULL;
	return r->result;
}

wavesim_status_t wavesim_run(wavesim_t *w, wavesim_result_t **result) { return lib_run(w, launch, result); }

/* ---- what is wrong ---- */

static void say_all(void *handle)
{
	wavesim_t *w = handle;
	w->said.n = 0;
	buf_printf(&w->said, "%s", "");
	diag_print(&w->d, &w->said);
}

const char *wavesim_error(wavesim_t *w)
{
	return lib_guard(say_all, w, NULL) == LIB_ENOUGH ? w->said.v : "wavesim: error: out of memory\n";
}

size_t wavesim_message_count(const wavesim_t *w) { return w->d.msgs.n; }

wavesim_status_t wavesim_message(const wavesim_t *w, size_t i, wavesim_message_t *out)
{
	static const char *const levels[] = {[DIAG_NOTE] = "note", [DIAG_WARNING] = "warning", [DIAG_ERROR] = "error"};
	*out = (wavesim_message_t){0};
	if (i >= w->d.msgs.n)
		return WAVESIM_NONE;
	const DiagMsg *m = &w->d.msgs.v[i];
	*out = (wavesim_message_t){levels[m->level], m->loc.file, m->loc.line, m->loc.col, m->text, m->hint, m->source};
	return WAVESIM_OK;
}

const char *wavesim_device(size_t i) { return i < device_count() ? device_name((u32)i) : NULL; }
