#!/usr/bin/env python3
"""Processor time and memory against the size of the input: growth_times.py WAVESIM [KIND …]

Work-items, accesses of each that are nowhere near those of others, launches of a host program, lines of source
(bench/grow.awk), points of a sweep; each ten times as many as in the row before. In a row: seconds of processor time of all processes, the most memory that one of them had, and how often
the seconds of the row before. Beyond MORE_THAN_LINEAR times as long for ten times as much, once it takes LONG seconds, a
row is marked; so is memory of launches and points that grows like that. MOST=N: no row beyond N.
growth.sh tests the same of the sizes of outputs, which do not depend on the machine."""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
MORE_THAN_LINEAR, LONG, LARGE = 13, 0.5, 100  # times; seconds; MB
SMALL = "kernel void k(global int *a, int n) { a[get_global_id(0)] *= n; }"
APART = """kernel void k(global const uint *a, global uint *o, int n) {
  uint x = get_global_id(0) * 2654435761u, s = 0;
  for (int i = 0; i < n; i++) { x = x * 1664525u + 1013904223u; s += a[x >> 12]; }
  o[get_global_id(0)] = s; }"""
# The program's own report of each launch goes nowhere; --no-cache: what a run before left is no time.
QUIET = ["--quiet", "--no-cache"]


def used(words):
    """Seconds and megabytes of a command and all that it started."""
    pid = os.posix_spawn(words[0], words, os.environ,
                         file_actions=[(os.POSIX_SPAWN_OPEN, fd, "/dev/null", os.O_RDWR, 0) for fd in (0, 1, 2)])
    _, status, usage = os.wait4(pid, 0)
    if status:
        sys.exit(f"failed: {' '.join(words)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def items(wavesim, n):
    return [wavesim, "small.cl", "--global", str(n), "--local", "250", "--arg", f"a=iota:{n}", "--no-reference"] + QUIET


def accesses(wavesim, n):
    with open("apart.cl", "w") as out:
        out.write(APART)
    return [wavesim, "apart.cl", "--device", "h200", "--global", "512", "--local", "256", "--arg", "a=iota:1048576",
            "--arg", "o=zero:512", "--arg", f"n={n}", "--no-reference"] + QUIET


def launches(wavesim, n):
    return [wavesim, "run"] + QUIET + ["--", "./launches", str(n)]


def lines(wavesim, n):
    with open("grown.cl", "w") as out:
        subprocess.run(["awk", "-v", "kind=lines", "-v", f"n={n}", "-f", f"{HERE}/bench/grow.awk"], stdout=out, check=True)
    return [wavesim, "grown.cl", "--no-reference"] + QUIET


def points(wavesim, n):
    return [wavesim, "sweep", "small.cl", "--global", "64", "--local", "64", "--arg", f"n=1:{n}:1",
            "--json", "sweep.json"] + QUIET


KINDS = {"items": (items, 10**3, 10**8), "accesses": (accesses, 10**2, 10**6),
         "launches": (launches, 1, 10**5), "lines": (lines, 10, 10**4),
         "points": (points, 1, 10**4)}


def main():
    wavesim = os.path.abspath(sys.argv[1])
    kinds = sys.argv[2:] or list(KINDS)
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        with open("small.cl", "w") as out:
            out.write(SMALL)
        subprocess.run(["cc", "-O1", f"{HERE}/bench/launches.c", "-o", "launches", "-lOpenCL"], check=True)
        print(f"{'what':10} {'how many':>10} {'seconds':>9} {'MB':>7} {'times':>6}")
        for kind in kinds:
            command, n, most = KINDS[kind]
            before = None
            while n <= min(most, int(os.environ.get("MOST") or most)):
                seconds, mb = used(command(wavesim, n))
                times = seconds / before[0] if before else 0
                grows = seconds > LONG and times > MORE_THAN_LINEAR
                if kind in ("launches", "points") and before and mb > LARGE and mb > 5 * before[1]:
                    grows = True
                print(f"{kind:10} {n:10} {seconds:9.2f} {mb:7.0f} {times or '':6.4}{'  more than linear' if grows else ''}",
                      flush=True)
                before = seconds, mb
                n *= 10


main()
