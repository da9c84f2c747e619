package mgpu

import (
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/modulecache"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// Runtime is one process's runtime. The zero value is not usable: see New.
type Runtime struct {
	cfg  Config
	once sync.Once
	open func() *core         // opens the driver if necessary; nil if no driver can be opened
	core atomic.Pointer[core] // nil until a driver is open
	fail error                // why no driver could be opened; written within once

	stats        stats
	cascade      cascade
	ledger       ledger
	hostUses     hostUses
	gate         launchgraph.Gate
	regions      regions
	kernels      sync.Map     // driver.Function -> *kernel
	kernelsAdded atomic.Int64 // number of kernels added since kernels was last emptied
}

// core is the state that exists once a driver is open.
type core struct {
	drv          driver.Driver
	waiter       driver.Waiter         // nil: the driver waits in Go
	sites        driver.SiteTeller     // nil: the driver does not need to know where memory was allocated
	graphs       driver.Grapher        // nil: the driver has no graphs
	jit          modulecache.JITDriver // nil: the driver does not compile
	devices      int
	chosen       int    // the device of threads at their start
	how          string // how chosen was chosen; empty: it was not
	cached       bool
	pool         *streampool.Pool
	modules      *modulecache.Cache
	nulls        []*streampool.Entry // entries of the null streams, by device
	cSubmissions submissions
	memory       *memory      // nil: device memory is not cached
	scratch      plainScratch // used if memory is nil
	resets       resets
	followEvents followEvents
	path         FastPath // distinguishes threads; nil: nothing does
	ordered      bool     // streams are ordered with the default stream of their device
	unchecked    bool     // see driver.UncheckedStreams
	views        [listedCalls]view
	graphCalls   launchgraph.Driver // graph calls, charged to launches; nil: as graphs
}

// view is the runtime as one mgpu function uses it: its driver calls are charged to the function.
type view struct {
	*meter
	k *core
	r *Runtime
}
