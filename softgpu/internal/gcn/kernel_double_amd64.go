package gcn

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

func unlessWide(done func(dl, dh, al, ah, bl, bh *Lanes) (ok bool), k wideKernel2) wideKernel2 {
	return func(dl, dh, al, ah, bl, bh *Lanes) {
		if !done(dl, dh, al, ah, bl, bh) {
			k(dl, dh, al, ah, bl, bh)
		}
	}
}

// Kernels of instructions, named like them, as the processor runs them best.
var (
	rndneF64 = pick[wideKernel1](avxRndneF64, portableRndneF64)
	floorF64 = pick[wideKernel1](avxFloorF64, portableFloorF64)
	ceilF64  = pick[wideKernel1](avxCeilF64, portableCeilF64)
	truncF64 = pick[wideKernel1](avxTruncF64, portableTruncF64)
	sqrtF64  = pick[wideKernel1](avxSqrtF64, portableSqrtF64)
	rcpF64   = pick[wideKernel1](avxRcpF64, portableRcpF64)
	rsqF64   = pick[wideKernel1](avxRsqF64, portableRsqF64)
	fractF64 = pick[wideKernel1](avxFractF64, portableFractF64)
	minF64   = pick(unlessWide(minDoubles, portableMinF64), portableMinF64)
	maxF64   = pick(unlessWide(maxDoubles, portableMaxF64), portableMaxF64)
)
