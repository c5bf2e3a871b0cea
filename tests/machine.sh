#!/bin/sh
# Faults of the machine are called so, and what is too large by its name:  machine.sh WAVESIM BUILD
set -u
# File systems are mounted below, in a name space that ends with the script, however it ends.
if [ "$(id -u)" = 0 ] && [ -z "${OWN_MOUNTS:-}" ] && unshare -m true 2>/dev/null; then
	OWN_MOUNTS=1 exec unshare -m sh "$0" "$@"
fi
. "$(dirname "$0")/check.sh"
lacks=$(cd "$2" && pwd)/tests/standin/lacks
more='out err'
cd "$scratch" || exit 2
echo 'kernel void k(global int *a) { a[get_global_id(0)] = 1; }' >k.cl
cat >slow.cl <<'END'
#define A(x) x x x x x x x x
#define B(x) A(A(A(A(A(A(x))))))
kernel void k(global int *a) { B(B(a[0]++;)) }
END
cat >constants.cl <<'END'
constant int a[400000000] = {1, 2};
kernel void k(global int *b) { b[0] = a[b[1]]; }
END

# What goes to standard error, and status 2.
refused() { # what, message, command…
	what=$1 want=$2
	shift 2
	"$@" --global 64 >out 2>err
	[ $? = 2 ] && [ ! -s out ] && [ "$(cat err)" = "wavesim: error: $want" ]
	check "$what" $?
}
# The launch is simulated, and the row `reference` says why it is compared with nothing.
alone() { # what, why, command…
	what=$1 want=$2
	shift 2
	"$@" --global 64 >out 2>err
	[ $? = 0 ] && [ ! -s err ] &&
		[ "$(sed -n 's/^  reference   //p' out)" = "not compared: PoCL cannot build and run the kernel on this machine: $want" ]
	check "$what" $?
}
limited() { # option of ulimit, value, command…
	(ulimit "$1" "$2" && shift 2 && exec "$@")
}
compiler='the OpenCL compiler cannot work on this machine:'
process='no process for the OpenCL compiler could be started:'

alone 'no PATH' 'PATH is not set, so that PoCL finds no ld to link kernels with' env -u PATH "$wavesim" k.cl
alone 'no ld' 'no folder of PATH has ld, which PoCL links kernels with' env PATH=/nowhere "$wavesim" k.cl
refused 'few files' "$process a process may open 8 files only (ulimit -n)" limited -n 8 "$wavesim" k.cl
limited -f 8 "$wavesim" k.cl --global 64 >out 2>err # in 512 bytes, or in KiB
[ $? = 2 ] && grep -qx "wavesim: error: $compiler a file may have [48] KiB only (ulimit -f)" err
check 'small files' $?
refused 'no memory to share' "$compiler there is no memory that processes share (memfd_create: Function not implemented)" \
	"$lacks" memfd "$wavesim" k.cl
TMPDIR=$scratch/nothing "$wavesim" k.cl >out 2>err
[ $? = 2 ] && grep -q "error: cannot make a temporary folder '.*nothing/wavesim-......': No such file or directory (TMPDIR" err
check 'no temporary folder' $?
mkdir full
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=64k none full 2>/dev/null; then
	dd if=/dev/zero of=full/all bs=1k count=64 2>/dev/null
	refused 'a full temporary folder' "$compiler '$scratch/full' is full: it has 0 KiB left (TMPDIR names another folder)" \
		env TMPDIR="$scratch/full" "$wavesim" k.cl
	[ "$(ls full)" = all ]
	check 'nothing is left there' $?
	umount full
	for inodes in 2 4 6 8; do # the folder itself is one
		mount -t tmpfs -o size=64m,nr_inodes=$inodes none full
		TMPDIR=$scratch/full "$wavesim" k.cl --global 64 >out 2>err
		! grep -q 'crashed' out && [ -z "$(ls full)" ] &&
			grep -q " on this machine: '$scratch/full' has room for [0-9]* more files only: its inodes are used up (TMPDIR" out err
		check "$inodes inodes" $?
		umount full
	done
else
	echo 'SKIP a full temporary folder, and one without inodes: only root mounts them'
fi
# Nothing rests on it.
if unshare -m umount -l /dev/shm 2>/dev/null; then
	unshare -m sh -c 'umount -l /dev/shm && exec "$@"' sh "$wavesim" k.cl --global 64 >out 2>err
	[ $? = 0 ] && [ ! -s err ] && grep -q "^  reference   equal to PoCL's own run" out
	check 'no /dev/shm' $?
else
	echo 'SKIP no /dev/shm: only root takes it away, where it is mounted'
fi

# Limits of compilers, lowered by the user's own. Sanitizers reserve terabytes.
limited -t 4 "$wavesim" slow.cl >out 2>err
[ $? = 2 ] && [ "$(cat err)" = "slow.cl: error: compiling this file takes more than 2 seconds of processor time
hint: simplify the source" ]
check 'time of the compiler' $?
if limited -v 3000000 "$wavesim" --version >/dev/null 2>&1; then
	refused 'little memory' "$compiler a process may have 214 MiB of memory only (ulimit -v)" limited -v 220000 "$wavesim" k.cl
	for kib in 250000 265000 280000 295000 310000; do # where one step or another lacks it, or none
		limited -v $kib "$wavesim" k.cl --global 64 >out 2>err
		case $? in
		0) grep -q '^  divergence' out ;;
		*) [ "$(cat err)" = "wavesim: error: $compiler a process may have $((kib / 1024)) MiB of memory only (ulimit -v)" ] ;;
		esac
		check "memory of $kib KiB" $?
	done
	refused 'hardly any memory' \
		'wavesim-helper, which runs the compilers, cannot work on this machine: a process may have 97 MiB of memory only (ulimit -v)' \
		limited -v 100000 "$wavesim" k.cl
	limited -v 2000000 "$wavesim" constants.cl >out 2>err
	[ $? = 2 ] && [ "$(cat err)" = "wavesim: error: the compiler needs more than 1.91 GiB of memory for this program
hint: simplify the source" ]
	check 'memory of the compiler' $?
else
	echo 'SKIP limits of memory: this build reserves more'
fi
finish
