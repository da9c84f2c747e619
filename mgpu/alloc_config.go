package mgpu

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
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
	Copy  string // "deferred"; empty: copies from the device have arrived when the call returns; "direct": no copy is staged
	Hands Hands  // nil: C code keeps no blocks
}

// Hands are alloccache's, of C code that is told when it may keep blocks: once, before
// there are any.
type Hands interface {
	alloccache.Hands
	Offer(HandOffer)
}

// HandOffer is what C code needs to keep blocks: see streampool's Roster; the time
// in nanoseconds, and the row of mgpuMemAlloc.
type HandOffer struct {
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

// unknownFree is what is taken for free where the driver does not tell.
const unknownFree = 8 << 30

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

// openMemory makes the cache of device memory.
func (r *Runtime) openMemory(k *core) {
	c := r.cfg.Memory
	if !k.cached || c.Level == "off" {
		return
	}
	exact := false
	if d, ok := k.drv.(driver.MemoryChecker); ok {
		ends, lives := d.ChecksMemory()
		if lives && c.Level == "" {
			return
		}
		exact = ends
	}
	level, fill, limit := r.memorySettings()
	m := &memory{level: level, fill: fill, atFirst: make([]atomic.Uint64, k.devices), foreign: k.pool.AddQueue(-1, true),
		checkpoints: map[*streampool.Entry]checkpoint{}}
	for i := range k.devices {
		m.abandoned = append(m.abandoned, k.pool.AddQueue(i, false))
	}
	quick := !exact && level == alloccache.Strict && fill == noFill && c.Hands != nil && r.quick(k)
	var hands alloccache.Hands
	if quick {
		hands = c.Hands
	}
	m.cache = alloccache.New(alloccache.Config{
		Level: level, Devices: k.devices, Pending: k.pending, PendingOn: k.pendingOn, Hands: hands, Quick: quick, Now: now, Exact: exact,
		Failed: func(err error) { r.report(callNames[memFree], err) },
		Limit:  func(device int) uint64 { return limit(m.free(k, device)) },
	})
	m.scratch = m.cache.NewScratch()
	k.memory = m
	r.openCopies(k)
	if quick {
		places, count := k.pool.Roster()
		c.Hands.Offer(HandOffer{places, count, now(), memAlloc})
	}
}

// free is how many bytes were free on a device when it was asked for first, which
// is before the first allocation.
func (m *memory) free(k *core, device int) uint64 {
	if v := m.atFirst[device].Load(); v != 0 {
		return v
	}
	free := uint64(unknownFree)
	if i, ok := k.drv.(driver.MemInformer); ok {
		if v, _, err := i.MemInfo(); err == nil && v != 0 {
			free = v
		}
	}
	m.atFirst[device].CompareAndSwap(0, max(1, free))
	return m.atFirst[device].Load()
}

// shared notes that the program gets memory that it sees without a further call.
func (k *core) shared() {
	if m := k.memory; m != nil && !m.hostSees.Load() {
		m.hostSees.Store(true)
	}
}

// quick reports whether C code may keep free blocks by itself.
func (r *Runtime) quick(k *core) bool {
	d, ok := k.drv.(driver.Direct)
	return ok && r.cfg.Direct != nil && !r.cfg.Timing && k.devices == 1 && d.Direct().LaunchKernel != 0
}
