/* What every room needs: integer names, the lane mask, an arena,
 * growable arrays, text buffers, numbers from text.
 *
 * base/ is the bottom of the include order: it knows nothing of OpenCL or of programs.
 *   base.h      this                  diag.h      messages about the user's input   codec.h  records as bytes and back
 *   hash.h      sets, tables          heap.h      a priority queue                  csv.h    comma-separated values
 *   scan.h      what parsers share    number.h    numbers for people                temp.h   temporary folders
 *   parallel.h  independent jobs      thread.h    threads in the caller's locale    stop.h   asking work to end
 *   child.h     processes for work    reserve.h   out of memory                     opencl_host.h  OpenCL calls */
#ifndef WAVESIM_BASE_H
#define WAVESIM_BASE_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;

/* GNU extensions stay behind these names.
 * UNLIKELY(x): x, which is hardly ever true. */
#define FORCE_INLINE inline __attribute__((always_inline))
#define NO_INLINE __attribute__((noinline))
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
/* gcc's name for it, and clang's. */
#if defined(__SANITIZE_ADDRESS__)
#define BUILT_WITH_ASAN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BUILT_WITH_ASAN
#endif
#endif
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

#define WAVESIM_VERSION "0.1.0"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* (Of doubles that are not negative they are in the order of these.) */
static FORCE_INLINE u64 bits_of_double(double x)
{
	u64 bits;
	memcpy(&bits, &x, sizeof bits);
	return bits;
}
static FORCE_INLINE double double_of_bits(u64 bits)
{
	double x;
	memcpy(&x, &bits, sizeof x);
	return x;
}

/* The widest wavefront, in lanes. */
enum { MAX_WAVE = 128 };

/* One bit per lane, lane 0 in bit 0. */
typedef u128 Mask;

static inline Mask mask_first(u32 lanes) /* lanes 0 … lanes-1 */
{
	return lanes >= 128 ? ~(Mask)0 : ((Mask)1 << lanes) - 1;
}
static inline Mask mask_lane(u32 lane) { return (Mask)1 << lane; }
/* Without the instruction, which the least x86-64 does not have, the built-in is a call for each half. */
static inline u32 mask_count(Mask m)
{
#if defined(__POPCNT__)
	return (u32)__builtin_popcountll((u64)m) + (u32)__builtin_popcountll((u64)(m >> 64));
#else
	const u64 ones = UINT64_MAX, pairs = ones / 5, fours = ones / 17;
	u64 a = (u64)m, b = (u64)(m >> 64);
	a -= a >> 1 & ones / 3;
	b -= b >> 1 & ones / 3;
	a = (a & pairs) + (a >> 2 & pairs) + (b & pairs) + (b >> 2 & pairs); /* of both: at most 8 in four bits */
	return (u32)(((a & fours) + (a >> 4 & fours)) * (ones / 255) >> 56);
#endif
}
static inline u32 mask_lowest(Mask m) /* m must not be 0 */
{
	return (u64)m ? (u32)__builtin_ctzll((u64)m) : 64 + (u32)__builtin_ctzll((u64)(m >> 64));
}
static inline u32 mask_highest(Mask m)
{
	u64 high = (u64)(m >> 64);
	return high ? 127 - (u32)__builtin_clzll(high) : 63 - (u32)__builtin_clzll((u64)m);
}
/* for (Mask m = mask; m; m = mask_drop(m)) { u32 lane = mask_lowest(m); … } */
static inline Mask mask_drop(Mask m) { return m & (m - 1); }

/* ---- base.c ---- */

/* Memory that lives as long as one phase. Allocations are zeroed and never fail, as those of xmalloc. */
typedef struct Arena Arena;
Arena *arena_new(void);
void arena_free(Arena *a);
void *arena_alloc(Arena *a, size_t size); /* 16-byte aligned, zeroed */
char *arena_strdup(Arena *a, const char *s); /* NULL of NULL, as xstrdup */
char *arena_strndup(Arena *a, const char *s, size_t n);
char *arena_printf(Arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
char *arena_vprintf(Arena *a, const char *fmt, va_list ap);
#define ARENA_NEW(a, T) ((T *)arena_alloc((a), sizeof(T)))
#define ARENA_ARRAY(a, T, n) ((T *)arena_alloc((a), sizeof(T) * (size_t)(n)))

/* malloc and realloc that do not return NULL: what happens when memory runs out is in reserve.h. */
void *xmalloc(size_t size);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t size);
char *xstrdup(const char *s);
/* For qsort: of pointers to texts, of numbers; and FIELD_ORDER(name, T, …) makes one of structs by one to four
 * fields. */
int by_text(const void *a, const void *b);
int by_u32(const void *a, const void *b);
int by_u64(const void *a, const void *b);
int by_double(const void *a, const void *b);
#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))
#define FIELD_ORDER(name, T, ...) \
	static int name(const void *pa, const void *pb) \
	{ \
		const T *a = pa, *b = pb; \
		return FIELDS_PICK(__VA_ARGS__, FIELDS_4, FIELDS_3, FIELDS_2, FIELDS_1)(__VA_ARGS__); \
	}
