package mgpu

import (
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/internal/locks"
	"github.com/mgpu-runtime/mgpu/internal/trace"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// memory is the state of the device memory that the library caches.
type memory struct {
	cache       *alloccache.Cache
	scratch     *alloccache.Scratch
	knowsPlaces bool // the driver can say what memory is at an address
	addresses   copyAddresses
	fill        Fill
	freeAtOpen  []atomic.Uint64 // bytes free before the first allocation, by device; zero: not queried yet
	listLimit   atomic.Uint64   // bytes that threads' free lists may hold; zero: unknown yet

	// Queues for work that belongs to no stream of the pool: foreign for streams of other libraries that the program
	// has passed, abandoned[device] for streams that were destroyed with work pending.
	foreign   *streampool.Entry
	abandoned []*streampool.Entry

	foreignCapture atomic.Bool     // the foreign stream seen last was being captured
	extents        driver.Extenter // nil: the driver has no such query
	asksExtents    atomic.Bool     // each free asks the driver whether the block is still allocated
	sharedWithHost atomic.Bool     // the program has memory that host and device share, or kernels that print

	waits [][waitReasons]atomic.Uint64 // frees that waited for the device, by device and reason

	mu          locks.Mutex[locks.Checkpoints]
	checkpoints map[*streampool.Entry]checkpoint
	strays      []checkpoint
}

// unknownFree is the assumed free memory of a device if the driver can't tell.
const unknownFree = 8 << 30

// freeAtFirstUse returns how many bytes of a device were free before the first allocation.
func (m *memory) freeAtFirstUse(drv driver.Driver, device int) uint64 {
	if v := m.freeAtOpen[device].Load(); v != 0 {
		return v
	}
	free := uint64(unknownFree)
	if i, ok := drv.(driver.MemInformer); ok {
		if v, _, err := i.MemInfo(); err == nil && v != 0 {
			free = v
		}
	}
	m.freeAtOpen[device].CompareAndSwap(0, max(1, free))
	return m.freeAtOpen[device].Load()
}

// noteShared notes that the program gets memory that the host reads without an mgpu call, or a kernel that prints to
// the host.
func (m *memory) noteShared() {
	if m != nil && !m.sharedWithHost.Load() {
		m.sharedWithHost.Store(true)
	}
}

// waitReason is the reason why a free waits for the device, as the driver's own free does.
type waitReason uint8

//mgpu:enum wait noReason
const (
	hostShared       waitReason = iota // the host sees memory or output without an mgpu call
	foreignStreams                     // the program uses streams of other libraries
	destroyedStreams                   // the program destroyed streams with work pending
	stuckStreams                       // the driver can't be asked about streams that the program may have destroyed
	waitReasons
	noReason
)

// reasonToWait returns why a free waits for the device while work of a source is pending. shared: the host sees memory
// or output of the device without an mgpu call.
//
//mgpu:func free_reason_to_wait
func reasonToWait(source streampool.Source, shared bool) waitReason {
	if shared {
		return hostShared
	}
	if source == streampool.DestroyedStreams {
		return destroyedStreams
	}
	if source == streampool.ForeignStreams {
		return foreignStreams
	}
	return noReason
}

// untold returns the source of pending work on a device that no query or wait covers, except perhaps a wait for the
// device; OwnHandle if there is no such work.
func (m *memory) untold(device int) streampool.Source {
	switch {
	case m.foreign.Pending():
		return m.foreign.Source()
	case m.abandoned[device].Pending():
		return m.abandoned[device].Source()
	}
	return streampool.OwnHandle
}

// waitReasonTexts are the reasons as text.
var waitReasonTexts = [waitReasons]string{
	hostShared:       trace.FreeWaits + ": the host sees memory, or output, of the device",
	foreignStreams:   trace.FreeWaits + ": the program uses streams of other libraries",
	destroyedStreams: trace.FreeWaits + ": the program destroyed streams with work pending",

	stuckStreams: trace.FreeWaits + ": the progress of a stream is not known",
}

// checkpoint is an event that was recorded on a busy stream to measure the stream's progress.
type checkpoint struct {
	event driver.Event // zero: no checkpoint
	count uint64       // number of submissions before the event
}

// takeCheckpoint removes and returns a stream's checkpoint, so that no other thread queries or sets it meanwhile. The
// event is zero if there is no checkpoint.
func (m *memory) takeCheckpoint(e *streampool.Entry) checkpoint {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.checkpoints[e]
	m.checkpoints[e] = checkpoint{}
	return c
}

// setCheckpoint sets a stream's checkpoint. If another thread has set one meanwhile, the event goes into strays until
// dropCheckpoints.
func (m *memory) setCheckpoint(e *streampool.Entry, c checkpoint) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if before := m.checkpoints[e]; before.event != 0 {
		m.strays = append(m.strays, before)
	}
	m.checkpoints[e] = c
}

// asksAddresses reports whether frees need the addresses of copies: the driver knows what memory is at an address, and
// not every free waits for the device anyway.
func (m *memory) asksAddresses() bool {
	return m.knowsPlaces && !m.sharedWithHost.Load()
}
