package softgpu

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// matrixKernel is a kernel of testdata/matrix.cl: type and shape are in its name.
type matrixKernel struct {
	name    string
	n, k    int
	blocks  int
	entry   string
	on      string // chips
	a, b, c float64
	ocp     int // 1 on gfx950, whose numbers of eight bits have one less as their bias
	blockA  func(block int) int
	blockB  func(block int) int
}

func matrixKernels(t *testing.T) (all []matrixKernel) {
	const everyChip, from90a, from942 = "gfx908 gfx90a gfx942 gfx950", "gfx90a gfx942 gfx950", "gfx942 gfx950"
	own := func(block int) int { return block }
	for name, on := range map[string]string{
		"f32_32x32x1 2": everyChip, "f32_16x16x1 4": everyChip, "f32_4x4x1 16": everyChip,
		"f32_32x32x2 1": everyChip, "f32_16x16x4 1": everyChip,
		"f16_32x32x4 2": everyChip, "f16_16x16x4 4": everyChip, "f16_4x4x4 16": everyChip,
		"f16_32x32x8 1": everyChip, "f16_16x16x16 1": everyChip,
		"i8_32x32x4 2": everyChip, "i8_16x16x4 4": everyChip, "i8_4x4x4 16": everyChip,
		"i8_32x32x8 1": "gfx908 gfx90a", "i8_16x16x16 1": "gfx908 gfx90a",
		"bf16_32x32x2 2": "gfx908 gfx90a", "bf16_16x16x2 4": "gfx908 gfx90a", "bf16_4x4x2 16": "gfx908 gfx90a",
		"bf16_32x32x4 1": "gfx908 gfx90a", "bf16_16x16x8 1": "gfx908 gfx90a",
		"bf16_32x32x4_1k 2": from90a, "bf16_16x16x4_1k 4": from90a, "bf16_4x4x4_1k 16": from90a,
		"bf16_32x32x8_1k 1": from90a, "bf16_16x16x16_1k 1": from90a,
		"f64_16x16x4 1": from90a, "f64_4x4x4 4": from90a,
		"i8_16x16x32 1": from942, "i8_32x32x16 1": from942, "xf32_16x16x8 1": "gfx942", "xf32_32x32x4 1": "gfx942",
		"fp8_16x16x32 1": from942, "fp8_32x32x16 1": from942, "bf8_16x16x32 1": from942, "bf8_32x32x16 1": from942,
		"negated_f64_16x16x4 1": from942, "broadcast_f32_32x32x1 2": everyChip,
		"f16_16x16x32 1": "gfx950", "f16_32x32x16 1": "gfx950", "bf16_16x16x32 1": "gfx950", "bf16_32x32x16 1": "gfx950",
		"i8_16x16x64 1": "gfx950", "i8_32x32x32 1": "gfx950", "fp8_16x16x128 1": "gfx950", "fp8_32x32x64 1": "gfx950",
		"bf8_16x16x128 1": "gfx950", "bf8_32x32x64 1": "gfx950",
	} {
		m := matrixKernel{on: on, a: 1, b: 1, c: 1, blockA: own, blockB: own}
		var blocks string
		m.name, blocks, _ = strings.Cut(name, " ")
		parts := strings.Split(strings.TrimPrefix(strings.TrimPrefix(m.name, "negated_"), "broadcast_"), "_")
		m.entry = parts[0]
		_, err := fmt.Sscanf(parts[1], "%dx%dx%d", &m.n, &m.n, &m.k)
		require.NoError(t, err)
		m.blocks, err = strconv.Atoi(blocks)
		require.NoError(t, err)
		switch {
		case strings.HasPrefix(m.name, "negated"):
			m.a, m.c = -1, -1
		case strings.HasPrefix(m.name, "broadcast"):
			m.blockA, m.blockB = func(int) int { return 1 }, func(int) int { return 0 }
		}
		all = append(all, m)
	}
	return all
}

// small encodes a small number in a format of so many bits of fraction and exponent.
func small(v float64, fraction, exponent uint, bias int) uint64 {
	if v == 0 {
		return 0
	}
	m, e := math.Frexp(math.Abs(v))
	bits := uint64(math.Ldexp(m, int(fraction)+1)) & (1<<fraction - 1)
	bits |= uint64(e-1+bias) << fraction
	if v < 0 {
		bits |= 1 << (fraction + exponent)
	}
	return bits
}

func (m *matrixKernel) encode(v float64) []byte {
	le := binary.LittleEndian
	switch m.entry {
	case "f64":
		return le.AppendUint64(nil, math.Float64bits(v))
	case "f32", "xf32":
		return le.AppendUint32(nil, math.Float32bits(float32(v)))
	case "f16":
		return le.AppendUint16(nil, uint16(small(v, 10, 5, 15)))
	case "bf16":
		return le.AppendUint16(nil, uint16(small(v, 7, 8, 127)))
	case "fp8":
		return []byte{byte(small(v, 3, 4, 8-m.ocp))}
	case "bf8":
		return []byte{byte(small(v, 2, 5, 16-m.ocp))}
	}
	return []byte{byte(int8(v))}
}

func (m *matrixKernel) result(v float64) []byte {
	switch m.entry {
	case "f64":
		return binary.LittleEndian.AppendUint64(nil, math.Float64bits(v))
	case "i8":
		return binary.LittleEndian.AppendUint32(nil, uint32(int32(v)))
	}
	return binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(v)))
}

