/* Names of the machine's instruction classes. */
#include "isa/machine.h"

#define X(name, unit, doc) #name,
const char *const machine_class_name[MC_COUNT] = {MACHINE_CLASSES(X)};
#undef X
#define X(name, unit, doc) doc,
const char *const machine_class_doc[MC_COUNT] = {MACHINE_CLASSES(X)};
#undef X
#define X(name, unit, doc) MU_##unit,
const u8 machine_class_unit[MC_COUNT] = {MACHINE_CLASSES(X)};
#undef X
