package softgpu

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func gfx1250Image(t *testing.T) []byte {
	t.Helper()
	return compile(t, []string{"-x", "cl", "-cl-std=CL2.0", "testdata/gfx1250.cl", "-mcpu=gfx1250", "-O2", "-mcode-object-version=6"})
}

// TestMatricesOfGFX1250Multiply compares clang's builtins with plain sums of small integers.
func TestMatricesOfGFX1250Multiply(t *testing.T) {
	d := open(t, Options{Chip: "gfx1250"})
	image := gfx1250Image(t)
	number := func(n, salt int) int { return (n*salt+n/7)%11 - 5 }
	half := func(x int) uint16 {
		f := math.Float32bits(float32(x))
		if x == 0 {
			return 0
		}
		return uint16(f>>16&0x8000 | (f>>23&0xff-112)<<10 | f>>13&0x3ff)
	}
	a, av := buffer[uint16](t, d, 16*32)
	b, bv := buffer[uint16](t, d, 16*32)
	c, cv := buffer[float32](t, d, 256)
	p, pv := buffer[float32](t, d, 64)
	q, qv := buffer[float32](t, d, 64)
	s, sv := buffer[float32](t, d, 256)
	x, xv := buffer[byte](t, d, 1024)
	y, yv := buffer[byte](t, d, 1024)
	z, zv := buffer[uint32](t, d, 256)
	for n := range 16 * 32 {
		av[n], bv[n] = half(number(n, 5)), half(number(n, 3))
	}
	for n := range 64 {
		pv[n], qv[n] = float32(number(n, 5)), float32(number(n, 3))
	}
	for n := range 1024 {
		xv[n], yv[n] = byte(n*37), byte(n*91)
	}
	for n := range 256 {
		cv[n], sv[n], zv[n] = float32(n), float32(-n), uint32(n-128)
	}
	require.NoError(t, run(t, d, image, "multiply_halves", d1(1), d1(32), a, b, c))
	require.NoError(t, run(t, d, image, "multiply_singles", d1(1), d1(32), p, q, s))
	require.NoError(t, run(t, d, image, "multiply_bytes", d1(1), d1(32), x, y, z))
	for i := range 16 {
		for j := range 16 {
			halves, singles, whole := float32(i*16+j), float32(-i*16-j), int32(i*16+j-128)
			for k := range 32 {
				halves += float32(number(i*32+k, 5) * number(k*16+j, 3))
			}
			for k := range 4 {
				singles += float32(number(i*4+k, 5) * number(k*16+j, 3))
			}
			for k := range 64 {
				whole += int32(int8(xv[i*64+k])) * int32(yv[k*16+j])
			}
			require.Equal(t, halves, cv[i*16+j], "halves: %d, %d", i, j)
			require.Equal(t, singles, sv[i*16+j], "singles: %d, %d", i, j)
			require.Equal(t, whole, int32(zv[i*16+j]), "bytes: %d, %d", i, j)
		}
	}
}

func TestOffsetsBesidePointersOfGFX1250AreSigned(t *testing.T) {
	for _, check := range []string{"", "all"} {
		said := &reports{}
		d := open(t, Options{Chip: "gfx1250", Check: check, Reports: said})
		p, pv := buffer[uint32](t, d, 132)
		at, atv := buffer[uint32](t, d, 32)
		for n := range pv {
			pv[n] = uint32(n * 3)
		}
		for n := range atv {
			atv[n] = uint32(n*3 - 100)
		}
		require.NoError(t, run(t, d, gfx1250Image(t), "before", d1(1), d1(32), p, at))
		for n := range 32 {
			require.Equal(t, uint32(n*9), pv[100+n])
		}
		require.Empty(t, said.String())
	}
}

// TestScalesOfConversionsAreOtherLanes has a scale for each 32 numbers: lanes l and 16+l have the two parts of a row.
func TestScalesOfConversionsAreOtherLanes(t *testing.T) {
	d := open(t, Options{Chip: "gfx1250"})
	p, pv := buffer[uint32](t, d, 32)
	s, sv := buffer[uint32](t, d, 32)
	o, ov := buffer[float32](t, d, 32*8)
	for l := range pv {
		pv[l] = 0x76543210 ^ uint32(l&1)*0x88888888
		sv[l] = uint32(127+l-16)<<16 | uint32(127+16-l)<<24
	}
	sv[16+5] |= 255 << 24
	require.NoError(t, run(t, d, gfx1250Image(t), "scaled", d1(1), d1(32), p, s, o))
	for l := range 32 {
		for n, x := range []float64{0, 0.5, 1, 1.5, 2, 3, 4, 6} {
			by := l % 16
			if l >= 16 {
				by = -by
			}
			want := float32(math.Ldexp(x, by) * float64(1-2*(l&1)))
			if l == 16+5 {
				require.True(t, ov[l*8+n] != ov[l*8+n], "the scale is NaN")
				continue
			}
			require.Equal(t, want, ov[l*8+n], "lane %d, number %d", l, n)
		}
	}
}

func TestTallMatricesOfGFX1250Multiply(t *testing.T) {
	d := open(t, Options{Chip: "gfx1250"})
	a, av := buffer[uint32](t, d, 32*16)
	b, bv := buffer[uint32](t, d, 16*16)
	c, cv := buffer[float32](t, d, 32*16)
	for n := range av {
		av[n] = uint32(n) * 0x9e3779b9
	}
	for n := range bv {
		bv[n] = uint32(n) * 0x85ebca6b
	}
	number := func(words []uint32, row, k int) float32 {
		x := words[row*16+k/8] >> (4 * (k % 8)) & 15
		return [8]float32{0, 0.5, 1, 1.5, 2, 3, 4, 6}[x&7] * (1 - 2*float32(x>>3))
	}
	require.NoError(t, run(t, d, gfx1250Image(t), "tall", d1(1), d1(32), a, b, c))
	for i := range 32 {
		for j := range 16 {
			var want float32
			for k := range 128 {
				want += number(av, i, k) * number(bv, j, k)
			}
			require.Equal(t, want, cv[i*16+j], "%d %d", i, j)
		}
	}
}
