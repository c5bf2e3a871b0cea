#!/bin/sh
# What must hold for the estimate of any kernel on any device: a lower clock, less bandwidth, longer
# latency and fewer wavefronts never make it shorter; nor do more bank conflicts or more ways to go;
# twice the work-groups of a full device take about twice the time, and a sample of them says what all
# of them say. What is copied as one takes as long as its elements.
#
# 0.1 % are allowed: times are rounded. $least allows more where the order decides. A busy unit serves the oldest of the
# wavefronts that wait, as on chips, and plans nothing: one that comes later because its data did may make room for
# others, so that all end sooner (Graham's anomaly of list scheduling). Where two points take their unit as long by the
# rule, this makes up to 0.5 %. Of a worse device it makes up to 1.3 %: lessons/convolution-bounds/tests.cl on h200 by
# LLVM 18 with 13 bandwidths of DRAM from 4.8 TB/s down to 5 GB/s, of which 100 GB/s gives the shortest time. Where DRAM
# is busy all the time, work-groups in flight only decide its order: lessons/sub-groups/transpose-lanes.cl on hd5870
# takes 68.4 us with one or two of them on a compute unit, 74.1 with three, 70.3 with all eight. So 3 % are allowed. With
# one wavefront, or one for each SIMD, nothing is reordered and each step down is longer; so one wavefront is held to
# 0.1 %.
#
#   tests/consistency.sh WAVESIM [DEVICE…]     default: of GCN, RDNA, Hopper and VLIW; all: every one
#
# Prints what does not hold; the last line is "N passed, M failed".
set -u
LC_ALL=C; export LC_ALL
. "$(dirname "$0")/check.sh"
shift
cd "$(dirname "$0")/.." || exit 2
case ${*:-some} in
some) set -- mi50 rx6900xt h200 hd5870 ;;
all) set -- $("$wavesim" devices | awk 'NR > 1 && /^[a-z0-9]/ {print $1}') ;;
esac

# ---- devices that are worse ----

worse() { # DEVICE NAME LINES
	printf 'base = %s\n%b' "$1" "$3" >"$scratch/$1-$2.ini"
}

list= plain=
for d; do
	worse "$d" clock '[compute]\nclock_mhz = 400 ; A a test\nboost_mhz = 400 ; A a test\n'
	worse "$d" bandwidth '[memory]\ndram_mb_per_s = 10000 ; A a test\n'
	worse "$d" latency '[latency]\ndram_latency = 3000 ; A a test\n'
	worse "$d" groups '[compute]\nmax_groups_per_cu = 1 ; A a test\nmax_groups_one_wave = 1 ; A a test\n'
	plain=$plain,$d
	list=$list,$d
	for how in clock bandwidth latency groups; do list="$list,$scratch/$d-$how.ini"; done
done
plain=${plain#,} list=${list#,}

# ---- comparing ----

said() { # NAME FILE: what does not hold, or nothing
	more=$2
	[ ! -s "$2" ]
	check "$1" $?
}

# Sweeps; $scratch/points gets KEY DEVICE TIME of each point, KEY being the value of what varies beside the
# device, or "-". $scratch/why says what is missing: each device must have WANT points, each with a time.
points() { # WANT DEVICES VARIES FILE OPTIONS…
	want=$1 devices=$2 varies=$3
	shift 3
	: >"$scratch/why" >"$scratch/points"
	"$wavesim" sweep "$@" --device "$devices" --whole --csv - 2>"$scratch/err" >"$scratch/csv" || {
		echo "wavesim sweep: exit status $?" | cat - "$scratch/err" >"$scratch/why"
		return
	}
	awk -F, -v varies="$varies" -v want="$want" -v devices="$devices" -v points="$scratch/points" '
		function short(d,   n, part) {n = split(d, part, "/"); d = part[n]; sub(/\.ini$/, "", d); return d}
		NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i; next}
		$2 == "done" && $at["time_us"] > 0 {
			d = short("device" in at ? $at["device"] : devices) # no column when there is one
			n[d]++
			print varies == "-" ? "-" : $3, d, $at["time_us"] >points}
		END {m = split(devices, list, ",")
			for (i = 1; i <= m; i++) if (n[short(list[i])] != want)
				printf "%s: %d of %d points have a time\n", short(list[i]), n[short(list[i])], want}' \
		"$scratch/csv" >"$scratch/why"
}

devices_worse() { # NAME FILE OPTIONS…
	name=$1
	shift
	points 1 "$list" - "$@"
	awk -v least="${least:-0.999}" '
		{t[$2] = $3} END {for (d in t) if (split(d, part, "-") == 2 && !(t[d] >= least * t[part[1]]))
		printf "%s: %.2f us, with worse %s %.2f us\n", part[1], t[part[1]], part[2], t[d]}' \
		"$scratch/points" | sort >>"$scratch/why"
	said "$name on worse devices" "$scratch/why"
}

