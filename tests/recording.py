#!/usr/bin/env python3
"""recording.py SCHEMAS JSON: the JSON of a program's launches is what the schemas say, and its sums are
those of its launches."""
import json
import sys

import jsonschema


def check(schema, data):
    jsonschema.Draft202012Validator(schema).validate(data)


folder, name = sys.argv[1:]
with open(name, encoding="utf-8") as f:
    program = json.load(f)
schemas = {}
for kind in ("program", "report"):
    with open(f"{folder}/{kind}.schema.json", encoding="utf-8") as f:
        schemas[kind] = json.load(f)
check(schemas["program"], program)
reports = [launch for launch in program["launches"] if "skipped" not in launch]
for report in reports:
    check(schemas["report"], report)
total = program["total"]
numbers = [launch["number"] for launch in program["launches"]]
assert numbers == sorted(set(numbers)), numbers
assert total["simulated"] == len(reports)
assert total["equal"] == sum(r["reference"]["status"] == "equal" for r in reports)
for key in ("launches", "simulated", "failed", "equal", "wave_instructions"):
    assert total[key] == sum(k[key] for k in program["kernels"]), key
if total["simulated"] == total["launches"]:
    times = sum(r["estimate"]["time_us"] for r in reports)
    assert abs(total["time_us"] - times) < 1e-6 * times
