/* Arena, growable arrays, text buffers, number parsing. */
#include "base/reserve.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct Chunk Chunk;
struct Chunk {
	Chunk *next;
	size_t used, size;
	_Alignas(16) u8 data[];
};

struct Arena {
	Chunk *chunks; /* the newest first */
};

enum { ARENA_FIRST = 4 * 1024, ARENA_CHUNK = 64 * 1024 }; /* each twice the one before, as far as that */

void *xmalloc(size_t size)
{
	void *p;
	while (!(p = malloc(size ? size : 1)))
		reserve_need(size);
	return p;
}

void *xcalloc(size_t n, size_t size)
{
	void *p;
	while (!(p = calloc(n ? n : 1, size ? size : 1)))
		reserve_need(n * size);
	return p;
}

void *xrealloc(void *p, size_t size)
{
	void *more;
	while (!(more = realloc(p, size ? size : 1)))
		reserve_need(size);
	return more;
}

char *xstrdup(const char *s) { return s ? memcpy(xmalloc(strlen(s) + 1), s, strlen(s) + 1) : NULL; }

int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
int by_u32(const void *a, const void *b) { return ORDER(*(const u32 *)a, *(const u32 *)b); }
int by_u64(const void *a, const void *b) { return ORDER(*(const u64 *)a, *(const u64 *)b); }
int by_double(const void *a, const void *b) { return ORDER(*(const double *)a, *(const double *)b); }

void sort(void *v, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	if (n)
		qsort(v, n, size, compare);
}

Arena *arena_new(void) { return xcalloc(1, sizeof(Arena)); }

void arena_free(Arena *a)
{
	if (!a)
		return;
	for (Chunk *c = a->chunks, *next; c; c = next) {
		next = c->next;
		free(c);
	}
	free(a);
}

void *arena_alloc(Arena *a, size_t size)
{
	size = (size + 15) & ~(size_t)15;
	Chunk *c = a->chunks;
	if (!c || c->size - c->used < size) {
		size_t room = !c ? ARENA_FIRST : 2 * c->size < ARENA_CHUNK ? 2 * c->size : ARENA_CHUNK;
		room = size > room ? size : room;
		c = xcalloc(1, sizeof(Chunk) + room);
		c->size = room;
		c->next = a->chunks;
		a->chunks = c;
	}
	void *p = c->data + c->used;
	c->used += size;
	return p;
}

char *arena_strndup(Arena *a, const char *s, size_t n)
{
	char *p = arena_alloc(a, n + 1);
	memcpy(p, s, n);
	return p;
}

char *arena_strdup(Arena *a, const char *s) { return s ? arena_strndup(a, s, strlen(s)) : NULL; }

char *arena_vprintf(Arena *a, const char *fmt, va_list ap)
{
	char text[256];
	va_list again;
	va_copy(again, ap);
	int n = vsnprintf(text, sizeof text, fmt, ap);
	char *p = arena_alloc(a, (size_t)n + 1);
	if ((size_t)n < sizeof text)
		memcpy(p, text, (size_t)n);
	else
		vsnprintf(p, (size_t)n + 1, fmt, again);
	va_end(again);
	return p;
}

char *arena_printf(Arena *a, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *p = arena_vprintf(a, fmt, ap);
	va_end(ap);
	return p;
}

u32 lower_bound(const void *v, u32 n, size_t size, const void *key, int (*compare)(const void *, const void *))
{
	u32 low = 0;
	while (low < n) {
		u32 mid = low + (n - low) / 2;
		if (compare((const u8 *)v + mid * size, key) < 0)
			low = mid + 1;
		else
			n = mid;
	}
	return low;
}

void *array_grow(void *v, u32 *cap, u64 want, size_t size)
{
	u64 room = *cap ? *cap : 8;
	while (want > UINT32_MAX)
		reserve_need(want > SIZE_MAX / size ? SIZE_MAX : want * size);
	while (room < want)
		room *= 2;
	room = room < UINT32_MAX ? room : UINT32_MAX;
	void *more = realloc(v, room * size);
	if (!more) { /* memory is short */
		room = want < UINT32_MAX - want / 16 ? want + want / 16 : want;
		more = xrealloc(v, room * size);
	}
	*cap = (u32)room;
	return more;
}

void *arena_copy(Arena *a, const void *v, size_t size)
{
	void *kept = arena_alloc(a, size);
	if (size)
		memcpy(kept, v, size);
	return kept;
}

void *arena_keep(Arena *a, void *v, size_t size)
{
	void *kept = arena_copy(a, v, size);
	free(v);
	return kept;
}

/* Most texts are short: they are formatted once, into the room that there is. */
void buf_vprintf(Buf *b, const char *fmt, va_list ap)
{
	enum { SHORT = 64 };
	va_list again;
	va_copy(again, ap);
	array_reserve(b, SHORT);
	int n = vsnprintf(b->v + b->n, b->cap - b->n, fmt, ap);
	if ((u32)n >= b->cap - b->n) {
		array_reserve(b, (u64)(u32)n + 1); /* n < 0: more than an int counts, and than there is room for */
		vsnprintf(b->v + b->n, (size_t)n + 1, fmt, again);
	}
	va_end(again);
	b->n += (u32)n;
}

void buf_printf(Buf *b, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}

void buf_line(Buf *b, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
	buf_printf(b, "\n");
}

char *buf_keep(Buf *b, Arena *a)
{
	char *text = arena_strndup(a, b->n ? b->v : "", b->n);
	array_free(b);
	return text;
}

void buf_write(Buf *b, const void *p, size_t n)
{
	array_reserve(b, n + 1);
	if (n)
		memcpy(b->v + b->n, p, n);
	b->n += (u32)n;
	b->v[b->n] = 0;
}

/* Bytes of a sequence that chooses a colour, "\033[1;31m"; 0: there is none. */
static size_t colour_sequence(const char *text, size_t n)
{
	size_t i = 2;
	if (n < 3 || text[0] != '\033' || text[1] != '[')
		return 0;
	while (i < n && (text[i] == ';' || (text[i] >= '0' && text[i] <= '9')))
		i++;
	return i < n && text[i] == 'm' ? i + 1 : 0;
}

u32 control_at(const char *s, size_t n)
{
	u8 c = (u8)*s;
	if (c == 0xC2 && n > 1 && ((u8)s[1] & 0xE0) == 0x80) /* U+0080 … U+009F */
		return 2;
	return c == 0x7F || (c < 0x20 && c != '\n' && c != '\t');
}

void buf_masked(Buf *b, const char *text, size_t n, bool colours)
{
	for (size_t i = 0, k; i < n; i += k) {
		size_t colour = colours ? colour_sequence(text + i, n - i) : 0;
		u32 control = colour ? 0 : control_at(text + i, n - i);
		k = colour ? colour : control ? control : 1;
		buf_write(b, control ? "?" : text + i, control ? 1 : k);
	}
}

/* Bytes of the character at s, of n; 0: not UTF-8 (overlong, half of a surrogate pair, above
 * U+10FFFF, cut off, or zero). */
static u32 utf8_length(const u8 *s, size_t n)
{
	u32 more = s[0] < 0x80 ? 0 : s[0] >= 0xC2 && s[0] < 0xE0 ? 1 : s[0] >= 0xE0 && s[0] < 0xF0 ? 2 : 3;
	if (!s[0] || (s[0] >= 0x80 && s[0] < 0xC2) || s[0] >= 0xF5 || more >= n)
		return 0;
	u8 low = s[0] == 0xE0 ? 0xA0 : s[0] == 0xF0 ? 0x90 : 0x80;
	u8 high = s[0] == 0xED ? 0x9F : s[0] == 0xF4 ? 0x8F : 0xBF;
	for (u32 k = 1; k <= more; k++)
		if (s[k] < (k > 1 ? 0x80 : low) || s[k] > (k > 1 ? 0xBF : high))
			return 0;
	return more + 1;
}

bool utf8_is_valid(const char *s, size_t n)
{
	for (size_t i = 0, length; i < n; i += length) {
		length = utf8_length((const u8 *)s + i, n - i);
		if (!length)
			return false;
	}
	return true;
}

