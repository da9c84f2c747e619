package softgpu

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func scalarImage(t *testing.T, args ...string) []byte {
	return compile(t, append([]string{"-x", "cl", "-cl-std=CL2.0", "testdata/scalar-rdna.cl", "-O2"}, args...))
}

// TestSubvectorLoopsPassOverHalves: a block is executed for each half of a wave with active lanes, the lower one first.
func TestSubvectorLoopsPassOverHalves(t *testing.T) {
	for _, chip := range []string{"gfx1030", "gfx1100"} {
		d := open(t, Options{Chip: chip, Check: "all", Reports: &reports{}})
		image := scalarImage(t, "-mcpu="+chip, "-mwavefrontsize64")
		for _, mask := range []uint64{0, 1, 1 << 63, 0xf0, 0xff << 40, 0x8000000180000001, math.MaxUint64, math.MaxUint64 - math.MaxUint32, math.MaxUint32} {
			p, v := buffer[uint32](t, d, 67)
			low, high := uint32(mask), uint32(mask>>32)
			require.NoError(t, run(t, d, image, "halves", d1(1), d1(64), p, low, high))
			passes := uint32(0)
			if low != 0 {
				passes++
			}
			if high != 0 {
				passes++
			}
			require.Equal(t, passes, v[64], "%s: %#x", chip, mask)
			require.Equal(t, []uint32{low, high}, v[65:67], "%s: %#x", chip, mask)
			for l, pass := range v[:64] {
				want := uint32(9)
				switch active := mask>>l&1 != 0; {
				case active && (l < 32 || low == 0):
					want = 0
				case active:
					want = 1
				}
				require.Equal(t, want, pass, "%s: %#x: lane %d", chip, mask, l)
			}
		}
	}
}

// TestSubvectorLoopsInWavesOf32AreRefused by name.
func TestSubvectorLoopsInWavesOf32AreRefused(t *testing.T) {
	d := open(t, Options{Chip: "gfx1100"})
	m, err := d.ModuleLoad(scalarImage(t, "-mcpu=gfx1100"))
	require.NoError(t, err)
	_, err = d.ModuleGetFunction(m, "halves")
	require.ErrorContains(t, err, "s_subvector_loop_begin")
}

// TestBarriersTellTheirState: bit 0, the number of waves from bit 4 on, that of those which have arrived from bit 16 on.
func TestBarriersTellTheirState(t *testing.T) {
	for _, check := range []string{"", "all"} {
		d := open(t, Options{Chip: "gfx1201", Check: check, Reports: &reports{}})
		image := scalarImage(t, "-mcpu=gfx1201")
		p, v := buffer[uint32](t, d, 32)
		require.NoError(t, run(t, d, image, "barrier_state", d1(1), d1(128), p))
		require.Equal(t, uint32(1|4<<4|1<<16), v[0])
		require.NoError(t, run(t, d, image, "barrier_state", d1(1), d1(32), p))
		require.Zero(t, v[0], "a workgroup of one wave has no barrier")
	}
}
