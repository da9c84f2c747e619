package rows

import (
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/stretchr/testify/require"
)

func TestHalvesThatInstructionsLeaveAlone(t *testing.T) {
	require.Equal(t, uint32(3), one(t, defaultMode, short(t, "v_add_u16", v(20), v(4), v(8)), 1, 2), "most write zeros above")
	mad := long(t, "v_mad_u16", v(20), v(4), v(8), v(12))
	require.Equal(t, uint32(0xdead0007), one(t, defaultMode, mad, 2, 3, 1))
	require.Equal(t, uint32(0x0007beef), one(t, defaultMode, with(mad, 8<<11, 0), 2, 3, 1), "op_sel writes the upper half")
	require.Equal(t, uint32(0xdead0007), one(t, defaultMode, with(mad, 3<<11, 0), 2<<16, 3<<16, 1), "op_sel reads upper halves")
}

func TestPackedAndMixed(t *testing.T) {
	const ones, twos = 0x3c003c00, 0x40004000
	require.Equal(t, uint32(0x42004200), one(t, defaultMode, short(t, "v_pk_add_f16", v(20), v(4), v(8)), ones, twos))
	require.Equal(t, uint32(0x00040006), one(t, defaultMode, short(t, "v_pk_add_u16", v(20), v(4), v(8)), 0x00010002, 0x00030004))
	fma := short(t, "v_pk_fma_f16", v(20), v(4), v(8), v(12))
	require.Equal(t, uint32(0x42004200), one(t, defaultMode, fma, ones, twos, ones))
	mix := short(t, "v_fma_mix_f32", v(20), v(4), v(8), v(12))
	mix[0], mix[1] = mix[0]&^(1<<14), mix[1]&^(3<<27)
	require.Equal(t, bitsOf(7), one(t, defaultMode, mix, bitsOf(2), bitsOf(3), bitsOf(1)))
	require.Equal(t, bitsOf(7), one(t, defaultMode, with(mix, 1<<11, 1<<27), 0x40000000, bitsOf(3), bitsOf(1)), "upper half of source 0")
	require.Equal(t, uint32(0xffffff9c), one(t, defaultMode, short(t, "v_dot4_i32_i8", v(20), v(4), v(8), v(12)), 0x01ff0000, 0x010a0000, 0xffffffa5))
}

func TestLaneMoves(t *testing.T) {
	w := newWave()
	for l := range w.V[4] {
		w.V[4][l] = uint32(l + 100)
	}
	w.SetExec(1 << 17)
	stepOf(t, short(t, "v_readfirstlane_b32", s(5), v(4)))(w)
	require.Equal(t, uint32(117), w.S[5])
	stepOf(t, short(t, "v_readlane_b32", s(6), v(4), 128+40))(w)
	require.Equal(t, uint32(140), w.S[6])
	stepOf(t, short(t, "v_writelane_b32", v(4), s(6), 128+3))(w)
	require.Equal(t, uint32(140), w.V[4][3], "although lane 3 is inactive")
	w.SetExec(0)
	stepOf(t, short(t, "v_readfirstlane_b32", s(5), v(4)))(w)
	require.Equal(t, uint32(100), w.S[5], "lane 0 where none is active")

	w.SetExec(alu.Full)
	stepOf(t, short(t, "v_mbcnt_lo_u32_b32", v(8), 193, 128))(w)
	stepOf(t, short(t, "v_mbcnt_hi_u32_b32", v(9), 193, v(8)))(w)
	for l := range w.V[9] {
		require.Equal(t, uint32(l), w.V[9][l])
	}
}

func TestIndexedMoves(t *testing.T) {
	w := newWave()
	w.V[7].Fill(77)
	w.S[3] = 3
	stepOf(t, short(t, "s_set_gpr_idx_on", 0, s(3), 1))(w)
	stepOf(t, short(t, "v_mov_b32", v(0), v(4)))(w)
	stepOf(t, short(t, "s_set_gpr_idx_off", 0))(w)
	require.Equal(t, uint32(77), w.V[0][9])
	w.S[3] = 5
	stepOf(t, short(t, "s_set_gpr_idx_on", 0, s(3), 8))(w)
	stepOf(t, short(t, "v_mov_b32", v(10), v(7)))(w)
	stepOf(t, short(t, "s_set_gpr_idx_off", 0))(w)
	require.Equal(t, uint32(77), w.V[15][9])
}

func TestComparesToExec(t *testing.T) {
	w := newWave()
	for l := range w.V[4] {
		w.V[4][l] = uint32(l)
	}
	w.SetExec(0xff)
	stepOf(t, short(t, "v_cmpx_gt_u32", 0, 128+5, v(4)))(w)
	require.Equal(t, uint64(0x1f), w.Exec())
	require.Equal(t, uint64(0x1f), w.Vcc())
}
