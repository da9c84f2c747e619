package hsa

import (
	"errors"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Offsets in amd_queue_t, which begins queueRead before its read index.
const (
	queueRead     = 128
	queueInactive = 192
)

const (
	packetSize = 64
	mostQueues = 1024
)

// queue is one AQL queue with the goroutine that executes its packets.
type queue struct {
	gpu   *gpu
	id    uint64
	ring  uint64
	mask  uint64 // packets in the ring, less one
	read  uint64 // addresses of the indices of packets
	write uint64
	amd   uint64 // address of amd_queue_t
	view  view
	gws   atomic.Pointer[wave.GWS] // nil: it has none
	fails func(code uint64) bool   // reports an error, unless it returns false; nil: the inactive signal does

	unheard atomic.Int32 // turns of waves until the poller is told to look at doorbells; 0: it does
	halted  atomic.Bool
	stopped atomic.Bool
	done    chan struct{} // closed when the goroutine is over
}

// QueueOptions describe an AQL queue.
type QueueOptions struct {
	Node        uint32
	Ring, Size  uint64 // address and bytes
	Read, Write uint64 // addresses of the indices
	Percent     uint32 // of the GPU's time; zero: the queue is halted

	// Fails is called with the code of an error, as the queue's inactive signal gets it. If Fails returns false, or is
	// nil, that signal is set.
	Fails func(code uint64) bool
}

// Errors of calls that make, change or end queues.
var (
	ErrQueue     = errors.New("no such queue")
	ErrRing      = errors.New("a queue needs a ring of packets and two indices")
	ErrResources = errors.New("there are no more")
)

// NewQueue makes a queue. Its ring and its indices are memory of the host's.
func (sys *System) NewQueue(o QueueOptions) (id uint64, err error) {
	if o.Ring == 0 || o.Size < packetSize || o.Size&(o.Size-1) != 0 || o.Read < queueRead || o.Write == 0 {
		return 0, ErrRing
	}
	g := sys.gpus[o.Node-firstGPU]
	q := &queue{
		gpu: g, ring: o.Ring, mask: o.Size/packetSize - 1, read: o.Read, write: o.Write, amd: o.Read - queueRead,
		view: g.view(), done: make(chan struct{}), fails: o.Fails,
	}
	q.halted.Store(o.Percent == 0)
	sys.mu.Lock()
	defer sys.mu.Unlock()
	if len(sys.queues) >= mostQueues {
		return 0, ErrResources
	}
	sys.lastQueue++
	q.id = sys.lastQueue
	sys.queues[q.id] = q
	go q.run()
	return q.id, nil
}

func (sys *System) queue(id uint64) *queue {
	sys.mu.Lock()
	defer sys.mu.Unlock()
	return sys.queues[id]
}

// UpdateQueue sets a queue's share of the GPU's time: with 0 percent the queue halts, after the kernel that is running;
// with more it continues.
func (sys *System) UpdateQueue(id uint64, percent uint32) error {
	q := sys.queue(id)
	if q == nil {
		return ErrQueue
	}
	q.halted.Store(percent == 0)
	sys.poller.kick()
	return nil
}

// DestroyQueue ends a queue, and the kernel that it runs.
func (sys *System) DestroyQueue(id uint64) error {
	sys.mu.Lock()
	q := sys.queues[id]
	delete(sys.queues, id)
	sys.mu.Unlock()
	if q == nil {
		return ErrQueue
	}
	q.stopped.Store(true)
	sys.poller.kick()
	<-q.done
	return nil
}

// SetGWS gives a queue the global wave sync that cooperative launches need. Zero resources take it away.
func (sys *System) SetGWS(id uint64, resources uint32) error {
	q := sys.queue(id)
	switch {
	case q == nil:
		return ErrQueue
	case resources > 64:
		return ErrResources
	case resources == 0:
		q.gws.Store(nil)
	default:
		q.gws.CompareAndSwap(nil, new(wave.GWS))
	}
	return nil
}

// run executes packets until the queue is destroyed.
func (q *queue) run() {
	defer close(q.done)
	for {
		q.gpu.system.poller.wait(q.due, q.begin)
		if q.stopped.Load() {
			return
		}
		if q.due() { // else begin has executed the packet
			q.execute()
		}
	}
}

// begin executes the packet that the doorbell announced, if it is a kernel's, while the queue's goroutine sleeps. The caller
// hears no doorbell meanwhile, but none is protected while a kernel runs: if it is not over soon, the poller looks at them.
func (q *queue) begin() {
	if q.stopped.Load() || packetType(load32(q.packet(load64(q.read)))) != dispatchPacket {
		return
	}
	q.unheard.Store(turnsUnheard)
	q.execute()
	q.unheard.Store(0)
}

// turnsUnheard are turns of waves that take a few microseconds at most.
const turnsUnheard = 4

// due reports whether there is something to do: a packet whose header is valid.
func (q *queue) due() bool {
	if q.stopped.Load() {
		return true
	}
	if q.halted.Load() {
		return false
	}
	index := load64(q.read)
	return index < load64(q.write) && packetType(load32(q.packet(index))) != invalidPacket
}

// packet is where the packet with that index is.
func (q *queue) packet(index uint64) uint64 { return q.ring + index&q.mask*packetSize }
