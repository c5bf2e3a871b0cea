#!/bin/sh
# What run.sh does with topics side by side that end as none should:  side.sh
#
# The program under test is a stand-in that kills the shell above its topic, on which xargs gives up.
set -u
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT; trap 'exit 2' INT TERM
cat >"$scratch/wavesim" <<'END'
#!/bin/sh
p=$$
while [ "$p" -gt 1 ]; do
	# Only that of the run below: the one above, which runs this script, has another topic.
	tr '\0\n' '  ' <"/proc/$p/cmdline" | grep -q '^sh -c .* part text $' && exec /bin/kill -9 "$p"
	p=$(awk '{ print $4 }' "/proc/$p/stat")
done
END
chmod +x "$scratch/wavesim"
side() { TEST_JOBS=1 TEST_TOPICS="$*" sh "$here/run.sh" all "$scratch/wavesim" "$scratch" >"$scratch/said" 2>&1; }
fail() { echo "$1"; cat "$scratch/said"; exit 1; }

side text nothing-like-it && fail "a topic was killed, and all passed"
for topic in text nothing-like-it; do
	grep -q "^FAIL $topic: it ended early" "$scratch/said" || fail "nothing is said of $topic"
	sed '1,/^Failed:$/d' "$scratch/said" | grep -q "^  FAIL $topic" || fail "$topic is not among what failed, at the end"
done
exit 0
