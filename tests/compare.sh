#!/bin/sh
# The lessons' pairs through `wavesim compare` (E1 to E12 of lessons/README.md):  compare.sh WAVESIM
# Whether the results are equal, and the numbers that a pair is about. The last line is
# "N passed, M failed".
set -u
. "$(dirname "$0")/check.sh"
cd "$(dirname "$0")/../lessons" || exit 2

# Runs compare; the exit status must be $1.
pair() { # status, words
	want=$1
	shift
	name=$*
	"$wavesim" compare "$@" --no-reference --json "$scratch/json" --quiet 2>"$scratch/err"
	status=$?
	[ $status = "$want" ]
	check "$name: exit status $status, expected $want" $?
}

# The two numbers of a metric must fulfil an expression of a (before) and b (after).
metric() { # id, expression
	tr -d '\t,' <"$scratch/json" | awk -F: -v id="\"$1\"" '
		$1 == "\"id\"" { on = $2 == id }
		on && $1 == "\"before\"" { a = $2 }
		on && $1 == "\"after\"" { b = $2; found = 1; on = 0 }
		END { if (!found || a == "null" || b == "null") exit 1; exit !('"$2"') }'
	check "$name: $1: $2" $?
}

has() { # what must stand in the JSON
	grep -qF "$1" "$scratch/json"
	check "$name: $1" $?
}

# E1: half of the lanes in two runs of the function, or all of them in one
pair 0 divergence-swap/before.cl divergence-swap/after.cl
metric divergent_branches 'a == 64 && b == 0'
metric time_us 'b < 0.6 * a'

# E2: the article's table reads out of bounds and changes the results; the right one does neither
pair 1 else-if-chain/chain.cl else-if-chain/table.cl
has '"id":	"out_of_bounds"'
has '"id":	"different"'
has '"line":	35'
pair 0 else-if-chain/chain.cl else-if-chain/fixed.cl
pair 0 else-if-chain/chain-work.cl else-if-chain/table-work.cl
metric time_us 'b < 0.5 * a'
metric serialized_wave_instructions 'a > 0 && b == 0'

# E3: the article's rewrite is not equivalent, and which input shows it
pair 1 bound-search/chain.cl bound-search/wrong.cl
has '"name":	"in"'
pair 0 bound-search/chain.cl bound-search/wrong.cl --arg 'in=random(0.87,1):16384'
pair 0 bound-search/chain.cl bound-search/count.cl
pair 0 bound-search/chain-loads.cl bound-search/count-loads.cl
metric divergent_branches 'a > 0 && b == 0'

# E4
pair 0 switch-merge/before.cl switch-merge/after.cl
metric serialized_wave_instructions 'b < a / 4'
metric time_us 'b < 0.6 * a'

# E5: 25, 20 and 12 registers on HD 5870 in work-groups of 256
pair 0 occupancy-evergreen/registers.cl --device hd5870 --local 256 --options-a '-D LIVE=25' --options-b '-D LIVE=25 --wave 64'
metric waves_per_simd 'a == 8 && b == 8'
pair 1 occupancy-evergreen/registers.cl --device hd5870 --local 256 --options-a '-D LIVE=20' --options-b '-D LIVE=12'
metric waves_per_simd 'a == 12 && b == 20'

# E6
pair 0 register-use/branch.cl register-use/select.cl

# E7: 14 conflicts at a stride of 8, 2 at 10, 6 at 12
pair 1 bank-stride/stride.cl --arg-a stride=1 --arg-b stride=8
metric lds_conflict_cycles 'a == 0 && b == 14'
pair 1 bank-stride/stride.cl --arg-a stride=10 --arg-b stride=12
metric lds_conflict_cycles 'a == 2 && b == 6'

# E8: what is better on one chip is worse on the other
pair 0 lds-wide/plain.cl lds-wide/packed.cl --device hd5870
metric lds_conflict_cycles 'a > 0 && b == 0'
metric time_us 'b < a'
pair 0 lds-wide/plain.cl lds-wide/packed.cl --device mi50
metric lds_conflict_cycles 'a == 0 && b > 0'
metric lds_cycles 'b > 1.5 * a'

# E9
pair 0 prefix-sum/plain.cl prefix-sum/padded.cl
metric lds_conflict_cycles 'a > 1000 && b * 20 < a'

# E10
pair 0 convolution-bounds/tests.cl convolution-bounds/padded.cl
metric divergent_branches 'a > 0 && b == 0'
pair 0 convolution-bounds/tests.cl convolution-bounds/clamp.cl
pair 0 convolution-bounds/tests.cl convolution-bounds/padded.cl --wave 16

# E11
pair 0 vload-order/expression.cl vload-order/steps.cl
metric vgprs 'a == b'
metric waves_per_simd 'a == b'

