#!/bin/sh
# Speed of the machine, one thread, counting on: bench.sh WAVESIM [NAME …]
#
# For each kernel of tests/bench: seconds of the machine (the best of five runs), of
# PoCL's kernel on one thread, of oclgrind-kernel on one thread for the same launch (less its
# time for a single work-group, which is mostly compiling), and their ratios. Without
# oclgrind-kernel that column is left out. Then, of larger launches of alu, and of scatter, the gain of
# two threads over one beside that of two programs at once, and the memory of a million work-items; last the time to build a
# kernel, the median over the lessons. Between them: wave instructions a second with the time model on.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
wavesim=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT; trap 'exit 2' INT TERM
cp "$(dirname "$0")"/bench/* "$scratch"
cd "$scratch" || exit 2
names=${*:-$(ls ./*.cl | sed 's|^\./||; s|\.cl$||')}

fields() { sed -n "s/.*$1 \([0-9.]*\) s.*/\1/p"; }
field() { fields "$1" | tail -1; }
seconds() { # of a command
	start=$(date +%s.%N)
	"$@" >/dev/null 2>&1 || echo "failed: $*" >&2
	date +%s.%N | awk -v a="$start" '{ printf "%.3f\n", $1 - a }'
}
machine() { # threads, kernel
	for i in 1 2 3 4 5; do
		"$wavesim" "$2" --threads "$1" --no-reference --timing 2>&1 >/dev/null | field machine
	done | sort -n | head -1
}
native() {
	POCL_MAX_PTHREAD_COUNT=1 "$wavesim" "$1" --threads 1 --no-cache --timing 2>&1 >/dev/null | field "PoCL's kernel"
}
oclgrind() { # kernel, options
	# One work-group: the first four numbers' line is the global size, the next the local size.
	awk '!done && !/^#/ && NF == 3 && /^[0-9 ]+$/ { if (++n == 1) { g = $0; getline; print $0; print $0; done = 1; next } } { print }' \
		"$1.sim" >one-group.sim
	sim=$1.sim
	shift
	oclgrind-kernel --num-threads 1 "$@" one-group.sim >/dev/null 2>&1 || { echo 0; return; }
	all=$(seconds oclgrind-kernel --num-threads 1 "$@" "$sim")
	one=$(seconds oclgrind-kernel --num-threads 1 "$@" one-group.sim)
	awk -v a="$all" -v b="$one" 'BEGIN { printf "%.3f\n", a - b }'
}

have_oclgrind=0
command -v oclgrind-kernel >/dev/null 2>&1 && have_oclgrind=1
printf '%-12s %10s %10s %12s %12s %12s\n' kernel machine PoCL Oclgrind 'x Oclgrind' 'PoCL ratio'
for name in $names; do
	m=$(machine 1 "$name.cl")
	p=$(native "$name.cl")
	o=0
	[ $have_oclgrind = 1 ] && o=$(oclgrind "$name")
	echo "$name $m $p $o"
done | awk '{
	ran = $4 > 0 # Oclgrind refuses some: 21.10 does not know llvm.bitreverse, which clang makes of scatter
	printf "%-12s %9.4fs %9.4fs %12s %12s %12.2f\n", $1, $2, $3, ran ? sprintf("%.3fs", $4) : "-",
		ran ? sprintf("%.1f", $4 / $2) : "-", $2 / $3
	if (ran) { sum += log($4 / $2); n++ }
	fflush()
} END { if (n) printf "geometric mean over Oclgrind: %.1f\n", exp(sum / n) }'

# What --check takes, beside the run without: one thread, the best of three; beside Oclgrind with its plugins for races and
# uninitialised values, too. (scatter it does not run.)
for name in $names; do
	o=0
	[ $have_oclgrind = 1 ] && o=$(oclgrind "$name" --data-races --uninitialized)
	for i in 1 2 3; do
		"$wavesim" "$name.cl" --threads 1 --no-reference --no-estimate --quiet --check --timing 2>&1 >/dev/null |
			sed -n 's/.*machine \([0-9.]*\) s, checks \([0-9.]*\) s.*/\1 \2/p' | tail -1
	done | awk -v name="$name" -v o="$o" '{ if (!m || $1 < m) m = $1; if (!c || $2 < c) c = $2 }
		END { printf "checks: %-12s %9.4fs %9.4fs %6.2f times the run without", name, m, c, m ? c / m : 0
			if (c && o > 1) printf ", %.0f times as fast as Oclgrind (%.1fs)", o / c, o
			print "" }'
done

alu() { # work-items, options
	items=$1
	shift
	"$wavesim" alu.cl --global "$items" --arg "in=iota:$items" --arg "out=zero:$items" --no-reference \
		--timing "$@" 2>&1 >/dev/null
}
scatter() { # options
	"$wavesim" scatter.cl --no-reference --quiet --timing "$@" 2>&1 >/dev/null
}
both() { # two programs at once, of which the later counts: what the processors give at most
	{
		"$@" --threads 1 &
		"$@" --threads 1
		wait
	} | fields machine | sort -n | tail -1
}
if [ "$(nproc)" -gt 1 ]; then
	for i in 1 2 3 4 5 6 7; do # in turn, so that other load meets all
		for n in 1 2; do
			alu 262144 --threads $n | field machine | sed "s/$/ alu $n/"
			scatter --threads $n | field machine | sed "s/$/ scatter $n/"
		done
		both alu 262144 | sed 's/$/ alu both/'
		both scatter | sed 's/$/ scatter both/'
	done | awk '{ k = $2 $3; if (!best[k] || $1 < best[k]) best[k] = $1 }
		function gain(k) { return sprintf("%.2f of %.2f", best[k 1] / best[k 2], 2 * best[k 1] / best[k "both"]) }
		END { printf "two threads over one, and what two programs at once gain: alu (262144 work-items) %s, scatter %s\n",
			gain("alu"), gain("scatter") }'
fi
alu 1048576 | sed -n 's/.*memory \([0-9]*\) MB.*/\1/p' |
	awk '{ printf "a million work-items (alu): %d MB beyond their buffers\n", $1 - 8 }'
for name in $names; do # executed, recorded, priced and timed, the what-ifs, too
	"$wavesim" "$name.cl" --threads 1 --no-reference --quiet --timing --json "$name.json" 2>&1 >/dev/null |
		sed -n 's/.*machine \([0-9.]*\) s,.* estimate and report \([0-9.]*\) s.*/\1 \2/p' | tail -1
	sed -n 's/.*"wave_instructions":[^0-9]*\([0-9]*\).*/\1/p' "$name.json" | head -1
done | awk 'NF == 2 { s = $1 + $2 } NF == 1 { r = $1 / s / 1e6; least = !least || r < least ? r : least; sum += log(r); n++ }
	END { if (n) printf "with the time estimate, one thread: %.1f million wave instructions a second (geometric mean; least %.1f)\n",
		exp(sum / n), least }'
for kernel in "$root"/lessons/*/*.cl; do
	for i in 1 2 3; do
		"$wavesim" "$kernel" --no-reference --no-cache --quiet --timing 2>&1 >/dev/null | field build
	done | sort -n | head -1
done | sort -n | awk '{ t[NR] = $1 } END {
	printf "building a kernel: %.2f s, the median of %d lessons\n", t[int((NR + 1) / 2)], NR }'

# Generated kernels (grow.awk) of N parts and of 2 N: seconds to build them, estimate and report included, and
# of clang -O3 for amdgcn alone, the best of three. GROWTH is N.
grown() { # kind, parts: seconds of wavesim, of clang
	awk -v kind="$1" -v n="$2" -f grow.awk >grown.cl
	for i in 1 2 3; do
		"$wavesim" grown.cl --threads 1 --no-reference --no-cache --quiet --timing 2>&1 >/dev/null |
			sed -n 's/.*build \([0-9.]*\) s.*report \([0-9.]*\) s.*/\1 \2/p' | tail -1
	done | awk '{ t = $1 + $2; if (!best || t < best) best = t } END { printf "%.3f ", best }'
	command -v clang-15 >/dev/null 2>&1 || { echo 0; return; }
	for i in 1 2 3; do
		seconds clang-15 -x cl -Xclang -finclude-default-header -target amdgcn-amd-amdhsa -mcpu=gfx906 -O3 \
			-gline-tables-only -nogpulib -w -S -o grown.s grown.cl
	done | sort -n | head -1
}
for kind in switch lines ifs loops functions; do
	for n in ${GROWTH:-1000} $((2 * ${GROWTH:-1000})); do
		echo "$kind $n $(grown $kind "$n")"
	done
done | awk '{
	if (NR % 2) { n = $2; t = $3; c = $4; next }
	printf "building %s: %.2f s for %d, %.2f s for %d (%.1f times)", $1, t, n, $3, $2, $3 / t
	if (c > 0) printf "; clang alone %.2f s and %.2f s (%.1f times)", c, $4, $4 / c
	print ""
	fflush()
}'

# A sweep of 200 points of a tiled matrix product, and as many single runs as SINGLE_RUNS says (default
# 20, every tenth point; 200 for all of them).
cat >tiled.cl <<'END'
// wavesim: --global 128,128 --arg a=random:16384 --arg b=random:16384 --arg c=zero:16384 --arg n=128
kernel void matmul(global const float *a, global const float *b, global float *c, int n)
{
	local float ta[TILE][TILE + PAD], tb[TILE][TILE + PAD];
	int x = get_local_id(0), y = get_local_id(1), col = get_global_id(0), row = get_global_id(1);
	float sum = 0;
	for (int t = 0; t < n; t += TILE) {
		ta[y][x] = a[row * n + t + x];
		tb[y][x] = b[(t + y) * n + col];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int k = 0; k < TILE; k++)
			sum += ta[y][k] * tb[k][x];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	c[row * n + col] = sum;
}
END
devices="mi50 r9nano mi100 mi210 mi300x"
all=$(seconds "$wavesim" sweep tiled.cl --local 8x8,16x16 -D 'TILE={local_x}' -D PAD=0,1,2,4 \
	--device "$(echo $devices | tr ' ' ,)" --banks 8,16,32,64,128 --quiet)
n=0
for tile in 8 16; do for pad in 0 1 2 4; do for device in $devices; do for banks in 8 16 32 64 128; do
	n=$((n + 1))
	[ $((n % (200 / ${SINGLE_RUNS:-20}))) = 0 ] || continue
	seconds "$wavesim" tiled.cl --local $tile,$tile -D TILE=$tile -D PAD=$pad --device $device --banks $banks --no-reference
done; done; done; done | awk -v all="$all" '{ s += $1; n++ } END {
	printf "a sweep of 200 points: %.1f s; 200 single runs: %.1f s (%d of them run), %.1f times as long\n",
		all, s / n * 200, n, s / n * 200 / all }'
