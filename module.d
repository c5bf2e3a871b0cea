module.o: frontend/module/module.c frontend/module/module.h \
  frontend/frontend.h frontend/helper.h base/diag.h base/base.h \
  base/stop.h isa/abi.h isa/isa.h isa/symbols.h isa/ops.def \
  isa/machine.h isa/r600.h isa/source.h base/codec.h base/hash.h \
  frontend/made_of.h frontend/module/llvm.h \
  frontend/module/kernel_args.h frontend/module/mangled.h \
  frontend/module/spir.h

frontend/module/module.h:

frontend/frontend.h:

frontend/helper.h:

base/diag.h:

base/base.h:

base/stop.h:

isa/abi.h:

isa/isa.h:

isa/symbols.h:

isa/ops.def:

isa/machine.h:

isa/r600.h:

isa/source.h:

base/codec.h:

base/hash.h:

frontend/made_of.h:

frontend/module/llvm.h:

frontend/module/kernel_args.h:

frontend/module/mangled.h:

frontend/module/spir.h:
