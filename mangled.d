mangled.o: frontend/module/mangled.c frontend/module/mangled.h \
  base/base.h

frontend/module/mangled.h:

base/base.h:
