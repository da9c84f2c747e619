"""Arguments: what a function that was lowered with llvm.emit_c_interface gets for an array.

That is the address of a descriptor: { allocated, aligned, offset, sizes[], strides[] }, for an
unranked memref the address of { rank, address of the descriptor }.
"""

from __future__ import annotations

import ctypes
import re
import sys
from ctypes import POINTER, c_char_p, c_int, c_int64, c_ssize_t, c_void_p, py_object
from typing import Any

from .signature import ELEMENTS, FLOAT8, Dimensions, Memref, element_size

_CODE = re.compile(r"[@=<>!]?(Z?[a-zA-Z?])")
_FOREIGN = ">!" if sys.byteorder == "little" else "<"


class View:
    """Where an array's elements lie, whoever owns them. Strides are in bytes."""

    on_device = False
    readonly = False
    address: int
    itemsize: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    def holds(self, element: str) -> bool:
        """Reports whether the elements are of MLIR's type."""
        raise NotImplementedError

    def elements(self) -> str:
        """Returns the type of the elements, as the array's owner calls it."""
        raise NotImplementedError

    def extent(self) -> tuple[int, int]:
        """Returns where the elements begin and end."""
        steps = [(n - 1) * s for n, s in zip(self.shape, self.strides)]
        if 0 in self.shape:
            return self.address, self.address
        return self.address + sum(s for s in steps if s < 0), self.address + sum(s for s in steps if s > 0) + self.itemsize


class DeviceView(View):
    """The memory of a DeviceArray, in rows without gaps."""

    on_device = True

    def __init__(self, address: int, element: str, shape: tuple[int, ...]) -> None:
        self.address = address
        self.itemsize = element_size(element)
        self.shape = shape
        self.strides = row_strides(shape, self.itemsize)
        self._element = element

    def holds(self, element: str) -> bool:
        return element == self._element

    def elements(self) -> str:
        return self._element


class _PyBuffer(ctypes.Structure):
    _fields_ = [
        ("buf", c_void_p),
        ("obj", c_void_p),
        ("len", c_ssize_t),
        ("itemsize", c_ssize_t),
        ("readonly", c_int),
        ("ndim", c_int),
        ("format", c_char_p),
        ("shape", POINTER(c_ssize_t)),
        ("strides", POINTER(c_ssize_t)),
        ("suboffsets", POINTER(c_ssize_t)),
        ("internal", c_void_p),
    ]


_get_buffer = ctypes.pythonapi.PyObject_GetBuffer
_get_buffer.argtypes = [py_object, POINTER(_PyBuffer), c_int]
_get_buffer.restype = c_int
release_buffer = ctypes.pythonapi.PyBuffer_Release
release_buffer.argtypes = [POINTER(_PyBuffer)]
release_buffer.restype = None  # does nothing the second time
_STRIDED_WITH_FORMAT = 0x10 | 0x08 | 0x04  # PyBUF_STRIDES | PyBUF_FORMAT


def row_strides(shape: tuple[int, ...], step: int = 1) -> tuple[int, ...]:
    """Returns the strides of an array in rows: in elements, or in units whose number in an element is step."""
    strides = []
    for size in reversed(shape):
        strides.append(step)
        step *= size
    return tuple(reversed(strides))


