package mgpu

import (
	"github.com/mgpu-runtime/mgpu/internal/locks"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// printing caches which kernels print, for the module of the latest query: programs look up the kernels of one module
// after another.
type printing struct {
	mu      locks.Mutex[locks.Printing]
	module  driver.Module // zero: no module
	kernels map[string]bool
}

// forget removes a module whose handle may be reused.
func (p *printing) forget(module driver.Module) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.module == module {
		p.module, p.kernels = 0, nil
	}
}
