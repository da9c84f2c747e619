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
	open func() *core         // opens the driver if needed, nil if no driver opens
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
	waiter       driver.Waiter         // nil: the driver waits in Go
	sites        driver.SiteTeller     // nil: the driver tells nobody where memory was allocated
	graphs       driver.Grapher        // nil: the driver has none
	jit          modulecache.JITDriver // nil: the driver does not compile
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
	behindFrees  behindFrees
	path         FastPath // tells threads apart; nil: nobody does
	ordered      bool     // streams are ordered with the default stream of their device
	views        [listedCalls]view
	graphCalls   launchgraph.Driver // graphs, charged to launches; nil: as graphs
}

// view is the runtime as one mgpu function sees it: its driver calls are charged to the function.
type view struct {
	*meter
	k *core
	r *Runtime
}
