package alu

var (
	// MinNum16 computes v_min_f16 and its like.
	MinNum16 = OrderF16.tolerant(OrderF16.Least)
	// MaxNum16 computes v_max_f16 and its like.
	MaxNum16 = OrderF16.tolerant(OrderF16.Most)
	// MinNum64 computes v_min_f64.
	MinNum64 = OrderF64.tolerant(OrderF64.Least)
	// MaxNum64 computes v_max_f64.
	MaxNum64 = OrderF64.tolerant(OrderF64.Most)
	// MinNum32 computes v_min_f32 and its like.
	MinNum32 = OrderF32.tolerant(OrderF32.Least)
	// MaxNum32 computes v_max_f32 and its like.
	MaxNum32 = OrderF32.tolerant(OrderF32.Most)
)

// RoundingBits returns the bits of MODE that round results of a kind.
func RoundingBits(k Kind) uint32 {
	switch k {
	case F32:
		return RoundF32
	case F16:
		return roundF64 | HalfOverflow
	}
	return roundF64
}
