package alu

// Kernels in assembly on parts of lanes, and the choice between them and the portable ones.

//go:noescape
func avxDot2I32(d, a, b, c *Lanes)

//go:noescape
func avxDot2U32(d, a, b, c *Lanes)

//go:noescape
func avxDot4I32(d, a, b, c *Lanes)

//go:noescape
func avxDot4U32(d, a, b, c *Lanes)

//go:noescape
func avxDot8I32(d, a, b, c *Lanes)

//go:noescape
func avxDot8U32(d, a, b, c *Lanes)

//go:noescape
func avxSadU8(d, a, b, c *Lanes)

//go:noescape
func avxSadHiU8(d, a, b, c *Lanes)

//go:noescape
func avxMsadU8(d, a, b, c *Lanes)

//go:noescape
func avxSadU16(d, a, b, c *Lanes)

//go:noescape
func avxLerpU8(d, a, b, c *Lanes)

//go:noescape
func avxCvtPkF16F32(d, a, b *Lanes)

//go:noescape
func avxCvtPkrtzF16F32(d, a, b *Lanes)

//go:noescape
func avxCvtPkBf16F32(d, a, b *Lanes)

//go:noescape
func avxPkMinI16(d, a, b *Lanes)

//go:noescape
func avxPkMaxI16(d, a, b *Lanes)

//go:noescape
func avxPkMad16(d, a, b, c *Lanes)

// avxPermB32 does nothing, and says so, if there is a selector of anything but a byte or zeros.
//
//go:noescape
func avxPermB32(d, a, b, c *Lanes) (ok bool)

//go:noescape
func avxBitTable(d, a, b, c *Lanes, table *[8]uint32)

// permWithSigns takes for a sign the byte that has it, and makes signs of those bytes afterwards.
func permWithSigns(d, a, b, c *Lanes) {
	if avxPermB32(d, a, b, c) {
		return
	}
	const each = 0x0101010101010101
	var bytes Lanes
	var others [32]uint64 // selectors of no bytes
	selectors := pairs(&bytes)
	for l, x := range pairs(c) {
		other := spreadTops(x | (x&(127*each) + (128-8)*each))
		others[l] = other
		x &= 7 * each
		selectors[l] = (x + (x+each)&other) & (7 * each)
	}
	avxPermB32(&bytes, a, b, &bytes)
	to, from := pairs(d), pairs(&bytes)
	for l, x := range pairs(c) {
		low, signs := x&(127*each), from[l]&others[l]
		// The top bits of: signs, where the selector is below 12; all that have one above.
		tops := signs&((128+11)*each-low) | (low + (128-13)*each) | x
		to[l] = from[l] ^ signs | spreadTops(tops)
	}
}

// spreadTops turns bytes with the highest bit into 0xff, and others into 0.
func spreadTops(x uint64) uint64 {
	x = x >> 7 & 0x0101010101010101
	return x<<8 - x
}

// Kernels of instructions, named like them, as the processor runs them best.
var (
	PkMinI16       = pick[Kernel2](avxPkMinI16, portablePkMinI16)
	PkMaxI16       = pick[Kernel2](avxPkMaxI16, portablePkMaxI16)
	PkMad16        = pick[Kernel3](avxPkMad16, portablePkMad16)
	Dot2I32        = pick[Kernel3](avxDot2I32, portableDot2I32)
	Dot2U32        = pick[Kernel3](avxDot2U32, portableDot2U32)
	Dot4I32        = pick[Kernel3](avxDot4I32, portableDot4I32)
	Dot4U32        = pick[Kernel3](avxDot4U32, portableDot4U32)
	Dot8I32        = pick[Kernel3](avxDot8I32, portableDot8I32)
	Dot8U32        = pick[Kernel3](avxDot8U32, portableDot8U32)
	SadU8          = pick[Kernel3](avxSadU8, portableSadU8)
	SadHiU8        = pick[Kernel3](avxSadHiU8, portableSadHiU8)
	MsadU8         = pick[Kernel3](avxMsadU8, portableMsadU8)
	SadU16         = pick[Kernel3](avxSadU16, portableSadU16)
	LerpU8         = pick[Kernel3](avxLerpU8, portableLerpU8)
	CvtPkF16F32    = pick[Kernel2](avxCvtPkF16F32, portableCvtPkF16F32)
	CvtPkrtzF16F32 = pick[Kernel2](avxCvtPkrtzF16F32, portableCvtPkrtzF16F32)
	CvtPkBf16F32   = pick[Kernel2](avxCvtPkBf16F32, portableCvtPkBf16F32)
	PermB32        = pick[Kernel3](permWithSigns, portablePermB32)
	bitTable       = pick(avxBitTable, portableBitTable)
)
