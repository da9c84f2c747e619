package mgpu

import (
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// offerFastPath gives the caller the driver calls that it may make by itself. With
// the cache off, or where kernels are asked about, all go through here.
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

// Entry gives the address of what is known of a stream, zero for one of another
// library's. It is true until FastPath.ForgetStreams is called.
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

// LaunchFailed reports a launch that the caller made by itself; status is what the
// call gave.
func (r *Runtime) LaunchFailed(function uintptr, status int32) {
	k := r.core.Load()
	f := frame{meter: &k.views[launchKernel], k: k, r: r, c: r.stats.counters(launchKernel)}
	f.failed(r.withKernelName(k.waiter.Status(callNames[launchKernel], status), function))
}

// SynchronizeFailed is LaunchFailed for a wait for a stream.
func (r *Runtime) SynchronizeFailed(stream uintptr, status int32) {
	k := r.core.Load()
	f := frame{meter: &k.views[streamSynchronize], k: k, r: r, c: r.stats.counters(streamSynchronize)}
	f.failed(r.withGraphKernels(k.waiter.Status(callNames[streamSynchronize], status), stream))
}
