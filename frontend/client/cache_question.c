/* What is asked, as a key: all that decides an answer but the content of files. */
#include "frontend/client/cache.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <unistd.h>

/* ---- what of the environment compilers and PoCL look at ---- */

static const char *const decide_programs[] = {"GLIBC_TUNABLES=", "LD_"}, *const compilers_read[] = {
	"CCC_", "CLANG", "CPATH=", "CPLUS_INCLUDE_PATH=", "CUDA_", "C_INCLUDE_PATH=", "HIP_", "HSA_",
	"LLVM_", "OCL_", "OPENCL_", "PATH=", "POCL_", "ROCM_",
};

static bool is_asked(const char *variable, const char *const *names, size_t n)
{
	bool asked = false;
	for (size_t i = 0; i < n; i++)
		asked |= !strncmp(variable, names[i], strlen(names[i]));
	return asked;
}

static void add_environment(Buf *key, const char *const *names, size_t n)
{
	ARRAY(const char *) all = {0};
	for (char **v = environ; v && *v; v++)
		if (is_asked(*v, names, n))
			array_push(&all, *v);
	array_sort(&all, by_text);
	for (u32 i = 0; i < all.n; i++)
		buf_line(key, "%s", all.v[i]);
	array_free(&all);
}

/* ---- the processor, for which PoCL compiles ---- */

/* Lines of /proc/cpuinfo that say what a processor can do, and not how fast it is just now. */
static const char *const features[] = {
	"vendor_id", "cpu family", "model", "stepping", "flags", "Features", "CPU ", "isa", "cpu\t",
};

char *cache_processor(void)
{
	Buf key = {0};
	char all[16384]; /* the first processor */
	FILE *f = fopen("/proc/cpuinfo", "r");
	size_t n = f ? fread(all, 1, sizeof all - 1, f) : 0;
	all[n] = 0;
	if (f)
		fclose(f);
	bool known = false;
	for (const char *line = all; *line && *line != '\n';) {
		size_t k = strcspn(line, "\n");
		for (u32 i = 0; i < COUNT(features); i++)
			if (!strncmp(line, features[i], strlen(features[i]))) {
				buf_line(&key, "%.*s", (int)k, line);
				known = true;
				break;
			}
		line += k + (line[k] == '\n');
	}
	buf_line(&key, "%ld processors", sysconf(_SC_NPROCESSORS_ONLN));
	if (!known)
		array_free(&key);
	return key.v;
}

/* ---- where headers are looked for ---- */

/* Of -I, and of what clang has of that kind. */
static void add_option_folders(const char *options, Buf *folders)
{
	SrcOption o;
	Arena *a = arena_new();
	for (bool next = false; source_option(&options, &o, a);) {
		if (next || o.folder)
			buf_line(folders, "%s", next ? o.text : o.folder);
		next = !strcmp(o.text, "-isystem") || !strcmp(o.text, "-iquote");
	}
	arena_free(a);
}

static void look_at_text(CacheQuestion *q, const char *text, const char *options)
{
	q->none |= text && cache_text_asks(text, strlen(text));
	if (!options)
		return;
	q->none |= cache_text_asks(options, strlen(options));
	add_option_folders(options, &q->folders);
}

static void look_at_texts(CacheQuestion *q, const CacheText *t)
{
	const char *slash = strrchr(t->path, '/');
	buf_line(&q->folders, "%.*s", slash ? (int)(slash - t->path) : 1, slash ? t->path : ".");
	look_at_text(q, t->text, t->options);
	for (u32 i = 0; t->src && i < t->src->nunits; i++) {
		const SrcUnit *u = &t->src->units[i];
		look_at_text(q, u->source, u->options);
		for (u32 k = 0; k < u->nincludes; k++)
			look_at_text(q, u->includes[k].text, NULL);
	}
}

/* ---- all of it ---- */

void cache_question(CacheQuestion *q, const char *processor, WireKind kind, const Buf *request, const CacheText *text,
                    const char *helper, Sandbox sandbox)
{
	*q = (CacheQuestion){0};
	char *version = wire_version();
	/* The clock of files. */
	q->none = clock_gettime(CLOCK_REALTIME_COARSE, &q->asked);
	buf_line(&q->key, "%s", version);
	buf_line(&q->key, "%d %d %s", (int)kind, (int)sandbox, helper);
	add_environment(&q->key, decide_programs, COUNT(decide_programs));
	if (text) {
		add_environment(&q->key, compilers_read, COUNT(compilers_read));
		q->none |= !processor;
		buf_line(&q->key, "%s", processor ? processor : "");
		look_at_texts(q, text);
	}
	buf_write(&q->key, request->v, request->n);
	free(version);
}

void cache_question_data(CacheQuestion *q, const void *data, u64 n)
{
	XXH128_hash_t h = XXH3_128bits(data, n);
	u64 words[] = {n, h.low64, h.high64};
	buf_write(&q->key, words, sizeof words);
}

void cache_question_free(CacheQuestion *q)
{
	array_free(&q->key);
	array_free(&q->folders);
}
