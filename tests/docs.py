#!/usr/bin/python3
"""Run what the documentation says:  docs.py WAVESIM

Each command in a code block of the README, of docs/ and of the lessons' pages runs and must succeed, in a
folder that holds the lessons and kernels of the names that the examples use. Where a command stands behind
`$ `, the lines below it must be its output: all but blank ones, where a line `…` stands for any lines and `…` at an
end for the rest of a line. Numbers must be the same, but for those that follow from the model of time, which changes:
times may be off by a fifth, percentages of time and the share at the beginning of a source line by a fifth or by 1.
What needs other files or never ends is left out (SKIPPED). Links to files of the project must lead somewhere, and
every command and format must be in the README and in the manual page. docs/hip.md lists the instructions and shapes of
frontend/module/assembly.def and isa/matrix.def. What docs/ says of ratios and of the probes is what models/timing/bands.def
and the cross-checks of traces/measured have. The last line is "N passed, M failed".
"""
import csv
import glob
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile

SKIPPED = re.compile(r"wavesim-runner|\./app|app\.launches|PROGRAM|STORE|FILE|\.db\b|my\.ini|wavesim watch|"
                     r"\bjq\b|…|OPENCL_LAYERS|wavesim lesson [a-z]")
passed = failed = 0


def check(what, good, why=""):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print("FAIL", what)
        for line in why.splitlines()[-6:]:
            print("    ", line)


def code_lines(text):
    """Lines of indented blocks, without the indent; None between blocks. Blank lines do not end one."""
    for line in text.splitlines():
        yield line[4:] if line.startswith("    ") else None if line.strip() else ""


def commands(path):
    """(command, expected lines or None) of a page."""
    out, expected = [], None
    for line in code_lines(open(path).read()):
        if line is None:
            expected = None
            continue
        command = re.sub(r"\s{2,}# .*", "", line).rstrip()
        if command.startswith("$ "):
            expected = []
            out.append((command[2:], expected))
        elif re.match(r"(\./)?wavesim\b", command):
            expected = None
            out.append((command, None))
        elif expected is not None and line.strip():
            expected.append(line.rstrip())
    return out


NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
ESTIMATED = re.compile(r" (?:ns|us|ms|s|%)(?!\w)")  # behind a number
COUNTED = re.compile(r"\s*(?:divergence|machine) ")   # lines whose percentages are counts
SOURCE_LINE = re.compile(r"\s*(\d+\.\d) .* \| ")     # the first number of one is its share of the time


def numbers(line):
    """(value, by how much it may be off) of each."""
    share = SOURCE_LINE.match(line)
    counted = COUNTED.match(line)
    for n in NUMBER.finditer(line):
        value = float(n[0].replace(",", ""))
        unit = ESTIMATED.match(line, n.end())
        if share and n.start() == share.start(1) or unit and unit[0] == " %" and not counted:
            yield value, max(0.2 * value, 1)
        else:
            yield value, 0.2 * value if unit and unit[0] != " %" else 0


def alike(line, have):
    """The same but for the lengths of bars and blanks, and estimates that are close."""
    if line.endswith("…"):
        have = have[:len(line) - 1] if have.startswith(line[:-1]) else have
        words, have_words = line[:-1].split(), have.split()[:len(line[:-1].split())]
        line, have = (" ".join(w).rstrip(",;:.") for w in (words, have_words))
    shape = [" ".join(NUMBER.sub("0", re.sub("#+", " ", text)).split()) for text in (line, have)]
    return shape[0] == shape[1] and all(
        abs(a - b) <= slack for (a, slack), (b, _) in zip(numbers(line), numbers(have)))


def difference(expected, actual):
    """What the output does not have, or the page does not; None: nothing."""
    actual = [line for line in actual if line.strip()]
    at, gap = 0, False
    for line in expected:
        if line.strip() == "…":
            gap = True
            continue
        found = next((i for i in range(at, len(actual)) if alike(line, actual[i])), None)
        if found is None:
            return "no such line: " + line
        if found > at and not gap:
            return "left out: " + actual[at]
        at, gap = found + 1, False
    return None if gap or at == len(actual) else "left out: " + actual[at]


def prepare(folder, root, wavesim):
    for name in ("lessons", "exercises", "tests", "traces"):
        os.symlink(os.path.join(root, name), os.path.join(folder, name))
    os.symlink(wavesim, os.path.join(folder, "wavesim"))


