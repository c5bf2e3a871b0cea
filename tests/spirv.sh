#!/bin/sh
# Every lesson in OpenCL C, and as SPIR-V that clang and llvm-spirv make of it:  spirv.sh WAVESIM
#
# Their counts must be equal, and the results equal their reference. Then what --check finds in both.
set -u
wavesim=$1
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT; trap 'exit 2' INT TERM
passed=0 failed=0
clang=/usr/lib/llvm-$LLVM/bin/clang

if ! command -v "llvm-spirv-$LLVM" >/dev/null || [ ! -x "$clang" ]; then
	echo "SKIP spirv: there is no llvm-spirv-$LLVM or no clang-$LLVM"
	echo "0 passed, 0 failed"
	exit 0
fi

result() { # name
	if [ $good = 1 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL spirv: $1"
	fi
}

translate() { # source, SPIR-V
	for extension in subgroups subgroup_ballot subgroup_shuffle; do set -- "$@" "-Dcl_khr_$extension=1"; done
	source=$1 out=$2
	shift 2
	"$clang" -x cl -cl-std=CL1.2 "$@" -target spir64 -O3 -Xclang -disable-llvm-passes -Xclang -finclude-default-header \
		-cl-kernel-arg-info -g -emit-llvm -c "$source" -o "$scratch/k.bc" &&
		"llvm-spirv-$LLVM" --spirv-ext=+SPV_KHR_no_integer_wrap_decoration "$scratch/k.bc" -o "$out"
}

cd "$root" || exit 2
for kernel in lessons/*/*.cl; do
	good=1
	# In later versions the last work-group may be smaller, and its size is read where that is said.
	"$wavesim" "$kernel" --build-options=-cl-std=CL1.2 --json "$scratch/cl.json" >"$scratch/cl.txt" 2>&1
	launch=$(sed -n '1,6s/^.*\(--kernel [^ ]* --global .*\)$/\1/p' "$scratch/cl.txt" | sed 's/ --build-options [^ ]*//')
	translate "$kernel" "$scratch/k.spv" >"$scratch/log" 2>&1 || { good=0; sed 's/^/     /' "$scratch/log"; }
	# What a lesson reads outside of its buffers is another value there.
	eval "\"\$wavesim\" \"\$scratch/k.spv\" $launch" --json "$scratch/spv.json" >"$scratch/spv.txt" 2>&1
	jq -s -e '
		def counts: [.divergence.wave_instructions, .divergence.divergent_branches, .divergence.lost_lane_slots,
			.lds.ideal_cycles, .lds.conflict_cycles, .memory.ideal_lines, .memory.actual_lines,
			(.findings | map(select(.severity != "advice") | .id) - ["reference_mismatch"] | sort)];
		def outside: .findings | any(.id == "out_of_bounds");
		(.[0] | counts) == (.[1] | counts) and .[1].reference.source == "native" and
		(.[1] | outside or .reference.status == "equal" or .reference.status == "nothing")' \
		"$scratch/cl.json" "$scratch/spv.json" >"$scratch/log" 2>&1 || good=0
	result "$kernel"
done

cat >"$scratch/race.cl" <<'END'
kernel void beside(global float *out, local float *t)
{
	size_t i = get_global_id(0);
	t[get_local_id(0)] = i;
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_inc((global int *)out + 1);
	out[i] = t[get_local_id(0) ^ 1];
}
END
cd "$scratch" || exit 2
translate race.cl race.spv
for kind in cl spv; do
	good=1
	"$wavesim" "race.$kind" --check --global 1024 --local 256 --arg out=zero:1024 --arg t=local:256 --json race.json \
		>race.txt 2>&1
	jq -e '.findings | any(.id == "data_race" and .line == 6)' race.json >/dev/null || good=0
	result "a race of an atomic behind a barrier, .$kind"
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
