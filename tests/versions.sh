#!/bin/sh
# versions.sh WAVESIM: counts, registers and time of every kernel of the lessons on mi50 must be those of docs/versions.md
# for the LLVM that it is built with: a table for 15, and of each other version the rows that differ. GOLDEN=1
# writes the last of these tables anew. LLVM names the version.
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

rows() { # table: its rows
	awk -v want="## $1" '/^## / { on = $0 == want } on && /^\| [a-z-]*\//' "$page"
}
# A table after the first has the rows that come out otherwise: that of a version is what Debian 13 makes; PoCL 3.1,
# whose clang is another and which has another device library beside it, makes a few otherwise again.
overlay() { # table: $scratch/want with its rows
	rows "$1" >"$scratch/other"
	awk -F'|' 'FILENAME == ARGV[1] { other[$2] = $0; next } { print $2 in other ? other[$2] : $0 }' \
		"$scratch/other" "$scratch/before" >"$scratch/want"
}
table="LLVM $LLVM"
rows "LLVM 15" >"$scratch/before"
if [ "$LLVM" != 15 ] && "$wavesim" --version | grep -q ' PoCL 3\.1'; then
	overlay "$table"
	mv "$scratch/want" "$scratch/before"
	table="$table, PoCL 3.1"
fi
overlay "$table"

if [ -n "${GOLDEN:-}" ]; then
	[ "$LLVM" = 15 ] && cp "$scratch/now" "$scratch/rows" || grep -vxFf "$scratch/before" "$scratch/now" >"$scratch/rows"
	grep -qx "## $table" "$page" || printf '\n## %s\n' "$table" >>"$page"
	awk -v want="## $table" -v rows="$scratch/rows" '
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
