package gcn

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
func unless(done func(d, a, b *Lanes) (ok bool), k kernel2) kernel2 {
	return func(d, a, b *Lanes) {
		if !done(d, a, b) {
			k(d, a, b)
		}
	}
}

// Kernels of instructions, named like them, as the processor runs them best.
var (
	addF16     = pick(avxAddF16, portableAddF16)
	subF16     = pick(avxSubF16, portableSubF16)
	subrevF16  = pick(avxSubrevF16, portableSubrevF16)
	mulF16     = pick(avxMulF16, portableMulF16)
	minF16     = pick(unless(minHalves, portableMinF16), portableMinF16)
	maxF16     = pick(unless(maxHalves, portableMaxF16), portableMaxF16)
	flushF16   = pick(avxFlushF16, portableFlushF16)
	fmaToF16   = pick(avxFmaToF16, portableFmaToF16)
	fmaF16     = pick(avxFmaF16, portableFmaF16)
	pkAddF16   = pick(avxPkAddF16, portablePkAddF16)
	pkMulF16   = pick(avxPkMulF16, portablePkMulF16)
	pkMinF16   = pick(unless(minPairs, portablePkMinF16), portablePkMinF16)
	pkMaxF16   = pick(unless(maxPairs, portablePkMaxF16), portablePkMaxF16)
	pkFmaF16   = pick(avxPkFmaF16, portablePkFmaF16)
	cvtF32F16  = pick(avxCvtF32F16, portableCvtF32F16)
	cvtF16F32  = pick(avxCvtF16F32, portableCvtF16F32)
	lessF16    = pick(avxLessF16, portableLessF16)
	atMostF16  = pick(avxAtMostF16, portableAtMostF16)
	equalF16   = pick(avxEqualF16, portableEqualF16)
	unequalF16 = pick(avxUnequalF16, portableUnequalF16)
	orderedF16 = pick(avxOrderedF16, portableOrderedF16)
)
