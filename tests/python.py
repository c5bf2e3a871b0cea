#!/usr/bin/env python3
"""Python's module over libwavesim:  python.py WAVESIM BUILD

Arguments of every kind and what comes back, errors, sweeps, threads, Ctrl-C, the cell magic; each lesson's notebook,
run by nbclient, whose figures must be those of the page; the page in an iframe, in Chromium. What a package lacks for
is skipped. SHOTS=DIR keeps the pictures. The last line is "N passed, M failed".
"""
import array
import concurrent.futures
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import urllib.request

wavesim_program = os.path.realpath(sys.argv[1])
build = os.path.realpath(sys.argv[2])
root = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
beside = glob.glob(os.path.join(os.path.dirname(wavesim_program), "libwavesim.so.[0-9]*"))
scratch = tempfile.mkdtemp()
os.environ.update(HOME=scratch, XDG_CACHE_HOME=scratch, XDG_CONFIG_HOME=scratch, PYTHONDONTWRITEBYTECODE="1",
                  PYTHONPATH=os.path.join(root, "python"), PYDEVD_DISABLE_FILE_VALIDATION="1")
if beside:
    os.environ["WAVESIM_LIBRARY"] = beside[0]
sys.path.insert(0, os.path.join(root, "python"))
sys.dont_write_bytecode = True

passed = failed = 0


def check(what, good, why=""):
    global passed, failed
    passed, failed = (passed + 1, failed) if good else (passed, failed + 1)
    if not good:
        print(f"FAIL {what}" + textwrap.indent(f"\n{why}" if why else "", "     "))


def finish():
    os.chdir("/")
    shutil.rmtree(scratch, ignore_errors=True)
    print(f"{passed} passed, {failed} failed", flush=True)
    os._exit(failed != 0)  # IPython would write its history, which is gone


def have(*modules):
    for module in modules:
        if subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True).returncode:
            return False
    return True


if have("ctypes") and b"__asan_init" in open(beside[0], "rb").read():
    print("SKIP python: a library with sanitizers does not load into a program without them")
    finish()

import wavesim  # noqa: E402
from wavesim import _arguments, lesson  # noqa: E402

SOURCE = """\
kernel void k(global float *a, global const float3 *v, float by, int n)
{
	int i = get_global_id(0);
	if (i < n)
		a[i] = a[i] * by + v[i].z;
}
"""


def error_of(*args, **options):
    try:
        wavesim.run(*args, **options)
    except wavesim.Error as fault:
        return fault
    return None


def without_numpy():
    """Arguments as bytes and array.array; records; errors."""
    a = array.array("f", range(64))
    r = wavesim.run(source=SOURCE, local=64, args={"a": a, "v": bytes(16 * 64), "by": 2, "n": 64})
    out = array.array("f", bytes(memoryview(r["a"]).cast("B")))
    check("array.array", list(out) == [2 * x for x in a], str(out))
    check("records", r.lines and all(isinstance(line, dict) for line in r.lines) and isinstance(r.findings, list))
    check("counts", set(r.counts) == {"divergence", "lds", "memory", "wavefronts"} and r.estimate["time_us"] > 0)
    check("value", r.value("launch.global.0") == 64.0 and r.value("kernel") == "k" and r.value("no.such") is None)
    check("reports", json.loads(r.report("json"))["kernel"] == "k" and r.html.lower().startswith("<!doctype html") and
          "reference" in str(r) and "k of kernel.cl" in repr(r))
    try:
        r.report("docx")
        check("an unknown format", False)
    except ValueError:
        check("an unknown format", True)
    path = os.path.join(scratch, "page.html")
    r.save(path)
    check("save", open(path).read() == r.html)
    fault = error_of(source="kernel void k(global int *a)\n{\n\ta[0] = b;\n}\n")
    first = fault.messages[0] if fault else {}
    check("an error of the text", first.get("line") == 3 and first["file"] == "kernel.cl" and "'b'" in str(fault), str(fault))
    fault = error_of(source=SOURCE, args={"a": array.array("d", [1.0])})
    check("another type", fault and "'a.npy' holds double, the buffer float" in str(fault), str(fault))
    fault = error_of(source=SOURCE, loca=64)
    check("an unknown option", fault and "did you mean --local" in str(fault), str(fault))
    fault = error_of(os.path.join(scratch, "none.cl"))
    check("no such file", fault and "cannot read" in str(fault), str(fault))
    for wrong in ({}, {"path": "a.cl", "source": ""}):
        try:
            wavesim.run(**wrong)
            check("a path or a text", False)
        except TypeError:
            check("a path or a text", True)
    check("devices", "mi50" in wavesim.devices())
    s = wavesim.sweep(source=SOURCE, local=[32, 64], defines={"T": [1, 2]}, global_=1024)
    check("a sweep", len(s.points) == 5 and s.best["rank"] == 1 and {p["local"] for p in s.points} >= {32, 64} and
          all(p["time_us"] > 0 for p in s.points), str(s.points))


