/* Records as bytes: one walk over the fields of a record serves writing and reading.
 *
 *   void code_thing(Codec *c, Thing *t) { CODE(c, t->name, t->n); }
 *
 * Integers take 7 bits a byte, the last byte without its top bit; texts and bytes follow their length,
 * elements their number. The reader need not trust the bytes: lengths and numbers are checked
 * against the bytes that are left, and memory that is made of them against a limit (room). What a
 * number stands for (an index, an enumeration) its reader checks. */
#ifndef WAVESIM_CODEC_H
#define WAVESIM_CODEC_H

#include "base/hash.h"

/* Texts that were met already (code_name). */
typedef struct CodecNames {
	ARRAY(const char *) v;
	HashIndex index; /* only to write */
} CodecNames;

/* Reading sets bad and yields zeros when the bytes end early or are not what they should be. */
typedef struct Codec {
	bool writing, bad;
	Buf *out;            /* to write */
	const u8 *p, *end;   /* to read … */
	Arena *arena;        /* … into this … */
	u64 *room;           /* … so many bytes at most; 0: reading ended because they did not do */
	CodecNames names;
} Codec;

/* Of what n bytes are read into: far more than real records take. */
#define CODEC_ROOM(n) (((u64)256 << 20) + 64 * (u64)(n))

/* Of what code_name keeps. */
void codec_free(Codec *c);
/* Reading found something that cannot be. */
static inline void codec_check(Codec *c, bool ok) { c->bad |= !c->writing && !ok; }

void code_u64(Codec *c, u64 *v);
void code_u32(Codec *c, u32 *v);
void code_u16(Codec *c, u16 *v);
void code_u8(Codec *c, u8 *v);
void code_i64(Codec *c, i64 *v);
void code_bool(Codec *c, bool *v);
void code_f64(Codec *c, double *v); /* every bit of it */
/* An enumeration of n values from 0. */
u32 code_enum(Codec *c, u32 v, u32 n);
/* Read into the arena, with a 0 behind them. */
void code_bytes(Codec *c, const u8 **v, u64 *n);
/* A text without zeros; NULL is one of its own. */
void code_text(Codec *c, const char **v);
/* The same, of one that comes often: equal texts are one when they are read. */
void code_name(Codec *c, const char **v);
/* A list: its length, and when reading, memory for it in the arena, zeroed. Reading its elements must
 * end at the first bad one: for (u32 i = 0; i < n && !c->bad; i++). */
void *code_list(Codec *c, void *v, u32 *n, size_t size);
/* The same for an ARRAY, which array_free releases. */
#define code_array(c, a) \
	((a)->v = code_array_memory((c), (a)->v, &(a)->n, &(a)->cap, sizeof *(a)->v))
void *code_array_memory(Codec *c, void *v, u32 *n, u32 *cap, size_t size);

/* Up to ten fields, each by its type: numbers, bool, const char * as a text. */
#define CODE(c, ...) CODE_N_(__VA_ARGS__, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)(c, __VA_ARGS__)
#define CODE_N_(a, b, c, d, e, f, g, h, i, j, n, ...) CODE_##n##_
#define CODE_1_(c, x) \
	_Generic(&(x), u64 *: code_u64, u32 *: code_u32, u16 *: code_u16, u8 *: code_u8, i64 *: code_i64, \
	         bool *: code_bool, double *: code_f64, const char **: code_text)((c), &(x))
#define CODE_2_(c, x, ...) CODE_1_(c, x), CODE_1_(c, __VA_ARGS__)
#define CODE_3_(c, x, ...) CODE_1_(c, x), CODE_2_(c, __VA_ARGS__)
#define CODE_4_(c, x, ...) CODE_1_(c, x), CODE_3_(c, __VA_ARGS__)
#define CODE_5_(c, x, ...) CODE_1_(c, x), CODE_4_(c, __VA_ARGS__)
#define CODE_6_(c, x, ...) CODE_1_(c, x), CODE_5_(c, __VA_ARGS__)
#define CODE_7_(c, x, ...) CODE_1_(c, x), CODE_6_(c, __VA_ARGS__)
#define CODE_8_(c, x, ...) CODE_1_(c, x), CODE_7_(c, __VA_ARGS__)
#define CODE_9_(c, x, ...) CODE_1_(c, x), CODE_8_(c, __VA_ARGS__)
#define CODE_10_(c, x, ...) CODE_1_(c, x), CODE_9_(c, __VA_ARGS__)
/* A list in the arena with its elements, as far as they are good: code(c, Type *). */
#define CODE_LIST(c, Type, list, n, code) \
	do { \
		Type *v_ = code_list(c, (Type *)(uintptr_t)(list), &(n), sizeof *v_); \
		(list) = v_; \
		for (u32 i_ = 0; i_ < (n) && !(c)->bad; i_++) \
			code(c, &v_[i_]); \
	} while (0)

#endif
