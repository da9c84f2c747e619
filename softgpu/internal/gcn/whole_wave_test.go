package gcn

import (
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/stretchr/testify/assert"
)

// Lanes move by a table where all are active, and one by one elsewhere.
func TestLanesMoveInWholeWavesAsOneByOne(t *testing.T) {
	for ctrl := range 0x160 {
		if !dppKnown(ctrl) {
			continue
		}
		p := bindDPP(&Inst{DPPCtrl: uint16(ctrl), RowMask: 0xd, BankMask: 0x7})
		w := newWave()
		var in, whole, partly alu.Lanes
		for l := range in {
			in[l] = uint32(l) + 100
		}
		p.move(w, &whole, &in)
		wrote := p.writers(alu.Full)
		const without = 1 << 37
		w.SetExec(alu.Full &^ without)
		p.move(w, &partly, &in)
		for l, from := range p.from {
			if from == 37 {
				partly[l] = in[37]
			}
			assert.Equal(t, whole[l], partly[l], "control %#x, lane %d", ctrl, l)
			assert.Equal(t, p.write>>l&1 != 0 && from >= 0, wrote>>l&1 != 0, "control %#x, lane %d", ctrl, l)
		}
	}
}