def write_kernels(folder, command):
    """The kernels that a command names; one when it names none."""
    names = re.findall(r"--kernel(?:-b)? (\w+)", command) or ["reduce"]
    kernel = "".join("kernel void %s(global float *a, uint n)\n{\n\tuint i = get_global_id(0);\n"
                     "\ta[i] = i < n ? a[i] * 2.0f : a[i] + 1.0f;\n}\n" % name for name in names)
    for name in ("kernel.cl", "before.cl", "after.cl"):
        with open(os.path.join(folder, name), "w") as f:
            f.write(kernel.replace("a[i] * 2.0f", "a[i] + a[i]") if name == "after.cl" else kernel)


def run_pages(root, wavesim):
    pages = ["README.md"] + sorted(glob.glob("docs/*.md")) + sorted(glob.glob("lessons/*/README.md"))
    done = set()
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder, root, wavesim)
        env = dict(os.environ, PATH=folder + ":" + os.environ["PATH"])
        for page in pages:
            for command, expected in commands(page):
                if SKIPPED.search(command) or (command in done and expected is None):
                    continue
                done.add(command)
                write_kernels(folder, command)
                run = subprocess.run(command, shell=True, cwd=folder, env=env, capture_output=True, text=True,
                                     timeout=300)
                good = run.returncode == 0 or (re.search(" (compare|exercise) ", command) and run.returncode == 1)
                check("%s: %s" % (page, command), good, run.stderr)
                if expected and os.environ.get("LLVM", "15") == "15":  # pages show what LLVM 15 makes
                    why = difference(expected, run.stdout.splitlines())
                    check("%s: the output of %s" % (page, command), why is None, why or "")


def check_links():
    teaching = [page for folder in ("lessons", "exercises") for page in glob.glob(folder + "/**/*.md", recursive=True)]
    for page in glob.glob("*.md") + glob.glob("docs/*.md") + teaching:
        for target in re.findall(r"\]\(([^)#:]+)\)", open(page).read()):
            there = os.path.exists(os.path.join(os.path.dirname(page), target))
            check("%s: the link to %s" % (page, target), there)


OPTION = re.compile(r"(?<![\w-])(?:--[a-z][a-z-]*[a-z]|-[A-Z])\b")


def words_of(command):
    run = subprocess.run(command + ["--help"], capture_output=True, text=True)
    check(" ".join(["--help of"] + command), run.returncode == 0 and run.stdout)
    return run.stdout


def check_manual(page, helps):
    """The manual page has every option of the texts of --help, and no other."""
    manual = open(page).read().replace("\\-", "-")
    there = set(OPTION.findall(re.sub(r'\\f[RPBI]|"', " ", manual)))
    for option in sorted(set(OPTION.findall(helps)) - there):
        check("%s on %s" % (page, option), False)
    for option in sorted(there - set(OPTION.findall(helps))):
        check("%s: %s, which no --help knows" % (page, option), False)
    check("%s has options" % page, len(there) > 20)
    return manual


def check_lists(wavesim):
    """Every command, option and format is in the manual page, commands and formats in the documentation."""
    text = words_of([wavesim])
    head, options = text.split("\nexamples\n")
    names = re.findall(r"^  ([a-z]+) .*  ", head, re.M)
    check("--help lists commands", len(names) > 5)
    helps = {name: words_of([wavesim, name]) for name in names}
    manual = check_manual("wavesim.1", text + "".join(helps.values()))
    runner = os.path.join(os.path.dirname(wavesim), "wavesim-runner")
    check_manual("wavesim-runner.1", words_of([runner]))
    pages = "".join(open(p).read() for p in ["README.md"] + glob.glob("docs/*.md"))
    for name in names:
        check("the manual page on wavesim %s" % name, "wavesim %s" % name in manual)
        check("the documentation on wavesim %s" % name, "wavesim %s" % name in pages)
        check("wavesim %s --help" % name, "wavesim %s" % name in helps[name])
    formats = options.split("formats of the report")[1].split("\n\n")[0]
    for option in re.findall(r"^  (--[a-z-]+)", formats, re.M):
        check("the documentation on %s" % option, option in pages)


