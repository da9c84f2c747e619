package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// FourSads makes four sums of 16 bits: of the first source's bytes from 0, 1, 2 and 3 on with the second source. Each is
// added to the 16 bits at its place in the third source.
func FourSads(sad alu.Kernel3) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		v := bindVector(i, alu.U64, alu.U64, alu.U32, alu.U64)
		return func(w *wave.Wave) {
			al, ah := v.src[0].halves(w, &w.Temp[0])
			b := v.src[1].lanes(w, &w.Temp[1])
			cl, ch := v.src[2].halves(w, &w.Temp[2])
			x := &w.Temp[1][1]
			for n, c := range [2]*alu.Lanes{cl, ch} {
				r := &w.Temp[3][n]
				sad(r, alu.BytesFrom(x, al, ah, 2*n), b, &alu.Zeros)
				sad(x, alu.BytesFrom(x, al, ah, 2*n+1), b, &alu.Zeros)
				alu.LshlOrB32(r, x, &alu.Sixteens, r)
				alu.PkMad16(r, r, &alu.OnePairs, c)
			}
			v.finish(w, &w.Temp[3])
		}
	}
}

// FourWideSads makes sums for the same bytes as FourSads, of 32 bits each, with the words of the third source added.
func FourWideSads(sad alu.Kernel3) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		v := bindVector(i, alu.U64, alu.U64, alu.U32)
		c, d := BindRegisters(&i.Src[2]), BindRegisters(&i.Dst)
		return func(w *wave.Wave) {
			al, ah := v.src[0].halves(w, &w.Temp[0])
			b := v.src[1].lanes(w, &w.Temp[1])
			x, sums := &w.Temp[1][1], [4]*alu.Lanes{&w.Temp[2][0], &w.Temp[2][1], &w.Temp[3][0], &w.Temp[3][1]}
			for n, r := range sums {
				sad(r, alu.BytesFrom(x, al, ah, n), b, c.Of(w, n))
			}
			for n, r := range sums {
				alu.Blend(d.Of(w, n), r, w.Exec())
			}
		}
	}
}
