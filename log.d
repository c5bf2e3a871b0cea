log.o: frontend/source/log.c frontend/source/log.h base/diag.h \
  base/base.h frontend/module/mangled.h isa/source.h base/codec.h \
  base/hash.h

frontend/source/log.h:

base/diag.h:

base/base.h:

frontend/module/mangled.h:

isa/source.h:

base/codec.h:

base/hash.h:
