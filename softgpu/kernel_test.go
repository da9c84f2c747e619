package softgpu

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// run launches a kernel of an image on a new stream and waits for it.
func run(t testing.TB, d *Driver, image []byte, name string, grid, block driver.Dim3, values ...any) error {
	t.Helper()
	return runShared(t, d, image, name, grid, block, 0, values...)
}

func runShared(t testing.TB, d *Driver, image []byte, name string, grid, block driver.Dim3, shared uint32, values ...any) error {
	t.Helper()
	f := kernel(t, d, image, name)
	s := newTestStream(t, d)
	err := d.LaunchKernel(f, driver.Launch{Grid: grid, Block: block, SharedBytes: shared, Stream: s, Params: arguments(t, values...)})
	if err != nil {
		return err
	}
	return d.StreamSynchronize(s)
}

// builds are the ways in which the compiler makes the same kernels differ.
func builds(t *testing.T, check func(t *testing.T, d *Driver, image []byte)) {
	for _, chip := range chips() {
		for _, version := range []int{4, 5, 6} {
			for _, level := range levels(chip, "gfx90a", "gfx950") {
				if (level == "-O0" || chip != "gfx906" || testing.Short()) && version != 5 {
					continue
				}
				t.Run(fmt.Sprintf("%s/v%d/%s", chip, version, level), func(t *testing.T) {
					d := open(t, Options{Chip: chip})
					check(t, d, image(t, "-mcpu="+chip, level, fmt.Sprintf("-mcode-object-version=%d", version)))
				})
				t.Run(fmt.Sprintf("%s/v%d/%s/checked", chip, version, level), func(t *testing.T) {
					said := &reports{}
					d := open(t, Options{Chip: chip, Check: "all", Reports: said})
					check(t, d, image(t, "-mcpu="+chip, level, fmt.Sprintf("-mcode-object-version=%d", version)))
					assert.Empty(t, said.String())
				})
			}
		}
	}
	for _, b := range rdnaBuilds() {
		t.Run(b.String(), func(t *testing.T) { check(t, open(t, Options{Chip: b.chip}), image(t, b.args()...)) })
		t.Run(b.String()+"/checked", func(t *testing.T) {
			said := &reports{}
			check(t, open(t, Options{Chip: b.chip, Check: "all", Reports: said}), image(t, b.args()...))
			assert.Empty(t, said.String())
		})
	}
}

func TestKernelsComputeWhatTheirSourceSays(t *testing.T) {
	builds(t, func(t *testing.T, d *Driver, image []byte) {
		t.Run("vector add over a last workgroup that is not full", func(t *testing.T) {
			const n = 1000
			a, av := buffer[float32](t, d, n)
			b, bv := buffer[float32](t, d, n)
			c, cv := buffer[float32](t, d, n+24)
			clear(cv)
			for i := range n {
				av[i], bv[i] = float32(i), float32(2*i)
			}
			require.NoError(t, run(t, d, image, "vector_add", d1(4), d1(256), a, b, c, uint32(n)))
			for i := range n {
				require.Equal(t, float32(3*i), cv[i], "element %d", i)
			}
			assert.Zero(t, cv[n], "past the end")
		})
		t.Run("workgroups whose last wave is not full", func(t *testing.T) {
			const n = 7 * 100
			a, av := buffer[float32](t, d, n)
			c, cv := buffer[float32](t, d, n)
			for i := range n {
				av[i] = float32(i)
			}
			require.NoError(t, run(t, d, image, "vector_add", d1(7), d1(100), a, a, c, uint32(n)))
			for i := range n {
				require.Equal(t, float32(2*i), cv[i], "element %d", i)
			}
		})
		t.Run("reduction with barriers", func(t *testing.T) {
			in, iv := buffer[uint32](t, d, 256*5)
			out, ov := buffer[uint32](t, d, 5)
			want := make([]uint32, 5)
			for i := range iv {
				iv[i] = uint32(i * i)
				want[i/256] += iv[i]
			}
			require.NoError(t, run(t, d, image, "reduce", d1(5), d1(256), in, out))
			assert.Equal(t, want, ov)
		})
		t.Run("divergent loops", func(t *testing.T) {
			in, iv := buffer[uint32](t, d, 128)
			out, ov := buffer[uint32](t, d, 128)
			want := make([]uint32, 128)
			for i := range iv {
				iv[i] = uint32(i + 1)
				for n := i + 1; n != 1; want[i]++ {
					if n%2 == 1 {
						n = 3*n + 1
					} else {
						n /= 2
					}
				}
			}
			require.NoError(t, run(t, d, image, "collatz", d1(2), d1(64), in, out))
			assert.Equal(t, want, ov)
		})
		t.Run("scratch", func(t *testing.T) {
			in, iv := buffer[uint32](t, d, 512)
			out, ov := buffer[uint32](t, d, 512)
			want := make([]uint32, 512)
			for i := range iv {
				iv[i] = uint32(i * 7)
				want[i] = iv[i] % 32 * uint32(i)
			}
			require.NoError(t, run(t, d, image, "scratch", d1(2), d1(256), in, out))
			assert.Equal(t, want, ov)
		})
		t.Run("calls", func(t *testing.T) {
			out, ov := buffer[uint32](t, d, 128)
			want := make([]uint32, 128)
			for i := range want {
				want[i] = uint32(i*i + 1 + (i+1)*(i+1) + 2)
			}
			require.NoError(t, run(t, d, image, "calls", d1(2), d1(64), out))
			assert.Equal(t, want, ov)
		})
		t.Run("recursion", func(t *testing.T) {
			out, ov := buffer[uint32](t, d, 64)
			require.NoError(t, run(t, d, image, "recurse", d1(1), d1(64), out))
			assert.Equal(t, []uint32{0, 1, 1, 2, 3, 5, 8, 13, 0}, ov[:9])
		})
		t.Run("table of constants", func(t *testing.T) {
			out, ov := buffer[uint32](t, d, 8)
			require.NoError(t, run(t, d, image, "table", d1(1), d1(8), out))
			assert.Equal(t, []uint32{2, 3, 5, 7, 11, 13, 17, 19}, ov)
		})
		t.Run("dynamic workgroup memory", func(t *testing.T) {
			in, iv := buffer[uint32](t, d, 128)
			out, ov := buffer[uint32](t, d, 128)
			for i := range iv {
				iv[i] = uint32(i)
			}
			require.NoError(t, runShared(t, d, image, "copy_dynamic", d1(1), d1(128), 512, in, out, uint32(0)))
			for i := range ov {
				require.Equal(t, uint32(127-i), ov[i])
			}
		})
		t.Run("a struct by value", func(t *testing.T) {
			out, ov := buffer[uint64](t, d, 3)
			w := make([]byte, 136)
			binary.LittleEndian.PutUint32(w, 1)
			binary.LittleEndian.PutUint32(w[4+29*4:], 2)
			binary.LittleEndian.PutUint64(w[128:], 1<<40)
			require.NoError(t, run(t, d, image, "by_value", d1(1), d1(1), w, out))
			assert.Equal(t, []uint64{1, 2, 1 << 40}, ov)
		})
	})
}

