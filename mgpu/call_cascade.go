package mgpu

import (
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/locks"
)

// cascade counts calls that fail only because an earlier call failed. The first failure is printed; these are counted.
type cascade struct {
	broken atomic.Bool // a load or a look-up has failed, and returned null
	counts [listedCalls]atomic.Uint64

	mu         locks.Mutex[locks.Cascade]
	undriven   map[string]uint64 // by name: calls after the first one for which no driver could be opened
	toldOfThat bool
}
