package alu

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
func mostly(k func(d, a *Lanes) (others uint64), f func(float32) float32) Kernel1 {
	return func(d, a *Lanes) {
		in := a
		if d == a {
			was := *a
			in = &was
		}
		for others := k(d, a); others != 0; others &= others - 1 {
			l := bits.TrailingZeros64(others) & 63
			d[l] = uint32(SingleOf(f(Float(in[l])), uint64(in[l]), 0, 0))
		}
	}
}

// Kernels of instructions, named like them, as the processor runs them best.
var (
	LshlrevB64    = pick[WideKernel](avxLshlrevB64, portableLshlrevB64)
	LshrrevB64    = pick[WideKernel](avxLshrrevB64, portableLshrrevB64)
	AshrrevI64    = pick[WideKernel](avxAshrrevI64, portableAshrrevI64)
	AddF64        = pick[WideKernel](avxAddF64, portableAddF64)
	MulF64        = pick[WideKernel](avxMulF64, portableMulF64)
	FmaF64        = pick[WideKernel](avxFmaF64, portableFmaF64)
	Equal64       = pick[WideTester](avxEqual64, portableEqual64)
	LessU64       = pick[WideTester](avxLessU64, portableLessU64)
	LessI64       = pick[WideTester](avxLessI64, portableLessI64)
	LessF64       = pick[WideTester](avxLessF64, portableLessF64)
	AtMostF64     = pick[WideTester](avxAtMostF64, portableAtMostF64)
	EqualF64      = pick[WideTester](avxEqualF64, portableEqualF64)
	UnequalF64    = pick[WideTester](avxUnequalF64, portableUnequalF64)
	OrderedF64    = pick[WideTester](avxOrderedF64, portableOrderedF64)
	MadU64U32     = pick[WideCarrier](avxMadU64U32, portableMadU64U32)
	MadI64I32     = pick[WideCarrier](avxMadI64I32, portableMadI64I32)
	RndneF32      = pick[Kernel1](avxRndneF32, portableRndneF32)
	FloorF32      = pick[Kernel1](avxFloorF32, portableFloorF32)
	CeilF32       = pick[Kernel1](avxCeilF32, portableCeilF32)
	TruncF32      = pick[Kernel1](avxTruncF32, portableTruncF32)
	FractF32      = pick[Kernel1](avxFractF32, portableFractF32)
	RcpF32        = pick[Kernel1](avxRcpF32, portableRcpF32)
	SqrtF32       = pick[Kernel1](avxSqrtF32, portableSqrtF32)
	RsqF32        = pick[Kernel1](avxRsqF32, portableRsqF32)
	ExpF32        = pick[Kernel1](avxExpF32, portableExpF32)
	LogF32        = pick(mostly(avxLogF32, Log32), portableLogF32)
	LogLegacyF32  = pick(mostly(avxLogF32, legacy32(Log32)), portableLogLegacyF32)
	SinF32        = pick(mostly(avxSinF32, Sin32), portableSinF32)
	CosF32        = pick(mostly(avxCosF32, Cos32), portableCosF32)
	FlushF32      = pick[Kernel1](avxFlushF32, portableFlushF32)
	LdexpF32      = pick[Kernel2](avxLdexpF32, portableLdexpF32)
	AlterBits     = pick(avxAlterBits, portableAlterBits)
	PlainDivision = pick(avxPlainDivision, portablePlainDivision)
	FixupPlain    = pick(avxFixupPlain, portableFixupPlain)
)
