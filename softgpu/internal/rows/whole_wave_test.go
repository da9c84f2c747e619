package rows

import (
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/stretchr/testify/assert"
)

// Lanes move by a table where all are active, and one by one elsewhere.
func TestLanesMoveInWholeWavesAsOneByOne(t *testing.T) {
	for ctrl := range 0x160 {
		if !encoding.DPPKnown(ctrl) {
			continue
		}
		p := bind.BindDPP(&encoding.Inst{DPPCtrl: uint16(ctrl), RowMask: 0xd, BankMask: 0x7})
		w := newWave()
		var in, whole, partly alu.Lanes
		for l := range in {
			in[l] = uint32(l) + 100
		}
		p.Move(w, &whole, &in)
		wrote := p.Writers(alu.Full)
		const without = 1 << 37
		w.SetExec(alu.Full &^ without)
		p.Move(w, &partly, &in)
		for l, from := range p.From {
			if from == 37 {
				partly[l] = in[37]
			}
			assert.Equal(t, whole[l], partly[l], "control %#x, lane %d", ctrl, l)
			assert.Equal(t, p.Write>>l&1 != 0 && from >= 0, wrote>>l&1 != 0, "control %#x, lane %d", ctrl, l)
		}
	}
}
