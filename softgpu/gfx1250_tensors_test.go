package softgpu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/profile"
)

func tensorsImage(t *testing.T, flags ...string) []byte {
	t.Helper()
	return compile(t, append([]string{"-x", "cl", "-cl-std=CL2.0", "testdata/gfx1250_tensors.cl", "-mcpu=gfx1250", "-O2", "-g", "-mcode-object-version=6", "-w"}, flags...))
}

// TestCopiedTilesMakeAProduct has tiles at the edges of matrices whose sides are not multiples of a tile's.
func TestCopiedTilesMakeAProduct(t *testing.T) {
	const m, n, k = 40, 24, 50
	for _, check := range []string{"", "all"} {
		said := &reports{}
		d := open(t, Options{Chip: "gfx1250", Check: check, Reports: said})
		a, av := buffer[uint32](t, d, m*k)
		b, bv := buffer[uint32](t, d, k*n)
		c, cv := buffer[uint32](t, d, m*n)
		for i := range av {
			av[i] = uint32(i*7%23) - 11
		}
		for i := range bv {
			bv[i] = uint32(i*5%19) - 9
		}
		require.NoError(t, run(t, d, tensorsImage(t), "product", driver.Dim3{X: 2, Y: 3, Z: 1}, d1(256), a, b, c, uint32(m), uint32(n), uint32(k)))
		for i := range m {
			for j := range n {
				want := uint32(0)
				for q := range k {
					want += av[i*k+q] * bv[q*n+j]
				}
				require.Equal(t, want, cv[i*n+j], "%d %d", i, j)
			}
		}
		require.Empty(t, said.String())
	}
}

func TestRowsAreGatheredAndScattered(t *testing.T) {
	for _, check := range []string{"", "all"} {
		said := &reports{}
		d := open(t, Options{Chip: "gfx1250", Check: check, Reports: said})
		from, fv := buffer[uint32](t, d, 64*16)
		to, tv := buffer[uint32](t, d, 100*16)
		numbers, nv := buffer[uint32](t, d, 8)
		copy(nv, []uint32{3, 3, 5, 0, 49, 63, 48, 1})
		for i := range fv {
			fv[i] = uint32(i) + 1
		}
		clear(tv)
		want := make([]uint32, len(tv))
		for _, row := range nv {
			if row*2 < 100 {
				copy(want[row*2*16:][:16], fv[row*16:][:16])
			}
		}
		require.NoError(t, run(t, d, tensorsImage(t), "rows", d1(1), d1(32), from, to, numbers))
		require.Equal(t, want, tv)
		require.Empty(t, said.String())
	}
}

func TestBarriersInLDSPassBlocksOn(t *testing.T) {
	for _, check := range []string{"", "all"} {
		said := &reports{}
		d := open(t, Options{Chip: "gfx1250", Check: check, Reports: said})
		from, fv := buffer[uint32](t, d, 6*64)
		to, tv := buffer[uint32](t, d, 32)
		for i := range fv {
			fv[i] = uint32(i * i)
		}
		require.NoError(t, run(t, d, tensorsImage(t), "pipeline", d1(1), d1(64), from, to))
		for l := range 32 {
			want := uint32(0)
			for n := range 6 {
				want += uint32(n+1) * (fv[64*n+l] + fv[64*n+32+l])
			}
			require.Equal(t, want, tv[l], "%d", l)
		}
		require.NoError(t, run(t, d, tensorsImage(t), "announced", d1(1), d1(32), from, to))
		for l := range 32 {
			require.Equal(t, fv[31-l], tv[l])
		}
		require.Empty(t, said.String())
	}
}

func TestErrorsOfCopiesOfTensorsAreFound(t *testing.T) {
	product := func(check string, words, m, n, k int, flags ...string) (string, error) {
		said := &reports{}
		d := open(t, Options{Chip: "gfx1250", Check: check, Reports: said})
		a, _ := buffer[uint32](t, d, words)
		b, _ := buffer[uint32](t, d, k*n)
		c, _ := buffer[uint32](t, d, m*n)
		err := run(t, d, tensorsImage(t, flags...), "product", d1(1), d1(256), a, b, c, uint32(m), uint32(n), uint32(k))
		return said.String(), err
	}
	said, err := product("wait", 16*48, 16, 16, 48, "-DWRONG")
	require.NoError(t, err)
	require.Regexp(t, `read of 4 bytes of workgroup memory, at offset \d+, while a load into it may be under way(.|\n)*tensor_load_to_lds (.|\n)*missing in between is .s_wait_tensorcnt 0x2`, said)
	said, err = product("memory", 16*48-4, 16, 16, 48)
	require.ErrorContains(t, err, "read from an address that is not mapped")
	require.Regexp(t, `memory: read at 0x(.|\n)*tensor_load_to_lds (.|\n)*is 0 bytes past the end of the block of 3056 bytes`, said)

	careless := func(check string, flags ...string) string {
		said := &reports{}
		d := open(t, Options{Chip: "gfx1250", Check: check, Reports: said})
		from, fv := buffer[uint32](t, d, 64)
		clear(fv)
		to, _ := buffer[uint32](t, d, 128)
		require.NoError(t, run(t, d, tensorsImage(t, flags...), "careless", d1(1), d1(64), from, to))
		return said.String()
	}
	require.Regexp(t, `race: read of 4 bytes in workgroup memory, at offset 128(.|\n)*no barrier or atomic orders it after the write at (.|\n)*tensor_load_to_lds `, careless("race"))
	require.Regexp(t, `uninit: read of 256 bytes of workgroup memory that no work-item wrote, at offset 256(.|\n)*tensor_store_from_lds `, careless("uninit"))
	require.Empty(t, careless("all", "-DBARRIERS"))
}

func TestAProfileCountsTheBytesOfTensors(t *testing.T) {
	d := open(t, Options{Chip: "gfx1250", Profile: "all"})
	from, _ := buffer[uint32](t, d, 64)
	to, _ := buffer[uint32](t, d, 128)
	require.NoError(t, run(t, d, tensorsImage(t), "careless", d1(1), d1(64), from, to))
	k, _ := onlyKernel(t, d)
	require.Equal(t, profile.Moved{Read: 256, Written: 256 + 32*4}, k.Counts.Bytes.Global)
	require.Equal(t, profile.Moved{Read: 256 + 32*4, Written: 256}, k.Counts.Bytes.LDS)
	require.Contains(t, k.Counts.Classes, profile.ClassCount{Class: "vector memory", Instructions: 3})
}
