package hsakmt

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/mgpu-runtime/mgpu/internal/settings"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/emu"
)

// Options say what GPUs there are.
type Options struct {
	Chip    string  // as LLVM calls it, with features if they matter ("gfx90a:xnack+"); empty: gfx906
	Devices int     // zero: one; at most 63
	Memory  uint64  // bytes of each GPU; zero: half of the machine's
	Release Release // of the runtime that calls
	Check   string  // what kernels are watched for, as MGPU_CHECK has it; empty: nothing

	Timeout time.Duration // after which a kernel is ended; zero: never

	// Schedule is a seed for orders and pauses that programs are not used to, see
	// emu.Machine.Disturb; zero: none.
	Schedule uint64

	// Failed is called for each packet that fails, with a line that says why and what else
	// there is to tell. Findings gets the checker's reports, one Write each. Abort is called after
	// the first of either. All may be nil.
	Failed   func(line string, more []string)
	Findings io.Writer
	Abort    func()

	// Claimed is called with each range whose unmapping by the host has to come to HostUnmap; nil: the
	// host unmaps nothing by itself.
	Claimed func(lo, hi uint64)
}

const (
	hostNode   = 0
	firstGPU   = 1
	mostGPUs   = 63
	largePages = 2 << 20
)

// Thunk is the library's state in one process.
type Thunk struct {
	chip       chip
	vram       uint64 // of each GPU
	pageTables bool   // GPUs use the host's page tables: XNACK is on
	timeout    time.Duration
	failed     func(line string, more []string)
	abort      func()
	claimed    func(lo, hi uint64)
	check      *checking     // nil: kernels are not watched
	level      atomic.Uint32 // Release
	debug      atomic.Uint64 // address of the runtime's r_debug, 0 if there is none

	space  space
	arena  arena
	memory vram
	events events
	poller poller
	bells  doorbells
	gpus   []*gpu
	used   []atomic.Uint64 // bytes that are allocated, by node

	watch     sync.Once // of the doorbells
	mu        sync.Mutex
	queues    map[uint64]*queue // by id
	lastQueue uint64
	doorbells []uint64 // of queues that are gone
}

// gpu is one node with a GPU.
type gpu struct {
	thunk   *Thunk
	node    uint32
	machine *emu.Machine
	kernels kernels
}

// Open makes the GPUs. It fails for a chip that is not known, for more devices than
// Options allow, and where the system gives no memory.
func Open(o Options) (*Thunk, error) {
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
		o.Memory = systemMemory() / 2
	}
	t := &Thunk{
		chip: c, vram: o.Memory &^ (largePages - 1), timeout: o.Timeout, failed: o.Failed, abort: o.Abort, claimed: o.Claimed,
		pageTables: c.xnack, queues: map[uint64]*queue{},
	}
	t.level.Store(uint32(o.Release))
	if t.check, err = newChecking(&t.space, &o); err != nil {
		return nil, &settings.WrongValue{Name: "MGPU_CHECK", Value: o.Check, Why: err}
	}
	t.space.guards = t.check != nil && t.check.apart
	t.space.sets = map[nodeSet]uint64{}
	at, err := mapPages(arenaSize, page, 0, readWrite)
	if err != nil {
		return nil, fmt.Errorf("hsakmt: %d bytes for events: %w", arenaSize, err)
	}
	t.arena.next, t.arena.hi = at, at+arenaSize
	t.space.add(&block{lo: at, hi: at + arenaSize, host: at, kind: internal, mapped: everyNode})
	if err := t.bells.open(&t.space); err != nil {
		return nil, fmt.Errorf("hsakmt: %d bytes for doorbells: %w", bellsSize, err)
	}
	t.poller.listen = t.listen
	t.events.open(&t.arena)
	t.memory.open()
	t.used = make([]atomic.Uint64, firstGPU+o.Devices)
	for i := range o.Devices {
		g := &gpu{thunk: t, node: uint32(firstGPU + i)}
		g.machine = emu.NewMachine(c.id, backing{t, nodeBit(g.node)})
		if o.Schedule != 0 {
			g.machine.Disturb(o.Schedule + uint64(i))
		}
		t.gpus = append(t.gpus, g)
	}
	return t, nil
}

// listen makes stores to doorbells wake the poller, and returns whether they do. ROCm 7 rings
// by call. For others the doorbells are protected, unless a kernel runs: a kernel that stores
// to a doorbell would stop in its goroutine until another lifts the protection.
func (t *Thunk) listen() bool {
	if t.release() >= ROCm7 {
		return true
	}
	t.watch.Do(func() { t.bells.watch(t.poller.kick) })
	t.space.mu.RLock() // a dispatch begins before or after, and then lifts the protection
	defer t.space.mu.RUnlock()
	return len(t.space.unmaps.running) == 0 && t.bells.protect(true)
}

// view is the memory that the GPU sees.
func (g *gpu) view() view { return view{&g.thunk.space, nodeBit(g.node), g.thunk.pageTables} }

// nodes is how many nodes there are, the host's among them.
func (t *Thunk) nodes() int { return firstGPU + len(t.gpus) }

// gpuSet is the set of all GPUs.
func (t *Thunk) gpuSet() nodeSet { return (1<<len(t.gpus) - 1) << firstGPU }

func (t *Thunk) release() Release { return Release(t.level.Load()) }

// SetRelease says which release of the runtime calls, where that shows after Open.
func (t *Thunk) SetRelease(r Release) { t.level.Store(uint32(r)) }

func systemMemory() uint64 {
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) != nil {
		return 2 << 30
	}
	return uint64(info.Totalram) * uint64(info.Unit)
}

// backing is where a GPU's scratch comes from.
type backing struct {
	thunk *Thunk
	node  nodeSet
}

// Alloc implements emu.Backing.
func (b backing) Alloc(bytes uint64) (uint64, error) {
	bytes = (bytes + page - 1) &^ (page - 1)
	at, err := mapPages(bytes, page, 0, readWrite)
	if err != nil {
		return 0, err
	}
	s := &b.thunk.space
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(&block{lo: at, hi: at + bytes, host: at, kind: internal, mapped: b.node})
	return at, nil
}

// Free implements emu.Backing.
func (b backing) Free(addr uint64) {
	s := &b.thunk.space
	s.mu.Lock()
	defer s.mu.Unlock()
	if x := s.at(addr); x != nil {
		s.remove(x)
		s.unmapLater(x.lo, x.hi, nil)
	}
}
