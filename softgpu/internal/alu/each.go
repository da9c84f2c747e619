package alu

// Kernels made from functions of one lane. A row passes the function where it calls one of these: the compiler makes a
// loop for each call with the function inlined, which takes half the time of one loop that calls functions.

type fullWord interface{ uint32 | int32 }

// Each1 computes v_ffbh_i32 and its like.
func Each1[T fullWord](d, a *Lanes, f func(a T) T) {
	for l := range d {
		d[l] = uint32(f(T(a[l])))
	}
}

// Each2 computes v_add_i32 and its like.
func Each2[T fullWord](d, a, b *Lanes, f func(a, b T) T) {
	for l := range d {
		d[l] = uint32(f(T(a[l]), T(b[l])))
	}
}

// Each3 computes v_sad_u32 and its like.
func Each3[T fullWord](d, a, b, c *Lanes, f func(a, b, c T) T) {
	for l := range d {
		d[l] = uint32(f(T(a[l]), T(b[l]), T(c[l])))
	}
}

// Low2 and its like are for low halves, with zeros above the result; Pairs2 for both.

type halfWord interface{ uint16 | int16 }

// Low2 computes v_add_u16 and its like.
func Low2[T halfWord](d, a, b *Lanes, f func(a, b T) T) {
	for l := range d {
		d[l] = uint32(uint16(f(T(a[l]), T(b[l]))))
	}
}

// Low3 computes v_mad_u16 and its like.
func Low3[T halfWord](d, a, b, c *Lanes, f func(a, b, c T) T) {
	for l := range d {
		d[l] = uint32(uint16(f(T(a[l]), T(b[l]), T(c[l]))))
	}
}

// Pairs2 computes v_pk_sub_i16 and its like.
func Pairs2[T halfWord](d, a, b *Lanes, f func(a, b T) T) {
	for l := range d {
		x, y := a[l], b[l]
		d[l] = uint32(uint16(f(T(x), T(y)))) | uint32(f(T(x>>16), T(y>>16)))<<16
	}
}

// Pairs3 computes v_pk_mad_u16 and v_pk_mad_i16.
func Pairs3[T halfWord](d, a, b, c *Lanes, f func(a, b, c T) T) {
	for l := range d {
		x, y, z := a[l], b[l], c[l]
		d[l] = uint32(uint16(f(T(x), T(y), T(z)))) | uint32(f(T(x>>16), T(y>>16), T(z>>16)))<<16
	}
}

// Bits1 and its like are for functions of bits.

// Bits1 computes v_cvt_f32_bf16 and v_cvt_off_f32_i4.
func Bits1(d, a *Lanes, f LaneFunc) {
	for l := range d {
		d[l] = uint32(f(uint64(a[l]), 0, 0))
	}
}

// Bits2 computes v_pack_b32_f16.
func Bits2(d, a, b *Lanes, f LaneFunc) {
	for l := range d {
		d[l] = uint32(f(uint64(a[l]), uint64(b[l]), 0))
	}
}

// Bits3 computes v_mad_i32_i16 and its like.
func Bits3(d, a, b, c *Lanes, f LaneFunc) {
	for l := range d {
		d[l] = uint32(f(uint64(a[l]), uint64(b[l]), uint64(c[l])))
	}
}

// Wide1 and its like are for operands of which some have 64 bits; of others the upper half is zeros.

// Wide1 computes v_cvt_f64_u32 and its like.
func Wide1(dl, dh, al, ah *Lanes, f LaneFunc) {
	for l := range dl {
		r := f(Join(al[l], ah[l]), 0, 0)
		dl[l], dh[l] = uint32(r), uint32(r>>32)
	}
}

func wide2(dl, dh, al, ah, bl, bh *Lanes, f LaneFunc) {
	for l := range dl {
		r := f(Join(al[l], ah[l]), Join(bl[l], bh[l]), 0)
		dl[l], dh[l] = uint32(r), uint32(r>>32)
	}
}

func doubles1(dl, dh, al, ah *Lanes, f func(float64) float64) {
	for l := range dl {
		a := Join(al[l], ah[l])
		r := DoubleOf(f(Double(a)), a, 0, 0)
		dl[l], dh[l] = uint32(r), uint32(r>>32)
	}
}

// LaneFunc computes one lane. Narrow operands come zero-extended; of a narrow result the low bits count.
type LaneFunc func(a, b, c uint64) uint64

// FlagFunc computes one lane with one bit of a mask as further operand and result.
type FlagFunc func(a, b, c uint64, in bool) (r uint64, out bool)
