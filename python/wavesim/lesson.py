"""Lessons as notebooks:  python3 -m wavesim.lesson --output FOLDER LESSON_FOLDER …

The notebook is made of the lesson's page (README.md) and its kernels, so that there is one text of each. It holds all
that it needs: texts of kernels to change, runs of them, and the figures of the page beside those of these runs.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import re
import shlex
import sys
from typing import Any, Dict, List, Mapping, Tuple

_RUN = re.compile(r"<!--run ([\w-]+): (.*?)-->\n?", re.S)
_FIGURE = re.compile(r"(?<![\w.,])(-?\d[\d,]*(?:\.\d+)?)<!--=(.*?)-->", re.S)
_COMMENT = re.compile(r"<!--.*?-->", re.S)


class Page:
    """The page of a lesson, and what lies beside it."""

    def __init__(self, folder: str):
        self.name = os.path.basename(os.path.normpath(folder))
        with open(os.path.join(folder, "README.md"), encoding="utf-8") as file:
            self.text = file.read()
        self.runs = [(name, shlex.split(words)) for name, words in _RUN.findall(self.text)]
        self.kernels: Dict[str, str] = {}
        self.files: Dict[str, bytes] = {}
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            if name.endswith((".cl", ".hip")) and any(words[0] == name for _, words in self.runs):
                with open(path, encoding="utf-8") as file:
                    self.kernels[name] = file.read()
            elif name.endswith((".npy", ".bin")):
                with open(path, "rb") as file:
                    self.files[name] = file.read()


def evaluate(runs: Mapping[str, Any], expression: str) -> float:
    """A figure's origin: numbers and RUN:PATH with * / + between, worked from the left."""
    total, operator = None, ""
    for part in re.findall(r"[*/+]|(?:\[[^\]]*\]|[^*/+\s])+", expression.lstrip("~")):
        if part in "*/+":
            operator = part
            continue
        run, colon, path = part.partition(":")
        value = runs[run].value(path) if colon else float(part)
        if not isinstance(value, float):
            raise ValueError(f"{part} is no number")
        total = value if total is None else {"*": total * value, "+": total + value,
                                             "/": total / value if value else float("inf")}[operator]
    if total is None:
        raise ValueError(f"{expression!r} is no expression")
    return total


def figures(runs: Mapping[str, Any], origins: List[Tuple[str, str]]) -> List[Dict[str, Any]]:
    """What the page says beside what these runs say; same: to as many digits, of estimates to a tenth."""
    out = []
    for page, origin in origins:
        said, here = float(page.replace(",", "")), evaluate(runs, origin)
        digits = len(page.partition(".")[2])
        same = abs(here - said) <= abs(said) / 10 if origin.startswith("~") else \
            f"{here:.{digits}f}" == f"{said:.{digits}f}"
        out.append({"page": page, "here": round(here, digits), "same": same, "figure": origin})
    return out


# ---- the notebook ----

def _variable(file: str) -> str:
    return re.sub(r"\W", "_", file)


def _call(words: List[str], files: Mapping[str, bytes]) -> str:
    """The words of a run as a call."""
    arguments, defines, options = {}, {}, {}
    rest = list(words[1:])
    while rest:
        word = rest.pop(0)
        if word.startswith("-D"):
            macro, _, value = (word[2:] or rest.pop(0)).partition("=")
            defines[macro] = value
            continue
        name, equals, value = word.partition("=")
        if not equals:
            value = rest.pop(0) if rest and not rest[0].startswith("-") else True
        if name == "--arg":
            argument, _, value = value.partition("=")
            arguments[argument] = value
        else:
            options[name.lstrip("-").replace("-", "_")] = value
    number = {True: "True"}

    def python(value: Any) -> str:
        return number.get(value) or (value if re.fullmatch(r"-?[1-9]\d*|0", value) else repr(value))

    def mapping(of: Dict[str, str]) -> str:
        return "{" + ", ".join(f'"{k}": {python(v)}' for k, v in of.items()) + "}"

    parts = [f'source={_variable(words[0])}', f'name="{words[0]}"']
    parts += [f"args={mapping(arguments)}"] if arguments else []
    parts += [f"defines={mapping(defines)}"] if defines else []
    parts += [f"{k}_={python(v)}" if k == "global" else f"{k}={python(v)}" for k, v in options.items()]
    parts += ["files=files"] if files else []
    return f'wavesim.run({", ".join(parts)})'


