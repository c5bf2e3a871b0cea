#!/bin/sh
# What wavesim makes of an input of twice the size has twice the size: growth.sh WAVESIM
#
# Of generated kernels (bench/grow.awk) of N, 2 N and 4 N parts: lines of the program, bytes of the JSON report and of
# the trace of what the wavefronts did; of sweeps of as many points: bytes of their JSON. Sizes, not times, so the answer is
# the same on every machine. From 2 N to 4 N it grows by twice of what it grew by from N to 2 N where it is linear, by four
# times where it is the square: three times and more is a failure. VERBOSE=1 prints all of them.
set -u
wavesim=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT; trap 'exit 2' INT TERM
cd "$scratch" || exit 2
n=${GROWTH:-100}

size() { wc -c <"$1"; }
kernel() { # kind, parts
	awk -v kind="$1" -v n="$2" -f "$here/bench/grow.awk" >grown.cl
	"$wavesim" grown.cl --threads 1 --no-reference --quiet --json report.json --trace-events trace.json || exit 2
	echo "$1 program $("$wavesim" grown.cl --dump-isa | wc -l)"
	echo "$1 report $(size report.json)"
	[ "$1" = ifs ] || echo "$1 trace $(size trace.json)" # which branches run depends on more than their number
}
points() { # points
	echo 'kernel void k(global int *a, int n) { a[get_global_id(0)] *= n; }' >k.cl
	"$wavesim" sweep k.cl --global 64 --local 64 --arg "n=1:$1:1" --no-advice --quiet --json sweep.json || exit 2
	echo "sweep points $(size sweep.json)"
}
for parts in $n $((2 * n)) $((4 * n)); do
	for kind in switch lines ifs loops functions; do
		kernel $kind $parts
	done
	points $parts
done >sizes
awk -v n="$n" -v verbose="${VERBOSE:-}" '{ k = $1 " " $2; at[k, ++rows[k]] = $3 }
END {
	for (k in rows) {
		first = at[k, 2] - at[k, 1]
		square = rows[k] != 3 || at[k, 3] - at[k, 2] > 3 * (first > 0 ? first : 0) + at[k, 2] / 20
		if (square || verbose)
			print (square ? "FAIL " : "") k ": " at[k, 1] ", " at[k, 2] ", " at[k, 3] " of " n ", " 2 * n ", " 4 * n " parts"
		failed += square
		passed += !square
	}
	print passed " passed, " failed + 0 " failed"
	exit failed > 0
}' sizes
