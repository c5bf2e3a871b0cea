#!/bin/sh
# Install the packages that are missing, through apt, by their names on Debian 12 and 13.
#   deps.sh build [test] [valgrind] [fuzz] [bench] [cluster]
#   deps.sh llvm        print the version of LLVM to build with: $LLVM, or the first of these that is installed
#                       or can be
# Does nothing, quickly, when everything is there.
set -eu

# PoCL's LLVM is the first choice, because what it writes is read: Debian 12 has 15, Debian 13 has 18.
llvms="15 18 19"

can_install() { apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [0-9]'; }
installed() {
	case $(dpkg-query -W -f='${Status}' "$1" 2>/dev/null || true) in
	*" installed") return 0 ;;
	esac
	return 1
}
# What of the names is installed, or can be; else the first.
choose() {
	for p in "$@"; do installed "$p" && { echo "$p"; return; }; done
	for p in "$@"; do can_install "$p" && { echo "$p"; return; }; done
	echo "$1"
}

choose_llvm() {
	llvm=${LLVM:-}
	case $llvm in
	"" | [1-9][0-9]) ;;
	*)
		echo "LLVM=$llvm: this is no version of LLVM; it is a number, 15 to 19" >&2
		exit 2
		;;
	esac
	for v in $llvms; do
		[ -n "$llvm" ] || ! command -v "llvm-config-$v" >/dev/null 2>&1 || llvm=$v
	done
	[ -n "$llvm" ] && return
	llvm=$(choose $(printf 'llvm-%s-dev ' $llvms))
	llvm=${llvm#llvm-}
	llvm=${llvm%-dev}
}
if [ "$*" = llvm ]; then
	choose_llvm
	echo "$llvm"
	exit
fi

groups=$*
find_missing() {
	choose_llvm
	# Names with '|': the first that there is; with '?': what needs it is skipped where there is none.
	build="gcc libc6-dev llvm-$llvm-dev pocl-opencl-icd opencl-headers ocl-icd-opencl-dev libcjson-dev libsqlite3-dev libzstd-dev libxxhash-dev libdw-dev libedit-dev libseccomp-dev rocm-device-libs|rocm-device-libs-17"
	test="libcunit1-dev python3-jsonschema chromium chromium-driver curl jq tmux clang-$llvm libamdhip64-dev llvm-spirv-$llvm? g++ pkg-config|pkgconf locales python3-numpy python3-pandas python3-nbclient python3-ipykernel"
	valgrind="valgrind"
	fuzz="clang-$llvm libclang-rt-$llvm-dev|libclang-common-$llvm-dev"
	bench="oclgrind"
	cluster="parallel slurmctld slurmd slurm-client munge"

	missing=""
	for group in $groups; do
		case $group in
		build) wanted=$build ;;
		test) wanted=$test ;;
		valgrind) wanted=$valgrind ;;
		fuzz) wanted=$fuzz ;;
		bench) wanted=$bench ;;
		cluster) wanted=$cluster ;;
		*) echo "deps.sh: no group '$group'" >&2; exit 2 ;;
		esac
		for p in $wanted; do
			name=$(choose $(echo "${p%\?}" | tr '|' ' '))
			installed "$name" && continue
			[ "$p" = "${p%\?}" ] || can_install "$name" || continue
			missing="$missing $name"
		done
	done
}

find_missing
[ -z "$missing" ] && exit 0
if ! command -v dpkg-query >/dev/null 2>&1; then
	echo "note: no dpkg here; these Debian packages (or their like) are needed:$missing" >&2
	exit 0
fi

sudo=""
if [ "$(id -u)" != 0 ]; then
	if ! command -v sudo >/dev/null 2>&1; then
		echo "these packages are missing, and only root can install them:" >&2
		echo "    apt-get install$missing" >&2
		exit 1
	fi
	sudo="sudo"
fi
$sudo apt-get update -qq
find_missing # by the names that this system has
if ! installed "llvm-$llvm-dev" && ! can_install "llvm-$llvm-dev"; then
	there=$(for v in $(seq 15 19); do can_install "llvm-$v-dev" && printf ' %s' "$v" || :; done)
	echo "LLVM=$llvm: this system has no package llvm-$llvm-dev; of these versions there is one:${there:- none}" >&2
	exit 2
fi
echo "installing:$missing"
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing
