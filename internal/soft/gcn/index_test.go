package gcn

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Every instruction that can change where a wave goes on is known to do so.
func TestWaysKnowsWhateverMovesTheProgramCounter(t *testing.T) {
	moving := 0
	for enc, rows := range map[Encoding][]Row{SOPP: rowsSOPP, SOPK: rowsSOPK, SOP1: rowsSOP1} {
		for n := range rows {
			row := &rows[n]
			if row.Do == nil {
				continue
			}
			moves := false
			for state := range uint32(2) {
				step := row.Do(&Inst{Row: row, Enc: enc, Size: 4, Imm: 1,
					Dst: Operand{Kind: SReg, Reg: 4, Width: 2}, Src: [4]Operand{{Kind: SReg, Reg: 8, Width: 2}}})
				if step == nil {
					continue
				}
				w := Wave{PC: 10, SCC: state}
				w.S[VccLo], w.S[ExecLo], w.S[8] = state, state, 400
				step(&w)
				moves = moves || w.PC != 10 || w.Status == Ended
			}
			if moves {
				moving++
				assert.NotEqual(t, onward, ways[row.Name], row.Name)
			}
		}
	}
	assert.GreaterOrEqual(t, moving, 10)
}
