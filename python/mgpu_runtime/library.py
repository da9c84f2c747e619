"""The library: its path, its functions and their errors."""

from __future__ import annotations

import ctypes
import enum
import os
import sys
import threading
from collections import deque
from contextlib import contextmanager
from ctypes import POINTER, c_char_p, c_int32, c_size_t, c_ssize_t, c_uint64, c_void_p
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Iterator, Optional, Sequence

_NAME = "libmlir_rocm_runtime.so"

# The functions that this package calls: the type of the result, and of each parameter.
_PROTOTYPES: dict[str, tuple[Any, ...]] = {
    "mgpuLaunchKernel": (None, c_void_p, *[c_ssize_t] * 6, c_int32, c_void_p, c_void_p, c_void_p, c_size_t),
    "mgpuMemAlloc": (c_void_p, c_uint64, c_void_p, ctypes.c_uint8),
    "mgpuMemFree": (None, c_void_p, c_void_p),
    "mgpuMemcpy": (None, c_void_p, c_void_p, c_size_t, c_void_p),
    "mgpuMemHostRegister": (None, c_void_p, c_uint64),
    "mgpuMemHostUnregister": (None, c_void_p),
    "mgpuModuleGetFunction": (c_void_p, c_void_p, c_char_p),
    "mgpuModuleLoad": (c_void_p, c_void_p, c_size_t),
    "mgpuModuleUnload": (None, c_void_p),
    "mgpuSetDefaultDevice": (None, c_int32),
    "mgpuStreamCreate": (c_void_p,),
    "mgpuStreamDestroy": (None, c_void_p),
    "mgpuStreamSynchronize": (None, c_void_p),
    "mgpuxAllocCacheBegin": (None, c_void_p),
    "mgpuxAllocCacheCreate": (c_void_p,),
    "mgpuxAllocCacheDestroy": (None, c_void_p),
    "mgpuxAllocCacheEnd": (None, c_void_p),
    "mgpuxAllocCacheInfo": (c_uint64, c_void_p, c_int32),
    "mgpuxAllocCacheTrim": (c_uint64, c_void_p),
    "mgpuxGetDeviceCount": (c_int32,),
    "mgpuxGetFunctionStats": (c_size_t, c_size_t, c_void_p, c_size_t),
    "mgpuxGetKernelArgument": (c_size_t, c_void_p, c_char_p, c_size_t, c_void_p, c_size_t),
    "mgpuxGetMemoryStats": (c_size_t, c_int32, c_void_p, c_size_t),
    "mgpuxGetRefusal": (c_size_t, c_size_t, c_void_p, c_size_t),
    "mgpuxGetStats": (c_size_t, c_void_p, c_size_t),
    "mgpuxGraphBegin": (c_int32, c_uint64),
    "mgpuxGraphDestroy": (None, c_uint64),
    "mgpuxGraphEnd": (c_int32,),
    "mgpuxGraphLaunch": (None, c_uint64, c_void_p),
    "mgpuxHoldErrors": (None,),
    "mgpuxMemorySnapshot": (c_int32, c_char_p),
    "mgpuxStreamIsCapturing": (c_int32, c_void_p),
    "mgpuxTakeError": (c_int32, c_char_p, c_size_t),
    "mgpuxVersion": (c_char_p,),
}


class Status(enum.IntEnum):
    """Kinds of failures: `enum mgpux_status` of the C header."""

    OK = 0
    UNKNOWN_ERROR = 1
    INVALID_VALUE = 2
    INVALID_HANDLE = 3
    INVALID_DEVICE = 4
    INVALID_IMAGE = 5
    WRONG_ARCH = 6
    NOT_FOUND = 7
    NOT_SUPPORTED = 8
    NOT_READY = 9
    OUT_OF_MEMORY = 10
    NO_DEVICE = 11
    LAUNCH_FAILURE = 12


class Error(RuntimeError):
    """A failure of the library. The text has the library's line, and those of the failures that followed from it in the same call."""

    __module__ = "mgpu_runtime"

    status: Status

    def __init__(self, status: int, text: str) -> None:
        super().__init__(status, text)
        try:
            self.status = Status(status)
        except ValueError:  # a kind that a later library has added
            self.status = Status.UNKNOWN_ERROR

    def __str__(self) -> str:
        return str(self.args[1])


