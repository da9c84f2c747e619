package gcn

import (
	"time"
)

// sPackHL packs the upper half of the first source and the lower one of the second.
func sPackHL(_ *Wave, a, b uint32) uint32 { return a>>16 | b<<16 }

// setModeBits makes a meaning that writes four bits of MODE, from at on: s_round_mode, s_denorm_mode.
func setModeBits(at uint) Meaning {
	return func(i *Inst) Step {
		bits := uint32(i.Imm) & 15 << at
		return func(w *Wave) { w.setMode(w.Mode&^(15<<at) | bits) }
	}
}

// Messages that return something.
const (
	msgGetDoorbell = 0x80
	msgGetRealtime = 0x83
)

// sendMessage is s_sendmsg_rtn: it returns the time, or the doorbell, of which there is
// none: its number is 0, as in other registers that tell where a wave runs.
func sendMessage(wide bool) Meaning {
	return func(i *Inst) Step {
		d := int(i.Dst.Reg)
		message := uint32(i.Imm)
		if message != msgGetDoorbell && message != msgGetRealtime {
			return nil
		}
		return func(w *Wave) {
			v := uint64(0)
			if message == msgGetRealtime {
				v = uint64(time.Since(epoch))
			}
			if wide {
				w.setS64(d, v)
				return
			}
			w.S[d&allScalars] = uint32(v)
		}
	}
}

// moveScalarFromTo is s_movrelsd_2: bits 9:0 of M0 are added to the number of the source,
// 25:16 to that of the destination.
func moveScalarFromTo(i *Inst) Step {
	to, from, count := uint32(i.Dst.Reg), uint32(i.Src[0].Reg), uint32(i.Chip.Set().facts().sgprs)
	return func(w *Wave) {
		source, dst := from+w.S[M0]&0x3ff, to+w.S[M0]>>16&0x3ff
		if source >= count {
			source = 0
		}
		if dst < count {
			w.S[dst&allScalars] = w.S[source&allScalars]
		}
	}
}