# E12: nobody waits, and banks are left alone
for name in reduce scan compact transpose sort; do
	pair 0 sub-groups/$name-lds.cl sub-groups/$name-lanes.cl
	metric lds_cycles 'b < a / 4'
done
metric time_us 'b < 0.9 * a'
pair 0 sub-groups/sort-lds.cl sub-groups/sort-lanes.cl --device rx6900xt
metric time_us 'b < 0.8 * a'

# The band of a ratio: of one kernel narrower than of two, and a verdict only where it leaves out 1.
cat >"$scratch/turns.cl" <<'END'
kernel void turns(global float *a, int n)
{
	float x = a[get_global_id(0)];
	for (int i = 0; i < n; i++)
		x = x * 0.5f + 1;
	a[get_global_id(0)] = x;
}
END
ratio() { # verdict, words
	verdict=$1
	shift
	"$wavesim" compare "$@" --json "$scratch/json" --quiet 2>"$scratch/err"
	[ "$(jq -r .verdict.id "$scratch/json")" = "$verdict" ] &&
		jq -e '.verdict | .time_ratio_low < .time_ratio and .time_ratio < .time_ratio_high' "$scratch/json" >/dev/null
	check "$*: verdict $verdict" $?
	jq '.verdict | .time_ratio_high / .time_ratio' "$scratch/json" >>"$scratch/factors"
}
: >"$scratch/factors"
for turns in 100 128 200; do # saved, or results that differ would be the verdict
	"$wavesim" "$scratch/turns.cl" --arg n=$turns --global 262144 --no-reference -q --json "$scratch/$turns.json"
done
ratio likely_slower "$scratch/100.json" "$scratch/128.json"
ratio slower "$scratch/100.json" "$scratch/200.json"
ratio likely_faster "$scratch/128.json" "$scratch/100.json"
ratio equal "$scratch/turns.cl" "$scratch/turns.cl" --arg n=100 --global 262144 --no-reference --options-b '-D UNUSED'
ratio equal "$scratch/turns.cl" "$scratch/turns.cl" --arg n=100 --global 262144 --no-reference --device hd7970 --device-b hd7970
factor() { # words: what the ratio may be off
	"$wavesim" compare "$@" --json "$scratch/json" --quiet 2>"$scratch/err"
	jq '.verdict | .time_ratio_high / .time_ratio' "$scratch/json"
}

# A saved report knows whether it is of the same source; another source is another kernel.
same=$(sed -n 4p "$scratch/factors")
sed 's/0.5f/0.25f/' "$scratch/turns.cl" >"$scratch/other.cl"
saved=$(factor "$scratch/100.json" "$scratch/turns.cl" --arg n=128 --global 262144 --no-reference)
other=$(factor "$scratch/100.json" "$scratch/other.cl" --arg n=128 --global 262144 --no-reference)
awk -v a="$same" -v b="$saved" -v c="$other" 'BEGIN { exit !(a - b < 0.001 && b - a < 0.001 && c > b + 0.001) }'
check "a saved report of the same source has the band of one kernel: $same, $saved, of another: $other" $?

# Measured ratios of more than four times have a band of their own; estimates from the IR and samples of uneven
# work-groups a wider one.
far=$(factor "$scratch/turns.cl" "$scratch/turns.cl" --arg n=100 --arg-b n=2000 --global 262144 --no-reference)
ir=$(factor "$scratch/turns.cl" "$scratch/turns.cl" --arg n=100 --arg-b n=160 --global 262144 --wave 32 --no-reference)
awk -v a="$same" -v far="$far" -v ir="$ir" 'BEGIN { exit !(far > a + 0.01 && ir > 1.5 * a) }'
check "bands of ratios: $same, past four times $far, from the IR $ir" $?
cat >"$scratch/uneven.cl" <<'END'
kernel void uneven(global float *a, int n)
{
	float x = a[get_global_id(0)];
	for (int i = 0; i < n * (get_group_id(0) % 7 ? 1 : 60); i++)
		x = x * 0.5f + 1;
	a[get_global_id(0)] = x;
}
END
all=$(factor "$scratch/uneven.cl" "$scratch/uneven.cl" --arg n=20 --arg-b n=30 --global 65536 --no-reference)
part=$(factor "$scratch/uneven.cl" "$scratch/uneven.cl" --arg n=20 --arg-b n=30 --global 65536 --no-reference --sample 1)
awk -v a="$all" -v b="$part" 'BEGIN { exit !(b > 1.1 * a) }'
check "the band of a ratio of samples is wider: $all, $part" $?

# A sweep's ties are what compare calls no difference.
"$wavesim" sweep "$scratch/turns.cl" --arg n=100,140,200 --global 262144 --no-reference -q --json "$scratch/json" 2>"$scratch/err"
[ "$(jq -r '[.points[] | select(.ties_best) | .settings["--arg n"]] | join(" ")' "$scratch/json")" = "100 140" ]
check "a sweep's ties: 100 and 140 turns, not 200" $?

finish
