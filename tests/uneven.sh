#!/bin/sh
# Launches whose work-groups differ (tests/timing/irregular.cl): the estimate as against that of all compute units, which
# --time-cus plays, and the order of a sweep's points.
#
#   tests/uneven.sh WAVESIM     SHOW=1: print the times
set -u
. "$(dirname "$0")/check.sh"
here=$(cd "$(dirname "$0")" && pwd)
n=32768

time_us() { # OPTIONS…
	"$wavesim" "$here/timing/irregular.cl" --no-reference --no-what-if --no-advice -q --json "$scratch/json" "$@" >/dev/null 2>"$scratch/err" ||
		{ cat "$scratch/err" >&2; echo 0; return; }
	awk '/"time_us"/ {print $2 + 0; exit}' "$scratch/json"
}

compared() { # KERNEL OPTIONS…
	kernel=$1
	shift
	usual=$(time_us --kernel "$kernel" "$@")
	units=$(awk '/"units_played"/ {print $2 + 0; exit}' "$scratch/json")
	all=$(time_us --kernel "$kernel" "$@" --time-cus 65536)
	said="$kernel: $usual us with $units units, $all us with all"
	[ -z "${SHOW:-}" ] || echo "$said"
	awk -v a="$usual" -v b="$all" 'BEGIN {exit !(a > 0 && b > 0 && a < b * 1.1 && b < a * 1.1)}'
	check "$said" $?
}

python3 - "$scratch" $n <<'END'
# Raw files. length / (a hash of the row + 1): a few rows are a thousand times as long as most.
import sys
from array import array
folder, n = sys.argv[1], int(sys.argv[2])

def put(name, values, kind="i"):
    array(kind, values).tofile(open("%s/%s" % (folder, name), "wb"))

def scattered(count, below):
    return [(i * 2654435761 >> 7) % below for i in range(count)]

