pack.o: isa/pack.c isa/pack.h base/codec.h base/hash.h base/base.h \
  isa/isa.h base/diag.h isa/symbols.h isa/ops.def isa/r600.h \
  isa/machine.h isa/text.h

isa/pack.h:

base/codec.h:

base/hash.h:

base/base.h:

isa/isa.h:

base/diag.h:

isa/symbols.h:

isa/ops.def:

isa/r600.h:

isa/machine.h:

isa/text.h:
