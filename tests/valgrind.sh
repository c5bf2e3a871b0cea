#!/bin/sh
# The tests under valgrind:  valgrind.sh WAVESIM BUILD
#
# The unit tests, and one in TEST_EVERY (default 12) of the tests that run wavesim, with the child
# processes of each. An error that valgrind finds, a leak too, ends its process with status 99,
# so that the test fails; its report stays in BUILD/valgrind. valgrind.supp says what is not
# ours. Set UNIT to suites ("" for none); by default all of them run.
set -u

here=$(cd "$(dirname "$0")" && pwd)
wavesim=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
build=$(cd "$2" && pwd)
reports=$build/valgrind
run="valgrind -q --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,indirect
 --errors-for-leak-kinds=definite,indirect --num-callers=60 --suppressions=$here/valgrind.supp"

mkdir -p "$reports"
cat >"$reports/wavesim" <<END
#!/bin/sh
exec $(echo "$run" | tr '\n' ' ') --log-file="$reports/report.%p" "$wavesim" "\$@"
END
cat >"$reports/wavesim-helper" <<END
#!/bin/sh
exec $(echo "$run" | tr '\n' ' ') --log-file="$reports/report.%p" "$(dirname "$wavesim")/wavesim-helper" --serve 2
END
chmod +x "$reports/wavesim" "$reports/wavesim-helper"
WAVESIM_HELPER=$reports/wavesim-helper
export WAVESIM_HELPER

failed=0
# store_kill is about times: it kills writers after milliseconds. Valgrind knows no Landlock, and takes AVX's comparisons
# "equal or unordered" and "ordered and not equal" (vcmpps 8 and 12) for the others of their kind (3.19), which amdgcn tests,
# and has 64 bits for a long double, which lane_float compares with.
suites=$(sed -n 's/^SUITE(\(.*\))$/\1/p' "$build/gen/suites.def" | grep -vx -e store_kill -e sandbox -e amdgcn -e lane_float)
for suite in ${UNIT-$suites}; do
	# shellcheck disable=SC2086
	$run --log-file="$reports/report.%p" "$build/tests/run" "$suite" >"$reports/unit.$suite" 2>&1
	status=$?
	echo "$suite: status $status, $(grep '^unit: ' "$reports/unit.$suite" || echo 'no result')"
	[ $status = 0 ] || failed=1
done
# A child that is forked beside another thread takes that thread's memory for lost.
# shellcheck disable=SC2086
$run --child-silent-after-fork=yes --log-file="$reports/report.%p" "$build/tests/engine/counts" >"$reports/engine" 2>&1 &&
	diff "$here/engine/expect.txt" "$reports/engine" || failed=1
# The library's hosts. What Python itself does is not looked at (valgrind.supp), what it allocates is.
# shellcheck disable=SC2086
WAVESIM_HELPER=$(dirname "$wavesim")/wavesim-helper PYTHONMALLOC=malloc sh "$here/lib/hosts.sh" "$build" \
	"$(dirname "$wavesim")"/libwavesim.so.[0-9]* "${PYTHON:-/usr/bin/python3}" \
	"$(echo $run) --log-file=$reports/report.%p" || failed=1
TEST_EVERY=${TEST_EVERY:-12} sh "$here/run.sh" programs "$reports/wavesim" "$build" || failed=1
find "$reports" -name 'report.*' -size 0 -delete
for report in "$reports"/report.*; do
	[ -f "$report" ] && grep -q '^==' "$report" || continue # of pidfd_open it says that it does not know it
	echo "$report:"
	head -20 "$report"
	failed=1
done
exit $failed
