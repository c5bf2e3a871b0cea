#!/usr/bin/python3
"""Check the formats of reports against each other and against their schemas.

    formats.py SCHEMA FOLDER     FOLDER holds NAME.json and, of the same run, NAME.sarif, .trace,
                                 .csv, .lcov and NAME.WEIGHT.folded; NAME.compare and NAME.sweep are
                                 JSON of these commands, whose schemas lie beside SCHEMA

JSON: schema/report.schema.json, and every key must be in it. SARIF: what SARIF_SCHEMA names, which is
the official schema (OASIS does not let us pass it on with the project:
https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json); without it,
only what is checked here by hand. The last line is "N passed, M failed".
"""
import collections
import csv
import json
import math
import os
import sys

import jsonschema

from schemas import load

passed = failed = 0


def check(what, good, why=""):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print("FAIL", what, why)


def first_error(validator, document):
    error = next(validator.iter_errors(document), None)
    return error and "%s: %s" % ("/".join(map(str, error.path)), error.message[:200])


def close(a, b, relative=1e-3, absolute=1e-6):
    return abs(a - b) <= max(relative * max(abs(a), abs(b)), absolute)


def check_sarif(name, report, validator):
    sarif = json.load(open(name + ".sarif"))
    if validator:
        error = first_error(validator, sarif)
        check(name + ".sarif: official schema", not error, error)
    run = sarif["runs"][0]
    rules = [r["id"] for r in run["tool"]["driver"]["rules"]]
    results = run["results"]
    same = [r["ruleId"] for r in results] == [f["id"] for f in report["findings"]]
    check(name + ".sarif: the findings of the report", same and sarif["version"] == "2.1.0")
    check(name + ".sarif: rules", all(rules[r["ruleIndex"]] == r["ruleId"] for r in results) and
          len(rules) == len(set(rules)))
    places = [r["locations"][0]["physicalLocation"].get("region", {}).get("startLine", 0) for r in results]
    check(name + ".sarif: lines", places == [f["line"] for f in report["findings"]])


UNITS = {"vector units": "vector", "scalar units": "scalar", "LDS": "lds", "address units": "address", "L2": "l2",
         "L3": "l3", "DRAM": "dram", "constant caches": "constant",
         "contended addresses": "contention"}


def check_units(name, about, held, busy):
    """The mean of how busy a unit is over time is what the report says; of a slot whole percentages are written."""
    for unit, steps in held.items():
        ends = [min(at, about["units_until"]) for at, _ in steps[1:]] + [about["units_until"]]
        mean = sum(v * (end - at) for (at, v), end in zip(steps, ends)) / about["units_until"]
        check(name + ".trace: %s" % unit, abs(mean - 100 * busy[UNITS[unit]]) < 2,
              "%g %% busy, the report: %g" % (mean, 100 * busy[UNITS[unit]]))
    for unit, key in UNITS.items():
        check(name + ".trace: %s is there" % unit, unit in held or busy[key] < 0.02)


