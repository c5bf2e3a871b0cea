#!/bin/sh
# Random programs: wavesim's results against PoCL's, seed by seed.
#
#   run.sh [--reduce] FIRST LAST [JOBS]                  with ./wavesim and ./build
#   run.sh [--reduce] WAVESIM BUILD [FIRST LAST [JOBS]]  by default seeds 1 to 25
#
# GEN_OPTIONS go to gen (see gen.c), WAVESIM_OPTIONS to wavesim. Failing programs are kept
# with wavesim's output in GEN_KEEP (default BUILD/gen-failures); --reduce also shrinks
# them, to SEED.small.cl. A program that PoCL itself cannot run proves nothing; such seeds
# are counted apart. Those where PoCL's usual run differs and another of its ways of building
# agrees with wavesim are named, too (gen.c says why that is), and those that agree with PoCL's
# library of built-in functions only, not with AMD's. The last line is "N passed, M failed"; exit
# status 1 when some failed.
set -u

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$(dirname "$here")")

# ---- one program; the verdict is the exit status: 0 equal, 1 wrong, 3 no reference, 4 equal
# ---- to PoCL's run built in another way than usual

check() { # file output options
	# shellcheck disable=SC2086
	timeout "${GEN_TIMEOUT:-120}" "$WAVESIM" "$1" --json - ${WAVESIM_OPTIONS-} ${3-} >"$2" 2>"$2.err"
	status=$?
	reference=$(tr -d ' \t\n' <"$2" | sed -n 's/.*"reference":{\([^[]*\).*/\1/p')
	[ $status = 0 ] && [ -n "$reference" ] || return 1
	case $reference in
	*'"status":"crashed"'* | *'"status":"timeout"'*) return 3 ;;
	*'"mismatches":0'[!0-9]*) ;;
	*) return 1 ;;
	esac
	case $reference in
	*'"checked":0'[!0-9]*) return 1 ;;
	*'"status":"equal"'*'"built":"'*) return 4 ;;
	*'"status":"equal"'*) return 0 ;;
	*) return 1 ;;
	esac
}

one() { # seed
	# shellcheck disable=SC2086
	if ! "$GEN" "$1" ${GEN_OPTIONS-} --out "$SCRATCH/$1.cl"; then
		echo "failed $1 (gen)"
		return
	fi
	check "$SCRATCH/$1.cl" "$SCRATCH/$1.json"
	case $? in
	0) echo "passed $1" ;;
	4) echo "passed $1 otherwise" ;;
	3) echo "unknown $1" ;;
	*)
		if check "$SCRATCH/$1.cl" "$SCRATCH/$1.pocl" "--builtins pocl"; then
			echo "passed $1 pocl"
			rm -f "$SCRATCH/$1".*
			return
		fi
		mkdir -p "$KEEP"
		mv "$SCRATCH/$1.cl" "$SCRATCH/$1.json" "$SCRATCH/$1.json.err" "$KEEP"
		echo "failed $1: $KEEP/$1.cl $(head -1 "$KEEP/$1.json.err")"
		;;
	esac
	rm -f "$SCRATCH/$1".*
}

# ---- the commands that this script gives itself ----

case ${1-} in
--one)
	one "$2"
	exit 0
	;;
--wrong) # for reduce.sh: the same kind of failure as at first, as far as one can tell
	check "$2" "$SCRATCH/reduced"
	[ $? = 1 ] || exit 1
	check "$2" "$SCRATCH/reduced.pocl" "--builtins pocl" && exit 1
	if [ -n "$WANT" ]; then grep -qF -- "$WANT" "$SCRATCH/reduced.err"; else [ $status = 0 ]; fi
	exit
	;;
esac

reduce=
[ "${1-}" = --reduce ] && reduce=1 && shift
case ${1-x} in
*[!0-9]*)
	WAVESIM=$(cd "$(dirname "${1-$root/wavesim}")" && pwd)/$(basename "${1-wavesim}")
	build=$(cd "${2-$root/build}" && pwd)
	[ $# -ge 2 ] && shift 2
	;;
*)
	WAVESIM=$root/wavesim build=$root/build
	;;
esac
first=${1-1} last=${2-25} jobs=${3-1}
GEN=${GEN:-$build/tests/gen/gen}
KEEP=${GEN_KEEP:-$build/gen-failures}
SCRATCH=$(mktemp -d)
trap 'rm -rf "$SCRATCH"' EXIT; trap 'exit 2' INT TERM
export WAVESIM GEN KEEP SCRATCH

seq "$first" "$last" | xargs -n 1 -P "$jobs" sh "$here/run.sh" --one >"$SCRATCH/verdicts"
grep '^failed' "$SCRATCH/verdicts" | sort -k 2 -n
unknown=$(grep -c '^unknown' "$SCRATCH/verdicts")
if [ "$unknown" -gt 0 ]; then
	echo "PoCL cannot run $unknown of them: $(sed -n 's/^unknown //p' "$SCRATCH/verdicts" | sort -n | tr '\n' ' ')"
fi
otherwise=$(sed -n 's/^passed \([0-9]*\) otherwise/\1/p' "$SCRATCH/verdicts" | sort -n | tr '\n' ' ')
[ -n "$otherwise" ] && echo "PoCL's usual run alone differs for $otherwise"
library=$(sed -n 's/^passed \([0-9]*\) pocl/\1/p' "$SCRATCH/verdicts" | sort -n | tr '\n' ' ')
[ -n "$library" ] && echo "AMD's built-in functions alone differ for $library"
if [ -n "$reduce" ]; then
	for seed in $(sed -n 's/^failed \([0-9]*\).*/\1/p' "$SCRATCH/verdicts"); do
		# an error has a message; the reduced program must give it too
		WANT=$(sed -n '1{s/^.*:[0-9]*:[0-9]*: //;s/[0-9"`'"'"'%].*//;p}' "$KEEP/$seed.json.err")
		export WANT
		# shellcheck disable=SC2086
		bash "$here/reduce.sh" "$seed" "$KEEP/$seed.small.cl" ${GEN_OPTIONS-} -- \
			sh "$here/run.sh" --wrong
	done
fi
passed=$(grep -c '^passed' "$SCRATCH/verdicts")
failed=$(grep -c '^failed' "$SCRATCH/verdicts")
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
