"""mandelbrot.py PROGRAM.so: the set in letters, computed on the GPU from Python."""
import sys

import mgpu_runtime
import numpy

mandelbrot = mgpu_runtime.load(sys.argv[1]).function("mandelbrot", "(memref<?x?xi32>, i32)")
image = numpy.empty((24, 64), numpy.int32)
most = 50
mandelbrot(image, most)

# The same with numpy, in the same order and width.
c = (numpy.arange(64, dtype=numpy.float32) / numpy.float32(64) * numpy.float32(3) + numpy.float32(-2.2),
     numpy.arange(24, dtype=numpy.float32) / numpy.float32(24) * numpy.float32(2.4) + numpy.float32(-1.2))
cr, ci = numpy.meshgrid(*c)
zr, zi, steps = numpy.zeros_like(cr), numpy.zeros_like(cr), numpy.zeros(cr.shape, numpy.int32)
for _ in range(most):
    inside = zr * zr + zi * zi < 4
    r, i = zr * zr - zi * zi + cr, zr * zi * 2 + ci
    zr, zi = numpy.where(inside, r, zr), numpy.where(inside, i, zi)
    steps += inside

for row in image:
    print("".join(" .:-=+*#%@"[min(9, n // 3)] for n in row).rstrip())
print("cells that differ from numpy's:", int((image != steps).sum()))
