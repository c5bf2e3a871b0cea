#!/bin/sh
# Programs that use the library, from eight threads and otherwise:  hosts.sh FOLDER LIBRARY PYTHON [TOOL]
#
# FOLDER has host (C) and host_cc (C++); TOOL is a command in front of each, valgrind for example (make tsan, make
# valgrind). The exit status says whether all were good.
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
WAVESIM_LIBRARY=$2
export WAVESIM_LIBRARY
failed=0
for host in "$folder/host threads" "$folder/host stop" "$folder/host memory" "$folder/host sweep --local 64,128,256" \
	"$folder/host_cc threads" "$3 $here/threads.py"; do
	# shellcheck disable=SC2086
	said=$($4 $host) || { failed=1; said="$said, FAILED"; }
	echo "$host: $(echo "$said" | tail -1)"
done
exit $failed
