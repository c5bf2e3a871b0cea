#!/usr/bin/env python3
"""Kernels with one known flaw each (tests/advice/NAME.cl): the first advice names it, where the comment says so,
`// flaw: ID`. NAME.fixed.cl follows the advice: no advice is left, and it gains at least 70 % of what was announced.
A look-alike says `// not: ID`: there that advice would bring nothing, and is not given. `// note: ID` is said, without
a gain: what would bring it is not known. `// in HIP by LLVM N: advice ID at line M` is what HIP has from that version on.

On an MI50, or as `// device: NAME` says. Where HIP's compiler is, each is also run in HIP (hip/opencl.h): with the same
advice, in HIP's words.

    advice.py WAVESIM     SHOW=1: print the times"""
import json, os, re, subprocess, sys, glob, tempfile

wavesim = sys.argv[1]
here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "advice")
show = os.environ.get("SHOW")
ENOUGH = 0.7
HEADER = open(os.path.join(here, "..", "hip", "opencl.h")).read()
HIP = (os.path.exists("/usr/include/hip/hip_version.h") and
       os.path.exists(f"/usr/lib/llvm-{os.environ.get('LLVM')}/bin/clang"))
OPENCL = re.compile(r"get_\w+_(id|size)|CLK_|mem_fence|__constant\b|vload|vstore|reqd_work|mul_hi|sub_group_|"
                    r"(?<!_)restrict\b|local (memory|array)|--(local|global)\b")
passed = failed = 0


def run(path):
	device = re.search(r"// device: (\w+)", open(path).read())
	out = subprocess.run([wavesim, path, "--no-reference", "--device", device[1] if device else "mi50", "--json", "-"],
	                     capture_output=True, text=True)
	if out.returncode:
		error = out.stderr.strip()
		return None, [{"severity": "failed", "id": error, "message": error, "line": 0}]
	report = json.loads(out.stdout)
	return report["estimate"]["time_us"], report["findings"]


def say(ok, name, what):
	global passed, failed
	passed, failed = passed + ok, failed + (not ok)
	if not ok or show:
		print(f"{'FAIL ' if not ok else ''}advice/{name}: {what}")


def check(path):
	name = os.path.basename(path)[:-3]
	look_alike = re.search(r"// not: (\w+)", open(path).read())
	if look_alike:
		given = [f for f in run(path)[1] if f["severity"] == "failed" or (f["severity"], f["id"]) == ("advice", look_alike[1])]
		say(not given, name, given[0]["id"] if given else "not given")
		return
	for number, line in enumerate(open(path), 1):
		flaw = re.search(r"// (flaw|note): (\w+)", line)
		if flaw:
			break
	before, findings = run(path)
	if flaw[1] == "note":
		noted = ("note", flaw[2], number, None) in [(f["severity"], f["id"], f["line"], f.get("gain_us")) for f in findings]
		say(noted, name, f"{'a' if noted else 'no'} note {flaw[2]} without a gain")
		return
	first = findings[0] if findings else {"severity": "none", "id": "-", "line": 0}
	found = (first["severity"], first["id"], first["line"]) == ("advice", flaw[2], number)
	say(found, name, f"{first['severity']} {first['id']} at line {first['line']}, not {flaw[2]} at line {number}" if not found else "found")
	fixed = path[:-3] + ".fixed.cl"
	if not found or not os.path.exists(fixed):
		return
	after, rest = run(fixed)
	left = [f"{f['severity']} {f['id']} at line {f['line']}" for f in rest if f["severity"] != "note"]
	say(not left, name + ".fixed", ", ".join(left) or "nothing left")
	gain, told = before - (after or before), first["gain_us"]
	say(gain >= ENOUGH * told, name + ".fixed", f"{told:.2f} us of {before:.2f} us were announced, {gain:.2f} us gained")


def advice_of(findings, lines=0):
	"""What is said first, and its line in a file that has so many lines more in front of it."""
	first = findings[0] if findings else {"severity": "none", "id": "-", "line": lines}
	return first["severity"], first["id"], first["line"] - lines


def check_hip(path):
	"""The kernel in HIP has the first advice that it has in OpenCL C, and no words of that."""
	name, text = os.path.basename(path)[:-3], open(path).read()
	if re.search(r"// not: ", text):
		return
	with tempfile.NamedTemporaryFile("w", suffix=".hip") as f:
		f.write(HEADER + text)
		f.flush()
		findings = run(f.name)[1]
	first, wanted = advice_of(findings, HEADER.count("\n")), advice_of(run(path)[1])
	own = re.search(r"// in HIP by LLVM (\d+): (\w+) (\w+) at line (\d+)", text)
	if own and int(os.environ["LLVM"]) >= int(own[1]):
		wanted = own[2], own[3], int(own[4])
	say(first == wanted, name + ".hip", "found" if first == wanted else f"{first}, not {wanted}")
	words = [m[0] for f in findings for m in [OPENCL.search(f["message"] + f.get("hint", ""))] if m]
	say(not words, name + ".hip", ", ".join(words) or "HIP's words")


for path in sorted(glob.glob(os.path.join(here, "*.cl"))):
	if not path.endswith(".fixed.cl"):
		check(path)
		if HIP:
			check_hip(path)
if not HIP:
	print("SKIP advice in HIP: there are no headers of HIP (libamdhip64-dev) or no clang of this LLVM")
print(f"{passed} passed, {failed} failed")
sys.exit(failed != 0)
