package rows

import (
	"math"
	"math/big"
	"strings"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// How one lane of a vector instruction reads its operands and writes its
// result, in every form: from the manual's text, by the types of the row's form.

// refLane is what an instruction computes with in one lane: the bits of its
// sources with their modifiers, of 16-bit ones the low 16 bits.
type refLane struct {
	a, b, c uint64
	in      bool   // the lane's bit of the mask that is read
	old     uint64 // the destination before
	lane    int
	clamp   bool
	inst    *encoding.Inst
}

// semantic returns the lane's result, and its bit of a mask that is written.
type semantic func(x refLane) (r uint64, out bool)

func is16(t encoding.Type) bool {
	return t == encoding.Bits16 || t == encoding.Float16 || t == encoding.BFloat16
}
func is64(t encoding.Type) bool {
	return t == encoding.Bits64 || t == encoding.Float64 || t == encoding.PackedFloat32
}

// constantOf is the value of a constant operand of a type. Those of 16-bit
// operands have 16 bits: there is nothing in their upper half.
func constantOf(o *encoding.Operand, t encoding.Type, signed bool) uint64 {
	float := math.Float32frombits(o.Value)
	if o.Code == encoding.SrcLiteral64 {
		return uint64(o.High)<<32 + uint64(o.Value)
	}
	switch isFloat := o.Code >= 240 && o.Code <= 248; {
	case isFloat && is64(t) && t != encoding.PackedFloat32 && o.Code == 248:
		return math.Float64bits(0x1.45f306dc9c882p-3)
	case isFloat && is64(t) && t != encoding.PackedFloat32:
		return math.Float64bits(float64(float))
	case isFloat && (t == encoding.BFloat16 || t == encoding.PackedBFloat16):
		return uint64(o.Value >> 16)
	case isFloat && (is16(t) || t == encoding.PackedFloat16):
		return refToHalf(float64(float))
	case isFloat:
		return uint64(o.Value)
	case o.Code == 255 && t == encoding.Float64:
		return uint64(o.Value) << 32
	case o.Code == 255 && t == encoding.Bits64 && !signed:
		return uint64(o.Value)
	case is64(t) && t != encoding.PackedFloat32:
		return uint64(int64(int32(o.Value)))
	}
	if is16(t) {
		return uint64(o.Value & 0xffff)
	}
	return uint64(o.Value)
}

// refSpecial is the value of a source that is not a register.
func refSpecial(w *wave.Wave, code uint16) uint64 {
	return map[uint16]uint64{
		235: w.SharedBase, 236: w.SharedBase + 0xffffffff, 237: w.PrivateBase, 238: w.PrivateBase + 0xffffffff,
		251: bit64(w.S[wave.VccLo] == 0 && (w.Lanes() == 32 || w.S[wave.VccHi] == 0)), 252: bit64(w.S[wave.ExecLo] == 0 && w.S[wave.ExecHi] == 0), 253: uint64(w.SCC),
		230: 1<<58 | w.ScratchBase, 231: (1<<58 | w.ScratchBase) >> 32,
	}[code]
}

func bit64(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// refRead returns an operand's bits in a lane.
func refRead(w *wave.Wave, o *encoding.Operand, t encoding.Type, lane int, signed bool) uint64 {
	file := w.V
	if o.Kind == encoding.AReg {
		file = w.A
	}
	switch o.Kind {
	case encoding.VReg, encoding.AReg:
		v := uint64(file[o.Reg][lane])
		if is64(t) {
			v |= uint64(file[o.Reg+1][lane]) << 32
		}
		return v
	case encoding.SReg:
		v := uint64(w.S[o.Reg])
		if is64(t) {
			v |= uint64(w.S[(o.Reg+1)&wave.AllScalars]) << 32
		}
		return v
	case encoding.Special:
		v := refSpecial(w, o.Reg)
		if !is64(t) {
			v &= math.MaxUint32
		}
		return v
	case encoding.Const:
		return constantOf(o, t, signed)
	}
	return 0
}

// refDPPLane is the lane that a lane reads from, -1 if none.
func refDPPLane(ctrl, lane int) int {
	row, n := lane/16*16, ctrl%16
	in := func(at int) int {
		if at < row || at >= row+16 {
			return -1
		}
		return at
	}
	switch {
	case ctrl <= 0xff:
		return lane/4*4 + ctrl/[4]int{1, 4, 16, 64}[lane%4]%4
	case ctrl >= 0x101 && ctrl <= 0x10f:
		return in(lane + n)
	case ctrl >= 0x111 && ctrl <= 0x11f:
		return in(lane - n)
	case ctrl >= 0x121 && ctrl <= 0x12f:
		return row + (lane-row+16-n)%16
	case ctrl == 0x130:
		if lane == 63 {
			return -1
		}
		return lane + 1
	case ctrl == 0x134:
		return (lane + 1) % 64
	case ctrl == 0x138:
		return lane - 1
	case ctrl == 0x13c:
		return (lane + 63) % 64
	case ctrl == 0x140:
		return row + 15 - lane%16
	case ctrl == 0x141:
		return lane/8*8 + 7 - lane%8
	case ctrl == 0x142:
		return row - 1
	case ctrl == 0x143 && lane >= 32:
		return 31
	case ctrl >= 0x150 && ctrl <= 0x15f:
		return row + n
	case ctrl >= 0x160 && ctrl <= 0x16f:
		return row + (lane - row) ^ n
	}
	return -1
}

func signBit(t encoding.Type) uint64 {
	switch {
	case is16(t):
		return 1 << 15
	case t == encoding.Bits64, t == encoding.Float64:
		return 1 << 63
	}
	return 1 << 31
}

// refSource is source n of a lane with its modifiers; valid is false where DPP
// gives the lane none.
func refSource(w *wave.Wave, i *encoding.Inst, n, lane int) (v uint64, valid bool) {
	slot, o := i.Row.Form.Src[n], &i.Src[n]
	signed := strings.Contains(i.Row.Name, "i64") || strings.Contains(i.Row.Name, "i16")
	from, valid := lane, true
	if i.Suffix == encoding.DPP && n == 0 {
		from = refDPPLane(int(i.DPPCtrl), lane)
		if from < 0 || w.Exec()>>uint(max(from, 0))&1 == 0 && !i.Fetch {
			from, valid = -1, i.BoundCtrl
		}
	}
	if i.Suffix == encoding.DPP8 && n == 0 {
		if from = lane/8*8 + int(i.Lanes8>>(lane%8*3))%8; w.Exec()>>from&1 == 0 && !i.Fetch {
			from = -1
		}
	}
	if from >= 0 {
		v = refRead(w, o, slot.Type, from, signed)
	}
	if i.Suffix == encoding.SDWA && n < 2 {
		sel := []uint8{i.Src0Sel, i.Src1Sel}[n]
		width := []uint{8, 8, 8, 8, 16, 16, 32}[sel]
		v = v >> []uint{0, 8, 16, 24, 0, 16, 0}[sel] & (1<<width - 1)
		if i.Sext>>n&1 != 0 && width < 32 && v>>(width-1) != 0 {
			v = (v - 1<<width) & math.MaxUint32
		}
	}
	if i.Row.Form.Has(encoding.HasOpSel) && i.Enc != encoding.VOP3P && is16(slot.Type) && i.OpSel>>n&1 != 0 {
		v >>= 16
	}
	if is16(slot.Type) {
		v &= 0xffff
	}
	if slot.Mods == encoding.FloatMods && i.Enc != encoding.VOP3P {
		if i.Abs>>n&1 != 0 {
			v &^= signBit(slot.Type)
		}
		if i.Neg>>n&1 != 0 {
			v ^= signBit(slot.Type)
		}
	}
	return v, valid
}

// refLimit limits a float to [0,1]; NaNs become 0.
func refLimit(v uint64, t encoding.Type) uint64 {
	switch t {
	case encoding.Float16:
		return refToHalf(clampTo01(refHalf(v & 0xffff)))
	case encoding.Float32:
		return b32(clampTo01(f32of(v)))
	case encoding.Float64:
		return b64(clampTo01(f64of(v)))
	case encoding.BFloat16:
		return refLimit(v&0xffff, encoding.PackedBFloat16) & 0xffff
	case encoding.PackedBFloat16:
		one := func(v uint64) uint64 {
			return refFormats["bf16"].round(clampTo01(refFormats["bf16"].value(v&0xffff)), nil)
		}
		return one(v) | one(v>>16)<<16
	case encoding.PackedFloat16:
		return refLimit(v, encoding.Float16) | refLimit(v>>16, encoding.Float16)<<16
	case encoding.PackedFloat32:
		return refLimit(v&math.MaxUint32, encoding.Float32) | refLimit(v>>32, encoding.Float32)<<32
	}
	return v
}

func clampTo01(x float64) float64 {
	if x > 0 {
		return min(x, 1)
	}
	return 0
}

// keepsHalf are the instructions on halves that leave the other half of their
// destination alone; others clear it.
var keepsHalf = map[string]bool{
	"v_min3_f16": true, "v_min3_i16": true, "v_min3_u16": true, "v_max3_f16": true, "v_max3_i16": true, "v_max3_u16": true,
	"v_med3_f16": true, "v_med3_i16": true, "v_med3_u16": true, "v_mad_f16": true, "v_mad_u16": true, "v_mad_i16": true,
	"v_fma_f16": true, "v_div_fixup_f16": true, "v_bitop3_b16": true, "v_fma_mixlo_f16": true, "v_mad_mixlo_f16": true,
}

// refMerge puts a result into what the destination held.
func refMerge(i *encoding.Inst, old, v uint64) uint64 {
	t := i.Row.Form.Dst.Type
	highOnly := strings.Contains(i.Row.Name, "_mixhi_")
	switch {
	case i.Suffix == encoding.SDWA && i.DstSel != alu.SelDword:
		width := []uint{8, 8, 8, 8, 16, 16, 32}[i.DstSel]
		shift := []uint{0, 8, 16, 24, 0, 16, 0}[i.DstSel]
		mask := uint64(1)<<width - 1
		v &= mask
		switch i.DstUnused {
		case alu.UnusedPreserve:
			return old&math.MaxUint32&^(mask<<shift) | v<<shift
		case alu.UnusedSext:
			if v>>(width-1) != 0 {
				v |= math.MaxUint32 &^ mask
			}
		}
		return v << shift & math.MaxUint32
	case highOnly, is16(t) && i.Enc != encoding.VOP3P && i.Row.Form.Has(encoding.HasOpSel) && i.OpSel&8 != 0:
		return old&0xffff | v&0xffff<<16
	case is16(t) && (keepsHalf[i.Row.Name] || i.Chip.RDNA()):
		return old&0xffff0000 | v&0xffff
	case is16(t):
		return v & 0xffff
	}
	return v
}

// refRoundHalf is the half next to an exact number.
func refRoundHalf(x *big.Float, z float64) uint64 {
	if x.Sign() == 0 {
		return refToHalf(z)
	}
	prec := 11
	if e := x.MantExp(nil); e < -13 {
		prec = e + 24
	}
	if prec < 1 { // less than the least denormal: nothing, or that one
		half := new(big.Float).SetMantExp(big.NewFloat(1), -25)
		r := math.Ldexp(1, -24)
		if new(big.Float).Abs(x).Cmp(half) <= 0 {
			r = 0
		}
		return refToHalf(math.Copysign(r, float64(x.Sign())))
	}
	r, _ := new(big.Float).SetPrec(uint(prec)).SetMode(big.ToNearestEven).Set(x).Float64()
	return refToHalf(r)
}

// refNarrow rounds a float64 that holds an exact number to a half.
func refNarrow(x float64) uint64 {
	if x != x {
		return 0x7e00
	}
	return refToHalf(x)
}

// refFMA16 multiplies and adds numbers, rounded once, to a half.
func refFMA16(x, y, z float64) uint64 {
	if !finite(x, y, z) || x == 0 || y == 0 {
		return refNarrow(x*y + z)
	}
	return refRoundHalf(bigFMA(x, y, z), 0)
}