char *utf8_clean(const char *s, size_t n)
{
	Buf b = {0};
	buf_write(&b, "", 0);
	for (size_t i = 0; i < n;) {
		u32 length = utf8_length((const u8 *)s + i, n - i);
		if (length)
			buf_write(&b, s + i, length);
		else
			buf_write(&b, "\xEF\xBF\xBD", 3);
		i += length ? length : 1;
	}
	return b.v;
}

double seconds_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

bool wait_readable(int fd, double end) { return wait_either(fd, -1, end) == fd; }

int wait_either(int fd, int other, double end)
{
	for (;;) {
		double left = end > 0 ? end - seconds_now() : 3600;
		int ms = left > 3600 ? 3600000 : left > 0 ? (int)(left * 1000) + 1 : 0;
		struct pollfd p[2] = {{.fd = other, .events = POLLIN}, {.fd = fd, .events = POLLIN}};
		int n = poll(p, COUNT(p), ms);
		if (n > 0 && p[0].revents)
			return other;
		if (n > 0 || (n < 0 && errno != EINTR))
			return fd; /* or reading says what is wrong */
		if (n == 0 && end > 0 && left <= 0)
			return -1;
	}
}

bool write_bytes(int fd, const void *bytes, size_t n)
{
	for (const u8 *p = bytes; n;) {
		ssize_t k = write(fd, p, n);
		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return false;
		p += k;
		n -= (size_t)k;
	}
	return true;
}

const char *path_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

bool path_is_inside(const char *folder, const char *path)
{
	char *root = realpath(*folder ? folder : ".", NULL), *real = realpath(path, NULL);
	size_t n = root ? strlen(root) : 0;
	bool inside = !real || (root && !strncmp(real, root, n) && (n == 1 || real[n] == '/' || !real[n]));
	free(root);
	free(real);
	return inside;
}

bool near_program(const char *name, char *out)
{
	static const char *const places[] = {"", "../lib/wavesim/", "../share/wavesim/"};
	char self[PATH_MAX], path[PATH_MAX + 64];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	self[n > 0 ? n : 0] = 0;
	for (u32 i = 0; i < COUNT(places); i++) {
		snprintf(path, sizeof path, "%.*s%s%s", (int)(path_name(self) - self), self, places[i], name);
		if (realpath(path, out))
			return true;
	}
	return false;
}

bool path_ends(const char *path, const char *end)
{
	size_t n = strlen(path), m = strlen(end);
	return n > m && !strcmp(path + n - m, end);
}

bool file_begins(const char *path, const void *bytes, size_t n)
{
	char start[64];
	FILE *f = fopen(path, "rb");
	bool yes = f && n <= sizeof start && fread(start, 1, n, f) == n && !memcmp(start, bytes, n);
	if (f)
		fclose(f);
	return yes;
}

char *read_stream(FILE *f, size_t *size)
{
	enum { LARGEST = 1 << 30, LARGEST_OF_DEVICE = 1 << 16 };
	if (!f)
		return NULL;
	struct stat st;
	bool known = !fstat(fileno(f), &st), device = known && (S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode));
	bool endless = known && st.st_size > LARGEST;
	char *text = NULL;
	size_t n = 0, cap = 0;
	while (!endless) {
		if (n + 1 >= cap) {
			cap = cap ? cap * 2 : 4096;
			text = xrealloc(text, cap);
		}
		size_t got = fread(text + n, 1, cap - n - 1, f);
		if (!got)
			break;
		n += got;
		endless = n > (device ? LARGEST_OF_DEVICE : LARGEST);
	}
	if (endless || ferror(f)) {
		int e = endless ? EFBIG : errno;
		fclose(f);
		free(text);
		errno = e ? e : EIO;
		return NULL;
	}
	fclose(f);
	text[n] = 0;
	if (size)
		*size = n;
	return text;
}

char *read_file(const char *path, size_t *size) { return read_stream(fopen(path, "rb"), size); }

bool write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");
	bool ok = f && fputs(text, f) >= 0;
	return f && !fclose(f) && ok;
}

