"""Arrays of other libraries, by DLPack and by the CUDA array interface.

PyTorch, CuPy and JAX have the first, Numba the second. Both say where an array lies, of what
type and shape it is, and which stream its contents are ready on.
"""

from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, c_char_p, c_int, c_int32, c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p, py_object
from typing import Any, Callable, NamedTuple, Optional

from .arguments import Buffer, View, row_strides
from .calls import chosen_device, invoke
from .counters import statistics
from .library import Call, check, use_library

# DLPack's numbers: kinds of devices, and of elements.
CPU, CUDA, CUDA_HOST, ROCM, ROCM_HOST, CUDA_MANAGED = 1, 2, 3, 10, 11, 13
_HOST = (CPU, CUDA_HOST, ROCM_HOST)
_KIND_NAMES = {CUDA: "CUDA", CUDA_MANAGED: "CUDA", ROCM: "ROCm"}
_INT, _UINT, _FLOAT, _BFLOAT, _COMPLEX, _BOOL = 0, 1, 2, 4, 5, 6
_CODE_NAMES = {_INT: "int", _UINT: "uint", _FLOAT: "float", _BFLOAT: "bfloat", _COMPLEX: "complex", _BOOL: "bool"}
_FLOAT8 = {"f8E3M4": 7, "f8E4M3": 8, "f8E4M3B11FNUZ": 9, "f8E4M3FN": 10, "f8E4M3FNUZ": 11, "f8E5M2": 12, "f8E5M2FNUZ": 13, "f8E8M0FNU": 14}

# The (code, bits) that an array of MLIR's elements may have. The first is what a DeviceArray says.
_ELEMENTS: dict[str, tuple[tuple[int, int], ...]] = {
    "i1": ((_BOOL, 8),),
    "i8": ((_INT, 8), (_UINT, 8)),
    "i16": ((_INT, 16), (_UINT, 16)),
    "i32": ((_INT, 32), (_UINT, 32)),
    "i64": ((_INT, 64), (_UINT, 64)),
    "index": ((_INT, 64), (_UINT, 64)),
    "f16": ((_FLOAT, 16),),
    "bf16": ((_BFLOAT, 16), (_UINT, 16)),
    "f32": ((_FLOAT, 32),),
    "f64": ((_FLOAT, 64),),
    "complex<f32>": ((_COMPLEX, 64),),
    "complex<f64>": ((_COMPLEX, 128),),
    **{name: ((code, 8), (_UINT, 8)) for name, code in _FLOAT8.items()},
}
_TYPESTR_CODES = {"b": _BOOL, "i": _INT, "u": _UINT, "f": _FLOAT, "c": _COMPLEX}
_READ_ONLY = 1  # a flag of DLManagedTensorVersioned


class _Tensor(ctypes.Structure):
    """DLTensor."""

    _fields_ = [
        ("data", c_void_p),
        ("device_type", c_int32),
        ("device_id", c_int32),
        ("ndim", c_int32),
        ("code", c_uint8),
        ("bits", c_uint8),
        ("lanes", c_uint16),
        ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
        ("byte_offset", c_uint64),
    ]


_Deleter = ctypes.CFUNCTYPE(None, c_void_p)


class _Managed(ctypes.Structure):
    """DLManagedTensor."""

    _fields_ = [("tensor", _Tensor), ("context", c_void_p), ("deleter", _Deleter)]


class _Versioned(ctypes.Structure):
    """DLManagedTensorVersioned."""

    _fields_ = [
        ("major", c_uint32),
        ("minor", c_uint32),
        ("context", c_void_p),
        ("deleter", _Deleter),
        ("flags", c_uint64),
        ("tensor", _Tensor),
    ]


class _ExchangeAPI(ctypes.Structure):
    """DLPackExchangeAPI."""

    _fields_ = [
        ("major", c_uint32),
        ("minor", c_uint32),
        ("previous", c_void_p),
        ("allocator", c_void_p),
        ("managed_of", c_void_p),
        ("object_of", c_void_p),
        ("tensor_of", c_void_p),
        ("work_stream", c_void_p),
    ]


# They return -1 with an exception set, which ctypes raises.
_TensorOf = ctypes.PYFUNCTYPE(c_int, py_object, POINTER(_Tensor))
_WorkStream = ctypes.PYFUNCTYPE(c_int, c_int32, c_int32, POINTER(c_void_p))