def check_names(what, listed, rows):
    for name in sorted(set(listed) ^ set(rows)):
        check("docs/hip.md: %s %s" % (what, name), False, "only the %s has it" % ("page" if name in listed else "table"))
    check("docs/hip.md: each %s once" % what, rows and len(listed) == len(set(listed)))


def check_hip():
    """The page lists what the tables of inline assembly and of matrix instructions have."""
    page = open("docs/hip.md").read()
    assembly, matrix = open("frontend/module/assembly.def").read(), open("isa/matrix.def").read()
    arithmetic, plain = re.search(r"\nInstructions of plain arithmetic(.*?)\n\nWhat shows in no value(.*?);", page,
                                  re.S).groups()
    check_names("instruction", re.findall(r"`(\w+)`", arithmetic),
                re.findall(r'^(?:CALLS|ASM|ASM2)\("(\w+)"', assembly, re.M))
    check_names("instruction that shows in no value", re.findall(r"`(\w+)`", plain),
                re.findall(r'^NOTHING\("(\w+)"', assembly, re.M))
    shapes = re.search(r"^\| `__builtin_amdgcn_mfma_…` \|(.*?)\(", page, re.M)[1]
    check_names("matrix shape", re.findall(r"`(\w+)`", shapes),
                [name.replace(".", "_") for name in re.findall(r'^MATRIX\("([\w.]+)"', matrix, re.M)])


def ranks(values):
    """Equal ones share the mean of theirs."""
    order = sorted(values)
    return [order.index(v) + (order.count(v) - 1) / 2 for v in values]


def errors(rows, column):
    """Launches, Spearman, median error and 90th percentile, in percent, as `wavesim crosscheck` has them."""
    measured, estimated = [float(r["measured_us"]) for r in rows], [float(r[column]) for r in rows]
    a, b, middle = ranks(measured), ranks(estimated), (len(rows) - 1) / 2
    a, b = [x - middle for x in a], [y - middle for y in b]
    spearman = sum(x * y for x, y in zip(a, b)) / math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))
    off = sorted(abs(math.log(e / m)) for e, m in zip(estimated, measured))
    share = [statistics.median(off), off[math.ceil(0.9 * len(off)) - 1]]
    return [str(len(rows)), "%.3f" % spearman] + ["%.0f" % (100 * (math.exp(x) - 1)) for x in share]


def share_in_band(rows, column):
    """NaN: pages show none of that column, or of a table of functions."""
    band = {"estimate_us": "", "unseen_us": "unseen_"}.get(column)
    if band is None or "suite" not in rows[0]:
        return math.nan
    return 100 * sum(float(r[band + "low_us"]) <= float(r["measured_us"]) <= float(r[band + "high_us"]) for r in rows) / len(rows)


def check_points():
    """Tables of traces/measured/README.md with a column for a family of probes: measured / estimated, of each point."""
    point, families, compared = {}, None, 0
    for line in open("traces/measured/h200-crosscheck.txt").read().split("\nfamily ")[0].splitlines():
        said = re.match(r"(\S+) +([\d.e+]+) +([\d.]+) +([\d.]+) +[\d.]+ ", line)
        if said:
            point[said[1], float(said[2])] = "%.4g / %.4g" % (float(said[3]), float(said[4]))
    known = {family for family, _ in point}
    for line in open("traces/measured/README.md"):
        cells = [c.strip() for c in line.strip()[1:-1].split("|")] if line.startswith("|") else None
        if not cells or families is None:
            families = cells and [c.split(" (")[0] for c in cells]
        elif known & set(families) and re.match(r"[\d.]+$", cells[0]):
            for family, cell in zip(families[1:], cells[1:]):
                if cell:
                    compared += 1
                    want = point.get((family, float(cells[0])))
                    check("%s %s in traces/measured/README.md" % (family, cells[0]), cell == want, "%s, not %s" % (want, cell))
    check("points in traces/measured/README.md", compared > 100)
    rows = list(csv.DictReader(open("traces/measured/h200.csv")))
    check("points of h200.csv", len(rows) == len(point), "%d, cross-checked %d" % (len(rows), len(point)))
    page = " ".join(open("traces/measured/README.md").read().split())
    equal = sum(r["checked"] == "equal" for r in rows)
    for want in ("All %s points: Spearman %s, Kendall %s, median error %s %%, 90th percentile %s %%, bias %s %%; %s %% of" %
                 tuple(re.findall(r"(?m)^all points +(.*)", open("traces/measured/h200-crosscheck.txt").read())[0].split()),
                 "%d launches equal, %d not compared" % (equal, sum(not r["checked"] for r in rows))):
        check("traces/measured/README.md: " + want, want in page)


