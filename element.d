element.o: engine/element.c engine/element.h traces/launch/launch.h \
  isa/isa.h base/base.h base/diag.h isa/symbols.h isa/ops.def \
  isa/words.h isa/words.def

engine/element.h:

traces/launch/launch.h:

isa/isa.h:

base/base.h:

base/diag.h:

isa/symbols.h:

isa/ops.def:

isa/words.h:

isa/words.def:
