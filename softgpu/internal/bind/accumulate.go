package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// Instructions of gfx908 and later chips whose destination is also their last source.

// AccumulateWide is WaveWide with the destination as third source.
func AccumulateWide(k alu.WideKernel, t, in alu.Kind) encoding.Meaning {
	m := WaveWide(k, t, in, in, t)
	return func(i *encoding.Inst) encoding.Step { return m(withDst(i, 2)) }
}

// DotAccumulate is a dot product that adds to its destination. Its encodings
// have no op_sel, so each half of a register is used as that half.
func DotAccumulate(m encoding.Meaning) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		if i.Neg|i.Abs != 0 {
			return nil
		}
		c := *withDst(i, 2)
		c.OpSel, c.OpSelHi, c.NegHi = 0, 3, 0
		return m(&c)
	}
}

// PkFmac makes the meaning of v_pk_fmac_f16 from v_pk_fma_f16's.
func PkFmac(fma encoding.Meaning) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		if i.Suffix == encoding.SDWA || i.Neg|i.Abs != 0 || i.Omod != 0 {
			return nil
		}
		c := *withDst(i, 2)
		c.OpSel, c.OpSelHi, c.NegHi = 0, 7, 0
		return fma(&c)
	}
}

// MoveB64 is v_mov_b64.
var MoveB64 = UnaryWide(func(dl, dh, al, ah *alu.Lanes) {
	lo := *al // dl may be ah
	*dh, *dl = *ah, lo
}, alu.U64, alu.U64)
