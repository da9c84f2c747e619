package mgpu

import (
	"github.com/mgpu-runtime/mgpu/internal/locks"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// behindFrees holds the events behind work that frees have left pending.
type behindFrees struct {
	mu locks.Mutex[locks.BehindFrees]
	of map[*streampool.Entry]*behindFree
}

// behindFree is the event of one stream. Its lock is held across driver calls: who needs the event
// waits until it is recorded.
type behindFree struct {
	mu    locks.Mutex[locks.BehindFree]
	event driver.Event // zero: none
	count uint64       // the submissions that the event is behind
	frees uint64       // how many frees had been counted before: it is behind what they noted
}

// get returns the event of a stream, without one at first. many: some may be of streams that are gone.
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

// lose forgets the events of a device, which the driver has destroyed.
func (a *behindFrees) lose(device int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for e := range a.of {
		if e.Device() == device {
			delete(a.of, e)
		}
	}
}
