"""Lowered functions on tensors of PyTorch, CuPy and JAX: results, and times. bench/tensors runs it.

python3 tensors.py check             by the package, with each library that is installed
python3 tensors.py time              by the package, and PyTorch's own kernel
python3 tensors.py descriptors NAME  by memref descriptors made by hand, over the library LIBRARY
"""

import ctypes
import os
import statistics
import sys
import threading
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
SIGNATURE = "(%k: f32, %x: memref<?xf32> {llvm.readonly}, %y: memref<?xf32>)"
N = 4096
RELEASES = ("22", "19")
failed = 0


def expect(what, right):
    global failed
    failed += not right
    print(f"{'ok' if right else 'FAILED'}: {what}")


def refuses(what, kind, call, text):
    try:
        call()
    except kind as error:
        expect(f"{what}: {error}", text in str(error))
    else:
        expect(f"{what}: not refused", False)


def functions(name):
    import mgpu_runtime

    mgpu_runtime.use_library(os.environ["LIBRARY"])
    return {release: mgpu_runtime.load(f"{FOLDER}/tensors{release}.so").function(name, SIGNATURE) for release in RELEASES}


def check_torch():
    import mgpu_runtime
    import torch

    print(f"PyTorch {torch.__version__}")
    axpy = functions("axpy")["22"]
    x, y = torch.arange(N, dtype=torch.float32, device="cuda"), torch.ones(N, device="cuda")
    axpy(2, x, y)
    expect("tensors are changed in place", torch.equal(y, 2 * x + 1))
    axpy(2, x[::2].contiguous(), y[: N // 2])
    expect("a part of a tensor", torch.equal(y[: N // 2].cpu(), (2 * x + 1)[: N // 2].cpu() + 2 * x[::2].cpu()))

    side, busy = torch.cuda.Stream(), torch.randn(4096, 4096, device="cuda")
    for given in (False, True):
        wrong = 0
        for turn in range(50):
            with torch.cuda.stream(side):
                for _ in range(4):
                    busy = (busy @ busy).clamp_(-1, 1)
                y.fill_(turn)
                axpy(1, x, y, stream=side if given else None)
                wrong += not torch.equal(y, x + turn)
        expect(f"{50 - wrong} of 50 right after work on a side stream{', which is named' if given else ''}", not wrong)

    def many(results, seed):
        with torch.cuda.stream(torch.cuda.Stream()):
            a, b = torch.full((N,), float(seed), device="cuda"), torch.zeros(N, device="cuda")
            for _ in range(200):
                axpy(1, a, b)
            results[seed] = bool((b == 200 * seed).all())

    results = {}
    threads = [threading.Thread(target=many, args=(results, seed)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expect(f"8 threads, each on a stream of its own: {sum(results.values())} right", sum(results.values()) == 8)

    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        z = y + 1
        for stream in (None, torch.cuda.current_stream()):
            refuses("a call within torch.cuda.graph", ValueError, lambda stream=stream: axpy(1, x, y, stream=stream), "is being captured into a graph")
    y.fill_(1)
    graph.replay()
    expect("which the graph has survived", torch.equal(z, y + 1))

    host = torch.ones(N)
    refuses("a tensor with gradients", TypeError, lambda: axpy(1, x, torch.zeros(N, device="cuda", requires_grad=True)), "can't be exchanged")
    refuses("elements of another type", TypeError, lambda: axpy(1, x, y.double()), "elements are torch.float64, memref<?xf32> has f32")
    refuses("another shape", ValueError, lambda: axpy(1, x, y.reshape(64, 64)), "has 2 dimensions")
    refuses("strides", ValueError, lambda: axpy(1, x, torch.ones(2 * N, device="cuda")[::2]), "has strides")
    own = mgpu_runtime.DeviceArray(N, "f32")
    own.upload(host)
    expect("a host's tensor is uploaded", torch.equal(torch.from_dlpack(own).cpu(), host))
    own.upload(x)
    shared = torch.from_dlpack(own)
    axpy(1, x, own)
    expect("torch.from_dlpack of a DeviceArray shares its memory", torch.equal(shared, 2 * x))
    own.free()
    expect("and keeps it", torch.equal(shared, 2 * x))
    for element, kind in (("bf16", torch.bfloat16), ("f16", torch.float16), ("i64", torch.int64), ("i1", torch.bool), ("complex<f32>", torch.complex64)):
        there = mgpu_runtime.DeviceArray((2, 3), element)
        there.upload(tensor := torch.ones(2, 3, device="cuda", dtype=kind))
        expect(f"{kind} there and back", torch.equal(torch.from_dlpack(there), tensor))
    del shared, own, there


def check_cupy():
    import cupy
    import mgpu_runtime

    print(f"CuPy {cupy.__version__}")
    axpy = functions("axpy")["22"]
    x, y = cupy.arange(N, dtype=cupy.float32), cupy.ones(N, cupy.float32)
    axpy(2, x, y)
    expect("arrays are changed in place", bool((y == 2 * x + 1).all()))
    with cupy.cuda.Stream(non_blocking=True) as stream:
        y[:] = 1
        axpy(2, x, y, stream=stream)
        expect("on a stream that is named", bool((y == 2 * x + 1).all()))
    own = mgpu_runtime.DeviceArray(N, "f32")
    own.upload(x)
    expect("cupy.from_dlpack of a DeviceArray", bool((cupy.from_dlpack(own) == x).all()))
    expect("cupy.asarray of one, by the CUDA array interface", bool((cupy.asarray(own) == x).all()))

    class Interface:  # as Numba's arrays
        __cuda_array_interface__ = x.__cuda_array_interface__

    y[:] = 1
    axpy(2, Interface(), y)
    expect("an array with the CUDA array interface alone", bool((y == 2 * x + 1).all()))


def check_jax():
    import jax
    import mgpu_runtime

    print(f"JAX {jax.__version__}")
    axpy = functions("axpy")["22"]
    x = jax.numpy.arange(N, dtype=jax.numpy.float32)
    y = mgpu_runtime.DeviceArray(N, "f32")
    y.upload(x)
    axpy(2, x, y)
    expect("an array of JAX's that is read, and a DeviceArray", bool((jax.dlpack.from_dlpack(y) == 3 * x).all()))


def check():
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    for library in (check_torch, check_cupy, check_jax):
        try:
            library()
        except ImportError as error:
            print(f"not installed: {error}")
    sys.exit(failed != 0)


def best(call):
    """Returns microseconds a call: the median of nine rounds of 500."""
    for _ in range(200):
        call()
    rounds = []
    for _ in range(9):
        start = time.perf_counter()
        for _ in range(500):
            call()
        rounds.append((time.perf_counter() - start) * 1e6 / 500)
    return statistics.median(rounds)


def row(what, microseconds):
    print(f"| {what} | {microseconds:.1f} |", flush=True)


def tensors():
    import torch

    return torch, torch.ones(N, device="cuda"), torch.zeros(N, device="cuda")


def times():
    torch, x, y = tensors()
    own = torch.cuda.current_stream()
    for name in ("axpy", "axpy_temporary"):
        for release, function in functions(name).items():
            row(f"{name}, MLIR {release}, the package", best(lambda: function(0, x, y)))
            row(f"{name}, MLIR {release}, the package, stream= given", best(lambda: function(0, x, y, stream=own)))

    def add():
        y.add_(x, alpha=0)
        own.synchronize()

    row("PyTorch's own add_, and a wait", best(add))


class Memref(ctypes.Structure):
    _fields_ = [(n, t) for n, t in zip("allocated aligned offset size stride".split(), [ctypes.c_void_p] * 2 + [ctypes.c_int64] * 3)]


def descriptors(who):
    torch, x, y = tensors()
    ctypes.CDLL(os.environ["LIBRARY"], mode=ctypes.RTLD_GLOBAL)
    memrefs = [Memref(t.data_ptr(), t.data_ptr(), 0, N, 1) for t in (x, y)]
    torch.cuda.synchronize()
    for name in ("axpy", "axpy_temporary"):
        for release in RELEASES:
            function = ctypes.CDLL(f"{FOLDER}/tensors{release}.so")[f"_mlir_ciface_{name}"]
            arguments = [ctypes.c_float(0), *map(ctypes.byref, memrefs)]
            row(f"{name}, MLIR {release}, descriptors by hand, {who}", best(lambda: function(*arguments)))


if __name__ == "__main__":
    {"check": check, "time": times, "descriptors": lambda: descriptors(sys.argv[2])}[sys.argv[1]]()
