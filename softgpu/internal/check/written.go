package check

import "sync/atomic"

// Fresh is the value of every byte of a block until it is written. A different value shows that the host has written to
// device memory by its own stores.
const Fresh = 0xa5

// Written says which bytes of a block were written, with a bit for each. It may be used by many goroutines.
type Written struct {
	bits []uint32
}

// NewWritten returns the state of a block of size bytes, none of which is written.
func NewWritten(size uint64) *Written { return &Written{make([]uint32, (size+31)/32)} }

// Mark notes that n bytes at off were written.
func (w *Written) Mark(off, n uint64) {
	for n > 0 {
		at, first := off/32, off%32
		m := min(n, 32-first)
		mask := uint32((uint64(1)<<m - 1) << first)
		if p := &w.bits[at]; atomic.LoadUint32(p)&mask != mask {
			atomic.OrUint32(p, mask)
		}
		off, n = off+m, n-m
	}
}

// Forget notes that n bytes at off are not written.
func (w *Written) Forget(off, n uint64) {
	for n > 0 {
		at, first := off/32, off%32
		m := min(n, 32-first)
		atomic.AndUint32(&w.bits[at], ^uint32((uint64(1)<<m-1)<<first))
		off, n = off+m, n-m
	}
}

// Any reports whether any of n bytes at off, at most 32, was written.
func (w *Written) Any(off, n uint64) bool {
	for n > 0 {
		at, first := off/32, off%32
		m := min(n, 32-first)
		if atomic.LoadUint32(&w.bits[at])&uint32((uint64(1)<<m-1)<<first) != 0 {
			return true
		}
		off, n = off+m, n-m
	}
	return false
}

// All reports whether all of n bytes at off were written.
func (w *Written) All(off, n uint64) bool {
	for n > 0 {
		at, first := off/32, off%32
		m := min(n, 32-first)
		mask := uint32((uint64(1)<<m - 1) << first)
		if atomic.LoadUint32(&w.bits[at])&mask != mask {
			return false
		}
		off, n = off+m, n-m
	}
	return true
}

// Copy copies the state of n bytes at from of src to off of w.
func (w *Written) Copy(off uint64, src *Written, from, n uint64) {
	for n > 0 {
		if off%32 == 0 && from%32 == 0 && n >= 32 {
			atomic.StoreUint32(&w.bits[off/32], atomic.LoadUint32(&src.bits[from/32]))
			off, from, n = off+32, from+32, n-32
			continue
		}
		w.copyByte(off, src, from)
		off, from, n = off+1, from+1, n-1
	}
}

func (w *Written) copyByte(off uint64, src *Written, from uint64) {
	if src.Any(from, 1) {
		w.Mark(off, 1)
	} else {
		w.Forget(off, 1)
	}
}
