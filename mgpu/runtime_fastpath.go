package mgpu

import (
	"errors"
	"fmt"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// cFunctions returns the driver's C functions; false if C may not call them.
func (r *Runtime) cFunctions(k *core) (driver.CFunctions, bool) {
	d, ok := k.drv.(driver.CCaller)
	if !ok || r.cfg.FastPath == nil || !r.cfg.CallsInC {
		return driver.CFunctions{}, false
	}
	calls := d.CFunctions()
	return calls, calls.LaunchKernel != 0
}

// offerStreams passes the address of the list of streams to the fast path.
func (r *Runtime) offerStreams(k *core) {
	if _, ok := r.cFunctions(k); ok {
		r.cfg.FastPath.OfferStreams(k.pool.Roster())
	}
}

// offerFastPath passes the driver's C functions to the fast path.
func (r *Runtime) offerFastPath(k *core) {
	calls, ok := r.cFunctions(k)
	if !ok {
		return
	}
	o := PathOffer{Calls: calls, Devices: k.devices, OneNode: k.cached && r.whyNoOneNode(k) == "", Cached: k.cached}
	if m := k.memory; m != nil && m.asksAddresses() {
		o.Addresses = m.addresses.address()
	}
	k.resets.inC = k.devices == 1 && calls.MemoryNumber != 0
	r.cfg.FastPath.Offer(o)
}

// Entry returns the address of a stream's entry in the pool, zero for a foreign stream. The address is valid until
// FastPath.ForgetStreams is called.
func (r *Runtime) Entry(stream uintptr) uintptr {
	k := r.core.Load()
	if k == nil || !k.cached {
		return 0
	}
	if e := k.pool.FindStream(stream); e != nil {
		return e.Address()
	}
	return 0
}

// LaunchFailed reports a failed launch that C made; status is the driver's result.
func (r *Runtime) LaunchFailed(function uintptr, status int32) {
	k := r.core.Load()
	f := r.frameOf(k, launchKernel)
	f.failedOn(function, r.withKernelName(k.waiter.Status(callNames[launchKernel], status), function))
}

// CallFailed reports a failed driver call that C made for a function of the call list. stream is the stream of the
// call, or zero. status is the driver's result.
func (r *Runtime) CallFailed(call int, stream uintptr, status int32) {
	k := r.core.Load()
	f := r.frameOf(k, call)
	f.failed(r.regions.Explain(k.waiter.Status(callNames[call], status), stream))
}

// LoadFailed reports a failed load that C made; the load compiled if call is mgpuModuleLoadJIT. LoadFailed makes the
// load again for the details of the error, which a status does not have.
func (r *Runtime) LoadFailed(call int, image uintptr, opt, status int32) {
	k := r.core.Load()
	f := r.frameOf(k, call)
	if call == moduleLoadJIT && k.jit == nil {
		f.failed(f.noCompiler())
		return
	}
	device, err := f.device()
	if f.failed(err) {
		return
	}
	var m driver.Module
	if call == moduleLoadJIT {
		m, _, err = k.modules.LoadJIT(k.jit, device, image, int(opt))
	} else {
		m, _, err = k.modules.Load(f.meter, device, image)
	}
	if err == nil { // the second load succeeded
		_, _ = k.modules.Unload(f.meter, m)
		err = k.waiter.Status(callNames[call], status)
	}
	f.failed(err)
}

// FunctionFailed reports a failed look-up that C made. name is the address of the name.
func (r *Runtime) FunctionFailed(name uintptr, status int32) {
	k := r.core.Load()
	f := r.frameOf(k, moduleGetFunction)
	err := k.waiter.Status(callNames[moduleGetFunction], status)
	var e *driver.Error
	if text, ok := cString(name); ok && errors.As(err, &e) {
		named := *e
		named.Call = fmt.Sprintf("%s(%s)", e.Call, text)
		err = &named
	}
	f.failed(err)
}
