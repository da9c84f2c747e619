package gcn

// halves tells where the two halves of a packed source come from and which are negated.
type halves struct {
	low, high       uint // shifts
	negLow, negHigh uint32
}

func bindHalves(i *Inst, n int, float bool) halves {
	h := halves{low: uint(i.OpSel>>n&1) * 16, high: uint(i.OpSelHi>>n&1) * 16}
	if float {
		h.negLow, h.negHigh = uint32(i.Neg>>n&1)<<15, uint32(i.NegHi>>n&1)<<15
	}
	return h
}

// arrange puts the two halves of each lane where they belong.
func (h *halves) arrange(l *Lanes) {
	for i, x := range l {
		l[i] = x>>h.low&0xffff ^ h.negLow | (x>>h.high<<16 ^ h.negHigh<<16)
	}
}

// bindPacked binds an instruction on n packed sources of a kind.
func bindPacked(i *Inst, k kind, n int) *valu {
	c := *i
	c.Neg, c.Abs, c.OpSel, c.Omod = 0, 0, 0, 0
	in := [3]kind{k, k, k}
	v := bindVector(&c, k, in[:n]...)
	for s := range n {
		if h := bindHalves(i, s, k == pf16); h != (halves{high: 16}) {
			v.src[s].halved, v.src[s].modified = &h, true
		}
	}
	return v
}

// packedHalves makes a meaning of a function on halves that works on both of registers.
func packedHalves(f laneFunc, n int) Meaning {
	return func(i *Inst) Step {
		return bindPacked(i, pf16, n).stepLanes(func(a, b, c uint64) uint64 {
			return f(a&0xffff, b&0xffff, c&0xffff)&0xffff | f(a>>16, b>>16, c>>16)&0xffff<<16
		})
	}
}

// dot makes a meaning of a sum of products of parts of registers, added to the third
// source: of a kernel, and of the lanes' function where sums are limited.
func dot(k kernel3, parts dotParts) Meaning {
	return func(i *Inst) Step {
		c := *i
		c.Neg, c.Abs, c.OpSel = 0, 0, 0
		v := bindVector(&c, u32, pu16, pu16, u32)
		if i.Clamp {
			return v.stepLanes(parts.limited)
		}
		return v.step3(k)
	}
}

// dotParts are what a dot product multiplies.
type dotParts struct {
	bits   uint
	signed bool
}

func (p dotParts) part(x uint64, at uint) int64 {
	x = x >> at << (64 - p.bits)
	if p.signed {
		return int64(x) >> (64 - p.bits)
	}
	return int64(x >> (64 - p.bits))
}

func (p dotParts) sum(a, b, c uint64) int64 {
	sum := int64(c)
	if p.signed {
		sum = int64(int32(c))
	}
	for at := uint(0); at < 32; at += p.bits {
		sum += p.part(a, at) * p.part(b, at)
	}
	return sum
}

func (p dotParts) limited(a, b, c uint64) uint64 {
	if p.signed {
		return uint64(clampI32(p.sum(a, b, c)))
	}
	return uint64(clampU32(uint64(p.sum(a, b, c))))
}

func (p dotParts) kernel(d, a, b, c *Lanes) {
	for l := range d {
		d[l] = uint32(p.sum(uint64(a[l]), uint64(b[l]), uint64(c[l])))
	}
}

// Parts of a register by their bits, signed and, with U, unsigned.
var (
	parts16, parts16U = dotParts{16, true}, dotParts{16, false}
	parts8, parts8U   = dotParts{8, true}, dotParts{8, false}
	parts4, parts4U   = dotParts{4, true}, dotParts{4, false}
)

func portableDot2I32(d, a, b, c *Lanes) { parts16.kernel(d, a, b, c) }
func portableDot2U32(d, a, b, c *Lanes) { parts16U.kernel(d, a, b, c) }
func portableDot4I32(d, a, b, c *Lanes) { parts8.kernel(d, a, b, c) }
func portableDot4U32(d, a, b, c *Lanes) { parts8U.kernel(d, a, b, c) }
func portableDot8I32(d, a, b, c *Lanes) { parts4.kernel(d, a, b, c) }
func portableDot8U32(d, a, b, c *Lanes) { parts4U.kernel(d, a, b, c) }
