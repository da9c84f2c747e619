package bind

import (
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// unclamped refuses the clamp bit on instructions that limit sums anyway: its effect there is unknown.
func unclamped(m encoding.Meaning) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		if i.Clamp {
			return nil
		}
		return m(i)
	}
}

// AddPick binds v_add_max_i32 and its like.
func AddPick(k alu.Kernel3) encoding.Meaning { return unclamped(TernaryU32(k)) }

// PairsPick binds v_pk_max3_i16 and its like.
func PairsPick(k alu.Kernel3) encoding.Meaning {
	return unclamped(func(i *encoding.Inst) encoding.Step { return bindPacked(i, alu.Pu16, 3).step3(k) })
}

// PairsBF16 makes a meaning of a function of bfloats that works on both of registers.
func PairsBF16(f alu.LaneFunc, n int) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		return bindPacked(i, alu.Pbf16, n).StepLanes(func(a, b, c uint64) uint64 {
			return f(a&0xffff, b&0xffff, c&0xffff)&0xffff | f(a>>16, b>>16, c>>16)&0xffff<<16
		})
	}
}

// PicksBF16 makes a meaning of a kernel on both bfloats of registers.
func PicksBF16(k alu.Kernel2) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step { return bindPacked(i, alu.Pbf16, 2).step2(k) }
}

// PicksPairsF16 makes a meaning of a kernel on both halves of three registers.
func PicksPairsF16(k alu.Kernel3) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step { return bindPacked(i, alu.Pf16, 3).step3(k) }
}

// OnBF16 makes a meaning of a function of a bfloat.
func OnBF16(f alu.LaneFunc) encoding.Meaning { return OfHalf(f, alu.Bf16, alu.Bf16) }

// MixedBF16 makes a meaning of a function of three singles, each of which may be a bfloat. The result is a single, or
// a bfloat in the low or the high half of its register.
func MixedBF16(out alu.Kind, high bool, f alu.LaneFunc) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		c := *i
		c.Neg, c.Abs, c.OpSel = 0, 0, 0
		var from [3]alu.Mixing
		for n := range from {
			from[n] = bindMixing(i, n)
			if o := &c.Src[n]; from[n].Half && o.Kind == encoding.Const && o.Code >= codeFloats && o.Code <= codeInv2Pi {
				o.Value, o.Code = uint32(constant(o, alu.Bf16)), CodeLiteral
			}
		}
		v := bindVector(&c, out, alu.U32, alu.U32, alu.U32)
		if out == alu.Bf16 {
			v.Preserve, v.high = true, high
		}
		v.seal()
		single := func(n int, x uint64) uint64 {
			m := &from[n]
			if m.Half {
				x = x >> m.Shift & 0xffff << 16
			}
			return x&^uint64(m.Clear) ^ uint64(m.Flip)
		}
		return v.StepLanes(func(a, b, c uint64) uint64 { return f(single(0, a), single(1, b), single(2, c)) })
	}
}

// CvtF16 makes a meaning that converts a byte, which the instruction chooses, to a half.
func CvtF16(f ByteFormat) encoding.Meaning {
	return unclamped(func(i *encoding.Inst) encoding.Step {
		to, at := f.on(i.Chip).Halves(), 8*uint(i.ByteSel())
		return bindVector(i, alu.F16, alu.U32).StepLanes(func(a, _, _ uint64) uint64 { return uint64(to[uint8(a>>at)]) })
	})
}

// CvtPkF16 converts two bytes, of either half of a register, to two halves.
func CvtPkF16(f ByteFormat) encoding.Meaning {
	return unclamped(func(i *encoding.Inst) encoding.Step {
		to := f.on(i.Chip).Halves()
		return bindVector(i, alu.U32, alu.U16).StepLanes(func(a, _, _ uint64) uint64 {
			return uint64(to[uint8(a)]) | uint64(to[uint8(a>>8)])<<16
		})
	})
}

// CvtPkOfHalves converts two halves to the half of the destination that op_sel chooses. Which of the two modifiers of
// the source are for is not known.
func CvtPkOfHalves(f ByteFormat, saturate bool) encoding.Meaning {
	return unclamped(func(i *encoding.Inst) encoding.Step {
		if i.Neg|i.Abs != 0 {
			return nil
		}
		c := *i
		c.OpSel &= 1 << encoding.Destination
		return bindVector(&c, alu.U16, alu.Pf16).StepLanes(f.on(i.Chip).PkSmallOfHalves(saturate))
	})
}

