#!/bin/sh
# What is cached from run to run:  cache.sh WAVESIM
#
# Reports are the same bytes with it and without. What decides them and has changed is seen; what is damaged, of
# somebody else, or cannot be written is as if it were not there.
set -u
. "$(dirname "$0")/check.sh"
more='err'
root=$(cd "$(dirname "$0")/.." && pwd)
unset WAVESIM_NO_CACHE WAVESIM_CACHE_SIZE
XDG_CACHE_HOME=$scratch/home
export XDG_CACHE_HOME
cache=$XDG_CACHE_HOME/wavesim
mkdir "$XDG_CACHE_HOME"
cd "$scratch" || exit 2

# Files that changed just now may not be what the compiler has read: they are cached a moment later.
settle() { sleep 0.05; }
# Run wavesim. $built and $ran: did the program, the native run come from the cache? The report is in out.
run() {
	"$wavesim" "$@" --timing >out 2>err
	status=$?
	grep -q '^time: build [0-9.]* s (cached)' err && built=yes || built=no
	grep -q 'kernel [0-9.]* s (cached)' err && ran=yes || ran=no
	return $status
}
from() { [ "$built $ran" = "$1 $2" ]; }
twice() { run "$@" && run "$@"; } # the second time all is there
entries() { find "$cache" -type f 2>/dev/null | sort; }

# ---- the same bytes ----
for kernel in "$root/lessons/prefix-sum/plain.cl" "$root/tests/cases/math/exact/kernel.cl"; do
	[ -f "$kernel" ] || continue
	name=$(basename "$(dirname "$kernel")")
	run "$kernel" --json without.json --no-cache && mv out without && from no no && [ -z "$(entries)" ]
	check "$name: --no-cache reads and writes nothing" $?
	run "$kernel" --json first.json && from no no && cmp -s out without && cmp -s first.json without.json
	check "$name: the first run" $?
	run "$kernel" --json second.json && from yes yes && cmp -s out without && cmp -s second.json without.json
	check "$name: the second run is cached, and the same" $?
	rm -rf "$cache"
done
[ "$(run "$root/lessons/prefix-sum/plain.cl"; stat -c %a "$cache" "$cache"/? | sort -u)" = 700 ]
check "the folders are for their owner only" $?

# ---- what decides ----
mkdir -p "a b/inc"
cat >"a b/k.cl" <<'END'
#include "near.h"
#include <far.h>
kernel void k(global int *a) { a[get_global_id(0)] = NEAR + FAR; }
END
echo '#define NEAR 1' >"a b/near.h"
printf '#include "deep.h"\n#define FAR DEEP\n' >"a b/inc/far.h"
echo '#define DEEP 1' >"a b/inc/deep.h"
settle
cd "a b" || exit 2
value() { run k.cl --build-options -Iinc --dump a="$scratch/a" && [ "$(od -An -td4 -N4 "$scratch/a" | tr -d ' ')" = "$1" ]; }
value 2 && value 2 && from yes yes
check "with includes" $?
echo '#define NEAR 3' >near.h; settle
value 4 && from no no && value 4 && from yes yes
check "an include has changed" $?
echo '#define DEEP 2' >inc/deep.h; settle
value 5 && from no no && value 5 && from yes yes
check "an include of an include has changed" $?
echo '#define FAR 10' >far.h; settle
value 13 && from no no && value 13 && from yes yes
check "there is an include of the same name that comes first" $?
rm far.h
value 5 && from no no
check "it is gone again" $?
echo '#define DEEP 20' >deep.h; settle
value 5; rm deep.h # beside far.h is another one, which comes first
touch -d tomorrow near.h
value 5 && value 5 && from no no
check "what has a time to come may change unseen" $?
cd .. || exit 2

echo 'kernel void k(global int *a, int n) { a[get_global_id(0)] *= 2 * n; }' >k.cl
settle
set -- k.cl --global 64 --local 64 --arg n=3 --arg a=iota:64
twice "$@" && from yes yes
check "a launch" $?
run "$@" --device rx6900xt && from no yes
check "on another device the native run is the same" $?
run k.cl --global 64 --local 64 --arg n=4 --arg a=iota:64 && from yes no
check "another argument" $?
run k.cl --global 64 --local 64 --arg n=3 --arg a=zero:64 && from yes no
check "other data" $?
run "$@" --build-options -DX && from no no
check "other options of the compiler" $?
POCL_VECTORIZER_REMARKS=1 run "$@" && from no no
check "another environment of PoCL" $?
(mkdir elsewhere && cd elsewhere && cp ../k.cl . && run "$@" && from no no)
check "another folder" $?
mkdir copy && cp "$real" "$(dirname "$real")/wavesim-helper" copy/ && settle
real_wavesim=$wavesim wavesim=$scratch/copy/wavesim
(unset WAVESIM_HELPER; twice "$@" && from yes yes && touch copy/wavesim-helper && run "$@" && from no no)
check "another helper" $?
wavesim=$real_wavesim

if [ -f /usr/include/hip/hip_runtime.h ] && [ -x "/usr/lib/llvm-${LLVM:-15}/bin/clang" ]; then
	echo '#define ADDED 1' >added.h
	printf '#include "added.h"\n__global__ void k(int *a) { a[threadIdx.x] = ADDED; }\n' >k.hip
	settle
	twice k.hip && from yes yes && echo '#define ADDED 2' >added.h && settle && run k.hip && from no no
	check "HIP, with an include" $?
fi

echo 'kernel void k(global int *a) { a[0] = sizeof __TIME__; }' >time.cl
echo '#if __has_include("x.h")
#endif
kernel void k(global int *a) { a[0] = 1; }' >has.cl
settle
twice time.cl && from no no && twice has.cl && from no no
check "a source that asks for the time, or which files there are" $?
printf 'kernel void k(global int *a)\n{\n\t#warning careful\n\ta[0] = 1;\n}\n' >warned.cl
settle
run warned.cl && sed /^time:/d err >first && run warned.cl && from yes yes && sed /^time:/d err | cmp -s - first &&
	grep -q 'warned.cl:3:3: warning: careful' first
check "warnings come again" $?
echo 'kernel void k(global int *a) { a[0] = b; }' >wrong.cl
run wrong.cl; [ $? = 2 ] && cp err first && run wrong.cl; [ $? = 2 ] && cmp -s err first && grep -q "undeclared" err
check "errors come again" $?

# ---- damage ----
rm -rf "$cache"
run "$@" && cp out good
rm -rf kept && cp -a "$cache" kept
fresh() { rm -rf "$cache" && cp -a kept "$cache"; }
survives() { # what, command
	fresh
	entries >list
	while read -r f; do eval "$2"; done <list
	run k.cl --global 64 --local 64 --arg n=3 --arg a=iota:64 && from no no && cmp -s out good
	check "$1" $?
}
fresh; run "$@" && from yes yes
check "a copy of the cache" $?
survives "empty" ': >"$f"'
survives "cut off" 'truncate -s -1 "$f"'
survives "cut to its head" 'truncate -s 24 "$f"'
survives "longer" 'echo more >>"$f"'
for at in 0 16 30 400 2000; do
	survives "a wrong byte at $at" 'printf "\377\376" | dd of="$f" bs=1 seek='$at' conv=notrunc 2>/dev/null'
done
survives "a folder in its place" 'rm "$f" && mkdir "$f"'
survives "a FIFO in its place" 'rm "$f" && mkfifo "$f"'
survives "a link in its place" 'mv "$f" "$scratch/moved.$(basename "$f")" && ln -s "$scratch/moved.$(basename "$f")" "$f"'
survives "another's answer" 'head -c 3000 /dev/urandom >"$f"'
fresh
entries >list
while read -r f; do mv "$f" "$f.1"; done <list
sed '1h; 1d; $G' list | paste list - | while read -r f g; do mv "$f.1" "$g"; done
run "$@" && from no no && cmp -s out good
check "answers of other questions" $?

# ---- what kernels call of libraries ----
rm -rf "$cache"
echo 'kernel void k(global float *a) { int i = get_global_id(0); a[i] = sqrt(a[i]); }' >first.cl
echo 'kernel void k(global float *a) { int i = get_global_id(0); a[i] = sqrt(a[i]) + i; }' >second.cl
echo 'kernel void k(global float *a) { int i = get_global_id(0); a[i] = sin(a[i]) + sqrt(a[i]); }' >third.cl
for n in first second third; do "$wavesim" $n.cl --json $n.json --no-cache >$n.want 2>/dev/null; done
# Their question is the sixth kind (client/wire.h). None is made of libraries that are not root's.
excerpts() { entries | while read -r f; do if head -c 400 "$f" | grep -aq "^6 "; then cksum "$f"; fi; done; }
same() { run "$1.cl" --json json && from no no && cmp -s out "$1.want" && cmp -s json "$1.json"; }
settle
same first && excerpts >kept.1
if [ $? = 0 ] && [ ! -s kept.1 ] && [ -z "$(find /usr/share/pocl /usr/lib*/*/pocl -name '*.bc' -uid 0 2>/dev/null | head -1)" ]; then
	echo "SKIP what kernels call of libraries: PoCL's are not root's below /usr"
