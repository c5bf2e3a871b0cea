/* The parser's state and what its two files share: parse.c (the driver, code) and
 * parse_head.c (the lines before the code). Private to isa/. */
#ifndef WAVESIM_PARSE_H
#define WAVESIM_PARSE_H

#include "isa/parse_lex.h"

/* Operands that are constants are numbered in a pool until all registers are known. */
#define POOLED 0x80000000u
enum { MAX_OBJECT = 256 << 20 };

typedef ARRAY(u32) Numbers;

typedef struct Parser {
	Lex l;
	Program *p;
	Program *pool;     /* its registers are the constants seen so far */
	Numbers place;     /* of each pooled constant: its register, or UINT32_MAX */
	ARRAY(bool) known; /* registers that have been declared */
	Numbers lines;     /* of each instruction */
	Numbers dst, src, tgt;
	u16 recent[64]; /* operations that were named, by what their names hash to */
	u32 max_reg;
	u64 data_left; /* bytes of initial data that objects may still have */
} Parser;

/* ---- parse.c ---- */
u32 parse_pool(Parser *ps, Type t, u128 v);
bool parse_at_reg(Lex *l); /* is a register here: v, s or c and a digit? */
bool parse_reg(Parser *ps, u32 *r);
void parse_declare(Parser *ps, u32 n, Type t, RegKind kind);
/* The number of a numbered line: it must be the next one. */
bool parse_index(Parser *ps, u32 next, const char *what);
bool parse_name(Parser *ps, const char **name); /* a string, or nothing: NULL */

/* ---- parse_head.c: one line each, its first word read ---- */
void parse_kernel(Parser *ps);
void parse_reqd_local(Parser *ps);
void parse_max_group(Parser *ps);
void parse_constant_args(Parser *ps);
void parse_peak(Parser *ps);
void parse_file(Parser *ps);
void parse_format(Parser *ps);
void parse_object(Parser *ps);
void parse_arg(Parser *ps);
void parse_reg_line(Parser *ps);
void parse_param(Parser *ps);

#endif
