pocl_clang.o: frontend/source/pocl/pocl_clang.c \
  frontend/source/pocl/pocl.h frontend/native.h frontend/helper.h \
  base/diag.h base/base.h base/stop.h isa/source.h base/codec.h \
  base/hash.h frontend/source/pocl/pocl_needed.h \
  frontend/module/module.h frontend/frontend.h isa/abi.h isa/isa.h \
  isa/symbols.h isa/ops.def isa/machine.h isa/r600.h frontend/made_of.h \
  frontend/module/llvm.h frontend/source/source.h frontend/inputs.def \
  frontend/source/pocl/pocl_cl.h base/temp.h frontend/source/log.h \
  frontend/source/tool.h base/child.h

frontend/source/pocl/pocl.h:

frontend/native.h:

frontend/helper.h:

base/diag.h:

base/base.h:

base/stop.h:

isa/source.h:

base/codec.h:

base/hash.h:

frontend/source/pocl/pocl_needed.h:

frontend/module/module.h:

frontend/frontend.h:

isa/abi.h:

isa/isa.h:

isa/symbols.h:

isa/ops.def:

isa/machine.h:

isa/r600.h:

frontend/made_of.h:

frontend/module/llvm.h:

frontend/source/source.h:

frontend/inputs.def:

frontend/source/pocl/pocl_cl.h:

base/temp.h:

frontend/source/log.h:

frontend/source/tool.h:

base/child.h:
