#!/usr/bin/python3
"""The debugger beside what it did not make itself: debug.py WAVESIM

Values beside what the kernel prints at the same place; buffers at the end beside those of a run without a debugger, for
the source and for what the device's compiler made; states that one comes back to beside what they were; the Debug
Adapter Protocol by a client (dap.py) on every kernel of tests/debug, and messages that are none."""
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

import dap
import tmux

WAVESIM = os.path.abspath(sys.argv[1])
HERE = os.path.dirname(os.path.abspath(__file__))
passed = failed = 0


def check(name, ok, why=""):
    global passed, failed
    passed, failed = passed + bool(ok), failed + (not ok)
    if not ok:
        print(f"FAIL {name}: {why}")


def run(args, folder, text=None):
    return subprocess.run([WAVESIM, *args], cwd=folder, input=text, capture_output=True, text=True)


def session(args, folder, commands):
    """The answers to the commands, in their order."""
    p = run(["debug", *args], folder, "\n".join(commands) + "\n")
    parts = re.split(r"^\(wavesim\) .*\n", p.stdout, flags=re.M)
    return parts[1:], p


def case(path):
    """The files of a test case."""
    files, name = {}, None
    for line in open(path, encoding="utf-8"):
        if line.startswith("-- "):
            name = line[8:].strip() if line.startswith("-- file ") else None
            if name:
                files[name] = ""
        elif name:
            files[name] += line
    return files


def write(folder, files):
    for name, text in files.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(text)


# ---- values beside printf ----

PRINTS = """// wavesim: --global 48 --local 24 --wave 8 --arg in=random:48
typedef struct { float f; uchar u; } Pair;
float half_of(float x) { return x / 2; }
kernel void k(global const float *in, global int *out)
{
	local int shared[24];
	int i = get_global_id(0), l = get_local_id(0);
	long sum = 0;
	Pair p = {0, 0};
	shared[l] = i * 3;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int j = 0; j < 2 + i % 3; j++) {
		sum -= (long)i << (30 + j);
		p.f += half_of(in[i]);
		p.u -= i;
		if ((i ^ j) & 1)
			printf("%d %d %ld %.9g %u %d\\n", i, j, sum, p.f, p.u, shared[23 - l]);
	}
	out[i] = sum;
}
"""
ROWS = ["i", "j", "sum", "p.f", "p.u", "shared[23 - l]"]


def row(text):
    """What `row` says of active lanes; one value for all."""
    same = re.match(r".* = (\S+) in (?:all )?(\d+) lanes? of", text)
    if same:
        return same.group(1)
    return [w for line in text.split("\n")[1:] if line.startswith("lane")
            for w in re.findall(r"\(\s*(\S+)\)|(\S+)", line[8:])]


def active(values, mask):
    lanes = [c == "#" for c in mask]
    if isinstance(values, str):
        return [values] * sum(lanes)
    return [v[1] for v, on in zip(values, lanes) if on]


def printf_agrees(folder):
    write(folder, {"p.cl": PRINTS})
    line = next(n for n, s in enumerate(PRINTS.split("\n"), 1) if "printf" in s)
    plain = run(["p.cl", "--no-reference"], folder).stdout
    wanted = sorted(re.findall(r"^ *(\d+ \d+ \S+ \S+ \d+ \d+)$", plain, re.M))
    stops = 40
    answers, p = session(["p.cl"], folder,
                         [f"b {line}"] + ["c", *["row " + r for r in ROWS]] * stops)
    found = []
    for s in range(stops):
        here = answers[1 + s * (len(ROWS) + 1):][:len(ROWS) + 1]
        mask = re.search(r"\[([#._ ]+?)  \d+ of", here[0])
        if not mask:
            break
        columns = [active(row(r), mask.group(1).replace(" ", "")) for r in here[1:]]
        found += [" ".join(x) for x in zip(*columns)]
    def numbers(texts):
        return sorted([struct.pack("f", float(w)) if k == 3 else int(w) for k, w in enumerate(t.split())] for t in texts)
    check("printf", wanted and len(wanted) > 60 and numbers(found) == numbers(wanted),
          f"{len(found)} values, {len(wanted)} printed")


# ---- buffers at the end ----