ascends() { # NAME FILE OPTIONS…: the last of them varies
	name=$1
	shift
	for last; do :; done
	points "$(echo "$last" | tr , '\n' | wc -l)" "$plain" x "$@"
	sort -k2,2 -k1,1g "$scratch/points" | awk -v least="${least:-0.999}" '
		$2 == was && !($3 >= least * t) {printf "%s: %s %.2f us, %s %.2f us\n", $2, at, t, $1, $3}
		{was = $2; at = $1; t = $3}' >>"$scratch/why"
	said "$name" "$scratch/why"
}

doubles() { # NAME FILE OPTIONS…: --global varies, the second is twice the first
	name=$1
	shift
	points 2 "$plain" x "$@"
	sort -k2,2 -k1,1g "$scratch/points" | awk '
		$2 == was && !($3 >= 1.75 * t && $3 <= 2.25 * t) {
			printf "%s: %s takes %.2f times as long as %s\n", $2, $1, $3 / t, at}
		{was = $2; at = $1; t = $3}' >>"$scratch/why"
	said "$name" "$scratch/why"
}

sampled() { # NAME FILE OPTIONS…: a sample says what the whole launch says
	name=$1
	shift
	: >"$scratch/why"
	for d in $(echo "$plain" | tr , ' '); do
		for percent in 100 10; do
			"$wavesim" "$@" --device "$d" --sample $percent --no-reference --no-what-if -q --json - 2>>"$scratch/why" |
				awk '/"time_us"/ {t = $2; exit} END {print t + 0}'
		done | tr '\n' ' ' | awk -v d="$d" '!($1 > 0 && $2 > 0.8 * $1 && $2 < 1.25 * $1) {
			printf "%s: %.2f us, by a sample %.2f us\n", d, $1, $2}' >>"$scratch/why"
	done
	said "$name" "$scratch/why"
}

# A copy by elements has loads right behind stores, which take longer on the H200 (load_after_store).
as_long() { # NAME FILE A B OPTIONS…: kernels A and B take about as long
	name=$1 file=$2 a=$3 b=$4
	shift 4
	: >"$scratch/why"
	for d in $(echo "$plain" | tr , ' '); do
		for kernel in "$a" "$b"; do
			"$wavesim" "$file" --kernel "$kernel" "$@" --device "$d" --no-reference --no-what-if -q --json - \
				2>>"$scratch/why" | awk '/"time_us"/ {t = $2; exit} END {print t + 0}'
		done | tr '\n' ' ' | awk -v d="$d" -v a="$a" -v b="$b" '!($1 > 0 && $2 > 0.75 * $1 && $2 < 1.33 * $1) {
			printf "%s: %s %.2f us, %s %.2f us\n", d, a, $1, b, $2}' >>"$scratch/why"
	done
	said "$name" "$scratch/why"
}

conflicts() { # NAME FILE OPTIONS…: counted and in the time, or neither; kernels that LDS keeps waiting
	name=$1
	shift
	: >"$scratch/why"
	for d in $(echo "$plain" | tr , ' '); do
		"$wavesim" "$@" --device "$d" --no-reference --no-what-if -q --json - 2>>"$scratch/why" | awk -v d="$d" '
			/"conflict_cycles"/ && !n++ {counted = $2 + 0}
			/"accesses_of_unclear_width"/ {unclear = $2 + 0}
			/"estimate":/ {of_all = 1}
			of_all && /"lds_conflicts":/ && !m++ {timed = $2 + 0}
			END {if (!n || !m || unclear || (counted > 0) != (timed > 0))
				printf "%s: %d conflict cycles counted (%d accesses unclear), %g cycles of the time\n",
					d, counted, unclear, timed}' >>"$scratch/why"
	done
	said "$name" "$scratch/why"
}

