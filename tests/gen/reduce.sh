#!/bin/bash
# reduce.sh SEED FILE [gen options] -- COMMAND …
#
# Shrinks the program of a seed while COMMAND FILE still succeeds, that is, while it says
# that the failure is still there. Parts are turned off by their numbers (gen --off), first
# in large runs, at last one by one. Leaves the smallest program in FILE and prints the gen
# command that makes it.
set -u
gen=${GEN:-$(dirname "$0")/gen}
seed=$1 file=$2
shift 2
options=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
	options+=("$1")
	shift
done
shift
off=

make_program() { "$gen" "$seed" "${options[@]}" --off "$1" --out "$file"; }
fails() { make_program "$1" && "${command[@]}" "$file" >/dev/null 2>&1; }
command=("$@")

if ! fails ""; then
	echo "reduce: the program of seed $seed does not fail" >&2
	exit 1
fi

# Parts are numbered from outside to inside, so a run of numbers is mostly a few whole
# statements; the numbers of parts inside a removed one disappear from the list.
pass() { # the length of a run; sets changed
	local run=$1 at=0
	while :; do
		mapfile -t parts < <("$gen" "$seed" "${options[@]}" --off "$off" --list | sort -n)
		[ $at -lt ${#parts[@]} ] || break
		local try
		try=$(IFS=,; echo "${parts[*]:at:run}")
		if fails "$off${off:+,}$try"; then
			off+=${off:+,}$try
			changed=1
		else
			at=$((at + run))
		fi
	done
}

parts=($("$gen" "$seed" "${options[@]}" --list))
run=$((${#parts[@]} / 2 + 1))
while [ $run -gt 1 ]; do
	pass $run
	run=$((run / 2))
done
changed=1
while [ $changed = 1 ]; do
	changed=0
	pass 1
done
make_program "$off"
echo "gen $seed ${options[*]} --off $off"