else
	[ "$(wc -l <kept.1)" = 1 ] && same second && excerpts | cmp -s - kept.1
	check "a kernel that calls what an earlier one did needs no other excerpt" $?
	same third && excerpts >kept.2 && [ "$(wc -l <kept.2)" = 1 ] && ! cmp -s kept.1 kept.2
	check "one that calls more: the excerpt has it from then on" $?
	sed 's/sin/sqrt(2.0f) * sin/' third.cl >fourth.cl
	"$wavesim" fourth.cl --json fourth.json --no-cache >fourth.want 2>/dev/null
	same fourth && excerpts | cmp -s - kept.2
	check "and one that calls less of it" $?
fi

# ---- folders that are not to be used ----
unused() { # what
	run "$@" && from no no && run "$@" && from no no && cmp -s out good
}
fresh; chmod 755 "$cache"
unused "$@"
check "a folder that others may look into" $?
fresh; chmod 770 "$cache"/?
unused "$@"
check "one below it" $?
rm -rf "$cache" elsewhere && mkdir -m 700 elsewhere && ln -s "$scratch/elsewhere" "$cache"
unused "$@" && [ -z "$(ls elsewhere)" ]
check "a link in its place: nothing is written where it leads" $?
rm "$cache" && : >"$cache"
unused "$@"
check "a file in its place" $?
rm "$cache"
chmod 777 "$XDG_CACHE_HOME"
unused "$@" && [ -z "$(entries)" ]
check "a folder around it that anybody may write" $?
chmod 755 "$XDG_CACHE_HOME"
if [ "$(id -u)" = 0 ]; then
	chown 65534 "$XDG_CACHE_HOME"
	unused "$@" && [ -z "$(entries)" ]
	check "in another user's folder nothing is left" $?
	chown 0 "$XDG_CACHE_HOME"
fi
XDG_CACHE_HOME=$scratch/no/such/folder
unused "$@" && [ ! -e no ]
check "folders above are not made" $?
(unset HOME; XDG_CACHE_HOME=cached; unused "$@" && [ ! -e cached ])
check "a relative one is none" $?
(unset XDG_CACHE_HOME; HOME=$scratch/user; export HOME; mkdir user; twice "$@" && from yes yes &&
	[ "$(stat -c %a user/.cache user/.cache/wavesim | sort -u)" = 700 ])
check "~/.cache is made" $?
(unset XDG_CACHE_HOME HOME; unused "$@")
check "no home" $?
XDG_CACHE_HOME=$scratch/home

# ---- many at once, and how much ----
rm -rf "$cache"
for i in 1 2 3 4 5 6 7 8; do
	"$wavesim" "$@" --timing >"many.$i" 2>/dev/null &
	pids="${pids:-} $!"
done
good=0
for p in $pids; do wait "$p" || good=1; done
for i in 1 2 3 4 5 6 7 8; do cmp -s "many.$i" good || good=1; done
[ $good = 0 ] && run "$@" && from yes yes && [ -z "$(find "$cache" -name '.*' -type f)" ]
check "eight at once" $?

rm -rf "$cache"
set -- k.cl --global 8192 --local 64 --arg a=iota
for n in $(seq 16); do "$wavesim" "$@" --arg n="$n" --cache-size 1m --quiet 2>err >out || break; done
[ "$n" = 16 ] && [ "$(entries | wc -l)" -ge 5 ] && [ "$(find "$cache" -type f -printf '%b\n' | awk '{ n += $1 } END { print n * 512 }')" -le 1048576 ]
check "no more than --cache-size" $?
for part in "$cache"/?; do printf '%65536s' x >"$part/ffffffffffffffffffffffffffffffff"; touch -d '1 year ago' "$part"/f*; done
: >"$part/.left" && touch -d yesterday "$part/.left"
for n in $(seq 30 41); do "$wavesim" "$@" --arg n="$n" --cache-size 1m --quiet 2>err >out || break; done
[ "$(find "$cache" -name 'ffffffffff*' | wc -l)" -lt "$(find "$cache" -name '?' -type d | wc -l)" ]
check "what was not used for longest goes first" $?
rm -rf "$cache"
twice "$@" --arg n=1 --cache-size 0 && from no no && [ -z "$(entries)" ]
check "--cache-size 0 caches nothing" $?
finish
