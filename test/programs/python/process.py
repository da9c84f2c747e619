"""What becomes of processes: python3 process.py FOLDER CASE, each case a function of that name.

The folder has the programs; LIBRARY may name the library. Arrays are the standard library's, as
numpy would take most of the time.
"""

import array
import concurrent.futures
import ctypes
import multiprocessing
import os
import signal
import sys
import threading
import time

import mgpu_runtime

if path := os.environ.get("LIBRARY"):
    mgpu_runtime.use_library(path)
folder = sys.argv[1]
program = mgpu_runtime.load(f"{folder}/functions.so")
saxpy = program.function("saxpy", "(f32, memref<?xf32>, memref<?xf32>)")
launch = program.function("launch", "(index)")
wait_for = program.function("wait_for", "(memref<2xi32>)")
wait_and_double = program.function("wait_and_double", "(memref<2xi32>, memref<?xf32>)")
start = mgpu_runtime.load(f"{folder}/start.so").function("start", "(memref<2xi32>)")

RUNS, ENDED = 2, 1  # in flag[1]


def computed(k):
    x, y = array.array("f", range(1000)), array.array("f", [1]) * 1000
    saxpy(k, x, y)
    return all(y[i] == k * i + 1 for i in range(1000))


def new_flag():
    return array.array("i", [0, 0])


def until(flag, state):
    while flag[1] != state:
        time.sleep(0.001)


def when_it_runs(flag, *steps):
    """Does the steps, in another thread, once the kernel has the flag."""

    def work():
        until(flag, RUNS)
        for step in steps:
            step()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def send(number):
    return lambda: os.kill(os.getpid(), number)


def end(flag):
    def step():
        flag[0] = 1

    return step


def running():
    """A kernel that runs, in a thread that waits for it."""
    flag = new_flag()
    thread = threading.Thread(target=wait_for, args=(flag,), daemon=True)
    thread.start()
    until(flag, RUNS)
    return flag, thread


# Starting processes


def loading():
    print(len(os.listdir("/proc/self/task")), "thread")


def pool(method):
    print(len(os.listdir("/proc/self/task")), "thread")
    with multiprocessing.get_context(method).Pool(2) as workers:
        print(workers.map(computed, range(8)).count(True), "of 8 right")


def fork():
    pool("fork")


def forkserver():
    pool("forkserver")


def spawn():
    pool("spawn")


def spawn_after_a_call():
    computed(1)
    with multiprocessing.get_context("spawn").Pool(2) as workers:
        print(workers.map(computed, range(8)).count(True), "of 8 right")
    print("parent", computed(2))


def child(work):
    """Forks, and prints what the child prints and how it ended."""
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        try:
            work()
        except mgpu_runtime.Error as error:
            print("child:", error.status.name, error)
        sys.stdout.flush()
        os._exit(0)
    print("child ends with", os.waitpid(pid, 0)[1])


def fork_in_the_middle():
    flag, thread = running()
    scope = mgpu_runtime.Scope()
    kept = mgpu_runtime.DeviceArray(100, "f32")

    def work():
        kept.free()  # the parent's: nothing happens
        with scope:
            pass

    child(lambda: launch(1))
    child(lambda: print(mgpu_runtime.device_count()))
    child(work)
    flag[0] = 1
    thread.join()
    print("parent", flag[1] == ENDED, computed(3))


def fork_in_a_block():
    with mgpu_runtime.interruptible():
        computed(1)

        def work():
            with mgpu_runtime.interruptible():
                launch(1)

        child(work)
        print("parent", computed(2))


def forks_among_threads():
    stop = []
    wrong = []

    def work(k):
        while not stop:
            if not computed(k):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(3)]
    for thread in threads:
        thread.start()
    computed(1)
    for _ in range(10):
        if (pid := os.fork()) == 0:
            os._exit(7)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
    stop.append(True)
    for thread in threads:
        thread.join()
    print(len(wrong), "wrong")


def never_ends():
    wait_for(new_flag())


def terminated_child():
    process = multiprocessing.get_context("spawn").Process(target=spinning)
    process.start()
    process.join()
    print("child ends with", process.exitcode)
    print("parent", computed(1))


