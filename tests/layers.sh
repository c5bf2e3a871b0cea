#!/bin/sh
# layers.sh [BUILD]: the include order of the rooms is one-way: the table below (CONTRIBUTING.md has the reasons). A
# library's headers are seen by the rooms that own its subject only. Of what is built in BUILD: no room calls one that
# stands on it, which a declaration in a header of its own would hide.
set -u
cd "$(dirname "$0")/.." || exit 2
build=${1:-}

git ls-files '*.c' '*.h' '*.def' 2>/dev/null | grep -v -e '^tests/' -e '^lessons/' -e '^exercises/' -e '^frontend/source/hip/include/' >"${TMPDIR:-/tmp}/layers.$$" ||
	find . -name build -prune -o -path ./hip -prune -o -name '*.[ch]' -print -o -name '*.def' -print | sed 's|^\./||' |
	grep -v -e '^tests/' -e '^lessons/' -e '^exercises/' -e '^frontend/source/hip/include/' >"${TMPDIR:-/tmp}/layers.$$"
trap 'rm -f "${TMPDIR:-/tmp}/layers.$$"' EXIT

if xargs grep -nE 'LLVM_VERSION' <"${TMPDIR:-/tmp}/layers.$$" | grep -v '^frontend/module/'; then
	echo "only frontend/module/ may ask for LLVM's version"
	exit 1
fi

rooms='
function room(path,    r) { # the longest room that holds it
	sub(/\/[^\/]*$/, "", path)
	for (r = path; r != "" && !(r in may); sub(/\/?[^\/]*$/, "", r))
		;
	return r
}
BEGIN {
	#   room              may include, besides itself
	may["base"] =           ""
	may["isa"] =            "base"
	may["frontend"] =       "base isa"
	may["frontend/module"] =   "base isa frontend"
	may["frontend/source"] =   "base isa frontend frontend/module"
	may["frontend/retarget"] = "base isa frontend frontend/module frontend/source"
	may["frontend/codegen"] =  "base isa frontend frontend/module frontend/retarget"
	may["frontend/lower"] =    "base isa frontend frontend/module frontend/codegen"
	may["frontend/compile"] =  "base isa frontend frontend/module frontend/source frontend/retarget frontend/codegen frontend/lower"
	may["frontend/native"] =   "base isa frontend frontend/module frontend/retarget frontend/compile"
	may["frontend/client"] =   "base isa frontend frontend/compile"
	may["frontend/helper"] =   "base isa frontend frontend/module frontend/source frontend/compile frontend/client frontend/native"
	may["models/device"] =  "base isa"
	may["models/timing"] =  "base isa models/device"
	may["sim"] =            "base isa models/device"
	may["traces/launch"] =  "base isa"
	may["traces/capture"] = "base isa traces/launch"
	may["traces/store"] =   "base isa models/device traces/launch traces/capture"
	may["engine"] =         "base isa frontend models/device models/timing sim traces/launch traces/capture traces/store"
	may["report"] =         "base engine"
	may["options"] =        "base isa frontend models/device traces/launch engine report"
	may["include"] =        ""
	may["lib"] =            "base isa frontend models/device traces/launch engine report options"
	may["runner"] =         "base isa models/device traces/launch traces/capture traces/store"
	may["debug"] =          "base isa engine report"
	may["cli"] =            "base isa frontend models/device models/timing traces/launch traces/capture traces/store engine report options debug"
	#   library         rooms that see its headers
	owner["llvm"] =     "frontend/module frontend/source frontend/retarget frontend/codegen frontend/lower frontend/compile frontend/native"
	owner["hip/"] =     "traces/capture"
	owner["CL/"] =      "frontend/source runner traces/capture"
	owner["cjson/"] =   "report debug"
	owner["editline/"] = "debug"
	owner["sqlite3"] =  "traces/store"
	owner["elfutils/"] = "engine"
}'

xargs grep -nE '^[[:space:]]*#[[:space:]]*include' <"${TMPDIR:-/tmp}/layers.$$" | awk "$rooms"'
{
	split($0, at, ":")
	from = room(at[1])
	if (match($0, /"[^"]+"/)) {
		name = substr($0, RSTART + 1, RLENGTH - 2)
		if (name !~ /\//)
			next # generated, or beside the file
		to = room(name)
		if (to == "" || (to != from && index(" " may[from] " ", " " to " ") == 0)) {
			print at[1] ":" at[2] ": " from "/ must not include " name
			bad = 1
		}
	} else if (match($0, /<[^>]+>/)) {
		name = substr($0, RSTART + 1, RLENGTH - 2)
		for (l in owner)
			if (index(name, l) == 1 && index(" " owner[l] " ", " " from " ") == 0) {
				print at[1] ":" at[2] ": only " owner[l] " may include <" name ">"
				bad = 1
			}
	}
}
END { exit bad }' || exit 1

[ -n "$build" ] || exit 0
# (Objects of sources that are gone are of an older state.)
find "$build" -name '*.o' ! -path "$build/tests/*" ! -path "$build/*/tests/*" |
	while read -r object; do
		source=${object#"$build"/}
		[ -e "${source%.o}.c" ] && echo "$object"
	done | xargs nm -A -g 2>/dev/null |
	sed "s|^$build/||" | awk "$rooms"'
# The headers of frontend/ are for all of it, whatever of its folders has the function.
function owner_of(path,    r) {
	r = room(path)
	return r ~ /^frontend/ ? "frontend" : r
}
function stands_on(to, from,    n, i, r) {
	if (seen[to]++)
		return 0
	n = split(may[to], r, " ")
	for (i = 1; i <= n; i++)
		if (r[i] == from || stands_on(r[i], from))
			return 1
	return 0
}
{
	split($1, at, ":")
	from = owner_of(at[1])
	if (from == "")
		next # generated
	if ($(NF - 1) == "U")
		calls[at[1] SUBSEP $NF] = from
	else
		has[$NF] = has[$NF] " " from
}
END {
	for (c in calls) {
		split(c, call, SUBSEP)
		n = split(has[call[2]], owners, " ")
		fine = !n || call[2] == "open" # of libc, for which the process that runs PoCL has another
		for (i = 1; i <= n; i++) {
			split("", seen)
			fine = fine || owners[i] == calls[c] || !stands_on(owners[i], calls[c])
		}
		checked += n > 0
		if (!fine) {
			print call[1] ": " calls[c] "/ must not call " call[2] " of" has[call[2]] "/"
			bad = 1
		}
	}
	if (!checked)
		print "there are no objects"
	exit bad || !checked
}'
