finding_hint.o: engine/finding_hint.c engine/findings.h engine/result.h \
  isa/profile.h isa/event.h isa/isa.h base/base.h base/diag.h \
  isa/symbols.h isa/ops.def isa/counters.def isa/source.h base/codec.h \
  base/hash.h isa/words.h isa/words.def models/device/device.h \
  models/device/lds_rule.h models/device/device.def \
  models/timing/estimate.h models/device/occupancy.h \
  models/timing/lanes_use.h models/timing/cost.h isa/matrix.h \
  isa/matrix.def models/timing/machine.h isa/machine.h \
  models/timing/timing.h models/timing/memory.h models/timing/cache.h \
  models/timing/unit_use.h models/timing/roofline.h engine/detail.h \
  engine/listing.h engine/resources.h models/timing/r600.h isa/r600.h \
  base/number.h engine/blame.h traces/launch/launch.h engine/hints.def

engine/findings.h:

engine/result.h:

isa/profile.h:

isa/event.h:

isa/isa.h:

base/base.h:

base/diag.h:

isa/symbols.h:

isa/ops.def:

isa/counters.def:

isa/source.h:

base/codec.h:

base/hash.h:

isa/words.h:

isa/words.def:

models/device/device.h:

models/device/lds_rule.h:

models/device/device.def:

models/timing/estimate.h:

models/device/occupancy.h:

models/timing/lanes_use.h:

models/timing/cost.h:

isa/matrix.h:

isa/matrix.def:

models/timing/machine.h:

isa/machine.h:

models/timing/timing.h:

models/timing/memory.h:

models/timing/cache.h:

models/timing/unit_use.h:

models/timing/roofline.h:

engine/detail.h:

engine/listing.h:

engine/resources.h:

models/timing/r600.h:

isa/r600.h:

base/number.h:

engine/blame.h:

traces/launch/launch.h:

engine/hints.def:
