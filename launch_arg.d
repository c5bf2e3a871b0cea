launch_arg.o: traces/launch/launch_arg.c traces/launch/launch_spec.h \
  traces/launch/launch_impl.h traces/launch/launch.h isa/isa.h \
  base/base.h base/diag.h isa/symbols.h isa/ops.def isa/words.h \
  isa/words.def

traces/launch/launch_spec.h:

traces/launch/launch_impl.h:

traces/launch/launch.h:

isa/isa.h:

base/base.h:

base/diag.h:

isa/symbols.h:

isa/ops.def:

isa/words.h:

isa/words.def:
