/* What a debugger wants to know of a Program (isa/symbols.h), out of LLVM's debug information (private to frontend/).
 *
 * Only with FeOptions.debug. Variables that stay in memory have one place from beginning to end: their declarations are
 * noted on the allocas before repair_hints drops them. */
#ifndef WAVESIM_FRONTEND_SYMBOLS_H
#define WAVESIM_FRONTEND_SYMBOLS_H

#include "frontend/lower/lowering.h"

/* Note on each alloca which variable it is. */
void symbols_declare(FeModule *m);
/* Of a place in the source, Program.locs loc, the function and the block it is in. */
void lo_symbol_scope(Lower *l, u32 loc, LLVMMetadataRef location);
/* All that are left: they have no place. */
void lo_symbol_rest(Lower *l);
/* Object number `object` is that alloca or global variable. */
void lo_symbol_object(Lower *l, LLVMValueRef v, u32 object);

#endif
