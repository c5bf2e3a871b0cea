# wavesim. `make` builds ./wavesim; `make help` lists the rest.
#
#   make CC=clang            another compiler      make V=1         show the commands
#   make LLVM=19             another version       make BUILD=DIR   objects and programs elsewhere
#   make install prefix=/usr DESTDIR=/tmp/x
#
# Sources are found by folder (ROOMS); nothing is listed here. Objects lie in BUILD.
# The lane loops (sim/lanes_*.c) are compiled once for each level of x86-64 that the
# program chooses from when it starts.

# No built-in rules: they would make the folder report/html from report/html.c.
.SUFFIXES:

ifeq ($(origin CC),default)
CC := gcc
endif
OBJCOPY ?= objcopy
prefix ?= /usr/local
BUILD ?= build
# LLVM=19 chooses a version. Else it is PoCL's own where that is known: 15 on Debian 12, 18 on Debian 13.
# Tests expect what the chosen one makes. One that was not chosen may be another when packages are installed.
ifneq ($(LLVM),)
export LLVM
endif
override LLVM := $(shell LLVM='$(LLVM)' sh tests/deps.sh llvm)
ifeq ($(LLVM),)
$(error there is no version of LLVM to build with)
endif
LLVM_CONFIG ?= llvm-config-$(LLVM)
SINCE ?= HEAD
VERSION := $(shell sed -n 's/^.define WAVESIM_VERSION "\(.*\)"/\1/p' base/base.h)

# Tests and measurements neither use what earlier runs have cached, nor leave anything at home.
export WAVESIM_NO_CACHE := 1

WARN := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Werror
# Enums name numbers here, which may multiply floats.
ifneq ($(findstring clang,$(CC)),)
WARN += -Wno-enum-float-conversion
endif
OPT ?= -O2 -g
CFLAGS ?=
# Position-independent and hidden: the same objects make the programs and the library.
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE -I. -Iinclude -I$(BUILD)/gen -MMD -MP -fPIC -fvisibility=hidden $(WARN) $(OPT) \
             -ffp-contract=off -pthread $(SANITIZE) $(CFLAGS)
ALL_LDFLAGS = -pthread $(SANITIZE) $(LDFLAGS)
# clang tells of loops that it does not vectorise (64-bit compares into bytes); that is known.
LANE_CFLAGS := -O3 -fno-math-errno -fno-trapping-math -Wno-pass-failed
LLVM_CFLAGS = -isystem $(shell $(LLVM_CONFIG) --includedir) -DLLVM_CLANG='"$(shell $(LLVM_CONFIG) --bindir)/clang"' \
               -DLLVM_SPIRV='"/usr/bin/llvm-spirv-$(LLVM)"' -DLLVM_MAJOR='"$(LLVM)"'
LIBS = -lcjson -lsqlite3 -lzstd -ldw -lm
TERMINAL_LIBS = -ledit
HELPER_LIBS = $(shell $(LLVM_CONFIG) --ldflags --libs) -l:libstdc++.so.6 -lOpenCL -lseccomp -lm -Wl,--export-dynamic-symbol=dlopen,--export-dynamic-symbol=open

ROOMS := base isa frontend/client sim models/device \
         models/timing traces/launch traces/capture traces/store engine report options debug cli
