package wave

import (
	"math"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
)

// Full reports whether all existing lanes are active. A kernel may then write any other lanes.
func (w *Wave) Full() bool { return w.S[ExecLo]&(w.S[ExecHi]|w.absent) == math.MaxUint32 }

// Into returns where a kernel may write all lanes of a result for register d.
func (w *Wave) Into(d int) *alu.Lanes {
	if w.Full() {
		return &w.V[d]
	}
	return &w.Temp[3][0]
}

// Settle moves the active lanes of a result to register d, if they are elsewhere.
func (w *Wave) Settle(d int, r *alu.Lanes) {
	if to := &w.V[d]; to != r {
		alu.SelectLanes(to, to, r, w.Exec())
	}
}
