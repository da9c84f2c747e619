package gcn

import (
	"sync"
	"sync/atomic"
)

// halfTable remembers what a function of one half makes of each, from its first use on.
// An entry is zero until then; known marks the others.
type halfTable struct {
	once sync.Once
	to   []atomic.Uint32
	of   laneFunc
}

const known = 1 << 16

func (t *halfTable) kernel(d, a *Lanes) {
	t.once.Do(func() { t.to = make([]atomic.Uint32, 1<<16) })
	to := (*[1 << 16]atomic.Uint32)(t.to)
	for l, x := range a {
		r := to[uint16(x)].Load()
		if r == 0 {
			r = uint32(t.of(uint64(uint16(x)), 0, 0)) | known
			to[uint16(x)].Store(r)
		}
		d[l] = r & (known - 1)
	}
}

// singles returns the single that each byte of a format is.
func (f *smallFormat) singles() *[256]uint32 {
	var to [256]uint32
	for x := range to {
		to[x] = uint32(fromSingle(float32(f.value(uint32(x)))))
	}
	return &to
}

// bitop3 makes a meaning of any function of three bits: bit n of its table is the
// result for the bits of n, the first source's the highest.
func bitop3(t kind) Meaning {
	return func(i *Inst) Step {
		v := bindVector(i, t, t, t, t)
		if t.short() {
			v.preserve = true
			v.seal()
		}
		return v.step3(truthTable(uint8(i.Extra)))
	}
}

func truthTable(table uint8) kernel3 {
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
