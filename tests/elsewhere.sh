#!/bin/sh
# The tests as another machine would run them:  elsewhere.sh WAVESIM BUILD [TOPIC…]      (as root: it mounts)
#
# The processor has another name, there are one or four of them, locale and time zone differ, and HOME cannot
# be written. What is mounted over /proc/cpuinfo and /sys lives in a mount namespace of the run alone.
set -u
here=$(cd "$(dirname "$0")" && pwd)
wavesim=$1 build=$2
shift 2
[ $# = 0 ] && set -- fast
unshare -m true 2>/dev/null || { echo "elsewhere.sh: needs root, to mount" >&2; exit 2; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT; trap 'exit 2' INT TERM
status=0

as() { # name, processors, topic
	name=$1 cpus=$2 topic=$3
	sed 's/^model name.*/model name\t: Somebody Else (R) Processor with a name of its own @ 9.87GHz/' \
		/proc/cpuinfo >"$scratch/cpuinfo"
	echo "0-$((cpus - 1))" | sed 's/^0-0$/0/' >"$scratch/online"
	mkdir -p "$scratch/home"
	unshare -m sh -c '
		mount --bind "$1/cpuinfo" /proc/cpuinfo
		mount --bind "$1/online" /sys/devices/system/cpu/online 2>/dev/null
		mount --bind "$1/home" "$1/home" && mount -o remount,bind,ro "$1/home"
		HOME=$1/home TZ=Pacific/Chatham LANG=tr_TR.UTF-8 TEST_JOBS=$2
		export HOME TZ LANG TEST_JOBS
		if [ "$2" = 1 ]; then exec taskset -c 0 sh "$3/run.sh" "$4" "$5" "$6"; fi
		exec sh "$3/run.sh" "$4" "$5" "$6"' sh "$scratch" "$cpus" "$here" "$topic" "$wavesim" "$build" \
		>"$scratch/out" 2>&1
	result=$?
	grep -A 30 '^FAIL' "$scratch/out"
	echo "$name, $topic: $(tail -1 "$scratch/out")"
	[ $result = 0 ] || status=1
}
for topic in "$@"; do
	as "one processor" 1 "$topic"
	as "four processors" 4 "$topic"
done
exit $status
