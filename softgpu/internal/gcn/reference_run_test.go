package gcn

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

var specials32 = []uint32{0, 1 << 31, 1, 0x80000001, 0x007fffff, 0x00800000, 0x80800000, 0x3f800000, 0xbf800000, 0x3f000000,
	0x3fc00000, 0x40200000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc01234, 0x4f000000,
	0xcf000000, 0x4f800000, 0x4b000001, 0x5f000000, 0xffffffff, 2, 31, 32, 0x7fffffff, 0x33800000}

var specials64 = []uint64{0, 1 << 63, 1, 1<<63 | 1, 1<<52 - 1, 1 << 52, 0x3ff << 52, 0xbff << 52, 0x3fe << 52, 0x3ff8 << 48,
	0x4004 << 48, 0x7fefffffffffffff, 0xffefffffffffffff, 0x7ff << 52, 0xfff << 52, 0x7ff8 << 48, 0x7ff<<52 | 1, 0x41e << 52,
	0xc1e << 52, 0x41dfffffffc00000, 0x41efffffffe00000, math.MaxUint64, 1<<63 - 1, 63, 64, 0xbc9 << 52, 0x7e1 << 52}

// randomValue makes a value of a letter's type: special ones, near ones, and any.
func randomValue(r *rand.Rand, letter byte) uint64 {
	switch letter {
	case 's':
		return uint64(uint32(int32(r.IntN(700) - 350)))
	case 'i', 'f':
		switch r.IntN(4) {
		case 0:
			return uint64(specials32[r.IntN(len(specials32))])
		case 1:
			return uint64(r.Uint32()&0x807fffff | (0x3f800000 + uint32(r.IntN(64)-32)<<23))
		}
		return uint64(r.Uint32())
	case 'h', 'w':
		if r.IntN(4) == 0 {
			return uint64([]uint32{0, 0x8000, 1, 0x3ff, 0x400, 0x3c00, 0xbc00, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0x7c01}[r.IntN(12)])
		}
		return uint64(r.Uint32() & 0xffff)
	}
	switch r.IntN(4) {
	case 0:
		return specials64[r.IntN(len(specials64))]
	case 1:
		return r.Uint64()&(1<<63|1<<52-1) | uint64(1023+r.IntN(120)-60)<<52
	}
	return r.Uint64()
}

func wideLetter(c byte) bool { return c == 'I' || c == 'F' }

// isNaNOf tells NaNs by a result's letter.
func isNaNOf(letter byte, x uint64) bool {
	switch letter {
	case 'f':
		return isNaN32(uint32(x))
	case 'F':
		return orderF64.isNaN(x)
	case 'h':
		return orderF16.isNaN(x)
	}
	return false
}

// Registers of the reference test: sources at 4, 8 and 12, the destination at 20.
func refWords(t *testing.T, ref reference, encode func(testing.TB, string, uint32, ...uint32) []uint32) []uint32 {
	src := []uint32{}
	for n := range ref.in {
		src = append(src, v(4+4*n))
	}
	row, enc := rowNamed(t, ref.name)
	if row.Form.Src[2].Class == CarryIn {
		src = append(src[:2], VccLo)
	}
	dst := v(20)
	if enc == VOPC {
		dst = VccLo
	}
	return encode(t, ref.name, dst, src...)
}

func checkReference(t *testing.T, r *rand.Rand, ref reference, step Step, round int) bool {
	t.Helper()
	w := randomWave(r)
	var in [3][64]uint64
	for n := range ref.in {
		for l := range in[n] {
			x := randomValue(r, ref.in[n])
			in[n][l] = x
			w.V[4+4*n][l] = uint32(x)
			if wideLetter(ref.in[n]) {
				w.V[5+4*n][l] = uint32(x >> 32)
			}
		}
	}
	exec := [4]uint64{full, r.Uint64(), 0xaaaaaaaaaaaaaaaa, 0}[[8]int{0, 0, 1, 0, 2, 1, 0, 3}[round%8]]
	vcc := r.Uint64()
	w.SetExec(exec)
	w.setS64(VccLo, vcc)
	before := append([]Lanes(nil), w.V...)
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
		if got != want && !(isNaNOf(ref.out[0], got) && isNaNOf(ref.out[0], want)) {
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
