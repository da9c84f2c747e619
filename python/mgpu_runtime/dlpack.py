"""DLPack: the structures by which array libraries show each other where an array lies."""

from __future__ import annotations

import ctypes
import struct
from ctypes import POINTER, c_char_p, c_int, c_int32, c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p, py_object
from functools import partial
from typing import Any, NamedTuple, Optional

from .arguments import View, bytes_at, numbers_in, row_strides

# DLPack's numbers: kinds of devices, and of elements.
CPU, CUDA, CUDA_HOST, ROCM, ROCM_HOST, CUDA_MANAGED = 1, 2, 3, 10, 11, 13
HOST = (CPU, CUDA_HOST, ROCM_HOST)
KIND_NAMES = {CUDA: "CUDA", CUDA_MANAGED: "CUDA", ROCM: "ROCm"}
INT, UINT, FLOAT, BFLOAT, COMPLEX, BOOL = 0, 1, 2, 4, 5, 6
_CODE_NAMES = {INT: "int", UINT: "uint", FLOAT: "float", BFLOAT: "bfloat", COMPLEX: "complex", BOOL: "bool"}
_FLOAT8 = {"f8E3M4": 7, "f8E4M3": 8, "f8E4M3B11FNUZ": 9, "f8E4M3FN": 10, "f8E4M3FNUZ": 11, "f8E5M2": 12, "f8E5M2FNUZ": 13, "f8E8M0FNU": 14}

# The (code, bits) that an array of MLIR's elements may have. The first is a DeviceArray's.
ELEMENTS: dict[str, tuple[tuple[int, int], ...]] = {
    "i1": ((BOOL, 8),),
    "i8": ((INT, 8), (UINT, 8)),
    "i16": ((INT, 16), (UINT, 16)),
    "i32": ((INT, 32), (UINT, 32)),
    "i64": ((INT, 64), (UINT, 64)),
    "index": ((INT, 64), (UINT, 64)),
    "f16": ((FLOAT, 16),),
    "bf16": ((BFLOAT, 16), (UINT, 16)),
    "f32": ((FLOAT, 32),),
    "f64": ((FLOAT, 64),),
    "complex<f32>": ((COMPLEX, 64),),
    "complex<f64>": ((COMPLEX, 128),),
    **{name: ((code, 8), (UINT, 8)) for name, code in _FLOAT8.items()},
}
_READ_ONLY = 1  # a flag of DLManagedTensorVersioned


class Tensor(ctypes.Structure):
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


_fields_of = struct.Struct("PiiiBBHPPQ").unpack_from  # a Tensor's

_Deleter = ctypes.CFUNCTYPE(None, c_void_p)


class _Managed(ctypes.Structure):
    """DLManagedTensor."""

    _fields_ = [("tensor", Tensor), ("context", c_void_p), ("deleter", _Deleter)]


