package gcn

// Kernels of functions of one lane. Rows give them the function where they are
// called: each call compiles to a loop of its own, with the function in it, which
// takes half as long as calls from one loop for all.

type fullWord interface{ uint32 | int32 }

func each1[T fullWord](d, a *Lanes, f func(a T) T) {
	for l := range d {
		d[l] = uint32(f(T(a[l])))
	}
}

func each2[T fullWord](d, a, b *Lanes, f func(a, b T) T) {
	for l := range d {
		d[l] = uint32(f(T(a[l]), T(b[l])))
	}
}

func each3[T fullWord](d, a, b, c *Lanes, f func(a, b, c T) T) {
	for l := range d {
		d[l] = uint32(f(T(a[l]), T(b[l]), T(c[l])))
	}
}

// low2 and its like are for low halves, with zeros above the result; pairs2 for both.

type halfWord interface{ uint16 | int16 }

func low2[T halfWord](d, a, b *Lanes, f func(a, b T) T) {
	for l := range d {
		d[l] = uint32(uint16(f(T(a[l]), T(b[l]))))
	}
}

func low3[T halfWord](d, a, b, c *Lanes, f func(a, b, c T) T) {
	for l := range d {
		d[l] = uint32(uint16(f(T(a[l]), T(b[l]), T(c[l]))))
	}
}

func pairs2[T halfWord](d, a, b *Lanes, f func(a, b T) T) {
	for l := range d {
		x, y := a[l], b[l]
		d[l] = uint32(uint16(f(T(x), T(y)))) | uint32(f(T(x>>16), T(y>>16)))<<16
	}
}

func pairs3[T halfWord](d, a, b, c *Lanes, f func(a, b, c T) T) {
	for l := range d {
		x, y, z := a[l], b[l], c[l]
		d[l] = uint32(uint16(f(T(x), T(y), T(z)))) | uint32(f(T(x>>16), T(y>>16), T(z>>16)))<<16
	}
}

// bits1 and its like are for functions of bits.

func bits1(d, a *Lanes, f laneFunc) {
	for l := range d {
		d[l] = uint32(f(uint64(a[l]), 0, 0))
	}
}

func bits2(d, a, b *Lanes, f laneFunc) {
	for l := range d {
		d[l] = uint32(f(uint64(a[l]), uint64(b[l]), 0))
	}
}

func bits3(d, a, b, c *Lanes, f laneFunc) {
	for l := range d {
		d[l] = uint32(f(uint64(a[l]), uint64(b[l]), uint64(c[l])))
	}
}

// wide1 and its like are for operands of which some have 64 bits; of others the upper half is zeros.

func wide1(dl, dh, al, ah *Lanes, f laneFunc) {
	for l := range dl {
		r := f(join(al[l], ah[l]), 0, 0)
		dl[l], dh[l] = uint32(r), uint32(r>>32)
	}
}

func wide2(dl, dh, al, ah, bl, bh *Lanes, f laneFunc) {
	for l := range dl {
		r := f(join(al[l], ah[l]), join(bl[l], bh[l]), 0)
		dl[l], dh[l] = uint32(r), uint32(r>>32)
	}
}

func doubles1(dl, dh, al, ah *Lanes, f func(float64) float64) {
	for l := range dl {
		a := join(al[l], ah[l])
		r := doubleOf(f(double(a)), a, 0, 0)
		dl[l], dh[l] = uint32(r), uint32(r>>32)
	}
}

// laneFunc computes one lane. Narrow operands come zero-extended; of a narrow result the low bits count.
type laneFunc func(a, b, c uint64) uint64

// flagFunc computes one lane with one bit of a mask as further operand and result.
type flagFunc func(a, b, c uint64, in bool) (r uint64, out bool)
