package alu

import (
	"sync"
	"sync/atomic"
)

// HalfTable stores the results of a function of one half, each from its first use on.
// An entry is zero until then; known marks the others.
type HalfTable struct {
	once sync.Once
	to   []atomic.Uint32
	Of   LaneFunc
}

const known = 1 << 16

// Kernel computes the function for all lanes, from the table.
func (t *HalfTable) Kernel(d, a *Lanes) {
	t.once.Do(func() { t.to = make([]atomic.Uint32, 1<<16) })
	to := (*[1 << 16]atomic.Uint32)(t.to)
	for l, x := range a {
		r := to[uint16(x)].Load()
		if r == 0 {
			r = uint32(t.Of(uint64(uint16(x)), 0, 0)) | known
			to[uint16(x)].Store(r)
		}
		d[l] = r & (known - 1)
	}
}

// Singles returns the single that each byte of a format is.
func (f *SmallFormat) Singles() *[256]uint32 {
	var to [256]uint32
	for x := range to {
		to[x] = uint32(FromSingle(float32(f.Value(uint32(x)))))
	}
	return &to
}

// TruthTable makes a kernel that looks up the bits of three sources in table.
func TruthTable(table uint8) Kernel3 {
	var terms [8]uint32
	for n := range terms {
		terms[n] = -uint32(table >> n & 1)
	}
	return func(d, a, b, c *Lanes) { bitTable(d, a, b, c, &terms) }
}

func portableBitTable(d, a, b, c *Lanes, terms *[8]uint32) {
	for l := range d {
		x, y, z := a[l], b[l], c[l]
		low := ^y&(^z&terms[0]|z&terms[1]) | y&(^z&terms[2]|z&terms[3])
		high := ^y&(^z&terms[4]|z&terms[5]) | y&(^z&terms[6]|z&terms[7])
		d[l] = ^x&low | x&high
	}
}
