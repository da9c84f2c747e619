package hsa

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
	sys := q.gpu.system
	if sys.failed != nil {
		var more []string
		if late := new(emu.Overdue); errors.As(o.err, &late) {
			more = late.Lines()
		}
		sys.failed(fmt.Sprintf("mgpu: queue %d of node %d: %v", q.id, q.gpu.node, o.err), more)
	}
	if sys.abort != nil {
		sys.abort()
	}
	if o.fault != 0 && sys.faulted != nil {
		sys.faulted(q.gpu.node)
	}
	if o.fault != 0 && sys.events.memoryFault(q.gpu.node, o.fault) {
		return
	}
	if q.fails != nil && q.fails(o.code) {
		return
	}
	inactive := load64(q.amd + queueInactive)
	if inactive != 0 && q.reachable(inactive, signalSize) {
		sys.assign(inactive, o.code)
	}
}

// memoryFault sets the events that runtimes wait for to learn of memory faults. It
// returns false if there are none.
func (e *events) memoryFault(node uint32, address uint64) (told bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for id := uint32(1); id <= e.highest; id++ {
		if x := e.list[id]; x != nil && x.kind == MemoryEvent {
			x.fault = MemoryFault{GPU: node, Address: address &^ (page - 1)}
			x.raise()
			told = true
		}
	}
	return told
}