class _DlInfo(ctypes.Structure):
    _fields_ = [
        ("file", c_char_p),
        ("base", c_void_p),
        ("name", c_char_p),
        ("address", c_void_p),
    ]


_lock = threading.Lock()
_library: Optional[ctypes.CDLL] = None
# Called without releasing Python's lock.
_take: Any = None  # mgpuxTakeError
_hold: Any = None  # mgpuxHoldErrors


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()  # another thread of the parent may have held it


os.register_at_fork(after_in_child=_after_fork)


def _address(function: Any) -> int:
    return ctypes.cast(function, c_void_p).value or 0


def _file_of(function: Any) -> str:
    """Returns the path of the shared library that has a function."""
    process = ctypes.CDLL(None)
    process.dladdr.argtypes = [c_void_p, POINTER(_DlInfo)]
    info = _DlInfo()
    if not process.dladdr(_address(function), ctypes.byref(info)) or info.file is None:
        return "?"
    return os.path.realpath(os.fsdecode(info.file))


def _candidates() -> list[str]:
    package = Path(__file__).resolve().parent
    beside = package / _NAME
    built = package.parent.parent / "build" / _NAME
    return [str(p) for p in (beside, built) if p.exists()] + [_NAME]


def _open(path: Optional[str]) -> ctypes.CDLL:
    process = ctypes.CDLL(None)
    if hasattr(process, "mgpuModuleLoad"):
        # Preloaded, or opened by other code: programs call this one whichever file is opened here.
        found = _file_of(process.mgpuModuleLoad)
        if not hasattr(process, "mgpuxTakeError"):
            raise OSError(f"{found} is in this process already, and is another runtime than this package's")
        if path is not None and os.path.realpath(path) != found:
            raise OSError(f"{path} can't be used: {found} is in this process already")
        return process
    candidate = path if path is not None else _candidates()[0]
    # Global, so that programs find it that were linked with no library or another's name.
    try:
        library = ctypes.CDLL(candidate, mode=ctypes.RTLD_GLOBAL)
    except OSError as error:
        where = "" if path is not None else "; looked beside the package, in ../build, and where the loader does"
        raise OSError(f"{error}{where}") from None
    return library


def use_library(path: str | os.PathLike[str] | None = None) -> ctypes.CDLL:
    """Opens the library, once for the process, and returns it.

    Everything in this package that needs it calls this without a path. Then it is, the
    first of: what the process has already (LD_PRELOAD, `mgpu run`); the file beside this
    package; the clone's build folder; what the loader finds by the name
    libmlir_rocm_runtime.so. Opening starts nothing: no thread, no driver.

    Raises OSError if it can't be opened, is another runtime, or another one is in use.
    """
    global _library, _take, _hold
    if path is None and _library is not None:
        return _library
    wanted = None if path is None else os.path.abspath(os.fsdecode(path))
    with _lock:
        if _library is None:
            library = _open(wanted)
            for name, (result, *parameters) in _PROTOTYPES.items():
                try:
                    function = library[name]
                except AttributeError:
                    where = wanted or getattr(library, "_name", None) or "the library"
                    raise OSError(f"{where} is not a runtime for this package: it lacks {name}") from None
                function.restype = result
                function.argtypes = parameters
                setattr(library, name, function)
            locked = ctypes.PyDLL(None, handle=library._handle)
            take, hold = locked["mgpuxTakeError"], locked["mgpuxHoldErrors"]
            take.restype, take.argtypes = c_int32, [c_void_p, c_size_t]
            hold.restype, hold.argtypes = None, []
            _library, _take, _hold = library, take, hold
        elif wanted is not None and os.path.realpath(wanted) != library_path():
            raise OSError(f"{wanted} can't be used: {library_path()} is in this process already")
        return _library


def library_path() -> str:
    """Returns the path of the library in use, and opens it if it is not open."""
    library = _library if _library is not None else use_library()
    return _file_of(library.mgpuModuleLoad)


def version() -> str:
    """Returns the version of the library in use, which is this package's, and opens it if it is not open."""
    text: bytes = use_library().mgpuxVersion()
    return text.decode()


