package gcn

import "github.com/mgpu-runtime/mgpu/softgpu/internal/alu"

// Instructions whose destination is their last source as well, that gfx908 and
// later chips have added.

// accumulateWide is waveWide with the destination as third source.
func accumulateWide(k alu.WideKernel, t, in alu.Kind) Meaning {
	m := waveWide(k, t, in, in, t)
	return func(i *Inst) Step { return m(withDst(i, 2)) }
}

// dotAccumulate is a dot product that adds to its destination. Its encodings
// have no room for op_sel: both halves of a register count as they stand.
func dotAccumulate(m Meaning) Meaning {
	return func(i *Inst) Step {
		if i.Neg|i.Abs != 0 {
			return nil
		}
		c := *withDst(i, 2)
		c.OpSel, c.OpSelHi, c.NegHi = 0, 3, 0
		return m(&c)
	}
}

// pkFmac makes the meaning of v_pk_fmac_f16 from that of v_pk_fma_f16.
func pkFmac(fma Meaning) Meaning {
	return func(i *Inst) Step {
		if i.Suffix == SDWA || i.Neg|i.Abs != 0 || i.Omod != 0 {
			return nil
		}
		c := *withDst(i, 2)
		c.OpSel, c.OpSelHi, c.NegHi = 0, 7, 0
		return fma(&c)
	}
}

// moveB64 is v_mov_b64.
var moveB64 = unaryWide(func(dl, dh, al, ah *alu.Lanes) {
	lo := *al // dl may be ah
	*dh, *dl = *ah, lo
}, alu.U64, alu.U64)
