package alloccache

import (
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/addrmap"
	"github.com/mgpu-runtime/mgpu/internal/locks"
)

// Config configures a cache. Zero fields mean the defaults.
type Config struct {
	Devices int // 1

	Policy

	// Exact turns off the rounding of sizes, for drivers that check accesses beyond a block.
	Exact bool

	// Pending appends a mark for every queue that may have work pending. Nil: no queue ever has.
	Pending func([]Mark) []Mark

	// Failed is called with errors of releases. May be nil.
	Failed func(error)
	// Flushed is called after the driver lacked memory for an allocation of a device and the cache released its free
	// blocks. Sizes are in bytes. May be nil.
	Flushed func(device int, wanted, released uint64)

	// Replaced is called when the driver has allocated the address of a live block: the program frees blocks without
	// the cache. May be nil.
	Replaced func()

	// Trusts means that every block is trusted from the start, so that Trust need not be called. C code puts only
	// trusted blocks on threads' free lists.
	Trusts bool

	FreeLists FreeLists    // may be nil
	Quick     bool         // C code may put device memory on threads' free lists
	Now       func() int64 // returns nanoseconds; nil: always 0
}

// Cache holds the memory of all devices.
type Cache struct {
	cfg   Config
	table addrmap.Map[Block]
	bins  [kinds][]bins

	mu     locks.Mutex[locks.Blocks]
	blocks []*Block // all blocks that are not gone
	spare  []*Block // blocks that are gone, for reuse

	scopes   scopes
	lastTrim atomic.Int64 // time of the last trimStale
}

// Request describes an allocation.
type Request struct {
	Device  int // the current device
	Kind    Kind
	Bytes   uint64   // not 0
	Session *Session // the open scope; nil: none
	Call    int      // number of the mgpu function that allocates
	Site    uintptr  // return address in the program
}

// Outcome is the result of an Alloc or a Free.
type Outcome uint8

// Outcomes.
const (
	Failed    Outcome = iota // the error says why
	Allocated                // Alloc: the driver allocated it
	Reused                   // Alloc: it was free
	Covered                  // Alloc: it was waiting for work that is done now
	Cached                   // Free: the block is free now
	Deferred                 // Free: the block is waiting now
	Passed                   // Free: the cache does not know the block; the caller has the driver free it
	Given                    // Free: the block left the cache; the caller has the driver free it
	Stale                    // Free: freed before, or not the beginning of a block; nothing was done
)

var outcomeNames = [...]string{
	Failed: "failed", Allocated: "allocated", Reused: "reused", Covered: "covered", Cached: "cached", Deferred: "deferred",
	Passed: "passed", Given: "given", Stale: "stale",
}

func (o Outcome) String() string { return outcomeNames[o] }

// New makes an empty cache. It makes no driver call.
func New(c Config) *Cache {
	if c.Devices <= 0 {
		c.Devices = 1
	}
	if c.Limit == nil {
		c.Limit = func(int) uint64 { return largest }
	}
	if c.Pending == nil {
		c.Pending = func(m []Mark) []Mark { return m }
	}
	if c.Flushed == nil {
		c.Flushed = func(int, uint64, uint64) {}
	}
	if c.Failed == nil {
		c.Failed = func(error) {}
	}
	if c.Replaced == nil {
		c.Replaced = func() {}
	}
	if c.FreeLists == nil {
		c.FreeLists = noFreeLists{}
	}
	if c.Now == nil {
		c.Now = func() int64 { return 0 }
	}
	k := &Cache{cfg: c}
	for i := range k.bins {
		k.bins[i] = make([]bins, c.Devices)
	}
	return k
}

type noFreeLists struct{}

func (noFreeLists) Take(uint32) uintptr { return 0 }
func (noFreeLists) Publish(*Block)      {}
func (noFreeLists) Withdraw(*Block)     {}
func (noFreeLists) Each(func(uintptr))  {}

// Find returns the block that begins at an address, in any state; nil if there is none.
func (c *Cache) Find(ptr uintptr) *Block { return c.table.Find(ptr) }

// Containing returns the block that holds an address, nil if there is none. It searches
// all blocks.
func (c *Cache) Containing(ptr uintptr) *Block {
	if b := c.table.Find(ptr); b != nil {
		return b
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, b := range c.blocks {
		if ptr > b.ptr && uint64(ptr-b.ptr) < b.bytes {
			return b
		}
	}
	return nil
}

// validDevice reports whether the cache has the device.
func (c *Cache) validDevice(device int) bool { return uint(device) < uint(len(c.bins[0])) }
