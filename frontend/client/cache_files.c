/* Whether files are what they were.
 *
 * Small files count by what is in them; large ones (libraries, compilers) by which file it is, its size and its times.
 * A compiler takes the first header of a name that it finds: so it also counts which of the names there are in the
 * other folders that it may look into. */
#include "frontend/client/cache.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	SMALL = 1 << 20,
	MOST_FILES = 1 << 12, /* that are looked at … */
	MOST_PLACES = 1 << 16, /* … and looked for */
};

typedef struct Looking {
	XXH3_state_t *hash;
	const struct timespec *since;
	Buf folders;
	u32 files, places;
	bool good;
} Looking;

static void add(Looking *l, const void *bytes, size_t n) { XXH3_128bits_update(l->hash, bytes, n); }
static void add_number(Looking *l, u64 v) { add(l, &v, sizeof v); }

static bool before(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec < b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

static void check_time(Looking *l, const struct stat *st)
{
	if (l->since)
		l->good &= before(&st->st_mtim, l->since) && before(&st->st_ctim, l->since);
}

/* ---- one file ---- */

/* What packages put down asks for other headers of its package, and for the time in what no kernel calls. */
bool cache_is_installed(const char *name)
{
	static const char *const starts[] = {"/usr/", "/lib/", "/lib64/", "/opt/rocm"}, local[] = "/usr/local/";
	bool installed = false;
	for (u32 i = 0; i < COUNT(starts); i++)
		installed |= !strncmp(name, starts[i], strlen(starts[i]));
	return installed && strncmp(name, local, strlen(local)) != 0;
}

static bool add_content(Looking *l, const char *name, u64 size)
{
	int fd = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char *bytes = xmalloc(size + 1);
	u64 got = 0;
	ssize_t k = 1;
	while (fd >= 0 && got < size && k > 0) {
		k = read(fd, bytes + got, size - got);
		got += k > 0 ? (u64)k : 0;
	}
	if (fd >= 0)
		close(fd);
	bool good = fd >= 0 && got == size && (cache_is_installed(name) || !cache_text_asks(bytes, size));
	add(l, bytes, got);
	free(bytes);
	return good;
}

static void add_file(Looking *l, const char *name)
{
	struct stat st;
	if (stat(name, &st)) {
		l->good &= errno == ENOENT || errno == ENOTDIR;
		add_number(l, 0);
		return;
	}
	check_time(l, &st);
	add_number(l, 1 + (u64)st.st_size);
	if (S_ISREG(st.st_mode) && st.st_size <= SMALL) {
		l->good = l->good && add_content(l, name, (u64)st.st_size);
		return;
	}
	add_number(l, st.st_dev);
	add_number(l, st.st_ino);
	add_number(l, (u64)st.st_mtim.tv_sec);
	add_number(l, (u64)st.st_mtim.tv_nsec);
	add_number(l, (u64)st.st_ctim.tv_sec);
	add_number(l, (u64)st.st_ctim.tv_nsec);
}

/* ---- other places ---- */

/* Calls each with a line of text, while l is good. */
static void each_line(Looking *l, const char *text, void (*call)(Looking *, const char *, const void *),
                      const void *with)
{
	Buf line = {0};
	for (size_t n; *text && l->good; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		line.n = 0;
		buf_printf(&line, "%.*s", (int)n, text);
		call(l, line.v, with);
	}
	array_free(&line);
}

static void add_place(Looking *l, const char *folder, const void *rest)
{
	struct stat st;
	Buf path = {0};
	buf_printf(&path, "%s/%s", folder, (const char *)rest);
	bool there = !stat(path.v, &st);
	add_number(l, there);
	if (there && !S_ISDIR(st.st_mode))
		check_time(l, &st);
	l->good &= ++l->places <= MOST_PLACES;
	array_free(&path);
}

/* The source may have called it by each end of its name. */
static void add_places(Looking *l, const char *name)
{
	for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/'))
		each_line(l, l->folders.v, add_place, slash + 1);
}

static void add_name(Looking *l, const char *name, const void *with)
{
	(void)with;
	l->good &= ++l->files <= MOST_FILES;
	add_file(l, name);
	add_places(l, name);
}

/* A header looks for others beside itself. */
static void add_folder(Looking *l, const char *name, const void *with)
{
	(void)with;
	const char *slash = strrchr(name, '/');
	size_t n = slash ? (size_t)(slash - name) : 0;
	bool known = !n || cache_is_installed(name);
	for (const char *at = known ? "" : l->folders.v; *at && !known;) {
		size_t k = strcspn(at, "\n");
		known = k == n && !strncmp(at, name, n);
		at += k + (at[k] == '\n');
	}
	if (!known)
		buf_line(&l->folders, "%.*s", (int)n, name);
}

bool cache_state(const char *names, const char *folders, const struct timespec *since, CacheState *out)
{
	Looking l = {.hash = XXH3_createState(), .since = since, .good = true};
	XXH3_128bits_reset(l.hash);
	buf_printf(&l.folders, "%s", folders ? folders : "");
	each_line(&l, names, add_folder, NULL);
	each_line(&l, names, add_name, NULL);
	XXH128_hash_t h = XXH3_128bits_digest(l.hash);
	*out = (CacheState){{h.low64, h.high64}};
	XXH3_freeState(l.hash);
	array_free(&l.folders);
	return l.good;
}

bool cache_text_asks(const char *text, u64 n)
{
	static const char *const words[] = {"__has_include", "__has_embed", "__DATE__", "__TIME"};
	bool asks = false;
	for (u32 i = 0; i < COUNT(words); i++)
		asks |= memmem(text, n, words[i], strlen(words[i])) != NULL;
	return asks;
}
