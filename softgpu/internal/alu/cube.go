package alu

import "math"

// The face of a cube that a direction x, y, z hits. For components of equal size z wins over y, and y over x.

// major returns the axis of a direction's face, 0 to 2, and whether the face is on its negative side.
func major(x, y, z float32) (axis int, negative bool) {
	size := func(f float32) float32 { return float32(math.Abs(float64(f))) }
	switch {
	case size(z) >= size(x) && size(z) >= size(y):
		return 2, z < 0
	case size(y) >= size(x):
		return 1, y < 0
	}
	return 0, x < 0
}

// cubeOf makes a function of the bits of a direction from one that has its face as well.
func cubeOf(f func(axis int, negative bool, d [3]uint64) uint64) LaneFunc {
	return func(a, b, c uint64) uint64 {
		axis, negative := major(Float(uint32(a)), Float(uint32(b)), Float(uint32(c)))
		r := f(axis, negative, [3]uint64{a, b, c})
		if IsNaN32(uint32(r)) {
			r |= Quiet32
		}
		return r
	}
}

// CubeID is the number of the face.
var CubeID = cubeOf(func(axis int, negative bool, _ [3]uint64) uint64 {
	n := 2 * axis
	if negative {
		n++
	}
	return uint64(math.Float32bits(float32(n)))
})

const singleSign = 1 << 31

// CubeSC is the first coordinate on the face.
var CubeSC = cubeOf(func(axis int, negative bool, d [3]uint64) uint64 {
	switch {
	case axis == 2 && negative:
		return d[0] ^ singleSign
	case axis != 0:
		return d[0]
	case negative:
		return d[2]
	}
	return d[2] ^ singleSign
})

// CubeTC is the second one.
var CubeTC = cubeOf(func(axis int, negative bool, d [3]uint64) uint64 {
	switch {
	case axis != 1:
		return d[1] ^ singleSign
	case negative:
		return d[2] ^ singleSign
	}
	return d[2]
})

// CubeMA is twice the component of the face's axis.
func (e Arithmetic) CubeMA(a, b, c uint64) uint64 {
	axis, _ := major(Float(uint32(a)), Float(uint32(b)), Float(uint32(c)))
	return e.Rounded(e.Number([3]uint64{a, b, c}[axis]).scaled(1))
}

// CubeMA32 is CubeMA in the usual MODE.
func CubeMA32(a, b, c uint64) uint64 {
	axis, _ := major(Float(uint32(a)), Float(uint32(b)), Float(uint32(c)))
	x := Float(uint32([3]uint64{a, b, c}[axis]))
	return uint64(math.Float32bits(x + x))
}

// mostNegative is v_mullit's result for light that does not arrive.
const mostNegative = 0xff7fffff

// unlit reports whether v_mullit gives mostNegative: by a power that is not a number above it, or a light that is not
// above 0.
func unlit(b, c uint64) bool {
	power, light := Float(uint32(b)), Float(uint32(c))
	return !(power > -math.MaxFloat32) || !(light > 0)
}

// Mullit is a product in which 0 times anything is 0, if the third operand is above 0.
func (e Arithmetic) Mullit(a, b, c uint64) uint64 {
	if unlit(b, c) {
		return mostNegative
	}
	return e.MulLegacy(a, b, 0)
}

// MullitF32 is Mullit in the usual MODE.
func MullitF32(t *[4]Pair, d, a, b, c *Lanes) {
	var dark uint64
	for l := range b {
		if unlit(uint64(b[l]), uint64(c[l])) {
			dark |= 1 << uint(l)
		}
	}
	MulLegacyF32(t, d, a, b, nil)
	most := LanesOf(mostNegative)
	SelectLanes(d, d, &most, dark)
}
