package rows

import (
	"math"
	"testing"
	"time"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/require"
)

const keepSCC = 2 // an instruction that leaves SCC alone

func TestScalarInstructions(t *testing.T) {
	for _, c := range []struct {
		name    string
		a, b    uint32
		scc     uint32
		want    uint32
		wantSCC uint32
	}{
		{"s_add_u32", 0xffffffff, 2, 0, 1, 1},
		{"s_add_u32", 1, 2, 1, 3, 0},
		{"s_addc_u32", 0xffffffff, 0, 1, 0, 1},
		{"s_sub_u32", 1, 2, 0, 0xffffffff, 1},
		{"s_subb_u32", 5, 4, 1, 0, 0},
		{"s_subb_u32", 5, 5, 1, 0xffffffff, 1},
		{"s_add_i32", 0x7fffffff, 1, 0, 0x80000000, 1},
		{"s_add_i32", 0xffffffff, 1, 1, 0, 0},
		{"s_sub_i32", 0x80000000, 1, 0, 0x7fffffff, 1},
		{"s_min_i32", 0xffffffff, 1, 0, 0xffffffff, 1},
		{"s_min_i32", 1, 1, 1, 1, 0},
		{"s_max_i32", 0xffffffff, 1, 1, 1, 0},
		{"s_min_u32", 0xffffffff, 1, 1, 1, 0},
		{"s_max_u32", 0xffffffff, 1, 0, 0xffffffff, 1},
		{"s_and_b32", 0xf0, 0x0f, 1, 0, 0},
		{"s_or_b32", 0xf0, 0x0f, 0, 0xff, 1},
		{"s_xor_b32", 5, 5, 1, 0, 0},
		{"s_andn2_b32", 7, 5, 0, 2, 1},
		{"s_orn2_b32", 0, 0xfffffffe, 0, 1, 1},
		{"s_nand_b32", 0xffffffff, 0xffffffff, 1, 0, 0},
		{"s_nor_b32", 0xffffffff, 0, 1, 0, 0},
		{"s_xnor_b32", 3, 3, 0, 0xffffffff, 1},
		{"s_lshl_b32", 1, 33, 0, 2, 1},
		{"s_lshr_b32", 1, 1, 1, 0, 0},
		{"s_ashr_i32", 0x80000000, 31, 0, 0xffffffff, 1},
		{"s_mul_i32", 0x10001, 0x10001, 1, 0x20001, keepSCC},
		{"s_mul_hi_u32", 0xffffffff, 0xffffffff, 1, 0xfffffffe, keepSCC},
		{"s_mul_hi_i32", 0xffffffff, 0xffffffff, 1, 0, keepSCC},
		{"s_cselect_b32", 1, 2, 1, 1, keepSCC},
		{"s_cselect_b32", 1, 2, 0, 2, keepSCC},
		{"s_bfm_b32", 4, 8, 0, 0xf00, keepSCC},
		{"s_bfe_u32", 0x12345678, 8 | 12<<16, 0, 0x456, 1},
		{"s_bfe_i32", 0x12345f78, 8 | 8<<16, 0, 0x5f, 1},
		{"s_bfe_i32", 0x1234f578, 8 | 8<<16, 0, 0xfffffff5, 1},
		{"s_bfe_u32", 0xffffffff, 32 << 16, 0, 0xffffffff, 1},
		{"s_absdiff_i32", 2, 5, 0, 3, 1},
		{"s_lshl2_add_u32", 0x40000000, 1, 0, 1, 1},
		{"s_lshl3_add_u32", 2, 1, 1, 17, 0},
		{"s_pack_ll_b32_b16", 0x12345678, 0xabcdef01, 0, 0xef015678, keepSCC},
		{"s_pack_lh_b32_b16", 0x12345678, 0xabcdef01, 0, 0xabcd5678, keepSCC},
		{"s_pack_hh_b32_b16", 0x12345678, 0xabcdef01, 0, 0xabcd1234, keepSCC},
		{"s_brev_b32", 1, 0, 0, 0x80000000, keepSCC},
		{"s_not_b32", 0xffffffff, 0, 1, 0, 0},
		{"s_bcnt1_i32_b32", 0xf0f0, 0, 0, 8, 1},
		{"s_bcnt0_i32_b32", 0xffffffff, 0, 1, 0, 0},
		{"s_ff1_i32_b32", 0x100, 0, 0, 8, keepSCC},
		{"s_ff1_i32_b32", 0, 0, 0, 0xffffffff, keepSCC},
		{"s_ff0_i32_b32", 0xff, 0, 0, 8, keepSCC},
		{"s_flbit_i32_b32", 0x100, 0, 0, 23, keepSCC},
		{"s_flbit_i32", 0xfffffff0, 0, 0, 28, keepSCC},
		{"s_flbit_i32", 0xffffffff, 0, 0, 0xffffffff, keepSCC},
		{"s_sext_i32_i8", 0x1ff, 0, 0, 0xffffffff, keepSCC},
		{"s_sext_i32_i16", 0x8000, 0, 0, 0xffff8000, keepSCC},
		{"s_abs_i32", 0xfffffffb, 0, 0, 5, 1},
		{"s_bitset1_b32", 4, 0, 0, 0x10, keepSCC},
		{"s_quadmask_b32", 0x0f01, 0, 0, 5, 1},
		{"s_wqm_b32", 0x0010, 0, 0, 0xf0, 1},
	} {
		w := newWave()
		w.S[1], w.S[2], w.SCC = c.a, c.b, c.scc
		stepOf(t, short(t, c.name, s(3), s(1), s(2)))(w)
		require.Equal(t, c.want, w.S[3], "%+v", c)
		if c.wantSCC == keepSCC {
			c.wantSCC = c.scc
		}
		require.Equal(t, c.wantSCC, w.SCC, "%+v", c)
	}
}

