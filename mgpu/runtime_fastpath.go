package mgpu

import (
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// offerFastPath passes the driver's C functions to the fast path. With the cache off, or
// MGPU_HOSTCALLS set, all calls go through Go.
func (r *Runtime) offerFastPath(k *core) {
	d, ok := k.drv.(driver.Direct)
	if !ok || r.cfg.FastPath == nil || !r.cfg.Direct || !k.cached || r.cfg.Hostcalls != HostcallsOff {
		return
	}
	calls := d.Direct()
	if calls.LaunchKernel == 0 {
		return
	}
	if r.whyNoOneNode(k) != "" {
		calls.GraphLaunch = 0
	}
	r.cfg.FastPath.Offer(calls, k.devices)
}

// Entry returns the address of a stream's entry in the pool, zero for a foreign stream. Valid
// until FastPath.ForgetStreams is called.
func (r *Runtime) Entry(stream uintptr) uintptr {
	k := r.core.Load()
	if k == nil || !k.cached {
		return 0
	}
	if e := k.pool.Find(stream); e != nil && e.Kind() == streampool.Stream {
		return e.Address()
	}
	return 0
}

// LaunchFailed reports a failed launch that C made; status is the driver's.
func (r *Runtime) LaunchFailed(function uintptr, status int32) {
	k := r.core.Load()
	f := frame{meter: &k.views[launchKernel], k: k, r: r, counters: r.stats.counters(launchKernel)}
	f.failed(r.withKernelName(k.waiter.Status(callNames[launchKernel], status), function))
}

// SynchronizeFailed reports a failed wait for a stream that C made; status is the driver's.
func (r *Runtime) SynchronizeFailed(stream uintptr, status int32) {
	k := r.core.Load()
	f := frame{meter: &k.views[streamSynchronize], k: k, r: r, counters: r.stats.counters(streamSynchronize)}
	f.failed(r.withGraphKernels(k.waiter.Status(callNames[streamSynchronize], status), stream))
}
