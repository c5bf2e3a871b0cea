#!/bin/sh
# Registers, LDS and scratch memory of kernels beside what clang of LLVM's own version makes of the source for the
# same chip. PoCL makes code for x86-64, with structs and small vectors as that passes them, and where AMD's library
# differs in results its own functions are kept: a few kernels differ. docs/versions.md has the table of all chips and
# versions, and names those kernels, each by version and chip, with the reason. One that differs and is not named fails;
# one that is named and differs on none of the chips that were run is told, where the machines are named.
#
#   tests/registers.sh WAVESIM [MACHINE…]    MACHINE: a device, or DEVICE:CHIP, that device with another chip
#
# all: every chip of LLVM's amdgcn back end that a shipped device has, and some that none has. Without a machine: mi50, and
# a sample of each other chip.
#
# 63 kernels: those of lessons/ but sub-groups, and every fifth of tests/cases, by a hash of the path, so that a new case
# changes no other's place; EVERY=1: all of them. REGISTERS=FILE keeps what differs; GOLDEN=1 writes the table of
# docs/versions.md. Without the clang of wavesim's LLVM, or AMD's device library, it says so and is skipped. The last line is "N passed, M failed".
set -u
LC_ALL=C; export LC_ALL
. "$(dirname "$0")/check.sh"
shift
cd "$(dirname "$0")/.." || exit 2
page=docs/versions.md
LANGUAGE=CL1.2 # of both: clang's own choice, but not PoCL 6's

# ---- what there is ----

