"""Python values as options of wavesim: numbers, sizes, arrays."""

from __future__ import annotations

import math
import os
from typing import Any

# struct's letters for a number, without a size of their own: the kind of number.
_KINDS = {**dict.fromkeys("bhilqn", "i"), **dict.fromkeys("BHILQN", "u"), **dict.fromkeys("efd", "f"), "?": "b"}


def _npy(view: memoryview, shape: tuple[int, ...]) -> bytes | None:
    """The bytes as a .npy file, which says what they are; None: they are no numbers that it could name."""
    letter = view.format.lstrip("@=<|")
    kind = _KINDS.get(letter)
    if kind is None:
        return None
    order = "|" if view.itemsize == 1 else "<"
    sizes = "".join(f"{n}, " for n in shape)
    header = f"{{'descr': '{order}{kind}{view.itemsize}', 'fortran_order': False, 'shape': ({sizes}), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + view.tobytes()


def _contiguous(value: Any) -> memoryview:
    """The memory of an array, in the order and with the bytes of this machine."""
    if hasattr(value, "__array_interface__"):  # NumPy's, or like it
        import numpy
        value = numpy.ascontiguousarray(value)
        if value.dtype.byteorder == ">":
            value = value.astype(value.dtype.newbyteorder("="))
        if value.dtype.kind in "Vc":  # structs, and complex numbers as float2, by their bytes
            return memoryview(value.reshape(-1).view(numpy.uint8))
    return memoryview(value)


def is_array(value: Any) -> bool:
    if isinstance(value, (str, int, float)):
        return False
    if hasattr(value, "__array_interface__"):
        return bool(getattr(value, "shape", ()))
    try:
        memoryview(value)
    except TypeError:
        return False
    return True


def array(name: str, value: Any) -> tuple[str, bytes]:
    """The name of the memory, and its bytes. Plain bytes are taken as they are: what the kernel makes of them."""
    view = _contiguous(value)
    plain = isinstance(value, (bytes, bytearray)) or view.format == "B" and not hasattr(value, "dtype")
    structs = hasattr(value, "dtype") and value.dtype.kind in "Vc"
    npy = None if plain or structs else _npy(view, tuple(view.shape or ()))
    if npy is None and not plain and not structs:
        raise TypeError(f"argument {name}: arrays of {view.format!r} are none of a kernel's; convert it")
    return (f"{name}.npy", npy) if npy is not None else (f"{name}.bin", view.tobytes())


def number(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    if hasattr(value, "item"):  # NumPy's numbers
        value = value.item()
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else "nan" if value != value else "-inf" if value < 0 else "inf"
    raise TypeError(f"{value!r} is no number")


def argument(value: Any) -> str:
    """What follows --arg NAME= for a value that is no array."""
    if value is None:
        return "null"
    if isinstance(value, str):
        return value
    if isinstance(value, os.PathLike):
        return "@" + os.fspath(value)
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(number(v) for v in value) + "]"
    return number(value)


def option(value: Any) -> str | None:
    """The value of an option: sizes are tuples, alternatives of a sweep are lists or ranges."""
    if value is True:
        return None
    if isinstance(value, (list, range)):
        return ",".join(option(v) or "1" for v in value)
    if isinstance(value, tuple):
        return "x".join(number(v) for v in value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return value if isinstance(value, str) else number(value)
