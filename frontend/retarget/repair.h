/* Small repairs between LLVM's passes (private to frontend/; pipeline.c says when). */
#ifndef WAVESIM_FRONTEND_REPAIR_H
#define WAVESIM_FRONTEND_REPAIR_H

#include "frontend/module/module.h"

/* Functions of programs that were linked: library functions are not the user's. Before anything verifies the module. */
void repair_subprograms(FeModule *m);
/* Memory operations that infer-address-spaces leaves flat because they are volatile. */
void repair_addresses(FeModule *m);
/* Conversions of floats out of range give some integer. Before the optimiser sees them. */
void repair_conversions(FeModule *m);
/* For checks: variables have a first value of their own, FE_UNSET (unset.c). Before they go into registers. */
void repair_unset(FeModule *m);
/* For checks: small vectors that clang hands over as numbers can go into registers (coerced.c). Where the address
 * spaces of variables are known. */
void repair_coerced(FeModule *m);
/* Drop hints to the optimiser: assumptions, alias scopes, debug values. Lifetimes stay for the code generator. */
void repair_hints(FeModule *m);
/* Give every instruction a place in the source. */
void repair_locations(FeModule *m);

#endif
