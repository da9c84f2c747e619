package hsakmt

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Nothing but the doorbell wakes a queue here: looks are an hour apart.
func TestDoorbellsWakeASleepingQueue(t *testing.T) {
	for _, byCall := range []bool{true, false} {
		h := newHost(t, Options{})
		if byCall {
			h.SetRelease(ROCm7)
		}
		heard := make(chan bool, 1)
		listen := h.poller.listen
		h.poller.sleep = time.Hour
		h.poller.listen = func() bool {
			ok := listen()
			select {
			case heard <- ok:
			default:
			}
			return ok
		}
		q := h.queueOn(firstGPU, 64)
		counter, done := h.alloc(firstGPU, 8), h.signal(1)
		object, args := h.object(count), h.kernargs(counter)
		for n := range uint32(3) {
			if ok := <-heard; !ok {
				t.Skip("this system has no userfaultfd for all: doorbells are polled")
			}
			store64(done+signalValue, 1)
			q.launch(object, args, 64, 64, done)
			if byCall {
				h.QueueRingDoorbell(q.id, 0)
			}
			h.value(done, 0)
			require.Equal(t, 64*(n+1), load32(counter))
		}
	}
}