least=0.97
for kernel in lessons/*/*.cl; do
	grep -q '^// wavesim:' "$kernel" && devices_worse "$kernel" "$kernel"
done
unset least
for kernel in tests clamp; do
	devices_worse "one wavefront of $kernel" lessons/convolution-bounds/$kernel.cl --global 32 --local 32 --arg n=32
done
items="--global 65536 --local 256 --arg out=zero:65536"
for width in uint uint2 uint4; do
	ascends "conflicts of $width reads" runner/probes/lds.cl --kernel lds_read -D T=$width $items \
		--arg rounds=20 --arg walk=1 --arg stride=1,2,4,8
done
# Strides 1 and 2 on mi50: a port takes 8 cycles of every other write, or the banks 4 of each.
least=0.995
ascends "conflicts of writes" runner/probes/lds.cl --kernel lds_write $items --arg rounds=20 --arg walk=1 \
	--arg stride=1,2,4,8,16,32
unset least
for stride in 1 2 8; do
	for width in uint uint2 uint4; do
		conflicts "conflicts of $width reads, stride $stride, counted and timed" runner/probes/lds.cl \
			--kernel lds_read -D T=$width $items --arg rounds=20 --arg walk=1 --arg stride=$stride
	done
done
for kernel in lessons/prefix-sum/plain.cl lessons/prefix-sum/padded.cl; do
	conflicts "conflicts of $kernel, counted and timed" $kernel
done
for kernel in pairs rows unaligned; do
	conflicts "conflicts of $kernel, counted and timed" tests/timing/pairs.cl --kernel $kernel
done
ascends "ways to go" runner/probes/branch.cl --kernel branch_ways $items --arg rounds=20 --arg ways=1,2,4,8
ascends "depth of branches" runner/probes/branch.cl --kernel branch_nested $items --arg rounds=20 \
	--arg depth=0,1,2,3
ascends "turns of loops" runner/probes/branch.cl --kernel branch_loop $items --arg rounds=20 \
	--arg span=1,2,4,8,16,32,64
ascends "modes of a chain" lessons/else-if-chain/chain-work.cl --arg modes=1,2,4,7,10,14
# 120 KB of rows fit an H200's L1, unless local memory takes most of it.
points 2 h200 x runner/probes/l1.cl -D ROWS=240 --global 16896 --local 128 --arg passes=4 --arg in=zero:4055040 \
	--arg out=zero:16896 -D LOCAL=64,12288
sort -k1,1g "$scratch/points" | awk '{t[NR] = $3} END {if (!(t[2] > 1.4 * t[1]))
	printf "h200: %s us beside 64 bytes, %s beside 12288\n", t[1], t[2]}' >>"$scratch/why"
said "local memory takes of L1" "$scratch/why"
for kernel in f32 i32 f32x4; do
	doubles "twice the work-groups of $kernel" tests/timing/peak.cl --kernel $kernel --local 256 --sample 2 \
		--global 4194304,8388608
done
doubles "twice the work-groups of a copy" runner/probes/global.cl --kernel copy --local 256 --sample 2 \
	--global 8388608,16777216 --arg in=zero:16777216 --arg out=zero:16777216
# Chains of multiply-adds reach the peak that the roofline names, and not more.
for d in rx480 hd7970 mi50 rx6900xt; do
	share=$("$wavesim" tests/timing/peak.cl --kernel f32 --global 4194304 --local 256 --sample 1 --device $d \
		--no-reference --no-what-if -q --json - | jq '.roofline.operations.f32.count / 1000 /
			(.estimate.time_us - .estimate.launch_us) / .roofline.operations.f32.peak_gops')
	awk -v s="$share" 'BEGIN { exit !(s > 0.9 && s <= 1.001) }'
	check "multiply-adds of $d: $share of the peak" $?
done
# Private memory: a line for each lane where each has an index of its own, and more lines for wider elements. A VLIW chip's
# code keeps small arrays in registers.
all=$plain plain=$(echo "$plain" | sed -E "s/,?hd(5670|5870|7660d)//g")
least=1.3
ascends "indices of lanes in private arrays" tests/timing/private.cl --kernel spread --global 65536 --local 64 \
	--arg in=random:4096 --arg out=zero:65536 --arg apart=0,1
ascends "elements of private arrays" tests/timing/private.cl --kernel wide --global 65536 --local 64 \
	--arg in=random:4096 --arg out=zero:65536 -D WIDTH=4,8,16
plain=$all
# One work-group more than a full round has, and two rounds: what all share is shared by those that are there.
least=0.985
ascends "work-groups of a copy" tests/formats/round.cl --arg in=zero:6144000 --arg out=zero:6144000 --local 256 \
	--arg n=64 --global 15360,15616,20480,20736,30720,30976,33792,34048,46080,46336,61440
unset least
sampled "a sample of a copy" runner/probes/global.cl --kernel copy --global 2097152 --local 256 \
	--arg in=zero:2097152 --arg out=zero:2097152
sampled "a sample of reads that all share" tests/timing/memory.cl --kernel again --global 262144 --local 256 \
	--arg to=zero:262144 --arg from=zero:65536 --arg mask=65535
sampled "a sample of reads far apart" runner/probes/global.cl --kernel read_stride --global 1048576 --local 256 \
	--arg stride=16 --arg mask=4194303 --arg in=zero:4194304 --arg out=zero:1048576
as_long "a structure copied as one" tests/timing/copy.cl whole elements --global 16384 --local 64 \
	--arg to=zero:16384 --arg from=random:16384
as_long "a structure copied in a loop" tests/timing/copy.cl whole elements -D N=128 --global 16384 --local 64 \
	--arg to=zero:16384 --arg from=random:16384
finish
