package bind

import (
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Lanewise makes a meaning of a function of one lane, called for the active lanes only.
func Lanewise(f alu.LaneFunc, d alu.Kind, in ...alu.Kind) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step { return bindVector(i, d, in...).StepLanes(f) }
}

// StepLanes makes a step of a function of one lane.
func (v *valu) StepLanes(f alu.LaneFunc) encoding.Step {
	return func(w *wave.Wave) {
		al, ah := v.src[0].halves(w, &w.Temp[0])
		bl, bh, cl, ch := &alu.Zeros, &alu.Zeros, &alu.Zeros, &alu.Zeros
		if v.src[1].kind != alu.None {
			bl, bh = v.src[1].halves(w, &w.Temp[1])
		}
		if v.src[2].kind != alu.None {
			cl, ch = v.src[2].halves(w, &w.Temp[2])
		}
		unmodified := v.Unmodified && v.denorm&^w.Mode == 0
		dl, dh := &w.Temp[3][0], &w.Temp[3][1]
		if unmodified {
			dl = v.reg(w, 0)
			if v.out.Wide() {
				dh = v.reg(w, 1)
			}
		}
		wide := v.out.Wide()
		for m := w.Exec(); m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			r := f(alu.Join(al[l], ah[l]), alu.Join(bl[l], bh[l]), alu.Join(cl[l], ch[l]))
			dl[l] = uint32(r)
			if wide {
				dh[l] = uint32(r >> 32)
			}
		}
		if !unmodified {
			v.finish(w, &w.Temp[3])
		}
	}
}

// LaneAccumulate is lanewise with the destination as third source.
func LaneAccumulate(f alu.LaneFunc, d alu.Kind, a, b alu.Kind) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step { return bindVector(withDst(i, 2), d, a, b, d).StepLanes(f) }
}

// Flagged makes a meaning of f. The mask that it reads is source from (3: VCC);
// the one that it writes is the second destination if writes is set.
func Flagged(f alu.FlagFunc, from int, writes bool, d alu.Kind, in ...alu.Kind) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		return bindVector(i, d, in...).stepFlagged(f, maskIn(i, from), writes, maskOut(i))
	}
}

func (v *valu) stepFlagged(f alu.FlagFunc, from scalar, writes bool, to mask) encoding.Step {
	return func(w *wave.Wave) {
		al, ah := v.src[0].halves(w, &w.Temp[0])
		bl, bh := v.src[1].halves(w, &w.Temp[1])
		cl, ch := v.src[2].halves(w, &w.Temp[2])
		r := &w.Temp[3]
		var flags uint64
		given := from.u64(w)
		for m := w.Exec(); m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			x, out := f(alu.Join(al[l], ah[l]), alu.Join(bl[l], bh[l]), alu.Join(cl[l], ch[l]), given>>uint(l)&1 != 0)
			r[0][l], r[1][l] = uint32(x), uint32(x>>32)
			if out {
				flags |= 1 << uint(l)
			}
		}
		v.finish(w, r)
		if writes {
			to.set(w, flags)
		}
	}
}
