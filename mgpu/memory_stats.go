package mgpu

import "github.com/mgpu-runtime/mgpu/alloccache"

// MemoryStats describes a device's memory, managed memory included, and counts allocations and
// frees.
type MemoryStats struct {
	alloccache.Usage
	Waits Waits
}

// Waits counts frees that waited for the device as the driver's free does, by reason.
type Waits struct {
	Shared    uint64 // the host reads memory without an mgpu call
	Foreign   uint64 // the program uses streams of other libraries
	Abandoned uint64 // the program destroyed streams with work pending
}

// All returns the sum.
func (w Waits) All() uint64 { return w.Shared + w.Foreign + w.Abandoned }

// MemoryStats returns a device's statistics; zeros for an unknown device, and if device memory is not cached.
func (r *Runtime) MemoryStats(device int) MemoryStats {
	k := r.core.Load()
	if k == nil || k.memory == nil {
		return MemoryStats{}
	}
	m := k.memory
	if device < 0 || device >= k.devices {
		return MemoryStats{}
	}
	waits := &m.waits[device]
	s := MemoryStats{Usage: m.cache.Usage(alloccache.Device, device).Plus(m.cache.Usage(alloccache.Managed, device)),
		Waits: Waits{waits[hostShared].Load(), waits[foreignStreams].Load(), waits[destroyedStreams].Load() + waits[stuckStreams].Load()}}
	if r.cfg.FastPath != nil && device == 0 {
		reused, waited, deferred := r.cfg.FastPath.Allocations()
		s.Reused, s.Covered, s.Deferred = s.Reused+reused, s.Covered+waited, s.Deferred+deferred
	}
	return s
}

// Devices returns the number of devices; zero before the first call.
func (r *Runtime) Devices() int {
	if k := r.core.Load(); k != nil {
		return k.devices
	}
	return 0
}
