"""Memory: on the device, and of the host for the device; scopes and regions."""

from __future__ import annotations

import atexit
import itertools
import math
import operator
import os
import sys
import threading
import time
import weakref
from collections import deque
from functools import partial
from itertools import chain, repeat
from typing import Any, Callable, Optional, Sequence, Union

from .arguments import Buffer, DeviceView, View, check as check_array, release_buffer
from .blocks import Block, Manager, innermost, settle
from .calls import chosen_device, invoke, run
from .dlpack import capsule_of
from .exchange import Order, interface_of, place_of, view_of
from .library import Call, Error, in_one_step, raised_errors, show, use_library, without_nul
from .signature import Memref, element_size, parse_type


def on_stream(function: Union[str, Callable[..., Any]], *arguments: Any, at: int = -1) -> None:
    """Calls a function with a stream, and waits for that. The stream comes after the other arguments, or
    before them where at is 0. Raises Error."""

    def work() -> None:
        library = use_library()
        called = getattr(library, function) if isinstance(function, str) else function
        create = Call("mgpuStreamCreate")
        destroy: Optional[Call] = None
        try:
            stream = create()
            # In one step: the arguments may be gone in the next one, if it is an interrupt's.
            destroy = Call("mgpuStreamDestroy", stream)
            passed = (stream, *arguments) if at == 0 else (*arguments, stream)
            destroy.before = (partial(called, *passed), partial(library.mgpuStreamSynchronize, stream))
            destroy()
        finally:
            if create.result() and (destroy is None or not destroy.made()):
                library.mgpuStreamDestroy(create.result())

    run(work)


class _Holders:
    """The memory and the registrations that a call under way uses."""

    __slots__ = ("release", "_holders", "_call", "_sets")

    def __init__(self, arrays: list[Any]) -> None:
        self._holders: list[Any] = []
        self._call = object()
        self._sets: list[set[object]] = []
        self.release: partial[Any] = partial(deque, chain(map(set.discard, self._sets, repeat(self._call)), map(release_buffer, arrays)), 0)

    def add(self, holder: Any) -> None:
        self._holders.append(holder)
        self._sets.append(holder.uses)
        holder.uses.add(self._call)

    def finish(self) -> None:
        for holder in self._holders:
            holder.released()
        self._holders.clear()


class Uses:
    """What a call under way uses. It is given back when the call has returned, by the call's
    thread, even if the caller has been interrupted and has continued.

    release ends the use, in one step, to come first after the call. finish then gives back what
    others have left meanwhile.
    """

    __slots__ = ("arrays", "capsules", "release", "_holders")

    def __init__(self) -> None:
        self.arrays: list[Any] = []  # of the host, held by Buffer
        self.capsules: list[Any] = []  # of DLPack
        self.release: Callable[[], object] = partial(deque, map(release_buffer, self.arrays), 0)
        self._holders: Optional[_Holders] = None

    def hold(self, holder: Any) -> None:
        """Keeps the memory of a _Memory or a _Registration alive."""
        if self._holders is None:
            self._holders = _Holders(self.arrays)
            self.release = self._holders.release
        self._holders.add(holder)

    def view(self, array: object, order: Order) -> View:
        """Returns where an array of any kind lies, and keeps it there. Raises TypeError or ValueError."""
        if isinstance(array, DeviceArray):
            return array.view(self)
        view = view_of(array, self.arrays, self.capsules, order)
        if _registrations and not view.on_device:
            for registration in tuple(_registrations):
                if registration.overlaps(view):
                    self.hold(registration)
        return view

    def finish(self) -> None:
        if self.capsules:
            self.capsules.clear()
        if self._holders is not None:
            self._holders.finish()


# By number, what frees the memory that nothing refers to any more. At exit the process takes the
# memory with it, and a child of fork has none.
_live: dict[int, weakref.ref[_Memory]] = {}
_numbers = itertools.count()
atexit.register(_live.clear)
os.register_at_fork(after_in_child=_live.clear)


def _free_when_collected(memory: _Memory, allocation: Call) -> None:
    """Has memory freed with the last reference to it, by whichever thread drops that.

    __del__ would lose the memory, and the interrupt, where one is raised in it. So this is made
    of functions of C alone.
    """
    number = next(_numbers)
    freeing = map(use_library().mgpuMemFree, allocation.results(), repeat(None))
    called: Any = partial.__call__
    steps = map(called, (partial(next, freeing, None), partial(_live.pop, number, None)))
    _live[number] = weakref.ref(memory, partial(next, map(deque, (steps,), (0,))))  # next ignores a weakref as it does a default


