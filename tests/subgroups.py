#!/usr/bin/env python3
"""Every function of sub-groups and work-groups, on every type, at several widths: subgroups.py WAVESIM [WIDTH ...]

Kernels are made here, and so are the values that they must give: loops over the work-items of a sub-group. Work-groups
have a last sub-group that is not full. Half of the kernels call their functions under a condition that differs by
work-item, where OpenCL allows it. The native run of the device code must agree, too. The same kernels run with the
checks, which must find nothing, and give the same bytes on several threads."""
import json
import math
import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

LOCAL, GROUPS = 203, 2
TYPES = {  # name: (format of struct, bits, kind)
    "char": ("b", 8, "s"), "uchar": ("B", 8, "u"), "short": ("h", 16, "s"), "ushort": ("H", 16, "u"),
    "int": ("i", 32, "s"), "uint": ("I", 32, "u"), "long": ("q", 64, "s"), "ulong": ("Q", 64, "u"),
    "float": ("f", 32, "f"), "double": ("d", 64, "f"),
}
CORE = {"int", "uint", "long", "ulong", "float", "double"}
SPECIAL = {"char": -128, "short": -2**15, "int": -2**31, "long": -2**63}


class Type:
    def __init__(self, name):
        self.name = name
        self.format, self.bits, self.kind = TYPES[name]

    def wrap(self, v):
        if self.kind == "f":
            return v
        v &= (1 << self.bits) - 1
        return v - (1 << self.bits) if self.kind == "s" and v >> (self.bits - 1) else v

    def neutral(self, op):
        if op == "min":
            return math.inf if self.kind == "f" else (1 << (self.bits - (self.kind == "s"))) - 1
        if op == "max":
            return -math.inf if self.kind == "f" else -(1 << (self.bits - 1)) if self.kind == "s" else 0
        return {"add": 0, "mul": 1, "and": self.wrap(-1) if self.kind != "f" else 0, "or": 0, "xor": 0,
                "logical_and": 1, "logical_or": 0, "logical_xor": 0}[op]

    def fold(self, op, values):
        r = self.neutral(op)
        for v in values:
            if op.startswith("logical"):
                v = int(v != 0)
                r = r & v if op.endswith("and") else r ^ v if op.endswith("xor") else r | v
            else:
                r = {"add": lambda: r + v, "mul": lambda: r * v, "min": lambda: min(r, v), "max": lambda: max(r, v),
                     "and": lambda: r & v, "or": lambda: r | v, "xor": lambda: r ^ v}[op]()
            r = self.wrap(r)
        return r

    def values(self, rng, n):
        if self.kind == "f":  # products and sums that are exact in any order
            return [rng.choice([1.0, -1.0, 2.0, 0.5]) for _ in range(n)]
        return [self.wrap(rng.getrandbits(64)) if rng.random() < 0.8 else self.wrap(rng.choice([0, 1, -1]))
                for _ in range(n)]


class Item:
    """One work-item as a function sees it: who of its sub-group is there, with what."""

    def __init__(self, lane, active, x, y, size, most):
        self.lane, self.active, self.x, self.y, self.size, self.most = lane, active, x, y, size, most

    def all(self):
        return [self.x[i] for i in self.active]

    def before(self, own):
        return [self.x[i] for i in self.active if i < self.lane or (own and i == self.lane)]

    def of(self, lane):
        return self.x[lane] if lane in self.active else None  # None: anything


def bits(lanes):
    return sum(1 << i for i in lanes)


