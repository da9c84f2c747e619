"""Calls programs that MLIR lowered to GPUs, from Python, with arrays.

    import mgpu_runtime
    import numpy

    program = mgpu_runtime.load("saxpy.so")
    saxpy = program.function("saxpy", "(%k: f32, %x: memref<?xf32>, %y: memref<?xf32>)")
    saxpy(2.0, x, y)  # numpy arrays of float32

docs/python.md of the project has the whole of it. Needs nothing but CPython's standard library;
arrays are whatever has the buffer protocol, DLPack or the CUDA array interface. Importing it
opens and starts nothing.
"""

from __future__ import annotations

from .calls import device_count, interruptible, set_device
from .counters import memory_statistics, statistics
from .kernels import Kernel, Module, memref, module
from .library import Error, Status, check, library_path, take_error, use_library, version
from .memory import DeviceArray, Region, Scope, memory_snapshot, registered, trim
from .program import Function, Program, load

__all__ = [
    "DeviceArray",
    "Error",
    "Function",
    "Kernel",
    "Module",
    "Program",
    "Region",
    "Scope",
    "Status",
    "check",
    "device_count",
    "interruptible",
    "library_path",
    "load",
    "memory_snapshot",
    "memory_statistics",
    "memref",
    "module",
    "registered",
    "set_device",
    "statistics",
    "take_error",
    "trim",
    "use_library",
]


def __getattr__(name: str) -> str:
    if name == "__version__":
        return version()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
