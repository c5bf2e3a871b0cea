#!/bin/sh
# The include order of the folders is one-way (README.md has the picture):
#   isa <- frontend, sim, models;  isa, models <- traces, report;  cli and tests include all.
# Only frontend/ sees LLVM headers, only frontend/, runner/ and the capture layer OpenCL's, only
# report/ cJSON, only traces/ SQLite.
set -u
cd "$(dirname "$0")/.." || exit 2
status=0

allowed() { # folder, folders it may include besides itself
	room=$1
	shift
	for file in "$room"/*.[ch] "$room"/*.def; do
		[ -f "$file" ] || continue
		for other in $(sed -n 's/^[ \t]*#[ \t]*include "\([a-z]*\)\/.*/\1/p' "$file" | sort -u); do
			case " $room $* " in
			*" $other "*) ;;
			*) echo "$file includes $other/, which $room/ must not"; status=1 ;;
			esac
		done
	done
}
allowed isa
allowed frontend isa
allowed sim isa
allowed models isa
allowed traces isa models
allowed traces/layer traces isa
allowed report isa models
allowed runner isa models traces

outside() { # pattern, folder that may
	found=$(grep -lE "#[ \t]*include <$1" ./*/*.[ch] ./traces/*/*.[ch] 2>/dev/null | grep -v "^\./$2/" | grep -v '^\./tests/')
	[ -z "$found" ] && return
	echo "only $2/ may include <$1: $found"
	status=1
}
outside 'llvm-c/' frontend
outside 'CL/' '\(frontend\|runner\|traces/layer\)'
outside 'cjson/' report
outside 'sqlite3' traces
exit $status
