#!/bin/sh
# wavesim watch:  watch.sh WAVESIM
#
# A kernel is written in place, replaced by a move as editors do it, broken, removed for a moment and
# repaired, and a file that it includes is saved; each time the next run must come, and come once.
set -u
. "$(dirname "$0")/check.sh"
child=
more='out err'
trap '[ -n "$child" ] && kill $child 2>/dev/null; rm -rf "$scratch"' EXIT; trap 'exit 2' INT TERM
cd "$scratch" || exit 2

# Until the output shows that the Nth run is over: 20 s at most.
runs() {
	for _ in $(seq 200); do
		[ "$(grep -c 'watching' out)" -ge "$1" ] && return 0
		sleep 0.1
	done
	return 1
}

kernel() { # text behind the store
	printf '#include "factor.h"\nkernel void k(global int *a)\n{\n\tint i = get_global_id(0);\n\ta[i] = i * FACTOR%s;\n}\n' "$1"
}
echo '#define FACTOR 3' >factor.h
kernel '' >k.cl
timeout 100 "$wavesim" watch k.cl --no-estimate --global 256 --local 64 --arg a=zero:1024 --runs 7 >out 2>err &
child=$!
runs 1
check "the first run" $?

kernel ' + a[i * 4]' >k.cl
runs 2
check "a file that is written in place" $?
grep -q '^since the last run$' out
check "what changed" $?
grep -q '^  cache lines touched .* -> ' out
check "the cache lines, among it" $?

kernel ' + a[i * 4] + a[i * 2]' >k.new && mv k.new k.cl
runs 3
check "a file that is replaced" $?

echo 'kernel void k(' >k.cl
runs 4
check "a kernel that does not compile" $?
grep -q 'k.cl:.*error' err && grep -q 'the last good run stays' out
check "is said to be so" $?

rm k.cl
sleep 0.3
[ "$(grep -c watching out)" = 4 ]
check "a file that is gone is waited for" $?
kernel '' >k.new && mv k.new k.cl
runs 5
check "and run when it is back" $?
[ "$(grep -c '^since the last run' out)" = 3 ]
check "compared with the last good run" $?

echo '#define FACTOR 5' >factor.h
runs 6
check "a file that is included" $?
echo unrelated >other.txt
sleep 0.3
[ "$(grep -c watching out)" = 6 ]
check "a file that is not" $?

kernel '' >k.cl
wait $child
check "the end after --runs" $?
child=

# For editors: a line for each run, whatever came of it, and nothing else.
kernel '' >k.cl
timeout 100 "$wavesim" watch k.cl --watch-json --global 256 --local 64 --arg a=zero:1024 --runs 3 >lines 2>err &
child=$!
lines() {
	for _ in $(seq 200); do
		[ "$(grep -c '' lines)" -ge "$1" ] && return 0
		sleep 0.1
	done
	return 1
}
lines 1 && echo 'kernel void k(' >k.cl && lines 2 && kernel '' >k.cl && wait $child
check "--watch-json" $?
child=
python3 - lines >out 2>&1 <<END
import json, sys
a, b, c = [json.loads(line) for line in open(sys.argv[1])]
assert [x["schema"] for x in (a, b, c)] == ["wavesim-watch/1"] * 3 and [x["run"] for x in (a, b, c)] == [1, 2, 3]
assert a["report"]["kernel"] == "k" and c["report"] == a["report"] and not a["messages"]
assert b["report"] is None and b["messages"][0]["file"] == "k.cl" and b["messages"][0]["level"] == "error"
END
check "the lines of --watch-json" $?
[ ! -s err ]
check "--watch-json says nothing else" $?
"$wavesim" watch k.cl --watch-json --json x.json --runs 1 >out 2>err
[ $? = 2 ] && grep -q -e '--json is no format of watch --watch-json' err && [ ! -e x.json ]
check "--watch-json with another format" $?

echo 'kernel void k(' >k.cl
script -qec "$wavesim watch k.cl --runs 1" /dev/null </dev/null >out
# The screen is scrolled away, which keeps it in the terminal's history, and cleared, before the error comes.
lines=$(grep -n "$(printf '\033')\[2J" out | cut -d: -f1)
[ "${lines:-0}" -ge 24 ] && sed -n "$lines,\$p" out | grep -q 'k.cl:.*error'
check "the screen is cleared before an error is written, and kept in the history" $?
finish
