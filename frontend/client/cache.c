/* The folder of answers: FOLDER/0 … FOLDER/f, by the first digit of a file's name, which is its question's hash.
 *
 * Each of these folders has its share of the bytes. Who writes a file looks through one of them, and removes those that
 * were not used for longest: what a run costs does not grow with what is kept. A file is written under another name
 * and then renamed, so that others see all of it or nothing.
 *
 * Whoever may write there decides what reports say: so the folders have to be the user's own, and nobody else's to look
 * into. No link is followed below FOLDER's own parent. */
#include "frontend/client/cache.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const char MAGIC[16] = "wavesim-cache 1\n";
enum { PARTS = 16, STALE_SECONDS = 3600 }; /* nobody writes a file for so long */

struct Cache {
	char *folder, *processor;
	u64 most;
};

Cache *cache_new(const char *folder, u64 most)
{
	Cache *c = xcalloc(1, sizeof *c);
	*c = (Cache){.folder = xstrdup(folder), .processor = cache_processor(), .most = most};
	return c;
}

void cache_free(Cache *c)
{
	if (!c)
		return;
	free(c->folder);
	free(c->processor);
	free(c);
}

u64 cache_share(const Cache *c) { return c->most / PARTS; }
const char *cache_runs_on(const Cache *c) { return c->processor; }

/* ---- a file's content ---- */

static void code_entry(Codec *c, CacheEntry *e)
{
	code_bytes(c, &e->key, &e->nkey);
	code_text(c, &e->made_of);
	codec_check(c, e->made_of);
	CODE(c, e->state.half[0], e->state.half[1]);
	code_bytes(c, &e->answer, &e->nanswer);
}

void cache_entry_write(const CacheEntry *e, Buf *out)
{
	CacheEntry copy = *e;
	Codec c = {.writing = true, .out = out};
	u64 check = 0;
	buf_write(out, MAGIC, sizeof MAGIC);
	buf_write(out, &check, sizeof check);
	code_entry(&c, &copy);
	size_t head = sizeof MAGIC + sizeof check;
	check = XXH3_64bits(out->v + head, out->n - head);
	memcpy(out->v + sizeof MAGIC, &check, sizeof check);
}

bool cache_entry_read(CacheEntry *e, const u8 *bytes, u64 n, Arena *a)
{
	u64 check, room = CODEC_ROOM(n);
	const u64 head = sizeof MAGIC + sizeof check;
	*e = (CacheEntry){0};
	if (n < head || memcmp(bytes, MAGIC, sizeof MAGIC) != 0)
		return false;
	memcpy(&check, bytes + sizeof MAGIC, sizeof check);
	if (check != XXH3_64bits(bytes + head, n - head))
		return false;
	Codec c = {.p = bytes + head, .end = bytes + n, .arena = a, .room = &room};
	code_entry(&c, e);
	return !c.bad && c.p == c.end;
}

/* ---- the folders ---- */

static bool is_own(int fd, mode_t not)
{
	struct stat st;
	return !fstat(fd, &st) && st.st_uid == geteuid() && geteuid() == getuid() && !(st.st_mode & not);
}

/* A folder that may hold one of the user's: his own, or he would leave files in another's; or one for everybody, in
 * which nobody can rename what is not his. */
static bool may_hold(int fd)
{
	struct stat st;
	return is_own(fd, S_IWOTH) || (!fstat(fd, &st) && st.st_mode & S_ISVTX && st.st_mode & S_IWOTH);
}

/* make: it may be made, as its owner's only. Closes in, which may be -1. */
static int open_in(int in, const char *name, bool make)
{
	enum { OTHERS = 077 };
	if (in >= 0 && make)
		mkdirat(in, name, 0700); /* or it is there, or cannot be opened */
	int fd = in < 0 ? -1 : openat(in, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (in >= 0)
		close(in);
	if (fd < 0 || is_own(fd, OTHERS))
		return fd;
	close(fd);
	return -1;
}

/* A folder that may_hold, or -1. */
static int open_holder(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || may_hold(fd))
		return fd;
	close(fd);
	errno = EPERM;
	return -1;
}

/* Where FOLDER is or will be. */
static int open_parent(const char *folder, bool make)
{
	const char *slash = strrchr(folder, '/');
	Buf parent = {0};
	buf_printf(&parent, "%.*s", slash > folder ? (int)(slash - folder) : 1, slash ? folder : ".");
	int fd = open_holder(parent.v);
	const char *above = strrchr(parent.v, '/');
	if (fd < 0 && errno == ENOENT && make && above > parent.v) {
		Buf home = {0};
		buf_printf(&home, "%.*s", (int)(above - parent.v), parent.v);
		fd = open_in(open_holder(home.v), above + 1, true);
		array_free(&home);
	}
	array_free(&parent);
	return fd;
}

/* The folder that has this file, or -1. */
static int open_part(const Cache *c, const char *file, bool make)
{
	const char part[] = {*file, 0};
	return open_in(open_in(open_parent(c->folder, make), path_name(c->folder), make), part, make);
}

typedef struct CacheName {
	char text[33];
} CacheName;

static CacheName name_of(const CacheQuestion *q)
{
	XXH128_hash_t h = XXH3_128bits(q->key.v, q->key.n);
	CacheName name;
	snprintf(name.text, sizeof name.text, "%016" PRIx64 "%016" PRIx64, (u64)h.high64, (u64)h.low64);
	return name;
}

