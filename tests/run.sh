#!/bin/sh
# Run the tests:  run.sh TOPIC WAVESIM BUILD
#
#   all      all of these; fast: unit, engine, layers, fuzz, bad, findings, runner, recording
#   programs cases, bad, findings, lessons, gen, sweeps: all that runs wavesim on something
#
#   unit     CUnit suites of tests/unit (BUILD/tests/run)
#   engine   runs without the program around them, on two threads (BUILD/tests/engine/counts): what they say, and
#            nothing else
#   faults   faults seeded into the lowering, drawn by a seed (tests/engine/faults.c): how many are reported; takes some
#            minutes
#   layers   the include order of the folders; operations without their functions do not compile (ops.sh); topics that end
#            early fail the whole (side.sh); LLVM=clang
#   cases    tests/cases/TOPIC/NAME/: kernel.cl and `run` (arguments, one a line; run-NAME: others). The outputs must
#            equal PoCL's, without findings but for advice. If there is expect.txt (stdout), expect.err (stderr),
#            expect.json (lines that the JSON must have) or expect.exit, those are checked instead;
#            a line `...` there stands for any lines. `needs` names programs and files, one a
#            line, without which the case is skipped ($LLVM stands for the version), or says `unsanitized`: not with
#            what `make asan` builds. Then bad and findings
#   bad      wrong input, exit status 2 and exact messages. tests/bad/NAME/: files, cmd (arguments,
#            one a line), expect.err and, when it is not 2, expect.exit; or tests/bad/NAME.case: all of it in one file
#   findings mistakes of kernels that show while they run (tests/findings/NAME.case, in the same form)
#   runner   wavesim-runner on PoCL's device and on a stand-in for AMD's driver: tests/runner/NAME.case,
#            in the same form
#   recording  whole host programs: every scene of tests/hosts through `wavesim run`, with what
#            recording/scenes.txt says; the launch files of traces/samples; recording/NAME.case, in the same form
#   sweeps   wavesim sweep and merge: tests/sweep/NAME.case, in the same form; a sweep spread by
#            GNU parallel, and with TEST_SLURM=1 by Slurm's own daemons (as root), when they are installed
#   lessons  every kernel of lessons/: outputs equal PoCL's, with the findings and the advice that
#            lessons.findings names and no other; every format of these runs: schemas, the same numbers in
#            all (formats.py)
#   pages    what the lessons' pages say (wavesim lesson --check)
#   figures  what the tables of lessons/figures.md say (figures.sh)
#   versions  counts and registers of the lessons, by version of LLVM (versions.sh)
#   compare  the lessons' pairs through wavesim compare (compare.sh)
#   hip      the same kernels in OpenCL C and HIP, the table of docs/hip.md: equal counts (hip.sh)
#   spirv    the lessons in OpenCL C and as SPIR-V: equal counts (spirv.sh)
#   watch    wavesim watch (watch.sh)
#   registers  registers of kernels beside clang's: mi50, samples of the other chips (registers.sh; make registers: all)
#   helper   the process in which compilers and native code run (helper.sh)
#   cache    what is cached from run to run (cache.sh)
#   machine  faults of the machine are called so (machine.sh)
#   sandbox  what confines compilers and native code (sandbox.sh; the unit tests have the kernels)
#   installed  what `make install` puts down, from there; `make uninstall`, `make dist` (installed.sh)
#   lib      libwavesim, as installed, from C and C++ (lib.sh)
#   python   Python's module over it, notebooks of the lessons, the page in an iframe (python.py)
#   text     the text report on terminals of several sizes and in a pipe (text.sh)
#   html     pages in a browser (html.sh)
#   exercises  every exercise, its model solution and common mistakes; a class of a hundred submissions (exercises.py;
#            TEST_REPEAT=100: 1,000 verdicts, the same each time)
#   debug    the debugger: sessions of commands, tests/debug/NAME.case, in the same form; values beside what kernels print
#            and write, back and on again, the Debug Adapter Protocol (debug.py)
#   docs     what the documentation says (docs.py)
#   timings  estimates beside measured times: a twentieth of each family of traces/measured, at least a point, some rows of each table of traces/published,
#            and every 92nd row of the tables in the folder $MEASURED, if it names one
#   uneven   launches whose work-groups differ: as long with the usual units played as with all (uneven.sh)
#   advice   kernels with one flaw each (tests/advice): the first advice names it, and following it gains what was said
#   consistency  what must hold for the estimate of any kernel on any device (consistency.sh)
#   growth   twice the input makes twice the output, not four times (growth.sh)
#   checks   random programs without races through --check, and with a barrier removed or an index shifted (mutants.py)
#   gen      random programs against PoCL (tests/gen), and racy ones with several numbers of threads
#   subgroups  every function of sub-groups and work-groups on every type, at 32 and 128 lanes (subgroups.py;
#            TEST_WIDTHS="8 64 …": others)
#   images   every kind of image, format and sampler: equal to PoCL, by image instructions, at the units' rate (images.py;
#            TEST_IMAGES=all: not a sample of the formats)
#   functions  the tables of built-in functions of OpenCL C 3.0, on every type and width (functions.py; TEST_FUNCTIONS=all:
#            not a sample)
#   fuzz     the fuzz targets over their corpus
#   warnings clang has nothing to say of the programs, the libraries and the unit suites (warnings.sh)
#
# Machine code depends on LLVM's version, and so do some outputs. Those that are not what version 15 makes are kept
# beside: expect.llvm18.txt, `-- stdout llvm18`, for 18 and later, as far as there is none for a later one.
#
# TEST_EVERY=N and TEST_FIRST=K run one in N of these, from the Kth: a sample, or a part; `all` runs
# TEST_JOBS topics and parts side by side (default: one for each processor), TEST_TOPICS="bad docs" only these.
# Nothing is cached from run to run, except with TEST_CACHE=1, or in the folder TEST_CACHE, where a second run of the
# tests then finds what the first has left. The topics of `all` share a folder of their own, so that kernels are built
# once (scripts, that is what begins with check.sh, have no cache); TEST_CACHE=0: not those either, as `make asan` does it.
# GOLDEN=1 rewrites the files and parts of cases that do not match. The last line is "N passed, M failed"; the exit status says whether all passed.
set -u
LC_ALL=C; export LC_ALL

mode=$1
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
wavesim=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
build=$(cd "$3" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT; trap 'exit 2' INT TERM
# What cases call by name, and a folder of drivers to choose with OCL_ICD_VENDORS.
mkdir -p "$scratch/bin" "$scratch/standin"
ln -s "$wavesim" "$scratch/bin/wavesim"
ln -s "$(dirname "$wavesim")/wavesim-runner" "$scratch/bin/wavesim-runner"
ln -s "$build/tests/hosts/host" "$scratch/bin/host"
echo "$build/tests/standin/amd.so" >"$scratch/standin/amd.icd"
STANDIN=$scratch/standin
export STANDIN
unset NO_COLOR WAVESIM_DEVICE WAVESIM_WAVE WAVESIM_BANKS WAVESIM_JSON WAVESIM_QUIET 2>/dev/null
XDG_CONFIG_HOME=$scratch/config # no configuration of whoever runs this, and none of his cache
XDG_CACHE_HOME=$scratch
WAVESIM_NO_CACHE=1
WAVESIM_PROGRESS=0 # else slow machines say more on stderr
export XDG_CONFIG_HOME XDG_CACHE_HOME WAVESIM_NO_CACHE WAVESIM_PROGRESS
# Tests that call make have none of the processes that a make above them gave out.
[ -z "${MAKEFLAGS:-}" ] || MAKEFLAGS=$(printf '%s' "$MAKEFLAGS" | sed 's/ -j[0-9]*//; s/ --jobserver[^ ]*//')
if [ "${TEST_CACHE:-0}" != 0 ]; then
	unset WAVESIM_NO_CACHE
	[ "$TEST_CACHE" = 1 ] || XDG_CACHE_HOME=$(cd "$TEST_CACHE" && pwd) || exit 2
fi
passed=0
failed=0
count=0
llvm=$(sh "$here/deps.sh" llvm) || exit 2
export LLVM="$llvm"
sanitized=$(nm -D "$wavesim" 2>/dev/null | grep -m 1 __asan_init)
# Programs that are built elsewhere (make asan) have no lessons beside them.
[ -d "$(dirname "$wavesim")/lessons" ] || export WAVESIM_LESSONS="$root/lessons"
[ -d "$(dirname "$wavesim")/exercises" ] || export WAVESIM_EXERCISES="$root/exercises"

# The head of each says what is in it.
for topics in kit forms cases lessons programs scripts timings side_by_side; do
	. "$here/topics/$topics.sh"
done

case $mode in
all)
	# shellcheck disable=SC2086
	side_by_side ${TEST_TOPICS:-programs consistency recording python timings advice unit registers spirv html exercises subgroups faults \
		debug docs lib cache hip uneven pages runner compare images growth checks versions text sandbox figures installed \
		watch machine functions layers warnings fuzz helper engine}
	;;
fast) unit; engine; layers; fuzz_corpus; bad_input; findings; runner; recording ;;
programs) cases; bad_input; findings; lessons; gen; sweeps ;;
cases) cases; bad_input; findings ;;
bad) bad_input ;;
fuzz) fuzz_corpus ;;
unit | engine | faults | layers | findings | runner | recording | sweeps | lessons | pages | figures | versions | registers | compare | hip | spirv | watch | helper | cache | machine | sandbox | installed | lib | python | text | html | \
	docs | debug | exercises | warnings | timings | uneven | advice | consistency | growth | checks | subgroups | images | functions | gen) "$mode" ;;
*) sed -n '2s/^# Run the tests: */usage: /p' "$0" >&2; echo "run.sh: there is no topic '$mode'; its head lists them" >&2; exit 2 ;;
esac
echo "$passed passed, $failed failed"
[ $failed = 0 ]
