#!/bin/sh
# Install the packages that are missing, through apt (Debian 12 names).
#   deps.sh build [test] [valgrind] [fuzz] [bench] [cluster]
# Does nothing, quickly, when everything is there.
set -eu

build="gcc libc6-dev llvm-15-dev pocl-opencl-icd opencl-headers ocl-icd-opencl-dev libcjson-dev libsqlite3-dev libzstd-dev libxxhash-dev libseccomp-dev rocm-device-libs"
test="libcunit1-dev python3-jsonschema chromium chromium-driver curl jq"
valgrind="valgrind"
fuzz="clang-15 libclang-rt-15-dev"
bench="oclgrind"
cluster="parallel slurmctld slurmd slurm-client munge"

wanted=""
for group in "$@"; do
	case $group in
	build) wanted="$wanted $build" ;;
	test) wanted="$wanted $test" ;;
	valgrind) wanted="$wanted $valgrind" ;;
	fuzz) wanted="$wanted $fuzz" ;;
	bench) wanted="$wanted $bench" ;;
	cluster) wanted="$wanted $cluster" ;;
	*) echo "deps.sh: no group '$group'" >&2; exit 2 ;;
	esac
done

if ! command -v dpkg-query >/dev/null 2>&1; then
	echo "note: no dpkg here; these Debian packages (or their like) are needed:$wanted" >&2
	exit 0
fi
missing=""
for p in $wanted; do
	case $(dpkg-query -W -f='${Status}' "$p" 2>/dev/null || true) in
	*" installed") ;;
	*) missing="$missing $p" ;;
	esac
done
[ -z "$missing" ] && exit 0

sudo=""
if [ "$(id -u)" != 0 ]; then
	if ! command -v sudo >/dev/null 2>&1; then
		echo "these packages are missing, and only root can install them:" >&2
		echo "    apt-get install$missing" >&2
		exit 1
	fi
	sudo="sudo"
fi
echo "installing:$missing"
$sudo apt-get update -qq
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing
