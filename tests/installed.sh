#!/bin/sh
# What `make install` puts down, run from there:  installed.sh WAVESIM
#
# The helper, the layer, the lessons and the samples are found; what a lesson prints can be opened; links of the pages
# lead somewhere; `make uninstall` leaves nothing; a release is the same bytes twice.
set -u
. "$(dirname "$0")/check.sh"
more='err'
to=$scratch/to/usr share=$scratch/to/usr/share/wavesim
unset WAVESIM_HELPER WAVESIM_LESSONS WAVESIM_EXERCISES
from=$(dirname "$real")
make="make -s prefix=/usr DESTDIR=$scratch/to WAVESIM=$real HELPER=$from/wavesim-helper RUNNER=$from/wavesim-runner
      LAYER=$from/libwavesim-layer.so HIP_LAYER=$from/hip/libamdhip64.so.5 LIBRARY=$(ls "$from"/libwavesim.so.[0-9]*)
      STATIC_LIBRARY=$(ls "$from/libwavesim.a" "$from/build/libwavesim.a" 2>/dev/null | head -1)"

$make install-built >"$scratch/err" 2>&1
check "make install" $?
root=$PWD
cd "$scratch" || exit 2

mkdir home # of somebody who has not used PoCL yet
HOME=$scratch/home env -u XDG_CACHE_HOME -u POCL_CACHE_DIR "$to/bin/wavesim" --version >out 2>err
grep -q '^  LLVM  *[0-9]' out && grep -q '^  PoCL  *OpenCL' out && grep -q '^  device library  ' out
check "versions" $?
OCL_ICD_VENDORS=$scratch/none "$to/bin/wavesim" --version >out 2>err && grep -q '^  PoCL  .*is not installed' out
check "the version without PoCL" $?
"$to/bin/wavesim-runner" --version >out 2>err && grep -q '^  SQLite  [0-9]' out
check "versions of the runner" $?
mkdir alone && cp "$real" alone/ && alone/wavesim --version >out 2>err &&
	grep -q 'not known: wavesim-helper, which runs the compilers, is not beside' out
check "the version without a helper" $?

"$to/bin/wavesim" lesson >out 2>err && grep -q "The files are in $share/lessons\.$" out
check "the list of lessons" $?
# Its commands name what there is, and the last line what there is when its first command was run.
"$to/bin/wavesim" lesson bank-stride >out 2>err
grep -o "$share/[^ ]*" out | sort -u >paths
[ "$(wc -l <paths)" -ge 2 ] && xargs ls -d <paths >err 2>&1 &&
	sh -ec "$(sed -n 's/^ *\(cp -r .*\) && wavesim watch \(.*\)/\1; test -f \2/p' out)" 2>err && [ -d bank-stride ]
check "paths in a lesson" $?
"$to/bin/wavesim" exercise >out 2>err && grep -q "The files are in $share/exercises\.$" out &&
	"$to/bin/wavesim" exercise vector-add "$share/exercises/vector-add/solution.cl" >out 2>err
check "an exercise" $?
"$to/bin/wavesim" replay "$share/traces/samples/linked.launches" >out 2>err
check "a sample" $?
# HIP's own header, or the one that comes with wavesim.
if [ -e /usr/include/hip/hip_version.h ] && [ -e "/usr/lib/llvm-$LLVM/bin/clang" ]; then
	cp "$root/tests/cases/hip/bfloat16/kernel.hip" bfloat16.hip && [ -f "$to/lib/wavesim/hip/include/hip/hip_bf16.h" ] &&
		"$to/bin/wavesim" bfloat16.hip --kernel pairs --global 256 >out 2>err && grep -q '^  reference  *equal' out &&
		"$to/bin/wavesim" hipcc -c bfloat16.hip -o bfloat16.o >out 2>err
	check "a header that HIP may lack" $?
fi
"$to/bin/wavesim" record --output a.launches -- true >out 2>err
! grep -q 'capture layer' err
check "the layer" $?
(
	cd "$share" || exit 2
	find . -name '*.md' | while read -r page; do
		grep -o '\](\([^)#:]*\))' "$page" | sed 's/^](\(.*\))$/\1/' | while read -r target; do
			[ -e "$(dirname "$page")/$target" ] || echo "$page: $target"
		done
	done
) >err
[ ! -s err ]
check "links between pages" $?
ls -L "$to"/share/doc/wavesim/* >out 2>err
check "links to pages" $?

# What the shells offer. bash without what tells it of a program is enough.
offers() { # words of a command line; what the last one becomes
	bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); "_$1"; printf "%s\n" "${COMPREPLY[@]}"' bash \
		"$to/share/bash-completion/completions/$1" "$@" | sort | tr '\n' ' '
}
[ "$(offers wavesim swe)" = "sweep " ] && [ "$(offers wavesim sweep --jo)" = "--jobs " ] &&
	[ "$(offers wavesim k.cl --builtins = p)" = "pocl " ] && [ "$(offers wavesim k.cl --device mi2)" = "mi210 mi250x " ] &&
	[ "$(offers wavesim lesson bank)" = "bank-stride " ] && touch kernel.cl && [ "$(offers wavesim watch kern)" = "kernel.cl " ] &&
	touch 'two words.cl' && [ "$(offers wavesim watch two)" = "two words.cl " ] &&
	[ "$(offers wavesim k.cl --json two)" = "two words.cl " ] && [ "$(offers wavesim-runner completion f)" = "fish " ] &&
	[ "$(offers wavesim sweep --sar)" = " " ] && [ "$(offers wavesim-runner --warmu)" = "--warmup " ]
check "completion in bash" $?
if command -v fish >/dev/null; then
	HOME=$scratch fish -c "source $to/share/fish/vendor_completions.d/wavesim.fish; complete -C 'wavesim sweep --job'; \
		complete -C 'wavesim k.cl --builtins '" >out 2>err
	[ "$(cut -f 1 out | tr '\n' ' ')" = "--jobs amd pocl " ]
	check "completion in fish" $?
else
	echo 'SKIP completion in fish: it is not installed'
fi
if command -v zsh >/dev/null; then
	zsh -n "$to/share/zsh/site-functions/_wavesim" 2>err && [ ! -s err ]
	check "completion in zsh" $?
else
	echo 'SKIP completion in zsh: it is not installed'
fi

cd "$root" || exit 2
$make uninstall >"$scratch/err" 2>&1
[ -z "$(find "$scratch/to" ! -type d | tee "$scratch/err")" ]
check "make uninstall" $?
if [ -e .git ] && command -v git >/dev/null; then
	for k in 1 2; do
		make -s dist DIST="$scratch/$k.tar.gz" || echo failed >>"$scratch/err"
		sleep 1
	done >"$scratch/err" 2>&1
	cmp "$scratch/1.tar.gz" "$scratch/2.tar.gz" && [ -s "$scratch/1.tar.gz" ]
	check "a release is the same twice" $?
fi
finish
