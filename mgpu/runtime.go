package mgpu

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/internal/settings"
	"github.com/mgpu-runtime/mgpu/internal/trace"
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/modulecache"
	"github.com/mgpu-runtime/mgpu/streampool"
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

// Config is what a Runtime needs from its process.
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

// Runtime is one process's runtime. The zero value is not usable: see New.
type Runtime struct {
	cfg  Config
	once sync.Once
	core atomic.Pointer[core] // nil until a driver is open
	fail error                // why no driver opened; written within once

	stats        stats
	cascade      cascade
	ledger       ledger
	printing     printing
	gate         launchgraph.Gate
	regions      regions
	kernels      sync.Map     // driver.Function -> *kernel
	kernelsAdded atomic.Int64 // added since kernels was last emptied
}

// core is the state that exists once a driver is open.
type core struct {
	drv          driver.Driver
	waiter       driver.Waiter     // nil: the driver waits in Go
	sites        driver.SiteTeller // nil: the driver tells nobody where memory was allocated
	graphs       driver.Grapher    // nil: the driver has none
	jit          *meteredJIT       // nil: the driver does not compile
	devices      int
	chosen       int    // the device that threads begin with
	how          string // it was chosen; empty: it was not
	cached       bool
	pool         *streampool.Pool
	modules      *modulecache.Cache
	nulls        []*streampool.Entry // null streams, by device
	cSubmissions submissions
	memory       *memory      // nil: device memory is not cached
	scratch      plainScratch // used if memory is nil
	resets       resets
	views        [listedCalls]meter

	memoryViews [listedCalls]memoryView
	graphCalls  launchgraph.Driver // graphs, charged to launches; nil: as graphs
}

// New makes a Runtime. The first call opens the driver.
func New(cfg Config) *Runtime {
	r := &Runtime{cfg: cfg}
	r.stats.timing, r.stats.trace = cfg.Timing, cfg.Trace
	r.regions = newRegions(r)
	return r
}

// open returns the core and opens the driver if needed, nil if no driver opens.
func (r *Runtime) open() *core {
	if k := r.core.Load(); k != nil {
		return k
	}
	r.once.Do(func() {
		r.fail = errors.New("opening the driver failed before") // stays if Open panics
		drv, err := r.choose()
		if err != nil {
			r.fail = noDriver{err}
			return
		}
		k := &core{drv: drv, devices: drv.DeviceCount(), cached: !r.cfg.NoCache}
		if r.cfg.Device != nil {
			if k.chosen, k.how, err = r.cfg.Device(k.devices); err != nil {
				r.fail = noDriver{err}
				return
			}
		}
		k.waiter, _ = drv.(driver.Waiter)
		k.sites, _ = drv.(driver.SiteTeller)
		k.graphs, _ = drv.(driver.Grapher)
		r.informDriver(k)
		for i := range k.views {
			k.views[i] = meter{drv: drv, stats: &r.stats, modules: r, call: i}
			k.memoryViews[i] = memoryView{meter: &k.views[i], k: k, r: r}
		}
		if k.graphs != nil {
			k.graphCalls = &meteredGraphs{&k.views[launchKernel], k.graphs}
		}
		if jit, ok := drv.(driver.JIT); ok {
			k.jit = &meteredJIT{&k.views[moduleLoadJIT], jit}
		}
		k.pool = streampool.New(streampool.Config{
			Devices: k.devices,
			Failed:  func(err error) { r.report(callNames[streamDestroy], err) },
			Changed: r.forgetStreams,
			Abandoned: func(e *streampool.Entry) {
				if k.memory != nil {
					k.memory.abandoned[e.Device()].Submitted()
				}
			},
		})
		if k.cached {
			for i := range k.devices {
				k.nulls = append(k.nulls, k.pool.AddQueue(i, false))
			}
		}
		if r.cfg.TraceEvents {
			r.timeByEvents(k)
		}
		r.openMemory(k)
		k.openResets()
		k.modules = r.newModules(k.drv)
		r.core.Store(k)
		if t := r.cfg.Trace.On(); t != nil {
			r.traceDriver(k, t)
		}
		r.offerFastPath(k)
	})
	return r.core.Load()
}

// informDriver gives the driver what its own reports and times need.
func (r *Runtime) informDriver(k *core) {
	if counter, ok := k.drv.(driver.CallCounter); ok {
		counter.CountCalls(r.calls)
	}
	if timer, ok := k.drv.(driver.KernelTimer); ok && r.stats.timing {
		timer.TimeKernels(r.stats.kernels.worked)
	}
	if k.sites != nil && r.cfg.Process != nil {
		k.sites.NameSites(r.cfg.Process.Symbol)
	}
}

// forgetStreams voids what C knows of streams.
func (r *Runtime) forgetStreams() {
	if r.cfg.FastPath != nil {
		r.cfg.FastPath.ForgetStreams()
	}
}

// choose opens the first driver that can be opened. A setting that one can't be opened with is
// the only reason that it gives.
func (r *Runtime) choose() (driver.Driver, error) {
	var wrong *settings.WrongValue
	if want := r.cfg.Driver; want != "" {
		for _, o := range r.cfg.Drivers {
			if o.Name == want {
				d, err := o.Open()
				if err == nil || errors.As(err, &wrong) {
					return d, err
				}
				return nil, fmt.Errorf("MGPU_DRIVER=%s: %w", want, err)
			}
		}
		return nil, &settings.WrongValue{Name: "MGPU_DRIVER", Value: want, Why: errors.New("it is " + settings.OneOf(r.driverNames()))}
	}
	var reasons []string
	for _, o := range r.cfg.Drivers {
		if o.OnDemand {
			continue
		}
		d, err := o.Open()
		if errors.As(err, &wrong) {
			return nil, err
		}
		if err != nil {
			reasons = append(reasons, fmt.Sprintf("%s: %v", o.Name, err))
			continue
		}
		if o.Fallback {
			reasons = append(reasons, "")
			r.printLine(fmt.Sprintf("mgpu: no GPU found (%s); running on %s",
				strings.TrimSuffix(strings.Join(reasons, "; "), "; "), d.DeviceName(0)))
		}
		return d, nil
	}
	return nil, errors.New(strings.Join(reasons, "; "))
}

func (r *Runtime) driverNames() (names []string) {
	for _, o := range r.cfg.Drivers {
		names = append(names, o.Name)
	}
	return names
}
