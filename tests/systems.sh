#!/bin/sh
# What the README says, and the packages, on bare systems:  systems.sh [SYSTEMS [STEPS [TOPIC]]]
#
#   SYSTEMS  of bookworm (Debian 12) and trixie (Debian 13); without it, or empty: both
#   STEPS    some of these, in this order; without it, or empty: all
#            demo       `make demo` where nothing but make is installed, from a clean clone of the last commit
#            test       `make test` there; TOPIC (default all) is what of the tests runs (run.sh)
#            packages   the packages from the tarball of `make dist`, built without network; lintian; in another system
#            installed  these packages and what they ask for in a third system, and debian/tests/demo with what that needs
#
# Each system is a chroot that mmdebstrap makes of the packages of its mirror ($MIRROR; default: mmdebstrap's own): this
# needs root, mmdebstrap, git, and 8 GB in $WHERE (default /var/tmp/wavesim-systems), where the logs stay, too. The table
# at the end is the one in CONTRIBUTING.md. The exit status says whether all passed.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
systems=${1:-} steps=${2:-} topic=${3:-}
systems=${systems:-bookworm trixie}
steps=${steps:-demo test packages installed}
topic=${topic:-all}
where=${WHERE:-/var/tmp/wavesim-systems}
for word in $systems $steps; do
	case $word in
	bookworm | trixie | demo | test | packages | installed) ;;
	*) echo "systems.sh: there is no system or step '$word'; its head lists them" >&2; exit 2 ;;
	esac
done
[ "$(id -u)" = 0 ] || { echo "systems.sh: only root can make a chroot: sudo make test-systems" >&2; exit 2; }
for program in mmdebstrap git unshare; do
	command -v $program >/dev/null || { echo "systems.sh: install $program, which makes the systems" >&2; exit 2; }
done
mkdir -p "$where" || exit 2
version=$(make -s --no-print-directory -C "$root" version)
status=0

# A bare system of that name, from a copy that is a day old at most.
fresh() { # chroot
	tar=$where/$system.tar
	if [ -z "$(find "$tar" -mtime -1 2>/dev/null)" ]; then
		# shellcheck disable=SC2086
		mmdebstrap --format=tar --variant=minbase --include=make "$system" "$tar.new" ${MIRROR:-} &&
			mv "$tar.new" "$tar" || return
	fi
	rm -rf "$1" && mkdir "$1" && tar -C "$1" --numeric-owner -xpf "$tar" && cp /etc/resolv.conf "$1/etc/" &&
		printf '127.0.0.1 localhost\n::1 localhost\n' >"$1/etc/hosts" && # every installed system has it; browsers ask
		echo force-unsafe-io >"$1/etc/dpkg/dpkg.cfg.d/no-fsync" # nothing here must survive a loss of power
}

# Its mounts and processes are gone when the command is.
inside() { # chroot, command
	unshare --mount --pid --fork --kill-child sh -c '
		mount --rbind /dev "$1/dev" && mount --rbind /sys "$1/sys" && mount -t proc proc "$1/proc" &&
		exec chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LANG=C.UTF-8 \
			DEBIAN_FRONTEND=noninteractive ${http_proxy:+"http_proxy=$http_proxy"} sh -ec "$2"' sh "$1" "$2"
}

cloned() {
	[ -d "$where/$system/wavesim" ] && [ "$step" = test ] && return
	fresh "$where/$system" && git clone -q --no-hardlinks "$root" "$where/$system/wavesim"
}
demo() {
	cloned && inside "$where/$system" 'cd /wavesim && make demo' && tail -60 "$log" | grep '^  reference  '
}
run_tests() {
	cloned && inside "$where/$system" "cd /wavesim && make test TESTS=$topic"
}
packages() {
	chroot=$where/$system.packages
	fresh "$chroot" && rm -rf "$where/$system.clone" "$where/$system.debs" && mkdir "$where/$system.debs" &&
		git clone -q --no-hardlinks "$root" "$where/$system.clone" &&
		make -s -C "$where/$system.clone" dist && mkdir "$chroot/build" &&
		tar -C "$chroot/build" -xf "$where/$system.clone/wavesim-$version.tar.gz" &&
		inside "$chroot" "cd /build/wavesim-$version
			apt-get update -qq
			apt-get install -y -qq --no-install-recommends build-essential debhelper lintian
			apt-get build-dep -y -qq --no-install-recommends ./
			DEBFULLNAME='A Builder' DEBEMAIL=builder@example.org unshare --net dpkg-buildpackage -us -uc
			dpkg-deb --field ../wavesim_*.deb Maintainer | grep -x 'A Builder <builder@example.org>'
			lintian --allow-root --fail-on error --display-info ../*.changes" &&
		cp "$chroot"/build/*.deb "$where/$system.debs/" && rm -f "$where/$system.debs"/*-dbgsym_*
}
installed() {
	chroot=$where/$system.installed
	fresh "$chroot" && cp -r "$where/$system.debs" "$chroot/debs" && cp "$root/debian/tests/demo" "$root/debian/tests/control" "$chroot/debs/" &&
		inside "$chroot" 'apt-get update -qq; apt-get install -y -qq /debs/*.deb
			apt-get satisfy -y -qq "$(sed -n "s/^Depends: //p" /debs/control)"; /debs/demo'
}

# "gcc 12.2.0 | 15.0.6 | 3.1+debian | rocm-device-libs 5.2.3-2" of whichever system of these names has it
versions() {
	for chroot in "$where/$system" "$where/$system.installed"; do
		[ -x "$chroot/wavesim/wavesim" ] || [ -x "$chroot/usr/bin/wavesim" ] || continue
		inside "$chroot" 'cd /wavesim 2>/dev/null || cd /usr/bin
			echo "$(gcc -dumpfullversion 2>/dev/null || echo -)"
			./wavesim --version | sed -n -e "s/^  LLVM  *//p" -e "s/^  PoCL .* PoCL \([^ ]*\).*/\1/p"
			dpkg-query -W -f "\${Package} \${Version}\n" "rocm-device-libs*" | grep " ."' |
			paste -sd '|' | sed 's/|/ | /g'
		return
	done
	echo "- | - | - | -"
}

perform() { # step; a cell of the table
	step=$1
	log=$where/$system.$step.log
	began=$(date +%s)
	case $step in test) command=run_tests ;; *) command=$step ;; esac
	$command >"$log" 2>&1
	result=$?
	took=$(($(date +%s) - began))
	counts= # not the last line where tests failed: make has something to say then
	[ "$step" = test ] && counts=$(grep '^[0-9]* passed, [0-9]* failed$' "$log" | tail -1)
	if [ $result = 0 ]; then
		cell="${counts:-passed}, $took s"
	else
		cell="FAILED${counts:+: $counts}, $took s"
		status=1
		{ grep '^FAIL ' "$log"; tail -15 "$log"; } | sed 's/^/    /' >&2
	fi
	echo "$system, $step: $cell ($log)" >&2
}

table=
for system in $systems; do
	row=
	for wanted in demo test packages installed; do
		cell="-"
		case " $steps " in *" $wanted "*) perform $wanted ;; esac
		row="$row | $cell"
	done
	table="$table| $system | $(versions)$row |
"
done
echo
echo "| System | gcc | LLVM | PoCL | Device library | make demo | make test | packages, lintian | installed |"
echo "|---|---|---|---|---|---|---|---|---|"
printf '%s' "$table"
exit $status
