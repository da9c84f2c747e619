"""Statistics: the library's counts, as dictionaries."""

from __future__ import annotations

import ctypes
from ctypes import c_char, c_uint64
from typing import Any

from .library import use_library

_COUNTERS = ("calls", "driver_calls", "hits", "misses", "refusals", "driver_ns", "total_ns")
_MEMORY = ("memory_live", "memory_peak", "memory_reserved", "memory_cached")


class _Counters(ctypes.Structure):
    _fields_ = [(name, c_uint64) for name in _COUNTERS]


class _Stats(ctypes.Structure):
    _fields_ = [
        ("size", c_uint64),
        ("functions", c_uint64),
        ("heap_allocations", c_uint64),
        ("driver", c_char * 16),
        ("device", c_char * 64),
        ("cache", c_uint64),
        ("total", _Counters),
        *((name, c_uint64) for name in _MEMORY),
    ]


class _FunctionStats(ctypes.Structure):
    _fields_ = [("name", c_char * 48), ("counters", _Counters)]


class _Refusal(ctypes.Structure):
    _fields_ = [("times", c_uint64), ("reason", c_char * 248)]


class _MemoryStats(ctypes.Structure):
    _fields_ = [
        *((name, c_uint64) for name in "size live peak reserved cached hits waited misses deferred".split()),
        *((name, c_uint64) for name in "device_waits scope_waits released flushes queries".split()),
        ("unused", c_uint64 * 2),
        *((name, c_uint64) for name in "waits_shared waits_foreign waits_abandoned".split()),
    ]


def _text(raw: bytes) -> str:
    return raw.decode(errors="replace")


def _numbers(struct: ctypes.Structure) -> dict[str, int]:
    return {field[0]: getattr(struct, field[0]) for field in struct._fields_ if field[0] not in ("size", "unused")}


def statistics() -> dict[str, Any]:
    """Returns the counts of all calls of the process since it started.

    driver, device (of device 0), cache: what is in use; empty texts before the first call.
    functions: by name, for each that was called, calls, driver_calls, hits, misses, refusals,
    and, with MGPU_STATS=1 only, driver_ns and total_ns. total: the same of all.
    refusals: by reason, how many modules could not be shared.
    memory_live, memory_peak, memory_reserved, memory_cached: bytes of all devices.
    heap_allocations: objects that the library allocated on its heap.

    Asking counts as a first call: a child that is forked afterwards can't call the library.
    """
    library = use_library()
    stats = _Stats()
    library.mgpuxGetStats(ctypes.byref(stats), ctypes.sizeof(stats))
    functions = {}
    row = _FunctionStats()
    for index in range(stats.functions):
        if library.mgpuxGetFunctionStats(index, ctypes.byref(row), ctypes.sizeof(row)) and row.counters.calls:
            functions[_text(row.name)] = _numbers(row.counters)
    refusals = {}
    refusal = _Refusal()
    index = 0
    while library.mgpuxGetRefusal(index, ctypes.byref(refusal), ctypes.sizeof(refusal)):
        refusals[_text(refusal.reason)] = int(refusal.times)
        index += 1
    return {
        "driver": _text(stats.driver),
        "device": _text(stats.device),
        "cache": bool(stats.cache),
        "functions": functions,
        "total": _numbers(stats.total),
        "refusals": refusals,
        "heap_allocations": int(stats.heap_allocations),
        **{name: int(getattr(stats, name)) for name in _MEMORY},
    }


def memory_statistics(device: int = 0) -> dict[str, int]:
    """Returns a device's memory, in bytes and counts: `struct mgpux_memory_stats` of the C header.

    Raises ValueError if there is no such device, or nothing has needed one yet.
    """
    stats = _MemoryStats()
    known = 0 <= device < 1 << 31 and use_library().mgpuxGetMemoryStats(device, ctypes.byref(stats), ctypes.sizeof(stats))
    if not known:
        raise ValueError(f"no statistics of device {device}: there is none, or no call has needed one yet")
    return _numbers(stats)
