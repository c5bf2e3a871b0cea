#!/bin/sh
# libwavesim as it is installed, from C and C++:  lib.sh WAVESIM BUILD
#
# The library is installed into a folder, found there by pkg-config, and used by tests/lib: reports are the program's,
# byte for byte; errors, buffers, threads, a sweep, a run that is stopped, another locale; names that it has, shared and
# static; with valgrind, where that is installed, eight threads without an error or a leak.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/check.sh"
build=$(cd "$2" && pwd)
root=$(dirname "$here")
more=err
unset WAVESIM_HELPER
to=$scratch/to
# Where it was built: at the root, or in the folder of another build.
from=$(dirname "$real")
soname=$(cd "$from" && ls libwavesim.so.[0-9]* 2>/dev/null | head -1)
[ -n "$soname" ] || { echo "lib.sh: build the library first: make" >&2; exit 2; }
sanitize= # of the build that is tested (make asan)
nm -D "$from/$soname" | grep -q __asan_init && sanitize='-fsanitize=address,undefined'
if ! command -v pkg-config >/dev/null || ! command -v g++ >/dev/null; then
	echo 'SKIP lib: there is no pkg-config, or no g++'
	finish
	exit
fi

cd "$root" || exit 2
make -s install-built prefix="$to" WAVESIM="$real" HELPER="$from/wavesim-helper" RUNNER="$from/wavesim-runner" \
	LAYER="$from/libwavesim-layer.so" HIP_LAYER="$from/hip/libamdhip64.so.5" LIBRARY="$from/$soname" STATIC_LIBRARY="$build/libwavesim.a" >"$scratch/err" 2>&1
cd "$scratch" || exit 2
[ -f to/include/wavesim.h ] && [ -f "to/lib/$soname" ] && [ -f to/share/man/man3/wavesim.3 ]
check "make install" $?
PKG_CONFIG_PATH=$to/lib/pkgconfig
export PKG_CONFIG_PATH
cflags=$(pkg-config --cflags wavesim) libs=$(pkg-config --libs wavesim) all_libs=$(pkg-config --libs --static wavesim)
[ "$(pkg-config --modversion wavesim)" = "$(make -s -C "$root" version)" ]
check "wavesim.pc has the version" $?

# ---- names ----
declared=$(sed -n 's/.*WAVESIM_API .*[ *]\(wavesim_[a-z_]*\)(.*/\1/p' to/include/wavesim.h | sort)
# A sanitizer has names of its own.
nm -D --defined-only "to/lib/$soname" | sed 's/.* //; s/@.*//' |
	grep -v -e '^__odr_asan' -e '^__asan' -e '^__ubsan' | sort >shared
nm --defined-only --extern-only to/lib/libwavesim.a | sed -n 's/^[0-9a-f]* [A-Z] //p' |
	grep -v -e '^__odr_asan' -e '^__asan' -e '^DW\.ref' | sort >static
echo "$declared" | diff - shared >err && echo "$declared" | diff - static >err
check "the library has the names of its header and no other" $?
for name in $declared; do
	grep -q "$name" "$root/wavesim.3" || echo "wavesim.3: $name is missing"
	grep -rq "$name" "$here/lib" "$root/python" || echo "$name is not tested"
done >err
[ ! -s err ]
check "each function in the manual, and in a test" $?
objdump -p "to/lib/$soname" | grep -q "SONAME  *$soname$"
check "the soname" $?

# ---- C, C++ ----
# shellcheck disable=SC2086
${CC:-gcc} -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Wstrict-prototypes -Werror -g $sanitize $cflags \
	-o host "$here/lib/host.c" $libs -Wl,-rpath,"$to/lib" -pthread 2>err
check "C" $?
# shellcheck disable=SC2086
g++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -g $sanitize $cflags -o host_cc "$here/lib/host.cc" \
	$(echo "$all_libs" | sed 's|-lwavesim|-l:libwavesim.a|') 2>err
check "C++, with the library inside" $?
printf '#include <wavesim.h>\n' >only.c
# shellcheck disable=SC2086
${CC:-gcc} -std=c99 -Wall -Wpedantic -Werror -fsyntax-only $cflags only.c 2>err && cp only.c only.cc &&
	g++ -std=c++98 -Wall -Wpedantic -Wno-long-long -Werror -fsyntax-only $cflags only.cc 2>err