def starts(rows, length):
    at = [0]
    for i in range(rows):
        at.append(at[-1] + 1 + length // (1 + (i * 40503 + 12345) % 65536))
    return at

rows = starts(n, 20000)
put("starts", rows)
put("sums", rows[1:])
put("columns", scattered(rows[-1], n))
put("values", [1 + i % 7 for i in range(rows[-1])], "f")
put("to", [0] * rows[-1], "f")
put("levels", [i * 40503 % 97 % 4 for i in range(n)])
put("rows", range(0, n, 2))
bits = starts(8192, 60000)
put("blocks", bits)
put("bits", [(i * 2654435761 ^ i >> 3) & 0xffffffff for i in range(bits[-1] // 32 + 1)], "I")
put("text", [97 if 9000 < i < 13000 or i * 7919 % 101 < 5 else 98 for i in range(40000)], "b")
put("pattern", [97] * 2048, "b")
put("keys", [i % 4 if i * 40503 % 97 < 90 else i % 256 for i in range(n)])
put("weights", [1 + 6000 // (1 + (i * 40503 + 77) % 65536) for i in range(n)])
END
f() { # NAME=FILE…: as arguments
	for pair; do printf -- '--arg %s=@%s/%s ' "${pair%%=*}" "$scratch" "${pair#*=}"; done
}

compared spmv --global $n --local 64 --arg y=zero:$n --arg x=random:$n $(f values=values columns=columns starts=starts)
compared mandelbrot --global 256,256 --local 16,16 --arg out=zero:65536 --arg most=1000
compared frontier --global $n --local 64 --arg next=zero:$n --arg level=1 $(f levels=levels edges=columns starts=starts)
compared raymarch --global 256,256 --local 8,8 --arg out=zero:65536
compared queens --global 128 --local 64 --arg out=zero:128 --arg n=10
compared resample --global $n --local 64 --arg from=random:$n $(f to=to sums=sums)
compared match --global 32768 --local 64 --arg out=zero:32768 --arg most=2048 $(f text=text pattern=pattern)
compared solve --global 16384 --local 64 --arg x=zero:$n --arg b=random:$n $(f values=values columns=columns starts=starts rows=rows)
compared histogram --global $n --local 64 --arg bins=zero:256 $(f keys=keys weights=weights)
compared decode --global 8192 --local 64 --arg out=zero:8192 $(f bits=bits starts=blocks)

# Work-groups that each have a unit last as long as the first of them alone.
alone=$(time_us --kernel triangle --global 64 --local 64 --arg out=zero:64 --arg rows=256 --arg turns=12000)
beside=$(time_us --kernel triangle --global 256 --local 64 --arg out=zero:256 --arg rows=256 --arg turns=12000)
awk -v a="$alone" -v b="$beside" 'BEGIN {exit !(a > 0 && b > 0 && a < b * 1.1 && b < a * 1.1)}'
check "a launch whose record is cut off: $beside us, its longest work-group alone $alone us" $?

# Work that wavefronts take by an atomic: the first has it all here. The report says so, and the band has the time of the
# same work shared out beforehand.
for device in h200 mi210; do
	for kernel in shared taken; do
		"$wavesim" "$here/timing/taken.cl" --kernel $kernel --device $device --global 4096 --local 64 --arg next=zero:1 \
			--arg o=zero:100000 --arg n=100000 --no-reference --quiet --json "$scratch/$kernel" >/dev/null 2>"$scratch/err"
	done
	python3 - "$scratch" <<'END'
import json, sys
taken, shared = [json.load(open("%s/%s" % (sys.argv[1], k)))["estimate"] for k in ("taken", "shared")]
print(taken["doubts"], taken["low_us"], taken["time_us"], "shared:", shared["doubts"], shared["time_us"])
sys.exit(not ("taken" in taken["doubts"] and "taken" not in shared["doubts"] and
              taken["low_us"] < shared["time_us"] < taken["time_us"] / 10))
END
	check "work taken by an atomic on $device" $?
done

# Of a launch that is hardly longer than it takes to start one, too, the band reaches no less far down.
for kernel in shared taken; do
	"$wavesim" "$here/timing/taken.cl" --kernel $kernel --device h200 --global 256 --local 64 --arg next=zero:1 \
		--arg o=zero:1000 --arg n=30 --no-reference --quiet --json "$scratch/$kernel" >/dev/null 2>"$scratch/err"
done
python3 - "$scratch" <<'END'
import json, sys
taken, shared = [json.load(open("%s/%s" % (sys.argv[1], k)))["estimate"] for k in ("taken", "shared")]
sys.exit(not ("taken" in taken["doubts"] and taken["low_us"] / taken["time_us"] <= 1.01 * shared["low_us"] / shared["time_us"]))
END
check "little work taken by an atomic" $?

# The points of a sweep, best first: shape and time.
ranked() { # OPTIONS…
	"$wavesim" sweep "$here/timing/irregular.cl" --kernel mandelbrot --global 256x256 --local 4x16,8x8,16x16,32x16,64x1 \
		--arg out=zero:65536 --arg most=1000 --no-reference --csv "$scratch/sweep.csv" --quiet "$@" 2>"$scratch/err" || cat "$scratch/err"
	awk -F, 'FNR == 1 {for (i = 1; i <= NF; i++) at[$i] = i; next} {print $at["position"], $at["local"], $at["time_us"]}' \
		"$scratch/sweep.csv" | sort -n
}
ranked >"$scratch/usual"
ranked --time-cus 65536 >"$scratch/all"
# Two points may change places where all units say that they differ by 3 % or less.
awk 'NR == FNR {t[$2] = $3; next} !($2 in t) || t[$2] * 1.03 < last {bad = 1} {last = t[$2] > last ? t[$2] : last; n++}
	END {exit bad || n != 5}' "$scratch/all" "$scratch/usual"
check "the order of a sweep: $(cat "$scratch/usual"); with all units: $(cat "$scratch/all")" $?
finish