LANE_SRC := $(wildcard sim/lanes_*.c)
SRC := $(filter-out $(LANE_SRC),$(foreach room,$(ROOMS),$(wildcard $(room)/*.c)))
TEST_SRC := $(wildcard tests/unit/*.c)
INI := $(sort $(wildcard models/device/shipped/*.ini))
BASES := $(sort $(wildcard models/device/generations/*.ini))

ifeq ($(shell uname -m),x86_64)
LANE_LEVELS := base v3 v4
else
LANE_LEVELS := base
endif
LEVEL_base :=
LEVEL_v3 := -march=x86-64-v3
LEVEL_v4 := -march=x86-64-v4 -mprefer-vector-width=512

LANE_OBJ := $(foreach level,$(LANE_LEVELS),$(LANE_SRC:%.c=$(BUILD)/%.$(level).o))
OBJ := $(SRC:%.c=$(BUILD)/%.o) $(BUILD)/gen/devices.o $(BUILD)/gen/sets.o $(BUILD)/gen/html.o $(LANE_OBJ)
# All but main: for the unit tests.
MOST_OBJ := $(filter-out $(BUILD)/cli/main.o,$(OBJ))
LIBRARY_SRC := $(wildcard lib/*.c)
LIBRARY_OBJ := $(LIBRARY_SRC:%.c=$(BUILD)/%.o) $(filter-out $(BUILD)/cli/% $(BUILD)/debug/%,$(OBJ))
# As in its name: the number of its interface (include/wavesim.h).
ABI := $(shell sed -n 's/^.define WAVESIM_ABI \([0-9]*\)$$/\1/p' include/wavesim.h)

# Compilers are in a program of their own: only it and what tests it know of LLVM.
COMPILER := frontend frontend/module frontend/source $(patsubst %/,%,$(wildcard frontend/source/*/)) frontend/retarget \
            frontend/codegen frontend/lower frontend/compile frontend/native
COMPILER_SRC := $(foreach room,$(COMPILER),$(wildcard $(room)/*.c))
COMPILER_OBJ := $(COMPILER_SRC:%.c=$(BUILD)/%.o) $(BUILD)/gen/nvidia.o
HELPER_SRC := $(foreach room,base isa frontend/client frontend/helper,$(wildcard $(room)/*.c))
HELPER_OBJ := $(HELPER_SRC:%.c=$(BUILD)/%.o) $(COMPILER_OBJ)
TEST_OBJ := $(TEST_SRC:%.c=$(BUILD)/%.o) $(BUILD)/tests/run.o

# The program stands at the root; builds elsewhere (make asan) keep theirs to themselves.
ifeq ($(BUILD),build)
WAVESIM := ./wavesim
HELPER := ./wavesim-helper
RUNNER := ./wavesim-runner
LAYER := ./libwavesim-layer.so
HIP_LAYER := ./hip/libamdhip64.so.5
LIBRARY := ./libwavesim.so.$(ABI)
else
WAVESIM := $(BUILD)/wavesim
HELPER := $(BUILD)/wavesim-helper
RUNNER := $(BUILD)/wavesim-runner
LAYER := $(BUILD)/libwavesim-layer.so
HIP_LAYER := $(BUILD)/hip/libamdhip64.so.5
LIBRARY := $(BUILD)/libwavesim.so.$(ABI)
endif
STATIC_LIBRARY := $(BUILD)/libwavesim.a

# The runner knows nothing of LLVM. STATIC=1 builds SQLite into it, so that it can be carried to a
# machine with a card and no development packages.
RUNNER_SRC := $(wildcard runner/*.c)
RUNNER_OBJ := $(RUNNER_SRC:%.c=$(BUILD)/%.o) $(BUILD)/gen/probes.o $(BUILD)/gen/devices.o $(BUILD)/gen/sets.o \
              $(patsubst %.c,$(BUILD)/%.o,$(foreach room,base isa models/device traces/launch traces/capture traces/store,$(wildcard $(room)/*.c)))
PROBES := $(sort $(wildcard runner/probes/*.cl lessons/*/*.cl))
ifeq ($(STATIC),1)
RUNNER_LIBS = -lOpenCL -l:libsqlite3.a -l:libzstd.a -lm -ldl
else
RUNNER_LIBS = -lOpenCL -lsqlite3 -lzstd -lm -ldl
endif

# The capture layer is loaded into other programs, with the symbols of layer.c only. It
# stays when its loader goes: the driver may still call back.
RECORD_SRC := $(foreach part,code write pick,traces/capture/capture_$(part).c) traces/capture/recorder.c \
              $(addprefix base/,base.c codec.c hash.c reserve.c stop.c) isa/source.c
LAYER_SRC := $(wildcard traces/capture/layer/*.c) $(RECORD_SRC) \
             base/opencl_host.c isa/spirv.c
LAYER_OBJ := $(LAYER_SRC:%.c=$(BUILD)/%.o)

# HIP's run time for programs without a GPU, under the name that they are linked with; where HIP's headers are.
HIP_LAYER_SRC := $(wildcard traces/capture/hip/*.c) $(RECORD_SRC) isa/gpu.c isa/bitcode.c
HIP_LAYER_OBJ := $(HIP_LAYER_SRC:%.c=$(BUILD)/%.o)
ifeq ($(wildcard /usr/include/hip/hip_runtime_api.h),)
HIP_LAYER_IF :=
else
HIP_LAYER_IF := $(HIP_LAYER)
endif

# Headers that the installed HIP may lack: beside the run time, where the programs look for them.
HIP_HEADERS := $(patsubst frontend/source/hip/include/%,$(dir $(HIP_LAYER))include/%,$(wildcard frontend/source/hip/include/hip/*.h))

ifeq ($(V),1)
Q :=
else
Q := @
endif

.PHONY: all demo test check bench bench-growth corpora validate bands asan valgrind fuzz golden format install clean help deps test-deps
.PHONY: install-built install-library notebooks uninstall version dist test-systems registers
all: $(WAVESIM) $(HELPER) $(RUNNER) $(LAYER) $(HIP_LAYER_IF) $(HIP_HEADERS) $(LIBRARY)

help:
	@echo 'make            build ./wavesim with its helper, libwavesim, ./wavesim-runner and the capture layer (STATIC=1: the runner with its libraries inside)'
	@echo 'make demo       install what is missing (apt), build, print the report of a kernel'
	@echo 'make test       the same, and run every test (TESTS=TOPIC: some of them)'
	@echo 'make check      the fast tests only, without installing anything'
	@echo 'make bench      speed against Oclgrind and against PoCL'
	@echo 'make corpora    what --check finds in public suites (DIR=where they are)'
	@echo 'make validate   time estimates against measured times: EVERY=1 all of them, MEASURED=DIR more'
	@echo 'make bands      the same, and write the bands of estimates that follow'
	@echo 'make registers  registers of kernels beside those of clang, on every chip of LLVM'
	@echo 'make asan       the tests with the address and undefined-behaviour sanitizers'
	@echo 'make tsan       the library, by eight threads, under ThreadSanitizer'
	@echo 'make valgrind   unit tests and a sample of the others under valgrind'
	@echo 'make fuzz       fuzz the readers of input; FUZZ_SECONDS=60 each'
	@echo 'make soak       random programs, damaged inputs, kills, full disks, two users of a store; SECONDS=1800'
	@echo 'make golden     rewrite expected outputs; review the difference'
	@echo 'make format     clang-format over the lines that differ from SINCE=$(SINCE)'
	@echo 'make notebooks  a Jupyter notebook for each lesson, in $(BUILD)/notebooks'
	@echo 'make install    to $$(DESTDIR)$$(prefix), prefix=$(prefix); make uninstall'
	@echo 'make dist       wavesim-$(VERSION).tar.gz, from the files of the last commit'
	@echo 'make test-systems  what the README says, and the packages, on a bare Debian 12 and 13 (as root; SYSTEMS=trixie STEPS=demo)'
	@echo 'make clean'

# ---- building ----
$(WAVESIM): $(OBJ)
	@echo '  LINK  $@'
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS) $(TERMINAL_LIBS)

$(HELPER): $(HELPER_OBJ)
	@echo '  LINK  $@'
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(HELPER_LIBS)

$(RUNNER): $(RUNNER_OBJ) $(BUILD)/runner.libs
	@echo '  LINK  $@'
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $(RUNNER_OBJ) $(RUNNER_LIBS)

$(LAYER): $(LAYER_OBJ)
	@echo '  LINK  $@'
	$(Q)$(CC) $(ALL_LDFLAGS) -shared -Wl,-z,nodelete -o $@ $^ -lzstd

$(HIP_LAYER): $(HIP_LAYER_OBJ)
	@mkdir -p $(@D)
	@echo '  LINK  $@'
	$(Q)$(CC) $(ALL_LDFLAGS) -shared -Wl,-z,nodelete -Wl,-soname,$(@F) -o $@ $^ -lzstd -lpthread

$(dir $(HIP_LAYER))include/%: frontend/source/hip/include/%
	@mkdir -p $(@D)
	$(Q)cp $< $@

# Beside it the name that is linked with.
$(LIBRARY): $(LIBRARY_OBJ)
	@echo '  LINK  $@'
	$(Q)$(CC) $(ALL_LDFLAGS) -shared -Wl,-soname,$(@F) -Wl,-z,defs -o $@ $^ $(LIBS)
	$(Q)ln -sf $(@F) $(@:.$(ABI)=)

# One object, in which all names but those of the interface are local: no program has two of one name.
$(STATIC_LIBRARY): $(LIBRARY_OBJ)
	@echo '  AR    $@'
	$(Q)$(LD) -r -o $@.o $^ && $(OBJCOPY) --localize-hidden $@.o && rm -f $@ && $(AR) rcs $@ $@.o && rm -f $@.o

# Changes with STATIC, so that the runner is linked again.
$(BUILD)/runner.libs: FORCE
	@mkdir -p $(@D)
	@echo '$(RUNNER_LIBS)' | cmp -s - $@ || echo '$(RUNNER_LIBS)' > $@

# Changes when the compiler or its flags do, so that everything is built again.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(ALL_CFLAGS) $(LANE_CFLAGS) $(LLVM_CONFIG)' | cmp -s - $@ || echo '$(CC) $(ALL_CFLAGS) $(LANE_CFLAGS) $(LLVM_CONFIG)' > $@
.PHONY: FORCE

$(BUILD)/frontend/%.o: frontend/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	@echo '  CC    $<'
	$(Q)$(CC) $(ALL_CFLAGS) $(LLVM_CFLAGS) -c -o $@ $<

$(BUILD)/tests/%.o: tests/%.c $(BUILD)/flags $(BUILD)/gen/suites.def
	@mkdir -p $(@D)
	@echo '  CC    $<'
	$(Q)$(CC) $(ALL_CFLAGS) $(LLVM_CFLAGS) -c -o $@ $<

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	@echo '  CC    $<'
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

define lane_rule
$(BUILD)/%.$(1).o: %.c $(BUILD)/flags
	@mkdir -p $$(@D)
	@echo '  CC    $$< ($(1))'
	$(Q)$$(CC) $$(ALL_CFLAGS) $$(LANE_CFLAGS) $$(LEVEL_$(1)) -DLANE_SUFFIX=$(1) -c -o $$@ $$<
endef
$(foreach level,$(LANE_LEVELS),$(eval $(call lane_rule,$(level))))

# Which state of the sources it is; measurements are stored with it. Of a release, the version.
COMMIT ?= $(or $(if $(wildcard .git),$(shell git describe --always --dirty 2>/dev/null)),$(VERSION))
$(BUILD)/gen/commit.h: FORCE
	@mkdir -p $(@D)
	@echo '#define WAVESIM_COMMIT "$(COMMIT)"' >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
# Where a program that has the library inside finds the helper.
$(BUILD)/gen/place.h: FORCE
	@mkdir -p $(@D)
	@echo '#define WAVESIM_PREFIX "$(prefix)"' >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(BUILD)/lib/place.o: $(BUILD)/gen/place.h
$(BUILD)/runner/main.o $(BUILD)/runner/job.o $(BUILD)/cli/sweep_key.o: $(BUILD)/gen/commit.h

# Text files as C strings: embed = header, type, array, count, files, what each is called.
embed = { echo '\#include "$(1)"'; echo 'const $(2) $(3)[] = {'; \
	   for f in $(5); do \
	     echo "{\"$(6)\","; \
	     sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/.*/"&\\n"/' $$f; echo '},'; \
	   done; echo '};'; echo 'const u32 $(4) = COUNT($(3));'; }

