#!/bin/sh
# Clang warns of other things than GCC, by which the rest is built: warnings.sh BUILD, LLVM=version. It has nothing to say of the
# programs, the libraries and the unit suites. The last line is "N passed, M failed".
set -u
build=$1
cd "$(dirname "$0")/.." || exit 2
clang=$(command -v "clang-$LLVM") || {
	echo "SKIP warnings: there is no clang-$LLVM"
	echo "0 passed, 0 failed"
	exit 0
}
if make --no-print-directory syntax CC="$clang" BUILD="$build"; then
	echo "1 passed, 0 failed"
else
	echo "0 passed, 1 failed"
	exit 1
fi
