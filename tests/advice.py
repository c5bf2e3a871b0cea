#!/usr/bin/env python3
"""Kernels with one known flaw each (tests/advice/NAME.cl): the first advice names it, where the comment says so,
`// flaw: ID`. NAME.fixed.cl follows the advice: no advice is left, and it gains at least 70 % of what was announced.

    advice.py WAVESIM     SHOW=1: print the times"""
import json, os, re, subprocess, sys, glob

wavesim = sys.argv[1]
here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "advice")
show = os.environ.get("SHOW")
ENOUGH = 0.7
passed = failed = 0


def run(path):
	out = subprocess.run([wavesim, path, "--no-reference", "--device", "mi50", "--json", "-"], capture_output=True, text=True)
	if out.returncode:
		return None, [{"severity": "failed", "id": out.stderr.strip(), "line": 0}]
	report = json.loads(out.stdout)
	return report["estimate"]["time_us"], report["findings"]


def say(ok, name, what):
	global passed, failed
	passed, failed = passed + ok, failed + (not ok)
	if not ok or show:
		print(f"{'FAIL ' if not ok else ''}advice/{name}: {what}")


def check(path):
	name = os.path.basename(path)[:-3]
	for number, line in enumerate(open(path), 1):
		flaw = re.search(r"// flaw: (\w+)", line)
		if flaw:
			break
	before, findings = run(path)
	first = findings[0] if findings else {"severity": "none", "id": "-", "line": 0}
	found = (first["severity"], first["id"], first["line"]) == ("advice", flaw[1], number)
	say(found, name, f"{first['severity']} {first['id']} at line {first['line']}, not {flaw[1]} at line {number}" if not found else "found")
	fixed = path[:-3] + ".fixed.cl"
	if not found or not os.path.exists(fixed):
		return
	after, rest = run(fixed)
	left = [f"{f['severity']} {f['id']} at line {f['line']}" for f in rest if f["severity"] != "note"]
	say(not left, name + ".fixed", ", ".join(left) or "nothing left")
	gain, told = before - (after or before), first["gain_us"]
	say(gain >= ENOUGH * told, name + ".fixed", f"{told:.2f} us of {before:.2f} us were announced, {gain:.2f} us gained")


for path in sorted(glob.glob(os.path.join(here, "*.cl"))):
	if not path.endswith(".fixed.cl"):
		check(path)
print(f"{passed} passed, {failed} failed")
sys.exit(failed != 0)
