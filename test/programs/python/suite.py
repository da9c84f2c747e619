"""What the package mgpu_runtime promises, within one process: python3 suite.py FOLDER."""

import array
import contextlib
import ctypes
import gc
import json
import math
import os
import pickle
import random
import re
import signal
import sys
import tempfile
import threading
import time
import unittest

import mgpu_runtime
import numpy
from mgpu_runtime import DeviceArray, Region, Scope, Status, dlpack, exchange

mgpu_runtime.use_library(os.environ["LIBRARY"])
FOLDER = sys.argv.pop()
program = mgpu_runtime.load(FOLDER + "/functions.so")
saxpy = program.function("saxpy", "(%k: f32, %x: memref<?xf32>, %y: memref<?xf32>)")
double = program.function("double", "(memref<?xf32>)")
launch = program.function("launch", "(index)")
wait_for = program.function("wait_for", "(memref<2xi32>)")
wait_and_double = program.function("wait_and_double", "(memref<2xi32>, memref<?xf32>)")
increment = program.function("increment", "(memref<f64>)")
add_up = program.function("sum", "(memref<?x?xf32, strided<[?, ?], offset: ?>>) -> f32")


def numbers(n):
    return numpy.arange(n, dtype=numpy.float32)


class Arrays(unittest.TestCase):
    def test_a_program_computes(self):
        for n in (1, 256, 1000):
            x, y = numbers(n), numpy.ones(n, numpy.float32)
            self.assertIsNone(saxpy(3, x, y))
            numpy.testing.assert_array_equal(y, 3 * numbers(n) + 1)
            numpy.testing.assert_array_equal(x, numbers(n))

    def test_strides_of_every_kind(self):
        a = numbers(60).reshape(6, 10)
        for view in (a, a.T, a[::2, 1::3], a[::-1], a[:, ::-2], a[1:1], a[2:3, 4:5], numpy.broadcast_to(a[0], (3, 10)).copy()):
            self.assertEqual(add_up(view), view.sum())

    def test_strides_at_random(self):
        choose = numpy.random.default_rng(1).integers
        a = numbers(600).reshape(20, 30)
        for _ in range(300):
            rows, columns = (slice(*choose(-n - 2, n + 2, 2), int(choose(1, 4)) * int(choose(0, 2) * 2 - 1)) for n in a.shape)
            view = a[rows, columns]
            if choose(0, 2):
                view = view.T
            self.assertEqual(add_up(view), view.sum(dtype=numpy.float64), (rows, columns))

    def test_an_offset_of_the_types_own(self):
        third = program.function("third", "(memref<4xf32, strided<[2], offset: 3>>) -> f32")
        self.assertEqual(third(numbers(20)[5:13:2]), 9)

    def test_no_dimensions_and_any(self):
        x = numpy.zeros(())
        increment(x)
        increment(x)
        self.assertEqual(x, 2)
        rank = program.function("rank", "(memref<*xf32>) -> index")
        for n in (0, 1, 3):
            self.assertEqual(rank(numpy.zeros((2,) * n, numpy.float32)), n)
        last = program.function("last", "(memref<*xf32>) -> f32")
        self.assertEqual(last(numbers(9).reshape(3, 3)), 4)

    def test_elements_of_every_type(self):
        for name, element, values in (
            ("i1", "i1", [True, False]),
            ("i8", "i8", numpy.array([-1, 2], numpy.int8)),
            ("i8", "i8", numpy.array([255, 2], numpy.uint8)),
            ("i16", "i16", numpy.array([-1, 2], numpy.int16)),
            ("i32", "i32", numpy.array([-1, 2], numpy.int32)),
            ("i32", "i32", numpy.array([1 << 31, 2], numpy.uint32)),
            ("i64", "i64", numpy.array([-1, 1 << 40], numpy.int64)),
            ("i64", "i64", numpy.array([1, 2], numpy.longlong)),
            ("index", "index", numpy.array([1, 2], numpy.intp)),
            ("f16", "f16", numpy.array([0.5, -2], numpy.float16)),
            ("bf16", "bf16", numpy.array([0x3F80, 0x4000], numpy.uint16)),
            ("i8", "f8E4M3FN", numpy.array([0x38, 0x40], numpy.uint8)),
            ("f32", "f32", numpy.array([0.1, -2], numpy.float32)),
            ("f64", "f64", numpy.array([0.1, math.inf])),
            ("c32", "complex<f32>", numpy.array([1 + 2j, 3], numpy.complex64)),
            ("c64", "complex<f64>", numpy.array([1 + 2j, 3])),
        ):
            with self.subTest(element):
                x = numpy.array(values)
                program.function(f"swap_{name}", f"(memref<2x{element}>)")(x)
                numpy.testing.assert_array_equal(x, numpy.array(values)[::-1])

    def test_arrays_without_numpy(self):
        half = program.function("double", "(memref<?xf32>)")
        for make in (
            lambda: array.array("f", [1, 2, 3]),
            lambda: (ctypes.c_float * 3)(1, 2, 3),
            lambda: memoryview(array.array("f", [1, 2, 3])),
            lambda: memoryview(bytearray(array.array("f", [1, 2, 3]).tobytes())).cast("f"),
        ):
            x = make()
            half(x)
            self.assertEqual(list(x), [2, 4, 6])

    def test_nothing_at_all(self):
        add_up(numpy.zeros((0, 5), numpy.float32))
        self.assertEqual(add_up(numpy.zeros((5, 0), numpy.float32)), 0)

    def test_the_memory_stays_while_a_call_runs(self):
        flag = array.array("i", [0, 0])
        thread = threading.Thread(target=wait_for, args=(flag,))
        thread.start()
        while not resists(flag):
            pass
        flag[0] = 1
        thread.join()
        self.assertEqual(flag[1], 1)
        flag.append(0)  # no reference is left

    def test_what_was_passed_before_says_nothing_of_other_arrays(self):
        x, wide = numbers(6), numbers(12)
        raw = numpy.zeros(28, numpy.uint8)
        still = numbers(6)
        still.flags.writeable = False
        for _ in range(2):  # the second time all these are known
            double(x)
            for bad, error in (
                (wide[::2], ValueError),
                (x.astype(float), TypeError),
                (x.view(numpy.int32), TypeError),
                (x.reshape(2, 3), ValueError),
                (still, ValueError),
                (raw[1:25].view(numpy.float32), ValueError),  # the same but for an address between elements
            ):
                with self.assertRaises(error):
                    double(bad)
        numpy.testing.assert_array_equal(x, 4 * numbers(6))
        numpy.testing.assert_array_equal(wide, numbers(12))
        read = program.function("sum", "(memref<?x?xf32, strided<[?, ?], offset: ?>> {llvm.readonly}) -> f32")
        self.assertEqual((read(still.reshape(2, 3)), read(x.reshape(2, 3)), read(x.reshape(3, 2).T)), (15, 60, 60))

    def test_more_shapes_than_are_kept(self):
        for n in (*range(1, 600), 1):
            x = numpy.ones((1, n), numpy.float32)
            self.assertEqual(add_up(x), n)
        self.assertLess(len(add_up._parameters[0]._layouts), 300)

    def test_a_call_leaves_nothing_for_the_collector(self):
        x = numbers(6)
        with DeviceArray(6, "f32") as y:
            gc.collect()
            gc.disable()
            try:
                for _ in range(50):
                    double(x)
                    double(y)
                self.assertLess(gc.collect(), 10)
            finally:
                gc.enable()


