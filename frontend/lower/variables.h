/* Which source variable each value of the optimised IR holds (private to frontend/).
 *
 * The optimiser's debug values say so, but only until repair_hints drops them: before that,
 * variables_mark notes it on the instructions themselves, as metadata, which goes away with an
 * instruction that later steps remove. */
#ifndef WAVESIM_FRONTEND_VARIABLES_H
#define WAVESIM_FRONTEND_VARIABLES_H

#include "frontend/module/module.h"
#include "isa/regs.h"

typedef struct Variable {
	const char *name; /* "acc", "p.x" */
	VarPart part;
	u32 index, count; /* the first element, name[index] or name.s(index), and how many */
	Loc declared;
} Variable;

void variables_mark(FeModule *m);
/* The same before -O3, of a module with thousands of debug values, which go: LLVM (BDCE) takes time
 * quadratic in a chain of dead values that have some. Values that -O3 makes anew have no names then. */
void variables_mark_early(FeModule *m);
/* The variable of the user's source that v holds; false: none. */
bool variable_of(const FeModule *m, LLVMValueRef v, Variable *out);

#endif