def the_program():
    """Reports are the program's, byte for byte, in one process again and again."""
    launches = (("lessons/bank-stride/stride.cl --arg stride=9", {"args": {"stride": 9}}),
                ("lessons/prefix-sum/plain.cl --device rx6900xt --check", {"device": "rx6900xt", "check": True}))
    for words, options in launches:
        command = [wavesim_program, *words.split(), "--json", "-"]
        said = subprocess.run(command, cwd=root, capture_output=True, text=True).stdout
        os.chdir(root)
        file = words.split()[0]
        check(f"the report of {file}", all(wavesim.run(file, **options).report("json") == said for _ in range(2)))
        os.chdir(scratch)


def with_numpy():
    import numpy
    a = numpy.arange(64, dtype=numpy.float32).reshape(8, 8)
    v = numpy.ones((64, 3), numpy.float32)
    want = a * 2.5 + 1
    want.reshape(-1)[60:] = a.reshape(-1)[60:]
    r = wavesim.run(source=SOURCE, local=64, args={"a": a, "v": v, "by": numpy.float32(2.5), "n": numpy.int64(60)})
    check("NumPy", r["a"].shape == (8, 8) and r["a"].dtype == numpy.float32 and (r["a"] == want).all(), str(r["a"]))
    check("3-vectors", r["v"].shape == (64, 3) and (r["v"] == 1).all())
    check("what went in is as it was", a[0, 1] == 1)
    strided = numpy.arange(128, dtype=">f4")[::2].reshape(8, 8)
    r = wavesim.run(source=SOURCE, local=64, args={"a": strided, "v": v * 0, "by": 1, "n": 64})
    check("other orders of bytes and elements", (r["a"] == strided).all(), str(r["a"]))
    types = {"char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4", "long": "i8",
             "ulong": "u8", "float": "f4", "double": "f8"}
    for name, dtype in types.items():
        x = numpy.arange(32).astype(dtype)
        text = f"kernel void k(global {name} *x) {{ x[get_global_id(0)] += 1; }}"
        r = wavesim.run(source=text, local=32, args={"x": x})
        check(f"{name}", r["x"].dtype == x.dtype and (r["x"] == x + x.dtype.type(1)).all(), str(r["x"]))
    z = (numpy.arange(32) + 1j).astype(numpy.complex64)
    text = "kernel void k(global float2 *z) { z[get_global_id(0)].y *= -1; }"
    r = wavesim.run(source=text, local=32, args={"z": z})
    check("complex numbers as float2", r["z"].dtype == z.dtype and (r["z"] == z.conj()).all(), str(r["z"]))
    p = numpy.zeros(32, dtype=[("i", "i4"), ("f", "f4")])
    text = "struct p { int i; float f; };\nkernel void k(global struct p *p) { p[get_global_id(0)].i = get_global_id(0); }"
    r = wavesim.run(source=text, local=32, args={"p": p})
    check("structs", r["p"].dtype == p.dtype and (r["p"]["i"] == numpy.arange(32)).all(), str(r["p"]))
    try:
        wavesim.run(source=SOURCE, args={"a": numpy.array(["x"])})
        check("texts", False)
    except TypeError as fault:
        check("texts", "argument a" in str(fault), str(fault))
    if have("pandas"):
        import pandas
        check("pandas", "executions" in pandas.DataFrame(r.lines).columns)
    else:
        print("SKIP pandas: it is not installed")


