/* What the printer, the parser and the verifier agree on beyond isa.h: which
 * operations have an address space, an aux or an immediate, and the words of the
 * text form. Private to isa/. */
#ifndef WAVESIM_TEXT_H
#define WAVESIM_TEXT_H

#include "isa/isa.h"

static inline AuxKind op_aux(u32 op) { return (AuxKind)(op_info[op].flags >> AUX_SHIFT); }
static inline bool op_has_space(u32 op) { return op_info[op].flags & F_SPACE; }
/* F_IMM, or a lane operation whose expression mentions k. */
bool op_has_imm(u32 op);

/* Names of ArgKind and ElemClass in the text form. */
enum { ARG_KINDS = ARG_PIPE + 1, ELEM_CLASSES = ELEM_FLOAT + 1 };
extern const char *const arg_kind_name[ARG_KINDS];
extern const char *const elem_class_name[ELEM_CLASSES];

/* program_verify; with lines (one per instruction) the messages point into file. */
bool verify_lines(const Program *p, Diag *d, const char *file, const u32 *lines);

#endif
