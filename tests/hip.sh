#!/bin/sh
# The same kernels in OpenCL C and in HIP (hip/opencl.h):  hip.sh WAVESIM
#
# Divergence, bank conflicts and cache lines must be equal; instructions within a tenth, since HIP's ids have 32 bits and
# OpenCL's 64; registers within two. Both must equal their reference. After LLVM 15, five instructions of each wavefront
# (by 16 six) may differ, too: OpenCL's ids add the launch's offset, which HIP does not have. By LLVM 15 HIP's ids take
# about as many, since there blockDim is computed from the whole size. OpenCL C is 1.2, since work-groups of a launch
# are of one size there, as in HIP.
set -u
wavesim=$1
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
15) ids=0 ;;
16) ids=6 ;;
*) ids=5 ;;
esac
cp "$lessons/convolution-bounds/signal.npy" "$scratch"
cd "$scratch" || exit 2
for kernel in else-if-chain/chain else-if-chain/fixed else-if-chain/table bound-search/chain bound-search/count \
	bound-search/count-loads register-use/branch register-use/select register-use/store-char register-use/store-int \
	convolution-bounds/clamp convolution-bounds/tests lds-wide/plain; do
	cp "$lessons/$kernel.cl" k.cl
	cat "$here/hip/opencl.h" k.cl >k.hip
	good=1
	for kind in cl hip; do
		language=
		[ $kind = hip ] || language=-cl-std=CL1.2
		"$wavesim" "k.$kind" ${language:+"--build-options=$language"} --json $kind.json >$kind.txt 2>&1 || { good=0; sed 's/^/     /' $kind.txt; }
	done
	[ $good = 1 ] && jq -s -e --argjson ids "$ids" '
		def exact: [.divergence.divergent_branches, .divergence.lost_lane_slots, .lds.ideal_cycles,
			.lds.conflict_cycles, .memory.ideal_lines, .memory.actual_lines, .reference.status];
		def near(f): (.[0] | f) as $a | (.[1] | f) as $b | ($a - $b | fabs);
		(.[0] | exact) == (.[1] | exact) and .[0].reference.status == "equal" and
		.[1].reference.source == "native" and near(.resources.vgprs) <= 2 and
		near(.divergence.wave_instructions) <= ([0.1 * .[0].divergence.wave_instructions,
			$ids * .[0].launch.waves] | max)' \
		cl.json hip.json >/dev/null || good=0
	if [ $good = 1 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL hip: $kernel"
	fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