class _Memory:
    """Device memory, freed when nothing refers to it any more."""

    def __init__(self, nbytes: int) -> None:
        self.uses: set[object] = set()
        self._call = Call("mgpuMemAlloc", nbytes, None, 0)
        self.allocate()

    def allocate(self) -> None:
        _free_when_collected(self, self._call)
        self._call()

    def address(self) -> int:
        """Returns where it is, 0 for no bytes. Raises ValueError if it was freed."""
        return self._call.result() or 0

    def freed(self) -> bool:
        return False

    def released(self) -> None:
        """Called when a call that used it has returned."""


class _ScopeMemory(_Memory):
    """Device memory that was allocated in a block of a scope. At the block's end it is the
    scope's to give out again, even if it is still referenced."""

    def __init__(self, nbytes: int, block: _ScopeBlock) -> None:
        self._block = block
        super().__init__(nbytes)

    def allocate(self) -> None:
        self._block.allocations[id(self)] = (self._call, self.uses)
        self._call()

    def address(self) -> int:
        if self.freed():
            raise ValueError("the device array was freed: the block of the scope in which it was made has ended")
        return super().address()

    def freed(self) -> bool:
        return self._block.ended

    def __del__(self) -> None:
        # If an interrupt prevents the free here, the end of the block makes it.
        if self._block.pid == os.getpid() and not sys.is_finalizing():
            self._block.free(id(self))


def _allocate(nbytes: int) -> _Memory:
    """Allocates device memory, in the scope that is open. Raises Error."""
    block = innermost(_ScopeBlock)
    return _Memory(nbytes) if block is None else _ScopeMemory(nbytes, block)


