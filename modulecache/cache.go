package modulecache

import (
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/addrmap"
	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/internal/locks"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Cache holds the modules of all devices.
type Cache struct {
	cfg     Config
	sites   addrmap.Map[site]   // by siteKey
	modules addrmap.Map[loaded] // by module handle
	retired addrmap.Retired[loaded]
	windows sync.Pool // *window
	chunks  chunks
	sum     func([]byte) uint64

	clock      atomic.Uint64 // counts uses, see content.touch
	bytes      atomic.Int64  // of all contents in the index, in bytes
	contents   atomic.Int64  // in the index, once for each module
	evictAbove atomic.Int64  // evict looks for unused modules above this number of contents
	count      counters

	mu    locks.Mutex[locks.Contents]
	index map[identity]*content // chained where hashes collide
}

// New makes an empty cache. It makes no driver call.
func New(cfg Config) *Cache {
	c := &Cache{
		cfg: cfg.withDefaults(), index: map[identity]*content{}, sum: hashOf,
		windows: sync.Pool{New: func() any { return new(window) }},
	}
	c.evictAbove.Store(int64(c.cfg.Modules))
	return c
}

// Load returns the module of the image at addr on the device, which is the current device, and adds a reference to the
// module.
func (c *Cache) Load(d Driver, device int, addr uintptr) (driver.Module, Outcome, error) {
	return c.load(request{d: d, device: device, addr: addr, opt: notText})
}

// LoadJIT is Load for a text that the driver compiles at optimization level opt. Each level has its own module.
func (c *Cache) LoadJIT(d JITDriver, device int, addr uintptr, opt int) (driver.Module, Outcome, error) {
	return c.load(request{d: d, jit: d, device: device, addr: addr, opt: int16(max(min(opt, 1<<14), 0))})
}

// Unload drops a reference. The driver unloads a module that the cache does not know. If no reference is left to drop,
// Unload does nothing; it returns an error the first time since the module was loaded.
func (c *Cache) Unload(d Driver, m driver.Module) (Outcome, error) {
	l := c.modules.Find(uintptr(m))
	if l == nil {
		return Outcome{Result: PassedOn}, d.ModuleUnload(m)
	}
	if c.givenBackBefore(d, l) {
		return Outcome{Result: WasStale}, l.misuse("mgpuModuleUnload")
	}
	last, ok := l.release()
	if last {
		if err := c.unloadCopies(d, l); err != nil {
			return Outcome{Result: StaysLoaded}, err
		}
	}
	switch {
	case !ok:
		return Outcome{Result: WasStale}, l.misuse("mgpuModuleUnload")
	case l.of.reason != "":
		err := c.unloadRefused(d, l, last)
		if limit := c.imageLimit(); c.full(limit) {
			_, _ = c.evict(d, limit) // an error would concern other modules
		}
		return Outcome{Result: Refused, Reason: l.of.reason}, err
	case !last:
		return Outcome{Result: StaysLoaded}, nil
	case !c.full(c.cfg.Bytes):
		return Outcome{Result: StaysLoaded}, nil
	}
	n, err := c.evict(d, c.cfg.Bytes)
	if n > 0 {
		return Outcome{Result: Evicted}, err
	}
	return Outcome{Result: StaysLoaded}, err
}

// imageLimit bounds the images of unused contents that are not shared. The cache stores these images even though it
// does not store the modules, which saves a copy for each load.
func (c *Cache) imageLimit() int64 {
	if c.cfg.Bytes < 0 {
		return defaultBytes
	}
	return c.cfg.Bytes
}

// Function returns the kernel of a module by its name. name may change after the call. Names that the module lacks are
// not cached.
func (c *Cache) Function(d Driver, m driver.Module, name string) (driver.Function, Outcome, error) {
	l := c.modules.Find(uintptr(m))
	if l == nil {
		f, err := d.ModuleGetFunction(m, name)
		return f, Outcome{Result: PassedOn}, err
	}
	// Functions are valid as long as the module is loaded, with or without references.
	if f := l.functions.find(name); f != 0 {
		return f, Outcome{Result: Hit}, nil
	}
	if l.refs.Load() <= 0 {
		return 0, Outcome{Result: WasStale}, l.misuse("mgpuModuleGetFunction(" + name + ")")
	}
	f, err := d.ModuleGetFunction(m, name)
	if err != nil {
		return 0, Outcome{}, err
	}
	c.count.functions.Add(1)
	l.functions.add(name, f)
	return f, Outcome{Result: Miss}, nil
}

// Silent reports whether the image of a module is known to have no kernel that prints or calls the host. It looks at the
// image no more than the module's first load did.
func (c *Cache) Silent(m driver.Module) bool {
	l := c.modules.Find(uintptr(m))
	return l != nil && l.of.silent
}

// Inspect calls look with the image of a module of the cache. The image stays in place until look returns. Inspect
// returns false if the cache does not know m.
func (c *Cache) Inspect(m driver.Module, look func(kind codeobj.Kind, image []byte)) bool {
	l := c.modules.Find(uintptr(m))
	if l == nil || !l.of.pin() {
		return false
	}
	defer l.of.unpin()
	look(l.of.id.kind, l.of.image)
	return true
}