func TestScalarInstructionsOf64Bits(t *testing.T) {
	for _, c := range []struct {
		name       string
		a, b, want uint64
		wantSCC    uint32
	}{
		{"s_and_b64", 0xff00000000, 0x0f00000001, 0x0f00000000, 1},
		{"s_or_b64", 0, 0, 0, 0},
		{"s_xor_b64", 1 << 40, 1 << 40, 0, 0},
		{"s_andn2_b64", alu.Full, 1, alu.Full - 1, 1},
		{"s_nor_b64", alu.Full, 0, 0, 0},
		{"s_lshl_b64", 3, 40, 3 << 40, 1},
		{"s_lshl_b64", 3, 64, 3, 1},
		{"s_lshr_b64", 1 << 63, 63, 1, 1},
		{"s_ashr_i64", 1 << 63, 60, 0xfffffffffffffff8, 1},
		{"s_bfe_u64", 0x123456789abcdef0, 32 | 16<<16, 0x5678, 1},
		{"s_bfe_i64", 0x8000000000000000, 60 | 4<<16, 0xfffffffffffffff8, 1},
		{"s_not_b64", alu.Full, 0, 0, 0},
		{"s_brev_b64", 1, 0, 1 << 63, 0},
		{"s_cselect_b64", 5, 6, 6, 0},
		{"s_mov_b64", 5 << 40, 0, 5 << 40, 0},
		{"s_wqm_b64", 1 << 40, 0, 15 << 40, 1},
	} {
		w := newWave()
		w.SetS64(4, c.a)
		w.SetS64(6, c.b)
		stepOf(t, short(t, c.name, s(8), s(4), s(6)))(w)
		require.Equal(t, c.want, w.S64(8), "%+v", c)
		require.Equal(t, c.wantSCC, w.SCC, "%+v", c)
	}
	for _, c := range []struct {
		name string
		a    uint64
		want uint32
	}{
		{"s_bcnt1_i32_b64", 1<<63 | 1, 2}, {"s_bcnt0_i32_b64", 1<<63 | 1, 62}, {"s_ff1_i32_b64", 1 << 50, 50},
		{"s_flbit_i32_b64", 1 << 50, 13}, {"s_ff1_i32_b64", 0, 0xffffffff}, {"s_flbit_i32_i64", ^uint64(0x3ff), 54},
	} {
		w := newWave()
		w.SetS64(4, c.a)
		stepOf(t, short(t, c.name, s(8), s(4)))(w)
		require.Equal(t, c.want, w.S[8], "%+v", c)
	}
}

