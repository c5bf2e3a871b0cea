#!/usr/bin/env python3
"""The tables of built-in functions of OpenCL C 3.0, on every type and width: functions.py WAVESIM

Each function stands in a kernel that is made here, a few together, each with a buffer of its own, which is compared
with PoCL's run. How far one may be off is the specification's limit (tables 65 and 67), here once more, twice, for PoCL's
result may be off as far on the other side; where there is none, both must be equal. PoCL has no functions on half: those
stand beside the same functions on float. What is not there is refused by name (ABSENT). docs/opencl.md says which table is
tested where.

A sample of the kernels; TEST_FUNCTIONS=all: all. TEST_EVERY=N, TEST_FIRST=K: one in N of these."""
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ITEMS, CHUNK, WIDTHS = 64, 8, ("", "2", "3", "4", "8", "16")
INTEGERS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")
BITS = {"char": 8, "short": 16, "int": 32, "long": 64}
SIGNED = {"float": "int", "double": "long"}

# name: (arguments, limit in ulp of float, of double). x, y, z: numbers of about -30 to 30; u: from -1 to 1; p: above 0;
# g: above 1; n: small integers. Limits of 0: equal.
MATH = {
    "acos": ("u", 4, 4), "acosh": ("g", 4, 4), "acospi": ("u", 5, 5), "asin": ("u", 4, 4), "asinh": ("x", 4, 4),
    "asinpi": ("u", 5, 5), "atan": ("x", 5, 5), "atan2": ("x, y", 6, 6), "atanh": ("u", 5, 5), "atanpi": ("x", 5, 5),
    "atan2pi": ("x, y", 6, 6), "cbrt": ("x", 2, 2), "ceil": ("x", 0, 0), "copysign": ("x, y", 0, 0),
    "cos": ("x", 4, 4), "cosh": ("x", 4, 4), "cospi": ("x", 4, 4), "erfc": ("u", 16, 16), "erf": ("u", 16, 16),
    "exp": ("x", 3, 3), "exp2": ("x", 3, 3), "exp10": ("x", 3, 3), "expm1": ("x", 3, 3), "fabs": ("x", 0, 0),
    "fdim": ("x, y", 0, 0), "floor": ("x", 0, 0), "fma": ("x, y, z", 0, 0), "fmax": ("x, y", 0, 0),
    "fmin": ("x, y", 0, 0), "fmod": ("x, y", 0, 0), "hypot": ("x, y", 4, 4), "ldexp": ("x, n", 0, 0),
    "lgamma": ("p", 16, 16), "log": ("p", 3, 3), "log2": ("p", 3, 3), "log10": ("p", 3, 3), "log1p": ("p", 2, 2),
    "logb": ("x", 0, 0), "maxmag": ("x, y", 0, 0), "minmag": ("x, y", 0, 0), "nextafter": ("x, y", 0, 0),
    "pow": ("p, u", 16, 16), "pown": ("u, n", 16, 16), "powr": ("p, u", 16, 16), "remainder": ("x, y", 0, 0),
    "rint": ("x", 0, 0), "rootn": ("p, n", 16, 16), "round": ("x", 0, 0), "rsqrt": ("p", 2, 2), "sin": ("x", 4, 4),
    "sinh": ("x", 4, 4), "sinpi": ("x", 4, 4), "sqrt": ("p", 3, 0), "tan": ("x", 5, 5), "tanh": ("x", 5, 5),
    "tanpi": ("u", 6, 6), "tgamma": ("g", 16, 16), "trunc": ("x", 0, 0),
}
POINTERS = {  # name: (statement that makes r, and q, of type T or I; limits)
    "fract": ("r = fract(x, &t); q = t;", 0, 0), "modf": ("r = modf(x, &t); q = t;", 0, 0),
    "sincos": ("r = sincos(x, &t); q = t;", 4, 4), "frexp": ("r = frexp(x, &k); q = CONVERT(k);", 0, 0),
    "lgamma_r": ("r = lgamma_r(p, &k); q = CONVERT(k);", 16, 16),
    "remquo": ("r = remquo(x, y, &k); q = CONVERT(k & 7);", 0, 0),
}
HALF = {"cos": "x", "divide": "x, y", "exp": "x", "exp2": "x", "exp10": "x", "log": "p", "log2": "p", "log10": "p",
        "powr": "p, u", "recip": "x", "rsqrt": "p", "sin": "x", "sqrt": "p", "tan": "u"}
