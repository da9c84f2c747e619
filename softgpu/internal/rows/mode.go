package rows

import (
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Bind returns the step of an instruction; nil if it has no meaning. Bound with
// modes the step follows all of MODE, which costs it a look at MODE each time;
// without, it is for waves whose MODE is and stays the usual one.
func Bind(i *encoding.Inst, modes bool) encoding.Step {
	if i.Row.Do == nil {
		return nil
	}
	if i.ScaleOffset || i.Enc == encoding.FLAT {
		c, prepare, ok := bind.Addressed(i)
		if !ok || c.ScaleOffset {
			return nil
		}
		if prepare != nil {
			return after(prepare, Bind(&c, modes))
		}
	}
	if i.Second != nil {
		return bindSecond(i, modes)
	}
	if i.Wave32 && writesUpperExec(i) {
		return bindLowerExec(i, modes)
	}
	usual := i.Row.Do(i)
	m, has := modals[i.Row.Kin()]
	if usual == nil || !modes || !has {
		return usual
	}
	return m.step(i, usual)
}

// after returns a step that does one thing first; nil if there is no second.
func after(prepare, step encoding.Step) encoding.Step {
	if step == nil {
		return nil
	}
	return func(w *wave.Wave) {
		if prepare(w); w.Status != wave.Faulted {
			step(w)
		}
	}
}

// modal is the complete meaning of a row whose usual one does not follow some
// bits of MODE.
type modal struct {
	out     alu.Kind // of results
	bits    uint32
	rounds  bool // results less than the least normal number: flushing them depends on how they round
	meaning func(mode uint32) encoding.Meaning
}

// inMode is a step for one value of the bits.
type inMode struct {
	mode uint32
	step encoding.Step
}

func (m *modal) step(i *encoding.Inst, usual encoding.Step) encoding.Step {
	inst := *i
	bits := m.bits
	if m.rounds {
		bits |= m.flushBit()
	}
	var known atomic.Pointer[[]inMode]
	known.Store(&[]inMode{{alu.UsualMode & bits, usual}})
	return func(w *wave.Wave) {
		mode := w.Mode & bits
		for {
			list := known.Load()
			for n := range *list {
				if k := &(*list)[n]; k.mode == mode {
					k.step(w)
					return
				}
			}
			longer := append((*list)[:len(*list):len(*list)], inMode{mode, m.stepIn(mode, &inst, usual)})
			known.CompareAndSwap(list, &longer)
		}
	}
}

// flushBit is the bit of MODE without which denormal results are zeros.
func (m *modal) flushBit() uint32 {
	_, out := m.out.Denormals()
	return out
}

// stepIn returns the step for one value of the bits of MODE that m follows.
func (m *modal) stepIn(mode uint32, i *encoding.Inst, usual encoding.Step) encoding.Step {
	if !m.rounds {
		return m.meaning(mode | m.flushBit())(i)
	}
	exact := m.meaning(mode)(i)
	if mode&m.bits != alu.UsualMode&m.bits || i.Omod != 0 || i.Suffix == encoding.SDWA && i.DstSel != alu.SelDword {
		return exact
	}
	return m.unlessTiny(i, usual, exact)
}

// unlessTiny returns a step for a mode in which denormal results are zeros: the
// usual one, which also flushes results that become denormal by rounding. If it
// leaves the least normal number in some lane, exact runs on the old contents: see
// arithmetic.tiny.
func (m *modal) unlessTiny(i *encoding.Inst, usual, exact encoding.Step) encoding.Step {
	n, dst, first := int(i.Row.Form.Dst.Width), i.Dst, 0
	least := alu.LeastF16
	switch m.out {
	case alu.F32:
		least = alu.LeastF32
	case alu.F64:
		least, first = alu.LeastF64, 1
	}
	return func(w *wave.Wave) {
		d := bind.RegistersOf(w, &dst, n)
		var before alu.Pair
		copy(before[:n], d)
		usual(w)
		for r := first; r < n; r++ {
			if alu.AnyLeast(least, &d[r], &w.Temp[3][0]) {
				copy(d, before[:n])
				exact(w)
				return
			}
		}
	}
}
