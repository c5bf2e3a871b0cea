/* Appending to a launch file, in the process of the host program.
 *
 * Each record goes out in one write, so that a process that is killed leaves whole records and at
 * most one unfinished one at the end. When the disk is full the unfinished one is cut off again.
 * Memory is bounded by what is remembered of each chunk and content: 24 bytes and their slots. */
#include "base/hash.h"
#include "traces/capture/capture_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>
#include <zstd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* What has been stored already, numbered from 1, by its hash. */
typedef struct CapStored {
	HashIndex index;
	ARRAY(XXH128_hash_t) hashes; /* number - 1 */
} CapStored;

struct CapWriter {
	int fd;
	u64 written, limit;
	char why[256]; /* "" as long as all went well */
	CapStored chunks, contents, programs;
	u32 ndevices;
	/* ---- the content between begin and end ---- */
	u64 content_size;
	ARRAY(u32) content_chunks;
	u8 *chunk; /* CAP_CHUNK bytes that are gathered for it */
	size_t nchunk;
	ZSTD_CCtx *zstd;
	u8 *packed;
	size_t packed_size;
};

/* ---- what is stored already ---- */

/* Its number; 0: it is new. */
static u32 stored_find(const CapStored *s, XXH128_hash_t hash)
{
	for (u32 at = 0, i; hash_index_next(&s->index, hash.low64, &at, &i);)
		if (XXH128_isEqual(s->hashes.v[i], hash))
			return i + 1;
	return 0;
}

static u32 stored_add(CapStored *s, XXH128_hash_t hash)
{
	hash_index_add(&s->index, hash.low64, s->hashes.n);
	array_push(&s->hashes, hash);
	return s->hashes.n;
}

static void stored_free(CapStored *s)
{
	hash_index_free(&s->index);
	array_free(&s->hashes);
}

/* ---- records ---- */

static void fail(CapWriter *w, int error)
{
	if (!w->why[0])
		snprintf(w->why, sizeof w->why, "%s", strerror(error));
	if (ftruncate(w->fd, (off_t)w->written))
		return; /* then the file ends in an unfinished record, which readers leave out */
}

static void put_all(CapWriter *w, struct iovec *v, int n)
{
	u64 all = 0;
	for (int i = 0; i < n; i++)
		all += v[i].iov_len;
	for (u64 left = all; left;) {
		ssize_t k = writev(w->fd, v, n);
		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0) {
			fail(w, k ? errno : EIO);
			return;
		}
		left -= (u64)k;
		for (size_t done = (size_t)k; done;) {
			size_t part = done < v->iov_len ? done : v->iov_len;
			v->iov_base = (u8 *)v->iov_base + part;
			v->iov_len -= part;
			done -= part;
			if (!v->iov_len && n > 1)
				v++, n--;
		}
	}
	w->written += all;
}

/* True when it is in the file. */
static bool put_record(CapWriter *w, RecKind kind, const void *payload, size_t n)
{
	if (w->why[0])
		return false;
	RecHead h = {.kind = kind, .stored = n, .unpacked = n};
	size_t bound = ZSTD_compressBound(n);
	if (bound > w->packed_size) {
		w->packed = xrealloc(w->packed, bound);
		w->packed_size = bound;
	}
	size_t k = n > 64 ? ZSTD_compressCCtx(w->zstd, w->packed, bound, payload, n, 1) : n;
	if (!ZSTD_isError(k) && k < n - n / 16) {
		h.kind |= REC_PACKED;
		h.stored = k;
		payload = w->packed;
	}
	h.sum = cap_record_sum(&h, payload);
	put_all(w, (struct iovec[]){{&h, sizeof h}, {(void *)(uintptr_t)payload, h.stored}}, h.stored ? 2 : 1);
	return !w->why[0];
}

/* x as the function `code` writes it. */
#define PUT_CODED(w, kind, code, x) \
	do { \
		Buf b_ = {0}; \
		code(&(Codec){.writing = true, .out = &b_}, x); \
		put_record(w, kind, b_.v, b_.n); \
		array_free(&b_); \
	} while (0)

/* ---- the file ---- */

static CapWriter *writer(const char *path, int how)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_APPEND | how, 0666);
	if (fd < 0)
		return NULL;
	CapWriter *w = xcalloc(1, sizeof *w);
	w->fd = fd;
	w->written = (u64)lseek(fd, 0, SEEK_END);
	w->chunk = xmalloc(CAP_CHUNK);
	w->zstd = ZSTD_createCCtx();
	return w;
}

CapWriter *cap_create(const char *path, u64 limit)
{
	CapWriter *w = writer(path, O_CREAT | O_EXCL);
	if (!w)
		return NULL;
	w->limit = limit;
	CapHead h = {.magic = CAP_MAGIC, .version = CAP_VERSION};
	h.sum = cap_head_sum(&h);
	put_all(w, &(struct iovec){&h, sizeof h}, 1);
	return w;
}

