package mgpu

import (
	"github.com/mgpu-runtime/mgpu/internal/locks"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// behindFrees holds, for each stream, an event that is recorded after the work that frees left pending.
type behindFrees struct {
	mu locks.Mutex[locks.BehindFrees]
	of map[*streampool.Entry]*behindFree
}

// behindFree is the event of one stream. Its lock is held across driver calls, so that a thread that needs the event
// waits until it is recorded.
type behindFree struct {
	mu    locks.Mutex[locks.BehindFree]
	event driver.Event // zero: no event
	count uint64       // number of the latest submission before the event
	frees uint64       // count of frees before the event: it is recorded after all that they noted
}

// get returns the event of a stream; a new one has no event recorded. many means that some events may belong to streams
// that are gone.
func (a *behindFrees) get(e *streampool.Entry) (b *behindFree, many bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if b = a.of[e]; b != nil {
		return b, false
	}
	if a.of == nil {
		a.of = map[*streampool.Entry]*behindFree{}
	}
	b = &behindFree{}
	a.of[e] = b
	return b, len(a.of)%64 == 0
}

// lose forgets the events of a device, after the driver has destroyed them.
func (a *behindFrees) lose(device int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for e := range a.of {
		if e.Device() == device {
			delete(a.of, e)
		}
	}
}
