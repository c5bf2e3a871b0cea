#!/bin/sh
# Estimates against times that were measured on real cards: one table a set.
#
#   tests/validate.sh [WAVESIM] [EVERY] [BANDS]
#
# The sets are traces/published and traces/measured. EVERY: of the tables every so manieth row (default 12; 1: all), of the
# W7800's, whose rows take longest, half as many; of unspilled convolutions three to four times as many; of the MI300A, the
# H200 and the H100 all. BANDS: where the bands that follow from it are written, for models/timing/bands.def (make bands).
# $MEASURED names a folder with microbenchmarks of others: clpeak/*.log and .xml, bandwidth-latency/ (babelstream_amd.txt,
# gpu-latency__*, gpu-stream__*, gpu-l2-cache__*, gpu-strides__*, mt4g_*.json). They are not part of this project;
# without them that part is left out. The microbenchmarks are tests/timing/*.cl, the cards models/device/shipped and
# tests/timing/cards.
wavesim=${1:-./wavesim} every=${2:-12} bands=${3:-} dir=${MEASURED:-}
case $wavesim in /*) ;; *) wavesim=$PWD/$wavesim ;; esac
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d) || exit 1
[ -z "$dir" ] || dir=$(cd "$dir" && pwd) || exit 1
trap 'rm -rf "$tmp"' EXIT; trap 'exit 2' INT TERM

device() { # a card's name as --device takes it
	if [ -f "$here/timing/cards/$1.ini" ]; then echo "$here/timing/cards/$1.ini"; else echo "$1"; fi
}

# run CARD FILE KERNEL OPTIONS...: microseconds without what starts a kernel, cycles, microseconds before it
run() {
	card=$1 file=$2 kernel=$3
	shift 3
	"$wavesim" "$here/timing/$file.cl" --kernel "$kernel" --device "$(device "$card")" --no-reference -q \
		--json "$tmp/json" "$@" >/dev/null 2>"$tmp/err" || { head -2 "$tmp/err" >&2; echo "0 0 0"; return; }
	awk '/"time_us"/ {t = $2 + 0} /"launch_us"/ {l = $2 + 0} /"queue_us"/ {q = $2 + 0}
		/"estimate"/ {on = 1} on && /"cycles"/ && !c {c = $2 + 0} END {print t - l, c, q}' "$tmp/json"
}

# entry SET CARD WHAT MEASURED ESTIMATED
entry() {
	echo "$1;$2;$3;$4;$5" >>"$tmp/entries"
}

# ---- arithmetic and streams ----

# Operations a nanosecond of 32 turns of 16 multiply-adds, `wide` elements a work-item.
peak() { # CARD KERNEL WIDE
	run "$1" peak "$2" --global 4194304 --local 256 --sample 1 |
		awk -v w="$3" '{if ($1 > 0) printf "%.1f\n", 4194304 * 32 * 16 * 2 * w / $1 / 1e3}'
}

stream() { # CARD KERNEL ITEMS BYTES-AN-ITEM OPTIONS...
	card=$1 kernel=$2 items=$3 bytes=$4
	shift 4
	run "$card" memory "$kernel" --global "$items" --local 256 --sample 1 "$@" |
		awk -v n="$items" -v b="$bytes" '{if ($1 > 0) printf "%.1f\n", n * b / $1 / 1e3}'
}

bandwidth() { # CARD KERNEL: of 16 reads an item
	if [ "$2" = read ]; then
		stream "$1" read 4194304 64 --arg to=zero:4194304 --arg from=zero:67108864
	else
		stream "$1" read4 1048576 256 --arg to=zero:1048576 --arg from=zero:16777216
	fi
}

# GB/s of local memory, where each work-item writes and reads 64 times.
pass_on() { # CARD KERNEL BYTES
	run "$1" memory "$2" --global 4194304 --local 256 --sample 1 --arg pool=local:256 |
		awk -v b="$3" '{if ($1 > 0) printf "%.1f\n", 4194304 * 128 * b / $1 / 1e3}'
}

# NAME VALUE of the first device of a log
clpeak_rows() {
	awk '/Device:/ && n++ {exit} /Global memory/ {s = "bw"} /Single-prec/ {s = "sp"} /Half/ {s = ""}
		/Double/ {s = "dp"} /Integer compute \(/ {s = "int"} /24bit/ {s = "int24"} /Transfer/ {s = ""}
		/launch latency/ {print "launch", $5} s && $2 == ":" {print s "." $1, $3}' "$1"
}

clpeak_xml() {
	sed -n '1,/<\/run>/s/.*<\(test\|metric\) name="\([^"]*\)"\( unit="[^"]*"\)\{0,1\}>\([0-9.]*\).*/\1 \2 \4/p' "$1" |
		awk 'BEGIN {k["single_precision_compute"] = "sp"; k["double_precision_compute"] = "dp"
			k["integer_compute"] = "int"; k["integer_compute_fast"] = "int24"
			k["global_memory_bandwidth"] = "bw"; k["local_memory_bandwidth"] = "lds"}
			$1 == "test" {s = k[$2]} $1 == "metric" && $2 == "dispatch" {print "launch", $3}
			$1 == "metric" && s {print s "." $2, $3}'
}

