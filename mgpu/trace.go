package mgpu

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/internal/count"
	"github.com/mgpu-runtime/mgpu/internal/trace"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// The runtime's part of the timeline: driver calls, outcomes, lines, and the names of handles.

// TraceBegins passes a recorder what it needs before the first record: the names of calls and, if a driver is open, the
// driver and the kernels.
func (r *Runtime) TraceBegins(t *trace.Recorder) {
	t.Calls(callNames[:])
	if k := r.core.Load(); k != nil {
		r.traceDriver(k, t)
	}
	r.kernels.Range(func(function, k any) bool {
		t.Kernel(function.(uintptr), k.(*kernel).name)
		return true
	})
}

// TraceRefused reports why a program's call starts no timeline. It opens the driver, which has the name of the error.
func (r *Runtime) TraceRefused(why error) {
	if r.core.Load() == nil {
		r.open()
	}
	r.report(callNames[traceStart], &driver.Error{Call: callNames[traceStart], Code: driver.InvalidValue, Detail: why.Error()})
}

func (r *Runtime) traceDriver(k *core, t *trace.Recorder) {
	var devices []string
	for i := range k.devices {
		devices = append(devices, k.drv.DeviceName(i))
	}
	t.Driver(k.drv.Name(), devices)
}

// traceMemory records a device's memory usage.
func (f *frame) traceMemory(device int) {
	t := f.r.cfg.Trace.On()
	if t == nil || f.k.memory == nil {
		return
	}
	u := f.k.memory.cache.Usage(alloccache.Device, device).Plus(f.k.memory.cache.Usage(alloccache.Managed, device))
	t.Counter(trace.MemoryLive, device, u.Live)
	t.Counter(trace.MemoryCached, device, u.Cached)
}

// traceFlush records that the driver lacked memory.
func (r *Runtime) traceFlush(device int, wanted, released uint64) {
	if t := r.cfg.Trace.On(); t != nil {
		t.Instant(trace.Note, fmt.Sprintf("device %d has no memory for %s: the cache released %d", device, count.Of(wanted, "byte"), released))
	}
}

// lastVerdict returns a device's latest verdict on one-node graphs; empty if there is none.
func (r *Runtime) lastVerdict() string {
	all := r.gate.Verdicts()
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1].String()
}