def resists(growing):
    try:
        growing.append(0)
    except BufferError:
        return True
    growing.pop()
    return False


class Numbers(unittest.TestCase):
    def test_numbers_of_every_type_come_and_go(self):
        add = program.function("add_up", "(i1, i8, i16, i32, i64, index, f32, f64) -> f64")
        self.assertEqual(add(True, -2, 300, -70000, 1 << 40, 7, 0.5, 0.25), 1 - 2 + 300 - 70000 + (1 << 40) + 7 + 0.75)
        self.assertEqual(add(numpy.bool_(True), numpy.int8(1), numpy.uint16(2), 3, 4, 5, numpy.float32(6), numpy.array(7)), 29)
        for name, low, high in (("i8", -128, 255), ("i16", -(1 << 15), (1 << 16) - 1), ("i32", -(1 << 31), (1 << 32) - 1), ("i64", -(1 << 63), (1 << 64) - 1)):
            same = program.function(f"same_{name}", f"({name}) -> {name}")
            self.assertEqual(same(low), low)
            self.assertEqual(same(high), -1)
            for beyond in (low - 1, high + 1):
                with self.assertRaisesRegex(ValueError, f"same_{name}: argument 1: {beyond} does not fit into {name}"):
                    same(beyond)
        flip = program.function("same_i1", "(i1) -> (i1)")
        self.assertIs(flip(True), True)
        self.assertIs(flip(0), False)
        with self.assertRaisesRegex(ValueError, "-1 does not fit into i1"):
            flip(-1)

    def test_what_is_no_number(self):
        for name, bad in (("i32", (1.0, "1", None, numbers(1), numpy.float32(1))), ("f32", ("1", None, [1.0], 1j, b"1", numbers(2)))):
            same = program.function(f"same_{name}", f"({name}) -> {name}")
            for value in bad:
                with self.subTest(f"{name} {value!r}"), self.assertRaisesRegex(TypeError, f"same_{name}: argument 1: .* is not an? (number|integer)"):
                    same(value)


    def test_what_is_too_much_for_a_float(self):
        same = program.function("same_f64", "(f64) -> f64")
        self.assertEqual(same(1e300), 1e300)
        with self.assertRaisesRegex(ValueError, "same_f64: argument 1: the number does not fit into f64"):
            same(1 << 2000)
        self.assertEqual(program.function("same_f32", "(f32) -> f32")(1e300), math.inf)


