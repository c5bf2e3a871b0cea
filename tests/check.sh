# What the scripts of tests share, which begin with it:  . "$(dirname "$0")/check.sh"
#
# $wavesim is the script's first argument, wherever it goes from here; $scratch a folder of its own,
# which is gone in the end. A script ends with `finish`: the last line is "N passed, M failed", as
# run.sh reads it.
wavesim=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
# The program itself, where that is a script around it (valgrind.sh).
real=$(sed -n 's/.* "\{0,1\}\(\/[^ "]*wavesim\)"\{0,1\} "$@"$/\1/p' "$wavesim" 2>/dev/null | head -1)
real=${real:-$wavesim}
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT; trap 'exit 2' INT TERM
XDG_CONFIG_HOME=$scratch/config # no configuration of whoever runs this, and none of his cache
XDG_CACHE_HOME=$scratch
WAVESIM_NO_CACHE=1 # alone as among others
export XDG_CONFIG_HOME XDG_CACHE_HOME WAVESIM_NO_CACHE
passed=0
failed=0
more= # files that tell more of what fails

ok() { passed=$((passed + 1)); }
bad() { # what
	failed=$((failed + 1))
	echo "FAIL $1"
	# shellcheck disable=SC2086
	[ -z "$more" ] || sed 's/^/     /' $more | tail -20
}
check() { # what, condition (0 good)
	if [ "$2" = 0 ]; then ok; else bad "$1"; fi
}
finish() {
	echo "$passed passed, $failed failed"
	[ $failed = 0 ]
}
