package mgpu

import (
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/locks"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// canary is an allocation of the library's own on a device: if it is gone, the program has reset
// the device.
type canary struct {
	at driver.Ptr
	id uint64
}

const canaryBytes = 256

// resets notices devices that the program resets by the vendor's library.
type resets struct {
	teller   driver.Resetter // nil: devices can't be reset
	canaries []atomic.Pointer[canary]
	count    atomic.Uint64 // of all devices
	inC      bool          // C looks, before it calls Go

	noticing locks.Mutex[locks.ResetNotice] // held while a reset device's things are forgotten

	mu       locks.Mutex[locks.Canaries]
	oneNodes map[driver.GraphExec]uint64 // graphs of one launch, and count when they were made
}

// madeOneNode notes a graph of one launch, and droppedOneNode forgets it: it returns false if the
// device may have been reset since.
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
