package modulecache

import (
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/addrmap"
	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Cache keeps the modules of all devices.
type Cache struct {
	cfg     Config
	sites   addrmap.Map[site]   // by siteKey
	modules addrmap.Map[loaded] // by module handle
	retired addrmap.Retired[loaded]
	scratch sync.Pool // *[scratchBytes]byte
	sum     func([]byte) [16]byte

	clock atomic.Uint64 // use counter, see content.touch
	bytes atomic.Int64  // of all contents in the index
	quiet atomic.Bool
	count counters

	mu    sync.Mutex
	index map[identity]*content // chained where hashes collide
}

// New makes an empty cache; it calls no driver.
func New(cfg Config) *Cache {
	return &Cache{
		cfg: cfg.withDefaults(), index: map[identity]*content{}, sum: hash128,
		scratch: sync.Pool{New: func() any { return new([scratchBytes]byte) }},
	}
}

// SetQuiet forbids, while on, that unused modules are unloaded: newer HIP
// refuses to do so during a stream capture.
func (c *Cache) SetQuiet(on bool) { c.quiet.Store(on) }

// Load gives the module of the image at addr on device, which is current, and
// a reference to it. generation changes, at least, whenever another object came to
// lie at addr, and never goes back; read it before the call. The largest one says that
// nothing is known.
func (c *Cache) Load(d Driver, device int, addr uintptr, generation uint64) (driver.Module, Outcome, error) {
	if m := c.loadStable(device, addr, generation, notText); m != 0 {
		return m, Outcome{Result: HitStable}, nil
	}
	return c.load(request{d: d, device: device, addr: addr, generation: generation, opt: notText})
}

// LoadJIT is Load for a text that the driver compiles at optimization level
// opt. Different levels give different modules.
func (c *Cache) LoadJIT(d JITDriver, device int, addr uintptr, generation uint64, opt int) (driver.Module, Outcome, error) {
	level := int16(max(min(opt, 1<<14), 0))
	if m := c.loadStable(device, addr, generation, level); m != 0 {
		return m, Outcome{Result: HitStable}, nil
	}
	return c.load(request{d: d, jit: d, device: device, addr: addr, generation: generation, opt: level})
}

// Unload gives a reference back. A module that the cache did not load is
// unloaded by the driver. Giving back more references than were taken is an
// error the first time that it happens to a handle after a load gave it, and
// harmless always.
func (c *Cache) Unload(d Driver, m driver.Module) (Outcome, error) {
	l := c.modules.Find(uintptr(m))
	if l == nil {
		return Outcome{Result: PassedOn}, d.ModuleUnload(m)
	}
	last, ok := l.release()
	switch {
	case !ok:
		return Outcome{Result: WasStale}, l.misuse("mgpuModuleUnload")
	case l.of.reason != "":
		err := c.unloadRefused(d, l, last)
		if limit := c.imageLimit(); c.bytes.Load() > limit && !c.quiet.Load() {
			_, _ = c.evict(d, limit) // of modules that this call is not about
		}
		return Outcome{Refused, l.of.reason}, err
	case !last:
		return Outcome{Result: Kept}, nil
	case c.bytes.Load() <= c.cfg.Bytes || c.quiet.Load():
		return Outcome{Result: Kept}, nil
	}
	n, err := c.evict(d, c.cfg.Bytes)
	if n > 0 {
		return Outcome{Result: Evicted}, err
	}
	return Outcome{Result: Kept}, err
}

// imageLimit bounds the images of unused contents where that is not about
// modules: not keeping modules is no reason to copy an image for each load.
func (c *Cache) imageLimit() int64 {
	if c.cfg.Bytes < 0 {
		return defaultBytes
	}
	return c.cfg.Bytes
}

// Trim really unloads modules that nobody references until their images take
// at most limit bytes, and returns how many and the first error.
func (c *Cache) Trim(d Driver, limit int64) (int, error) { return c.evict(d, limit) }

// Function gives the kernel called name of a module. name need only stay what
// it is during the call. Names that are not there are asked for each time.
func (c *Cache) Function(d Driver, m driver.Module, name string) (driver.Function, Outcome, error) {
	l := c.modules.Find(uintptr(m))
	if l == nil {
		f, err := d.ModuleGetFunction(m, name)
		return f, Outcome{Result: PassedOn}, err
	}
	// While the cache keeps the module its functions are good, referenced or not.
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

// Refusal says why the module is not shared; empty if it is, or is not ours.
func (c *Cache) Refusal(m driver.Module) string {
	if l := c.modules.Find(uintptr(m)); l != nil {
		return l.of.reason
	}
	return ""
}

// Inspect shows look the image of a module that the cache has loaded, which stays
// in place until look returns. It reports whether there is one.
func (c *Cache) Inspect(m driver.Module, look func(kind codeobj.Kind, image []byte)) bool {
	l := c.modules.Find(uintptr(m))
	if l == nil || !l.of.pin() {
		return false
	}
	defer l.of.unpin()
	look(l.of.id.kind, l.of.image)
	return true
}
