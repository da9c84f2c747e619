"""For LLVM's lit: tests that run programs which MLIR lowered to GPUs. In a lit.cfg.py:

    mgpu = subprocess.check_output(["mgpu", "path", "--lit"], text=True).strip()
    lit_config.load_config(config, mgpu)

%mlir_rocm_runtime and %mlir_cuda_runtime are the library then, by its two names, and %mgpu
is the command. Tests see the variables MGPU_* of the environment and the feature mgpu.
"""

import os
import subprocess

_here = os.path.dirname(os.path.abspath(__file__))
_commands = [os.path.join(_here, path) for path in ("../../bin/mgpu", "../build/mgpu")]
_mgpu = next((os.path.normpath(path) for path in _commands if os.path.exists(path)), "mgpu")


def _path(*flags):
    return subprocess.check_output([_mgpu, "path", *flags], text=True).strip()


# Before others of these names: the first one wins.
config.substitutions[:0] = [
    ("%mlir_rocm_runtime", _path()),
    ("%mlir_cuda_runtime", _path("--cuda")),
    ("%mgpu", _mgpu),
]
config.available_features.add("mgpu")
config.environment.update({name: value for name, value in os.environ.items() if name.startswith("MGPU_")})