func TestScalarCompares(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b uint32
		want uint32
	}{
		{"s_cmp_eq_u32", 3, 3, 1}, {"s_cmp_lg_u32", 3, 3, 0}, {"s_cmp_gt_i32", 0, 0xffffffff, 1}, {"s_cmp_gt_u32", 0, 0xffffffff, 0},
		{"s_cmp_ge_i32", 3, 3, 1}, {"s_cmp_lt_i32", 0xffffffff, 0, 1}, {"s_cmp_lt_u32", 0xffffffff, 0, 0}, {"s_cmp_le_i32", 4, 3, 0},
		{"s_cmp_ge_u32", 0xffffffff, 0, 1}, {"s_cmp_le_u32", 1, 1, 1}, {"s_bitcmp1_b32", 8, 35, 1}, {"s_bitcmp0_b32", 8, 3, 0},
	} {
		w := newWave()
		w.S[1], w.S[2], w.SCC = c.a, c.b, 1-c.want
		stepOf(t, short(t, c.name, 0, s(1), s(2)))(w)
		require.Equal(t, c.want, w.SCC, "%+v", c)
	}
	w := newWave()
	w.SetS64(4, 1<<40)
	stepOf(t, short(t, "s_cmp_lg_u64", 0, s(4), 128))(w)
	require.Equal(t, uint32(1), w.SCC)
}

func TestScalarImmediates(t *testing.T) {
	w := newWave()
	stepOf(t, short(t, "s_movk_i32", s(3), 0xfffe))(w)
	require.Equal(t, uint32(0xfffffffe), w.S[3])
	stepOf(t, short(t, "s_mulk_i32", s(3), 0xfffd))(w)
	require.Equal(t, uint32(6), w.S[3])
	w.S[3] = 0x7fffffff
	stepOf(t, short(t, "s_addk_i32", s(3), 1))(w)
	require.Equal(t, uint32(0x80000000), w.S[3])
	require.Equal(t, uint32(1), w.SCC)
	w.S[3] = 0xffff
	stepOf(t, short(t, "s_cmpk_eq_u32", s(3), 0xffff))(w)
	require.Equal(t, uint32(1), w.SCC, "unsigned immediates are not sign-extended")
	stepOf(t, short(t, "s_cmpk_gt_i32", s(3), 0xffff))(w)
	require.Equal(t, uint32(1), w.SCC)
}

func TestSaveExec(t *testing.T) {
	for _, c := range []struct {
		name string
		exec uint64
		scc  uint32
	}{
		{"s_and_saveexec_b64", 0x0c, 1}, {"s_or_saveexec_b64", 0xff, 1}, {"s_xor_saveexec_b64", 0xf3, 1}, {"s_andn2_saveexec_b64", 0x30, 1},
	} {
		w := newWave()
		w.SetExec(0xcf)
		w.SetS64(4, 0x3c)
		stepOf(t, short(t, c.name, s(8), s(4)))(w)
		require.Equal(t, uint64(0xcf), w.S64(8), c.name)
		require.Equal(t, c.exec, w.Exec(), c.name)
		require.Equal(t, c.scc, w.SCC, c.name)
	}
	w := newWave()
	w.SetS64(4, 0)
	stepOf(t, short(t, "s_and_saveexec_b64", s(4), s(4)))(w)
	require.Equal(t, uint64(alu.Full), w.S64(4), "source and destination may be the same")
	require.Zero(t, w.Exec())
	require.Zero(t, w.SCC)
}

