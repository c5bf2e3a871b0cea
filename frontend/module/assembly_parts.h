/* What the files of inline assembly share (assembly.h says what it is for):
 *
 *   assembly.c         reads constraints and lines; arithmetic (assembly.def)
 *   assembly_mask.c    comparisons, carries, and what they choose
 *   assembly_memory.c  loads and stores
 *   assembly_matrix.c  matrix instructions
 *
 * Everything is read twice: without a builder it is only checked, with one it becomes LLVM's operations. */
#ifndef WAVESIM_FRONTEND_ASSEMBLY_PARTS_H
#define WAVESIM_FRONTEND_ASSEMBLY_PARTS_H

#include "frontend/module/assembly.h"

#include "base/scan.h"

typedef enum { NONE, F16, F32, F64, I32, I64, H2, F2 } AsmType;

enum { MOST_VALUES = 32, MOST_OPERANDS = 4 };

/* What a comparison or a carry left in VCC (a bit a lane) or in SCC (one of the wavefront). */
typedef struct AsmFlag {
	bool known;
	LLVMValueRef bit; /* of the lane; NULL: nothing is built */
} AsmFlag;

/* One call of it. */
typedef struct Asm {
	const FeModule *m;
	LLVMValueRef call;
	LLVMBuilderRef b;                 /* NULL: nothing is built, it is only read */
	u32 nresults, n;
	LLVMValueRef value[MOST_VALUES];  /* of $0, $1 …: first the results; NULL: it has none yet */
	LLVMTypeRef type[MOST_VALUES];
	u32 same[MOST_VALUES];            /* the result whose register it shares, or itself */
	bool written[MOST_VALUES], before[MOST_VALUES]; /* results; before: read before that */
	bool ended;                       /* the wavefront has */
	AsmFlag vcc, scc;
} Asm;

/* ---- assembly.c ---- */
LLVMTypeRef asm_type(const Asm *a, AsmType t);
/* $N, -$N or |$N|, or a number; NULL: something else. amount: of a shift, which always has 32 bits. */
LLVMValueRef asm_operand(Asm *a, const char **p, AsmType t, bool amount);
/* $N, of so many bits, which is read; MOST_VALUES: something else. */
u32 asm_register(Asm *a, const char **p, u32 bits);
/* The result that $N is, or shares its register with; MOST_VALUES: something else. */
u32 asm_result(const Asm *a, const char **p, u32 bits);
/* When all operands are read; v: where there is a builder. */
void asm_write(Asm *a, u32 to, LLVMValueRef v);
/* A whole number is its bits, also where floats are meant; 1.0 is the float. An instruction has room for 32 bits, and
 * for short numbers of every size: of longer ones a double gets the upper half, an integer of 64 bits the lower. NULL:
 * it is none, or too long. */
LLVMValueRef asm_number(const Asm *a, const char **p, AsmType t);
/* Its bits as a value of type t. */
LLVMValueRef asm_value(const Asm *a, u32 n, LLVMTypeRef t);
/* v0, s[0:1], a2 …: a register that the assembly chose itself. */
bool asm_is_own(const char *p);
/* A function of LLVM. */
LLVMValueRef asm_call(const Asm *a, const char *name, LLVMTypeRef result, LLVMValueRef *x, u32 n);

/* ---- assembly_mask.c, assembly_memory.c, assembly_matrix.c ---- */
typedef enum { ASM_OTHER, ASM_GOOD, ASM_BAD } AsmRead;
/* An instruction of n characters, with what follows. ASM_OTHER: it is none of these. */
AsmRead asm_mask(Asm *a, const char *word, size_t n, const char *p);
AsmRead asm_matrix(Asm *a, const char *word, size_t n, const char *p);
AsmRead asm_memory(Asm *a, const char *word, size_t n, const char *p);

#endif
