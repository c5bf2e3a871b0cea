#!/bin/sh
# Registers, LDS and scratch memory of kernels beside what clang of LLVM's own version makes of the source for the
# same chip. PoCL makes code for x86-64, with structs and small vectors as that passes them, and where AMD's library
# differs in results its own functions are kept: a few kernels differ. 90 of 100 must be equal: a guard, below what there
# is (mi50: 60 of 62 by LLVM 15, 59 by LLVM 18).
#
#   tests/registers.sh WAVESIM [DEVICE…]     default: mi50; all: every one of LLVM's amdgcn back end
#
# 62 kernels: those of lessons/ and every fifth of tests/cases, by a hash of the path, so that a new case changes no
# other's place; EVERY=1: all of them. REGISTERS=FILE keeps what differs. Without the clang of wavesim's LLVM, or AMD's
# device library, it says so and is skipped. The last line is "N passed, M failed".
set -u
LC_ALL=C; export LC_ALL
. "$(dirname "$0")/check.sh"
shift
cd "$(dirname "$0")/.." || exit 2
LEAST=90
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

case ${*:-mi50} in
all) set -- $("$wavesim" devices | awk '/gfx/ {print $1}') ;;
*) set -- ${*:-mi50} ;;
esac

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

kernels=$(ls lessons/*/*.cl; ls tests/cases/*/*/kernel.cl | awk -v every="${EVERY:-5}" '
	BEGIN {for (i = 32; i < 127; i++) code[sprintf("%c", i)] = i}
	{
		hash = 0
		for (i = 1; i <= length($0); i++)
			hash = (hash * 31 + code[substr($0, i, 1)]) % 65521
		if (hash % every == 1 % every)
			print
	}')
differ=${REGISTERS:-$scratch/differ}
: >"$differ"
for device; do
	n=0 equal=0
	for k in $kernels; do
		w=$(of_wavesim "$device" "$k")
		[ "$w" ] || continue # images, printf: no code of its own
		c=$(of_clang "${w%% *}" "$k")
		[ "$c" ] || continue # what clang alone does not take: PoCL's extensions
		n=$((n + 1))
		lds=$(grep -qE '(local|__local) [^;(]*\*' "$k" && echo own)
		set -- $w $c "$@"
		# total_vgprs: where accumulation registers lie behind the vector registers, clang counts both
		total=$2
		[ "$4" = 0 ] || [ "$7" = "$2" ] || total=$((($2 + 3) / 4 * 4 + $4))
		if [ "$total $3 $4 $5" = "$7 $8 $9 ${10}" ] && { [ "$lds" ] || [ "$6" = "${11}" ]; }; then
			equal=$((equal + 1))
		else
			echo "$device $k: wavesim $2 $3 $4 $5 $6, clang $7 $8 $9 ${10} ${11}" >>"$differ"
		fi
		shift 11
	done
	echo "$device by LLVM $version: $equal of $n kernels equal clang's"
	[ "$n" -ge 40 ] && [ $((equal * 100)) -ge $((n * LEAST)) ]
	ok=$?
	more=$differ
	check "registers of $device: $equal of $n" $ok
done
finish
