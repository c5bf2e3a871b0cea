"""OpenCL and HIP kernels on a simulated GPU.

    import numpy, pandas, wavesim

    a = numpy.arange(4096, dtype=numpy.float32)
    r = wavesim.run("kernel.cl", local=256, args={"a": a, "n": 4096})
    r.buffers["a"]                  # what the kernel left there
    r.counts["lds"]["conflict_cycles"], r.estimate["time_us"]
    pandas.DataFrame(r.lines)       # what each source line did
    r                               # in Jupyter: the page, with its pictures

Options are those of the command line (`man wavesim`), with _ for -: local=256, device="mi50", check=True,
no_advice=True. Numbers have the names that they have in the JSON report. NumPy is not needed: arrays may be bytes or
array.array, and results are bytes then.
"""

from __future__ import annotations

import csv
import ctypes
import html
import io
import json
import os
import weakref
from typing import Any, Dict, List, Mapping, Optional, Union

from . import _arguments
from ._library import INPUT, MEMORY, OK, STOPPED, Argument, Message, call, handle, library, text

__all__ = ["Error", "Run", "Sweep", "devices", "run", "sweep", "__version__"]
__version__: str = text(library.version()) or ""

Record = Dict[str, Any]
Path = Union[str, "os.PathLike[str]"]


class Error(Exception):
    """Something is wrong with the input. str() is what the program prints: FILE:LINE:COLUMN: error: …, a hint.

    messages: each message as a record: level, file, line, column, text, hint, source.
    """

    def __init__(self, said: str, messages: List[Record]):
        super().__init__(said)
        self.messages = messages


def devices() -> List[str]:
    """The names that device= takes."""
    names: List[str] = []
    while (name := library.device(len(names))) is not None:
        names.append(text(name) or "")
    return names


class _Result:
    """What a run and a sweep have in common: reports in several formats, a page for Jupyter."""

    def __init__(self, result: int):
        self._result = result
        self._end = weakref.finalize(self, library.result_free, result)
        self._json: Optional[Record] = None

    def report(self, format: str) -> str:
        """The whole report: "json", "html", "text", "csv"; of a run also "sarif", "listing", "lcov" …"""
        size = ctypes.c_size_t()
        at = library.report(self._result, format.encode(), ctypes.byref(size))
        if at is None:
            raise ValueError(f"there is no report in the format {format!r}")
        return ctypes.string_at(at, size.value).decode("utf-8", "replace")

    def value(self, path: str) -> Union[float, str, None]:
        """A number or text by its place in the JSON report: "lds.conflict_cycles", "estimate.bound_by", "lines.0.line";
        "lines[14-16].lds_accesses" sums those of source lines 14 to 16. None: there is none."""
        number = ctypes.c_double()
        if library.number(self._result, path.encode(), ctypes.byref(number)) == OK:
            return number.value
        return text(library.text(self._result, path.encode()))

    @property
    def json(self) -> Record:
        """The JSON report as dictionaries and lists (report.schema.json has its keys)."""
        if self._json is None:
            self._json = json.loads(self.report("json"))
        return self._json

    @property
    def html(self) -> str:
        """One page for a browser, which needs no other file."""
        return self.report("html")

    def save(self, path: Path) -> None:
        """Write the report to a file; its ending says the format: .html, .json, .csv, .sarif, .txt."""
        ending = os.path.splitext(os.fspath(path))[1][1:]
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.report({"txt": "text", "log": "text"}.get(ending, ending)))

    def _repr_html_(self) -> str:
        # The page may run its scripts, and reach nothing of the notebook around it.
        return ('<iframe sandbox="allow-scripts" style="width: 100%; height: 640px; border: 1px solid #8884" '
                f'srcdoc="{html.escape(self.html)}"></iframe>')

    def __str__(self) -> str:
        return self.report("text")


