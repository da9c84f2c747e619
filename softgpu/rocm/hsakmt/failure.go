package hsakmt

import (
	"errors"
	"fmt"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/emu"
)

func refused(code uint64, format string, args ...any) outcome {
	return outcome{code: code, err: fmt.Errorf(format, args...)}
}

// fail halts the queue and tells the user and the runtime why. The runtime prints its
// own message, and ends the process unless the program handles errors.
func (q *queue) fail(o outcome) {
	q.halted.Store(true)
	t := q.gpu.thunk
	if t.failed != nil {
		var more []string
		if late := new(emu.Overdue); errors.As(o.err, &late) {
			more = late.Lines()
		}
		t.failed(fmt.Sprintf("mgpu: queue %d of node %d: %v", q.id, q.gpu.node, o.err), more)
	}
	if t.abort != nil {
		t.abort()
	}
	if o.fault != 0 && t.events.memoryFault(q.gpu.node, o.fault, t.release()) {
		return
	}
	inactive := load64(q.amd + queueInactive)
	if inactive != 0 && q.reachable(inactive, signalSize) {
		t.assign(inactive, o.code)
	}
}

// Values in HsaMemoryAccessFault.
const (
	notPresent   = 1
	fatalProcess = 1
)

// memoryFault sets the events that runtimes wait for to learn of memory faults. It
// returns false if there are none.
func (e *events) memoryFault(node uint32, address uint64, r Release) (told bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for id := uint32(1); id <= e.highest; id++ {
		x := e.list[id]
		if x == nil || x.kind != memoryEvent {
			continue
		}
		const data = "EventData.EventData.MemoryAccessFault."
		recordAt(e.slot(id), 0, hsaEvent, r).setAll(values{
			data + "NodeId":         uint64(node),
			data + "VirtualAddress": address &^ (page - 1),
			data + "Failure":        notPresent,
			data + "Flags":          fatalProcess,
		})
		x.raise()
		told = true
	}
	return told
}
