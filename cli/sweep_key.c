/* The key of everything that the results of a sweep follow from: this program, the words, the environment, and
 * the contents of every file that they name or that a source includes. */
#include "cli/sweep.h"

#include "commit.h"

#include <sys/stat.h>

enum { DEEPEST_INCLUDE = 16 };

extern char **environ;

typedef struct SweepKey {
	Buf text;
	ARRAY(const char *) dirs; /* of -I */
} SweepKey;

static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *out = xcalloc(slash ? (size_t)(slash - path) + 2 : 1, 1);
	if (slash)
		memcpy(out, path, (size_t)(slash - path) + 1);
	return out;
}

static void add_contents(SweepKey *k, const char *path, u32 depth);

/* #include "NAME" of a text: looked for beside the file, then in the folders of -I. */
static void add_includes(SweepKey *k, const char *path, const char *text, u32 depth)
{
	char *folder = folder_of(path);
	for (const char *p = strstr(text, "#include"); p; p = strstr(p + 1, "#include")) {
		const char *open = p + 8 + strspn(p + 8, " \t");
		size_t n = *open == '"' || *open == '<' ? strcspn(open + 1, "\">\n") : 0;
		if (!n)
			continue;
		for (u32 i = 0; i <= k->dirs.n; i++) {
			Buf name = {0};
			const char *dir = i ? k->dirs.v[i - 1] : folder;
			buf_printf(&name, "%s%s%.*s", dir, i ? "/" : "", (int)n, open + 1);
			add_contents(k, name.v, depth + 1);
			array_free(&name);
		}
	}
	free(folder);
}

/* The name of a file that there is, and what is in it. */
static void add_contents(SweepKey *k, const char *path, u32 depth)
{
	struct stat st;
	size_t n;
	if (depth > DEEPEST_INCLUDE || stat(path, &st) || !S_ISREG(st.st_mode))
		return;
	char *bytes = read_file(path, &n), hash[STORE_KEY];
	if (!bytes)
		return;
	/* Texts are hashed up to a NUL; so the bytes are taken up to each. */
	buf_printf(&k->text, "%s %zu", path, n);
	for (size_t at = 0; at < n; at += strlen(bytes + at) + 1) {
		store_key(hash, (const char *const[]){bytes + at}, 1);
		buf_printf(&k->text, " %s", hash);
	}
	buf_printf(&k->text, "\n");
	add_includes(k, path, bytes, depth);
	free(bytes);
}

static void add_word(SweepKey *k, const char *word)
{
	const char *file = strstr(word, "=@") ? strstr(word, "=@") + 2 : *word == '@' ? word + 1 : word;
	buf_printf(&k->text, "%s\n", word);
	add_contents(k, file, 0);
}

static void add_environment(SweepKey *k)
{
	Texts own = {0};
	for (char **e = environ; *e; e++)
		if (!strncmp(*e, "WAVESIM_", 8))
			array_push(&own, *e);
	if (own.n)
		qsort(own.v, own.n, sizeof *own.v, by_text);
	for (u32 i = 0; i < own.n; i++)
		add_word(k, own.v[i]);
	array_free(&own);
}

void sweep_key(const SweepPlan *p, const SweepWords *words, char out[STORE_KEY])
{
	SweepKey k = {0};
	buf_printf(&k.text, "%s %s%s%s %s\n", WAVESIM_VERSION, WAVESIM_COMMIT, words->check ? " check" : "",
	           p->whole ? " whole" : "", p->where ? p->where : "");
	for (u32 i = 0; i < words->rest.n; i++) {
		const char *w = words->rest.v[i];
		if (!strncmp(w, "-I", 2) && (w[2] || i + 1 < words->rest.n))
			array_push(&k.dirs, w[2] ? w + 2 : words->rest.v[i + 1]);
	}
	for (u32 i = 0; i < words->rest.n; i++)
		add_word(&k, words->rest.v[i]);
	add_environment(&k);
	for (u32 i = 0; i < p->options.n; i++) {
		const SweepOption *o = &p->options.v[i];
		buf_printf(&k.text, "%s\n", o->name);
		for (u32 v = 0; v < o->values.n; v++)
			add_word(&k, o->values.v[v]);
	}
	store_key(out, (const char *const[]){k.text.v}, 1);
	array_free(&k.text);
	array_free(&k.dirs);
}
