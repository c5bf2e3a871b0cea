/* Which LDS instructions of the machine do which LDS accesses of the Program. */
#ifndef WAVESIM_LDS_PLAN_H
#define WAVESIM_LDS_PLAN_H

#include "models/device/lds_rule.h"
#include "isa/isa.h"
#include "isa/machine.h"

/* NULL when there is no machine code. The result is the arena's. */
const LdsPlan *lds_plan_new(const MachineCode *code, const Program *p, Arena *a);
/* For chips whose LDS instructions carry one dword of a lane (VLIW, as LLVM's r600 back end uses
 * them): a wider access is several. */
const LdsPlan *lds_plan_dwords(const Program *p, Arena *a);

#endif