SAME = ["lessons/transpose/naive.cl", "lessons/reduction/strided.cl", "lessons/prefix-sum/plain.cl",
        "lessons/bank-stride/stride.cl", "lessons/matmul/tiled.cl"]


def buffers_agree(kernel, words, extra):
    folder, name = os.path.split(kernel)
    answers, _ = session([name, *words, *extra], folder, ["dump"])
    buffers = re.findall(r"^  (\w+)$", answers[0], re.M)
    with tempfile.TemporaryDirectory() as t:
        _, p = session([name, *words, *extra], folder,
                       ["catch none", "c"] + [f"dump {b} {t}/{b}.debug" for b in buffers])
        q = run([name, *words, "--no-reference", *sum((["--dump", f"{b}={t}/{b}.run"] for b in buffers), [])], folder)
        ok = p.returncode == 0 and q.returncode == 0 and buffers
        for b in buffers if ok else []:
            ok = open(f"{t}/{b}.debug", "rb").read() == open(f"{t}/{b}.run", "rb").read()
            if not ok:
                break
    check(f"buffers of {name} {' '.join(extra)}", ok, p.stderr + q.stderr)


def all_buffers_agree():
    root = os.path.dirname(HERE)
    cases = sorted(os.path.join(d, "kernel.cl") for d, _, names in os.walk(os.path.join(HERE, "cases"))
                   if {"kernel.cl", "run"} <= set(names))
    chosen = [(os.path.join(root, k), []) for k in SAME if os.path.exists(os.path.join(root, k))]
    # By their names: another case does not change which.
    for kernel in (k for k in cases if zlib.crc32(os.path.relpath(k, HERE).encode()) % 9 == 0):
        words = open(os.path.join(os.path.dirname(kernel), "run"), encoding="utf-8").read().split("\n")
        words = [w for w in words if w and w != "kernel.cl"]
        if any(w.startswith("--json") or w == "-" for w in words) or (words and words[0][0] != "-") or "/math/" in kernel:
            continue # what is compared there is the report; AMD's functions round by the optimiser (docs/debugger.md)
        if "--dump" in words or kernel.endswith("/stored-addresses/kernel.cl"):
            continue # it has the buffers that it is asked for; addresses are those of other code
        chosen.append((kernel, words))
    for kernel, words in chosen:
        buffers_agree(kernel, words, [])
        buffers_agree(kernel, words, ["--optimised"])


# ---- back and on ----

LOOK = ["info locals", "info args", "info lanes", "info waves", "info lds", "backtrace"]


def states(args, folder, before, moves):
    answers, p = session(args, folder, before + [c for m in moves for c in [m, *LOOK]])
    answers = answers[len(before):]
    n = len(LOOK) + 1
    return ["".join(answers[i * n + 1:(i + 1) * n]) for i in range(len(moves))], p


def back_agrees(name, files, args, before):
    with tempfile.TemporaryDirectory() as folder:
        write(folder, files)
        file = next(iter(files))
        for on, back in (("next", "reverse-next"), ("step", "reverse-step"), ("stepi", "reverse-stepi")):
            forth, _ = session([file, *args], folder, before + ["next"] + [on] * 30)
            said = forth[len(before) + 1:]
            where = re.search(r"^(\w+) at ", said[0], re.M).group(1)
            # Over a call that one has come out of, `reverse-next` goes as a whole.
            n = next((i for i, x in enumerate(said) if "has ended" in x or
                      (on == "next" and not re.search(rf"^{where} at ", x, re.M))), len(said))
            there, p = states([file, *args], folder, before, ["next"] + [on] * n + [back] * n)
            bad = [i for i in range(n + 1) if there[n - i] != there[n + i]]
            check(f"{name}: {back}", n > 1 and len(there) == 2 * n + 1 and not bad,
                  f"{n} moves, differs after {bad[:3]} {p.stderr}")
        draw = random.Random(1)
        counts = [draw.randrange(120) for _ in range(12)]
        order = counts[:]
        draw.shuffle(order)
        once, _ = states([file, *args], folder, [], [f"goto {c}" for c in counts])
        again, _ = states([file, *args], folder, ["goto 300"], [f"goto {c}" for c in order])
        bad = [c for c in counts if once[counts.index(c)] != again[order.index(c)]]
        check(f"{name}: goto", not bad, f"differs at {bad}")


