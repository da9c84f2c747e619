package mgpu

import (
	"encoding/binary"

	"github.com/mgpu-runtime/mgpu/internal/settings"
)

// Fill says how memory is filled before the program gets it.
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

// MemoryConfig holds the user's settings of device memory, as text.
type MemoryConfig struct {
	Level string // "strict", "off"; empty: strict, or off where the checker watches frees
	Limit string // free bytes kept per device: "4GiB", "50%" of what is free at first use; empty: 50%, divided by Config.Sharing
	Fill  string // "poison", "zero"; empty: no fill
}

// MemoryOffer is what C needs to cache blocks: the streams (see streampool's Roster), the
// addresses of a word that is not zero once host and device share memory, and of the bytes
// that threads' free lists may hold, the time in nanoseconds, and mgpuMemAlloc's call number.
type MemoryOffer struct {
	Places, Count uintptr
	Shared, Limit uintptr
	Now           int64
	Row           int
}

var fills = map[string]Fill{"": noFill, "poison": Poison, "zero": Zero}

// memorySettings parses the settings. Where one is wrong its default holds.
func (r *Runtime) memorySettings(devices int) (fill Fill, limit func(free uint64) uint64) {
	c := r.cfg.Memory
	fill = fills[c.Fill] // none for words of no meaning
	l, ok := settings.ParseLimit(c.Limit)
	if !ok { // or empty
		l.Share = 0.5
	}
	if c.Limit == "" && r.cfg.Sharing != nil {
		l.Share /= float64(max(1, r.cfg.Sharing(devices)))
	}
	return fill, func(free uint64) uint64 { return l.Bytes + uint64(float64(free)*l.Share) }
}
