package wave

// resource is a buffer resource, taken apart.
type resource struct {
	Base, Stride, Records uint64
	Swizzle, AddLane      bool
	RowLanes              uint64 // index stride: how many elements a row of a swizzled buffer has
}

// BufferResource reads the buffer resource in four scalar registers.
func (w *Wave) BufferResource(reg int) resource {
	a, b, c, d := w.S[reg&AllScalars], w.S[(reg+1)&AllScalars], w.S[(reg+2)&AllScalars], w.S[(reg+3)&AllScalars]
	r := resource{
		Base:     uint64(a) | uint64(b&0xffff)<<32,
		Stride:   uint64(b >> 16 & 0x3fff),
		Records:  uint64(c),
		Swizzle:  b>>31 != 0,
		AddLane:  d>>23&1 != 0,
		RowLanes: 8 << (d >> 21 & 3),
	}
	if r.AddLane {
		r.Stride |= uint64(d>>15&15) << 14
	}
	return r
}

// Element is the size in bytes of what a swizzled buffer interleaves.
const Element = 4

// Place returns where an offset of an element of a buffer is, from its base.
func (r *resource) Place(index, offset uint64) uint64 {
	if !r.Swizzle {
		return index*r.Stride + offset
	}
	return (index/r.RowLanes*r.Stride+offset&^(Element-1))*r.RowLanes + index%r.RowLanes*Element + offset&(Element-1)
}

// Outside tells whether size bytes at offset of an element are out of range.
// An instruction that gives an index counts the records of a buffer with a stride, others count bytes.
func (r *resource) Outside(indexed bool, index, offset, scalar, size uint64) bool {
	if indexed && r.Stride != 0 {
		return index >= r.Records || r.Swizzle && offset+size > r.Stride
	}
	return offset+size+scalar > r.Records
}
