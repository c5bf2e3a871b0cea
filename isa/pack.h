/* Programs and what a code generator made of them as bytes, for another process (base/codec.h).
 *
 * Who reads need not trust the bytes: after a good read every index, number and enumeration is one that
 * there is. Of a Program program_verify() checks the rest, and must be called. */
#ifndef WAVESIM_PACK_H
#define WAVESIM_PACK_H

#include "base/codec.h"
#include "isa/isa.h"
#include "isa/r600.h"

/* p: of program_new(), to read; its arena owns what is read. */
void pack_program(Codec *c, Program *p);
/* What is read belongs to the arena: nothing is to be freed. */
void pack_machine(Codec *c, MachineCode *m);
void pack_r600(Codec *c, R600Code *r);
/* Do they, and the origins of the program's instructions and blocks, belong together? */
bool pack_fits(const Program *p, const MachineCode *m);

#endif
