package mgpu

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Scratch gives a buffer of device memory, at least so large, that belongs to the
// key, the current device and the stream: the same one each time, unless it has to
// grow. Zero bytes give what there is, and zero if there is nothing.
func (r *Runtime) Scratch(key uintptr, bytes uint64, stream uintptr, site uintptr) uintptr {
	f, ok := r.enter(scratch)
	if !ok {
		return 0
	}
	defer f.leave()
	device, err := f.device()
	if f.rejected(err) {
		return 0
	}
	m := f.k.memory
	if m == nil {
		return f.plainScratch(scratchKey{key, stream, device}, bytes)
	}
	p, o, err := m.scratch.Get(f.memory(), key, alloccache.Request{Device: device, Kind: alloccache.Device, Bytes: bytes,
		Stream: stream, Row: scratch, Site: site})
	if f.rejected(err) {
		return 0
	}
	if o == alloccache.Allocated {
		f.countMiss()
	}
	return p
}

// plainScratch are the buffers where device memory is not kept. Each is an allocation of
// the driver's, of as many bytes as were asked for. With MGPU_CACHE=off they end with
// their stream.
type plainScratch struct {
	mu sync.Mutex
	by map[scratchKey]plainBuffer
}

type scratchKey struct {
	key, stream uintptr
	device      int
}

type plainBuffer struct {
	at    driver.Ptr
	bytes uint64
}

// plainScratch is Scratch without a cache. The driver's free waits for work that uses the
// buffer that was too small.
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

func (s *plainScratch) find(key scratchKey) plainBuffer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.by[key]
}

// replace gives a key the larger one of its buffer, which another thread may have
// replaced meanwhile, and b; the other one is to be freed.
func (s *plainScratch) replace(key scratchKey, b plainBuffer) (current, unused plainBuffer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.by[key]; old.bytes >= b.bytes {
		return old, b
	} else if unused = old; s.by == nil {
		s.by = map[scratchKey]plainBuffer{}
	}
	s.by[key] = b
	return b, unused
}

// dropScratch frees the buffers of a stream that is gone: the next one may have another
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
