"""Arguments: the C values that a function lowered with llvm.emit_c_interface takes for an array.

That is the address of a descriptor: { allocated, aligned, offset, sizes[], strides[] }, for an
unranked memref the address of { rank, address of the descriptor }.

A program calls a function with arrays of the same type, shape and strides again and again. So
what can be checked without an array's address is checked once, and kept as a Layout under the
view's key; a later call looks the key up and writes the address.
"""

from __future__ import annotations

import ctypes
import re
import struct
import sys
from ctypes import POINTER, c_char_p, c_int, c_int64, c_ssize_t, c_void_p, py_object
from typing import Any, Hashable, NamedTuple, Union

from .signature import ELEMENTS, FLOAT8, Dimensions, Memref, Number, element_size

_CODE = re.compile(r"[@=<>!]?(Z?[a-zA-Z?])")
_FOREIGN = ">!" if sys.byteorder == "little" else "<"
_FIELD = re.compile(":[^:]*:")  # the name of a structure's member


class View:
    """Where an array's elements lie. Strides are in bytes."""

    __slots__ = ("address", "key")

    on_device = False
    key: tuple[Any, ...]  # equal for views that differ in their addresses and owners alone
    address: int

    @property
    def readonly(self) -> bool:
        return False

    @property
    def itemsize(self) -> int:
        raise NotImplementedError

    @property
    def shape(self) -> tuple[int, ...]:
        raise NotImplementedError

    @property
    def strides(self) -> tuple[int, ...]:
        raise NotImplementedError

    def holds(self, element: str) -> bool:
        """Reports whether the elements are of MLIR's type."""
        raise NotImplementedError

    def elements(self) -> str:
        """Returns the type of the elements, as the array's owner calls it."""
        raise NotImplementedError

    def check_bytes(self) -> None:
        """Raises TypeError if the bytes of the elements mean something to the host only."""

    def extent(self) -> tuple[int, int]:
        """Returns where the elements begin and end."""
        steps = [(n - 1) * s for n, s in zip(self.shape, self.strides)]
        if 0 in self.shape:
            return self.address, self.address
        return self.address + sum(s for s in steps if s < 0), self.address + sum(s for s in steps if s > 0) + self.itemsize


class DeviceView(View):
    """The memory of a DeviceArray, in rows without gaps."""

    __slots__ = ()

    on_device = True

    def __init__(self, address: int, element: str, shape: tuple[int, ...]) -> None:
        self.address = address
        self.key = (element, shape)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.key[1]  # type: ignore[no-any-return]

    @property
    def itemsize(self) -> int:
        return element_size(self.elements())

    @property
    def strides(self) -> tuple[int, ...]:
        return row_strides(self.shape, self.itemsize)

    def holds(self, element: str) -> bool:
        return element == self.elements()

    def elements(self) -> str:
        return self.key[0]  # type: ignore[no-any-return]


class _PyBuffer(ctypes.Structure):
    """Py_buffer. Pointers are numbers here."""

    _fields_ = [
        ("buf", c_void_p),
        ("obj", c_void_p),
        ("len", c_ssize_t),
        ("itemsize", c_ssize_t),
        ("readonly", c_int),
        ("ndim", c_int),
        ("format", c_void_p),
        ("shape", c_void_p),
        ("strides", c_void_p),
        ("suboffsets", c_void_p),
        ("internal", c_void_p),
    ]


_fields_of_buffer = struct.Struct("PPnniiPPPPP").unpack_from

_get_buffer = ctypes.pythonapi.PyObject_GetBuffer
_get_buffer.argtypes = [py_object, POINTER(_PyBuffer), c_int]
_get_buffer.restype = c_int
release_buffer = ctypes.pythonapi.PyBuffer_Release
release_buffer.argtypes = [POINTER(_PyBuffer)]
release_buffer.restype = None  # does nothing the second time
bytes_at = ctypes.pythonapi.PyBytes_FromStringAndSize
bytes_at.argtypes = [c_void_p, c_ssize_t]
bytes_at.restype = py_object
_text_at = ctypes.pythonapi.PyBytes_FromString
_text_at.argtypes = [c_void_p]
_text_at.restype = py_object
_STRIDED_WITH_FORMAT = 0x10 | 0x08 | 0x04  # PyBUF_STRIDES | PyBUF_FORMAT