# Kernels of the probes and lessons.
$(BUILD)/gen/probes.c: $(PROBES) Makefile
	@mkdir -p $(@D)
	@echo '  GEN   $@'
	@$(call embed,runner/runner.h,ProbeText,probe_texts,probe_ntexts,$(PROBES),$${f%.cl}) > $@
$(BUILD)/gen/probes.o: $(BUILD)/gen/probes.c $(BUILD)/flags
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

# Kernels of the measured sets.
SETS := $(sort $(wildcard traces/sets/*.cl))
$(BUILD)/gen/sets.c: $(SETS) Makefile
	@mkdir -p $(@D)
	@echo '  GEN   $@'
	@$(call embed,traces/store/import_impl.h,SetText,set_texts,set_ntexts,$(SETS),$$(basename $$f .cl)) > $@
$(BUILD)/gen/sets.o: $(BUILD)/gen/sets.c $(BUILD)/flags
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

# Functions as NVIDIA's library computes them.
NVIDIA := frontend/retarget/nvidia.ll
$(BUILD)/gen/nvidia.c: $(NVIDIA) Makefile
	@mkdir -p $(@D)
	@echo '  GEN   $@'
	@$(call embed,frontend/retarget/nvidia.h,NvidiaText,nvidia_texts,nvidia_ntexts,$(NVIDIA),$$(basename $$f .ll)) > $@
$(BUILD)/gen/nvidia.o: $(BUILD)/gen/nvidia.c $(BUILD)/flags
	$(Q)$(CC) $(ALL_CFLAGS) $(LLVM_CFLAGS) -c -o $@ $<

# Device descriptions.
$(BUILD)/gen/devices.c: $(INI) $(BASES) Makefile
	@mkdir -p $(@D)
	@echo '  GEN   $@'
	@$(call embed,models/device/device.h,DeviceText,device_texts,device_ntexts,$(INI),$$(basename $$f .ini)) > $@
	@$(call embed,models/device/device.h,DeviceText,device_bases,device_nbases,$(BASES),$$(basename $$f .ini)) >> $@
$(BUILD)/gen/devices.o: $(BUILD)/gen/devices.c $(BUILD)/flags
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

# The files of the HTML page.
HTML := $(sort $(wildcard report/html/*.tmpl report/html/*.css report/html/*.js))
$(BUILD)/gen/html.c: $(HTML) report/html Makefile
	@mkdir -p $(@D)
	@echo '  GEN   $@'
	@$(call embed,report/html.h,HtmlText,html_texts,html_ntexts,$(HTML),$${f##*/}) > $@
$(BUILD)/gen/html.o: $(BUILD)/gen/html.c $(BUILD)/flags
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

# Test suites: every suite_NAME(void) that a file of tests/unit defines.
$(BUILD)/gen/suites.def: $(TEST_SRC) Makefile
	@mkdir -p $(@D)
	@sed -n 's/^void suite_\([a-z0-9_]*\)(void)$$/SUITE(\1)/p' $(TEST_SRC) | sort > $@

$(BUILD)/tests/run: $(TEST_OBJ) $(MOST_OBJ) $(COMPILER_OBJ) | $(BUILD)/tests/standin/deep.so
	@echo '  LINK  $@'
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS) $(TERMINAL_LIBS) $(HELPER_LIBS) -lcunit

# The generator of random programs.
GEN_SRC := $(wildcard tests/gen/*.c)
GEN := $(BUILD)/tests/gen/gen
$(GEN): $(GEN_SRC:%.c=$(BUILD)/%.o) $(addprefix $(BUILD)/base/,base.o reserve.o stop.o)
	@echo '  LINK  $@'
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ -lm

# An OpenCL driver that answers as AMD's does.
STANDIN := $(BUILD)/tests/standin/amd.so
$(STANDIN): tests/standin/amd.c
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 $(WARN) -fPIC -shared -o $@ $< -ldl

# A system without Landlock, or without seccomp.
LACKS := $(BUILD)/tests/standin/lacks
$(LACKS): tests/standin/lacks.c
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE $(WARN) -o $@ $< -lseccomp

# PoCL where it cannot be kept from loading what it likes.
DEEP := $(BUILD)/tests/standin/deep.so
$(DEEP): tests/standin/deep.c
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE $(WARN) -fPIC -shared -o $@ $< -ldl

# A heap that fails when it is told to.
SCARCE := $(BUILD)/tests/standin/scarce.so
$(SCARCE): tests/standin/scarce.c
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 $(WARN) -fPIC -shared -o $@ $<

# A layer that somebody else might have loaded.
OTHER_LAYER := $(BUILD)/tests/standin/layer.so
$(OTHER_LAYER): tests/standin/layer.c
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -DCL_TARGET_OPENCL_VERSION=300 $(WARN) -fPIC -shared -o $@ $<

# A host program, and how it launches kernels.
HOST_SRC := $(wildcard tests/hosts/*.c)
HOST := $(BUILD)/tests/hosts/host
$(HOST): override CFLAGS += -O0 -g # its lines are in expected findings
$(HOST): $(HOST_SRC:%.c=$(BUILD)/%.o)
	@echo '  LINK  $@'
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ -lOpenCL

# All but main: a program takes what it needs of it.
$(BUILD)/all.a: $(MOST_OBJ) $(COMPILER_OBJ)
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $^

# What stands below the reports and the command line: a program that runs kernels needs no more.
$(BUILD)/engine.a: $(filter-out $(BUILD)/cli/% $(BUILD)/options/% $(BUILD)/report/% $(BUILD)/gen/html.o,$(OBJ))
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $^
ENGINE := $(BUILD)/tests/engine/counts
$(ENGINE): $(ENGINE).o $(BUILD)/engine.a
	@echo '  LINK  $@'
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)
FAULTS := $(BUILD)/tests/engine/faults
$(FAULTS): $(FAULTS).o $(BUILD)/engine.a
	@echo '  LINK  $@'
	$(Q)$(CC) $(ALL_LDFLAGS) -Wl,--wrap=fe_program -o $@ $^ $(LIBS)

# Fuzz targets over their corpus, without libFuzzer.
FUZZ_SRC := $(wildcard tests/fuzz/fuzz_*.c)
REPLAY := $(FUZZ_SRC:tests/fuzz/fuzz_%.c=$(BUILD)/tests/fuzz/replay_%)
$(BUILD)/tests/fuzz/replay_%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/fuzz/replay.o $(BUILD)/all.a
	@echo '  LINK  $@'
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS) $(HELPER_LIBS)

# ---- using ----
deps:
	@sh tests/deps.sh build
test-deps:
	@sh tests/deps.sh build test

# On all processors, unless whoever calls says how many.
PARALLEL = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 1))

DEMO := lessons/prefix-sum/plain.cl
demo: deps
	@$(MAKE) --no-print-directory $(PARALLEL) all
	$(WAVESIM) $(DEMO)

test: test-deps
	@$(MAKE) --no-print-directory $(PARALLEL) run-tests TESTS=$(or $(TESTS),all)
check:
	@$(MAKE) --no-print-directory $(PARALLEL) run-tests TESTS=fast

.PHONY: run-tests
run-tests: $(WAVESIM) $(HELPER) $(RUNNER) $(LAYER) $(HIP_LAYER_IF) $(HIP_HEADERS) $(LIBRARY) $(STATIC_LIBRARY) $(BUILD)/tests/run $(GEN) $(REPLAY) $(STANDIN) $(LACKS) $(DEEP) $(SCARCE) $(OTHER_LAYER) $(HOST) $(ENGINE) $(FAULTS)
	@sh tests/run.sh $(TESTS) $(WAVESIM) $(BUILD)

# Every topic whose expected outputs are files, the numbers of the lessons' pages, the table in isa/README.md.
golden: $(WAVESIM) $(HELPER) $(RUNNER) $(LAYER) $(HIP_LAYER_IF) $(HIP_HEADERS) $(STANDIN) $(OTHER_LAYER) $(HOST) $(BUILD)/tests/run
	@status=0; for topic in cases runner recording sweeps figures; do \
	   GOLDEN=1 sh tests/run.sh $$topic $(WAVESIM) $(BUILD) || status=1; done; \
	$(WAVESIM) lesson --update || status=1; \
	GOLDEN=1 $(BUILD)/tests/run isa || status=1; exit $$status

# The warnings of a compiler for what is built of the programs, the libraries and the unit suites, CC=clang-15: nothing is made.
.PHONY: syntax
syntax: $(BUILD)/gen/commit.h $(BUILD)/gen/place.h $(BUILD)/gen/suites.def
	@printf '%s\n' $(sort $(SRC) $(LANE_SRC) $(HELPER_SRC) $(COMPILER_SRC) $(LIBRARY_SRC) $(RUNNER_SRC) $(LAYER_SRC) \
	   $(if $(HIP_LAYER_IF),$(HIP_LAYER_SRC)) tests/run.c $(TEST_SRC)) | \
	   xargs -n 8 -P $(or $(TEST_JOBS),$(shell nproc 2>/dev/null),1) $(CC) $(filter-out -MMD -MP,$(ALL_CFLAGS)) $(LLVM_CFLAGS) \
	   -DLANE_SUFFIX=base -fsyntax-only

asan: test-deps
	@TEST_CACHE=$(or $(TEST_CACHE),0) $(MAKE) --no-print-directory $(PARALLEL) run-tests TESTS=$(or $(TESTS),all) BUILD=build/asan OPT='-O1 -g' \
	   SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer'

# The library alone, from C, C++ and Python; the compilers run in the helper, as it is.
tsan: $(HELPER)
	@$(MAKE) --no-print-directory lib-hosts BUILD=build/tsan OPT='-O1 -g' SANITIZE=-fsanitize=thread
	@WAVESIM_HELPER=$(abspath $(HELPER)) XDG_CACHE_HOME=$(abspath build/tsan) TSAN_OPTIONS='halt_on_error=0 exitcode=66 suppressions=$(abspath tests/tsan.supp)' \
	   sh tests/lib/hosts.sh build/tsan $(abspath build/tsan/$(notdir $(LIBRARY))) 'env LD_PRELOAD=$(shell $(CC) -print-file-name=libtsan.so) $(PYTHON)'
.PHONY: tsan lib-hosts
lib-hosts: $(LIBRARY)
	$(Q)$(CC) $(ALL_CFLAGS) -o $(BUILD)/host tests/lib/host.c -L$(<D) -lwavesim -Wl,-rpath,$(abspath $(<D)) $(ALL_LDFLAGS)
	$(Q)$(CXX) -std=c++11 -Iinclude -O1 -g $(SANITIZE) -o $(BUILD)/host_cc tests/lib/host.cc -L$(<D) -lwavesim -Wl,-rpath,$(abspath $(<D)) $(ALL_LDFLAGS)

# Slow: TEST_EVERY=1 for all of the tests that run wavesim.
valgrind: test-deps
	@sh tests/deps.sh valgrind
	@$(MAKE) --no-print-directory all lib-hosts $(BUILD)/tests/run $(ENGINE) $(FAULTS)
	@PYTHON=$(PYTHON) sh tests/valgrind.sh $(WAVESIM) $(BUILD)

bench: $(WAVESIM) $(HELPER)
	@sh tests/bench.sh $(WAVESIM)

# Time and memory by the size of the input: work-items, launches, lines, points of sweeps (MOST=N: none larger).
bench-growth: $(WAVESIM) $(HELPER)
	@MOST=$(MOST) python3 tests/growth_times.py $(WAVESIM) $(KINDS)

# Labelled faults of public suites (tests/corpora.py says where they lie): DIR=folder. And SEEDS random programs, with and
# without a fault (tests/mutants.py).
corpora: $(WAVESIM) $(HELPER) $(RUNNER) $(GEN)
	@python3 tests/corpora.py "$(DIR)" $(WAVESIM)
	@python3 tests/mutants.py $(WAVESIM) $(GEN) 1 $(or $(SEEDS),300)

# Every chip, a quarter of an hour (tests/registers.sh); `make test` takes mi50 and samples of the others.
registers: $(WAVESIM) $(HELPER)
	@sh tests/registers.sh $(WAVESIM) all

# Measured times, in minutes; EVERY=1: all rows; MEASURED=DIR: also figures that are not part of the project
# (tests/validate.sh). `make bands` writes the bands that follow from them.
validate: $(WAVESIM) $(HELPER)
	@MEASURED="$(MEASURED)" sh tests/validate.sh $(WAVESIM) $(EVERY)
bands: $(WAVESIM) $(HELPER)
	@sh tests/validate.sh $(WAVESIM) "$(EVERY)" models/timing/bands.def

# libFuzzer needs clang's run-time library (libclang-rt-N-dev; Debian 12: clang brings it).
FUZZ_SECONDS ?= 60
FUZZ_TMP := $(firstword $(wildcard /dev/shm) $(TMPDIR) /tmp)
# Executions that allocate more than they free are repeated to look for leaks: not where LLVM keeps what it made.
# Memory that was freed is kept from use; much less than the usual 256 MB stays in the caches, and is what
# many inputs free.
FUZZ_ASAN := quarantine_size_mb=4
# libFuzzer hears of comparisons of numbers where an input's bytes are numbers; elsewhere they are words, for which it
# sees strcmp and memcmp, or seeds of changes (a quarter of the time of some targets).
FUZZ_SANITIZE := -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-coverage=trace-cmp -fno-sanitize-recover=undefined
$(BUILD)/traces/capture/%.o $(BUILD)/base/codec.o: ALL_CFLAGS += $(COMPARES)
FUZZ_CC ?= clang-$(LLVM)
fuzz:
	@sh tests/deps.sh build fuzz
	@$(MAKE) --no-print-directory run-fuzz CC=$(FUZZ_CC) BUILD=build/fuzz OPT='-O1 -g' \
	   SANITIZE='$(FUZZ_SANITIZE)' COMPARES=-fsanitize-coverage=trace-cmp
.PHONY: run-fuzz
run-fuzz: $(FUZZ_SRC:tests/fuzz/%.c=$(BUILD)/%)
	@sh tests/fuzz/seeds.sh $(BUILD)/corpus
	@for t in $^; do name=$$(basename $$t); mkdir -p $(BUILD)/corpus/$$name; \
	   case $$name in fuzz_store) more=-max_len=65536 ;; fuzz_lower | fuzz_module | fuzz_pipeline | fuzz_bitcode) more=-detect_leaks=0 ;; *) more= ;; esac; \
	   echo "$$name: $(FUZZ_SECONDS) s"; \
	   TMPDIR=$(FUZZ_TMP) ASAN_OPTIONS=$(FUZZ_ASAN) $$t -max_total_time=$(FUZZ_SECONDS) -timeout=100 -rss_limit_mb=4096 \
	      -verbosity=0 -print_final_stats=1 $$more -artifact_prefix=$(BUILD)/$$name- \
	      $(BUILD)/corpus/$$name $$(ls -d tests/fuzz/corpus/$$name 2>/dev/null) || exit 1; done
$(BUILD)/fuzz_%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/all.a
	@echo '  LINK  $@'
	$(Q)$(CC) $(ALL_LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBS) $(HELPER_LIBS)

# Every night: random programs, damaged inputs, killed runs, full disks, two users of one store.
SECONDS ?= 1800
soak: $(WAVESIM) $(HELPER) $(RUNNER) $(GEN)
	@python3 tests/soak.py $(WAVESIM) $(BUILD) $(SECONDS) $(SEED)
.PHONY: soak

# Only the lines that differ from SINCE: tables stay as they were laid out by hand.
format:
	git clang-format --extensions c,h,js $(SINCE)

# What belongs together lies in share/wavesim as it does here, so that pages find each other, and programs their data.
DATA := README.md SECURITY.md CONTRIBUTING.md CHANGELOG.md LICENSE docs lessons exercises schema examples isa/README.md models/README.md \
        traces/samples traces/measured traces/published
DOCS := README.md SECURITY.md docs lessons exercises examples
HERE = $(DESTDIR)$(prefix)
# Where zsh looks: in share/zsh/site-functions for what is installed by hand, and Debian's packages have their own.
ZSH_FOLDER ?= site-functions
# Where linkers and Python look: Debian's packages have folders of their own.
libdir ?= $(prefix)/lib
PYTHON ?= $(firstword $(wildcard /usr/bin/python3) python3)
PYTHON_FOLDER ?= $(prefix)/lib/$(if $(filter /usr,$(prefix)),python3,python$(shell \
                 $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])'))/dist-packages
install: $(WAVESIM) $(HELPER) $(RUNNER) $(LAYER) $(HIP_LAYER_IF) $(HIP_HEADERS) $(LIBRARY) $(STATIC_LIBRARY)
	@$(MAKE) --no-print-directory install-built
# Without a look at what would have to be built.
install-built:
	install -D -m 755 $(WAVESIM) $(HERE)/bin/wavesim
	install -D -m 755 $(RUNNER) $(HERE)/bin/wavesim-runner
	install -D -m 755 $(HELPER) $(HERE)/lib/wavesim/wavesim-helper
	install -D -m 644 $(LAYER) $(HERE)/lib/wavesim/libwavesim-layer.so
	$(if $(HIP_LAYER_IF),install -D -m 644 $(HIP_LAYER) $(HERE)/lib/wavesim/hip/$(notdir $(HIP_LAYER)))
	for f in $(patsubst frontend/source/hip/%,%,$(wildcard frontend/source/hip/include/hip/*.h)); do \
	   install -D -m 644 frontend/source/hip/$$f $(HERE)/lib/wavesim/hip/$$f || exit 1; done
	for f in wavesim.1 wavesim-runner.1; do install -D -m 644 $$f $(HERE)/share/man/man1/$$f || exit 1; done
	for p in wavesim wavesim-runner; do \
	   install -d $(HERE)/share/bash-completion/completions $(HERE)/share/zsh/$(ZSH_FOLDER) $(HERE)/share/fish/vendor_completions.d; \
	   program=$(WAVESIM); [ $$p = wavesim ] || program=$(RUNNER); \
	   $$program completion bash >$(HERE)/share/bash-completion/completions/$$p && \
	   $$program completion zsh >$(HERE)/share/zsh/$(ZSH_FOLDER)/_$$p && \
	   $$program completion fish >$(HERE)/share/fish/vendor_completions.d/$$p.fish || exit 1; done
	for f in $$(find $(DATA) -type f); do \
	   install -D -m $$(test -x $$f && echo 755 || echo 644) $$f $(HERE)/share/wavesim/$$f || exit 1; done
	@$(MAKE) --no-print-directory install-library
	install -d $(HERE)/share/doc/wavesim
	for f in $(DOCS); do ln -sfn ../../wavesim/$$f $(HERE)/share/doc/wavesim/$$f || exit 1; done

# The library; Python's module over it; a notebook for each lesson.
install-library:
	install -D -m 644 include/wavesim.h $(HERE)/include/wavesim.h
	install -D -m 644 $(LIBRARY) $(DESTDIR)$(libdir)/libwavesim.so.$(ABI)
	ln -sf libwavesim.so.$(ABI) $(DESTDIR)$(libdir)/libwavesim.so
	install -D -m 644 $(STATIC_LIBRARY) $(DESTDIR)$(libdir)/libwavesim.a
	install -D -m 644 wavesim.3 $(HERE)/share/man/man3/wavesim.3
	install -d $(DESTDIR)$(libdir)/pkgconfig
	sed -e 's|@prefix@|$(prefix)|' -e 's|@libdir@|$(libdir)|' -e 's|@version@|$(VERSION)|' -e 's|@libs@|$(LIBS)|' \
	   wavesim.pc.in >$(DESTDIR)$(libdir)/pkgconfig/wavesim.pc
	for f in python/wavesim/*.py python/wavesim/py.typed; do \
	   install -D -m 644 $$f $(DESTDIR)$(PYTHON_FOLDER)/wavesim/$${f##*/} || exit 1; done
	$(call notebooks,$(HERE)/share/wavesim/notebooks)

uninstall:
	rm -f $(HERE)/include/wavesim.h $(HERE)/share/man/man3/wavesim.3 $(DESTDIR)$(libdir)/pkgconfig/wavesim.pc
	for f in so.$(ABI) so a; do rm -f $(DESTDIR)$(libdir)/libwavesim.$$f; done
	rm -rf $(DESTDIR)$(PYTHON_FOLDER)/wavesim
	rm -f $(HERE)/bin/wavesim $(HERE)/bin/wavesim-runner $(HERE)/share/man/man1/wavesim.1 $(HERE)/share/man/man1/wavesim-runner.1
	for p in wavesim wavesim-runner; do rm -f $(HERE)/share/bash-completion/completions/$$p \
	   $(HERE)/share/zsh/$(ZSH_FOLDER)/_$$p $(HERE)/share/fish/vendor_completions.d/$$p.fish; done
	rm -rf $(HERE)/lib/wavesim $(HERE)/share/wavesim $(HERE)/share/doc/wavesim

# A Jupyter notebook for each lesson, made of its page.
notebooks = $(PYTHON) python/wavesim/lesson.py --output $(1) lessons/*/
notebooks: $(LIBRARY) $(HELPER)
	$(call notebooks,$(BUILD)/notebooks)

version:
	@echo $(VERSION)

# The same bytes from the same commit: git writes names in order, and the commit's time.
DIST := wavesim-$(VERSION).tar.gz
dist:
	git archive --prefix=wavesim-$(VERSION)/ HEAD | gzip -9n >$(DIST)

# Makes systems in a folder of its own (tests/systems.sh says where), with mmdebstrap.
test-systems:
	@sh tests/systems.sh "$(SYSTEMS)" "$(STEPS)" "$(TESTS)"

clean:
	rm -rf build wavesim wavesim-helper wavesim-runner libwavesim-layer.so hip libwavesim.so libwavesim.so.$(ABI)

.SECONDARY:
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