clpeak() { # LOG CARD
	case $1 in *.xml) clpeak_xml "$1" ;; *) clpeak_rows "$1" ;; esac >"$tmp/rows"
	while read -r what measured; do
		case $what in
		sp.float) got=$(peak "$2" f32 1) ;;
		sp.float4) got=$(peak "$2" f32x4 4) ;;
		dp.double) got=$(peak "$2" f64 1) ;;
		int.int) got=$(peak "$2" i32 1) ;;
		int24.int) got=$(peak "$2" i24 1) ;;
		bw.float) got=$(bandwidth "$2" read) ;;
		bw.float4) got=$(bandwidth "$2" read4) ;;
		lds.float) got=$(pass_on "$2" pass_on 4) ;;
		lds.float2) got=$(pass_on "$2" pass_on2 8) ;;
		lds.float4) got=$(pass_on "$2" pass_on4 16) ;;
		launch) got=$(run "$2" memory nothing --global 64 --local 64 | awk '{print $3}') ;;
		*) continue ;;
		esac
		entry clpeak "$2" "$what" "$measured" "$got"
	done <"$tmp/rows"
}

babelstream() { # SECTION CARD
	awk -v s="$1" '/^### / {on = index($2, s)} on && ($1 == "Copy" || $1 == "Triad") {print $1, $2 / 1e3}' \
		"$dir/bandwidth-latency/babelstream_amd.txt" >"$tmp/rows"
	n=33554432
	while read -r what measured; do
		if [ "$what" = Copy ]; then
			got=$(stream "$2" scale $n 16 --arg to=zero:$n --arg from=zero:$n --arg s=1)
		else
			got=$(stream "$2" triad $n 24 --arg to=zero:$n --arg b=zero:$n --arg c=zero:$n --arg s=1)
		fi
		entry babelstream "$2" "$what" "$measured" "$got"
	done <"$tmp/rows"
}

gpu_stream() { # FILE CARD: the widest launch
	n=33554432
	set -- "$dir/bandwidth-latency/$1" "$2" $(awk '/GB\/s/ {for (i = 1; $i != "GB/s:"; i++); a = $(i + 1) " " $(i + 2) " " \
		$(i + 3) " " $(i + 4)} END {print a}' "$dir/bandwidth-latency/$1")
	entry stream "$2" init "$3" "$(stream "$2" fill $n 8 --arg to=zero:$n --arg s=1)"
	entry stream "$2" read "$4" "$(bandwidth "$2" read4)"
	entry stream "$2" scale "$5" "$(stream "$2" scale $n 16 --arg to=zero:$n --arg from=zero:$n --arg s=2)"
	entry stream "$2" triad "$6" "$(stream "$2" triad4 $n 32 --arg to=zero:$n --arg b=zero:$n --arg c=zero:$n --arg d=zero:$n)"
}

# ---- caches and latencies ----

chase() { # CARD BYTES LINE: cycles of a load, from two lengths of the chase
	n=$(($2 / 4)) step=$(($3 / 4)) lap=$(($2 / $3))
	"$wavesim" "$here/timing/memory.cl" --kernel ring --global $n --local 256 --arg next=zero:$n --arg leap=$step \
		--arg mask=$((n - 1)) --no-reference --no-estimate -q --dump next="$tmp/next.bin" >/dev/null
	for laps in $4; do
		run "$1" memory chase --global 1 --local 1 --arg out=zero:1 --arg next=@"$tmp/next.bin" --arg steps=$((lap * laps))
	done | awk -v lap=$lap -v laps="$4" 'BEGIN {split(laps, l)} {c[NR] = $2}
		END {v = NR > 1 ? (c[2] - c[1]) / lap / (l[2] - l[1]) : c[1] / lap; print v}'
}

