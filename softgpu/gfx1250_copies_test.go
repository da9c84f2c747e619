package softgpu

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
)

func copiesImage(t *testing.T) []byte {
	t.Helper()
	return compile(t, []string{"-x", "cl", "-cl-std=CL2.0", "testdata/gfx1250_copies.cl", "-mcpu=gfx1250", "-O2", "-mcode-object-version=6", "-w"})
}

func TestAsynchronousCopiesOfGFX1250MoveBytes(t *testing.T) {
	for _, check := range []string{"", "all"} {
		said := &reports{}
		d := open(t, Options{Chip: "gfx1250", Check: check, Reports: said})
		from, fv := buffer[byte](t, d, 512)
		to, tv := buffer[byte](t, d, 1024)
		for n := range fv {
			fv[n] = byte(n*7 + n/16)
		}
		require.NoError(t, run(t, d, copiesImage(t), "copy", d1(1), d1(32), from, to))
		for n := range 512 {
			require.Equal(t, fv[(31-n/16)*16+n%16], tv[n], "%d", n)
			want := fv[(31-n/16)*16+n%16]
			if n/16%3 == 0 {
				want = fv[n]
			}
			require.Equal(t, want, tv[512+n], "%d", n)
		}
		require.Empty(t, said.String())
	}
}

func TestAsynchronousCopiesBeyondABlockAreFound(t *testing.T) {
	said := &reports{}
	d := open(t, Options{Chip: "gfx1250", Check: "memory", Reports: said})
	from, _ := buffer[byte](t, d, 500)
	to, _ := buffer[byte](t, d, 1024)
	require.Error(t, run(t, d, copiesImage(t), "copy", d1(1), d1(32), from, to))
	require.Contains(t, said.String(), "global_load_async_to_lds_b128")
}

// TestTransposingLoadsOfGFX1250FeedMatrices multiplies matrices whose rows are in memory the other way round.
func TestTransposingLoadsOfGFX1250FeedMatrices(t *testing.T) {
	for lds := range uint32(2) {
		t.Run(fmt.Sprint(lds), func(t *testing.T) {
			d := open(t, Options{Chip: "gfx1250"})
			number := func(n, salt int) int { return (n*salt+n/7)%11 - 5 }
			half := func(x int) uint16 {
				f := math.Float32bits(float32(x))
				if x == 0 {
					return 0
				}
				return uint16(f>>16&0x8000 | (f>>23&0xff-112)<<10 | f>>13&0x3ff)
			}
			a, av := buffer[uint16](t, d, 512)
			b, bv := buffer[uint16](t, d, 512)
			c, cv := buffer[float32](t, d, 256)
			for n := range 512 {
				av[n], bv[n] = half(number(n, 5)), half(number(n, 3))
			}
			require.NoError(t, run(t, d, copiesImage(t), "product_of_halves", d1(1), d1(32), a, b, c, lds))
			x, xv := buffer[byte](t, d, 1024)
			y, yv := buffer[byte](t, d, 1024)
			z, zv := buffer[uint32](t, d, 256)
			for n := range 1024 {
				xv[n], yv[n] = byte(n*37), byte(n*91)
			}
			require.NoError(t, run(t, d, copiesImage(t), "product_of_bytes", d1(1), d1(32), x, y, z, lds))
			for i := range 16 {
				for j := range 16 {
					var halves float32
					var bytes int32
					for k := range 32 {
						halves += float32(number(k*16+i, 5) * number(k*16+j, 3))
					}
					for k := range 64 {
						bytes += int32(int8(xv[k*16+i])) * int32(int8(yv[k*16+j]))
					}
					require.Equal(t, halves, cv[i*16+j])
					require.Equal(t, bytes, int32(zv[i*16+j]))
				}
			}
		})
	}
}