def launches(table):
    """Of programs on an H200, as traces/measured has them."""
    return list(csv.DictReader(open("traces/measured/h200-%s.csv" % table)))


def check_mended():
    """What the page of the 70 projects says of programs that the model was mended for: from the least estimate to the greatest."""
    rows = launches("unseen5")
    page = open("traces/measured/README.md").read()
    said = re.search(r"(?s)Found by them and mended: .*?now ([\d.]+), ([\d.]+), ([\d.]+) and ([\d.]+)\);.*?now ([\d.]+)\)", page)
    ratio = lambda program, *numbers: ["%.2f" % (float(r["estimate_us"]) / float(r["measured_us"])) for r in rows
                                       if r["program"] == program and int(r["launch"]) in numbers]
    want = ratio("ktt", 2) + ratio("ktt", 1) + ratio("openclsdk", 2) + ratio("cashmere", 4) + ratio("cf4ocl", 3)
    check("traces/measured/README.md: mended", said and list(said.groups()) == want, "%s, the table %s" % (said and said.groups(), want))
    said = re.search(r"cf4ocl's filters [\d.]+ to [\d.]+ of their time, now ([\d.]+)\)", open("CHANGELOG.md").read())
    check("CHANGELOG.md: cf4ocl", said and said[1] == want[-1], want[-1])


def check_tables():
    """… that pages repeat from the tables of programs and functions."""
    table = {name: launches(name)
             for name in ("apart", "recorded", "libraries", "unseen", "unseen2", "unseen3", "unseen4", "unseen5", "functions")}
    looked = {is_: [r for r in table["libraries"] if r["looked_at"] == is_] for is_ in ("yes", "no")}
    relaxed = [r for r in table["functions"] if r["options"]]
    accuracy, measured = open("docs/accuracy.md").read(), open("traces/measured/README.md").read()
    for name in ["README.md", "CHANGELOG.md", "traces/measured/README.md"] + sorted(glob.glob("docs/*.md")):
        check("%s: figures to be filled in" % name, not re.search(r"@[A-Z0-9]+@", open(name).read()))
    for page, start, rows, column in (
            (accuracy, r"\| \*\*programs that nobody had seen", table["unseen"], "estimate_us"),
            (measured, r"\| by the model before, unseen", table["unseen"], "before_us"),
            (measured, r"\| by the model that had not seen them", table["unseen"], "estimate_us"),
            (accuracy, r"\| \*\*45 more of them", table["unseen2"], "unseen_us"),
            (accuracy, r"\| the same 128, looked at since", table["unseen2"], "estimate_us"),
            (measured, r"\| by the model of the morning", table["unseen2"], "before_us"),
            (measured, r"\| by the model with contention", table["unseen2"], "unseen_us"),
            (measured, r"\| by the model of that evening, looked at since", table["unseen2"], "estimate_us"),
            (accuracy, r"\| \*\*39 more of them", table["unseen3"], "unseen_us"),
            (measured, r"\| by the model before they were measured (?=\|)", table["unseen3"], "unseen_us"),
            (accuracy, r"\| \*\*36 more of them", table["unseen4"], "unseen_us"),
            (accuracy, r"\| the same 96, by the model of 30 November", table["unseen4"], "estimate_us"),
            (accuracy, r"\| \*\*70 more of them", table["unseen5"], "unseen_us"),
            (accuracy, r"\| the same 216, by the model", table["unseen5"], "estimate_us"),
            (measured, r"\| by the model that had not seen them, 70", table["unseen5"], "unseen_us"),
            (measured, r"\| by the model since, changed by what twelve", table["unseen5"], "estimate_us"),
            (measured, r"\| by the model before they were measured, 36", table["unseen4"], "unseen_us"),
            (measured, r"\| by the model since, changed", table["unseen4"], "estimate_us"),
            (measured, r"\| by the model of that evening, eight looked at since", table["unseen3"], "estimate_us"),
            (accuracy, r"\| libraries and programs that no model", looked["no"], "estimate_us"),
            (accuracy, r"\| the rest of that set, looked at since", looked["yes"], "estimate_us"),
            (accuracy, r"\| host programs that were kept apart", table["apart"], "estimate_us"),
            (accuracy, r"\| 42 programs of PolyBench-ACC", table["recorded"], "estimate_us"),
            (measured, r"\| \*\*now\*\*: all", table["libraries"], "estimate_us"),
            (measured, r"\| before", table["functions"], "before_us"),
            (measured, r"\| now", table["functions"], "estimate_us"),
            (measured, r"\| with `-cl-fast-relaxed-math`, before", relaxed, "before_us"),
            (measured, r"\| the same, now", relaxed, "estimate_us")):
        want = errors(rows, column)
        said = re.search(start + r"[^|]*(?:\| NVIDIA H200 )?\| (\d+) \| ([\d.]+) \| (\d+) % \| (\d+) %(?: \| \**(\d+) %)?", page)
        share = share_in_band(rows, column)
        if not math.isnan(share):
            want.append("%.0f" % share)
        check("row '%s'" % start.replace("\\", ""), said and list(said.groups())[:len(want)] == want,
              "%s, the table %s" % (said and said.groups(), want))