at_size() { # FILE KB: measured cycles of the first size of at least that
	awk -v kb="$2" 'NR > 1 && $3 >= kb {print $5; exit}' "$dir/bandwidth-latency/$1"
}

latencies() { # FILE CARD L1-KB L2-KB L3-KB DRAM-KB
	entry latency "$2" L1 "$(at_size "$1" "$3")" "$(chase "$2" $(($3 * 1024)) 128 '16 32')"
	entry latency "$2" L2 "$(at_size "$1" "$4")" "$(chase "$2" $(($4 * 1024)) 128 '2 4')"
	[ "$5" = 0 ] || entry latency "$2" L3 "$(at_size "$1" "$5")" "$(chase "$2" $(($5 * 1024)) 256 '1 2')"
	entry latency "$2" DRAM "$(at_size "$1" "$6")" "$(chase "$2" 33554432 8192 1)"
}

local_latency() { # FILE CARD
	measured=$(awk '/"shared"/ {on = 1} on && /"mean"/ {print $2 + 0; exit}' "$dir/bandwidth-latency/$1")
	for n in 1024 2048; do
		run "$2" memory chase_local --global 1 --local 1 --arg out=zero:1 --arg steps=$n
	done | awk 'NR == 1 {a = $2} END {print ($2 - a) / 1024}' >"$tmp/one"
	entry latency "$2" LDS "$measured" "$(cat "$tmp/one")"
}

cache() { # SET FILE COLUMN CARD ELEMENTS: GB/s when all read one region
	measured=$(awk -v c="$3" '{for (i = 1; i < NF; i++) if ($(i + 1) == "GB/s") {if ($i > best) best = $i; break}}
		END {print best}' "$dir/bandwidth-latency/$2")
	entry "$1" "$4" "$3" "$measured" "$(run "$4" memory again --global 1048576 --local 256 --sample 10 --arg to=zero:1048576 \
		--arg from=zero:"$5" --arg mask=$(($5 - 1)) | awk '{printf "%.1f\n", 1048576 * 256 * 16 / $1 / 1e3}')"
}

strides() { # FILE CARD UNITS: bytes a cycle and compute unit
	for s in 1 2 3 4 5 6 8 12 16; do
		measured=$(awk -v s=$s '$1 == "float" && $2 == "stride" && $3 == s {print $6}' "$dir/bandwidth-latency/$1")
		entry strides "$2" "stride $s" "$measured" "$(run "$2" memory strided --global 1048576 --local 256 --sample 10 \
			--arg to=zero:1048576 --arg from=zero:4096 --arg stride=$s --arg mask=1023 |
			awk -v cu="$3" '{printf "%.1f\n", 1048576 * 1024 * 4 / $2 / cu}')"
	done
}

# Sorted by set and card, with the share that lies within 15 %.
show() {
	[ -s "$tmp/entries" ] || return
	awk -F';' '{r = $4 > 0 ? $5 / $4 : 0; ok = r >= 1 / 1.15 && r <= 1.15
		printf "%-12s %-12s %-10s %12.2f %12.2f %6.2f%s\n", $1, $2, $3, $4, $5, r, ok ? "" : "  *"
		n[$1]++; in15[$1] += ok; all++; good += ok
		if (!seen[$1]++) order[++sets] = $1}
		BEGIN {printf "%-12s %-12s %-10s %12s %12s %6s\n", "set", "card", "entry", "measured", "estimated", "ratio"}
		END {for (i = 1; i <= sets; i++) printf "%-12s %3d entries, %3d within 15 %% (%.0f %%)\n", order[i], n[order[i]],
			in15[order[i]], 100 * in15[order[i]] / n[order[i]]
			printf "%-12s %3d entries, %3d within 15 %% (%.0f %%)\n", "all", all, good, 100 * good / all}' "$tmp/entries"
}

