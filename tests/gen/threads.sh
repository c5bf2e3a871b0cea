#!/bin/sh
# Racy random programs: the same bytes with any number of threads.
#
#   threads.sh WAVESIM GEN FIRST LAST     seeds; the last line is "N passed, M failed"
#
# Each program runs with 1, 2, 7 and 8 threads. Its JSON, what it prints, its findings on stderr and the bytes
# of all its buffers must agree. THREADS names other numbers. Programs that differ are kept in
# GEN_KEEP (default: the temporary folder).
set -u

wavesim=$1 gen=$2 first=$3 last=$4
keep=${GEN_KEEP:-${TMPDIR:-/tmp}/race-failures}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT; trap 'exit 2' INT TERM
cd "$scratch" || exit 2
passed=0 failed=0

run() { # threads: everything that the launch leaves, as one file
	rm -f dump.*
	set -- "$1" $(sed -n 's/^\/\/ wavesim: //p' race.cl | tr ' ' '\n' | sed -n 's/^\([a-z0-9]*\)=.*/--dump \1=dump.\1/p')
	threads=$1
	shift
	"$wavesim" race.cl --threads "$threads" --check --no-reference --max-instructions 30000 --json report.json --quiet "$@" >printed 2>messages
	echo "exit status $?"
	cat report.json printed messages
	for f in $(ls dump.* 2>/dev/null); do
		echo "$f"
		cat "$f"
	done
}

for seed in $(seq "$first" "$last"); do
	"$gen" "$seed" --races --out race.cl || exit 2
	differs=
	for n in ${THREADS:-1 2 7 8}; do
		run "$n" >"result.$n"
		[ -f first ] || mv "result.$n" first
		if [ -f "result.$n" ] && ! cmp -s first "result.$n"; then differs="$differs $n"; fi
	done
	# a program that wavesim does not run proves nothing
	head -1 first | grep -qx 'exit status 0' || differs="$differs: does not run"
	if [ -n "$differs" ]; then
		mkdir -p "$keep"
		cp race.cl "$keep/$seed.cl"
		echo "FAIL racy program $seed with threads$differs: $keep/$seed.cl"
		failed=$((failed + 1))
	else
		passed=$((passed + 1))
	fi
	rm -f first result.*
done
echo "racy programs: $passed passed, $failed failed"
[ $failed = 0 ]
