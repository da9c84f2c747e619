package gcn

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
	return i.Row.Do(i) != nil
}

// Meanings by the types of their operands, for the rows.

func unaryU32(k kernel1) Meaning    { return wave1(k, u32, u32) }
func binaryU32(k kernel2) Meaning   { return wave2(k, u32, u32, u32) }
func tempU32(k tempKernel3) Meaning { return waveTemp(k, u32, u32, u32, u32) }
func ternaryU32(k kernel3) Meaning  { return wave3(k, u32, u32, u32, u32) }
func unaryF32(k kernel1) Meaning    { return wave1(k, f32, f32) }
func binaryF32(k kernel2) Meaning   { return wave2(k, f32, f32, f32) }
func ternaryF32(k kernel3) Meaning  { return wave3(k, f32, f32, f32, f32) }

func binaryU16(k kernel2) Meaning   { return wave2(k, u16, u16, u16) }
func binaryI16(k kernel2) Meaning   { return wave2(k, i16, i16, i16) }
func ternaryU16(k kernel3) Meaning  { return wave3(k, u16, u16, u16, u16) }
func ternaryI16(k kernel3) Meaning  { return wave3(k, i16, i16, i16, i16) }
func preserveU16(k kernel3) Meaning { return preserve(k, u16, u16, u16, u16) }
func preserveI16(k kernel3) Meaning { return preserve(k, i16, i16, i16, i16) }
func preserveF16(k kernel3) Meaning { return preserve(k, f16, f16, f16, f16) }

func lanesF16(f func(a float32) float32) Meaning { return ofHalf(onF16(f), f16, f16) }

// ofHalf makes a meaning of a function of 16 bits, whose results it remembers.
func ofHalf(f laneFunc, d, a kind) Meaning { return wave1((&halfTable{of: f}).kernel, d, a) }

// unaryWide and binaryWide make meanings of kernels for operands of which some have 64 bits.

func unaryWide(k wideKernel1, d, a kind) Meaning {
	return waveWide(func(dl, dh, al, ah, _, _, _, _ *Lanes) { k(dl, dh, al, ah) }, d, a)
}

func binaryWide(k wideKernel2, d, a, b kind) Meaning {
	return waveWide(func(dl, dh, al, ah, bl, bh, _, _ *Lanes) { k(dl, dh, al, ah, bl, bh) }, d, a, b)
}

// pairsOf2 and pairsOf3 make meanings of kernels on both halves of integers; limited is
// for instructions with the clamp bit.

func pairsOf2(k, limited kernel2) Meaning {
	return saturating(func(i *Inst) Step { return bindPacked(i, pu16, 2).step2(k) }, func(i *Inst) Step { return bindPacked(i, pu16, 2).step2(limited) })
}

func pairsOf3(k, limited kernel3) Meaning {
	return saturating(func(i *Inst) Step { return bindPacked(i, pu16, 3).step3(k) }, func(i *Inst) Step { return bindPacked(i, pu16, 3).step3(limited) })
}