micro() {
	: >"$tmp/entries"
	while read -r log card; do
		if [ -f "$dir/clpeak/$log" ]; then clpeak "$dir/clpeak/$log" "$card"; fi
	done <<-END
		Cypress.log hd5870
		Cayman.log cayman
		Capeverde.log capeverde
		Tahiti.log hd7970
		R7_260X.log r7260x
		R9_290x.log r9290x_oc
		R9_390.log r9390
		AMD_Hawaii_W8100.log w8100
		R9_380X.log r9380x
		R9_Nano.log r9nano
		RX_570.log rx570
		Radeon-VII-Pro.log radeonvii
		Radeon-MI50-PCIeGen3.log mi50
		Radeon-MI50-PCIeGen4.log mi50
		Radeon-MI50-PCIeGen4-rocm3.10.log mi50
		AMD_MI100.log mi100
		AMD_MI250X.log mi250x
		MI300X_VF.xml mi300x
		RX_5500XT.log rx5500xt
	END
	while read -r section card; do
		babelstream "$section" "$card"
	done <<-END
		hip/amd-fiji-nano r9nano
		opencl/amd-r9-fury-x furyx
		opencl/amd-radeon-7970 hd7970
		opencl/amd-radeon-r9-290x.txt r9290x
		furynano/hip r9nano
		furyx/ocl furyx
		BabelStream-large-mi50 mi50
		BabelStream-mi50 mi50
		BabelStream-large-radeonvii_gcc-10.1 radeonvii
		BabelStream-radeonvii_gcc-10.1 radeonvii
	END
	gpu_stream gpu-stream__mi100.txt mi100
	gpu_stream gpu-stream__mi210.txt mi210
	gpu_stream gpu-stream__mi300a.txt mi300a
	gpu_stream gpu-stream__mi300x.txt mi300x
	gpu_stream gpu-stream__rx6900xt.txt rx6900xt_oc
	latencies gpu-latency__mi100.txt mi100 8 1024 0 30000
	latencies gpu-latency__mi210.txt mi210 8 1024 0 30000
	latencies gpu-latency__mi300a.txt mi300a 16 1024 32768 800000
	latencies gpu-latency__mi300x.txt mi300x 16 1024 32768 800000
	latencies gpu-latency__rx6900xt.txt rx6900xt_oc 8 1024 32768 150000
	local_latency mt4g_MI100.json mi100
	local_latency mt4g_MI210.json mi210
	cache cache gpu-cache__mi100.txt L1 mi100 512
	cache cache gpu-cache__mi210.txt L1 mi210 512
	cache cache gpu-cache__mi300x.txt L1 mi300x 512
	cache cache gpu-cache__rx6900xt.txt L0 rx6900xt_oc 512
	cache cache gpu-l2-cache__mi100.txt L2 mi100 65536
	cache cache gpu-l2-cache__mi210.txt L2 mi210 65536
	cache cache gpu-l2-cache__rx6900xt.txt L2 rx6900xt_oc 65536
	strides gpu-strides__mi210.txt mi210 104
	strides gpu-strides__rdna2.txt rx6900xt_oc 80
	show
}

# ---- the sets of kernels ----

# Ratios of padded to unpadded launches, as measured and as estimated.
padding() {
	awk '/"options"/ {o = $0; p = o ~ /use_padding=1/; gsub(/use_padding=[01]/, "", o); sub(/.*--kernel/, "", o)}
		/"measured_us"/ {m = $2 + 0} /"estimate_us"/ {e = $2 + 0; if (e > 0) {M[o, p] = m; E[o, p] = e; all[o]}}
		END {for (o in all) if (((o, 0) in E) && ((o, 1) in E)) {
			r = log((E[o, 1] / E[o, 0]) / (M[o, 1] / M[o, 0])); s += r < 0 ? -r : r; n++}
			if (n) printf "padded / unpadded: %d pairs, mean error of the ratio %.1f %%\n", n, 100 * (exp(s / n) - 1)}' "$1"
}