class _Api(NamedTuple):
    """The functions of a type's arrays that are used here."""

    tensor_of: Any
    work_stream: Any


_apis: dict[type, Optional[_Api]] = {}

_is_capsule = ctypes.pythonapi.PyCapsule_IsValid
_is_capsule.argtypes, _is_capsule.restype = [py_object, c_char_p], c_int
_capsule_name = ctypes.pythonapi.PyCapsule_GetName
_capsule_name.argtypes, _capsule_name.restype = [py_object], c_char_p
_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.argtypes, _capsule_pointer.restype = [py_object, c_char_p], c_void_p
_MANAGED, _VERSIONED, _API = b"dltensor", b"dltensor_versioned", b"dlpack_exchange_api"  # names of capsules; C keeps the pointers


class _Foreign(View):
    """An array of another library."""

    def __init__(self, owner: object, code: int, bits: int) -> None:
        self._owner = owner
        self._element = (code, bits)
        self.itemsize = bits // 8

    def holds(self, element: str) -> bool:
        return self._element in _ELEMENTS.get(element, ((_UINT, 8),))

    def elements(self) -> str:
        dtype = getattr(self._owner, "dtype", None)
        if dtype is not None:
            return str(dtype)
        code, bits = self._element
        return f"{_CODE_NAMES.get(code, f'of DLPack type {code}, bits ')}{bits}"


class Order:
    """Has a function begin after what other libraries have submitted for its arguments."""

    __slots__ = ("given", "_create", "_streams")

    def __init__(self, stream: object) -> None:
        """Takes the stream that the caller's work is on: a handle, an object of PyTorch's or CuPy's, or None."""
        self.given = stream is not None
        self._create: Optional[Call] = None
        self._streams: set[int] = {stream_handle(stream)} if self.given else set()

    def for_dlpack(self) -> int:
        """Returns the stream that __dlpack__ has to make an array ready on; -1 if nothing is to be done."""
        if self.given:
            return -1
        if self._create is None:
            self._create = Call("mgpuStreamCreate")
            self._streams.add(self._create() or 0)
        return int(self._create.result() or 0)

    def after(self, stream: int) -> None:
        """Adds the stream that an array's work is on, unless the caller has named it."""
        if not self.given:
            self._streams.add(stream)

    def wait(self) -> None:
        """Waits for all of them. Raises Error, and ValueError if one is captured."""
        if self._streams:
            library = use_library()
            for stream in sorted(self._streams):
                if library.mgpuxStreamIsCapturing(stream):
                    raise ValueError(
                        f"the stream {stream:#x} is being captured into a graph, and lowered code waits for what it launches, "
                        "which no capture can hold: call the function before the capture or after it"
                    )
                library.mgpuStreamSynchronize(stream)
            check()

    def close(self) -> None:
        if self._create is not None and self._create.result():
            use_library().mgpuStreamDestroy(self._create.result())


def stream_handle(stream: object) -> int:
    """Returns the handle of a stream: of an int, or an object of PyTorch's, CuPy's, Numba's. Raises TypeError."""
    for name in ("cuda_stream", "ptr"):
        handle = getattr(stream, name, None)
        if isinstance(handle, int):
            return handle
    protocol = getattr(stream, "__cuda_stream__", None)
    if protocol is not None:
        return int((protocol() if callable(protocol) else protocol)[1])
    if isinstance(stream, int) and not isinstance(stream, bool) and stream >= 0:
        return stream
    raise TypeError(f"{type(stream).__name__} is not a stream: pass its handle, or an object with cuda_stream, ptr or __cuda_stream__")


class _Driver(NamedTuple):
    name: str
    kinds: tuple[int, ...]  # of DLPack's devices


_DRIVERS = {"cuda": _Driver("cuda", (CUDA, CUDA_MANAGED)), "hip": _Driver("hip", (ROCM,)), "soft": _Driver("soft", (ROCM,))}
_driver: Optional[_Driver] = None


def driver() -> _Driver:
    """Returns the driver in use. Raises Error if none can be opened."""
    global _driver
    if _driver is None:
        invoke("mgpuxGetDeviceCount")
        name = statistics()["driver"]
        _driver = _DRIVERS.get(name, _Driver(name, ()))
    return _driver


