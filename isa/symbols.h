/* What a debugger asks of a Program: the source's variables, their types, and which of its functions and blocks an
 * instruction is in. Only programs that are compiled to be debugged (FeOptions.debug) have it; it is not part of the
 * text form. */
#ifndef WAVESIM_SYMBOLS_H
#define WAVESIM_SYMBOLS_H

#include "base/base.h"

#define SYM_KINDS(X) X(UNKNOWN) X(INT) X(UINT) X(BOOL) X(FLOAT) X(POINTER) X(STRUCT) X(ARRAY) X(VECTOR)
#define X_SYM(name) SYM_##name,
typedef enum { SYM_KINDS(X_SYM) SYM_KIND_COUNT } SymKind;

typedef struct SymType {
	const char *name; /* "float", "struct particle"; NULL: made of its base ("int *", "float[4]") */
	u8 kind;          /* SymKind */
	u32 bytes;
	u32 base;  /* of a pointer, an array, a vector: what it is of; 0: not known */
	u32 n;     /* of an array or a vector: elements; of a structure: members … */
	u32 first; /* … Symbols.members[first …] */
} SymType;

typedef struct SymMember {
	const char *name;
	u32 type, offset; /* in bytes */
} SymMember;

/* A function of the source, or a block in one. */
typedef struct SymScope {
	const char *function; /* NULL: a block */
	u32 parent;           /* of a block: what it is in; of an inlined function: what it was inlined into; else 0 */
	u32 call;             /* Program.locs: where an inlined function was called, else 0 */
} SymScope;

/* A variable, as a rule with an address. */
typedef struct SymVar {
	const char *name;
	u32 type, scope; /* scope 0: of the whole program */
	u32 object;      /* Program.objects; NO_OBJECT: the optimiser left it no place of its own */
	u32 line;        /* of its declaration */
	bool parameter;
} SymVar;

#define NO_OBJECT UINT32_MAX

typedef struct Symbols {
	ARRAY(SymType) types; /* [0] is unknown */
	ARRAY(SymMember) members;
	ARRAY(SymScope) scopes; /* [0] is none */
	ARRAY(SymVar) vars;
	ARRAY(u32) loc_scopes; /* by Program.locs: its scope; locs behind the end have none */
} Symbols;

Symbols *symbols_new(void);
void symbols_free(Symbols *s);
/* The scope of a place, or 0. */
static inline u32 symbols_scope(const Symbols *s, u32 loc)
{
	return s && loc < s->loc_scopes.n ? s->loc_scopes.v[loc] : 0;
}
/* "float *", "int[4][8]": into out. */
void symbols_type_name(const Symbols *s, u32 type, Buf *out);

#endif
