package bind

import (
	"time"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// SPackHL packs the upper half of the first source and the lower one of the second.
func SPackHL(_ *wave.Wave, a, b uint32) uint32 { return a>>16 | b<<16 }

// SetModeBits makes a meaning that writes four bits of MODE, from at on: s_round_mode, s_denorm_mode.
func SetModeBits(at uint) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		bits := uint32(i.Imm) & 15 << at
		return func(w *wave.Wave) { w.SetMode(w.Mode&^(15<<at) | bits) }
	}
}

// SendMessage is s_sendmsg_rtn: it returns the time, or the doorbell, of which there is
// none: its number is 0, as in other registers that tell where a wave runs.
func SendMessage(wide bool) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		d := int(i.Dst.Reg)
		message := uint32(i.Imm)
		if message != encoding.MsgGetDoorbell && message != encoding.MsgGetRealtime {
			return nil
		}
		return func(w *wave.Wave) {
			v := uint64(0)
			if message == encoding.MsgGetRealtime {
				v = uint64(time.Since(wave.Epoch))
			}
			if wide {
				w.SetS64(d, v)
				return
			}
			w.S[d&wave.AllScalars] = uint32(v)
		}
	}
}

// MoveScalarFromTo is s_movrelsd_2: bits 9:0 of M0 are added to the source's number, bits 25:16 to the destination's.
func MoveScalarFromTo(i *encoding.Inst) encoding.Step {
	to, from, count := uint32(i.Dst.Reg), uint32(i.Src[0].Reg), uint32(i.Chip.Set().Facts().Sgprs)
	return func(w *wave.Wave) {
		source, dst := from+w.S[wave.M0]&0x3ff, to+w.S[wave.M0]>>16&0x3ff
		if source >= count {
			source = 0
		}
		if dst < count {
			w.S[dst&wave.AllScalars] = w.S[source&wave.AllScalars]
		}
	}
}
