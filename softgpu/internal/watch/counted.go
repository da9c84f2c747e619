package watch

import (
	"strings"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Counted is step, which i was bound to, for waves that have a Watch.
func Counted(i *encoding.Inst, step encoding.Step) encoding.Step {
	u := UsesOf(i)
	return func(w *wave.Wave) {
		w.Watch.Issued(w, u)
		step(w)
	}
}

// UsesOf tells an instruction's registers and counters.
func UsesOf(i *encoding.Inst) *wave.Uses {
	u := &wave.Uses{Words: uint32(i.Size) / 4, Queue: QueueOf(i), All: ignoresExec(i)}
	if i.Row.Kin() == "s_waitcnt" {
		n := i.Chip.Set().Waits(uint32(i.Imm))
		u.Waits, u.Vector, u.Workgroup = true, uint8(n.Vector), uint8(n.Workgroup)
		return u
	}
	for n := range i.Src {
		u.Reads = appendRegisters(u.Reads, &i.Src[n])
	}
	for n := range i.Scale {
		u.Reads = appendRegisters(u.Reads, &i.Scale[n])
	}
	u.Writes = appendRegisters(appendRegisters(u.Writes, &i.Dst), &i.SDst)
	switch name := i.Row.Kin(); {
	case strings.HasPrefix(name, "s_cbranch_vcc"), strings.HasPrefix(name, "v_div_fmas"):
		u.Reads = append(u.Reads, wave.RegisterRange{First: wave.VccLo, Count: 2})
	case strings.HasPrefix(name, "v_swap"), strings.HasPrefix(name, "v_permlane"):
		u.Writes = append(u.Writes, u.Reads...)
	}
	return u
}

func appendRegisters(to []wave.RegisterRange, o *encoding.Operand) []wave.RegisterRange {
	first := wave.Register(o.Reg)
	switch o.Kind {
	case encoding.SReg:
	case encoding.VReg:
		first += wave.FirstVector
	case encoding.AReg:
		first += wave.FirstAccumulator
	default:
		return to
	}
	return append(to, wave.RegisterRange{First: first, Count: max(o.Width, 1)})
}

// QueueOf is where an instruction ends. Caches that are invalidated count for
// nothing, as LLVM has it; those that are written back do.
func QueueOf(i *encoding.Inst) wave.Queue {
	name := i.Row.Kin()
	switch i.Enc {
	case encoding.SMEM:
		return wave.ScalarQueue
	case encoding.DS:
		if name != "ds_nop" {
			return wave.WorkgroupQueue
		}
	case encoding.MUBUF, encoding.MTBUF, encoding.MIMG:
		if !strings.HasPrefix(name, "buffer_wbinvl1") {
			return wave.VectorQueue
		}
	case encoding.FLAT:
		if i.Seg == encoding.SegFlat {
			return wave.FlatQueue
		}
		return wave.VectorQueue
	}
	return wave.NoQueue
}

// ignoresExec tells the vector instructions that use lanes that EXEC leaves out.
func ignoresExec(i *encoding.Inst) bool {
	switch name := i.Row.Kin(); i.Enc {
	case encoding.VOP1, encoding.VOP2, encoding.VOP3:
		return name == "v_readlane_b32" || name == "v_writelane_b32"
	case encoding.VOP3P, encoding.VOP3PX:
		return i.Row.Form.Has(encoding.Matrix)
	}
	return false
}