def spinning():
    flag = new_flag()
    when_it_runs(flag, send(signal.SIGTERM))
    wait_for(flag)


def executor():
    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        print(list(threads.map(computed, range(64))).count(True), "of 64 right")


# Signals


def noted():
    """Without a block Python acts on Ctrl-C when the call has returned."""
    flag = new_flag()
    when_it_runs(flag, send(signal.SIGINT), end(flag))
    try:
        wait_for(flag)
        time.sleep(100)
    except KeyboardInterrupt:
        print("KeyboardInterrupt, ended:", flag[1] == ENDED)


def interrupted():
    flag = new_flag()
    when_it_runs(flag, send(signal.SIGINT))
    with mgpu_runtime.interruptible():
        try:
            wait_for(flag)
        except KeyboardInterrupt:
            print("KeyboardInterrupt, runs:", flag[1] == RUNS)
        print("next", computed(2))
        flag[0] = 1
        until(flag, ENDED)
    print("last", computed(3))


def interrupted_on_another_thread():
    """No system call of the main thread ends early: as if the signal came just before its wait."""
    flag = new_flag()
    when_it_runs(flag, lambda: signal.pthread_kill(threading.get_ident(), signal.SIGINT))
    with mgpu_runtime.interruptible():
        try:
            wait_for(flag)
        except KeyboardInterrupt:
            print("KeyboardInterrupt, runs:", flag[1] == RUNS)
        flag[0] = 1
        until(flag, ENDED)


def interrupted_uncaught():
    flag = new_flag()
    when_it_runs(flag, send(signal.SIGINT))
    with mgpu_runtime.interruptible():
        wait_for(flag)


def interrupted_with_device_memory():
    """The memory is the call's until it returns, and the next one's only then."""
    before = live()
    flag, x = new_flag(), array.array("f", [3] * 100)
    when_it_runs(flag, send(signal.SIGINT))
    try:
        with mgpu_runtime.interruptible(), mgpu_runtime.DeviceArray(100, "f32") as on_device:
            wait_and_double(flag, on_device)
    except KeyboardInterrupt:
        print("KeyboardInterrupt", on_device)
    others = [mgpu_runtime.DeviceArray(100, "f32") for _ in range(3)]
    for other in others:
        other.upload(x)
    print("kept:", live() - before - 3 * 400)
    flag[0] = 1
    alone()
    print("kept:", live() - before - 3 * 400)
    for other in others:
        y = array.array("f", [0] * 100)
        other.download(y)
        print(y == x)


def interrupted_with_registered_memory():
    flag, x = new_flag(), array.array("f", [3] * 100)
    when_it_runs(flag, send(signal.SIGINT))
    try:
        with mgpu_runtime.interruptible(), mgpu_runtime.registered(x):
            wait_and_double(flag, x)
    except KeyboardInterrupt:
        print("KeyboardInterrupt")
    try:
        with mgpu_runtime.registered(x):
            pass
    except mgpu_runtime.Error:
        print("still registered")
    flag[0] = 1
    alone()
    with mgpu_runtime.registered(x):
        print(set(x))


def live():
    mgpu_runtime.device_count()
    try:
        return mgpu_runtime.memory_statistics(0)["live"]
    except ValueError:
        return 0


def alone():
    """Waits for the threads that interrupted calls have kept."""
    for thread in threading.enumerate():
        if thread.name == "mgpu-calls":
            thread.join()


def interrupted_in_blocks():
    flag = new_flag()
    when_it_runs(flag, send(signal.SIGINT))
    scope = None
    region = mgpu_runtime.Region()
    try:
        with mgpu_runtime.interruptible():
            scope = mgpu_runtime.Scope()
            with region, scope, mgpu_runtime.registered(new_flag()):
                pass
            with scope:
                wait_for(flag)
    except KeyboardInterrupt:
        print("KeyboardInterrupt")
    try:
        scope.close()
    except mgpu_runtime.Error as error:
        print(error)
    flag[0] = 1
    until(flag, ENDED)
    alone()
    scope.close()
    print("last", computed(3))


