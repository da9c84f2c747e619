"""What a call of a lowered function costs in Python: CPU time of mgpu_runtime alone. bench/calls runs it.

The function does nothing. Arrays are numpy's, and objects that show where they lie as PyTorch's tensors
do: by functions of C, and by __dlpack__ as before PyTorch 2.11.
"""

import ctypes
import gc
import sys
import time

import mgpu_runtime
import numpy

FOLDER = sys.argv[1]
SIGNATURE = "(%k: f32, %x: memref<?xf32> {llvm.readonly}, %y: memref<?xf32>)"
ROCM = 10


def best(call):
    """Returns microseconds of CPU time a call: the least of 40 rounds of 1000."""
    gc.disable()
    rounds = []
    for _ in range(40):
        start = time.thread_time_ns()
        for _ in range(1000):
            call()
        rounds.append(time.thread_time_ns() - start)
    gc.enable()
    return min(rounds) / 1e6


def fake(stub):
    """Returns a type of arrays with DLPack's table of functions."""
    from mgpu_runtime import dlpack

    stub.calls_device_type_value = ctypes.c_int32.in_dll(stub, "calls_device_type")
    stub.calls_device_type_value.value = ROCM
    functions = [ctypes.cast(f, ctypes.c_void_p) for f in (stub.calls_tensor_of, stub.calls_work_stream)]
    table = dlpack._ExchangeAPI(1, 3, None, None, None, None, *functions)

    class Tensor:
        __dlpack_c_exchange_api__ = dlpack._new_capsule(ctypes.addressof(table), b"dlpack_exchange_api", None)
        requires_grad = False
        kept = table

        def is_conj(self):
            return False

        is_neg = is_conj

    return Tensor


def main():
    path = f"{FOLDER}/calls.so"
    stub = ctypes.CDLL(path)
    axpy = mgpu_runtime.load(path).function("axpy", SIGNATURE)
    x, y = numpy.zeros(4096, numpy.float32), numpy.zeros(4096, numpy.float32)
    print("| a call, CPU time in Python | us |\n|---|---|")
    raw = stub._mlir_ciface_axpy
    arguments = (ctypes.c_float(2), ctypes.byref(ctypes.c_int64()), ctypes.byref(ctypes.c_int64()))
    print(f"| ctypes alone, descriptors made by hand | {best(lambda: raw(*arguments)):.2f} |")
    print(f"| numpy arrays | {best(lambda: axpy(2.0, x, y)):.2f} |")
    tensor = fake(stub)
    a, b = tensor(), tensor()
    print(f"| tensors with DLPack's functions of C | {best(lambda: axpy(2.0, a, b)):.2f} |")
    print(f"| the same, stream= given | {best(lambda: axpy(2.0, a, b, stream=0)):.2f} |")
    m, n = mgpu_runtime.DeviceArray(4096, "f32"), mgpu_runtime.DeviceArray(4096, "f32")
    print(f"| DeviceArrays | {best(lambda: axpy(2.0, m, n)):.2f} |")
    print(f"| DeviceArrays by __dlpack__ | {best(lambda: axpy(2.0, Asked(m), Asked(n))):.2f} |")
    m.free()
    n.free()


class Asked:
    """An array with DLPack's methods alone."""

    def __init__(self, array):
        self.__dlpack__, self.__dlpack_device__ = array.__dlpack__, array.__dlpack_device__


if __name__ == "__main__":
    main()
