package encoding

import (
	"fmt"
	"strings"
)

// Chip is a GPU whose instructions are known, with the size of the waves that code is
// compiled for: 64 lanes, or 32 where Wave32 made it; WithoutECC makes another one of it.
type Chip uint8

// The chips, oldest first, those of GFX9 before those of RDNA.
const (
	Gfx900 Chip = iota
	Gfx906
	Gfx908
	Gfx90a
	Gfx942
	Gfx950
	Gfx1030
	Gfx1031
	Gfx1032
	Gfx1033
	Gfx1034
	Gfx1035
	Gfx1036
	Gfx1100
	Gfx1101
	Gfx1102
	Gfx1103
	Gfx1150
	Gfx1151
	Gfx1200
	Gfx1201
	Gfx1250
	Gfx1251
	NumChips

	NumGFX9         = Gfx950 + 1
	inWave32   Chip = 1 << 7
	withoutECC Chip = 1 << 6

	Programmed = NumChips // chips before it have rows
)

var chipNames = [NumChips]string{
	Gfx900: "gfx900", Gfx906: "gfx906", Gfx908: "gfx908", Gfx90a: "gfx90a", Gfx942: "gfx942", Gfx950: "gfx950",
	Gfx1030: "gfx1030", Gfx1031: "gfx1031", Gfx1032: "gfx1032", Gfx1033: "gfx1033", Gfx1034: "gfx1034", Gfx1035: "gfx1035", Gfx1036: "gfx1036",
	Gfx1100: "gfx1100", Gfx1101: "gfx1101", Gfx1102: "gfx1102", Gfx1103: "gfx1103", Gfx1150: "gfx1150", Gfx1151: "gfx1151",
	Gfx1200: "gfx1200", Gfx1201: "gfx1201", Gfx1250: "gfx1250", Gfx1251: "gfx1251",
}

// Wave32 is the chip for code in waves of 32.
func (c Chip) Wave32() Chip { return c | inWave32 }

// InWaves is the chip for code in waves of 32, if it has those and they are asked for or it has no others, or else of 64.
func (c Chip) InWaves(of32 bool) Chip {
	if of32 && c.RDNA() || c.OnlyWave32() {
		return c.Wave32()
	}
	return c.Model()
}

// IsWave32 reports whether Wave32 made the chip.
func (c Chip) IsWave32() bool { return c&inWave32 != 0 }

// WithoutECC is the chip with error correction of its registers switched off, if it has that.
func (c Chip) WithoutECC() Chip {
	if c.AtLeast(Gfx906) {
		return c | withoutECC
	}
	return c
}

// ClearsHalves reports whether a load to half of a register clears the other half. Error correction is for whole
// registers: LLVM's compilers take the other half for lost (GCNSubtarget's d16PreservesUnusedBits), and AMD's Tensile
// for zero (HasEccHalf).
func (c Chip) ClearsHalves() bool { return c.AtLeast(Gfx906) && c&withoutECC == 0 }

// Model is the chip without the size of waves, as it comes.
func (c Chip) Model() Chip { return c &^ (inWave32 | withoutECC) }

// OnlyWave32 reports whether the chip has no waves of 64.
func (c Chip) OnlyWave32() bool { return c.Model() >= Gfx1250 }

// RDNA reports whether the chip has waves of 32.
func (c Chip) RDNA() bool { return c.Model() >= NumGFX9 }

// AtLeast reports whether a chip is one of GFX9 and has the instructions of another one.
func (c Chip) AtLeast(other Chip) bool {
	m := c.Model()
	return m >= other && m < NumGFX9
}

// String returns LLVM's name of the chip.
func (c Chip) String() string {
	if m := c.Model(); m < NumChips {
		return chipNames[m]
	}
	return fmt.Sprintf("Chip(%d)", uint8(c))
}

// ParseChip returns the chip that LLVM calls name, as "gfx906".
func ParseChip(name string) (Chip, error) {
	for c, n := range chipNames[:Programmed] {
		if n == name {
			return Chip(c), nil
		}
	}
	return 0, fmt.Errorf("no such chip; there are %s", strings.Join(chipNames[:Programmed], ", "))
}

// Chips is a set of chips. The zero set stands for all of them.
type Chips uint32

// Sets of chips that rows name. A chip has the instructions of its predecessor, except for such rows.
const (
	OnGfx900    Chips = 1 << Gfx900
	OnGfx908    Chips = 1 << Gfx908
	OnGfx90a    Chips = 1 << Gfx90a
	OnGfx942    Chips = 1 << Gfx942
	OnGfx950    Chips = 1 << Gfx950
	ToGfx908    Chips = 1<<(Gfx908+1) - 1
	ToGfx90a    Chips = 1<<(Gfx90a+1) - 1
	FromGfx906  Chips = 1<<NumGFX9 - 1<<Gfx906
	FromGfx908  Chips = 1<<NumGFX9 - 1<<Gfx908
	FromGfx90a  Chips = 1<<NumGFX9 - 1<<Gfx90a
	FromGfx942  Chips = 1<<NumGFX9 - 1<<Gfx942
	FromGfx1150 Chips = 1<<NumChips - 1<<Gfx1150
)

// Has reports whether c is in the set.
func (s Chips) Has(c Chip) bool { return s == 0 || s>>c.Model()&1 != 0 }
