"""libwavesim through ctypes: the functions of wavesim.h, and one handle for each thread."""

from __future__ import annotations

import ctypes
import os
import threading
import weakref
from ctypes import POINTER, c_char_p, c_double, c_int, c_size_t, c_uint, c_uint64, c_void_p

ABI = 0
OK, INPUT, STOPPED, NONE, MEMORY = range(5)


class Message(ctypes.Structure):
    _fields_ = [("level", c_char_p), ("file", c_char_p), ("line", c_uint), ("column", c_uint),
                ("text", c_char_p), ("hint", c_char_p), ("source", c_char_p)]


class Argument(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("type", c_char_p), ("kind", c_char_p), ("format", c_char_p),
                ("lanes", c_uint), ("stride", c_uint), ("count", c_uint64), ("guessed", c_uint)]


_FUNCTIONS = {
    "abi": (c_int, []),
    "version": (c_char_p, []),
    "new": (c_void_p, []),
    "free": (None, [c_void_p]),
    "file": (None, [c_void_p, c_char_p]),
    "source": (None, [c_void_p, c_char_p, c_char_p]),
    "option": (None, [c_void_p, c_char_p, c_char_p]),
    "memory": (None, [c_void_p, c_char_p, c_void_p, c_size_t]),
    "reset": (None, [c_void_p]),
    "run": (c_int, [c_void_p, POINTER(c_void_p)]),
    "sweep": (c_int, [c_void_p, POINTER(c_void_p)]),
    "stop": (None, [c_void_p]),
    "result_free": (None, [c_void_p]),
    "error": (c_char_p, [c_void_p]),
    "message_count": (c_size_t, [c_void_p]),
    "message": (c_int, [c_void_p, c_size_t, POINTER(Message)]),
    "report": (c_void_p, [c_void_p, c_char_p, POINTER(c_size_t)]),
    "number": (c_int, [c_void_p, c_char_p, POINTER(c_double)]),
    "text": (c_char_p, [c_void_p, c_char_p]),
    "argument_count": (c_size_t, [c_void_p]),
    "argument": (c_int, [c_void_p, c_size_t, POINTER(Argument)]),
    "buffer": (c_void_p, [c_void_p, c_char_p, POINTER(c_size_t)]),
    "device": (c_char_p, [c_size_t]),
}


def _places():
    """What WAVESIM_LIBRARY names; the build tree that this file lies in; where the loader looks, or it is installed."""
    name = f"libwavesim.so.{ABI}"
    given = os.environ.get("WAVESIM_LIBRARY")
    if given:
        return [given]
    here = os.path.dirname(os.path.realpath(__file__))
    near = [os.path.join(here, "..", "..", name), os.path.join(here, "..", "..", "..", name)]
    return [os.path.realpath(p) for p in near if os.path.exists(p)] + [name, f"/usr/local/lib/{name}"]


class Library:
    """The functions without their prefix: Library().run(…)."""

    def __init__(self) -> None:
        faults = []
        for place in _places():
            try:
                loaded = ctypes.CDLL(place)
                break
            except OSError as fault:
                faults.append(str(fault))
        else:
            raise ImportError("libwavesim cannot be loaded: " + "; ".join(faults) +
                              ". Build it with `make`, install it, or set WAVESIM_LIBRARY to its path")
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(loaded, "wavesim_" + name)
            function.restype = result
            function.argtypes = arguments
            setattr(self, name, function)
        if self.abi() != ABI:
            raise ImportError(f"libwavesim has interface {self.abi()}, this module is for {ABI}: install both together")


library = Library()


class _Handle:
    def __init__(self) -> None:
        self.w = library.new()
        weakref.finalize(self, library.free, self.w)


class _Own(threading.local):
    """A handle for each thread, until it ends: it keeps the compilers' process for the next run."""

    def __init__(self) -> None:
        self.handle = _Handle()


_own = _Own()


def handle() -> int:
    """This thread's handle, with nothing in it."""
    library.reset(_own.handle.w)
    return _own.handle.w


def text(value: bytes | None) -> str | None:
    return None if value is None else value.decode("utf-8", "replace")


def call(function, w: int) -> tuple[int, int | None]:
    """run or sweep: its status, and the result. Ctrl-C ends it, and is raised when it has ended."""
    result = c_void_p()
    status = []

    done = threading.Event()  # not Thread.join: where that is interrupted, Python 3.11 takes the thread for ended

    def work() -> None:
        status.append(function(w, ctypes.byref(result)))
        done.set()

    if threading.current_thread() is not threading.main_thread():
        work()  # where there are no signals
        return status[0], result.value
    threading.Thread(target=work, daemon=True).start()
    interrupted = None
    while not done.is_set():
        try:
            done.wait()
        except KeyboardInterrupt as fault:
            interrupted = fault
            library.stop(w)
    if interrupted is not None:
        library.result_free(result.value)
        raise interrupted
    return status[0], result.value
