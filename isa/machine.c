/* Names of the machine's instruction classes. */
#include "isa/machine.h"

#define X_MU(name, unit, doc) MU_##unit,
const char *const machine_class_name[MC_COUNT] = {MACHINE_CLASSES(X_NAME)};
const char *const machine_class_doc[MC_COUNT] = {MACHINE_CLASSES(X_THIRD)};
const u8 machine_class_unit[MC_COUNT] = {MACHINE_CLASSES(X_MU)};
const char *const machine_spill_name[SPILL_COUNT] = {MACHINE_SPILLS(X_NAME)};
const char *const machine_spill_doc[SPILL_COUNT] = {MACHINE_SPILLS(X_DOC)};
