# The lessons: what they find, every format of their reports, what their pages say.

all_formats() { # file, where to, without the ending; options
	file=$1 to=$2
	shift 2
	"$wavesim" "$file" "$@" --json "$to.json" --sarif "$to.sarif" --trace-events "$to.trace" --csv "$to.csv" \
		--lcov "$to.lcov" --collapsed "$to.cycles.folded" >"$scratch/out" 2>"$scratch/err"
}

lessons() {
	p=$passed f=$failed
	cd "$root" || exit 2
	mkdir -p "$scratch/formats"
	for kernel in lessons/*/*.cl; do
		[ -f "$kernel" ] && chosen || continue
		: >"$scratch/why"
		want=$(sed -n "s|^$kernel ||p" "$(expected_file "$here/lessons.findings")")
		name=$scratch/formats/$(echo "${kernel%.cl}" | tr / -)
		all_formats "$kernel" "$name"
		have=$(sed -n 's/^\t*\(}, {\)\{0,1\}[\t]*"id":\t"\([a-z_]*\)",/\2/p' "$name.json" | tr '\n' ' ')
		[ "$have" = "$want${want:+ }" ] || echo "findings: $have, expected $want" >"$scratch/why"
		case $want in
		*out_of_bounds*) ;;
		*) grep -q '"status":	"\(equal\|nothing\)"' "$name.json" || echo "outputs differ from PoCL's" >>"$scratch/why" ;;
		esac
		if [ -s "$scratch/why" ]; then bad "$kernel"; else ok; fi
		[ "$kernel" = lessons/prefix-sum/plain.cl ] || continue
		for weight in instructions idle_lanes conflicts lines; do
			"$wavesim" "$kernel" --no-reference --collapsed "$name.$weight.folded" --weight $weight --log /dev/null
		done
	done
	for file in "$here"/formats/*; do # sources that are hard to write down, or that fill keys which lessons do not
		name=${file##*/}
		all_formats "$file" "$scratch/formats/${name%.*}"
	done
	all_formats "$here/formats/sample.cl" "$scratch/formats/tenth" --sample 10
	all_formats "$here/formats/sample.cl" "$scratch/formats/warm" --warm
	for pair in else-if-chain/chain:else-if-chain/table bound-search/chain:bound-search/wrong \
		divergence-swap/before:divergence-swap/after; do
		"$wavesim" compare "lessons/${pair%:*}.cl" "lessons/${pair#*:}.cl" --quiet \
			--json "$scratch/formats/$(echo "$pair" | tr /: --).compare"
	done
	"$wavesim" sweep lessons/bank-stride/stride.cl --arg stride=1,8 --local 64,2048 \
		--json "$scratch/formats/stride.sweep" >"$scratch/out"
	"$wavesim" occupancy lessons/bank-stride/stride.cl --json "$scratch/formats/stride.occupancy" >"$scratch/out"
	"$wavesim" occupancy lessons/bank-stride/stride.cl --device hd5870 --json "$scratch/formats/hd5870.occupancy" \
		>"$scratch/out"
	"$wavesim" occupancy --device mi50 --vgprs 31 --json "$scratch/formats/given.occupancy" >"$scratch/out"
	summary lessons $p $f
	script formats "$here/formats.py" schema/report.schema.json "$scratch/formats"
}

# What the lessons' pages say, from their runs.
pages() {
	of_llvm_15 pages || return
	p=$passed f=$failed
	"$wavesim" lesson --check >"$scratch/pages" 2>"$scratch/why"
	status=$?
	passed=$((passed + $(grep -c '^holds ' "$scratch/pages")))
	grep -v '^holds ' "$scratch/pages" >"$scratch/differs"
	while read -r line; do bad "lesson: $line"; done <"$scratch/differs"
	[ -s "$scratch/pages" ] || bad "no lessons"
	[ $status = 0 ] || [ -s "$scratch/differs" ] || bad "lesson --check: exit status $status"
	summary pages $p $f
}
