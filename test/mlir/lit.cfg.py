# lit configuration: every program of this folder, lowered by one release of
# MLIR. The Makefile writes a lit.site.cfg.py per release (build/lit/22 and so on),
# which sets release, repo and build and loads this file; run from here by hand,
# lit takes release 22 and ../../build.

import os
import shutil
import zlib

import lit.formats

here = os.path.dirname(os.path.abspath(__file__))
config.release = getattr(config, "release", "22")
config.repo = getattr(config, "repo", os.path.dirname(os.path.dirname(here)))
config.build = getattr(config, "build", os.path.join(config.repo, "build"))

config.name = "mlir-" + config.release
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".mlir"]
config.test_source_root = here
config.test_exec_root = os.path.join(config.build, "lit", config.release)
config.available_features.add("mlir-" + config.release)
config.available_features.update(f"from-mlir-{r}" for r in range(16, int(config.release) + 1))

# lit passes on little of its caller's environment: of MGPU_ variables only this one.
config.environment["BUILD"] = config.build
config.environment["MGPU_TEST_LONG"] = os.environ.get("MGPU_TEST_LONG", "")

# CHIP=gfx1100 WAVE=64 make lit: all programs that name no chip themselves, for that one. They run on it, or on
# MGPU_SOFT_CHIP: CHIP=gfx11-generic MGPU_SOFT_CHIP=gfx1103 make lit.
if chip := os.environ.get("CHIP", ""):
    wave = os.environ.get("WAVE", "").replace("32", "")  # which is usual: programs that name another chip keep its own
    config.environment.update(CHIP=chip, MGPU_SOFT_CHIP=os.environ.get("MGPU_SOFT_CHIP") or chip, WAVE=wave)
    config.name += f"-{chip}" + (f"-wave{wave}" if wave else "")
    config.test_exec_root = os.path.join(config.build, "lit", config.name)
    if chip.startswith("gfx1"):
        # Reports that name GFX9's instructions, a sum over 64 lanes, and an order of lines that two waves have and four have not.
        config.excludes = ["check-blur.mlir", "check-race.mlir", "subgroup-shuffle.mlir", "printf.mlir"]

scripts = os.path.join(config.repo, "scripts")
library = os.path.join(config.build, "libmlir_rocm_runtime.so")
config.substitutions += [
    ("%mlir_rocm_runtime", library),
    ("%stock", os.path.join(config.build, "stock")),
    ("%each_way", f"{here}/each-way {config.release} %t"),
    ("%on_host", f"{here}/on-host {config.release} %t"),
    ("%lower", f"{scripts}/lower {config.release}"),
    ("%link", f"{scripts}/link {config.release}"),
    ("%jit", f"{scripts}/jit {config.release}"),
    # Releases after 22 make its calls.
    ("%release", min(config.release, "22")),
    ("FileCheck", "FileCheck-22"),
]

# MLIR 16 finds ld.lld under /opt/rocm only; elsewhere its tests are those whose
# lowered IR is checked in.
if config.release == "16" and not os.access("/opt/rocm/llvm/bin/ld.lld", os.X_OK):
    lowered = {f.split(".")[0] for f in os.listdir(os.path.join(here, "lowered"))}
    config.excludes = list(config.excludes) + [f for f in os.listdir(here) if f.endswith(".mlir") and f[:-5] not in lowered]
    lit_config.note(f"MLIR 16 without /opt/rocm/llvm/bin/ld.lld: {len(config.excludes)} programs left out, "
                    "the others from test/mlir/lowered")

# The calls of 19 and 16 are 22's otherwise: each runs a quarter of the programs, not the
# same, and with MGPU_TEST_LONG all.
if config.release in ("19", "16") and not os.environ.get("MGPU_TEST_LONG"):
    programs = sorted(f for f in os.listdir(here) if f.endswith(".mlir"))
    config.excludes = set(config.excludes) | {f for f in programs if zlib.crc32(f.encode()) % 4 != int(config.release) % 4}

# Debian 13 has no MLIR 16.
if config.release == "16" and not shutil.which("mlir-opt-16"):
    config.unsupported = True
    lit_config.note("mlir-opt-16 is not installed: nothing of it is run")

for tool in ("mlir-opt-" + config.release, "mlir-translate-" + config.release, "clang-22", "FileCheck-22"):
    if config.unsupported:
        break
    if not shutil.which(tool):
        lit_config.fatal(f"no {tool}: 'make setup' installs it")
if not os.path.exists(library):
    lit_config.fatal(f"no {library}: 'make' builds it")