def _cell(kind: str, text: str, number: int) -> Dict[str, Any]:
    cell: Dict[str, Any] = {"cell_type": kind, "id": f"cell-{number}", "metadata": {},
                            "source": text.strip("\n").splitlines(True)}
    if kind == "code":
        cell.update(execution_count=None, outputs=[])
    return cell


def _quoted(kernel: str) -> str:
    return "r'''" + kernel + "'''" if "'''" not in kernel and not kernel.endswith("'") else repr(kernel)


def _sections(page: Page) -> List[str]:
    """The page, cut before each ##; without what is for `wavesim lesson` alone."""
    return re.split(r"(?m)^(?=## )", page.text)


def notebook(page: Page) -> Dict[str, Any]:
    """The notebook as nbformat 4.5 has it."""
    cells: List[Tuple[str, str]] = []
    head, *sections = _sections(page)
    cells.append(("markdown", _COMMENT.sub("", head)))
    cells.append(("code", "%load_ext wavesim\nimport pandas\nimport wavesim\nfrom wavesim.lesson import figures"))
    if page.files:
        rows = ",\n".join(f'    "{name}": base64.b64decode("{base64.b64encode(data).decode()}")'
                          for name, data in page.files.items())
        cells.append(("code", f"import base64\nfiles = {{\n{rows},\n}}"))
    cells.append(("markdown", "The kernels. Change them here, and run the cells below again."))
    cells += [("code", f"{_variable(name)} = {_quoted(text)}") for name, text in page.kernels.items()]
    runs = ",\n".join(f'    "{name}": {_call(words, page.files)}' for name, words in page.runs)
    cells.append(("markdown", "The launches that the page speaks of. A launch is shown as a page with pictures; "
                              "`runs[…].lines` are records, `runs[…].value(…)` is any number of the report."))
    cells.append(("code", f"runs = {{\n{runs},\n}}"))
    names = [name for name, _ in page.runs]
    shown = [name for name in ("before", "after") if name in names] or names[:1]
    cells += [("code", f'runs["{name}"]') for name in shown]
    if "<!--compare-->" in page.text and {"before", "after"} <= set(names):
        cells.append(("code", 'pandas.DataFrame({name: {**run.counts["divergence"], **run.counts["lds"],\n'
                              '                         "time_us": run.estimate.get("time_us")}\n'
                              '                  for name, run in runs.items() if name in ("before", "after")})'))
    for section in sections:
        cells.append(("markdown", _COMMENT.sub("", section)))
        found = _FIGURE.findall(section)
        if found:
            rows = ",\n".join(f"    {(number, ' '.join(origin.split()))!r}" for number, origin in found)
            cells.append(("code", f"pandas.DataFrame(figures(runs, [\n{rows},\n]))"))
    kernel, words = page.runs[0][1][0], page.runs[0][1][1:]
    if not page.files:
        head = f"%%wavesim mine --name {kernel} {shlex.join(words)}".rstrip()
        cells += [("markdown", "Your turn: change this kernel, and run the cell."),
                  ("code", head + "\n" + page.kernels[kernel])]
    return {
        "cells": [_cell(kind, text, i) for i, (kind, text) in enumerate(cells)],
        "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                     "language_info": {"name": "python"}},
        "nbformat": 4, "nbformat_minor": 5,
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python3 -m wavesim.lesson", description="Make notebooks of lessons.")
    parser.add_argument("--output", default=".", metavar="FOLDER", help="where they go (default: here)")
    parser.add_argument("lesson", nargs="+", help="folder of a lesson, with README.md and kernels")
    given = parser.parse_args()
    os.makedirs(given.output, exist_ok=True)
    for folder in given.lesson:
        try:
            page = Page(folder)
        except OSError as fault:
            print(f"wavesim.lesson: {fault.filename}: {fault.strerror}", file=sys.stderr)
            return 2
        if not page.runs:
            print(f"wavesim.lesson: {folder}: its README.md names no run", file=sys.stderr)
            return 2
        with open(os.path.join(given.output, page.name + ".ipynb"), "w", encoding="utf-8") as file:
            json.dump(notebook(page), file, indent=1, ensure_ascii=False)
            file.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