def check_unseen():
    """What README, accuracy.md and CHANGELOG say of all launches that no model had seen, together."""
    rows = [(r["measured_us"], r["estimate_us"], r["low_us"], r["high_us"])
            for r in launches("unseen") + [r for r in launches("libraries") if r["looked_at"] == "no"]]
    rows += [(r["measured_us"], r["unseen_us"], r["unseen_low_us"], r["unseen_high_us"])
             for n in range(2, 6) for r in launches("unseen%d" % n)]
    all_ = [dict(zip(("measured_us", "estimate_us", "low_us", "high_us"), r), suite="") for r in rows]
    want = errors(all_, "estimate_us") + ["%.0f" % share_in_band(all_, "estimate_us")]
    for name, pattern, columns in (
            ("README.md", r"(\d+) launches of programs that nobody had seen before, on an H200: (\d+) % and\s+([\d.]+), with one of "
                          r"ten off by more than (\d+) %", (0, 2, 1, 3)),
            ("docs/accuracy.md", r"say all (\d+) of these launches together.*?correlation ([\d.]+), median error (\d+) %, 90th percentile "
                                 r"(\d+) %, (\d+) % in", range(5)),
            ("CHANGELOG.md", r"Of all (\d+) such launches ([\d.]+), (\d+) %, (\d+) %, (\d+) %", range(5))):
        said = re.search(pattern, open(name).read(), re.S)
        check("%s: all unseen launches" % name, said and [said.groups()[i] for i in columns] == want[:len(columns)],
              "%s, the tables %s" % (said and said.groups(), want))


def check_figures():
    """Figures that a page repeats from a table."""
    rows = re.findall(r"RATIO\((gcn|nvidia), \w+, \d+, \d+, ([\d.]+)\)", open("models/timing/bands.def").read())
    said = re.search(r"on one card were within a factor of ([\d.]+) .*?of different kernels ([\d.]+),.*?four times apart ([\d.]+)\) "
                     r"and ([\d.]+) \(NVIDIA; ([\d.]+) and ([\d.]+)\)", open("docs/reports.md").read(), re.S)
    check("docs/reports.md: ratios", said and list(said.groups()) == [factor for _, factor in rows], "bands.def: %s" % rows)
    page = open("docs/accuracy.md").read()
    for card in "H100", "H200":
        table = open("traces/measured/%s-crosscheck.txt" % card.lower()).read().split("\nfamily ")[1].split("\nall points")
        whole = table[1].split()  # points, Spearman, Kendall, median, 90th percentile, …
        want = [str(len(table[0].splitlines()) - 1), whole[0], whole[1], whole[3], str(int(float(whole[4]) + 0.5))]
        said = re.search(r"(\d+) families \| NVIDIA " + card + r" \| (\d+) \| ([\d.]+) \| ([\d.]+) % \| (\d+) %", page)
        check("docs/accuracy.md: probes of the %s" % card, said and list(said.groups()) == want, "the cross-check: %s" % want)


def main():
    wavesim = os.path.abspath(sys.argv[1])
    root = os.getcwd()
    check_links()
    check_lists(wavesim)
    check_hip()
    check_figures()
    check_points()
    check_tables()
    check_unseen()
    check_mended()
    run_pages(root, wavesim)
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(failed > 0)


main()