skip() {
	echo "SKIP registers: $1"
	finish
	exit
}
# A chip that no LLVM knows: the answer names the version.
printf 'base = mi50\n[device]\nllvm_cpu = none\n' >"$scratch/none.ini"
version=$("$wavesim" lessons/register-use/store.cl --device "$scratch/none.ini" 2>&1 | sed -n 's/.*LLVM \([0-9]*\) knows no AMD chip.*/\1/p')
[ "$version" ] || { bad "which LLVM is it?"; finish; exit; }
clang=$(command -v "clang-$version") || skip "clang-$version is not installed"
library=
for d in "/usr/lib/llvm-$version/lib/clang/$version/amdgcn/bitcode" /usr/lib/x86_64-linux-gnu/amdgcn/bitcode \
	/usr/lib/llvm-*/lib/clang/*/amdgcn/bitcode; do
	[ "$library" ] || { [ -r "$d/opencl.bc" ] && library=$d; }
done
[ "$library" ] || skip "AMD's device library is not installed"

mkdir "$scratch/library"
ln -s "$library"/*.bc "$scratch/library/"
library=$scratch/library

# clang asks for a file with the chip's number, which a library that is older than the chip lacks.
library_has() { # CHIP
	file=$library/oclc_isa_version_${1#gfx}.bc
	[ -e "$file" ] || printf 'constant int __oclc_ISA_version = %s;\n' "$(echo "${1#gfx}" |
		sed 's/^\(.*\)\(.\)\(.\)$/\1*1000+0x\2*100+0x\3/' | xargs -I{} sh -c 'echo $(({}))')" |
		"$clang" -x cl -nogpulib -target amdgcn-amd-amdhsa -mcpu="$1" -c -emit-llvm -o "$file" - 2>/dev/null
}

# ---- one kernel ----

# VGPRs, SGPRs, AGPRs, scratch, LDS. LDS: without the launch's own (`local` pointers).
of_clang() { # CHIP FILE
	"$clang" -x cl -cl-std=$LANGUAGE -Xclang -finclude-default-header -target amdgcn-amd-amdhsa -mcpu="$1" \
		--rocm-device-lib-path="$library" -O3 -S -o - "$2" 2>/dev/null | awk '
		/^  - \.a/ {kernels++; v[$2] = $3}
		/^    \.(sgpr|vgpr|agpr)_count:|^    \.(private|group)_segment_fixed_size:/ {v[$1] = $2}
		END {if (kernels == 1) print v[".vgpr_count:"], v[".sgpr_count:"], v[".agpr_count:"] + 0,
			v[".private_segment_fixed_size:"], v[".group_segment_fixed_size:"]}'
}
of_wavesim() { # DEVICE FILE
	"$wavesim" "$2" --device "$1" --build-options=-cl-std=$LANGUAGE --max-local 256 --no-estimate --no-advice --no-reference --json - 2>/dev/null | awk '
		function value() {gsub(/[",]/, "", $2); return $2}
		/^\t"resources":/ {on = 1}
		on && /^\t\t"/ {key = $1; gsub(/[":]/, "", key); v[key] = value()}
		/^\t}/ {on = 0}
		/^\t\t"cpu":/ {cpu = value()}
		END {if (v["source"] == "amdgpu") print cpu, v["vgprs"], v["sgprs"], v["agprs"], v["scratch_bytes"], v["lds_bytes"]}'
}

# A device's chip may be one of several, by what this LLVM knows: the report names it.
machine() { # DEVICE or DEVICE:CHIP: $device and its $cpu, or none
	device=$1
	case $1 in *:*)
		printf 'base = %s\n[device]\nllvm_cpu = %s\n' "${1%:*}" "${1#*:}" >"$scratch/${1#*:}.ini"
		device=$scratch/${1#*:}.ini
		;;
	esac
	cpu=$(of_wavesim "$device" lessons/register-use/store.cl)
	cpu=${cpu%% *}
	[ "$cpu" ] && library_has "$cpu"
}

# ---- what is known to differ ----

# Rows of the page for this version: kernel, chips.
awk -F' *[|] *' -v version="$version" '/^##/ {on = /^### Kernels that differ/}
	on && index(" " $3 " ", " " version " ") {print $2, $4}' "$page" >"$scratch/known"
: >"$scratch/compared"
: >"$scratch/differed"
name_of() { k=${1#tests/cases/}; echo "${k%/kernel.cl}"; }
# The rows that no chip of theirs bears out, of those with a kernel that was compared on one.
tell_equal() {
	awk '
		function is_of(row, chip) {return chips[row] == " any " || index(chips[row], " " chip " ")}
		FILENAME == ARGV[1] {kernel[++n] = $1; $1 = ""; chips[n] = $0 " "; next}
		{for (i = 1; i <= n; i++) if (kernel[i] == $2 && is_of(i, $1)) {if (FILENAME == ARGV[2]) ran[i] = 1; else differs[i] = 1}}
		END {for (i = 1; i <= n; i++) if (ran[i] && !differs[i]) print kernel[i] ":" chips[i]}' \
		"$scratch/known" "$scratch/compared" "$scratch/differed" |
		while read -r row; do echo "equal now, on what was run, and still named in $page for LLVM $version: $row"; done
}
# No row excuses LDS, nor more than any row says: 18 registers of a kind, 16 bytes of scratch.
near() { # A, B, LIMIT
	[ $(($1 - $2)) -le "$3" ] && [ $(($2 - $1)) -le "$3" ]
}
is_known() { # KERNEL, then as in compare: on $cpu, and by so little?
	[ "$7" = "${12}" ] || [ "$lds" ] || return 1
	near "$total" "$8" 18 && near "$4" "$9" 18 && near "$5" "${10}" 18 && near "$6" "${11}" 16 || return 1
	awk -v kernel="$(name_of "$1")" -v chip="$cpu" '$1 == kernel {
		$1 = ""
		if ($0 == " any" || index($0 " ", " " chip " ")) found = 1
	} END {exit !found}' "$scratch/known"
}

# ---- many ----

compare() { # KERNELS: of $device; how many are $equal, of $n, how many of the others are not $known
	n=0 equal=0 known=0
	for k in $1; do
		grep -q 'printf *(' "$k" && continue # the call is not in our code
		of_clang "$cpu" "$k" >"$scratch/clang" &
		w=$(of_wavesim "$device" "$k")
		wait
		c=$(cat "$scratch/clang")
		[ "$w" ] || continue # images: no code of its own
		[ "$c" ] || continue # what clang alone does not take: PoCL's extensions
		n=$((n + 1))
		echo "$cpu $(name_of "$k")" >>"$scratch/compared"
		lds=$(grep -qE '(local|__local) [^;(]*\*' "$k" && echo own)
		set -- $w $c
		# total_vgprs: where accumulation registers lie behind the vector registers, clang counts both
		total=$2
		[ "$4" = 0 ] || [ "$7" = "$2" ] || total=$((($2 + 3) / 4 * 4 + $4))
		if [ "$total $3 $4 $5" = "$7 $8 $9 ${10}" ] && { [ "$lds" ] || [ "$6" = "${11}" ]; }; then
			equal=$((equal + 1))
			continue
		fi
		whose="not named in $page"
		if is_known "$k" "$@"; then
			known=$((known + 1))
			whose="named there"
		fi
		echo "$cpu $(name_of "$k")" >>"$scratch/differed"
		echo "$m ($cpu) $k: wavesim $2 $3 $4 $5 $6, clang $7 $8 $9 ${10} ${11}, $whose" >>"$differ"
	done
}

# One device of each chip; and chips of laptops and smaller cards than the shipped ones.
every_chip() {
	"$wavesim" devices | awk '/gfx/ && $1 != "generic" && !seen[$2]++ {print $1}'
	echo radeon780m:gfx1150 radeon780m:gfx1151 rx9070xt:gfx1200
}
choose() { # EVERY WHICH: of tests/cases
	ls tests/cases/*/*/kernel.cl | awk -v every="$1" -v which="$2" '
		BEGIN {for (i = 32; i < 127; i++) code[sprintf("%c", i)] = i}
		{
			hash = 0
			for (i = 1; i <= length($0); i++)
				hash = (hash * 31 + code[substr($0, i, 1)]) % 65521
			if (hash % every == which % every)
				print
		}'
}

