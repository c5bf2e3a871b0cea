#!/usr/bin/env python3
"""recording.py SCHEMAS JSON: the JSON of a program's launches is what the schemas say, without a key that
they do not describe, and its sums are those of its launches."""
import json
import sys

from schemas import load

folder, name = sys.argv[1:]
with open(name, encoding="utf-8") as f:
    program = json.load(f)
load(f"{folder}/program.schema.json", leave_open=["report"]).validate(program)
reports = [launch for launch in program["launches"] if "skipped" not in launch]
report_schema = load(f"{folder}/report.schema.json")
for report in reports:
    report_schema.validate({key: value for key, value in report.items() if key != "number"})
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