check "the header alone, in C99 and C++98" $?

good() { # what, words: nothing but "good"
	what=$1
	shift
	"$@" >out 2>err
	[ $? = 0 ] && [ "$(cat out)" = good ] && [ ! -s err ]
	check "$what" $?
}
good "memory, values, arguments" ./host memory
good "errors" ./host errors
good "a run is stopped" ./host stop
good "eight threads" ./host threads
# Memory runs out: at single allocations, drawn evenly from those of a run, and from each of them on.
if [ -n "$sanitize" ]; then
	echo 'SKIP out of memory: sanitizers have a heap of their own'
else
	# shellcheck disable=SC2086
	for words in "run once 30" "run ever 30" "run once 4 --no-cache" "run ever 4 --no-cache" "sweep once 8 --local 64,128" \
		"sweep ever 8 --local 64,128"; do
		good "out of memory: $words" env LD_PRELOAD="$build/tests/standin/scarce.so" ./host short $words
	done
fi
# A program with the library inside finds the helper where that was to be installed, or where it is told.
WAVESIM_HELPER=$to/lib/wavesim/wavesim-helper ./host_cc >out 2>err && [ "$(head -1 out)" = "4 groups, equal" ] &&
	grep -q 'error: .*local size 33' out && [ ! -s err ]
check "from C++" $?
good "eight threads, from C++" env WAVESIM_HELPER="$to/lib/wavesim/wavesim-helper" ./host_cc threads

cp -r "$root/lessons/bank-stride/stride.cl" "$root/lessons/divergence-swap/before.cl" .
for words in "stride.cl --arg stride=9" "before.cl --wave 32" "stride.cl --device hd5870"; do
	set -- $words
	"$wavesim" "$@" --json want.json --csv want.csv --html want.html --sarif want.sarif --log want.text >out 2>err
	for format in json csv html sarif text; do
		./host report $format "$@" >got 2>err && cmp want.$format got >>err 2>&1 && [ ! -s err ]
		check "$format of $words, as the program's" $?
	done
done
./host sweep --local 64,128,256 >got 2>err
cat >twice.cl <<END
// wavesim: --local 64
kernel void twice(global float *a, float by) { if (get_local_id(0) & 1) a[get_global_id(0)] *= by; }
END
"$wavesim" sweep twice.cl --local 64,128,256 --csv want.csv --quiet >out 2>>err && cmp want.csv got >>err && [ ! -s err ]
check "a sweep, as the program's" $?

# ---- the caller ----
./host caller >want 2>err && [ ! -s err ]
check "signals and folder are the caller's" $?
mkdir locale
if localedef -i de_DE -f UTF-8 locale/de_DE.UTF-8 2>err; then
	LOCPATH=$scratch/locale ./host caller de_DE.UTF-8 >got 2>err && cmp want got >err && [ ! -s err ]
	check "another locale" $?
else
	echo 'SKIP another locale: there is no localedef, or no source of de_DE (package locales)'
fi

# ---- the helper ----
mv to/lib/wavesim/wavesim-helper aside
./host helper >out 2>err
grep -q 'error: wavesim-helper, which runs the compilers, is not beside' out && grep -q '^hint: .*WAVESIM_HELPER' out &&
	[ ! -s err ]
check "without a helper" $?
WAVESIM_HELPER=$scratch/aside ./host memory >out 2>err && [ "$(cat out)" = good ]
check "a helper that the environment names" $?
mkdir to/lib/some-machine && mv "to/lib/$soname" to/lib/some-machine/ && mv aside to/lib/wavesim/wavesim-helper
LD_LIBRARY_PATH=$to/lib/some-machine ./host memory >out 2>err && [ "$(cat out)" = good ]
check "a library in the folder of a kind of machine" $?
mv "to/lib/some-machine/$soname" to/lib/

if [ -n "$sanitize" ]; then
	:
elif command -v valgrind >/dev/null; then
	for scene in threads stop "sweep --local 64,128,256"; do
		# shellcheck disable=SC2086
		valgrind -q --error-exitcode=99 --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=all \
			--suppressions="$here/valgrind.supp" --log-file=err ./host $scene >out 2>&1
		[ $? = 0 ] && ! grep -q '^==' err # it does not know pidfd_open, and says so
		check "$scene, under valgrind" $?
	done
else
	echo 'SKIP lib under valgrind: it is not installed'
fi
finish