COMMON = {"clamp": ("x, min(y, z), max(y, z)", 0, 0), "degrees": ("x", 2, 2), "max": ("x, y", 0, 0),
          "min": ("x, y", 0, 0), "mix": ("p, p + g, fabs(u)", 3, 3), "radians": ("x", 2, 2), "step": ("x, y", 0, 0),
          "smoothstep": ("(T)-1, (T)1, u", 84, 84), "sign": ("x", 0, 0)}
GEOMETRIC = {"dot": ("p, g", 7, 7), "distance": ("p, g + p + 1", 10.5, 13.5), "length": ("p", 4.75, 9.5),
             "fast_length": ("p", 8195.5, None), "fast_distance": ("p, g + p + 1", 8199.5, None),
             "normalize": ("p", 6, 8.5), "fast_normalize": ("p", 8196, None), "cross": ("p, (T)(g.xyz, 0)", None, None)}
RELATIONAL = {"isequal": "x, y", "isnotequal": "x, y", "isgreater": "x, y", "isgreaterequal": "x, y", "isless": "x, y",
              "islessequal": "x, y", "islessgreater": "x, y", "isfinite": "x / floor(u)", "isinf": "x / floor(u)",
              "isnan": "floor(u) / floor(u)", "isnormal": "x", "isordered": "x, floor(u) / floor(u)",
              "isunordered": "x, floor(u) / floor(u)", "signbit": "x"}
INTEGER = {"abs": "a", "abs_diff": "a, b", "add_sat": "a, b", "hadd": "a, b", "rhadd": "a, b",
           "clamp": "a, min(b, c), max(b, c)", "clz": "a", "mad_hi": "a, b, c", "mad_sat": "a, b, c", "max": "a, b",
           "min": "a, b", "mul_hi": "a, b", "rotate": "a, b", "sub_sat": "a, b", "popcount": "a",
           "bitselect": "a, b, c"}
INT_ONLY = {"mad24": "a >> (T)8, b >> (T)8, c", "mul24": "a >> (T)8, b >> (T)8"}
ROUNDING = ("", "_rte", "_rtz", "_rtp", "_rtn")

# What is not there: options, a kernel that needs it, a word of the message; and the PoCL from which on it is there.
ABSENT = {
    "enqueue_kernel": ("-cl-std=CL2.0", "kernel void k(global int *o) { enqueue_kernel(get_default_queue(), "
                       "CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ o[0] = 1; }); }", "cannot be simulated"),
    "widths of images of buffers": ("-cl-std=CL1.2", "kernel void k(read_only image1d_buffer_t i, global int *o) "
                                    "{ o[0] = get_image_width(i); }", "PoCL's library has no", 6),
}


def vector(t, width):
    return t + width


class Function:
    def __init__(self, name, result, body, f32=0.0):
        self.name, self.result, self.body, self.limit = name, result, body, f32


