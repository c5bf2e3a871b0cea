# The forms that tests are written in: a folder with a kernel and `run`, one file NAME.case, a folder of wrong input.

# What a case needs is there?
can_run() {
	[ -f "$1/needs" ] || return 0
	while IFS= read -r thing; do
		eval "thing=$thing" # $LLVM
		if [ "$thing" = unsanitized ]; then
			[ -z "$sanitized" ] && continue
			echo "SKIP ${1#"$root"/}: sanitizers come with it into the program that is run"
			return 1
		fi
		[ -e "$thing" ] || command -v "$thing" >/dev/null 2>&1 && continue
		echo "SKIP ${1#"$root"/}: there is no $thing"
		return 1
	done <"$1/needs"
}

equal_to_pocl() { # arguments in "$@"; run in the current folder
	"$wavesim" "$@" --json "$scratch/json" >"$scratch/out" 2>"$scratch/err"
	status=$?
	if [ $status != 0 ]; then
		{ echo "exit status $status"; cat "$scratch/err"; } >"$scratch/why"
		return 1
	fi
	if ! grep -q '"status":	"equal"' "$scratch/json" || grep -q '"severity":	"\(error\|warning\)"' "$scratch/json"; then
		sed -n '/^  reference/p;/error:/,$p;/warning:/,$p' "$scratch/out" >"$scratch/why"
		return 1
	fi
}

expected() { # folder, arguments
	dir=$1
	shift
	"$wavesim" "$@" >"$scratch/out" 2>"$scratch/err"
	status=$?
	want=0
	[ -f "$dir/expect.exit" ] && want=$(cat "$dir/expect.exit")
	good=1
	if [ "$status" != "$want" ]; then
		{ echo "exit status $status, expected $want"; cat "$scratch/err"; } >>"$scratch/why"
		good=0
	fi
	if [ -f "$dir/expect.txt" ]; then check_text "$dir/expect.txt" "$scratch/out" || good=0; fi
	if [ -f "$dir/expect.err" ]; then check_text "$dir/expect.err" "$scratch/err" || good=0; fi
	if [ -f "$dir/expect.json" ]; then
		tr -d '\t' <"$scratch/out" >"$scratch/flat"
		while IFS= read -r line; do
			[ -z "$line" ] && continue
			grep -qF "$line" "$scratch/flat" && continue
			echo "not in the JSON: $line" >>"$scratch/why"
			good=0
		done <"$(expected_file "$dir/expect.json")"
	fi
	[ $good = 1 ]
}

run_case() { # the file with its arguments
	name=${1#"$root"/} dir=$(dirname "$1") words=$(basename "$1")
	: >"$scratch/why"
	can_run "$dir" || return
	rm -rf "$scratch/case"
	cp -r "$dir" "$scratch/case"
	cd "$scratch/case" || exit 2
	set --
	while IFS= read -r word || [ -n "$word" ]; do
		[ -n "$word" ] && set -- "$@" "$word"
	done <"$(for_version "$words" "$words." "")"
	if ls "$dir"/expect.* >/dev/null 2>&1; then
		expected "$dir" "$@"
	else
		equal_to_pocl "$@"
	fi
	result=$?
	cd "$root" || exit 2
	if [ $result = 0 ]; then ok; else bad "$name"; fi
}

# A case: lines `-- file NAME`, `-- run COMMAND`, `-- needs FILE` (as in cases), `-- exit N`, `-- stdout`, `-- stderr`, each
# followed by its text, the last three also with a version (`-- exit llvm18 N`); what is before the first is a comment.
run_bad() {
	file=$1
	: >"$scratch/why"
	rm -rf "$scratch/case" "$scratch/parts"
	mkdir "$scratch/case" "$scratch/parts"
	awk -v files="$scratch/case/" -v parts="$scratch/parts/" '
	/^-- file /  { out = files substr($0, 9); printf "" > out; next }
	/^-- run /   { print substr($0, 8) > (parts "run"); out = ""; next }
	/^-- needs / { print substr($0, 10) > (parts "needs"); out = ""; next }
	/^-- exit llvm/ { print $4 > (parts "exit " $3); out = ""; next }
	/^-- exit /  { print substr($0, 9) > (parts "exit"); out = ""; next }
	/^-- std/    { out = parts substr($0, 4); printf "" > out; next }
	out != ""    { print > out }' "$file"
	can_run "$scratch/parts" || return
	want=2
	[ -f "$scratch/parts/exit" ] && want=$(cat "$(expected_part "$scratch/parts/exit")")
	(
		cd "$scratch/case" || exit 99
		PATH="$scratch/bin:$PATH"
		eval "$(cat "$scratch/parts/run")"
	) >"$scratch/out" 2>"$scratch/err"
	status=$?
	good=1
	golden=${GOLDEN:-}
	if [ "$status" != "$want" ]; then
		echo "exit status $status, expected $want" >>"$scratch/why"
		good=0
		golden= # what a command says that failed is not what is expected of it
	fi
	if [ -n "$golden" ] && [ ! -f "$scratch/parts/stderr" ] && [ -s "$scratch/err" ]; then
		echo "-- stderr" >>"$file"
		: >"$scratch/parts/stderr"
	fi
	for part in stdout stderr; do
		have=$scratch/out
		[ $part = stderr ] && have=$scratch/err
		[ -f "$scratch/parts/$part" ] || continue
		want_part=$(expected_part "$scratch/parts/$part")
		matches "$want_part" "$have" && continue
		if [ -n "$golden" ]; then
			[ "$llvm" = 15 ] || part="$part llvm$llvm"
			golden_part "$file" "-- $part" "$have"
		else
			diff "$want_part" "$have" >>"$scratch/why"
			good=0
		fi
	done
	if [ $good = 1 ]; then ok; else bad "${file#"$root"/}"; fi
}

# The text below a line `-- stdout` or `-- stderr` of a case becomes what came out; a new line goes to the end.
golden_part() { # case, the line, what came out
	grep -qxF -e "$2" "$1" || echo "$2" >>"$1"
	awk -v line="$2" -v new="$3" '
	/^-- std/   { skip = 0 }
	!skip       { print }
	$0 == line  { skip = 1; while ((getline text < new) > 0) print text }' "$1" >"$scratch/new" &&
		cp "$scratch/new" "$1"
}

run_bad_folder() {
	dir=$1
	: >"$scratch/why"
	rm -rf "$scratch/case"
	cp -r "$dir" "$scratch/case"
	rm -f "$scratch/case/expect.err"
	want=2
	[ -f "$dir/expect.exit" ] && want=$(cat "$dir/expect.exit")
	cd "$scratch/case" || exit 2
	set --
	while IFS= read -r word || [ -n "$word" ]; do
		set -- "$@" "$word"
	done <cmd
	"$wavesim" "$@" >"$scratch/out" 2>"$scratch/err"
	status=$?
	cd "$root" || exit 2
	good=1
	if [ $status != "$want" ]; then
		echo "exit status $status, expected $want" >>"$scratch/why"
		good=0
	elif [ "$want" = 2 ] && [ -s "$scratch/out" ]; then
		echo "something on standard output" >>"$scratch/why"
		good=0
	fi
	if [ $good = 1 ] || [ ! -f "$dir/expect.err" ]; then
		[ -f "$dir/expect.err" ] || [ -n "${GOLDEN:-}" ] || { echo "no expect.err" >>"$scratch/why"; good=0; }
		check_text "$dir/expect.err" "$scratch/err" || good=0
	fi
	if [ $good = 1 ]; then ok; else bad "${dir#"$root"/}"; fi
}
