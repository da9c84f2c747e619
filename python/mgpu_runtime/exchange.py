"""Arrays of other libraries, by DLPack and by the CUDA array interface.

PyTorch, CuPy and JAX have the first, Numba the second. Both say where an array lies, of what
type and shape it is, and which stream its contents are ready on.
"""

from __future__ import annotations

import ctypes
import operator
from ctypes import c_void_p
from typing import Any, Optional

from .arguments import Buffer, View
from .calls import chosen_device, invoke
from .counters import statistics
from .dlpack import BOOL, COMPLEX, CUDA, CUDA_MANAGED, ELEMENTS, FLOAT, HOST, INT, KIND_NAMES, ROCM, UINT, Api, InterfaceView, Tensor, TensorView, api_of, capsule_view
from .library import check, hold_errors, use_library

_TYPESTR_CODES = {"b": BOOL, "i": INT, "u": UINT, "f": FLOAT, "c": COMPLEX}


class Order:
    """Makes a function begin after the work that other libraries have submitted for its arguments."""

    __slots__ = ("given", "_asked", "_streams")

    def __init__(self, stream: object) -> None:
        """Takes the stream that the caller's work is on: a handle, an object of PyTorch's or CuPy's, or None."""
        self.given = stream is not None
        self._asked: Optional[tuple[Api, int]] = None
        self._streams: set[int] = {stream_handle(stream)} if self.given else set()

    def handle(self) -> int:
        """Returns the stream that was given."""
        return next(iter(self._streams))

    def for_dlpack(self, kind: int) -> int:
        """Returns the stream that __dlpack__ has to make an array ready on; -1 if the caller has named its stream.

        That is the default stream: one of this package's own could be lost to an interrupt.
        """
        if self.given:
            return -1
        self._streams.add(0)
        return 0 if kind == ROCM else 1  # CUDA's number of its default stream in DLPack

    def after(self, stream: int) -> None:
        """Adds the stream that an array's work is on, unless the caller has named it."""
        if not self.given:
            self._streams.add(stream)

    def ask(self, api: Api, kind: int, device: int) -> None:
        """Adds the stream that an array library works on, unless the caller has named it. Once for a call:
        the library does nothing in between."""
        if not self.given and self._asked != (api, device):
            stream = c_void_p()
            api.work_stream(kind, device, ctypes.byref(stream))
            self._streams.add(stream.value or 0)
            self._asked = (api, device)

    def wait(self) -> None:
        """Waits for all of them. Raises Error, and ValueError if one is captured."""
        if self._streams:
            library = use_library()
            hold_errors()
            for stream in self._streams:
                if library.mgpuxStreamIsCapturing(stream):
                    check()
                    raise ValueError(
                        f"the stream {stream:#x} is being captured into a graph, and lowered code waits for what it launches, "
                        "which no capture can hold: call the function before the capture or after it"
                    )
                library.mgpuStreamSynchronize(stream)
            check()


def stream_handle(stream: object) -> int:
    """Returns the handle of a stream: of an int, or an object of PyTorch's, CuPy's, Numba's. Raises TypeError."""
    handle: Any = getattr(stream, "cuda_stream", None)
    if handle is None:
        handle = getattr(stream, "ptr", stream)
    protocol = getattr(stream, "__cuda_stream__", None)
    if protocol is not None and not isinstance(handle, int):
        handle = (protocol() if callable(protocol) else protocol)[1]
    if isinstance(handle, int) and not isinstance(handle, bool) and handle >= 0:
        return handle
    raise TypeError(f"{type(stream).__name__} is not a stream: pass its handle, or an object with cuda_stream, ptr or __cuda_stream__")


# DLPack's kinds of devices that a driver reaches.
_REACHED = {"cuda": (CUDA, CUDA_MANAGED), "hip": (ROCM,), "soft": (ROCM,)}
_driver = ""


def driver() -> str:
    """Returns the name of the driver in use. Raises Error if none can be opened."""
    global _driver
    if not _driver:
        invoke("mgpuxGetDeviceCount")
        _driver = statistics()["driver"]
    return _driver


def _check_reached() -> None:
    """Refuses memory of a GPU that is not this package's own."""
    if (_driver or driver()) == "soft":
        raise TypeError("lies on a GPU, which the software GPU does not reach")


def _check_device(kind: int, device: int) -> None:
    if kind not in _REACHED.get(_driver or driver(), ()):
        name = KIND_NAMES.get(kind, f"DLPack's kind {kind}")
        raise TypeError(f"lies on device {device} of {name}, which the driver {driver()} does not reach")
    current = chosen_device()
    if current is not None and current != device:
        raise ValueError(f"lies on device {device}, and the calling thread's device is {current}: call set_device({device}) first")


# Whether a type shows its arrays by the buffer protocol, for types that were met.
_by_buffer: dict[type, bool] = {}


def _has_buffer(kind: type) -> bool:
    """Reports whether arrays of a type are the host's and have the buffer protocol."""
    known = _by_buffer.get(kind)
    if known is None:
        known = kind.__module__ in ("array", "builtins") or (kind.__module__, kind.__name__) == ("numpy", "ndarray")
        _by_buffer[kind] = known
    return known