class Buffer(View):
    """The memory of an array, by Python's buffer protocol."""

    def __init__(self, owner: object, held: list[Any]) -> None:
        """Keeps the array where it is until release_buffer is called with what held gets."""
        self.owner = owner
        self.view = _PyBuffer()
        held.append(ctypes.byref(self.view))
        try:
            _get_buffer(owner, ctypes.byref(self.view), _STRIDED_WITH_FORMAT)
        except (TypeError, ValueError, BufferError) as error:
            raise TypeError(f"{type(owner).__name__} is no array that can be passed: {error}") from None
        ndim = self.view.ndim
        self.address = self.view.buf or 0
        self.itemsize = self.view.itemsize
        self.readonly = bool(self.view.readonly)
        self.shape = tuple(self.view.shape[:ndim]) if ndim else ()
        # ctypes' arrays leave the strides out.
        self.strides = tuple(self.view.strides[:ndim]) if self.view.strides else row_strides(self.shape, self.itemsize)
        self.nbytes: int = self.view.len

    def dense(self) -> bool:
        """Reports whether the elements fill the bytes from the address on, in any order."""
        step = self.itemsize
        for stride, size in sorted(zip(self.strides, self.shape)):
            if size > 1:
                if stride != step:
                    return 0 in self.shape
                step *= size
        return True

    def elements(self) -> str:
        dtype = getattr(self.owner, "dtype", None)
        if dtype is not None:
            return str(dtype)
        return f"of format '{(self.view.format or b'B').decode()}'"

    def holds(self, element: str) -> bool:
        size, codes = ELEMENTS.get(element, FLOAT8)
        text = (self.view.format or b"B").decode()
        match = _CODE.fullmatch(text)
        foreign = text[0] in _FOREIGN and size > 1
        return match is not None and match[1] in codes and self.itemsize == size and not foreign


def _describes(memref: Memref, address: int, shape: tuple[int, ...], strides: tuple[int, ...]) -> list[Any]:
    """Returns the memref's descriptor, and what has to live as long."""
    rank = len(shape)
    offset = memref.offset or 0
    size = element_size(memref.element)
    base = address - offset * size
    ranked = (c_int64 * (3 + 2 * rank))(base, base, offset, *shape, *strides)
    if memref.shape is not None:
        return [ranked]
    return [(c_int64 * 2)(rank, ctypes.addressof(ranked)), ranked]


def _fits(memref: Memref, shape: tuple[int, ...]) -> None:
    if memref.shape is None:
        return
    if len(shape) != len(memref.shape):
        raise ValueError(f"has {len(shape)} dimensions, {memref.name} has {len(memref.shape)}")
    if any([want is not None and want != have for want, have in zip(memref.shape, shape)]):
        raise ValueError(f"has the shape {shape}, which {memref.name} does not allow")


def describe(memref: Memref, view: View, written: bool = True) -> list[Any]:
    """Returns the descriptor of an array for a function. Raises TypeError or ValueError."""
    if memref.space and not view.on_device:
        raise ValueError(f"is in the host's memory, {memref.name} in another: pass a DeviceArray")
    if not view.holds(memref.element):
        hint = ""
        if not view.on_device and (memref.element not in ELEMENTS or memref.element == "bf16"):
            hint = f", which comes as uint{8 * element_size(memref.element)}"
        raise TypeError(f"elements are {view.elements()}, {memref.name} has {memref.element}{hint}")
    if written and view.readonly and not memref.readonly:
        raise ValueError("is read-only, and a function may write to any memref: pass a copy, or declare {llvm.readonly} in the signature")
    _fits(memref, view.shape)
    size = view.itemsize
    if 0 in view.shape:  # nothing to be found at an address
        return _describes(memref, view.address, view.shape, row_strides(view.shape))
    align = size // 2 if memref.element.startswith("complex") else size
    if view.address % align:
        raise ValueError(f"begins at an address that is no multiple of {align}: pass a copy")
    if any([n > 1 and s % size for n, s in zip(view.shape, view.strides)]):
        raise ValueError(f"has strides of {view.strides} bytes, no multiples of an element: pass a copy")
    rows = row_strides(view.shape)
    # What steps a dimension of one element has means nothing.
    strides = tuple([s // size if n > 1 else r for n, s, r in zip(view.shape, view.strides, rows)])
    wanted: Dimensions = rows if memref.strides is None else memref.strides
    if strides != wanted and any([n > 1 and w is not None and w != s for n, w, s in zip(view.shape, wanted, strides)]):
        hint = "numpy.ascontiguousarray makes a copy in rows, strided<[?, ...]> takes any" if memref.strides is None else "pass a copy"
        raise ValueError(f"has strides of {strides} elements, which {memref.name} does not allow: {hint}")
    return _describes(memref, view.address, view.shape, strides)
