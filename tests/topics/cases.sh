# Topics that run what is written in these forms: kernels, wrong input, mistakes, sessions, programs, sweeps.

cases() {
	p=$passed f=$failed
	for run in "$here"/cases/*/*/run "$here"/cases/*/*/run-*; do
		[ -f "$run" ] && chosen && run_case "$run"
	done
	summary cases $p $f
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
