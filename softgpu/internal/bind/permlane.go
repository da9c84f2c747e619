package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// PermlaneSwap exchanges every second row of rows lanes of the first operand with the row before it of the second. An
// inactive lane is not written. Its value is read if fi is set and is 0 if bound_ctrl is set; with neither, the lane that
// would receive the value keeps its own.
func PermlaneSwap(rows int) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		first, second := int(i.Dst.Reg), int(i.Src[0].Reg)
		fetch, zero := i.OpSel&1 != 0, i.OpSel&2 != 0
		return func(w *wave.Wave) {
			x, y, exec := w.V[first], w.V[second], w.Exec()
			if exec == alu.Full {
				for l := 0; l < 64; l += 2 * rows {
					copy(w.V[second][l:l+rows], x[l+rows:])
					copy(w.V[first][l+rows:l+2*rows], y[l:])
				}
				return
			}
			move := func(to *alu.Lanes, at int, from *alu.Lanes, source int) {
				switch there := exec>>source&1 != 0; {
				case exec>>at&1 == 0:
				case there || fetch:
					to[at] = from[source]
				case zero:
					to[at] = 0
				}
			}
			for l := range x {
				if l/rows%2 == 0 {
					move(&w.V[second], l, &x, l+rows)
					move(&w.V[first], l+rows, &y, l)
				}
			}
		}
	}
}