class DeviceArray:
    """An array in the memory of the thread's device, in rows: an argument for a memref.

    Its contents are not initialized. It is freed by free, at the end of a `with` block, with the
    last reference to it, or at the end of the scope's block in which it was made. A call under
    way, interrupted or another thread's, keeps the memory until it returns.
    """

    def __init__(self, shape: Union[int, Sequence[int]], element: str) -> None:
        """Allocates. The element is a type of MLIR's: "f32". Raises Error if there is no memory."""
        self._memory: Optional[_Memory] = None
        try:
            sizes = tuple(map(operator.index, shape)) if isinstance(shape, Sequence) else (operator.index(shape),)
        except TypeError:
            sizes = (-1,)
        if any(n < 0 for n in sizes):
            raise ValueError(f"{shape!r} is not the shape of an array")
        kind = parse_type(f"memref<{''.join(f'{n}x' for n in sizes)}{element}>")
        assert isinstance(kind, Memref)
        self.shape = sizes
        self.element = kind.element
        self._memref = kind
        self.nbytes = math.prod(sizes) * element_size(kind.element)
        if self.nbytes >= 1 << 63:
            raise ValueError(f"an array of {self.nbytes} bytes fits into no memory")
        self.device = chosen_device()
        self._memory = run(lambda: _allocate(self.nbytes))

    def __repr__(self) -> str:
        return f"<{self._memref.name} on a device{', freed' if self._memory is None or self._memory.freed() else ''}>"

    def _held(self) -> _Memory:
        if self._memory is None:
            raise ValueError("the device array was freed")
        return self._memory

    def view(self, uses: Uses) -> DeviceView:
        """Returns where it is, and keeps it there for a call. Raises ValueError if it was freed."""
        memory = self._held()
        uses.hold(memory)
        return DeviceView(memory.address(), self.element, self.shape)

    def __dlpack_device__(self) -> tuple[int, int]:
        """Returns DLPack's kind and number of the device. Raises BufferError where DLPack has none."""
        return run(lambda: place_of(self.device))

    def __dlpack__(
        self,
        *,
        stream: object = None,
        max_version: Optional[tuple[int, int]] = None,
        dl_device: Optional[tuple[int, int]] = None,
        copy: Optional[bool] = None,
    ) -> object:
        """Shares the memory with another library, which keeps it as long as it refers to it.

        The contents are ready: every call of this package waits for what it submits. So stream
        means nothing. Raises BufferError for what can't be shared, ValueError after free.
        """
        place = self.__dlpack_device__()
        if dl_device is not None and tuple(dl_device) != place:
            raise BufferError(f"the array lies on DLPack's device {place}, not on {tuple(dl_device)}: download it")
        if copy:
            raise BufferError("a copy was asked for: make another DeviceArray, and upload")
        memory = self._held()
        if isinstance(memory, _ScopeMemory):
            raise BufferError("the array was made in a scope's block, whose end frees it: make it outside")
        return capsule_of(memory, place, memory.address(), self.element, self.shape, max_version is not None and max_version[0] >= 1)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The CUDA array interface, version 3. Raises AttributeError on the software GPU."""
        return run(lambda: interface_of(self._held().address(), self.element, self.shape))

    def _copy(self, array: object, up: bool, stream: object) -> None:
        def work() -> None:
            uses, order = Uses(), Order(stream)
            try:
                other = uses.view(array, order)
                address = self.view(uses).address
                check_array(self._memref, other, written=not up).descriptor(other.address)
                order.wait()
                if self.nbytes:
                    on_stream("mgpuMemcpy", *((address, other.address) if up else (other.address, address)), self.nbytes)
            finally:
                uses.release()
                uses.finish()

        run(work)

    def upload(self, array: object, stream: object = None) -> None:
        """Copies from an array of the same shape and elements, which lies in rows; stream as a Function has it."""
        self._copy(array, True, stream)

    def download(self, array: object, stream: object = None) -> None:
        """Copies to an array of the same shape and elements, which lies in rows; stream as a Function has it."""
        self._copy(array, False, stream)

    def free(self) -> None:
        """Frees the memory, when calls under way and all that has been submitted are done with it. Once is enough."""
        memory, self._memory = self._memory, None
        if memory is None:
            return
        references = [memory]
        del memory

        def work() -> None:
            with raised_errors():
                references.clear()

        run(work)

    def __enter__(self) -> DeviceArray:
        return self

    def __exit__(self, *_: object) -> None:
        self.free()


_registrations: list[_Registration] = []


class _Registration(Block):
    """Page-locked memory of an array. It stays that while its block is open, or a call uses it."""

    bound = False

    def __init__(self, array: object) -> None:
        super().__init__(None)
        self.uses: set[object] = set()
        self._array = array
        self._extent = (0, 0)  # in memory
        self._held: list[Any] = []
        self._lock = threading.RLock()

    def overlaps(self, view: View) -> bool:
        """Reports whether it has bytes of an array."""
        first, end = view.extent()
        return first < self._extent[1] and self._extent[0] < end

    def open(self) -> None:
        _registrations.append(self)
        uses = Uses()
        try:
            uses.hold(self)
            if self.left:
                return
            buffer = Buffer(self._array, self._held)
            if not buffer.dense():
                raise ValueError("the array's elements do not lie densely")
            self._extent = buffer.extent()
            if buffer.nbytes:
                self.opening = Call("mgpuMemHostRegister", buffer.address, buffer.nbytes)
            super().open()
        finally:
            uses.release()
            uses.finish()

    def ending(self) -> Call:
        return Call("mgpuMemHostUnregister", self._extent[0])

    def end(self) -> None:
        with self._lock:
            if not self.uses:  # else the last one ends it
                try:
                    super().end()
                finally:
                    in_one_step(*(partial(release_buffer, held) for held in self._held))
                    if self in _registrations:
                        _registrations.remove(self)

    def released(self) -> None:
        """Called when a call that used it has returned."""
        if self.over():
            try:
                self.end()
            except Error as error:
                show(error)  # it is not the failure of the call


class _Registered(Manager):
    def __init__(self, array: object) -> None:
        super().__init__()
        self._array = array

    def block(self) -> Block:
        for registration in tuple(_registrations):
            registration.released()  # what an interrupt has kept from it
        return _Registration(self._array)

    def __enter__(self) -> None:
        self.enter()


def registered(array: object) -> _Registered:
    """Page-locks an array's memory and lets the device reach it: `with registered(x): f(x)`.

    That is what gpu.host_register does. The array must lie densely, and can't be resized
    meanwhile. A call with the array that was interrupted keeps it registered until it returns.
    Raises Error if the driver can't.
    """
    return _Registered(array)


class _ScopeBlock(Block):
    """A turn of a scope, and the arrays that were made in it."""

    nested = True

    def __init__(self, cache: int) -> None:
        super().__init__(Call("mgpuxAllocCacheBegin", cache))
        self.allocations: dict[int, tuple[Call, set[object]]] = {}  # and which calls use them
        self.ended = False
        self._cache = cache
        self._lock = threading.RLock()

    def free(self, key: int) -> None:
        """Frees memory of the block, unless the block's end does."""
        with self._lock:
            if not self.ended and key in self.allocations:
                address = self.allocations[key][0].result()
                in_one_step(partial(self.allocations.pop, key), partial(use_library().mgpuMemFree, address, None))

    def ending(self) -> Call:
        self.ended = True
        # Of other threads, and interrupted ones: they may submit more work.
        while any(uses for _, uses in tuple(self.allocations.values())):
            time.sleep(0.001)
        end = Call("mgpuxAllocCacheEnd", self._cache)
        with self._lock:  # another thread may be in free
            # What the library keeps no memory for is not the scope's to free.
            memory = [allocation.result() for allocation, _ in self.allocations.values()]
            end.before = tuple(partial(use_library().mgpuMemFree, address, None) for address in memory if address)
        return end


