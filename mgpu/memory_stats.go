package mgpu

import "github.com/mgpu-runtime/mgpu/alloccache"

// MemoryStats is what there is of a device's memory, managed memory included, and
// what happened.
type MemoryStats struct {
	alloccache.Usage
	Waits  Waits
	Pinned uint64 // bytes of page-locked host memory, the library's own
	Staged uint64 // copies by way of page-locked memory
}

// Waits counts frees that waited for the device, as the drivers' do, by their reason.
type Waits struct {
	Shared    uint64 // the program sees memory without a further call
	Foreign   uint64 // it uses streams of other libraries
	Abandoned uint64 // it destroyed streams with work pending
}

// All is how many there were for whatever reason.
func (w Waits) All() uint64 { return w.Shared + w.Foreign + w.Abandoned }

// MemoryStats returns what there is; zeros for a device that does not exist, and
// where device memory is not kept.
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
		Waits:  Waits{waits[hostShared].Load(), waits[foreignStreams].Load(), waits[destroyedStreams].Load()},
		Pinned: m.cache.Usage(alloccache.Pinned, device).Reserved, Staged: m.downloads.counts[device].Load()}
	if r.cfg.FastPath != nil && device == 0 {
		s.Reused += r.cfg.FastPath.Allocations()
	}
	return s
}

// Devices is the number of devices, zero before the first call.
func (r *Runtime) Devices() int {
	if k := r.core.Load(); k != nil {
		return k.devices
	}
	return 0
}
