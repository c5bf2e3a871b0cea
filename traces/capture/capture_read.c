/* Reading launch files: an index of the records first, memory when it is asked for.
 *
 * The file is mapped. Opening it looks at every record's head, decodes what is small (programs,
 * launches …) and leaves chunks alone; so a file of many gigabytes opens quickly, and one launch of it is
 * had without reading the others. */
#include "traces/capture/capture_impl.h"
#include "traces/capture/capture_pick.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct CapIndex {
	const u8 *bytes;
	u64 n;
	bool mapped, hashed;
	u64 hash; /* of all bytes, when it is known */
	u64 room;          /* what is left of CODEC_ROOM */
	ARRAY(u64) chunks; /* where the record of each begins */
	ARRAY(CapContent) contents;
};

static const char unwanted[] = "not wanted";

/* ---- records ---- */

static bool damaged(const CapFile *f, u64 at, const char *what, Diag *d)
{
	diag_error(d, (Loc){.file = f->path}, "this launch file is damaged: %s, at byte %" PRIu64, what, at);
	if (at > sizeof(CapHead))
		diag_hint(d, "copy the file again, or record the program again; this keeps the launches before the "
		             "damage: head -c %" PRIu64 " %s >NEW", at,
		          f->path);
	else
		diag_hint(d, "copy it again, or record the program again");
	return false;
}

static bool read_head(const CapFile *f, u64 at, RecHead *h, Diag *d)
{
	memcpy(h, f->index->bytes + at, sizeof *h);
	u32 kind = h->kind & ~(u32)REC_PACKED;
	u64 most = kind == REC_CHUNK ? CAP_CHUNK : UINT64_MAX;
	if (kind < REC_HOST || kind > REC_FAILED || h->zero || h->unpacked > most || h->stored > most ||
	    (!(h->kind & REC_PACKED) && h->stored != h->unpacked))
		return damaged(f, at, "there is no record", d);
	return true;
}

/* The payload into out[h.unpacked]. */
static bool unpack(const CapFile *f, u64 at, const RecHead *h, u8 *out, Diag *d)
{
	const u8 *payload = f->index->bytes + at + sizeof *h;
	if (cap_record_sum(h, payload) != h->sum)
		return damaged(f, at, "a checksum is wrong", d);
	if (!(h->kind & REC_PACKED)) {
		if (h->unpacked)
			memcpy(out, payload, h->unpacked);
		return true;
	}
	if (ZSTD_decompress(out, h->unpacked, payload, h->stored) != h->unpacked)
		return damaged(f, at, "a record does not unpack", d);
	return true;
}

/* Do the numbers in a content, or a launch, name records that came before it? */
static bool good_content(const CapFile *f, const CapContent *t)
{
	u64 chunks = t->size / CAP_CHUNK + (t->size % CAP_CHUNK != 0);
	for (u32 i = 0; i < t->nchunks; i++)
		if (t->chunks[i] > f->index->chunks.n)
			return false;
	return t->nchunks == chunks;
}

static bool good_launch(const CapFile *f, const CapLaunch *l)
{
	bool ok = l->kernel && l->program && l->program <= f->programs.n && l->device &&
	          l->device <= f->devices.n && l->state <= CAP_BEGUN && l->dims >= 1 && l->dims <= 3;
	for (u32 i = 0; ok && i < l->nobjects; i++) {
		const CapObject *o = &l->objects[i];
		ok = (!o->before || cap_content_size(f, o->before) == o->size) &&
		     (!o->after || cap_content_size(f, o->after) == o->size);
		ok &= o->before <= f->index->contents.n && o->after <= f->index->contents.n;
	}
	for (u32 i = 0; ok && i < l->nargs; i++) {
		const CapArg *a = &l->args[i];
		if (!a->object)
			continue;
		ok = a->object <= l->nobjects;
		u64 size = ok ? l->objects[a->object - 1].size : 0;
		ok &= a->at <= size && a->length <= size - a->at;
	}
	return ok;
}

