package gcn

import "fmt"

// Chip is a GPU whose instructions are known.
type Chip uint8

// The chips, oldest first.
const (
	Gfx900 Chip = iota
	Gfx906
	numChips
)

var chipNames = [numChips]string{Gfx900: "gfx900", Gfx906: "gfx906"}

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
	return 0, fmt.Errorf("gcn: chip %q is not known (known: %v)", name, chipNames)
}

// Chips is a set of chips. The zero set stands for all of them.
type Chips uint16

// Sets of chips that rows name. A chip has what its forerunner has but for such rows.
const (
	OnGfx900   Chips = 1 << Gfx900
	FromGfx906 Chips = ^(OnGfx900)
)

// Has reports whether c is in the set.
func (s Chips) Has(c Chip) bool { return s == 0 || s>>c&1 != 0 }