func bytesOf(values []float64, encode func(float64) []byte) (all []byte) {
	for _, v := range values {
		all = append(all, encode(v)...)
	}
	return all
}

func (m *matrixKernel) check(t *testing.T, r *rand.Rand, d *Driver, image []byte) {
	random := func(count int) []float64 {
		all := make([]float64, count)
		for i := range all {
			all[i] = float64(r.IntN(9) - 4)
			if m.entry == "bf8" && math.Abs(all[i]) == 3 {
				all[i] /= 2
			}
		}
		return all
	}
	a, b, c := random(m.blocks*m.n*m.k), random(m.blocks*m.n*m.k), random(m.blocks*m.n*m.n)
	want := make([]float64, len(c))
	for block := range m.blocks {
		for i := range m.n {
			for j := range m.n {
				at := (block*m.n+i)*m.n + j
				want[at] = m.c * c[at]
				for k := range m.k {
					want[at] += m.a * a[(m.blockA(block)*m.n+i)*m.k+k] * b[(m.blockB(block)*m.n+j)*m.k+k]
				}
			}
		}
	}
	expected := bytesOf(want, m.result)
	da, va := buffer[byte](t, d, len(a)*8)
	db, vb := buffer[byte](t, d, len(b)*8)
	dc, vc := buffer[byte](t, d, len(c)*8)
	dd, vd := buffer[byte](t, d, len(expected))
	copy(va, bytesOf(a, m.encode))
	copy(vb, bytesOf(b, m.encode))
	copy(vc, bytesOf(c, m.result))
	require.NoError(t, run(t, d, image, m.name, d1(1), d1(64), da, db, dc, dd))
	require.True(t, slices.Equal(expected, vd), "%s", m.name)
}

func TestMatrixKernelsMultiplyMatrices(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 7))
	kernels := matrixKernels(t)
	for _, chip := range []string{"gfx908", "gfx90a", "gfx942", "gfx950"} {
		for _, level := range []string{"-O0", "-O2"} {
			if level == "-O0" && chip != "gfx908" {
				continue // spills of accumulators are gfx908's
			}
			if !slices.Contains(chips(), chip) {
				continue
			}
			t.Run(chip+level, func(t *testing.T) {
				image := compile(t, []string{"-x", "cl", "-cl-std=CL2.0", filepath.Join("testdata", "matrix.cl"), "-mcpu=" + chip, level})
				d := open(t, Options{Chip: chip})
				for n := range kernels {
					if strings.Contains(kernels[n].on, chip) {
						kernels[n].ocp = map[string]int{"gfx950": 1}[chip]
						kernels[n].check(t, r, d, image)
					}
				}
				wholeProduct(t, r, d, image)
				if chip >= "gfx942" {
					sparseProduct(t, r, d, image)
				}
			})
		}
	}
}

// wholeProduct multiplies matrices of 96 by 96 halves, a wave for each 32 by 32.
func wholeProduct(t *testing.T, r *rand.Rand, d *Driver, image []byte) {
	const n = 96
	da, a := buffer[uint16](t, d, n*n)
	db, b := buffer[uint16](t, d, n*n)
	dc, c := buffer[float32](t, d, n*n)
	va, vb := make([]float64, n*n), make([]float64, n*n)
	for i := range va {
		va[i], vb[i] = float64(r.IntN(17)-8), float64(r.IntN(17)-8)
		a[i], b[i] = uint16(small(va[i], 10, 5, 15)), uint16(small(vb[i], 10, 5, 15))
	}
	require.NoError(t, run(t, d, image, "matmul_f16", driver.Dim3{X: 3, Y: 3, Z: 1}, d1(64), da, db, dc, uint32(n)))
	for i := range n {
		for j := range n {
			sum := 0.0
			for k := range n {
				sum += va[i*n+k] * vb[k*n+j]
			}
			require.Equal(t, float32(sum), c[i*n+j], "row %d, column %d", i, j)
		}
	}
}

// sparseProduct multiplies a matrix of which two of four entries are stored.
func sparseProduct(t *testing.T, r *rand.Rand, d *Driver, image []byte) {
	const n, k = 16, 32
	da, a := buffer[uint16](t, d, n*k/2)
	db, b := buffer[uint16](t, d, n*k)
	di, index := buffer[uint32](t, d, 64)
	dc, c := buffer[float32](t, d, n*n)
	var full [n][k]float64
	vb := make([]float64, n*k)
	for i := range b {
		vb[i] = float64(r.IntN(17) - 8)
		b[i] = uint16(small(vb[i], 10, 5, 15))
	}
	for row := range n {
		for four := range k / 4 {
			first := r.IntN(3)
			places := [2]int{first, first + 1 + r.IntN(3-first)}
			for n, place := range places {
				v := float64(r.IntN(17) - 8)
				full[row][four*4+place] = v
				stored := four*2 + n
				a[row*k/2+stored] = uint16(small(v, 10, 5, 15))
				index[row+stored/4*16] |= uint32(place) << (8 + stored%4*2) // the second set: abid 1
			}
		}
	}
	for i := range c {
		c[i] = 1
	}
	require.NoError(t, run(t, d, image, "sparse_f16_16x16x32", d1(1), d1(64), da, db, di, dc))
	for i := range n {
		for j := range n {
			sum := 1.0
			for x := range k {
				sum += full[i][x] * vb[j*k+x]
			}
			require.Equal(t, float32(sum), c[i*n+j], "row %d, column %d", i, j)
		}
	}
}
