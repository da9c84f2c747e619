package hsa

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/mgpu-runtime/mgpu/internal/settings"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/check"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/emu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/profile"
)

// Options describe the GPUs.
type Options struct {
	Chip    string // as LLVM calls it, with features if they matter ("gfx90a:xnack+"); empty: gfx906
	Devices int    // zero: one; at most 63
	Memory  uint64 // bytes of each GPU; zero: half of the machine's
	Check   string // checks, as in MGPU_CHECK; empty: none
	Profile string // profiles, as in MGPU_PROFILE; empty: none
	Stats   bool   // count launches

	Timeout time.Duration // after which a kernel is ended; zero: never

	// Schedule is a seed for unusual orders and pauses, see emu.Machine.Disturb; zero: none.
	Schedule uint64

	// Failed is called for each packet that fails, with a line that has the reason, and further lines.
	// Findings gets the checker's reports, one Write each. Abort is called after the first of either.
	// All may be nil.
	Failed   func(line string, more []string)
	Findings io.Writer
	Abort    func()

	// Faulted is called for each kernel that ends after an invalid access, with its node; nil: not called.
	Faulted func(node uint32)

	// Claimed is called with each range for which HostUnmap must be called when the host unmaps it; nil:
	// the host unmaps nothing by itself.
	Claimed func(lo, hi uint64)
}

const (
	hostNode   = 0
	firstGPU   = 1
	mostGPUs   = 63
	largePages = 2 << 20
)

// System is the state of the GPUs in one process.
type System struct {
	chip       chip
	vram       uint64 // of each GPU
	pageTables bool   // GPUs use the host's page tables: XNACK is on
	timeout    time.Duration
	failed     func(line string, more []string)
	abort      func()
	faulted    func(node uint32)
	claimed    func(lo, hi uint64)
	check      *checking        // nil: kernels are not watched
	ledger     *ledger          // nil: what the program does not free is not looked for
	findings   io.Writer        // the checker's
	profile    *profile.Profile // nil: nor profiled
	stats      *statistics      // nil: nor counted
	debug      atomic.Uint64    // address of the runtime's r_debug, 0 if there is none

	space  space
	events events
	poller poller
	bells  doorbells
	gpus   []*gpu
	used   []atomic.Uint64 // bytes that are allocated, by node
	peaks  []atomic.Uint64 // the most that used has had

	watch     sync.Once // of the doorbells
	mu        sync.Mutex
	queues    map[uint64]*queue // by id
	lastQueue uint64
}

// gpu is one node with a GPU.
type gpu struct {
	system  *System
	node    uint32
	machine *emu.Machine
	kernels kernels
}

// Open makes the GPUs. It fails for a chip that is not known, for more devices than
// Options allow, and for unknown checks.
func Open(o Options) (*System, error) {
	c, err := parseChip(o.Chip)
	if err != nil {
		return nil, &settings.WrongValue{Name: "MGPU_SOFT_CHIP", Value: o.Chip, Why: err}
	}
	if o.Devices <= 0 {
		o.Devices = 1
	}
	if o.Devices > mostGPUs {
		return nil, &settings.WrongValue{Name: "MGPU_SOFT_DEVICES", Value: fmt.Sprint(o.Devices), Why: fmt.Errorf("AMD's runtime takes %d at most", mostGPUs)}
	}
	if o.Memory == 0 {
		o.Memory = SystemMemory() / 2
	}
	if o.Findings == nil {
		o.Findings = io.Discard
	}
	sys := &System{
		chip: c, findings: o.Findings, vram: o.Memory &^ (largePages - 1), timeout: o.Timeout, failed: o.Failed, abort: o.Abort, faulted: o.Faulted, claimed: o.Claimed,
		pageTables: c.xnack, queues: map[uint64]*queue{},
	}
	modes, err := check.ParseModesOfHIP(o.Check)
	if err != nil {
		return nil, &settings.WrongValue{Name: "MGPU_CHECK", Value: o.Check, Why: err}
	}
	sys.check = newChecking(&sys.space, modes, &o)
	if modes.Leak {
		sys.ledger = newLedger()
	}
	told, err := profile.ParseModes(o.Profile)
	if err != nil {
		return nil, &settings.WrongValue{Name: "MGPU_PROFILE", Value: o.Profile, Why: err}
	}
	sys.profile = profile.New(told)
	if o.Stats {
		sys.stats = new(statistics)
	}
	sys.space.guards = sys.check != nil && sys.check.apart
	sys.poller.listen = sys.listen
	sys.events.list = make([]*event, mostEvents)
	sys.used, sys.peaks = make([]atomic.Uint64, firstGPU+o.Devices), make([]atomic.Uint64, firstGPU+o.Devices)
	for i := range o.Devices {
		g := &gpu{system: sys, node: uint32(firstGPU + i)}
		g.machine = emu.NewMachine(c.id, backing{sys, nodeBit(g.node)})
		if o.Schedule != 0 {
			g.machine.Disturb(o.Schedule + uint64(i))
		}
		sys.gpus = append(sys.gpus, g)
	}
	return sys, nil
}