/* One decoded record into the file's lists. */
static bool take(CapFile *f, u32 kind, Codec *c)
{
	CapDevice device = {0};
	SrcProgram program = {0};
	CapLaunch launch = {0};
	CapContent content = {0};
	CapRefused refused = {0};
	CapFailed failed = {0};
	CapMisuse misuse = {0};
	bool good = true;
	u32 n = f->launches.n;
	const CapLaunch *last = n ? &f->launches.v[n - 1] : NULL;
	switch (kind) {
	case REC_HOST: code_host(c, &f->host); break;
	case REC_DEVICE:
		code_device(c, &device);
		array_push(&f->devices, device);
		break;
	case REC_PROGRAM:
		source_code(c, &program);
		if (f->version >= 7 && c->p < c->end)
			source_code_placed(c, &program);
		if (f->version >= 8 && c->p < c->end)
			source_code_texts(c, &program);
		if (!f->own && !c->bad)
			source_leave_folders(&program, f->arena);
		array_push(&f->programs, program);
		break;
	case REC_CONTENT:
		code_content(c, &content);
		good = !c->bad && good_content(f, &content);
		array_push(&f->index->contents, content);
		break;
	case REC_LAUNCH:
		code_launch(c, &launch);
		if (f->version < 2 && launch.state == CAP_PASSED && launch.why && !strcmp(launch.why, unwanted))
			launch.state = CAP_UNWANTED;
		good = !c->bad && good_launch(f, &launch);
		f->launches.n -= last && last->state == CAP_BEGUN && last->number == launch.number;
		array_push(&f->launches, launch);
		break;
	case REC_FAILED:
		code_failed(c, &failed);
		array_push(&f->failed, failed);
		break;
	case REC_REFUSED:
		code_refused(c, &refused);
		f->launches.n -= refused.begun && last && last->state == CAP_BEGUN;
		array_push(&f->refused, refused);
		break;
	case REC_MISUSE:
		code_misuse(c, &misuse);
		good = misuse.number && misuse.number <= f->misuses.n + 1;
		if (good && misuse.number <= f->misuses.n)
			f->misuses.v[misuse.number - 1] = misuse;
		else if (good)
			array_push(&f->misuses, misuse);
		break;
	default: f->ended = true; break;
	}
	return good && !c->bad && c->p == c->end;
}

/* One record that is no chunk. payload: memory for it, which grows. */
static bool read_record(CapFile *f, u64 at, const RecHead *h, Buf *payload, Diag *d)
{
	struct CapIndex *x = f->index;
	static const char greedy[] = "its records ask for more memory than they can need";
	if (h->unpacked > x->room || h->unpacked > UINT32_MAX / 2)
		return damaged(f, at, greedy, d);
	x->room -= h->unpacked;
	array_reserve(payload, (u32)h->unpacked + 1);
	if (!unpack(f, at, h, (u8 *)payload->v, d))
		return false;
	const u8 *p = (const u8 *)payload->v;
	Codec c = {.p = p, .end = p + h->unpacked, .arena = f->arena, .room = &x->room};
	return take(f, h->kind & ~(u32)REC_PACKED, &c) ||
	       damaged(f, at, x->room ? "a record is not what it should be" : greedy, d);
}

static void drop_withdrawn(CapFile *f)
{
	u32 kept = 0;
	for (u32 i = 0; i < f->misuses.n; i++)
		if (f->misuses.v[i].count)
			f->misuses.v[kept++] = f->misuses.v[i];
	f->misuses.n = kept;
}

static bool read_records(CapFile *f, Diag *d)
{
	u64 at = sizeof(CapHead), n = f->index->n;
	Buf payload = {0};
	bool ok = true;
	f->index->room = CODEC_ROOM(n);
	while (ok && n - at >= sizeof(RecHead)) {
		RecHead h;
		ok = read_head(f, at, &h, d);
		if (!ok || h.stored > n - at - sizeof h)
			break;
		if ((h.kind & ~(u32)REC_PACKED) == REC_CHUNK)
			array_push(&f->index->chunks, at);
		else
			ok = read_record(f, at, &h, &payload, d);
		at += sizeof h + h.stored;
	}
	f->truncated = ok && at != n;
	drop_withdrawn(f);
	array_free(&payload);
	return ok;
}

