/* Which LDS instructions of the machine do which LDS accesses of the Program. */
#ifndef WAVESIM_LDS_PLAN_H
#define WAVESIM_LDS_PLAN_H

#include "models/device/device.h"
#include "isa/isa.h"
#include "isa/machine.h"

/* NULL when there is no machine code. The result is the arena's. */
const LdsPlan *lds_plan_new(const MachineCode *code, const Program *p, Arena *a);
/* How many instructions do an access of any space, by what is known of the device's compiler: an LDS
 * instruction of a VLIW chip carries one dword of a lane, as LLVM's r600 back end uses them; NVIDIA's
 * compiler must not rely on more than the access's alignment; one of private memory carries 16 bytes at most. */
u32 access_parts(const Device *dev, const Program *p, const Ins *i);
/* The plan that follows where there is no machine code; NULL when it takes no access apart (a VLIW chip's
 * is never NULL). */
const LdsPlan *lds_plan_parts(const Device *dev, const Program *p, Arena *a);

#endif
