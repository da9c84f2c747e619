package alu

// Instructions whose sources are each a single or one half of a register.

// Mixing is how such a source becomes a single.
type Mixing struct {
	Half        bool
	Shift       uint // to the half that is meant
	Clear, Flip uint32
}

// Single returns the bits of one lane's single under a MODE.
func (m *Mixing) Single(mode uint32, x uint64) uint64 {
	switch {
	case m.Half && mode&DenormIn64 == 0:
		x = FromSingle(Half(FormatF16.Flush(x >> m.Shift & 0xffff)))
	case m.Half:
		x = FromSingle(Half(x >> m.Shift))
	case mode&DenormIn32 == 0:
		x = FormatF32.Flush(x)
	}
	return x&^uint64(m.Clear) ^ uint64(m.Flip)
}

// Singles returns the singles of all lanes in the usual MODE; temp holds those that differ from l.
func (m *Mixing) Singles(l, temp *Lanes) *Lanes {
	switch {
	case m.Half && m.Shift != 0:
		CvtF32HighF16(temp, l)
		l = temp
	case m.Half:
		CvtF32F16(temp, l)
		l = temp
	}
	if m.Clear|m.Flip != 0 {
		if l != temp {
			*temp = *l
			l = temp
		}
		AlterBits(l, m.Clear, m.Flip)
	}
	return l
}

// Sixteens shifts a lane's upper half down. Never written.
var Sixteens = LanesOf(16)

// fmaToHalfLane rounds a*b+c once, to a half.
func fmaToHalfLane(a, b, c uint64) uint64 {
	p := Single(a) * Single(b)
	s := oddSum(p, Single(c), p+Single(c))
	if s != s {
		return fromHalf(Float(uint32(OrderF32.nanOf(a, b, c))))
	}
	return uint64(HalfFrom64(s))
}

func portableFmaToF16(d, a, b, c *Lanes) { Bits3(d, a, b, c, fmaToHalfLane) }

// MadToF16 knows no denormals among the singles, as v_mad_f32.
func MadToF16(d, a, b, c *Lanes) {
	MadF32(d, a, b, c)
	CvtF16F32(d, d)
}
