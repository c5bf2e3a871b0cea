# Topics that run programs of the build: suites, faults, random programs, fuzz targets; what the sources include.

engine() {
	p=$passed f=$failed
	WAVESIM_HELPER=${WAVESIM_HELPER:-$(dirname "$wavesim")/wavesim-helper} "$build/tests/engine/counts" >"$scratch/engine" 2>&1
	status=$?
	if [ $status = 0 ] && diff "$here/engine/expect.txt" "$scratch/engine" >"$scratch/why"; then
		ok
	else
		bad "engine: status $status"
	fi
	summary engine $p $f
}

faults() {
	p=$passed f=$failed
	for drawn in "10 90 all" "20 90 float"; do # faults that change a result, percent of them
		# shellcheck disable=SC2086
		WAVESIM_HELPER=${WAVESIM_HELPER:-$(dirname "$wavesim")/wavesim-helper} "$build/tests/engine/faults" \
			"$here/cases" 1 $drawn "$scratch/faults" >"$scratch/why" 2>&1 && ok || bad "faults: too few reported"
		tail -1 "$scratch/why"
	done
	summary faults $p $f
}

unit() {
	(cd "$root" && "$build/tests/run") >"$scratch/unit" 2>&1
	status=$?
	grep -v '^$' "$scratch/unit"
	line=$(grep '^unit: ' "$scratch/unit" | tail -1)
	if [ -z "$line" ]; then
		echo "FAIL unit: the runner ended early with status $status"
		failed=$((failed + 1))
		return
	fi
	passed=$((passed + $(echo "$line" | sed 's/unit: \([0-9]*\) .*/\1/')))
	failed=$((failed + $(echo "$line" | sed 's/.*, \([0-9]*\) failed/\1/')))
}

layers() {
	: >"$scratch/why"
	if sh "$here/layers.sh" "$build" >"$scratch/why" 2>&1; then ok; else bad layers; fi
	if sh "$here/ops.sh" >"$scratch/why" 2>&1; then ok; else bad ops; fi
	if sh "$here/side.sh" >"$scratch/why" 2>&1; then ok; else bad "side by side"; fi
	# What is loaded into other programs lacks nothing of ours: the linker leaves that to the loader.
	nm --defined-only --extern-only "$build"/*/*.o "$build"/*/*/*.o 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u >"$scratch/ours"
	for loaded in libwavesim-layer.so hip/libamdhip64.so.5 libwavesim.so.0; do
		[ -f "${wavesim%/*}/$loaded" ] || continue
		nm -D --undefined-only "${wavesim%/*}/$loaded" | awk '{ print $2 }' | sort -u | comm -12 - "$scratch/ours" >"$scratch/why"
		if [ ! -s "$scratch/why" ]; then ok; else bad "$loaded lacks"; fi
	done
	LLVM=clang sh "$here/deps.sh" llvm >"$scratch/why" 2>&1
	if [ $? = 2 ] && grep -q '^LLVM=clang: this is no version' "$scratch/why"; then ok; else bad "LLVM=clang"; fi
}

# Random programs; GEN_SEEDS="1 2 3" or a count (default 24). RACE_SEEDS: how many racy ones (default 6).
gen() {
	p=$passed f=$failed
	mkdir -p "$scratch/gen"
	cd "$scratch/gen" || exit 2
	for seed in $(case ${GEN_SEEDS:-24} in *" "*) echo "$GEN_SEEDS" ;; *) seq "${GEN_SEEDS:-24}" ;; esac); do
		chosen || continue
		: >"$scratch/why"
		"$build/tests/gen/gen" "$seed" --out random.cl
		if equal_to_pocl random.cl; then ok; else bad "random program $seed"; fi
	done
	cd "$root" || exit 2
	summary "random programs" $p $f
	p=$passed f=$failed
	for seed in $(seq "${RACE_SEEDS:-6}"); do
		chosen || continue
		if sh "$here/gen/threads.sh" "$wavesim" "$build/tests/gen/gen" "$seed" "$seed" >"$scratch/why" 2>&1; then
			ok
		else
			bad "racy program $seed"
		fi
	done
	summary "racy random programs, 1, 2, 7 and 8 threads" $p $f
}

fuzz_corpus() {
	p=$passed f=$failed
	sh "$here/fuzz/seeds.sh" "$scratch/seeds"
	for target in "$build"/tests/fuzz/replay_*; do
		case $target in *.[od]) continue ;; esac
		name=fuzz_${target##*/replay_}
		if find "$here/fuzz/corpus/$name" "$scratch/seeds/$name" -type f -print0 2>/dev/null | sort -z |
			(cd "$here/.." && xargs -0 "$target" >"$scratch/why" 2>&1); then
			ok
		else
			bad "$name"
		fi
	done
	summary "fuzz corpus" $p $f
}
