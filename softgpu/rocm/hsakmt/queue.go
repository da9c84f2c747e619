package hsakmt

import (
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Offsets in amd_queue_t, which begins queueRead before its read index.
const (
	queueRead     = 128
	queueInactive = 192
)

const (
	aqlQueue   = 21 // HSA_QUEUE_COMPUTE_AQL
	packetSize = 64
	mostQueues = 1024
)

// queue is one AQL queue with the goroutine that executes its packets.
type queue struct {
	gpu      *gpu
	id       uint64
	ring     uint64
	mask     uint64 // packets in the ring, less one
	read     uint64 // addresses of the indices of packets
	write    uint64
	doorbell uint64
	amd      uint64 // address of amd_queue_t
	view     view
	gws      atomic.Pointer[wave.GWS] // nil: it has none
	fails    func(code uint64) bool   // reports an error, unless it returns false; nil: the inactive signal does

	halted  atomic.Bool
	stopped atomic.Bool
	done    chan struct{} // closed when the goroutine is over
}

// CreateQueue makes an AQL queue of a ring that the runtime has allocated. The resource
// says where its indices are; the queue's id and doorbell are stored there. Other kinds
// of queues are refused, and the runtime then copies with kernels.
func (t *Thunk) CreateQueue(node, kind, percent uint32, _ int32, ring, size, _, resource uint64) Status {
	switch {
	case int(node) >= t.nodes() || node == hostNode:
		return InvalidNode
	case kind != aqlQueue:
		return NotSupported
	case resource == 0 || ring == 0 || size < packetSize || size&(size-1) != 0:
		return InvalidParameter
	}
	r := recordAt(resource, 0, queueResource, t.release())
	read, write := r.get("QueueRptrValue"), r.get("QueueWptrValue")
	if read < queueRead || write == 0 {
		return InvalidParameter
	}
	id, doorbell, status := t.newQueue(node, percent, ring, size, read, write, true, nil)
	if status != Success {
		return status
	}
	r.set("QueueId", id)
	r.set("QueueDoorBell", doorbell)
	return Success
}

// newQueue makes an AQL queue of a ring of size bytes whose indices are at read and write. With bell it
// gets a doorbell of the thunk's.
func (t *Thunk) newQueue(node, percent uint32, ring, size, read, write uint64, bell bool, fails func(uint64) bool) (id, doorbell uint64, s Status) {
	g := t.gpus[node-firstGPU]
	q := &queue{
		gpu: g, ring: ring, mask: size/packetSize - 1, read: read, write: write, amd: read - queueRead,
		view: g.view(), done: make(chan struct{}), fails: fails,
	}
	q.halted.Store(percent == 0)
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.queues) >= mostQueues {
		return 0, 0, OutOfResources
	}
	if bell {
		if q.doorbell = t.newDoorbell(); q.doorbell == 0 {
			return 0, 0, NoMemory
		}
	}
	t.lastQueue++
	q.id = t.lastQueue
	t.queues[q.id] = q
	go q.run()
	return q.id, q.doorbell, Success
}

// newDoorbell is a slot that nothing rings. mu is held.
func (t *Thunk) newDoorbell() uint64 {
	if last := len(t.doorbells) - 1; last >= 0 {
		at := t.doorbells[last]
		t.doorbells = t.doorbells[:last]
		return at
	}
	return t.bells.alloc(8)
}

// CreateQueueExt is CreateQueue with the number of an SDMA engine.
func (t *Thunk) CreateQueueExt(node, kind, percent uint32, priority int32, _ uint32, ring, size, event, resource uint64) Status {
	return t.CreateQueue(node, kind, percent, priority, ring, size, event, resource)
}

func (t *Thunk) queue(id uint64) *queue {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.queues[id]
}

// UpdateQueue halts a queue, with a share of 0 percent, or lets it go on. A kernel that
// runs is not interrupted.
func (t *Thunk) UpdateQueue(id uint64, percent uint32, _ int32, _, _, _ uint64) Status {
	q := t.queue(id)
	if q == nil {
		return InvalidHandle
	}
	q.halted.Store(percent == 0)
	t.poller.kick()
	return Success
}

// DestroyQueue ends a queue, and the kernel that it runs.
func (t *Thunk) DestroyQueue(id uint64) Status {
	t.mu.Lock()
	q := t.queues[id]
	delete(t.queues, id)
	t.mu.Unlock()
	if q == nil {
		return InvalidHandle
	}
	q.stopped.Store(true)
	t.poller.kick()
	<-q.done
	if q.doorbell != 0 {
		t.mu.Lock()
		t.doorbells = append(t.doorbells, q.doorbell)
		t.mu.Unlock()
	}
	return Success
}

// QueueRingDoorbell is the doorbell of runtimes that call instead of storing.
func (t *Thunk) QueueRingDoorbell(id, _ uint64) Status {
	if t.queue(id) == nil {
		return InvalidHandle
	}
	t.poller.kick()
	return Success
}

// SetQueueCUMask chooses the compute units of a queue. Here they are all alike.
func (t *Thunk) SetQueueCUMask(id uint64, _ uint32, _ uint64) Status {
	if t.queue(id) == nil {
		return InvalidHandle
	}
	return Success
}

// AllocQueueGWS gives a queue the global wave sync that cooperative launches need, or takes
// it back where they need no resources.
func (t *Thunk) AllocQueueGWS(id uint64, resources uint32, first uint64) Status {
	q := t.queue(id)
	switch {
	case q == nil:
		return InvalidHandle
	case resources > 64:
		return OutOfResources
	case resources == 0:
		q.gws.Store(nil)
	default:
		q.gws.CompareAndSwap(nil, new(wave.GWS))
	}
	if first != 0 {
		store32(first, 0)
	}
	return Success
}

// run executes packets until the queue is destroyed.
func (q *queue) run() {
	defer close(q.done)
	for {
		q.gpu.thunk.poller.wait(q.due, true)
		if q.stopped.Load() {
			return
		}
		q.execute()
	}
}

// due tells whether there is something to do: a packet whose header is valid.
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
