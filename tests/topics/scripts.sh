# Topics that are a script of their own each, whose last line is "N passed, M failed".

compare() { script compare "$here/compare.sh" "$wavesim"; }
consistency() { script consistency "$here/consistency.sh" "$wavesim"; }
uneven() { script uneven "$here/uneven.sh" "$wavesim"; }
advice() { script advice "$here/advice.py" "$wavesim"; }
functions() { script functions "$here/functions.py" "$wavesim"; }
images() { script images "$here/images.py" "$wavesim"; }

subgroups() {
	# shellcheck disable=SC2086
	script subgroups "$here/subgroups.py" "$wavesim" ${TEST_WIDTHS:-32 128}
}

growth() { script growth "$here/growth.sh" "$wavesim"; }
figures() { of_llvm_15 figures && script figures "$here/figures.sh" "$root/lessons/figures.md" "$wavesim"; }
versions() { script versions "$here/versions.sh" "$wavesim"; }
text() { script text "$here/text.sh" "$wavesim"; }
helper() { script helper "$here/helper.sh" "$wavesim"; }
cache() { script cache "$here/cache.sh" "$wavesim"; }
registers() { script registers "$here/registers.sh" "$wavesim"; }
hip() { script hip "$here/hip.sh" "$root/docs/hip.md" "$wavesim"; }
spirv() { script spirv "$here/spirv.sh" "$wavesim"; }
machine() { script machine "$here/machine.sh" "$wavesim" "$build"; }
sandbox() { script sandbox "$here/sandbox.sh" "$wavesim" "$build"; }
installed() { script installed "$here/installed.sh" "$wavesim"; }
lib() { script lib "$here/lib.sh" "$wavesim" "$build"; }

# Its packages are the system's Python's.
python() { script python "$here/python.py" "$wavesim" "$build"; }

watch() { script watch "$here/watch.sh" "$wavesim"; }

# CHECK_SEEDS: how many (default 12).
checks() { script checks "$here/mutants.py" "$wavesim" "$build/tests/gen/gen" 1 "${CHECK_SEEDS:-12}"; }

warnings() { script warnings "$here/warnings.sh" "$build"; }
docs() { script docs "$here/docs.py" "$wavesim"; }
html() { script html "$here/html.sh" "$wavesim"; }
exercises() { script exercises "$here/exercises.py" "$wavesim"; }