GROUP = """// wavesim: --global 32 --local 16 --wave 4
int twice(int x)
{
	return 2 * x;
}
kernel void k(global int *out)
{
	local int t[16];
	int l = get_local_id(0), s = 0;
	for (int j = 0; j <= l / 4; j++)
		s += twice(j);
	t[l] = s;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = t[15 - l];
}
"""


def group_back_agrees(folder):
    """Steps of a whole group, back as they came: to a barrier, over it, into the next group; then on again."""
    write(folder, {"g.cl": GROUP})
    for on, n in (("next", 20), ("step", 30), ("stepi", 140)):
        there, p = states(["g.cl"], folder, ["wave 2"], [f"{on} group"] * n)
        first = next(i for i, x in enumerate(there) if re.search(r"^\*  0 ", x, re.M)) # of the next group
        moves = [f"{on} group"] * first + [f"reverse-{on} group"] * (first - 1) + [f"{on} group"] * n
        back, q = states(["g.cl"], folder, ["wave 2"], moves)
        bad = [i for i in range(first) if back[2 * first - 2 - i] != there[i]]
        check(f"group: reverse-{on}", first > 10 and not bad and back[2 * first - 1:] == there[1:][:n] + back[-1:],
              f"{first} moves, differs after {bad[:3]} {p.stderr} {q.stderr}")
        waits = sum("waits at the barrier" in x for x in there[:first])
        check(f"group: {on} to a barrier", waits > 3, f"{waits} states with a wavefront at the barrier")


WRITES = """// wavesim: --global 8 --local 8 --wave 4
kernel void k(global int *out)
{
	for (int i = 0; i < 9000; i++)
		out[get_global_id(0) / 4] = i;
}
"""
SHIFTS = 40 # at least as many as that loop has instructions
KEPT = 1 << 16 # instructions to the first copy of a state (engine/debug_history.c)


def watch_set_later(folder):
    """A write is found going back, whether it was watched when it happened or not; also the one that led to a copy."""
    write(folder, {"w.cl": WRITES})
    commands = []
    for shift in range(1, SHIFTS + 1): # instructions of the other wavefront, so that the writes lie elsewhere
        commands += ["restart", "wave 1", f"stepi {shift}", "wave 0", "stepi", "delete", f"goto {KEPT + 2000}",
                     "watch out[0]", f"goto {KEPT + 1}", "rc", "info program"]
    answers, _ = session(["w.cl", "--no-check"], folder, commands)
    found = [int(x) for x in re.findall(r"; (\d+) executed", "".join(answers))]
    check("a watch that is set later", len(found) == SHIFTS and KEPT in found and
          all(b == a + 1 or a == KEPT for a, b in zip(found, found[1:])), found)


# ---- the Debug Adapter Protocol ----

def stops_until_end(c, first):
    stops = [first]
    while first["event"] == "stopped" and len(stops) < 60:
        first = c.go("continue", threadId=first["body"]["threadId"])
        stops.append(first)
    return stops


def adapter_session(name, folder, file, text, args):
    lines = text.split("\n")
    line = max(n for n, s in enumerate(lines, 1) if s.startswith("\tout[") or s.startswith("\t\tout["))
    c = dap.Client(WAVESIM)
    path = os.path.join(folder, file)
    can, placed = c.start(path, args, [{"line": line}], [])
    stop = c.event("stopped", "terminated")
    ok = can["supportsStepBack"] and placed[0]["verified"] and placed[0]["line"] == line
    ok = ok and stop["event"] == "stopped" and stop["body"]["reason"] == "breakpoint"
    thread = stop["body"]["threadId"]
    frames = c.frames(thread)
    ok = ok and frames[0]["line"] == line and frames[0]["source"]["path"] == os.path.realpath(path)
    scopes = c.scopes(frames[0]["id"])
    known = c.variables(scopes["Locals"])
    lanes = c.variables(scopes["Lanes"])
    ok = ok and len(c.ask("threads")["threads"]) >= thread and "mask" in lanes
    for v in known.values(): # every local is what an expression of its name is, and what its row holds for the lane
        ok = ok and c.evaluate(v["evaluateName"], frames[0]["id"]) == v["value"]
    rows = c.variables(scopes["All lanes"])
    for n, v in known.items():
        each = c.variables(rows[n]["variablesReference"])
        mine = [x for k, x in each.items() if re.match(rf"lane {lanes['lane']['value']}\b", k)]
        ok = ok and mine[0]["value"] == v["value"]
    after = c.go("next", threadId=thread)
    if after["event"] == "stopped" and after["body"]["reason"] == "step" and after["body"]["threadId"] == thread:
        c.go("stepBack", threadId=thread)
        back = c.frames(thread)
        ok = ok and back[0]["line"] == line
        ok = ok and {n: v["value"] for n, v in c.variables(c.scopes(back[0]["id"])["Locals"]).items()} == \
            {n: v["value"] for n, v in known.items()}
        after = c.go("continue", threadId=thread)
    stops = stops_until_end(c, after)
    ok = ok and stops[-1]["event"] == "terminated"
    check(f"adapter: {name}", ok and c.end() == 0, f"{stop} {frames} {placed}")


def adapter_findings(folder):
    write(folder, case(os.path.join(HERE, "debug", "race.case")))
    path = os.path.join(folder, "k.cl")
    c = dap.Client(WAVESIM)
    c.start(path, [], [], ["finding"])
    stop = c.event("stopped", "terminated")
    said = c.ask("exceptionInfo", threadId=stop["body"]["threadId"])
    check("adapter: a race", stop["body"]["reason"] == "exception" and said["exceptionId"] == "data_race", stop)
    thread = stop["body"]["threadId"]
    c.ask("setFunctionBreakpoints", breakpoints=[{"name": "shift"}])
    back = c.go("reverseContinue", threadId=thread)
    check("adapter: back to a function", back["body"]["reason"] == "breakpoint" and c.frames(thread)[0]["line"] == 5, back)
    frame = c.frames(thread)[0]["id"]
    text = c.evaluate("row get_local_id(0)", frame, "repl")
    check("adapter: a command of the console", "lane   0" in text, text)
    c.evaluate("lane 7", frame, "repl")
    check("adapter: another lane", c.event("invalidated") and c.evaluate("get_local_id(0)", frame) == "7")
    for command, arguments in (("evaluate", {"expression": "1 +"}), ("evaluate", {}), ("variables", {}),
                               ("stackTrace", {"threadId": 99}), ("scopes", {"frameId": 10 ** 9}), ("nonsense", {}),
                               ("source", {"sourceReference": 99}), ("launch", {"program": path}),
                               ("setBreakpoints", {}), ("evaluate", {"expression": "quit", "context": "repl"})):
        try:
            c.ask(command, **arguments)
            check(f"adapter: {command} {arguments}", False, "it was not refused")
        except dap.Refused:
            check("refused", True)
    check("adapter: the end", c.end() == 0)


def adapter_group(folder):
    """All of a group, on and back, and one of it; whom a step moves is said by the launch or by the request."""
    write(folder, {"g.cl": GROUP})
    c = dap.Client(WAVESIM)
    can, _ = c.start(os.path.join(folder, "g.cl"), [], [], [], stopOnEntry=True, stepping="group")
    c.event("stopped", "terminated")
    def lines():
        return [c.frames(t)[0]["line"] for t in (1, 2, 3, 4)]
    c.go("next", threadId=3)
    before = lines()
    c.go("next", threadId=3)
    there = lines()
    c.go("stepBack", threadId=3)
    back = lines()
    c.go("next", threadId=3)
    again = lines()
    c.go("next", threadId=3, singleThread=True)
    one = [n for n, (a, b) in enumerate(zip(again, lines()), 1) if a != b]
    check("adapter: a group", before == [10] * 4 and there == [11] * 4 and back == before and again == there,
          f"{before} {there} {back} {again}")
    check("adapter: one of a group", can["supportsSingleThreadExecutionRequests"] and one == [3], one)
    check("adapter: the end of a group", c.end() == 0)
    c = dap.Client(WAVESIM)
    try:
        c.start(os.path.join(folder, "g.cl"), [], [], [], stepping="all")
        check("adapter: whom a step moves", False, "it was not refused")
    except dap.Refused as e:
        check("adapter: whom a step moves", "wave, group or lane" in str(e) and c.end() == 0, e)


def adapter_data(folder):
    """Memory is watched, by an expression and by its place among the variables; a variable of a lane cannot be."""
    write(folder, case(os.path.join(HERE, "debug", "race.case")))
    c = dap.Client(WAVESIM)
    can, _ = c.start(os.path.join(folder, "k.cl"), [], [], [], stopOnEntry=True)
    stop = c.event("stopped", "terminated")
    thread = stop["body"]["threadId"]
    frame = c.frames(thread)[0]["id"]
    by_name = c.ask("dataBreakpointInfo", name="t[33]", frameId=frame)
    lds = c.variables(c.scopes(frame)["Local memory"])
    by_place = c.ask("dataBreakpointInfo", name="[33]", variablesReference=lds["t"]["variablesReference"])
    check("adapter: what can be watched", can["supportsDataBreakpoints"] and by_name["accessTypes"] == ["write"] and
          by_name["dataId"].split()[:3] == by_place["dataId"].split()[:3] and "4 bytes" in by_name["description"],
          f"{by_name} {by_place}")
    none = [c.ask("dataBreakpointInfo", name=n, frameId=frame) for n in ("l", "1 + 1", "nothing", "t[")]
    check("adapter: what cannot", all(x["dataId"] is None and x["description"] for x in none), none)
    wanted = [{"dataId": by_name["dataId"], "condition": "l == 33"}, {"dataId": "local 1"}, {"dataId": "t[33]"}, {}]
    rows = c.ask("setDataBreakpoints", breakpoints=wanted)["breakpoints"]
    check("adapter: it is watched", [r["verified"] for r in rows] == [True, False, False, False], rows)
    stop = c.go("continue", threadId=thread)
    said = stop["body"]
    check("adapter: who wrote", said.get("reason") == "data breakpoint" and said["hitBreakpointIds"] == [rows[0]["id"]] and
          said["threadId"] == 2 and c.evaluate("t[33]", c.frames(2)[0]["id"]) == str(33 * 33), stop)
    c.ask("setDataBreakpoints", breakpoints=[])
    check("adapter: no longer", c.go("continue", threadId=2)["event"] == "terminated" and c.end() == 0)


def adapter_garbage():
    c = dap.Client(WAVESIM)
    body = b'{"seq":1,"type":"request","command":"threads"}'
    for text in (b"nonsense\r\n\r\n", b"Content-Length: x\r\n\r\n", b"Content-Length: 3\r\n\r\n{]}",
                 b"Content-Length: 2\r\n\r\n[]", b"Content-Length: 99999999999999999999\r\n\r\n", b"A" * 5000,
                 b"\r\n\r\n", b"Content-Length: 46\n\n" + body):
        c.write(text)
    m = c.read()
    while m["type"] == "event":
        m = c.read()
    check("adapter: messages that are none", not m["success"] and m["message"] == "nothing is launched", m)
    for program in ("/nothing.cl", os.path.join(HERE, "debug.py")):
        try:
            c.ask("launch", program=program)
            check("adapter: launch", False, program)
        except dap.Refused as e:
            check("adapter: launch", "error" in str(e), e)
    check("adapter: the end after that", c.end() == 0)
    c = dap.Client(WAVESIM)
    c.send("initialize")
    c.p.stdin.close()
    check("adapter: an editor that is gone", c.p.wait(timeout=60) == 0)


def adapter_pause(folder):
    write(folder, case(os.path.join(HERE, "debug", "endless.case")))
    c = dap.Client(WAVESIM)
    c.start(os.path.join(folder, "k.cl"), ["--global", "4", "--local", "4", "--wave", "4", "--arg", "out=zero:4",
                                           "--max-instructions", "0"])
    c.ask("pause", threadId=1)
    stop = c.event("stopped", "terminated")
    check("adapter: pause", stop["event"] == "stopped" and stop["body"]["reason"] == "pause", stop)
    n = int(c.evaluate("n", c.frames()[0]["id"]))
    c.go("stepBack")
    c.send("continue", threadId=1)
    check("adapter: leave while it runs", n >= 0 and c.end() == 0)


# ---- a terminal ----

