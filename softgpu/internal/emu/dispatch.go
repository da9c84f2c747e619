package emu

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Flat apertures: generic addresses of LDS and of scratch. No host address has these upper halves, since user space
// ends below them and the kernel's space begins above.
const (
	SharedBase  uint64 = 0x0001_0000_0000_0000
	PrivateBase uint64 = 0x0002_0000_0000_0000
)

// Dispatch is one run of a kernel over a grid. The caller sets the exported fields. The other fields may be zero, or
// have the values of a finished run.
type Dispatch struct {
	Kernel *Kernel
	Grid   [3]uint32 // workgroups, none zero
	Block  [3]uint32 // work-items in a workgroup, none zero, at most 1024 in all
	Last   [3]uint32 // work-items in the last workgroups along each axis; zero: as in the others
	LDS    uint32    // dynamic bytes of workgroup memory
	Mem    wave.Memory
	Watch  Watcher // required if the kernel's program is Watched

	Profile Profiler // required if the kernel's program has Around

	GWS *wave.GWS // of the queue; nil: its launches are not cooperative

	Kernarg uint64 // addresses
	Packet  uint64
	Queue   uint64
	ID      uint64

	// Serve, if it is not nil, answers the kernel's calls to the host. All goroutines that run the kernel call it
	// between turns, and it is called once at the end. An error ends the kernel.
	Serve func() error

	// Fetch, if it is not nil, finds code outside of the kernel's program.
	Fetch Fetch

	Timeout time.Duration // after this time the run is ended; zero: never

	machine *Machine
	serial  uint64 // number of this run; never zero
	waves   int    // waves of a workgroup that is not one of the last
	groups  uint64 // in the grid
	stop    atomic.Bool
	fault   atomic.Pointer[Fault]
	sgprs   [mostUserSGPRs]uint32 // initial values that all waves share
	helpers sync.WaitGroup
	help    func() // d.helper, made once
	crew    atomic.Int32
	cores   int
	most    int // most resident workgroups of one worker
	clock   clock
	order   *disorder // nil: in the order of the numbers

	_    [64]byte
	next atomic.Uint64 // next workgroup to start; on a cache line of its own, since all workers change it
	_    [64]byte
}

// Turns, in instructions.
const (
	waveTurn  = 4096    // of one wave, before the next one of its workgroup
	groupTurn = 1 << 15 // of one workgroup, before the next resident one
	firstTurn = 1 << 17 // of one workgroup, before the worker starts a second one
	soloWork  = 1 << 12 // of one worker, before it asks for another worker
	startWork = 64      // cost of starting a workgroup, whose registers and LDS are cleared
)

// Machine runs dispatches for one device. It keeps the storage of workgroups for reuse.
type Machine struct {
	chip    encoding.Chip
	limits  chipLimits
	backing Backing
	seed    uint64    // zero: runs are not disturbed
	pauses  *disorder // for Pause; nil: none

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

// NewMachine makes a machine that behaves like chip. Scratch memory comes from backing.
func NewMachine(chip encoding.Chip, backing Backing) *Machine {
	return &Machine{chip: chip, limits: limits[chip], backing: backing}
}

// Run executes d to its end on the calling goroutine and, if there is enough work, on others. The error is a *Fault, an
// *Overdue, or an error of Backing.
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

// callHelp starts another worker, if the grid has work left and a core is free.
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

// serve answers the calls of waves to the host.
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

// groupID converts a workgroup's number to its coordinates.
func (d *Dispatch) groupID(n uint64) [3]uint32 {
	gx, gy := uint64(d.Grid[0]), uint64(d.Grid[1])
	return [3]uint32{uint32(n % gx), uint32(n / gx % gy), uint32(n / (gx * gy))}
}

// block returns the workgroup's number of work-items.
func (d *Dispatch) block(id [3]uint32) [3]uint32 {
	b := d.Block
	for axis, last := range d.Last {
		if last != 0 && id[axis] == d.Grid[axis]-1 {
			b[axis] = last
		}
	}
	return b
}

// wavesOf returns the number of waves of a workgroup of k.
func (k *Kernel) wavesOf(block [3]uint32) int {
	return int((block[0]*block[1]*block[2] + k.lanes - 1) / k.lanes)
}

// Executed returns the number of instructions of waves that m has executed, without those of running workers.
func (m *Machine) Executed() uint64 { return m.executed.Load() }

// Units returns how many compute units the chip has, the SIMDs of each, and the waves that each SIMD holds.
func (m *Machine) Units() (units, simds, waves int) {
	return m.limits.units, m.limits.simds, m.limits.waves
}

// MostWaves returns the number of waves that the chip holds at once.
func (m *Machine) MostWaves() int { return m.limits.units * m.limits.waves * m.limits.simds }

// Resident returns the number of workgroups of k that the chip holds at once. That many may wait for each other.
func (m *Machine) Resident(k *Kernel, block [3]uint32, dynamicLDS uint32) int {
	return k.occupancy(m.limits, k.wavesOf(block), k.LDS+dynamicLDS)
}
