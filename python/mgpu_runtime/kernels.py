"""Kernels: of a code object, launched without a lowered program."""

from __future__ import annotations

import ctypes
import operator
import os
import struct
import weakref
from ctypes import c_char, c_uint64, c_void_p
from functools import partial
from typing import Any, NamedTuple, Optional, Sequence, Union

from .arguments import View, check_format, row_strides
from .calls import invoke, run
from .exchange import Order, driver
from .library import Error, make, use_library, without_nul
from .memory import DeviceArray, Uses, on_stream

Dimensions = Union[int, Sequence[int]]


class _KernelArgument(ctypes.Structure):
    _fields_ = [
        ("bytes", c_uint64),
        ("offset", c_uint64),
        ("kind", c_char * 24),
        ("name", c_char * 64),
    ]


class Argument(NamedTuple):
    """An argument of a kernel, as its code object describes it."""

    bytes: int
    kind: str  # "global_buffer", "by_value", ...
    name: str  # empty where the compiler kept none

    def __str__(self) -> str:
        return f"{self.name + ': ' if self.name else ''}{self.kind}, {self.bytes} bytes"


def _dimensions(what: str, value: Dimensions) -> tuple[int, int, int]:
    try:
        sizes = tuple(map(operator.index, value)) if isinstance(value, Sequence) else (operator.index(value),)
    except TypeError:
        sizes = ()
    if not 1 <= len(sizes) <= 3 or any(not 1 <= n < 1 << 31 for n in sizes):
        raise ValueError(f"{what} {value!r}: one to three numbers from 1 on, as 4 or (4, 2)")
    x, y, z = sizes + (1,) * (3 - len(sizes))
    return x, y, z


class MemRef:
    """An array as MLIR's kernels take it: pointers, offset, sizes and strides, an argument each."""

    def __init__(self, array: object) -> None:
        self.array = array


class _HostArray(NamedTuple):
    """An array of the host's that a launch is given, and which arguments are its address."""

    begin: int  # where its elements are
    end: int
    readonly: bool
    arguments: range


def _sharing(arrays: list[_HostArray]) -> list[list[_HostArray]]:
    """Returns the arrays in lists: those of one list share memory, directly or through others."""
    found: list[list[_HostArray]] = []
    end = 0
    for array in sorted(arrays, key=operator.attrgetter("begin", "end")):
        if not found or array.begin >= end:
            found.append([])
        found[-1].append(array)
        end = max(end, array.end)
    return found