#define FIELDS_PICK(f, g, h, i, pick, ...) pick
#define FIELDS_1(f) ORDER(a->f, b->f)
#define FIELDS_2(f, g) (a->f != b->f ? FIELDS_1(f) : FIELDS_1(g))
#define FIELDS_3(f, g, h) (a->f != b->f ? FIELDS_1(f) : FIELDS_2(g, h))
#define FIELDS_4(f, g, h, i) (a->f != b->f ? FIELDS_1(f) : FIELDS_3(g, h, i))
/* qsort, which must not be asked to sort an empty list at NULL. */
void sort(void *v, size_t n, size_t size, int (*compare)(const void *, const void *));
/* The first of n sorted elements that does not come before key; n: none. */
u32 lower_bound(const void *v, u32 n, size_t size, const void *key, int (*compare)(const void *, const void *));

/* Names and texts of a list of X(name, doc); of X(name, second, third) those. */
#define X_NAME(name, ...) #name,
#define X_DOC(name, doc) doc,
#define X_SECOND(name, second, ...) second,
#define X_THIRD(name, second, third, ...) third,

/* Growable arrays: ARRAY(u32) a = {0}; array_push(&a, 7); a.v[0]; array_free(&a); */
#define ARRAY(T) \
	struct { \
		T *v; \
		u32 n, cap; \
	}
#define array_reserve(a, want) \
	((a)->n + (u64)(want) > (a)->cap \
	     ? (void)((a)->v = array_grow((a)->v, &(a)->cap, (a)->n + (u64)(want), sizeof *(a)->v)) \
	     : (void)0)
#define array_push(a, x) (array_reserve((a), 1), (a)->v[(a)->n++] = (x))
#define array_free(a) (free((a)->v), (a)->v = NULL, (a)->n = (a)->cap = 0)
#define array_sort(a, compare) sort((a)->v, (a)->n, sizeof *(a)->v, (compare))
/* More elements than a u32 counts are more memory than there is. */
void *array_grow(void *v, u32 *cap, u64 want, size_t size);
/* The elements in an arena instead: the array is gone, its memory given back. */
#define array_keep(a, arena) arena_keep((arena), (a)->v, (a)->n * sizeof *(a)->v)
void *arena_keep(Arena *a, void *v, size_t size);
/* A copy of so many bytes, which may be none. */
void *arena_copy(Arena *a, const void *v, size_t size);

/* Text that grows: buf_printf(&b, …); b.v is always NUL-terminated after a print. */
typedef ARRAY(char) Buf;
void buf_printf(Buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
void buf_line(Buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3); /* and the end of the line */
void buf_vprintf(Buf *b, const char *fmt, va_list ap);
void buf_write(Buf *b, const void *p, size_t n);
/* Bytes of the control character at s, of n, which is no line feed and no tab; 0: it is none. */
u32 control_at(const char *s, size_t n);
/* The same with '?' for each control character but line feeds and tabs, so that text of a stranger's does nothing to a
 * terminal. colours: sequences that choose one stay. */
void buf_masked(Buf *b, const char *text, size_t n, bool colours);
/* The text in an arena instead ("" of an empty one); b is empty then, its memory given back. */
char *buf_keep(Buf *b, Arena *a);

/* n bytes as valid UTF-8: what is none (a zero among them too) becomes U+FFFD. free(). */
char *utf8_clean(const char *s, size_t n);
bool utf8_is_valid(const char *s, size_t n); /* would it stay as it is? */

/* What follows the last slash of a path. */
const char *path_name(const char *path);
/* Does path, links resolved, lie in the folder ("": the current one) or below? Also when there is no such path. */
bool path_is_inside(const char *folder, const char *path);
/* Where name lies that was built or installed with this program: beside it, or in ../lib/wavesim or ../share/wavesim.
 * out: PATH_MAX bytes. False: nowhere. */
bool near_program(const char *name, char *out);
/* Does it end so, behind something? */
bool path_ends(const char *path, const char *end);
/* Does the file begin with these n bytes? False too when it cannot be read. */
bool file_begins(const char *path, const void *bytes, size_t n);
/* A whole file, NUL-terminated beyond size; NULL (and errno) on failure. Release with free(). */
char *read_file(const char *path, size_t *size);
char *read_stream(FILE *f, size_t *size); /* the same of a stream, which it closes; NULL of NULL */
/* The same of a name that a source or its debug information gives: NULL too for what is no regular file, and may have
 * no end. */
char *read_regular_file(const char *path, size_t *size);

/* A text as a whole file. False (and errno): it is not, or not all of it. */
bool write_file(const char *path, const char *text);

/* A clock for measuring, in seconds. */
double seconds_now(void);

/* Wait until fd has something to read or its other end is closed, or until seconds_now() is end (0: for
 * ever). False: time is up. */
bool wait_readable(int fd, double end);
/* The same of two, of which the other counts first; -1: there is none. Which it is, or -1: time is up. */
int wait_either(int fd, int other, double end);
/* All n bytes into a file or pipe. False: it takes no more. */
bool write_bytes(int fd, const void *bytes, size_t n);

/* Parse the whole of s as a number; false when s is anything else or out of range.
 * Integers: decimal, 0x…; k, m, g as a last letter mean 1024, 1024², 1024³. Of parse_f64, nothing is out of range:
 * what a double cannot hold is infinite. */
bool parse_u64(const char *s, u64 *out);
bool looks_whole(const char *s);            /* written as parse_u64 wants it, but perhaps out of range */
const char *parse_u64_fault(const char *s); /* why it did not parse: "is not a whole number" */
bool parse_i64(const char *s, i64 *out);
bool parse_f64(const char *s, double *out);

/* The candidate nearest to word, or NULL when none is near: an edit distance of a third of its
 * length, rounded up, but never the whole word. */
const char *nearest_word(const char *word, const char *const *candidates, u32 n);

#endif
