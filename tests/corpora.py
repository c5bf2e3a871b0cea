#!/usr/bin/env python3
"""How many labelled faults of public suites --check finds, and what it says of kernels that have none.

    make corpora DIR=FOLDER        corpora.py FOLDER WAVESIM

FOLDER holds what the user fetched: Oclgrind/tests/kernels, gpuverify/testsuite/OpenCL, piglit/tests/cl/program, pocl/tests,
pocl/examples, HiRace-Artifact-SC24/indigo (any may be missing). The lessons are run, too. A launch of Oclgrind is labelled by
what its .ref file expects, a kernel of GPUVerify by its first lines, one of Indigo (CUDA) by its name; the others have no fault
that is known. Found means: a finding of that kind. An alarm: a finding of a kind that is not labelled.

GPUVerify's labels are about all inputs: a fault that the guessed ones do not show is looked for with all scalars 0, and with all
1. Where a kernel says what it requires of its arguments, it gets such; an alarm of one whose condition is not understood here is
listed apart, and counted neither as an alarm nor as silent. The suites are not ours and no part of `make test`.

TEST_JOBS is how many run at once; SUITES names those that run (words of their names below); SAMPLE=N draws N launches of each,
by a seed.
"""
import json
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
from collections import namedtuple
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
# labels: kinds; clean: it has no fault; spared: classes and kinds that are not its subject; ranges: of scalars,
# what it requires; unmet: what it requires besides and was not understood; others: arguments that it runs with, too, where a
# label was missed or there is none
Launch = namedtuple("Launch", "at name args labels clean spared ranges unmet others", defaults=({}, (), ()))


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
            yield Launch(at, name, [], labels, "ERROR" not in text, set())


def constant(text):
    """A number, or None."""
    text = text.strip().strip("()")
    return eval(text, {}) if re.fullmatch(r"-?\d+( << \d+)?", text) else None


def within(value, bounds):
    return min(max(value, bounds[0]), bounds[1])


def required(text, items):
    """Arguments that meet what the __requires(…) of a kernel say, the ranges of scalars, and what was not understood."""
    text = re.sub(r"//.*|/\*.*?\*/", "", text)
    least, most, arrays, unmet = {}, {}, {}, []
    conditions = re.findall(r"__requires\((.*)\);", text)
    kernel = re.search(r"\b(?:__)?kernel\b.*?\(([^{;]*)\)\s*\{", text, re.S)
    arguments = re.findall(r"(\w+)\s*(?:,|$)", kernel[1].strip()) if kernel else []
    # of accesses and of the verifier's own state, or true of any launch: buffers are different ones
    free = re.compile(r"!?__(no_)?(read|write)\(\w+\)|__enabled\(\)|__uniform_bool\(__enabled\(\)\)|\w+ != \w+")
    for condition in conditions:
        inner = re.fullmatch(r"__implies\(__enabled\(\), (.*)\)", condition)
        for part in re.split(r"&&?", inner[1] if inner else condition):
            part = part.strip()
            scalar = re.fullmatch(r"(\w+) (>|>=|<|<=|==) (.+)", part)
            value = constant(scalar[3]) if scalar else None
            array = re.fullmatch(r"(\w+)\[get_(?:local|global)_id\(0\)\] (?:(== 0|< [1-9]\d*)|== get_global_id\(0\))", part)
            if value is not None:
                name, op = scalar[1], scalar[2]
                if op in (">", ">=", "=="):
                    least[name] = max(least.get(name, value), value + (op == ">"))
                if op in ("<", "<=", "=="):
                    most[name] = min(most.get(name, value), value - (op == "<"))
            elif array:
                arrays[array[1]] = f"{'zero' if array[2] else 'iota'}:{items}"
            elif not free.fullmatch(part):
                unmet.append(part)
    ranges = {name: (least.get(name, -1 << 31), most.get(name, (1 << 31) - 1)) for name in {*least, *most}}
    given = {**{name: within(0, r) for name, r in ranges.items()}, **arrays}
    return [word for name in arguments if name in given for word in ("--arg", f"{name}={given[name]}")], ranges, unmet


def shrunk(local, total):
    """A launch that a GPU takes and that ends soon: work-groups of at most 1024, and few of them."""
    n = max(len(local), len(total))
    local, total = (x + [1] * (n - len(x)) for x in (local, total))
    groups = [max(t // l, 1) for t, l in zip(total, local)]
    product = lambda x: x[0] * product(x[1:]) if x else 1
    while product(local) > 1024:
        i = local.index(max(local))
        local[i] = max(local[i] // 2, 1)
    while product(local) * product(groups) > 4096 and max(groups) > 1:
        i = groups.index(max(groups))
        groups[i] //= 2
    return local, [l * g for l, g in zip(local, groups)]


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
        if re.search(r"--(only-log|only-divergence|kernel-args)|/checkArrays:", options):
            continue  # its label is not about what one launch of the whole kernel does
        spared = {"lanes"} if "--warp-sync" in options else {"groups"} if "--only-intra-group" in options else set()
        local, total = shrunk(local, total)
        given, ranges, unmet = required(text, 4096)
        args = ["--local", ",".join(map(str, local)), "--global", ",".join(map(str, total)), *given]
        macros = re.findall(r"-D\S+", options) + [f"-D{name}(...)=((void)0)" for name in ANNOTATIONS]
        args += ["--build-options", " ".join(macros)]
        # It takes any contents of memory for given: what is unset is not its subject.
        yield Launch(at, "kernel.cl", args, labels, passes, spared | {"uninitialized_read"}, ranges, unmet)


# What PoCL's host programs launch, where the kernel takes for granted what they do.
HOSTS = {
    ("example2.cl", "matrix_transpose"): "--global 512,128 --local 64,1 --arg tile=local:1056",
    ("example2a.cl", "matrix_transpose"): "--global 512,128 --local 64,1",
    ("matrix1.cl", "transpose"): "--global 64,64 --local 8,8 --arg P=64 --arg Q=64",
}


def pocl(folder):
    """Each kernel of each file, with guessed arguments, in the work-groups that its test launches, if that says so: none has a
    fault that its authors know of."""
    for at, _, files in sorted(os.walk(folder)):
        tests = os.path.join(at, "CMakeLists.txt")
        launches = open(tests, errors="replace").read() if os.path.exists(tests) else ""
        for name in sorted(files):
            if not name.endswith(".cl"):
                continue
            text = open(os.path.join(at, name), errors="replace").read()
            for kernel in re.findall(r"\b(?:__)?kernel\s+(?:__attribute__\s*\(\(.*?\)\)\s*)*void\s+(\w+)\s*\(", text):
                # run_kernel FILE work-groups, and three sizes of one
                by = re.search(rf'run_kernel"? "?{re.escape(name)}"? ' + r'"?(\d+)"? "?(\d+)"? "?(\d+)"? "?(\d+)', launches)
                n, x, y, z = map(int, by.groups()) if by else (0, 0, 0, 0)
                sizes = f"--local {x},{y},{z} --global {n * x},{y},{z}" if by else HOSTS.get((name, kernel), "")
                if f'COMMAND "kernel" "{name[:-3]}"' in launches:  # kernel.c
                    sizes = "--local 1 --global 1"
                yield Launch(at, name, ["--kernel", kernel, *sizes.split()], set(), True, set())


def piglit(folder):
    """The first test of each kernel of each file, with its arguments."""
    for at, _, files in sorted(os.walk(folder)):
        for name in sorted(files):
            text = open(os.path.join(at, name), errors="replace").read() if name.endswith((".cl", ".program_test")) else ""
            config, *tests = re.split(r"^\[test\]", text, flags=re.M)
            # .inc: it is the sources of others
            source = re.search(r"^program_source_file:\s*(\S+)", config, re.M)
            seen = set()
            for number, test in enumerate(tests, 1):
                kernel = re.search(r"^kernel_name:\s*(\w+)", test, re.M) or re.search(r"^kernel_name:\s*(\w+)", config, re.M)
                if re.search(r"^expect_(test|build)_fail:\s*true", config + test, re.M) or (kernel and kernel[1] in seen):
                    continue
                seen.add(kernel[1] if kernel else None)
                if not source:
                    yield Launch(at, name, ["--test", str(number)], set(), True, set())


# The host's part of Indigo's headers is read, too.
CUDA = " ".join(f"-Dcuda{name}=hip{name}" for name in ("Malloc", "Memcpy", "MemcpyHostToDevice", "MemcpyDeviceToHost", "Free",
                                                        "DeviceReset"))


def indigo(folder):
    """Each kernel on two graphs of the artifact, in the second one neither the first vertex has neighbours nor the last; in warps
    of 32 threads: with work-groups for all vertices, or so few that those which loop over vertices do so."""
    folder = os.path.abspath(folder)
    at, given = tempfile.mkdtemp(prefix="indigo-"), []
    for name in ("counterDAG_200n_1000e", "power_law_200n_1000e"):
        graph = open(os.path.join(folder, "input", name + ".egr"), "rb").read()
        nodes, edges = struct.unpack("<2i", graph[:8])
        for array, part in (("nindex", graph[8:12 + 4 * nodes]), ("nlist", graph[12 + 4 * nodes:])):
            open(os.path.join(at, f"{name}.{array}"), "wb").write(part)
        data = [f"data{i}=random(0,{n}):{max(nodes, edges)}" for i, n in ((1, nodes), (2, edges))]
        words = [f"nindex=@{at}/{name}.nindex", f"nlist=@{at}/{name}.nlist", *data, f"numv={nodes}"]
        given.append([w for word in words for w in ("--arg", word)])
    for at, _, files in sorted(os.walk(os.path.join(folder, "indigo_sources"))):
        for name in sorted(files):
            labels = {kind for kind, bugs in (("race", "atomic|sync|race|guard"), ("bounds", "bounds"))
                      if re.search(rf"_({bugs})Bug", name)}
            args = ["--kernel", "test_kernel", "--device", "w7800", "--block", "64", "--grid", "8" if "persistent" in name else
                    str(nodes), "--build-options", f"-I {folder}/indigo_include {CUDA}"]
            yield Launch(at, name, args + given[0], labels, not labels, set(), others=[args + given[1]])


def lessons(folder):
    for at, _, files in sorted(os.walk(folder)):
        for name in sorted(files):
            if name.endswith(".cl"):
                yield Launch(at, name, [], set(), True, set())


def scalars(report, value, ranges):
    """All scalars with this value, or one that is near and allowed."""
    guessed = re.findall(r"--arg '?(\w+)=-?[0-9.]+'?(?= |$)", report["launch"]["guessed"])
    values = {**{name: value for name in guessed}, **{name: within(value, r) for name, r in ranges.items()}}
    return values


def with_values(args, values):
    """The options with these arguments in place of those of their names."""
    kept, rest = [], iter(args)
    for word in rest:
        value = next(rest) if word == "--arg" else None
        if value is None or value.split("=")[0] not in values:
            kept += [word] if value is None else [word, value]
    return kept + [word for name, value in values.items() for word in ("--arg", f"{name}={value}")]


def hits(kind, found):
    return any(i in found for i in KINDS[kind]) or \
        kind == "bounds" and any(ANY_INDEX in f["message"] for f in found.get("uninitialized_read", []))


def run(wavesim, launch):
    """The findings of a launch; of one that misses its labels, with other scalars."""
    found, report = once(wavesim, launch, launch.args)
    for args in launch.others if found is not None else ():
        other = once(wavesim, launch, args)[0] if launch.clean or any(not hits(k, found) for k in launch.labels) else None
        found = {i: found.get(i, []) + other.get(i, []) for i in {*found, *other}} if other is not None else found
    for value in (0, 1) if found is not None and "--global" in launch.args else ():
        missed = [k for k in launch.labels if not hits(k, found)]
        values = scalars(report, value, launch.ranges) if missed else {}
        other = once(wavesim, launch, with_values(launch.args, values))[0] if values else None
        if other is not None and any(hits(k, other) for k in missed):
            found = {**found, **other}
    return launch, found, report


def once(wavesim, launch, args):
    """Its findings by kind, the report; or None and why."""
    words = [wavesim, launch.name, *args, "--check", "--no-reference", "--no-estimate", "--no-advice", "--max-instructions",
             "2000000", "--timeout", "60", "--json", "-"]
    try:
        p = subprocess.run(words, cwd=launch.at, capture_output=True, text=True, errors="replace", timeout=300)
        report = json.loads(p.stdout)
    except subprocess.TimeoutExpired:
        return None, "too slow"
    except ValueError:
        why = re.search(r"error: (.*)", p.stderr)
        return None, why[1] if why else "does not run here"
    if not report["checks"]["ran"]:
        return None, report["checks"]["why"]
    found = {}
    for f in report["findings"]:
        if f["id"] in CHECKED and f["severity"] in ("error", "warning", "note"):
            found.setdefault(f["id"], []).append(f)
    return found, report


def alarms_of(launch, found):
    if not launch.clean:
        return []
    return [f for i, list in found.items() for f in list
            if f["severity"] != "note" and not launch.spared & {f.get("class"), f["id"]} and
            not any(i in KINDS[k] for k in launch.labels)]


def judge(name, launches, wavesim, jobs):
    with ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(lambda x: run(wavesim, x), launches))
    counts = {kind: [0, 0] for kind in KINDS}
    clean = alarms = unmet = ran = 0
    for launch, found, why in results:
        where = os.path.relpath(os.path.join(launch.at, launch.name))
        where += " " + launch.args[1] if launch.args[:1] in (["--kernel"], ["--test"]) else ""
        if found is None:
            print(f"  not run: {where}: {why}")
            continue
        ran += 1
        clean += launch.clean
        for kind in launch.labels:
            hit = hits(kind, found)
            counts[kind][0] += hit
            counts[kind][1] += 1
            if not hit:
                other = f"; found there: {', '.join(sorted(found))}" if found else ""
                print(f"  missed {kind}: {where}{other}")
        wrong = alarms_of(launch, found)
        if wrong:
            f, what = wrong[0], "alarm"
            if launch.unmet:
                what = f"not met: {'; '.join(launch.unmet)}"
                unmet += 1
                clean -= 1
            alarms += not launch.unmet
            print(f"  {what}: {where}:{f['line']}: {f['severity']}: {f['message'][:140]}")
    print(f"{name}: {ran} of {len(results)} ran; " +
          ", ".join([f"{k} {a} of {b}" for k, (a, b) in counts.items() if b] + [f"alarms in {alarms} of {clean} clean"]) +
          (f"; {unmet} whose conditions are not met" if unmet else ""), flush=True)


def main():
    folder, wavesim = sys.argv[1], os.path.abspath(sys.argv[2])
    jobs = int(os.environ.get("TEST_JOBS", os.cpu_count() or 1))
    suites = (("Oclgrind", oclgrind, "Oclgrind/tests/kernels"), ("GPUVerify", gpuverify, "gpuverify/testsuite/OpenCL"),
              ("piglit", piglit, "piglit/tests/cl/program"), ("PoCL's tests", pocl, "pocl/tests"),
              ("PoCL's examples", pocl, "pocl/examples"), ("Indigo", indigo, "HiRace-Artifact-SC24/indigo"),
              ("lessons", lessons, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lessons")))
    wanted, sample = os.environ.get("SUITES", "").split(), int(os.environ.get("SAMPLE", 0))
    for name, read, where in suites:
        path = os.path.join(folder, where)
        if wanted and not any(word in name for word in wanted):
            continue
        if os.path.isdir(path):
            launches = list(read(path))
            if sample and sample < len(launches):
                launches = sorted(random.Random(1).sample(launches, sample))
            judge(name, launches, wavesim, jobs)
        else:
            print(f"{name}: not in {folder}")


if __name__ == "__main__":
    main()
