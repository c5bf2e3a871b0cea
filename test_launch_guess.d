test_launch_guess.o: tests/unit/test_launch_guess.c \
  tests/unit/launch_kit.h tests/unit/launch_kernel.h \
  traces/launch/launch.h isa/isa.h base/base.h base/diag.h isa/symbols.h \
  isa/ops.def isa/words.h isa/words.def tests/unit/launch_equal.h \
  traces/launch/options.h

tests/unit/launch_kit.h:

tests/unit/launch_kernel.h:

traces/launch/launch.h:

isa/isa.h:

base/base.h:

base/diag.h:

isa/symbols.h:

isa/ops.def:

isa/words.h:

isa/words.def:

tests/unit/launch_equal.h:

traces/launch/options.h:
