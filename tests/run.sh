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

chosen() {
	count=$((count + 1))
	[ $(((count - ${TEST_FIRST:-1}) % ${TEST_EVERY:-1})) = 0 ]
}
ok() { passed=$((passed + 1)); }
bad() {
	failed=$((failed + 1))
	echo "FAIL $1"
	[ -s "$scratch/why" ] && sed 's/^/     /' "$scratch/why" | head -30
}
summary() { # name, passed before, failed before
	echo "$1: $((passed - $2)) passed, $((failed - $3)) failed"
}

# Does the text of $2 match the pattern in $1? A line `...` matches any number of lines.
matches() {
	awk '
	NR == FNR { want[++n] = $0; next }
	{ have[++m] = $0 }
	function match_from(i, j,   k) {
		while (i <= n && want[i] != "...") {
			if (j > m || want[i] != have[j]) return 0
			i++; j++
		}
		if (i > n) return j > m
		if (i == n) return 1
		for (k = j; k <= m + 1; k++) if (match_from(i + 1, k)) return 1
		return 0
	}
	END { exit !match_from(1, 1) }' "$1" "$2"
}

# What is expected of this version of LLVM: names with its number before the ending (of what has one), or the name itself.
for_version() { # name, before the number, after it
	v=$llvm
	while [ "$v" -gt 15 ]; do
		[ -f "$2llvm$v$3" ] && { echo "$2llvm$v$3"; return; }
		v=$((v - 1))
	done
	echo "$1"
}
expected_file() { for_version "$1" "${1%.*}." ".${1##*.}"; }
expected_part() { for_version "$1" "$1 " ""; }

check_text() { # expected, actual
	want_text=$(expected_file "$1")
	[ -f "$want_text" ] && matches "$want_text" "$2" && return 0
	if [ -n "${GOLDEN:-}" ]; then
		[ "$llvm" = 15 ] || want_text=${1%.*}.llvm$llvm.${1##*.}
		cp "$2" "$want_text"
		return 0
	fi
	diff "$want_text" "$2" >>"$scratch/why"
	return 1
}

# ---- unit tests ----
engine() {
	p=$passed f=$failed
	WAVESIM_HELPER=${WAVESIM_HELPER:-$(dirname "$wavesim")/wavesim-helper} "$build/tests/engine/counts" >"$scratch/engine" 2>&1
	status=$?
	if [ $status = 0 ] && diff "$here/engine/expect.txt" "$scratch/engine" >"$scratch/why"; then
		ok
	else
		bad "engine: status $status"
	fi
	summary engine $p $f
}
faults() {
	p=$passed f=$failed
	for drawn in "10 90 all" "20 90 float"; do # faults that change a result, percent of them
		# shellcheck disable=SC2086
		WAVESIM_HELPER=${WAVESIM_HELPER:-$(dirname "$wavesim")/wavesim-helper} "$build/tests/engine/faults" \
			"$here/cases" 1 $drawn "$scratch/faults" >"$scratch/why" 2>&1 && ok || bad "faults: too few reported"
		tail -1 "$scratch/why"
	done
	summary faults $p $f
}
unit() {
	(cd "$root" && "$build/tests/run") >"$scratch/unit" 2>&1
	status=$?
	grep -v '^$' "$scratch/unit"
	line=$(grep '^unit: ' "$scratch/unit" | tail -1)
	if [ -z "$line" ]; then
		echo "FAIL unit: the runner ended early with status $status"
		failed=$((failed + 1))
		return
	fi
	passed=$((passed + $(echo "$line" | sed 's/unit: \([0-9]*\) .*/\1/')))
	failed=$((failed + $(echo "$line" | sed 's/.*, \([0-9]*\) failed/\1/')))
}

layers() {
	: >"$scratch/why"
	if sh "$here/layers.sh" >"$scratch/why" 2>&1; then ok; else bad layers; fi
	if sh "$here/ops.sh" >"$scratch/why" 2>&1; then ok; else bad ops; fi
	if sh "$here/side.sh" >"$scratch/why" 2>&1; then ok; else bad "side by side"; fi
	# What is loaded into other programs lacks nothing of ours: the linker leaves that to the loader.
	nm --defined-only --extern-only "$build"/*/*.o "$build"/*/*/*.o 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u >"$scratch/ours"
	for loaded in libwavesim-layer.so hip/libamdhip64.so.5 libwavesim.so.0; do
		[ -f "${wavesim%/*}/$loaded" ] || continue
		nm -D --undefined-only "${wavesim%/*}/$loaded" | awk '{ print $2 }' | sort -u | comm -12 - "$scratch/ours" >"$scratch/why"
		if [ ! -s "$scratch/why" ]; then ok; else bad "$loaded lacks"; fi
	done
	LLVM=clang sh "$here/deps.sh" llvm >"$scratch/why" 2>&1
	if [ $? = 2 ] && grep -q '^LLVM=clang: this is no version' "$scratch/why"; then ok; else bad "LLVM=clang"; fi
}

# ---- kernel cases ----
equal_to_pocl() { # arguments in "$@"; run in the current folder
	"$wavesim" "$@" --json "$scratch/json" >"$scratch/out" 2>"$scratch/err"
	status=$?
	if [ $status != 0 ]; then
		{ echo "exit status $status"; cat "$scratch/err"; } >"$scratch/why"
		return 1
	fi
	if ! grep -q '"status":	"equal"' "$scratch/json" || grep -q '"severity":	"\(error\|warning\)"' "$scratch/json"; then
		sed -n '/^  reference/p;/error:/,$p;/warning:/,$p' "$scratch/out" >"$scratch/why"
		return 1
	fi
}

expected() { # folder, arguments
	dir=$1
	shift
	"$wavesim" "$@" >"$scratch/out" 2>"$scratch/err"
	status=$?
	want=0
	[ -f "$dir/expect.exit" ] && want=$(cat "$dir/expect.exit")
	good=1
	if [ "$status" != "$want" ]; then
		{ echo "exit status $status, expected $want"; cat "$scratch/err"; } >>"$scratch/why"
		good=0
	fi
	if [ -f "$dir/expect.txt" ]; then check_text "$dir/expect.txt" "$scratch/out" || good=0; fi
	if [ -f "$dir/expect.err" ]; then check_text "$dir/expect.err" "$scratch/err" || good=0; fi
	if [ -f "$dir/expect.json" ]; then
		tr -d '\t' <"$scratch/out" >"$scratch/flat"
		while IFS= read -r line; do
			[ -z "$line" ] && continue
			grep -qF "$line" "$scratch/flat" && continue
			echo "not in the JSON: $line" >>"$scratch/why"
			good=0
		done <"$(expected_file "$dir/expect.json")"
	fi
	[ $good = 1 ]
}

# What a case needs is there?
can_run() {
	[ -f "$1/needs" ] || return 0
	while IFS= read -r thing; do
		eval "thing=$thing" # $LLVM
		if [ "$thing" = unsanitized ]; then
			[ -z "$sanitized" ] && continue
			echo "SKIP ${1#"$root"/}: sanitizers come with it into the program that is run"
			return 1
		fi
		[ -e "$thing" ] || command -v "$thing" >/dev/null 2>&1 && continue
		echo "SKIP ${1#"$root"/}: there is no $thing"
		return 1
	done <"$1/needs"
}

run_case() { # the file with its arguments
	name=${1#"$root"/} dir=$(dirname "$1") words=$(basename "$1")
	: >"$scratch/why"
	can_run "$dir" || return
	rm -rf "$scratch/case"
	cp -r "$dir" "$scratch/case"
	cd "$scratch/case" || exit 2
	set --
	while IFS= read -r word || [ -n "$word" ]; do
		[ -n "$word" ] && set -- "$@" "$word"
	done <"$(for_version "$words" "$words." "")"
	if ls "$dir"/expect.* >/dev/null 2>&1; then
		expected "$dir" "$@"
	else
		equal_to_pocl "$@"
	fi
	result=$?
	cd "$root" || exit 2
	if [ $result = 0 ]; then ok; else bad "$name"; fi
}

cases() {
	p=$passed f=$failed
	for run in "$here"/cases/*/*/run "$here"/cases/*/*/run-*; do
		[ -f "$run" ] && chosen && run_case "$run"
	done
	summary cases $p $f
}

# ---- wrong input ----
# A case: lines `-- file NAME`, `-- run COMMAND`, `-- needs FILE` (as in cases), `-- exit N`, `-- stdout`, `-- stderr`, each
# followed by its text, the last three also with a version (`-- exit llvm18 N`); what is before the first is a comment.
run_bad() {
	file=$1
	: >"$scratch/why"
	rm -rf "$scratch/case" "$scratch/parts"
	mkdir "$scratch/case" "$scratch/parts"
	awk -v files="$scratch/case/" -v parts="$scratch/parts/" '
	/^-- file /  { out = files substr($0, 9); printf "" > out; next }
	/^-- run /   { print substr($0, 8) > (parts "run"); out = ""; next }
	/^-- needs / { print substr($0, 10) > (parts "needs"); out = ""; next }
	/^-- exit llvm/ { print $4 > (parts "exit " $3); out = ""; next }
	/^-- exit /  { print substr($0, 9) > (parts "exit"); out = ""; next }
	/^-- std/    { out = parts substr($0, 4); printf "" > out; next }
	out != ""    { print > out }' "$file"
	can_run "$scratch/parts" || return
	want=2
	[ -f "$scratch/parts/exit" ] && want=$(cat "$(expected_part "$scratch/parts/exit")")
	(
		cd "$scratch/case" || exit 99
		PATH="$scratch/bin:$PATH"
		eval "$(cat "$scratch/parts/run")"
	) >"$scratch/out" 2>"$scratch/err"
	status=$?
	good=1
	golden=${GOLDEN:-}
	if [ "$status" != "$want" ]; then
		echo "exit status $status, expected $want" >>"$scratch/why"
		good=0
		golden= # what a command says that failed is not what is expected of it
	fi
	if [ -n "$golden" ] && [ ! -f "$scratch/parts/stderr" ] && [ -s "$scratch/err" ]; then
		echo "-- stderr" >>"$file"
		: >"$scratch/parts/stderr"
	fi
	for part in stdout stderr; do
		have=$scratch/out
		[ $part = stderr ] && have=$scratch/err
		[ -f "$scratch/parts/$part" ] || continue
		want_part=$(expected_part "$scratch/parts/$part")
		matches "$want_part" "$have" && continue
		if [ -n "$golden" ]; then
			[ "$llvm" = 15 ] || part="$part llvm$llvm"
			golden_part "$file" "-- $part" "$have"
		else
			diff "$want_part" "$have" >>"$scratch/why"
			good=0
		fi
	done
	if [ $good = 1 ]; then ok; else bad "${file#"$root"/}"; fi
}

# The text below a line `-- stdout` or `-- stderr` of a case becomes what came out; a new line goes to the end.
golden_part() { # case, the line, what came out
	grep -qxF -e "$2" "$1" || echo "$2" >>"$1"
	awk -v line="$2" -v new="$3" '
	/^-- std/   { skip = 0 }
	!skip       { print }
	$0 == line  { skip = 1; while ((getline text < new) > 0) print text }' "$1" >"$scratch/new" &&
		cp "$scratch/new" "$1"
}

run_bad_folder() {
	dir=$1
	: >"$scratch/why"
	rm -rf "$scratch/case"
	cp -r "$dir" "$scratch/case"
	rm -f "$scratch/case/expect.err"
	want=2
	[ -f "$dir/expect.exit" ] && want=$(cat "$dir/expect.exit")
	cd "$scratch/case" || exit 2
	set --
	while IFS= read -r word || [ -n "$word" ]; do
		set -- "$@" "$word"
	done <cmd
	"$wavesim" "$@" >"$scratch/out" 2>"$scratch/err"
	status=$?
	cd "$root" || exit 2
	good=1
	if [ $status != "$want" ]; then
		echo "exit status $status, expected $want" >>"$scratch/why"
		good=0
	elif [ "$want" = 2 ] && [ -s "$scratch/out" ]; then
		echo "something on standard output" >>"$scratch/why"
		good=0
	fi
	if [ $good = 1 ] || [ ! -f "$dir/expect.err" ]; then
		[ -f "$dir/expect.err" ] || [ -n "${GOLDEN:-}" ] || { echo "no expect.err" >>"$scratch/why"; good=0; }
		check_text "$dir/expect.err" "$scratch/err" || good=0
	fi
	if [ $good = 1 ]; then ok; else bad "${dir#"$root"/}"; fi
}

bad_input() {
	p=$passed f=$failed
	for file in "$here"/bad/*.case; do
		[ -f "$file" ] && chosen && run_bad "$file"
	done
	for cmd in "$here"/bad/*/cmd; do
		[ -f "$cmd" ] && chosen && run_bad_folder "$(dirname "$cmd")"
	done
	summary "bad input" $p $f
}

findings() {
	p=$passed f=$failed
	for file in "$here"/findings/*.case; do
		chosen && run_bad "$file"
	done
	summary findings $p $f
}

debug() {
	p=$passed f=$failed
	for file in "$here"/debug/*.case; do
		chosen && run_bad "$file"
	done
	summary "debugger's sessions" $p $f
	script debugger "$here/debug.py" "$wavesim"
}

runner() {
	built "$build/tests/standin/amd.so"
	p=$passed f=$failed
	POCL_CACHE_DIR=$scratch/pocl
	LSAN_OPTIONS=suppressions=$here/lsan.supp:print_suppressions=0 # the driver runs in the process
	case $("$scratch/bin/wavesim-runner" devices) in *pthread*) CPU=pthread ;; *) CPU=cpu- ;; esac # PoCL's name for it
	export POCL_CACHE_DIR LSAN_OPTIONS CPU
	for file in "$here"/runner/*.case; do
		chosen && run_bad "$file"
	done
	unset POCL_CACHE_DIR LSAN_OPTIONS CPU
	summary runner $p $f
}

# "key": N, the last one in the JSON: of the sum of all launches.
summed() { sed -n "s/^.*\"$1\":	\([0-9]*\).*/\1/p" "$scratch/json" | tail -1; }

scene() { # name, launches, equal, failed, options
	name=$1 want="$2 $3 $4"
	shift 4
	: >"$scratch/why"
	"$wavesim" run --quiet --check=api --error-exitcode 9 --json "$scratch/json" "$@" -- "$build/tests/hosts/host" "$name" \
		>"$scratch/out" 2>"$scratch/why"
	status=$?
	if [ "$name" = prints ]; then
		grep -q '^7 of 8$' "$scratch/out" || echo "what the kernel prints is missing" >>"$scratch/why"
	fi
	have="$(summed launches) $(summed equal) $(summed failed)"
	if [ $status = 0 ] && [ "$have" = "$want" ] && [ ! -s "$scratch/why" ]; then
		ok
	else
		echo "status $status; launches, equal, failed: $have, expected $want" >>"$scratch/why"
		bad "host $name"
	fi
}

# What a topic runs beside wavesim: without it expectations would be rewritten with what a shell says.
built() {
	for program; do
		[ -e "$program" ] && continue
		echo "run.sh: there is no $program; \`make run-tests TESTS=$mode\` builds it" >&2
		exit 2
	done
}

recording() {
	built "$build/tests/hosts/host"
	p=$passed f=$failed
	mkdir -p "$scratch/host"
	cd "$scratch/host" || exit 2
	POCL_CACHE_DIR=$scratch/pocl
	LSAN_OPTIONS=suppressions=$here/lsan.supp:print_suppressions=0 # the driver runs in the host programs
	export POCL_CACHE_DIR LSAN_OPTIONS
	while read -r line; do
		case $line in "#"* | "") continue ;; esac
		set -- $line
		chosen && scene "$@"
	done <"$here/recording/scenes.txt"
	for sample in "$root"/traces/samples/*.launches; do
		chosen || continue
		: >"$scratch/why"
		"$wavesim" replay "$sample" --json "$scratch/json" >"$scratch/out" 2>"$scratch/why"
		if [ $? = 0 ] && ! grep -q '"status":	"different"' "$scratch/json" && grep -q '"status":	"equal"' "$scratch/json"; then
			ok
		else
			bad "$sample"
		fi
	done
	cd "$root" || exit 2
	for file in "$here"/recording/*.case; do
		chosen && run_bad "$file"
	done
	unset POCL_CACHE_DIR LSAN_OPTIONS
	summary recording $p $f
}

# The examples of spreading a sweep over machines.
cluster() { # parallel, slurm
	chosen || return
	sh "$here/cluster.sh" "$1" "$wavesim" >"$scratch/why" 2>&1
	case $? in
	0) ok ;;
	77) echo "SKIP $1: $(tail -1 "$scratch/why")" ;;
	*) bad "cluster.sh $1" ;;
	esac
}

# wavesim sweep and merge, in the same form.
sweeps() {
	p=$passed f=$failed
	for file in "$here"/sweep/*.case; do
		chosen && run_bad "$file"
	done
	cluster parallel
	[ -z "${TEST_SLURM:-}" ] || cluster slurm
	summary sweeps $p $f
}

all_formats() { # file, where to, without the ending; options
	file=$1 to=$2
	shift 2
	"$wavesim" "$file" "$@" --json "$to.json" --sarif "$to.sarif" --trace-events "$to.trace" --csv "$to.csv" \
		--lcov "$to.lcov" --collapsed "$to.cycles.folded" >"$scratch/out" 2>"$scratch/err"
}

lessons() {
	p=$passed f=$failed
	cd "$root" || exit 2
	mkdir -p "$scratch/formats"
	for kernel in lessons/*/*.cl; do
		[ -f "$kernel" ] && chosen || continue
		: >"$scratch/why"
		want=$(sed -n "s|^$kernel ||p" "$(expected_file "$here/lessons.findings")")
		name=$scratch/formats/$(echo "${kernel%.cl}" | tr / -)
		all_formats "$kernel" "$name"
		have=$(sed -n 's/^\t*\(}, {\)\{0,1\}[\t]*"id":\t"\([a-z_]*\)",/\2/p' "$name.json" | tr '\n' ' ')
		[ "$have" = "$want${want:+ }" ] || echo "findings: $have, expected $want" >"$scratch/why"
		case $want in
		*out_of_bounds*) ;;
		*) grep -q '"status":	"\(equal\|nothing\)"' "$name.json" || echo "outputs differ from PoCL's" >>"$scratch/why" ;;
		esac
		if [ -s "$scratch/why" ]; then bad "$kernel"; else ok; fi
		[ "$kernel" = lessons/prefix-sum/plain.cl ] || continue
		for weight in instructions idle_lanes conflicts lines; do
			"$wavesim" "$kernel" --no-reference --collapsed "$name.$weight.folded" --weight $weight --log /dev/null
		done
	done
	for file in "$here"/formats/*; do # sources that are hard to write down, or that fill keys which lessons do not
		name=${file##*/}
		all_formats "$file" "$scratch/formats/${name%.*}"
	done
	all_formats "$here/formats/sample.cl" "$scratch/formats/tenth" --sample 10
	all_formats "$here/formats/sample.cl" "$scratch/formats/warm" --warm
	for pair in else-if-chain/chain:else-if-chain/table bound-search/chain:bound-search/wrong \
		divergence-swap/before:divergence-swap/after; do
		"$wavesim" compare "lessons/${pair%:*}.cl" "lessons/${pair#*:}.cl" --quiet \
			--json "$scratch/formats/$(echo "$pair" | tr /: --).compare"
	done
	"$wavesim" sweep lessons/bank-stride/stride.cl --arg stride=1,8 --local 64,2048 \
		--json "$scratch/formats/stride.sweep" >"$scratch/out"
	"$wavesim" occupancy lessons/bank-stride/stride.cl --json "$scratch/formats/stride.occupancy" >"$scratch/out"
	"$wavesim" occupancy lessons/bank-stride/stride.cl --device hd5870 --json "$scratch/formats/hd5870.occupancy" \
		>"$scratch/out"
	"$wavesim" occupancy --device mi50 --vgprs 31 --json "$scratch/formats/given.occupancy" >"$scratch/out"
	summary lessons $p $f
	script formats "$here/formats.py" schema/report.schema.json "$scratch/formats"
}

# Adds what a script counted, whose output this is: its last line is "N passed, M failed".
tally() { # name, output
	set -- "$1" "$2" $(sed -n '$s/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$2")
	if [ $# = 4 ]; then
		passed=$((passed + $3)) failed=$((failed + $4))
	else
		failed=$((failed + 1))
		echo "FAIL $1: it ended early"
	fi
}

# A script of its own.
script() { # name, script, its arguments
	p=$passed f=$failed
	name=$1
	shift
	cd "$root" || exit 2
	case $1 in *.py) /usr/bin/python3 "$@" ;; *) sh "$@" ;; esac >"$scratch/script" 2>&1
	sed '/^[0-9]* passed, [0-9]* failed$/d' "$scratch/script"
	tally "$name" "$scratch/script"
	summary "$name" $p $f
}

compare() { script compare "$here/compare.sh" "$wavesim"; }
consistency() { script consistency "$here/consistency.sh" "$wavesim"; }
uneven() { script uneven "$here/uneven.sh" "$wavesim"; }
advice() { script advice "$here/advice.py" "$wavesim"; }
functions() { script functions "$here/functions.py" "$wavesim"; }
images() { script images "$here/images.py" "$wavesim"; }
subgroups() {
	# shellcheck disable=SC2086
	script subgroups "$here/subgroups.py" "$wavesim" ${TEST_WIDTHS:-32 128}
}
growth() { script growth "$here/growth.sh" "$wavesim"; }
# Tables and pages say what LLVM 15 makes; docs/versions.md says what others make otherwise.
of_llvm_15() {
	[ "$llvm" = 15 ] && return
	echo "SKIP $1: it says what LLVM 15 makes (docs/versions.md: what $llvm makes otherwise)"
	false
}
figures() { of_llvm_15 figures && script figures "$here/figures.sh" "$root/lessons/figures.md" "$wavesim"; }
versions() { script versions "$here/versions.sh" "$wavesim"; }
text() { script text "$here/text.sh" "$wavesim"; }
helper() { script helper "$here/helper.sh" "$wavesim"; }
cache() { script cache "$here/cache.sh" "$wavesim"; }
registers() { script registers "$here/registers.sh" "$wavesim"; }
hip() { script hip "$here/hip.sh" "$root/docs/hip.md" "$wavesim"; }
spirv() { script spirv "$here/spirv.sh" "$wavesim"; }
machine() { script machine "$here/machine.sh" "$wavesim" "$build"; }
sandbox() { script sandbox "$here/sandbox.sh" "$wavesim" "$build"; }
installed() { script installed "$here/installed.sh" "$wavesim"; }
lib() { script lib "$here/lib.sh" "$wavesim" "$build"; }
# Its packages are the system's Python's.
python() { script python "$here/python.py" "$wavesim" "$build"; }
watch() { script watch "$here/watch.sh" "$wavesim"; }
# CHECK_SEEDS: how many (default 12).
checks() { script checks "$here/mutants.py" "$wavesim" "$build/tests/gen/gen" 1 "${CHECK_SEEDS:-12}"; }
docs() { script docs "$here/docs.py" "$wavesim"; }
html() { script html "$here/html.sh" "$wavesim"; }
exercises() { script exercises "$here/exercises.py" "$wavesim"; }

# What the lessons' pages say, from their runs.
pages() {
	of_llvm_15 pages || return
	p=$passed f=$failed
	"$wavesim" lesson --check >"$scratch/pages" 2>"$scratch/why"
	status=$?
	passed=$((passed + $(grep -c '^holds ' "$scratch/pages")))
	grep -v '^holds ' "$scratch/pages" >"$scratch/differs"
	while read -r line; do bad "lesson: $line"; done <"$scratch/differs"
	[ -s "$scratch/pages" ] || bad "no lessons"
	[ $status = 0 ] || [ -s "$scratch/differs" ] || bad "lesson --check: exit status $status"
	summary pages $p $f
}

# Random programs; GEN_SEEDS="1 2 3" or a count (default 24). RACE_SEEDS: how many racy ones (default 6).
gen() {
	p=$passed f=$failed
	mkdir -p "$scratch/gen"
	cd "$scratch/gen" || exit 2
	for seed in $(case ${GEN_SEEDS:-24} in *" "*) echo "$GEN_SEEDS" ;; *) seq "${GEN_SEEDS:-24}" ;; esac); do
		chosen || continue
		: >"$scratch/why"
		"$build/tests/gen/gen" "$seed" --out random.cl
		if equal_to_pocl random.cl; then ok; else bad "random program $seed"; fi
	done
	cd "$root" || exit 2
	summary "random programs" $p $f
	p=$passed f=$failed
	for seed in $(seq "${RACE_SEEDS:-6}"); do
		chosen || continue
		if sh "$here/gen/threads.sh" "$wavesim" "$build/tests/gen/gen" "$seed" "$seed" >"$scratch/why" 2>&1; then
			ok
		else
			bad "racy program $seed"
		fi
	done
	summary "racy random programs, 1, 2, 7 and 8 threads" $p $f
}

crosscheck() { # name, file, options: how far estimates may be off
	: >"$scratch/why"
	name=$1
	shift
	if "$wavesim" crosscheck "$@" --summary >"$scratch/why" 2>&1; then
		awk -v n="$name" '/^all points/ {print n ": " $3 " points, Spearman " $4 ", median " $6 " %"}' "$scratch/why"
		ok
	else
		bad "$name"
	fi
}

# The header and one row in so many of those that are wanted.
sampled() { # table, rows, condition
	mkdir -p "$scratch/sampled"
	awk -F, -v n="$2" "NR == 1 || (${3:-1}) && i++ % n == 0" "$1" >"$scratch/sampled/${1##*/}"
}

# A store with one in so many runs of each family, but at least one; which ones differs from family to family.
some_runs() { # file, how many
	jq -c --argjson n "$2" '(.launch | map({(.key): .family}) | add) as $family |
		[.run | group_by($family[.launch]) | to_entries[] | .key as $at | (.value | length) as $all | .value |
			to_entries[] | select(.key % $n == $at % ([$n, $all] | min)) | .value] as $runs |
		($runs | map({(.key): true}) | add) as $is | .run = $runs | .sample |= map(select($is[.run]))' "$1"
}

timings() {
	p=$passed f=$failed
	# One in twenty points of each family of probes, and one of small ones, as the card's table has them: so that it is today's,
	# and the bands follow from it.
	for card in h200 h100; do
		some_runs "$root/traces/measured/$card.json" 20 >"$scratch/$card.json"
		crosscheck $card "$scratch/$card.json" --min-spearman 0.95 --max-median 20 --max-p90 60 \
			--json "$scratch/$card-estimates.json"
		of_llvm_15 "the table of $card" || continue
		jq -r '.points[] | [.family, .x, .estimate_us, .bound_by] | @tsv' "$scratch/$card-estimates.json" |
			awk 'NR == FNR { if (NF == 6) { us[$1, $2 + 0] = $4; by[$1, $2 + 0] = $6 } next }
				{ k = $1 SUBSEP $2 + 0; d = us[k] - $3; n++
				  if (by[k] != $4 || d > 0.002 * $3 || d < -0.002 * $3)
					print $1, $2 ": " $3, $4 ", in the table " us[k], by[k] }
				END { if (!n) print "no points" }' "$root/traces/measured/$card-crosscheck.txt" - \
			>"$scratch/why" 2>&1 || echo "no table" >>"$scratch/why"
		[ -s "$scratch/why" ] && bad "$card-crosscheck.txt is not what wavesim crosscheck traces/measured/$card.json prints" || ok
	done
	if of_llvm_15 "bands of NVIDIA"; then
		python3 "$root/tests/bands.py" --check "$root/models/timing/bands.def" \
			nvidia:"$root/traces/measured/h200-crosscheck.txt" nvidia:"$root/traces/measured/h100-crosscheck.txt" \
			nvidia:"$root/traces/measured/h100-programs.csv" nvidia:"$root/traces/measured/h200-recorded.csv" \
			>"$scratch/why" 2>&1 && ok || bad "bands of NVIDIA"
	fi
	# (The MI100's 277th row has buffers of 20 GB, more than a launch may have here.)
	for table in "naive_conv_fwd_mi210 92 0.8 50" "naive_conv_fwd_mi100 90 0.8 50" "mi300a_mgpusim 13 0.9 30" \
		"convolution_mi50 31 0.5 60 \$11==0" "convolution_w7800 78 0.5 60 \$3*\$4<=2"; do
		set -- $table # the last is the condition for registers that do not spill, of which less can be said
		sampled "$root/traces/published/$1.csv" "$2" "${5:-}"
		crosscheck "$1" "$scratch/sampled/$1.csv" --sample 1 --min-spearman "$3" --max-median "$4"
		grep -q 'without an estimate' "$scratch/why" && bad "$1: rows without an estimate"
	done
	if [ -d "${MEASURED:-}" ]; then
		rm -rf "$scratch/sampled"
		for table in "$MEASURED"/*.csv; do
			[ -f "$table" ] && sampled "$table" 92
		done
		crosscheck "$MEASURED" "$scratch/sampled" --sample 1 --min-spearman 0.7 --max-median 100
	else
		echo "SKIP timings of others: MEASURED names no folder of them"
	fi
	summary timings $p $f
}

fuzz_corpus() {
	p=$passed f=$failed
	sh "$here/fuzz/seeds.sh" "$scratch/seeds"
	for target in "$build"/tests/fuzz/replay_*; do
		case $target in *.[od]) continue ;; esac
		name=fuzz_${target##*/replay_}
		if find "$here/fuzz/corpus/$name" "$scratch/seeds/$name" -type f -print0 2>/dev/null | sort -z |
			(cd "$here/.." && xargs -0 "$target" >"$scratch/why" 2>&1); then
			ok
		else
			bad "$name"
		fi
	done
	summary "fuzz corpus" $p $f
}

# Topics side by side, TEST_JOBS at a time, what takes longest first; `programs` in as many parts. What a topic says comes
# when it has ended.
side_by_side() { # topics
	n=${TEST_JOBS:-$(nproc)}
	mkdir "$scratch/cache"
	export TEST_CACHE="${TEST_CACHE:-$scratch/cache}"
	for topic; do
		[ "$topic" = programs ] || { echo "$topic"; continue; }
		for k in $(seq "$n"); do echo "programs $n $k"; done
	done >"$scratch/topics"
	export here wavesim build scratch
	xargs -P "$n" -L 1 sh -c '
		out=$scratch/part.$1${3:+.$3}
		start=$(date +%s)
		TEST_EVERY=${2:-1} TEST_FIRST=${3:-1} sh "$here/run.sh" "$1" "$wavesim" "$build" >"$out" 2>&1
		[ "$1" = programs ] && hide=" passed, [0-9]* failed\$" || hide="^[0-9]* passed, [0-9]* failed\$"
		{ grep -v -e "$hide" "$out"; echo "($1${3:+ $3}: $(($(date +%s) - start)) s)"; } >"$out.said"
		flock "$scratch/topics" cat "$out.said"
		true' part <"$scratch/topics"
	rm -f "$scratch"/part.*.said
	while read -r topic n k; do # also what was never started
		part=$topic${k:+.$k}
		[ -f "$scratch/part.$part" ] || : >"$scratch/part.$part"
		tally "$part" "$scratch/part.$part"
	done <"$scratch/topics"
	if grep -q '^programs ' "$scratch/topics"; then programs_tally; fi
	failures
}

