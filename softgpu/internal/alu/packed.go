package alu

// Halves tells where the two halves of a packed source come from and which are negated.
type Halves struct {
	Low, High       uint // shifts
	NegLow, NegHigh uint32
}

// Arrange puts the two halves of each lane where they belong.
func (h *Halves) Arrange(l *Lanes) {
	for i, x := range l {
		l[i] = x>>h.Low&0xffff ^ h.NegLow | (x>>h.High<<16 ^ h.NegHigh<<16)
	}
}

// DotParts are the factors of a dot product.
type DotParts struct {
	bits   uint
	signed bool
}

func (p DotParts) part(x uint64, at uint) int64 {
	x = x >> at << (64 - p.bits)
	if p.signed {
		return int64(x) >> (64 - p.bits)
	}
	return int64(x >> (64 - p.bits))
}

func (p DotParts) sum(a, b, c uint64) int64 {
	sum := int64(c)
	if p.signed {
		sum = int64(int32(c))
	}
	for at := uint(0); at < 32; at += p.bits {
		sum += p.part(a, at) * p.part(b, at)
	}
	return sum
}

// Limited is the sum of products, limited to 32 bits.
func (p DotParts) Limited(a, b, c uint64) uint64 {
	if p.signed {
		return uint64(clampI32(p.sum(a, b, c)))
	}
	return uint64(clampU32(uint64(p.sum(a, b, c))))
}

func (p DotParts) kernel(d, a, b, c *Lanes) {
	for l := range d {
		d[l] = uint32(p.sum(uint64(a[l]), uint64(b[l]), uint64(c[l])))
	}
}

// Parts of a register by their bits, signed and, with U, unsigned.
var (
	Parts16, Parts16U = DotParts{16, true}, DotParts{16, false}
	Parts8, Parts8U   = DotParts{8, true}, DotParts{8, false}
	Parts4, Parts4U   = DotParts{4, true}, DotParts{4, false}
)

func portableDot2I32(d, a, b, c *Lanes) { Parts16.kernel(d, a, b, c) }
func portableDot2U32(d, a, b, c *Lanes) { Parts16U.kernel(d, a, b, c) }
func portableDot4I32(d, a, b, c *Lanes) { Parts8.kernel(d, a, b, c) }
func portableDot4U32(d, a, b, c *Lanes) { Parts8U.kernel(d, a, b, c) }
func portableDot8I32(d, a, b, c *Lanes) { Parts4.kernel(d, a, b, c) }
func portableDot8U32(d, a, b, c *Lanes) { Parts4U.kernel(d, a, b, c) }