def row_strides(shape: tuple[int, ...], step: int = 1) -> tuple[int, ...]:
    """Returns the strides of an array in rows: in elements, or in units whose number in an element is step."""
    strides = []
    for size in reversed(shape):
        strides.append(step)
        step *= size
    return tuple(reversed(strides))


def numbers_in(memory: bytes) -> tuple[int, ...]:
    """Returns the 64-bit integers in a piece of memory."""
    return struct.unpack(f"{len(memory) // 8}q", memory)


class Buffer(View):
    """The memory of an array, by Python's buffer protocol."""

    __slots__ = ("owner", "nbytes")

    def __init__(self, owner: object, held: list[Any]) -> None:
        """Keeps the array in place until release_buffer is called with the result in held."""
        buffer = _PyBuffer()
        reference = ctypes.byref(buffer)
        held.append(reference)
        try:
            _get_buffer(owner, reference, _STRIDED_WITH_FORMAT)
        except (TypeError, ValueError, BufferError) as error:
            raise TypeError(f"{type(owner).__name__} can't be passed as an array: {error}") from None
        self.owner = owner
        address, _, self.nbytes, itemsize, readonly, rank, text, shape, strides, _, _ = _fields_of_buffer(buffer)
        self.address = address
        self.key = (
            itemsize,
            readonly,
            _text_at(text) if text else b"B",
            bytes_at(shape, 8 * rank) if rank else b"",
            bytes_at(strides, 8 * rank) if strides else None,  # ctypes' arrays leave them out
        )

    @property
    def itemsize(self) -> int:
        return self.key[0]  # type: ignore[no-any-return]

    @property
    def readonly(self) -> bool:
        return bool(self.key[1])

    @property
    def format(self) -> str:
        return self.key[2].decode()  # type: ignore[no-any-return]

    @property
    def shape(self) -> tuple[int, ...]:
        return numbers_in(self.key[3])

    @property
    def strides(self) -> tuple[int, ...]:
        strides = self.key[4]
        return row_strides(self.shape, self.itemsize) if strides is None else numbers_in(strides)

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
        return f"of format '{self.format}'"

    def check_bytes(self) -> None:
        check_format(self.format, self.itemsize)

    def holds(self, element: str) -> bool:
        size, codes = ELEMENTS.get(element, FLOAT8)
        text = self.format
        match = _CODE.fullmatch(text)
        foreign = text[0] in _FOREIGN and size > 1
        return match is not None and match[1] in codes and self.itemsize == size and not foreign


def check_format(text: str, itemsize: int) -> None:
    """Raises TypeError if elements of a format are Python's objects, or numbers in the other order of bytes."""
    codes = _FIELD.sub("", text)
    if "O" in codes:
        raise TypeError("its elements are Python objects, which no kernel can read")
    if itemsize > 1 and any([order in codes for order in _FOREIGN]):
        raise TypeError("its elements are not in this machine's order of bytes: array.astype(array.dtype.newbyteorder('=')) makes a copy")


class Layout(NamedTuple):
    """What is the same in the descriptors of all arrays with one key."""

    mask: int  # bits of the address that must be 0
    align: int
    shift: int  # bytes from the base of the descriptor to the first element
    tail: bytes  # offset, sizes, strides
    rank: int  # of an unranked memref, else -1

    def descriptor(self, address: int) -> Any:
        """Returns the descriptor of the array at an address, as an argument for ctypes. Raises ValueError."""
        if address & self.mask:
            raise ValueError(f"begins at an address that is not a multiple of {self.align}: pass a copy")
        base = address - self.shift
        ranked = _pair(base, base) + self.tail
        # A function reads its descriptors only. So the bytes of Python's object will do.
        return ranked if self.rank < 0 else _unranked(self.rank, ranked)


