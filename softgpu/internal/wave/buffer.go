package wave

// resource is a decoded buffer resource.
type resource struct {
	Base, Stride, Records uint64
	Swizzle, AddLane      bool
	RowLanes              uint64 // index stride: the number of elements in a row of a swizzled buffer
	Check                 RangeCheck
	First                 bool     // only the first byte of an access is checked
	Data, Number          uint8    // format of an element, as encoded; GFX10 and later have one number, in Data
	Select                [4]uint8 // what loads of elements give: 0, 1, or 4 and the number of a component
	Refused               bool     // its layout is not supported
}

// ResourceLayout is the encoding of buffer resources in a family of chips.
type ResourceLayout uint8

// The layouts.
const (
	ResourceGFX9 ResourceLayout = iota
	ResourceGFX10
	ResourceGFX11
)

// RangeCheck says which accesses to a buffer are out of range.
type RangeCheck uint8

// The checks. The first is GFX9's; the others are RDNA's OOB_SELECT, by number (RDNA3 ISA, 9.1.5).
const (
	CheckGFX9       RangeCheck = iota
	CheckStructured            // the index, and the bytes of an element
	CheckIndex                 // the index
	CheckEmpty                 // everything if the buffer has no records
	CheckRaw                   // bytes; for a swizzled buffer as CheckStructured
)

// knownResource is the buffer resource that a wave used last: spills use one over and over.
type knownResource struct {
	words  [4]uint32
	layout ResourceLayout
	read   bool
	resource
}

// BufferResource reads the buffer resource in four scalar registers. It stays what it is until the next call.
func (w *Wave) BufferResource(reg int, of ResourceLayout) *resource {
	a, b, c, d := w.S[reg&AllScalars], w.S[(reg+1)&AllScalars], w.S[(reg+2)&AllScalars], w.S[(reg+3)&AllScalars]
	k := &w.resource
	if k.words == [4]uint32{a, b, c, d} && k.layout == of && k.read {
		return &k.resource
	}
	*k = knownResource{words: [4]uint32{a, b, c, d}, layout: of, read: true}
	k.resource = takeApart(a, b, c, d, of)
	return &k.resource
}

// takeApart reads the four words of a resource.
func takeApart(a, b, c, d uint32, of ResourceLayout) resource {
	r := resource{
		Base:     uint64(a) | uint64(b&0xffff)<<32,
		Stride:   uint64(b >> 16 & 0x3fff),
		Records:  uint64(c),
		Swizzle:  b>>31 != 0,
		AddLane:  d>>23&1 != 0,
		RowLanes: 8 << (d >> 21 & 3),
	}
	for n := range r.Select {
		r.Select[n] = uint8(d >> (3 * n) & 7)
	}
	switch of {
	case ResourceGFX9:
		r.Data, r.Number = uint8(d>>15&15), uint8(d>>12&7)
	case ResourceGFX10:
		r.Data = uint8(d >> 12 & 0x7f)
	case ResourceGFX11:
		r.Data = uint8(d >> 12 & 0x3f)
	}
	switch {
	case of == ResourceGFX10 && r.Swizzle && r.AddLane: // private memory
	case of == ResourceGFX10:
		r.Check, r.First = CheckStructured+RangeCheck(d>>28&3), true
	case of == ResourceGFX11:
		elements := b >> 30
		r.Swizzle, r.Refused = elements != 0, elements > 1
		r.Check = CheckStructured + RangeCheck(d>>28&3)
	case r.AddLane:
		r.Stride |= uint64(r.Data) << 14
		r.Data = 0
	}
	return r
}

// Private reports whether the resource is private memory: it looks like those that compilers for GFX9 and GFX10 make
// for that.
func (r *resource) Private() bool { return r.Swizzle && r.AddLane && r.Check == CheckGFX9 }

// Element returns the size in bytes of the parts that a swizzled buffer interleaves.
const Element = 4

// Place returns the distance of an offset of an element from the base of a buffer.
func (r *resource) Place(index, offset uint64) uint64 {
	if !r.Swizzle {
		return index*r.Stride + offset
	}
	return (index/r.RowLanes*r.Stride+offset&^(Element-1))*r.RowLanes + index%r.RowLanes*Element + offset&(Element-1)
}

// Outside reports whether size bytes at offset of an element are out of range. An instruction with an index counts the
// records of a buffer with a stride; others count bytes.
func (r *resource) Outside(indexed bool, index, offset, scalar, size uint64) bool {
	if r.First {
		size = 1
	}
	switch structured := index >= r.Records || offset+size > r.Stride; {
	case r.Check == CheckStructured:
		return structured
	case r.Check == CheckIndex:
		return index >= r.Records
	case r.Check == CheckEmpty:
		return r.Records == 0
	case r.Check == CheckRaw && r.Swizzle && r.Stride != 0:
		return structured
	case r.Check == CheckRaw:
		return offset+size+scalar > r.Records
	}
	if indexed && r.Stride != 0 {
		return index >= r.Records || r.Swizzle && offset+size > r.Stride
	}
	return offset+size+scalar > r.Records
}
