"""Arrays of another library over AMD's HIP, ordered by its own stream: python3 hip_arrays.py FOLDER."""

import ctypes
import os
import sys

import mgpu_runtime
import numpy
from mgpu_runtime import dlpack

mgpu_runtime.use_library(os.environ["LIBRARY"])
double = mgpu_runtime.load(sys.argv[1] + "/functions.so").function("double", "(memref<?xf32>)")
hip = ctypes.CDLL("libamdhip64.so.5")
NON_BLOCKING, DEFAULT = 1, 4


def ask(name, *arguments):
    status = getattr(hip, name)(*arguments)
    assert status == 0, f"{name}: {status}"


class Array:
    """What CuPy has: device memory, filled on a stream of the library's own that nothing else waits for."""

    def __init__(self, n):
        self.n, self.pointer, self.stream = n, ctypes.c_void_p(), ctypes.c_void_p()
        ask("hipMalloc", ctypes.byref(self.pointer), ctypes.c_size_t(4 * n))
        ask("hipStreamCreateWithFlags", ctypes.byref(self.stream), NON_BLOCKING)

    def fill(self, value):
        """Fills on the stream, after much else."""
        bits = int(numpy.float32(value).view(numpy.int32))
        for word in [*range(40), bits]:
            ask("hipMemsetD32Async", self.pointer, word, ctypes.c_size_t(self.n), self.stream)

    def contents(self):
        out = numpy.empty(self.n, numpy.float32)
        ask("hipMemcpy", ctypes.c_void_p(out.ctypes.data), self.pointer, ctypes.c_size_t(4 * self.n), DEFAULT)
        return out


class ByDLPack(Array):
    waited = 0

    def __dlpack_device__(self):
        return (10, 0)

    def __dlpack__(self, *, stream):
        if stream != -1:
            self.waited += 1
            event = ctypes.c_void_p()
            ask("hipEventCreate", ctypes.byref(event))
            ask("hipEventRecord", event, self.stream)
            ask("hipStreamWaitEvent", ctypes.c_void_p(stream), event, 0)
            ask("hipEventDestroy", event)
        return dlpack.capsule_of(self, (10, 0), self.pointer.value, "f32", (self.n,), False)


class ByInterface(Array):
    @property
    def __cuda_array_interface__(self):
        return {"shape": (self.n,), "typestr": "<f4", "data": (self.pointer.value, False), "version": 3, "stream": self.stream.value}


for kind in (ByDLPack, ByInterface):
    array = kind(1 << 18)
    for stream in (None, array.stream.value):
        array.fill(3)
        double(array, stream=stream)
        print(kind.__name__, sorted(set(array.contents().tolist())))
    if kind is ByDLPack:
        print("events for a stream that is named: 0, else:", array.waited)

class Garbage(ByInterface):
    changes = {}

    @property
    def __cuda_array_interface__(self):
        return {key: value for key, value in {**super().__cuda_array_interface__, **self.changes}.items() if value != "missing"}


garbage = Garbage(4)
for changes in (
    {"typestr": "f"}, {"typestr": "<fx"}, {"typestr": ">f4"}, {"typestr": "<f8"}, {"typestr": 7}, {"data": 5}, {"data": ("a", False)}, {"data": "missing"},
    {"shape": (1.5,)}, {"shape": None}, {"strides": (4, 4)}, {"mask": 1}, {"stream": -3}, {"stream": "s"}, {"typestr": "missing"},
):  # fmt: skip
    garbage.changes = changes
    try:
        double(garbage)
        print("taken", changes)
    except TypeError as error:
        if "can't be used" not in str(error) and "elements are" not in str(error):
            raise

own = mgpu_runtime.DeviceArray(4, "f32")
own.upload(numpy.arange(4, dtype=numpy.float32))
interface = own.__cuda_array_interface__
print(own.__dlpack_device__(), interface["shape"], interface["typestr"], interface["version"])
out = numpy.empty(4, numpy.float32)
ask("hipMemcpy", ctypes.c_void_p(out.ctypes.data), ctypes.c_void_p(interface["data"][0]), ctypes.c_size_t(16), DEFAULT)
print(out.tolist())

graph = ctypes.c_void_p()
ask("hipStreamBeginCapture", array.stream, 0)
for stream in (None, array.stream.value):
    try:
        double(array, stream=stream)
    except ValueError as error:
        print(str(error).replace(hex(array.stream.value), "S"))
ask("hipStreamEndCapture", array.stream, ctypes.byref(graph))
print("the capture goes on:", graph.value is not None)
