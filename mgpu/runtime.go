package mgpu

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"

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

	// Calls tells how often the function of that name was called, where the
	// caller counts by itself; nil: the Runtime does.
	Calls func(name string) uint64
	// Unloading is called before a module really leaves the driver, and when the
	// driver gives a new one, whose handle may be that of a module that the program
	// has taken to the driver by itself: answers kept elsewhere end there. Nil:
	// nobody keeps any.
	Unloading func()

	// Direct is given, once the driver is open, the calls that the caller may make
	// by itself: see [Runtime.Entry]. Nil: it makes none. Statistics then get the
	// number of those calls from DriverCalls. StreamsChanged is called when what
	// Entry said of any handle is no longer true.
	Direct         func(calls driver.DirectCalls, devices int)
	DriverCalls    func(name string) uint64
	DriverTime     func(name string) uint64 // nanoseconds of those calls, where calls are timed
	StreamsChanged func()

	// Graphs says which launches go through graphs; GraphsOff why none may, empty if
	// that is left to Graphs. GraphLaunches counts those that the caller made.
	Graphs        GraphMode
	GraphsOff     string
	GraphLaunches func() uint64

	// StagedCopy is the address of the C function that executes a staged download: see
	// staged. Zero: no copy is staged.
	StagedCopy uintptr

	// HandHits tells how many allocations C code answered from threads' hands: see
	// MemoryConfig. Symbol says what program text an address is of. Nil: none, and
	// nothing.
	HandHits func() uint64
	Symbol   func(addr uintptr) string

	// Stable tells whether [addr, addr+n) lies in a read-only, file-backed
	// segment of a loaded object, so that it stays what it is until an object is
	// unloaded. Nil: never.
	Stable func(addr, n uintptr) bool
}

// Runtime is one process's runtime. The zero value is not usable: see New.
type Runtime struct {
	cfg  Config
	once sync.Once
	core atomic.Pointer[core] // nil until a driver is open
	fail error                // why none is; written once, before once is done

	stats   stats
	callers callers
	gate    launchgraph.Gate
	graphs  graphs
	names   sync.Map     // driver.Function -> *kernel
	named   atomic.Int64 // how many went in since names was last emptied
}

// core is what exists once a driver is open.
type core struct {
	drv     driver.Driver
	waiter  driver.Waiter  // nil: the driver waits in Go
	graphs  driver.Grapher // nil: the driver has none
	jit     *meteredJIT    // nil: the driver does not compile
	devices int
	cached  bool
	pool    *streampool.Pool
	modules *modulecache.Cache
	nulls   []*streampool.Entry // by device: of the null streams
	memory  *memory             // nil: device memory is the driver's
	views   [maxCalls]meter

	memoryViews [maxCalls]memoryView
	graphCalls  launchgraph.Driver // charged to launches; nil: as graphs
}

// New makes a Runtime. The driver is opened by the first call that needs it.
func New(cfg Config) *Runtime {
	r := &Runtime{cfg: cfg}
	r.stats.timing = cfg.Timing
	r.stats.unloading = cfg.Unloading
	r.stats.unloaded = r.moduleGone
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
			k.views[i] = meter{drv: drv, stats: &r.stats, row: i}
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
			Changed: r.cfg.StreamsChanged,
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
		r.offerDirect(k)
	})
	return r.core.Load()
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
			r.say(fmt.Sprintf("mgpu: no GPU found (%s); running on %s",
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
