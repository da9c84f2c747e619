"""Memory: on the device, and of the host for the device; scopes and regions."""

from __future__ import annotations

import itertools
import math
import operator
import os
import sys
import threading
from contextlib import contextmanager
from typing import Any, Iterator, Optional, Sequence, Union

from .arguments import Buffer, DeviceBuffer, describe
from .calls import current_caller, invoke, run
from .library import check, take_error, use_library
from .signature import Memref, element_size, parse_type


def _on_stream(name: str, *arguments: Any) -> None:
    """Calls a function whose last parameter is a stream, and waits for it."""

    def work() -> None:
        library = use_library()
        take_error()
        stream = library.mgpuStreamCreate()
        check()
        getattr(library, name)(*arguments, stream)
        library.mgpuStreamSynchronize(stream)
        library.mgpuStreamDestroy(stream)
        check()

    run(work)


class DeviceArray:
    """An array in the memory of the thread's device, in rows: an argument for a memref.

    Its contents are not initialized. It is freed by free, at the end of a `with` block, or
    with the last reference to it.
    """

    def __init__(self, shape: Union[int, Sequence[int]], element: str) -> None:
        """Allocates. The element is a type of MLIR's: "f32". Raises Error if there is no memory."""
        self._address: Optional[int] = None
        try:
            sizes = tuple(map(operator.index, shape)) if isinstance(shape, Sequence) else (operator.index(shape),)
        except TypeError:
            sizes = (-1,)
        if any(n < 0 for n in sizes):
            raise ValueError(f"{shape!r} is no shape of an array")
        kind = parse_type(f"memref<{''.join(f'{n}x' for n in sizes)}{element}>")
        assert isinstance(kind, Memref)
        self.shape = sizes
        self.element = kind.element
        self._memref = kind
        self._pid = os.getpid()
        self.nbytes = math.prod(sizes) * element_size(kind.element)
        if self.nbytes >= 1 << 63:
            raise ValueError(f"an array of {self.nbytes} bytes fits into no memory")
        self._address = invoke("mgpuMemAlloc", self.nbytes, None, 0) or 0

    def __repr__(self) -> str:
        return f"<{self._memref.name} on a device{'' if self._address is not None else ', freed'}>"

    def buffer(self) -> DeviceBuffer:
        """Returns where it is. Raises ValueError if it was freed."""
        if self._address is None:
            raise ValueError("the device array was freed")
        return DeviceBuffer(self._address, self.element, self.shape)

    def _copy(self, array: object, up: bool) -> None:
        address = self.buffer().address

        def work() -> None:
            host = Buffer(array)
            try:
                describe(self._memref, host, written=not up)
                if self.nbytes:
                    _on_stream("mgpuMemcpy", *((address, host.address) if up else (host.address, address)), self.nbytes)
            finally:
                host.release()

        run(work)

    def upload(self, array: object) -> None:
        """Copies from an array of the host, which has the same shape and elements and lies in rows."""
        self._copy(array, True)

    def download(self, array: object) -> None:
        """Copies to an array of the host, which has the same shape and elements and lies in rows."""
        self._copy(array, False)

    def free(self) -> None:
        """Frees the memory, when all that has been submitted is done with it. Once is enough."""
        address, self._address = self._address, None
        if address and os.getpid() == self._pid:
            invoke("mgpuMemFree", address, None)

    def __enter__(self) -> DeviceArray:
        return self

    def __exit__(self, *_: object) -> None:
        self.free()

    def __del__(self) -> None:
        # By whichever thread; at exit the process takes the memory with it.
        if self._address and not sys.is_finalizing() and os.getpid() == self._pid:
            use_library().mgpuMemFree(self._address, None)


@contextmanager
def registered(array: object) -> Iterator[None]:
    """Page-locks an array's memory and lets the device reach it: `with registered(x): f(x)`.

    That is what gpu.host_register does. The array must lie densely, and can't be resized
    meanwhile. Raises Error if the driver can't.
    """
    buffer = Buffer(array)
    try:
        if not buffer.dense():
            raise ValueError("the array's elements do not lie densely")
        if buffer.nbytes:
            invoke("mgpuMemHostRegister", buffer.address, buffer.nbytes)
        try:
            yield
        finally:
            if buffer.nbytes:
                invoke("mgpuMemHostUnregister", buffer.address)
    finally:
        buffer.release()