class Refused(unittest.TestCase):
    """Arguments that would have the function read or write something else."""

    def refused(self, kind, line, function, *arguments):
        calls = mgpu_runtime.statistics()["total"]["calls"]
        with self.assertRaises(kind) as caught:
            function(*arguments)
        self.assertIn(line, str(caught.exception))
        self.assertEqual(mgpu_runtime.statistics()["total"]["calls"], calls, "nothing was called")

    def test_arguments(self):
        x, y = numbers(4), numbers(4)
        frozen = numbers(4)
        frozen.flags.writeable = False
        packed = numpy.zeros(4, numpy.dtype([("a", "i1"), ("f", "f4")]))["f"]
        row = numpy.zeros(8, numpy.float32)
        shifted = numpy.frombuffer(bytearray(17), numpy.uint8)[1:].view(numpy.float32)
        for kind, line, arguments in (
            (TypeError, "saxpy takes 3 arguments, and got 2", (1, x)),
            (TypeError, "saxpy takes 3 arguments, and got 4", (1, x, y, y)),
            (TypeError, "saxpy: argument 1 (%k): ndarray is not a number", (x, x, y)),
            (TypeError, "saxpy: argument 2 (%x): elements are float64, memref<?xf32> has f32", (1, numpy.zeros(4), y)),
            (TypeError, "saxpy: argument 2 (%x): elements are int32, memref<?xf32> has f32", (1, numpy.zeros(4, numpy.int32), y)),
            (TypeError, "saxpy: argument 2 (%x): elements are >f4, memref<?xf32> has f32", (1, x.astype(">f4"), y)),
            (TypeError, "saxpy: argument 2 (%x): elements are of format 'd', memref<?xf32> has f32", (1, array.array("d", [1]), y)),
            (TypeError, "saxpy: argument 2 (%x): list can't be passed as an array", (1, [1.0, 2.0], y)),
            (TypeError, "saxpy: argument 2 (%x): NoneType can't be passed as an array", (1, None, y)),
            (TypeError, "saxpy: argument 2 (%x): int can't be passed as an array", (1, 5, y)),
            (TypeError, "saxpy: argument 2 (%x): ndarray can't be passed as an array", (1, numpy.array([None, 1]).astype("M8[s]"), y)),
            (TypeError, "saxpy: argument 2 (%x): elements are object, memref<?xf32> has f32", (1, numpy.array([None, 1]), y)),
            (TypeError, "saxpy: argument 2 (%x): elements are [('a', 'i1'), ('f', '<f4')]", (1, numpy.zeros(4, [("a", "i1"), ("f", "<f4")]), y)),
            (ValueError, "saxpy: argument 2 (%x): has 2 dimensions, memref<?xf32> has 1", (1, x.reshape(2, 2), y)),
            (ValueError, "saxpy: argument 2 (%x): has 0 dimensions, memref<?xf32> has 1", (1, numpy.zeros((), numpy.float32), y)),
            (ValueError, "saxpy: argument 3 (%y): has strides of (2,) elements, which memref<?xf32> does not allow", (1, x, row[::2])),
            (ValueError, "saxpy: argument 3 (%y): has strides of (-1,) elements", (1, x, y[::-1])),
            (ValueError, "saxpy: argument 3 (%y): has strides of (0,) elements", (1, x, numpy.lib.stride_tricks.as_strided(y, (4,), (0,)))),
            (ValueError, "saxpy: argument 3 (%y): is read-only", (1, x, frozen)),
            (TypeError, "saxpy: argument 3 (%y): elements are of format 'B'", (1, x, b"1234")),
            (ValueError, "saxpy: argument 3 (%y): begins at an address that is not a multiple of 4", (1, x, packed[:1])),
            (ValueError, "saxpy: argument 3 (%y): begins at an address that is not a multiple of 4", (1, x, shifted)),
        ):
            with self.subTest(line):
                self.refused(kind, line, saxpy, *arguments)
        strided = numpy.zeros((4, 4), numpy.dtype([("f", "f4"), ("a", "i1")]))["f"]
        self.refused(ValueError, "has strides of (20, 5) bytes, no multiples of an element", add_up, strided)

    def test_sizes_and_strides_of_the_type(self):
        square = program.function("double", "(memref<2x3xf32>)")
        self.refused(ValueError, "has the shape (3, 2), which memref<2x3xf32> does not allow", square, numbers(6).reshape(3, 2))
        steps = program.function("double", "(memref<2x3xf32, strided<[6, ?]>>)")
        self.refused(ValueError, "has strides of (3, 1) elements", steps, numbers(6).reshape(2, 3))

    def test_a_released_view(self):
        view = memoryview(numbers(3))
        view.release()
        self.refused(TypeError, "released memoryview", saxpy, 1, view, numbers(3))

    def test_signatures(self):
        for text, line in (
            ("memref<?xf32>", "types in parentheses"),
            ("(memref<?xf32>", "types in parentheses"),
            ("(f16)", "type 'f16' can't be passed"),
            ("(tensor<4xf32>)", "bufferize it first"),
            ("(memref<4xi7>)", "elements of type i7 can't be passed"),
            ("(memref<>)", "no element type"),
            ("(memref<4>)", "elements of type 4 can't be passed"),
            ("(memref<4xf32, affine_map<(d0) -> (d0 * 2)>>)", "is neither a strided layout nor a memory space"),
            ("(memref<4xf32, 3, 4>)", "'4' is neither a strided layout"),
            ("(memref<4xf32, strided<[1, 2]>>)", "2 strides for 1 dimensions"),
            ("(memref<*xf32, strided<[1]>>)", "a layout is strided"),
            ("() -> (i32, i32)", "a function returns a number or nothing"),
            ("() -> memref<4xf32>", "buffer-results-to-out-params"),
            ("() i32", "is not a result type"),
            ("(!llvm.ptr)", "type '!llvm.ptr' can't be passed"),
            ("", "types in parentheses"),
        ):
            with self.subTest(text), self.assertRaises(ValueError) as caught:
                program.function("saxpy", text)
            self.assertIn(line, str(caught.exception))

    def test_names_that_c_would_cut_short(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in (folder + "/a\0b", (folder + "/a\0b").encode()):
                with self.assertRaisesRegex(ValueError, "has a NUL in it"):
                    mgpu_runtime.memory_snapshot(name)
                with self.assertRaises(ValueError):
                    mgpu_runtime.load(name)
            self.assertEqual(os.listdir(folder), [])
        with self.assertRaisesRegex(ValueError, "has a NUL in it"):
            program.function("double\0x", "(memref<?xf32>)")

    def test_functions(self):
        with self.assertRaisesRegex(AttributeError, "no C interface for it: give it the attribute llvm.emit_c_interface: no_interface"):
            program.function("no_interface", "()")
        with self.assertRaisesRegex(AttributeError, "has no function of that name: nothing"):
            program.function("nothing", "()")

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.so")
            with self.assertRaises(FileNotFoundError):
                mgpu_runtime.load(path)
            with open(path, "w") as file:
                file.write("no object")
            for other in (path, os.path.realpath(sys.executable)):
                with self.assertRaisesRegex(OSError, f"^{other}: .*: load takes a shared object, which is linked with -shared -fPIC$"):
                    mgpu_runtime.load(other)
            os.remove(path)
            for again in (False, True):
                with open(program.path, "rb") as source, open(path, "wb") as file:
                    file.write(source.read())
                if again:
                    with self.assertRaisesRegex(OSError, "program.so has changed since it was loaded"):
                        mgpu_runtime.load(path)
                    break
                mgpu_runtime.load(path).function("double", "(memref<?xf32>)")(numbers(3))
                mgpu_runtime.load(path)
                os.remove(path)


class Errors(unittest.TestCase):
    def test_a_failing_call_raises_once(self):
        with self.assertRaisesRegex(mgpu_runtime.Error, r"^'hipModuleLaunchKernel\(launch_kernel\)' failed with ") as caught:
            launch(5000)
        self.assertIs(caught.exception.status, Status.INVALID_VALUE)
        self.assertIsNone(mgpu_runtime.take_error())
        launch(1)

    def test_the_failure_of_another_call_is_not_the_functions(self):
        mgpu_runtime.use_library().mgpuStreamDestroy(None)
        launch(1)
        mgpu_runtime.use_library().mgpuStreamDestroy(None)
        with self.assertRaises(mgpu_runtime.Error):
            mgpu_runtime.check()
        mgpu_runtime.check()

    def test_errors_are_the_threads_own(self):
        results = {}

        def work(name, n):
            try:
                launch(n)
                results[name] = None
            except mgpu_runtime.Error as error:
                results[name] = error.status

        threads = [threading.Thread(target=work, args=(n, 5000 if n % 2 else 1)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, {n: Status.INVALID_VALUE if n % 2 else None for n in range(8)})

    def test_an_error_is_pickled(self):
        error = pickle.loads(pickle.dumps(mgpu_runtime.Error(10, "no memory")))
        self.assertEqual((error.status, str(error)), (Status.OUT_OF_MEMORY, "no memory"))
        self.assertEqual(mgpu_runtime.Error(1000, "").status, Status.UNKNOWN_ERROR)

    def test_devices(self):
        self.assertEqual(mgpu_runtime.device_count(), 2)
        with self.assertRaisesRegex(mgpu_runtime.Error, "2"):
            mgpu_runtime.set_device(2)
        for bad in (-1, 1 << 31, -(1 << 40)):
            with self.assertRaises((mgpu_runtime.Error, ValueError)):
                mgpu_runtime.set_device(bad)

    def test_another_library_comes_too_late(self):
        with self.assertRaisesRegex(OSError, "other.so can't be used: .*libmlir_rocm_runtime.so is in this process already"):
            mgpu_runtime.use_library("/other.so")
        mgpu_runtime.use_library(mgpu_runtime.library_path())


class Threads(unittest.TestCase):
    def test_many_threads_compute(self):
        wrong = []

        def work(k):
            for _ in range(8):
                x, y = numbers(300), numpy.full(300, k, numpy.float32)
                saxpy(k, x, y)
                if not (y == k * x + k).all():
                    wrong.append(k)

        threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_threads_have_devices_of_their_own(self):
        held = []

        def work():
            mgpu_runtime.set_device(1)
            held.append(DeviceArray(1 << 20, "i8"))

        before = live(0)
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        self.assertEqual((live(0) - before, live(1)), (0, 1 << 20))
        held[0].free()

    def test_others_run_while_a_call_waits(self):
        flag = numpy.zeros(2, numpy.int32)
        thread = threading.Thread(target=wait_for, args=(flag,))
        thread.start()
        flag[0] = 1  # reached: the call gave Python's lock up
        thread.join()
        self.assertEqual(flag[1], 1)


def live(device):
    mgpu_runtime.device_count()
    try:
        return mgpu_runtime.memory_statistics(device)["live"]
    except ValueError:
        return 0


class Memory(unittest.TestCase):
    def test_device_arrays(self):
        x = numbers(100)
        with DeviceArray(100, "f32") as on_device:
            on_device.upload(x)
            double(on_device)
            double(on_device)
            on_device.download(x)
            self.assertEqual(repr(on_device), "<memref<100xf32> on a device>")
        numpy.testing.assert_array_equal(x, 4 * numbers(100))
        with self.assertRaisesRegex(ValueError, "double: argument 1: the device array was freed"):
            double(on_device)
        with self.assertRaisesRegex(ValueError, "was freed"):
            on_device.upload(x)
        on_device.free()

    def test_device_arrays_of_odd_shapes(self):
        with DeviceArray((), "f64") as one:
            one.upload(numpy.array(3.0))
            increment(one)
            x = numpy.zeros(())
            one.download(x)
            self.assertEqual(x, 4)
        for shape in (0, (3, 0)):
            with DeviceArray(shape, "f32") as nothing:
                nothing.upload(numpy.zeros(shape, numpy.float32))
        with DeviceArray(numpy.zeros((2, 3)).shape, "f32") as a, DeviceArray((numpy.int64(2),), "f32") as b:
            self.assertEqual((a.shape, b.shape), ((2, 3), (2,)))
        for shape in (-1, (2, -3), (2.5,), "ab", None, [[1]]):
            with self.assertRaisesRegex(ValueError, "is not the shape of an array"):
                DeviceArray(shape, "f32")
        with self.assertRaisesRegex(ValueError, "fits into no memory"):
            DeviceArray((1 << 40, 1 << 40), "f32")
        with self.assertRaises(mgpu_runtime.Error) as caught:
            DeviceArray(1 << 50, "f32")
        self.assertIs(caught.exception.status, Status.OUT_OF_MEMORY)
        with self.assertRaisesRegex(ValueError, "elements of type f33"):
            DeviceArray(1, "f33")

    def test_memory_that_is_not_the_hosts(self):
        for space in ("1", "1 : i32", "#gpu.address_space<global>"):
            there = program.function("double", f"(memref<?xf32, strided<[1]>, {space}>)")
            with self.assertRaisesRegex(ValueError, "double: argument 1: is in the host's memory, .* in another"):
                there(numbers(3))
            with DeviceArray(3, "f32") as on_device:
                there(on_device)
        program.function("double", "(memref<?xf32, 0>)")(numbers(3))

    def test_copies_that_do_not_fit(self):
        with DeviceArray((2, 3), "f32") as on_device:
            for bad, line in (
                (numbers(6), "has 1 dimensions"),
                (numbers(6).reshape(3, 2), "has the shape (3, 2)"),
                (numbers(6).reshape(3, 2).T, "has strides of"),
                (numpy.zeros((2, 3)), "elements are float64"),
                ([1], "list can't be passed as an array"),
            ):
                with self.subTest(line), self.assertRaises((TypeError, ValueError)) as caught:
                    on_device.upload(bad)
                self.assertIn(line, str(caught.exception))
            frozen = numbers(6).reshape(2, 3)
            frozen.flags.writeable = False
            on_device.upload(frozen)
            with self.assertRaisesRegex(ValueError, "is read-only"):
                on_device.download(frozen)
            with self.assertRaisesRegex(TypeError, "double: argument 1: elements are f32, memref<.xi32> has i32"):
                program.function("double", "(memref<?xi32>)")(on_device)

    def test_the_last_reference_frees(self):
        before = live(0)
        on_device = DeviceArray(1 << 16, "i8")
        self.assertEqual(live(0) - before, 1 << 16)
        del on_device
        self.assertEqual(live(0), before)

    def test_registered_arrays(self):
        x = numbers(64)
        with mgpu_runtime.registered(x):
            double(x)
        numpy.testing.assert_array_equal(x, 2 * numbers(64))
        with self.assertRaisesRegex(ValueError, "do not lie densely"), mgpu_runtime.registered(x[::2]):
            pass
        with mgpu_runtime.registered(numpy.asfortranarray(numbers(6).reshape(2, 3))), mgpu_runtime.registered(numbers(0)):
            pass
        with mgpu_runtime.registered(x), self.assertRaises(mgpu_runtime.Error), mgpu_runtime.registered(x):
            pass
        mapped = bytearray(4096)
        with mgpu_runtime.registered(mapped), self.assertRaises(BufferError):
            mapped.extend(b"more")

    def test_a_scope_bounds_a_loop(self):
        forget = program.function("forget", "(index)")
        scope = Scope()
        for _ in range(5):
            with scope:
                forget(1 << 20)
                forget(1 << 20)
        self.assertEqual(scope.statistics(), {"free": 2, "busy": 0, "bytes": 2 << 20})
        with scope, scope, self.assertRaises(mgpu_runtime.Error):
            scope.close()
        self.assertEqual(scope.trim(), 2 << 20)
        scope.close()
        scope.close()
        with self.assertRaisesRegex(ValueError, "the scope was closed"), scope:
            pass

    def test_a_scope_ends_with_an_exception(self):
        scope = Scope()
        with self.assertRaises(KeyError), scope:
            raise KeyError
        scope.close()

    def test_arrays_of_a_scope_end_with_its_block(self):
        scope = Scope()
        for turn in range(50):
            with scope:
                one, two = DeviceArray(100, "f32"), DeviceArray(100, "f32")
                with DeviceArray(10, "f32") as short:
                    double(short)
                x, y = numpy.full(100, turn, numpy.float32), numpy.full(100, -turn, numpy.float32)
                one.upload(x)
                two.upload(y)
                double(one)
                double(two)
                one.download(x)
                two.download(y)
                self.assertEqual((set(x), set(y)), ({2 * turn}, {-2 * turn}))
        self.assertEqual(scope.statistics()["free"], 3)
        for use in (lambda: double(one), lambda: one.upload(x), lambda: one.download(x)):
            with self.assertRaisesRegex(ValueError, "was freed: the block of the scope in which it was made has ended"):
                use()
        self.assertEqual(repr(one), "<memref<100xf32> on a device, freed>")
        one.free()
        del one, two
        with scope, DeviceArray(100, "f32") as other:
            double(other)
        scope.close()

    def test_arrays_that_a_function_leaves_behind_in_a_scope(self):
        scope = Scope()

        def turn():
            with scope:
                one, two = DeviceArray(100, "f32"), DeviceArray(100, "f32")
                double(one)
                double(two)

        for _ in range(10):
            turn()
            self.assertIsNone(mgpu_runtime.take_error())
        self.assertEqual((scope.statistics()["free"], scope.statistics()["busy"]), (2, 0))
        scope.close()

    def test_the_end_of_a_scope_waits_for_calls_of_other_threads(self):
        scope = Scope()
        flag = numpy.zeros(2, numpy.int32)
        with scope:
            on_device = DeviceArray(100, "f32")
            thread = threading.Thread(target=wait_and_double, args=(flag, on_device))
            thread.start()
            while flag[1] != 2:
                pass
            threading.Timer(0.05, flag.fill, (1,)).start()
        thread.join(0.01)
        self.assertFalse(thread.is_alive())
        scope.close()

    def test_scopes_that_are_left_out_of_order(self):
        outer, inner = Scope(), Scope()
        for again in (True, False):
            outer.__enter__()
            inner.__enter__()
            kept = DeviceArray(10, "f32")
            with self.assertRaisesRegex(mgpu_runtime.Error, "not the one that the thread began last"):
                outer.__exit__(None, None, None)
            double(kept)
            inner.__exit__(None, None, None)
            if again:
                outer.__exit__(None, None, None)
        with self.assertRaisesRegex(RuntimeError, "has not entered"):
            inner.__exit__(None, None, None)
        outer.close()
        inner.close()

    def test_scopes_in_a_stack_of_contexts(self):
        scope = Scope()
        with contextlib.ExitStack() as stack:
            for _ in range(3):
                stack.enter_context(scope)
                DeviceArray(10, "f32")
        self.assertEqual(scope.statistics()["busy"], 0)
        scope.close()

    def test_a_region_is_recorded(self):
        region = Region()
        x = numbers(8)
        with mgpu_runtime.registered(x):
            for _ in range(3):
                with region:
                    double(x)
                    double(x)
                    recording = mgpu_runtime.use_library().mgpuxGraphIsRecording()
                self.assertTrue(region.launched)
                self.assertTrue(recording)
            numpy.testing.assert_array_equal(x, 64 * numbers(8))
            region.launch()
        numpy.testing.assert_array_equal(x, 256 * numbers(8))
        with self.assertRaises(mgpu_runtime.Error), region, region:
            pass
        mgpu_runtime.take_error()
        region.close()
        for call in (region.close, region.launch):
            with self.assertRaises(mgpu_runtime.Error):
                call()
        with self.assertRaisesRegex(ValueError, "is not a key"):
            Region(-1)

    def test_trim_and_snapshot(self):
        with DeviceArray(1 << 20, "i8"):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "memory.json")
                mgpu_runtime.memory_snapshot(path)
                with open(path) as file:
                    self.assertIn(1 << 20, [block["bytes"] for block in json.load(file)["blocks"]])
                with self.assertRaisesRegex(mgpu_runtime.Error, "none/memory.json"):
                    mgpu_runtime.memory_snapshot(os.path.join(folder, "none", "memory.json"))
        self.assertGreaterEqual(mgpu_runtime.trim(), 1 << 20)


class Wrapped:
    """A device array of another library, as far as DLPack goes."""

    def __init__(self, array, **changes):
        self.array, self.changes, self.streams = array, changes, []

    def __dlpack_device__(self):
        return self.changes.get("device", self.array.__dlpack_device__())

    def __dlpack__(self, *, stream=None, **more):
        self.streams.append(stream)
        if "raises" in self.changes:
            raise self.changes["raises"]
        return self.array.__dlpack__(stream=stream, **more)


class BeforeVersions(Wrapped):
    def __dlpack__(self, *, stream=None):
        self.streams.append(stream)
        return self.array.__dlpack__()


class OnHost(Wrapped):
    """A host array with DLPack and without the buffer protocol, as PyTorch's."""

    def __dlpack__(self):
        return self.array.__dlpack__()


class Exchange(unittest.TestCase):
    def test_arrays_of_other_libraries_are_passed_where_they_lie(self):
        for kind in (Wrapped, BeforeVersions):
            x = numbers(100)
            with DeviceArray(100, "f32") as on_device:
                other = kind(on_device)
                on_device.upload(x)
                double(other)
                on_device.download(x)
                self.assertEqual(other.streams[0], 0, "it is to be ready on the default stream, as ROCm's is called")
                double(other, stream=0)
                self.assertEqual(other.streams[-1], -1, "the call waits for the stream that is named")
            numpy.testing.assert_array_equal(x, 2 * numbers(100))

    def test_host_arrays_by_dlpack(self):
        x = numbers(60).reshape(6, 10)
        for view in (x, x.T, x[::2, 1::3]):
            self.assertEqual(add_up(OnHost(view)), view.sum())
        with DeviceArray(6, "f32") as on_device:
            on_device.upload(OnHost(numbers(6)))
            double(on_device)
            on_device.download(OnHost(y := numpy.zeros(6, numpy.float32)))
        numpy.testing.assert_array_equal(y, 2 * numbers(6))
        with self.assertRaisesRegex(TypeError, "double: argument 1: elements are float64, memref<.xf32> has f32"):
            double(OnHost(numpy.zeros(3)))

    def test_arrays_by_dlpacks_functions_of_c(self):
        api = ctypes.pythonapi
        api.PyCapsule_New.argtypes, api.PyCapsule_New.restype = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p], ctypes.py_object
        asked = []

        def tensor_of(array, tensor):
            asked.append(array)
            tensor[0] = dlpack.Tensor(array.x.ctypes.data, *array.place, 1, 2, 32, 1, array.shape, None, 0)
            return 0

        function = dlpack._TensorOf(tensor_of)
        table = dlpack._ExchangeAPI(2, 0, None, None, None, None, None, None)  # of a version to come
        streams = []

        def work_stream(*where):
            streams.append(where[:2])
            where[2][0] = None
            return 0

        stream = dlpack._WorkStream(work_stream)
        first = dlpack._ExchangeAPI(1, 3, None, None, None, None, *(ctypes.cast(f, ctypes.c_void_p) for f in (function, stream)))
        table.previous = ctypes.addressof(first)

        class Array:
            __dlpack_c_exchange_api__ = api.PyCapsule_New(ctypes.addressof(table), b"dlpack_exchange_api", None)
            lazy, requires_grad, place = "", False, (1, 0)

            def __init__(self, n):
                self.x = numbers(n)
                self.shape = (ctypes.c_int64 * 1)(n)

            def is_conj(self):
                return self.lazy == "conj"

            def is_neg(self):
                return self.lazy == "neg"

        a = Array(5)
        double(a)
        self.assertEqual(asked, [a])
        numpy.testing.assert_array_equal(a.x, 2 * numbers(5))
        for a.lazy in ("conj", "neg"):
            with self.assertRaisesRegex(TypeError, f"double: argument 1: Array is a view that changes what it reads: pass what resolve_{a.lazy}"):
                double(a)

        class Inherits(Array):
            pass

        a.requires_grad = True
        for other in (a, Inherits(3)):
            with self.assertRaisesRegex(TypeError, "can't be passed as an array"):
                double(other)
        self.assertEqual(len(asked), 3)

        exchange._driver, soft = "hip", exchange._driver  # whose memory would be the host's
        try:
            b, c = Array(5), Array(5)
            b.place = c.place = (10, 0)
            for given, wanted in ((None, [(10, 0)]), (0, [])):
                saxpy(1, b, c, stream=given)
                self.assertEqual(streams, wanted, "one call asks a library once")
                streams.clear()
        finally:
            exchange._driver = soft
        numpy.testing.assert_array_equal(c.x, 3 * numbers(5))

    def test_elements_that_dlpack_has_no_type_for(self):
        with DeviceArray(3, "f8E2M5") as odd, self.assertRaisesRegex(BufferError, "DLPack has no type for f8E2M5"):
            odd.__dlpack__()

    def test_the_memory_lives_as_long_as_another_library_refers_to_it(self):
        before = live(0)
        for versions in ({}, {"max_version": (1, 0)}):
            array = DeviceArray(1 << 10, "f32")
            capsule = array.__dlpack__(**versions)
            array.free()
            self.assertEqual(live(0), before + (1 << 12))
            del capsule
            self.assertEqual(live(0), before)

    def test_a_consumer_releases_what_it_took(self):
        api = ctypes.pythonapi
        api.PyCapsule_GetPointer.argtypes, api.PyCapsule_GetPointer.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_void_p
        api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
        before = live(0)
        capsule = DeviceArray((2, 3), "bf16").__dlpack__()
        managed = api.PyCapsule_GetPointer(capsule, b"dltensor")
        used = b"used_dltensor"
        api.PyCapsule_SetName(capsule, used)
        del capsule
        self.assertGreater(live(0), before)
        words = ctypes.cast(managed, ctypes.POINTER(ctypes.c_void_p))  # DLTensor is 48 bytes: context, deleter follow
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(words[7])(managed)
        self.assertEqual(live(0), before)

    def test_what_can_not_be_shared(self):
        with DeviceArray(3, "f32") as array:
            with self.assertRaisesRegex(BufferError, "lies on DLPack's device"):
                array.__dlpack__(dl_device=(1, 0))
            with self.assertRaisesRegex(BufferError, "a copy was asked for"):
                array.__dlpack__(copy=True)
            self.assertFalse(hasattr(array, "__cuda_array_interface__"), "there is no CUDA here")
            with self.assertRaisesRegex(TypeError, "double: argument 1: lies on device 3 of CUDA, which the driver soft does not reach"):
                double(Wrapped(array, device=(2, 3)))
            with self.assertRaisesRegex(ValueError, r"lies on device 1, and the calling thread's device is 0: call set_device\(1\) first"):
                double(Wrapped(array, device=(10, 1)))
            with self.assertRaisesRegex(TypeError, "Wrapped can't be exchanged: detach it"):
                double(Wrapped(array, raises=RuntimeError("detach it")))
            with self.assertRaisesRegex(TypeError, "str is not a stream"):
                double(array, stream="current")
        with self.assertRaisesRegex(ValueError, "was freed"):
            array.__dlpack__()
        scope = Scope()
        with scope:
            with self.assertRaisesRegex(BufferError, "made in a scope's block"):
                DeviceArray(3, "f32").__dlpack__()
        scope.close()

    def test_streams_of_other_libraries(self):
        class Torch:
            cuda_stream = 0

        class Cupy:
            ptr = 0

        class Protocol:
            def __cuda_stream__(self):
                return (0, 0)

        class Negative:
            cuda_stream = -1

        class Truth:
            def __cuda_stream__(self):
                return (0, True)

        for stream in (Negative(), Truth(), -1, True, "s", 1.5):
            with self.assertRaisesRegex(TypeError, "is not a stream"):
                double(numbers(3), stream=stream)
        for stream in (Torch(), Cupy(), Protocol(), 0):
            x = numbers(3)
            double(x, stream=stream)
            numpy.testing.assert_array_equal(x, 2 * numbers(3))

    def test_arrays_that_are_only_read(self):
        reads = program.function("sum", "(%x: memref<?x?xf32, strided<[?, ?], offset: ?>> {llvm.noalias, llvm.readonly}) -> f32")
        frozen = numbers(6).reshape(2, 3)
        frozen.flags.writeable = False
        self.assertEqual(reads(frozen), 15)
        with self.assertRaisesRegex(ValueError, "is read-only, and a function may write to any memref: pass a copy, or declare {llvm.readonly}"):
            add_up(frozen)

    def test_the_version_is_the_librarys(self):
        self.assertRegex(mgpu_runtime.__version__, r"^\d+\.\d+\.\d+")
        with self.assertRaisesRegex(AttributeError, "no attribute 'nothing'"):
            mgpu_runtime.nothing


