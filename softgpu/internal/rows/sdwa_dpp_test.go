package rows

import (
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/stretchr/testify/require"
)

// sdwaWords is a VOP2 instruction in its SDWA form.
func sdwaWords(t *testing.T, name string, dstSel, unused, sel0, sel1, extra uint32) []uint32 {
	w := short(t, name, v(20), 0, v(8))
	return []uint32{w[0] | 249, 4 | dstSel<<8 | unused<<11 | sel0<<16 | sel1<<24 | extra}
}

func TestSDWASelectsParts(t *testing.T) {
	const a, b = 0x89abcdef, 0x00010203
	for _, c := range []struct {
		name                    string
		dst, unused, sel0, sel1 uint32
		extra, want             uint32
	}{
		{"v_add_u32", alu.SelDword, alu.UnusedPreserve, alu.SelByte1, alu.SelDword, 0, b + 0xcd},
		{"v_add_u32", alu.SelDword, alu.UnusedPreserve, alu.SelByte1, alu.SelDword, 1 << 19, b - 51},
		{"v_add_u32", alu.SelDword, alu.UnusedPreserve, alu.SelWord1, alu.SelByte0, 0, 0x89ab + 3},
		{"v_or_b32", alu.SelByte2, alu.UnusedPad, alu.SelByte3, alu.SelByte0, 0, 0x8b << 16},
		{"v_or_b32", alu.SelByte2, alu.UnusedSext, alu.SelByte3, alu.SelByte0, 0, 0xff8b0000},
		{"v_or_b32", alu.SelByte2, alu.UnusedPreserve, alu.SelByte3, alu.SelByte0, 0, 0xde8bbeef},
		{"v_or_b32", alu.SelWord1, alu.UnusedPreserve, alu.SelWord0, alu.SelWord0, 0, 0xcfefbeef},
		{"v_lshlrev_b16", alu.SelDword, alu.UnusedPad, alu.SelByte3, alu.SelWord0, 0, 0x0203 << (0x89 & 15) & 0xffff},
	} {
		require.Equal(t, c.want, one(t, defaultMode, sdwaWords(t, c.name, c.dst, c.unused, c.sel0, c.sel1, c.extra), a, b), "%+v", c)
	}
}

func TestSDWAOfFloatsNegatesAfterSelecting(t *testing.T) {
	w := short(t, "v_cvt_f32_f16", v(20), 249)
	words := []uint32{w[0], 4 | alu.SelDword<<8 | alu.UnusedPreserve<<11 | alu.SelWord1<<16 | 1<<20}
	require.Equal(t, bitsOf(-1), one(t, defaultMode, words, 0x3c00_4000))
}

func dppWords(t *testing.T, name string, ctrl, rows, banks uint32, bound bool) []uint32 {
	w := short(t, name, v(20), 0, v(8))
	hi := 4 | ctrl<<8 | banks<<24 | rows<<28
	if bound {
		hi |= 1 << 19
	}
	return []uint32{w[0] | 250, hi}
}

func TestDPPMovesLanes(t *testing.T) {
	const keep, zero = -1, -2
	for _, c := range []struct {
		name        string
		ctrl        uint32
		rows, banks uint32
		bound       bool
		from        func(l int) int
	}{
		{"quad_perm:[1,0,3,2]", 0xb1, 15, 15, false, func(l int) int { return l ^ 1 }},
		{"row_shl:1", 0x101, 15, 15, false, func(l int) int {
			if l%16 == 15 {
				return keep
			}
			return l + 1
		}},
		{"row_shr:2 bound_ctrl:0", 0x112, 15, 15, true, func(l int) int {
			if l%16 < 2 {
				return zero
			}
			return l - 2
		}},
		{"row_ror:3", 0x123, 15, 15, false, func(l int) int { return l&^15 | (l+13)%16 }},
		{"wave_shr:1", 0x138, 15, 15, false, func(l int) int { return l - 1 }},
		{"wave_ror:1", 0x13c, 15, 15, false, func(l int) int { return (l + 63) % 64 }},
		{"wave_shl:1", 0x130, 15, 15, false, func(l int) int {
			if l == 63 {
				return keep
			}
			return l + 1
		}},
		{"row_mirror", 0x140, 15, 15, false, func(l int) int { return l ^ 15 }},
		{"row_half_mirror", 0x141, 15, 15, false, func(l int) int { return l ^ 7 }},
		{"row_bcast:15 row_mask:0xa", 0x142, 10, 15, false, func(l int) int {
			if l/16%2 == 0 {
				return keep
			}
			return l/16*16 - 1
		}},
		{"row_bcast:31 row_mask:0xc", 0x143, 12, 15, false, func(l int) int {
			if l < 32 {
				return keep
			}
			return 31
		}},
		{"bank_mask:0x2", 0xe4, 15, 2, false, func(l int) int {
			if l/4%4 != 1 {
				return keep
			}
			return l
		}},
	} {
		w := newWave()
		for l := range w.V[4] {
			w.V[4][l] = uint32(100 + l)
		}
		w.V[8].Fill(1000)
		w.V[20].Fill(7)
		stepOf(t, dppWords(t, "v_add_u32", c.ctrl, c.rows, c.banks, c.bound))(w)
		for l := range w.V[20] {
			want := uint32(7)
			switch from := c.from(l); from {
			case keep:
			case zero:
				want = 1000
			default:
				want = uint32(1100 + from)
			}
			require.Equal(t, want, w.V[20][l], "%s lane %d", c.name, l)
		}
	}
}

func TestDPPInPlaceReadsASnapshot(t *testing.T) {
	w := newWave()
	for l := range w.V[4] {
		w.V[4][l] = uint32(l)
	}
	mov := short(t, "v_mov_b32", v(4), 250)
	stepOf(t, []uint32{mov[0], 4 | 0x111<<8 | 0xff<<24})(w) // row_shr:1
	for l := range w.V[4] {
		want := uint32(l - 1)
		if l%16 == 0 {
			want = uint32(l)
		}
		require.Equal(t, want, w.V[4][l], "lane %d", l)
	}
}

func TestDPPFromInactiveLanesDoesNotWrite(t *testing.T) {
	w := newWave()
	w.SetExec(0x5555555555555555)
	w.V[4].Fill(3)
	w.V[8].Fill(10)
	stepOf(t, dppWords(t, "v_add_u32", 0xb1, 15, 15, false))(w)
	require.Equal(t, alu.Lanes{}, w.V[20])
	stepOf(t, dppWords(t, "v_add_u32", 0xb1, 15, 15, true))(w)
	require.Equal(t, uint32(10), w.V[20][0])
	require.Equal(t, uint32(0), w.V[20][1])
}
