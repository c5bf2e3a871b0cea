#!/bin/sh
# The helper, in which compilers and native code run:  helper.sh WAVESIM
#
# wavesim itself links no compiler; a helper that is not there is an error; and of a wavesim that is killed
# while PoCL runs a kernel without end, nothing is left after a moment.
set -u
. "$(dirname "$0")/check.sh"
more='err'
cd "$scratch" || exit 2

! readelf -d "$real" | grep -q 'LLVM\|OpenCL\|clang'
check "wavesim links no compiler" $?

echo 'kernel void k(global int *a) { a[get_global_id(0)] = 1; }' >k.cl
WAVESIM_HELPER=$scratch/nothing "$wavesim" k.cl >out 2>err
[ $? = 2 ] && grep -q "^wavesim: error: WAVESIM_HELPER: cannot read '$scratch/nothing': No such file or directory" err
check "a helper that is not there" $?
mkdir bin && cp "$real" bin/wavesim
env -u WAVESIM_HELPER bin/wavesim k.cl >out 2>err
[ $? = 2 ] && grep -q 'wavesim-helper, which runs the compilers, is not beside wavesim' err
check "no helper beside the program" $?
printf '#!/bin/sh\necho words >&2\nexit 3\n' >bad
chmod +x bad
WAVESIM_HELPER=$scratch/bad "$wavesim" k.cl >out 2>err
[ $? = 2 ] && grep -q '^words' err && grep -q 'ended early, with status 3$' err
check "a helper that ends at once" $?
(trap '' CHLD; WAVESIM_HELPER=$scratch/bad exec "$wavesim" k.cl) >out 2>err
[ $? = 2 ] && grep -q '^words' err && grep -q 'ended early' err
check "and where nobody is told of children that end" $?

# Everything that belongs to the run has this in its environment.
count() { grep -lsz "^HELPER_TEST=$scratch$" /proc/[0-9]*/environ 2>/dev/null | wc -l; }
cat >endless.cl <<'END'
kernel void k(global int *a)
{
	while (a[0] == a[1])
		a[2]++;
}
END
HELPER_TEST=$scratch "$wavesim" endless.cl --arg a=zero:64 --global 64 --local 64 --quiet >out 2>err &
child=$!
steady=0 # The simulation runs, and PoCL: two processes and their supervisor at least, and not only while something is built.
for _ in $(seq 200); do
	if [ "$(count)" -ge 4 ]; then steady=$((steady + 1)); else steady=0; fi
	[ $steady = 5 ] && break
	sleep 0.1
done
[ $steady = 5 ]
check "PoCL runs beside it" $?
kill -KILL $child
wait $child 2>/dev/null
for _ in $(seq 100); do
	[ "$(count)" = 0 ] && break
	sleep 0.1
done
[ "$(count)" = 0 ]
check "nothing is left of one that is killed" $?
finish
