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

func unaryU32(k kernel1) Meaning   { return wave1(k, u32, u32) }
func binaryU32(k kernel2) Meaning  { return wave2(k, u32, u32, u32) }
func ternaryU32(k kernel3) Meaning { return wave3(k, u32, u32, u32, u32) }
func unaryF32(k kernel1) Meaning   { return wave1(k, f32, f32) }
func binaryF32(k kernel2) Meaning  { return wave2(k, f32, f32, f32) }
func ternaryF32(k kernel3) Meaning { return wave3(k, f32, f32, f32, f32) }

func lanesU32(f func(a uint32) uint32) Meaning      { return lanewise(onU32(f), u32, u32) }
func lanesU32x2(f func(a, b uint32) uint32) Meaning { return lanewise(onU32x2(f), u32, u32, u32) }
func lanesU32x3(f func(a, b, c uint32) uint32) Meaning {
	return lanewise(onU32x3(f), u32, u32, u32, u32)
}
func lanesI32x3(f func(a, b, c int32) int32) Meaning { return lanewise(onI32x3(f), u32, u32, u32, u32) }
func lanesU16x2(f func(a, b uint16) uint16) Meaning  { return lanewise(onU16x2(f), u16, u16, u16) }
func lanesI16x2(f func(a, b int16) int16) Meaning    { return lanewise(onI16x2(f), i16, i16, i16) }
func lanesU16x3(f func(a, b, c uint16) uint16) Meaning {
	return lanewise(onU16x3(f), u16, u16, u16, u16)
}
func keptU16x3(f func(a, b, c uint16) uint16) Meaning {
	return keepHalf(onU16x3(f), u16, u16, u16, u16)
}
func keptI16x3(f func(a, b, c int16) int16) Meaning  { return keepHalf(onI16x3(f), i16, i16, i16, i16) }
func keptF16x3(f laneFunc) Meaning                   { return keepHalf(f, f16, f16, f16, f16) }
func lanesI16x3(f func(a, b, c int16) int16) Meaning { return lanewise(onI16x3(f), i16, i16, i16, i16) }

func lanesF16(f func(a float32) float32) Meaning {
	return wave1((&halfTable{of: onF16(f)}).kernel, f16, f16)
}

func bitsF16x3(f laneFunc) Meaning { return lanewise(f, f16, f16, f16, f16) }

func lanesF32(f func(a float32) float32) Meaning         { return lanewise(onF32(f), f32, f32) }
func lanesF32x2(f func(a, b, _ float32) float32) Meaning { return lanewise(onF32x3(f), f32, f32, f32) }
func bitsF32x3(f laneFunc) Meaning                       { return lanewise(f, f32, f32, f32, f32) }

func lanesF64(f func(a float64) float64) Meaning { return lanewise(onF64(f), f64, f64) }

func bitsF64x2(f laneFunc) Meaning { return lanewise(f, f64, f64, f64) }
func bitsF64x3(f laneFunc) Meaning { return lanewise(f, f64, f64, f64, f64) }

// packed pairs of a function and its saturating form, for two and three operands.

func packedU16x2(f, limited func(a, b uint16) uint16) Meaning {
	return packedInts(onU16x2(f), onU16x2(limited), 2)
}

func packedI16x2(f, limited func(a, b int16) int16) Meaning {
	return packedInts(onI16x2(f), onI16x2(limited), 2)
}

func signed16(f func(a, b uint16) uint16) func(a, b int16) int16 {
	return func(a, b int16) int16 { return int16(f(uint16(a), uint16(b))) }
}