/* ---- the file ---- */

static bool read_file_head(CapFile *f, Diag *d)
{
	CapHead h;
	Loc loc = {.file = f->path};
	if (f->index->n < sizeof h || memcmp(f->index->bytes, CAP_MAGIC, sizeof h.magic) != 0) {
		diag_error(d, loc, "this is not a launch file");
		return diag_hint(d, "wavesim record -- PROGRAM writes one");
	}
	memcpy(&h, f->index->bytes, sizeof h);
	if (cap_head_sum(&h) != h.sum)
		return damaged(f, 0, "the checksum of its head is wrong", d);
	if (!h.version || h.version > CAP_VERSION) {
		diag_error(d, loc, "this launch file has version %u; this wavesim reads up to version %d", h.version,
		           CAP_VERSION);
		return diag_hint(d, "a newer wavesim wrote it: use that one");
	}
	f->version = h.version;
	return true;
}

static CapFile *open_bytes(const char *path, const u8 *bytes, u64 n, bool own, Diag *d)
{
	CapFile *f = xcalloc(1, sizeof *f);
	f->own = own;
	f->arena = arena_new();
	f->path = arena_strdup(f->arena, path);
	f->index = ARENA_NEW(f->arena, struct CapIndex);
	f->index->bytes = bytes;
	f->index->n = n;
	if (read_file_head(f, d) && read_records(f, d))
		return f;
	cap_close(f);
	return NULL;
}

CapFile *cap_open_bytes(const char *path, const u8 *bytes, u64 n, Diag *d)
{
	return open_bytes(path, bytes, n, false, d);
}

