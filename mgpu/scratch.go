package mgpu

import "github.com/mgpu-runtime/mgpu/alloccache"

// Scratch gives a buffer of device memory, at least so large, that belongs to the
// key, the current device and the stream: the same one each time, unless it has to
// grow. Zero bytes give what there is, and zero if there is nothing. Without the
// cache of device memory there are no such buffers.
func (r *Runtime) Scratch(key uintptr, bytes uint64, stream uintptr, site uintptr) uintptr {
	f, ok := r.enter(scratch)
	if !ok {
		return 0
	}
	defer f.leave()
	m := f.k.memory
	if m == nil {
		f.rejected(f.unsupported("buffers that last: device memory is not kept"))
		return 0
	}
	device, err := f.device()
	if f.rejected(err) {
		return 0
	}
	p, o, err := m.scratch.Get(f.memory(), key, alloccache.Request{Device: device, Kind: alloccache.Device, Bytes: bytes,
		Stream: stream, Row: scratch, Site: site})
	if f.rejected(err) {
		return 0
	}
	if o == alloccache.Allocated {
		f.miss()
	}
	return p
}
