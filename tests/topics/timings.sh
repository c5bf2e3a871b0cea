# Estimates beside measured times.

crosscheck() { # name, file, options: how far estimates may be off
	: >"$scratch/why"
	name=$1
	shift
	if "$wavesim" crosscheck "$@" --summary >"$scratch/why" 2>&1; then
		awk -v n="$name" '/^all points/ {print n ": " $3 " points, Spearman " $4 ", median " $6 " %"}' "$scratch/why"
		ok
	else
		bad "$name"
	fi
}

# The header and one row in so many of those that are wanted.
sampled() { # table, rows, condition
	mkdir -p "$scratch/sampled"
	awk -F, -v n="$2" "NR == 1 || (${3:-1}) && i++ % n == 0" "$1" >"$scratch/sampled/${1##*/}"
}

# A store with one in so many runs of each family, but at least one; which ones differs from family to family.
some_runs() { # file, how many
	jq -c --argjson n "$2" '(.launch | map({(.key): .family}) | add) as $family |
		[.run | group_by($family[.launch]) | to_entries[] | .key as $at | (.value | length) as $all | .value |
			to_entries[] | select(.key % $n == $at % ([$n, $all] | min)) | .value] as $runs |
		($runs | map({(.key): true}) | add) as $is | .run = $runs | .sample |= map(select($is[.run]))' "$1"
}

timings() {
	p=$passed f=$failed
	# One in twenty points of each family of probes, and one of small ones, as the card's table has them: so that it is today's,
	# and the bands follow from it.
	for card in h200 h100; do
		some_runs "$root/traces/measured/$card.json" 20 >"$scratch/$card.json"
		crosscheck $card "$scratch/$card.json" --min-spearman 0.95 --max-median 20 --max-p90 60 \
			--json "$scratch/$card-estimates.json"
		of_llvm_15 "the table of $card" || continue
		jq -r '.points[] | [.family, .x, .estimate_us, .bound_by] | @tsv' "$scratch/$card-estimates.json" |
			awk 'NR == FNR { if (NF == 6) { us[$1, $2 + 0] = $4; by[$1, $2 + 0] = $6 } next }
				{ k = $1 SUBSEP $2 + 0; d = us[k] - $3; n++
				  if (by[k] != $4 || d > 0.002 * $3 || d < -0.002 * $3)
					print $1, $2 ": " $3, $4 ", in the table " us[k], by[k] }
				END { if (!n) print "no points" }' "$root/traces/measured/$card-crosscheck.txt" - \
			>"$scratch/why" 2>&1 || echo "no table" >>"$scratch/why"
		[ -s "$scratch/why" ] && bad "$card-crosscheck.txt is not what wavesim crosscheck traces/measured/$card.json prints" || ok
	done
	crosscheck h200-kernels "$root/traces/measured/h200-kernels.json" --min-spearman 0.9 --max-median 15 --max-p90 50
	if of_llvm_15 "bands of NVIDIA"; then
		python3 "$root/tests/bands.py" --check "$root/models/timing/bands.def" \
			nvidia-probes:"$root/traces/measured/h200-crosscheck.txt" nvidia-probes:"$root/traces/measured/h100-crosscheck.txt" \
			nvidia:"$root/traces/measured/h100-programs.csv" nvidia:"$root/traces/measured/h200-recorded.csv" \
			nvidia:"$root/traces/measured/h200-apart.csv" nvidia:"$root/traces/measured/h200-libraries.csv" nvidia:"$root/traces/measured/h200-unseen.csv" \
			nvidia:"$root/traces/measured/h200-unseen2.csv" \
			>"$scratch/why" 2>&1 && ok || bad "bands of NVIDIA"
	fi
	# (The MI100's 277th row has buffers of 20 GB, more than a launch may have here.)
	for table in "naive_conv_fwd_mi210 92 0.8 50" "naive_conv_fwd_mi100 90 0.8 50" "mi300a_mgpusim 13 0.9 30" \
		"convolution_mi50 31 0.5 60 \$11==0" "convolution_w7800 78 0.5 60 \$3*\$4<=2"; do
		set -- $table # the last is the condition for registers that do not spill, of which less can be said
		sampled "$root/traces/published/$1.csv" "$2" "${5:-}"
		crosscheck "$1" "$scratch/sampled/$1.csv" --sample 1 --min-spearman "$3" --max-median "$4"
		grep -q 'without an estimate' "$scratch/why" && bad "$1: rows without an estimate"
	done
	if [ -d "${MEASURED:-}" ]; then
		rm -rf "$scratch/sampled"
		for table in "$MEASURED"/*.csv; do
			[ -f "$table" ] && sampled "$table" 92
		done
		crosscheck "$MEASURED" "$scratch/sampled" --sample 1 --min-spearman 0.7 --max-median 100
	else
		echo "SKIP timings of others: MEASURED names no folder of them"
	fi
	summary timings $p $f
}
