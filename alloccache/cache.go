package alloccache

import (
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/addrmap"
)

// Level says when a block is given out again.
type Level uint8

// Levels.
const (
	Strict Level = iota // when all that was submitted before it was freed is done
	Stream              // in the order of the stream that it was freed on
)

// Config says how a cache works; zero fields mean the defaults.
type Config struct {
	Level   Level
	Devices int // 1

	// Limit is how many free bytes of a device are kept at most, of each kind. Nil:
	// any number.
	Limit func(device int) uint64

	// Exact gives blocks of exactly the size that is asked for, and none that is
	// larger: for drivers that notice what lies beyond.
	Exact bool

	// Pending appends a mark for every queue of which work may be pending. Nil: there
	// never is any.
	Pending func([]Mark) []Mark
	// PendingOn is Pending for one stream of the program's.
	PendingOn func(marks []Mark, stream uintptr) []Mark

	// Failed is told of failures that are nobody's call: of releases and of queries.
	// Nil: nobody is told.
	Failed func(error)

	FreeLists FreeLists    // nil: there are none
	Quick     bool         // C code may keep blocks of a device in freeLists
	Now       func() int64 // nanoseconds; nil: time stands still
}

// Cache keeps the memory of all devices.
type Cache struct {
	cfg     Config
	table   addrmap.Map[Block]
	shelves [kinds][]shelf

	mu     sync.Mutex
	blocks []*Block // all that are not gone
	spare  []*Block // gone, to be used again

	scopes scopes
	idle   atomic.Int64 // when blocks were last looked through for old ones
}

// Request says what is to be allocated.
type Request struct {
	Device  int // current
	Kind    Kind
	Bytes   uint64 // not 0
	Stream  uintptr
	Session *Session // the scope that is open; nil: none
	Kept    bool     // only a block that is there is wanted: the driver is not to allocate or free, which may wait
	Row     int      // the mgpu function that asks
	Site    uintptr  // where in the program
}

// Outcome says what came of an Alloc or a Free.
type Outcome uint8

// Outcomes.
const (
	Failed    Outcome = iota // the error says why
	Allocated                // Alloc: by the driver
	Reused                   // Alloc: it was free
	Covered                  // Alloc: it was waiting for work that turned out to be done
	Kept                     // Free: free now
	Deferred                 // Free: waiting now
	Passed                   // Free: not the cache's; it is the driver's to free
	Given                    // Free: the block is the caller's, to be freed by the driver
	Stale                    // Free: freed before, or not the beginning of a block; nothing was done
)

var outcomeNames = [...]string{
	Failed: "failed", Allocated: "allocated", Reused: "reused", Covered: "covered", Kept: "kept", Deferred: "deferred",
	Passed: "passed", Given: "given", Stale: "stale",
}

func (o Outcome) String() string { return outcomeNames[o] }

// New makes an empty cache.
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
	if c.PendingOn == nil {
		c.PendingOn = func(m []Mark, _ uintptr) []Mark { return m }
	}
	if c.Failed == nil {
		c.Failed = func(error) {}
	}
	if c.FreeLists == nil {
		c.FreeLists = noHands{}
	}
	if c.Now == nil {
		c.Now = func() int64 { return 0 }
	}
	k := &Cache{cfg: c}
	for i := range k.shelves {
		k.shelves[i] = make([]shelf, c.Devices)
	}
	return k
}

type noHands struct{}

func (noHands) Take(uint32) uintptr { return 0 }
func (noHands) Publish(*Block)      {}
func (noHands) Withdraw(*Block)     {}
func (noHands) Each(func(uintptr))  {}

// Find returns the block that begins at an address, nil if there is none. It may
// not be live.
func (c *Cache) Find(ptr uintptr) *Block { return c.table.Find(ptr) }

// Containing returns the block that an address lies in. It looks at every block.
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

// Marks appends the marks that a block freed now would get.
func (c *Cache) Marks(marks []Mark) []Mark { return c.cfg.Pending(marks) }

// known reports whether a device is one of the cache's.
func (c *Cache) known(device int) bool { return uint(device) < uint(len(c.shelves[0])) }
