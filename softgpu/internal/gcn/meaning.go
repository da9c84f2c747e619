package gcn

import "github.com/mgpu-runtime/mgpu/softgpu/internal/alu"

// Executable tells whether the instruction has a meaning, and one for the form
// that it has: loads that tell whether their pages were there, for instance, have none.
func Executable(i *Inst) bool {
	if i.Row == nil || i.Row.Do == nil || i.Suffix == DPP && !dppKnown(int(i.DPPCtrl)) {
		return false
	}
	for n := range i.Src {
		if o := &i.Src[n]; o.Kind == Special && !readable(o.Reg) {
			return false
		}
	}
	return i.Row.Do(i) != nil && (i.Second == nil || Executable(i.Second))
}

// Meanings by the types of their operands, for the rows.

func unaryU32(k alu.Kernel1) Meaning    { return wave1(k, alu.U32, alu.U32) }
func binaryU32(k alu.Kernel2) Meaning   { return wave2(k, alu.U32, alu.U32, alu.U32) }
func tempU32(k alu.TempKernel3) Meaning { return waveTemp(k, alu.U32, alu.U32, alu.U32, alu.U32) }
func ternaryU32(k alu.Kernel3) Meaning  { return wave3(k, alu.U32, alu.U32, alu.U32, alu.U32) }
func unaryF32(k alu.Kernel1) Meaning    { return wave1(k, alu.F32, alu.F32) }
func binaryF32(k alu.Kernel2) Meaning   { return wave2(k, alu.F32, alu.F32, alu.F32) }
func ternaryF32(k alu.Kernel3) Meaning  { return wave3(k, alu.F32, alu.F32, alu.F32, alu.F32) }

func binaryU16(k alu.Kernel2) Meaning   { return wave2(k, alu.U16, alu.U16, alu.U16) }
func binaryI16(k alu.Kernel2) Meaning   { return wave2(k, alu.I16, alu.I16, alu.I16) }
func ternaryU16(k alu.Kernel3) Meaning  { return wave3(k, alu.U16, alu.U16, alu.U16, alu.U16) }
func ternaryI16(k alu.Kernel3) Meaning  { return wave3(k, alu.I16, alu.I16, alu.I16, alu.I16) }
func preserveU16(k alu.Kernel3) Meaning { return preserve(k, alu.U16, alu.U16, alu.U16, alu.U16) }
func preserveI16(k alu.Kernel3) Meaning { return preserve(k, alu.I16, alu.I16, alu.I16, alu.I16) }
func preserveF16(k alu.Kernel3) Meaning { return preserve(k, alu.F16, alu.F16, alu.F16, alu.F16) }

func lanesF16(f func(a float32) float32) Meaning { return ofHalf(alu.OnF16(f), alu.F16, alu.F16) }

// ofHalf makes a meaning of a function of 16 bits, whose results it remembers.
func ofHalf(f alu.LaneFunc, d, a alu.Kind) Meaning {
	return wave1((&alu.HalfTable{Of: f}).Kernel, d, a)
}

// unaryWide and binaryWide make meanings of kernels for operands of which some have 64 bits.

func unaryWide(k alu.WideKernel1, d, a alu.Kind) Meaning {
	return waveWide(func(dl, dh, al, ah, _, _, _, _ *alu.Lanes) { k(dl, dh, al, ah) }, d, a)
}

func binaryWide(k alu.WideKernel2, d, a, b alu.Kind) Meaning {
	return waveWide(func(dl, dh, al, ah, bl, bh, _, _ *alu.Lanes) { k(dl, dh, al, ah, bl, bh) }, d, a, b)
}

// pairsOf2 and pairsOf3 make meanings of kernels on both halves of integers; limited is
// for instructions with the clamp bit.

func pairsOf2(k, limited alu.Kernel2) Meaning {
	return saturating(func(i *Inst) Step { return bindPacked(i, alu.Pu16, 2).step2(k) }, func(i *Inst) Step { return bindPacked(i, alu.Pu16, 2).step2(limited) })
}

func pairsOf3(k, limited alu.Kernel3) Meaning {
	return saturating(func(i *Inst) Step { return bindPacked(i, alu.Pu16, 3).step3(k) }, func(i *Inst) Step { return bindPacked(i, alu.Pu16, 3).step3(limited) })
}
