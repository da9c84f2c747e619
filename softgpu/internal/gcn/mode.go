package gcn

import "sync/atomic"

// Bits of the MODE register.
const (
	roundF32     = 3
	roundF64     = 3 << 2
	roundModes   = roundF32 | roundF64
	denormIn32   = 1 << 4
	denormOut32  = 1 << 5
	denorms32    = denormIn32 | denormOut32
	denormIn64   = 1 << 6 // of f64 and f16
	denormOut64  = 1 << 7
	denorms64    = denormIn64 | denormOut64
	dx10Clamp    = 1 << 8
	ieeeMode     = 1 << 9
	halfOverflow = 1 << 23 // FP16_OVFL: finite halves stay finite
	gprIndex     = 1 << 27
	vskip        = 1 << 28
)

// floatMode is what floating-point instructions follow in MODE, usualMode what
// compilers set: rounding to the nearest, with denormals, DX10_CLAMP and IEEE.
const (
	floatMode = roundModes | denorms32 | denorms64 | dx10Clamp | ieeeMode | halfOverflow
	usualMode = denorms32 | denorms64 | dx10Clamp | ieeeMode
)

// UnsupportedMode tells what of a MODE register value the instructions here
// can not do; "" if they can do all of it.
func UnsupportedMode(mode uint32) string {
	if mode&vskip != 0 {
		return "skipping vector instructions (VSKIP) is not simulated"
	}
	return ""
}

// UsualMode reports whether instructions bound without modes follow a MODE.
func UsualMode(mode uint32) bool { return mode&floatMode == usualMode }

// Bind returns the step of an instruction; nil if it has no meaning. Bound with
// modes the step follows all of MODE, which costs it a look at MODE each time;
// without, it is for waves whose MODE is and stays the usual one.
func Bind(i *Inst, modes bool) Step {
	if i.Row.Do == nil {
		return nil
	}
	if i.Wave32 && writesUpperExec(i) {
		return bindLowerExec(i, modes)
	}
	usual := i.Row.Do(i)
	m, has := modals[i.Row.kin()]
	if usual == nil || !modes || !has {
		return usual
	}
	return m.step(i, usual)
}

// modal is the complete meaning of a row whose usual one does not follow some
// bits of MODE.
type modal struct {
	out     kind // of results
	bits    uint32
	rounds  bool // results less than the least normal number: flushing them depends on how they round
	meaning func(mode uint32) Meaning
}

// inMode is a step for one value of the bits.
type inMode struct {
	mode uint32
	step Step
}

func (m *modal) step(i *Inst, usual Step) Step {
	inst := *i
	bits := m.bits
	if m.rounds {
		bits |= m.flushBit()
	}
	var known atomic.Pointer[[]inMode]
	known.Store(&[]inMode{{usualMode & bits, usual}})
	return func(w *Wave) {
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
	_, out := m.out.denormals()
	return out
}

// stepIn returns the step for one value of the bits of MODE that m follows.
func (m *modal) stepIn(mode uint32, i *Inst, usual Step) Step {
	if !m.rounds {
		return m.meaning(mode | m.flushBit())(i)
	}
	exact := m.meaning(mode)(i)
	if mode&m.bits != usualMode&m.bits || i.Omod != 0 || i.Suffix == SDWA && i.DstSel != selDword {
		return exact
	}
	return m.unlessTiny(i, usual, exact)
}

// unlessTiny returns a step for a mode in which denormal results are zeros: the
// usual one, which takes for them what has become a denormal by rounding. Where it
// leaves the least normal number in some lane, exact runs on what was there before:
// see arithmetic.tiny.
func (m *modal) unlessTiny(i *Inst, usual, exact Step) Step {
	n, dst, first := int(i.Row.Form.Dst.Width), i.Dst, 0
	least := leastF16
	switch m.out {
	case f32:
		least = leastF32
	case f64:
		least, first = leastF64, 1
	}
	return func(w *Wave) {
		d := registersOf(w, &dst, n)
		var before Pair
		copy(before[:n], d)
		usual(w)
		for r := first; r < n; r++ {
			if anyLeast(least, &d[r], &w.tmp[3][0]) {
				copy(d, before[:n])
				exact(w)
				return
			}
		}
	}
}

// places are bits of a register that are compared with others.
type places struct{ mask, bits Lanes }

// Where a register holds the least normal number of a format, of either sign. The words
// are compared as singles, which are equal only if their bits are; of a double it is the upper one.
var (
	leastF32 = []places{{lanesOf(0x7fffffff), lanesOf(1 << 23)}}
	leastF64 = []places{{lanesOf(0x7fffffff), lanesOf(1 << 20)}}
	leastF16 = []places{{lanesOf(0x7fff), lanesOf(1 << 10)}, {lanesOf(0x7fff << 16), lanesOf(1 << 26)}}
)

// anyLeast tells whether some lane has what one of all is.
func anyLeast(all []places, x, temp *Lanes) bool {
	found := uint64(0)
	for n := range all {
		andB32(temp, x, &all[n].mask)
		found |= equalF32(temp, &all[n].bits)
	}
	return found != 0
}

// flushDenorms makes denormal singles zeros.
func flushDenorms(l *Lanes) { flushF32(l, l) }

// flushDenormsOf does so for any format.
func flushDenormsOf(k kind, lo, hi *Lanes) {
	switch k {
	case f32:
		flushDenorms(lo)
	case f16:
		for i, v := range lo {
			if v&0x7c00 == 0 {
				lo[i] = v &^ 0x7fff
			}
		}
	case pf16:
		for i, v := range lo {
			if v&0x7c00 == 0 {
				v &^= 0x3ff
			}
			if v&0x7c000000 == 0 {
				v &^= 0x3ff0000
			}
			lo[i] = v
		}
	case f64:
		for i, v := range hi {
			if v&0x7ff00000 == 0 {
				lo[i], hi[i] = 0, v&(1<<31)
			}
		}
	}
}

// denormals returns the bits of MODE that keep denormal operands and results of a kind.
func (k kind) denormals() (in, out uint32) {
	switch k {
	case f32:
		return denormIn32, denormOut32
	case f16, pf16, f64:
		return denormIn64, denormOut64
	}
	return 0, 0
}
