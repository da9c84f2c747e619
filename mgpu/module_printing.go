package mgpu

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// printing remembers which kernels of the module print that was asked about last: programs look
// up kernels of one module after the other.
type printing struct {
	mu      sync.Mutex
	module  driver.Module // zero: none
	kernels map[string]bool
}

// notePrinting notes that frees have to wait if a kernel prints, or calls the host otherwise:
// the program may expect its output when a free has returned, as the driver's waits. Before
// the program gets the kernel.
func (f *frame) notePrinting(module driver.Module, name string) {
	m := f.k.memory
	if m == nil || m.sharedWithHost.Load() {
		return
	}
	p := &f.r.printing
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.module != module {
		p.module, p.kernels = 0, nil
		if !f.k.modules.Inspect(module, func(kind codeobj.Kind, image []byte) { p.kernels = codeobj.Printing(kind, image) }) {
			return
		}
		p.module = module
	}
	if p.kernels[name] {
		f.k.noteShared()
	}
}

// forget drops what is known of a module whose handle may come back.
func (p *printing) forget(module driver.Module) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.module == module {
		p.module, p.kernels = 0, nil
	}
}

// hostUse reports whether a kernel of a module calls the host. It parses the module's image
// each time. Modules that the library did not load count as HostUseMaybe.
func (k *core) hostUse(m driver.Module, name string) codeobj.HostUse {
	use := codeobj.HostUseMaybe
	k.modules.Inspect(m, func(kind codeobj.Kind, image []byte) {
		if uses := codeobj.HostUses(kind, image); uses != nil {
			use = uses[name]
		}
	})
	return use
}
