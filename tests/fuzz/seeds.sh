#!/bin/sh
# Inputs to begin with, besides those in corpus/, that are made or lie elsewhere:  seeds.sh FOLDER
#
#   FOLDER/fuzz_bitcode   the kernels in bitcode/, without optimisation and with debug lines, as
#                         PoCL builds them; without clang there are none
#   FOLDER/fuzz_capture   the samples of launch files
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1/fuzz_bitcode" "$1/fuzz_capture"
cp "$here"/../../traces/samples/*.launches "$1/fuzz_capture"
clang=$(command -v "clang-$(sh "$here/../deps.sh" llvm)" || command -v clang) || { echo "SKIP seeds of bitcode: no clang"; exit 0; }
for source in "$here"/bitcode/*.cl; do
	"$clang" -x cl -cl-std=CL2.0 -target x86_64-pc-linux-gnu -g -O0 -Xclang -disable-O0-optnone \
		-emit-llvm -c -o "$1/fuzz_bitcode/$(basename "$source" .cl).bc" "$source"
done