# What all parts of `programs` came to.
programs_tally() {
	for name in cases "bad input" findings lessons formats "random programs" "racy random programs, 1, 2, 7 and 8 threads" \
		sweeps; do
		cat "$scratch"/part.programs.* | awk -v name="$name" -F': ' \
			'$1 == name { split($2, n, " "); p += n[1]; f += n[3] }
			 END { printf "%s: %d passed, %d failed\n", name, p, f }'
	done
}

# The first failures again, with the beginning of why, where whoever reads only the end sees them.
failures() {
	[ $failed = 0 ] && return
	echo "Failed:"
	while read -r topic n k; do
		part=$topic${k:+.$k}
		awk -v part="$part" '
			/^FAIL / { said = 1; lines = 6 }
			!/^(FAIL|[ \t])/ { lines = 0 }
			lines-- > 0 { print "  " $0 }
			{ last = $0 }
			END { if (!said && last !~ /^[0-9]+ passed, 0 failed$/) print "  FAIL " part ": see above" }' "$scratch/part.$part"
	done <"$scratch/topics" | head -40
}

case $mode in
all)
	# shellcheck disable=SC2086
	side_by_side ${TEST_TOPICS:-programs consistency recording python timings advice unit registers spirv html exercises subgroups faults \
		debug docs lib cache hip uneven pages runner compare images growth checks versions text sandbox figures installed \
		watch machine functions layers fuzz helper engine}
	;;
fast) unit; engine; layers; fuzz_corpus; bad_input; findings; runner; recording ;;
programs) cases; bad_input; findings; lessons; gen; sweeps ;;
cases) cases; bad_input; findings ;;
bad) bad_input ;;
fuzz) fuzz_corpus ;;
unit | engine | faults | layers | findings | runner | recording | sweeps | lessons | pages | figures | versions | registers | compare | hip | spirv | watch | helper | cache | machine | sandbox | installed | lib | python | text | html | \
	docs | debug | exercises | timings | uneven | advice | consistency | growth | checks | subgroups | images | functions | gen) "$mode" ;;
*) sed -n '2s/^# Run the tests: */usage: /p' "$0" >&2; echo "run.sh: there is no topic '$mode'; its head lists them" >&2; exit 2 ;;
esac
echo "$passed passed, $failed failed"
[ $failed = 0 ]
