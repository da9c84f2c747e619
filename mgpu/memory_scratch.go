package mgpu

import (
	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Scratch returns a buffer of device memory of at least bytes for a key, the current device and a stream. It is the
// same buffer each time, unless it has to grow. Zero bytes return the existing buffer; zero if there is none.
func (r *Runtime) Scratch(key uintptr, bytes uint64, stream uintptr, site uintptr) uintptr {
	f, ok := r.enter(scratch)
	if !ok {
		return 0
	}
	defer f.leave()
	if !f.streamExists(stream) {
		f.counters.others.Add(1)
		return 0
	}
	device, err := f.device()
	if f.rejected(err) {
		return 0
	}
	m := f.k.memory
	if m == nil {
		return f.plainScratch(scratchKey{key, stream, device}, bytes)
	}
	f.noticeReset()
	p, o, err := m.scratch.Get(f.memory(), key, stream, alloccache.Request{Device: device, Kind: alloccache.Device, Bytes: bytes,
		Call: scratch, Site: site})
	if f.rejected(err) {
		return 0
	}
	if o == alloccache.Allocated {
		f.countMiss()
	}
	return p
}

// plainScratch is Scratch without a cache. The driver frees a buffer that is too small, and waits for the work that
// uses it.
func (f *frame) plainScratch(key scratchKey, bytes uint64) uintptr {
	s := &f.k.scratch
	if b := s.find(key); b.bytes >= bytes {
		return uintptr(b.at)
	}
	p, err := f.MemAlloc(bytes)
	if f.rejected(err) {
		return 0
	}
	f.countMiss()
	b, unused := s.replace(key, plainBuffer{p, bytes})
	if unused.at != 0 {
		f.failed(f.MemFree(unused.at))
	}
	return uintptr(b.at)
}

// dropScratch frees the buffers of a destroyed stream: the driver may reuse the stream's
// handle.
func (f *frame) dropScratch(stream uintptr) {
	s := &f.k.scratch
	var gone []driver.Ptr
	s.mu.Lock()
	for key, b := range s.by {
		if key.stream == stream && stream != 0 {
			gone = append(gone, b.at)
			delete(s.by, key)
		}
	}
	s.mu.Unlock()
	for _, p := range gone {
		f.failed(f.MemFree(p))
	}
}
