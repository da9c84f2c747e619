package rows

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/require"
)

func wideLetter(c byte) bool { return c == 'I' || c == 'F' }

// Registers of the reference test: sources at 4, 8 and 12, the destination at 20.
func refWords(t *testing.T, ref reference, encode func(testing.TB, string, uint32, ...uint32) []uint32) []uint32 {
	src := []uint32{}
	for n := range ref.in {
		src = append(src, v(4+4*n))
	}
	row, enc := rowNamed(t, ref.name)
	if row.Form.Src[2].Class == encoding.CarryIn {
		src = append(src[:2], wave.VccLo)
	}
	dst := v(20)
	if enc == encoding.VOPC {
		dst = wave.VccLo
	}
	return encode(t, ref.name, dst, src...)
}

func checkReference(t *testing.T, r *rand.Rand, ref reference, step encoding.Step, round int) bool {
	t.Helper()
	w := randomWave(r)
	var in [3][64]uint64
	for n := range ref.in {
		for l := range in[n] {
			x := samples.Value(r, ref.in[n])
			in[n][l] = x
			w.V[4+4*n][l] = uint32(x)
			if wideLetter(ref.in[n]) {
				w.V[5+4*n][l] = uint32(x >> 32)
			}
		}
	}
	exec := [4]uint64{alu.Full, r.Uint64(), 0xaaaaaaaaaaaaaaaa, 0}[[8]int{0, 0, 1, 0, 2, 1, 0, 3}[round%8]]
	vcc := r.Uint64()
	w.SetExec(exec)
	w.SetS64(wave.VccLo, vcc)
	before := append([]alu.Lanes(nil), w.V...)
	step(w)
	var flags uint64
	for l := 0; l < 64; l++ {
		if exec>>l&1 == 0 {
			require.Equal(t, before[20][l], w.V[20][l], "%s writes inactive lane %d", ref.name, l)
			continue
		}
		want, out := ref.f(in[0][l], in[1][l], in[2][l], vcc>>l&1 != 0)
		if out {
			flags |= 1 << l
		}
		got := uint64(w.V[20][l])
		switch ref.out[0] {
		case 'm':
			continue
		case 'I', 'F':
			got |= uint64(w.V[21][l]) << 32
		default:
			want &= math.MaxUint32
		}
		if got != want && !(samples.IsNaN(ref.out[0], got) && samples.IsNaN(ref.out[0], want)) {
			t.Errorf("%s(%#x, %#x, %#x) = %#x, want %#x", ref.name, in[0][l], in[1][l], in[2][l], got, want)
			return false
		}
	}
	if ref.out[len(ref.out)-1] == 'm' && w.Vcc() != flags {
		l := bits.TrailingZeros64(w.Vcc() ^ flags)
		t.Errorf("%s(%#x, %#x, %#x): mask bit %d is wrong", ref.name, in[0][l], in[1][l], in[2][l], l)
		return false
	}
	if ref.out == "m" {
		require.Equal(t, before, w.V, ref.name)
	}
	return true
}