char *read_regular_file(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* opening a FIFO waits for its writer */
	struct stat st;
	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		return read_stream(fdopen(fd, "rb"), size);
	close(fd);
	errno = EINVAL;
	return NULL;
}

bool parse_u64(const char *s, u64 *out)
{
	if (*s < '0' || *s > '9')
		return false;
	char *end;
	bool hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
	errno = 0;
	u64 v = strtoull(s, &end, hex ? 16 : 10);
	if (errno || end == s || (hex && end == s + 1))
		return false;
	u32 shift = 0;
	switch (*end) {
	case 'k': case 'K': shift = 10; break;
	case 'm': case 'M': shift = 20; break;
	case 'g': case 'G': shift = 30; break;
	default: break;
	}
	if (shift) {
		if (v > UINT64_MAX >> shift)
			return false;
		v <<= shift;
		end++;
	}
	*out = v;
	return *end == 0;
}

bool looks_whole(const char *s)
{
	bool hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
	size_t n = hex ? 2 + strspn(s + 2, "0123456789abcdefABCDEF") : strspn(s, "0123456789");
	return n > (hex ? 2 : 0) && (!s[n] || (strchr("kKmMgG", s[n]) && !s[n + 1]));
}

const char *parse_u64_fault(const char *s)
{
	bool negative = s[0] == '-' && s[1] && !s[1 + strspn(s + 1, "0123456789")];
	return negative         ? "is negative"
	       : looks_whole(s) ? "is larger than 18446744073709551615"
	                        : "is not a whole number";
}

bool parse_i64(const char *s, i64 *out)
{
	u64 v;
	bool negative = *s == '-';
	if (!parse_u64(s + (negative || *s == '+'), &v))
		return false;
	if (v > (u64)INT64_MAX + negative)
		return false;
	*out = negative ? (i64)(0 - v) : (i64)v;
	return true;
}

bool parse_f64(const char *s, double *out)
{
	char *end;
	if (!*s || *s == ' ' || *s == '\t' || *s == '\n')
		return false;
	double v = strtod(s, &end);
	if (end > s && (*end == 'f' || *end == 'F') && end[1] == 0)
		end++;
	if (*end || end == s)
		return false;
	*out = v;
	return true;
}

/* The characters of it, some of which share a bit. */
static u64 letters(const char *s)
{
	u64 set = 0;
	while (*s)
		set |= 1ull << (*s++ & 63);
	return set;
}

enum { LONG_WORD = 64 };

/* The edits that make b, of n characters, of a. */
static u32 edit_distance(const char *a, const char *b, u32 n)
{
	u32 row[LONG_WORD + 1];
	for (u32 j = 0; j <= n; j++)
		row[j] = j;
	for (u32 i = 0; a[i]; i++) {
		u32 diagonal = row[0];
		row[0] = i + 1;
		for (u32 j = 0; j < n; j++) {
			u32 best = diagonal + (a[i] != b[j]);
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j + 1] + 1 < best)
				best = row[j + 1] + 1;
			diagonal = row[j + 1];
			row[j + 1] = best;
		}
	}
	return row[n];
}

const char *nearest_word(const char *word, const char *const *candidates, u32 n)
{
	const char *best = NULL;
	u64 own = letters(word);
	u32 length = (u32)strlen(word), limit = length / 3 + 1;
	if (limit >= length)
		limit = length ? length - 1 : 0;
	for (u32 i = 0; i < n; i++) {
		/* What differs too much in length, or in characters (an edit adds at most one new one and removes at
		 * most one), is most of a long list. */
		u32 m = (u32)strlen(candidates[i]);
		if (m > LONG_WORD || (m > length ? m - length : length - m) > limit)
			continue;
		u64 other = letters(candidates[i]);
		if ((u32)__builtin_popcountll(own & ~other) > limit || (u32)__builtin_popcountll(other & ~own) > limit)
			continue;
		u32 d = edit_distance(word, candidates[i], m);
		if (d <= limit) {
			limit = d ? d - 1 : 0;
			best = candidates[i];
			if (!d)
				break;
		}
	}
	return best;
}
