# Topics side by side, and what they came to.

# Topics side by side, TEST_JOBS at a time, what takes longest first; `programs` in as many parts. What a topic says comes
# when it has ended.
side_by_side() { # topics
	n=${TEST_JOBS:-$(nproc)}
	mkdir "$scratch/cache"
	export TEST_CACHE="${TEST_CACHE:-$scratch/cache}"
	for topic; do
		[ "$topic" = programs ] || { echo "$topic"; continue; }
		for k in $(seq "$n"); do echo "programs $n $k"; done
	done >"$scratch/topics"
	export here wavesim build scratch
	xargs -P "$n" -L 1 sh -c '
		out=$scratch/part.$1${3:+.$3}
		start=$(date +%s)
		TEST_EVERY=${2:-1} TEST_FIRST=${3:-1} sh "$here/run.sh" "$1" "$wavesim" "$build" >"$out" 2>&1
		[ "$1" = programs ] && hide=" passed, [0-9]* failed\$" || hide="^[0-9]* passed, [0-9]* failed\$"
		{ grep -v -e "$hide" "$out"; echo "($1${3:+ $3}: $(($(date +%s) - start)) s)"; } >"$out.said"
		flock "$scratch/topics" cat "$out.said"
		true' part <"$scratch/topics"
	rm -f "$scratch"/part.*.said
	while read -r topic n k; do # also what was never started
		part=$topic${k:+.$k}
		[ -f "$scratch/part.$part" ] || : >"$scratch/part.$part"
		tally "$part" "$scratch/part.$part"
	done <"$scratch/topics"
	if grep -q '^programs ' "$scratch/topics"; then programs_tally; fi
	failures
}

# What all parts of `programs` came to.
programs_tally() {
	for name in cases "bad input" findings lessons formats "random programs" "racy random programs, 1, 2, 7 and 8 threads" \
		sweeps; do
		cat "$scratch"/part.programs.* | awk -v name="$name" -F': ' \
			'$1 == name { split($2, n, " "); p += n[1]; f += n[3] }
			 END { printf "%s: %d passed, %d failed\n", name, p, f }'
	done
}

# The first failures again, with the beginning of why, where whoever reads only the end sees them.
failures() {
	[ $failed = 0 ] && return
	echo "Failed:"
	while read -r topic n k; do
		part=$topic${k:+.$k}
		awk -v part="$part" '
			/^FAIL / { said = 1; lines = 6 }
			!/^(FAIL|[ \t])/ { lines = 0 }
			lines-- > 0 { print "  " $0 }
			{ last = $0 }
			END { if (!said && last !~ /^[0-9]+ passed, 0 failed$/) print "  FAIL " part ": see above" }' "$scratch/part.$part"
	done <"$scratch/topics" | head -40
}
