#!/bin/sh
# The include order of the rooms is one-way: the table below (CONTRIBUTING.md has the reasons). A library's
# headers are seen by the rooms that own its subject only.
set -u
cd "$(dirname "$0")/.." || exit 2

git ls-files '*.c' '*.h' '*.def' 2>/dev/null | grep -v -e '^tests/' -e '^lessons/' -e '^exercises/' -e '^frontend/source/hip/include/' >"${TMPDIR:-/tmp}/layers.$$" ||
	find . -name build -prune -o -path ./hip -prune -o -name '*.[ch]' -print -o -name '*.def' -print | sed 's|^\./||' |
	grep -v -e '^tests/' -e '^lessons/' -e '^exercises/' -e '^frontend/source/hip/include/' >"${TMPDIR:-/tmp}/layers.$$"
trap 'rm -f "${TMPDIR:-/tmp}/layers.$$"' EXIT

if xargs grep -nE 'LLVM_VERSION' <"${TMPDIR:-/tmp}/layers.$$" | grep -v '^frontend/module/'; then
	echo "only frontend/module/ may ask for LLVM's version"
	exit 1
fi

xargs grep -nE '^[[:space:]]*#[[:space:]]*include' <"${TMPDIR:-/tmp}/layers.$$" | awk '
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
}
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
END { exit bad }'
