"""Tests of the kernel: pytest --mgpu-chip=gfx90a --mgpu-check=memory,race,uninit tests"""

import os
from pathlib import Path

import mgpu_runtime
import numpy
import pytest

BUILD = Path(os.environ.get("BUILD", Path(__file__).parent.parent / "build"))


@pytest.fixture(scope="session")
def smooth():
    return mgpu_runtime.module(BUILD / "smooth.hsaco").kernel("smooth")


@pytest.mark.parametrize("n", [1, 256, 257, 1000])
def test_means_of_neighbours(smooth, n):
    x = numpy.random.default_rng(n).random(n, numpy.float32)
    out = numpy.zeros_like(x)
    smooth(-(-n // 256), 256, out, x, n, 0, shared=258 * 4)
    padded = numpy.pad(x, 1)
    numbers = numpy.full(n, 3.0)
    numbers[0] -= 1
    numbers[-1] -= 1
    numpy.testing.assert_allclose(out, (padded[:-2] + padded[1:-1] + padded[2:]) / numbers, rtol=1e-5)
