"""%%wavesim: a kernel as a cell of a notebook."""

from __future__ import annotations

import re
import shlex
from typing import Any, Dict

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, magics_class, no_var_expand

from . import Error, Run, run


def options_of(line: str, names: Dict[str, Any]) -> Dict[str, Any]:
    """The words behind %%wavesim as what run() takes; {x} in --arg a={x} is the value of x."""
    out: Dict[str, Any] = {"args": {}, "defines": {}}
    words = shlex.split(line)
    if words and not words[0].startswith("-"):
        out["into"] = words.pop(0)
    while words:
        word = words.pop(0)
        if not word.startswith("-"):
            raise UsageError(f"%%wavesim: {word!r} is no option")
        name, equals, value = word.partition("=")
        if name.startswith("-D"):
            value = name[2:] + equals + value if name[2:] else words.pop(0) if words else ""
            macro, equals, value = value.partition("=")
            out["defines"][macro] = value if equals else True
            continue
        if not equals and words and not words[0].startswith("-"):
            value, equals = words.pop(0), "="
        if name == "--arg":
            argument, _, spec = value.partition("=")
            named = re.fullmatch(r"\{(\w+)\}", spec)
            if named and named[1] not in names:
                raise UsageError(f"%%wavesim: there is no variable {named[1]} for argument {argument}")
            out["args"][argument] = names[named[1]] if named else spec
        else:
            out[name.lstrip("-").replace("-", "_")] = value if equals else True
    return out


@magics_class
class WavesimMagics(Magics):
    @no_var_expand
    @cell_magic
    def wavesim(self, line: str, cell: str) -> Run:
        """Run the cell as a kernel, and show the page:

            %%wavesim r --local 64 --arg a={x} --arg n=4096 -D TILE=16

        The first word is the variable for the result (default: wavesim_run). {x} is the value of the variable x.
        --name kernel.hip says that it is HIP.
        """
        options = options_of(line, self.shell.user_ns)
        into = options.pop("into", "wavesim_run")
        try:
            result = run(source=cell, **options)
        except Error as fault:
            raise UsageError("\n" + str(fault)) from None
        self.shell.user_ns[into] = result
        return result
