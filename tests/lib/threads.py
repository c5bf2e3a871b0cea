#!/usr/bin/env python3
"""Eight threads of Python in libwavesim, for make tsan and make valgrind:  threads.py

Each runs two kernels and one that is wrong, and says what one alone says; $WAVESIM_LIBRARY is the library. It uses what
Python itself has: NumPy has faults of its own under these tools."""
import array
import os
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python"))
import wavesim  # noqa: E402

TWICE = """kernel void twice(global float *a, float by) { if (get_local_id(0) & 1) a[get_global_id(0)] *= by; }
"""
WRONG = "kernel void wrong(global int *a)\n{\n\ta[0] = b;\n}\n"


def once():
    said = []
    for source, local in ((TWICE, 64), (WRONG, 64), (TWICE, 32)):
        try:
            a = array.array("f", range(256))
            r = wavesim.run(source=source, local=local, args={"a": a, "by": 3} if source is TWICE else None)
            said.append((r.report("json"), bytes(memoryview(r["a"]).cast("B")), len(r.lines)))
        except wavesim.Error as e:
            said.append(str(e))
    return said


def main():
    want, got = once(), [None] * 8

    def work(k):
        got[k] = once()

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    good = all(g == want for g in got) and "'b'" in want[1] and len(want[0][0]) > 1000
    print("good" if good else f"not so: {got}")
    return not good


sys.exit(main())