/* ---- reading ---- */

static u8 *read_entry(int part, const char *name, u64 most, u64 *n)
{
	struct stat st;
	int fd = openat(part, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool good = fd >= 0 && is_own(fd, 0) && !fstat(fd, &st) && S_ISREG(st.st_mode) && (u64)st.st_size <= most;
	u8 *bytes = good ? xmalloc((size_t)st.st_size + 1) : NULL;
	*n = good ? (u64)st.st_size : 0;
	u64 got = 0;
	ssize_t k = 1;
	while (good && got < *n && k > 0) {
		k = read(fd, bytes + got, *n - got);
		got += k > 0 ? (u64)k : 0;
	}
	if (fd >= 0)
		close(fd);
	if (good && got == *n)
		return bytes;
	free(bytes);
	return NULL;
}

static bool answers(const CacheEntry *e, const CacheQuestion *q)
{
	CacheState now;
	return e->nkey == q->key.n && !memcmp(e->key, q->key.v, e->nkey) &&
	       cache_state(e->made_of, q->folders.v, NULL, &now) && !memcmp(&now, &e->state, sizeof now);
}

bool cache_find(Cache *c, const CacheQuestion *q, u8 **answer, u64 *n)
{
	CacheName name = name_of(q);
	int part = q->none ? -1 : open_part(c, name.text, false);
	if (part < 0)
		return false;
	u64 size;
	u8 *bytes = read_entry(part, name.text, c->most, &size);
	Arena *a = arena_new();
	CacheEntry e;
	bool found = bytes && cache_entry_read(&e, bytes, size, a) && answers(&e, q);
	if (found) {
		*n = e.nanswer;
		*answer = memcpy(xmalloc(e.nanswer + 1), e.answer, e.nanswer);
		utimensat(part, name.text, NULL, AT_SYMLINK_NOFOLLOW); /* used now */
	}
	arena_free(a);
	free(bytes);
	close(part);
	return found;
}

/* ---- writing ---- */

typedef struct CacheUse {
	char name[40];
	u64 bytes;
	struct timespec used;
} CacheUse;

static int by_use(const void *pa, const void *pb)
{
	const CacheUse *a = pa, *b = pb;
	int order = ORDER(a->used.tv_sec, b->used.tv_sec);
	order = order ? order : ORDER(a->used.tv_nsec, b->used.tv_nsec);
	return order ? order : strcmp(a->name, b->name);
}

/* Until those of a part fit into its share. What somebody stopped writing goes, too. */
static void make_room(int part, u64 share)
{
	ARRAY(CacheUse) all = {0};
	u64 bytes = 0;
	int again = openat(part, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = again < 0 ? NULL : fdopendir(again);
	if (!d && again >= 0)
		close(again);
	struct timespec now = {0};
	clock_gettime(CLOCK_REALTIME, &now);
	for (const struct dirent *e; d && (e = readdir(d));) {
		struct stat st;
		CacheUse u = {0};
		if (strlen(e->d_name) >= sizeof u.name || fstatat(part, e->d_name, &st, AT_SYMLINK_NOFOLLOW) ||
		    !S_ISREG(st.st_mode))
			continue;
		if (*e->d_name == '.') {
			if (st.st_mtim.tv_sec + STALE_SECONDS < now.tv_sec)
				unlinkat(part, e->d_name, 0);
			continue;
		}
		strcpy(u.name, e->d_name);
		u.bytes = (u64)st.st_blocks * 512;
		u.used = st.st_mtim;
		bytes += u.bytes;
		array_push(&all, u);
	}
	if (d)
		closedir(d);
	if (bytes > share)
		array_sort(&all, by_use);
	for (u32 i = 0; i < all.n && bytes > share; i++) {
		unlinkat(part, all.v[i].name, 0);
		bytes -= all.v[i].bytes;
	}
	array_free(&all);
}

static bool write_entry(int part, const char *name, const Buf *bytes)
{
	u64 random;
	char temp[40];
	if (getrandom(&random, sizeof random, 0) != sizeof random)
		return false;
	snprintf(temp, sizeof temp, ".%016" PRIx64, random);
	int fd = openat(part, temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return false;
	bool good = write_bytes(fd, bytes->v, bytes->n);
	good &= !close(fd);
	good = good && !renameat(part, temp, part, name);
	if (!good)
		unlinkat(part, temp, 0);
	return good;
}

void cache_keep(Cache *c, const CacheQuestion *q, const char *made_of, const void *answer, u64 n)
{
	CacheEntry e = {.key = (const u8 *)q->key.v, .nkey = q->key.n, .answer = answer, .nanswer = n,
	                .made_of = made_of};
	u64 share = cache_share(c);
	if (q->none || !made_of || e.nkey + n > share || !cache_state(made_of, q->folders.v, &q->asked, &e.state))
		return;
	CacheName name = name_of(q);
	int part = open_part(c, name.text, true);
	if (part < 0)
		return;
	Buf bytes = {0};
	cache_entry_write(&e, &bytes);
	struct rlimit most; /* beyond which the system ends a process */
	bool fits = bytes.n <= share && !getrlimit(RLIMIT_FSIZE, &most) && bytes.n <= most.rlim_cur;
	if (fits && write_entry(part, name.text, &bytes))
		make_room(part, share);
	array_free(&bytes);
	close(part);
}
