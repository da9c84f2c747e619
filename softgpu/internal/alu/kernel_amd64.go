package alu

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
	AddU32     = pick[Kernel2](avxAddU32, portableAddU32)
	SubU32     = pick[Kernel2](avxSubU32, portableSubU32)
	SubrevU32  = pick[Kernel2](avxSubrevU32, portableSubrevU32)
	AndB32     = pick[Kernel2](avxAndB32, portableAndB32)
	OrB32      = pick[Kernel2](avxOrB32, portableOrB32)
	XorB32     = pick[Kernel2](avxXorB32, portableXorB32)
	MulLoU32   = pick[Kernel2](avxMulLoU32, portableMulLoU32)
	MinI32     = pick[Kernel2](avxMinI32, portableMinI32)
	MaxI32     = pick[Kernel2](avxMaxI32, portableMaxI32)
	MinU32     = pick[Kernel2](avxMinU32, portableMinU32)
	MaxU32     = pick[Kernel2](avxMaxU32, portableMaxU32)
	AddF32     = pick[Kernel2](avxAddF32, portableAddF32)
	SubF32     = pick[Kernel2](avxSubF32, portableSubF32)
	SubrevF32  = pick[Kernel2](avxSubrevF32, portableSubrevF32)
	MinF32     = pick[Kernel2](avxMinF32, portableMinF32)
	MaxF32     = pick[Kernel2](avxMaxF32, portableMaxF32)
	MulF32     = pick[Kernel2](avxMulF32, portableMulF32)
	LshlrevB32 = pick[Kernel2](avxLshlrevB32, portableLshlrevB32)
	LshrrevB32 = pick[Kernel2](avxLshrrevB32, portableLshrrevB32)
	AshrrevI32 = pick[Kernel2](avxAshrrevI32, portableAshrrevI32)
	FmaF32     = pick[Kernel3](avxFmaF32, portableFmaF32)
	LshlAddU32 = pick[Kernel3](avxLshlAddU32, portableLshlAddU32)
	LshlOrB32  = pick[Kernel3](avxLshlOrB32, portableLshlOrB32)
	AddLshlU32 = pick[Kernel3](avxAddLshlU32, portableAddLshlU32)
	Add3U32    = pick[Kernel3](avxAdd3U32, portableAdd3U32)
	AndOrB32   = pick[Kernel3](avxAndOrB32, portableAndOrB32)
	Or3B32     = pick[Kernel3](avxOr3B32, portableOr3B32)
	Equal32    = pick[Tester](avxEqual32, portableEqual32)
	LessI32    = pick[Tester](avxLessI32, portableLessI32)
	LessU32    = pick[Tester](avxLessU32, portableLessU32)
	LessF32    = pick[Tester](avxLessF32, portableLessF32)
	AtMostF32  = pick[Tester](avxAtMostF32, portableAtMostF32)
	EqualF32   = pick[Tester](avxEqualF32, portableEqualF32)
	UnequalF32 = pick[Tester](avxUnequalF32, portableUnequalF32)
	OrderedF32 = pick[Tester](avxOrderedF32, portableOrderedF32)
	AddCoU32   = pick[Carrier](avxAddCoU32, portableAddCoU32)
	AddcCoU32  = pick[Carrier](avxAddcCoU32, portableAddcCoU32)
	SubCoU32   = pick[Carrier](avxSubCoU32, portableSubCoU32)
	SubbCoU32  = pick[Carrier](avxSubbCoU32, portableSubbCoU32)
	CndmaskB32 = pick[Carrier](avxCndmaskB32, portableCndmaskB32)
	CvtF32I32  = pick[Kernel1](avxCvtF32I32, portableCvtF32I32)
)

// Fill gives all lanes the same value.
func (l *Lanes) Fill(v uint32) {
	if HasAVX2 {
		avxFill(l, v)
		return
	}
	l.portableFill(v)
}

// SelectLanes takes the lanes of m from b, the others from a.
func SelectLanes(d, a, b *Lanes, m uint64) {
	if HasAVX2 {
		avxSelect(d, a, b, m)
		return
	}
	portableCndmaskB32(d, a, b, m)
}
