package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// What GFX12.5 has added.

// AddPC binds s_add_pc_i64: a branch relative to the next instruction, by bytes.
func AddPC(i *encoding.Inst) encoding.Step {
	a := bindScalar(&i.Src[0], alu.U64)
	return func(w *wave.Wave) { w.Jump(w.Next() + a.u64(w)) }
}

// MadNarrow makes a meaning of a product of two words plus a number of 64 bits, which wraps around.
func MadNarrow(k alu.WideCarrier, t alu.Kind) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		if i.Clamp {
			return nil
		}
		return WaveWide(func(dl, dh, al, _, bl, _, cl, ch *alu.Lanes) { k(dl, dh, al, bl, cl, ch) }, t, alu.U32, alu.U32, t)(i)
	}
}
