#!/bin/sh
# versions.sh WAVESIM: counts, registers and time of every kernel of the lessons on mi50 must be those of docs/versions.md
# for the LLVM that it is built with: a table for 15, and of each other version the rows that differ. GOLDEN=1
# writes that version's table anew. LLVM names the version.
set -u
wavesim=$1
root=$(cd "$(dirname "$0")/.." && pwd)
page=$root/docs/versions.md
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$root" || exit 2

for kernel in lessons/*/*.cl; do
	"$wavesim" "$kernel" --no-reference --quiet --json - 2>/dev/null | jq -r --arg k "${kernel#lessons/}" '
		def r: . * 10 | round / 10;
		[$k, .divergence.wave_instructions, (.divergence.lane_utilization * 100 | r), .divergence.branches,
		 .divergence.divergent_branches, .lds.accesses, .lds.actual_cycles, .lds.conflict_cycles, .memory.accesses,
		 .memory.actual_lines, .resources.vgprs, .resources.sgprs, (.estimate.time_us * 100 | round / 100)] |
		"| " + (map(tostring) | join(" | ")) + " |"'
done >"$scratch/now"

rows() { # version: its rows
	awk -v want="## LLVM $1" '/^## / { on = $0 == want } on && /^\| [a-z-]*\//' "$page"
}
# What another version makes otherwise replaces the row of 15.
rows 15 >"$scratch/15"
if [ "$LLVM" = 15 ]; then
	cp "$scratch/15" "$scratch/want"
else
	rows "$LLVM" >"$scratch/other"
	awk -F'|' 'NR == FNR { other[$2] = $0; next } { print $2 in other ? other[$2] : $0 }' \
		"$scratch/other" "$scratch/15" >"$scratch/want"
fi

if [ -n "${GOLDEN:-}" ]; then
	[ "$LLVM" = 15 ] && cp "$scratch/now" "$scratch/rows" || grep -vxFf "$scratch/15" "$scratch/now" >"$scratch/rows"
	grep -qx "## LLVM $LLVM" "$page" || printf '\n## LLVM %s\n' "$LLVM" >>"$page"
	awk -v want="## LLVM $LLVM" -v rows="$scratch/rows" '
		/^## / { on = $0 == want }
		on && /^\|/ { next }
		{ print }
		$0 == want {
			print "\n| Kernel | instructions | lanes % | branches | divergent | LDS accesses | LDS cycles | conflicts | memory accesses | lines | VGPRs | SGPRs | us |"
			print "|---|---|---|---|---|---|---|---|---|---|---|---|---|"
			while ((getline row < rows) > 0) print row
		}' "$page" | cat -s >"$scratch/page" && cp "$scratch/page" "$page"
	cp "$scratch/now" "$scratch/want"
fi
diff "$scratch/want" "$scratch/now" | grep '^[<>]'
differ=$(diff "$scratch/want" "$scratch/now" | grep -c '^>')
echo "$(($(wc -l <"$scratch/now") - differ)) passed, $differ failed"
