package mgpu

import (
	"io"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/internal/trace"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Opener opens one kind of driver.
type Opener struct {
	Name string
	Open func() (driver.Driver, error)
	// Fallback marks a driver that needs no device. It is opened if none before it opens, and the
	// choice is printed on stderr.
	Fallback bool
	// OnDemand marks a driver that is opened only if Config.Driver names it.
	OnDemand bool
}

// Config gives a Runtime what it needs from its process.
type Config struct {
	Drivers []Opener // in the order in which they are tried
	Driver  string   // the only one to try; empty: the first that opens
	// Device chooses the device that threads begin with, of so many, and says how it did;
	// nil: the driver's first. Where it fails there is no driver.
	Device  func(devices int) (device int, how string, err error)
	Sharing func(devices int) int // how many processes like this one share a device; nil: none
	Label   string                // tells the process's lines from those of others, as "rank 3"; empty: none
	NoCache bool                  // every call goes straight to the driver
	Timing  bool                  // measure the time of calls
	Memory  MemoryConfig

	Trace *trace.Switch // what records the timeline; nil: nothing does
	// TraceEvents times work by pairs of events, for the timeline. CallsInC has to be false: work
	// that C submits is not timed.
	TraceEvents bool

	Stderr io.Writer // error lines; one Write per line
	// Failed gets the line of each failure and its status (mgpux_status), on the thread
	// that failed; nil: nobody does.
	Failed func(status int32, line []byte)
	Abort  func() // called after the first error line; nil: go on

	// CheckFrees has each free ask the driver whether it still has the block, and gets a line
	// about each that the program has freed by the driver's own calls; nil: see
	// memory_extent.go.
	CheckFrees func(line string)

	Graphs    GraphMode // which launches go through one-node graphs
	GraphsOff string    // why none may, overriding Graphs; empty: no objection

	Process  Process  // nil: nothing is known of the host process
	FastPath FastPath // nil: every call enters Go and is counted there
	// CallsInC lets C make launches, waits and allocations without entering Go.
	CallsInC bool
}

// Process knows the host process's memory.
type Process interface {
	// Holds reports whether the memory at addr holds image, which lies outside the Go heap.
	// known is false where that can't be read.
	Holds(addr uintptr, image []byte) (same, known bool)
	// Symbol returns the program symbol at an address, empty if unknown.
	Symbol(addr uintptr) string
}

// FastPath is the C code in front of a Runtime: it counts calls and answers common ones
// without entering Go. Methods may be called from any thread.
type FastPath interface {
	// Calls counts the calls of a function (a number of the call list), DriverCalls the driver
	// calls that C made for them, DriverTime the nanoseconds in those (zero unless Config.Timing).
	Calls(call int) uint64
	DriverCalls(call int) uint64
	DriverTime(call int) uint64
	// GraphLaunches counts launches that C made by one-node graphs.
	GraphLaunches() uint64
	// Allocations counts allocations that C answered from threads' free lists: with free blocks,
	// and with those that had been waiting; and frees that C made with work pending.
	Allocations() (reused, waited, deferred uint64)
	// Launches calls f with the launches that C made, in rows of one thread each, where
	// Config.Timing is set.
	Launches(f func(Launches))

	// Offer passes the driver's C functions, once, when the driver is open: see [Runtime.Entry].
	Offer(PathOffer)
	// ForgetFunctions voids C's look-up cache. Called before a module is unloaded, and after one
	// is loaded: its handle may be that of a module that the program unloaded past the library.
	ForgetFunctions()
	// ForgetModule makes threads forget a module that the driver has unloaded. It reports
	// whether one may be comparing with its image right now.
	ForgetModule(driver.Module) (comparing bool)
	// ForgetStreams voids the results of [Runtime.Entry].
	ForgetStreams()
	// WatchReset has C call [Runtime.NoticeReset] when the only device's allocation at an address
	// does not have its number any more; zero: nothing is watched. slow is
	// [driver.Resetter].SlowReset's.
	WatchReset(at driver.Ptr, number uint64, slow bool)
	// ReleaseModule takes a reference to a module from a thread that keeps one, and returns false
	// if none does.
	ReleaseModule(m driver.Module) bool
	alloccache.FreeLists
	// Relaunch lets C launch the graph of key on a stream, one graph per stream; launches is the
	// address of their counter. EndRelaunch takes that back, and waits until C is done with it.
	Relaunch(key uint64, s driver.Stream, x driver.GraphExec, launches uintptr)
	EndRelaunch(key uint64, s driver.Stream)
	// OfferStreams passes the addresses that streampool's Roster returns, before the other offers.
	OfferStreams(places, count, frees uintptr)
	// Freed returns the pool's count of frees at the calling thread's latest free that left work
	// pending, zero before the first. NoteFreed notes such a free.
	Freed() uint64
	NoteFreed(frees uint64)
	// OfferMemory lets C cache free blocks. Called once, before the first allocation.
	OfferMemory(MemoryOffer)
}

// PathOffer is what C needs to make calls without entering Go.
type PathOffer struct {
	Calls     driver.CFunctions
	Devices   int
	Addresses uintptr // address of the struct that copies and fills note addresses in; zero: they need not
	OneNode   bool    // launches may go through one-node graphs
	Cached    bool    // false: each call is a call of the driver, as in the stock wrapper
}

// GraphMode says which launches go through one-node graphs.
type GraphMode string

// Modes. The default is GraphAuto for drivers whose one-node graphs were measured to be
// cheaper than launches, and GraphOff for others.
const (
	GraphDefault GraphMode = ""
	GraphOff     GraphMode = "off"
	GraphAuto    GraphMode = "auto"   // repeated launches, if measured to be cheaper
	GraphAlways  GraphMode = "always" // repeated launches, without measuring; for tests
)

// MemoryConfig holds the user's settings of device memory, as text.
type MemoryConfig struct {
	Level string // "strict", "off"; empty: strict, or off where the checker watches frees
	Limit string // free bytes kept per device: "4GiB", "50%" of what is free at first use; empty: 50%, divided by Config.Sharing
	Fill  string // "poison", "zero"; empty: no fill
}

// MemoryOffer is what C needs to cache blocks: the addresses of a word that is not zero once host
// and device share memory, and of the bytes that threads' free lists may hold, the time in
// nanoseconds, and mgpuMemAlloc's call number.
type MemoryOffer struct {
	Shared, Limit uintptr
	Now           int64
	Row           int
}

// Launches counts launches of a function in one shape.
type Launches struct {
	Function    uintptr // zero: of several, which are not told apart
	Grid, Block driver.Dim3
	Count       uint64
	ByGraph     uint64 // of these by one-node graphs
}
