package mgpu

import "encoding/binary"

// Fill is the pattern with which memory is filled before the program gets it.
type Fill uint8

// Fills.
const (
	noFill Fill = iota
	Poison      // a NaN in every floating-point format
	Zero
)

// patterns are the four bytes that each fill repeats.
var patterns = [...][4]byte{Poison: {0xad, 0xde, 0xf8, 0x7f}, Zero: {}}

// word returns the pattern as a number.
func (f Fill) word() uint32 { return binary.LittleEndian.Uint32(patterns[f][:]) }

var fills = map[string]Fill{"": noFill, "poison": Poison, "zero": Zero}
