/* Execution counts of machine blocks (private to models/machine*.c). */
#ifndef WAVESIM_MACHINE_FLOW_H
#define WAVESIM_MACHINE_FLOW_H

#include "models/machine.h"

/* Fills in execs and assumed. */
void machine_flow(const MachineCode *c, const Program *p, const Profile *prof, MachineRun *r);

#endif
