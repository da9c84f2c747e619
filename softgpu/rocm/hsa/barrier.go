package hsa

// The signals that a barrier packet depends on.
const (
	dependsAt   = 8
	mostDepends = 5
)

// barrier waits until all of a packet's signals are zero, or any. A packet without
// signals waits for nothing.
func (q *queue) barrier(at, index uint64, anyOf bool) outcome {
	var signals []uint64
	for i := range uint64(mostDepends) {
		s := load64(at + dependsAt + 8*i)
		if s == 0 {
			continue
		}
		if !q.reachable(s, signalSize) {
			return refused(badPacket, "packet %d: signal %#x of a barrier is not memory of the GPU", index, s)
		}
		signals = append(signals, s)
	}
	if len(signals) == 0 {
		return outcome{}
	}
	return q.until(func() bool {
		zeros := 0
		for _, s := range signals {
			if load64(s+signalValue) == 0 {
				zeros++
			}
		}
		return zeros == len(signals) || anyOf && zeros > 0
	})
}

// until waits for memory to change, or for the queue's end.
func (q *queue) until(ready func() bool) outcome {
	q.gpu.system.poller.wait(func() bool { return q.stopped.Load() || ready() }, nil)
	return outcome{again: q.stopped.Load()}
}