class Run(_Result):
    """What one launch did."""

    def __init__(self, result: int, shapes: Mapping[str, Any], messages: List[Record]):
        super().__init__(result)
        self._shapes = dict(shapes)
        self._buffers: Optional[Dict[str, Any]] = None
        #: Warnings and notes about the input, as records.
        self.messages = messages

    def __repr__(self) -> str:
        sizes = "x".join(str(n) for n in self.launch["global"][:self.launch["work_dim"]])
        time = self.estimate.get("time_us")
        told = f"{self.json['kernel']} of {self.json['file']}: {sizes} work-items on {self.json['device']}"
        return f"<wavesim.Run {told}>" if time is None else f"<wavesim.Run {told}, {time:.4g} us>"

    @property
    def counts(self) -> Dict[str, Record]:
        """What was counted: "divergence", "lds", "memory", "wavefronts"."""
        return {name: self.json[name] for name in ("divergence", "lds", "memory", "wavefronts")}

    @property
    def launch(self) -> Record:
        """Sizes, and the options that reproduce the launch."""
        return self.json["launch"]

    @property
    def resources(self) -> Record:
        """Registers, local and private memory."""
        return self.json["resources"]

    @property
    def occupancy(self) -> Record:
        """Wavefronts that fit, and what limits them."""
        return self.json["occupancy"]

    @property
    def estimate(self) -> Record:
        """The time: time_us, low_us, high_us, bound_by …; empty where there is none."""
        return self.json["estimate"] or {}

    @property
    def reference(self) -> Record:
        """The comparison with a native run: status, mismatches …"""
        return self.json["reference"]

    @property
    def lines(self) -> List[Record]:
        """A record for each source line that did something."""
        return self.json["lines"]

    @property
    def findings(self) -> List[Record]:
        """Mistakes of the kernel, and advice ("severity": "note" with a gain), as records."""
        return self.json["findings"]

    @property
    def advice(self) -> List[Record]:
        """Those of the findings that say what would be faster."""
        return [f for f in self.findings if "gain_us" in f]

    @property
    def listing(self) -> Optional[Record]:
        """The machine code, with what each instruction costs."""
        return self.json.get("listing")

    @property
    def buffers(self) -> Dict[str, Any]:
        """What each buffer held after the run: NumPy arrays, in the shape that was given; without NumPy bytes."""
        if self._buffers is None:
            self._buffers = {}
            for argument in self._arguments():
                name = text(argument.name) or ""
                size = ctypes.c_size_t()
                at = library.buffer(self._result, argument.name, ctypes.byref(size))
                if at is not None:
                    data = ctypes.string_at(at, size.value)
                    self._buffers[name] = self._array(argument, data, self._shapes.get(name))
        return self._buffers

    def __getitem__(self, name: str) -> Any:
        """r["a"] is r.buffers["a"]."""
        return self.buffers[name]

    def _arguments(self) -> List[Argument]:
        arguments = []
        for i in range(library.argument_count(self._result)):
            argument = Argument()
            library.argument(self._result, i, ctypes.byref(argument))
            arguments.append(argument)
        return arguments

    @staticmethod
    def _array(argument: Argument, data: bytes, given: Any) -> Any:
        try:
            import numpy
        except ImportError:
            return data
        numbers = numpy.frombuffer(bytearray(data), dtype=numpy.dtype(text(argument.format)))
        per = argument.stride // numbers.itemsize if argument.stride else 1
        if per > 1:
            numbers = numbers.reshape(-1, per)[:, :argument.lanes]
        if given is not None and given.dtype.kind in "Vc" and given.nbytes == numbers.nbytes:
            return numpy.ascontiguousarray(numbers).reshape(-1).view(given.dtype).reshape(given.shape)
        if given is not None and numbers.size == given.size:
            return numpy.ascontiguousarray(numbers).reshape(given.shape)
        return numbers


class Sweep(_Result):
    """One launch under many settings."""

    def __repr__(self) -> str:
        return f"<wavesim.Sweep of {len(self.points)} points>"

    @property
    def points(self) -> List[Record]:
        """A record for each point, the fastest first: its settings, rank, time_us … and why it is not the fastest."""
        rows = csv.DictReader(io.StringIO(self.report("csv")))
        return [{key: _plain(value) for key, value in row.items()} for row in rows]

    @property
    def best(self) -> Record:
        """The first of them."""
        return self.points[0]


def _plain(value: str) -> Any:
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            pass
    return value or None


def _messages(w: int) -> List[Record]:
    out = []
    for i in range(library.message_count(w)):
        m = Message()
        library.message(w, i, ctypes.byref(m))
        out.append({"level": text(m.level), "file": text(m.file), "line": m.line or None, "column": m.column or None,
                    "text": text(m.text), "hint": text(m.hint), "source": text(m.source)})
    return out


