package rows

import (
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Vega ISA, "Out-of-Range Behavior": v0 stands for a source that is not there, and
// nothing is written where the destination is not.
func TestIndexedMovesOutOfRange(t *testing.T) {
	w := newWave()
	for n := range w.V {
		w.V[n].Fill(uint32(n) + 1000)
	}
	move := func(by, which uint32, dst, src int) {
		w.S[3] = by
		stepOf(t, short(t, "s_set_gpr_idx_on", 0, s(3), which))(w)
		stepOf(t, short(t, "v_mov_b32", v(dst), v(src)))(w)
		stepOf(t, short(t, "s_set_gpr_idx_off", 0))(w)
		require.Equal(t, wave.Running, w.Status)
	}
	last := uint32(len(w.V) - 1)
	move(last-4, 1, 9, 4)
	require.Equal(t, 1000+last, w.V[9][63], "the last register is there")
	for _, by := range []uint32{last - 3, 200, 255} {
		w.V[9].Fill(1)
		move(by, 1, 9, 4)
		require.Equal(t, uint32(1000), w.V[9][5], "source v4 and %d", by)
	}
	w.SetExec(1 << 5)
	move(255, 1, 8, 4)
	require.Equal(t, uint32(1000), w.V[8][5])
	require.Equal(t, uint32(1008), w.V[8][6], "of an inactive lane")
	w.SetExec(alu.Full)

	before := append([]alu.Lanes(nil), w.V...)
	for _, by := range []uint32{last - 3, 200, 255} {
		move(by, 8, 4, 7)
		move(by, 9, 4, 7)
	}
	require.Equal(t, before, w.V)
	move(last-4, 8, 4, 7)
	require.Equal(t, uint32(1007), w.V[last][0])
}

func TestIndexedScalarMoves(t *testing.T) {
	w := newWave()
	for n := range uint32(bind.ScalarRegisters) {
		w.S[n] = n + 500
	}
	bad := []uint32{bind.ScalarRegisters - 7, bind.ScalarRegisters, 128, 0xffffffff}

	w.S[wave.M0] = 10
	stepOf(t, short(t, "s_movrels_b32", s(5), s(7)))(w)
	require.Equal(t, uint32(517), w.S[5])
	stepOf(t, short(t, "s_movrels_b64", s(4), s(8)))(w)
	require.Equal(t, []uint32{518, 519}, w.S[4:6])
	stepOf(t, short(t, "s_movreld_b32", s(5), s(7)))(w)
	require.Equal(t, uint32(507), w.S[15])
	stepOf(t, short(t, "s_movreld_b64", s(8), s(20)))(w)
	require.Equal(t, []uint32{520, 521}, w.S[18:20])

	for _, w.S[wave.M0] = range bad {
		stepOf(t, short(t, "s_movrels_b32", s(5), s(7)))(w)
		require.Equal(t, uint32(500), w.S[5], "s7 and %d", w.S[wave.M0])
		w.S[5] = 0
		stepOf(t, short(t, "s_movrels_b64", s(4), s(8)))(w)
		require.Equal(t, []uint32{500, 501}, w.S[4:6])
		before := w.S
		stepOf(t, short(t, "s_movreld_b32", s(7), s(9)))(w)
		stepOf(t, short(t, "s_movreld_b64", s(8), s(20)))(w)
		require.Equal(t, before, w.S)
	}
	w.S[wave.M0] = bind.ScalarRegisters - 8
	stepOf(t, short(t, "s_movreld_b32", s(7), s(9)))(w)
	require.Equal(t, uint32(509), w.S[bind.ScalarRegisters-1])
}

// Every instruction that can change where a wave goes on is known to do so.
func TestWaysKnowsWhateverMovesTheProgramCounter(t *testing.T) {
	moving := 0
	for enc, rows := range map[encoding.Encoding][]encoding.Row{encoding.SOPP: rowsSOPP(), encoding.SOPK: rowsSOPK(), encoding.SOP1: rowsSOP1()} {
		for n := range rows {
			row := &rows[n]
			if row.Do == nil {
				continue
			}
			moves := false
			for state := range uint32(2) {
				step := row.Do(&encoding.Inst{Row: row, Enc: enc, Size: 4, Imm: 1,
					Dst: encoding.Operand{Kind: encoding.SReg, Reg: 4, Width: 2}, Src: [4]encoding.Operand{{Kind: encoding.SReg, Reg: 8, Width: 2}}})
				if step == nil {
					continue
				}
				w := wave.Wave{PC: 10, SCC: state}
				w.S[wave.VccLo], w.S[wave.ExecLo], w.S[8] = state, state, 400
				step(&w)
				moves = moves || w.PC != 10 || w.Status == wave.Ended
			}
			if moves {
				moving++
				assert.NotEqual(t, bind.Onward, bind.Ways[row.Name], row.Name)
			}
		}
	}
	assert.GreaterOrEqual(t, moving, 10)
}
