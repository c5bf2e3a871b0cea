# What topics share: which are chosen, what is counted, what texts match, scripts, what a version of LLVM makes.
# For tests/run.sh, as all files here: it has set $here, $root, $wavesim, $build, $scratch and $llvm.

chosen() {
	count=$((count + 1))
	[ $(((count - ${TEST_FIRST:-1}) % ${TEST_EVERY:-1})) = 0 ]
}

ok() { passed=$((passed + 1)); }

bad() {
	failed=$((failed + 1))
	echo "FAIL $1"
	[ -s "$scratch/why" ] && sed 's/^/     /' "$scratch/why" | head -30
}

summary() { # name, passed before, failed before
	echo "$1: $((passed - $2)) passed, $((failed - $3)) failed"
}

# Does the text of $2 match the pattern in $1? A line `...` matches any number of lines.
matches() {
	awk '
	NR == FNR { want[++n] = $0; next }
	{ have[++m] = $0 }
	function match_from(i, j,   k) {
		while (i <= n && want[i] != "...") {
			if (j > m || want[i] != have[j]) return 0
			i++; j++
		}
		if (i > n) return j > m
		if (i == n) return 1
		for (k = j; k <= m + 1; k++) if (match_from(i + 1, k)) return 1
		return 0
	}
	END { exit !match_from(1, 1) }' "$1" "$2"
}

# What is expected of this version of LLVM: names with its number before the ending (of what has one), or the name itself.
for_version() { # name, before the number, after it
	v=$llvm
	while [ "$v" -gt 15 ]; do
		[ -f "$2llvm$v$3" ] && { echo "$2llvm$v$3"; return; }
		v=$((v - 1))
	done
	echo "$1"
}

expected_file() { for_version "$1" "${1%.*}." ".${1##*.}"; }
expected_part() { for_version "$1" "$1 " ""; }

check_text() { # expected, actual
	want_text=$(expected_file "$1")
	[ -f "$want_text" ] && matches "$want_text" "$2" && return 0
	if [ -n "${GOLDEN:-}" ]; then
		[ "$llvm" = 15 ] || want_text=${1%.*}.llvm$llvm.${1##*.}
		cp "$2" "$want_text"
		return 0
	fi
	diff "$want_text" "$2" >>"$scratch/why"
	return 1
}

# Adds what a script counted, whose output this is: its last line is "N passed, M failed".
tally() { # name, output
	set -- "$1" "$2" $(sed -n '$s/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$2")
	if [ $# = 4 ]; then
		passed=$((passed + $3)) failed=$((failed + $4))
	else
		failed=$((failed + 1))
		echo "FAIL $1: it ended early"
	fi
}

# A script of its own.
script() { # name, script, its arguments
	p=$passed f=$failed
	name=$1
	shift
	cd "$root" || exit 2
	case $1 in *.py) /usr/bin/python3 "$@" ;; *) sh "$@" ;; esac >"$scratch/script" 2>&1
	sed '/^[0-9]* passed, [0-9]* failed$/d' "$scratch/script"
	tally "$name" "$scratch/script"
	summary "$name" $p $f
}

# What a topic runs beside wavesim: without it expectations would be rewritten with what a shell says.
built() {
	for program; do
		[ -e "$program" ] && continue
		echo "run.sh: there is no $program; \`make run-tests TESTS=$mode\` builds it" >&2
		exit 2
	done
}

# Tables and pages say what LLVM 15 makes; docs/versions.md says what others make otherwise.
of_llvm_15() {
	[ "$llvm" = 15 ] && return
	echo "SKIP $1: it says what LLVM 15 makes (docs/versions.md: what $llvm makes otherwise)"
	false
}
