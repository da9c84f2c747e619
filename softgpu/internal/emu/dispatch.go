package emu

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Flat apertures: generic addresses of LDS and of scratch. No host address has
// these upper halves: user space ends below them and the kernel's begins above.
const (
	SharedBase  uint64 = 0x0001_0000_0000_0000
	PrivateBase uint64 = 0x0002_0000_0000_0000
)

// Dispatch is one run of a kernel over a grid. The exported fields are the
// caller's; the zero value of the others is right, and so is what a finished
// run left in them.
type Dispatch struct {
	Kernel *Kernel
	Grid   [3]uint32 // workgroups, none zero
	Block  [3]uint32 // work-items in a workgroup, none zero, at most 1024 in all
	Last   [3]uint32 // work-items in the last workgroups along each axis; zero: as in the others
	LDS    uint32    // dynamic bytes of workgroup memory
	Mem    wave.Memory
	Watch  Watcher // of a kernel whose program is a watched one

	Profile Profiler // of a kernel whose program's steps are wrapped

	GWS *wave.GWS // of the queue; nil: its launches are not cooperative

	Kernarg uint64 // addresses
	Packet  uint64
	Queue   uint64
	ID      uint64

	// Serve, if there is one, answers what the kernel asks of the host. It is called
	// between turns, by all who run the kernel, and once at the end. An error ends
	// the kernel.
	Serve func() error

	// Fetch, if there is one, finds code outside of the kernel's program.
	Fetch Fetch

	Timeout time.Duration // after which the run is ended; zero: never

	machine *Machine
	serial  uint64        // of this run; never zero
	waves   int           // in a workgroup that is not a last one
	groups  uint64        // in the grid
	next    atomic.Uint64 // next workgroup to start
	stop    atomic.Bool
	fault   atomic.Pointer[Fault]
	sgprs   [16]uint32 // start values that all waves share
	helpers sync.WaitGroup
	help    func() // d.helper, made once
	crew    atomic.Int32
	cores   int
	most    int // workgroups that one worker may have resident
	clock   clock
	order   *disorder // nil: that of the numbers
}

// Turns, in instructions.
const (
	waveTurn  = 4096    // one wave, before the next one of its workgroup
	groupTurn = 1 << 15 // one workgroup, before the next resident one
	firstTurn = 1 << 17 // one workgroup, before the worker starts a second
	soloWork  = 1 << 12 // one worker, before it asks for help with the grid
	startWork = 64      // what a workgroup's start counts as: its registers and LDS are cleared
)

// Machine runs dispatches for one device. It keeps the storage of workgroups
// between them.
type Machine struct {
	chip    encoding.Chip
	limits  chipLimits
	backing Backing
	seed    uint64    // zero: runs are not disturbed
	pauses  *disorder // of the caller's; nil: none

	runs     atomic.Uint64 // so far
	executed atomic.Uint64 // instructions of waves

	mu   sync.Mutex
	free []*group
}

// Backing provides memory that kernels can address.
type Backing interface {
	Alloc(bytes uint64) (addr uint64, err error)
	Free(addr uint64)
}

// NewMachine makes a machine that behaves as chip does. Scratch comes from
// backing.
func NewMachine(chip encoding.Chip, backing Backing) *Machine {
	return &Machine{chip: chip, limits: limits[chip], backing: backing}
}

// Run executes d to its end on the calling goroutine and, where there is enough
// to do, on others. The error, if any, is a *Fault, an *Overdue or one of Backing's.
func (m *Machine) Run(d *Dispatch) error {
	d.machine, d.serial = m, m.runs.Add(1)
	if d.help == nil {
		d.help = d.helper
	}
	d.waves = d.Kernel.wavesOf(d.Block)
	d.groups = uint64(d.Grid[0]) * uint64(d.Grid[1]) * uint64(d.Grid[2])
	d.next.Store(0)
	d.stop.Store(false)
	d.fault.Store(nil)
	d.crew.Store(1)
	d.cores = min(runtime.GOMAXPROCS(0), runtime.NumCPU())
	resident := d.Kernel.occupancy(m.limits, d.waves, d.Kernel.LDS+d.LDS)
	d.most = (resident + d.cores - 1) / d.cores
	d.order = nil
	if m.seed != 0 {
		d.order = newDisorder(m.seed, d.serial, d.groups, resident)
	}
	d.sharedState()
	d.startClock()

	w := worker{d: d}
	err := w.work()
	d.helpers.Wait()
	d.order.pause()
	d.serve()
	if f := d.fault.Load(); f != nil {
		return f
	}
	if o := d.overdue(); o != nil {
		return o
	}
	return err
}

// callHelp starts another worker, if the grid has work and there is a core.
func (d *Dispatch) callHelp() {
	if d.next.Load() >= d.groups {
		return
	}
	if n := d.crew.Load(); int(n) >= d.cores || !d.crew.CompareAndSwap(n, n+1) {
		return
	}
	d.helpers.Add(1)
	go d.help()
}

func (d *Dispatch) helper() {
	defer d.helpers.Done()
	w := worker{d: d}
	if err := w.work(); err != nil {
		d.fail(&Fault{Kernel: d.Kernel.Name, Wave: -1, Lane: -1, Reason: err.Error()})
	}
}

// serve answers what waves ask of the host.
func (d *Dispatch) serve() {
	if d.Serve == nil {
		return
	}
	if err := d.Serve(); err != nil {
		d.fail(&Fault{Kernel: d.Kernel.Name, Wave: -1, Lane: -1, Reason: err.Error()})
	}
}

func (d *Dispatch) fail(f *Fault) {
	d.fault.CompareAndSwap(nil, f)
	d.stop.Store(true)
}

// groupID turns a workgroup's number into its coordinates.
func (d *Dispatch) groupID(n uint64) [3]uint32 {
	gx, gy := uint64(d.Grid[0]), uint64(d.Grid[1])
	return [3]uint32{uint32(n % gx), uint32(n / gx % gy), uint32(n / (gx * gy))}
}

// block is how many work-items the workgroup has.
func (d *Dispatch) block(id [3]uint32) [3]uint32 {
	b := d.Block
	for axis, last := range d.Last {
		if last != 0 && id[axis] == d.Grid[axis]-1 {
			b[axis] = last
		}
	}
	return b
}

// wavesOf is how many waves a workgroup of k has.
func (k *Kernel) wavesOf(block [3]uint32) int {
	return int((block[0]*block[1]*block[2] + k.lanes - 1) / k.lanes)
}

// Executed is how many instructions of waves m has executed so far. Those of
// workers that are still at it are not in it yet.
func (m *Machine) Executed() uint64 { return m.executed.Load() }

// MostWaves is how many waves the chip holds at once.
func (m *Machine) MostWaves() int { return m.limits.units * m.limits.waves * m.limits.simds }

// Resident is how many workgroups of k the chip holds at once: that many may
// wait for each other.
func (m *Machine) Resident(k *Kernel, block [3]uint32, dynamicLDS uint32) int {
	return k.occupancy(m.limits, k.wavesOf(block), k.LDS+dynamicLDS)
}
