#!/bin/sh
# The same kernels in OpenCL C and in HIP (hip/opencl.h), those of the table in PAGE (docs/hip.md):  hip.sh PAGE WAVESIM
#
# Divergence, bank conflicts, accesses and cache lines must be equal; instructions within a tenth, since HIP's ids have 32
# bits and OpenCL's 64; registers within two. Both must equal their reference. After LLVM 15, five instructions of each
# wavefront (by 16 six) may differ, too: OpenCL's ids add the launch's offset, which HIP does not have. By LLVM 15 HIP's
# ids take about as many, since there blockDim is computed from the whole size. Later versions also put other instructions
# into branches: lanes that are lost there may differ by a quarter. OpenCL C is 1.2, since work-groups of a launch are of
# one size there, as in HIP.
#
# The table follows a line `<!-- pairs: … -->`; the first cell of a row is a kernel of lessons/. By LLVM 15 its figures
# must be what the runs say, OpenCL's before the stroke and HIP's behind it where they differ. GOLDEN=1 writes them.
set -u
page=$1
wavesim=$2
here=$(cd "$(dirname "$0")" && pwd)
lessons=$(dirname "$here")/lessons
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT; trap 'exit 2' INT TERM
passed=0 failed=0

if [ ! -e /usr/include/hip/hip_version.h ] || [ ! -e "/usr/lib/llvm-$LLVM/bin/clang" ]; then
	echo "SKIP hip: there are no headers of HIP (libamdhip64-dev) or no clang-$LLVM"
	echo "0 passed, 0 failed"
	exit 0
fi
case $LLVM in
15) ids=0 lost=0 ;;
16) ids=6 lost=0.25 ;;
*) ids=5 lost=0.25 ;;
esac

result() { # name, what is right
	if [ "$2" = 1 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL hip: $1"
	fi
}

# Local memory that is an argument is `extern __shared__` in HIP, declared in the body.
in_hip() {
	cat "$here/hip/opencl.h"
	sed -E '/^kernel void .*, local / {
		s/, local (\w+) \*(\w+)(.*)$/\3\n{ extern __shared__ \1 \2[];/
		n
		s/^\{//
	}' "$1"
}

pair() { # kernel: its reports, cl.json and hip.json
	cp "$lessons/$1.cl" k.cl
	in_hip k.cl >k.hip
	for kind in cl hip; do
		language=
		[ $kind = hip ] || language=-cl-std=CL1.2
		"$wavesim" "k.$kind" ${language:+"--build-options=$language"} --json $kind.json >$kind.txt 2>&1 || {
			sed 's/^/     /' $kind.txt
			return 1
		}
	done
	jq -s -e --argjson ids "$ids" --argjson lost $lost '
		def exact: [.divergence.divergent_branches, .lds.accesses, .lds.ideal_cycles, .lds.conflict_cycles,
			.memory.accesses, .memory.ideal_lines, .memory.actual_lines, .reference.status];
		def near(f): (.[0] | f) as $a | (.[1] | f) as $b | ($a - $b | fabs);
		(.[0] | exact) == (.[1] | exact) and .[0].reference.status == "equal" and
		.[1].reference.source == "native" and near(.resources.vgprs) <= 2 and
		near(.divergence.lost_lane_slots) <= $lost * .[0].divergence.lost_lane_slots and
		near(.divergence.wave_instructions) <= ([0.1 * .[0].divergence.wave_instructions,
			$ids * .[0].launch.waves] | max)' \
		cl.json hip.json >/dev/null
}

figures() { # what the row says behind its name
	jq -s -r '
		def grouped: tostring | [while(length > 0; .[:-3]) | .[-3:]] | reverse | join(",");
		def cell(f): map(f | grouped) | if .[0] == .[1] then .[0] else join(" / ") end;
		[cell(.divergence.wave_instructions), cell(.divergence.divergent_branches), cell(.memory.accesses + .lds.accesses),
			cell(.memory.actual_lines), cell(.lds.ideal_cycles + .lds.conflict_cycles), cell(.resources.vgprs),
			cell(.resources.sgprs)] | join(" | ")' cl.json hip.json
}

cp "$lessons/convolution-bounds/signal.npy" "$scratch"
page=$(cd "$(dirname "$page")" && pwd)/$(basename "$page")
cd "$scratch" || exit 2
inside=0 rows=0
while IFS= read -r line; do
	new=$line
	case $line in
	'<!-- pairs: '*) inside=1 ;;
	'') [ $rows = 0 ] || inside=0 ;;
	'| `'*)
		if [ $inside = 1 ]; then
			rows=$((rows + 1))
			kernel=${line#*\`} kernel=${kernel%%\`*}
			good=1
			pair "$kernel" || good=0
			new="| \`$kernel\` | $(figures) |"
			[ "$LLVM" = 15 ] || new=$line
			if [ "$new" != "$line" ]; then
				printf '%s\n' "the page: $line" "now:      $new"
				[ -n "${GOLDEN:-}" ] || good=0
			fi
			result "$kernel" $good
		fi
		;;
	esac
	printf '%s\n' "$new" >>page
done <"$page"
[ -n "${GOLDEN:-}" ] && cp page "$page"
result "ten pairs or more in $(basename "$page"), not $rows" $((rows >= 10))
echo "$passed passed, $failed failed"
[ $failed = 0 ]