def functions(t, divergent, width):
    """(OpenCL expression, int result?, expected value of an Item)"""
    ops = ["add", "min", "max"]
    more = ["mul"] + ([] if t.kind == "f" else ["and", "or", "xor"])
    out = []
    if not divergent:
        for op in ops:
            out.append((f"sub_group_reduce_{op}(x)", False, lambda i, op=op: t.fold(op, i.all())))
            out.append((f"sub_group_scan_inclusive_{op}(x)", False, lambda i, op=op: t.fold(op, i.before(True))))
            out.append((f"sub_group_scan_exclusive_{op}(x)", False, lambda i, op=op: t.fold(op, i.before(False))))
        out.append(("sub_group_broadcast(x, 1)", False, lambda i: i.of(1)))
        out.append(("sub_group_all(y != 3)", True, lambda i: int(all(i.y[k] != 3 for k in i.active))))
        out.append(("sub_group_any(y == 3)", True, lambda i: int(any(i.y[k] == 3 for k in i.active))))
        out.append(("get_sub_group_size()", True, lambda i: i.size))
        out.append(("get_sub_group_local_id()", True, lambda i: i.lane))
    for op in ops + more:
        out.append((f"sub_group_non_uniform_reduce_{op}(x)", False, lambda i, op=op: t.fold(op, i.all())))
        out.append((f"sub_group_non_uniform_scan_inclusive_{op}(x)", False,
                    lambda i, op=op: t.fold(op, i.before(True))))
        out.append((f"sub_group_non_uniform_scan_exclusive_{op}(x)", False,
                    lambda i, op=op: t.fold(op, i.before(False))))
        for size in (1, 4, 8):
            out.append((f"sub_group_clustered_reduce_{op}(x, {size})", False, lambda i, op=op, size=size: t.fold(
                op, [i.x[k] for k in i.active if k // size == i.lane // size])))
    for shift in (1, 3):
        out.append((f"sub_group_shuffle_up(x, {shift})", False, lambda i, s=shift: i.of(i.lane - s)))
        out.append((f"sub_group_shuffle_down(x, {shift})", False, lambda i, s=shift: i.of(i.lane + s)))
        out.append((f"sub_group_shuffle_xor(x, {shift})", False, lambda i, s=shift: i.of(i.lane ^ s)))
        out.append((f"sub_group_rotate(x, {shift})", False, lambda i, s=shift: i.of((i.lane + s) % i.most)))
        out.append((f"sub_group_clustered_rotate(x, {shift}, 8)", False,
                    lambda i, s=shift: i.of(i.lane // 8 * 8 + (i.lane + s) % 8)))
    out.append(("sub_group_shuffle(x, y)", False, lambda i: i.of(i.y[i.lane])))
    out.append(("sub_group_non_uniform_all_equal(x)", True, lambda i: int(len(set(i.all())) == 1)))
    out.append(("sub_group_non_uniform_all_equal((" + t.name + ")7)", True, lambda i: 1))
    out.append(("sub_group_broadcast_first(x)", False, lambda i: i.of(min(i.active))))
    return out


def integer_functions(divergent, width):
    """The same where the type does not matter: of int only."""
    t = Type("int")
    out = []
    for op in ("and", "or", "xor"):
        name = "logical_" + op
        out.append((f"sub_group_non_uniform_reduce_{name}(y > 2)", True,
                    lambda i, n=name: t.fold(n, [i.y[k] > 2 for k in i.active])))
        for size in (2, 8):
            out.append((f"sub_group_clustered_reduce_{name}(y > 2, {size})", True, lambda i, n=name, size=size: t.fold(
                n, [i.y[k] > 2 for k in i.active if k // size == i.lane // size])))
        for own, how in ((True, "inclusive"), (False, "exclusive")):
            out.append((f"sub_group_non_uniform_scan_{how}_{name}(y > 2)", True, lambda i, n=name, own=own: t.fold(
                n, [i.y[k] > 2 for k in i.active if k < i.lane or (own and k == i.lane)])))
    out.append(("sub_group_elect()", True, lambda i: int(i.lane == min(i.active))))
    out.append(("sub_group_non_uniform_all(y > 0)", True, lambda i: int(all(i.y[k] > 0 for k in i.active))))
    out.append(("sub_group_non_uniform_any(y == 5)", True, lambda i: int(any(i.y[k] == 5 for k in i.active))))

    def ballot(i):
        return bits(k for k in i.active if i.y[k] & 1)
    every = (1 << 128) - 1
    masks = {"eq": lambda i: 1 << i.lane, "lt": lambda i: (1 << i.lane) - 1, "le": lambda i: (2 << i.lane) - 1,
             "ge": lambda i: ((1 << i.most) - 1) & ~((1 << i.lane) - 1) & every,
             "gt": lambda i: ((1 << i.most) - 1) & ~((2 << i.lane) - 1) & every}
    for word in range(4):
        s = f".s{word}"
        out.append((f"as_int(sub_group_ballot(y & 1){s})", True,
                    lambda i, w=word: t.wrap(ballot(i) >> 32 * w)))
        for name, mask in masks.items():
            out.append((f"as_int(get_sub_group_{name}_mask(){s})", True,
                        lambda i, w=word, mask=mask: t.wrap(mask(i) >> 32 * w)))
    v = "b"  # a ballot that is computed before
    out.append((f"sub_group_inverse_ballot({v})", True, lambda i: ballot(i) >> i.lane & 1))
    out.append((f"sub_group_ballot_bit_extract({v}, 5)", True, lambda i: ballot(i) >> 5 & 1))
    out.append((f"sub_group_ballot_bit_count({v})", True, lambda i: bin(ballot(i)).count("1")))
    out.append((f"sub_group_ballot_inclusive_scan({v})", True,
                lambda i: bin(ballot(i) & ((2 << i.lane) - 1)).count("1")))
    out.append((f"sub_group_ballot_exclusive_scan({v})", True,
                lambda i: bin(ballot(i) & ((1 << i.lane) - 1)).count("1")))
    out.append((f"sub_group_ballot_find_lsb({v})", True,
                lambda i: (ballot(i) & -ballot(i)).bit_length() - 1 if ballot(i) else None))
    out.append((f"sub_group_ballot_find_msb({v})", True, lambda i: ballot(i).bit_length() - 1 if ballot(i) else None))
    if not divergent:
        out.append(("get_num_sub_groups()", True, lambda i: -(-LOCAL // width)))
        out.append(("get_enqueued_num_sub_groups()", True, lambda i: -(-LOCAL // width)))
        out.append(("get_max_sub_group_size()", True, lambda i: i.most))
        out.append(("(int)(get_local_id(0) - get_sub_group_id() * get_max_sub_group_size())", True, lambda i: i.lane))
    return out


class Test:
    """A kernel of some calls, and what each must give."""

    def __init__(self, name, calls, types, source, divergent):
        self.name, self.calls, self.types, self.source, self.divergent = name, calls, types, source, divergent


def kernel(t, calls, divergent):
    body = "".join(f"        {'oi' if whole else 'o'}[{k} * n + g] = {call};\n"
                   for k, (call, whole, _) in enumerate(calls))
    ballot = "        uint4 b = sub_group_ballot(y & 1);\n" if "(b)" in body or "(b," in body else ""
    fp64 = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" if t.name == "double" else ""
    condition = "in[n + g] != 0 && (y & 2)" if divergent else "1"
    return (f"{fp64}kernel void k(global const {t.name} *in, global const int *iny, global {t.name} *o, "
            f"global int *oi)\n{{\n    size_t g = get_global_id(0), n = get_global_size(0);\n"
            f"    {t.name} x = in[g];\n    int y = iny[g];\n    if ({condition}) {{\n{ballot}{body}    }}\n}}\n")


def group_kernel(t):
    calls = []
    for op in ("add", "min", "max"):
        calls.append((f"work_group_reduce_{op}(x)", False, lambda i, op=op: t.fold(op, i.x)))
        calls.append((f"work_group_scan_inclusive_{op}(x)", False, lambda i, op=op: t.fold(op, i.x[:i.lane + 1])))
        calls.append((f"work_group_scan_exclusive_{op}(x)", False, lambda i, op=op: t.fold(op, i.x[:i.lane])))
    calls.append(("work_group_broadcast(x, 77)", False, lambda i: i.x[77]))
    calls.append(("work_group_all(y < 8)", True, lambda i: int(all(v < 8 for v in i.y))))
    calls.append(("work_group_all(y != 3)", True, lambda i: int(all(v != 3 for v in i.y))))
    calls.append(("work_group_any(y == 3)", True, lambda i: int(any(v == 3 for v in i.y))))
    calls.append(("work_group_any(y == 9)", True, lambda i: 0))
    return calls


def run(wavesim, folder, source, t, width, x, y, ncalls, options=()):
    (folder / "k.cl").write_text(source)
    n = LOCAL * GROUPS
    (folder / "in").write_bytes(struct.pack(f"<{len(x)}{t.format}", *x))
    (folder / "iny").write_bytes(struct.pack(f"<{n}i", *y))
    command = [wavesim, "k.cl", "--wave", str(width), "--global", str(n), "--local", str(LOCAL), "--arg", "in=@in",
               "--arg", "iny=@iny", "--arg", f"o=zero:{ncalls * n}", "--arg", f"oi=zero:{ncalls * n}", "--dump", "o=o",
               "--dump", "oi=oi", "--json", "json", "--quiet", "--error-exitcode", "9", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
    if done.returncode or done.stderr:
        return None, f"exit {done.returncode}: {done.stderr[:600]}"
    report = json.loads((folder / "json").read_text())
    reference = report["reference"]
    if report["checks"]["why"]:
        return None, f"the checks did not run: {report['checks']['why']}"
    if reference["status"] != "equal" or (reference["source"] != "native" and "work_group" not in source):
        return None, f"{reference['status']} to {reference['source']}: {reference['why']}"
    return ((folder / "o").read_bytes(), (folder / "oi").read_bytes()), ""


def same(t, a, b):
    return a == b or (t.kind == "f" and math.isclose(a, b, rel_tol=1e-6 if t.name == "float" else 1e-14))


def compare(t, calls, found, items, divergent, taken):
    n = LOCAL * GROUPS
    o = struct.unpack(f"<{len(calls) * n}{t.format}", found[0])
    oi = struct.unpack(f"<{len(calls) * n}i", found[1])
    wrong = []
    for k, (call, whole, expected) in enumerate(calls):
        for g in range(n):
            if divergent and not taken[g]:
                continue
            want, have = expected(items[g]), (oi if whole else o)[k * n + g]
            if want is not None and not same(t, want, have):
                wrong.append(f"{call}: item {g} (lane {items[g].lane}): {have}, not {want}")
                break
    return wrong


def subgroup_items(width, x, y, taken):
    items = []
    for g in range(LOCAL * GROUPS):
        group, local = divmod(g, LOCAL)
        first = local // width * width
        size = min(width, LOCAL - first)
        at = group * LOCAL + first
        active = [k for k in range(size) if taken[at + k]]
        items.append(Item(local - first, active, x[at:at + size], y[at:at + size], size, min(width, LOCAL)))
    return items


def group_items(x, y):
    return [Item(g % LOCAL, range(LOCAL), x[g // LOCAL * LOCAL:][:LOCAL], y[g // LOCAL * LOCAL:][:LOCAL], 0, 0)
            for g in range(LOCAL * GROUPS)]


def tests(wavesim, widths):
    rng = random.Random(22)
    passed = failed = 0
    n = LOCAL * GROUPS
    for name in TYPES:
        t = Type(name)
        for width in widths:
            for how in ("uniform", "divergent", "work-group"):
                divergent = how == "divergent"
                if how == "work-group" and name not in CORE:
                    continue
                calls = group_kernel(t) if how == "work-group" else functions(t, divergent, width)
                if name == "int" and how != "work-group":
                    calls += integer_functions(divergent, width)
                x, y = t.values(rng, n), [rng.randrange(8) for _ in range(n)]
                gate = [t.wrap(rng.randrange(4)) for _ in range(n)]
                taken = [not divergent or (gate[g] != 0 and y[g] & 2) for g in range(n)]
                items = group_items(x, y) if how == "work-group" else subgroup_items(width, x, y, taken)
                source = kernel(t, calls, divergent)
                with tempfile.TemporaryDirectory() as folder:
                    found, why = run(wavesim, Path(folder), source, t, width, x + gate, y, len(calls))
                    wrong = [why] if found is None else compare(t, calls, found, items, divergent, taken)
                    if found is not None and width == widths[0]:
                        for more in (("--threads", "3"), ("--check=races,bounds",)):
                            again, why = run(wavesim, Path(folder), source, t, width, x + gate, y, len(calls), more)
                            if again != found:
                                wrong.append(f"{' '.join(more)}: {why or 'other results'}")
                if wrong:
                    failed += 1
                    print(f"FAIL {name} {how} wave {width}")
                    for line in wrong[:12]:
                        print("     " + line)
                else:
                    passed += 1
    return passed, failed


# What AMD's compiler makes of a call on its chips: (device, expression, instructions that are there, that are not).
PRICES = [
    ("mi50", "sub_group_reduce_add(x)", ["v_add_u32_dpp", "v_readlane_b32"], ["ds_"]),
    ("mi50", "sub_group_scan_inclusive_max(x)", ["v_max_i32_dpp"], ["ds_"]),
    ("mi50", "(int)sub_group_reduce_add((long)x)", ["v_mov_b32_dpp"], ["ds_"]),
    ("mi50", "sub_group_clustered_reduce_add(x, 16)", ["quad_perm", "row_mirror"], ["ds_"]),
    ("mi50", "sub_group_clustered_reduce_add(x, 32)", ["quad_perm", "ds_swizzle_b32"], ["ds_read", "ds_write", "ds_bp"]),
    ("mi50", "sub_group_shuffle_xor(x, 1)", ["ds_bpermute_b32"], ["ds_read", "ds_write"]),
    ("mi50", "sub_group_broadcast(x, 5)", ["v_readlane_b32"], ["ds_"]),
    ("mi50", "sub_group_broadcast_first(x)", ["v_readfirstlane_b32"], ["ds_"]),
    ("mi50", "sub_group_any(x > 3)", ["v_cmp"], ["ds_", "_dpp"]),
    ("mi50", "(int)sub_group_ballot_bit_count(sub_group_ballot(x > 3))", ["_bcnt"], ["ds_"]),
    ("hd7970", "sub_group_reduce_add(x)", ["ds_swizzle_b32"], ["ds_read", "ds_write", "_dpp"]),
    ("rx6900xt", "sub_group_reduce_add(x)", ["_dpp", "v_permlanex16_b32"], ["ds_"]),
    ("mi50", "work_group_reduce_add(x)", ["v_add_u32_dpp", "ds_write_b32", "s_barrier"], ["ds_bp"]),
]


def prices(wavesim):
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for device, call, there, not_there in PRICES:
            (Path(folder) / "k.cl").write_text(
                f"kernel void k(global int *a) {{ int x = a[get_global_id(0)]; a[get_global_id(0)] = {call}; }}\n")
            done = subprocess.run([wavesim, "k.cl", "--device", device, "--dump-asm"], cwd=folder, capture_output=True,
                                  text=True, timeout=120)
            code = "\n".join(line for line in done.stdout.splitlines() if ";" not in line)
            wrong = [f"no {i}" for i in there if i not in code] + [i for i in not_there if i in code]
            if done.returncode or wrong:
                failed += 1
                print(f"FAIL {device}: {call}: {', '.join(wrong) or done.stderr}")
            else:
                passed += 1
    return passed, failed


if __name__ == "__main__":
    program = str(Path(sys.argv[1]).resolve())
    chosen = [int(a) for a in sys.argv[2:]] or [8, 32, 64, 128]
    right, wrong = prices(program)
    more, failures = tests(program, chosen)
    print(f"{right + more} passed, {wrong + failures} failed")
    sys.exit(wrong + failures > 0)
