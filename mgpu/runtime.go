package mgpu

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/modulecache"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// Opener opens one kind of driver.
type Opener struct {
	Name string
	Open func() (driver.Driver, error)
	// Fallback marks a driver that needs no device: it is taken when none of
	// those before it opens, and taking it by itself is said on stderr.
	Fallback bool
	// OnDemand marks a driver that is only taken when Config.Driver names it.
	OnDemand bool
}

// Config is what a Runtime needs from its process.
type Config struct {
	Drivers []Opener // in the order in which they are tried
	Driver  string   // the only one to try; empty: the first that opens
	NoCache bool     // every call goes straight to the driver
	Timing  bool     // measure time per function as well as counting
	Memory  MemoryConfig

	Stderr io.Writer // error lines; one Write per line
	Abort  func()    // called after the first error line; nil: go on

	Hostcalls Hostcalls // what happens to kernels that call the host

	Graphs    GraphMode // which launches go through graphs
	GraphsOff string    // why none may, whatever Graphs says; empty: none does

	Process  Process  // nil: nothing is known of the host
	FastPath FastPath // nil: every call enters Go, and is counted there
	// Direct lets the fast path make launches, waits and allocations by itself.
	Direct bool
}

// Process is what the host process knows of its own memory.
type Process interface {
	// Stable reports whether [addr, addr+n) lies in a read-only, file-backed segment
	// of a loaded object, so that the bytes stay until an object is unloaded.
	Stable(addr, n uintptr) bool
	// Symbol names the program text at an address; empty: unknown.
	Symbol(addr uintptr) string
}

// FastPath is the C code in front of a Runtime: it counts calls and answers common
// ones without entering Go. Methods may be called from any thread.
type FastPath interface {
	// Calls counts the calls of a function (a number of the call list), DriverCalls the
	// driver calls that C made for them, DriverTime their nanoseconds where calls are
	// timed.
	Calls(call int) uint64
	DriverCalls(call int) uint64
	DriverTime(call int) uint64
	// GraphLaunches counts launches that C made through one-node graphs, Allocations
	// those that C answered from threads' free lists.
	GraphLaunches() uint64
	Allocations() uint64

	// Offer gives C the driver's calls, once, when the driver is open: see
	// [Runtime.Entry].
	Offer(calls driver.DirectCalls, devices int)
	// ForgetFunctions voids the functions that C has looked up. Called before a module
	// leaves the driver, and when the driver gives one, whose handle may be that of a
	// module that the program has unloaded past the library.
	ForgetFunctions()
	// ForgetStreams voids what [Runtime.Entry] has said of any stream.
	ForgetStreams()
	// StagedCopy is the address of the function that executes a staged download: see
	// staged.
	StagedCopy() uintptr

	alloccache.FreeLists
	// OfferMemory lets C keep free blocks, once, before there are any.
	OfferMemory(MemoryOffer)
}

// Runtime is one process's runtime. The zero value is not usable: see New.
type Runtime struct {
	cfg  Config
	once sync.Once
	core atomic.Pointer[core] // nil until a driver is open
	fail error                // why none is; written once, before once is done

	stats        stats
	hostCallers  hostCallers
	gate         launchgraph.Gate
	graphs       regionGraphs
	kernels      sync.Map     // driver.Function -> *kernel
	kernelsAdded atomic.Int64 // how many went in since names was last emptied
}

// core is what exists once a driver is open.
type core struct {
	drv          driver.Driver
	waiter       driver.Waiter  // nil: the driver waits in Go
	graphs       driver.Grapher // nil: the driver has none
	jit          *meteredJIT    // nil: the driver does not compile
	devices      int
	cached       bool
	pool         *streampool.Pool
	modules      *modulecache.Cache
	nulls        []*streampool.Entry // by device: of the null streams
	cSubmissions submissions
	memory       *memory      // nil: device memory is the driver's
	scratch      plainScratch // of that then
	views        [listedCalls]meter

	memoryViews [listedCalls]memoryView
	graphCalls  launchgraph.Driver // charged to launches; nil: as graphs
}

// New makes a Runtime. The driver is opened by the first call that needs it.
func New(cfg Config) *Runtime {
	r := &Runtime{cfg: cfg}
	r.stats.timing = cfg.Timing
	return r
}

// open returns the core, opening the driver if this is the first call, or nil
// where there is no driver.
func (r *Runtime) open() *core {
	if k := r.core.Load(); k != nil {
		return k
	}
	r.once.Do(func() {
		r.fail = errors.New("opening the driver failed before") // should that panic
		drv, err := r.choose()
		if err != nil {
			r.fail = err
			return
		}
		k := &core{drv: drv, devices: drv.DeviceCount(), cached: !r.cfg.NoCache}
		k.waiter, _ = drv.(driver.Waiter)
		if counter, ok := drv.(driver.CallCounter); ok {
			counter.CountCalls(r.calls)
		}
		k.graphs, _ = drv.(driver.Grapher)
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
		r.openMemory(k)
		k.modules = newModules(&r.cfg)
		r.core.Store(k)
		r.offerFastPath(k)
	})
	return r.core.Load()
}

// forgetStreams tells C that what it knows of streams is void.
func (r *Runtime) forgetStreams() {
	if r.cfg.FastPath != nil {
		r.cfg.FastPath.ForgetStreams()
	}
}

// choose opens the first driver that can be opened.
func (r *Runtime) choose() (driver.Driver, error) {
	if want := r.cfg.Driver; want != "" {
		for _, o := range r.cfg.Drivers {
			if o.Name == want {
				d, err := o.Open()
				if err != nil {
					return nil, fmt.Errorf("MGPU_DRIVER=%s: %w", want, err)
				}
				return d, nil
			}
		}
		return nil, fmt.Errorf("MGPU_DRIVER=%s: no such driver; there are: %s", want, r.driverNames())
	}
	var reasons []string
	for _, o := range r.cfg.Drivers {
		if o.OnDemand {
			continue
		}
		d, err := o.Open()
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

func (r *Runtime) driverNames() string {
	var names []string
	for _, o := range r.cfg.Drivers {
		names = append(names, o.Name)
	}
	return strings.Join(names, ", ")
}
