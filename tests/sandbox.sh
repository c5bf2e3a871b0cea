#!/bin/sh
# What confines compilers and native code:  sandbox.sh WAVESIM BUILD
#
# That the report says where the system cannot confine them, and --sandbox require refuses to go on; that without
# privilege and with another temporary folder it works as ever. What a kernel is kept from is in
# unit/test_sandbox.c.
set -u
. "$(dirname "$0")/check.sh"
standin=$(cd "$2" && pwd)/tests/standin
lacks=$standin/lacks
more='out err'
cd "$scratch" || exit 2
unset WAVESIM_SANDBOX
cat >k.cl <<'END'
kernel void k(global int *a) { a[get_global_id(0)] += get_global_size(0); printf("%d\n", a[0]); }
END

row() { sed -n '/^  reference/,/^$/p' out; }
equal="  reference   equal to PoCL's own run: 16 elements in 1 buffer and the printed text"
says() { # what, lines after "equal", command…
	what=$1 then=$2
	shift 2
	"$@" k.cl --global 16 --local 16 --arg a=zero:16 >out 2>err
	[ $? = 0 ] && [ ! -s err ] && [ "$(row)" = "$equal${then:+
$then}" ]
	check "$what" $?
}
refused() { # what, why, command…
	what=$1 why=$2
	shift 2
	"$@" k.cl --sandbox require >out 2>err
	[ $? = 2 ] && [ ! -s out ] && [ "$(cat err)" = "wavesim: error: --sandbox require: code cannot be confined here: $why
hint: use --sandbox auto: it confines what this system can confine, and the report names what it cannot" ]
	check "$what" $?
}

says off '' "$wavesim" --sandbox off
[ -n "$("$wavesim" k.cl --sandbox off --json - | grep '"unconfined":	null')" ]
check 'JSON of off' $?

no_landlock='the system has no Landlock (Linux 5.19): the compilers may write'
no_seccomp='the system has no seccomp filters'
says 'no Landlock' "              not confined: $no_landlock" "$lacks" landlock "$wavesim"
says 'no seccomp' "              not confined: $no_seccomp" "$lacks" seccomp "$wavesim"
refused 'no Landlock, required' "$no_landlock" "$lacks" landlock "$wavesim"
refused 'no seccomp, required' "$no_seccomp" "$lacks" seccomp "$wavesim"
says 'neither, off' '' "$lacks" landlock "$lacks" seccomp "$wavesim" --sandbox off

"$wavesim" k.cl --json json >out 2>err
if grep -q '"unconfined":	null' json; then
	says required '' "$wavesim" --sandbox require
	past='this PoCL loads kernels by a way that the sandbox cannot intercept'
	pocl=$(cat /etc/OpenCL/vendors/pocl*.icd 2>/dev/null | head -1)
	deep="env LD_PRELOAD=$standin/deep.so DEEP=$pocl"
	if [ -n "$pocl" ] && $deep "$wavesim" --version >out 2>err; then # AddressSanitizer wants to be first
		says 'PoCL binds deep' "              not confined: $past" $deep "$wavesim"
		refused 'PoCL binds deep, required' "$past" $deep "$wavesim"
	fi
	mkdir 'a folder' && TMPDIR="$scratch/a folder" says 'another temporary folder' '' "$wavesim" --sandbox require
	[ -z "$(ls 'a folder')" ]
	check 'nothing is left there' $?
	nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
	if [ "$(id -u)" = 0 ] && chmod 755 . && $nobody test -x "$wavesim" -a -r k.cl 2>/dev/null; then
		mkdir -m 777 anyone
		TMPDIR=$scratch/anyone says "without privilege" "" $nobody "$wavesim" --sandbox require
	fi
else
	echo "note: this system cannot confine: $(sed -n 's/.*"unconfined":	"\(.*\)".*/\1/p' json)"
fi
finish
