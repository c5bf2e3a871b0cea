#!/bin/sh
# Run again what the tables of a page say, and compare:  figures.sh PAGE WAVESIM
#
# A table follows a line `<!-- figures: PATH:FORMAT … -->`, a path into the JSON report and a format of
# printf for each column behind the first. The first cell of a row holds the arguments of wavesim,
# for the page's folder, in backquotes. GOLDEN=1 writes the figures into the page.
set -u
page=$1
wavesim=$2
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT; trap 'exit 2' INT TERM
passed=0
failed=0
keys=""

row() { # the line
	words=${1#*\`}
	words=${words%%\`*}
	set -- "$1"
	case $words in occupancy*) ;; *)
		words="$words --no-reference"
		case $keys in *estimate*) ;; *) words="$words --no-estimate" ;; esac ;;
	esac
	# shellcheck disable=SC2086
	(cd "$(dirname "$page")" && "$wavesim" $words --json -) >"$scratch/json" 2>"$scratch/err" ||
		cat "$scratch/err"
	awk -v row="$1" -v keys="$keys" -f "$here/figures.awk" "$scratch/json"
}

while IFS= read -r line; do
	new=$line
	case $line in
	'<!-- figures: '*) keys=${line#<!-- figures: } keys=${keys% -->} ;;
	'| `'*) [ -n "$keys" ] && new=$(row "$line") ;;
	'') keys="" ;;
	esac
	printf '%s\n' "$new" >>"$scratch/page"
	case $line in '| `'*) ;; *) continue ;; esac
	[ -n "$keys" ] || continue
	if [ "$new" = "$line" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf '%s\n' "the page: $line" "now:      $new"
	fi
done <"$page"
[ -n "${GOLDEN:-}" ] && [ -s "$scratch/page" ] && cp "$scratch/page" "$page" && failed=0
echo "$passed passed, $failed failed"
[ $failed = 0 ]
