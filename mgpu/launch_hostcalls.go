package mgpu

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Hostcalls is what happens to launches of kernels that call the host: that print,
// assert or allocate.
type Hostcalls uint8

const (
	HostcallsOff   Hostcalls = iota // nothing: they are launched as any other
	HostcallsWarn                   // the first launch of each is reported
	HostcallsError                  // none is launched, and the first attempt is reported
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

// hostCallers knows the kernels that call the host, where somebody wants to.
type hostCallers struct {
	names    sync.Map // driver.Function -> name, of those that do
	known    atomic.Int64
	reported sync.Map // names
}

// noteHostcalls takes note of a function of a module.
func (r *Runtime) noteHostcalls(k *core, m driver.Module, fn driver.Function, name string) {
	if r.cfg.Hostcalls == HostcallsOff {
		return
	}
	if k.hostUse(m, name) != codeobj.HostUseYes {
		r.hostCallers.names.Delete(fn) // its handle may have been another's
		return
	}
	if r.hostCallers.known.Add(1) > maxKernels {
		r.hostCallers.names.Clear()
		r.hostCallers.known.Store(1)
	}
	r.hostCallers.names.Store(fn, strings.Clone(name))
}

// hostUse tells whether a kernel of a module calls the host. It reads the module's
// image each time. Modules that came past the library count as ones that may.
func (k *core) hostUse(m driver.Module, name string) codeobj.HostUse {
	use := codeobj.HostUseMaybe
	k.modules.Inspect(m, func(kind codeobj.Kind, image []byte) {
		if uses := codeobj.HostUses(kind, image); uses != nil {
			use = uses[name]
		}
	})
	return use
}

// mayLaunch reports a kernel that calls the host as Config.Hostcalls wants, and
// whether it may be launched.
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
		f.failed(&driver.Error{Call: fmt.Sprintf("%s(%s)", callNames[f.call], name), Name: "not permitted", Code: driver.NotSupported,
			Detail: fmt.Sprintf("kernel %s calls the host (printf, assert or malloc), which MGPU_HOSTCALLS=error forbids; it is not launched", name)})
		return false
	}
	f.r.printLine(fmt.Sprintf("mgpu: kernel %s calls the host (printf, assert or malloc)", name))
	return true
}
