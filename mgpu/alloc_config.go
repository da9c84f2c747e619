package mgpu

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"github.com/mgpu-runtime/mgpu/alloccache"
)

// Fill is what memory holds when the program gets it.
type Fill uint8

// Fills.
const (
	noFill Fill = iota
	Poison      // a pattern that is no number in any floating-point format
	Zero
)

// patterns are what fills consist of.
var patterns = [...][4]byte{Poison: {0xad, 0xde, 0xf8, 0x7f}, Zero: {}}

// word is the pattern as a number.
func (f Fill) word() uint32 { return binary.LittleEndian.Uint32(patterns[f][:]) }

// MemoryConfig says how device memory is kept. The texts are what a user wrote.
type MemoryConfig struct {
	Level string // "strict" or empty, "stream", "off"
	Limit string // free bytes kept per device: "4GiB", "50%" of what is free at first use; empty: 50%
	Fill  string // "poison", "zero"; empty: memory holds what it held
	Copy  string // "direct": no download goes through page-locked memory; empty: where that is faster
}

// MemoryOffer is what C code needs to keep blocks: see streampool's Roster; the time
// in nanoseconds, and the row of mgpuMemAlloc.
type MemoryOffer struct {
	Places, Count uintptr
	Now           int64
	Row           int
}

var levels = map[string]alloccache.Level{"": alloccache.Strict, "strict": alloccache.Strict, "stream": alloccache.Stream}

var fills = map[string]Fill{"": noFill, "poison": Poison, "zero": Zero}

var units = map[string]uint64{
	"": 1, "B": 1, "K": 1 << 10, "KB": 1e3, "KiB": 1 << 10, "M": 1 << 20, "MB": 1e6, "MiB": 1 << 20,
	"G": 1 << 30, "GB": 1e9, "GiB": 1 << 30, "T": 1 << 40, "TB": 1e12, "TiB": 1 << 40,
}

// parseLimit reads a limit: bytes, or a share of what is free.
func parseLimit(text string) (bytes uint64, share float64, err error) {
	if text == "" {
		return 0, 0.5, nil
	}
	digits := strings.TrimRightFunc(text, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	unit := strings.TrimSpace(text[len(digits):])
	n, err := strconv.ParseFloat(digits, 64)
	if err == nil && unit == "%" && n >= 0 && n <= 100 {
		return 0, n / 100, nil
	}
	size, ok := units[unit]
	if err != nil || !ok || n < 0 || n*float64(size) >= 1<<62 {
		return 0, 0, fmt.Errorf("MGPU_MEM_LIMIT=%s is no size (4GiB) and no share (50%%)", text)
	}
	return uint64(n * float64(size)), 0, nil
}

// memorySettings reads the texts. What is wrong with them is said, and the defaults hold.
func (r *Runtime) memorySettings() (level alloccache.Level, fill Fill, limit func(free uint64) uint64) {
	c := r.cfg.Memory
	level, ok := levels[c.Level]
	if !ok {
		r.say(fmt.Sprintf("mgpu: MGPU_MEM_CACHE=%s is none of strict, stream, off; it is strict", c.Level))
	}
	if fill, ok = fills[c.Fill]; !ok {
		r.say(fmt.Sprintf("mgpu: MGPU_MEM_FILL=%s is none of poison, zero; memory is not filled", c.Fill))
	}
	bytes, share, err := parseLimit(c.Limit)
	if err != nil {
		r.say(fmt.Sprintf("mgpu: %v; it is 50%%", err))
		share = 0.5
	}
	return level, fill, func(free uint64) uint64 { return bytes + uint64(float64(free)*share) }
}