// TestArgumentsInScalarRegisters has all words but the last loaded before the kernel starts.
func TestArgumentsInScalarRegisters(t *testing.T) {
	d := open(t, Options{Chip: "gfx1250"})
	image := compile(t, []string{"-x", "ir", "testdata/gfx1250_preload.ll", "-mcpu=gfx1250", "-O2", "-mcode-object-version=6", "-w"})
	o, err := codeobj.Parse(image)
	require.NoError(t, err)
	require.Equal(t, uint32(7), o.Kernels[0].Descriptor.KernargPreload)
	p, pv := buffer[uint32](t, d, 6)
	pair := binary.LittleEndian.AppendUint64(nil, 1<<40|7)
	require.NoError(t, run(t, d, image, "k", d1(3), d1(64), p, uint32(11), pair, uint32(13), uint32(17)))
	require.Equal(t, []uint32{11, 0, 7, 1 << 8, 13, 17}, pv)
}

// TestMissingWaitsForAsynchronousCopiesAreReported: LLVM 22 leaves these waits to the program.
func TestMissingWaitsForAsynchronousCopiesAreReported(t *testing.T) {
	in := func(kernel string, flags ...string) string {
		said := &reports{}
		d := open(t, Options{Chip: "gfx1250", Check: "wait", Reports: said})
		from, _ := buffer[uint32](t, d, 128)
		to, _ := buffer[uint32](t, d, 64)
		image := compile(t, append([]string{"-x", "cl", "-cl-std=CL2.0", "testdata/waits1250.cl", "-mcpu=gfx1250", "-O1", "-g", "-w"}, flags...))
		require.NoError(t, run(t, d, image, kernel, d1(1), d1(64), from, to))
		return said.String()
	}
	for kernel, want := range map[string]string{
		"loads":    `read of 4 bytes of workgroup memory, at offset 256, while a load into it may be under way(.|\n)*global_load_async_to_lds_b32 (.|\n)*missing in between is .s_wait_asynccnt 0x0`,
		"store":    `write of 4 bytes of workgroup memory, at offset 0, while a store from it may be under way(.|\n)*global_store_async_from_lds_b32 (.|\n)*missing in between is .s_wait_asynccnt 0x0`,
		"chain":    `global_store_async_from_lds_b32 (.|\n)*under way is (.|\n)*global_load_async_to_lds_b32 (.|\n)*missing in between is .s_wait_asynccnt 0x0`,
		"mixed":    `read of 4 bytes of workgroup memory, at offset \d+, while a load into it may be under way(.|\n)*missing in between is .s_wait_asynccnt 0x0`,
		"prefix":   `read of 4 bytes of workgroup memory, at offset \d+, while a load into it may be under way(.|\n)*missing in between is .s_wait_asynccnt 0x1`,
		"refill":   `write of 4 bytes of workgroup memory, at offset 0, while a store from it may be under way(.|\n)*missing in between is .s_wait_asynccnt 0x0`,
		"again":    `write of 4 bytes of workgroup memory, at offset 0, while a load into it may be under way(.|\n)*missing in between is .s_wait_asynccnt 0x0`,
		"reuse":    `write of 4 bytes of workgroup memory, at offset \d+, while wave [01] may still be reading it(.|\n)*global_store_async_from_lds_b32 (.|\n)*missing before that wave's barrier is .s_wait_asynccnt 0x0`,
		"barrier_": `while wave [01] may still be writing it(.|\n)*missing before that wave's barrier is .s_wait_asynccnt 0x0`,
	} {
		require.Regexp(t, want, in(kernel), kernel)
		require.Empty(t, in(kernel, "-DRIGHT"), kernel)
	}
	require.Empty(t, in("arrives"), "it waits between the barriers")
}

func TestClustersOfOneWorkgroupMeet(t *testing.T) {
	for _, check := range []string{"", "all,race,sync"} {
		said := &reports{}
		d := open(t, Options{Chip: "gfx1250", Check: check, Reports: said})
		p, pv := buffer[uint32](t, d, 3*128)
		for n := range pv {
			pv[n] = uint32(n)
		}
		require.NoError(t, run(t, d, copiesImage(t), "cluster", d1(3), d1(128), p))
		for n := range pv {
			require.Equal(t, uint32(n/128*128+127-n%128+n/128*1000), pv[n])
		}
		require.Empty(t, said.String())
	}
}