class Pair(ctypes.Structure):
    _fields_ = [("first", ctypes.c_long), ("second", ctypes.c_float)]


class Kernels(unittest.TestCase):
    kernels = mgpu_runtime.module(FOLDER + "/kernels.hsaco")

    def test_arrays_of_the_host_are_copied_there_and_back(self):
        saxpy = self.kernels.kernel("saxpy")
        x, y = numbers(100), numpy.ones(100, numpy.float32)
        self.assertIsNone(saxpy(2, 64, y, x, 2.0, 100))
        numpy.testing.assert_array_equal(y, 2 * numbers(100) + 1)
        x.flags.writeable = False
        saxpy((2,), (64, 1, 1), y, x, numpy.float32(1), ctypes.c_int(50))
        self.assertEqual((y[49], y[50]), (148, 101))
        before = live(0)
        saxpy(2, 64, y, x, 0.0, 100)
        self.assertEqual(live(0), before)

    def test_arrays_that_share_memory_share_its_copy(self):
        saxpy = self.kernels.kernel("saxpy")
        before = live(0)
        y = numbers(100)
        saxpy(2, 64, y, y, 2.0, 100)
        numpy.testing.assert_array_equal(y, 3 * numbers(100))
        # Writes of a view are seen in the others, and nothing else is written back.
        y, apart = numbers(100), numbers(100)
        (frozen := y[:]).flags.writeable = False
        saxpy(1, 64, y[60:], frozen[:40], 1.0, 40)
        numpy.testing.assert_array_equal(y, numpy.concatenate([numbers(60), numbers(100)[60:] + numbers(40)]))
        saxpy(1, 64, y[10:20], y[:15], 1.0, 5)
        numpy.testing.assert_array_equal(y[:20], [*range(10), 10, 12, 14, 16, 18, *range(15, 20)])
        saxpy(1, 64, y[:0], apart[:0], 1.0, 0)
        # Copies of arrays of several kinds are aligned as on the host.
        words = numpy.zeros(33, numpy.int32)
        self.kernels.kernel("place")(1, 1, words[1:], words.view(numpy.uint8)[1:])
        self.assertEqual(words[1], words[1:].ctypes.data % 256)
        # A memref's address is two arguments.
        x = numpy.zeros((3, 5), numpy.int32)
        self.kernels.kernel("both")(1, 1, mgpu_runtime.memref(x), x[1:])
        self.assertEqual(x[1].tolist(), [1, 5, 0, 0, 0])
        self.assertEqual(live(0), before)

    def test_arrays_of_the_device_are_passed_where_they_lie(self):
        saxpy = self.kernels.kernel("saxpy")
        with DeviceArray(100, "f32") as x, DeviceArray(100, "f32") as y:
            x.upload(numbers(100))
            y.upload(numbers(100))
            saxpy(2, 64, y, Wrapped(x), 2.0, 100)
            y.download(out := numbers(100))
            numpy.testing.assert_array_equal(out, 3 * numbers(100))
            stream = mgpu_runtime.use_library().mgpuStreamCreate()
            for _ in range(10):
                saxpy(2, 64, y, x, 1.0, 100, stream=stream)
            with self.assertRaisesRegex(TypeError, "saxpy: argument 1: the array is the host's"):
                saxpy(2, 64, out, x, 1.0, 100, stream=stream)
            y.download(out, stream=stream)
            mgpu_runtime.use_library().mgpuStreamDestroy(stream)
            numpy.testing.assert_array_equal(out, 13 * numbers(100))

    def test_members_may_have_any_name(self):
        x = numpy.zeros(64, [("a>O!", "f4")])
        self.kernels.kernel("saxpy")(1, 64, x, numbers(64), 1.0, 64)
        numpy.testing.assert_array_equal(x["a>O!"], numbers(64))

    def test_arguments_of_every_kind(self):
        out = numpy.zeros(7)
        collect = self.kernels.kernel("collect")
        self.assertEqual([a.bytes for a in collect.arguments], [8, 1, 2, 8, 8, 16, 1])
        collect(1, 1, out, -3, 65535, -(1 << 40), 0.1, Pair(7, 0.5), True)
        self.assertEqual(out.tolist(), [-3, 65535, -(1 << 40), 0.1, 7, 0.5, 1])
        collect(1, 1, out, numpy.int8(5), ctypes.c_ushort(6), numpy.int64(7), numpy.float64(8), bytes(Pair(9, 10)), False)
        self.assertEqual(out.tolist(), [5, 6, 7, 8, 9, 10, 0])
        self.kernels.kernel("nothing")(1, 1)

    def test_a_memref_and_workgroup_memory(self):
        x = numpy.zeros((3, 5), numpy.float32)
        self.kernels.kernel("fill")(1, (5, 3), mgpu_runtime.memref(x))
        numpy.testing.assert_array_equal(x, [[10 * row + column + 1 for column in range(5)] for row in range(3)])
        n = numpy.arange(64, dtype=numpy.int32)
        self.kernels.kernel("reverse")(1, 64, n, 0, shared=256)
        numpy.testing.assert_array_equal(n, range(63, -1, -1))

    def test_what_is_refused(self):
        saxpy = self.kernels.kernel("saxpy")
        x = numbers(64)
        takes = "saxpy takes 4 arguments, and got {}: y: global_buffer, 8 bytes; x: global_buffer, 8 bytes; k: by_value, 4 bytes; n: by_value, 4 bytes"
        for grid, arguments, kind, text in (
            (1, (x, x, 1.0), TypeError, takes.format(3)),
            (1, (x, x, 1.0, 1, 1), TypeError, takes.format(5)),
            (1, (1, x, 1.0, 1), TypeError, "saxpy: argument 1: int for an address (y: global_buffer, 8 bytes): pass an array, None, or ctypes.c_void_p"),
            (1, (x, x, numpy.float64(1), 1), TypeError, "saxpy: argument 3: 8 bytes for k: by_value, 4 bytes"),
            (1, (x, x, x, 1), TypeError, "saxpy: argument 3: 8 bytes for k: by_value, 4 bytes"),
            (1, (x, x, 1.0, 1 << 32), ValueError, "saxpy: argument 4: 4294967296 does not fit into n: by_value, 4 bytes"),
            (1, (x[::2], x, 1.0, 1), ValueError, "saxpy: argument 1: the array's elements do not lie in rows"),
            (1, (numpy.float64(1), x, 1.0, 1), TypeError, "saxpy: argument 1: float64 for an address (y: global_buffer, 8 bytes)"),
            (1, (numpy.array([object()]), x, 1.0, 1), TypeError, "saxpy: argument 1: its elements are Python objects"),
            (1, (x, numpy.array(None), 1.0, 1), TypeError, "saxpy: argument 2: its elements are Python objects"),
            (1, (numpy.zeros(2, [("f", "O")]), x, 1.0, 1), TypeError, "saxpy: argument 1: its elements are Python objects"),
            (1, (numpy.zeros(2, [("f", "O")])[0], x, 1.0, 1), TypeError, "saxpy: argument 1: its elements are Python objects"),
            (1, (x, x.astype(">f4"), 1.0, 1), TypeError, "saxpy: argument 2: its elements are not in this machine's order of bytes"),
            (1, (x, numpy.zeros(64, [("n", ">i2"), ("m", "i2")]), 1.0, 1), TypeError, "saxpy: argument 2: its elements are not in"),
            (1, (x, "x", 1.0, 1), TypeError, "saxpy: argument 2: str can't be passed as an array"),
            (0, (x, x, 1.0, 1), ValueError, "grid 0: one to three numbers from 1 on"),
            ((1, 1, 1, 1), (x, x, 1.0, 1), ValueError, "grid (1, 1, 1, 1): one to three numbers from 1 on"),
            (1.5, (x, x, 1.0, 1), ValueError, "grid 1.5: one to three numbers from 1 on"),
        ):
            with self.assertRaises(kind) as raised:
                saxpy(grid, 64, *arguments)
            self.assertIn(text, str(raised.exception))
        with self.assertRaisesRegex(ValueError, "shared -1: bytes of dynamic workgroup memory"):
            saxpy(1, 64, x, x, 1.0, 64, shared=-1)
        with self.assertRaisesRegex(mgpu_runtime.Error, "the code object's kernels are: both, collect, fill, nothing, place, reverse, saxpy"):
            self.kernels.kernel("saxp")
        with self.assertRaisesRegex(mgpu_runtime.Error, "workgroups of"):
            saxpy(1, 5000, x, x, 1.0, 64)
        with self.assertRaisesRegex(mgpu_runtime.Error, "^" + re.escape(__file__) + ": .*not a code object"):
            mgpu_runtime.module(__file__)
        with self.assertRaises(FileNotFoundError):
            mgpu_runtime.module(FOLDER + "/none.hsaco")

    def test_a_module_lives_as_long_as_its_kernels(self):
        def unloads():
            return mgpu_runtime.statistics()["functions"].get("mgpuModuleUnload", {}).get("calls", 0)

        nothing = mgpu_runtime.module(FOLDER + "/kernels.hsaco").kernel("nothing")
        before = unloads()
        nothing(1, 1)
        self.assertEqual(unloads(), before)
        del nothing
        self.assertEqual(unloads(), before + 1)


