package gcn

// Kernels in assembly, and the choice between them and the portable ones.

//go:noescape
func avxAddU32(d, a, b *Lanes)

//go:noescape
func avxSubU32(d, a, b *Lanes)

//go:noescape
func avxSubrevU32(d, a, b *Lanes)

//go:noescape
func avxAndB32(d, a, b *Lanes)

//go:noescape
func avxOrB32(d, a, b *Lanes)

//go:noescape
func avxXorB32(d, a, b *Lanes)

//go:noescape
func avxMulLoU32(d, a, b *Lanes)

//go:noescape
func avxMinI32(d, a, b *Lanes)

//go:noescape
func avxMaxI32(d, a, b *Lanes)

//go:noescape
func avxMinU32(d, a, b *Lanes)

//go:noescape
func avxMaxU32(d, a, b *Lanes)

//go:noescape
func avxAddF32(d, a, b *Lanes)

//go:noescape
func avxSubF32(d, a, b *Lanes)

//go:noescape
func avxSubrevF32(d, a, b *Lanes)

//go:noescape
func avxMulF32(d, a, b *Lanes)

//go:noescape
func avxLshlrevB32(d, a, b *Lanes)

//go:noescape
func avxLshrrevB32(d, a, b *Lanes)

//go:noescape
func avxAshrrevI32(d, a, b *Lanes)

//go:noescape
func avxFmaF32(d, a, b, c *Lanes)

//go:noescape
func avxLshlAddU32(d, a, b, c *Lanes)

//go:noescape
func avxLshlOrB32(d, a, b, c *Lanes)

//go:noescape
func avxAddLshlU32(d, a, b, c *Lanes)

//go:noescape
func avxAdd3U32(d, a, b, c *Lanes)

//go:noescape
func avxAndOrB32(d, a, b, c *Lanes)

//go:noescape
func avxOr3B32(d, a, b, c *Lanes)

//go:noescape
func avxEqual32(a, b *Lanes) (m uint64)

//go:noescape
func avxLessI32(a, b *Lanes) (m uint64)

//go:noescape
func avxLessU32(a, b *Lanes) (m uint64)

//go:noescape
func avxLessF32(a, b *Lanes) (m uint64)

//go:noescape
func avxAtMostF32(a, b *Lanes) (m uint64)

//go:noescape
func avxEqualF32(a, b *Lanes) (m uint64)

//go:noescape
func avxUnequalF32(a, b *Lanes) (m uint64)

//go:noescape
func avxOrderedF32(a, b *Lanes) (m uint64)

//go:noescape
func avxAddcCoU32(d, a, b *Lanes, in uint64) (out uint64)

//go:noescape
func avxAddCoU32(d, a, b *Lanes, in uint64) (out uint64)

//go:noescape
func avxSubCoU32(d, a, b *Lanes, in uint64) (out uint64)

//go:noescape
func avxSubbCoU32(d, a, b *Lanes, in uint64) (out uint64)

// minNumbers and maxNumbers do nothing, and say so, if there is a NaN.
//
//go:noescape
func minNumbers(d, a, b *Lanes) (ok bool)

//go:noescape
func maxNumbers(d, a, b *Lanes) (ok bool)

func avxMinF32(d, a, b *Lanes) {
	if !minNumbers(d, a, b) {
		portableMinF32(d, a, b)
	}
}

func avxMaxF32(d, a, b *Lanes) {
	if !maxNumbers(d, a, b) {
		portableMaxF32(d, a, b)
	}
}

// avxSelect takes the lanes of in from b, the others from a.
//
//go:noescape
func avxSelect(d, a, b *Lanes, in uint64)

//go:noescape
func avxFill(d *Lanes, v uint32)

//go:noescape
func avxCvtF32I32(d, a *Lanes)

func avxCndmaskB32(d, a, b *Lanes, in uint64) uint64 {
	avxSelect(d, a, b, in)
	return 0
}