def _set_option(w: int, name: str, value: Any) -> None:
    if value is None or value is False:
        return
    as_text = _arguments.option(value)
    library.option(w, name.encode(), None if as_text is None else os.fsencode(as_text))


def _set_argument(w: int, name: str, value: Any, alternatives: bool) -> None:
    if _arguments.is_array(value):
        memory, data = _arguments.array(name, value)
        library.memory(w, memory.encode(), data, len(data))
        spec = "@" + memory
    elif alternatives and isinstance(value, (list, range)):
        spec = "|".join(_arguments.argument(v) for v in value)
    else:
        spec = _arguments.argument(value)
    library.option(w, b"--arg", f"{name}={spec}".encode("utf-8", "surrogateescape"))


def _prepare(path: Optional[Path], source: Optional[str], name: str, args: Optional[Mapping[str, Any]],
             defines: Optional[Mapping[str, Any]], files: Optional[Mapping[str, Any]], options: Mapping[str, Any],
             alternatives: bool) -> int:
    if (path is None) == (source is None):
        raise TypeError("give the path of a kernel file or the text of one, source=…")
    w = handle()
    if source is not None:
        library.source(w, os.fsencode(name), source.encode("utf-8", "surrogateescape"))
    else:
        library.file(w, os.fsencode(path))
    for macro, value in (defines or {}).items():
        as_text = "" if value is None or value is True else "=" + (_arguments.option(value) or "1")
        library.option(w, b"-D", (macro + as_text).encode())
    for key, value in (files or {}).items():
        data = bytes(value)
        library.memory(w, os.fsencode(key), data, len(data))
    for key, value in (args or {}).items():
        _set_argument(w, key, value, alternatives)
    for key, value in options.items():
        _set_option(w, "--" + key.strip("_").replace("_", "-"), value)
    return w


def _call(function: Any, w: int) -> int:
    status, result = call(function, w)
    if status == OK:
        return result
    if status == STOPPED:
        raise KeyboardInterrupt
    if status == MEMORY:
        raise MemoryError((text(library.error(w)) or "").rstrip("\n"))
    assert status == INPUT
    raise Error((text(library.error(w)) or "").rstrip("\n"), _messages(w))


def run(path: Optional[Path] = None, *, source: Optional[str] = None, name: str = "kernel.cl",
        args: Optional[Mapping[str, Any]] = None, defines: Optional[Mapping[str, Any]] = None,
        files: Optional[Mapping[str, Any]] = None, **options: Any) -> Run:
    """Run a kernel file, or the text source (name then says what it is: its ending, as of a file).

    args: the kernel's arguments by name: arrays (NumPy's, array.array, bytes), numbers, lists for vectors and small
    buffers, None for a null pointer, or text as on the command line ("random:4096"). What is left out is guessed.
    defines: macros. files: bytes that arguments name as files, args={"a": "@in.npy"}. options: those of the command
    line: local=256, global_=(64, 64), device="mi50", check=True.

    Raises Error when something is wrong with the input; what the kernel does wrong is in Run.findings. Ctrl-C ends it.
    """
    w = _prepare(path, source, name, args, defines, files, options, False)
    shapes = {key: value for key, value in (args or {}).items() if hasattr(value, "__array_interface__")}
    return Run(_call(library.run, w), shapes, _messages(w))


def sweep(path: Optional[Path] = None, *, source: Optional[str] = None, name: str = "kernel.cl",
          args: Optional[Mapping[str, Any]] = None, defines: Optional[Mapping[str, Any]] = None,
          files: Optional[Mapping[str, Any]] = None, **options: Any) -> Sweep:
    """Run it under many settings, and rank them. Alternatives are lists, or text as of `wavesim sweep`:

        wavesim.sweep("kernel.cl", local=[64, 128, 256], defines={"TILE": [8, 16]})
        wavesim.sweep("kernel.cl", local="32:1024", device="mi50,mi300x", where="local_x <= 256")
    """
    return Sweep(_call(library.sweep, _prepare(path, source, name, args, defines, files, options, True)))


def load_ipython_extension(shell: Any) -> None:
    """%load_ext wavesim: the cell magic %%wavesim."""
    from .magic import WavesimMagics
    shell.register_magics(WavesimMagics)
