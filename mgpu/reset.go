package mgpu

import (
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/locks"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// canary is an allocation by the library on a device. If it is gone, the program has reset the device.
type canary struct {
	at driver.Ptr
	id uint64
}

const canaryBytes = 256

// resets detects devices that the program resets through the driver's own library.
type resets struct {
	teller   driver.Resetter // nil: devices can't be reset
	canaries []atomic.Pointer[canary]
	count    atomic.Uint64 // number of resets of all devices
	inC      bool          // C checks before it calls Go

	noticing locks.Mutex[locks.ResetNotice] // locked while the library forgets what it had on a reset device

	mu       locks.Mutex[locks.Canaries]
	oneNodes map[driver.GraphExec]uint64 // graphs of one launch, each with the value of count when it was made
}

// madeOneNode notes a graph of one launch. droppedOneNode forgets it, and returns false if the device may have been
// reset since then.
func (w *resets) madeOneNode(x driver.GraphExec) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.oneNodes[x] = w.count.Load()
}

func (w *resets) droppedOneNode(x driver.GraphExec) (there bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	at, ok := w.oneNodes[x]
	delete(w.oneNodes, x)
	return !ok || at == w.count.Load()
}
