package gcn

import "math/bits"

// Kernels in assembly on 64-bit operands and on singles, and the choice between
// them and the portable ones.

//go:noescape
func avxLshlrevB64(dl, dh, al, ah, bl, bh, cl, ch *Lanes)

//go:noescape
func avxLshrrevB64(dl, dh, al, ah, bl, bh, cl, ch *Lanes)

//go:noescape
func avxAshrrevI64(dl, dh, al, ah, bl, bh, cl, ch *Lanes)

//go:noescape
func avxAddF64(dl, dh, al, ah, bl, bh, cl, ch *Lanes)

//go:noescape
func avxMulF64(dl, dh, al, ah, bl, bh, cl, ch *Lanes)

//go:noescape
func avxFmaF64(dl, dh, al, ah, bl, bh, cl, ch *Lanes)

//go:noescape
func avxEqual64(al, ah, bl, bh *Lanes) (m uint64)

//go:noescape
func avxLessU64(al, ah, bl, bh *Lanes) (m uint64)

//go:noescape
func avxLessI64(al, ah, bl, bh *Lanes) (m uint64)

//go:noescape
func avxLessF64(al, ah, bl, bh *Lanes) (m uint64)

//go:noescape
func avxAtMostF64(al, ah, bl, bh *Lanes) (m uint64)

//go:noescape
func avxEqualF64(al, ah, bl, bh *Lanes) (m uint64)

//go:noescape
func avxUnequalF64(al, ah, bl, bh *Lanes) (m uint64)

//go:noescape
func avxOrderedF64(al, ah, bl, bh *Lanes) (m uint64)

//go:noescape
func avxMadU64U32(dl, dh, a, b, cl, ch *Lanes) (out uint64)

//go:noescape
func avxMadI64I32(dl, dh, a, b, cl, ch *Lanes) (out uint64)

//go:noescape
func avxRndneF32(d, a *Lanes)

//go:noescape
func avxFloorF32(d, a *Lanes)

//go:noescape
func avxCeilF32(d, a *Lanes)

//go:noescape
func avxTruncF32(d, a *Lanes)

//go:noescape
func avxFractF32(d, a *Lanes)

//go:noescape
func avxRcpF32(d, a *Lanes)

//go:noescape
func avxSqrtF32(d, a *Lanes)

//go:noescape
func avxRsqF32(d, a *Lanes)

//go:noescape
func avxExpF32(d, a *Lanes)

//go:noescape
func avxFlushF32(d, a *Lanes)

//go:noescape
func avxLdexpF32(d, a, b *Lanes)

//go:noescape
func avxAlterBits(l *Lanes, clear, flip uint32)

//go:noescape
func avxPlainDivision(n, d *Lanes, limits *divisionLimits) bool

//go:noescape
func avxFixupPlain(to, q, d, n *Lanes, limits *divisionLimits) bool

// avxLogF32 and its like return the lanes that they leave to others.
//
//go:noescape
func avxLogF32(d, a *Lanes) (others uint64)

//go:noescape
func avxSinF32(d, a *Lanes) (others uint64)

//go:noescape
func avxCosF32(d, a *Lanes) (others uint64)

// mostly makes a kernel of one that leaves lanes to f.
func mostly(k func(d, a *Lanes) (others uint64), f func(float32) float32) kernel1 {
	return func(d, a *Lanes) {
		in := a
		if d == a {
			was := *a
			in = &was
		}
		for others := k(d, a); others != 0; others &= others - 1 {
			l := bits.TrailingZeros64(others) & 63
			d[l] = uint32(singleOf(f(float(in[l])), uint64(in[l]), 0, 0))
		}
	}
}

// Kernels of instructions, named like them, as the processor runs them best.
var (
	lshlrevB64    = pick[wideKernel](avxLshlrevB64, portableLshlrevB64)
	lshrrevB64    = pick[wideKernel](avxLshrrevB64, portableLshrrevB64)
	ashrrevI64    = pick[wideKernel](avxAshrrevI64, portableAshrrevI64)
	addF64        = pick[wideKernel](avxAddF64, portableAddF64)
	mulF64        = pick[wideKernel](avxMulF64, portableMulF64)
	fmaF64        = pick[wideKernel](avxFmaF64, portableFmaF64)
	equal64       = pick[wideTester](avxEqual64, portableEqual64)
	lessU64       = pick[wideTester](avxLessU64, portableLessU64)
	lessI64       = pick[wideTester](avxLessI64, portableLessI64)
	lessF64       = pick[wideTester](avxLessF64, portableLessF64)
	atMostF64     = pick[wideTester](avxAtMostF64, portableAtMostF64)
	equalF64      = pick[wideTester](avxEqualF64, portableEqualF64)
	unequalF64    = pick[wideTester](avxUnequalF64, portableUnequalF64)
	orderedF64    = pick[wideTester](avxOrderedF64, portableOrderedF64)
	madU64U32     = pick[wideCarrier](avxMadU64U32, portableMadU64U32)
	madI64I32     = pick[wideCarrier](avxMadI64I32, portableMadI64I32)
	rndneF32      = pick[kernel1](avxRndneF32, portableRndneF32)
	floorF32      = pick[kernel1](avxFloorF32, portableFloorF32)
	ceilF32       = pick[kernel1](avxCeilF32, portableCeilF32)
	truncF32      = pick[kernel1](avxTruncF32, portableTruncF32)
	fractF32      = pick[kernel1](avxFractF32, portableFractF32)
	rcpF32        = pick[kernel1](avxRcpF32, portableRcpF32)
	sqrtF32       = pick[kernel1](avxSqrtF32, portableSqrtF32)
	rsqF32        = pick[kernel1](avxRsqF32, portableRsqF32)
	expF32        = pick[kernel1](avxExpF32, portableExpF32)
	logF32        = pick(mostly(avxLogF32, log32), portableLogF32)
	logLegacyF32  = pick(mostly(avxLogF32, legacy32(log32)), portableLogLegacyF32)
	sinF32        = pick(mostly(avxSinF32, sin32), portableSinF32)
	cosF32        = pick(mostly(avxCosF32, cos32), portableCosF32)
	flushF32      = pick[kernel1](avxFlushF32, portableFlushF32)
	ldexpF32      = pick[kernel2](avxLdexpF32, portableLdexpF32)
	alterBits     = pick(avxAlterBits, portableAlterBits)
	plainDivision = pick(avxPlainDivision, portablePlainDivision)
	fixupPlain    = pick(avxFixupPlain, portableFixupPlain)
)
