lower.o: frontend/lower/lower.c frontend/codegen/codegen.h \
  frontend/module/module.h frontend/frontend.h frontend/helper.h \
  base/diag.h base/base.h base/stop.h isa/abi.h isa/isa.h isa/symbols.h \
  isa/ops.def isa/machine.h isa/r600.h isa/source.h base/codec.h \
  base/hash.h frontend/made_of.h frontend/module/llvm.h \
  frontend/lower/symbols.h frontend/lower/lowering.h \
  frontend/lower/lower.h frontend/lower/variables.h isa/regs.h

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

frontend/lower/symbols.h:

frontend/lower/lowering.h:

frontend/lower/lower.h:

frontend/lower/variables.h:

isa/regs.h:
