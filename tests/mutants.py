#!/usr/bin/env python3
"""Random programs without faults through --check, as they are and with one fault.

    mutants.py WAVESIM GEN FIRST LAST        seeds; the last line is "N passed, M failed"

Each program is run as it is; with one of its barriers removed; and with one index shifted to the next work-item's (of
a store to memory of the group, of a load from it, or of a work-item's part of a buffer). As it is it must get no
finding. The others must get one, unless the change is harmless (most often another barrier stands beside the one that
is gone, the work-items do not meet in what they touch, or the slots have room at the end). Oclgrind, where it is
installed, judges what is silent here: a race or an invalid access that it sees was missed, which fails; where it sees
none, the change is harmless. Without it these programs are only listed. A tenth of the programs that is not checked,
and a kind of fault of which none is found, fail too.

CHECKS_KEEP is the folder for programs that fail (default: the temporary folder), TEST_JOBS how many run at once.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

FAULTS = {"data_race", "uninitialized_read", "out_of_bounds", "null_access"}
BARRIER = re.compile(r"^\s*barrier\(")
# name[… lid …] = …; or a pointer to the work-item's own part; or a load from a place that follows from lid
INDEX = re.compile(r"^\s*(?:if \(\w+\) )?\w+\[[^]=]*\blid\b[^]=]*\] = |= \w+ \+ gid \* |= \w+\[lid [-+]")
TIMEOUT = 240


def findings(wavesim, path, notes=False):
    """The kinds that were found, as notes too (races in which all write the same value), and the lines that ran; None: it
    was not checked."""
    words = [wavesim, path, "--check=races,uninit,bounds", "--no-reference", "--no-estimate", "--no-advice", "--threads", "1",
             "--json", "-"]
    try:
        report = json.loads(subprocess.run(words, capture_output=True, text=True, timeout=TIMEOUT).stdout)
    except (ValueError, subprocess.TimeoutExpired):
        return None
    if not report["checks"]["ran"]:
        return None
    kinds = {f["id"] for f in report["findings"] if notes or f["severity"] != "note"} & FAULTS
    return kinds, {line["line"] for line in report["lines"] if line["executions"]}


def oclgrind(runner, path):
    """Does Oclgrind see a fault? None: it cannot tell."""
    words = ["oclgrind", "--data-races", runner, "--warmup", "0", "--repeats", "1", "--max-repeats", "1", "--db",
             path + ".db", path]
    try:
        p = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return None
    said = p.stdout + p.stderr
    if re.search(r"data race|Invalid (read|write)|exceeds static array", said):
        return True
    return False if p.returncode == 0 and "sample" in said else None


def without_barrier(lines, seed):
    at = [i for i, line in enumerate(lines) if BARRIER.match(line)]
    if not at:
        return None, 0
    i = at[seed % len(at)]
    return lines[:i] + lines[i + 1:], i + 1


def with_shifted_index(lines, seed):
    at = [i for i, line in enumerate(lines) if INDEX.search(line)]
    if not at:
        return None, 0
    i = at[seed % len(at)]
    name = "gid" if "+ gid *" in lines[i] else "lid"
    where = INDEX.search(lines[i])
    head, match, tail = lines[i][:where.start()], where.group(), lines[i][where.end():]
    # in the index, and not in what is stored
    begin = match.rindex("[") if name == "lid" and "[" in match else 0
    changed = match[:begin] + re.sub(rf"\b{name}\b", f"({name} + 1u)", match[begin:])
    return lines[:i] + [head + changed + tail] + lines[i + 1:], i + 1


VERDICTS = ("clean", "alarm", "found", "missed", "harmless", "unreached", "silent", "unchecked")
CHANGES = (("one barrier removed", without_barrier), ("one index shifted", with_shifted_index))


def one(seed, wavesim, gen, runner, folder):
    """[(change or None, verdict)]: clean, alarm, found, missed, harmless, unreached, silent, unchecked."""
    path = os.path.join(folder, f"{seed}.cl")
    subprocess.run([gen, str(seed), "--out", path], check=True)
    text = open(path).read()
    seen = findings(wavesim, path)
    out = [(None, "unchecked" if seen is None else "alarm" if seen[0] else "clean")]
    for name, change in CHANGES if seen is not None and not seen[0] else ():
        lines, number = change(text.split("\n"), seed)
        if lines is None:
            continue
        changed = os.path.join(folder, f"{seed}.{name.split()[1]}.cl")
        open(changed, "w").write("\n".join(lines))
        again = findings(wavesim, changed, notes=True)
        if again is None or again[0]:
            out.append((name, "unchecked" if again is None else "found"))
            continue
        if number not in seen[1]:  # Oclgrind may take another way: its built-in functions round otherwise
            out.append((name, "unreached"))
            continue
        faulty = oclgrind(runner, changed) if runner else None
        out.append((name, "missed" if faulty else "silent" if faulty is None else "harmless"))
    return out


def main():
    wavesim, gen = map(os.path.abspath, sys.argv[1:3])
    seeds = range(int(sys.argv[3]), int(sys.argv[4]) + 1)
    runner = os.path.join(os.path.dirname(wavesim), "wavesim-runner")
    runner = runner if shutil.which("oclgrind") and os.path.exists(runner) else None
    keep = os.environ.get("CHECKS_KEEP") or os.path.join(tempfile.gettempdir(), "check-failures")
    with tempfile.TemporaryDirectory() as folder:
        with ThreadPoolExecutor(int(os.environ.get("TEST_JOBS", os.cpu_count() or 1))) as pool:
            results = list(pool.map(lambda seed: one(seed, wavesim, gen, runner, folder), seeds))
        verdicts = {}
        for seed, result in zip(seeds, results):
            for change, verdict in result:
                verdicts.setdefault(change, {}).setdefault(verdict, []).append(seed)
                if verdict in ("alarm", "missed"):
                    os.makedirs(keep, exist_ok=True)
                    file = f"{seed}.cl" if change is None else f"{seed}.{change.split()[1]}.cl"
                    shutil.copy(os.path.join(folder, file), keep)
                    print(f"FAIL program {seed}, {change or 'as it is'}: {verdict} ({keep}/{file})")
    for change in (None,) + tuple(name for name, _ in CHANGES):
        of = verdicts.get(change, {})
        print(f"{change or 'as they are'}: " + ", ".join(
            f"{len(of[v])} {v}" for v in VERDICTS if v in of))
        for verdict in ("silent", "unchecked"):
            if verdict in of:
                print(f"  {verdict}:", *of[verdict])
    failed = {seed for of in verdicts.values() for verdict in ("alarm", "missed") for seed in of.get(verdict, [])}
    unchecked = len(verdicts.get(None, {}).get("unchecked", []))
    blind = [name for name, _ in CHANGES if not verdicts.get(name, {}).get("found")]
    for name in blind:
        print(f"FAIL {name}: none was found")
    if 10 * unchecked > len(seeds):
        print(f"FAIL {unchecked} of {len(seeds)} programs were not checked")
    bad = len(failed) + len(blind) + (10 * unchecked > len(seeds))
    print(f"{len(seeds) - len(failed)} passed, {bad} failed")
    sys.exit(bad != 0)


if __name__ == "__main__":
    main()