class _Versioned(ctypes.Structure):
    """DLManagedTensorVersioned."""

    _fields_ = [
        ("major", c_uint32),
        ("minor", c_uint32),
        ("context", c_void_p),
        ("deleter", _Deleter),
        ("flags", c_uint64),
        ("tensor", Tensor),
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
_TensorOf = ctypes.PYFUNCTYPE(c_int, py_object, POINTER(Tensor))
_WorkStream = ctypes.PYFUNCTYPE(c_int, c_int32, c_int32, POINTER(c_void_p))


class Api(NamedTuple):
    """The functions of a type's arrays that are used here."""

    tensor_of: Any
    work_stream: Any
    lazy: tuple[tuple[Any, str], ...]  # methods that report lazy views, and the call that resolves them


_apis: dict[type, Optional[Api]] = {}

_is_capsule = ctypes.pythonapi.PyCapsule_IsValid
_is_capsule.argtypes, _is_capsule.restype = [py_object, c_char_p], c_int
_capsule_name = ctypes.pythonapi.PyCapsule_GetName
_capsule_name.argtypes, _capsule_name.restype = [py_object], c_char_p
_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.argtypes, _capsule_pointer.restype = [py_object, c_char_p], c_void_p
_MANAGED, _VERSIONED, _API = b"dltensor", b"dltensor_versioned", b"dlpack_exchange_api"  # names of capsules; C keeps the pointers


class Foreign(View):
    """An array of another library."""

    __slots__ = ("_owner",)

    _owner: object
    key: tuple[tuple[int, int], bool, Any, Any]  # code and bits, whether read-only, shape, strides

    @property
    def readonly(self) -> bool:
        return self.key[1]

    @property
    def itemsize(self) -> int:
        return self.key[0][1] // 8

    def holds(self, element: str) -> bool:
        return self.key[0] in ELEMENTS.get(element, ((UINT, 8),))

    def elements(self) -> str:
        dtype = getattr(self._owner, "dtype", None)
        if dtype is not None:
            return str(dtype)
        code, bits = self.key[0]
        if not bits:
            return "vectors"
        return f"{_CODE_NAMES.get(code, f'of DLPack type {code}, bits ')}{bits}"


class TensorView(Foreign):
    """An array that a DLTensor describes, which is read once."""

    __slots__ = ("on_device", "device_type", "device")

    def __init__(self, owner: object, tensor: Any, readonly: bool = False) -> None:
        data, self.device_type, self.device, rank, code, bits, lanes, shape, strides, offset = _fields_of(tensor)
        self._owner = owner
        self.on_device = self.device_type not in HOST
        self.address = data + offset
        self.key = (
            (code, bits if lanes == 1 else 0),
            readonly,
            bytes_at(shape, 8 * rank) if rank else b"",
            bytes_at(strides, 8 * rank) if rank and strides else None,
        )

    @property
    def shape(self) -> tuple[int, ...]:
        return numbers_in(self.key[2])

    @property
    def strides(self) -> tuple[int, ...]:
        size = self.itemsize
        return row_strides(self.shape, size) if self.key[3] is None else tuple([n * size for n in numbers_in(self.key[3])])


class InterfaceView(Foreign):
    """An array that a CUDA array interface describes."""

    __slots__ = ()

    on_device = True

    def __init__(self, owner: object, element: tuple[int, int], address: int, readonly: bool, shape: tuple[int, ...], strides: Optional[tuple[int, ...]]) -> None:
        self._owner = owner
        self.address = address
        self.key = (element, readonly, shape, row_strides(shape, element[1] // 8) if strides is None else strides)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.key[2]  # type: ignore[no-any-return]

    @property
    def strides(self) -> tuple[int, ...]:
        return self.key[3]  # type: ignore[no-any-return]


# What others hold of DeviceArrays, by the address of the structure that they have.
_exported: dict[int, tuple[Any, ...]] = {}


def capsule_view(array: object, capsule: object) -> tuple[TensorView, bool]:
    """Returns where the array of a capsule lies while the capsule lives, and whether it is a
    DeviceArray's. Raises TypeError.

    The capsule is not renamed, so that its own destructor releases the array.
    """
    versioned = _capsule_name(capsule) == _VERSIONED
    pointer = _capsule_pointer(capsule, _VERSIONED if versioned else _MANAGED)
    managed: Any = ctypes.cast(pointer, POINTER(_Versioned if versioned else _Managed)).contents
    if versioned and managed.major != 1:
        raise TypeError(f"{type(array).__name__} exports DLPack {managed.major}, and 1 is understood")
    return TensorView(array, managed.tensor, versioned and bool(managed.flags & _READ_ONLY)), pointer in _exported


def api_of(kind: type) -> Optional[Api]:
    """Returns DLPack's table of functions for arrays of a type, None if the type itself has none.

    A type that inherits the table may mean another thing by it.
    """
    if kind in _apis:
        return _apis[kind]
    api = None
    capsule = kind.__dict__.get("__dlpack_c_exchange_api__")
    if capsule is not None and _is_capsule(capsule, _API):
        table = ctypes.cast(_capsule_pointer(capsule, _API), POINTER(_ExchangeAPI))
        while table and table.contents.major != 1:
            table = ctypes.cast(table.contents.previous, POINTER(_ExchangeAPI))
        if table and table.contents.tensor_of and table.contents.work_stream:
            # PyTorch's conj and imag return views whose memory has other numbers than they say.
            lazy = tuple([(getattr(kind, asked), instead) for asked, instead in (("is_conj", "resolve_conj"), ("is_neg", "resolve_neg")) if hasattr(kind, asked)])
            api = Api(_TensorOf(table.contents.tensor_of), _WorkStream(table.contents.work_stream), lazy)
    _apis[kind] = api
    return api


def _release(managed: int) -> None:
    _exported.pop(managed, None)


_deleter = _Deleter(_release)
_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.argtypes, _new_capsule.restype = [c_void_p, c_char_p, c_void_p], py_object
_is_valid = ctypes.PYFUNCTYPE(c_int, c_void_p, c_char_p)(("PyCapsule_IsValid", ctypes.pythonapi))
_pointer_of = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))


def _drop(capsule: int) -> None:
    """Releases an array that was not consumed: consumers rename the capsule."""
    for name in (_MANAGED, _VERSIONED):
        if _is_valid(capsule, name):
            _release(_pointer_of(capsule, name))


_destructor = ctypes.PYFUNCTYPE(None, c_void_p)(_drop)


def capsule_of(memory: object, place: tuple[int, int], address: int, element: str, shape: tuple[int, ...], versioned: bool) -> object:
    """Returns a capsule for __dlpack__, which refers to the memory until its consumer is done with it."""
    (code, bits), *_ = ELEMENTS.get(element, ((-1, 0),))
    if not bits:
        raise BufferError(f"DLPack has no type for {element}")
    rank = len(shape)
    sizes, steps = (c_int64 * rank)(*shape), (c_int64 * rank)(*row_strides(shape))
    managed: Any = _Versioned() if versioned else _Managed()
    if versioned:
        managed.major, managed.minor = 1, 0
    managed.tensor = Tensor(address, *place, rank, code, bits, 1, sizes, steps, 0)
    managed.deleter = _deleter
    key = ctypes.addressof(managed)
    # In one step of C, so that an interrupt finds both or none: the capsule's end releases the memory.
    name = _VERSIONED if versioned else _MANAGED
    keep = partial(_exported.__setitem__, key, (managed, sizes, steps, memory))
    made: list[Any] = []
    made.extend(map(partial.__call__, (keep, partial(_new_capsule, key, name, ctypes.cast(_destructor, c_void_p)))))
    return made[1]
