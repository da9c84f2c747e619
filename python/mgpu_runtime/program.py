"""Programs: shared objects made from MLIR, and their functions."""

from __future__ import annotations

import ctypes
import os
import re
import threading
from functools import partial
from typing import Any, Union

from .arguments import ArrayParameter, parameter
from .calls import current_caller
from .exchange import Order
from .library import make, raised_errors, use_library, without_nul
from .memory import Uses
from .signature import Memref, Signature, parse_signature

_lock = threading.Lock()
_loaded: dict[str, tuple[int, int, int, int]] = {}  # by path: which file that was


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()  # another thread of the parent may have held it


os.register_at_fork(after_in_child=_after_fork)


class Function:
    """A function of a program. A call waits for the same work as the function.

    Python's lock is released meanwhile, so other threads run; any number of threads may call
    the same function. Arguments are an array for each memref and a number for each number.
    An array is any object with Python's buffer protocol (numpy.ndarray, array.array,
    memoryview, ...), DLPack (PyTorch, CuPy, JAX) or the CUDA array interface (Numba), or a
    DeviceArray; it is passed where it lies, without a copy.

    The function begins after the work that other libraries have submitted for the arrays.
    stream names the stream of that work (torch.cuda.current_stream(), cupy's, or a handle),
    which the call then waits for; without it each array is asked.

    Raises TypeError and ValueError for arguments that the signature does not allow, before
    anything is called, and Error if a call of the library failed in the function.
    """

    def __init__(self, function: Any, name: str, signature: Signature) -> None:
        self._function = function
        self._parameters = [parameter(called, kind) for called, kind in signature.parameters]
        self.__name__ = name
        function.restype = None if signature.result is None else signature.result.ctype
        function.argtypes = [ctypes.c_void_p if isinstance(kind, Memref) else kind.ctype for _, kind in signature.parameters]

    def __repr__(self) -> str:
        return f"<function {self.__name__} of {len(self._parameters)} arguments>"

    def __call__(self, *arguments: Any, stream: object = None) -> Union[None, bool, int, float]:
        if len(arguments) != len(self._parameters):
            raise TypeError(f"{self.__name__} takes {len(self._parameters)} arguments, and got {len(arguments)}")
        caller = current_caller()
        return self._call(arguments, stream) if caller is None else caller.run(lambda: self._call(arguments, stream))

    def _call(self, arguments: tuple[Any, ...], stream: object) -> Union[None, bool, int, float]:
        uses, order = Uses(), Order(stream)
        passed = []  # keeps the descriptors until the function has returned
        try:
            try:
                for expected, value in zip(self._parameters, arguments):
                    if isinstance(expected, ArrayParameter):
                        passed.append(expected.descriptor(uses.view(value, order)))
                    else:
                        passed.append(expected.argument(value))
            except (TypeError, ValueError) as error:
                raise type(error)(f"{self.__name__}: {expected.name}: {error}") from None
            order.wait()
            results: list[Any] = []
            make(results, partial(self._function, *passed))
        finally:
            uses.release()
            uses.finish()
        result: Union[None, bool, int, float] = results[1]
        return result


class Program:
    """A shared object made from a lowered MLIR module. It stays until the process ends."""

    def __init__(self, path: str, library: ctypes.CDLL) -> None:
        self.path = path
        self._library = library

    def __repr__(self) -> str:
        return f"<program {self.path}>"

    def function(self, name: str, signature: str) -> Function:
        """Returns a function that was lowered with llvm.emit_c_interface.

        The signature is the function's in MLIR, "(%k: f32, %x: memref<?xf32>) -> i32"; the
        names may be left out. The compiled object does not know it, so one that differs from
        the program's is not noticed: the function then reads something else than was passed.

        Raises ValueError for types that can't be passed from Python, AttributeError if there
        is no such function.
        """
        without_nul(name)
        parsed = parse_signature(signature)
        try:
            function = self._library[f"_mlir_ciface_{name}"]
        except AttributeError:
            why = "no function of that name"
            if hasattr(self._library, name):
                why = "no C interface for it: give it the attribute llvm.emit_c_interface"
            raise AttributeError(f"{self.path} has {why}: {name}") from None
        return Function(function, name, parsed)


def load(path: str | os.PathLike[str]) -> Program:
    """Loads a shared object that was made from a lowered module.

    The library is opened before it, so the object may have been linked with it, with a
    library of the same functions under another name, or with none. Loading starts no driver,
    and a fork may follow, unless the library has been called before.

    Raises OSError if the object can't be loaded, or was loaded before and has changed since;
    Error if a device module in it is bad and could be loaded at once.
    """
    use_library()
    name = os.path.abspath(os.fsdecode(path))
    status = os.stat(name)
    file = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
    with _lock:
        real = os.path.realpath(name)
        if _loaded.get(real, file) != file:
            # The loader would give the old one again.
            raise OSError(f"{name} has changed since it was loaded: load it under another name, or in another process")
        with raised_errors():
            try:
                library = ctypes.CDLL(name)
            except OSError as error:
                if re.search("invalid ELF header|file too short|executable$", str(error)):
                    raise OSError(f"{error}: load takes a shared object, which is linked with -shared -fPIC") from None
                raise
            _loaded[real] = file
    return Program(name, library)