def threads():
    """Eight at once, one with an error."""
    def work(k):
        try:
            return wavesim.run(source=SOURCE + ("x" if k == 3 else ""), local=64, global_=256).report("json")
        except wavesim.Error as fault:
            return fault
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        out = list(pool.map(work, range(8)))
    check("threads", isinstance(out[3], wavesim.Error) and len({o for k, o in enumerate(out) if k != 3}) == 1)


def interrupted():
    """Ctrl-C ends a run that has no end, and the next one is good."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # who runs this in the background leaves it ignored
    endless = "kernel void e(global volatile int *a) { while (!a[1]) a[0]++; }"
    threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    began = time.monotonic()
    try:
        wavesim.run(source=endless, global_=64, max_instructions=0, no_reference=True, args={"a": "zero:64"})
        check("Ctrl-C", False)
    except KeyboardInterrupt:
        check("Ctrl-C", time.monotonic() - began < 60)
    check("a run after Ctrl-C", wavesim.run(source=SOURCE, local=64).value("stopped") == 0)


def magic():
    import contextlib
    import io
    from IPython.core.interactiveshell import InteractiveShell
    shell = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "wavesim")
    shell.user_ns["x"] = array.array("f", range(64))
    r = shell.run_cell_magic("wavesim", "mine --local 64 --arg a={x} --arg by=3 -D UNUSED=1 --check", SOURCE)
    check("%%wavesim", shell.user_ns["mine"] is r and r["a"].shape == (64,) and r.json["checks"]["ran"])
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        magic_errors(shell)


def magic_errors(shell):
    out = shell.run_cell("%%wavesim --local 64\nkernel void k(global int *a) { a[0] = b; }", silent=True)
    check("%%wavesim with an error", "undeclared identifier 'b'" in str(out.error_in_exec), str(out.error_in_exec))
    out = shell.run_cell("%%wavesim --arg a={nothing}\n" + SOURCE, silent=True)
    check("%%wavesim without a variable", "no variable nothing" in str(out.error_in_exec), str(out.error_in_exec))


def page_differs(lesson):
    """Figures of the page that are others here, as `wavesim lesson --check` says: by LLVM 15 none, by others some."""
    out = subprocess.run([wavesim_program, "lesson", "--check", lesson], capture_output=True, text=True).stderr
    return sorted((page, float(here.replace(",", ""))) for page, here in
                  re.findall(r"error: the page says ([^ ]*), the run (.*)", out))


def notebooks():
    import nbclient
    import nbformat
    folder = os.path.join(scratch, "notebooks")
    lessons = sorted(glob.glob(os.path.join(root, "lessons", "*", "")))
    subprocess.run([sys.executable, "-m", "wavesim.lesson", "--output", folder, *lessons], check=True)
    every, first = int(os.environ.get("TEST_EVERY", 1)), int(os.environ.get("TEST_FIRST", 1))
    for path in sorted(glob.glob(os.path.join(folder, "*.ipynb")))[first - 1::every]:
        name = os.path.basename(path)
        book = nbformat.read(path, as_version=4)
        nbformat.validate(book)
        # What a notebook shows as tables is looked at here as records.
        book.cells.append(nbformat.v4.new_code_cell("import json; print(json.dumps(_all))"))
        code = ("_all = []\n_figures = figures\ndef figures(runs, origins):\n    _all.extend(_figures(runs, origins))\n"
                "    return _figures(runs, origins)")
        book.cells.insert(2, nbformat.v4.new_code_cell(code))
        try:
            where = {"metadata": {"path": folder}}
            nbclient.NotebookClient(book, timeout=600, kernel_name="python3", resources=where).execute()
        except nbclient.exceptions.CellExecutionError as fault:
            check(name, False, str(fault)[-1500:])
            continue
        rows = json.loads(book.cells[-1].outputs[0]["text"])
        outputs = [out for cell in book.cells if cell.cell_type == "code" for out in cell.outputs]
        pages = sum("<iframe" in out.get("data", {}).get("text/html", "") for out in outputs)
        other = sorted((row["page"], row["here"]) for row in rows if not row["same"])
        told = page_differs(name.removesuffix(".ipynb"))
        may = not told or os.environ["LLVM"] != "15"  # the lessons' pages are of LLVM 15
        check(name, rows and other == told and may and pages >= 1, f"{len(rows)} figures, {pages} pages; {other}, not {told}")


class Browser:
    """Chromium, through chromedriver's WebDriver protocol."""

    def __init__(self):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
        for line in self.driver.stdout:
            if "successfully on port" in line:
                self.url = "http://127.0.0.1:" + line.split("port ")[1].strip(" .\n") + "/session"
                break
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                            "--window-size=1280,900"]}
        for _ in range(3):  # on a busy machine a first start may take longer than chromedriver waits
            try:
                made = self.ask("POST", "", {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}})
                self.url += "/" + made["sessionId"]
                return
            except OSError:
                pass
        raise OSError("Chromium does not start")

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}, method=method)
        return json.load(urllib.request.urlopen(request, timeout=300))["value"]

    def js(self, code):
        return self.ask("POST", "/execute/sync", {"script": code, "args": []})

    def end(self):
        try:
            self.ask("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()


def iframe():
    """What a notebook shows is the page, in an iframe that reaches nothing around it."""
    r = wavesim.run(os.path.join(root, "lessons/bank-stride/stride.cl"))
    path = os.path.join(scratch, "notebook.html")
    with open(path, "w") as file:
        file.write(f"<!doctype html><meta charset=utf-8><title>a notebook</title><p>Out[1]:</p>{r._repr_html_()}")
    browser = Browser()
    try:
        browser.ask("POST", "/url", {"url": "file://" + path})
        frame = browser.js("return document.querySelector('iframe')")
        browser.ask("POST", "/frame", {"id": frame})
        for _ in range(100):
            shown = browser.js("return document.body ? document.body.innerText : ''")
            if "LDS banks" in shown:
                break
            time.sleep(0.1)
        check("the page in an iframe", "strided" in shown and "LDS banks" in shown, shown[:500])
        reach = browser.js("try { return String(parent.document.title) } catch (e) { return 'no' }")
        check("the iframe is by itself", reach == "no", reach)
        wide = browser.js("return document.documentElement.scrollWidth <= innerWidth")
        check("the page fits the iframe", wide is True)
        if os.environ.get("SHOTS"):
            import base64
            browser.ask("POST", "/frame/parent", {})
            with open(os.path.join(os.environ["SHOTS"], "notebook.png"), "wb") as file:
                file.write(base64.b64decode(browser.ask("GET", "/screenshot")))
    finally:
        browser.end()


os.chdir(scratch)
try:
    without_numpy()
    the_program()
    threads()
    interrupted()
    parts = ((with_numpy, ["numpy"]), (magic, ["IPython", "numpy"]), (notebooks, ["nbclient", "ipykernel", "pandas"]))
    for part, needs in parts:
        if have(*needs):
            part()
        else:
            print(f"SKIP python, {part.__name__}: it needs {', '.join(needs)}")
    if shutil.which("chromium") and shutil.which("chromedriver"):
        iframe()
    else:
        print("SKIP python, iframe: there is no chromium, or no chromedriver")
except Exception as fault:
    import traceback
    check("python.py", False, traceback.format_exc())
finish()
