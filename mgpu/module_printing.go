package mgpu

import (
	"github.com/mgpu-runtime/mgpu/internal/locks"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// printing remembers which kernels of the module print that was asked about last: programs look
// up kernels of one module after the other.
type printing struct {
	mu      locks.Mutex[locks.Printing]
	module  driver.Module // zero: none
	kernels map[string]bool
}

// forget drops what is known of a module whose handle may come back.
func (p *printing) forget(module driver.Module) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.module == module {
		p.module, p.kernels = 0, nil
	}
}
