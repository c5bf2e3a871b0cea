#!/bin/sh
# Random programs without races through --check, as they are and with one barrier removed.
#
#   checks.sh WAVESIM GEN FIRST LAST      seeds; the last line is "N passed, M failed"
#
# As it is a program must get no finding of a race or of a value that nothing was written to. Without a barrier that was needed it
# must get a race: how many do is printed, and which do not (most often another barrier stands beside it, or the work-items do not
# meet in what they touch). CHECKS_KEEP is the folder for programs that fail (default: the temporary folder).
set -u

wavesim=$1 gen=$2 first=$3 last=$4
keep=${CHECKS_KEEP:-${TMPDIR:-/tmp}/check-failures}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT INT TERM
cd "$scratch" || exit 2
passed=0 failed=0 found=0 removed=0 silent= apart=

findings() { # file: ids of errors and warnings of checks
	"$wavesim" "$1" --check=races,uninit --no-reference --no-estimate --no-advice --json report.json --quiet >/dev/null 2>messages ||
		echo "failed: $(head -1 messages)"
	tr -d ' \t\n' <report.json | grep -o '"id":"[a-z_]*","severity":"[a-z]*"' | grep -v '"note"' |
		grep -o 'data_race\|uninitialized_read'
	grep -q '"ran":.*true' report.json || echo unchecked
}

for seed in $(seq "$first" "$last"); do
	"$gen" "$seed" --out clean.cl || exit 2
	said=$(findings clean.cl | sort | uniq -c | tr '\n' ' ')
	case $said in *unchecked*) apart="$apart $seed"; continue ;; esac
	if [ -n "$said" ]; then
		mkdir -p "$keep"
		cp clean.cl "$keep/$seed.cl"
		echo "FAIL program $seed: $said ($keep/$seed.cl)"
		failed=$((failed + 1))
		continue
	fi
	passed=$((passed + 1))
	n=$(grep -c '^[[:space:]]*barrier(' clean.cl)
	[ "$n" -gt 0 ] || continue
	awk -v k=$((seed % n + 1)) '/^[[:space:]]*barrier\(/ && ++i == k { next } { print }' clean.cl >less.cl
	removed=$((removed + 1))
	case $(findings less.cl) in
	*data_race*) found=$((found + 1)) ;;
	*) silent="$silent $seed" ;;
	esac
done
echo "one barrier removed: $found of $removed programs race; the others:${silent:- none}"
echo "not compiled for checks:${apart:- none}"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
