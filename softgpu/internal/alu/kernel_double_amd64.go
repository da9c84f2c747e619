package alu

// Kernels in assembly on one double, and on the order of two, and the choice between them and the portable ones.

//go:noescape
func avxRndneF64(dl, dh, al, ah *Lanes)

//go:noescape
func avxFloorF64(dl, dh, al, ah *Lanes)

//go:noescape
func avxCeilF64(dl, dh, al, ah *Lanes)

//go:noescape
func avxTruncF64(dl, dh, al, ah *Lanes)

//go:noescape
func avxSqrtF64(dl, dh, al, ah *Lanes)

//go:noescape
func avxRcpF64(dl, dh, al, ah *Lanes)

//go:noescape
func avxRsqF64(dl, dh, al, ah *Lanes)

//go:noescape
func avxFractF64(dl, dh, al, ah *Lanes)

// minDoubles and maxDoubles do nothing, and say so, if there is a NaN.
//
//go:noescape
func minDoubles(dl, dh, al, ah, bl, bh *Lanes) (ok bool)

//go:noescape
func maxDoubles(dl, dh, al, ah, bl, bh *Lanes) (ok bool)

func unlessWide(done func(dl, dh, al, ah, bl, bh *Lanes) (ok bool), k WideKernel2) WideKernel2 {
	return func(dl, dh, al, ah, bl, bh *Lanes) {
		if !done(dl, dh, al, ah, bl, bh) {
			k(dl, dh, al, ah, bl, bh)
		}
	}
}

// Kernels of instructions, named like them, as the processor runs them best.
var (
	RndneF64 = pick[WideKernel1](avxRndneF64, portableRndneF64)
	FloorF64 = pick[WideKernel1](avxFloorF64, portableFloorF64)
	CeilF64  = pick[WideKernel1](avxCeilF64, portableCeilF64)
	TruncF64 = pick[WideKernel1](avxTruncF64, portableTruncF64)
	SqrtF64  = pick[WideKernel1](avxSqrtF64, portableSqrtF64)
	RcpF64   = pick[WideKernel1](avxRcpF64, portableRcpF64)
	RsqF64   = pick[WideKernel1](avxRsqF64, portableRsqF64)
	FractF64 = pick[WideKernel1](avxFractF64, portableFractF64)
	MinF64   = pick(unlessWide(minDoubles, portableMinF64), portableMinF64)
	MaxF64   = pick(unlessWide(maxDoubles, portableMaxF64), portableMaxF64)
)