class Statistics(unittest.TestCase):
    def test_they_count_calls(self):
        launch(1)
        before = mgpu_runtime.statistics()
        for _ in range(3):
            launch(1)
        after = mgpu_runtime.statistics()
        self.assertEqual((after["driver"], after["cache"]), ("soft", True))
        self.assertIn("software", after["device"])
        self.assertEqual(after["functions"]["mgpuLaunchKernel"]["calls"] - before["functions"]["mgpuLaunchKernel"]["calls"], 3)
        self.assertEqual(after["refusals"], {})
        self.assertNotIn("mgpuMemset16", after["functions"])

    def test_memory_of_no_device(self):
        for device in (2, -1, 1 << 32):
            with self.assertRaisesRegex(ValueError, f"no statistics of device {device}"):
                mgpu_runtime.memory_statistics(device)


class Interrupts(unittest.TestCase):
    """Ctrl-C at any moment leaves nothing open. The moments are chosen by chance."""

    def interrupt(self, body, then):
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        choose = random.Random(1).random
        began = time.perf_counter()
        for _ in range(5):
            body()
        takes = (time.perf_counter() - began) / 5
        for _ in range(150):
            try:
                signal.setitimer(signal.ITIMER_REAL, max(1e-6, choose() * takes * 1.2))
                body()
                while signal.getitimer(signal.ITIMER_REAL)[0]:
                    time.sleep(takes / 4)
            except KeyboardInterrupt:
                pass
            signal.setitimer(signal.ITIMER_REAL, 0)
            then()

    def test_scopes(self):
        scope = Scope()

        def body():
            with scope:
                DeviceArray(100, "f32")
                with scope, Scope():
                    pass

        def then():
            self.assertEqual(scope.statistics()["busy"], 0)
            with scope:
                pass
            other = Scope()
            with other:
                pass
            other.close()

        self.interrupt(body, then)
        scope.close()

    def test_regions(self):
        x = numbers(8)

        def body():
            with mgpu_runtime.registered(x), Region():
                double(x)

        def then():
            self.assertFalse(mgpu_runtime.use_library().mgpuxGraphIsRecording())
            with mgpu_runtime.registered(x), Region() as region:
                double(x)
            self.assertTrue(region.launched)
            region.close()

        self.interrupt(body, then)

    def test_registrations(self):
        x = bytearray(4096)

        def body():
            with mgpu_runtime.registered(x):
                pass

        def then():
            with mgpu_runtime.registered(x):
                pass
            x.extend(b"more")
            del x[4096:]

        self.interrupt(body, then)

    def test_arrays(self):
        before = live(0)

        def body():
            with DeviceArray(3, "f32") as on_device:
                on_device.upload(numbers(3))
                double(on_device)

        self.interrupt(body, lambda: None)
        gc.collect()
        self.assertEqual(live(0), before)


