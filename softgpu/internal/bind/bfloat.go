package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// HalfSR and BfloatSR are the formats to which v_cvt_sr rounds.
var (
	HalfSR   = ByteFormat{ocp: &alu.SmallF16}
	BfloatSR = ByteFormat{ocp: &alu.Bfloat16}
)

// Dot2F32Bf16 adds two products of bfloats and a single. Products are exact but
// for their range; the order of sums, each rounded, is the manual's, and so is that denormals
// are zeros on both sides, whatever MODE says.
func Dot2F32Bf16(i *encoding.Inst) encoding.Step { return dotBf16(i, false) }

// Dot2cF32Bf16 adds the products to the single one after the other.
func Dot2cF32Bf16(i *encoding.Inst) encoding.Step { return dotBf16(i, true) }

func dotBf16(i *encoding.Inst, inTurn bool) encoding.Step {
	v := bindPacked(i, alu.Pbf16, 2)
	for n := range 2 {
		if h := bindHalves(i, n, true); h != (alu.Halves{High: 16}) {
			v.src[n].halved, v.src[n].modified = &h, true
		}
	}
	v.out, v.omod, v.src[2] = alu.F32, i.Omod, bindSource(i, 2, alu.U32)
	v.seal()
	flip := uint32(i.Neg>>2&1) << 31
	return v.stepTemp(func(temp *[4]alu.Pair, d, a, b, c *alu.Lanes) {
		low, high, y, sum := &temp[0][1], &temp[1][1], &temp[2][1], &temp[3][1]
		alu.LshlrevB32(low, &alu.Sixteens, a)
		alu.LshlrevB32(y, &alu.Sixteens, b)
		alu.FlushedProduct(low, low, y)
		alu.AndB32(high, a, &alu.HighHalves)
		alu.AndB32(y, b, &alu.HighHalves)
		alu.FlushedProduct(high, high, y)
		*sum = *c
		if flip != 0 {
			alu.AlterBits(sum, 0, flip)
		}
		alu.FlushF32(sum, sum)
		if inTurn {
			alu.AddF32(sum, sum, low)
			alu.AddF32(sum, sum, high)
		} else {
			alu.AddF32(low, low, high)
			alu.AddF32(sum, low, sum)
		}
		alu.FlushF32(d, sum)
	})
}