// CvtSrOfHalf rounds a half at random to a byte of the destination.
func CvtSrOfHalf(f ByteFormat, saturate bool) encoding.Meaning {
	return unclamped(func(i *encoding.Inst) encoding.Step {
		at := uint64(i.OpSel) >> 2 & 3 * 8
		c := *withDst(i, 2)
		c.OpSel &= 1
		code := f.on(i.Chip).SmallOfHalfAtRandom(saturate)
		return bindVector(&c, alu.U32, alu.F16, alu.U32, alu.U32).StepLanes(func(a, b, old uint64) uint64 {
			return old&^(0xff<<at) | code(a&0xffff, b, 0)<<at
		})
	})
}

// PermlaneGroup makes a meaning that reads the lane from of lanes in groups. Lanes that are not active are read.
func PermlaneGroup(from func(lane, group, by int) int) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		by, width := bindScalar(&i.Src[1], alu.U32), bindScalar(&i.Src[2], alu.U32)
		src, dst := int(i.Src[0].Reg), int(i.Dst.Reg)
		return func(w *wave.Wave) {
			n, group := int(by.U32(w)), groupOf(width.U32(w))
			was := w.V[src]
			for m := w.Exec(); m != 0; m &= m - 1 {
				l := bits.TrailingZeros64(m) & 31
				w.V[dst][l] = was[from(l, group, n)&31]
			}
		}
	}
}

// groupOf returns the number of lanes in a group. Anything but a power of two up to 32 means the wave.
func groupOf(width uint32) int {
	if width == 0 || width > 32 || width&(width-1) != 0 {
		return 32
	}
	return int(width)
}

// Ways of PermlaneGroup. Lanes whose source is outside of their group read themselves.

// FromOne reads the same lane in each group.
func FromOne(lane, group, by int) int { return lane&^(group-1) + by&(group-1) }

// FromBelow reads a lower lane.
func FromBelow(lane, group, by int) int {
	if by < 0 || lane&(group-1) < by {
		return lane
	}
	return lane - by
}

// FromAbove reads a higher lane.
func FromAbove(lane, group, by int) int {
	if by < 0 || by >= group || lane&(group-1)+by >= group {
		return lane
	}
	return lane + by
}

// FromOther reads the lane whose number differs in the bits of by. It may be in a group below.
func FromOther(lane, group, by int) int {
	if x := lane ^ by; by >= 0 && by < 32 && x < lane&^(group-1)+group {
		return x
	}
	return lane
}

// PermlaneIndex binds v_permlane_idx_gen_b32: ds_bpermute's address of a lane of the own group.
func PermlaneIndex(i *encoding.Inst) encoding.Step {
	width := bindScalar(&i.Src[1], alu.U32)
	src, dst := int(i.Src[0].Reg), int(i.Dst.Reg)
	return func(w *wave.Wave) {
		group := uint32(groupOf(width.U32(w)))
		for m := w.Exec(); m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 31
			w.V[dst][l] = (w.V[src][l]&(group-1) + uint32(l)&^(group-1)) << 2
		}
	}
}

// LookUp makes a meaning of a table of sixteen numbers of size bits, which the first two sources hold, the first on top,
// and of sixteen places in it.
func LookUp(size uint) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		high, low, places := bindSource(i, 0, wordsKind(i, 0)), bindSource(i, 1, wordsKind(i, 1)), bindSource(i, 2, alu.U64)
		to, above := BindRegisters(&i.Dst), uint(i.Src[1].Width)
		return func(w *wave.Wave) {
			hl, hh := high.halves(w, &w.Temp[0])
			ll, lh := low.halves(w, &w.Temp[1])
			pl, ph := places.halves(w, &w.Temp[2])
			for m := w.Exec(); m != 0; m &= m - 1 {
				l := bits.TrailingZeros64(m) & 63
				table := [5]uint32{ll[l], lh[l]}
				table[above], table[above+1] = hl[l], hh[l]
				at := alu.Join(pl[l], ph[l])
				var out [5]uint32
				for n := range uint(16) {
					from, into := uint(at>>(4*n)&15)*size, n*size
					x := uint64(table[from/32]) | uint64(table[from/32+1])<<32
					y := x >> (from % 32) & (1<<size - 1) << (into % 32)
					out[into/32] |= uint32(y)
					out[into/32+1] |= uint32(y >> 32)
				}
				for r := range int(size) / 2 {
					to.Of(w, r)[l] = out[r]
				}
			}
		}
	}
}

// wordsKind is how source n is read: one register or two.
func wordsKind(i *encoding.Inst, n int) alu.Kind {
	if i.Row.Form.Src[n].Width == 2 {
		return alu.U64
	}
	return alu.U32
}
