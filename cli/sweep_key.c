/* The key of everything that the results of a sweep follow from: this program, the words, the environment, the
 * configuration file, the devices, and the contents of every file that they name or that a source includes. */
#include "cli/sources.h"
#include "cli/sweep.h"

#include "commit.h"

extern char **environ;

/* The name of a file, and what is in it. */
static void add_bytes(Buf *key, const char *path, const char *bytes, size_t n)
{
	char hash[STORE_KEY];
	/* Texts are hashed up to a NUL; so the bytes are taken up to each. */
	buf_printf(key, "%s %zu", path, n);
	for (size_t at = 0; at < n; at += strlen(bytes + at) + 1) {
		store_key(hash, (const char *const[]){bytes + at}, 1);
		buf_printf(key, " %s", hash);
	}
	buf_printf(key, "\n");
}

static void add_file(Buf *key, const char *path)
{
	size_t n;
	char *bytes = read_regular_file(path, &n);
	if (bytes)
		add_bytes(key, path, bytes, n);
	free(bytes);
}

/* The file that an argument names, behind @: a=@data.npy, a=ro:@data.npy; NULL: there is none from here on. */
static const char *named_file(const char *text)
{
	const char *at = text;
	while ((at = strchr(at, '@')) && (at == text || (at[-1] != '=' && at[-1] != ':')))
		at++;
	return at ? at + 1 : NULL;
}

/* A source, and the data that a comment of it names, beside it. */
static bool add_source(void *key, const char *path, const char *text, size_t n)
{
	add_bytes(key, path, text, n);
	for (const char *at = text; (at = named_file(at));) {
		Buf name = {0};
		int folder = *at == '/' ? 0 : (int)(path_name(path) - path);
		buf_printf(&name, "%.*s%.*s", folder, path, (int)strcspn(at, " \t\r\n'\""), at);
		add_file(key, name.v);
		array_free(&name);
	}
	return true;
}

void sweep_key_sources(SweepWords *words, const EngineRun *run)
{
	if (engine_path(run))
		sources_walk(engine_path(run), engine_build_options(run), add_source, &words->sources);
}

static void add_word(Buf *key, const char *word)
{
	const char *file = *word == '@' ? word + 1 : named_file(word);
	buf_printf(key, "%s\n", word);
	add_file(key, file ? file : word);
}

static void add_environment(Buf *key)
{
	Texts own = {0};
	for (char **e = environ; *e; e++)
		if (!strncmp(*e, "WAVESIM_", 8))
			array_push(&own, *e);
	if (own.n)
		qsort(own.v, own.n, sizeof *own.v, by_text);
	for (u32 i = 0; i < own.n; i++)
		add_word(key, own.v[i]);
	array_free(&own);
}

void sweep_key(const SweepPlan *p, const SweepWords *words, char out[STORE_KEY])
{
	Buf key = {0};
	buf_printf(&key, "%s %s%s%s %s\n", WAVESIM_VERSION, WAVESIM_COMMIT, words->reference ? " reference" : "",
	           p->whole ? " whole" : "", p->where ? p->where : "");
	if (p->max_ulp)
		buf_printf(&key, "max-ulp %llu\n", (unsigned long long)p->max_ulp);
	for (u32 i = 0; i < words->rest.n; i++)
		add_word(&key, words->rest.v[i]);
	add_environment(&key);
	const char *config = options_config(p->arena);
	if (config)
		add_file(&key, config);
	for (u32 i = 0; i < p->options.n; i++) {
		const SweepOption *o = &p->options.v[i];
		buf_printf(&key, "%s\n", o->name);
		for (u32 v = 0; v < o->values.n; v++)
			add_word(&key, o->values.v[v]);
	}
	for (u32 i = 0; i < p->devices.n; i++) { /* with what a device's file takes from others */
		Device dev;
		if (device_load(&dev, p->devices.v[i], NO_LOC, p->arena, p->d))
			device_print(&dev, &key);
	}
	if (words->sources.n)
		buf_write(&key, words->sources.v, words->sources.n);
	store_key(out, (const char *const[]){key.v}, 1);
	array_free(&key);
}