CapWriter *cap_create_unnamed(const char *path, u64 limit, char name[CAP_PATH])
{
	CapWriter *w = NULL;
	/* A process may have the number of one that has ended. */
	for (u32 i = 1; i < 10000 && !w && (i == 1 || errno == EEXIST); i++) {
		snprintf(name, CAP_PATH, "%s" CAP_UNNAMED "%07d.%u", path, (int)getpid(), i);
		w = cap_create(name, limit);
	}
	if (!w)
		*name = '\0';
	return w;
}

/* An empty file takes the name first: not every file system can rename without replacing. */
bool cap_name(const char *from, const char *path)
{
	int fd = -1;
	char name[CAP_PATH];
	for (u32 i = 1; i < 10000 && fd < 0 && (i == 1 || errno == EEXIST); i++) {
		snprintf(name, sizeof name, i == 1 ? "%s" : "%s.%u", path, i);
		fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	}
	if (fd < 0)
		return false;
	close(fd);
	bool ok = !rename(from, name);
	if (!ok)
		unlink(name);
	return ok;
}

CapWriter *cap_append(const char *path) { return writer(path, 0); }

void cap_leave(CapWriter *w)
{
	close(w->fd);
	ZSTD_freeCCtx(w->zstd);
	free(w->packed);
	free(w->chunk);
	stored_free(&w->chunks);
	stored_free(&w->contents);
	stored_free(&w->programs);
	array_free(&w->content_chunks);
	free(w);
}

void cap_finish(CapWriter *w)
{
	put_record(w, REC_END, "", 0);
	cap_leave(w);
}

bool cap_good(const CapWriter *w, const char **why)
{
	*why = w->why;
	return !w->why[0];
}

bool cap_full(const CapWriter *w) { return w->written >= w->limit; }

void cap_put_host(CapWriter *w, CapHost *h) { PUT_CODED(w, REC_HOST, code_host, h); }

u32 cap_put_device(CapWriter *w, CapDevice *d)
{
	PUT_CODED(w, REC_DEVICE, code_device, d);
	return ++w->ndevices;
}

u32 cap_put_program(CapWriter *w, SrcProgram *p)
{
	Buf b = {0};
	source_code(&(Codec){.writing = true, .out = &b}, p);
	if (p->nplaced || p->ntexts)
		source_code_placed(&(Codec){.writing = true, .out = &b}, p);
	if (p->ntexts)
		source_code_texts(&(Codec){.writing = true, .out = &b}, p);
	XXH128_hash_t hash = XXH3_128bits(b.v, b.n);
	u32 number = stored_find(&w->programs, hash);
	if (!number) {
		put_record(w, REC_PROGRAM, b.v, b.n);
		number = stored_add(&w->programs, hash);
	}
	array_free(&b);
	return number;
}

void cap_put_launch(CapWriter *w, CapLaunch *l) { PUT_CODED(w, REC_LAUNCH, code_launch, l); }
void cap_put_failed(CapWriter *w, CapFailed *f) { PUT_CODED(w, REC_FAILED, code_failed, f); }
void cap_put_refused(CapWriter *w, CapRefused *r) { PUT_CODED(w, REC_REFUSED, code_refused, r); }
void cap_put_misuse(CapWriter *w, CapMisuse *m) { PUT_CODED(w, REC_MISUSE, code_misuse, m); }

/* ---- memory ---- */

static bool all_zero(const u8 *p, size_t n) { return !p[0] && !memcmp(p, p + 1, n - 1); }

static void put_chunk(CapWriter *w, const u8 *bytes, size_t n)
{
	u32 number = 0;
	if (!all_zero(bytes, n)) {
		XXH128_hash_t hash = XXH3_128bits_withSeed(bytes, n, n);
		number = stored_find(&w->chunks, hash);
		if (!number && put_record(w, REC_CHUNK, bytes, n))
			number = stored_add(&w->chunks, hash);
	}
	array_push(&w->content_chunks, number);
}

void cap_content_begin(CapWriter *w)
{
	w->content_size = w->nchunk = 0;
	w->content_chunks.n = 0;
}

void cap_content_add(CapWriter *w, const void *bytes, size_t n)
{
	w->content_size += n;
	for (const u8 *p = bytes; n;) {
		size_t part = CAP_CHUNK - w->nchunk < n ? CAP_CHUNK - w->nchunk : n;
		if (part == CAP_CHUNK) {
			put_chunk(w, p, part);
		} else {
			memcpy(w->chunk + w->nchunk, p, part);
			w->nchunk += part;
			if (w->nchunk == CAP_CHUNK) {
				put_chunk(w, w->chunk, CAP_CHUNK);
				w->nchunk = 0;
			}
		}
		p += part;
		n -= part;
	}
}

u32 cap_content_end(CapWriter *w)
{
	if (w->nchunk)
		put_chunk(w, w->chunk, w->nchunk);
	w->nchunk = 0;
	CapContent t = {w->content_size, w->content_chunks.v, w->content_chunks.n};
	XXH128_hash_t hash = XXH3_128bits_withSeed(t.chunks, t.nchunks * sizeof *t.chunks, t.size);
	u32 number = stored_find(&w->contents, hash);
	if (number || w->why[0])
		return number;
	PUT_CODED(w, REC_CONTENT, code_content, &t);
	return stored_add(&w->contents, hash);
}
