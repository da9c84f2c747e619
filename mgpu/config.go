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
	// Fallback marks a driver that needs no device. It is opened if no driver before it can be opened; a line on stderr
	// says so.
	Fallback bool
	// OnDemand marks a driver that is opened only if Config.Driver names it.
	OnDemand bool
}

// Config is what a Runtime needs from its process.
type Config struct {
	Drivers []Opener // in the order in which they are tried
	Driver  string   // the only driver to try; empty: the first that can be opened
	// Device chooses the device for the process's threads, of a number of devices, and says how. If it fails, there is
	// no driver. Nil: the driver's first device.
	Device  func(devices int) (device int, how string, err error)
	Sharing func(devices int) int // how many processes like this one share a device; nil: none do
	Label   string                // prefix of the process's lines, such as "rank 3"; empty: none
	NoCache bool                  // every call makes a driver call
	Timing  bool                  // measure the time of calls
	Memory  MemoryConfig
	// MaxIdle and MaxDraining bound the streams, and the events, that are kept on a device: see
	// [streampool.Config]. Zero means the pool's defaults.
	MaxIdle, MaxDraining int

	Trace *trace.Switch // recorder of the timeline; nil: no timeline
	// TraceEvents times work by pairs of events, for the timeline. CallsInC has to be false, since work that C submits
	// is not timed.
	TraceEvents bool

	Stderr io.Writer // error lines; one Write per line
	// Failed is called with the line of each failure and its status (mgpux_status), on the thread that failed. May be
	// nil.
	Failed func(status int32, line []byte)
	// Hold is called with the lines of a failure before they are printed. It reports whether the thread keeps them: they
	// are not printed then. It is not called if Abort is set. May be nil.
	Hold  func(status int32, lines []byte) bool
	Abort func() // called after the first error line; nil: the program continues

	// CheckFrees makes each free ask the driver whether the block is still allocated. It is called with a line about
	// each block that the program has freed by the driver's own calls. Nil: see memory_extent.go.
	CheckFrees func(line string)

	Graphs    GraphMode // which launches go through one-node graphs
	GraphsOff string    // why no launch may go through a one-node graph, overriding Graphs; empty: launches may

	Process  Process  // nil: nothing is known of the host process
	FastPath FastPath // nil: every call enters Go, and is counted there
	// CallsInC lets C make launches, waits and allocations without entering Go.
	CallsInC bool
	// UncheckedStreams treats the driver as a [driver.UncheckedStreams]; for tests.
	UncheckedStreams bool
}

// Process gives access to the host process's memory.
type Process interface {
	// Holds reports whether the memory at addr has the bytes of image, which is outside the Go heap. known is false if
	// the memory can't be read.
	Holds(addr uintptr, image []byte) (same, known bool)
	// Symbol returns the symbol of the program at an address; empty if unknown.
	Symbol(addr uintptr) string
}

// FastPath is the C code in front of a Runtime (internal/fastpath). It counts calls and serves common calls without
// entering Go. Methods may be called from any thread.
type FastPath interface {
	// Calls returns the number of calls of a function (a number of the call list), DriverCalls the number of driver
	// calls that C made for them, and DriverTime the nanoseconds in those driver calls (zero unless Config.Timing).
	Calls(call int) uint64
	DriverCalls(call int) uint64
	DriverTime(call int) uint64
	// GraphLaunches returns the number of launches that C made by one-node graphs.
	GraphLaunches() uint64
	// Allocations returns the number of allocations that C served from threads' free lists, with free blocks and with
	// blocks that had been waiting, and the number of frees that C made with work pending.
	Allocations() (reused, waited, deferred uint64)
	// Launches calls f with the launches that C made, in rows of one thread each, if Config.Timing is set.
	Launches(f func(Launches))

	// Offer passes the driver's C functions, once, after the driver has been opened; see [Runtime.Entry].
	Offer(PathOffer)
	// ForgetFunctions empties C's look-up cache. It is called before a module is unloaded, and after one is loaded: the
	// handle may have been that of a module that the program unloaded by a call of the driver.
	ForgetFunctions()
	// ForgetModule makes threads forget a module that the driver has unloaded. It reports whether a thread may be
	// comparing memory with the module's image at this moment.
	ForgetModule(driver.Module) (comparing bool)
	// ForgetStreams makes the results of [Runtime.Entry] invalid.
	ForgetStreams()
	// WatchReset makes C call [Runtime.NoticeReset] when the only device's allocation at an address no longer has its
	// number. A zero address ends that. slow is the result of [driver.Resetter].SlowReset.
	WatchReset(at driver.Ptr, number uint64, slow bool)
	// ReleaseModule takes over a reference to a module that a thread keeps. It returns false if no thread keeps one.
	ReleaseModule(m driver.Module) bool
	alloccache.FreeLists
	// Relaunch lets C launch the graph of key on a stream, with one graph per stream. launches is the address of the
	// counter of these launches. EndRelaunch ends that, and waits until C is not using the graph.
	Relaunch(key uint64, s driver.Stream, x driver.GraphExec, launches uintptr)
	EndRelaunch(key uint64, s driver.Stream)
	// OfferStreams passes the addresses that streampool's Roster returns. It is called before the other offers.
	OfferStreams(places, count, frees uintptr)
	// Freed returns the pool's count of frees at the calling thread's latest free that left work pending; zero before
	// the first. NoteFreed sets that count.
	Freed() uint64
	NoteFreed(frees uint64)
	// OfferMemory lets C cache free blocks. It is called once, before the first allocation.
	OfferMemory(MemoryOffer)
}

// PathOffer is what C needs to make calls without entering Go.
type PathOffer struct {
	Calls     driver.CFunctions
	Devices   int
	Addresses uintptr // address of the struct in which copies and fills note addresses; zero: they don't need to
	OneNode   bool    // launches may go through one-node graphs
	Cached    bool    // false: each call makes a driver call, as in MLIR's own wrapper
}

// GraphMode says which launches go through one-node graphs.
type GraphMode string

// Modes. The default is GraphAuto for drivers on which one-node graphs were measured to be cheaper than launches, and
// GraphOff for other drivers.
const (
	GraphDefault GraphMode = ""
	GraphOff     GraphMode = "off"
	GraphAuto    GraphMode = "auto"   // repeated launches, if measured to be cheaper
	GraphAlways  GraphMode = "always" // repeated launches, without measuring; for tests
)

// MemoryConfig has the user's settings of device memory, as text.
type MemoryConfig struct {
	Level string // "strict", "off"; empty: strict, or off if the checker watches frees
	Limit string // cached bytes per device: "4GiB", "50%" of what is free at first use; empty: 50% / Sharing
	Fill  string // "poison", "zero"; empty: no fill
}

// MemoryOffer is what C needs to cache blocks: the address of a word that becomes nonzero once host and device share
// memory, the address of the number of bytes that threads' free lists may hold, the time in nanoseconds, and
// mgpuMemAlloc's call number.
type MemoryOffer struct {
	Shared, Limit uintptr
	Now           int64
	Row           int
}

// Launches counts launches of a function with one grid and block size.
type Launches struct {
	Function    uintptr // zero: several functions, which are not counted apart
	Grid, Block driver.Dim3
	Count       uint64
	ByGraph     uint64 // launches of these by one-node graphs
}