# Its cell in docs/versions.md, in the column of this LLVM.
write_down() { # of $m with $cpu
	case $m in *:*) set -- - ;; *) set -- "$m" ;; esac
	awk -F'|' -v OFS='|' -v device=" $1 " -v chip=" $cpu " -v column=" LLVM $version " -v cell=" $equal of $n " '
		/^##/ {on = /^## Registers/; at = 0}
		on && /^\| Chip / {for (i = 2; i <= NF && !at; i++) if ($i == column || i == NF) at = i}
		on && /^\|/ && NF == at {
			$at = /^\| Chip / ? column : /^\|---/ ? "---" : " "
			$(at + 1) = ""
		}
		on && at && $3 == device && (device != " - " || $2 == chip) {$at = cell ($2 == chip ? "" : "by" chip)}
		{print}' "$page" >"$scratch/page" && cp "$scratch/page" "$page"
}

differ=${REGISTERS:-$scratch/differ}
more=$differ
: >"$differ"
others=
case ${*:-none} in
none)
	set -- mi50
	others=$(every_chip)
	;;
all) set -- $(every_chip) ;;
esac
for m; do
	machine "$m" || { echo "SKIP registers of $m: LLVM $version does not know its chip"; continue; }
	compare "$(ls lessons/*/*.cl | grep -v /sub-groups/; choose "${EVERY:-5}" 1)"
	echo "$m ($cpu) by LLVM $version: $equal of $n kernels equal clang's"
	[ -z "${GOLDEN:-}" ] || write_down
	[ "$n" -ge 40 ] && [ $((equal + known)) = "$n" ]
	check "registers of $m: $equal of $n, and $known that are known to differ" $?
done
if [ "$others" ]; then
	which=0 all=0 good=0 named=0
	for m in $others; do
		which=$((which + 1))
		[ "$m" != mi50 ] && machine "$m" || continue
		compare "$(choose 40 $which)"
		all=$((all + n)) good=$((good + equal)) named=$((named + known))
	done
	echo "samples of the other chips by LLVM $version: $good of $all kernels equal clang's"
	[ "$all" -ge 30 ] && [ $((good + named)) = "$all" ]
	check "registers of other chips: $good of $all, and $named that are known to differ" $?
fi
[ "$others" ] || tell_equal
finish
