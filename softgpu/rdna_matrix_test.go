package softgpu

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rdnaTargets are chips of RDNA with matrix instructions, and how code for each size of waves is compiled, the generic
// targets of LLVM's included.
var rdnaTargets = []struct {
	chip, cpu string
	flags     []string
}{
	{"gfx1100", "gfx1100", nil}, {"gfx1100", "gfx1100", []string{"-mwavefrontsize64", "-DWAVE64"}}, {"gfx1151", "gfx11-generic", nil},
	{"gfx1200", "gfx1200", nil}, {"gfx1201", "gfx1201", []string{"-mwavefrontsize64", "-DWAVE64"}}, {"gfx1201", "gfx12-generic", nil},
}

func rdnaImage(t *testing.T, cpu string, flags []string) []byte {
	t.Helper()
	return compile(t, append([]string{"-x", "cl", "-cl-std=CL2.0", "testdata/rdna.cl", "-mcpu=" + cpu, "-O2", "-mcode-object-version=6"}, flags...))
}

// TestCompiledMatrixInstructionsMultiply compares clang's builtins with plain sums. The kernels lay matrices out as AMD's
// examples do, so results are small integers in whatever order entries are added.
func TestCompiledMatrixInstructionsMultiply(t *testing.T) {
	half := func(x int) uint16 { // of a small integer
		f := math.Float32bits(float32(x))
		if x == 0 {
			return 0
		}
		return uint16(f>>16&0x8000 | (f>>23&0xff-112)<<10 | f>>13&0x3ff)
	}
	for _, target := range rdnaTargets {
		t.Run(target.cpu, func(t *testing.T) {
			d := open(t, Options{Chip: target.chip})
			image := rdnaImage(t, target.cpu, target.flags)
			lanes := uint32(32)
			if target.flags != nil {
				lanes = 64
			}
			a, av := buffer[uint16](t, d, 256)
			b, bv := buffer[uint16](t, d, 256)
			c, cv := buffer[float32](t, d, 256)
			x, xv := buffer[byte](t, d, 256)
			y, yv := buffer[byte](t, d, 256)
			z, zv := buffer[uint32](t, d, 256)
			number := func(n, salt int) int { return (n*salt+n/7)%11 - 5 }
			for n := range 256 {
				av[n], bv[n], cv[n] = half(number(n, 5)), half(number(n, 3)), float32(n)
				xv[n], yv[n], zv[n] = byte(n*37), byte(n*91), uint32(n-128)
			}
			require.NoError(t, run(t, d, image, "multiply", d1(1), d1(lanes), a, b, c))
			require.NoError(t, run(t, d, image, "multiply_bytes", d1(1), d1(lanes), x, y, z))
			for i := range 16 {
				for j := range 16 {
					sum, whole := float32(i*16+j), int32(i*16+j-128)
					for k := range 16 {
						sum += float32(number(i*16+k, 5) * number(k*16+j, 3))
						whole += int32(int8(xv[i*16+k])) * int32(yv[k*16+j])
					}
					require.Equal(t, sum, cv[i*16+j], "%d, %d", i, j)
					require.Equal(t, whole, int32(zv[i*16+j]), "bytes: %d, %d", i, j)
				}
			}
		})
	}
}

// TestBarriersOfTwoHalves: waves that have arrived go on before the others have, and wait later; one of each
// workgroup is the first.
func TestBarriersOfTwoHalves(t *testing.T) {
	for _, check := range []string{"", "all"} {
		said := &reports{}
		d := open(t, Options{Chip: "gfx1200", Check: check, Reports: said})
		first, fv := buffer[uint32](t, d, 1)
		out, ov := buffer[uint32](t, d, 256)
		fv[0] = 0
		require.NoError(t, run(t, d, rdnaImage(t, "gfx1200", nil), "arrive", d1(1), d1(256), first, out))
		for i := range uint32(256) {
			require.Equal(t, (255-i)*3+i*7, ov[i])
		}
		assert.Equal(t, uint32(1), fv[0])
		assert.Empty(t, said.String())
	}
}

// TestScalarFunctionsAndSmallLoadsOfRDNA4 runs what compilers rarely emit.
func TestScalarFunctionsAndSmallLoadsOfRDNA4(t *testing.T) {
	d := open(t, Options{Chip: "gfx1201"})
	in, iv := buffer[uint32](t, d, 1)
	out, ov := buffer[uint32](t, d, 32)
	iv[0] = 0x8001c3a5
	require.NoError(t, run(t, d, rdnaImage(t, "gfx1201", nil), "scalars", d1(1), d1(32), in, out))
	assert.Equal(t, []uint32{math.Float32bits(0.25), math.Float32bits(2), 0xc3, 0xffff8001}, ov[:4])
	for i := uint32(4); i < 32; i++ {
		assert.Equal(t, i&^15+15-i%16, ov[i], i)
	}
}
