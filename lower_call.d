lower_call.o: frontend/lower/lower_call.c frontend/codegen/codegen.h \
  frontend/module/module.h frontend/frontend.h frontend/helper.h \
  base/diag.h base/base.h base/stop.h isa/abi.h isa/isa.h isa/symbols.h \
  isa/ops.def isa/machine.h isa/r600.h isa/source.h base/codec.h \
  base/hash.h frontend/made_of.h frontend/module/llvm.h \
  frontend/lower/lowering.h frontend/lower/lower.h \
  frontend/lower/variables.h isa/regs.h frontend/module/mangled.h \
  isa/matrix.h isa/matrix.def

frontend/codegen/codegen.h:

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

frontend/lower/lowering.h:

frontend/lower/lower.h:

frontend/lower/variables.h:

isa/regs.h:

frontend/module/mangled.h:

isa/matrix.h:

isa/matrix.def:
