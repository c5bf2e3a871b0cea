#!/usr/bin/env python3
"""Images: every kind of image, format and sampler through kernels that are made here: images.py WAVESIM

Results must equal PoCL's own run; the machine code must read and write by image instructions, one for each call, and
PoCL's software must not be counted: an image read is one instruction. Where a chip has no units for images, that is
said. TEST_EVERY=N runs one in N; a sample of the formats unless TEST_IMAGES=all."""
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

KINDS = {  # name: (size as --arg has it, type of integer coordinates, dimensions)
    "image1d_t": ("37", "int", 1),
    "image1d_buffer_t": ("37", "int", 1),
    "image1d_array_t": ("37x5", "int2", 2),
    "image2d_t": ("37x19", "int2", 2),
    "image2d_array_t": ("37x19x3", "int4", 3),
    "image3d_t": ("21x9x5", "int4", 3),
}
FORMATS = {"f": ["float", "half", "unorm8", "unorm16", "snorm8", "snorm16"], "i": ["int8", "int16", "int32"],
           "ui": ["uint8", "uint16", "uint32"]}
ORDERS = ["rgba", "r", "a", "bgra", "argb"]  # those that PoCL has
VALUE = {"f": "float4", "i": "int4", "ui": "uint4"}
ADDRESSING = ["NONE", "CLAMP", "CLAMP_TO_EDGE", "REPEAT", "MIRRORED_REPEAT"]
ITEMS = 128


def coordinates(vector, start):
    """Of a work-item, some of them outside of the image; a layer or a slice, too."""
    parts = {1: f"({start} + i * 3) % 41 - 2", 2: f"({start} + i) % 23 - 2", 3: f"i % 7 - 1"}
    if vector == "int":
        return f"({parts[1]})"
    n = int(vector[3:])
    return f"(({vector})({', '.join([parts[1], parts[2], parts[3], '0'][:n])}))"


def reads(kind, letter):
    """Statements that add what each sampler reads."""
    vector = KINDS[kind][1]
    inside = {"int": "max(at, 0) % 21", "int2": "max(at, 0) % (int2)(21, 5)",
              "int4": "max(at, 0) % (int4)(21, 9, 3, 1)"}[vector]
    out = [f"sum += CONVERT(read_image{letter}(in, {inside}));"]
    if kind == "image1d_buffer_t":
        return out, []
    samplers = []
    filters = ["NEAREST", "LINEAR"] if letter == "f" else ["NEAREST"]
    for normalized, addressing, how in itertools.product(("FALSE", "TRUE"), ADDRESSING, filters):
        if normalized == "FALSE" and addressing.endswith("REPEAT"):
            continue
        name = f"s{len(samplers)}"
        samplers.append(f"constant sampler_t {name} = CLK_NORMALIZED_COORDS_{normalized} | CLK_ADDRESS_{addressing} | "
                        f"CLK_FILTER_{how};")
        where = inside if addressing == "NONE" else "at"
        if normalized == "FALSE" and how == "NEAREST":
            out.append(f"sum += CONVERT(read_image{letter}(in, {name}, {where}));")
        real = f"(convert_{vector.replace('int', 'float')}({where}) + 0.25f)"
        scale = {"int": "0.03125f", "int2": "(float2)(0.03125f, LAYER2)",
                 "int4": "(float4)(0.03125f, 0.0625f, LAYER4, 1)"}
        real += f" * {scale[vector]}" if normalized == "TRUE" else ""
        out.append(f"sum += CONVERT(read_image{letter}(in, {name}, {real}));")
    return out, samplers


def kernel(kind, letter):
    size, vector, _ = KINDS[kind]
    statements, samplers = reads(kind, letter)
    inside = {"int": "i % 37", "int2": "(int2)(i % 37, i % 5)", "int4": "(int4)(i % 21, i % 9, i % 3, 0)"}[vector]
    defines = f"#define LAYER2 {'1.0f' if 'array' in kind else '0.0625f'}\n#define LAYER4 " \
              f"{'1.0f' if 'array' in kind else '0.25f'}\n#define CONVERT {'' if letter == 'f' else 'as_uint4'}\n"
    sum_type = "float4" if letter == "f" else "uint4"
    return defines + "\n".join(samplers) + f"""
kernel void reads(read_only {kind} in, global {sum_type} *out)
{{
	int i = get_global_id(0);
	{vector} at = {coordinates(vector, 5)};
	{sum_type} sum = 0;
	{chr(10).join("	" + s for s in statements).strip()}
	out[i] = sum{'' if 'buffer' in kind else ' + get_image_width(in)'};
}}

kernel void writes(write_only {kind} to, global const {VALUE[letter]} *from)
{{
	int i = get_global_id(0);
	{vector} at = {inside};
	if (i < 4)
		write_image{letter}(to, at, from[i]);
}}
""", len(statements)


class Test:
    def __init__(self, wavesim):
        self.wavesim = wavesim
        self.passed = self.failed = 0

    def check(self, name, problems):
        self.failed += bool(problems)
        self.passed += not problems
        for p in problems:
            print(f"FAIL images {name}: {p}")

    def run(self, folder, source, args, more=()):
        path = Path(folder) / "k.cl"
        path.write_text(source)
        asm = Path(folder) / "k.s"
        cmd = [self.wavesim, str(path), "--json", "-", "--listing", str(asm), "--no-advice", *args, *more]
        r = subprocess.run(cmd, capture_output=True, text=True, timeout=300)
        if r.returncode:
            return None, f"exit {r.returncode}: {r.stderr.strip()[:300]}"
        code = asm.read_text() if asm.exists() else ""
        return (json.loads(r.stdout), code), None

    def one(self, kind, letter, order, channel):
        source, nreads = kernel(kind, letter)
        image = f"{KINDS[kind][0]}:{order}:{channel}:random" + ("(-100,100)" if letter == "i" else "")
        for name, args, write in (("reads", ["--arg", f"in={image}"], False),
                                  ("writes", ["--arg", f"to={KINDS[kind][0]}:{order}:{channel}"], True)):
            problems = []
            with tempfile.TemporaryDirectory() as folder:
                sizes = ["--kernel", name, "--global", str(ITEMS), "--local", "64"]
                result, error = self.run(folder, source, sizes + args)
            if error:
                problems.append(error)
            else:
                problems += self.judge(*result, write, nreads)
            self.check(f"{kind} {order}:{channel} {name}", problems)

    def judge(self, d, code, write, nreads):
        problems = []
        ref = d["reference"]
        if not ref["checked"] or ref["mismatches"]:
            problems.append(f"not PoCL's results: {ref}")
        if d["findings"]:
            problems.append(f"findings: {[f['message'] for f in d['findings']][:3]}")
        if d["resources"]["source"] != "amdgpu":
            problems.append("no machine code")
        # Calls that the compiler takes to be equal are one.
        found = [w for w in code.split() if w.startswith("image_") or (w.startswith("buffer_") and "_format" in w)]
        stores = [w for w in found if "store" in w]
        if write and not stores:
            problems.append("no image is written in the machine code")
        if not write and not nreads * 0.5 <= len(found) <= nreads:
            problems.append(f"{len(found)} image instructions for {nreads} reads")
        most = 40 if write else 40 + 60 * nreads
        if d["divergence"]["wave_instructions"] > most * (ITEMS // 64):
            problems.append(f"{d['divergence']['wave_instructions']} instructions: PoCL's software is counted")
        return problems

    def shapes(self):
        """Blocks of texels: a square work-group touches fewer lines than a row of as many work-items."""
        source = """kernel void walk(read_only image2d_t in, global uint4 *out)
{
	int2 at = (int2)(get_global_id(0), get_global_id(1));
	out[at.y * 64 + at.x] = read_imageui(in, at);
}
"""
        # A line of 64 bytes has 4 x 4 texels of 4 bytes, or 8 x 8 of one.
        for local, channel, order, lines in (("8x8", "uint8", "rgba", 4), ("64x1", "uint8", "rgba", 16),
                                             ("8x8", "uint8", "r", 1), ("64x1", "uint8", "r", 8),
                                             ("8x8", "uint32", "rgba", 16)):
            with tempfile.TemporaryDirectory() as folder:
                result, error = self.run(folder, source, ["--global", "64x64", "--local", local, "--arg",
                                                          f"in=64x64:{order}:{channel}:random", "--no-estimate"])
            if error:
                self.check(f"blocks {local} {order}:{channel}", [error])
                continue
            line = next(l for l in result[0]["lines"] if l["line"] == 4)
            out = 64 * 16 // 64 * 64  # what is stored
            got = line["actual_lines"] - out
            self.check(f"blocks {local} {order}:{channel}",
                       [] if got == lines * 64 else [f"{got} lines are touched, not {lines * 64}"])

    def rates(self):
        """Texels a cycle against the product's: 4 texture units in each of an MI50's 60 compute units."""
        source = """constant sampler_t how = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | FILTER;
kernel void rate(read_only image2d_t in, global float4 *out)
{
	float2 at = (float2)(get_local_id(0) + 0.75f, get_local_id(1) + 0.75f);
	float4 sum = 0;
	for (int i = 0; i < 64; i++)
		sum += read_imagef(in, how, at + (float2)((i & 7) * 2, (i >> 3) * 2));
	out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = sum;
}
"""
        least = 512 * 480 * 64 / (4 * 60)
        # The filter takes 4 bytes of a texel at a time.
        for how, channel, times in (("NEAREST", "unorm8", 1), ("LINEAR", "unorm8", 1), ("LINEAR", "float", 4)):
            with tempfile.TemporaryDirectory() as folder:
                options = ["-D", f"FILTER=CLK_FILTER_{how}", "--global", "512x480", "--local", "8x8", "--arg",
                           f"in=32x32:rgba:{channel}:random", "--sample", "20"]
                result, error = self.run(folder, source, options)
            problems = [error] if error else []
            if not error:
                got = result[0]["estimate"]["cycles"] / (least * times)
                problems = [] if 1 <= got < 1.25 else [f"{got:.2f} times as long as its texture units need"]
            self.check(f"rate {how} {channel}", problems)

    def reasons(self):
        source, _ = kernel("image2d_t", "f")
        for device, words in (("mi300x", "no units for images"), ("hd5870", "no instructions for images")):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "k.cl"
                path.write_text(source)
                options = ["--kernel", "reads", "--global", "64", "--local", "64", "--arg", "in=37x19:rgba:float:random"]
                r = subprocess.run([self.wavesim, str(path), *options, "--device", device, "--no-advice"],
                                   capture_output=True, text=True, timeout=300)
            self.check(f"reason on {device}", [] if words in r.stdout else [f"not said: {words}; {r.stderr[:200]}"])


def main():
    t = Test(sys.argv[1])
    every, first = int(os.environ.get("TEST_EVERY", "1")), int(os.environ.get("TEST_FIRST", "1"))
    work = [(kind, letter, order, channel) for kind in KINDS for letter in FORMATS for channel in FORMATS[letter]
            for order in ORDERS]
    work = [w for w in work if w[2] in ("rgba", "r") or w[3] == "unorm8"]
    if os.environ.get("TEST_IMAGES") != "all":
        work = random.Random(22).sample(work, 12)
    for w in work[first - 1::every]:
        t.one(*w)
    if first == 1:
        t.shapes()
        t.rates()
        t.reasons()
    print(f"{t.passed} passed, {t.failed} failed")
    return t.failed != 0


if __name__ == "__main__":
    sys.exit(main())