def _check_device(kind: int, device: int) -> None:
    using = driver()
    name = _KIND_NAMES.get(kind, f"DLPack's kind {kind}")
    if kind not in using.kinds:
        raise TypeError(f"lies on device {device} of {name}, which the driver {using.name} does not reach")
    current = chosen_device()
    if current is not None and current != device:
        raise ValueError(f"lies on device {device}, and the calling thread's device is {current}: call set_device({device}) first")


def view_of(array: Any, held: list[Any], capsules: list[Any], order: Order) -> View:
    """Returns where an array lies. It stays there until release_buffer is called with what held
    gets, and while capsules has what it gets. Raises TypeError or ValueError."""
    kind = type(array)
    api = _apis[kind] if kind in _apis else _find_api(kind)
    # Arrays that need a gradient or a conjugation are refused by __dlpack__, not by the API.
    if api is not None and not getattr(array, "requires_grad", False):
        return _api_view(array, api, order)
    ask: Optional[Callable[[], Any]] = getattr(array, "__dlpack_device__", None)
    if ask is None:
        interface = getattr(array, "__cuda_array_interface__", None)
        return Buffer(array, held) if interface is None else _cuda_array_view(array, interface, order)
    where, number = map(int, ask())
    if where in _HOST:
        try:
            return Buffer(array, held)  # faster, and numpy exports no read-only arrays by DLPack
        except TypeError as refused:
            try:
                return _dlpack_view(array, True, {}, capsules)
            except TypeError:
                if "a bytes-like object is required" in str(refused):  # no buffer protocol
                    raise
            raise
    _check_device(where, number)
    return _dlpack_view(array, False, {"stream": order.for_dlpack()}, capsules)


def _dlpack_view(array: Any, host: bool, wanted: dict[str, Any], capsules: list[Any]) -> View:
    try:
        try:
            capsule = array.__dlpack__(**wanted, max_version=(1, 0))
        except TypeError:  # from before DLPack 1.0
            capsule = array.__dlpack__(**wanted)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise TypeError(f"{type(array).__name__} can't be exchanged: {error}") from None
    # The capsule is not renamed, so that its own destructor releases the array.
    capsules.append(capsule)
    versioned = _capsule_name(capsule) == _VERSIONED
    pointer = _capsule_pointer(capsule, _VERSIONED if versioned else _MANAGED)
    managed: Any = ctypes.cast(pointer, POINTER(_Versioned if versioned else _Managed)).contents
    if versioned and managed.major != 1:
        raise TypeError(f"{type(array).__name__} exports DLPack {managed.major}, and 1 is understood")
    if not host and driver().name == "soft" and pointer not in _exported:
        raise TypeError("lies on a GPU, which the software GPU does not reach")
    view = _tensor_view(array, managed.tensor)
    view.readonly = versioned and bool(managed.flags & _READ_ONLY)
    return view


def _tensor_view(array: object, tensor: Any) -> View:
    view = _Foreign(array, tensor.code, tensor.bits if tensor.lanes == 1 else 0)
    view.on_device = tensor.device_type not in _HOST
    view.address = (tensor.data or 0) + tensor.byte_offset
    rank = tensor.ndim
    view.shape = tuple(tensor.shape[:rank]) if rank else ()
    size = view.itemsize
    view.strides = tuple([n * size for n in tensor.strides[:rank]]) if rank and tensor.strides else row_strides(view.shape, size)
    return view


def _find_api(kind: type) -> Optional[_Api]:
    """Returns DLPack's table of functions for arrays of a type, None if the type itself has none.

    A type that inherits the table may mean another thing by it.
    """
    api = None
    capsule = kind.__dict__.get("__dlpack_c_exchange_api__")
    if capsule is not None and _is_capsule(capsule, _API):
        table = ctypes.cast(_capsule_pointer(capsule, _API), POINTER(_ExchangeAPI))
        while table and table.contents.major != 1:
            table = ctypes.cast(table.contents.previous, POINTER(_ExchangeAPI))
        if table and table.contents.tensor_of:
            api = _Api(_TensorOf(table.contents.tensor_of), _WorkStream(table.contents.work_stream))
    _apis[kind] = api
    return api


