package alu

// Bits of the MODE register.
const (
	RoundF32     = 3
	roundF64     = 3 << 2
	RoundModes   = RoundF32 | roundF64
	DenormIn32   = 1 << 4
	DenormOut32  = 1 << 5
	Denorms32    = DenormIn32 | DenormOut32
	DenormIn64   = 1 << 6 // of f64 and f16
	DenormOut64  = 1 << 7
	Denorms64    = DenormIn64 | DenormOut64
	DX10Clamp    = 1 << 8
	IEEEMode     = 1 << 9
	HalfOverflow = 1 << 23 // FP16_OVFL: finite halves stay finite
)

// FloatMode are the bits of MODE for floating-point instructions, UsualMode their values in
// compilers' code: rounding to the nearest, with denormals, DX10_CLAMP and IEEE.
const (
	FloatMode = RoundModes | Denorms32 | Denorms64 | DX10Clamp | IEEEMode | HalfOverflow
	UsualMode = Denorms32 | Denorms64 | DX10Clamp | IEEEMode
)

// places are bits of a register that are compared with others.
type places struct{ mask, bits Lanes }

// Where a register holds the least normal number of a format, of either sign. The words
// are compared as singles, which are equal only if their bits are; of a double it is the upper one.
var (
	LeastF32 = []places{{LanesOf(0x7fffffff), LanesOf(1 << 23)}}
	LeastF64 = []places{{LanesOf(0x7fffffff), LanesOf(1 << 20)}}
	LeastF16 = []places{{LanesOf(0x7fff), LanesOf(1 << 10)}, {LanesOf(0x7fff << 16), LanesOf(1 << 26)}}
)

// AnyLeast reports whether some lane has one of the numbers in all.
func AnyLeast(all []places, x, temp *Lanes) bool {
	found := uint64(0)
	for n := range all {
		AndB32(temp, x, &all[n].mask)
		found |= EqualF32(temp, &all[n].bits)
	}
	return found != 0
}

// FlushDenorms makes denormal singles zeros.
func FlushDenorms(l *Lanes) { FlushF32(l, l) }

// FlushDenormsOf does so for any format.
func FlushDenormsOf(k Kind, lo, hi *Lanes) {
	switch k {
	case F32:
		FlushDenorms(lo)
	case F16:
		for i, v := range lo {
			if v&0x7c00 == 0 {
				lo[i] = v &^ 0x7fff
			}
		}
	case Pf16:
		for i, v := range lo {
			if v&0x7c00 == 0 {
				v &^= 0x3ff
			}
			if v&0x7c000000 == 0 {
				v &^= 0x3ff0000
			}
			lo[i] = v
		}
	case F64:
		for i, v := range hi {
			if v&0x7ff00000 == 0 {
				lo[i], hi[i] = 0, v&(1<<31)
			}
		}
	}
}

// Denormals returns the bits of MODE that keep denormal operands and results of a kind.
func (k Kind) Denormals() (in, out uint32) {
	switch k {
	case F32:
		return DenormIn32, DenormOut32
	case F16, Pf16, F64:
		return DenormIn64, DenormOut64
	}
	return 0, 0
}
