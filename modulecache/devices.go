package modulecache

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/internal/locks"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// copies are the modules that were loaded from a module's image for other devices, by device. Each holds a reference.
type copies struct {
	mu locks.Mutex[locks.Copies]
	on map[int]driver.Module
}

// On returns the module whose functions run on the device, which is the current device. This is m itself on m's own
// device. On another device it is a module of the same image, which On loads the first time and which is unloaded with
// m. On returns an error if the image must not be loaded twice. jit loads images that were compiled from text.
func (c *Cache) On(d Driver, jit JITDriver, device int, m driver.Module) (driver.Module, error) {
	l := c.modules.Find(uintptr(m))
	if l == nil || int(l.of.id.device) == device || l.refs.Load() <= 0 {
		return m, nil
	}
	if l.of.reason != "" {
		return 0, &driver.Error{Call: fmt.Sprintf("mgpuModuleGetFunction(%#x)", uintptr(m)), Code: driver.InvalidDevice,
			Detail: fmt.Sprintf("the module is loaded on device %d and can't be loaded on device %d too: %s", l.of.id.device, device, l.of.reason)}
	}
	l.copies.mu.Lock()
	there, ok := l.copies.on[device]
	l.copies.mu.Unlock()
	if ok {
		return there, nil
	}
	if !l.of.pin() {
		return m, nil
	}
	defer l.of.unpin()
	there, _, err := c.load(request{d: d, jit: jit, device: device, addr: address(l.of.image), opt: l.of.id.opt})
	if err != nil {
		return 0, err
	}
	l.copies.mu.Lock()
	first, late := l.copies.on[device]
	if !late {
		if l.copies.on == nil {
			l.copies.on = map[int]driver.Module{}
		}
		l.copies.on[device] = there
	}
	l.copies.mu.Unlock()
	if late { // another thread was first
		_, err = c.Unload(d, there)
		return first, err
	}
	return there, nil
}

// unloadCopies drops the references to the copies of a module.
func (c *Cache) unloadCopies(d Driver, l *loaded) error {
	l.copies.mu.Lock()
	on := l.copies.on
	l.copies.on = nil
	l.copies.mu.Unlock()
	var failed error
	for _, m := range on {
		if _, err := c.Unload(d, m); err != nil {
			failed = err
		}
	}
	return failed
}
