package gcn

import (
	"math"
	"math/bits"
)

func bfmB32(a, b uint32) uint32 { return (1<<(a&31) - 1) << (b & 31) }

// ffbhU32 counts the zeros before the first one from the top; no one: -1.
func ffbhU32(a uint32) uint32 {
	if a == 0 {
		return math.MaxUint32
	}
	return uint32(bits.LeadingZeros32(a))
}

func ffblB32(a uint32) uint32 {
	if a == 0 {
		return math.MaxUint32
	}
	return uint32(bits.TrailingZeros32(a))
}

// ffbhI32 counts the copies of the sign bit at the top; nothing but those: -1.
func ffbhI32(a uint32) uint32 { return ffbhU32(a ^ uint32(int32(a)>>31)) }

// permLane picks bytes of the eight of a:b by the selectors in c.
func permLane(a, b, c uint32) (r uint32) {
	from := join(b, a)
	for i := 0; i < 32; i += 8 {
		var v uint32
		switch sel := c >> i & 0xff; {
		case sel < 8:
			v = uint32(from>>(sel*8)) & 0xff
		case sel < 12:
			v = -uint32(from>>((sel-8)*16+15)&1) & 0xff
		case sel > 12:
			v = 0xff
		}
		r |= v << i
	}
	return r
}

func sadLane(a, b, c uint32) uint32 {
	for i := 0; i < 32; i += 8 {
		x, y := a>>i&0xff, b>>i&0xff
		c += max(x, y) - min(x, y)
	}
	return c
}

func sadHiLane(a, b, c uint32) uint32 { return sadLane(a, b, 0)<<16 + c }

// msadLane leaves out bytes whose reference, in b, is 0.
func msadLane(a, b, c uint32) uint32 {
	for i := 0; i < 32; i += 8 {
		if x, y := a>>i&0xff, b>>i&0xff; y != 0 {
			c += max(x, y) - min(x, y)
		}
	}
	return c
}

// fourSads makes sums for the bytes of the first source from 0, 1, 2 and 3 on, of 16
// bits each, which are added to those of the third.
func fourSads(sad kernel3) Meaning {
	return func(i *Inst) Step {
		v := bindVector(i, u64, u64, u32, u64)
		return func(w *Wave) {
			al, ah := v.src[0].halves(w, &w.tmp[0])
			b := v.src[1].lanes(w, &w.tmp[1])
			cl, ch := v.src[2].halves(w, &w.tmp[2])
			x := &w.tmp[1][1]
			for n, c := range [2]*Lanes{cl, ch} {
				r := &w.tmp[3][n]
				sad(r, bytesFrom(x, al, ah, 2*n), b, &zeros)
				sad(x, bytesFrom(x, al, ah, 2*n+1), b, &zeros)
				lshlOrB32(r, x, &sixteens, r)
				pkMad16(r, r, &onePairs, c)
			}
			v.finish(w, &w.tmp[3])
		}
	}
}

// onePairs has a 1 in each half of a lane. Never written.
var onePairs = lanesOf(1<<16 | 1)

// bytesFrom returns four bytes from byte n of two words on, in d unless they are a word.
func bytesFrom(d, lo, hi *Lanes, n int) *Lanes {
	if n == 0 {
		return lo
	}
	lshrrevB32(d, &shifts[8*n], lo)
	lshlOrB32(d, hi, &shifts[32-8*n], d)
	return d
}

func sad16Lane(a, b, c uint32) uint32 {
	for i := 0; i < 32; i += 16 {
		x, y := a>>i&0xffff, b>>i&0xffff
		c += max(x, y) - min(x, y)
	}
	return c
}

func sadU32(a, b, c uint32) uint32 { return max(a, b) - min(a, b) + c }

// lerpLane averages bytes; a bit of c each decides whether halves round up.
func lerpLane(a, b, c uint32) (r uint32) {
	for i := 0; i < 32; i += 8 {
		r |= (a>>i&0xff + b>>i&0xff + c>>i&1) >> 1 << i
	}
	return r
}

func packB32F16(a, b, _ uint64) uint64 { return a&0xffff | b&0xffff<<16 }

func subrevSatU32(a, b uint32) uint32 { return subSatU32(b, a) }
func subrev16(a, b uint16) uint16     { return b - a }
func subrevSatU16(a, b uint16) uint16 { return subSatU16(b, a) }

func portablePermB32(d, a, b, c *Lanes) { each3(d, a, b, c, permLane) }
func portableSadU8(d, a, b, c *Lanes)   { each3(d, a, b, c, sadLane) }
func portableSadHiU8(d, a, b, c *Lanes) { each3(d, a, b, c, sadHiLane) }
func portableMsadU8(d, a, b, c *Lanes)  { each3(d, a, b, c, msadLane) }
func portableSadU16(d, a, b, c *Lanes)  { each3(d, a, b, c, sad16Lane) }
func portableLerpU8(d, a, b, c *Lanes)  { each3(d, a, b, c, lerpLane) }