def handled():
    """A handler that raises nothing runs, and the call goes on."""
    flag = new_flag()
    signal.signal(signal.SIGTERM, lambda *_: end(flag)())
    when_it_runs(flag, send(signal.SIGTERM))
    with mgpu_runtime.interruptible():
        wait_for(flag)
    print("ended:", flag[1] == ENDED)


def handler_calls():
    """A handler may call, on the main thread itself."""
    flag = new_flag()

    def handler(*_):
        print("handler", computed(5))
        flag[0] = 1

    signal.signal(signal.SIGUSR1, handler)
    when_it_runs(flag, send(signal.SIGUSR1))
    with mgpu_runtime.interruptible():
        wait_for(flag)
    print("ended:", flag[1] == ENDED)


def fork_before_a_call_in_a_block():
    with mgpu_runtime.interruptible():
        child(interrupted)
        print("parent", computed(2))


def handler_exits():
    flag = new_flag()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(9))
    when_it_runs(flag, send(signal.SIGTERM))
    with mgpu_runtime.interruptible():
        wait_for(flag)


def terminated():
    flag = new_flag()
    when_it_runs(flag, send(signal.SIGTERM))
    wait_for(flag)


def default_action():
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    flag = new_flag()
    when_it_runs(flag, send(signal.SIGINT))
    wait_for(flag)


def timed_out():
    try:
        wait_for(new_flag())
    except mgpu_runtime.Error as error:
        print(error.status.name, error)


def interrupted_then_failed():
    """The error of the call that goes on is printed. Its second launch has no workgroups."""
    flag = new_flag()
    when_it_runs(flag, send(signal.SIGINT))
    try:
        with mgpu_runtime.interruptible():
            wait_and_double(flag, array.array("f"))
    except KeyboardInterrupt:
        print("KeyboardInterrupt")
    flag[0] = 1
    alone()


def uncaught():
    launch(5000)


def exits_with_a_held_failure():
    mgpu_runtime.use_library().mgpuxHoldErrors()
    mgpu_runtime.use_library().mgpuStreamDestroy(None)


def load_that_fails_twice():
    """A call of the object's constructor fails, and then the load."""

    def open_it(name):
        mgpu_runtime.use_library().mgpuStreamDestroy(None)
        raise OSError("not loaded")

    ctypes.CDLL = open_it
    try:
        mgpu_runtime.load(f"{folder}/start.so")
    except OSError as error:
        print(error)


def another_chip():
    """The device module is of gfx906: loaded, and refused, with the first call."""
    try:
        computed(1)
    except mgpu_runtime.Error as error:
        print(error.status.name, error)


# Exits


def exits():
    running()
    sys.exit(3)


def exits_in_threads():
    for _ in range(3):
        running()
    kept = mgpu_runtime.DeviceArray(10, "f32")
    sys.modules["kept"] = kept  # its end is the interpreter's


def exits_with_an_exported_array():
    kept = mgpu_runtime.DeviceArray(10, "f32")
    sys.modules["kept"] = kept.__dlpack__()


def forks_with_an_exported_array():
    capsules = [mgpu_runtime.DeviceArray(10, "f32").__dlpack__()]
    child(capsules.clear)
    print("parent", mgpu_runtime.memory_statistics(0)["live"])
    capsules.clear()
    print("parent", mgpu_runtime.memory_statistics(0)["live"])


def exits_with_work_in_flight():
    # In memory that no interpreter unmaps at its end: the kernel goes on reading it.
    libc = ctypes.CDLL(None)
    libc.calloc.restype = ctypes.c_void_p
    flag = (ctypes.c_int * 2).from_address(libc.calloc(2, 4))
    start(flag)
    until(flag, RUNS)
    raise SystemExit(4)


def raises():
    running()
    raise ValueError("of the program's")


# Libraries


def library():
    print(mgpu_runtime.library_path())
    print(computed(1))


def by_ctypes():
    """The package and other users of ctypes have nothing in common but the library."""
    other = ctypes.CDLL(mgpu_runtime.library_path())
    print(other.mgpuxTakeError(None, 0), other.mgpuxGetDeviceCount())


if __name__ == "__main__":
    globals()[sys.argv[2]]()
