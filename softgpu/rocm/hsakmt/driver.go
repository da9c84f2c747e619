package hsakmt

// What a driver asks of the GPUs, beside memory (placed.go).

// GPU describes a GPU.
type GPU struct {
	Chip    string // "gfx90a"
	Model   Model
	Memory  uint64 // bytes
	LDS     uint64 // bytes of a workgroup
	XNACK   bool   // it can follow the host's page tables
	SRAMECC bool
}

// GPU describes all GPUs, which are alike.
func (t *Thunk) GPU() GPU {
	return GPU{
		Chip: t.chip.id.String(), Model: *t.chip.model, Memory: t.vram, LDS: uint64(t.gpus[0].machine.LDS()),
		XNACK: t.chip.xnack, SRAMECC: t.chip.sramecc,
	}
}

// GPUs is how many there are. They are nodes 1 to that.
func (t *Thunk) GPUs() int { return len(t.gpus) }

// FollowsPageTables tells whether GPUs may touch whatever the process has mapped.
func (t *Thunk) FollowsPageTables() bool { return t.pageTables }

// FollowPageTables says whether they shall from now on, and returns false where they can't, or where
// there are queues already.
func (t *Thunk) FollowPageTables(on bool) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if on != t.pageTables && (on && !t.chip.xnack || len(t.queues) > 0) {
		return false
	}
	t.pageTables = on
	return true
}

// Charge takes size bytes off a node's memory, and returns false where it has fewer left.
func (t *Thunk) Charge(node uint32, size uint64) bool { return t.charge(node, size, 0) }

// Discharge gives them back.
func (t *Thunk) Discharge(node uint32, size uint64) { t.discharge(node, size, 0) }

// Left is how many bytes of a GPU's memory are not taken.
func (t *Thunk) Left(node uint32) uint64 { return t.vram - t.used[node].Load() }

// SetDebug says where the runtime keeps its list of code objects, struct r_debug; zero: nowhere.
func (t *Thunk) SetDebug(address uint64) { t.debug.Store(address) }

// Now is the clock of all nodes, in nanoseconds.
func Now() uint64 { return now() }

// SystemMemory is how many bytes the host has.
func SystemMemory() uint64 { return systemMemory() }

// Kinds of events.
const (
	SignalEvent = signalEvent
	MemoryEvent = memoryEvent
)

// NewEvent makes an event. It returns 0 if there are too many.
func (t *Thunk) NewEvent(kind uint32, manual bool) (id uint32) {
	t.events.mu.Lock()
	defer t.events.mu.Unlock()
	if x := t.events.create(kind, manual, false); x != nil {
		return x.id
	}
	return 0
}

// RemoveEvent ends an event, and wakes who waits for it.
func (t *Thunk) RemoveEvent(id uint32) bool {
	return t.events.with(id, func(x *event) {
		t.events.list[id] = nil
		x.removed = true
		x.raise()
	})
}

// RaiseEvent sets an event; ClearEvent takes that back.
func (t *Thunk) RaiseEvent(id uint32) bool { return t.events.set(id) }

// ClearEvent resets an event.
func (t *Thunk) ClearEvent(id uint32) bool {
	return t.events.with(id, func(x *event) { x.set = false })
}

// SetMailboxes says where kernels write to events, eight bytes for each id; zero: nowhere.
func (t *Thunk) SetMailboxes(address uint64) {
	t.events.mu.Lock()
	defer t.events.mu.Unlock()
	t.events.boxes = address
}

// Awaited is how a wait has ended.
type Awaited int

// The ends of waits.
const (
	Happened Awaited = iota
	Overdue
	Vanished // an event was removed
	NoEvent  // there is no event with that number
)

// Await waits at most ms milliseconds for events, any of them or all; ages are as in the kernel driver's
// WAIT_EVENTS: what the caller knows, and then what it is. faults gets what memory events tell.
func (t *Thunk) Await(ids []uint32, all bool, ms uint32, ages []uint64) (faults []MemoryFault, _ Awaited) {
	e := &t.events
	e.mu.Lock()
	defer e.mu.Unlock()
	xs := make([]*event, len(ids))
	for i, id := range ids {
		if id >= mostEvents || e.list[id] == nil {
			return nil, NoEvent
		}
		xs[i] = e.list[id]
	}
	faults = make([]MemoryFault, len(ids))
	happened := e.wait(&t.poller, xs, all, ms, ages)
	for i, x := range xs {
		if x.removed {
			return faults, Vanished
		}
		faults[i] = x.fault
	}
	if !happened {
		return faults, Overdue
	}
	return faults, Happened
}

// QueueOptions are those of an AQL queue.
type QueueOptions struct {
	Node        uint32
	Ring, Size  uint64 // address and bytes
	Read, Write uint64 // addresses of the indices
	Percent     uint32 // of the GPU's time; zero: the queue is halted

	// Fails is told the code of an error, as the queue's inactive signal has it, and returns false to have
	// that signal set. nil: the signal is set always.
	Fails func(code uint64) bool
}

// NewQueue makes a queue. Its ring and its indices are memory of the host's.
func (t *Thunk) NewQueue(o QueueOptions) (id uint64, ok bool) {
	if o.Ring == 0 || o.Size < packetSize || o.Size&(o.Size-1) != 0 || o.Read < queueRead || o.Write == 0 {
		return 0, false
	}
	id, _, status := t.newQueue(o.Node, o.Percent, o.Ring, o.Size, o.Read, o.Write, false, o.Fails)
	return id, status == Success
}

// AddDoorbells says where the host rings the doorbells of some queues.
func (t *Thunk) AddDoorbells(lo, size uint64) { t.bells.add(lo, size) }

// DropDoorbells takes that back.
func (t *Thunk) DropDoorbells(lo uint64) { t.bells.drop(lo) }

// EventKind is what an event was made as; no kind where there is none.
func (t *Thunk) EventKind(id uint32) uint32 {
	kind := ^uint32(0)
	t.events.with(id, func(x *event) { kind = x.kind })
	return kind
}

// Sees tells whether a node may touch an address, at which the host has the same.
func (t *Thunk) Sees(node uint32, addr uint64, write bool) bool {
	lo, hi, ok := t.gpus[node-firstGPU].view().Window(addr, write)
	return ok && addr >= lo && addr < hi
}

// Where is where the host has what a node has at an address.
func (t *Thunk) Where(node uint32, addr uint64) (host uint64, ok bool) {
	if t.Sees(node, addr, false) {
		return addr, true
	}
	lo, _, host, ok := t.gpus[node-firstGPU].view().Alias(addr, false)
	return host + addr - lo, ok
}

// Waiters is how many threads wait for an event.
func (t *Thunk) Waiters(id uint32) (n int) {
	t.events.with(id, func(x *event) { n = len(x.waiters) })
	return n
}