def check_trace(name, report):
    trace = json.load(open(name + ".trace"))
    about = trace["otherData"]
    if report["estimate"] is None:
        check(name + ".trace: says why it is empty", about["missing"] and not trace["traceEvents"])
        return
    threads = collections.defaultdict(list)
    held = collections.defaultdict(list)
    for e in trace["traceEvents"]:
        if e["ph"] == "X":
            threads[e["pid"], e["tid"]].append(e)
        elif e["ph"] == "C":
            held[e["pid"], e["name"]].append((e["ts"], *e["args"].values()))
    nests = True
    by_line = collections.Counter()
    by_part = collections.Counter()
    waves = 0
    for events in threads.values():
        stack = []  # (end, event)
        for e in sorted(events, key=lambda e: (e["ts"], -e["dur"], "wavefront line part".index(e["cat"]))):
            end = e["ts"] + e["dur"]
            while stack and stack[-1][0] <= e["ts"] + 1e-9:
                stack.pop()
            nests &= not stack or end <= stack[-1][0] + 1e-9
            nests &= [s[1]["cat"] for s in stack] == ["wavefront", "line", "part"][:len(stack)]
            nests &= e["cat"] == ["wavefront", "line", "part"][len(stack)] if len(stack) < 3 else False
            if e["cat"] == "part" and stack:
                words = stack[-1][1]["name"].split()
                by_line[int(words[1].rstrip(":")) if words[0] == "line" else 0] += e["dur"]
                by_part[e["name"]] += e["dur"]
            waves += e["cat"] == "wavefront"
            stack.append((end, e))
    check(name + ".trace: events nest", nests)
    want = report["estimate"]["groups_played"] * -(-report["launch"]["waves"] // report["launch"]["groups"])
    check(name + ".trace: wavefronts", waves == want, "%d, played: %d" % (waves, want))
    check(name + ".trace: counters end at 0", held and all(h[-1][1] == 0 for h in held.values()))
    check_units(name, about, {u[1]: h for u, h in held.items() if u[0] == 0}, report["estimate"]["busy"])
    named = {e["pid"] for e in trace["traceEvents"] if e["name"] == "process_name"}
    check(name + ".trace: processes have names", {e["pid"] for e in trace["traceEvents"]} <= named)
    total = sum(by_line.values())
    if about["quantum"]:
        return
    for line in report["lines"]:
        if not close(by_line[line["line"]] / total, line["cycles_share"], absolute=1e-4):
            check(name + ".trace: time of line %d" % line["line"], False,
                  "%g, the report: %g" % (by_line[line["line"]] / total, line["cycles_share"]))
            return
    check(name + ".trace: the time of each line", True)


def check_csv(name, report):
    rows = list(csv.DictReader(open(name + ".csv", newline="")))
    good = len(rows) == len(report["lines"])
    for row, line in zip(rows, report["lines"]):
        for key, value in line.items():
            if key in ("machine", "machine_instructions"):
                continue
            have = row[key]
            good &= have == "" if value is None else have == value if isinstance(value, str) \
                else close(float(have), value, 1e-8, 0)
    check(name + ".csv: the lines of the report", good and all(r["kernel"] == report["kernel"] for r in rows))


def check_lanes(name, report):
    """What lanes ask of memory in the whole launch: the counts, of a sample as many times as it is a part."""
    if report["estimate"] is None:
        return
    lanes, levels = report["estimate"]["lanes"], report["estimate"]["levels"]
    memory, lds, launch = report["memory"], report["lds"], report["launch"]
    all = launch["groups"] / launch["groups_run"]
    of = {kind: lanes.get(kind, {"loads": 0, "loaded_bytes": 0, "stores": 0, "stored_bytes": 0})
          for kind in ("lds", "scalar", "global", "private")}
    times = {kind: use["loads"] + use["stores"] for kind, use in of.items()}
    moved = {kind: use["loaded_bytes"] + use["stored_bytes"] for kind, use in of.items()}
    check(name + ": accesses of lanes", close(times["global"], memory["accesses"] * all) and
          close(times["scalar"], memory["scalar_loads"] * all) and close(times["lds"], lds["accesses"] * all), lanes)
    check(name + ": bytes of lanes", close(moved["global"], memory["bytes"] * all) and
          close(moved["lds"], lds["ideal_cycles"] * report["banks"] * 4 * all), lanes)
    level = levels.get("lds", {"bytes": 0, "written_bytes": 0, "conflict_cycles": 0})
    check(name + ": LDS is one of the levels", close(level["bytes"], moved["lds"]) and
          close(level["written_bytes"], of["lds"]["stored_bytes"]) and
          close(level["conflict_cycles"], lds["conflict_cycles"] * all), level)
    code = report.get("listing")
    if code:
        scratch = sum(code["blocks"][x["block"]]["executions"] for x in code["instructions"] if x["class"] == "scratch")
        check(name + ": private memory", close(times["private"], scratch * all), (times, scratch))


def check_lost(name, report):
    """Every idle lane was sent away by a branch, but for those that a work-group never had, or that ended in a trap."""
    d, launch = report["divergence"], report["launch"]
    of_lines = sum(line["lost_lane_slots"] for line in report["lines"])
    idle = d["wave_instructions"] * report["wave"] - d["active_lanes"]
    local = math.prod(launch["local"])
    whole = local % report["wave"] == 0 and all(g % l == 0 for g, l in zip(launch["global"], launch["local"]))
    check(name + ": lane slots lost", of_lines == d["lost_lane_slots"] and
          (idle == of_lines if whole else idle >= of_lines), (idle, of_lines))
    most = max((line["lost_lane_slots"] for line in report["lines"] if line["line"]), default=0)
    at = d["most_lost_line"]
    check(name + ": the line that loses most",
          at is None if not most else report["lines"][at]["lost_lane_slots"] == most)


def check_lcov(name, report):
    have = {}
    for line in open(name + ".lcov"):
        if line.startswith("SF:"):
            source = os.path.basename(line[3:].strip())
        elif line.startswith("DA:"):
            number, count = line[3:].split(",")
            have[source, int(number)] = int(count)
    want = {(os.path.basename(l["file"]), l["line"]): l["lane_executions"] for l in report["lines"] if l["line"]}
    check(name + ".lcov: work-items of each line", have == want and want)


def check_collapsed(name, report):
    wave = report["wave"]
    for weight, total in (("cycles", report["estimate"] and report["estimate"]["cycles"] or 0),
                          ("instructions", report["divergence"]["wave_instructions"]),
                          ("idle_lanes", report["divergence"]["wave_instructions"] * wave -
                           report["divergence"]["active_lanes"]),
                          ("conflicts", report["lds"]["conflict_cycles"]),
                          ("lines", report["memory"]["actual_lines"])):
        path = "%s.%s.folded" % (name, weight)
        if not os.path.exists(path):
            continue
        stacks = [s.rstrip("\n").rsplit(" ", 1) for s in open(path)]
        have = sum(int(s[1]) for s in stacks)
        slack = len(report["lines"]) * 10 if weight == "cycles" else 0  # each stack is rounded
        check(path + ": the total", abs(have - total) <= slack, "%d, the report: %g" % (have, total))
        check(path + ": frames", all(2 <= len(s[0].split(";")) <= 3 for s in stacks))


def check_listing(name, report):
    """Instructions by class and by line add up to what the report counts; no more registers live than there are."""
    code = report.get("listing")
    check(name + ".json: a listing where there is machine code", bool(code) == ("missing" not in report["machine"]))
    if not code:
        return
    classes = collections.Counter()
    by_line = collections.Counter()
    parts = collections.Counter()
    for x in code["instructions"]:
        classes[x["class"]] += code["blocks"][x["block"]]["executions"]
        by_line[x["file"], x["line"]] += x.get("share", 0)
        for part, share in x.get("parts", {}).items():
            parts[part] += share
    have = {k: n for k, n in classes.items() if n}
    same = have == report["machine"]["classes"] or "scratch" in have  # the listing tells private memory by its use
    check(name + ".json: the listing's executions", same and sum(have.values()) == report["machine"]["instructions"])
    first = [b["first"] for b in code["blocks"]]
    check(name + ".json: the listing's blocks", first == sorted(first) and
          sum(b["instructions"] for b in code["blocks"]) == len(code["instructions"]))
    check(name + ".json: live registers", all(x.get(kind, 0) <= code[kind] for x in code["instructions"]
                                              for kind in ("vgprs", "agprs", "sgprs")))
    roof = report.get("roofline")
    check(name + ".json: a roofline where there is an estimate", bool(roof) == bool(report["estimate"]))
    if roof:
        us = report["estimate"]["time_us"]
        ops = roof["operations"].values()
        # A level that the model says is busy all the time moves what its peak is, and no more; of conflicts nothing.
        check(name + ".json: no more than the peaks", all(o["count"] <= 1e3 * us * o["peak_gops"] * 1.001 for o in ops) and
              all(l["bytes"] <= 1e3 * us * (l["peak_gb_s"] or math.inf) * 1.001 for l in roof["levels"].values()))
        check(name + ".json: levels as in the estimate", all(
            roof["levels"][level]["bytes"] == use["bytes"] for level, use in report["estimate"]["levels"].items()))
        check(name + ".json: DRAM as in the estimate", roof["levels"]["dram"]["bytes"] == report["estimate"]["dram_bytes"])
    if report["estimate"]:
        lines = {(l["file"], l["line"]): l["cycles_share"] for l in report["lines"] if l["line"]}
        same = all(close(by_line[k], v, 1e-5, 1e-9) for k, v in lines.items())
        check(name + ".json: the listing's time by line", same)
        check(name + ".json: the listing's time", close(sum(parts.values()), 1, 1e-5))


def check_others(folder, schemas, report):
    """Comparisons, and sweeps: a point that was estimated is a report with some keys more. Of an occupancy two keys are
    those of a report."""
    for path in sorted(os.path.join(folder, f) for f in os.listdir(folder)):
        kind = path.rsplit(".", 1)[1]
        if kind not in ("compare", "sweep", "occupancy"):
            continue
        validator = load(os.path.join(schemas, kind + ".schema.json"))
        document = json.load(open(path))
        error = first_error(validator, document)
        check(path + ": schema", not error, error)
        if kind == "occupancy":
            for key in {"occupancy", "r600"} & document.keys():
                error = first_error(report.evolve(schema=report.schema["properties"][key]), document[key])
                check("%s: %s" % (path, key), not error, error)
        if kind != "sweep":
            continue
        own = validator.schema["properties"]["points"]["items"]["properties"]
        for point in document["points"]:
            rest = {k: v for k, v in point.items() if k not in own}
            if rest:
                error = first_error(report, rest)
                check("%s: point %d" % (path, point["number"]), not error, error)
        ran = sum(point["status"] != "skipped" for point in document["points"])
        check(path + ": counts", ran == document["count"]["estimated"] + document["count"]["stopped_early"])


def main():
    ours = load(sys.argv[1])
    official = None
    if os.environ.get("SARIF_SCHEMA"):
        text = json.load(open(os.environ["SARIF_SCHEMA"]))
        official = jsonschema.validators.validator_for(text)(text)
    else:
        print("SKIP the official schema of SARIF: SARIF_SCHEMA does not name it")
    folder = sys.argv[2]
    names = sorted(f[:-5] for f in os.listdir(folder) if f.endswith(".json"))
    for name in (os.path.join(folder, n) for n in names):
        report = json.load(open(name + ".json"))
        error = first_error(ours, report)
        check(name + ".json: schema", not error, error)
        check_sarif(name, report, official)
        check_trace(name, report)
        check_csv(name, report)
        check_lanes(name, report)
        check_lost(name, report)
        check_lcov(name, report)
        check_collapsed(name, report)
        check_listing(name, report)
        check(name + ": busy units", report["estimate"] is None or max(report["estimate"]["busy"].values()) <= 1.001)
    check_others(folder, os.path.dirname(sys.argv[1]), ours)
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(failed > 0)


main()