func TestBranches(t *testing.T) {
	for _, c := range []struct {
		name  string
		set   func(w *wave.Wave)
		taken bool
	}{
		{"s_branch", func(*wave.Wave) {}, true},
		{"s_cbranch_scc0", func(w *wave.Wave) { w.SCC = 1 }, false},
		{"s_cbranch_scc1", func(w *wave.Wave) { w.SCC = 1 }, true},
		{"s_cbranch_vccz", func(w *wave.Wave) { w.S[wave.VccHi] = 1 }, false},
		{"s_cbranch_vccnz", func(w *wave.Wave) { w.S[wave.VccHi] = 1 }, true},
		{"s_cbranch_execz", func(w *wave.Wave) { w.SetExec(0) }, true},
		{"s_cbranch_execnz", func(w *wave.Wave) { w.SetExec(0) }, false},
	} {
		w := newWave()
		w.PC = 101
		c.set(w)
		stepOf(t, short(t, c.name, 0, 0xfffb))(w)
		want := uint32(101)
		if c.taken {
			want = 96
		}
		require.Equal(t, want, w.PC, c.name)
	}
}

func TestCallsAndJumps(t *testing.T) {
	w := newWave()
	w.TextBase, w.PC = 0x7f0000001000, 5
	stepOf(t, short(t, "s_getpc_b64", s(4)))(w)
	require.Equal(t, uint64(0x7f0000001014), w.S64(4))
	w.SetS64(6, 0x7f0000001100)
	stepOf(t, short(t, "s_swappc_b64", s(6), s(6)))(w)
	require.Equal(t, uint32(0x40), w.PC)
	require.Equal(t, uint64(0x7f0000001014), w.S64(6))
	stepOf(t, short(t, "s_setpc_b64", 0, s(6)))(w)
	require.Equal(t, uint32(5), w.PC)
	require.Equal(t, uint64(0x7f0000001014), w.GoesTo())

	// The wave's executor finds out what is at other addresses.
	for _, to := range []uint64{0x7f0000001102, 0, 0x1000, 0x7f0000001000 - 8, 0x7f0000001000 + 1<<33, 1<<64 - 4} {
		w.SetS64(6, to)
		stepOf(t, short(t, "s_setpc_b64", 0, s(6)))(w)
		require.Equal(t, to, w.GoesTo())
		require.Equal(t, wave.Running, w.Status)
	}
	w.PC = 1
	stepOf(t, []uint32{0xbf82fffe})(w) // s_branch -2
	require.Equal(t, uint64(0x7f0000001000-4), w.GoesTo(), "a branch may leave the text")
}

func TestStatusOfWaves(t *testing.T) {
	for name, want := range map[string]wave.Status{
		"s_endpgm": wave.Ended, "s_barrier": wave.AtBarrier, "s_sleep": wave.Yielded, "s_trap": wave.Faulted, "s_nop": wave.Running, "s_waitcnt": wave.Running,
	} {
		w := newWave()
		stepOf(t, short(t, name, 0, 0))(w)
		require.Equal(t, want, w.Status, name)
	}
}

// Clang's __builtin_readcyclecounter reads these registers on RDNA3 and RDNA4.
func TestHardwareRegistersHaveTheClock(t *testing.T) {
	epoch := wave.Epoch
	defer func() { wave.Epoch = epoch }()
	wave.Epoch = time.Now().Add(-5 << 32)
	const lo, hi = wave.HwCyclesLo | 31<<11, wave.HwCyclesHi | 31<<11
	getreg := func(chip encoding.Chip, word uint32) func() uint32 {
		i, err := Decode(words(word), 0, chip)
		require.NoError(t, err)
		require.Equal(t, "s_getreg_b32", i.Row.Name)
		step, w := Bind(&i, false), newWave()
		return func() uint32 { step(w); return w.S[3] }
	}
	for _, c := range []struct {
		chip encoding.Chip
		op   uint32
		most uint32 // of the lower register
		high uint32
	}{
		{encoding.Gfx906, 0xb8830000, 0, 0},
		{encoding.Gfx1030, 0xb9030000, 1<<20 - 1, 0},
		{encoding.Gfx1100.Wave32(), 0xb8830000, 1<<20 - 1, 0},
		{encoding.Gfx1201.Wave32(), 0xb8830000, math.MaxUint32, 5},
		{encoding.Gfx1250, 0xb8830000, math.MaxUint32, 5},
	} {
		low, high := getreg(c.chip, c.op|lo), getreg(c.chip, c.op|hi)
		require.Equal(t, c.high, high(), c.chip)
		seen := map[uint32]bool{}
		for range 1000 {
			v := low()
			require.LessOrEqual(t, v, c.most, c.chip)
			seen[v] = true
		}
		require.Equal(t, c.most > 0, len(seen) > 1, "%s: it goes on", c.chip)
	}
}

