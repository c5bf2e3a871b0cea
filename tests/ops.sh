#!/bin/sh
# A new row of isa/ops.def: a lane operation needs nothing else; any other does not compile without its functions.
# A new row of isa/counters.def needs nothing else to be summed and shown.
root=$(cd "$(dirname "$0")/.." && pwd)
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/isa"
status=0

# compiles ROW FILE: compile FILE with the row at the end of the table.
compiles() {
	awk -v row="$1" '/^#undef UN/ { print row } { print }' "$root/isa/ops.def" >"$dir/isa/ops.def"
	${CC:-cc} -std=c11 -D_GNU_SOURCE -Wall -Werror -I"$dir" -I"$root" -c -o "$dir/out.o" "$root/$2" 2>"$dir/why"
}

for file in isa/op_info.c isa/verify_ins.c tests/unit/lane_eval.c sim/decode.c; do
	if ! compiles 'BIN(added_i32, i32, i32, i32, VALU, a + b, "d = a + b")' $file; then
		echo "$file: a new lane operation does not compile"
		cat "$dir/why"
		status=1
	fi
done
# refused ROW FILE FUNCTION
refused() {
	if compiles "$1" "$2"; then
		echo "$2: compiles without $3"
		status=1
	elif ! grep -q "$3" "$dir/why"; then
		echo "$2: does not name $3"
		cat "$dir/why"
		status=1
	fi
}
refused 'OP(added, 1, 1, VALU, 0, "d, a", "d = a")' sim/decode.c decode_added
refused 'STEP(added, 1, 1, VALU, 0, "d, a", "d = a")' isa/verify_ins.c verify_added
compiles 'STEP(added, 1, 1, VALU, 0, "d, a", "d = a")' sim/decode.c
nm "$dir/out.o" | grep -q 'U step_added' || { echo "sim/decode.c: does not need step_added"; status=1; }

rm "$dir/isa/ops.def"
for how in SUM MAX; do
	awk -v row="ACCESS(added, $how, SHOWN, \"\", \"\")" '/^#undef BLOCK/ { print row } { print }' \
		"$root/isa/counters.def" >"$dir/isa/counters.def"
	for file in isa/profile.c report/text_lines.c report/sink_text.c report/sink_json.c report/sink_csv.c; do
		${CC:-cc} -std=c11 -D_GNU_SOURCE -Wall -Werror -I"$dir" -I"$root" -c -o "$dir/out.o" "$root/$file" 2>"$dir/why" &&
			case $file in # the table has it, and every format takes its columns from the table
			isa/*) grep -aq added "$dir/out.o" ;;
			*) nm "$dir/out.o" | grep -q 'U shown_counters' ;;
			esac && continue
		echo "$file: a new counter is not there"
		cat "$dir/why"
		status=1
	done
done
exit $status
