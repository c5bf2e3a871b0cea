#!/usr/bin/env python3
"""How many labelled faults of public suites --check finds, and what it says of kernels that have none.

    make corpora DIR=FOLDER        corpora.py FOLDER WAVESIM

FOLDER holds what the user fetched: Oclgrind/tests/kernels, gpuverify/testsuite/OpenCL, pocl/tests, pocl/examples (any may be
missing). A launch of Oclgrind is labelled by what its .ref file expects, a kernel of GPUVerify by its first lines. Found means: a
finding of that kind. An alarm: a finding of a kind that is not labelled. GPUVerify's labels are about all inputs: a fault that
the guessed ones do not show is looked for with all scalars 0, and with all 1; so is input that meets what a kernel that passes
requires of it. The suites are not ours and no part of `make test`.
"""
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

KINDS = {
    "race": {"data_race"},
    "uninitialized": {"uninitialized_read"},
    "bounds": {"out_of_bounds", "null_access"},
}
# A verifier says of an index without a value that it may be any.
ANY_INDEX = "an address depends on"
# What GPUVerify's own headers declare, and says nothing about one launch.
ANNOTATIONS = ("__assert", "__assume", "__requires", "__ensures", "__invariant", "__global_invariant", "__global_assert",
               "__global_requires", "__global_ensures", "__requires_fresh_array", "__array_snapshot", "__read_permission",
               "__write_permission", "__function_wide_invariant", "__function_wide_candidate_invariant",
               "__candidate_invariant", "__barrier_invariant", "__barrier_invariant_1", "__barrier_invariant_2",
               "__barrier_invariant_3", "__barrier_invariant_13", "__barrier_invariant_binary_1", "__reads_from",
               "__writes_to", "__reads_from_local", "__writes_to_local", "__reads_from_global", "__writes_to_global")
CHECKED = set().union(*KINDS.values())


def oclgrind(folder):
    for at, _, files in sorted(os.walk(folder)):
        for name in sorted(files):
            ref = os.path.join(at, name[:-4] + ".ref")
            if not name.endswith(".sim") or not os.path.exists(ref):
                continue
            text = open(ref, errors="replace").read()
            labels = set()
            if "data race" in text:
                labels.add("race")
            if "Uninitialized" in text:
                labels.add("uninitialized")
            if re.search(r"Invalid (read|write) of size|exceeds static array size", text):
                labels.add("bounds")
            yield at, name, [], labels, "ERROR" not in text, set()


def gpuverify(folder):
    for at, _, files in sorted(os.walk(folder)):
        if "kernel.cl" not in files:
            continue
        text = open(os.path.join(at, "kernel.cl"), errors="replace").read()
        head = text.split("\n")[:2]
        passes = head[0].strip().lower() == "//pass"
        labels = set()
        if not passes and "NOT_ALL_VERIFIED" in head[0]:
            said = "\n".join(line for line in text.split("\n") if line.lstrip().startswith("//"))
            if re.search(r"(?<!t)race", said + at):
                labels.add("race")
            if re.search(r"out-of-bounds|null pointer", said):
                labels.add("bounds")
        options = head[1] if len(head) > 1 else ""
        sizes = {}
        for word in ("local_size", "num_groups", "global_size"):
            found = re.search(word + r"=\[?([0-9, ]+)", options)
            if found:
                sizes[word] = [int(x) for x in found.group(1).replace(" ", "").strip(",").split(",")]
        local = sizes.get("local_size", [64])
        groups = sizes.get("num_groups", [1] * len(local))
        total = sizes.get("global_size", [a * b for a, b in zip(local, groups)])
        while total[0] > 4096 and total[0] // 2 % local[0] == 0:
            total[0] //= 2
        if re.search(r"--(only-log|only-divergence|kernel-args)|/checkArrays:", options):
            continue  # its label is not about what one launch of the whole kernel does
        spared = {"lanes"} if "--warp-sync" in options else {"groups"} if "--only-intra-group" in options else set()
        if local[0] > 1024 and len(local) == 1:  # no GPU has such; the fault is of fewer, too
            total = [max(total[0] * 1024 // local[0], 1024)]
            local = [1024]
        args = ["--local", ",".join(map(str, local)), "--global", ",".join(map(str, total))]
        macros = re.findall(r"-D\S+", options) + [f"-D{name}(...)=((void)0)" for name in ANNOTATIONS]
        args += ["--build-options", " ".join(macros)]
        # It takes any contents of memory for given: what is unset is not its subject.
        yield at, "kernel.cl", args, labels, passes, spared | {"uninitialized_read"}


def pocl(folder):
    """Each kernel of each file, with guessed arguments: none has a fault that its authors know of."""
    for at, _, files in sorted(os.walk(folder)):
        for name in sorted(files):
            if not name.endswith(".cl"):
                continue
            text = open(os.path.join(at, name), errors="replace").read()
            for kernel in re.findall(r"\b(?:__)?kernel\s+(?:__attribute__\s*\(\(.*?\)\)\s*)*void\s+(\w+)\s*\(", text):
                yield at, name, ["--kernel", kernel], set(), True, set()


def scalars(report, value):
    """Options that give all guessed scalars this value."""
    guessed = re.findall(r"--arg '?(\w+)=-?[0-9.]+'?(?= |$)", report["launch"]["guessed"])
    return [word for name in guessed for word in ("--arg", f"{name}={value}")]


def hits(kind, found):
    return any(i in found for i in KINDS[kind]) or \
        kind == "bounds" and any(ANY_INDEX in f["message"] for f in found.get("uninitialized_read", []))


def run(wavesim, launch):
    """The findings of a launch; of one that misses its labels, with other scalars."""
    _, _, args, labels = launch[:4]
    launch, found, report = once(wavesim, launch, args)
    for value in (0, 1) if found is not None and "--global" in args else ():
        missed = [k for k in labels if not hits(k, found)]
        unmet = launch[4] and found and "__requires(" in open(os.path.join(launch[0], launch[1]), errors="replace").read()
        more = scalars(report, value) if missed or unmet else []
        other = once(wavesim, launch, args + more)[1] if more else None
        if other is not None and any(hits(k, other) for k in missed):
            found = {**found, **other}
        elif other is not None and unmet:
            found = other
    return launch, found, report


def once(wavesim, launch, args):
    """The launch, its findings by kind, the report; or None and why."""
    at, name = launch[:2]
    words = [wavesim, name, *args, "--check", "--no-reference", "--no-estimate", "--no-advice", "--max-instructions",
             "2000000", "--timeout", "60", "--json", "-"]
    try:
        p = subprocess.run(words, cwd=at, capture_output=True, text=True, errors="replace", timeout=300)
        report = json.loads(p.stdout)
    except subprocess.TimeoutExpired:
        return launch, None, "too slow"
    except ValueError:
        why = re.search(r"error: (.*)", p.stderr)
        return launch, None, why[1] if why else "does not run here"
    if not report["checks"]["ran"]:
        return launch, None, report["checks"]["why"]
    found = {}
    for f in report["findings"]:
        if f["id"] in CHECKED and f["severity"] in ("error", "warning", "note"):
            found.setdefault(f["id"], []).append(f)
    return launch, found, report


def judge(name, launches, wavesim, jobs):
    with ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(lambda x: run(wavesim, x), launches))
    counts = {kind: [0, 0] for kind in KINDS}
    clean = alarms = ran = 0
    for (at, file, args, labels, is_clean, spared), found, why in results:
        where = os.path.relpath(os.path.join(at, file)) + (" " + args[1] if args[:1] == ["--kernel"] else "")
        if found is None:
            print(f"  not run: {where}: {why}")
            continue
        ran += 1
        clean += is_clean
        for kind in labels:
            hit = hits(kind, found)
            counts[kind][0] += hit
            counts[kind][1] += 1
            if not hit:
                print(f"  missed {kind}: {where}")
        wrong = [f for i, list in found.items() for f in list
                 if f["severity"] != "note" and not spared & {f.get("class"), f["id"]} and not any(i in KINDS[k] for k in labels)]
        if is_clean and wrong:
            alarms += 1
            f = wrong[0]
            print(f"  alarm: {where}:{f['line']}: {f['severity']}: {f['message'][:140]}")
    print(f"{name}: {ran} of {len(results)} ran; " +
          ", ".join(f"{k} {a} of {b}" for k, (a, b) in counts.items() if b) + f"; alarms in {alarms} of {clean} clean")


def main():
    folder, wavesim = sys.argv[1], os.path.abspath(sys.argv[2])
    jobs = int(os.environ.get("TEST_JOBS", os.cpu_count() or 1))
    suites = (("Oclgrind", oclgrind, "Oclgrind/tests/kernels"), ("GPUVerify", gpuverify, "gpuverify/testsuite/OpenCL"),
              ("PoCL's tests", pocl, "pocl/tests"), ("PoCL's examples", pocl, "pocl/examples"))
    for name, read, where in suites:
        path = os.path.join(folder, where)
        if os.path.isdir(path):
            judge(name, list(read(path)), wavesim, jobs)
        else:
            print(f"{name}: not in {folder}")


if __name__ == "__main__":
    main()