func TestModeRegister(t *testing.T) {
	const width4 = 3 << 11 // 4 bits
	w := newWave()
	stepOf(t, short(t, "s_getreg_b32", s(3), wave.HwMode|4<<6|width4))(w)
	require.Equal(t, uint32(15), w.S[3])
	w.S[3] = 0xc
	stepOf(t, short(t, "s_setreg_b32", s(3), wave.HwMode|4<<6|width4))(w)
	require.Equal(t, uint32(defaultMode&^alu.Denorms32), w.Mode)
	require.Equal(t, wave.Rebound, w.Status, "other steps follow this mode")
	w.Status = wave.Running
	w.S[3] = 3
	stepOf(t, short(t, "s_setreg_b32", s(3), wave.HwMode|width4))(w)
	require.Equal(t, uint32(defaultMode&^alu.Denorms32|3), w.Mode)
	require.Equal(t, wave.Running, w.Status, "the same steps do")
	w.S[3] = 1
	stepOf(t, short(t, "s_setreg_b32", s(3), wave.HwMode|28<<6))(w)
	require.Equal(t, wave.Faulted, w.Status, "VSKIP is refused")
	for chip, set := range map[encoding.Chip]uint32{encoding.Gfx1030: 0xba800ec1, encoding.Gfx1100: 0xb9800ec1, encoding.Gfx1201: 0xb9800ec1, encoding.Gfx1250: 0xb9800ec1} {
		w = newWave()
		i := instOf(t, chip, []uint32{set, 3})
		require.Contains(t, i.String(), "MODE, 27, 2), 3")
		Bind(i, false)(w)
		require.Equal(t, wave.Running, w.Status, "%s has no VSKIP and no register indexing", chipName(chip))
		require.Equal(t, uint32(defaultMode), w.Mode)
	}

	w = newWave()
	w.SetExec(0)
	w.SCC = 1
	w.SetS64(wave.VccLo, 1)
	stepOf(t, short(t, "s_getreg_b32", s(3), wave.HwStatus|31<<11))(w)
	require.Equal(t, uint32(1|1<<9|1<<16), w.S[3])
	for reg := range uint32(64) {
		if reg == wave.HwMode || reg == wave.HwStatus || reg == wave.HwMemBases {
			continue
		}
		w.S[3] = 7
		stepOf(t, short(t, "s_setreg_b32", s(3), reg|31<<11))(w)
		stepOf(t, short(t, "s_getreg_b32", s(3), reg|31<<11))(w)
		require.Zero(t, w.S[3], "hardware register %d", reg)
		require.Equal(t, wave.Running, w.Status, "hardware register %d", reg)
	}

	w = newWave()
	w.SharedBase, w.PrivateBase = 1<<48, 2<<48
	stepOf(t, short(t, "s_getreg_b32", s(3), wave.HwMemBases|31<<11))(w)
	require.Equal(t, uint32(1<<16|2), w.S[3])
	stepOf(t, short(t, "s_mov_b64", s(4), bind.CodeShared))(w)
	require.Equal(t, uint64(1<<48), w.S64(4))
}
