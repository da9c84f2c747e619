"""Calls: how this package calls what may fail or take long.

A call goes to the library on the thread that makes it. Within `interruptible` the main
thread's calls are made by another thread, while the main thread waits for signals too.
"""

from __future__ import annotations

import os
import queue
import threading
from types import TracebackType
from typing import Any, Callable, Optional, TypeVar

from .library import check, take_error, use_library

T = TypeVar("T")

_local = threading.local()  # device: what set_device chose; caller: of the interruptible block


class _Task:
    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work
        self.result: Any = None
        self.error: Optional[BaseException] = None
        self.done = threading.Lock()
        self.done.acquire()


class _Caller:
    """A thread that makes another thread's calls, one after the other."""

    def __init__(self, device: Optional[int]) -> None:
        self.device = device
        self.given_up = False
        self.tasks: queue.SimpleQueue[Optional[_Task]] = queue.SimpleQueue()
        # A daemon: the process may end while a kernel of it runs.
        self.thread = threading.Thread(target=self._serve, name="mgpu-calls", daemon=True)
        self.thread.start()

    def _serve(self) -> None:
        _local.device = self.device
        if self.device is not None:
            use_library().mgpuSetDefaultDevice(self.device)
        while True:
            task = self.tasks.get()
            if task is None:
                return
            try:
                task.result = task.work()
            except BaseException as error:
                task.error = error
            task.done.release()
            del task  # holds the arguments, until here

    def run(self, work: Callable[[], T]) -> T:
        task = _Task(work)
        try:
            self.tasks.put(task)
            task.done.acquire()  # which signals interrupt
        except BaseException:
            self.end()
            raise
        if task.error is not None:
            try:
                raise task.error
            finally:
                del task  # else the error's traceback and the task hold each other
        return task.result  # type: ignore[no-any-return]

    def end(self) -> None:
        """Lets the thread end when it has nothing more to do."""
        self.given_up = True
        self.tasks.put(None)


class interruptible:
    """Lets signals through to Python while a call runs: `with interruptible(): ...`.

    Python notes Ctrl-C, and acts on it when the call in progress has returned. Within the
    block the main thread's calls of this package are made by a thread of the block's own, with
    the same device, so Python's handlers run at once; KeyboardInterrupt, or what else a handler
    raises, leaves the call. No driver can stop a kernel: an interrupted call goes on, keeps its
    arrays, and still writes them. Its thread takes scopes and regions that are open with it.

    In other threads, which get no signals, and inside another block it does nothing. A call
    costs some 20 us more. Calls of the library by other ways than this package are not covered.
    """

    def __init__(self) -> None:
        self._outermost = False
        self._pid = 0

    def __enter__(self) -> interruptible:
        if threading.current_thread() is threading.main_thread() and getattr(_local, "block", None) is None:
            self._outermost = True
            self._pid = os.getpid()
            self._device: Optional[int] = getattr(_local, "device", None)
            _local.block = self
            _local.caller = None
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        if not self._outermost:
            return
        self._outermost = False
        caller: Optional[_Caller] = _local.caller
        _local.block = _local.caller = None
        if os.getpid() != self._pid:
            return  # a child of fork, which has no such thread
        if caller is not None and not caller.given_up:
            caller.end()
            caller.thread.join()
        device: Optional[int] = getattr(_local, "device", None)
        if device is not None and device != self._device:
            use_library().mgpuSetDefaultDevice(device)


def current_caller() -> Optional[_Caller]:
    """Returns the thread that makes this thread's calls now, None if that does it by itself."""
    block: Optional[interruptible] = getattr(_local, "block", None)
    if block is None or os.getpid() != block._pid:
        return None
    caller: Optional[_Caller] = _local.caller
    if caller is None or caller.given_up:
        caller = _local.caller = _Caller(getattr(_local, "device", None))
    return caller


def run(work: Callable[[], T]) -> T:
    """Does the work on the thread that makes this thread's calls."""
    caller = current_caller()
    return work() if caller is None else caller.run(work)


def invoke(name: str, *arguments: Any) -> Any:
    """Calls a function of the library and returns its result, or raises its Error.

    What failed before, in calls that others made on the thread, has been printed and is dropped.
    """

    def work() -> Any:
        function = getattr(use_library(), name)
        take_error()
        result = function(*arguments)
        check()
        return result

    return run(work)


def device_count() -> int:
    """Returns how many devices there are. Raises Error if no driver can be opened."""
    return int(invoke("mgpuxGetDeviceCount"))


def set_device(device: int) -> None:
    """Makes a device, counted from 0, the calling thread's. Raises Error if there is no such device."""
    if not -(1 << 31) <= device < 1 << 31:
        raise ValueError(f"{device} is no number of a device")
    invoke("mgpuSetDefaultDevice", device)
    _local.device = device