kernels() { # NAME CONDITION: awk's choice of rows
	table=$here/../traces/published/$1.csv
	# Of sets with a floor also the smallest time, which is the floor of the whole set.
	least=$(awk -F, '$1 == "solver" {c = 3} $1 == "kernel_name" {c = 4} NR > 1 && c && (!t || $c < t) {t = $c; n = NR}
		END {print n}' "$table")
	awk -F, -v every="$every" -v least="${least:-0}" "NR == 1 || NR == least || $2" "$table" >"$tmp/$1.csv"
	"$wavesim" crosscheck "$tmp/$1.csv" --summary --sample 1 --json "$tmp/$1.json" >"$tmp/$1.txt" 2>&1 && return
	cat "$tmp/$1.txt" >&2
	exit 1
}

# Would the sweep have found the best configuration? Of those whose registers do not spill.
choice() {
	table=$here/../traces/published/convolution_mi50.csv
	awk -F, 'BEGIN { OFS = "," } NR == 1 || $11 == 0 { print $1, $2, $3, $4, $5, $6 }' "$table" >"$tmp/points.csv"
	"$wavesim" sweep "$here/../traces/sets/convolution.cl" --points "$tmp/points.csv" --max-local 1024 --sample 1 \
		--local '{block_size_x}x{block_size_y}' --arg out=zero:16777216 --arg in=zero:16892100 \
		--arg weights=random:225 --arg width=4096 --arg height=4096 --global \
		'{ceil(4096,block_size_x*tile_size_x)*block_size_x}x{ceil(4096,block_size_y*tile_size_y)*block_size_y}' \
		--csv "$tmp/ranked.csv" --quiet || return
	awk -F, 'NR == FNR { if (FNR > 1 && $11 == 0) measured[$1, $2, $3, $4, $5, $6] = ($7 + $8) / 2; next }
		FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$2 != "skipped" { k = $at["-D block_size_x"] SUBSEP $at["-D block_size_y"] SUBSEP $at["-D tile_size_x"] SUBSEP \
			$at["-D tile_size_y"] SUBSEP $at["-D use_padding"] SUBSEP $at["-D divides_exactly"]
			p = $at["position"]; n = p > n ? p : n; if (p == 1) first = measured[k]
			if (!best || measured[k] < best) { best = measured[k]; where = p } }
		END { printf "convolution, sweep: the best measured of %d is number %d of the ranking (first %.1f %%); " \
			"the first choice takes %.2f times as long as the best\n", n, where, 100 * where / n, first / best }' \
		"$table" "$tmp/ranked.csv"
}

# Two at a time: the convolutions take as long as all the rest.
{
	kernels convolution_mi50 'NR % every == 2 % every || ($11 == 0 && NR % int((every + 3) / 4) == 0)'
	kernels convolution_w7800 'NR % (2 * every) == 2 % (2 * every) || ($3 * $4 <= 2 && NR % int((every + 1) / 2) == 0)'
} &
convolutions=$!
kernels naive_conv_fwd_mi210 'NR % every == 2 % every'
kernels naive_conv_fwd_mi100 'NR % every == 2 % every'
kernels mi300a_mgpusim 1
for card in h200 h100 h100-advice h200-kernels; do
	"$wavesim" crosscheck "$here/../traces/measured/$card.json" --summary --json "$tmp/$card.json" >"$tmp/$card.txt" 2>&1
done
[ ! -d "$dir" ] || micro
wait $convolutions || exit 1
sed -n '/^[A-Z][A-Za-z]* .*[0-9]$/p; /^family/p; /^no registers/p; /^registers/p; /^all points/p' "$tmp"/*.txt
for set in convolution_mi50 convolution_w7800; do
	printf '%s: ' $set
	padding "$tmp/$set.json"
done
[ "$every" -gt 20 ] || choice
echo
echo "Bands, and how they do on kernels that they were not made from:"
python3 "$here/bands.py" gcn:"$tmp/convolution_mi50.json" gcn:"$tmp/naive_conv_fwd_mi210.json" \
	gcn:"$tmp/naive_conv_fwd_mi100.json" gcn:"$tmp/mi300a_mgpusim.json" rdna:"$tmp/convolution_w7800.json" \
	nvidia-probes:"$tmp/h200.json" nvidia-probes:"$tmp/h100.json" nvidia:"$here/../traces/measured/h100-programs.csv" \
	nvidia:"$here/../traces/measured/h200-recorded.csv" nvidia:"$here/../traces/measured/h200-apart.csv" \
	nvidia:"$here/../traces/measured/h200-libraries.csv" nvidia:"$here/../traces/measured/h200-unseen.csv" \
	nvidia:"$here/../traces/measured/h200-unseen2.csv" \
	2>&1 >"$tmp/bands.def" || exit 1
[ -z "$bands" ] || cp "$tmp/bands.def" "$bands"
# What this took of processors: elapsed time says little on a machine that does other things too.
times >"$tmp/times"
sed -n '2s/^\([^ ]*\) \(.*\)/Processor time: \1 of programs, \2 of the system for them/p' "$tmp/times"
