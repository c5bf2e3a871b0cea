/* Names of the machine's instruction classes. */
#include "isa/machine.h"

#define X(name, doc) #name,
const char *const machine_class_name[MC_COUNT] = {MACHINE_CLASSES(X)};
#undef X
#define X(name, doc) doc,
const char *const machine_class_doc[MC_COUNT] = {MACHINE_CLASSES(X)};
#undef X