class Kernel:
    """Some functions of one type at one width."""

    def __init__(self, title, t, width, functions):
        self.title, self.t, self.width, self.functions = title, t, width, functions

    def source(self):
        t = vector(self.t, self.width)
        signed = vector(SIGNED.get(self.t, self.t.removeprefix("u")), self.width)
        ints = vector("int", self.width)
        out = [f"#define T {t}", f"#define I {ints}", f"#define CONVERT convert_{t}"]
        args = [f"global const {t} *a_", f"global const {t} *b_", f"global const {t} *c_", f"global const {ints} *n_"]
        args += [f"global {f.result} *o{i}" for i, f in enumerate(self.functions)]
        out.append(f"kernel void k({', '.join(args)})\n{{\n\tsize_t i = get_global_id(0);")
        out.append("\tT a = a_[i], b = b_[i], c = c_[i];\n\tI n = n_[i];")
        if self.t in SIGNED:
            # Some are equal, some are whole numbers.
            out.append("\tT x = a, y = i % 5 ? b : a, z = i % 3 ? c : rint(c), u = b / 32, p = fabs(a) + (T)0.0625f, "
                       "g = fabs(c) + 1;")
        out += [f"\t{{ {f.body.replace('OUT', f'o{i}[i]')} }}" for i, f in enumerate(self.functions)]
        return "\n".join(out) + "\n}\n", signed

    def arguments(self):
        n = str(ITEMS)
        out = []
        for name, seed in (("a_", 0), ("b_", 1), ("c_", 2)):
            if self.t in SIGNED:
                contents = "random(-30,30)"
            else:
                bits = BITS[self.t.removeprefix("u")]
                least = 0 if self.t[0] == "u" else -(1 << bits - 1)
                most = (1 << bits - (self.t[0] != "u")) - 1
                contents = f"random({least},{most})"
            out += ["--arg", f"{name}={contents}:{n}"]
        return out + ["--arg", f"n_=random(1,7):{n}"]


def assign(name, arguments):
    return f"OUT = {name}({arguments});"


def math_functions(t, width):
    v = vector(t, width)
    at = 1 if t == "float" else 2
    out = [Function(n, v, assign(n, row[0]), row[at]) for n, row in MATH.items()]
    out.append(Function("mad", v, "OUT = mad(x, y, p * p * 1024);", 4))
    out.append(Function("ilogb", vector("int", width), assign("ilogb", "x")))
    bits = vector("uint" if t == "float" else "ulong", width)
    out.append(Function("nan", vector("int" if t == "float" or not width else "long", width),
                        f"OUT = isnan(nan(({bits})1));"))
    for name, row in POINTERS.items():
        out.append(Function(name, v, f"T r, q, t; I k; {row[0]} OUT = r;", row[at]))
        out.append(Function(name + " (second)", v, f"T r, q, t; I k; {row[0]} OUT = q;", row[at]))
    out += [Function(n, v, assign(n, row[0]), row[at]) for n, row in COMMON.items()]
    if t == "float":
        for how in ("half_", "native_"):
            out += [Function(how + n, v, assign(how + n, args), 8192) for n, args in HALF.items()]
    return out


def geometric_functions(t, width):
    if width not in ("", "2", "3", "4"):
        return []
    out = []
    for name, row in GEOMETRIC.items():
        limit = row[1 if t == "float" else 2]
        if name == "cross":
            if width in ("3", "4"):
                row = ("p, g",)
                out.append(Function(name, vector(t, width), assign(name, row[0]), 4096))
        elif limit is not None:
            out.append(Function(name, vector(t, width) if "normalize" in name else t, assign(name, row[0]), limit))
    return out


def relational_functions(t, width):
    result = vector(SIGNED[t] if width else "int", width)
    out = [Function(n, result, assign(n, args)) for n, args in RELATIONAL.items()]
    out.append(Function("bitselect", vector(t, width), assign("bitselect", "x, y, z")))
    choice = vector(SIGNED[t], width)
    out.append(Function("select", vector(t, width), f"OUT = select(x, y, convert_{choice}(z) << 1);"))
    out.append(Function("any", "int", f"OUT = any(convert_{choice}(x));"))
    out.append(Function("all", "int", f"OUT = all(convert_{choice}(x));"))
    return out


def integer_functions(t, width):
    v, unsigned = vector(t, width), vector("u" + t.removeprefix("u"), width)
    out = [Function(n, unsigned if n in ("abs", "abs_diff") else v, assign(n, args)) for n, args in INTEGER.items()]
    if t in ("int", "uint"):
        out += [Function(n, v, assign(n, args)) for n, args in INT_ONLY.items()]
    if not t.endswith("long"):
        wide = {"char": "short", "short": "int", "int": "long"}[t.removeprefix("u")]
        wide = ("u" if t[0] == "u" else "") + wide
        out.append(Function("upsample", vector(wide, width), f"OUT = upsample(a, as_{unsigned}(b));"))
    choice = vector(t.removeprefix("u"), width)
    out.append(Function("select", v, f"OUT = select(a, b, as_{choice}(c));"))
    if t[0] != "u":
        out.append(Function("any", "int", "OUT = any(a);"))
        out.append(Function("all", "int", "OUT = all(a);"))
    return out


def vector_functions(t, width):
    """Loads, stores and shuffles."""
    v = vector(t, width)
    out = []
    if width:
        n = int(width)
        out.append(Function(f"vload{n}", v, f"OUT = vload{n}(i / {2 * n}, (global const {t} *)a_ + i % {n});"))
        out.append(Function(f"vstore{n}", v, f"vstore{n}(a + b, i, (global {t} *)&OUT - i * {4 if n == 3 else n});"
                            if n != 3 else "OUT = a;"))
    if width in ("2", "4", "8", "16"):
        mask = vector({"float": "uint", "double": "ulong"}.get(t, "u" + t.removeprefix("u")), width)
        as_mask = f"as_{mask}(a)" if t not in SIGNED else f"convert_{mask}(fabs(a))"
        out.append(Function("shuffle", v, f"OUT = shuffle(b, {as_mask});"))
        out.append(Function("shuffle2", v, f"OUT = shuffle2(b, c, {as_mask});"))
    out.append(Function("vec_step", "int", "OUT = vec_step(a);"))
    return out


def conversions(t, width):
    out = []
    for to in INTEGERS + ("float", "double"):
        whole = to not in SIGNED
        for sat in ("", "_sat") if whole else ("",):
            for how in ROUNDING:
                # Without _sat, what does not fit is open.
                value = "a" if sat or t not in SIGNED else "fabs(x)" if to[0] == "u" else "x"
                out.append(Function(f"convert_{to}{sat}{how}", vector(to, width),
                                    f"OUT = convert_{vector(to, width)}{sat}{how}({value});"))
        if size(to) == size(t):
            out.append(Function(f"as_{to}", vector(to, width), f"OUT = as_{vector(to, width)}(a);"))
    return out


def size(t):
    return BITS.get(t.removeprefix("u"), 32 if t == "float" else 64)


def halves(width):
    out, v, n = [], vector("float", width), int(width or 1)
    stride = 4 if width == "3" else n
    for how in ROUNDING:
        out.append(Function(f"vstore_half{width}{how}", vector("short", width),
                            f"vstore_half{width}{how}(a * b, 0, (global half *)&OUT);"))
        if width:
            out.append(Function(f"vstorea_half{width}{how}", vector("short", width),
                                f"vstorea_half{width}{how}(a * b, 0, (global half *)&OUT);"))
    out.append(Function(f"vload_half{width}", v, f"OUT = vload_half{width}(i, (global const half *)a_);"))
    if width:
        out.append(Function(f"vloada_half{width}", v, f"OUT = vloada_half{width}(i, (global const half *)a_);"))
    return out


# ---- half: PoCL has none, so it is judged by the same functions of floats ----

# A work-item prints what is too far off what floats say, which hold all halves and products of two.
HALF_HEAD = """#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define T half{w}
#define F float{w}
#define I int{w}
bool off(half r, float e, float limit)
{{
	float v = convert_float(r), ulp = ldexp(1.0f, max(ilogb(e), -14) - 10);
	if (isnan(v) || isnan(e))
		return isnan(v) != isnan(e);
	if (fabs(e) > 65504)
		return !(fabs(v) >= 65504 - 32 * limit) || v * e < 0;
	return !(fabs(v - e) <= limit * ulp * 1.001f);
}}
#define NUMBERS(name, n, limit, r, e) for (int c_ = 0; c_ < n; c_++) \\
	if (off(((half *)&r)[c_], ((float *)&e)[c_], limit)) \\
		printf("%s %d.%d: %g, not %g\\n", name, (int)i, c_, convert_float(((half *)&r)[c_]), ((float *)&e)[c_]);
#define BITS(type, name, n, r, e) for (int c_ = 0; c_ < n; c_++) \\
	if (((type *)&r)[c_] != ((type *)&e)[c_]) \\
		printf("%s %d.%d: %ld, not %ld\\n", name, (int)i, c_, (long)((type *)&r)[c_], (long)((type *)&e)[c_]);
"""
# By those of floats, or of a name; the others 2. smoothstep's is open.
HALF_LIMITS = {0: 0.5, 16: 4, "rsqrt": 1, "sqrt": 0.5, "smoothstep": 4}
HALF_NAMES = {"x": "X", "y": "Y", "z": "Z", "u": "U", "p": "P", "g": "G", "r": "R", "q": "Q", "t": "V", "T": "F",
              "CONVERT": "CONVERT_F"}