class _Opened(threading.local):
    """On each thread, which thread made the calls when it entered the blocks that it is in."""

    def __init__(self) -> None:
        self.callers: list[Any] = []

    def enter(self) -> None:
        self.callers.append(current_caller())

    def leave(self) -> bool:
        """Reports whether the block can be closed: a call that was interrupted keeps its thread."""
        caller = self.callers.pop()
        return caller is None or not caller.given_up


class Scope:
    """Bounds the device memory of a loop: `scope = Scope()`, then `with scope: ...` in each turn.

    What a block of it allocates on the device belongs to the scope, and serves its next block:
    a loop takes no more memory than its first turn. Scopes nest, and belong to the thread that
    opened them. (mgpuxAllocCacheCreate, Begin and End.)
    """

    def __init__(self) -> None:
        self._cache: Optional[int] = invoke("mgpuxAllocCacheCreate")
        self._opened = _Opened()

    def _handle(self) -> int:
        if self._cache is None:
            raise ValueError("the scope was closed")
        return self._cache

    def __enter__(self) -> Scope:
        invoke("mgpuxAllocCacheBegin", self._handle())
        self._opened.enter()
        return self

    def __exit__(self, *_: object) -> None:
        if self._opened.leave():
            invoke("mgpuxAllocCacheEnd", self._handle())

    def statistics(self) -> dict[str, int]:
        """Returns what the scope has: blocks that are free and busy, and the bytes of both."""
        handle = self._handle()
        return {name: invoke("mgpuxAllocCacheInfo", handle, what) for what, name in enumerate(("free", "busy", "bytes"))}

    def trim(self) -> int:
        """Gives its free blocks back to the driver and returns how many bytes that were."""
        return int(invoke("mgpuxAllocCacheTrim", self._handle()))

    def close(self) -> None:
        """Ends the scope and frees its memory. Raises Error while a block of it is open. Once is enough."""
        if self._cache is not None:
            invoke("mgpuxAllocCacheDestroy", self._cache)
            self._cache = None


_keys = itertools.count(1)


class Region:
    """Records what a block submits as one graph: `region = Region()`, then `with region: ...`.

    The second time and later the recorded graph is changed where it differs, and launched.
    Results are the same as without; what can't be recorded is executed call by call, and a
    line on standard error says why (docs/graphs.md). Free in the block only what it allocates,
    and read results behind it. Keys that lowered code uses itself must be others than the one given here.
    """

    def __init__(self, key: Optional[int] = None) -> None:
        if key is None:
            key = 1 << 63 | next(_keys)
        if not 0 <= key < 1 << 64:
            raise ValueError(f"{key} is no key: 64 bits without a sign")
        self.key = key
        self.launched = False  # whether the last block became a graph
        self._opened = _Opened()

    def __enter__(self) -> Region:
        invoke("mgpuxGraphBegin", self.key)
        self._opened.enter()
        return self

    def __exit__(self, *_: object) -> None:
        if self._opened.leave():
            self.launched = bool(invoke("mgpuxGraphEnd"))

    def launch(self) -> None:
        """Executes the graph again as it was recorded last, and waits for it. Raises Error if there is none."""
        _on_stream("mgpuxGraphLaunch", self.key)

    def close(self) -> None:
        """Destroys the graph. Raises Error if there is none."""
        invoke("mgpuxGraphDestroy", self.key)


def trim() -> int:
    """Gives all free device memory back to the driver and returns how many bytes that were."""
    return int(invoke("mgpuxAllocCacheTrim", None))


def memory_snapshot(path: str | os.PathLike[str]) -> None:
    """Writes all blocks of device memory to a file, as JSON."""
    invoke("mgpuxMemorySnapshot", os.fsencode(path))
