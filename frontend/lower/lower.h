/* LLVM IR in its canonical form (module.h) -> Program.
 *
 * All constructs that cannot be lowered are reported, each with its source line. */
#ifndef WAVESIM_FRONTEND_LOWER_H
#define WAVESIM_FRONTEND_LOWER_H

#include "frontend/module/module.h"

/* A verified-to-be Program (program_finish and program_ipdoms are done); NULL on errors. */
Program *lower_program(const FeModule *m, Diag *d);

#endif
