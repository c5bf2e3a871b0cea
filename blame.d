blame.o: engine/blame.c engine/blame.h isa/isa.h base/base.h base/diag.h \
  isa/symbols.h isa/ops.def isa/words.h isa/words.def

engine/blame.h:

isa/isa.h:

base/base.h:

base/diag.h:

isa/symbols.h:

isa/ops.def:

isa/words.h:

isa/words.def:
