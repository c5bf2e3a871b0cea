#!/usr/bin/env python3
"""The exercises and what grades them:  exercises.py WAVESIM

Every exercise holds: its model solution passes, the kernel to change does not, each common mistake misses what the page
says, with a hint. Then a class of a hundred submissions is graded in one run: right, wrong, endless, hostile. Each
verdict must be the right one and the same when some of them are graded again, by one process at a time; and no file but
those that were asked for may have been written, changed or removed.

TEST_REPEAT=N does something else: ten submissions, two for each verdict, are graded N times, by one process at a time
or two, and every output must be the same, byte for byte. 100 make 1,000 verdicts, in some minutes."""
import csv
import glob
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import xml.dom.minidom

import jsonschema

import schemas

wavesim = os.path.abspath(sys.argv[1])
root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
os.environ["WAVESIM_EXERCISES"] = root + "/exercises"
SEED = int(os.environ.get("SEED", "1"))
passed = failed = 0


def check(good, what):
    global passed, failed
    passed += good
    failed += not good
    if not good:
        print("FAIL exercises:", what)


def run(*words, cwd=None):
    return subprocess.run([wavesim, *words], capture_output=True, text=True, errors="replace", cwd=cwd)


# ---- the exercises ----

def check_exercises():
    names = sorted(os.path.basename(os.path.dirname(p)) for p in glob.glob(root + "/exercises/*/README.md"))
    halves = [subprocess.Popen([wavesim, "exercise", "--check", *names[k::2]], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True) for k in range(2)]
    for k, half in enumerate(halves):
        out, err = half.communicate()
        held = [line.split()[1] for line in out.splitlines() if line.startswith("holds")]
        for name in names[k::2]:
            check(name in held, name + "\n" + err)


# ---- a class ----

HEAD = "kernel void add(global const float *a, global const float *b, global float *out, uint n)\n"
BODY = "{\n\tuint i = get_global_id(0);\n\tif (i < n)\n\t\tout[i] = a[i] + b[i];\n}\n"
GOOD = HEAD + BODY
RIGHT = [
    BODY,
    "{\n\tfor (uint i = get_global_id(0); i < n; i += get_global_size(0))\n\t\tout[i] = b[i] + a[i];\n}\n",
    "{\n\tsize_t i = get_group_id(0) * get_local_size(0) + get_local_id(0);\n\tif (i >= n) return;\n"
    "\tout[i] = a[i] + b[i];\n}\n",
    "{\n\tuint i = get_global_id(0);\n\tfloat x = i < n ? a[i] : 0, y = i < n ? b[i] : 0;\n"
    "\tif (i < n)\n\t\tout[i] = x + y;\n}\n",
]
WRONG = [
    ("{ uint i = get_global_id(0); out[i] = a[i] + b[i]; }", "out of bounds"),
    ("{ uint i = get_local_id(0); if (i < n) out[i] = a[i] + b[i]; }", "no work-item has written"),
    ("{ uint i = get_global_id(0); if (i < n) out[i] = a[i] - b[i]; }", "expected"),
    ("{ uint i = get_global_id(0); if (i + 1 < n) out[i] = a[i] + b[i]; }", "no work-item has written"),
    ("{ uint i = get_global_id(0); if (i < n) { out[i] = a[i]; out[i] += b[i]; out[0] = 0; } }", ""),
    ("{ out[0] = 1; }", "expected"),
    ("{ uint i = get_global_id(0); float x; if (i < n) out[i] = a[i] + x; }", ""),
    ("{ uint i = get_global_id(0); if (i < n) out[i] = a[i] + b[i]; "
     "if (get_local_id(0) < 3) barrier(CLK_LOCAL_MEM_FENCE); }", "barrier"),
    ("{ uint i = get_global_id(0); if (i < n) out[i] = a[i] + b[i]; ((global int *)n)[1] = 2; }", ""),
    ("{ uint i = get_global_id(0); volatile global const float *again = a; "
     "if (i < n) out[i] = again[i] + b[i] + 0 * again[i]; }", "memory_accesses"),
]
ENDLESS = [
    "{ for (;;) out[0] += 1; }",
    "{ while (n) ; }",
    "{ volatile global float *p = out; while (p[0] == 0) ; }",
    "{ again: goto again; }",
    "{ for (uint i = get_global_id(0); i < n; i -= 0) out[i] = a[i] + b[i]; }",
    "{ for (int i = 0; i < 100000; i++) printf(\"flood %d\\n\", i); }",
    "{ local int go; for (go = 1; go; ) barrier(CLK_LOCAL_MEM_FENCE); }",
]
NOT_COMPILED = [
    ("{ out[0] = ; }", "expected expression"),
    ("{ out[0] = x; }", "undeclared"),
    (BODY + GOOD, "redefinition"),
    ("{ out[0] = " + "(" * 100000 + "1" + ")" * 100000 + "; }", "nesting"),
    ("{ <script>alert(1)</script> }", "expected"),
    (BODY + "#pragma clang __debug crash\n", "crash"),
    ("{ __asm__(\".incbin \\\"/etc/passwd\\\"\"); }", "assembly"),
    ("{ out[0] = huge[n]; }\nconstant int huge[1 << 28] = {1};", ""),
    ("\n#define A(x) x A(x) A(x)\n{ out[0] = A(A(A(1))); }", "expected"),
    (BODY + "#error \"no\"\n", "no"),
]
SECRET = "the-teachers-secret"


def included(how, path):
    return how.format(path) + "\n" + GOOD


def refused(secret):
    hows = ['#include "{}"', "#include <{}>", '#define FILE_NAME "{}"\n#include FILE_NAME', '%:include "{}"',
            '??=include "{}"', '#inc\\\nlude "{}"', '#inc??/\nlude "{}"', '\u00a0#include "{}"', '/* */ # /* */ include "{}"',
            '#import "{}"', '#include_next "{}"', '#if 0\n#error /*\n" */ " /*\n#endif\n#include "{}"\n/* */',
            '#if __has_include("{}")\n#endif', '#include "../x/../{}"']
    return [included(how, path) for how in hows for path in (secret, "/etc/passwd")] + [
        "kernel void add(global const float *a, global float *out, uint n) { out[0] = 1; }",
        HEAD.replace("float *out", "double *out") + "{ out[0] = 1; }",
        HEAD.replace("float *out", "const float *out") + "{ }",
        HEAD.replace("*a,", "*first,") + BODY.replace("a[i]", "first[i]"),
        GOOD.replace("kernel void", "kernel __attribute__((reqd_work_group_size(8, 1, 1))) void"),
        HEAD + "{ local int x[1 << 24]; x[get_local_id(0)] = n; barrier(1); out[0] = x[1]; }",
        "",
    ]


def make_class(folder, secret):
    """Folder names with the verdict that each must get, and a part of the reason."""
    rnd = random.Random(SEED)
    wanted = {}

    def hand_in(kind, n, text, why=""):
        name = "%s-%02d" % (kind, n)
        os.makedirs(folder + "/" + name)
        with open("%s/%s/add.cl" % (folder, name), "wb") as f:
            f.write(text if isinstance(text, bytes) else text.encode())
        wanted[name] = (kind, why)

    for n in range(14):
        comment = "// %s\n" % "".join(rnd.choice("abc <>&\"'{}\\?") for _ in range(20)).rstrip("\\?")
        hand_in("passed", n, comment + HEAD + RIGHT[n % len(RIGHT)])
    for n in range(24):
        body, why = WRONG[n % len(WRONG)]
        hand_in("failed", n, "\n" * rnd.randrange(9) + HEAD + body, why)
    for n in range(10):
        hand_in("endless", n, HEAD + ENDLESS[n % len(ENDLESS)], "stopped")
    for n, (body, why) in enumerate(NOT_COMPILED):
        hand_in("not_compiled", n, HEAD + body, why)
    texts = refused(secret)
    for n, text in enumerate(texts):
        hand_in("refused", n, text)
    n = len(texts)
    hand_in("refused", n, bytes(rnd.randrange(256) for _ in range(3000)))
    hand_in("refused", n + 1, b"/" * (2 << 20))
    for k, make in enumerate((lambda p: os.symlink(secret, p), os.mkfifo, os.mkdir, lambda p: None)):
        name = "refused-%02d" % (n + 2 + k)
        os.makedirs(folder + "/" + name)
        make("%s/%s/add.cl" % (folder, name))
        wanted[name] = ("refused", "")
    hand_in("refused", n + 6, '#include "own.h"\n' + GOOD)
    os.symlink(secret, "%s/refused-%02d/own.h" % (folder, n + 6))
    hand_in("passed", 90, '#include "own.h"\n' + HEAD + BODY.replace("a[i] + b[i]", "SUM(a[i], b[i])"))
    with open(folder + "/passed-90/own.h", "w") as f:
        f.write("#define SUM(x, y) ((x) + (y))\n")
    # What a comment says of a launch is for the student's own runs.
    hand_in("passed", 91, "// wavesim: --global 1 --local 1 --arg n=1 --device hd5870\n" + GOOD)
    return wanted


def state_of(folder):
    """Every file with its contents, but what is no regular file."""
    out = {}
    for path, dirs, files in os.walk(folder):
        for name in dirs + files:
            full = path + "/" + name
            plain = os.path.isfile(full) and not os.path.islink(full)
            out[full] = hashlib.sha1(open(full, "rb").read()).hexdigest() if plain else os.lstat(full).st_mode
    return out


def rows_of(path):
    with open(path, newline="") as f:
        return {row["submission"]: row for row in csv.DictReader(f)}


def check_class(scratch):
    students, out, temp, home = (scratch + "/" + name for name in ("class", "out", "temp", "home"))
    for folder in (students, out, temp, home):
        os.mkdir(folder)
    os.environ["HOME"], os.environ["XDG_CACHE_HOME"] = home, home + "/cache"
    secret = scratch + "/secret.h"
    with open(secret, "w") as f:
        f.write(SECRET + " = 1;\n")
    wanted = make_class(students, secret)
    names = sorted(wanted)
    check(len(names) >= 100, "a class of %d" % len(names))
    os.environ["TMPDIR"] = temp
    before = state_of(scratch), state_of(root + "/exercises")
    folders = ["%s/%s" % (students, name) for name in names]
    r = run("grade", "vector-add", *folders, "--csv", out + "/class.csv", "--junit", out + "/class.xml", "--pages",
            out + "/pages", "--json", out + "/class.json", cwd=out)
    check(r.returncode == 0 and not r.stderr, "the class: status %d\n%s" % (r.returncode, r.stderr))
    rows = rows_of(out + "/class.csv")
    check(sorted(rows) == names, "the rows of the class")
    for name in names:
        row, (verdict, why) = rows.get(name, {"verdict": "none", "why": ""}), wanted[name]
        check(row["verdict"] == verdict and why in row["why"], "%s: %s: %s" % (name, row["verdict"], row["why"]))
    after = state_of(scratch), state_of(root + "/exercises")
    new = [p for p in after[0] if p not in before[0] and not p.startswith(out)]
    changed = [p for p in before[0] if before[0][p] != after[0].get(p)]
    check(not new and not changed and before[1] == after[1], "files: %s new, %s changed" % (new, changed))
    suites = xml.dom.minidom.parse(out + "/class.xml").getElementsByTagName("testsuite")
    check(len(suites) == len(names), "suites in JUnit's XML")
    for suite in suites:
        failures = len(suite.getElementsByTagName("failure"))
        check((failures == 0) == (wanted[suite.getAttribute("name")][0] == "passed"), "JUnit: " + suite.getAttribute("name"))
    document = json.load(open(out + "/class.json"))
    error = jsonschema.exceptions.best_match(schemas.load(root + "/schema/grade.schema.json").iter_errors(document))
    check(not error, "JSON: %s" % error)
    have = [(s["name"], s["verdict"], s["why"] or "", [i["state"] for i in s["items"]]) for s in document["submissions"]]
    check(have == [(n, r["verdict"], r["why"], list(r.values())[3:]) for n, r in rows.items()], "JSON says what CSV does")
    pages = sorted(os.listdir(out + "/pages"))
    check(len(pages) == len(names) + 1 and "index.html" in pages, "pages of the class")
    said = r.stdout + "".join(open(out + "/pages/" + p).read() for p in pages)
    check(SECRET not in said and "root:x:" not in said, "what is not the students' is shown")
    # Again: one at a time, in another order, a sample of them.
    some = random.Random(SEED + 1).sample(folders, 12)
    for k in range(2):
        run("grade", "vector-add", *some, "--jobs", str(k + 1), "--csv", out + "/again.csv", "--quiet")
        again = rows_of(out + "/again.csv")
        check(all(again[n] == rows[n] for n in again) and len(again) == len(some), "graded again, %d jobs" % (k + 1))
    check(not os.listdir(temp), "left in the temporary folder: %s" % os.listdir(temp))
    del os.environ["TMPDIR"]


