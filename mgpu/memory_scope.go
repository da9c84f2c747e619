package mgpu

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// noScope is the handle of every scope if device memory is not cached. Such scopes do nothing.
const noScope = 1

// AllocCacheCreate makes a scope and returns its handle. Blocks of the scope are reused by its
// later sessions.
func (r *Runtime) AllocCacheCreate() uintptr {
	f, ok := r.enter(allocCacheCreate)
	if !ok {
		return 0
	}
	defer f.leave()
	if f.k.memory == nil {
		return noScope
	}
	return f.k.memory.cache.CreateScope()
}

// AllocCacheBegin opens a session of a scope for the calling thread and returns its handle; zero after a failure. The
// thread passes the handle with each allocation: see [Origin].
func (r *Runtime) AllocCacheBegin(cache uintptr) uintptr {
	f, ok := r.enter(allocCacheBegin)
	if !ok {
		return 0
	}
	defer f.leave()
	if f.k.memory == nil {
		return noScope
	}
	session, err := f.k.memory.cache.Begin(cache)
	f.failed(err)
	return session
}

// AllocCacheEnd closes the thread's innermost session (zero: it has none) and reports whether the session is closed.
// The session's blocks return to the scope.
func (r *Runtime) AllocCacheEnd(cache, session uintptr) bool {
	f, ok := r.enter(allocCacheEnd)
	if !ok {
		return false
	}
	defer f.leave()
	if f.k.memory == nil {
		return session != 0
	}
	return !f.failed(f.k.memory.cache.End(f.memory(), cache, session))
}

// AllocCacheTrim frees the unused blocks of a scope, or for zero those of all devices and scopes. It returns the number
// of bytes.
func (r *Runtime) AllocCacheTrim(cache uintptr) (bytes uint64) {
	f, ok := r.enter(allocCacheTrim)
	if !ok {
		return 0
	}
	defer f.leave()
	m := f.k.memory
	switch {
	case m == nil:
	case cache != 0:
		var err error
		bytes, err = m.cache.TrimScope(f.memory(), cache)
		f.failed(err)
	default:
		for device := range f.k.devices {
			bytes += m.cache.Flush(f.memory(), device)
		}
		f.dropCheckpoints()
		f.dropFollowEvents(true)
	}
	return bytes
}

// AllocCacheDestroy ends a scope, unless a session of it is open. Its blocks go to the general
// cache.
func (r *Runtime) AllocCacheDestroy(cache uintptr) {
	f, ok := r.enter(allocCacheDestroy)
	if !ok {
		return
	}
	defer f.leave()
	if f.k.memory != nil {
		f.failed(f.k.memory.cache.DestroyScope(f.memory(), cache))
	}
}

// Selectors of AllocCacheInfo.
const (
	FreeBlocks = iota
	BusyBlocks
	ScopeBytes
)

// AllocCacheInfo returns a count or size of a scope.
func (r *Runtime) AllocCacheInfo(cache uintptr, what int32) uint64 {
	f, ok := r.enter(allocCacheInfo)
	if !ok {
		return 0
	}
	defer f.leave()
	if f.k.memory == nil {
		return 0
	}
	i, err := f.k.memory.cache.ScopeInfo(cache)
	if f.failed(err) {
		return 0
	}
	switch what {
	case FreeBlocks:
		return i.Free
	case BusyBlocks:
		return i.Busy
	case ScopeBytes:
		return i.Bytes
	}
	f.failed(&driver.Error{Call: callNames[f.call], Code: driver.InvalidValue,
		Detail: fmt.Sprintf("what=%d: it is %d (free blocks), %d (busy blocks) or %d (bytes)", what, FreeBlocks, BusyBlocks, ScopeBytes)})
	return 0
}
