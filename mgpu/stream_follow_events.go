package mgpu

import (
	"github.com/mgpu-runtime/mgpu/internal/locks"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// followEvents holds the follow event of each stream. A free that does not wait for a stream's work orders the later
// submissions of its thread after that work; they wait for the stream's follow event.
type followEvents struct {
	mu locks.Mutex[locks.FollowEvents]
	of map[*streampool.Entry]*followEvent
}

// followEvent is recorded on one stream, after the work that frees left pending there. Its lock is held across driver
// calls, so that a thread that needs the event waits until it is recorded.
type followEvent struct {
	mu    locks.Mutex[locks.FollowEvent]
	event driver.Event // zero: no event
	count uint64       // number of the latest submission before the event
	asked uint64       // progress of the stream when its progress event was asked last; see followProgress
	frees uint64       // count of frees before the event: it is recorded after all that they noted
}

// get returns the follow event of a stream; a new one has no event recorded. many means that some events may belong to streams
// that are gone.
func (a *followEvents) get(e *streampool.Entry) (b *followEvent, many bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if b = a.of[e]; b != nil {
		return b, false
	}
	if a.of == nil {
		a.of = map[*streampool.Entry]*followEvent{}
	}
	b = &followEvent{}
	a.of[e] = b
	return b, len(a.of)%64 == 0
}

// lose forgets the events of a device, after the driver has destroyed them.
func (a *followEvents) lose(device int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for e := range a.of {
		if e.Device() == device {
			delete(a.of, e)
		}
	}
}

// followed is the result of making a stream wait for the work of another one.
type followed uint8

const (
	follows     followed = iota
	notFollowed          // an event can't be recorded, because the program captures a stream
	needsDevice          // only a wait for the device is known to cover the work
)