class _Passing:
    """What one launch passes: the bytes of each argument, and host arrays to be copied."""

    def __init__(self, order: Order, copies: bool) -> None:
        self.uses = Uses()
        self.values: list[bytes] = []  # addresses of host arrays are missing until upload
        self._copies = copies
        self._order = order
        self._arrays: list[_HostArray] = []
        self._downloads: list[tuple[int, int, int]] = []  # to, from, bytes
        self._temporary: list[DeviceArray] = []

    def _view(self, value: object, arguments: int) -> View:
        """Returns where an array lies. Its address is the next arguments. Raises TypeError or ValueError."""
        view = self.uses.view(value, self._order)
        if not view.on_device:
            if not self._copies:
                raise TypeError("the array is the host's: with stream= the launch is not waited for, and no array is copied; pass a DeviceArray")
            view.check_bytes()
            if view.strides != row_strides(view.shape, view.itemsize) and 0 not in view.shape:
                raise ValueError("the array's elements do not lie in rows: numpy.ascontiguousarray makes a copy")
            at = len(self.values)
            self._arrays.append(_HostArray(*view.extent(), view.readonly, range(at, at + arguments)))
        self.values += [struct.pack("Q", view.address)] * arguments
        return view

    def add(self, value: object) -> None:
        """Passes an argument. Raises TypeError or ValueError."""
        if not isinstance(value, MemRef):
            self._view(value, 1)
            return
        view = self._view(value.array, 2)
        strides = [s // view.itemsize for s in view.strides]
        self.values += [struct.pack("q", word) for word in (0, *view.shape, *strides)]

    def upload(self) -> None:
        """Copies host arrays to the device. Arrays that share memory share its copy."""
        for arrays in _sharing(self._arrays):
            begin, end = arrays[0].begin, max(array.end for array in arrays)
            # Arrays of one copy are aligned as they are on the host.
            gap = begin % 256 if len(arrays) > 1 else 0
            copy = DeviceArray(gap + end - begin, "i8")
            self._temporary.append(copy)
            shift = copy.view(self.uses).address + gap - begin
            if begin != end:
                on_stream("mgpuMemcpy", begin + shift, begin, end - begin)
            for array in arrays:
                for at in array.arguments:
                    self.values[at] = struct.pack("Q", array.begin + shift)
                if not array.readonly and array.begin != array.end:
                    self._downloads.append((array.begin, array.begin + shift, array.end - array.begin))

    def download(self) -> None:
        """Copies host arrays back."""
        for to, source, size in self._downloads:
            on_stream("mgpuMemcpy", to, source, size)

    def end(self) -> None:
        self.uses.release()
        self.uses.finish()
        for copy in self._temporary:
            copy.free()


_FLOATS = {2: "e", 4: "f", 8: "d"}


def _scalar(value: object, known: Optional[Argument]) -> Optional[bytes]:
    """Returns the bytes of a number or a struct; None for an array. Raises TypeError or ValueError."""
    if value is None:
        return bytes(8)
    if isinstance(value, (int, float)) and not hasattr(value, "dtype"):  # numpy.float64 is a float too
        if known is None:
            raise TypeError(f"nothing is known of the kernel's arguments: pass a number with a type, as numpy.float32({value!r}) or ctypes.c_int({value!r})")
        if known.kind.endswith("buffer"):
            raise TypeError(f"{type(value).__name__} for an address ({known}): pass an array, None, or ctypes.c_void_p")
        if isinstance(value, float):
            if known.bytes not in _FLOATS:
                raise TypeError(f"float for {known}: no float has {known.bytes} bytes")
            return struct.pack(_FLOATS[known.bytes], value)
        bits = 8 * known.bytes
        if not -(1 << (bits - 1)) <= value < 1 << bits:
            raise ValueError(f"{value} does not fit into {known}")
        return int(value % (1 << bits)).to_bytes(known.bytes, "little")
    if isinstance(value, (bytes, ctypes.Structure, ctypes.Union, ctypes._SimpleCData)):
        return bytes(value)
    if getattr(value, "shape", None) == () and not hasattr(value, "__dlpack__") and not isinstance(value, DeviceArray):
        number = memoryview(value)  # type: ignore[arg-type]  # of numpy's
        check_format(number.format, number.itemsize)
        if known is not None and known.kind.endswith("buffer") and number.format in _FLOATS.values():
            raise TypeError(f"{type(value).__name__} for an address ({known}): pass an array, None, or ctypes.c_void_p")
        return number.tobytes()
    return None


class Kernel:
    """A kernel of a module: kernel(grid, block, argument, ...).

    grid counts workgroups, block work-items of a workgroup: a number, or up to three. Arguments
    are compared with the code object: their number, and the size of each.

    An array is passed as its address: of a DeviceArray, or of another library's array on the
    device (see Function). A host array is copied to the device, and back afterwards unless it is
    read-only. Arrays that share memory on the host share it on the device.
    mgpu_runtime.memref(array) passes what MLIR's kernels take for a memref. Numbers are an int or
    a float, which get the argument's size, and numbers with a type of their own
    (numpy.float32(2), ctypes.c_int8(1)). Structs are ctypes' or bytes. None is a null pointer.

    The call waits for the kernel, and first for the streams of the arrays' libraries. With
    stream= it submits the kernel to that stream and returns at once: into a graph, if the
    stream is being captured. The arrays must then live until the kernel has ended.

    Raises TypeError and ValueError for arguments that do not fit, Error if the launch fails.
    """

    def __init__(self, module: Module, name: str, function: int, arguments: Optional[list[Argument]]) -> None:
        self._module = module  # lives as long
        self._function = function
        self.__name__ = name
        self.arguments = arguments  # None: nothing is known of them, as of a cubin's

    def __repr__(self) -> str:
        known = "" if self.arguments is None else f"({'; '.join(map(str, self.arguments))})"
        return f"<kernel {self.__name__}{known}>"

    def __call__(self, grid: Dimensions, block: Dimensions, *arguments: Any, shared: int = 0, stream: object = None) -> None:
        sizes = (*_dimensions("grid", grid), *_dimensions("block", block))
        if not 0 <= shared < 1 << 31:
            raise ValueError(f"shared {shared}: bytes of dynamic workgroup memory")
        run(lambda: self._launch(sizes, arguments, shared, stream))

    def _launch(self, sizes: tuple[int, ...], arguments: tuple[Any, ...], shared: int, stream: object) -> None:
        order = Order(stream)
        passing = _Passing(order, copies=stream is None)
        try:
            for at, value in enumerate(arguments):
                self._pass(passing, at, value)
            values = passing.values
            if self.arguments is not None and len(values) != len(self.arguments):
                raise TypeError(f"{self.__name__} takes {len(self.arguments)} arguments, and got {len(values)}: {'; '.join(map(str, self.arguments)) or 'none'}")
            passing.upload()
            # Each value at an address of its own, which a driver may want aligned.
            storage = (c_uint64 * sum(1 + len(v) // 8 for v in values))()
            parameters = (c_void_p * (len(values) + 1))()
            at = 0
            for number, value in enumerate(values):
                address = ctypes.addressof(storage) + 8 * at
                parameters[number] = address
                ctypes.memmove(address, value, len(value))
                at += 1 + len(value) // 8
            launch = partial(use_library().mgpuLaunchKernel, self._function, *sizes, shared)
            if stream is not None:
                make([], partial(launch, order.handle(), ctypes.addressof(parameters), None, len(values)))
                return
            order.wait()
            on_stream(launch, ctypes.addressof(parameters), None, len(values), at=0)
            passing.download()
        finally:
            passing.end()

    def _pass(self, passing: _Passing, at: int, value: object) -> None:
        first = len(passing.values)
        known = self.arguments[first] if self.arguments is not None and first < len(self.arguments) else None
        try:
            if self.arguments is not None and known is None:
                passing.values.append(b"")  # one too many, which is told with all that there are
                return
            scalar = None if isinstance(value, MemRef) else _scalar(value, known)
            if scalar is not None:
                passing.values.append(scalar)
            else:
                passing.add(value)
            for number in range(first, len(passing.values)):
                if self.arguments is not None and number < len(self.arguments) and self.arguments[number].bytes != len(passing.values[number]):
                    raise TypeError(f"{len(passing.values[number])} bytes for {self.arguments[number]}")
        except (TypeError, ValueError) as error:
            raise type(error)(f"{self.__name__}: argument {at + 1}: {error}") from None


def _known(module: int, name: bytes) -> Optional[list[Argument]]:
    """Returns the description of a kernel's arguments."""
    ask = use_library().mgpuxGetKernelArgument
    out = _KernelArgument()
    found: list[Argument] = []
    while ask(module, name, len(found), ctypes.byref(out), ctypes.sizeof(out)):
        found.append(Argument(out.bytes, out.kind.decode(errors="replace"), out.name.decode(errors="replace")))
    # Code objects of AMD's describe all their kernels, so one without arguments has none.
    return found if found or driver() in ("hip", "soft") else None


class Module:
    """A code object, loaded on the calling thread's device. It is unloaded with the last reference to it and its kernels."""

    def __init__(self, path: str, image: bytes) -> None:
        self.path = path
        try:
            self._handle: int = invoke("mgpuModuleLoad", image, len(image)) or 0
        except Error as error:
            raise Error(error.args[0], f"{path}: {error}") from None
        weakref.finalize(self, _unload, self._handle, os.getpid()).atexit = False

    def __repr__(self) -> str:
        return f"<module {self.path}>"

    def kernel(self, name: str) -> Kernel:
        """Returns a kernel. Raises Error if the module has none of that name."""
        without_nul(name)
        function = invoke("mgpuModuleGetFunction", self._handle, name.encode())
        return Kernel(self, name, function, run(lambda: _known(self._handle, name.encode())))


def _unload(handle: int, pid: int) -> None:
    if handle and pid == os.getpid():
        use_library().mgpuModuleUnload(handle)


def module(path: str | os.PathLike[str]) -> Module:
    """Loads a code object (HSACO), an offload bundle, or with CUDA a cubin or PTX, from a file.

    Raises OSError if the file can't be read, and Error, with the file's name, if it is none of these, or for another
    device.
    """
    name = os.fsdecode(path)
    with open(name, "rb") as file:
        image = file.read()
    return Module(name, image + b"\0")  # which ends PTX


def memref(array: object) -> MemRef:
    """Has an array passed to a Kernel as MLIR's kernels take a memref."""
    return MemRef(array)