class _Thread(threading.local):
    """What a thread takes errors with. Made after the library is open."""

    def __init__(self) -> None:
        self.text = ctypes.create_string_buffer(4096)
        self.take = partial(_take, ctypes.addressof(self.text), len(self.text))
        self.hold = partial(_hold)

    def error(self, status: int) -> Error:
        """Returns the error that was taken last."""
        return Error(status, _once(self.text.value.decode(errors="replace")))


def _once(text: str) -> str:
    """Returns lines without those that give the same reason as an earlier one."""
    lines: dict[str, str] = {}  # by reason
    for line in text.split("\n"):
        lines.setdefault(line.partition("' failed with ")[2] or line, line)
    return "\n".join(lines.values())


_threads: Optional[_Thread] = None


def _thread() -> _Thread:
    global _threads
    if _threads is None:
        use_library()
        _threads = _Thread()
    return _threads


def take_error() -> Optional[Error]:
    """Takes the calling thread's first failure since it was last taken, None if there was none."""
    thread = _threads if _threads is not None else _thread()
    status = thread.take()
    return None if status == 0 else thread.error(status)


def hold_errors() -> None:
    """Makes the library keep the thread's failures until they are taken, instead of printing them."""
    _thread().hold()


@contextmanager
def raised_errors() -> Iterator[None]:
    """Raises the failures of a block's calls instead of printing them. Drops earlier ones.

    If the block raises anything itself, its calls' failures are printed.
    """
    hold_errors()
    try:
        yield
    except BaseException:
        error = take_error()
        if error is not None:
            show(error)
        raise
    check()


def show(error: Error) -> None:
    """Prints an error that can't be raised."""
    print(error, file=sys.stderr, flush=True)


def without_nul(name: str | bytes) -> None:
    """Raises ValueError for a name that C would take for a shorter one."""
    if ("\0" if isinstance(name, str) else b"\0") in name:  # type: ignore[operator]
        raise ValueError(f"{name!r} has a NUL in it")


_apply = partial.__call__


def in_one_step(*calls: partial[Any]) -> None:
    """Calls functions of C, one after the other, with no signal handler of Python's in between."""
    deque(map(_apply, calls), 0)


def make(results: list[Any], *calls: partial[Any]) -> None:
    """Calls functions of C in one step, and adds to the results: None, what each returns, and the status.

    Raises Error if a call failed: then the library prints nothing. Failures of earlier calls, which
    others made on the thread, were printed and are dropped.
    """
    thread = _thread()
    before = len(results)
    try:
        results.extend(map(_apply, (thread.hold, *calls, thread.take)))
    except BaseException:  # a signal handler's, after the step
        status = results[-1] if len(results) > before + 1 + len(calls) else thread.take()
        if status:
            show(thread.error(status))
        raise
    if results[-1]:
        raise thread.error(results[-1])


class Call:
    """A call of a function of the library that is made once, and knows whether it was.

    Python raises KeyboardInterrupt after a call has returned and before its result is stored. So
    that a result is never lost, the list's extend makes the call, stores what it returns and
    asks for its failure, in one step that nothing interrupts.
    """

    def __init__(self, name: str, *arguments: Any) -> None:
        self._function = partial(getattr(use_library(), name), *arguments)
        self.before: Sequence[partial[Any]] = ()  # calls to make in the same step, first
        self._results: list[Any] = []

    def __call__(self) -> Any:
        """Makes the call and returns its result, or raises its Error."""
        make(self._results, *self.before, self._function)
        return self._results[-2]

    def made(self) -> bool:
        """Reports whether the call was made."""
        return len(self._results) > 1 + len(self.before)

    def succeeded(self) -> bool:
        """Reports whether the call was made and did not fail."""
        return self.made() and not self._results[-1]

    def results(self) -> Iterator[Any]:
        """Returns what gives the result, once, if the call has been made by then."""
        return islice(self._results, 1 + len(self.before), 2 + len(self.before))

    def result(self) -> Any:
        """Returns the result; None before the call."""
        return self._results[1 + len(self.before)] if self.made() else None


def check() -> None:
    """Raises the calling thread's first failure since it was last taken, if there was one."""
    error = take_error()
    if error is not None:
        raise error
