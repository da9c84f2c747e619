package alu

func portableCndmaskB32(d, a, b *Lanes, in uint64) uint64 {
	for i := range d {
		take := -uint32(in >> uint(i) & 1)
		d[i] = a[i]&^take | b[i]&take
	}
	return 0
}

func portableAddCoU32(d, a, b *Lanes, _ uint64) (out uint64) {
	for i := range d {
		s := uint64(a[i]) + uint64(b[i])
		out |= s >> 32 << uint(i)
		d[i] = uint32(s)
	}
	return out
}

func portableAddcCoU32(d, a, b *Lanes, in uint64) (out uint64) {
	for i := range d {
		s := uint64(a[i]) + uint64(b[i]) + in>>uint(i)&1
		out |= s >> 32 << uint(i)
		d[i] = uint32(s)
	}
	return out
}

func portableSubCoU32(d, a, b *Lanes, _ uint64) (out uint64) {
	for i := range d {
		s := uint64(a[i]) - uint64(b[i])
		out |= s >> 63 << uint(i)
		d[i] = uint32(s)
	}
	return out
}

func portableSubbCoU32(d, a, b *Lanes, in uint64) (out uint64) {
	for i := range d {
		s := uint64(a[i]) - uint64(b[i]) - in>>uint(i)&1
		out |= s >> 63 << uint(i)
		d[i] = uint32(s)
	}
	return out
}

// SubrevCoU32 computes v_subrev_co_u32.
func SubrevCoU32(d, a, b *Lanes, in uint64) uint64 { return SubCoU32(d, b, a, in) }

// SubbrevCoU32 computes v_subbrev_co_u32.
func SubbrevCoU32(d, a, b *Lanes, in uint64) uint64 { return SubbCoU32(d, b, a, in) }

// SaturatedCarry limits a carrier's sums to the range of an unsigned number.
func SaturatedCarry(k Carrier, limit uint32) Carrier {
	return func(d, a, b *Lanes, in uint64) uint64 {
		out := k(d, a, b, in)
		for i := range d {
			if out>>uint(i)&1 != 0 {
				d[i] = limit
			}
		}
		return out
	}
}