def check_repeats(scratch, times):
    students, out = scratch + "/class", scratch + "/out"
    os.mkdir(students)
    os.mkdir(out)
    secret = scratch + "/secret.h"
    with open(secret, "w") as f:
        f.write(SECRET + " = 1;\n")
    wanted = make_class(students, secret)
    kinds = sorted({kind for kind, _ in wanted.values()})
    rnd = random.Random(SEED + 2)
    names = [n for kind in kinds for n in rnd.sample(sorted(n for n in wanted if wanted[n][0] == kind), 2)]
    before, first = state_of(students), None
    for k in range(times):
        to = "%s/%d" % (out, k)
        os.mkdir(to)
        r = run("grade", "vector-add", *["%s/%s" % (students, n) for n in names], "--jobs", str(k % 2 + 1), "--csv",
                to + "/class.csv", "--junit", to + "/class.xml", "--pages", to + "/pages", "--json", to + "/class.json")
        rows = rows_of(to + "/class.csv")
        good = all(rows[n]["verdict"] == wanted[n][0] and wanted[n][1] in rows[n]["why"] for n in names)
        made = {p[len(to):]: h for p, h in state_of(to).items()}
        made["said"] = r.stdout.replace(to, "")
        first = first or made
        check(good and r.returncode == 0 and first == made, "graded again, the %d-th time" % k)
        shutil.rmtree(to)
    check(len(names) == 2 * len(kinds) >= 10 and state_of(students) == before, "the class, after %d times" % times)


def check_guard(scratch):
    """A submission that takes all of the time is not judged, and keeps nobody else from it."""
    for name, text in (("bomb", "#define A(x) x x x x x x x x x x\n" + HEAD + "{ " + "A(" * 12 + ";" + ")" * 12 + " }\n"),
                       ("good", GOOD)):
        os.mkdir(scratch + "/" + name)
        with open("%s/%s/add.cl" % (scratch, name), "w") as f:
            f.write(text)
    r = run("grade", "vector-add", scratch + "/bomb", scratch + "/good", "--timeout", "6", "--csv", "-")
    lines = r.stdout.splitlines()
    check(r.returncode == 1 and "bomb,not_judged" in r.stdout and lines[-1].startswith("good,passed"), r.stdout + r.stderr)


def check_native(scratch):
    """Only --native runs a submission natively. Addresses end in 32 zeros on the simulated machine alone."""
    lucky = HEAD + BODY.replace("a[i] + b[i]", "a[i] + b[i] + ((uint)(size_t)a ? 1 : 0)")
    for name, text in (("good", GOOD), ("lucky", lucky)):
        os.mkdir(scratch + "/" + name)
        with open("%s/%s/add.cl" % (scratch, name), "w") as f:
            f.write(text)
    words = ["grade", "vector-add", scratch + "/good", scratch + "/lucky", "--json", "-"]
    for native in ([], ["--native"]):
        r = run(*words, *native)
        check(r.returncode == 0 and not r.stderr, "--native: %d %s" % (r.returncode, r.stderr))
        good, other = json.loads(r.stdout)["submissions"] if r.returncode == 0 else ({}, {})
        own = [i["state"] for i in other.get("items", ()) if i["name"].endswith(" natively")]
        check(good.get("verdict") == "passed", "a good one, %s: %s" % (native, good))
        check(other.get("verdict") == ("failed" if native else "passed") and bool(own) == bool(native) and
              set(own) <= {"missed"}, "a lucky one, %s: %s" % (native, other))


if os.environ.get("TEST_REPEAT"):
    with tempfile.TemporaryDirectory() as folder:
        check_repeats(folder, int(os.environ["TEST_REPEAT"]))
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(failed != 0)
check_exercises()
with tempfile.TemporaryDirectory() as folder:
    check_class(folder)
with tempfile.TemporaryDirectory() as folder:
    check_guard(folder)
with tempfile.TemporaryDirectory() as folder:
    check_native(folder)
print("%d passed, %d failed" % (passed, failed))
sys.exit(failed != 0)
