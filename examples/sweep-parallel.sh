#!/bin/sh
# A sweep in PARTS parts through GNU parallel, then joined:
#
#   PARTS=8 examples/sweep-parallel.sh kernel.cl --local auto --device mi50,rx6900xt
#
# On other machines: PARALLEL='--sshlogin a,b --workdir . --return part-{}.db' (parallel reads it), with
# wavesim and the kernel file there.
set -e
parts=${PARTS:-$(nproc)}
seq "$parts" | parallel --will-cite --halt now,fail=1 --quote \
	wavesim sweep "$@" --quiet --shard "{}/$parts" --store "part-{}.db"
wavesim merge part-*.db --store all.db