// listen protects the doorbells, so that stores to them wake the poller, and returns whether it could. While a
// kernel runs it can't: one that stores to a doorbell would stop in its goroutine until another lifts the
// protection.
func (sys *System) listen() bool {
	sys.watch.Do(func() { sys.bells.watch(sys.poller.rung) })
	sys.space.mu.RLock() // a dispatch begins before or after, and then lifts the protection
	defer sys.space.mu.RUnlock()
	return len(sys.space.unmaps.running) == 0 && sys.bells.protect(true)
}

// view is the memory that the GPU sees.
func (g *gpu) view() view { return view{&g.system.space, nodeBit(g.node), g.system.pageTables} }

// nodes is how many nodes there are, the host's among them.
func (sys *System) nodes() int { return firstGPU + len(sys.gpus) }

// GPU describes a GPU.
type GPU struct {
	Chip    string // "gfx90a"
	Model   Model
	Memory  uint64 // bytes
	LDS     uint64 // bytes of a workgroup
	Units   uint64 // compute units
	SIMDs   uint64 // of a compute unit
	Waves   uint64 // that a SIMD holds
	XNACK   bool   // it can follow the host's page tables
	SRAMECC bool
}

// GPU describes all GPUs, which are alike.
func (sys *System) GPU() GPU {
	machine := sys.gpus[0].machine
	units, simds, waves := machine.Units()
	return GPU{
		Chip: sys.chip.id.String(), Model: *sys.chip.model, Memory: sys.vram, LDS: uint64(machine.LDS()),
		Units: uint64(units), SIMDs: uint64(simds), Waves: uint64(waves),
		XNACK: sys.chip.xnack, SRAMECC: sys.chip.sramecc,
	}
}

// GPUs returns the number of GPUs. They are nodes 1 to that number.
func (sys *System) GPUs() int { return len(sys.gpus) }

// FollowsPageTables reports whether GPUs may access all memory that the process has mapped.
func (sys *System) FollowsPageTables() bool { return sys.pageTables }

// FollowPageTables sets whether GPUs may access all memory that the process has mapped. It changes nothing and returns
// false if the chip can't do that, or if there are queues.
func (sys *System) FollowPageTables(on bool) bool {
	sys.mu.Lock()
	defer sys.mu.Unlock()
	if on != sys.pageTables && (on && !sys.chip.xnack || len(sys.queues) > 0) {
		return false
	}
	sys.pageTables = on
	return true
}

// SetDebug sets the address of the runtime's list of code objects, struct r_debug. Zero: none.
func (sys *System) SetDebug(address uint64) { sys.debug.Store(address) }

// SystemMemory returns the bytes of the host's memory.
func SystemMemory() uint64 {
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) != nil {
		return 2 << 30
	}
	return uint64(info.Totalram) * uint64(info.Unit)
}

// backing is where a GPU's scratch comes from.
type backing struct {
	system *System
	node   nodeSet
}

// Alloc implements emu.Backing.
func (b backing) Alloc(bytes uint64) (uint64, error) {
	bytes = (bytes + page - 1) &^ (page - 1)
	at, err := mapPages(bytes, page, 0, readWrite)
	if err != nil {
		return 0, err
	}
	s := &b.system.space
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(&Block{lo: at, hi: at + bytes, host: at, kind: internal, mapped: b.node})
	return at, nil
}

// Free implements emu.Backing.
func (b backing) Free(addr uint64) {
	s := &b.system.space
	s.mu.Lock()
	defer s.mu.Unlock()
	if x := s.at(addr); x != nil {
		s.remove(x)
		s.unmapLater(func() { unmapPages(x.lo, x.size()) })
	}
}