func TestGridsOfThreeDimensions(t *testing.T) {
	shapes := []struct{ grid, block driver.Dim3 }{
		{d1(3), d1(50)},
		{driver.Dim3{X: 2, Y: 3, Z: 1}, driver.Dim3{X: 8, Y: 4, Z: 1}},
		{driver.Dim3{X: 2, Y: 2, Z: 2}, driver.Dim3{X: 3, Y: 5, Z: 7}},
		{driver.Dim3{X: 1, Y: 1, Z: 4}, driver.Dim3{X: 1, Y: 1, Z: 64}},
		{d1(1), driver.Dim3{X: 1, Y: 100, Z: 1}},
	}
	builds(t, func(t *testing.T, d *Driver, image []byte) {
		for _, shape := range shapes {
			nx, ny, nz := shape.grid.X*shape.block.X, shape.grid.Y*shape.block.Y, shape.grid.Z*shape.block.Z
			out, ov := buffer[uint32](t, d, int(nx*ny*nz))
			require.NoError(t, run(t, d, image, "shape", shape.grid, shape.block, out, nx, ny))
			for i, v := range ov {
				n := uint32(i)
				require.Equal(t, n%nx|n/nx%ny<<8|n/(nx*ny)<<16, v, "%v, element %d", shape, i)
			}
		}
	})
}

func TestAtomicsOfWorkgroupsInParallel(t *testing.T) {
	d := open(t, Options{})
	p, v := buffer[uint32](t, d, 1)
	require.NoError(t, run(t, d, image(t), "count_up", d1(500), d1(256), p))
	assert.Equal(t, uint32(500*256), v[0])
}

func TestWavesOfOneWorkgroupMayWaitForEachOther(t *testing.T) {
	d := open(t, Options{})
	p, v := buffer[uint32](t, d, 1)
	require.NoError(t, run(t, d, image(t), "lds_flag", d1(1), d1(128), p))
	assert.Equal(t, uint32(7), v[0])
}

func TestWorkgroupsOfOneGridMayWaitForEachOther(t *testing.T) {
	d := open(t, Options{})
	const groups = 40
	count, _ := buffer[uint32](t, d, 1)
	elements[uint32](uintptr(count), 1)[0] = 0
	out, ov := buffer[uint32](t, d, groups*64)
	require.NoError(t, run(t, d, image(t), "grid_barrier", d1(groups), d1(64), count, uint32(groups), out))
	for i, v := range ov {
		require.Equal(t, uint32(groups), v, "work-item %d", i)
	}
}

func TestKernelsUseHostMemory(t *testing.T) {
	d := open(t, Options{})
	a, av := host(t, 64)
	for i := range av {
		av[i] = uint32(i)
	}
	out, ov := host(t, 64)
	require.NoError(t, run(t, d, image(t), "collatz", d1(1), d1(1), a+4, out))
	assert.Equal(t, uint32(0), ov[0], "1 is where the sequence ends")
	require.NoError(t, run(t, d, image(t), "collatz", d1(1), d1(1), a+3*4, out))
	assert.Equal(t, uint32(7), ov[0])
}