class Interruptible(unittest.TestCase):
    def test_calls_are_made_by_one_other_thread(self):
        with mgpu_runtime.interruptible(), mgpu_runtime.interruptible():
            scope = Scope()
            with scope:
                x = numbers(3)
                double(x)
                self.assertIn("mgpu-calls", [thread.name for thread in threading.enumerate()])
            with self.assertRaises(mgpu_runtime.Error):
                launch(5000)
            with self.assertRaisesRegex(TypeError, "takes 1 arguments"):
                launch()
        self.assertNotIn("mgpu-calls", [thread.name for thread in threading.enumerate()])
        numpy.testing.assert_array_equal(x, 2 * numbers(3))
        scope.close()

    def test_the_device_goes_along(self):
        held = []
        mgpu_runtime.set_device(1)
        try:
            with mgpu_runtime.interruptible():
                held.append(DeviceArray(1 << 12, "i8"))
                mgpu_runtime.set_device(0)
            held.append(DeviceArray(1 << 14, "i8"))
            self.assertEqual(live(1), 1 << 12)
            self.assertGreaterEqual(live(0), 1 << 14)
        finally:
            mgpu_runtime.set_device(0)

    def test_a_block_in_a_block_ends_nothing(self):
        outer = mgpu_runtime.interruptible()
        with outer:
            with mgpu_runtime.interruptible():
                launch(1)
            launch(1)
            self.assertIn("mgpu-calls", [thread.name for thread in threading.enumerate()])

    def test_other_threads_need_none(self):
        names = []

        def work():
            with mgpu_runtime.interruptible():
                launch(1)
                names.extend(thread.name for thread in threading.enumerate())

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        self.assertNotIn("mgpu-calls", names)


if __name__ == "__main__":
    unittest.main(testRunner=unittest.TextTestRunner(stream=sys.stdout, verbosity=2))
