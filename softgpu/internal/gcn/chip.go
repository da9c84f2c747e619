package gcn

import (
	"fmt"
	"strings"
)

// Chip is a GPU whose instructions are known.
type Chip uint8

// The chips, oldest first.
const (
	Gfx900 Chip = iota
	Gfx906
	Gfx908
	Gfx90a
	Gfx942
	Gfx950
	numChips
)

var chipNames = [numChips]string{Gfx900: "gfx900", Gfx906: "gfx906", Gfx908: "gfx908", Gfx90a: "gfx90a", Gfx942: "gfx942", Gfx950: "gfx950"}

// String returns LLVM's name of the chip.
func (c Chip) String() string {
	if c < numChips {
		return chipNames[c]
	}
	return fmt.Sprintf("Chip(%d)", uint8(c))
}

// ParseChip returns the chip that LLVM calls name, as "gfx906".
func ParseChip(name string) (Chip, error) {
	for c, n := range chipNames {
		if n == name {
			return Chip(c), nil
		}
	}
	return 0, fmt.Errorf("no such chip; there are %s", strings.Join(chipNames[:], ", "))
}

// Chips is a set of chips. The zero set stands for all of them.
type Chips uint16

// Sets of chips that rows name. A chip has what its forerunner has but for such rows.
const (
	OnGfx900   Chips = 1 << Gfx900
	OnGfx908   Chips = 1 << Gfx908
	OnGfx90a   Chips = 1 << Gfx90a
	OnGfx942   Chips = 1 << Gfx942
	OnGfx950   Chips = 1 << Gfx950
	ToGfx906   Chips = 1<<(Gfx906+1) - 1
	ToGfx908   Chips = 1<<(Gfx908+1) - 1
	ToGfx90a   Chips = 1<<(Gfx90a+1) - 1
	FromGfx906 Chips = 1<<numChips - 1<<Gfx906
	FromGfx908 Chips = 1<<numChips - 1<<Gfx908
	FromGfx90a Chips = 1<<numChips - 1<<Gfx90a
	FromGfx942 Chips = 1<<numChips - 1<<Gfx942
)

// Has reports whether c is in the set.
func (s Chips) Has(c Chip) bool { return s == 0 || s>>c&1 != 0 }
