#!/bin/sh
# The text report on terminals of several sizes, and in a pipe:  text.sh WAVESIM
#
# On 80 columns and 24 rows what the report says of every lesson before its findings fits the screen with a row left for the
# prompt: it is brief there, and --verbose shows the source. No line is wider than the terminal but for words that are. In a pipe there is nothing
# but ASCII, and no colour. Terminals are made by script(1).
set -u
. "$(dirname "$0")/check.sh"

on_terminal() { # rows, columns, locale, kernel; without the progress of a slow machine
	LC_ALL=$3 TERM=xterm script -qec \
		"stty rows $1 cols $2; $wavesim $4 --no-reference 2>/dev/null" /dev/null </dev/null | tr -d '\r' >"$scratch/raw"
	sed "s/$(printf '\033')\[[0-9;]*m//g" "$scratch/raw" >"$scratch/out"
}

# Lines of $1 that are wider than $2 although they have a blank to break at behind column 14; a
# character of UTF-8 counts once.
too_wide() {
	LC_ALL=C sed 's/[\200-\277]//g' "$1" | awk -v w="$2" 'length > w && substr($0, 15) ~ /[^ ] / { n++ } END { print n + 0 }'
}

for folder in lessons/*/; do
	set -- "$folder"*.cl # the first will do
	kernel=$1
	on_terminal 24 80 C "$kernel"
	rows=$(sed '/^$/,$d' "$scratch/out" | wc -l)
	[ "$rows" -gt 5 ] && [ "$rows" -le 23 ]
	check "$kernel: a summary of $rows rows on 24" $?
	[ "$(too_wide "$scratch/out" 80)" = 0 ]
	check "$kernel: lines wider than 80 columns" $?
	grep -q '^  lines  .* % line [0-9]' "$scratch/out" && ! grep -q '  execs  ' "$scratch/out" && tail -1 "$scratch/out" | grep -q -e --verbose
	check "$kernel: brief" $?
done
kernel=lessons/prefix-sum/plain.cl
for columns in 40 60 100 132 200; do
	on_terminal 50 $columns C.UTF-8 "$kernel --verbose"
	[ "$(too_wide "$scratch/out" $columns)" = 0 ]
	check "$kernel: lines wider than $columns columns" $?
	grep -q "block" "$scratch/out"
	check "$kernel: source on $columns columns" $?
done
grep -q "$(printf '\033')" "$scratch/raw"
check "colours on a terminal" $?
LC_ALL=C grep -q '[^ -~]' "$scratch/out"
check "blocks and arrows where the locale is UTF-8" $?
grep -q '[0-9] scalar, [0-9]* barrier' "$scratch/out"
check "what the time of a line goes to" $?
on_terminal 50 200 C "$kernel --verbose"
! LC_ALL=C grep -q '[^ -~]' "$scratch/out"
check "ASCII where it is not" $?
LC_ALL=C.UTF-8 "$wavesim" $kernel >"$scratch/out"
! LC_ALL=C grep -q '[^ -~]' "$scratch/out"
check "ASCII and no colour in a pipe" $?
"$wavesim" $kernel --log "$scratch/log" && cmp -s "$scratch/log" "$scratch/out"
check "--log writes what a pipe gets" $?
for columns in 64 80; do
	on_terminal 50 $columns C "compare lessons/prefix-sum/plain.cl lessons/prefix-sum/padded.cl"
	[ "$(too_wide "$scratch/out" $columns)" = 0 ]
	check "compare: lines wider than $columns columns" $?
	grep -q "terminal too narrow for: lanes %" "$scratch/out"
	check "compare: what has no room on $columns columns" $?
done
on_terminal 50 200 C "--quiet $kernel"
[ ! -s "$scratch/out" ]
check "--quiet" $?
# Standard error of a run that takes long, in a pipe: a line after one second, after two …
printf 'kernel void k(global volatile int *a) { while (!a[0]); }\n' >"$scratch/endless.cl"
"$wavesim" "$scratch/endless.cl" --global 64 --dump-isa >"$scratch/endless.wave" # compiling may take longer than it runs
endless() { "$wavesim" "$scratch/endless.wave" --global 64 --arg a=zero:1 --max-instructions 0 --timeout 4 "$@" 2>&1 >"$scratch/out" | grep '^wavesim: after'; }
endless --progress 1 >"$scratch/err"
[ "$(grep -c '^wavesim: after [0-9]* s: running the work-groups, [0-9]* s$' "$scratch/err")" -ge 2 ]
check "a long run in a pipe says how far it is, each time later" $?
[ "$(wc -l <"$scratch/err")" -le 4 ] && [ ! -s "$scratch/out" ]
check "and not often, and on standard error" $?
[ -z "$(endless --progress 0)$(endless --progress 1 --quiet)" ]
check "neither with --progress 0 nor with --quiet" $?
"$wavesim" sweep "$scratch/endless.cl" --global 64 --local 32,64 --arg a=zero:1 --max-instructions 0 --timeout 3 --progress 1 \
	2>&1 >"$scratch/out" | grep -q '^wavesim: after [0-9]* s: [0-9] of 2 points'
check "a sweep, too" $?
printf '#line 5 "a\033[31mb.cl"\n__kernel void k(__global int *a) { a[0] = b; }\n' >"$scratch/escape.cl"
printf '#line 5 "a\033[2Jb.cl"\n__kernel void k(__global int *a) { a[get_global_id(0) + 99] = 1; }\n' >"$scratch/screen.cl"
printf '#line 5 "%s/fifo"\n__kernel void k(__global int *a) { a[0] = 1; }\n' "$scratch" >"$scratch/fifo.cl"
mkfifo "$scratch/fifo"
"$wavesim" "$scratch/escape.cl" 2>&1 | grep -q 'a?\[31mb.cl:5:.*undeclared'
check "no control characters in messages" $?
script -qec "$wavesim $scratch/screen.cl --quiet --no-reference --global 64 --arg a=zero:64" /dev/null </dev/null >"$scratch/raw"
grep -q 'a?\[2Jb.cl:5:.*error' "$scratch/raw"
check "nor in findings on standard error" $?
timeout 60 "$wavesim" "$scratch/fifo.cl" --dump-asm --arg a=zero:1 >"$scratch/out"
check "--dump-asm of lines of a FIFO" $?
for size in 16x8 16X8 16,8 128 0x80; do
	"$wavesim" occupancy --vgprs 24 --local $size | grep -q 'work-group  128 work-items, 2 wavefronts'
	check "occupancy of work-groups of $size" $?
done
echo '__kernel void k(__global int *a) { a[get_global_id(0)] = 7; }' >"$scratch/small.cl"
"$wavesim" "$scratch/small.cl" --global 64 --local 16 >"$scratch/out"
grep -q 'gain: none here, by the model (' "$scratch/out"
check "advice that changes nothing" $?
NO_COLOR=1; export NO_COLOR
on_terminal 50 200 C $kernel
! grep -q "$(printf '\033')" "$scratch/raw"
check "NO_COLOR" $?
finish
