"""A kernel that Python launches into a captured stream: python3 captured.py FOLDER of the HIP library for tests."""

import ctypes
import os
import sys

import mgpu_runtime
import numpy

mgpu_runtime.use_library(os.environ["LIBRARY"])
hip = ctypes.CDLL(sys.argv[1] + "/libamdhip64.so.6")


def ask(name, *arguments):
    status = getattr(hip, name)(*arguments)
    assert status == 0, f"{name}: {status}"


step = mgpu_runtime.module(sys.argv[1] + "/suite.bundle").kernel("step")
array = mgpu_runtime.DeviceArray(4, "i32")
array.upload(out := numpy.arange(1, 5, dtype=numpy.int32))
stream, graph, executable = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
ask("hipStreamCreate", ctypes.byref(stream))
ask("hipStreamBeginCapture", stream, 0)
step(1, 4, array, 5, stream=stream.value)
ask("hipStreamEndCapture", stream, ctypes.byref(graph))
array.download(out)
print("captured:", out.tolist())
ask("hipGraphInstantiateWithFlags", ctypes.byref(executable), graph, ctypes.c_ulonglong(0))
for _ in range(2):
    ask("hipGraphLaunch", executable, stream)
array.download(out, stream=stream.value)
print("launched twice:", out.tolist())
array.free()
ask("hipGraphExecDestroy", executable)
ask("hipGraphDestroy", graph)
ask("hipStreamDestroy", stream)