def of_floats(text):
    return re.sub(r"\b\w+\b", lambda m: HALF_NAMES.get(m[0], m[0]), text)


class HalfKernel(Kernel):
    """Functions of half at one width: their bodies print what is wrong."""

    def __init__(self, width, functions):
        super().__init__("half functions", "half", width, functions)

    def source(self):
        w = self.width
        out = [HALF_HEAD.format(w=w), f"#define CONVERT convert_half{w}", f"#define CONVERT_F convert_float{w}"]
        out.append("kernel void k(global const T *a_, global const T *b_, global const T *c_, global const I *n_, "
                   "global const short *s_, global const long *l_, global T *done)\n{\n\tsize_t i = get_global_id(0);")
        out.append("\tT a = a_[i], b = b_[i], c = c_[i];\n\tI n = n_[i];")
        out.append("\tT x = a, y = i % 5 ? b : a, z = i % 3 ? c : rint(c), u = b / (half)32, p = fabs(a) + (T)0.0625h, "
                   "g = fabs(c) + (T)1;")
        out.append("\tF " + ", ".join(f"{HALF_NAMES[v]} = convert_float{w}({v})" for v in "xyzupg") + ";")
        out += [f"\t{{ {f.body} }}" for f in self.functions]
        return "\n".join(out) + "\n\tdone[i] = a + b;\n}\n", None

    def arguments(self):
        n = str(ITEMS)
        out = []
        for name in ("a_", "b_", "c_"):
            out += ["--arg", f"{name}=random(-30,30):{n}"]
        return out + ["--arg", f"n_=random(1,7):{n}", "--arg", f"s_=random(-32768,32767):{16 * ITEMS}",
                      "--arg", f"l_=random(-70000,70000):{16 * ITEMS}"]


def half_number(name, width, make, limit):
    """make: what gives r, of half."""
    body = f"T r; {make} F R; {of_floats(make)} NUMBERS(\"{name}\", {width or 1}, {float(limit)}f, r, R)"
    return Function(f"{name} of half{width}", None, body)


def half_bits(name, kind, width, actual, expected):
    body = f"{kind}{width} r = {actual}, e = {expected}; BITS({kind}, \"{name}\", {width or 1}, r, e)"
    return Function(f"{name} of half{width}", None, body)


def half_functions(width):
    n, out = int(width or 1), []
    for name, row in list(MATH.items()) + list(COMMON.items()):
        limit = HALF_LIMITS.get(name, HALF_LIMITS.get(row[1], 2))
        if name != "nextafter":
            out.append(half_number(name, width, f"r = {name}({row[0]});", limit))
    for name, row in POINTERS.items():
        for which in ("r", "q"):
            out.append(half_number(f"{name}{'' if which == 'r' else ' (second)'}", width,
                                   f"{{ T q, t; I k; {row[0]} r = {which}; }}", HALF_LIMITS.get(row[1], 2)))
    if width in ("", "2", "3", "4"):
        for name, limit in (("dot", 2 * n), ("distance", 2 * n), ("length", 0.25 + 0.5 * n)):
            make = f"h = {name}({'p' if name == 'length' else 'p, g'});"
            floats = of_floats(make).replace("h =", "H =")
            out.append(Function(f"{name} of half{width}", None,
                                f"half h; {make} float H; {floats} NUMBERS(\"{name}\", 1, {float(limit)}f, h, H)"))
        out.append(half_number("normalize", width, "r = normalize(p);", 1 + n))
    for name, args in RELATIONAL.items():
        out.append(half_bits(name, "int", width, f"convert_int{width}({name}({args}))", f"{name}({of_floats(args)})"))
    out.append(half_bits("ilogb", "int", width, "ilogb(x)", "ilogb(X)"))
    out.append(half_bits("nextafter", "short", width, f"as_short{width}(nextafter(x, fabs(x) + (T)1))",
                         f"as_short{width}(x) + (as_short{width}(x) >= (short{width})0 ? (short{width})1 : "
                         f"(short{width})-1)"))
    out.append(half_bits("bitselect", "short", width, f"as_short{width}(bitselect(x, y, z))",
                         f"bitselect(as_short{width}(x), as_short{width}(y), as_short{width}(z))"))
    out.append(Function(f"select of half{width}", None,
                        f"short{width} s = convert_short{width}(z) << (short{width})1; T r = select(x, y, s); "
                        f"F e = select(X, Y, convert_int{width}(s)); NUMBERS(\"select\", {n}, 0.5f, r, e)"))
    return out


def half_vectors(width):
    n, out = int(width or 1), []
    short = f"short{width}"
    if width:
        out.append(half_bits(f"vload{n}", "short", width, f"as_{short}(vload{n}(i, (global const half *)s_))",
                             f"vload{n}(i, s_)"))
        out.append(half_bits(f"vstore{n}", "short", width, f"({{ half m[16]; vstore{n}(as_half{width}(vload{n}(i, s_)), "
                             f"0, m); vload{n}(0, (short *)m); }})", f"vload{n}(i, s_)"))
    if width in ("2", "4", "8", "16"):
        mask = f"convert_ushort{width}(fabs(c))"
        out.append(half_bits("shuffle", "short", width, f"as_{short}(shuffle(a, {mask}))",
                             f"shuffle(as_{short}(a), {mask})"))
        out.append(half_bits("shuffle2", "short", width, f"as_{short}(shuffle2(a, b, {mask}))",
                             f"shuffle2(as_{short}(a), as_{short}(b), {mask})"))
    for to in INTEGERS:
        for sat in ("", "_sat"):
            for how in ROUNDING:
                value = "x" if sat or to[0] != "u" else "fabs(x)"
                call = f"convert_{to}{width}{sat}{how}"
                out.append(half_bits(f"convert_{to}{sat}{how}", to, width, f"{call}({value})",
                                     f"{call}({of_floats(value)})"))
    load = f"vload{n}(i, l_)" if width else "l_[i]"
    for of in INTEGERS + ("float", "double"):
        for how in ROUNDING:
            # AMD's library rounds integers down as it cuts them off, and takes those of more bits as if they had 16.
            number = load
            if of not in SIGNED and how:
                number = f"({load} & 0x7fff)" if how == "_rtn" else f"{load} / (long)4"
            value = f"convert_{of}{width}({number})" + (f" / ({of})7" if of in SIGNED else "")
            store = f"vstore_half{width}{how}(convert_double{width}(v), 0, (half *)m)"
            load_m = f"vload{n}(0, m)" if width else "m[0]"
            name = f"convert_half{how} of {of}"
            out.append(Function(name + width, None,
                                f"short m[16]; {of}{width} v = {value}; {store}; {short} e = {load_m}, "
                                f"r = as_{short}(convert_half{width}{how}(v)); BITS(short, \"{name}\", {n}, r, e)"))
    return out


def kernels():
    for width in WIDTHS:
        for t in ("float", "double"):
            for title, functions in (("math", math_functions), ("geometric", geometric_functions),
                                     ("relational", relational_functions)):
                yield from split(title, t, width, functions(t, width))
        for t in INTEGERS:
            yield from split("integer", t, width, integer_functions(t, width), 24)
        for t in INTEGERS + ("float", "double"):
            yield from split("vector", t, width, vector_functions(t, width), 24)
            yield from split("conversion", t, width, conversions(t, width), 24)
        yield from split("half", "float", width, halves(width), 24)
        for functions, chunk in ((half_functions(width), CHUNK), (half_vectors(width), 24)):
            for i in range(0, len(functions), chunk):
                yield HalfKernel(width, functions[i:i + chunk])


def split(title, t, width, functions, chunk=CHUNK):
    for i in range(0, len(functions), chunk):
        yield Kernel(title, t, width, functions[i:i + chunk])


def equal_to(whose, report):
    return (report["reference"]["status"], report["reference"]["source"]) == ("equal", whose)


class Test:
    def __init__(self, wavesim):
        self.wavesim, self.passed, self.failed, self.functions = wavesim, 0, 0, 0

    def tell(self, name, problems):
        self.passed += not problems
        self.failed += bool(problems)
        for p in problems:
            print(f"FAIL functions {name}: {p}")

    def wavesim_on(self, source, args):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "k.cl"
            path.write_text(source)
            cmd = [self.wavesim, str(path), "--no-advice", "--no-estimate", "--json", "-", *args]
            r = subprocess.run(cmd, capture_output=True, text=True, timeout=600)
            return r, json.loads(r.stdout) if r.returncode in (0, 1) else None

    def kernel(self, k):
        """Its report; None, and told, if there is none."""
        args = ["--kernel", "k", "--global", str(ITEMS), "--local", str(ITEMS), *k.arguments()]
        r, report = self.wavesim_on(k.source()[0], args)
        if not report:
            self.tell(f"{k.title} {k.t}{k.width}", [f"exit {r.returncode}: {r.stderr.strip()[:400]}"])
        return r, report

    def half(self, k):
        r, report = self.kernel(k)
        if not report:
            return
        self.functions += len(k.functions)
        wrong = report.get("printf", "").splitlines()  # what a kernel prints is what is wrong
        if r.returncode or not equal_to("native", report):
            wrong.append(f"exit {r.returncode}: {report['reference']}; {r.stderr.strip()[:400]}")
        self.tell(f"{k.title} half{k.width}", wrong)

    def one(self, k):
        r, report = self.kernel(k)
        if not report:
            return
        found = {b["name"]: b for b in report["reference"]["buffers"]}
        for i, f in enumerate(k.functions):
            b = found.get(f"o{i}")
            self.functions += 1
            ulp, problems = b.get("max_ulp", 0) if b else 0, []  # integers have none
            if not b or not b["checked"]:
                problems.append(f"not compared: {r.stderr.strip()[:200]}")
            elif ulp > 2 * f.limit or (b["mismatches"] and not f.limit):
                problems.append(f"{b['mismatches']} differ, up to {ulp:g} ulp of {2 * f.limit:g}")
            self.tell(f"{f.name} of {k.t}{k.width}", problems)

    def absent(self):
        version = subprocess.run([self.wavesim, "--version"], capture_output=True, text=True).stdout
        pocl = int(re.search(r" PoCL (\d+)", version)[1])
        for name, (options, source, word, *since) in ABSENT.items():
            r, report = self.wavesim_on(source + "\n", ["--global", "1", "--build-options", options])
            if since and pocl >= since[0]:
                self.tell(name, [] if report and equal_to("pocl", report) else ["not equal to PoCL", r.stderr[:200]])
                continue
            self.tell(name, [] if r.returncode == 2 and word in r.stderr else [f"not said: {word}; {r.stderr[:200]}"])


def main():
    t = Test(sys.argv[1])
    every, first = int(os.environ.get("TEST_EVERY", "1")), int(os.environ.get("TEST_FIRST", "1"))
    work = list(kernels())
    if os.environ.get("TEST_FUNCTIONS") != "all":
        rng = random.Random(30)
        titles = sorted({k.title for k in work})
        work = [k for title in titles for k in rng.sample([k for k in work if k.title == title], 2)]
    for k in work[first - 1::every]:
        (t.half if isinstance(k, HalfKernel) else t.one)(k)
    if first == 1:
        t.absent()
    print(f"{t.passed} passed, {t.failed} failed")
    return t.failed != 0


if __name__ == "__main__":
    sys.exit(main())
