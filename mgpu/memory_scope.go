package mgpu

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// uncached is the handle of every scope where device memory is not kept: such
// scopes do nothing.
const noScope = 1

// AllocCacheCreate makes a scope, whose blocks serve later sessions.
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

// AllocCacheBegin opens a scope for the calling thread, which gives the handle of the
// session with each allocation: see [Origin]. It is zero after a failure.
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

// AllocCacheEnd closes the session, the thread's innermost one, zero if it has none:
// what it has allocated is the scope's. It reports whether the session is closed.
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

// AllocCacheTrim gives the free blocks of a scope, or with zero of all devices and
// scopes, back to the driver, and returns how many bytes they had.
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
	}
	return bytes
}

// AllocCacheDestroy ends a scope, unless a session of it is open. Its blocks serve
// everybody then.
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

// What AllocCacheInfo tells.
const (
	FreeBlocks = iota
	BusyBlocks
	ScopeBytes
)

// AllocCacheInfo tells what a scope has.
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
	f.failed(&driver.Error{Call: callNames[f.call], Name: "invalid value", Code: driver.InvalidValue,
		Detail: "there are free blocks (0), busy blocks (1) and bytes (2)"})
	return 0
}
