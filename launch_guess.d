launch_guess.o: traces/launch/launch_guess.c traces/launch/launch_impl.h \
  traces/launch/launch.h isa/isa.h base/base.h base/diag.h isa/symbols.h \
  isa/ops.def isa/words.h isa/words.def

traces/launch/launch_impl.h:

traces/launch/launch.h:

isa/isa.h:

base/base.h:

base/diag.h:

isa/symbols.h:

isa/ops.def:

isa/words.h:

isa/words.def:
