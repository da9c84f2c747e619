package mgpu

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Hostcalls says how to treat launches of kernels that call the host (print, assert,
// allocate).
type Hostcalls uint8

const (
	HostcallsOff   Hostcalls = iota // launch them like any other
	HostcallsWarn                   // report the first launch of each kernel
	HostcallsError                  // launch none; report the first attempt for each kernel
)

// ParseHostcalls reads "off", "warn" or "error"; empty is off.
func ParseHostcalls(text string) (Hostcalls, error) {
	switch text {
	case "", "off":
		return HostcallsOff, nil
	case "warn":
		return HostcallsWarn, nil
	case "error":
		return HostcallsError, nil
	}
	return HostcallsOff, fmt.Errorf("MGPU_HOSTCALLS=%s: it is off, warn or error", text)
}

// hostCallers holds the kernels that call the host. Empty with HostcallsOff.
type hostCallers struct {
	names    sync.Map // driver.Function -> name, of kernels that call the host
	known    atomic.Int64
	reported sync.Map // names of kernels that were reported
}

// noteHostcalls remembers a function of a module if the kernel calls the host.
func (r *Runtime) noteHostcalls(k *core, m driver.Module, fn driver.Function, name string) {
	if r.cfg.Hostcalls == HostcallsOff {
		return
	}
	if k.hostUse(m, name) != codeobj.HostUseYes {
		r.hostCallers.names.Delete(fn) // the handle may have belonged to an unloaded kernel
		return
	}
	if r.hostCallers.known.Add(1) > maxKernels {
		r.hostCallers.names.Clear()
		r.hostCallers.known.Store(1)
	}
	r.hostCallers.names.Store(fn, strings.Clone(name))
}

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

// mayLaunch reports a kernel that calls the host as Config.Hostcalls says, and returns whether
// to launch the kernel.
func (f *frame) mayLaunch(fn driver.Function) bool {
	if f.r.cfg.Hostcalls == HostcallsOff {
		return true
	}
	v, calls := f.r.hostCallers.names.Load(fn)
	if !calls {
		return true
	}
	name := v.(string)
	refused := f.r.cfg.Hostcalls == HostcallsError
	if _, before := f.r.hostCallers.reported.LoadOrStore(name, true); before {
		return !refused
	}
	if refused {
		f.failed(&driver.Error{Call: fmt.Sprintf("%s(%s)", callNames[f.call], name), Code: driver.NotSupported,
			Detail: fmt.Sprintf("kernel %s calls the host (printf, assert or malloc), which MGPU_HOSTCALLS=error forbids; it is not launched", name)})
		return false
	}
	f.r.printLine(fmt.Sprintf("mgpu: kernel %s calls the host (printf, assert or malloc)", name))
	return true
}
