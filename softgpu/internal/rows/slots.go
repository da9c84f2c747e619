package rows

import "github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"

// Slots of the common kinds.

// vgpr is a vector register of arithmetic: its destination, or a source that can be nothing else.
func vgpr(t encoding.Type) encoding.Slot {
	return encoding.Slot{Class: encoding.VectorOnly, Width: t.Registers(), Type: t, Mods: encoding.NoMods, Place: encoding.Implied}
}

// src is a source of vector arithmetic.
func src(t encoding.Type) encoding.Slot {
	return encoding.Slot{Class: encoding.AnySrc, Width: t.Registers(), Type: t, Mods: encoding.NoMods, Place: encoding.Implied}
}

// srcMods is a source that can be negated and made absolute.
func srcMods(t encoding.Type) encoding.Slot {
	return encoding.Slot{Class: encoding.AnySrc, Width: t.Registers(), Type: t, Mods: encoding.FloatMods, Place: encoding.Implied}
}

// srcIgnored is a source whose neg and abs do nothing.
func srcIgnored(t encoding.Type) encoding.Slot {
	return encoding.Slot{Class: encoding.AnySrc, Width: t.Registers(), Type: t, Mods: encoding.IgnoredMods, Place: encoding.Implied}
}

var (
	carryIn  = encoding.Slot{Class: encoding.CarryIn, Width: 2, Type: encoding.Bits64, Mods: encoding.NoMods, Place: encoding.Implied}
	carryOut = encoding.Slot{Class: encoding.CarryOut, Width: 2, Type: encoding.Bits64, Mods: encoding.NoMods, Place: encoding.Implied}
)

// vgprs, sgprs and operand are n registers at a place of their own; instead of
// an operand's there may be a constant.

func vgprs(n uint8, at encoding.Place) encoding.Slot {
	return encoding.Slot{Class: encoding.VectorOnly, Width: n, Type: untyped(n), Mods: encoding.NoMods, Place: at}
}
func sgprs(n uint8, at encoding.Place) encoding.Slot {
	return encoding.Slot{Class: encoding.ScalarOnly, Width: n, Type: untyped(n), Mods: encoding.NoMods, Place: at}
}
func operand(n uint8, at encoding.Place) encoding.Slot {
	return encoding.Slot{Class: encoding.AnySrc, Width: n, Type: untyped(n), Mods: encoding.NoMods, Place: at}
}

func untyped(n uint8) encoding.Type {
	if n == 2 {
		return encoding.Bits64
	}
	return encoding.Bits32
}
