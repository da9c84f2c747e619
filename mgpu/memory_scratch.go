package mgpu

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Scratch returns a buffer of device memory of at least bytes for a key on the current device
// and stream: the same one each time, unless it has to grow. Zero bytes return the present
// buffer, zero if there is none.
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

// plainScratch holds the buffers where device memory is not cached. Each is one driver
// allocation of exactly the bytes asked for. With MGPU_CACHE=off a buffer lives until its
// stream is destroyed.
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

// plainScratch is Scratch without a cache. A buffer that is too small is freed by the driver,
// which waits for the work using it.
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

// replace stores the larger one of a key's present buffer and b, and returns both; the caller
// frees the unused one. Another thread may have replaced the buffer meanwhile.
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