def keys_in_tmux(folder):
    write(folder, case(os.path.join(HERE, "debug", "endless.case")))
    t = tmux.Tmux(folder, [WAVESIM, "debug", "k.cl", "--global", "4", "--local", "4", "--wave", "4", "--arg",
                           "out=zero:4", "--max-instructions", "0"])
    try:
        ok = t.shows(r"\(wavesim\)$") and t.shows(r"breakpoint 1: k.cl:5", ("b 5", "Enter")) and \
            t.shows(r"k at k.cl:5", ("c", "Enter")) and \
            t.shows(r"print n$", ("pri", "Tab", "n")) and t.shows(r"n = 0", ("Enter",)) and \
            t.shows(r"n = 0\n(.*\n)*\(wavesim\) print n\nn = 0", ("Up", "Enter")) and \
            t.shows(r"\(wavesim\) disable\n\(wavesim\)$", ("disable", "Enter")) and \
            (t.keys("c", "Enter"), time.sleep(1), True)[2] and \
            t.shows(r"paused", ("C-c",)) and t.shows(r"locals", ("info lo", "Tab", "Enter"))
        t.keys("q", "Enter")
        check("terminal: keys", ok and t.gone(), t.seen)
    finally:
        t.close()


def session_in_tmux(name, folder, file, text, args):
    """Typed on a terminal, commands answer what they do in a script: stops at all there is, forth and back."""
    line = max(n for n, s in enumerate(text.split("\n"), 1) if s.startswith("\tout[") or s.startswith("\t\tout["))
    typed = ["catch finding divergence barrier", "c", "lane", "c", "wave", "rc", "info lds", "catch none",
             f"b {line}", "c", "bt", "info locals", "rs", "row lane", "rn", "s group", "rs group", "wave", "d", "c",
             "rsi", "restart"]
    script, p = session([file, *args], folder, typed)
    t = tmux.Tmux(folder, [WAVESIM, "debug", file, *args], 160, 50)
    try:
        ok = t.shows(r"\(wavesim\)$")
        for n, command in enumerate(typed, 1):
            ok = ok and t.edits() and t.shows(r"\n\(wavesim\)$", (command, "Enter"), n + 1)
        screen = [s.rstrip() for s in t.screen().split("\n")]
        wanted = [s.expandtabs().rstrip() for s in p.stdout.rstrip().split("\n")] + ["(wavesim)"]
        t.keys("q", "Enter")
        differs = next((f"{a!r}, not {b!r}" for a, b in zip(screen, wanted) if a != b), "other lines")
        check(f"terminal: {name}", ok and screen == wanted and t.gone() and len(script) == len(typed) and
              p.returncode == 0, f"{differs}\n{t.seen}{p.stderr}")
    finally:
        t.close()


def main():
    terminal = shutil.which("tmux")
    if not terminal:
        print("SKIP the debugger on a terminal: tmux is not installed")
    with tempfile.TemporaryDirectory() as folder:
        printf_agrees(folder)
    all_buffers_agree()
    for name, before in (("calls", ["tbreak 11", "c"]), ("back", []), ("divergence", []), ("types", []), ("race", [])):
        files = case(os.path.join(HERE, "debug", name + ".case"))
        more = ["--arg", "d=2", "--arg", "big=1", "--arg", "w=1,2,3"] if name == "types" else []
        back_agrees(name, files, more, before)
    sessions = ["divergence", "barrier", "race", "calls", "back", "grid", "types", "printf", "schedule", "optimised"]
    if os.path.exists("/usr/include/hip/hip_runtime.h"):
        sessions.append("hip")
    for name in sessions:
        files = case(os.path.join(HERE, "debug", name + ".case"))
        more = {"types": ["--arg", "d=2", "--arg", "big=1", "--arg", "w=1,2,3"],
                "schedule": ["--arg", "next=zero:1", "--arg", "out=zero:12"], "optimised": ["--arg", "n=3"],
                "hip": ["--global", "16", "--local", "8", "--wave", "8", "--arg", "n=13", "--arg", "in=iota:16"]}
        with tempfile.TemporaryDirectory() as folder:
            write(folder, files)
            file = next(iter(files))
            adapter_session(name, folder, file, files[file], more.get(name, []))
            if terminal:
                session_in_tmux(name, folder, file, files[file], more.get(name, []))
    with tempfile.TemporaryDirectory() as folder:
        group_back_agrees(folder)
        watch_set_later(folder)
        adapter_group(folder)
        adapter_findings(folder)
        adapter_data(folder)
        adapter_garbage()
        adapter_pause(folder)
        if terminal:
            keys_in_tmux(folder)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