def _api_view(array: object, api: _Api, order: Order) -> View:
    """Returns where an array lies, by functions of C: some microseconds less than __dlpack__ takes."""
    tensor = _Tensor()
    api.tensor_of(array, ctypes.byref(tensor))
    if tensor.device_type not in _HOST:
        _check_device(tensor.device_type, tensor.device_id)
        if driver().name == "soft":
            raise TypeError("lies on a GPU, which the software GPU does not reach")
        if not order.given:
            stream = c_void_p()
            api.work_stream(tensor.device_type, tensor.device_id, ctypes.byref(stream))
            order.after(stream.value or 0)
    return _tensor_view(array, tensor)


def _cuda_array_view(array: Any, interface: Any, order: Order) -> View:
    using = driver()
    if using.name not in ("cuda", "hip"):
        raise TypeError(f"{type(array).__name__} lies on a GPU, which the driver {using.name} does not reach")
    typestr = interface["typestr"]
    if interface.get("mask") is not None:
        raise TypeError(f"{type(array).__name__} has a mask, which a memref can't")
    view = _Foreign(array, _TYPESTR_CODES.get(typestr[1], -1), 8 * int(typestr[2:]) if typestr[0] != ">" else 0)
    view.on_device = True
    view.address, view.readonly = interface["data"]
    view.address = view.address or 0
    view.shape = tuple(interface["shape"])
    strides = interface.get("strides")
    view.strides = row_strides(view.shape, view.itemsize) if strides is None else tuple(strides)
    if interface.get("stream") is not None:  # None: nothing to wait for
        order.after(int(interface["stream"]))
    return view


def place_of(device: Optional[int]) -> tuple[int, int]:
    """Returns DLPack's kind and number of a device of the driver in use. Raises BufferError."""
    kinds = driver().kinds
    if not kinds:
        raise BufferError(f"DLPack has no kind of device for the driver {driver().name}")
    if device is None:
        raise BufferError("MGPU_DEVICE=rank chose the device: call set_device before the array is made")
    return kinds[0], device


def interface_of(address: int, element: str, shape: tuple[int, ...]) -> dict[str, Any]:
    """Returns what __cuda_array_interface__ is of an array in rows. Raises AttributeError."""
    if driver().name not in ("cuda", "hip"):
        raise AttributeError(f"the driver {driver().name} has no __cuda_array_interface__")
    (code, bits), *_ = _ELEMENTS.get(element, ((-1, 0),))
    letter = next((letter for letter, number in _TYPESTR_CODES.items() if number == code), None)
    if letter is None:
        raise AttributeError(f"__cuda_array_interface__ has no type for {element}: use DLPack")
    # No stream: every call of this package has waited for what it submitted.
    return {"shape": shape, "typestr": f"{'|' if bits == 8 else '<'}{letter}{bits // 8}", "data": (address, False), "strides": None, "stream": None, "version": 3}


# What others hold of DeviceArrays, by the address of the structure that they have.
_exported: dict[int, tuple[Any, ...]] = {}
os.register_at_fork(after_in_child=_exported.clear)


def _release(managed: int) -> None:
    _exported.pop(managed, None)


_deleter = _Deleter(_release)
_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.argtypes, _new_capsule.restype = [c_void_p, c_char_p, c_void_p], py_object
_is_valid = ctypes.PYFUNCTYPE(c_int, c_void_p, c_char_p)(("PyCapsule_IsValid", ctypes.pythonapi))
_pointer_of = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))


def _drop(capsule: int) -> None:
    """Releases what nobody has consumed: consumers rename the capsule."""
    for name in (_MANAGED, _VERSIONED):
        if _is_valid(capsule, name):
            _release(_pointer_of(capsule, name))


_destructor = ctypes.PYFUNCTYPE(None, c_void_p)(_drop)


def capsule_of(memory: object, place: tuple[int, int], address: int, element: str, shape: tuple[int, ...], versioned: bool) -> object:
    """Returns a capsule for __dlpack__, which refers to the memory until its consumer is done with it."""
    (code, bits), *_ = _ELEMENTS[element]
    rank = len(shape)
    sizes, steps = (c_int64 * rank)(*shape), (c_int64 * rank)(*row_strides(shape))
    managed: Any = _Versioned() if versioned else _Managed()
    if versioned:
        managed.major, managed.minor = 1, 0
    managed.tensor = _Tensor(address, *place, rank, code, bits, 1, sizes, steps, 0)
    managed.deleter = _deleter
    key = ctypes.addressof(managed)
    _exported[key] = (managed, sizes, steps, memory)
    return _new_capsule(key, _VERSIONED if versioned else _MANAGED, ctypes.cast(_destructor, c_void_p))
