package alu

// Kernels in assembly on halves, and the choice between them and the portable ones.

//go:noescape
func avxAddF16(d, a, b *Lanes)

//go:noescape
func avxSubF16(d, a, b *Lanes)

//go:noescape
func avxSubrevF16(d, a, b *Lanes)

//go:noescape
func avxMulF16(d, a, b *Lanes)

//go:noescape
func avxFmaF16(d, a, b, c *Lanes)

//go:noescape
func avxPkAddF16(d, a, b *Lanes)

//go:noescape
func avxPkMulF16(d, a, b *Lanes)

//go:noescape
func avxPkFmaF16(d, a, b, c *Lanes)

//go:noescape
func avxCvtF32F16(d, a *Lanes)

//go:noescape
func avxCvtF32HighF16(d, a *Lanes)

//go:noescape
func avxDot2F32F16(d, a, b, c *Lanes, flush, flip uint32)

//go:noescape
func avxCvtF16F32(d, a *Lanes)

//go:noescape
func avxLessF16(a, b *Lanes) (m uint64)

//go:noescape
func avxAtMostF16(a, b *Lanes) (m uint64)

//go:noescape
func avxEqualF16(a, b *Lanes) (m uint64)

//go:noescape
func avxUnequalF16(a, b *Lanes) (m uint64)

//go:noescape
func avxOrderedF16(a, b *Lanes) (m uint64)

//go:noescape
func avxFlushF16(d, a *Lanes)

//go:noescape
func avxFmaToF16(d, a, b, c *Lanes)

// minHalves and its like do nothing, and say so, if there is a NaN.
//
//go:noescape
func minHalves(d, a, b *Lanes) (ok bool)

//go:noescape
func maxHalves(d, a, b *Lanes) (ok bool)

//go:noescape
func minPairs(d, a, b *Lanes) (ok bool)

//go:noescape
func maxPairs(d, a, b *Lanes) (ok bool)

// unless runs the second kernel where the first does nothing.
func unless(done func(d, a, b *Lanes) (ok bool), k Kernel2) Kernel2 {
	return func(d, a, b *Lanes) {
		if !done(d, a, b) {
			k(d, a, b)
		}
	}
}

// Kernels of instructions, named like them, as the processor runs them best.
var (
	AddF16    = pick(avxAddF16, portableAddF16)
	SubF16    = pick(avxSubF16, portableSubF16)
	SubrevF16 = pick(avxSubrevF16, portableSubrevF16)
	MulF16    = pick(avxMulF16, portableMulF16)
	MinF16    = pick(unless(minHalves, portableMinF16), portableMinF16)
	MaxF16    = pick(unless(maxHalves, portableMaxF16), portableMaxF16)
	flushF16  = pick(avxFlushF16, portableFlushF16)
	FmaToF16  = pick(avxFmaToF16, portableFmaToF16)
	FmaF16    = pick(avxFmaF16, portableFmaF16)
	PkAddF16  = pick(avxPkAddF16, portablePkAddF16)
	PkMulF16  = pick(avxPkMulF16, portablePkMulF16)
	PkMinF16  = pick(unless(minPairs, portablePkMinF16), portablePkMinF16)
	PkMaxF16  = pick(unless(maxPairs, portablePkMaxF16), portablePkMaxF16)
	PkFmaF16  = pick(avxPkFmaF16, portablePkFmaF16)
	CvtF32F16 = pick(avxCvtF32F16, portableCvtF32F16)
	CvtF16F32 = pick(avxCvtF16F32, portableCvtF16F32)

	CvtF32HighF16 = pick(avxCvtF32HighF16, portableCvtF32HighF16)
	Dot2F32F16    = pick(avxDot2F32F16, portableDot2F32F16)

	LessF16    = pick(avxLessF16, portableLessF16)
	AtMostF16  = pick(avxAtMostF16, portableAtMostF16)
	EqualF16   = pick(avxEqualF16, portableEqualF16)
	UnequalF16 = pick(avxUnequalF16, portableUnequalF16)
	OrderedF16 = pick(avxOrderedF16, portableOrderedF16)
)
