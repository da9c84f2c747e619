package modulecache

import (
	"fmt"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/internal/invariants"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// identity is the index key of a content. Several contents with different bytes may have the same identity.
type identity struct {
	hash   uint64
	length uint64
	device int32
	opt    int16 // JIT optimization level; notText for an image that is not compiled
	kind   codeobj.Kind
}

const notText = -1

// content is an image on a device.
type content struct {
	id identity
	imageCopy
	reason string // why the content is not shared; empty: it is shared
	silent bool   // no kernel prints or calls the host; set before ready is closed
	next   *content

	ready   chan struct{} // closed when the first load has ended
	failed  error         // error of the first load; set before ready is closed
	modules moduleList    // modules to give out; empty if sharing is refused

	used atomic.Uint64 // value of Cache.clock at the last load
	pins atomic.Int32  // number of users of image: calls, the index, unshared modules; the last unpin frees the image

	sites     [16]*site // addresses at which the content was seen; guarded by Cache.mu
	nextSite  int
	instances int // modules that are being loaded, and all modules if sharing is refused; guarded by Cache.mu
}

// pin keeps the image in place until unpin. It fails once the image is gone.
func (t *content) pin() bool {
	for {
		n := t.pins.Load()
		if n == 0 {
			return false
		}
		if t.pins.CompareAndSwap(n, n+1) {
			t.notePin()
			return true
		}
	}
}

// pinIndexed is pin for a content in the index, which itself has a pin. The caller has locked Cache.mu.
func (t *content) pinIndexed() {
	t.pins.Add(1)
	t.notePin()
}

func (t *content) unpin() {
	t.passPin()
	t.dropPin()
}

// passPin makes the pin of a call the pin of the index or of a module. dropPin ends it; without dropPin it lasts for
// good.
func (t *content) passPin() {
	if invariants.Enabled {
		invariants.Gave(invariants.Pin, t)
	}
}

func (t *content) notePin() {
	if invariants.Enabled {
		invariants.Took(invariants.Pin, t)
	}
}

func (t *content) dropPin() {
	if t.pins.Add(-1) == 0 {
		t.free()
	}
}

// touch makes t the most recently used content. If t is that already, touch writes nothing, so that threads that load
// one module in a loop don't share written memory.
func (c *Cache) touch(t *content) {
	if now := c.clock.Load(); t.used.Load() != now || now == 0 {
		t.used.Store(c.clock.Add(1))
	}
}

// loaded is one module of the driver.
type loaded struct {
	module    driver.Module
	of        *content
	functions functions
	copies    copies      // on other devices
	reported  atomic.Bool // a misuse of this handle was reported since the program last had references
	asked     atomic.Bool // the driver was asked whether it has the module: at its first unload

	_        [64]byte     // separates the fields that every load and unload writes
	refs     atomic.Int64 // of the program or of a thread that keeps the module: at most 1 if it is shared; negative: gone
	verified atomic.Uint64
	_        [64]byte
}

const goneRefs = -1 << 40

// acquire takes one more reference to a module that is not shared. It fails if the module is gone.
func (l *loaded) acquire() bool {
	if l.refs.Add(1) > 0 {
		return true
	}
	l.refs.Add(-1)
	return false
}

// checkOut takes the only reference to an unreferenced module.
func (l *loaded) checkOut() bool {
	if l.refs.Load() != 0 || !l.refs.CompareAndSwap(0, 1) {
		return false
	}
	if l.reported.Load() {
		l.reported.Store(false)
	}
	return true
}

// release drops a reference; ok is false if there was none.
func (l *loaded) release() (last, ok bool) {
	for {
		n := l.refs.Load()
		if n <= 0 {
			return false, false
		}
		if l.refs.CompareAndSwap(n, n-1) {
			return n == 1, true
		}
	}
}

// retire makes a module without references gone, together with its functions.
func (l *loaded) retire() bool {
	if !l.refs.CompareAndSwap(0, goneRefs) {
		return false
	}
	l.functions.close()
	return true
}

// misuse returns the error for a call that was given an unloaded module. It returns the error once since the program
// last had a reference, then nil.
func (l *loaded) misuse(call string) error {
	if l.reported.Load() || l.reported.Swap(true) {
		return nil
	}
	return &driver.Error{
		Call: call, Code: driver.InvalidHandle,
		Detail: fmt.Sprintf("module %#x was unloaded before", uintptr(l.module)),
	}
}

// site is an address at which a content was seen.
type site struct {
	key uintptr
	of  *content
}

// siteKey combines a device and an address; zero: don't remember the address.
func siteKey(device int, addr uintptr) uintptr {
	if addr>>48 != 0 || uint(device) >= 1<<15 {
		return 0
	}
	return addr | uintptr(device)<<48
}