// Kernels of instructions, named like them, as the processor runs them best.
var (
	addU32     = pick[kernel2](avxAddU32, portableAddU32)
	subU32     = pick[kernel2](avxSubU32, portableSubU32)
	subrevU32  = pick[kernel2](avxSubrevU32, portableSubrevU32)
	andB32     = pick[kernel2](avxAndB32, portableAndB32)
	orB32      = pick[kernel2](avxOrB32, portableOrB32)
	xorB32     = pick[kernel2](avxXorB32, portableXorB32)
	mulLoU32   = pick[kernel2](avxMulLoU32, portableMulLoU32)
	minI32     = pick[kernel2](avxMinI32, portableMinI32)
	maxI32     = pick[kernel2](avxMaxI32, portableMaxI32)
	minU32     = pick[kernel2](avxMinU32, portableMinU32)
	maxU32     = pick[kernel2](avxMaxU32, portableMaxU32)
	addF32     = pick[kernel2](avxAddF32, portableAddF32)
	subF32     = pick[kernel2](avxSubF32, portableSubF32)
	subrevF32  = pick[kernel2](avxSubrevF32, portableSubrevF32)
	minF32     = pick[kernel2](avxMinF32, portableMinF32)
	maxF32     = pick[kernel2](avxMaxF32, portableMaxF32)
	mulF32     = pick[kernel2](avxMulF32, portableMulF32)
	lshlrevB32 = pick[kernel2](avxLshlrevB32, portableLshlrevB32)
	lshrrevB32 = pick[kernel2](avxLshrrevB32, portableLshrrevB32)
	ashrrevI32 = pick[kernel2](avxAshrrevI32, portableAshrrevI32)
	fmaF32     = pick[kernel3](avxFmaF32, portableFmaF32)
	lshlAddU32 = pick[kernel3](avxLshlAddU32, portableLshlAddU32)
	lshlOrB32  = pick[kernel3](avxLshlOrB32, portableLshlOrB32)
	addLshlU32 = pick[kernel3](avxAddLshlU32, portableAddLshlU32)
	add3U32    = pick[kernel3](avxAdd3U32, portableAdd3U32)
	andOrB32   = pick[kernel3](avxAndOrB32, portableAndOrB32)
	or3B32     = pick[kernel3](avxOr3B32, portableOr3B32)
	equal32    = pick[tester](avxEqual32, portableEqual32)
	lessI32    = pick[tester](avxLessI32, portableLessI32)
	lessU32    = pick[tester](avxLessU32, portableLessU32)
	lessF32    = pick[tester](avxLessF32, portableLessF32)
	atMostF32  = pick[tester](avxAtMostF32, portableAtMostF32)
	equalF32   = pick[tester](avxEqualF32, portableEqualF32)
	unequalF32 = pick[tester](avxUnequalF32, portableUnequalF32)
	orderedF32 = pick[tester](avxOrderedF32, portableOrderedF32)
	addCoU32   = pick[carrier](avxAddCoU32, portableAddCoU32)
	addcCoU32  = pick[carrier](avxAddcCoU32, portableAddcCoU32)
	subCoU32   = pick[carrier](avxSubCoU32, portableSubCoU32)
	subbCoU32  = pick[carrier](avxSubbCoU32, portableSubbCoU32)
	cndmaskB32 = pick[carrier](avxCndmaskB32, portableCndmaskB32)
	cvtF32I32  = pick[kernel1](avxCvtF32I32, portableCvtF32I32)
)

func (l *Lanes) fill(v uint32) {
	if hasAVX2 {
		avxFill(l, v)
		return
	}
	l.portableFill(v)
}

func selectLanes(d, a, b *Lanes, m uint64) {
	if hasAVX2 {
		avxSelect(d, a, b, m)
		return
	}
	portableCndmaskB32(d, a, b, m)
}

// vectors tells whether kernels on memory use the processor's vectors; for assembly.
var vectors = hasAVX2

// gatherWords loads a word for each lane, step bytes behind its address, which has been checked.
//
//go:noescape
func gatherWords(d *Lanes, addr *[64]uint64, step uint64)

//go:noescape
func scatterWords(s *Lanes, addr *[64]uint64, step uint64)

//go:noescape
func avxSpan(lo, hi *Lanes) (low, high uint32, shape uint8)

// spanOf returns the least and the greatest of lo, where all of hi are the same, and their shape.
func spanOf(lo, hi *Lanes) (low, high uint32, shape uint8) {
	if vectors {
		return avxSpan(lo, hi)
	}
	return portableSpan(lo, hi)
}

// gatherAt loads a word for each lane, from base plus its offset.
//
//go:noescape
func gatherAt(d, off *Lanes, base uint64)

// avxGatherFour loads four words for each lane, into registers that follow each other.
//
//go:noescape
func avxGatherFour(d *[4]Lanes, off *Lanes, base uint64)

//go:noescape
func avxGatherTwo(d *[2]Lanes, off *Lanes, base uint64)

//go:noescape
func scatterAt(s, off *Lanes, base uint64)

// gatherTogether loads two or four words for each lane, if there is a fast way.
func gatherTogether(d []Lanes, off *Lanes, base uint64) bool {
	switch {
	case !vectors:
		return false
	case len(d) == 4:
		avxGatherFour((*[4]Lanes)(d), off, base)
		return true
	case len(d) == 2:
		avxGatherTwo((*[2]Lanes)(d), off, base)
		return true
	}
	return false
}
