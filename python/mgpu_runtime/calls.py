"""Calls of functions that may fail or take long.

A call goes to the library on the thread that makes it. Within `interruptible` the main
thread's calls are made by another thread, while the main thread waits for signals too.
"""

from __future__ import annotations

import os
import queue
import threading
from contextlib import contextmanager
from typing import Any, Callable, Iterator, Optional, TypeVar

from .library import Call, Error, show, use_library

T = TypeVar("T")


class _Thread(threading.local):
    device: Optional[int] = None  # chosen by set_device
    block: Optional[_Block] = None  # the interruptible one


_local = _Thread()
_setting = os.environ.get("MGPU_DEVICE", "").strip() or "0"
_first_device = int(_setting) if _setting.isdigit() else None  # of every thread


# After how many seconds of a call Python looks for a signal that has not ended its wait. A signal
# doesn't if its handler in C runs on another thread, or between Python's last look and the wait.
LATEST = 0.1


class _Task:
    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work
        self.result: Any = None
        self.error: Optional[BaseException] = None
        self.given_up = False
        self.done = threading.Lock()
        self.done.acquire()

    def tell(self) -> None:
        """Prints the failure of a call whose caller was interrupted."""
        error, self.error = self.error, None
        if isinstance(error, Error):
            show(error)


_at_thread_end: list[Callable[[], None]] = []


def on_thread_end(work: Callable[[], None]) -> None:
    """Has each thread that makes another thread's calls do the work before it ends."""
    _at_thread_end.append(work)


def _serve(tasks: queue.SimpleQueue[Optional[_Task]], device: Optional[int]) -> None:
    """Makes the calls of a queue, until it gives None."""
    _local.device = device
    if device is not None:
        use_library().mgpuSetDefaultDevice(device)
    while (task := tasks.get()) is not None:
        try:
            task.result = task.work()
        except BaseException as error:
            task.error = error
        task.done.release()
        if task.given_up:
            task.tell()
        del task  # holds the arguments, until here
    for work in _at_thread_end:
        work()


class _Caller:
    """A thread that makes another thread's calls, one after the other."""

    def __init__(self, device: Optional[int]) -> None:
        self.busy = False  # then it is a signal handler that wants to call
        self.given_up = False
        self.tasks: queue.SimpleQueue[Optional[_Task]] = queue.SimpleQueue()
        # A daemon: the process may end while a kernel of it runs.
        self.thread = threading.Thread(target=_serve, args=(self.tasks, device), name="mgpu-calls", daemon=True)
        self.thread.start()

    def __del__(self) -> None:
        if hasattr(self, "tasks"):
            self.tasks.put(None)  # an interrupt may have come before anyone could end it

    def run(self, work: Callable[[], T]) -> T:
        task = _Task(work)
        try:
            self.busy = True
            self.tasks.put(task)
            while not task.done.acquire(timeout=LATEST):  # which signals interrupt
                pass
            self.busy = False
        except BaseException:
            self.end()
            task.given_up = True
            if task.done.acquire(blocking=False):
                task.tell()
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


class _Block:
    """An interruptible block of the main thread, and the thread that makes its calls."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self.device = _local.device
        self.caller: Optional[_Caller] = None

    def close(self) -> None:
        if os.getpid() != self.pid:
            return  # a child of fork, which has no such thread
        if self.caller is not None and not self.caller.given_up:
            self.caller.end()
            self.caller.thread.join()
        device = _local.device
        if device is not None and device != self.device:
            use_library().mgpuSetDefaultDevice(device)


def _block() -> Optional[_Block]:
    block = _local.block
    return block if block is not None and block.pid == os.getpid() else None


@contextmanager
def interruptible() -> Iterator[None]:
    """Lets signals through to Python while a call runs: `with interruptible(): ...`.

    Python notes Ctrl-C, and acts on it when the call in progress has returned. Within the
    block the main thread's calls of this package are made by a thread of the block's own, with
    the same device, so Python's handlers run at once; KeyboardInterrupt, or what else a handler
    raises, leaves the call. No driver can stop a kernel: an interrupted call goes on, keeps its
    arrays, and still writes them. Scopes and regions that were entered in the block, and arrays
    that it uses, are closed and freed when it has returned.

    In other threads, which get no signals, and inside another block it does nothing. A call
    costs some tens of microseconds more. Calls of the library by other ways than this package,
    and those that a handler makes, are made directly.
    """
    if threading.current_thread() is not threading.main_thread() or _block() is not None:
        yield
        return
    block = _Block()
    try:
        _local.block = block
        yield
    finally:
        _local.block = None
        block.close()


def current_caller() -> Optional[_Caller]:
    """Returns the thread that makes this thread's calls now, None if that does it by itself."""
    if _local.block is None:
        return None
    block = _block()
    if block is None:
        return None
    if block.caller is None or block.caller.given_up:
        block.caller = _Caller(_local.device)
    return None if block.caller.busy else block.caller


def run(work: Callable[[], T]) -> T:
    """Does the work on the thread that makes this thread's calls."""
    caller = current_caller()
    return work() if caller is None else caller.run(work)


def invoke(name: str, *arguments: Any) -> Any:
    """Calls a function of the library and returns its result, or raises its Error.

    What failed before, in calls that others made on the thread, has been printed and is dropped.
    """

    return run(Call(name, *arguments))


def chosen_device() -> Optional[int]:
    """Returns the calling thread's device; None if a rank decides it and set_device was not called."""
    device = _local.device
    return _first_device if device is None else device


def device_count() -> int:
    """Returns how many devices there are. Raises Error if no driver can be opened."""
    return int(invoke("mgpuxGetDeviceCount"))


def set_device(device: int) -> None:
    """Makes a device, counted from 0, the calling thread's. Raises Error if there is no such device."""
    if not -(1 << 31) <= device < 1 << 31:
        raise ValueError(f"{device} is not the number of a device")
    invoke("mgpuSetDefaultDevice", device)
    _local.device = device