class Scope(Manager):
    """Bounds the device memory of a loop: `scope = Scope()`, then `with scope: ...` in each turn.

    What a block of it allocates on the device belongs to the scope, and serves its next block:
    a loop takes no more memory than its first turn. That goes for arrays too: a DeviceArray that
    was made in a block is freed when the block ends, and can't be used after it; the end waits
    for calls of other threads that use it. Scopes nest, and belong to the thread that opened
    them. (mgpuxAllocCacheCreate, Begin and End.)
    """

    def __init__(self) -> None:
        super().__init__()
        self._cache: Optional[int] = invoke("mgpuxAllocCacheCreate")

    def _handle(self) -> int:
        if self._cache is None:
            raise ValueError("the scope was closed")
        return self._cache

    def block(self) -> Block:
        return _ScopeBlock(self._handle())

    def __enter__(self) -> Scope:
        self.enter()
        return self

    def statistics(self) -> dict[str, int]:
        """Returns the scope's numbers: free blocks, busy blocks, and the bytes of both."""
        handle = self._handle()
        return {name: invoke("mgpuxAllocCacheInfo", handle, what) for what, name in enumerate(("free", "busy", "bytes"))}

    def trim(self) -> int:
        """Gives its free blocks back to the driver and returns how many bytes that were."""
        return int(invoke("mgpuxAllocCacheTrim", self._handle()))

    def close(self) -> None:
        """Ends the scope and frees its memory. Raises Error while a block of it is open. Once is enough."""
        if self._cache is not None:
            run(settle)
            invoke("mgpuxAllocCacheDestroy", self._cache)
            self._cache = None


_keys = itertools.count(1)


class _RegionBlock(Block):
    def __init__(self, key: int) -> None:
        super().__init__(Call("mgpuxGraphBegin", key))

    def ending(self) -> Call:
        return Call("mgpuxGraphEnd")


class Region(Manager):
    """Records the work that a block submits as one graph: `region = Region()`, then `with region: ...`.

    The second time and later the recorded graph is changed where it differs, and launched.
    Results are the same as without; what can't be recorded is executed call by call, and a
    line on standard error says why (docs/graphs.md). Free in the block only what it allocates,
    and read results after it. Lowered code must use other keys than the one given here.
    """

    def __init__(self, key: Optional[int] = None) -> None:
        super().__init__()
        if key is None:
            key = 1 << 63 | next(_keys)
        if not 0 <= key < 1 << 64:
            raise ValueError(f"{key} is not a key: expected an unsigned 64-bit integer")
        self.key = key
        self.launched = False  # whether the last block became a graph

    def block(self) -> Block:
        return _RegionBlock(self.key)

    def __enter__(self) -> Region:
        self.enter()
        return self

    def left(self, block: Block) -> None:
        if block.closing is not None and block.closing.succeeded():
            self.launched = bool(block.closing.result())

    def launch(self) -> None:
        """Executes the graph again as it was recorded last, and waits for it. Raises Error if there is none."""
        on_stream("mgpuxGraphLaunch", self.key)

    def close(self) -> None:
        """Destroys the graph. Raises Error if there is none."""
        invoke("mgpuxGraphDestroy", self.key)


def trim() -> int:
    """Gives all free device memory back to the driver and returns how many bytes that were."""
    return int(invoke("mgpuxAllocCacheTrim", None))


def memory_snapshot(path: str | os.PathLike[str]) -> None:
    """Writes all blocks of device memory to a file, as JSON."""
    name = os.fsencode(path)
    without_nul(name)
    invoke("mgpuxMemorySnapshot", name)