def view_of(array: Any, held: list[Any], capsules: list[Any], order: Order) -> View:
    """Returns where an array lies. It stays there until release_buffer is called with what held
    gets, and while capsules has what it gets. Raises TypeError or ValueError."""
    kind = type(array)
    if _has_buffer(kind):
        return Buffer(array, held)
    api = api_of(kind)
    # __dlpack__ refuses arrays that need a gradient; the API does not.
    if api is not None and not getattr(array, "requires_grad", False):
        return _api_view(array, api, order)
    ask = getattr(array, "__dlpack_device__", None)
    if ask is None:
        interface = getattr(array, "__cuda_array_interface__", None)
        return Buffer(array, held) if interface is None else _cuda_array_view(array, interface, order)
    where, number = map(int, ask())
    if where in HOST:
        try:
            return Buffer(array, held)  # faster, and numpy exports no read-only arrays by DLPack
        except TypeError as refused:
            try:
                return _dlpack_view(array, {}, capsules)
            except TypeError:
                if "a bytes-like object is required" in str(refused):  # no buffer protocol
                    raise
            raise
    _check_device(where, number)
    return _dlpack_view(array, {"stream": order.for_dlpack(where)}, capsules)


def _dlpack_view(array: Any, wanted: dict[str, Any], capsules: list[Any]) -> View:
    try:
        try:
            capsule = array.__dlpack__(**wanted, max_version=(1, 0))
        except TypeError:  # from before DLPack 1.0
            capsule = array.__dlpack__(**wanted)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise TypeError(f"{type(array).__name__} can't be exchanged: {error}") from None
    capsules.append(capsule)
    view, own = capsule_view(array, capsule)
    if view.on_device and not own:
        _check_reached()
    return view


def _api_view(array: object, api: Api, order: Order) -> View:
    """Returns where an array lies, by functions of C: some microseconds less than __dlpack__ takes."""
    tensor = Tensor()
    try:
        api.tensor_of(array, ctypes.byref(tensor))
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise TypeError(f"{type(array).__name__} can't be exchanged: {error}") from None
    for asked, instead in api.lazy:
        if asked(array):
            raise TypeError(f"{type(array).__name__} is a view that changes what it reads: pass what {instead}() returns")
    view = TensorView(array, tensor)
    if view.on_device:
        _check_device(view.device_type, view.device)
        _check_reached()
        order.ask(api, view.device_type, view.device)
    return view


def _cuda_array_view(array: Any, interface: Any, order: Order) -> View:
    name = type(array).__name__
    if driver() not in ("cuda", "hip"):
        raise TypeError(f"{name} lies on a GPU, which the driver {driver()} does not reach")
    try:
        if interface.get("mask") is not None:
            raise TypeError("it has a mask, which a memref can't")
        order_of_bytes, code, size = interface["typestr"][0], interface["typestr"][1], int(interface["typestr"][2:])
        element = (_TYPESTR_CODES.get(code, -1), 8 * size if order_of_bytes != ">" else 0)
        address, readonly = interface["data"]
        shape = tuple(map(operator.index, interface["shape"]))
        strides = interface.get("strides")
        if strides is not None:
            strides = tuple(map(operator.index, strides))
            if len(strides) != len(shape):
                raise ValueError(f"{len(strides)} strides for {len(shape)} dimensions")
        view = InterfaceView(array, element, operator.index(address or 0), bool(readonly), shape, strides)
        if interface.get("stream") is not None:  # None: nothing to wait for
            order.after(stream_handle(interface["stream"]))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise TypeError(f"{name}'s __cuda_array_interface__ can't be used: {error!r}") from None
    return view


def place_of(device: Optional[int]) -> tuple[int, int]:
    """Returns DLPack's kind and number of a device of the driver in use. Raises BufferError."""
    kinds = _REACHED.get(driver())
    if not kinds:
        raise BufferError(f"DLPack has no kind of device for the driver {driver()}")
    if device is None:
        raise BufferError("MGPU_DEVICE=rank chose the device: call set_device before the array is made")
    return kinds[0], device


def interface_of(address: int, element: str, shape: tuple[int, ...]) -> dict[str, Any]:
    """Returns __cuda_array_interface__ for an array in rows. Raises AttributeError."""
    if driver() not in ("cuda", "hip"):
        raise AttributeError(f"the driver {driver()} has no __cuda_array_interface__")
    (code, bits), *_ = ELEMENTS.get(element, ((-1, 0),))
    letter = next((letter for letter, number in _TYPESTR_CODES.items() if number == code), None)
    if letter is None:
        raise AttributeError(f"__cuda_array_interface__ has no type for {element}: use DLPack")
    # No stream: every call of this package has waited for its work.
    return {"shape": shape, "typestr": f"{'|' if bits == 8 else '<'}{letter}{bits // 8}", "data": (address, False), "strides": None, "stream": None, "version": 3}