static CapFile *open_path(const char *path, bool own, Diag *d)
{
	Loc loc = {.file = path};
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		diag_error(d, loc, "cannot read this file: %s", fd < 0 ? strerror(errno) : "it is not a file");
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	u64 n = (u64)st.st_size;
	void *bytes = n ? mmap(NULL, n, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
	int why = errno;
	close(fd);
	if (bytes == MAP_FAILED) {
		diag_error(d, loc, "cannot read this file: %s", strerror(why));
		return NULL;
	}
	CapFile *f = open_bytes(path, bytes ? bytes : (const u8 *)"", n, own, d);
	if (f)
		f->index->mapped = bytes != NULL;
	else if (bytes)
		munmap(bytes, n);
	return f;
}

CapFile *cap_open(const char *path, Diag *d) { return open_path(path, false, d); }
CapFile *cap_open_own(const char *path, Diag *d) { return open_path(path, true, d); }

void cap_close(CapFile *f)
{
	if (!f)
		return;
	if (f->index->mapped)
		munmap((void *)(uintptr_t)f->index->bytes, f->index->n);
	array_free(&f->index->contents);
	array_free(&f->index->chunks);
	array_free(&f->devices);
	array_free(&f->programs);
	array_free(&f->launches);
	array_free(&f->refused);
	array_free(&f->failed);
	array_free(&f->misuses);
	arena_free(f->arena);
	free(f);
}

bool cap_withdraw_leaks(const char *path, Diag *d)
{
	CapFile *f = cap_open(path, d);
	if (!f)
		return false;
	const char *why = "";
	CapWriter *w = f->misuses.n && !f->truncated ? cap_append(path) : NULL;
	for (u32 i = 0; w && i < f->misuses.n; i++) {
		CapMisuse m = f->misuses.v[i];
		m.count = 0;
		if (m.class == MISUSE_leaked)
			cap_put_misuse(w, &m);
	}
	bool ok = !w || cap_good(w, &why) ||
	          diag_error(d, (Loc){.file = path}, "cannot write this file: %s", why);
	if (w)
		cap_leave(w);
	cap_close(f);
	return ok;
}

u64 cap_hash(const CapFile *f)
{
	struct CapIndex *x = f->index;
	if (!x->hashed)
		x->hash = XXH3_64bits(x->bytes, x->n);
	x->hashed = true;
	return x->hash;
}

bool cap_is_file(const char *path) { return file_begins(path, CAP_MAGIC, sizeof CAP_MAGIC - 1); }

/* ---- memory ---- */

const char *cap_why_missing(const CapLaunch *l)
{
	switch ((CapState)l->state) {
	case CAP_KEPT: return NULL;
	case CAP_PASSED: return l->why ? l->why : "nobody says why";
	case CAP_BEGUN: return l->why && *l->why ? l->why : "the program ended before this launch did";
	case CAP_UNWANTED: break;
	}
	return unwanted;
}

u64 cap_content_size(const CapFile *f, u32 content)
{
	return content && content <= f->index->contents.n ? f->index->contents.v[content - 1].size : 0;
}

bool cap_load(const CapFile *f, u32 content, u8 *out, Diag *d)
{
	if (!content)
		return true;
	const CapContent *t = &f->index->contents.v[content - 1];
	for (u32 i = 0; i < t->nchunks; i++) {
		u64 at = (u64)i * CAP_CHUNK, n = t->size - at < CAP_CHUNK ? t->size - at : CAP_CHUNK;
		u32 number = t->chunks[i];
		RecHead h;
		if (!number) {
			memset(out + at, 0, n);
			continue;
		}
		u64 where = f->index->chunks.v[number - 1];
		memcpy(&h, f->index->bytes + where, sizeof h);
		if (h.unpacked != n)
			return damaged(f, where, "a piece of memory has another size", d);
		if (!unpack(f, where, &h, out + at, d))
			return false;
	}
	return true;
}

bool cap_check(const CapFile *f, Diag *d)
{
	for (u32 i = 0; i < f->index->chunks.n; i++) {
		u64 at = f->index->chunks.v[i];
		RecHead h;
		memcpy(&h, f->index->bytes + at, sizeof h);
		if (cap_record_sum(&h, f->index->bytes + at + sizeof h) != h.sum)
			return damaged(f, at, "a checksum is wrong", d);
	}
	return true;
}

/* ---- choosing launches ---- */

bool cap_pick_options(CapPick *p, const char *kernels, const char *launches, bool once, Diag *d)
{
	Buf why = {0};
	bool ok = cap_pick_init(p, kernels, launches, once, &why) || diag_error(d, NO_LOC, "--launches: %s", why.v);
	array_free(&why);
	return ok;
}

bool cap_pick_none(const CapPick *p, const char *file, u32 left_out, Diag *d)
{
	Loc at = {.file = file};
	if (p->ranges.n || p->kernels)
		diag_error(d, at, "there is no launch that %s",
		           !p->kernels   ? "--launches wants"
		           : p->ranges.n ? "--launches and --kernels want"
		                         : "--kernels wants");
	else
		diag_error(d, at, left_out ? "no launch of this file was kept" : "there is no launch in this file");
	if (left_out)
		diag_hint(d, "%u of its launches %s left out when it was recorded, by --launches, --kernels or --once",
		          left_out, left_out == 1 ? "was" : "were");
	return false;
}

void cap_sizes(const CapFile *f, CapSizes *out)
{
	*out = (CapSizes){.file = f->index->n};
	for (u32 i = 0; i < f->index->chunks.n; i++) {
		RecHead h;
		memcpy(&h, f->index->bytes + f->index->chunks.v[i], sizeof h);
		out->chunks += sizeof h + h.stored;
	}
	for (u32 i = 0; i < f->launches.n; i++) {
		const CapLaunch *l = &f->launches.v[i];
		for (u32 k = 0; k < l->nobjects; k++)
			out->memory += (l->objects[k].before ? l->objects[k].size : 0) +
			               (l->objects[k].after ? l->objects[k].size : 0);
	}
}