_pair = struct.Struct("qq").pack


def _unranked(rank: int, ranked: bytes) -> Any:
    whole = (c_int64 * (2 + len(ranked) // 8))()
    whole[0], whole[1] = rank, ctypes.addressof(whole) + 16
    ctypes.memmove(whole[1], ranked, len(ranked))
    return whole


def _layout(memref: Memref, align: int, shape: tuple[int, ...], strides: tuple[int, ...]) -> Layout:
    offset = memref.offset or 0
    tail = struct.pack(f"{1 + 2 * len(shape)}q", offset, *shape, *strides)
    return Layout(align - 1, align, offset * element_size(memref.element), tail, len(shape) if memref.shape is None else -1)


def _fits(memref: Memref, shape: tuple[int, ...]) -> None:
    if memref.shape is None:
        return
    if len(shape) != len(memref.shape):
        raise ValueError(f"has {len(shape)} dimensions, {memref.name} has {len(memref.shape)}")
    if any([want is not None and want != have for want, have in zip(memref.shape, shape)]):
        raise ValueError(f"has the shape {shape}, which {memref.name} does not allow")


def check(memref: Memref, view: View, written: bool = True) -> Layout:
    """Returns the layout of a memref's descriptors for arrays of a view's key. Raises TypeError or ValueError."""
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
        return _layout(memref, 1, view.shape, row_strides(view.shape))
    align = size // 2 if memref.element.startswith("complex") else size
    if any([n > 1 and s % size for n, s in zip(view.shape, view.strides)]):
        raise ValueError(f"has strides of {view.strides} bytes, no multiples of an element: pass a copy")
    rows = row_strides(view.shape)
    # What steps a dimension of one element has means nothing.
    strides = tuple([s // size if n > 1 else r for n, s, r in zip(view.shape, view.strides, rows)])
    wanted: Dimensions = rows if memref.strides is None else memref.strides
    if strides != wanted and any([n > 1 and w is not None and w != s for n, w, s in zip(view.shape, wanted, strides)]):
        hint = "numpy.ascontiguousarray makes a copy in rows, strided<[?, ...]> takes any" if memref.strides is None else "pass a copy"
        raise ValueError(f"has strides of {strides} elements, which {memref.name} does not allow: {hint}")
    return _layout(memref, align, view.shape, strides)


_MOST_LAYOUTS = 256  # of a parameter


class ArrayParameter:
    """A memref among a function's parameters."""

    __slots__ = ("name", "_memref", "_layouts")

    def __init__(self, name: str, memref: Memref) -> None:
        self.name = name
        self._memref = memref
        self._layouts: dict[Hashable, Layout] = {}

    def descriptor(self, view: View) -> Any:
        """Returns the descriptor of an array, as an argument for ctypes. Raises TypeError or ValueError."""
        layout = self._layouts.get((view.on_device, view.key))
        if layout is None:
            layout = check(self._memref, view)
            if len(self._layouts) >= _MOST_LAYOUTS:
                self._layouts = {}
            self._layouts[view.on_device, view.key] = layout
        return layout.descriptor(view.address)


class NumberParameter:
    """A number among a function's parameters."""

    __slots__ = ("name", "_number", "_plain", "_low", "_high")

    def __init__(self, name: str, number: Number) -> None:
        self.name = name
        self._number = number
        self._plain: Union[type[int], type[float]] = int if number.bits else float
        self._low, self._high = number.limits()

    def argument(self, value: object) -> Any:
        """Returns the argument for ctypes. Raises TypeError or ValueError."""
        if type(value) is self._plain and self._low <= value < self._high:  # type: ignore[operator]
            return value  # which ctypes converts by the type of the parameter
        return self._number.convert(value)


Parameter = Union[ArrayParameter, NumberParameter]


def parameter(name: str, kind: Union[Number, Memref]) -> Parameter:
    """Returns a parameter that error lines call by a name."""
    return ArrayParameter(name, kind) if isinstance(kind, Memref) else NumberParameter(name, kind)
